//! Two-sided A*, each node settled by one side only (Pijls and Post, *Yet Another Bidirectional Algorithm for Finding the
//! Shortest Path*, 2009).
//!
//! One search runs from the start, one backwards from the goals. A node is settled once, by the side that takes it first.
//! A node is dropped unexpanded when no path through it can beat the best meeting so far: by its own estimate, or because
//! the other side has already settled everything nearer to it. It is exact for consistent estimates.

use crate::cost::Cost;
use crate::graph::{Graph, ReverseGraph};
use crate::id::NodeId;
use crate::search::best_first::trace_back;
use crate::search::estimate::{
    AnchorBuffer, Anchored, CellBox, Estimate, GraphFlyer, GridFlyer, PointBox, StepsTo, Weight,
};
use crate::search::expand::{Arrival, START};
use crate::search::heuristic::Heuristic;
use crate::search::kernel::End;
use crate::search::observe::{Action, Event, Observer, Side};
use crate::search::open::{Entry, Heap, OpenList};
use crate::search::outcome::Stats;
use crate::search::record::{MAX_G_TO_EXPAND, Records};
use crate::search::registry::{Algorithm, Promise, promise_of_heuristic};
use crate::search::solver::{Solver, Task, Visit};
use crate::world::links::Link;
use crate::world::view::View;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    uses_heuristic: true,
    promise: |options, view| match (promise_of_heuristic(options, view), view) {
        (Promise::Optimal, View::Grid(view))
            if !options.heuristic.unwrap_or_default().is_consistent(view) =>
        {
            Promise::Nothing(
                "two-sided search needs an estimate that falls no faster than steps cost".to_owned(),
            )
        }
        (promise, _) => promise,
    },
    ..Algorithm::plain(
        "bidirectional",
        "Bidirectional A*",
        "Two-sided A*: from the start and from the goal until the two meet and nothing can beat the meeting",
        |options| Box::new(Bidirectional::new(options.heuristic.unwrap_or_default())),
    )
};

/// One of the two searches.
#[derive(Debug, Default)]
struct Half {
    records: Records,
    open: Heap,
    /// The least key that is left, or the last one if none is.
    least: u64,
}

/// Both searches with their memory.
#[derive(Debug)]
struct Bidirectional {
    heuristic: Heuristic,
    halves: [Half; 2],
    /// Where the two searches met at least cost, and that cost.
    meeting: Option<(NodeId, u64)>,
    /// The node expanded from the start with the smallest estimate, for partial paths.
    closest: Option<(u64, NodeId)>,
    started: bool,
    overflowed: bool,
    stats: Stats,
    grid_anchors: [AnchorBuffer<CellBox>; 2],
    graph_anchors: [AnchorBuffer<PointBox>; 2],
}

impl Bidirectional {
    fn new(heuristic: Heuristic) -> Bidirectional {
        Bidirectional {
            heuristic,
            halves: Default::default(),
            meeting: None,
            closest: None,
            started: false,
            overflowed: false,
            stats: Stats::default(),
            grid_anchors: Default::default(),
            graph_anchors: Default::default(),
        }
    }

    /// Runs with an estimate for each side: of the way to a goal, and of the way from the start.
    fn run_with<G: ReverseGraph, H: Estimate>(
        &mut self,
        graph: &G,
        estimates: [&H; 2],
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        match watcher {
            None => self.run_watched(graph, estimates, task, budget, &mut ()),
            Some(mut watcher) => self.run_watched(graph, estimates, task, budget, &mut watcher),
        }
    }

