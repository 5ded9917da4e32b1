//! A query to the hierarchy: connects start and goals to the abstract graph, finds a path there, and refines it to
//! cells stretch by stretch.

use crate::core::estimate::{Blind, Estimate, Weight, WithSearch};
use crate::core::expand::Expander;
use crate::core::heuristic::Heuristic;
use crate::core::kernel::{Again, End, Job, Strategy};
use crate::core::observe::Side;
use crate::core::open::Buckets;
use crate::core::outcome::Visit;
use crate::core::state::trace_back;
use crate::hierarchy::corridor::{Corridor, Errand, is_narrow};
use crate::hierarchy::graph::{Ends, Inner, OverCells, Whole};
use crate::hierarchy::layout::{Area, Layout};
use crate::hierarchy::line::line;
use crate::hierarchy::searches::{Account, Search};
use crate::hierarchy::table::Table;
use crate::hierarchy::walk::{Stretch, Walk, Waypoint};
use crate::hierarchy::window::{BOUND, Inside, Reversed, Window};
use crate::id::NodeId;
use crate::search::astar;
use crate::world::any::Scratch;
use crate::world::grid::{GridView, StepsTo, UniformGrid};
use crate::world::space::{EstimateSpec, SearchSpace};

/// The weight of the heuristic in the search of the abstract graph. Abstract paths are longer than the heuristic by
/// some per cent even in the open, which makes an exact search expand far to the sides. What this loses, refinement
/// regains.
const TRUST: f64 = 1.05;

/// The walk of a leg is abandoned after this many cells per cell of its maximum length, and after this number in any
/// case.
const PATIENCE: u64 = 4;
const MOST_PATIENCE: u64 = 1 << 12;

/// The current phase of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Searching from the start to the nodes of its cluster.
    #[default]
    Start,
    /// Searching back from a goal to the nodes of its cluster.
    Goal(usize),
    /// Searching the abstract graph.
    Graph,
    /// Deciding what to refine next.
    Walk,
    /// Unpacking a hop into hops of the level below.
    Unpack(Leg),
    /// Searching the cells of a stretch.
    Stretch(Stretch),
    /// Nothing more to do.
    Over(End),
}

/// A piece of the abstract path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Leg {
    /// The cells at its ends.
    from: NodeId,
    to: NodeId,
    /// The level of the hop that it is; on level 0 a walk inside a cluster, a step or a link.
    level: usize,
    cost: u64,
}

/// A query with its memory.
#[derive(Debug, Default)]
pub(crate) struct Query {
    phase: Phase,
    goals: Vec<NodeId>,
    ends: Ends,
    /// The abstract search. Its nodes can be inspected afterwards.
    graph: Search<Buckets>,
    /// Unpacks hops.
    under: Search<Buckets>,
    /// Searches cells.
    cells: Search<Buckets>,
    scratch: Scratch,
    /// What is left of the abstract path, the next leg last.
    legs: Vec<Leg>,
    /// The nodes of a search on the path back to its start.
    trail: Vec<NodeId>,
    /// A path without a detour.
    line: Vec<(NodeId, u64)>,
    walk: Walk,
    /// Walks legs where there is little room.
    corridor: Corridor,
    /// Whether the path has got to such a place.
    narrow: bool,
}

impl Query {
    /// Begins a new query and forgets the last one.
    pub fn begin(&mut self, view: &GridView<'_>, table: &Table, start: NodeId, goals: &[NodeId]) {
        self.phase = Phase::Start;
        self.ends.begin(table, start, goals);
        self.goals.clear();
        self.goals.extend((0..goals.len()).map(|index| self.ends.goal(index)));
        self.graph.begin(self.ends.bound(), spread(view, table.levels.len() - 1));
        self.begin_cells(view);
        self.legs.clear();
        self.narrow = false;
        self.walk.begin(start, &table.layout);
    }

    fn begin_cells(&mut self, view: &GridView<'_>) {
        self.cells.begin(BOUND, 2 * view.max_step_cost().units());
    }

