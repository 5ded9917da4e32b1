//! Directed graphs of waypoints, with one-way streets and tunnels.
//!
//! [`Waypoints`] are built once; then costs can change, and edges can close and open. All agents see the same graph.
//!
//! ```
//! use surefoot::prelude::*;
//! let mut builder = Waypoints::builder();
//! let [a, b, c] = [0.0, 3.0, 9.0].map(|x| builder.node(Point::flat(x, 0.0)));
//! builder.road(a, b); // both ways, costs its length
//! let street = builder.one_way(b, c, Cost::ONE * 6, EdgeKind::Road);
//! let mut graph = builder.build().unwrap();
//! let mut finder = Pathfinder::default();
//! assert_eq!(finder.find(&graph, a, c).unwrap().cost(), 9.0);
//! assert_eq!(finder.find(&graph, c, a), Err(Why::OneWay));
//! graph.set_edge(street, None).unwrap(); // closed
//! assert!(finder.find(&graph, a, c).is_err());
//! ```

mod estimate;
mod space;

use std::sync::{Arc, OnceLock};

use thiserror::Error;

use crate::cost::{Cost, Scale};
use crate::digest::Digest;
use crate::graph::{Graph, Located, ReverseGraph};
use crate::id::NodeId;
use crate::space::Point;
use crate::world::adjacency::Adjacency;
use crate::world::condensation::Condensation;
use crate::world::journal::{Journal, Revision};
use crate::world::kd_tree::KdTree;
use crate::world::least::Least;
use crate::world::links::Link;
use crate::world::nearest::Reach;

pub(crate) use estimate::PointBox;

/// The kind of passage that an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "lowercase"))]
pub enum EdgeKind {
    /// A road through space. The cheapest road per distance scales the straight-line heuristic.
    Road,
    /// A tunnel, escalator or teleport that shortcuts space. The heuristic takes each one into account.
    Link,
}

/// An edge of a waypoint graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(deny_unknown_fields))]
pub struct Edge {
    /// The node where the edge starts.
    pub from: NodeId,
    /// The node where the edge ends.
    pub to: NodeId,
    /// The cost: at least one unit, at most [`Cost::MAX_EDGE`].
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::core::cost::edge_cost"))]
    pub cost: Cost,
    /// Whether the edge is a road or a link.
    pub kind: EdgeKind,
}

/// The number of an edge, in the order in which edges were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct EdgeId(pub u32);

/// A single change to a waypoint graph: an edge has a new cost, or is closed (`None`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeChange {
    /// The edge.
    pub edge: EdgeId,
    /// The cost before the change.
    pub old: Option<Cost>,
    /// The cost after the change.
    pub new: Option<Cost>,
}

/// The reason why a waypoint graph could not be created or edited.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum WaypointError {
    /// A position is not finite or is too far out.
    #[error("node {index}: position ({}, {}, {}) is not within {max} of the origin", position.x, position.y, position.z, max = Waypoints::MAX_COORDINATE)]
    Position {
        /// The node's number.
        index: usize,
        /// Its position.
        position: Point,
    },
    /// An edge names a node that does not exist.
    #[error("edge {index}: node {node} does not exist (there are {count})")]
    NoSuchNode {
        /// The edge's number.
        index: usize,
        /// The node it names.
        node: u32,
        /// The number of nodes that exist.
        count: usize,
    },
    /// The cost of an edge is zero or too large.
    #[error(
        "edge {index}: cost {} is out of range: expected more than 0 and at most {} cells",
        Scale::GRID.cells(*cost),
        Scale::GRID.cells(Cost::MAX_EDGE)
    )]
    EdgeCost {
        /// The edge's number.
        index: usize,
        /// Its cost.
        cost: Cost,
    },
    /// There is no such edge.
    #[error("edge {0} does not exist")]
    NoSuchEdge(usize),
    /// The graph has too many nodes, edges or links.
    #[error("too many {what}: expected at most {max}", max = Waypoints::MAX_COUNT)]
    TooMany {
        /// What there are too many of.
        what: &'static str,
    },
}

