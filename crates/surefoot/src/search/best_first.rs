//! The solver of every algorithm that is the kernel with a strategy.

use crate::cost::Cost;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::search::estimate::{
    AnchorBuffer, Blind, CellBox, Erased, Estimate, PointBox, Weight, WithEstimate, with_graph_estimate,
    with_grid_estimate,
};
use crate::search::estimate_in_space::{VoxelBox, with_voxel_estimate};
use crate::search::expand::{Arrival, ArrivalSteps, Expander, START};
use crate::search::heuristic::Heuristic;
use crate::search::kernel::{Again, End, Job, Progress, Strategy};
use crate::search::observe::{Observer, Side};
use crate::search::open::{Buckets, Fifo, Heap, Lifo, List, OpenList, Queue};
use crate::search::outcome::Stats;
use crate::search::record::{Memory, Record, Records};
use crate::search::solver::{Solver, Task, Visit};
use crate::world::grid::{GridView, UniformGrid};
use crate::world::view::View;
use crate::world::voxels::{StepCache, UniformVoxels, VoxelView, cost_along};
use crate::world::waypoints::Waypoints;

/// The open list in use.
#[derive(Debug)]
enum Open {
    Fifo(Fifo),
    Lifo(Lifo),
    List(List),
    Heap(Heap),
    Buckets(Box<Buckets>),
}

impl Open {
    fn new(queue: Queue) -> Open {
        match queue {
            Queue::Fifo => Open::Fifo(Fifo::default()),
            Queue::Lifo => Open::Lifo(Lifo::default()),
            Queue::List => Open::List(List::default()),
            Queue::Heap => Open::Heap(Heap::default()),
            Queue::Buckets => Open::Buckets(Box::default()),
        }
    }

    fn begin(&mut self, spread: u64) {
        match self {
            Open::Fifo(open) => open.begin(spread),
            Open::Lifo(open) => open.begin(spread),
            Open::List(open) => open.begin(spread),
            Open::Heap(open) => open.begin(spread),
            Open::Buckets(open) => open.begin(spread),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Open::Fifo(open) => open.bytes(),
            Open::Lifo(open) => open.bytes(),
            Open::List(open) => open.bytes(),
            Open::Heap(open) => open.bytes(),
            Open::Buckets(open) => open.bytes(),
        }
    }
}

/// What a best-first search is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    pub strategy: Strategy,
    pub queue: Queue,
    pub heuristic: Heuristic,
    pub weight: Weight,
}

/// Everything but the open list that a search keeps between two runs.
#[derive(Debug, Default)]
pub(crate) struct State<M = Records> {
    started: bool,
    progress: Progress,
    records: M,
}

impl State {
    /// Forgets the last search.
    pub fn begin(&mut self, bound: usize, steps: Option<ArrivalSteps>) {
        self.begin_with(|records| records.begin(bound, steps));
    }
}

impl<M: Memory> State<M> {
    /// Forgets the last search; so do the records, in their own way.
    pub fn begin_with(&mut self, begin: impl FnOnce(&mut M)) {
        self.started = false;
        self.progress = Progress::default();
        begin(&mut self.records);
    }

    pub fn records(&self) -> &M {
        &self.records
    }

    /// The expanded node that seems closest to a goal, or the best goal so far.
    pub fn closest(&self) -> Option<NodeId> {
        let Progress { best, closest, .. } = self.progress;
        best.map(|(goal, _)| goal).or(closest.map(|(_, node)| node))
    }

    /// What is known of a node.
    pub fn visit(&self, node: NodeId) -> Option<Visit> {
        let record = self.records.of(node)?;
        let parent = self.records.parent(self.records.find(node));
        Some(Visit { g: Cost::from_units(record.g), parent, closed: record.closed })
    }

    /// Lets the search go on for another goal; the one before is open again. Keys in the open list are still those for the
    /// goal before. Only for strategies that expand nodes again.
    pub fn change_goal(&mut self, before: NodeId, goal: NodeId) {
        if let Some(record) = self.records.of(before).filter(|record| record.closed) {
            let at = self.records.find(before);
            let parent = self.records.parent(at);
            self.records.write(at, record.g, parent, record.arrival);
        }
        let reached = self.records.of(goal).filter(|record| record.closed);
        self.progress.best = reached.map(|record| (goal, record.g));
        self.progress.closest = None;
    }

    /// What the search did, with so many bytes held beside the records.
    pub fn stats(&self, other_bytes: usize) -> Stats {
        let bytes = self.records.bytes() + other_bytes;
        Stats { scratch_bytes: bytes as u64, ..self.progress.stats }
    }