    /// Continues until the query is answered or the account is empty, or until the requested number of cells of the
    /// path is known.
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
                    self.go_on(view, table, account)
                }
                Phase::Unpack(leg) => self.unpack(view, table, leg, account),
                Phase::Stretch(stretch) => self.search_stretch(view, table, stretch, account),
                Phase::Over(end) => return end,
            };
            if paused {
                return End::Paused;
            }
        }
    }

    fn join_start(&mut self, view: &GridView<'_>, table: &Table, account: &mut Account<'_>) -> bool {
        let start = self.ends.cells[0];
        let part = table.part_of(0, start);
        let window = Window::new(*view, view.shape(), table.layout.area(0, part));
        if flood(&mut self.cells, &window, window.inner(start), account) == End::Paused {
            return true;
        }
        let reached = |cell| self.cells.state.records().of(window.inner(cell)).map(|record| record.g);
        for node in table.levels[0].nodes_of(part) {
            self.ends.from_start.extend(reached(table.cell(0, node)).map(|cost| (NodeId(node), cost)));
        }
        for (&cell, &goal) in self.ends.cells[1..].iter().zip(&self.goals) {
            if table.part_of(0, cell) == part {
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
        let part = table.part_of(0, cell);
        let window = Window::new(Reversed(*view), view.shape(), table.layout.area(0, part));
        if flood(&mut self.cells, &window, window.inner(cell), account) == End::Paused {
            return true;
        }
        for node in table.levels[0].nodes_of(part) {
            let record = self.cells.state.records().of(window.inner(table.cell(0, node)));
            self.ends.to_goals.extend(record.map(|record| (NodeId(node), goal, record.g)));
        }
        self.begin_cells(view);
        self.phase = Phase::Goal(index + 1);
        false
    }

    fn search_graph(&mut self, view: &GridView<'_>, table: &Table, account: &mut Account<'_>) -> bool {
        let run =
            GraphRun { search: &mut self.graph, view, table, ends: &self.ends, goals: &self.goals, account };
        let weight = Weight::new(TRUST).unwrap_or(Weight::ONE);
        let spec = EstimateSpec { weight, ..EstimateSpec::best(Side::Forward, &self.ends.cells[1..]) };
        match view.with_search(view, &spec, &mut self.scratch, run) {
            End::Paused => return true,
            End::Goal(goal) => {
                self.plan(table, goal);
                self.phase = Phase::Walk;
            }
            end => self.phase = Phase::Over(end),
        }
        false
    }

    /// Writes the legs of the abstract path.
    fn plan(&mut self, table: &Table, goal: NodeId) {
        let records = self.graph.state.records();
        let g = |node| records.of(node).map_or(0, |record| record.g);
        let mut at = goal;
        // From the goal back to the start, so the first leg comes last.
        while at != self.ends.start() {
            let before = records.parent(at);
            let [from, to] = [before, at].map(|node| self.ends.cell(table, node));
            let ends = self.ends.node(before).zip(self.ends.node(at));
            let level = ends.map_or(0, |((level, _), _)| level_of(table, level, from, to));
            self.legs.push(Leg { from, to, level, cost: g(at) - g(before) });
            at = before;
        }
    }

    /// Decides what to do next along the abstract path.
    fn decide(&mut self, view: &GridView<'_>, table: &Table) {
        while self.walk.wants_more() {
            let Some(leg) = self.legs.pop() else { break };
            if leg.level > 0 {
                self.begin_unpacking(view, table, leg);
                return;
            }
            self.walk.add(Waypoint { cell: leg.to, cost: leg.cost }, &table.layout);
        }
        self.phase = match self.walk.next(&table.layout, self.legs.is_empty()) {
            Some(stretch) if line(view, self.walk.at(), stretch.to, &mut self.line) => {
                self.walk.take(self.line.drain(..), &stretch, &table.layout);
                Phase::Walk
            }
            Some(stretch) => {
                self.begin_cells(view);
                Phase::Stretch(stretch)
            }
            None if self.walk.is_over() && self.legs.is_empty() => Phase::Over(End::Goal(self.walk.at())),
            None => Phase::Walk,
        };
    }

    fn go_on(&mut self, view: &GridView<'_>, table: &Table, account: &mut Account<'_>) -> bool {
        if self.narrow {
            return self.follow(view, table, account);
        }
        self.decide(view, table);
        false
    }

    /// Follows the next leg of the plan without searching for anything better.
    fn follow(&mut self, view: &GridView<'_>, table: &Table, account: &mut Account<'_>) -> bool {
        if account.left == 0 {
            return true;
        }
        let Some(leg) = self.legs.pop() else {
            self.phase = Phase::Over(End::Goal(self.walk.at()));
            return false;
        };
        let parts = [leg.from, leg.to].map(|cell| table.part_of(leg.level, cell));
        if parts[0] != parts[1] {
            // A step into the next part, or a link.
            self.walk.follow(&[leg.to], &table.layout);
        } else if leg.level > 1 {
            // A leg this long has too many branches.
            self.begin_unpacking(view, table, leg);
        } else if self.walk_leg(view, table.layout.area(leg.level, parts[0]), leg, account) {
            let steps = self.corridor.steps();
            self.walk.follow(&steps[1..], &table.layout);
            self.narrow = is_narrow(view, steps, 2).unwrap_or(true);
        } else {
            self.legs.push(leg);
            self.narrow = false;
        }
        false
    }

    /// Walks the cells of a leg, if that is fast.
    fn walk_leg(&mut self, view: &GridView<'_>, area: Area, leg: Leg, account: &mut Account<'_>) -> bool {
        let [straight, _] = view.level_steps(view.grid().cheapest_terrain());
        let longest = leg.cost / straight.units().max(1) + 1;
        let patience = (PATIENCE * longest).min(MOST_PATIENCE);
        let errand = Errand { area, from: leg.from, to: leg.to, cost: leg.cost, patience };
        let Some(estimate) = steps_to(view, leg.to) else { return false };
        match UniformGrid::of(*view) {
            Some(uniform) => self.corridor.walk(&uniform, view.shape(), &estimate, &errand, account),
            None => self.corridor.walk(view, view.shape(), &estimate, &errand, account),
        }
    }

    /// Checks whether the last cells, none of which were better than planned, lead through a narrow place. In that case
    /// there is nothing better ahead either, and the plan can be followed.
    fn look_around(&mut self, view: &GridView<'_>, layout: &Layout, known: usize) {
        self.narrow = self.walk.vain() > 0 && is_narrow(view, &self.walk.path[known..], 3) == Some(true);
        if self.narrow {
            self.walk.fall_back(layout);
            while let Some((from, Waypoint { cell, cost })) = self.walk.take_back() {
                self.legs.push(Leg { from, to: cell, level: 0, cost });
            }
        }
    }

    fn begin_unpacking(&mut self, view: &GridView<'_>, table: &Table, leg: Leg) {
        let below = leg.level - 1;
        self.under.begin(table.levels[below].cells.len(), spread(view, below));
        self.phase = Phase::Unpack(leg);
    }

    fn unpack(&mut self, view: &GridView<'_>, table: &Table, leg: Leg, account: &mut Account<'_>) -> bool {
        let level = leg.level - 1;
        let inner = Inner { table, view, level, part: table.part_of(leg.level, leg.from) };
        let Some((start, goal)) = table.find(level, leg.from).zip(table.find(level, leg.to)) else {
            self.phase = Phase::Over(End::Exhausted);
            return false;
        };
        let (start, goal) = (NodeId(start), NodeId(goal));
        let end = match steps_to(view, leg.to) {
            Some(estimate) => {
                let over = OverCells { names: &inner, estimate: &estimate };
                self.under.run(&job(&inner, &over, &[goal], u64::MAX), start, &inner, account)
            }
            None => self.under.run(&job(&inner, &Blind, &[goal], u64::MAX), start, &inner, account),
        };
        match end {
            End::Paused => return true,
            End::Goal(_) => {
                let records = self.under.state.records();
                let g = |node| records.of(node).map_or(0, |record| record.g);
                let mut at = goal;
                while at != start {
                    let before = records.parent(at);
                    let [from, to] = [before, at].map(|node| table.cell(level, node.0));
                    let cost = g(at) - g(before);
                    self.legs.push(Leg { from, to, level: level_of(table, level, from, to), cost });
                    at = before;
                }
                self.phase = Phase::Walk;
            }
            end => self.phase = Phase::Over(end),
        }
        false
    }

    fn search_stretch(
        &mut self,
        view: &GridView<'_>,
        table: &Table,
        stretch: Stretch,
        account: &mut Account<'_>,
    ) -> bool {
        let (shape, layout) = (view.shape(), &table.layout);
        let end = if let Some(uniform) = UniformGrid::of(*view) {
            let window = Window::new(uniform, shape, stretch.area);
            self.search_cells(&window, view, layout, stretch, account)
        } else {
            let window = Window::new(*view, shape, stretch.area);
            self.search_cells(&window, view, layout, stretch, account)
        };
        match end {
            End::Paused => return true,
            End::Goal(_) => self.phase = Phase::Walk,
            end => self.phase = if self.walk.fall_back(layout) { Phase::Walk } else { Phase::Over(end) },
        }
        false
    }

    /// Searches a window, and takes the path if there is one.
    fn search_cells<E: Expander>(
        &mut self,
        window: &Window<'_, E>,
        view: &GridView<'_>,
        layout: &Layout,
        stretch: Stretch,
        account: &mut Account<'_>,
    ) -> End {
        let (start, goal) = (window.inner(self.walk.at()), [window.inner(stretch.to)]);
        let end = match steps_to(view, stretch.to) {
            Some(estimate) => {
                let inside = Inside { window, estimate: &estimate };
                self.cells.run(&job(window, &inside, &goal, stretch.below), start, window, account)
            }
            None => self.cells.run(&job(window, &Blind, &goal, stretch.below), start, window, account),
        };
        if let End::Goal(to) = end {
            let records = self.cells.state.records();
            self.trail.clear();
            trace_back(window, |node| records.with_parent(node), to, true, &mut self.trail);
            let cost = |number| records.of(number).map_or(0, |record| record.g);
            let steps = self.trail.iter().map(|&number| (window.outer(number), cost(number)));
            let known = self.walk.path.len();
            self.walk.take(steps, &stretch, layout);
            self.look_around(view, layout, known);
        }
        end
    }

    /// Returns the path as far as it has been refined to cells.
    pub fn path(&self) -> &[NodeId] {
        &self.walk.path
    }

    /// Returns the places that the path visits, as far as they are known: transitions of clusters, large or
    /// small.
    pub fn plan_cells(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.walk.ahead().chain(self.legs.iter().rev().map(|leg| leg.to))
    }

    /// Returns the data of the abstract search about a cell.
    pub fn visit(&self, table: &Table, cell: NodeId) -> Option<Visit> {
        let ends = self.ends.cells.iter().zip(self.ends.start().0..);
        let mut numbers = ends.filter(|&(&end, _)| end == cell).map(|(_, number)| NodeId(number));
        let visit = numbers
            .find_map(|number| self.graph.state.visit(number))
            .or_else(|| self.graph.state.visit(self.ends.find(table, cell)?))?;
        let parent = Some(visit.parent).filter(|&parent| parent != NodeId::NONE);
        Some(Visit { parent: parent.map_or(NodeId::NONE, |parent| self.ends.cell(table, parent)), ..visit })
    }

    /// Returns the bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.graph.bytes()
            + self.under.bytes()
            + self.cells.bytes()
            + self.scratch.bytes()
            + self.ends.bytes()
            + self.walk.bytes()
            + self.corridor.bytes()
            + (self.goals.capacity() + self.trail.capacity()) * size_of::<NodeId>()
            + self.line.capacity() * size_of::<(NodeId, u64)>()
            + self.legs.capacity() * size_of::<Leg>()
    }
}

