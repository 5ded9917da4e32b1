//! What makes one incremental search different from another.

use crate::core::observe::Side;

/// What makes one incremental search different from another. All repair changes of the world in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Method {
    /// Where paths lead from: the start ([`Side::Forward`]) or the goal. The other end is the target.
    pub side: Side,
    /// When the root moves.
    pub root_moved: RootMoved,
    /// When the target moves.
    pub target_moved: TargetMoved,
}

/// What to do when the root moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RootMoved {
    /// Start over.
    StartAnew,
    /// Raise the cost of the node that is no longer the root, and repair.
    Repair,
    /// Forget what does not lead through the new root.
    Delete,
}

/// What to do when the target moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetMoved {
    /// Start over.
    StartAnew,
    /// Raise the keys to come by what estimates may have fallen.
    RaiseKeys,
}
