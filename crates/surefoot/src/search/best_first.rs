//! The solver of every algorithm that is the kernel with a strategy.

use crate::core::estimate::{Blind, Erased, Estimate, Weight, WithSearch};
use crate::core::expand::Expander;
use crate::core::heuristic::Heuristic;
use crate::core::kernel::{Again, End, Job, Strategy};
use crate::core::observe::Side;
use crate::core::open::{Open, Queue};
use crate::core::outcome::{Stats, Visit};
use crate::core::state::{State, run_job, trace_back};
use crate::cost::Cost;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::search::solver::{Slice, Solver, Task};
use crate::world::any::{Scratch, View, on_world};
use crate::world::space::{Asked, SearchSpace};

/// What a best-first search is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    pub strategy: Strategy,
    pub queue: Queue,
    pub heuristic: Heuristic,
    pub weight: Weight,
}

/// Everything a run needs except the traversal and the heuristic.
struct Run<'a, 'w> {
    state: &'a mut State,
    open: &'a mut Open,
    strategy: Strategy,
    task: &'a Task<'a>,
    max_key: u64,
    slice: Slice<'w>,
}

impl WithSearch for Run<'_, '_> {
    type Out = End;

    fn go_on<E: Expander, H: Estimate>(self, expander: &E, estimate: &H) -> End {
        let Run { strategy, max_key, task, .. } = self;
        let job = Job { expander, estimate, strategy, goals: task.goals, max_key };
        let (state, start, Slice { budget, watcher }) = (self.state, task.start, self.slice);
        let (blind, erased) = (job.led_by(&Blind), Erased(estimate));
        match self.open {
            // Lists that do not order by key belong to searches without an estimate.
            Open::Fifo(open) => run_job!(state, open, &blind, start, budget, watcher),
            Open::Lifo(open) => run_job!(state, open, &blind, start, budget, watcher),
            // Slow anyway: not worth compiling for every estimate.
            Open::List(open) => run_job!(state, open, &job.led_by(&erased), start, budget, watcher),
            Open::Heap(open) => run_job!(state, open, &job, start, budget, watcher),
            Open::Buckets(open) => run_job!(state, &mut **open, &job, start, budget, watcher),
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

    /// Leaves alone what costs more than `max_cost` to reach; for searches whose key is the cost so far.
    pub fn set_max_cost(&mut self, max_cost: Option<Cost>) {
        self.max_cost = max_cost;
    }

    /// Whether a search of this kind leaves the cheapest path to a node in its records.
    fn keeps_cheapest(&self) -> bool {
        self.recipe.strategy.again == Again::IfCheaper
    }

    /// Whether redundant steps are left out: only where costs decide and the records end up with the cheapest paths. The plain
    /// list is left as courses know it.
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
            self.open.begin(2 * SearchSpace::dearest_edge(space).units());
        });
    }

    fn run(&mut self, view: &View<'_>, task: &Task<'_>, slice: Slice<'_>) -> End {
        let Recipe { heuristic, weight, strategy, .. } = self.recipe;
        let max_key = self.max_cost.map_or(u64::MAX, |cost| cost.units().saturating_add(1));
        let asked = Asked { heuristic, weight, side: Side::Forward, goals: task.goals };
        let prunes = self.prunes();
        let (state, open, scratch) = (&mut self.state, &mut self.open, &mut self.scratch);
        let then = Run { state, open, strategy, task, max_key, slice };
        on_world!(view, space => if prunes {
            space.with_pruned(&asked, scratch, then)
        } else {
            space.with_search(space, &asked, scratch, then)
        })
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