/// Returns the level of an edge that the search of a level took: a hop within a cluster is on the same level, what
/// leads out of it is made of cells.
fn level_of(table: &Table, level: usize, from: NodeId, to: NodeId) -> usize {
    if table.part_of(level, from) == table.part_of(level, to) { level } else { 0 }
}

fn job<'a, E, H>(expander: &'a E, estimate: &'a H, goals: &'a [NodeId], max_key: u64) -> Job<'a, E, H> {
    Job { expander, estimate, strategy: astar::STRATEGY, goals, max_key }
}

/// Returns the heuristic to a cell, where links do not invalidate it.
fn steps_to(view: &GridView<'_>, to: NodeId) -> Option<StepsTo> {
    StepsTo::new(Heuristic::Best, Weight::ONE, view, to).filter(|_| view.grid().links().is_empty())
}

/// Returns the approximate amount by which a hop of a level raises keys: it may lead away from the goal, or around something.
/// Expensive terrain does not count: keys would be too coarse where it is cheap.
fn spread(view: &GridView<'_>, level: usize) -> u64 {
    let [straight, _] = view.level_steps(view.grid().cheapest_terrain());
    3 * straight.units() * Layout::side(level)
}

/// Visits all cells of a window that can be reached.
fn flood<E: Expander>(
    search: &mut Search<Buckets>,
    window: &Window<'_, E>,
    start: NodeId,
    account: &mut Account<'_>,
) -> End {
    search.run(&job(window, &Blind, &[], u64::MAX), start, window, account)
}

/// A search of the abstract graph without its heuristic.
struct GraphRun<'a, 'b> {
    search: &'a mut Search<Buckets>,
    view: &'a GridView<'a>,
    table: &'a Table,
    ends: &'a Ends,
    goals: &'a [NodeId],
    account: &'a mut Account<'b>,
}

impl WithSearch for GraphRun<'_, '_> {
    type Out = End;

    fn go_on<E: Expander, H: Estimate>(self, _grid: &E, estimate: &H) -> End {
        let GraphRun { search, view, table, ends, goals, account } = self;
        let whole = Whole { table, view, ends };
        let over = OverCells { names: &whole, estimate };
        let strategy = Strategy { counts_cost: true, again: Again::IfCheaperAndOpen, first_goal_ends: true };
        let job = Job { strategy, ..job(&whole, &over, goals, u64::MAX) };
        search.run(&job, ends.start(), &whole, account)
    }
}
