//! A repair on any world, with the matching heuristic.

use crate::core::estimate::{Estimate, WithSearch};
use crate::core::expand::Expander;
use crate::core::observe::Side;
use crate::graph::Reversed;
use crate::id::NodeId;
use crate::replan::current_path::CurrentPath;
use crate::replan::nodes::Node;
use crate::replan::repair::Repair;
use crate::replan::tree::{Edges, Tree};
use crate::world::any::{Scratch, View, on_world};
use crate::world::space::{EstimateSpec, SearchSpace};

/// An operation on a repair, for any kind of world.
pub(super) trait Operation {
    /// The result.
    type Out;

    /// Runs the operation.
    fn run<T: Tree, H: Estimate>(self, tree: &T, estimate: &H) -> Self::Out;
}

/// Memory for heuristics.
#[derive(Debug, Default)]
pub(super) struct Guide {
    scratch: Scratch,
}

/// An operation, together with what is needed to build its heuristic.
struct Carrier<'a, T, E> {
    tree: &'a T,
    operation: E,
}

impl<T: Tree, R: Operation> WithSearch for Carrier<'_, T, R> {
    type Out = R::Out;

    fn go_on<E: Expander, H: Estimate>(self, _graph: &E, estimate: &H) -> R::Out {
        self.operation.run(self.tree, estimate)
    }
}

impl Guide {
    /// Runs an operation in a world where paths lead from a side towards some targets.
    pub fn run<E: Operation>(
        &mut self,
        view: &View<'_>,
        side: Side,
        targets: &[NodeId],
        operation: E,
    ) -> E::Out {
        let spec = EstimateSpec::best(side, targets);
        on_world!(view, space => match side {
            Side::Forward => {
                let tree = &Edges(space);
                space.with_search(space, &spec, &mut self.scratch, Carrier { tree, operation })
            }
            Side::Backward => {
                let tree = &Edges(&Reversed(space));
                space.with_search(space, &spec, &mut self.scratch, Carrier { tree, operation })
            }
        })
    }

    pub fn bytes(&self) -> usize {
        self.scratch.bytes()
    }
}

/// Writes the path that a repair has found, from the start to the goal. `from` is its far end, seen from the root.
pub(super) fn trace(view: &View<'_>, side: Side, repair: &Repair, from: NodeId, nodes: &mut Vec<NodeId>) {
    let first = nodes.len();
    let to_the_end = |_: NodeId, _: &Node| false;
    on_world!(view, space => match side {
        Side::Forward => repair.trace(&Edges(space), from, nodes, to_the_end),
        Side::Backward => repair.trace(&Edges(&Reversed(space)), from, nodes, to_the_end),
    });
    if side == Side::Forward {
        nodes[first..].reverse();
    }
}

/// Updates a path to match a repair.
pub(super) fn retrace(
    view: &View<'_>,
    side: Side,
    repair: &mut Repair,
    target: NodeId,
    path: &mut CurrentPath,
) {
    on_world!(view, space => match side {
        Side::Forward => repair.retrace(&Edges(space), target, path),
        Side::Backward => repair.retrace(&Edges(&Reversed(space)), target, path),
    });
}