    /// Runs a job with whichever open list is in use.
    fn run<E: Expander, H: Estimate>(
        &mut self,
        open: &mut Open,
        job: &Job<'_, E, H>,
        start: NodeId,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        match open {
            // Lists that do not order by key belong to searches without an estimate.
            Open::Fifo(open) => self.run_with(open, &job.led_by(&Blind), start, budget, watcher),
            Open::Lifo(open) => self.run_with(open, &job.led_by(&Blind), start, budget, watcher),
            // Slow anyway: not worth compiling for every estimate.
            Open::List(open) => {
                self.run_with(open, &job.led_by(&Erased(job.estimate)), start, budget, watcher)
            }
            Open::Heap(open) => self.run_with(open, job, start, budget, watcher),
            Open::Buckets(open) => self.run_with(&mut **open, job, start, budget, watcher),
        }
    }

    /// Runs a job, compiled for no watcher and for any. Who watches waits anyway, so that is not compiled for every estimate.
    pub fn run_with<E: Expander, H: Estimate, Q: OpenList>(
        &mut self,
        open: &mut Q,
        job: &Job<'_, E, H>,
        start: NodeId,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        match watcher {
            None => self.run_watched(open, job, start, budget, &mut ()),
            Some(mut watcher) => {
                let estimate = Erased(job.estimate);
                self.run_watched(open, &job.led_by(&estimate), start, budget, &mut watcher)
            }
        }
    }

    fn run_watched<E: Expander, H: Estimate, Q: OpenList, O: Observer>(
        &mut self,
        open: &mut Q,
        job: &Job<'_, E, H>,
        start: NodeId,
        budget: u64,
        observer: &mut O,
    ) -> End {
        if !self.started {
            self.started = true;
            job.open_start(start, &mut self.records, open, observer);
        }
        job.run(&mut self.progress, &mut self.records, open, budget, observer)
    }
}

/// A run that lacks nothing but an estimate.
struct Run<'a, 'w, E> {
    state: &'a mut State,
    open: &'a mut Open,
    expander: &'a E,
    strategy: Strategy,
    task: &'a Task<'a>,
    max_key: u64,
    budget: u64,
    watcher: Option<&'w mut dyn Observer>,
}

impl<E: Expander> WithEstimate for Run<'_, '_, E> {
    type Out = End;

    fn go_on<H: Estimate>(self, estimate: &H) -> End {
        let Run { expander, strategy, max_key, task, .. } = self;
        let job = Job { expander, estimate, strategy, goals: task.goals, max_key };
        self.state.run(self.open, &job, task.start, self.budget, self.watcher)
    }
}

/// A best-first search with its memory.
#[derive(Debug)]
pub(crate) struct BestFirst {
    recipe: Recipe,
    /// Nothing dearer is expanded.
    max_cost: Option<Cost>,
    state: State,
    open: Open,
    grid_anchors: AnchorBuffer<CellBox>,
    graph_anchors: AnchorBuffer<PointBox>,
    voxel_anchors: AnchorBuffer<VoxelBox>,
    steps: StepCache,
}

impl BestFirst {
    pub fn new(recipe: Recipe) -> BestFirst {
        BestFirst {
            recipe,
            max_cost: None,
            state: State::default(),
            open: Open::new(recipe.queue),
            grid_anchors: AnchorBuffer::default(),
            graph_anchors: AnchorBuffer::default(),
            voxel_anchors: AnchorBuffer::default(),
            steps: StepCache::default(),
        }
    }

    /// Leaves alone what costs more than `max_cost` to reach; for searches whose key is the cost so far.
    pub fn set_max_cost(&mut self, max_cost: Option<Cost>) {
        self.max_cost = max_cost;
    }

    fn max_key(&self) -> u64 {
        self.max_cost.map_or(u64::MAX, |cost| cost.units().saturating_add(1))
    }

    /// Whether a search of this kind leaves the cheapest way to a node in its records.
    fn keeps_cheapest(&self) -> bool {
        self.recipe.strategy.again == Again::IfCheaper
    }

    fn run_on_grid(
        &mut self,
        view: &GridView<'_>,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        match self.pruned(view) {
            Some(uniform) => self.run_with_estimate(&uniform, view, task, budget, watcher),
            None => self.run_with_estimate(view, view, task, budget, watcher),
        }
    }

    /// The grid without pointless steps, if this search may leave them out.
    fn pruned<'a>(&self, view: &GridView<'a>) -> Option<UniformGrid<'a>> {
        if self.prunes() { UniformGrid::of(*view) } else { None }
    }

    /// Whether pointless steps are left out: only where costs decide and the records end up with the cheapest ways. The plain
    /// list is left as courses know it.
    fn prunes(&self) -> bool {
        self.recipe.strategy.counts_cost && self.keeps_cheapest() && !matches!(self.open, Open::List(_))
    }

    fn run_with_estimate<E: Expander>(
        &mut self,
        expander: &E,
        view: &GridView<'_>,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        let Recipe { heuristic, weight, strategy, .. } = self.recipe;
        let max_key = self.max_key();
        let (state, open) = (&mut self.state, &mut self.open);
        let run = Run { state, open, expander, strategy, task, max_key, budget, watcher };
        with_grid_estimate(heuristic, weight, view, Side::Forward, task.goals, &mut self.grid_anchors, run)
    }

    fn run_on_graph(
        &mut self,
        graph: &Waypoints,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        let Recipe { heuristic, weight, strategy, .. } = self.recipe;
        let max_key = self.max_key();
        let (state, open) = (&mut self.state, &mut self.open);
        let run = Run { state, open, expander: graph, strategy, task, max_key, budget, watcher };
        with_graph_estimate(heuristic, weight, graph, Side::Forward, task.goals, &mut self.graph_anchors, run)
    }

    fn run_in_space(
        &mut self,
        view: &VoxelView<'_>,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        let Recipe { heuristic, weight, strategy, .. } = self.recipe;
        let (max_key, prunes) = (self.max_key(), self.prunes());
        let (state, open, anchors) = (&mut self.state, &mut self.open, &mut self.voxel_anchors);
        if prunes {
            let expander = &UniformVoxels::new(*view, &self.steps);
            let run = Run { state, open, expander, strategy, task, max_key, budget, watcher };
            with_voxel_estimate(heuristic, weight, view, task.goals, anchors, run)
        } else {
            let run = Run { state, open, expander: view, strategy, task, max_key, budget, watcher };
            with_voxel_estimate(heuristic, weight, view, task.goals, anchors, run)
        }
    }
}

