//! How the costs of nodes depend on each other.

use crate::cost::Cost;
use crate::id::NodeId;
use crate::replan::ground::Ground;
use crate::replan::nodes::{INFINITE, Nodes};

/// Says how a node's cost follows from those of others, and whom a node's cost matters to. A repair knows nothing else of
/// the world, so a planner that looks further than along edges is another tree.
pub(super) trait Tree {
    /// What the cheapest way to a node costs by what is known of the nodes before it, and which of these it leads
    /// through; [`INFINITE`] and none if there is no way.
    fn best(&self, nodes: &Nodes, node: NodeId) -> (u64, NodeId);

    /// Calls `visit(child, cost)` for every node that can be reached by way of a node which costs `g`.
    fn for_each_child(&self, node: NodeId, g: u64, visit: impl FnMut(NodeId, u64));

    /// The node before `at` on the same line as `at -> next`, and what the step from there costs.
    fn straight_to(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)>;
}

/// Ways lead along edges.
pub(super) struct Edges<'a, G>(pub &'a G);

impl<G: Ground> Tree for Edges<'_, G> {
    #[inline]
    fn best(&self, nodes: &Nodes, node: NodeId) -> (u64, NodeId) {
        let mut best = (INFINITE, NodeId::NONE);
        if self.0.stands(node) {
            self.0.for_each_edge_into(node, |from, cost| {
                let through = nodes.g(from) + cost.units();
                if through < best.0 {
                    best = (through, from);
                }
            });
        }
        best
    }

    #[inline]
    fn for_each_child(&self, node: NodeId, g: u64, mut visit: impl FnMut(NodeId, u64)) {
        if self.0.stands(node) {
            self.0.for_each_edge(node, |to, cost| visit(to, g + cost.units()));
        }
    }

    fn straight_to(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        self.0.straight_to(at, next)
    }
}
