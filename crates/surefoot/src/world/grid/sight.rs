//! Lines of sight on a grid, from the centre of a cell to the centre of another.
//!
//! For an agent with a radius above 0, a line is free if every unit box of cell centres that it passes has only open corners: a box
//! has four neighbouring centres as its corners, or two for a line along a row or column. Then every point of the line is at least
//! the radius away from every wall. In coordinates in which centres are whole numbers, the distance of a point `x` to the wall cell
//! `k` is `sqrt(sum max(0, |x_i - k_i| - 1/2)^2)`. Between two whole numbers each term is monotone, so within a box the
//! distance to any wall is least at a corner, and there it is at least the radius, because the agent can stand there. A diagonal step
//! passes one box, whose corners have to be open by the rule `8` as well.
//!
//! An agent without a radius may graze corners. Its line is free if it can stand on every cell whose interior the line passes. Where
//! the line passes exactly through a corner of cells, the two cells beside it must allow a diagonal step: with the rules `4` and `8`
//! both have to be open, with `8-one` one of them, with `8-free` neither.
//!
//! A line along legal steps is therefore always free. All computations use integers. A line needs one run of cells in each row,
//! which is compared with the words of the agent's bit plane.

use crate::agent::Moves;
use crate::cost::{Cost, line_above};
use crate::graph::Sight;
use crate::id::NodeId;
use crate::space::{Cell, Point};
use crate::world::clear::{Corners, is_clear_round, is_clear_thin, nearest_in_boxes};
use crate::world::grid::{Direction, GridView};

