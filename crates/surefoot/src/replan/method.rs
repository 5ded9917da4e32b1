//! What a search does when something moves.

use crate::core::estimate::Estimate;
use crate::core::method::{Method, RootMoved};
use crate::id::NodeId;
use crate::replan::repair::Repair;
use crate::replan::tree::Tree;

impl Method {
    /// Takes in that the root moved, at the price of forgetting `most` nodes at most; `false` if there is nothing for it but to
    /// start anew.
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
