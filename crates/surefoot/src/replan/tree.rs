//! How the costs of nodes depend on each other.

use crate::cost::Cost;
use crate::id::NodeId;
use crate::replan::ground::Ground;
use crate::replan::nodes::{INFINITE, Nodes};

/// Defines how a node's cost follows from those of others, and which nodes depend on a node's cost. A repair uses
/// nothing else of the world, so a planner that looks further than along edges is another tree.
pub(super) trait Tree {
    /// Returns the cost of the cheapest path to a node according to its predecessors, and the predecessor that it leads
    /// through; [`INFINITE`] and none if there is no path.
    fn best(&self, nodes: &Nodes, node: NodeId) -> (u64, NodeId);

    /// Returns the cost of the cheapest step between two nodes, or `None` if they are not adjacent.
    fn step(&self, from: NodeId, to: NodeId) -> Option<u64>;

    /// Calls `visit(child, cost)` for every node that can be reached through a node with cost `g`.
    fn for_each_child(&self, node: NodeId, g: u64, visit: impl FnMut(NodeId, u64));

    /// Returns the node before `at` on the same line as `at -> next`, and the cost of the step from there.
    fn straight_to(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)>;
}

/// Paths lead along edges.
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
    fn step(&self, from: NodeId, to: NodeId) -> Option<u64> {
        self.0.step(from, to).map(Cost::units)
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
