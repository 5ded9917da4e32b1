//! Iterative deepening A* (Korf, *Depth-First Iterative-Deepening*, 1985) with a transposition table (Reinefeld and
//! Marsland, *Enhanced Iterative-Deepening Search*, 1994).
//!
//! A depth-first search that turns back where cost so far plus estimate exceed a limit, repeated with higher limits. Maps
//! are full of ways that meet again, so each round remembers the best cost at which it has seen a node. The limit rises by
//! at least as much as it rose before, doubled: a round may overshoot, but it then finishes with the best goal in hand as
//! its limit, so the answer is exact.

use crate::cost::Cost;
use crate::id::NodeId;
use crate::search::best_first::trace_back;
use crate::search::estimate::{
    AnchorBuffer, Anchored, CellBox, Estimate, GraphFlyer, GridFlyer, PointBox, StepsTo, Weight, WithEstimate,
};
use crate::search::estimate_in_space::{VoxelBox, with_voxel_estimate};
use crate::search::expand::{Arrival, Expander, START};
use crate::search::heuristic::Heuristic;
use crate::search::kernel::End;
use crate::search::observe::{Action, Event, Observer, Side};
use crate::search::outcome::Stats;
use crate::search::record::{MAX_G_TO_EXPAND, Records};
use crate::search::registry::{Algorithm, promise_of_heuristic};
use crate::search::solver::{Solver, Task, Visit};
use crate::world::grid::{GridView, UniformGrid};
use crate::world::view::View;
use crate::world::voxels::{StepCache, UniformVoxels};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    uses_heuristic: true,
    promise: promise_of_heuristic,
    ..Algorithm::plain(
        "ida_star",
        "IDA*",
        "IDA*: depth-first up to a cost limit that rises; optimal, keeps no sorted open list, repeats itself",
        |options| Box::new(IdaStar::new(options.heuristic.unwrap_or_default())),
    )
};

/// A way to a node that waits to be tried.
#[derive(Clone, Copy, Debug)]
struct Try {
    node: NodeId,
    parent: NodeId,
    arrival: Arrival,
    g: u64,
    h: u64,
}

/// The search with its memory.
#[derive(Debug)]
struct IdaStar {
    heuristic: Heuristic,
    records: Records,
    stack: Vec<Try>,
    limit: u64,
    /// By how much the limit rises at least.
    rise: u64,
    /// The least cost plus estimate at which this round turned back.
    least_beyond: u64,
    best: Option<(NodeId, u64)>,
    closest: Option<(u64, NodeId)>,
    started: bool,
    overflowed: bool,
    stats: Stats,
    grid_anchors: AnchorBuffer<CellBox>,
    graph_anchors: AnchorBuffer<PointBox>,
    voxel_anchors: AnchorBuffer<VoxelBox>,
    steps: StepCache,
}

/// A run in space that lacks nothing but an estimate.
struct InSpace<'a, 'w, 'v> {
    search: &'a mut IdaStar,
    expander: &'a UniformVoxels<'v>,
    task: &'a Task<'a>,
    budget: u64,
    watcher: Option<&'w mut dyn Observer>,
}

impl WithEstimate for InSpace<'_, '_, '_> {
    type Out = End;

    fn go_on<H: Estimate>(self, estimate: &H) -> End {
        self.search.run_with(self.expander, estimate, self.task, self.budget, self.watcher)
    }
}

/// The first rise of the limit: a quarter of a cell.
const FIRST_RISE: u64 = Cost::ONE.units() / 4;

impl IdaStar {
    fn new(heuristic: Heuristic) -> IdaStar {
        IdaStar {
            heuristic,
            records: Records::default(),
            stack: Vec::new(),
            limit: 0,
            rise: FIRST_RISE,
            least_beyond: u64::MAX,
            best: None,
            closest: None,
            started: false,
            overflowed: false,
            stats: Stats::default(),
            grid_anchors: AnchorBuffer::default(),
            graph_anchors: AnchorBuffer::default(),
            voxel_anchors: AnchorBuffer::default(),
            steps: StepCache::default(),
        }
    }

    fn run_on_grid<E: Expander>(
        &mut self,
        expander: &E,
        view: &GridView<'_>,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        if let [goal] = *task.goals
            && view.grid().links().is_empty()
            && let Some(estimate) = StepsTo::new(self.heuristic, Weight::ONE, view, goal)
        {
            return self.run_with(expander, &estimate, task, budget, watcher);
        }
        let mut buffer = std::mem::take(&mut self.grid_anchors);
        let flyer = GridFlyer::new(self.heuristic, view);
        let estimate = Anchored::new(flyer, Weight::ONE, task.goals, view.usable_links(), &mut buffer);
        let end = self.run_with(expander, &estimate, task, budget, watcher);
        self.grid_anchors = buffer;
        end
    }

    fn run_with<E: Expander, H: Estimate>(
        &mut self,
        expander: &E,
        estimate: &H,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        match watcher {
            None => self.run_watched(expander, estimate, task, budget, &mut ()),
            Some(mut watcher) => self.run_watched(expander, estimate, task, budget, &mut watcher),
        }
    }

