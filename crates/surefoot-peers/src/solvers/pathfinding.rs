//! The crate `pathfinding`: A* with a closure that lists the legal moves.
//!
//! Twice: as its documentation poses queries (nodes are pairs of coordinates, the successors of a node are a `Vec`), and tuned
//! as far as its interface allows (one number a node, which hashes faster, and successors in an array).

use pathfinding::prelude::astar;
use surefoot::prelude::{Cell, Grid};

use super::floor::Floor;
use super::{Prepared, Solver, octile};
use crate::maps::Query;

/// `pathfinding::prelude::astar` as its documentation shows it.
pub struct Astar;

impl Solver for Astar {
    fn name(&self) -> &'static str {
        "pathfinding/astar"
    }

    fn prepare<'a>(&'a mut self, grid: &Grid, _first: Query) -> Box<dyn Prepared + 'a> {
        Box::new(Documented { floor: Floor::of(grid), path: None })
    }
}

/// Column and row, both from 1.
type Pair = (i32, i32);

struct Documented {
    floor: Floor,
    path: Option<Vec<Pair>>,
}

impl Documented {
    fn successors(&self, (x, y): Pair) -> Vec<(Pair, u32)> {
        let moves = self.floor.moves(x as usize, y as usize).into_iter().flatten();
        moves.map(|(dx, dy, cost)| ((x + dx, y + dy), cost)).collect()
    }
}

impl Prepared for Documented {
    fn search(&mut self, from: Cell, to: Cell) {
        let (start, goal) = ((from.x + 1, from.y + 1), (to.x + 1, to.y + 1));
        let found = astar(
            &start,
            |&pair| self.successors(pair),
            |&(x, y)| octile(x.abs_diff(goal.0), y.abs_diff(goal.1)),
            |&pair| pair == goal,
        );
        self.path = found.map(|(path, _)| path);
    }

    fn take_path(&mut self) -> Option<Vec<Cell>> {
        let path = self.path.take()?;
        Some(path.into_iter().map(|(x, y)| Cell::new(x - 1, y - 1)).collect())
    }
}

/// `pathfinding::prelude::astar` with packed nodes and without allocations in its successors.
pub struct TunedAstar;

impl Solver for TunedAstar {
    fn name(&self) -> &'static str {
        "pathfinding/astar_tuned"
    }

    fn prepare<'a>(&'a mut self, grid: &Grid, _first: Query) -> Box<dyn Prepared + 'a> {
        Box::new(Tuned { floor: Floor::of(grid), path: None })
    }
}

/// The row in the upper half, the column in the lower, both from 1.
type Packed = u32;

/// The step from a row to the next.
const ROW: Packed = 1 << 16;

fn pack(cell: Cell) -> Packed {
    (cell.y + 1) as u32 * ROW + (cell.x + 1) as u32
}

fn column_and_row(node: Packed) -> (u32, u32) {
    (node % ROW, node / ROW)
}

struct Tuned {
    floor: Floor,
    path: Option<Vec<Packed>>,
}

impl Tuned {
    fn successors(&self, node: Packed) -> impl Iterator<Item = (Packed, u32)> + use<> {
        let (column, row) = column_and_row(node);
        let moves = self.floor.moves(column as usize, row as usize).into_iter().flatten();
        moves.map(move |(dx, dy, cost)| (node.wrapping_add_signed(dy * ROW as i32 + dx), cost))
    }
}

impl Prepared for Tuned {
    fn search(&mut self, from: Cell, to: Cell) {
        let goal = pack(to);
        let (goal_column, goal_row) = column_and_row(goal);
        let estimate = |&node: &Packed| {
            let (column, row) = column_and_row(node);
            octile(column.abs_diff(goal_column), row.abs_diff(goal_row))
        };
        let found = astar(&pack(from), |&node| self.successors(node), estimate, |&node| node == goal);
        self.path = found.map(|(path, _)| path);
    }

    fn take_path(&mut self) -> Option<Vec<Cell>> {
        let path = self.path.take()?;
        let cell = |(column, row)| Cell::new(column as i32 - 1, row as i32 - 1);
        Some(path.into_iter().map(|node| cell(column_and_row(node))).collect())
    }
}
