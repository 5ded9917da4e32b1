//! What a building would do to the ways between pairs of cells.

use crate::cost::Cost;
use crate::id::NodeId;
use crate::search::kernel::End;
use crate::siting::choke::Chokes;
use crate::siting::rest::{Rest, Search};
use crate::siting::trial::{Trial, TrialView};
use crate::siting::verdict::{Effect, SitingError, Verdict};
use crate::space::Cell;
use crate::world::components::Components;
use crate::world::grid::{GridChange, GridView};
use crate::world::nearest::{Reach, reachable, reachable_within};
use crate::world::view::{Vantage, View};

/// Judges buildings before they are built. Keep one for a map and an agent: what it learns of the map serves for all buildings, and
/// follows edits.
///
/// The first question about a goal takes a sweep over the map (some milliseconds for 512 x 512 cells), and so does the first building
/// that touches a way. Ask once while the map is loaded, with an empty footprint, and call [`chokes`](Siting::chokes). After that, a question is
/// quick enough for every move of the mouse; starts may change freely. When cells close, nothing is worked out anew; when
/// cells open, what they bring closer is repaired, and the choke cells are found again when they are next needed. The world and its journal
/// are only read.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::siting::Siting;
/// let grid: Grid = "
///     ......
///     .####.
///     ......".parse().unwrap();
/// let view = grid.view(&Agent::default()).unwrap();
/// let (gate, keep) = (Cell::new(0, 1), Cell::new(5, 1));
/// let mut siting = Siting::default();
/// assert!(!siting.would_block(&view, &[Cell::new(2, 0)], &[(gate, keep)]).unwrap().blocks_any());
/// let both_ways = [Cell::new(2, 0), Cell::new(3, 2)];
/// let verdict = siting.would_block(&view, &both_ways, &[(gate, keep)]).unwrap();
/// assert!(verdict.blocks_any());
/// assert_eq!(verdict.effects()[0].before, Cost::from_cells(7.0));
/// assert_eq!(verdict.effects()[0].after, None);
/// ```
#[derive(Debug, Default)]
pub struct Siting {
    /// Of which moment and agent the rest is true.
    vantage: Vantage,
    trial: Trial,
    search: Search,
    /// What is left to each goal.
    pub(super) rests: Vec<Rest>,
    /// The ways of the last pairs, in their order.
    ways: Vec<Way>,
    /// The choke cells, of now or of a moment since which nothing has opened: what separates two cells still does, with fewer
    /// cells open.
    chokes: Option<Chokes>,
}

/// The best way between two cells as the map is now.
#[derive(Debug, Default)]
struct Way {
    ends: Option<[NodeId; 2]>,
    /// What it costs, if there is a way.
    cost: Option<Cost>,
    path: Vec<NodeId>,
}

/// A search for another way may expand one of so many cells of the map before it is made sure that there is one. To
/// label the whole map takes a few times as long.
const PATIENCE: usize = 128;

/// If changes touch more cells than this, all is worked out anew.
const MANY_CELLS: usize = 1 << 16;

/// What all tables together may take, if there is more than one.
const TABLE_BYTES: usize = 1 << 30;

impl Siting {
    /// The most cells of a building.
    pub const MAX_FOOTPRINT: usize = 4096;
    /// The most pairs.
    pub const MAX_PAIRS: usize = 256;
    /// The most different goals; fewer on maps of more than a million cells.
    pub const MAX_GOALS: usize = 64;