/// Collects nodes and edges. [`WaypointsBuilder::build`] checks them and creates the graph.
///
/// ```
/// use surefoot::prelude::*;
/// let mut builder = Waypoints::builder();
/// let gate = builder.node(Point::flat(0.0, 0.0));
/// let tower = builder.node(Point::flat(3.0, 4.0));
/// builder.road(gate, tower);
/// builder.one_way(tower, gate, Cost::ONE + Cost::ONE, EdgeKind::Link);
/// let graph = builder.build().unwrap();
/// assert_eq!(graph.edges().len(), 3);
/// ```
#[derive(Clone, Debug, Default)]
pub struct WaypointsBuilder {
    positions: Vec<Point>,
    edges: Vec<Edge>,
}

impl WaypointsBuilder {
    /// Adds a node.
    pub fn node(&mut self, position: Point) -> NodeId {
        self.positions.push(position);
        NodeId(self.positions.len() as u32 - 1)
    }

    /// Adds a road in both directions whose cost is its length (rounded up).
    pub fn road(&mut self, a: NodeId, b: NodeId) {
        let cost = self.length(a, b);
        self.one_way(a, b, cost, EdgeKind::Road);
        self.one_way(b, a, cost, EdgeKind::Road);
    }

    /// Returns the cost of a road that costs its length.
    pub(crate) fn length(&self, a: NodeId, b: NodeId) -> Cost {
        let place = |node: NodeId| self.positions.get(node.index()).copied().unwrap_or_default();
        let units = place(a).distance(place(b)) * Cost::ONE.units() as f64;
        Cost::from_units((units.ceil() as u64).max(1))
    }

    /// Adds a one-way edge with the given cost.
    pub fn one_way(&mut self, from: NodeId, to: NodeId, cost: Cost, kind: EdgeKind) -> EdgeId {
        self.edges.push(Edge { from, to, cost, kind });
        EdgeId(self.edges.len() as u32 - 1)
    }

    /// Checks all nodes and edges and creates the graph.
    pub fn build(self) -> Result<Waypoints, WaypointError> {
        let count = self.positions.len();
        for (what, found) in [("nodes", count), ("edges", self.edges.len())] {
            if found > Waypoints::MAX_COUNT {
                return Err(WaypointError::TooMany { what });
            }
        }
        let too_far = |x: f64| x.is_nan() || x.abs() > Waypoints::MAX_COORDINATE;
        for (index, &position) in self.positions.iter().enumerate() {
            if too_far(position.x) || too_far(position.y) || too_far(position.z) {
                return Err(WaypointError::Position { index, position });
            }
        }
        for (index, edge) in self.edges.iter().enumerate() {
            for node in [edge.from, edge.to] {
                if node.index() >= count {
                    return Err(WaypointError::NoSuchNode { index, node: node.0, count });
                }
            }
            if edge.cost == Cost::ZERO || edge.cost > Cost::MAX_EDGE {
                return Err(WaypointError::EdgeCost { index, cost: edge.cost });
            }
        }
        let leaving = Adjacency::new(count, &self.edges, |edge| edge.from);
        let entering = Adjacency::new(count, &self.edges, |edge| edge.to);
        let scales = self.edges.iter().map(|edge| scale_of(edge, &self.positions));
        let is_link = |&id: &EdgeId| self.edges[id.0 as usize].kind == EdgeKind::Link;
        let links = (0..self.edges.len() as u32).map(EdgeId).filter(is_link).collect();
        Ok(Waypoints {
            tree: Arc::new(KdTree::new(&self.positions)),
            scales: Arc::new(Least::of(scales)),
            positions: Arc::new(self.positions),
            closed: Arc::new(vec![false; self.edges.len()]),
            edges: Arc::new(self.edges),
            links: Arc::new(links),
            leaving: Arc::new(leaving),
            entering: Arc::new(entering),
            condensation: OnceLock::new(),
            journal: Journal::with_capacity(Waypoints::JOURNAL_CAPACITY),
        })
    }
}

