//! The crate `grid_pathfinding`: jump point search.
//!
//! It has no rule against cutting corners, so its queries differ from the others'; the report shows how
//! many of them are illegal under our rule. Its costs are rounded to 70 and 99.

use grid_pathfinding::PathingGrid;
use grid_util::grid::ValueGrid as _;
use grid_util::point::Point;
use surefoot::prelude::{Cell, Grid};

use super::{Prepared, Solver};
use crate::maps::Query;

/// `PathingGrid::get_path_single_goal`: the path cell by cell, as the others give it.
pub struct Jps;

impl Solver for Jps {
    fn name(&self) -> &'static str {
        "grid_pathfinding/jps"
    }

    fn prepare<'a>(&'a mut self, grid: &Grid, _first: Query) -> Box<dyn Prepared + 'a> {
        // As in the crate's own benchmarks: the plain grid first, then everything derived from it at once, and without
        // the "improved pruning", which makes it 1.7 times slower on these maps.
        let mut pathing = PathingGrid::new(grid.width() as usize, grid.height() as usize, true);
        for cell in grid.cells() {
            pathing.grid.set(cell.x, cell.y, !grid.is_open(cell));
        }
        pathing.improved_pruning = false;
        pathing.initialize();
        pathing.generate_components();
        Box::new(OnMap { pathing, path: None })
    }
}

struct OnMap {
    pathing: PathingGrid,
    path: Option<Vec<Point>>,
}

impl Prepared for OnMap {
    fn search(&mut self, from: Cell, to: Cell) {
        let point = |cell: Cell| Point::new(cell.x, cell.y);
        self.path = self.pathing.get_path_single_goal(point(from), point(to), false);
    }

    fn take_path(&mut self) -> Option<Vec<Cell>> {
        let path = self.path.take()?;
        Some(path.into_iter().map(|point| Cell::new(point.x, point.y)).collect())
    }
}
