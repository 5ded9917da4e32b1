//! Jump point search (Harabor and Grastien, *Online Graph Pruning for Pathfinding on Grid Maps*, AAAI 2011; *Improving Jump
//! Point Search*, ICAPS 2014).
//!
//! A* over the stops of a uniform grid: cells where a wall forces a path to look aside. What lies between two stops is
//! crossed a word of 64 cells at a time, and no cell of a diagonal is ever queued unless a wall forces it. Nor is the turn of a
//! corridor: a jump goes on to where there is something to choose.

use crate::id::NodeId;
use crate::search::astar;
use crate::search::best_first::{State, trace_jumps};
use crate::search::estimate::{AnchorBuffer, CellBox, Estimate, Weight, WithEstimate, with_grid_estimate};
use crate::search::heuristic::Heuristic;
use crate::search::kernel::{End, Job};
use crate::search::observe::{Observer, Side};
use crate::search::open::{Buckets, OpenList};
use crate::search::outcome::Stats;
use crate::search::registry::{Algorithm, promise_of_heuristic};
use crate::search::solver::{Solver, Task, Visit};
use crate::search::sparse::SparseRecords;
use crate::world::grid::{GoalLines, JumpGrid};
use crate::world::view::{View, WorldKind};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    worlds: &[WorldKind::Grid],
    weighted: false,
    uses_heuristic: true,
    refusal: |view| match view {
        View::Grid(view) => JumpGrid::fault(view),
        View::Graph(_) | View::Voxels(_) => None,
    },
    promise: promise_of_heuristic,
    ..Algorithm::plain(
        "jps",
        "Jump point search",
        "Jump point search: A* that crosses open ground in jumps; for grids where all cells cost the same",
        |options| Box::new(Jps::new(options.heuristic.unwrap_or_default())),
    )
};

/// A jump of so many cells still finds its place in the ring of the open list.
const LONG_JUMP: u64 = 64;

/// The search with its memory.
#[derive(Debug)]
struct Jps {
    heuristic: Heuristic,
    state: State<SparseRecords>,
    open: Box<Buckets>,
    goals: Vec<GoalLines>,
    anchors: AnchorBuffer<CellBox>,
}

impl Jps {
    fn new(heuristic: Heuristic) -> Jps {
        Jps {
            heuristic,
            state: State::default(),
            open: Box::default(),
            goals: Vec::new(),
            anchors: AnchorBuffer::default(),
        }
    }
}

/// A run that lacks nothing but an estimate.
struct Run<'a, 'w> {
    state: &'a mut State<SparseRecords>,
    open: &'a mut Buckets,
    expander: JumpGrid<'a>,
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

impl Solver for Jps {
    fn begin(&mut self, view: &View<'_>, task: &Task<'_>) {
        let View::Grid(view) = view else { return };
        self.state.begin_with(SparseRecords::begin);
        self.open.begin(2 * LONG_JUMP * view.dearest_step().units());
        JumpGrid::goal_lines(view, task.goals, &mut self.goals);
    }

    fn run(
        &mut self,
        view: &View<'_>,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        let View::Grid(view) = view else { return End::Exhausted };
        let Some(expander) = JumpGrid::of(*view, &self.goals) else { return End::Exhausted };
        let run = Run { state: &mut self.state, open: &mut self.open, expander, task, budget, watcher };
        with_grid_estimate(
            self.heuristic,
            Weight::ONE,
            view,
            Side::Forward,
            task.goals,
            &mut self.anchors,
            run,
        )
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        let View::Grid(view) = view else { return };
        trace_jumps(self.state.records(), to, nodes, |before, at, arrival, nodes| {
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

    fn closest(&self) -> Option<NodeId> {
        self.state.closest()
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        self.state.visit(node)
    }

    fn stats(&self) -> Stats {
        let goals = self.goals.capacity() * size_of::<GoalLines>();
        self.state.stats(self.open.bytes() + self.anchors.bytes() + goals)
    }
}
