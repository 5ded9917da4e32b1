//! Directed graphs of places: waypoints, one-way streets, tunnels.

use std::sync::Arc;

use thiserror::Error;

use crate::cost::Cost;
use crate::graph::{Graph, Located, ReverseGraph};
use crate::id::NodeId;
use crate::space::Point;
use crate::world::journal::{Journal, Revision};
use crate::world::links::Link;

/// What kind of passage an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeKind {
    /// A way through space. The cheapest roads per distance scale the straight-line estimate.
    Road,
    /// A tunnel, escalator or teleport that shortcuts space; the estimate takes each one into account.
    Link,
}

/// An edge of a waypoint graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// What it costs: at least one unit, at most [`Cost::MAX_EDGE`].
    pub cost: Cost,
    /// Road or link.
    pub kind: EdgeKind,
}

/// The number of an edge, in the order of adding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

/// One change of a waypoint graph: an edge costs something else now, or is closed (`None`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeChange {
    /// The edge.
    pub edge: EdgeId,
    /// Its cost before.
    pub old: Option<Cost>,
    /// Its cost now.
    pub new: Option<Cost>,
}

/// Why a waypoint graph could not be made or edited.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WaypointError {
    /// A position is not a finite number, or too far out.
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
        /// Nodes there are.
        count: usize,
    },
    /// An edge's cost is zero or too large.
    #[error("edge {index}: cost {cost:?} is not positive and at most {} cells", Cost::MAX_EDGE.to_cells())]
    EdgeCost {
        /// The edge's number.
        index: usize,
        /// Its cost.
        cost: Cost,
    },
    /// There is no such edge.
    #[error("edge {0} does not exist")]
    NoSuchEdge(usize),
    /// Too many nodes, edges or links.
    #[error("a waypoint graph has at most {max} {what}", max = Waypoints::MAX_COUNT)]
    TooMany {
        /// What there is too much of.
        what: &'static str,
    },
}

/// Collects nodes and edges; [`WaypointsBuilder::build`] checks them all and makes the graph.
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

    /// Adds a road in both directions that costs its length (rounded up).
    pub fn road(&mut self, a: NodeId, b: NodeId) {
        let place = |node: NodeId| self.positions.get(node.index()).copied().unwrap_or_default();
        let units = place(a).distance(place(b)) * Cost::ONE.units() as f64;
        let cost = Cost::from_units((units.ceil() as u64).max(1));
        self.one_way(a, b, cost, EdgeKind::Road);
        self.one_way(b, a, cost, EdgeKind::Road);
    }

    /// Adds a one-way edge of any cost.
    pub fn one_way(&mut self, from: NodeId, to: NodeId, cost: Cost, kind: EdgeKind) -> EdgeId {
        self.edges.push(Edge { from, to, cost, kind });
        EdgeId(self.edges.len() as u32 - 1)
    }

    /// Checks everything and makes the graph.
    pub fn build(self) -> Result<Waypoints, WaypointError> {
        let count = self.positions.len();
        for (what, found) in [("nodes", count), ("edges", self.edges.len())] {
            if found > Waypoints::MAX_COUNT {
                return Err(WaypointError::TooMany { what });
            }
        }
        let too_far = |x: f64| !(x.abs() <= Waypoints::MAX_COORDINATE);
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
        let mut graph = Waypoints {
            positions: Arc::new(self.positions),
            closed: vec![false; self.edges.len()],
            edges: self.edges,
            leaving: Arc::new(leaving),
            entering: Arc::new(entering),
            road_scale: 0.0,
            journal: Journal::with_capacity(Waypoints::JOURNAL_CAPACITY),
        };
        graph.road_scale = graph.compute_road_scale();
        Ok(graph)
    }
}

/// For each node, the numbers of its edges, as one flat list.
#[derive(Clone, Debug)]
struct Adjacency {
    first: Vec<u32>,
    edges: Vec<EdgeId>,
}

impl Adjacency {
    fn new(nodes: usize, edges: &[Edge], end: impl Fn(&Edge) -> NodeId) -> Adjacency {
        let mut first = vec![0; nodes + 1];
        for edge in edges {
            first[end(edge).index() + 1] += 1;
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut free = first.clone();
        let mut list = vec![EdgeId(0); edges.len()];
        for (id, edge) in (0..).zip(edges) {
            let slot = &mut free[end(edge).index()];
            list[*slot as usize] = EdgeId(id);
            *slot += 1;
        }
        Adjacency { first, edges: list }
    }

    #[inline]
    fn of(&self, node: NodeId) -> &[EdgeId] {
        &self.edges[self.first[node.index()] as usize..self.first[node.index() + 1] as usize]
    }
}

/// A directed weighted graph whose nodes have places. Costs can change and edges can close; the set of nodes and edges is
/// fixed when it is built.
#[derive(Clone, Debug)]
pub struct Waypoints {
    positions: Arc<Vec<Point>>,
    edges: Vec<Edge>,
    closed: Vec<bool>,
    leaving: Arc<Adjacency>,
    entering: Arc<Adjacency>,
    road_scale: f64,
    journal: Journal<EdgeChange>,
}

impl Waypoints {
    /// The most nodes, and the most edges.
    pub const MAX_COUNT: usize = 1 << 24;
    /// The largest coordinate.
    pub const MAX_COORDINATE: f64 = 1e6;
    /// How many changes the journal remembers.
    pub const JOURNAL_CAPACITY: usize = 1 << 16;

