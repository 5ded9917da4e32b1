//! The last path that a repair found, kept so that the next one need not be traced from end to end.
//!
//! Most repairs change a path near its target and leave the rest unchanged. A new path is followed from the target
//! until it meets the old one at a node with the same cost as before. From there to the root the old path is still the
//! cheapest, as long as none of its edges has changed.

use crate::id::NodeId;
use crate::world::changes::Touched;

/// A path from a root.
#[derive(Clone, Debug, Default)]
pub(super) struct CurrentPath {
    /// The root first.
    nodes: Vec<NodeId>,
    /// The cost of the path to each node, as in the tree.
    costs: Vec<u64>,
    /// The position of each node on the path, by node number; undefined for other nodes.
    places: Vec<u32>,
}

impl CurrentPath {
    /// Forgets the path, because there is another tree or root.
    pub fn clear(&mut self) {
        self.cut(0);
    }

    fn cut(&mut self, len: usize) {
        self.nodes.truncate(len);
        self.costs.truncate(len);
    }

    /// Removes everything from the first node with a changed edge on. The changed nodes are sorted.
    pub fn keep_before(&mut self, touched: &Touched) {
        self.keep_before_any(&touched.better);
        self.keep_before_any(&touched.worse);
    }

    fn keep_before_any(&mut self, touched: &[NodeId]) {
        let (Some(first), Some(last)) = (touched.first(), touched.last()) else { return };
        let is_touched =
            |node: &NodeId| (first..=last).contains(&node) && touched.binary_search(node).is_ok();
        if let Some(place) = self.nodes.iter().position(is_touched) {
            self.cut(place);
        }
    }

    /// Returns whether a node is on the path, and the path to it has the given cost.
    #[inline]
    pub fn passes(&self, node: NodeId, cost: u64) -> bool {
        self.place(node).is_some_and(|place| self.costs[place] == cost)
    }

    fn place(&self, node: NodeId) -> Option<usize> {
        let place = *self.places.get(node.index())? as usize;
        (self.nodes.get(place) == Some(&node)).then_some(place)
    }

    /// Replaces the path after a node, or after the root. Takes the new nodes from the end back to the one after that
    /// node, and the cost of each.
    pub fn turn_off(
        &mut self,
        at: Option<NodeId>,
        bound: usize,
        nodes: &[NodeId],
        cost: impl Fn(NodeId) -> u64,
    ) {
        self.places.resize(bound, 0);
        self.cut(at.and_then(|node| self.place(node)).map_or(0, |place| place + 1));
        for &node in nodes.iter().rev() {
            self.places[node.index()] = self.nodes.len() as u32;
            self.nodes.push(node);
            self.costs.push(cost(node));
        }
    }

    /// Returns the nodes, the root first.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    pub fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<u32>()
            + self.nodes.capacity() * size_of::<NodeId>()
            + self.costs.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_before_a_change_is_kept_and_continued() {
        let node = NodeId;
        let mut path = CurrentPath::default();
        path.turn_off(None, 20, &[node(3), node(2), node(1)], |node| u64::from(node.0) * 10);
        assert_eq!(path.nodes(), [node(1), node(2), node(3)]);
        assert!(path.passes(node(3), 30) && !path.passes(node(3), 29) && !path.passes(node(4), 0));
        path.keep_before(&Touched { worse: vec![node(0), node(3), node(7)], ..Touched::default() });
        assert!(path.passes(node(2), 20) && !path.passes(node(3), 30));
        path.turn_off(Some(node(2)), 20, &[node(9), node(8)], |_| 5);
        assert_eq!(path.nodes(), [node(1), node(2), node(8), node(9)]);
        path.keep_before(&Touched::default());
        assert!(path.passes(node(9), 5));
        path.clear();
        assert!(path.nodes().is_empty() && !path.passes(node(1), 10));
    }
}
