//! What a planner reports about itself.

use crate::cost::Cost;
use crate::id::NodeId;

/// The statistics of a replan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Replan {
    /// The number of nodes that the repair expanded.
    pub expanded: u64,
    /// The number of expanded nodes that became more expensive.
    pub raised: u64,
    /// The number of edges visited.
    pub generated: u64,
    /// The number of nodes that were recomputed because the world around them changed.
    pub touched: u64,
    /// The number of nodes forgotten because the root moved.
    pub deleted: u64,
    /// Whether the tree was started over.
    pub restarted: bool,
    /// The number of nodes that a fresh search expanded because the repair took too long; `None` if there was no need.
    pub fresh: Option<u64>,
    /// Whether the repair is still running while the path is already up to date.
    pub behind: bool,
}

/// Whether the costs of a node agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Standing {
    /// Both costs are the same.
    Consistent,
    /// The node has become cheaper: `g` is above `rhs`.
    Over,
    /// The node has become more expensive: `g` is below `rhs`.
    Under,
}

/// The data of a planner about a node. Costs count from the planner's root: the goal for D* Lite, the start for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeState {
    /// The cost of the node when it was last expanded; `None` is infinite.
    pub g: Option<Cost>,
    /// The cost of the node according to its predecessors.
    pub rhs: Option<Cost>,
    /// Its key: the least cost of a path through it, and the least cost of a path to it. All keys rise together when
    /// the target moves.
    pub key: Option<[Cost; 2]>,
    /// Its predecessor, or [`NodeId::NONE`] for a node without one.
    pub parent: NodeId,
    /// Whether it is in the queue.
    pub queued: bool,
}

impl NodeState {
    /// Returns whether the costs of the node agree.
    pub fn standing(&self) -> Standing {
        match (self.g, self.rhs) {
            (g, rhs) if g == rhs => Standing::Consistent,
            (Some(g), Some(rhs)) if g < rhs => Standing::Under,
            (Some(_), None) => Standing::Under,
            _ => Standing::Over,
        }
    }
}
