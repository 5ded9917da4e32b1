//! Graphs of your own: implement [`OwnGraph`] for a type, and every search that can serve it will.
//!
//! Nodes and edges are the least that a graph has to say ([`Graph`]). An estimate makes A* look toward the goal. Edges that can be walked
//! backwards ([`ReverseGraph`]) admit searches from both ends and planners that repair their paths. A
//! list of changes tells planners and subscriptions what to look at again.
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

/// A graph of your own, to be searched by way of an [`OwnView`]. Everything has a default: say what you know.
///
/// Edges that lead to no node or to one where one cannot [be](OwnGraph::stands), cost nothing or cost more than
/// [`Cost::MAX_EDGE`] are left out.
pub trait OwnGraph: Graph + Sync {
    /// Returns the least that a way between two nodes can cost. It must not exceed what any way costs, and an edge must not make it fall
    /// by more than the edge costs; then paths are optimal.
    fn estimate(&self, _from: NodeId, _to: NodeId) -> Cost {
        Cost::ZERO
    }

    /// Whether one can be at a node. No path leads through others, and questions that begin or end there are answered at once.
    fn stands(&self, _node: NodeId) -> bool {
        true
    }

    /// Returns the position of a node in world coordinates: for drawing and following paths, and for their length.
    fn position(&self, _node: NodeId) -> Point {
        Point::default()
    }

    /// Returns the cost of a long edge, which sets how finely open lists sort. Paths do not depend on it; searches slow down if most
    /// edges cost many times as much.
    fn long_edge(&self) -> Cost {
        Cost::ONE * 2
    }

    /// Returns the present moment of the graph's history, if it can change. Keep a [`Journal`](crate::world::journal::Journal) of
    /// the nodes whose edges change; it knows the moment. A graph that stays at the first moment never changes: planners and paused
    /// searches know it by its address and its number of nodes, and take another one in the same place for the same.
    fn revision(&self) -> Revision {
        Revision::default()
    }

    /// Collects the nodes of which an edge, in or out, or the estimate has changed since a moment. Returns `false` if that is
    /// not known: then planners start anew.
    fn changed_since(&self, moment: Revision, _nodes: &mut Vec<NodeId>) -> bool {
        moment == self.revision()
    }
}

/// A graph of your own as searches see it.
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
    /// A graph whose edges can be walked forward.
    pub fn new<G: OwnGraph>(graph: &'a G) -> OwnView<'a> {
        OwnView { graph, back: None, bound: bound_of(graph) }
    }

    /// A graph whose edges can be walked both ways: for searches from both ends, and for planners.
    pub fn two_way<G: OwnGraph + ReverseGraph>(graph: &'a G) -> OwnView<'a> {
        OwnView { graph, back: Some(graph), bound: bound_of(graph) }
    }
}

/// One more than the largest number that a node can have: [`NodeId::NONE`] is none.
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
            edges.iter().for_each(|&(from, cost)| visit(from, cost))
        });
    }
}

impl Located for OwnView<'_> {
    fn position(&self, node: NodeId) -> Point {
        self.graph.position_of(node)
    }
}