    fn run_watched<E: Expander, H: Estimate>(
        &mut self,
        expander: &E,
        estimate: &H,
        task: &Task<'_>,
        budget: u64,
        observer: &mut impl Observer,
    ) -> End {
        if !self.started {
            self.started = true;
            self.limit = estimate.of(task.start);
            self.begin_round(expander, estimate, task.start);
        }
        let mut left = budget;
        while left > 0 {
            let Some(next) = self.stack.pop() else {
                if let Some((goal, _)) = self.best {
                    return End::Goal(goal);
                }
                if self.least_beyond == u64::MAX {
                    return if self.overflowed { End::Overflow } else { End::Exhausted };
                }
                self.limit = self.least_beyond.max(self.limit.saturating_add(self.rise));
                self.rise = self.rise.saturating_mul(2);
                self.begin_round(expander, estimate, task.start);
                continue;
            };
            if !self.accept(&next, observer) {
                continue;
            }
            if task.goals.binary_search(&next.node).is_ok() {
                self.best = Some((next.node, next.g));
                continue;
            }
            self.stats.expanded += 1;
            left -= 1;
            self.push_successors(expander, estimate, &next);
            if observer.wants_pause() {
                return End::Paused;
            }
        }
        End::Paused
    }

    fn begin_round<E: Expander, H: Estimate>(&mut self, expander: &E, estimate: &H, start: NodeId) {
        self.records.begin(expander.node_bound(), expander.arrival_steps());
        self.least_beyond = u64::MAX;
        // The records of the last round are gone, and with them the way there.
        self.closest = None;
        self.stack.clear();
        self.stack.push(Try {
            node: start,
            parent: NodeId::NONE,
            arrival: START,
            g: 0,
            h: estimate.of(start),
        });
    }

    /// Whether to go on from here: within the limit, better than the best goal, and cheaper than this round knew.
    fn accept(&mut self, next: &Try, observer: &mut impl Observer) -> bool {
        let f = next.g + next.h;
        if self.best.is_some_and(|(_, best)| f >= best) {
            return false;
        }
        if f > self.limit {
            self.least_beyond = self.least_beyond.min(f);
            return false;
        }
        let known = self.records.reach(next.node);
        if known.is_some_and(|known| known.g <= next.g) {
            return false;
        }
        self.stats.reopened += u64::from(known.is_some());
        let event = |action| Event {
            action,
            node: next.node,
            parent: next.parent,
            g: Cost::from_units(next.g),
            h: Cost::from_units(next.h),
            side: Side::Forward,
        };
        observer.on(&event(if known.is_some() { Action::Reopen } else { Action::Open }));
        self.records.write(next.node, next.g, next.parent, next.arrival);
        self.records.close(next.node);
        observer.on(&event(Action::Close));
        if self.closest.is_none_or(|(least, _)| next.h < least) {
            self.closest = Some((next.h, next.node));
        }
        true
    }

    /// Puts the successors on the stack so that the most promising is tried first.
    fn push_successors<E: Expander, H: Estimate>(&mut self, expander: &E, estimate: &H, from: &Try) {
        let first = self.stack.len();
        expander.expand(from.node, from.arrival, |node, cost, arrival| {
            self.stats.generated += 1;
            let g = from.g + cost.units();
            if g > MAX_G_TO_EXPAND {
                self.overflowed = true;
            } else {
                self.stack.push(Try { node, parent: from.node, arrival, g, h: estimate.of(node) });
            }
        });
        self.stack[first..]
            .sort_unstable_by_key(|next| std::cmp::Reverse((next.g + next.h, next.h, next.node)));
        self.stats.peak_open = self.stats.peak_open.max(self.stack.len() as u64);
    }
}

impl Solver for IdaStar {
    fn begin(&mut self, _view: &View<'_>, _task: &Task<'_>) {
        self.stack.clear();
        (self.limit, self.rise, self.least_beyond) = (0, FIRST_RISE, u64::MAX);
        (self.best, self.closest, self.started, self.overflowed) = (None, None, false, false);
        self.stats = Stats::default();
    }

    fn run(
        &mut self,
        view: &View<'_>,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        match view {
            View::Grid(view) => match UniformGrid::of(*view) {
                Some(uniform) => self.run_on_grid(&uniform, view, task, budget, watcher),
                None => self.run_on_grid(view, view, task, budget, watcher),
            },
            View::Graph(graph) => {
                let mut buffer = std::mem::take(&mut self.graph_anchors);
                let flyer = GraphFlyer::new(self.heuristic, graph);
                let estimate = Anchored::new(flyer, Weight::ONE, task.goals, graph.open_links(), &mut buffer);
                let end = self.run_with(*graph, &estimate, task, budget, watcher);
                self.graph_anchors = buffer;
                end
            }
            View::Voxels(view) => {
                let mut buffer = std::mem::take(&mut self.voxel_anchors);
                let mut cache = std::mem::take(&mut self.steps);
                cache.begin(view.moves());
                let expander = &UniformVoxels::new(*view, &cache);
                let (heuristic, goals) = (self.heuristic, task.goals);
                let run = InSpace { search: self, expander, task, budget, watcher };
                let end = with_voxel_estimate(heuristic, Weight::ONE, view, goals, &mut buffer, run);
                (self.voxel_anchors, self.steps) = (buffer, cache);
                end
            }
        }
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        let known = |node| self.records.with_parent(node);
        match view {
            View::Grid(view) => trace_back(view, known, to, true, nodes),
            View::Graph(graph) => trace_back(*graph, known, to, true, nodes),
            View::Voxels(view) => trace_back(view, known, to, true, nodes),
        }
    }

    fn closest(&self) -> Option<NodeId> {
        self.closest.map(|(_, node)| node)
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        let record = self.records.of(node)?;
        let parent = self.records.parent(node);
        Some(Visit { g: Cost::from_units(record.g), parent, closed: record.closed })
    }

    fn stats(&self) -> Stats {
        let bytes = self.records.bytes()
            + self.stack.capacity() * size_of::<Try>()
            + self.grid_anchors.bytes()
            + self.graph_anchors.bytes();
        Stats { scratch_bytes: bytes as u64, ..self.stats }
    }
}
