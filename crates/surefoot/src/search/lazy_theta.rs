//! Lazy Theta* (Nash, Koenig, Tovey, *Lazy Theta\*: Any-Angle Path Planning and Path Length Analysis in 3D*, AAAI 2010), in the
//! variant that puts a node whose key has risen back into the open list.
//!
//! In space it goes in jumps, trusts its estimate a little more than it should, and smooths what it finds: with 26 neighbours a node that
//! is several times faster, and on the maps at hand the paths are no longer.

use crate::id::NodeId;
use crate::search::any_angle::{self, AnyAngle, trace_lines_back};
use crate::search::astar;
use crate::search::best_first::State;
use crate::search::estimate::{AnchorBuffer, Estimate, Weight, WithEstimate};
use crate::search::estimate_in_space::{VoxelBox, with_voxel_estimate};
use crate::search::heuristic::Heuristic;
use crate::search::kernel::{End, Job};
use crate::search::lazy_jumps::LazyJumps;
use crate::search::observe::Observer;
use crate::search::open::{Buckets, OpenList};
use crate::search::outcome::Stats;
use crate::search::registry::{Algorithm, Options, Promise};
use crate::search::solver::{Solver, Task, Visit};
use crate::smooth::straighten;
use crate::world::view::View;
use crate::world::voxels::{StepCache, VoxelView, cost_along};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    promise: |options, view| match view {
        View::Voxels(_) => {
            Promise::Nothing("in space it goes in jumps: close to the shortest path at any angle".to_owned())
        }
        _ => any_angle::promise(options, view),
    },
    ..any_angle::algorithm(
        "lazy_theta",
        "Lazy Theta*",
        "Theta* that looks whether a line is free only when it matters: faster, and paths hardly longer",
        |options| Box::new(LazyTheta::new(options)),
    )
};

/// A jump of so many cells still finds its place in the ring of the open list.
const LONG_JUMP: u64 = 16;

/// The weight of the estimate in space if none is given.
const WEIGHT_IN_SPACE: f64 = 1.1;

/// Which of the three searches answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    OnGrid,
    InSpace,
    /// Jumps have led nowhere, which is not proven to mean that there is no way.
    InSteps,
}

/// The search with its memory: on grids that of Theta*.
struct LazyTheta {
    stage: Stage,
    grid: AnyAngle<true>,
    space: Space,
    steps: Box<dyn Solver>,
}

/// The part for voxel worlds.
#[derive(Debug)]
struct Space {
    heuristic: Heuristic,
    weight: Weight,
    state: State,
    open: Box<Buckets>,
    anchors: AnchorBuffer<VoxelBox>,
    steps: StepCache,
}

impl LazyTheta {
    fn new(options: &Options) -> LazyTheta {
        LazyTheta {
            stage: Stage::OnGrid,
            grid: AnyAngle::new(options),
            space: Space {
                heuristic: options.heuristic.unwrap_or(Heuristic::Euclidean),
                weight: Weight::new(options.weight.unwrap_or(WEIGHT_IN_SPACE)).unwrap_or(Weight::ONE),
                state: State::default(),
                open: Box::default(),
                anchors: AnchorBuffer::default(),
                steps: StepCache::default(),
            },
            steps: astar::solver(&Options::default(), 1.0),
        }
    }
}

/// A run that lacks nothing but an estimate.
struct Run<'a, 'w> {
    state: &'a mut State,
    open: &'a mut Buckets,
    expander: LazyJumps<'a>,
    task: &'a Task<'a>,
    budget: u64,
    watcher: Option<&'w mut dyn Observer>,
}

impl WithEstimate for Run<'_, '_> {
    type Out = End;

    fn go_on<H: Estimate>(self, estimate: &H) -> End {
        let Run { state, open, expander, task, budget, watcher } = self;
        let (strategy, goals) = (astar::STRATEGY, task.goals);
        let job = Job { expander: &expander, estimate, strategy, goals, max_key: u64::MAX };
        state.run_with(open, &job, task.start, budget, watcher)
    }
}

impl Space {
    fn begin(&mut self, view: &VoxelView<'_>) {
        self.state.begin(view.shape().node_bound(), None);
        self.open.begin(2 * LONG_JUMP * cost_along(1).units());
        self.steps.begin(view.moves());
    }

    fn run(
        &mut self,
        view: &VoxelView<'_>,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        let Space { heuristic, weight, ref mut state, ref mut open, ref mut anchors, ref steps } = *self;
        let expander = LazyJumps::new(*view, steps, task.goals);
        let run = Run { state, open, expander, task, budget, watcher };
        with_voxel_estimate(heuristic, weight, view, task.goals, anchors, run)
    }

    fn stats(&self) -> Stats {
        self.state.stats(self.open.bytes() + self.anchors.bytes() + self.steps.bytes())
    }
}

impl Solver for LazyTheta {
    fn begin(&mut self, view: &View<'_>, task: &Task<'_>) {
        if let View::Voxels(view) = view {
            self.stage = Stage::InSpace;
            self.space.begin(view);
        } else {
            self.stage = Stage::OnGrid;
            self.grid.begin(view, task);
        }
    }

    fn run(
        &mut self,
        view: &View<'_>,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        let last = self.stats().expanded.saturating_add(budget);
        let mut watcher = watcher;
        if let (Stage::InSpace, View::Voxels(voxels)) = (self.stage, view) {
            let end = self.space.run(
                voxels,
                task,
                budget,
                watcher.as_deref_mut().map(|watcher| watcher as &mut dyn Observer),
            );
            if end != End::Exhausted {
                return end;
            }
            self.stage = Stage::InSteps;
            self.steps.begin(view, task);
        }
        let left = last - self.stats().expanded;
        match self.stage {
            Stage::InSteps => self.steps.run(view, task, left, watcher),
            _ => self.grid.run(view, task, left, watcher),
        }
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        match (self.stage, view) {
            (Stage::InSpace, View::Voxels(voxels)) => {
                trace_lines_back(self.space.state.records(), to, nodes);
                straighten(voxels, nodes);
            }
            (Stage::InSteps, View::Voxels(voxels)) => {
                self.steps.trace_back(view, to, nodes);
                straighten(voxels, nodes);
            }
            _ => self.grid.trace_back(view, to, nodes),
        }
    }

    fn closest(&self) -> Option<NodeId> {
        match self.stage {
            Stage::OnGrid => self.grid.closest(),
            Stage::InSpace => self.space.state.closest(),
            Stage::InSteps => self.steps.closest(),
        }
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        match self.stage {
            Stage::OnGrid => self.grid.visit(node),
            Stage::InSpace => self.space.state.visit(node),
            Stage::InSteps => self.steps.visit(node),
        }
    }

    fn stats(&self) -> Stats {
        let (grid, space, steps) = (self.grid.stats(), self.space.stats(), self.steps.stats());
        let scratch_bytes = grid.scratch_bytes + space.scratch_bytes + steps.scratch_bytes;
        let sum = Stats {
            expanded: space.expanded + steps.expanded,
            generated: space.generated + steps.generated,
            reopened: space.reopened + steps.reopened,
            peak_open: space.peak_open.max(steps.peak_open),
            scratch_bytes,
        };
        match self.stage {
            Stage::OnGrid => Stats { scratch_bytes, ..grid },
            Stage::InSpace => Stats { scratch_bytes, ..space },
            Stage::InSteps => sum,
        }
    }
}
