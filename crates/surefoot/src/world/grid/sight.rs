//! Straight lines over a grid, from the middle of a cell to the middle of another.
//!
//! A line is free if the agent can stand on every cell whose inside the line passes, and if at every corner of cells through
//! which it passes exactly, the two cells beside it allow a diagonal step: with the rule `8` both have to be open, with `8-one`
//! one of them, with `8-free` none. So a line along diagonal steps is free when the steps are legal. Who walks in four directions
//! makes no diagonal steps; its lines are those of the rule `8`.
//!
//! All of it is in whole numbers. A line crosses each row in one run of cells, which is compared with the words of the
//! agent's bit plane.

use crate::agent::Moves;
use crate::cost::{Cost, line_above};
use crate::graph::Sight;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::{Direction, GridView};

impl Sight for GridView<'_> {
    #[inline]
    fn sees(&self, a: NodeId, b: NodeId) -> bool {
        self.sees_cell(self.shape().cell(a), self.shape().cell(b))
    }

    /// Two cells on and one aside, past a corner that steps must not cut: free, but not along steps. For those who walk in four
    /// directions also a cell on and one aside.
    #[inline]
    fn for_each_leap(&self, from: NodeId, mut visit: impl FnMut(NodeId)) {
        const SLANTS: [[Direction; 3]; 4] = [
            [Direction::NorthEast, Direction::North, Direction::East],
            [Direction::SouthEast, Direction::South, Direction::East],
            [Direction::SouthWest, Direction::South, Direction::West],
            [Direction::NorthWest, Direction::North, Direction::West],
        ];
        let near = self.neighbours();
        let around = near[from.index()];
        let ahead =
            |node: NodeId, on: Direction| NodeId(node.0.wrapping_add_signed(self.offsets()[on as usize]));
        let is_open = |node: NodeId, on: Direction| near[node.index()] & on.bit() != 0;
        let goes_on = |on: Direction| is_open(ahead(from, on), on);
        match self.moves() {
            Moves::EightOne | Moves::EightFree => return,
            Moves::Eight if around == u8::MAX && Direction::ALL[..4].iter().all(|&on| goes_on(on)) => return,
            Moves::Eight | Moves::Four => {}
        }
        for [slant, vertical, horizontal] in SLANTS {
            if !is_open(from, slant) {
                continue;
            }
            let beside = ahead(from, slant);
            for (on, aside) in [(vertical, horizontal), (horizontal, vertical)] {
                // One of the two ways, straight and diagonal or diagonal and straight, is not legal.
                let bends = is_open(from, on) && !(is_open(from, aside) && goes_on(on));
                if bends && is_open(beside, on) {
                    visit(ahead(beside, on));
                }
            }
            if self.moves() == Moves::Four && is_open(from, vertical) && is_open(from, horizontal) {
                visit(beside);
            }
        }
    }

    #[inline]
    fn line(&self, a: NodeId, b: NodeId) -> Cost {
        let (a, b) = (self.shape().cell(a), self.shape().cell(b));
        let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
        let [straight, _] = self.level_steps(self.grid().cheapest_terrain());
        Cost::from_units(line_above(straight.units(), dx * dx + dy * dy))
    }
}

impl GridView<'_> {
    /// Whether the line between two open cells is free.
    ///
    /// With the first cell's middle as the origin, the line `(dx, dy)` leaves row `k - 1` for row `k` at height `k - 1/2`, that
    /// is at `x = dx (2k - 1) / (2 dy)`. There it is in column `floor(x + 1/2)`; if `x + 1/2` is whole, it goes through the
    /// corner between that column and the one before.
    fn sees_cell(&self, a: Cell, b: Cell) -> bool {
        let (top, bottom) = if a.y <= b.y { (a, b) } else { (b, a) };
        let (dx, dy) = ((bottom.x - top.x).abs(), bottom.y - top.y);
        let (open, moves) = (self.open_cells(), self.moves());
        let mirrored = bottom.x < top.x;
        let run = |row: i32, first: i32, last: i32| {
            let (left, right) =
                if mirrored { (top.x - last, top.x - first) } else { (top.x + first, top.x + last) };
            open.has_run(top.y + row, left, right)
        };
        // Where the line enters the next row, times `2 dy`: the column and what is left over.
        let rows = 2 * dy;
        let (mut column, mut rest) = if dy == 0 { (0, 0) } else { ((dx + dy) / rows, (dx + dy) % rows) };
        let (columns, slant) = if dy == 0 { (0, 0) } else { (2 * dx / rows, 2 * dx % rows) };
        let mut first = 0;
        for row in 0..dy {
            let corner = i32::from(rest == 0);
            let (last, next) = match moves {
                Moves::Four | Moves::Eight => (column, column - corner),
                Moves::EightOne | Moves::EightFree => (column - corner, column),
            };
            if !run(row, first, last) {
                return false;
            }
            if corner == 1
                && moves == Moves::EightOne
                && !run(row, column, column)
                && !run(row + 1, column - 1, column - 1)
            {
                return false;
            }
            first = next;
            column += columns;
            rest += slant;
            if rest >= rows {
                rest -= rows;
                column += 1;
            }
        }
        run(dy, first, dx)
    }
}