    fn run_watched<G: ReverseGraph, H: Estimate>(
        &mut self,
        graph: &G,
        estimates: [&H; 2],
        task: &Task<'_>,
        budget: u64,
        observer: &mut impl Observer,
    ) -> End {
        if !self.started {
            self.started = true;
            self.open(Side::Forward, task.start, estimates[0], observer);
            for &goal in task.goals {
                self.open(Side::Backward, goal, estimates[1], observer);
                if goal == task.start {
                    self.meeting = Some((goal, 0));
                }
            }
        }
        let mut left = budget;
        loop {
            if left == 0 {
                return End::Paused;
            }
            // The side with fewer open nodes has the easier job.
            let side = if self.halves[0].open.len() <= self.halves[1].open.len() {
                Side::Forward
            } else {
                Side::Backward
            };
            let Some((node, g, h)) = self.take(side) else {
                return match self.meeting {
                    Some((node, _)) => End::Goal(node),
                    None if self.overflowed => End::Overflow,
                    None => End::Exhausted,
                };
            };
            let (mine, theirs) = (side as usize, 1 - side as usize);
            let best = self.meeting.map_or(u64::MAX, |(_, cost)| cost);
            // No path through this node is cheaper than either of these sums.
            let behind = (g + self.halves[theirs].least).saturating_sub(estimates[theirs].of(node));
            if g + h >= best || behind >= best {
                continue;
            }
            let parent = self.halves[mine].records.parent(node);
            observer.on(&event(Action::Close, node, parent, g, h, side));
            if side == Side::Forward && self.closest.is_none_or(|(least, _)| h < least) {
                self.closest = Some((h, node));
            }
            self.stats.expanded += 1;
            left -= 1;
            let relax = |next: NodeId, cost: Cost| {
                self.relax(side, node, next, g + cost.units(), estimates[mine], observer);
            };
            match side {
                Side::Forward => graph.for_each_edge(node, relax),
                Side::Backward => graph.for_each_edge_into(node, relax),
            }
            let open = self.halves[0].open.len() + self.halves[1].open.len();
            self.stats.peak_open = self.stats.peak_open.max(open as u64);
            if observer.wants_pause() {
                return End::Paused;
            }
        }
    }

    fn open<H: Estimate>(&mut self, side: Side, node: NodeId, estimate: &H, observer: &mut impl Observer) {
        let half = &mut self.halves[side as usize];
        let h = estimate.of(node);
        half.least = if half.open.len() == 0 { h } else { half.least.min(h) };
        half.records.set_start(node);
        half.open.push(Entry { key: h, g: 0, node });
        observer.on(&event(Action::Open, node, NodeId::NONE, 0, h, side));
    }

    /// Whether one of the two sides has settled a node.
    fn is_settled(&self, node: NodeId) -> bool {
        self.halves.iter().any(|half| half.records.of(node).is_some_and(|record| record.closed))
    }

    /// Takes the best unsettled node of a side and settles it: node, cost so far, estimate. When a side has none left, no
    /// better meeting exists.
    fn take(&mut self, side: Side) -> Option<(NodeId, u64, u64)> {
        loop {
            let entry = self.halves[side as usize].open.pop(u64::MAX)?;
            let settled = self.is_settled(entry.node);
            let half = &mut self.halves[side as usize];
            let Some(record) = half.records.of(entry.node) else { continue };
            if settled || record.g as u32 != entry.g {
                continue;
            }
            half.records.close(entry.node);
            half.least = entry.key;
            return Some((entry.node, record.g, entry.key - record.g));
        }
    }

    /// Offers a way to a node at cost `g`.
    fn relax<H: Estimate>(
        &mut self,
        side: Side,
        from: NodeId,
        to: NodeId,
        g: u64,
        estimate: &H,
        observer: &mut impl Observer,
    ) {
        self.stats.generated += 1;
        let known = self.halves[side as usize].records.of(to);
        if self.is_settled(to) || known.is_some_and(|known| known.g <= g) {
            return;
        }
        if g > MAX_G_TO_EXPAND {
            self.overflowed = true;
            return;
        }
        let h = estimate.of(to);
        let half = &mut self.halves[side as usize];
        half.records.reach(to);
        half.records.write(to, g, from, Arrival::default());
        half.open.push(Entry { key: g + h, g: g as u32, node: to });
        let action = if known.is_some() { Action::Relax } else { Action::Open };
        observer.on(&event(action, to, from, g, h, side));
        if let Some(other) = self.halves[1 - side as usize].records.of(to)
            && self.meeting.is_none_or(|(_, best)| g + other.g < best)
        {
            self.meeting = Some((to, g + other.g));
        }
    }
}

