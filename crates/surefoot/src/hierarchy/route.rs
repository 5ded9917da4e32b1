//! Plans that are refined as they are walked.

use std::fmt;
use std::sync::Arc;

use crate::core::kernel::End;
use crate::core::outcome::{Stats, Why};
use crate::hierarchy::{Account, Query, Table};
use crate::id::NodeId;
use crate::search::prepare::{PrepareError, PrepareOptions};
use crate::search::{admit, prepare};
use crate::world::any::{Locate, Vantage, View, locate};
use crate::world::changes::Changes;
use crate::world::grid::GridView;

/// A grid as one agent sees it, divided into clusters with known inner distances.
///
/// ```
/// use surefoot::hierarchy::Hierarchy;
/// use surefoot::prelude::*;
/// let mut grid = Grid::new(200, 100).unwrap();
/// let agent = Agent::default();
/// let mut hierarchy = Hierarchy::new(&grid.view(&agent), &PrepareOptions::default()).unwrap();
/// grid.set(Cell::new(90, 50), Terrain::WALL).unwrap();
/// let view = grid.view(&agent);
/// hierarchy.keep_up(&view, &PrepareOptions::default()).unwrap(); // recomputes only what the wall has changed
/// assert!(hierarchy.route(&view, Cell::new(0, 50), Cell::new(199, 50)).is_ok());
/// ```
pub struct Hierarchy {
    table: prepare::Held<Table>,
    vantage: Vantage,
}

impl fmt::Debug for Hierarchy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hierarchy").field("memory_bytes", &self.memory_bytes()).finish_non_exhaustive()
    }
}

impl Hierarchy {
    /// Builds the hierarchy of a grid.
    pub fn new(view: &GridView<'_>, options: &PrepareOptions<'_>) -> Result<Hierarchy, PrepareError> {
        let mut hierarchy = Hierarchy { table: prepare::Held::default(), vantage: Vantage::default() };
        hierarchy.keep_up(view, options)?;
        Ok(hierarchy)
    }

    /// Updates the hierarchy to match the grid as it is now. After a few edits this is fast.
    pub fn keep_up(&mut self, view: &GridView<'_>, options: &PrepareOptions<'_>) -> Result<(), PrepareError> {
        keep_up(&mut self.table, view, options)?;
        self.vantage = View::from(view).vantage();
        Ok(())
    }

    /// Returns the bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        self.table.table().map_or(0, |table| table.bytes())
    }

    /// Plans a path. Returns [`Why::WorldChanged`] if the hierarchy has to [keep up](Hierarchy::keep_up) first.
    pub fn route(&self, view: &GridView<'_>, from: impl Locate, to: impl Locate) -> Result<Route, Why> {
        let any = View::from(view);
        let table = self.table.table().filter(|_| any.vantage() == self.vantage).ok_or(Why::WorldChanged)?;
        let mut goals = Vec::new();
        let ends = (locate(from, &any, Why::StartOutside), [locate(to, &any, Why::GoalOutside)]);
        let admitted = admit::admit(&any, ends.0, &ends.1, &mut goals)?;
        let mut query = Query::default();
        query.begin(view, table, admitted.start, &goals);
        let mut route = Route { table: table.clone(), vantage: self.vantage, query, given: 0 };
        // As soon as there is a plan, the start is known to be its first cell.
        route.go_on(view, 1)?;
        Ok(route)
    }
}

/// A planned path from one cell to another, whose cells are computed one stretch at a time.
///
/// ```
/// use surefoot::hierarchy::Hierarchy;
/// use surefoot::prelude::*;
/// let grid = Grid::new(300, 300).unwrap();
/// let view = grid.view(&Agent::default());
/// let hierarchy = Hierarchy::new(&view, &PrepareOptions::default()).unwrap();
/// let mut route = hierarchy.route(&view, Cell::new(0, 0), Cell::new(299, 280)).unwrap();
/// let (mut path, mut legs) = (Vec::new(), 0);
/// while route.next_leg(&view, &mut path).unwrap() {
///     legs += 1; // a unit could walk these cells now
/// }
/// assert!(legs > 5);
/// assert_eq!((grid.cell(path[0]), grid.cell(path[path.len() - 1])), (Cell::new(0, 0), Cell::new(299, 280)));
/// ```
pub struct Route {
    table: Arc<Table>,
    vantage: Vantage,
    query: Query,
    /// The number of cells that have been returned.
    given: usize,
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Route").field("given", &self.given).finish_non_exhaustive()
    }
}

impl Route {
    /// Appends the cells of the next stretch to a path; the first stretch begins with the start. Returns `false` at the
    /// goal, when there are no more. Returns [`Why::WorldChanged`] if the world is not the one that the route was
    /// planned in.
    pub fn next_leg(&mut self, view: &GridView<'_>, path: &mut Vec<NodeId>) -> Result<bool, Why> {
        if View::from(view).vantage() != self.vantage {
            return Err(Why::WorldChanged);
        }
        self.go_on(view, self.query.path().len() + 1)?;
        let leg = &self.query.path()[self.given..];
        path.extend(leg);
        self.given += leg.len();
        Ok(!leg.is_empty())
    }

    /// Returns the places on the path that have not been refined to cells, up to the goal: transitions between
    /// clusters, the next first.
    pub fn ahead(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.query.plan_cells()
    }

    /// Continues until `enough` cells are known, or all.
    fn go_on(&mut self, view: &GridView<'_>, enough: usize) -> Result<(), Why> {
        let mut stats = Stats::default();
        let mut account = Account { left: u64::MAX, stats: &mut stats, watcher: None };
        match self.query.run(view, &self.table, enough, &mut account) {
            End::Paused | End::Goal(_) => Ok(()),
            End::Overflow => Err(Why::CostOverflow),
            End::Exhausted => Err(Why::OneWay),
        }
    }
}

/// Makes sure that there is a table for a view: by following edits if there is an earlier one, or else from scratch.
pub(crate) fn keep_up(
    held: &mut prepare::Held<Table>,
    view: &GridView<'_>,
    options: &PrepareOptions<'_>,
) -> Result<(), PrepareError> {
    let any = View::from(view);
    let mut changes = Changes::default();
    held.keep_up(&any, |old| {
        if let Some((seen, mut table)) = old
            && seen.has_same_agent(&any.vantage())
            && view.grid().read_changes(seen.revision(), &mut changes)
            && Arc::make_mut(&mut table).follow(view, &changes, options)?
            && table.bytes() as u64 <= options.memory_limit
        {
            return Ok(table);
        }
        Table::build(view, options).map(Arc::new)
    })
}
