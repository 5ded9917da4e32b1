//! The search on grids and in voxel worlds, where it jumps.

use crate::core::estimate::Weight;
use crate::core::heuristic::Heuristic;
use crate::core::kernel::End;
use crate::core::observe::Observer;
use crate::core::outcome::{Stats, Visit};
use crate::core::record::Records;
use crate::id::NodeId;
use crate::search::algorithm::Options;
use crate::search::any_angle::{AnyAngle, trace_lines_back};
use crate::search::astar;
use crate::search::jps3::begin_jumps;
use crate::search::lazy_jumps::LazyJumps;
use crate::search::shell::{Shell, Traversal, Walk};
use crate::search::solver::{Slice, Solver, Task};
use crate::smooth::straighten;
use crate::world::any::View;
use crate::world::voxels::StepCache;

/// The weight of the estimate in space if none is given.
const WEIGHT_IN_SPACE: f64 = 1.1;

/// Which of the three searches answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    OnGrid,
    InSpace,
    /// Jumps have not found a path, which does not prove that there is none.
    InSteps,
}

/// The search with its memory: on grids that of Theta*.
pub(super) struct LazyTheta {
    stage: Stage,
    grid: AnyAngle<true>,
    space: Shell<JumpsInSight>,
    steps: Box<dyn Solver>,
}

/// A traversal in jumps, and in straight lines to nodes in sight.
#[derive(Debug, Default)]
struct JumpsInSight {
    steps: StepCache,
}

impl Walk for JumpsInSight {
    type Memory = Records;

    fn begin(&mut self, view: &View<'_>, _task: &Task<'_>, memory: &mut Records) -> u64 {
        let Some(view) = view.as_voxels() else { return 0 };
        memory.begin(view.shape().node_bound(), None);
        begin_jumps(view, &mut self.steps)
    }

    fn go_on(&mut self, view: &View<'_>, traversal: Traversal<'_, '_, Records>) -> End {
        let Some(view) = view.as_voxels() else { return End::Exhausted };
        let goals = traversal.goals();
        traversal.run(view, &LazyJumps::new(*view, &self.steps, goals))
    }

    fn trace_back(&self, _view: &View<'_>, memory: &Records, to: NodeId, nodes: &mut Vec<NodeId>) {
        trace_lines_back(memory, to, nodes);
    }

    fn bytes(&self) -> usize {
        self.steps.bytes()
    }
}

impl LazyTheta {
    pub fn new(options: &Options) -> LazyTheta {
        let heuristic = options.heuristic.unwrap_or(Heuristic::Euclidean);
        let weight = Weight::new(options.weight.unwrap_or(WEIGHT_IN_SPACE)).unwrap_or(Weight::ONE);
        LazyTheta {
            stage: Stage::OnGrid,
            grid: AnyAngle::with_options(options),
            space: Shell::new(JumpsInSight::default(), heuristic, weight),
            steps: astar::solver(&Options::default(), 1.0),
        }
    }

    /// The search that answers.
    fn active(&self) -> &dyn Solver {
        match self.stage {
            Stage::OnGrid => &self.grid,
            Stage::InSpace => &self.space,
            Stage::InSteps => &*self.steps,
        }
    }
}

impl Solver for LazyTheta {
    fn begin(&mut self, view: &View<'_>, task: &Task<'_>) {
        if view.as_voxels().is_some() {
            self.stage = Stage::InSpace;
            self.space.begin(view, task);
        } else {
            self.stage = Stage::OnGrid;
            self.grid.begin(view, task);
        }
    }

    fn run(&mut self, view: &View<'_>, task: &Task<'_>, slice: Slice<'_>) -> End {
        let Slice { budget, mut watcher } = slice;
        let last = self.stats().expanded.saturating_add(budget);
        if self.stage == Stage::InSpace {
            let watching = watcher.as_deref_mut().map(|watcher| watcher as &mut dyn Observer);
            let end = self.space.run(view, task, Slice { budget, watcher: watching });
            if end != End::Exhausted {
                return end;
            }
            self.stage = Stage::InSteps;
            self.steps.begin(view, task);
        }
        let slice = Slice { budget: last - self.stats().expanded, watcher };
        match self.stage {
            Stage::InSteps => self.steps.run(view, task, slice),
            _ => self.grid.run(view, task, slice),
        }
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        self.active().trace_back(view, to, nodes);
        if let Some(voxels) = view.as_voxels() {
            straighten(voxels, nodes);
        }
    }

    fn closest(&self) -> Option<NodeId> {
        self.active().closest()
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        self.active().visit(node)
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
