//! What a building would do to the paths between pairs of cells.

use crate::core::kernel::End;
use crate::core::observe::Side;
use crate::cost::Cost;
use crate::id::NodeId;
use crate::siting::choke::Chokes;
use crate::siting::rest::{Rest, Search};
use crate::siting::trial::{Trial, TrialView};
use crate::siting::verdict::{PathImpact, SitingError, Verdict};
use crate::space::Cell;
use crate::world::any::{Vantage, View};
use crate::world::changes::{CellChange, Changes};
use crate::world::components::Components;
use crate::world::grid::GridView;
use crate::world::nearest::{Reach, reachable, reachable_within};

/// Evaluates buildings before they are placed. Keep one per map and agent: what it learns about the map is reused for
/// all buildings, and follows edits.
///
/// The first query about a goal takes a sweep over the map (some milliseconds for 512 x 512 cells). So does the first
/// building that touches a path, and so does each start, once searches from it have taken as long as a sweep.
/// [`prepare`](Siting::prepare) does all that while the map is loaded. After that, a query is fast enough for every
/// move of the mouse. Starts may change freely. When cells close, nothing is recomputed. When cells open, the costs
/// that they lower are repaired, and the choke cells are recomputed when they are next needed. The world and its
/// journal are only read.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::siting::Siting;
/// let grid: Grid = "
///     ......
///     .####.
///     ......".parse().unwrap();
/// let view = grid.view(&Agent::default());
/// let (gate, keep) = (Cell::new(0, 1), Cell::new(5, 1));
/// let mut siting = Siting::default();
/// assert!(!siting.would_block(&view, &[Cell::new(2, 0)], &[(gate, keep)]).unwrap().blocks_any());
/// let both_ways = [Cell::new(2, 0), Cell::new(3, 2)];
/// let verdict = siting.would_block(&view, &both_ways, &[(gate, keep)]).unwrap();
/// assert!(verdict.blocks_any());
/// assert_eq!(verdict.impacts()[0].before, view.scale().cost(7.0));
/// assert_eq!(verdict.impacts()[0].after, None);
/// ```
#[derive(Debug, Default)]
pub struct Siting {
    /// The revision and the agent for which the rest is valid.
    vantage: Vantage,
    trial: Trial,
    /// From the start, and back from the goal.
    searches: [Search; 2],
    /// The cost from every cell to each goal.
    pub(super) rests: Vec<Rest>,
    /// The costs from starts, as far as they are worth a table.
    pub(super) starts: Vec<Rest>,
    /// The paths of the last pairs, in their order.
    ways: Vec<Way>,
    /// The choke cells, of the current revision or of one since which nothing has opened: cells that were separated
    /// still are, with fewer cells open.
    chokes: Option<Chokes>,
}

/// The best path between two cells as the map is now.
#[derive(Debug, Default)]
struct Way {
    ends: Option<[NodeId; 2]>,
    /// Its cost, if there is a path.
    cost: Option<Cost>,
    path: Vec<NodeId>,
    /// The number of nodes that searches from the start alone have expanded.
    spent: u64,
}

/// A search for another path may expand one in this many cells of the map from each endpoint before a connectivity
/// check. To label the whole map takes a few times as long.
const PATIENCE: usize = 64;

/// One in this many cells of the map is expanded from one endpoint before it is the other's turn.
const TURN: usize = 1024;

/// If changes touch more cells than this, everything is recomputed.
const MANY_CELLS: usize = 1 << 16;

/// The maximum bytes of all tables of goals together, and of all tables of starts, if there is more than one.
const TABLE_BYTES: usize = 1 << 29;

impl Siting {
    /// The maximum number of cells of a building.
    pub const MAX_FOOTPRINT: usize = 4096;
    /// The maximum number of pairs.
    pub const MAX_PAIRS: usize = 256;
    /// The maximum number of different goals; fewer on maps of more than a million cells.
    pub const MAX_GOALS: usize = 64;

