//! A tree over points, for the nearest one (Bentley, *Multidimensional Binary Search Trees Used for Associative
//! Searching*, 1975).

use crate::id::NodeId;
use crate::space::Point;

/// A balanced tree without pointers: the middle of a stretch of `order` splits it, and its halves are the subtrees.
#[derive(Clone, Debug)]
pub(crate) struct KdTree {
    order: Vec<NodeId>,
    /// By place in `order`: the axis along which the node there splits.
    axes: Vec<u8>,
}

/// Stretches up to this length are looked through one by one.
const LEAF: usize = 8;

impl KdTree {
    /// A tree over the points, which are finite; each has its place in the slice as its number.
    pub fn new(points: &[Point]) -> KdTree {
        // Sorting whole points rather than their numbers spares a jump through memory for each comparison.
        let mut places: Vec<(Point, NodeId)> = points.iter().copied().zip((0..).map(NodeId)).collect();
        let mut axes = vec![0; points.len()];
        arrange(&mut places, &mut axes);
        KdTree { order: places.into_iter().map(|(_, node)| node).collect(), axes }
    }

    /// The accepted point nearest to a place, of several the one with the smallest number. `points` are those that the
    /// tree was made of.
    pub fn nearest(&self, points: &[Point], to: Point, accept: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let mut query = Query { points, to, accept, best: None };
        query.look_through(&self.order, &self.axes);
        query.best.map(|(_, node)| node)
    }
}

fn coordinate(point: Point, axis: u8) -> f64 {
    [point.x, point.y, point.z][usize::from(axis)]
}

/// Puts the middle point along the longest axis in the middle, the smaller before it, the larger behind, and so on.
fn arrange(places: &mut [(Point, NodeId)], axes: &mut [u8]) {
    if places.len() <= LEAF {
        return;
    }
    let (mut least, mut most) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for (point, _) in &*places {
        for axis in 0..3 {
            least[axis] = least[axis].min(coordinate(*point, axis as u8));
            most[axis] = most[axis].max(coordinate(*point, axis as u8));
        }
    }
    let extent = |axis: u8| most[usize::from(axis)] - least[usize::from(axis)];
    let axis = (1..3).fold(0, |longest, axis| if extent(axis) > extent(longest) { axis } else { longest });
    let middle = places.len() / 2;
    places.select_nth_unstable_by(middle, |(a, node_a), (b, node_b)| {
        coordinate(*a, axis).total_cmp(&coordinate(*b, axis)).then(node_a.cmp(node_b))
    });
    axes[middle] = axis;
    let ((before, after), (axes_before, axes_after)) =
        (places.split_at_mut(middle), axes.split_at_mut(middle));
    arrange(before, axes_before);
    arrange(&mut after[1..], &mut axes_after[1..]);
}

struct Query<'a, A> {
    points: &'a [Point],
    to: Point,
    accept: A,
    /// The nearest so far, with the square of its distance.
    best: Option<(f64, NodeId)>,
}

impl<A: Fn(NodeId) -> bool> Query<'_, A> {
    fn look_through(&mut self, order: &[NodeId], axes: &[u8]) {
        if order.len() <= LEAF {
            for &node in order {
                self.look_at(node);
            }
            return;
        }
        let middle = order.len() / 2;
        let split = order[middle];
        let beyond = coordinate(self.to, axes[middle]) - coordinate(self.points[split.index()], axes[middle]);
        let before = (&order[..middle], &axes[..middle]);
        let after = (&order[middle + 1..], &axes[middle + 1..]);
        let (near, far) = if beyond < 0.0 { (before, after) } else { (after, before) };
        self.look_through(near.0, near.1);
        self.look_at(split);
        // At the same distance a smaller number may lie on the other side.
        if self.best.is_none_or(|(least, _)| beyond * beyond <= least) {
            self.look_through(far.0, far.1);
        }
    }

    fn look_at(&mut self, node: NodeId) {
        let point = self.points[node.index()];
        let (dx, dy, dz) = (point.x - self.to.x, point.y - self.to.y, point.z - self.to.z);
        let squared = dx * dx + dy * dy + dz * dz;
        if self.best.is_none_or(|best| (squared, node) < best) && (self.accept)(node) {
            self.best = Some((squared, node));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Points with few different coordinates, so that ties are common, some of them all at one height.
    fn points() -> impl Strategy<Value = Vec<Point>> {
        let whole = |(x, y, z)| Point::new(f64::from(x), f64::from(y), f64::from(z));
        let flat = prop::collection::vec((-9..9, -9..9, 0..1).prop_map(whole), 0..200);
        let deep = prop::collection::vec((-4..4, -20..20, -4..4).prop_map(whole), 0..200);
        let fine = prop::collection::vec((-1e6..1e6, -1e3..1e3, -1.0..1.0), 0..60);
        prop_oneof![
            flat,
            deep,
            fine.prop_map(|all| all.into_iter().map(|(x, y, z)| Point::new(x, y, z)).collect())
        ]
    }

    proptest! {
        #[test]
        fn the_nearest_point_is_the_best_of_all(points in points(), to in (-10..10, -10..10, -3..3), every in 1..9_u32) {
            let to = Point::new(f64::from(to.0) / 2.0, f64::from(to.1) / 2.0, f64::from(to.2) / 2.0);
            let accept = |node: NodeId| node.0.is_multiple_of(every);
            let squared = |node: &NodeId| {
                let point = points[node.index()];
                (point.x - to.x).powi(2) + (point.y - to.y).powi(2) + (point.z - to.z).powi(2)
            };
            let nodes = (0..points.len() as u32).map(NodeId).filter(|&node| accept(node));
            let expected = nodes.min_by(|a, b| squared(a).total_cmp(&squared(b)).then(a.cmp(b)));
            prop_assert_eq!(KdTree::new(&points).nearest(&points, to, accept), expected);
        }
    }
}
