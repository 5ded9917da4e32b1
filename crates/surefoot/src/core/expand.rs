//! How a search finds the successors of a node.

use crate::core::record::{Memory, Record};
use crate::cost::Cost;
use crate::graph::Graph;
use crate::id::NodeId;

/// How many arrivals there can be.
pub(crate) const ARRIVALS: usize = 64;

/// The arrival of a start.
pub(crate) const START: Arrival = Arrival(63);

/// By arrival: the number of a node less that of its parent.
pub(crate) type ArrivalSteps = [i32; STEP_ARRIVALS];

/// Arrivals below this number can be the number of a step.
pub(crate) const STEP_ARRIVALS: usize = 32;

/// How a node was reached, in the expander's own options: a number that the search keeps for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Arrival(pub u8);

/// A path to a node: what it costs, from where it comes, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub g: u64,
    pub parent: NodeId,
    pub arrival: Arrival,
}

/// A rule that gives the successors of a node, depending on how the node was reached.
///
/// Every [`Graph`] is such a rule and ignores how. Other rules prune by the direction of arrival, or look past the node before;
/// all share the kernel.
pub(crate) trait Expander {
    /// Whether paths may skip the node that is expanded. Only then [`shorten`](Expander::shorten) and
    /// [`settle`](Expander::settle) are called; keys have to count costs.
    const LOOKS_BACK: bool = false;

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

    /// The only successor of a node reached in a certain way, if it has one and it can be determined cheaply.
    #[inline]
    fn only_way(&self, _node: NodeId, _arrival: Arrival) -> Option<(NodeId, Cost, Arrival)> {
        None
    }

    /// Whether a node has just one way in and one way out, so that a search may as well walk on. Only a hint.
    #[inline]
    fn is_corridor(&self, _node: NodeId) -> bool {
        false
    }

    /// A path to `next` that costs no more than `step`, the path over the node that is expanded. `behind` is the parent of that
    /// node and the cost of getting there; `known` is the path to `next` known so far, and its parent: a path that is not cheaper
    /// will not be taken.
    #[inline]
    fn shorten(
        &self,
        _next: NodeId,
        step: Way,
        _behind: Option<(NodeId, u64)>,
        _known: Option<(Record, NodeId)>,
    ) -> Way {
        step
    }

    /// The path to a node that is about to be expanded, if it has to be another than `way`.
    #[inline]
    fn settle(&self, _node: NodeId, _way: Way, _records: &impl Memory) -> Option<Way> {
        None
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