impl Sight for GridView<'_> {
    #[inline]
    fn sees(&self, a: NodeId, b: NodeId) -> bool {
        let (a, b) = (self.shape().cell(a), self.shape().cell(b));
        let (top, bottom) = if a.y <= b.y { (a, b) } else { (b, a) };
        if self.is_round() { self.sees_round(top, bottom) } else { self.sees_thin(top, bottom) }
    }

    /// Visits the cells two columns and one row away, or one and two, behind a corner that steps must not cut: a line there may be
    /// free although no steps lead along it. With the rule `4`, visits diagonal neighbours as well. For an agent with a radius,
    /// visits only those, because lines past a corner are not free.
    #[inline]
    fn for_each_leap(&self, from: NodeId, mut visit: impl FnMut(NodeId)) {
        const SLANTS: [[Direction; 3]; 4] = [
            [Direction::NorthEast, Direction::North, Direction::East],
            [Direction::SouthEast, Direction::South, Direction::East],
            [Direction::SouthWest, Direction::South, Direction::West],
            [Direction::NorthWest, Direction::North, Direction::West],
        ];
        let near = self.neighbours();
        let around = near.get(from.index());
        let ahead =
            |node: NodeId, on: Direction| NodeId(node.0.wrapping_add_signed(self.offsets()[on as usize]));
        let is_open = |node: NodeId, on: Direction| near.get(node.index()) & on.bit() != 0;
        let goes_on = |on: Direction| is_open(ahead(from, on), on);
        let is_round = self.is_round();
        match self.moves() {
            Moves::EightOne | Moves::EightFree => return,
            Moves::Eight if is_round => return,
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
                if bends && !is_round && is_open(beside, on) {
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

    fn straight_step(&self) -> Cost {
        let [straight, _] = self.level_steps(self.grid().cheapest_terrain());
        straight
    }
}

impl GridView<'_> {
    /// Returns whether the agent can move along the straight line between two points in world coordinates, which need not be centres
    /// of cells.
    ///
    /// The rule is that of [`sees`](Sight::sees), and the results agree between centres. For an agent with a radius, every unit box
    /// of cell centres that the line passes must have only open corners, so no point of the line is closer to a wall than the
    /// radius. For an agent without a radius, every cell that the line passes must be open, and corners of cells are passed as by
    /// steps; a point on the border between cells belongs to all of them. Lines that leave the map are not clear. `z` is ignored.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let grid: Grid = "
    ///     ...
    ///     ..#".parse().unwrap();
    /// let view = grid.view(&Agent::new().with_radius(0.4).unwrap());
    /// let from = Point::flat(0.6, 0.7);
    /// assert!(view.is_clear(from, Point::flat(1.5, 0.9)));
    /// assert!(!view.is_clear(from, Point::flat(1.6, 0.9)), "too close to the wall");
    /// assert!(!view.is_clear(from, Point::flat(f64::NAN, 0.9)));
    /// ```
    pub fn is_clear(&self, a: Point, b: Point) -> bool {
        let [a, b] = [a, b].map(|point| self.in_cells(point));
        let (width, height) = (f64::from(self.grid().width()), f64::from(self.grid().height()));
        let is_inside = |[x, y]: [f64; 2]| (0.0..=width).contains(&x) && (0.0..=height).contains(&y);
        if !is_inside(a) || !is_inside(b) {
            return false;
        }
        let is_open = |[x, y]: [i32; 2]| self.is_open(Cell { x, y });
        if self.is_round() {
            let [a, b] = [a, b].map(|point| point.map(|part| part - 0.5));
            return is_clear_round(a, b, is_open);
        }
        let at_corners = match self.moves() {
            Moves::Four | Moves::Eight => Corners::All,
            Moves::EightOne => Corners::One,
            Moves::EightFree => Corners::Free,
        };
        is_clear_thin(a, b, at_corners, is_open)
    }

    /// Returns the point itself if the agent can be there, and otherwise the nearest point between neighbouring open cells: in a
    /// square of four cell centres, on the line between two, or at a single one. `None` if no cell is open or the point is not
    /// finite.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let grid: Grid = "
    ///     ...
    ///     ..#".parse().unwrap();
    /// let view = grid.view(&Agent::new().with_radius(0.4).unwrap());
    /// assert_eq!(view.nearest_clear_point(Point::flat(1.2, 0.8)), Some(Point::flat(1.2, 0.8)));
    /// assert_eq!(view.nearest_clear_point(Point::flat(2.5, 0.9)), Some(Point::flat(2.5, 0.5)));
    /// ```
    pub fn nearest_clear_point(&self, to: Point) -> Option<Point> {
        if self.is_clear(to, to) {
            return Some(to);
        }
        let at = self.in_cells(to).map(|part| part - 0.5);
        at.iter().all(|part| part.is_finite()).then_some(())?;
        let size = [self.grid().width(), self.grid().height()];
        let [x, y] = nearest_in_boxes(at, size, |[x, y]| self.is_open(Cell { x, y }))?;
        let point = self.grid().frame().point_at([x + 0.5, y + 0.5, 0.0]);
        Some(Point { z: to.z, ..point })
    }

    fn in_cells(&self, point: Point) -> [f64; 2] {
        let [x, y, _] = self.grid().frame().in_cells(point);
        [x, y]
    }

    /// Whether all cells of a row are open that lie `first` to `last` columns from `top` towards `bottom`.
    #[inline]
    fn has_run(&self, top: Cell, bottom: Cell, row: i32, [first, last]: [i32; 2]) -> bool {
        let (left, right) =
            if bottom.x < top.x { (top.x - last, top.x - first) } else { (top.x + first, top.x + last) };
        self.open_cells().has_run(top.y + row, left, right)
    }

    /// Whether the line between two open cells is free for a round agent.
    ///
    /// With the upper cell's centre as the origin, the line `(dx, dy)` passes the boxes between the rows `k` and `k + 1` from
    /// `x = dx k / dy` to `dx (k + 1) / dy`. Row `k` belongs to the boxes above and below it, so it has to be open from
    /// `floor(dx (k - 1) / dy)` to `ceil(dx (k + 1) / dy)`.
    fn sees_round(&self, top: Cell, bottom: Cell) -> bool {
        let (dx, dy) = ((bottom.x - top.x).abs(), bottom.y - top.y);
        if dy == 0 {
            return self.has_run(top, bottom, 0, [0, dx]);
        }
        let (columns, slant) = (dx / dy, dx % dy);
        // Where the line is in the row before, and in this one: whole columns, and what is left over in parts of `dy`.
        let (mut before, mut column, mut rest) = (0, 0, 0);
        for row in 0..=dy {
            let mut next = column + columns;
            rest += slant;
            if rest >= dy {
                rest -= dy;
                next += 1;
            }
            let last = (next + i32::from(rest > 0)).min(dx);
            if !self.has_run(top, bottom, row, [before, last]) {
                return false;
            }
            (before, column) = (column, next);
        }
        true
    }

    /// Whether the line between two open cells is free for an agent without a radius.
    ///
    /// With the upper cell's centre as the origin, the line `(dx, dy)` leaves row `k - 1` for row `k` at height `k - 1/2`, that
    /// is at `x = dx (2k - 1) / (2 dy)`. There it is in column `floor(x + 1/2)`; if `x + 1/2` is whole, it goes through the
    /// corner between that column and the one before.
    fn sees_thin(&self, top: Cell, bottom: Cell) -> bool {
        let (dx, dy) = ((bottom.x - top.x).abs(), bottom.y - top.y);
        let moves = self.moves();
        let run = |row: i32, first: i32, last: i32| self.has_run(top, bottom, row, [first, last]);
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
