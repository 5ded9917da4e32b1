//! Jump point search (Harabor and Grastien, *Online Graph Pruning for Pathfinding on Grid Maps*, AAAI 2011; *Improving Jump
//! Point Search*, ICAPS 2014).
//!
//! A* over the jump points of a uniform grid: cells where a wall forces a turn. The cells between two jump points
//! are crossed a word of 64 cells at a time, and no cell of a diagonal is ever queued unless a wall forces it. The turn of a
//! corridor is not queued either: a jump continues to where there is a choice.

use crate::core::estimate::Weight;
use crate::core::kernel::End;
use crate::core::sparse::SparseRecords;
use crate::core::state::trace_jumps;
use crate::id::NodeId;
use crate::search::algorithm::{Algorithm, promise_of_heuristic};
use crate::search::shell::{Shell, Traversal, Walk};
use crate::search::solver::Task;
use crate::world::any::{View, WorldKind};
use crate::world::grid::{GoalLines, JumpGrid};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    worlds: &[WorldKind::Grid],
    weighted: false,
    uses_heuristic: true,
    refusal: |view| view.as_grid().and_then(JumpGrid::fault),
    promise: promise_of_heuristic,
    ..Algorithm::plain(
        "jps",
        "Jump point search",
        "Jump point search: A* that jumps across open ground; for grids where all cells cost the same",
        |options| {
            let heuristic = options.heuristic.unwrap_or_default();
            Box::new(Shell::new(Jumps::default(), heuristic, Weight::ONE))
        },
    )
};

/// A jump of this many cells still fits the ring of the open list.
const LONG_JUMP: u64 = 64;

/// From stop to stop.
#[derive(Debug, Default)]
struct Jumps {
    goals: Vec<GoalLines>,
}

impl Walk for Jumps {
    type Memory = SparseRecords;

    fn begin(&mut self, view: &View<'_>, task: &Task<'_>, memory: &mut SparseRecords) -> u64 {
        let Some(view) = view.as_grid() else { return 0 };
        memory.begin();
        JumpGrid::goal_lines(view, task.goals, &mut self.goals);
        2 * LONG_JUMP * view.max_step_cost().units()
    }

    fn go_on(&mut self, view: &View<'_>, traversal: Traversal<'_, '_, SparseRecords>) -> End {
        let Some(view) = view.as_grid() else { return End::Exhausted };
        let Some(expander) = JumpGrid::of(*view, &self.goals) else { return End::Exhausted };
        traversal.run_jumps(view, &expander)
    }

    fn trace_back(&self, view: &View<'_>, memory: &SparseRecords, to: NodeId, nodes: &mut Vec<NodeId>) {
        let Some(view) = view.as_grid() else { return };
        trace_jumps(memory, to, nodes, |before, at, arrival, nodes| {
            if JumpGrid::for_each_cell_back(view, before, at, arrival, |cell| nodes.push(cell)) {
                return;
            }
            nodes.pop();
            let from = nodes.len();
            JumpGrid::for_each_cell(view, before, at, |cell| nodes.push(cell));
            nodes[from..].reverse();
            nodes.push(before);
        });
    }

    fn bytes(&self) -> usize {
        self.goals.capacity() * size_of::<GoalLines>()
    }
}
