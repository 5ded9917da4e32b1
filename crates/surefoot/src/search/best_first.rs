//! The solver of every algorithm that is the kernel with a strategy.

use crate::core::estimate::{Blind, Estimate, Weight, WithSearch};
use crate::core::expand::Expander;
use crate::core::heuristic::Heuristic;
use crate::core::kernel::{Again, End, Job, Strategy};
use crate::core::observe::Side;
use crate::core::open::{Buckets, Fifo, Heap, Lifo, List, Open, Queue};
use crate::core::outcome::{Stats, Visit};
use crate::core::state::{State, run_erased_job, run_job, trace_back};
use crate::cost::Cost;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::search::solver::{Slice, Solver, Task};
use crate::world::any::{Scratch, View, on_world};
use crate::world::space::{EstimateSpec, SearchSpace};

/// The parameters of a best-first search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    pub strategy: Strategy,
    pub queue: Queue,
    pub heuristic: Heuristic,
    pub weight: Weight,
}

/// Everything a run with some kind of open list needs except the traversal and the heuristic.
struct Run<'a, 'w, O> {
    state: &'a mut State,
    open: O,
    strategy: Strategy,
    task: &'a Task<'a>,
    max_key: u64,
    slice: Slice<'w>,
}

impl<'a, 'w> Run<'a, 'w, ()> {
    /// Gives the run its open list.
    fn with<O>(self, open: O) -> Run<'a, 'w, O> {
        let Run { state, open: (), strategy, task, max_key, slice } = self;
        Run { state, open, strategy, task, max_key, slice }
    }
}

/// Open lists that a run can use.
trait Lists {
    /// Runs a job with the list.
    fn run<E: Expander, H: Estimate>(
        self,
        state: &mut State,
        job: &Job<'_, E, H>,
        start: NodeId,
        slice: Slice<'_>,
    ) -> End;
}

impl<L: Lists> Run<'_, '_, L> {
    /// Continues along all steps.
    fn go(self, view: &View<'_>, spec: &EstimateSpec<'_>, scratch: &mut Scratch) -> End {
        on_world!(view, space => space.with_search(space, spec, scratch, self))
    }
}

impl<L: Lists> WithSearch for Run<'_, '_, L> {
    type Out = End;

    fn go_on<E: Expander, H: Estimate>(self, expander: &E, estimate: &H) -> End {
        let Run { state, open, strategy, task, max_key, slice } = self;
        let job = Job { expander, estimate, strategy, goals: task.goals, max_key };
        open.run(state, &job, task.start, slice)
    }
}

/// The open lists of fast searches, which may leave out pointless steps.
enum Sorted<'a> {
    Buckets(&'a mut Buckets),
    Heap(&'a mut Heap),
}

impl Run<'_, '_, Sorted<'_>> {
    /// Continues, without redundant steps if `prunes` is true.
    fn go_sorted(self, view: &View<'_>, spec: &EstimateSpec<'_>, scratch: &mut Scratch, prunes: bool) -> End {
        if prunes {
            on_world!(view, space => space.with_pruned(spec, scratch, self))
        } else {
            self.go(view, spec, scratch)
        }
    }
}

impl Lists for Sorted<'_> {
    fn run<E: Expander, H: Estimate>(
        self,
        state: &mut State,
        job: &Job<'_, E, H>,
        start: NodeId,
        slice: Slice<'_>,
    ) -> End {
        match self {
            Sorted::Buckets(open) => run_job!(state, open, job, start, slice.budget, slice.watcher),
            // Never the default: not worth compiling for every estimate.
            Sorted::Heap(open) => {
                run_erased_job!(state, open, job, start, slice.budget, slice.watcher)
            }
        }
    }
}