fn event(action: Action, node: NodeId, parent: NodeId, g: u64, h: u64, side: Side) -> Event {
    Event { action, node, parent, g: Cost::from_units(g), h: Cost::from_units(h), side }
}

impl Solver for Bidirectional {
    fn begin(&mut self, view: &View<'_>, _task: &Task<'_>) {
        let bound = match view {
            View::Grid(view) => Graph::node_bound(view),
            View::Graph(graph) => Graph::node_bound(*graph),
        };
        for half in &mut self.halves {
            half.records.begin(bound, None);
            half.open.begin(0);
            half.least = 0;
        }
        (self.meeting, self.closest, self.started, self.overflowed) = (None, None, false, false);
        self.stats = Stats::default();
    }

    fn run(
        &mut self,
        view: &View<'_>,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        let (heuristic, weight, starts) = (self.heuristic, Weight::ONE, [task.start]);
        match view {
            View::Grid(view) => {
                if let [goal] = *task.goals
                    && view.grid().links().is_empty()
                    && let Some(to_goal) = StepsTo::new(heuristic, weight, view, goal)
                    && let Some(from_start) = StepsTo::new(heuristic, weight, view, task.start)
                {
                    return self.run_with(view, [&to_goal, &from_start], task, budget, watcher);
                }
                let mut buffers = std::mem::take(&mut self.grid_anchors);
                let [ahead, behind] = &mut buffers;
                let flyer = || GridFlyer::new(heuristic, view);
                let to_goal = Anchored::new(flyer(), weight, task.goals, view.usable_links(), ahead);
                let reversed = view.usable_links().map(Link::reversed);
                let from_start = Anchored::new(flyer(), weight, &starts, reversed, behind);
                let end = self.run_with(view, [&to_goal, &from_start], task, budget, watcher);
                self.grid_anchors = buffers;
                end
            }
            View::Graph(graph) => {
                let mut buffers = std::mem::take(&mut self.graph_anchors);
                let [ahead, behind] = &mut buffers;
                let flyer = || GraphFlyer::new(heuristic, graph);
                let to_goal = Anchored::new(flyer(), weight, task.goals, graph.open_links(), ahead);
                let reversed = graph.open_links().map(Link::reversed);
                let from_start = Anchored::new(flyer(), weight, &starts, reversed, behind);
                let end = self.run_with(*graph, [&to_goal, &from_start], task, budget, watcher);
                self.graph_anchors = buffers;
                end
            }
        }
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        let [forward, backward] = &self.halves;
        match view {
            View::Grid(view) => trace_back(view, &forward.records, to, true, nodes),
            View::Graph(graph) => trace_back(*graph, &forward.records, to, true, nodes),
        }
        let mut at = to;
        while let Some(record) = backward.records.of(at)
            && record.arrival != START
        {
            at = backward.records.parent(at);
            nodes.push(at);
        }
    }

    fn closest(&self) -> Option<NodeId> {
        self.closest.map(|(_, node)| node)
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        let records =
            self.halves.iter().filter_map(|half| Some((half.records.of(node)?, half.records.parent(node))));
        let (record, parent) = records.max_by_key(|(record, _)| record.closed)?;
        Some(Visit { g: Cost::from_units(record.g), parent, closed: record.closed })
    }

    fn stats(&self) -> Stats {
        let halves: usize = self.halves.iter().map(|half| half.records.bytes() + half.open.bytes()).sum();
        let grid: usize = self.grid_anchors.iter().map(AnchorBuffer::bytes).sum();
        let graph: usize = self.graph_anchors.iter().map(AnchorBuffer::bytes).sum();
        Stats { scratch_bytes: (halves + grid + graph) as u64, ..self.stats }
    }
}
