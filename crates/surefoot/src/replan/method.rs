//! What a search does when something moves.

use crate::core::estimate::Estimate;
use crate::core::method::{Method, RootMoved};
use crate::id::NodeId;
use crate::replan::repair::Repair;
use crate::replan::tree::Tree;

impl Method {
    /// Adjusts to a moved root, and forgets at most `most` nodes in the process; returns `false` if the tree has to start over.
    pub(super) fn move_root(
        self,
        repair: &mut Repair,
        tree: &impl Tree,
        estimate: &impl Estimate,
        root: NodeId,
        most: u64,
    ) -> bool {
        match self.root_moved {
            RootMoved::StartAnew => false,
            RootMoved::Repair => repair.move_root(tree, estimate, root),
            RootMoved::Delete => {
                repair.move_root(tree, estimate, root) && repair.delete_behind(tree, estimate, most)
            }
        }
    }
}