/// A directed weighted graph whose nodes have positions. Costs can change and edges can close, but the set of nodes and edges is
/// fixed once the graph is built.
///
/// A clone shares everything with the original and takes almost no time. The first edit of either one copies the list of edges.
#[derive(Clone, Debug)]
pub struct Waypoints {
    positions: Arc<Vec<Point>>,
    tree: Arc<KdTree>,
    edges: Arc<Vec<Edge>>,
    closed: Arc<Vec<bool>>,
    /// Which edges are links.
    links: Arc<Vec<EdgeId>>,
    leaving: Arc<Adjacency>,
    entering: Arc<Adjacency>,
    /// By edge: what a unit of distance is worth on it, infinity unless it is an open road.
    scales: Arc<Least>,
    /// Computed on first use, dropped when an edge that matters to it opens or closes.
    condensation: OnceLock<Arc<Condensation>>,
    journal: Journal<EdgeChange>,
}

impl Waypoints {
    /// The maximum number of nodes, and of edges.
    pub const MAX_COUNT: usize = 1 << 24;
    /// The largest absolute value of a coordinate.
    pub const MAX_COORDINATE: f64 = 1e6;
    /// The number of changes that the journal remembers.
    pub const JOURNAL_CAPACITY: usize = 1 << 16;

    /// Returns an empty builder.
    pub fn builder() -> WaypointsBuilder {
        WaypointsBuilder::default()
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.positions.len()
    }

    /// Returns the scale of costs.
    pub fn scale(&self) -> Scale {
        Scale::GRID
    }

    /// Returns the positions by node number.
    pub fn positions(&self) -> &[Point] {
        &self.positions
    }

