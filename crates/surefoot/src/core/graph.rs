//! The interface between searches and worlds.
//!
//! It consists of four small traits; nothing else in the library is generic over worlds.
//!
//! ```
//! use surefoot::graph::Graph;
//! use surefoot::prelude::*;
//! let grid: Grid = "..\n.#".parse().unwrap();
//! let view = grid.view(&Agent::default());
//! let mut neighbours = Vec::new();
//! view.for_each_edge(grid.node(Cell::new(0, 0)).unwrap(), |to, _| neighbours.push(grid.cell(to)));
//! assert_eq!(neighbours, [Cell::new(1, 0), Cell::new(0, 1)]);
//! ```

use crate::cost::Cost;
use crate::id::NodeId;
use crate::space::Point;

/// A directed graph with costs per edge.
///
/// ```
/// use surefoot::{cost::Cost, graph::Graph, id::NodeId};
/// /// A ring road of `self.0` nodes, one way only.
/// struct Ring(u32);
/// impl Graph for Ring {
///     fn node_bound(&self) -> usize { self.0 as usize }
///     fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
///         visit(NodeId((from.0 + 1) % self.0), Cost::ONE);
///     }
/// }
/// let mut next = None;
/// Ring(5).for_each_edge(NodeId(4), |node, _| next = Some(node));
/// assert_eq!(next, Some(NodeId(0)));
/// ```
pub trait Graph {
    /// Returns one more than the largest node number.
    fn node_bound(&self) -> usize;

    /// Calls `visit(to, cost)` for every edge that leaves `from`, always in the same order. No cost is above [`Cost::MAX_EDGE`]
    /// and none is zero.
    fn for_each_edge(&self, from: NodeId, visit: impl FnMut(NodeId, Cost));

    /// Returns the node before `at` on a straight line, with the cost of the step from it to `at`: that step goes in the same
    /// direction as `at -> next`. Worlds with a sense of direction implement this so that paths turn as rarely as their cost
    /// allows.
    fn straight_before(&self, _at: NodeId, _next: NodeId) -> Option<(NodeId, Cost)> {
        None
    }
}

/// A graph whose edges can be traversed backwards.
pub trait ReverseGraph: Graph {
    /// Calls `visit(from, cost)` for every edge that ends in `to`, always in the same order.
    fn for_each_edge_into(&self, to: NodeId, visit: impl FnMut(NodeId, Cost));
}

/// A graph with its edges turned around.
pub(crate) struct Reversed<'a, G>(pub &'a G);

impl<G: ReverseGraph> Graph for Reversed<'_, G> {
    fn node_bound(&self) -> usize {
        self.0.node_bound()
    }

    #[inline]
    fn for_each_edge(&self, from: NodeId, visit: impl FnMut(NodeId, Cost)) {
        self.0.for_each_edge_into(from, visit);
    }
}

impl<G: ReverseGraph> ReverseGraph for Reversed<'_, G> {
    #[inline]
    fn for_each_edge_into(&self, to: NodeId, visit: impl FnMut(NodeId, Cost)) {
        self.0.for_each_edge(to, visit);
    }
}

/// A one-way passage between two nodes that need not be neighbours. A two-way tunnel is two links.
///
/// ```
/// use surefoot::{cost::Cost, id::NodeId, world::links::Link};
/// let tunnel = Link { from: NodeId(3), to: NodeId(90), cost: Cost::ONE };
/// assert_eq!(tunnel.reversed().to, NodeId(3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(deny_unknown_fields))]
pub struct Link {
    /// The node where the link starts.
    pub from: NodeId,
    /// The node where the link ends.
    pub to: NodeId,
    /// The cost of going through: at least one unit, at most [`Cost::MAX_EDGE`].
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::core::cost::edge_cost"))]
    pub cost: Cost,
}

impl Link {
    /// Returns the same passage in the opposite direction.
    #[must_use]
    pub const fn reversed(self) -> Link {
        Link { from: self.to, to: self.from, cost: self.cost }
    }
}

/// A graph whose nodes have a position in the world.
pub trait Located {
    /// Returns the position of a node, in world coordinates.
    fn position(&self, node: NodeId) -> Point;
}

/// A graph whose world allows straight lines from node to node. Any-angle searches and [`smooth`](crate::smooth::smooth) need
/// this.
///
/// Every edge runs along a free line. Lines are the same in both directions.
///
/// ```
/// use surefoot::graph::Sight;
/// use surefoot::prelude::*;
/// let grid: Grid = "
///     ....
///     ..#.".parse().unwrap();
/// let view = grid.view(&Agent::default());
/// let [a, b, c] = [(0, 0), (3, 0), (3, 1)].map(|(x, y)| grid.node(Cell::new(x, y)).unwrap());
/// assert!(view.sees(a, b) && !view.sees(a, c));
/// assert_eq!(view.line(a, b), Cost::ONE * 3);
/// ```
pub trait Sight: Graph {
    /// Returns whether the straight line between two nodes is free. The agent must be able to stand on both nodes.
    fn sees(&self, a: NodeId, b: NodeId) -> bool;

    /// Calls `visit` for nearby nodes in line of sight of `from` that steps reach only by a detour. Any-angle searches treat them
    /// as if there were an edge. The order is always the same.
    fn for_each_leap(&self, _from: NodeId, _visit: impl FnMut(NodeId)) {}

    /// Returns the cost of the straight line between two nodes, free or not: its length times the cost of a straight step,
    /// rounded up to whole units. Because it is rounded up, no line costs more than a detour.
    fn line(&self, a: NodeId, b: NodeId) -> Cost;

    /// Returns the cost of a straight line of one cell.
    fn straight_step(&self) -> Cost;
}
