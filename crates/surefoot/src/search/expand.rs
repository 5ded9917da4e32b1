//! How a search looks around.

use crate::cost::Cost;
use crate::graph::Graph;
use crate::id::NodeId;

/// How many arrivals there can be.
pub(crate) const ARRIVALS: usize = 32;

/// The arrival of a start.
pub(crate) const START: Arrival = Arrival(31);

/// By arrival: the number of a node less that of its parent.
pub(crate) type ArrivalSteps = [i32; ARRIVALS];

/// How a node was reached, in the expander's own terms: a number that the search keeps for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Arrival(pub u8);

/// A rule that says where one can go from a node, knowing how the node was reached.
///
/// Every [`Graph`] is one and does not care how. Rules that prune by the direction of arrival are others; all share the
/// kernel.
pub(crate) trait Expander {
    /// One more than the largest node number.
    fn node_bound(&self) -> usize;

    /// By arrival, the number of a node less that of its parent, if arrivals tell the parent.
    #[inline]
    fn arrival_steps(&self) -> Option<ArrivalSteps> {
        None
    }

    /// Calls `emit(to, cost, arrival)` for every successor of `node`, always in the same order. `arrival` is what was
    /// emitted when the node was reached.
    fn expand(&self, node: NodeId, arrival: Arrival, emit: impl FnMut(NodeId, Cost, Arrival));

    /// Whether a node has just one way in and one way out, so that a search may as well walk on. Only a hint.
    #[inline]
    fn is_corridor(&self, _node: NodeId) -> bool {
        false
    }

    /// See [`Graph::straight_before`].
    fn straight_before(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)>;
}

impl<G: Graph> Expander for G {
    fn node_bound(&self) -> usize {
        Graph::node_bound(self)
    }

    #[inline]
    fn expand(&self, node: NodeId, _arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        self.for_each_edge(node, |to, cost| emit(to, cost, Arrival(0)));
    }

    fn straight_before(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        Graph::straight_before(self, at, next)
    }
}
