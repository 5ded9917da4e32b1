//! Iterative deepening A* (Korf, *Depth-First Iterative-Deepening*, 1985) with a transposition table (Reinefeld and
//! Marsland, *Enhanced Iterative-Deepening Search*, 1994).
//!
//! A depth-first search that turns back where cost so far plus estimate exceed a limit, repeated with higher limits. Maps are
//! full of paths that meet again, so each round remembers the best cost at which it has seen a node. The least amount by which
//! the limit rises doubles each time. A round may overshoot, but it then finishes with the best goal so far as its limit, so the
//! result is exact.

use crate::core::estimate::{Erased, Estimate, Weight, WithSearch};
use crate::core::expand::{Arrival, Expander, START};
use crate::core::heuristic::Heuristic;
use crate::core::kernel::End;
use crate::core::observe::{Action, Event, Observer, Side};
use crate::core::outcome::{Stats, Visit};
use crate::core::record::{MAX_G_TO_EXPAND, Records};
use crate::core::state::trace_back;
use crate::cost::Cost;
use crate::id::NodeId;
use crate::search::algorithm::{Algorithm, promise_of_heuristic};
use crate::search::solver::{Run, Slice, Solver, Task};
use crate::world::any::{Scratch, View, on_world};
use crate::world::space::{EstimateSpec, SearchSpace};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    uses_heuristic: true,
    promise: promise_of_heuristic,
    ..Algorithm::plain(
        "ida_star",
        "IDA*",
        "IDA*: iterative deepening, depth-first up to a rising cost limit; optimal, needs no open list, expands nodes repeatedly",
        |options| {
            let heuristic = options.heuristic.unwrap_or_default();
            Box::new(IdaStar { heuristic, ..IdaStar::default() })
        },
    )
};

/// A path to a node that waits to be tried.
#[derive(Clone, Copy, Debug)]
struct Try {
    node: NodeId,
    parent: NodeId,
    arrival: Arrival,
    g: u64,
    h: u64,
}

/// The search with its memory.
#[derive(Debug, Default)]
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
    scratch: Scratch,
}

impl WithSearch for Run<'_, '_, IdaStar> {
    type Out = End;

    fn go_on<E: Expander, H: Estimate>(self, expander: &E, estimate: &H) -> End {
        let Run { search, task, slice: Slice { budget, watcher } } = self;
        match watcher {
            None => search.run_with(expander, estimate, task, budget, &mut ()),
            // Slow anyway: not worth compiling for every estimate.
            Some(mut watcher) => search.run_with(expander, &Erased(estimate), task, budget, &mut watcher),
        }
    }
}

/// The first rise of the limit: a quarter of a cell.
const FIRST_RISE: u64 = Cost::ONE.units() / 4;

impl IdaStar {
    fn run_with<E: Expander, H: Estimate>(
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
        // The records of the last round are gone, and with them the path.
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

    /// Returns whether to continue from here: within the limit, better than the best goal, and cheaper than recorded in this round.
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
        self.sort_from(first);
    }

    /// Puts the most promising of the last entries on top. Apart, so that sorting is not compiled for every estimate.
    fn sort_from(&mut self, first: usize) {
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

    fn run(&mut self, view: &View<'_>, task: &Task<'_>, slice: Slice<'_>) -> End {
        let (heuristic, weight, side) = (self.heuristic, Weight::ONE, Side::Forward);
        let spec = EstimateSpec { heuristic, weight, side, goals: task.goals };
        Run { search: self, task, slice }.with_scratch(
            |search| &mut search.scratch,
            |run, scratch| on_world!(view, space => space.with_pruned(&spec, scratch, run)),
        )
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        let known = |node| self.records.with_parent(node);
        on_world!(view, space => trace_back(space, known, to, true, nodes));
    }

    fn closest(&self) -> Option<NodeId> {
        self.closest.map(|(_, node)| node)
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        self.records.with_parent(node).map(|(record, parent)| record.visit(parent))
    }

    fn stats(&self) -> Stats {
        let bytes = self.records.bytes() + self.stack.capacity() * size_of::<Try>() + self.scratch.bytes();
        Stats { scratch_bytes: bytes as u64, ..self.stats }
    }
}