    /// Returns all edges by number, including closed ones.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Returns a hash of the contents of the graph: positions, and every edge with its cost, its kind and whether it is closed. It
    /// is the same on every machine, so lockstep games can compare it and caches can use it as a key. It does not protect against
    /// forgery. Takes time proportional to the size of the graph.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        digest.word(self.positions.len() as u64);
        self.positions.iter().for_each(|&position| digest.point(position));
        for (edge, &closed) in self.edges.iter().zip(&*self.closed) {
            digest.word(u64::from(edge.from.0) << 32 | u64::from(edge.to.0));
            digest.word(
                edge.cost.units() << 2 | u64::from(edge.kind == EdgeKind::Link) << 1 | u64::from(closed),
            );
        }
        digest.finish()
    }

    /// Returns whether an edge is closed.
    pub fn is_closed(&self, edge: EdgeId) -> bool {
        self.closed.get(edge.0 as usize).copied().unwrap_or(true)
    }

    /// Sets the cost of an edge and opens it, or closes it (`None`). The time it takes does not depend on the number of edges,
    /// except right after a clone.
    pub fn set_edge(&mut self, id: EdgeId, cost: Option<Cost>) -> Result<(), WaypointError> {
        let index = id.0 as usize;
        let edge = *self.edges.get(index).ok_or(WaypointError::NoSuchEdge(index))?;
        if let Some(cost) = cost
            && (cost == Cost::ZERO || cost > Cost::MAX_EDGE)
        {
            return Err(WaypointError::EdgeCost { index, cost });
        }
        let old = (!self.closed[index]).then_some(edge.cost);
        if old != cost {
            let Edge { from, to, kind, .. } = edge;
            let edge = Edge { cost: cost.unwrap_or(edge.cost), ..edge };
            if self.edges[index] != edge {
                Arc::make_mut(&mut self.edges)[index] = edge;
            }
            if old.is_some() != cost.is_some() {
                Arc::make_mut(&mut self.closed)[index] = cost.is_none();
            }
            self.journal.record(EdgeChange { edge: id, old, new: cost });
            if kind == EdgeKind::Road {
                let scale = cost.map_or(f64::INFINITY, |_| scale_of(&edge, &self.positions));
                Arc::make_mut(&mut self.scales).set(index, scale);
            }
            if old.is_some() != cost.is_some() {
                // One more edge between nodes that reach each other already adds nothing.
                let same = |parts: &Arc<Condensation>| parts.component(from) == parts.component(to);
                if cost.is_none() || !self.condensation.get().is_some_and(same) {
                    self.condensation = OnceLock::new();
                }
            }
        }
        Ok(())
    }

    /// Returns the current revision of the graph.
    pub fn revision(&self) -> Revision {
        self.journal.now()
    }

    /// Returns the journal of changes.
    pub fn journal(&self) -> &Journal<EdgeChange> {
        &self.journal
    }

    /// Returns whether a node exists.
    pub fn contains(&self, node: NodeId) -> bool {
        node.index() < self.node_count()
    }

    /// Returns the node nearest to a point; ties go to the smallest node number. `None` if there are no nodes or the point is not
    /// finite.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let mut builder = Waypoints::builder();
    /// let gate = builder.node(Point::flat(0.0, 0.0));
    /// let tower = builder.node(Point::flat(3.0, 4.0));
    /// let graph = builder.build().unwrap();
    /// assert_eq!(graph.nearest(Point::flat(3.0, 2.0)), Some(tower));
    /// ```
    pub fn nearest(&self, to: Point) -> Option<NodeId> {
        to.is_finite().then(|| self.tree.nearest(&self.positions, to, |_| true))?
    }

    /// Returns the node nearest to a point among those that can be reached from `from` along open edges; ties go to the smallest
    /// node number. `None` if `from` does not exist or the point is not finite.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let mut builder = Waypoints::builder();
    /// let nodes = [0.0, 1.0, 2.0].map(|x| builder.node(Point::flat(x, 0.0)));
    /// builder.one_way(nodes[0], nodes[1], Cost::ONE, EdgeKind::Road);
    /// builder.one_way(nodes[2], nodes[1], Cost::ONE, EdgeKind::Road);
    /// let graph = builder.build().unwrap();
    /// assert_eq!(graph.nearest_reachable(nodes[0], Point::flat(9.0, 0.0)), Some(nodes[1]));
    /// ```
    pub fn nearest_reachable(&self, from: NodeId, to: Point) -> Option<NodeId> {
        if !self.contains(from) || !to.is_finite() {
            return None;
        }
        self.tree.nearest(&self.positions, to, self.condensation().reachable_from(from))
    }

    /// Returns whether one node can be reached from another along open edges. The first query after an edge closed, or opened
    /// between nodes that did not reach each other, visits the whole graph.
    pub(crate) fn reachable(&self, from: NodeId, to: NodeId) -> Reach {
        self.condensation().reach(from, to)
    }

    fn condensation(&self) -> &Condensation {
        self.condensation.get_or_init(|| Arc::new(Condensation::of(self)))
    }

    /// Returns the cheapest open edge between two nodes; if two cost the same, a road rather than a link.
    pub(crate) fn cheapest_edge(&self, from: NodeId, to: NodeId) -> Option<Edge> {
        let open = self.leaving.of(from).iter().filter(|id| !self.is_closed(**id));
        open.map(|id| self.edges[id.0 as usize])
            .filter(|edge| edge.to == to)
            .min_by_key(|edge| (edge.cost, edge.kind == EdgeKind::Link))
    }

    /// Returns the cost of the most expensive edge.
    pub(crate) fn max_edge_cost(&self) -> Cost {
        self.edges.iter().map(|edge| edge.cost).max().unwrap_or(Cost::ONE)
    }

    /// Returns the open links.
    pub(crate) fn open_links(&self) -> impl Iterator<Item = Link> + '_ {
        let open = self.links.iter().filter(|&&id| !self.is_closed(id));
        open.map(|id| self.edges[id.0 as usize]).map(|Edge { from, to, cost, .. }| Link { from, to, cost })
    }

    /// Units of cost that a unit of distance is worth at least, on every open road. A unit of cost is held back from each
    /// road, so that estimates rounded down to whole units stay consistent.
    pub(crate) fn road_scale(&self) -> f64 {
        // Between two nodes that no road joins, any estimate is admissible; without roads use the ordinary scale.
        self.scales.number().min(Cost::ONE.units() as f64) * (1.0 - 1e-12)
    }
}