    /// An empty builder.
    pub fn builder() -> WaypointsBuilder {
        WaypointsBuilder::default()
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.positions.len()
    }

    /// The positions by node number.
    pub fn positions(&self) -> &[Point] {
        &self.positions
    }

    /// All edges by number, closed ones too.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Whether an edge is closed.
    pub fn is_closed(&self, edge: EdgeId) -> bool {
        self.closed.get(edge.0 as usize).copied().unwrap_or(true)
    }

    /// Changes an edge's cost and opens it, or closes it (`None`).
    pub fn set_edge(&mut self, id: EdgeId, cost: Option<Cost>) -> Result<(), WaypointError> {
        let index = id.0 as usize;
        let edge = self.edges.get_mut(index).ok_or(WaypointError::NoSuchEdge(index))?;
        if let Some(cost) = cost
            && (cost == Cost::ZERO || cost > Cost::MAX_EDGE)
        {
            return Err(WaypointError::EdgeCost { index, cost });
        }
        let old = (!self.closed[index]).then_some(edge.cost);
        if old != cost {
            self.closed[index] = cost.is_none();
            edge.cost = cost.unwrap_or(edge.cost);
            self.journal.record(EdgeChange { edge: id, old, new: cost });
            if edge.kind == EdgeKind::Road {
                self.road_scale = self.compute_road_scale();
            }
        }
        Ok(())
    }

    /// The present moment of the graph's history.
    pub fn revision(&self) -> Revision {
        self.journal.now()
    }

    /// What changed and when.
    pub fn journal(&self) -> &Journal<EdgeChange> {
        &self.journal
    }

    /// Whether a node exists.
    pub fn contains(&self, node: NodeId) -> bool {
        node.index() < self.node_count()
    }

    /// nearest
    pub fn nearest(&self, to: Point) -> Option<NodeId> {
        (0..self.node_count() as u32)
            .map(NodeId)
            .min_by(|a, b| self.position(*a).distance(to).total_cmp(&self.position(*b).distance(to)))
    }
    /// nearest
    pub fn nearest_reachable(&self, from: NodeId, _to: Point) -> Option<NodeId> {
        Some(from)
    }
    /// reach
    pub(crate) fn reachable(&self, _from: NodeId, _to: NodeId) -> crate::world::nearest::Reach {
        crate::world::nearest::Reach::Connected
    }

    /// The cheapest open edge between two nodes.
    pub(crate) fn cheapest_edge(&self, from: NodeId, to: NodeId) -> Option<Edge> {
        let open = self.leaving.of(from).iter().filter(|id| !self.is_closed(**id));
        open.map(|id| self.edges[id.0 as usize]).filter(|edge| edge.to == to).min_by_key(|edge| edge.cost)
    }

    /// What the dearest edge costs.
    pub(crate) fn dearest_edge(&self) -> Cost {
        self.edges.iter().map(|edge| edge.cost).max().unwrap_or(Cost::ONE)
    }

    /// The open links.
    pub(crate) fn open_links(&self) -> impl Iterator<Item = Link> + '_ {
        let open = self
            .edges
            .iter()
            .zip(&self.closed)
            .filter(|(edge, closed)| edge.kind == EdgeKind::Link && !**closed);
        open.map(|(edge, _)| Link { from: edge.from, to: edge.to, cost: edge.cost })
    }

    /// Units of cost that a unit of distance is worth at least, on every open road. A unit of cost is held back from each
    /// road, so that estimates rounded down to whole units stay consistent.
    pub(crate) fn road_scale(&self) -> f64 {
        self.road_scale
    }

    fn compute_road_scale(&self) -> f64 {
        let open = self
            .edges
            .iter()
            .zip(&self.closed)
            .filter(|(edge, closed)| edge.kind == EdgeKind::Road && !**closed && edge.from != edge.to);
        let scales = open.map(|(edge, _)| {
            let distance = self.position(edge.from).distance(self.position(edge.to));
            (edge.cost.units() - 1) as f64 / distance.max(f64::MIN_POSITIVE)
        });
        // Between two nodes that no road joins, any estimate is admissible; without roads use the ordinary scale.
        let least = scales.fold(f64::INFINITY, f64::min).min(Cost::ONE.units() as f64);
        least * (1.0 - 1e-12)
    }
}

impl Graph for Waypoints {
    fn node_bound(&self) -> usize {
        self.positions.len()
    }

    #[inline]
    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for &id in self.leaving.of(from) {
            let index = id.0 as usize;
            if !self.closed[index] {
                visit(self.edges[index].to, self.edges[index].cost);
            }
        }
    }
}

impl ReverseGraph for Waypoints {
    #[inline]
    fn for_each_edge_into(&self, to: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for &id in self.entering.of(to) {
            let index = id.0 as usize;
            if !self.closed[index] {
                visit(self.edges[index].from, self.edges[index].cost);
            }
        }
    }
}

impl Located for Waypoints {
    fn position(&self, node: NodeId) -> Point {
        self.positions[node.index()]
    }
}
