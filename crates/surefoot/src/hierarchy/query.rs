//! A question asked of the hierarchy: start and goals joined to the abstract graph, a path found there, and made of cells
//! stretch by stretch.

use crate::hierarchy::graph::{Ends, Inner, OverCells, Whole};
use crate::hierarchy::searches::{Account, Search};
use crate::hierarchy::table::Table;
use crate::hierarchy::walk::{Stretch, Walk, Waypoint};
use crate::hierarchy::window::{Inside, Window};
use crate::id::NodeId;
use crate::search::astar;
use crate::search::best_first::trace_back;
use crate::search::estimate::{
    AnchorBuffer, Blind, CellBox, Estimate, StepsTo, Weight, WithEstimate, with_grid_estimate,
};
use crate::search::heuristic::Heuristic;
use crate::search::kernel::{End, Job};
use crate::search::open::{Buckets, Heap};
use crate::search::solver::Visit;
use crate::world::grid::GridView;

/// What a query is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Looking from the start to the nodes of its part.
    #[default]
    Start,
    /// Looking back from a goal to the nodes of its part.
    Goal(usize),
    /// Searching the abstract graph.
    Graph,
    /// Deciding what to refine next.
    Walk,
    /// Taking a hop apart, one level below it.
    Unpack(Leg),
    /// Searching the cells of a stretch.
    Stretch(Stretch),
    /// Nothing more to do.
    Over(End),
}

/// A piece of the abstract path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Leg {
    /// The node it begins at: on level 0, any number.
    from: NodeId,
    to: NodeId,
    /// The level of the hop that it is; on level 0 a walk inside a part, a step or a link.
    level: usize,
    cost: u64,
}

/// A query with its memory.
#[derive(Debug, Default)]
pub(crate) struct Query {
    phase: Phase,
    goals: Vec<NodeId>,
    ends: Ends,
    /// The abstract search. Its nodes can be asked about afterwards.
    graph: Search<Heap>,
    /// Takes hops apart.
    under: Search<Heap>,
    /// Searches cells.
    cells: Search<Buckets>,
    anchors: AnchorBuffer<CellBox>,
    /// What is left of the abstract path, the next leg last.
    legs: Vec<Leg>,
    /// The nodes of a search on the way back to its start.
    trail: Vec<NodeId>,
    walk: Walk,
}

impl Query {
    /// Forgets the last question.
    pub fn begin(&mut self, view: &GridView<'_>, table: &Table, start: NodeId, goals: &[NodeId]) {
        self.phase = Phase::Start;
        self.ends.begin(table, start, goals);
        self.goals.clear();
        self.goals.extend((0..goals.len()).map(|index| Ends::goal(table, index)));
        self.graph.begin(table.nodes() + 1 + goals.len(), 0);
        self.begin_cells(view);
        self.legs.clear();
        self.walk.begin(start);
    }

    fn begin_cells(&mut self, view: &GridView<'_>) {
        self.cells.begin(Window::BOUND, 2 * view.dearest_step().units());
    }

    /// Goes on until the question is answered or the account is empty, or until so many cells of the path are known.
    pub fn run(
        &mut self,
        view: &GridView<'_>,
        table: &Table,
        enough: usize,
        account: &mut Account<'_>,
    ) -> End {
        loop {
            let paused = match self.phase {
                Phase::Start => self.join_start(view, table, account),
                Phase::Goal(index) => self.join_goal(view, table, index, account),
                Phase::Graph => self.search_graph(view, table, account),
                Phase::Walk => {
                    if self.walk.path.len() >= enough {
                        return End::Paused;
                    }
                    self.decide(view, table);
                    false
                }
                Phase::Unpack(leg) => self.unpack(view, table, leg, account),
                Phase::Stretch(stretch) => self.search_stretch(view, stretch, account),
                Phase::Over(end) => return end,
            };
            if paused {
                return End::Paused;
            }
        }
    }

    fn join_start(&mut self, view: &GridView<'_>, table: &Table, account: &mut Account<'_>) -> bool {
        let start = self.ends.cells[0];
        let part = table.layout.part_of(0, view.grid().cell(start));
        let window = Window::new(view, table.layout.area(0, part));
        if flood(&mut self.cells, &window, window.inner(start), account) == End::Paused {
            return true;
        }
        let reached = |cell| self.cells.state.records().of(window.inner(cell)).map(|record| record.g);
        for node in table.nodes_of(part).map(NodeId) {
            self.ends.from_start.extend(reached(table.cell(node)).map(|cost| (node, cost)));
        }
        for (&cell, &goal) in self.ends.cells[1..].iter().zip(&self.goals) {
            if table.layout.part_of(0, view.grid().cell(cell)) == part {
                self.ends.from_start.extend(reached(cell).map(|cost| (goal, cost)));
            }
        }
        self.begin_cells(view);
        self.phase = Phase::Goal(0);
        false
    }