    /// Returns what a building would do to the best paths between pairs of cells, each given as start and goal.
    ///
    /// Cells of the footprint that are walls or outside make no difference. A pair has no path if one of its endpoints
    /// is outside or is a cell on which the agent cannot stand. A pair is cut off if the building makes one of its
    /// endpoints unusable for the agent (for wide agents, also beside the building).
    pub fn would_block(
        &mut self,
        view: &GridView<'_>,
        footprint: &[Cell],
        pairs: &[(Cell, Cell)],
    ) -> Result<Verdict, SitingError> {
        check(view, footprint, pairs)?;
        self.follow(view);
        self.ways.resize_with(pairs.len(), Way::default);
        for (index, &pair) in pairs.iter().enumerate() {
            self.find_way(view, index, pair, pairs);
        }
        self.trial.place(view, footprint);
        let mut components = None;
        let effect = |(index, &(from, to)): (usize, &(Cell, Cell))| PathImpact {
            from,
            to,
            before: self.ways[index].cost,
            after: self.after(view, index, pairs, &mut components),
        };
        let effects = pairs.iter().enumerate().map(effect).collect();
        self.trial.lift(view);
        Ok(Verdict { effects })
    }

    /// Computes everything that can be known about pairs before the first building: see [`Siting`].
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::siting::Siting;
    /// let grid = Grid::new(64, 64).unwrap();
    /// let view = grid.view(&Agent::default());
    /// let pairs = [(Cell::new(0, 9), Cell::new(63, 9))];
    /// let mut siting = Siting::default();
    /// siting.prepare(&view, &pairs).unwrap();
    /// let verdict = siting.would_block(&view, &[Cell::new(60, 9)], &pairs).unwrap();
    /// assert!(verdict.impacts()[0].added() > Some(Cost::ZERO));
    /// ```
    pub fn prepare(&mut self, view: &GridView<'_>, pairs: &[(Cell, Cell)]) -> Result<(), SitingError> {
        self.would_block(view, &[], pairs)?;
        self.chokes(view);
        for index in 0..pairs.len() {
            self.learn_start(view, index, pairs);
        }
        Ok(())
    }

    /// Returns the choke cells of the map as it is now, and computes them if they are not known.
    pub fn chokes(&mut self, view: &GridView<'_>) -> &Chokes {
        self.follow(view);
        let known = self.chokes.take().filter(|chokes| chokes.revision() == view.grid().revision());
        self.chokes.insert(known.unwrap_or_else(|| Chokes::of(view)))
    }