/// The open lists of other searches.
enum Simple<'a> {
    Fifo(&'a mut Fifo),
    Lifo(&'a mut Lifo),
    List(&'a mut List),
}

impl Lists for Simple<'_> {
    fn run<E: Expander, H: Estimate>(
        self,
        state: &mut State,
        job: &Job<'_, E, H>,
        start: NodeId,
        slice: Slice<'_>,
    ) -> End {
        let blind = job.led_by(&Blind);
        match self {
            // Lists that do not order by key belong to searches without an estimate.
            Simple::Fifo(open) => run_job!(state, open, &blind, start, slice.budget, slice.watcher),
            Simple::Lifo(open) => run_job!(state, open, &blind, start, slice.budget, slice.watcher),
            // Slow anyway: not worth compiling for every estimate.
            Simple::List(open) => {
                run_erased_job!(state, open, job, start, slice.budget, slice.watcher)
            }
        }
    }
}

/// A best-first search with its memory.
#[derive(Debug)]
pub(crate) struct BestFirst {
    recipe: Recipe,
    /// Nothing more expensive is expanded.
    max_cost: Option<Cost>,
    state: State,
    open: Open,
    scratch: Scratch,
}

impl BestFirst {
    pub fn new(recipe: Recipe) -> BestFirst {
        BestFirst {
            recipe,
            max_cost: None,
            state: State::default(),
            open: Open::new(recipe.queue),
            scratch: Scratch::default(),
        }
    }

    /// Does not expand nodes that cost more than `max_cost` to reach; for searches whose key is the cost so far.
    pub fn set_max_cost(&mut self, max_cost: Option<Cost>) {
        self.max_cost = max_cost;
    }

    /// Whether a search of this kind leaves the cheapest path to a node in its records.
    fn keeps_cheapest(&self) -> bool {
        self.recipe.strategy.again == Again::IfCheaper
    }

    /// Whether redundant steps are left out: only where costs decide and the records end up with the cheapest paths. The plain
    /// list expands what textbooks describe.
    fn prunes(&self) -> bool {
        self.recipe.strategy.counts_cost && self.keeps_cheapest() && !matches!(self.open, Open::List(_))
    }
}

impl Solver for BestFirst {
    fn begin(&mut self, view: &View<'_>, _task: &Task<'_>) {
        let prunes = self.prunes();
        on_world!(view, space => {
            let steps = if prunes { space.pruned_steps() } else { None };
            self.state.begin(Graph::node_bound(space), steps);
            // A step away from the goal raises the cost so far by its cost, and the estimate by about as much.
            self.open.begin(2 * SearchSpace::max_edge_cost(space).units());
        });
    }

    fn run(&mut self, view: &View<'_>, task: &Task<'_>, slice: Slice<'_>) -> End {
        let Recipe { heuristic, weight, strategy, .. } = self.recipe;
        let max_key = self.max_cost.map_or(u64::MAX, |cost| cost.units().saturating_add(1));
        let spec = EstimateSpec { heuristic, weight, side: Side::Forward, goals: task.goals };
        let prunes = self.prunes();
        let (state, scratch) = (&mut self.state, &mut self.scratch);
        let run = Run { state, open: (), strategy, task, max_key, slice };
        match &mut self.open {
            Open::Buckets(open) => run.with(Sorted::Buckets(open)).go_sorted(view, &spec, scratch, prunes),
            Open::Heap(open) => run.with(Sorted::Heap(open)).go_sorted(view, &spec, scratch, prunes),
            Open::Fifo(open) => run.with(Simple::Fifo(open)).go(view, &spec, scratch),
            Open::Lifo(open) => run.with(Simple::Lifo(open)).go(view, &spec, scratch),
            Open::List(open) => run.with(Simple::List(open)).go(view, &spec, scratch),
        }
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        let straighten = self.keeps_cheapest();
        let known = |node| self.state.records().with_parent(node);
        on_world!(view, space => trace_back(space, known, to, straighten, nodes));
    }

    fn closest(&self) -> Option<NodeId> {
        self.state.closest()
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        self.state.visit(node)
    }

    fn stats(&self) -> Stats {
        self.state.stats(self.open.bytes() + self.scratch.bytes())
    }
}