    fn join_goal(
        &mut self,
        view: &GridView<'_>,
        table: &Table,
        index: usize,
        account: &mut Account<'_>,
    ) -> bool {
        let Some(&goal) = self.goals.get(index) else {
            self.ends.to_goals.sort_unstable();
            self.phase = Phase::Graph;
            return false;
        };
        let cell = self.ends.cells[1 + index];
        let part = table.layout.part_of(0, view.grid().cell(cell));
        let window = Window::new(view, table.layout.area(0, part)).backwards();
        if flood(&mut self.cells, &window, window.inner(cell), account) == End::Paused {
            return true;
        }
        for node in table.nodes_of(part).map(NodeId) {
            let record = self.cells.state.records().of(window.inner(table.cell(node)));
            self.ends.to_goals.extend(record.map(|record| (node, goal, record.g)));
        }
        self.begin_cells(view);
        self.phase = Phase::Goal(index + 1);
        false
    }

    fn search_graph(&mut self, view: &GridView<'_>, table: &Table, account: &mut Account<'_>) -> bool {
        let run = GraphRun { search: &mut self.graph, view, table, ends: &self.ends, goals: &self.goals, account };
        let (goals, buffer) = (&self.ends.cells[1..], &mut self.anchors);
        let end = with_grid_estimate(Heuristic::Best, Weight::ONE, view, goals, buffer, run);
        match end {
            End::Paused => return true,
            End::Goal(goal) => {
                self.plan(table, goal);
                self.phase = Phase::Walk;
            }
            end => self.phase = Phase::Over(end),
        }
        false
    }

    /// Writes down the legs of the abstract path.
    fn plan(&mut self, table: &Table, goal: NodeId) {
        let records = self.graph.state.records();
        let g = |node| records.of(node).map_or(0, |record| record.g);
        let mut to = goal;
        // From the goal back to the start, so the first leg comes last.
        while to != Ends::start(table) {
            let from = records.parent(to);
            let hop = from.index() < table.nodes() && to.index() < table.nodes();
            let level = if hop { self.ends.level(table, table.place(from)).unwrap_or(0) } else { 0 };
            let part = |node| table.layout.part_of(level, table.place(node));
            let level = if hop && part(from) == part(to) { level } else { 0 };
            self.legs.push(Leg { from, to, level, cost: g(to) - g(from) });
            to = from;
        }
    }

    /// Finds out what to do next on the way along the abstract path.
    fn decide(&mut self, view: &GridView<'_>, table: &Table) {
        while self.walk.wants_more(&table.layout) {
            let Some(leg) = self.legs.pop() else { break };
            if leg.level > 0 {
                self.under.begin(table.nodes(), 0);
                self.phase = Phase::Unpack(leg);
                return;
            }
            let cell = self.ends.cell(table, leg.to);
            self.walk.add(Waypoint { cell, cost: leg.cost }, &table.layout);
        }
        self.phase = match self.walk.next(&table.layout, self.legs.is_empty()) {
            Some(stretch) => {
                self.begin_cells(view);
                Phase::Stretch(stretch)
            }
            None if self.walk.is_over() && self.legs.is_empty() => Phase::Over(End::Goal(self.walk.at())),
            None => Phase::Walk,
        };
    }

    fn unpack(
        &mut self,
        view: &GridView<'_>,
        table: &Table,
        leg: Leg,
        account: &mut Account<'_>,
    ) -> bool {
        let part = table.layout.part_of(leg.level, table.place(leg.from));
        let inner = Inner { table, view, level: leg.level, part };
        let goal = [leg.to];
        let estimate = StepsTo::new(Heuristic::Best, Weight::ONE, view, table.cell(leg.to))
            .filter(|_| view.grid().links().is_empty());
        let end = match estimate {
            Some(estimate) => {
                let over = OverCells { table, ends: &self.ends, estimate: &estimate };
                let job = job(&inner, &over, &goal, u64::MAX);
                self.under.run(&job, leg.from, table, account)
            }
            None => self.under.run(&job(&inner, &Blind, &goal, u64::MAX), leg.from, table, account),
        };
        match end {
            End::Paused => return true,
            End::Goal(_) => {
                let records = self.under.state.records();
                let g = |node| records.of(node).map_or(0, |record| record.g);
                let below = leg.level - 1;
                let mut to = leg.to;
                while to != leg.from {
                    let from = records.parent(to);
                    let part = |node| table.layout.part_of(below, table.place(node));
                    let level = if part(from) == part(to) { below } else { 0 };
                    self.legs.push(Leg { from, to, level, cost: g(to) - g(from) });
                    to = from;
                }
                self.phase = Phase::Walk;
            }
            end => self.phase = Phase::Over(end),
        }
        false
    }

