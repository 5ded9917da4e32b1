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
        let mut floor = Floor { open: vec![false; stride * (grid.height() as usize + 2)], stride };
        for cell in grid.cells().filter(|&cell| grid.is_open(cell)) {
            let at = floor.index(node(cell));
            floor.open[at] = true;
        }
        Box::new(OnMap { floor, path: None })
    }
}

/// The row in the upper half, the column in the lower, both from 1. The crate hashes its nodes, and one number is
/// hashed faster than two: 5 to 15 % a query against the pairs of its examples.
type Node = u32;

/// The step from a row to the next.
const ROW: Node = 1 << 16;

fn node(cell: Cell) -> Node {
    (cell.y + 1) as u32 * ROW + (cell.x + 1) as u32
}

fn column_and_row(node: Node) -> (u32, u32) {
    (node % ROW, node / ROW)
}

/// What is open, with a border of walls, so that moves need no bounds test.
struct Floor {
    open: Vec<bool>,
    stride: usize,
}

impl Floor {
    fn index(&self, node: Node) -> usize {
        let (column, row) = column_and_row(node);
        row as usize * self.stride + column as usize
    }

    /// The legal moves, in an array: the crate takes any iterator, so nothing needs to be allocated.
    fn moves(&self, node: Node) -> impl Iterator<Item = (Node, u32)> + use<> {
        let at = self.index(node);
        let (above, below) = (at - self.stride, at + self.stride);
        let open = |index: usize| self.open[index];
        let (north, south, west, east) = (open(above), open(below), open(at - 1), open(at + 1));
        let moves = [
            north.then_some((node - ROW, STRAIGHT)),
            south.then_some((node + ROW, STRAIGHT)),
            west.then_some((node - 1, STRAIGHT)),
            east.then_some((node + 1, STRAIGHT)),
            (north && west && open(above - 1)).then_some((node - ROW - 1, DIAGONAL)),
            (north && east && open(above + 1)).then_some((node - ROW + 1, DIAGONAL)),
            (south && west && open(below - 1)).then_some((node + ROW - 1, DIAGONAL)),
            (south && east && open(below + 1)).then_some((node + ROW + 1, DIAGONAL)),
        ];
        moves.into_iter().flatten()
    }
}

struct OnMap {
    floor: Floor,
    path: Option<Vec<Node>>,
}

impl Prepared for OnMap {
    fn search(&mut self, from: Cell, to: Cell) {
        let goal = node(to);
        let (goal_column, goal_row) = column_and_row(goal);
        let estimate = |&node: &Node| {
            let (column, row) = column_and_row(node);
            octile(column.abs_diff(goal_column), row.abs_diff(goal_row))
        };
        let found = astar(&node(from), |&node| self.floor.moves(node), estimate, |&node| node == goal);
        self.path = found.map(|(path, _)| path);
    }

    fn take_path(&mut self) -> Option<Vec<Cell>> {
        let path = self.path.take()?;
        let cell = |(column, row)| Cell::new(column as i32 - 1, row as i32 - 1);
        Some(path.into_iter().map(|node| cell(column_and_row(node))).collect())
    }
}
