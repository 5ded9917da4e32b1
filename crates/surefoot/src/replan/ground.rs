//! Graphs as a repair traverses them: along edges, or against them.

use crate::cost::Cost;
use crate::graph::{ReverseGraph, Reversed};
use crate::id::NodeId;
use crate::world::space::SearchSpace;

/// A graph that a repair can traverse.
pub(super) trait Ground: ReverseGraph {
    /// Returns whether the agent can be at a node. Edges are requested only where it can.
    fn stands(&self, node: NodeId) -> bool;

    /// Returns the cost of the cheapest edge between two nodes, or `None` if they are not adjacent.
    fn step(&self, from: NodeId, to: NodeId) -> Option<Cost>;

    /// Returns the node before `at` on the same line as `at -> next`, and the cost of the step from there.
    fn straight_to(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)>;
}

impl<S: SearchSpace> Ground for S {
    #[inline]
    fn stands(&self, node: NodeId) -> bool {
        SearchSpace::stands(self, node)
    }

    #[inline]
    fn step(&self, from: NodeId, to: NodeId) -> Option<Cost> {
        self.edge_between(from, to)
    }

    fn straight_to(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        self.straight_before(at, next)
    }
}

impl<G: Ground> Ground for Reversed<'_, G> {
    #[inline]
    fn stands(&self, node: NodeId) -> bool {
        self.0.stands(node)
    }

    #[inline]
    fn step(&self, from: NodeId, to: NodeId) -> Option<Cost> {
        self.0.step(to, from)
    }

    fn straight_to(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        let (before, _) = self.0.straight_to(at, next)?;
        let mut cheapest = None;
        self.0.for_each_edge(at, |to, cost| {
            if to == before && cheapest.is_none_or(|known| cost < known) {
                cheapest = Some(cost);
            }
        });
        Some((before, cheapest?))
    }
}