    fn search_stretch(&mut self, view: &GridView<'_>, stretch: Stretch, account: &mut Account<'_>) -> bool {
        let window = Window::new(view, stretch.area);
        let (start, goal) = (window.inner(self.walk.at()), [window.inner(stretch.to)]);
        let estimate = StepsTo::new(Heuristic::Best, Weight::ONE, view, stretch.to)
            .filter(|_| view.grid().links().is_empty());
        let end = match estimate {
            Some(estimate) => {
                let inside = Inside { window, estimate };
                self.cells.run(&job(&window, &inside, &goal, stretch.below), start, &window, account)
            }
            None => self.cells.run(&job(&window, &Blind, &goal, stretch.below), start, &window, account),
        };
        match end {
            End::Paused => return true,
            End::Goal(to) => {
                let records = self.cells.state.records();
                self.trail.clear();
                trace_back(&window, records, to, true, &mut self.trail);
                let steps = self.trail.iter().map(|&number| {
                    (window.outer(number), records.of(number).map_or(0, |record| record.g))
                });
                self.walk.take(steps, &stretch);
                self.phase = Phase::Walk;
            }
            end => {
                self.phase = if self.walk.fall_back() { Phase::Walk } else { Phase::Over(end) };
            }
        }
        false
    }

    /// The path as far as it is made of cells.
    pub fn path(&self) -> &[NodeId] {
        &self.walk.path
    }

    /// The places that the path visits on the way, as far as they are known: transitions of parts, large or small.
    pub fn plan_cells<'a>(&'a self, table: &'a Table) -> impl Iterator<Item = NodeId> + 'a {
        let ahead = self.walk.ahead();
        ahead.chain(self.legs.iter().rev().map(|leg| self.ends.cell(table, leg.to)))
    }

    /// What the abstract search knows of a cell.
    pub fn visit(&self, table: &Table, cell: NodeId) -> Option<Visit> {
        let ends = self.ends.cells.iter().position(|&end| end == cell);
        let end = ends.map(|index| NodeId((table.nodes() + index) as u32));
        let known = |node: &NodeId| self.graph.state.visit(*node).is_some();
        let node = end.filter(known).or_else(|| table.find(cell))?;
        let visit = self.graph.state.visit(node)?;
        let named = |node: NodeId| if node == NodeId::NONE { node } else { self.ends.cell(table, node) };
        Some(Visit { parent: named(visit.parent), ..visit })
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.graph.bytes()
            + self.under.bytes()
            + self.cells.bytes()
            + self.anchors.bytes()
            + self.ends.bytes()
            + self.walk.bytes()
            + (self.goals.capacity() + self.trail.capacity()) * size_of::<NodeId>()
            + self.legs.capacity() * size_of::<Leg>()
    }
}

fn job<'a, E, H>(expander: &'a E, estimate: &'a H, goals: &'a [NodeId], max_key: u64) -> Job<'a, E, H> {
    Job { expander, estimate, strategy: astar::STRATEGY, goals, max_key }
}

/// Visits all cells of a window that can be reached.
fn flood(
    search: &mut Search<Buckets>,
    window: &Window<'_>,
    start: NodeId,
    account: &mut Account<'_>,
) -> End {
    search.run(&job(window, &Blind, &[], u64::MAX), start, window, account)
}

/// A search of the abstract graph that lacks nothing but an estimate.
struct GraphRun<'a, 'b> {
    search: &'a mut Search<Heap>,
    view: &'a GridView<'a>,
    table: &'a Table,
    ends: &'a Ends,
    goals: &'a [NodeId],
    account: &'a mut Account<'b>,
}

impl WithEstimate for GraphRun<'_, '_> {
    type Out = End;

    fn go_on<H: Estimate>(self, estimate: &H) -> End {
        let GraphRun { search, view, table, ends, goals, account } = self;
        let (whole, over) = (Whole { table, view, ends }, OverCells { table, ends, estimate });
        search.run(&job(&whole, &over, goals, u64::MAX), Ends::start(table), &(table, ends), account)
    }
}
