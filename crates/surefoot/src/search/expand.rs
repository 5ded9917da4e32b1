//! How a search looks around.

use crate::cost::Cost;
use crate::graph::Graph;
use crate::id::NodeId;

/// A rule that says where one can go from a node, knowing how the node was reached.
///
/// Every [`Graph`] is one and ignores the parent. Rules that prune by the direction of arrival, or that look past the
/// parent, are others; all share the kernel.
pub(crate) trait Expander {
    /// One more than the largest node number.
    fn node_bound(&self) -> usize;

    /// Calls `emit(to, cost)` for every successor of `node`, which was reached from `parent` ([`NodeId::NONE`] at a
    /// start), always in the same order.
    fn expand(&self, node: NodeId, parent: NodeId, emit: impl FnMut(NodeId, Cost));

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
    fn expand(&self, node: NodeId, _parent: NodeId, emit: impl FnMut(NodeId, Cost)) {
        self.for_each_edge(node, emit);
    }

    fn straight_before(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        Graph::straight_before(self, at, next)
    }
}