    /// Returns the bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        let tables = self.rests.iter().chain(&self.starts).map(Rest::bytes).sum::<usize>();
        let searches = self.searches.iter().map(Search::bytes).sum::<usize>();
        let paths = self.ways.iter().map(|way| way.path.capacity() * size_of::<NodeId>()).sum::<usize>();
        let chokes = self.chokes.as_ref().map_or(0, Chokes::memory_bytes);
        tables + paths + chokes + searches + self.trial.bytes()
    }

    /// Updates everything for a map and an agent.
    fn follow(&mut self, view: &GridView<'_>) {
        let vantage = View::from(view).vantage();
        if vantage == self.vantage {
            return;
        }
        let before = std::mem::replace(&mut self.vantage, vantage);
        let mut changes = Changes::default();
        let known = view.grid().read_changes(before.revision(), &mut changes);
        let touched = (2 * reach(view) as usize + 1).pow(2);
        let few = changes.len().saturating_mul(touched) <= MANY_CELLS;
        if known && few && vantage.has_same_agent(&before) {
            let eased = eased(view, &changes, &mut self.chokes);
            self.rests.iter_mut().chain(&mut self.starts).for_each(|rest| rest.follow(view, &eased));
        } else {
            self.rests.clear();
            self.starts.clear();
            self.chokes = None;
        }
        self.ways.clear();
        self.trial.renew(view);
    }

    /// Finds the best path between two cells, if it is not known.
    fn find_way(
        &mut self,
        view: &GridView<'_>,
        index: usize,
        (from, to): (Cell, Cell),
        pairs: &[(Cell, Cell)],
    ) {
        let ends = view.grid().node(from).zip(view.grid().node(to)).map(|(start, goal)| [start, goal]);
        let way = &mut self.ways[index];
        if ends.is_some() && way.ends == ends {
            return;
        }
        (way.ends, way.cost) = (ends, None);
        way.path.clear();
        way.spent = 0;
        let Some([start, goal]) = ends else { return };
        if reachable(view, start, goal) != Reach::Connected {
            return;
        }
        let [search, _] = &mut self.searches;
        let Some(rest) = table(&mut self.rests, Side::Forward, goal, view, search, pairs) else { return };
        let trial = TrialView::new(view, &self.trial, Side::Forward);
        search.begin(view, &trial);
        if let End::Goal(_) = search.run(&trial, rest, [start, goal], u64::MAX) {
            way.cost = search.units(goal).map(Cost::from_units);
            search.trace_back(goal, &mut way.path);
        }
        rest.count(view, search);
    }

    /// Computes the costs from the start of a pair that has a path, if there is room for another table.
    fn learn_start(&mut self, view: &GridView<'_>, index: usize, pairs: &[(Cell, Cell)]) {
        let way = &mut self.ways[index];
        way.spent = 0;
        if let (Some([start, _]), Some(_)) = (way.ends, way.cost) {
            table(&mut self.starts, Side::Backward, start, view, &mut self.searches[1], pairs);
        }
    }

    /// Returns the cost of the path with the building on trial.
    fn after(
        &mut self,
        view: &GridView<'_>,
        index: usize,
        pairs: &[(Cell, Cell)],
        components: &mut Option<Components>,
    ) -> Option<Cost> {
        let way = &self.ways[index];
        let (cost, [start, goal]) = (way.cost?, way.ends?);
        if !self.trial.is_open(view, start) || !self.trial.is_open(view, goal) {
            return None;
        }
        if self.trial.leaves(view, &way.path) {
            return Some(cost);
        }
        if view.grid().links().is_empty() {
            let [from, to] = [start, goal].map(|node| view.grid().cell(node));
            let chokes = self.chokes.get_or_insert_with(|| Chokes::of(view));
            if self.trial.cells().iter().any(|&cell| chokes.separates(cell, from, to)) {
                return None;
            }
        }
        let after = self.other_way(view, [start, goal], components);
        if !self.starts.iter().any(|table| table.end == start) {
            let way = &mut self.ways[index];
            way.spent += self.searches[0].expanded();
            if way.spent > view.grid().open_cells() as u64 {
                self.learn_start(view, index, pairs);
            }
        }
        after
    }

    /// Returns the cost of the best path that the building leaves. If the costs from the start are known, the old path
    /// is searched as far as the building from each endpoint in turns: the building may be close to either.
    fn other_way(
        &mut self,
        view: &GridView<'_>,
        [start, goal]: [NodeId; 2],
        components: &mut Option<Components>,
    ) -> Option<Cost> {
        let Siting { trial, searches: [ahead, back], rests, starts, .. } = self;
        let to_goal = rests.iter_mut().find(|table| table.end == goal)?;
        let mut from_start = starts.iter_mut().find(|table| table.end == start);
        let [forward, backward] =
            [Side::Forward, Side::Backward].map(|side| TrialView::new(view, trial, side));
        ahead.begin(view, &forward);
        if from_start.is_some() {
            back.begin(view, &backward);
        }
        let cells = view.neighbours().len();
        let (turn, patience) = (cells.div_ceil(TURN) as u64, (cells / PATIENCE) as u64);
        let mut is_sure = false;
        let found = loop {
            if !is_sure && (components.is_some() || ahead.expanded() >= patience) {
                let components = components.get_or_insert_with(|| trial.components(view));
                if reachable_within(components, view.grid().links(), start, goal) != Reach::Connected {
                    break None;
                }
                is_sure = true;
            }
            match ahead.run(&forward, to_goal, [start, goal], turn) {
                End::Paused => {}
                End::Goal(_) => break ahead.units(goal),
                // Costs fit on every grid.
                End::Exhausted | End::Overflow => break None,
            }
            let Some(from_start) = &from_start else { continue };
            match back.run(&backward, *from_start, [goal, start], turn) {
                End::Paused => {}
                End::Goal(_) => break back.units(start),
                End::Exhausted | End::Overflow => break None,
            }
        };
        to_goal.count(view, ahead);
        if let Some(from_start) = &mut from_start {
            from_start.count(view, back);
        }
        found.map(Cost::from_units)
    }
}