impl Solver for BestFirst {
    fn begin(&mut self, view: &View<'_>, _task: &Task<'_>) {
        let (bound, dearest) = match view {
            View::Grid(view) => (Graph::node_bound(view), view.dearest_step()),
            View::Graph(graph) => (Graph::node_bound(*graph), graph.dearest_edge()),
            View::Voxels(view) => (Graph::node_bound(view), cost_along(3)),
        };
        let steps = match view {
            View::Grid(view) => self.pruned(view).and_then(|uniform| uniform.arrival_steps()),
            View::Graph(_) => None,
            View::Voxels(view) => {
                self.steps.begin(view.moves());
                self.prunes().then(|| UniformVoxels::arrival_steps_of(view))
            }
        };
        self.state.begin(bound, steps);
        // A step away from the goal raises the cost so far by its cost, and the estimate by about as much.
        self.open.begin(2 * dearest.units());
    }

    fn run(
        &mut self,
        view: &View<'_>,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        match view {
            View::Grid(view) => self.run_on_grid(view, task, budget, watcher),
            View::Graph(graph) => self.run_on_graph(graph, task, budget, watcher),
            View::Voxels(view) => self.run_in_space(view, task, budget, watcher),
        }
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        let straighten = self.keeps_cheapest();
        let known = |node| self.state.records.with_parent(node);
        match view {
            View::Grid(view) => trace_back(view, known, to, straighten, nodes),
            View::Graph(graph) => trace_back(*graph, known, to, straighten, nodes),
            View::Voxels(view) => trace_back(view, known, to, straighten, nodes),
        }
    }

    fn closest(&self) -> Option<NodeId> {
        self.state.closest()
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        self.state.visit(node)
    }

    fn stats(&self) -> Stats {
        let anchors = self.grid_anchors.bytes() + self.graph_anchors.bytes() + self.voxel_anchors.bytes();
        self.state.stats(self.open.bytes() + anchors + self.steps.bytes())
    }
}

/// Writes the nodes from the start to `to`. `known` gives the record of a node and its parent, if it has been reached.
///
/// Where several ways to a node cost the same, the records hold the one found first. With `straighten`, the way that keeps
/// the direction of the next step is taken instead, if it costs the same: paths turn less, and the search pays nothing
/// for it.
pub(crate) fn trace_back<E: Expander>(
    expander: &E,
    known: impl Fn(NodeId) -> Option<(Record, NodeId)>,
    to: NodeId,
    straighten: bool,
    nodes: &mut Vec<NodeId>,
) {
    let first = nodes.len();
    nodes.push(to);
    let mut at = to;
    let mut next = None;
    while let Some((record, parent)) = known(at)
        && record.arrival != START
    {
        let straight = next
            .filter(|_| straighten)
            .and_then(|next| expander.straight_before(at, next))
            .filter(|(before, cost)| {
                known(*before).is_some_and(|(before, _)| before.g + cost.units() == record.g)
            });
        let before = straight.map_or(parent, |(before, _)| before);
        nodes.push(before);
        (next, at) = (Some(at), before);
    }
    nodes[first..].reverse();
}

/// Appends the cells of a way made of jumps from the start to a node that the search has reached. `back` appends those of one jump,
/// given its ends and the arrival at the second: from the cell before the second end back to the first end.
pub(crate) fn trace_jumps(
    records: &impl Memory,
    to: NodeId,
    nodes: &mut Vec<NodeId>,
    mut back: impl FnMut(NodeId, NodeId, Arrival, &mut Vec<NodeId>),
) {
    let first = nodes.len();
    nodes.push(to);
    let mut at = to;
    while let Some(record) = records.of(at)
        && record.arrival != START
    {
        let before = records.parent(records.find(at));
        back(before, at, record.arrival, nodes);
        at = before;
    }
    nodes[first..].reverse();
}
