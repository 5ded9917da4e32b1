//! The crate `pathfinding`: A* with a closure that lists the legal moves.

use pathfinding::prelude::astar;
use surefoot::prelude::{Cell, Grid};

use super::{DIAGONAL, Prepared, STRAIGHT, Solver, octile};
use crate::maps::Query;

/// `pathfinding::prelude::astar`.
pub struct Astar;

impl Solver for Astar {
    fn name(&self) -> &'static str {
        "pathfinding/astar"
    }

    fn prepare<'a>(&'a mut self, grid: &Grid, _first: Query) -> Box<dyn Prepared + 'a> {
        let stride = grid.width() as usize + 2;
        let mut open = vec![false; stride * (grid.height() as usize + 2)];
        for cell in grid.cells().filter(|&cell| grid.is_open(cell)) {
            open[(cell.y + 1) as usize * stride + (cell.x + 1) as usize] = true;
        }
        Box::new(OnMap { cells: Cells { open, stride }, path: None })
    }
}

/// Column and row, counted from 1: the border is wall, so moves need no bounds test.
type Node = (u16, u16);

struct OnMap {
    cells: Cells,
    path: Option<Vec<Node>>,
}

struct Cells {
    open: Vec<bool>,
    stride: usize,
}

impl Cells {
    /// The legal moves, in an array: the crate takes any iterator, so nothing needs to be allocated.
    fn moves(&self, &(x, y): &Node) -> impl Iterator<Item = (Node, u32)> + use<> {
        let at = y as usize * self.stride + x as usize;
        let open = |index: usize| self.open[index];
        let (north, south) = (open(at - self.stride), open(at + self.stride));
        let (west, east) = (open(at - 1), open(at + 1));
        let moves = [
            north.then_some(((x, y - 1), STRAIGHT)),
            south.then_some(((x, y + 1), STRAIGHT)),
            west.then_some(((x - 1, y), STRAIGHT)),
            east.then_some(((x + 1, y), STRAIGHT)),
            (north && west && open(at - self.stride - 1)).then_some(((x - 1, y - 1), DIAGONAL)),
            (north && east && open(at - self.stride + 1)).then_some(((x + 1, y - 1), DIAGONAL)),
            (south && west && open(at + self.stride - 1)).then_some(((x - 1, y + 1), DIAGONAL)),
            (south && east && open(at + self.stride + 1)).then_some(((x + 1, y + 1), DIAGONAL)),
        ];
        moves.into_iter().flatten()
    }
}

impl Prepared for OnMap {
    fn search(&mut self, from: Cell, to: Cell) {
        let node = |cell: Cell| ((cell.x + 1) as u16, (cell.y + 1) as u16);
        let goal = node(to);
        let found = astar(
            &node(from),
            |node| self.cells.moves(node),
            |&(x, y)| octile(x.abs_diff(goal.0).into(), y.abs_diff(goal.1).into()),
            |&node| node == goal,
        );
        self.path = found.map(|(path, _)| path);
    }

    fn take_path(&mut self) -> Option<Vec<Cell>> {
        let path = self.path.take()?;
        Some(path.into_iter().map(|(x, y)| Cell::new(i32::from(x) - 1, i32::from(y) - 1)).collect())
    }
}