/// Returns the table for searches from a side to an endpoint, and computes it if there is none. It may replace one that
/// the pairs do not need; `None` if there is no room.
fn table<'a>(
    tables: &'a mut Vec<Rest>,
    side: Side,
    end: NodeId,
    view: &GridView<'_>,
    search: &mut Search,
    pairs: &[(Cell, Cell)],
) -> Option<&'a mut Rest> {
    if let Some(known) = tables.iter().position(|table| table.end == end) {
        return tables.get_mut(known);
    }
    if tables.len() >= most_goals(view) {
        let ends = pairs.iter().map(|&(from, to)| if side == Side::Forward { to } else { from });
        let needed: Vec<Option<NodeId>> = ends.map(|cell| view.grid().node(cell)).collect();
        let spare = tables.iter().position(|table| !needed.contains(&Some(table.end)))?;
        tables.swap_remove(spare);
    }
    tables.push(Rest::to(end, side, view, search));
    tables.last_mut()
}

/// Rejects queries that exceed the limits.
fn check(view: &GridView<'_>, footprint: &[Cell], pairs: &[(Cell, Cell)]) -> Result<(), SitingError> {
    if footprint.len() > Siting::MAX_FOOTPRINT {
        return Err(SitingError::Footprint(footprint.len()));
    }
    if pairs.len() > Siting::MAX_PAIRS {
        return Err(SitingError::Pairs(pairs.len()));
    }
    let most = most_goals(view);
    if pairs.len() > most {
        let mut goals: Vec<Option<NodeId>> = pairs.iter().map(|&(_, to)| view.grid().node(to)).collect();
        goals.sort_unstable();
        goals.dedup();
        if goals.len() > most {
            return Err(SitingError::Goals { found: goals.len(), most });
        }
    }
    Ok(())
}

/// Returns for how many goals there may be tables at once.
fn most_goals(view: &GridView<'_>) -> usize {
    (TABLE_BYTES / Rest::bytes_for(view)).clamp(1, Siting::MAX_GOALS)
}

/// Returns how far from a change steps may appear: where a wall was removed, cells open as far as a wide agent reaches,
/// and steps one further.
fn reach(view: &GridView<'_>) -> i32 {
    view.reach() + 1
}

/// Returns the nodes at which steps may have appeared or become cheaper, each once. Choke cells are forgotten if cells
/// opened.
fn eased(view: &GridView<'_>, changes: &Changes, chokes: &mut Option<Chokes>) -> Vec<NodeId> {
    let mut eased = Vec::new();
    let grid = view.grid();
    for change in changes.cells() {
        let CellChange { node, old, new, .. } = *change;
        if old.is_wall() || !new.is_wall() && new < old {
            view.for_each_near(node, reach(view), |near| eased.push(near));
            if old.is_wall() {
                *chokes = None;
            }
        }
    }
    let added = changes.links().iter().filter(|(_, more)| *more > 0);
    eased.extend(added.flat_map(|(link, _)| [link.from, link.to]));
    if !eased.is_empty() {
        // A link can be used again if its end opens, however far away that is.
        eased.extend(grid.links().iter().flat_map(|link| [link.from, link.to]));
    }
    eased.sort_unstable();
    eased.dedup();
    eased
}
