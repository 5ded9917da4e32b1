//! A plain grid, for solvers that get moves one by one.

use surefoot::prelude::Grid;

use super::{DIAGONAL, STRAIGHT};

/// What is open, with a border of walls, so that moves need no bounds test.
pub struct Floor {
    open: Vec<bool>,
    pub stride: usize,
}

impl Floor {
    pub fn of(grid: &Grid) -> Floor {
        let stride = grid.width() as usize + 2;
        let mut floor = Floor { open: vec![false; stride * (grid.height() as usize + 2)], stride };
        for cell in grid.cells().filter(|&cell| grid.is_open(cell)) {
            let at = floor.index(cell.x as usize + 1, cell.y as usize + 1);
            floor.open[at] = true;
        }
        floor
    }

    /// Where the cell at a column and row lies, both counted from 1.
    pub fn index(&self, column: usize, row: usize) -> usize {
        row * self.stride + column
    }

    /// The legal moves from a place as columns, rows and cost.
    pub fn moves(&self, column: usize, row: usize) -> [Option<(i32, i32, u32)>; 8] {
        let at = self.index(column, row);
        let (above, below) = (at - self.stride, at + self.stride);
        let open = |index: usize| self.open[index];
        let (north, south, west, east) = (open(above), open(below), open(at - 1), open(at + 1));
        [
            north.then_some((0, -1, STRAIGHT)),
            south.then_some((0, 1, STRAIGHT)),
            west.then_some((-1, 0, STRAIGHT)),
            east.then_some((1, 0, STRAIGHT)),
            (north && west && open(above - 1)).then_some((-1, -1, DIAGONAL)),
            (north && east && open(above + 1)).then_some((1, -1, DIAGONAL)),
            (south && west && open(below - 1)).then_some((-1, 1, DIAGONAL)),
            (south && east && open(below + 1)).then_some((1, 1, DIAGONAL)),
        ]
    }

    /// How many places there are, the border included.
    pub fn len(&self) -> usize {
        self.open.len()
    }
}
