//! User-defined graphs: implement [`OwnGraph`] for a type to use it with every search that supports it.
//!
//! A graph has to provide at least nodes and edges ([`Graph`]). A heuristic lets A* head toward the goal. Edges that can be
//! traversed backwards ([`ReverseGraph`]) enable bidirectional searches and planners that repair their paths. A list of changes
//! tells planners and subscriptions what to check again.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::graph::Graph;
//!
//! /// A spiral staircase: from each step to the next one up or down, and a slide from the top to the bottom.
//! struct Stairs(u32);
//!
//! impl Graph for Stairs {
//!     fn node_bound(&self) -> usize {
//!         self.0 as usize
//!     }
//!
//!     fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
//!         if from.0 + 1 < self.0 {
//!             visit(NodeId(from.0 + 1), Cost::ONE);
//!         } else {
//!             visit(NodeId(0), Cost::ONE);
//!         }
//!         if from.0 > 0 {
//!             visit(NodeId(from.0 - 1), Cost::ONE);
//!         }
//!     }
//! }
//!
//! impl OwnGraph for Stairs {}
//!
//! let stairs = Stairs(100);
//! let mut finder = Pathfinder::named("astar", &Options::default()).unwrap();
//! let path = finder.find(OwnView::new(&stairs), NodeId(90), NodeId(3)).unwrap();
//! assert_eq!(path.cost(), 9.0 + 1.0 + 3.0);
//! ```

mod erased;
mod space;

use std::fmt;

use crate::cost::Cost;
use crate::graph::{Graph, Located, ReverseGraph};
use crate::id::NodeId;
use crate::space::Point;
use crate::world::journal::Revision;
use crate::world::own::erased::{Edges, EdgesBack};

/// A graph of your own, searched through an [`OwnView`]. Every method has a default: implement those for which you have an answer.
///
/// Edges are ignored if they lead to a node that does not exist or cannot be [stood on](OwnGraph::stands), cost nothing, or cost
/// more than [`Cost::MAX_EDGE`].
pub trait OwnGraph: Graph + Sync {
    /// Returns a lower bound on the cost of a path between two nodes: the heuristic. It must not exceed the cost of any path
    /// (admissible), and an edge must not lower it by more than the cost of the edge (consistent). Paths are then optimal.
    fn estimate(&self, _from: NodeId, _to: NodeId) -> Cost {
        Cost::ZERO
    }

    /// Returns whether an agent can be at a node. If not, no path leads through it, and queries that start or end there are
    /// answered immediately.
    fn stands(&self, _node: NodeId) -> bool {
        true
    }

    /// Returns the position of a node in world coordinates. It is used for drawing and following paths and for their length: a step that has
    /// no finite length counts as 0.
    fn position(&self, _node: NodeId) -> Point {
        Point::default()
    }

    /// Returns the cost of a long edge, which determines how finely open lists sort. Paths do not depend on it, but searches slow
    /// down if most edges cost many times as much.
    fn long_edge(&self) -> Cost {
        Cost::ONE * 2
    }

    /// Returns the current revision of the graph, if it can change. Keep a [`Journal`](crate::world::journal::Journal) of the nodes
    /// whose edges change; it provides the revision. A graph that stays at the first revision never changes: planners and paused
    /// searches identify it by its address and its number of nodes, and mistake another graph at the same address for it.
    fn revision(&self) -> Revision {
        Revision::default()
    }

    /// Collects the nodes whose edges, in or out, or whose heuristic changed since a revision. Returns `false` if that is not known,
    /// in which case planners start over.
    fn changed_since(&self, moment: Revision, _nodes: &mut Vec<NodeId>) -> bool {
        moment == self.revision()
    }
}

/// A graph of your own as seen by searches.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::graph::{Graph, ReverseGraph};
/// # struct Ring(u32);
/// # impl Graph for Ring {
/// #     fn node_bound(&self) -> usize { self.0 as usize }
/// #     fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
/// #         visit(NodeId((from.0 + 1) % self.0), Cost::ONE);
/// #     }
/// # }
/// # impl OwnGraph for Ring {}
/// impl ReverseGraph for Ring {
///     fn for_each_edge_into(&self, to: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
///         visit(NodeId((to.0 + self.0 - 1) % self.0), Cost::ONE);
///     }
/// }
///
/// let ring = Ring(12); // a ring road, one way only
/// let mut finder = Pathfinder::named("bidirectional", &Options::default()).unwrap();
/// assert_eq!(finder.find(OwnView::new(&ring), NodeId(9), NodeId(2)).err(), Some(Why::NotApplicable));
/// assert_eq!(finder.find(OwnView::two_way(&ring), NodeId(9), NodeId(2)).unwrap().steps(), 5);
/// ```
#[derive(Clone, Copy)]
pub struct OwnView<'a> {
    graph: &'a dyn Edges,
    back: Option<&'a dyn EdgesBack>,
    bound: usize,
}

impl<'a> OwnView<'a> {
    /// Creates a view of a graph whose edges can be traversed forwards only.
    pub fn new<G: OwnGraph>(graph: &'a G) -> OwnView<'a> {
        OwnView { graph, back: None, bound: bound_of(graph) }
    }

    /// Creates a view of a graph whose edges can be traversed both ways, for bidirectional searches and for planners.
    pub fn two_way<G: OwnGraph + ReverseGraph>(graph: &'a G) -> OwnView<'a> {
        OwnView { graph, back: Some(graph), bound: bound_of(graph) }
    }
}

/// Returns one more than the largest valid node number: [`NodeId::NONE`] is not a node.
fn bound_of(graph: &impl Graph) -> usize {
    graph.node_bound().min(NodeId::NONE.index())
}

impl fmt::Debug for OwnView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let two_way = self.back.is_some();
        f.debug_struct("OwnView").field("nodes", &self.bound).field("two_way", &two_way).finish()
    }
}

impl Graph for OwnView<'_> {
    fn node_bound(&self) -> usize {
        self.bound
    }

    #[inline]
    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        self.graph.edges(from, self.bound, &mut |edges| edges.iter().for_each(|&(to, cost)| visit(to, cost)));
    }

    fn straight_before(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        self.graph.straight(at, next, self.bound)
    }
}

impl ReverseGraph for OwnView<'_> {
    #[inline]
    fn for_each_edge_into(&self, to: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let Some(back) = self.back else { return };
        back.edges_into(to, self.bound, &mut |edges| {
            for &(from, cost) in edges {
                visit(from, cost);
            }
        });
    }
}

impl Located for OwnView<'_> {
    fn position(&self, node: NodeId) -> Point {
        // Paths that were loaded may have nodes of other graphs.
        if node.index() < self.bound { self.graph.position_of(node) } else { Point::default() }
    }
}
