//! What a planner tells of itself.

use crate::cost::Cost;
use crate::id::NodeId;

/// What a replan did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Replan {
    /// Nodes that the repair expanded.
    pub expanded: u64,
    /// How many of these became dearer.
    pub raised: u64,
    /// Edges looked at.
    pub generated: u64,
    /// Nodes that were worked out anew because the world around them changed.
    pub touched: u64,
    /// Nodes forgotten because the root moved.
    pub deleted: u64,
    /// Whether the tree was started anew.
    pub restarted: bool,
    /// Nodes that a fresh search expanded because the repair took too long; `None` if there was no need.
    pub fresh: Option<u64>,
    /// Whether the repair is still under way while the path is already right.
    pub behind: bool,
}

/// Whether a node's costs agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Standing {
    /// Both costs are the same.
    Consistent,
    /// The node has become cheaper: `g` is above `rhs`.
    Over,
    /// The node has become dearer: `g` is below `rhs`.
    Under,
}

/// What a planner knows of a node. Costs count from the planner's root: the goal for D* Lite, the start for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeState {
    /// What the node cost when it was last expanded; `None` is infinite.
    pub g: Option<Cost>,
    /// What it costs by the nodes before it.
    pub rhs: Option<Cost>,
    /// Its key: the least that a way through it costs, and that a way to it costs. All keys rise together when the target
    /// moves.
    pub key: Option<[Cost; 2]>,
    /// The node before it, [`NodeId::NONE`] if there is none.
    pub parent: NodeId,
    /// Whether it waits in the queue.
    pub queued: bool,
}

impl NodeState {
    /// Whether the node's costs agree.
    pub fn standing(&self) -> Standing {
        match (self.g, self.rhs) {
            (g, rhs) if g == rhs => Standing::Consistent,
            (Some(g), Some(rhs)) if g < rhs => Standing::Under,
            (Some(_), None) => Standing::Under,
            _ => Standing::Over,
        }
    }
}
