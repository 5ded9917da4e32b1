//! The operations that a planner has its repair perform, for any kind of world.

use crate::core::estimate::Estimate;
use crate::core::kernel::End;
use crate::core::method::Method;
use crate::id::NodeId;
use crate::replan::guide::Operation;
use crate::replan::repair::Repair;
use crate::replan::tree::Tree;
use crate::world::changes::Touched;

/// Queries the heuristic of a node.
pub(super) struct EstimateOf(pub NodeId);

impl Operation for EstimateOf {
    type Out = u64;

    fn run<T: Tree, H: Estimate>(self, _tree: &T, estimate: &H) -> u64 {
        estimate.of(self.0)
    }
}

/// Starts a tree from scratch.
pub(super) struct StartTree<'a> {
    pub repair: &'a mut Repair,
    pub bound: usize,
    pub roots: &'a [NodeId],
    pub targets: &'a [NodeId],
}

impl Operation for StartTree<'_> {
    type Out = ();

    fn run<T: Tree, H: Estimate>(self, _tree: &T, estimate: &H) {
        self.repair.begin(self.bound, self.roots, self.targets, estimate, &mut ());
    }
}

/// Applies what has happened; `false` if the tree is useless now.
pub(super) struct ApplyChanges<'a> {
    pub method: Method,
    pub repair: &'a mut Repair,
    pub touched: &'a Touched,
    /// The number of nodes that had to be recomputed.
    pub recomputed: &'a mut u64,
    pub root: NodeId,
    /// The maximum number of nodes to forget.
    pub most: u64,
    pub rekey: bool,
}

impl Operation for ApplyChanges<'_> {
    type Out = bool;

    fn run<T: Tree, H: Estimate>(self, tree: &T, estimate: &H) -> bool {
        if self.rekey {
            self.repair.rekey(estimate);
        }
        let moved = *self.repair.roots() != [self.root];
        if moved && !self.method.move_root(self.repair, tree, estimate, self.root, self.most) {
            return false;
        }
        *self.recomputed = self.repair.update(tree, estimate, self.touched);
        true
    }
}

/// Makes another node the root; `false` if the tree is useless then.
pub(super) struct MoveRoot<'a> {
    pub method: Method,
    pub repair: &'a mut Repair,
    pub root: NodeId,
    /// The maximum number of nodes to forget.
    pub most: u64,
}

impl Operation for MoveRoot<'_> {
    type Out = bool;

    fn run<T: Tree, H: Estimate>(self, tree: &T, estimate: &H) -> bool {
        self.method.move_root(self.repair, tree, estimate, self.root, self.most)
    }
}

/// Continues the repair.
pub(super) struct ContinueRepair<'a> {
    pub repair: &'a mut Repair,
    pub budget: u64,
}

impl Operation for ContinueRepair<'_> {
    type Out = End;

    fn run<T: Tree, H: Estimate>(self, tree: &T, estimate: &H) -> End {
        self.repair.run(tree, estimate, self.budget, &mut ())
    }
}

/// Checks everything.
pub(super) struct VerifyRepair<'a>(pub &'a Repair);

impl Operation for VerifyRepair<'_> {
    type Out = Result<(), String>;

    fn run<T: Tree, H: Estimate>(self, tree: &T, estimate: &H) -> Self::Out {
        self.0.verify(tree, estimate)
    }
}