/// Units of cost that a unit of distance is worth on an open edge; infinity if it is no road or leads nowhere.
fn scale_of(edge: &Edge, positions: &[Point]) -> f64 {
    if edge.kind != EdgeKind::Road || edge.from == edge.to {
        return f64::INFINITY;
    }
    let distance = positions[edge.from.index()].distance(positions[edge.to.index()]);
    (edge.cost.units() - 1) as f64 / distance.max(f64::MIN_POSITIVE)
}

impl Graph for Waypoints {
    fn node_bound(&self) -> usize {
        self.positions.len()
    }

    #[inline]
    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let (edges, closed) = (&self.edges[..], &self.closed[..]);
        for &id in self.leaving.of(from) {
            let index = id.0 as usize;
            if !closed[index] {
                visit(edges[index].to, edges[index].cost);
            }
        }
    }
}

impl ReverseGraph for Waypoints {
    #[inline]
    fn for_each_edge_into(&self, to: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let (edges, closed) = (&self.edges[..], &self.closed[..]);
        for &id in self.entering.of(to) {
            let index = id.0 as usize;
            if !closed[index] {
                visit(edges[index].from, edges[index].cost);
            }
        }
    }
}

impl Located for Waypoints {
    /// Returns the position of a node; the origin for a node that the graph does not have, such as one of a path through another graph.
    fn position(&self, node: NodeId) -> Point {
        self.positions.get(node.index()).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What can be reached edge by edge, by node.
    fn flood(graph: &Waypoints, from: NodeId) -> Vec<bool> {
        let mut reached = vec![false; graph.node_count()];
        let mut stack = vec![from];
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut reached[node.index()], true) {
                graph.for_each_edge(node, |to, _| stack.push(to));
            }
        }
        reached
    }

    proptest! {
        #[test]
        fn what_is_reachable_follows_edges_that_open_and_close(
            places in prop::collection::vec((-9..9, -9..9), 1..30),
            edges in prop::collection::vec(any::<(u32, u32)>(), 1..60),
            edits in prop::collection::vec((any::<u32>(), any::<bool>()), 0..20),
            from: u32,
            to in (-9..9, -9..9),
        ) {
            let mut builder = Waypoints::builder();
            let count = places.len() as u32;
            for (x, y) in places {
                builder.node(Point::flat(f64::from(x), f64::from(y)));
            }
            for &(from, to) in &edges {
                builder.one_way(NodeId(from % count), NodeId(to % count), Cost::ONE, EdgeKind::Link);
            }
            let mut graph = builder.build().unwrap();
            let (from, place) = (NodeId(from % count), Point::flat(f64::from(to.0), f64::from(to.1)));
            let nodes = || (0..count).map(NodeId);
            for (edge, open) in edits {
                graph.set_edge(EdgeId(edge % edges.len() as u32), open.then_some(Cost::ONE)).unwrap();
                let reached = flood(&graph, from);
                for node in nodes() {
                    prop_assert_eq!(graph.reachable(from, node) == Reach::Connected, reached[node.index()]);
                }
                let distance = |node: &NodeId| graph.position(*node).distance(place);
                let nearer = |a: &NodeId, b: &NodeId| distance(a).total_cmp(&distance(b)).then(a.cmp(b));
                prop_assert_eq!(graph.nearest(place), nodes().min_by(nearer));
                let expected = nodes().filter(|node| reached[node.index()]).min_by(nearer);
                prop_assert_eq!(graph.nearest_reachable(from, place), expected);
            }
        }
    }

    proptest! {
        /// Everything that follows from the edges, after edits against a graph that was built that way.
        #[test]
        fn an_edited_graph_is_the_graph_built_with_those_costs(
            places in prop::collection::vec((-9..9, -9..9), 2..12),
            edges in prop::collection::vec((any::<u32>(), any::<u32>(), 1..90_u64, any::<bool>()), 1..40),
            edits in prop::collection::vec((any::<u32>(), prop::option::of(1..90_u64)), 0..40),
        ) {
            let cost = |tenths: u64| Cost::from_units(tenths * Cost::ONE.units() / 10);
            let count = places.len() as u32;
            let build = |edges: &[(u32, u32, u64, bool)]| {
                let mut builder = Waypoints::builder();
                for &(x, y) in &places {
                    builder.node(Point::flat(f64::from(x), f64::from(y)));
                }
                for &(from, to, tenths, link) in edges {
                    let kind = if link { EdgeKind::Link } else { EdgeKind::Road };
                    builder.one_way(NodeId(from % count), NodeId(to % count), cost(tenths), kind);
                }
                builder.build().unwrap()
            };
            let mut graph = build(&edges);
            let (mut now, mut open) = (edges.clone(), vec![true; edges.len()]);
            for (edge, tenths) in edits {
                let edge = edge as usize % edges.len();
                graph.set_edge(EdgeId(edge as u32), tenths.map(cost)).unwrap();
                open[edge] = tenths.is_some();
                now[edge].2 = tenths.unwrap_or(now[edge].2);
                // Closed edges are left out here, so only what does not depend on their numbers is compared.
                let left: Vec<_> = now.iter().zip(&open).filter(|(_, open)| **open).map(|(edge, _)| *edge).collect();
                let fresh = build(&left);
                prop_assert_eq!(graph.road_scale().to_bits(), fresh.road_scale().to_bits());
                prop_assert!(graph.open_links().eq(fresh.open_links()));
                for node in (0..count).map(NodeId) {
                    let (mut leaving, mut entering) = ([vec![], vec![]], [vec![], vec![]]);
                    for (place, graph) in [&graph, &fresh].into_iter().enumerate() {
                        graph.for_each_edge(node, |to, cost| leaving[place].push((to, cost)));
                        graph.for_each_edge_into(node, |from, cost| entering[place].push((from, cost)));
                    }
                    prop_assert_eq!(&leaving[0], &leaving[1]);
                    prop_assert_eq!(&entering[0], &entering[1]);
                }
            }
        }
    }

    #[test]
    fn a_clone_shares_all_edges_until_one_of_the_two_is_edited() {
        let mut builder = Waypoints::builder();
        let nodes: Vec<NodeId> = (0..300).map(|x| builder.node(Point::flat(f64::from(x), 0.0))).collect();
        nodes.windows(2).for_each(|pair| builder.road(pair[0], pair[1]));
        let mut graph = builder.build().unwrap();
        graph.set_edge(EdgeId(0), None).unwrap();
        let copy = graph.clone();
        assert_eq!(copy.revision(), graph.revision());
        assert!(std::ptr::eq(graph.edges(), copy.edges()));
        assert!(Arc::ptr_eq(&graph.closed, &copy.closed) && Arc::ptr_eq(&graph.scales, &copy.scales));
        graph.set_edge(EdgeId(7), None).unwrap();
        assert!(graph.is_closed(EdgeId(7)) && !copy.is_closed(EdgeId(7)));
        assert_ne!(copy.revision(), graph.revision());
    }

    #[test]
    fn places_and_nodes_that_do_not_exist_have_no_nearest_node() {
        let empty = Waypoints::builder().build().unwrap();
        assert_eq!(empty.nearest(Point::default()), None);
        assert_eq!(empty.nearest_reachable(NodeId(0), Point::default()), None);
        let mut builder = Waypoints::builder();
        let only = builder.node(Point::default());
        let graph = builder.build().unwrap();
        assert_eq!(graph.nearest(Point::flat(f64::NAN, 0.0)), None);
        assert_eq!(graph.nearest_reachable(only, Point::flat(0.0, f64::INFINITY)), None);
        assert_eq!(graph.nearest_reachable(NodeId(1), Point::default()), None);
        assert_eq!(graph.nearest_reachable(only, Point::flat(5.0, 5.0)), Some(only));
    }
}
