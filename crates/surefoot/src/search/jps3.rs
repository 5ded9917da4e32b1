//! Jump point search in voxel worlds (Nobes, Harabor, Wybrow, Walsh, *The JPS Pathfinding System in 3D*, 2022; *Voxel
//! Benchmarks for 3D Pathfinding*, 2023), for 26, 18 and 6 moves without corner cutting.
//!
//! A* without redundant steps, in which straight lines are crossed 56 cells at a time. See [`JumpVoxels`].

use crate::core::estimate::Weight;
use crate::core::kernel::End;
use crate::core::line_records::LineRecords;
use crate::core::state::trace_jumps;
use crate::id::NodeId;
use crate::search::algorithm::{Algorithm, promise_of_heuristic};
use crate::search::shell::{Shell, Traversal, Walk};
use crate::search::solver::Task;
use crate::world::any::{View, WorldKind};
use crate::world::voxels::{JumpVoxels, StepCache, VoxelView, cost_along, for_each_cell_of_jump};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    worlds: &[WorldKind::Voxel],
    weighted: false,
    uses_heuristic: true,
    promise: promise_of_heuristic,
    ..Algorithm::plain(
        "jps3",
        "Jump point search in 3D",
        "Jump point search in 3D: A* that jumps along the straight lines of a voxel world",
        |options| {
            let heuristic = options.heuristic.unwrap_or_default();
            Box::new(Shell::new(Lines::default(), heuristic, Weight::ONE))
        },
    )
};

/// A jump of this many cells still fits the ring of the open list.
const LONG_JUMP: u64 = 16;

/// Prepares the steps of a search that jumps; returns the maximum amount by which a jump raises keys.
pub(super) fn begin_jumps(view: &VoxelView<'_>, steps: &mut StepCache) -> u64 {
    steps.begin(view.moves());
    2 * LONG_JUMP * cost_along(1).units()
}

/// Along straight lines from stop to stop.
#[derive(Debug, Default)]
struct Lines {
    steps: StepCache,
}

impl Walk for Lines {
    type Memory = LineRecords;

    fn begin(&mut self, view: &View<'_>, _task: &Task<'_>, memory: &mut LineRecords) -> u64 {
        let Some(view) = view.as_voxels() else { return 0 };
        memory.begin(view.shape().node_bound(), view.offsets());
        begin_jumps(view, &mut self.steps)
    }

    fn go_on(&mut self, view: &View<'_>, traversal: Traversal<'_, '_, LineRecords>) -> End {
        let Some(view) = view.as_voxels() else { return End::Exhausted };
        let goals = traversal.goals();
        traversal.run_jumps(view, &JumpVoxels::new(*view, &self.steps, goals))
    }

    fn trace_back(&self, view: &View<'_>, memory: &LineRecords, to: NodeId, nodes: &mut Vec<NodeId>) {
        let Some(view) = view.as_voxels() else { return };
        trace_jumps(memory, to, nodes, |before, at, _, nodes| {
            for_each_cell_of_jump(view, at, before, |cell| nodes.push(cell));
        });
    }

    fn bytes(&self) -> usize {
        self.steps.bytes()
    }
}