    /// What a building would do to the best ways between pairs of cells, each given as start and goal.
    ///
    /// Cells of the footprint that are walls or outside make no difference. A pair with an end on which the agent cannot stand, or outside,
    /// has no way. A pair with an end that the building takes from the agent (for wide agents also beside the building) is cut off.
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
        let effect = |(index, &(from, to)): (usize, &(Cell, Cell))| Effect {
            from,
            to,
            before: self.ways[index].cost,
            after: self.after(view, index, &mut components),
        };
        let effects = pairs.iter().enumerate().map(effect).collect();
        self.trial.lift(view);
        Ok(Verdict { effects })
    }

    /// The choke cells of the map as it is now, worked out if they are not known.
    pub fn chokes(&mut self, view: &GridView<'_>) -> &Chokes {
        self.follow(view);
        let known = self.chokes.take().filter(|chokes| chokes.revision() == view.grid().revision());
        self.chokes.insert(known.unwrap_or_else(|| Chokes::of(view)))
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        let tables = self.rests.iter().map(Rest::bytes).sum::<usize>();
        let paths = self.ways.iter().map(|way| way.path.capacity() * size_of::<NodeId>()).sum::<usize>();
        let chokes = self.chokes.as_ref().map_or(0, Chokes::bytes);
        tables + paths + chokes + self.search.bytes() + self.trial.bytes()
    }

    /// Makes everything true of a map and an agent.
    fn follow(&mut self, view: &GridView<'_>) {
        let vantage = View::from(view).vantage();
        if vantage == self.vantage {
            return;
        }
        let before = std::mem::replace(&mut self.vantage, vantage);
        let changes = view.grid().journal().since(before.revision());
        let touched = (2 * reach(view) as usize + 1).pow(2);
        let followable = changes.filter(|changes| {
            vantage.has_same_agent(&before) && changes.len().saturating_mul(touched) <= MANY_CELLS
        });
        if let Some(changes) = followable {
            let eased = eased(view, changes, &mut self.chokes);
            self.rests.iter_mut().for_each(|rest| rest.follow(view, &eased));
        } else {
            self.rests.clear();
            self.chokes = None;
        }
        self.ways.clear();
        self.trial.renew(view);
    }

    /// Finds the best way between two cells, if it is not known.
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
        let Some([start, goal]) = ends else { return };
        if reachable(view, start, goal) != Reach::Connected {
            return;
        }
        let rest = Self::rest(&mut self.rests, goal, view, &mut self.search, pairs);
        let trial = TrialView::new(view, &self.trial);
        self.search.begin(view, &trial);
        if let End::Goal(_) = self.search.run(&trial, rest, [start, goal], u64::MAX) {
            way.cost = self.search.units(goal).map(Cost::from_units);
            self.search.trace_back(goal, &mut way.path);
        }
        rest.count(view, &mut self.search);
    }

    /// The table for a goal, made if there is none. It may take the place of one that the pairs do not need.
    fn rest<'a>(
        rests: &'a mut Vec<Rest>,
        goal: NodeId,
        view: &GridView<'_>,
        search: &mut Search,
        pairs: &[(Cell, Cell)],
    ) -> &'a mut Rest {
        let known = rests.iter().position(|rest| rest.goal == goal);
        let index = known.unwrap_or_else(|| {
            let is_needed =
                |rest: &Rest| pairs.iter().any(|&(_, to)| view.grid().node(to) == Some(rest.goal));
            if rests.len() >= most_goals(view)
                && let Some(spare) = rests.iter().position(|rest| !is_needed(rest))
            {
                rests.swap_remove(spare);
            }
            rests.push(Rest::to(goal, view, search));
            rests.len() - 1
        });
        &mut rests[index]
    }

    /// What the way would cost with the building that stands on trial.
    fn after(
        &mut self,
        view: &GridView<'_>,
        index: usize,
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
        let rest = self.rests.iter_mut().find(|rest| rest.goal == goal)?;
        let trial = TrialView::new(view, &self.trial);
        self.search.begin(view, &trial);
        let mut end = End::Paused;
        if components.is_none() {
            let patience = view.neighbours().len() / PATIENCE;
            end = self.search.run(&trial, rest, [start, goal], patience as u64);
        }
        if end == End::Paused {
            let components = components.get_or_insert_with(|| self.trial.components(view));
            if reachable_within(components, view.grid().links(), start, goal) != Reach::Connected {
                return None;
            }
            end = self.search.run(&trial, rest, [start, goal], u64::MAX);
        }
        let after = match end {
            End::Goal(_) => self.search.units(goal).map(Cost::from_units),
            // Costs fit on every grid, and the search was not told to pause.
            End::Exhausted | End::Paused | End::Overflow => None,
        };
        rest.count(view, &mut self.search);
        after
    }
}

/// Says no to what is too much.
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

/// For how many goals there may be tables at once.
fn most_goals(view: &GridView<'_>) -> usize {
    (TABLE_BYTES / Rest::bytes_for(view)).clamp(1, Siting::MAX_GOALS)
}

/// How far from a change steps may appear: where a wall went, cells open as far as a wide agent reaches, and steps one further.
fn reach(view: &GridView<'_>) -> i32 {
    view.reach() + 1
}

/// The nodes at which steps may have appeared or become cheaper, each once. Choke cells are forgotten if cells opened.
fn eased(
    view: &GridView<'_>,
    changes: impl Iterator<Item = GridChange>,
    chokes: &mut Option<Chokes>,
) -> Vec<NodeId> {
    let mut eased = Vec::new();
    let reach = reach(view);
    let grid = view.grid();
    for change in changes {
        match change {
            GridChange::Terrain { node, old, new } if old.is_wall() || !new.is_wall() && new < old => {
                let middle = grid.cell(node);
                let around =
                    (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| middle.offset(dx, dy)));
                eased.extend(around.filter_map(|cell| grid.node(cell)));
                if old.is_wall() {
                    *chokes = None;
                }
            }
            GridChange::LinkAdded(link) => eased.push(link.from),
            GridChange::Terrain { .. } | GridChange::LinkRemoved(_) => {}
        }
    }
    if !eased.is_empty() {
        // A link can be used again if its end opens, however far away that is.
        eased.extend(grid.links().iter().map(|link| link.from));
    }
    eased.sort_unstable();
    eased.dedup();
    eased
}
