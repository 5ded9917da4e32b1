//! Links: tunnels, escalators and teleports, i.e. edges that shortcut space.
//!
//! A link leads from one cell to another at a cost of its own, which may be less than the distance. Heuristics take links into account, so
//! A* stays optimal. On waypoint graphs, an edge can be a [link](crate::world::waypoints::EdgeKind::Link).
//!
//! ```
//! use surefoot::prelude::*;
//! let mut grid = Grid::new(50, 5).unwrap();
//! let link = grid.add_link(Cell::new(2, 2), Cell::new(47, 2), Cost::ONE).unwrap();
//! let mut finder = Pathfinder::default();
//! let path = finder.find(grid.view(&Agent::default()), Cell::new(0, 2), Cell::new(49, 2)).unwrap();
//! assert_eq!((path.cost(), path.jumps()), (5.0, &[2][..]));
//! assert!(grid.remove_link(link));
//! ```

use crate::id::NodeId;

pub use crate::core::graph::Link;

/// The links of a world, ordered by where they start (and again by where they end, for searches that walk backwards).
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkSet {
    by_start: Vec<Link>,
    by_end: Vec<Link>,
}

impl LinkSet {
    pub fn is_empty(&self) -> bool {
        self.by_start.is_empty()
    }

    /// All links, by start, end and cost.
    pub fn all(&self) -> &[Link] {
        &self.by_start
    }

    pub fn insert(&mut self, link: Link) {
        let at = self.by_start.partition_point(|other| *other <= link);
        self.by_start.insert(at, link);
        let key = |link: &Link| (link.to, link.from, link.cost);
        let at = self.by_end.partition_point(|other| key(other) <= key(&link));
        self.by_end.insert(at, link);
    }

    /// Takes one such link away; `false` if there was none.
    pub fn remove(&mut self, link: Link) -> bool {
        let Ok(at) = self.by_start.binary_search(&link) else { return false };
        self.by_start.remove(at);
        self.by_end.retain({
            let mut gone = false;
            move |other| {
                gone || *other != link || {
                    gone = true;
                    false
                }
            }
        });
        true
    }

    /// The links that start at a node.
    #[inline]
    pub fn leaving(&self, node: NodeId) -> &[Link] {
        run(&self.by_start, |link| link.from.cmp(&node))
    }

    /// The links that end at a node.
    #[inline]
    pub fn entering(&self, node: NodeId) -> &[Link] {
        run(&self.by_end, |link| link.to.cmp(&node))
    }
}

/// The stretch of a sorted slice whose elements compare equal.
fn run(links: &[Link], compare: impl Fn(&Link) -> std::cmp::Ordering) -> &[Link] {
    let first = links.partition_point(|link| compare(link).is_lt());
    let length = links[first..].iter().take_while(|link| compare(link).is_eq()).count();
    &links[first..first + length]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;

    #[test]
    fn links_are_found_from_both_ends_and_removed_one_at_a_time() {
        let link = |from, to| Link { from: NodeId(from), to: NodeId(to), cost: Cost::ONE };
        let mut set = LinkSet::default();
        for one in [link(5, 1), link(2, 9), link(5, 0), link(5, 1)] {
            set.insert(one);
        }
        assert_eq!(set.leaving(NodeId(5)), [link(5, 0), link(5, 1), link(5, 1)]);
        assert_eq!(set.entering(NodeId(1)), [link(5, 1), link(5, 1)]);
        assert!(set.remove(link(5, 1)));
        assert_eq!(set.entering(NodeId(1)), [link(5, 1)]);
        assert!(!set.remove(link(1, 5)));
        assert_eq!(set.leaving(NodeId(4)), []);
    }
}
