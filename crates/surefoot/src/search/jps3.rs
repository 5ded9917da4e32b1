//! Jump point search in voxel worlds (Nobes, Harabor, Wybrow, Walsh, *The JPS Pathfinding System in 3D*, 2022; *Voxel
//! Benchmarks for 3D Pathfinding*, 2023), for 26, 18 and 6 moves without corner cutting.
//!
//! A* without pointless steps in which straight lines are crossed at once, 56 cells at a time; see [`JumpVoxels`].

use crate::id::NodeId;
use crate::search::astar;
use crate::search::best_first::{State, trace_jumps};
use crate::search::estimate::{AnchorBuffer, Estimate, Weight, WithEstimate};
use crate::search::estimate_in_space::{VoxelBox, with_voxel_estimate};
use crate::search::heuristic::Heuristic;
use crate::search::kernel::{End, Job};
use crate::search::line_records::LineRecords;
use crate::search::observe::Observer;
use crate::search::open::{Buckets, OpenList};
use crate::search::outcome::Stats;
use crate::search::registry::{Algorithm, promise_of_heuristic};
use crate::search::solver::{Solver, Task, Visit};
use crate::world::view::{View, WorldKind};
use crate::world::voxels::{JumpVoxels, StepCache, VoxelView, cost_along, for_each_cell_of_jump};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    worlds: &[WorldKind::Voxel],
    weighted: false,
    uses_heuristic: true,
    promise: promise_of_heuristic,
    ..Algorithm::plain(
        "jps3",
        "Jump point search in 3D",
        "Jump point search in space: A* that crosses straight lines of a voxel world in jumps",
        |options| Box::new(Jps3::new(options.heuristic.unwrap_or_default())),
    )
};

/// A jump of so many cells still finds its place in the ring of the open list.
const LONG_JUMP: u64 = 16;

/// The search with its memory.
#[derive(Debug)]
struct Jps3 {
    heuristic: Heuristic,
    state: State<LineRecords>,
    open: Box<Buckets>,
    anchors: AnchorBuffer<VoxelBox>,
    steps: StepCache,
}

impl Jps3 {
    fn new(heuristic: Heuristic) -> Jps3 {
        Jps3 {
            heuristic,
            state: State::default(),
            open: Box::default(),
            anchors: AnchorBuffer::default(),
            steps: StepCache::default(),
        }
    }
}

/// A run that lacks nothing but an estimate.
struct Run<'a, 'w> {
    state: &'a mut State<LineRecords>,
    open: &'a mut Buckets,
    view: &'a VoxelView<'a>,
    steps: &'a StepCache,
    task: &'a Task<'a>,
    budget: u64,
    watcher: Option<&'w mut dyn Observer>,
}

impl WithEstimate for Run<'_, '_> {
    type Out = End;

    fn go_on<H: Estimate>(self, estimate: &H) -> End {
        let Run { state, open, view, steps, task, budget, watcher } = self;
        let expander = JumpVoxels::new(*view, steps, task.goals);
        let (strategy, goals) = (astar::STRATEGY, task.goals);
        let job = Job { expander: &expander, estimate, strategy, goals, max_key: u64::MAX };
        state.run_with(open, &job, task.start, budget, watcher)
    }
}

impl Solver for Jps3 {
    fn begin(&mut self, view: &View<'_>, _task: &Task<'_>) {
        let View::Voxels(view) = view else { return };
        self.state.begin_with(|records| records.begin(view.shape().node_bound(), view.offsets()));
        self.open.begin(2 * LONG_JUMP * cost_along(1).units());
        self.steps.begin(view.moves());
    }

    fn run(
        &mut self,
        view: &View<'_>,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        let View::Voxels(view) = view else { return End::Exhausted };
        let (state, open, steps) = (&mut self.state, &mut *self.open, &self.steps);
        let run = Run { state, open, view, steps, task, budget, watcher };
        with_voxel_estimate(self.heuristic, Weight::ONE, view, task.goals, &mut self.anchors, run)
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        let View::Voxels(view) = view else { return };
        trace_jumps(self.state.records(), to, nodes, |before, at, _, nodes| {
            for_each_cell_of_jump(view, at, before, |cell| nodes.push(cell));
        });
    }

    fn closest(&self) -> Option<NodeId> {
        self.state.closest()
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        self.state.visit(node)
    }

    fn stats(&self) -> Stats {
        self.state.stats(self.open.bytes() + self.anchors.bytes() + self.steps.bytes())
    }
}
