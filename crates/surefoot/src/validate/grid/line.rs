//! Lines at any angle, from their definition.

use std::ops::RangeInclusive;

use super::super::distance::too_close;
use super::super::{Place, Violation, line_units};
use super::{Judge, Tally};
use crate::space::Cell;

/// How a cell and a line between the centres of two cells meet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meeting {
    /// The line passes through the interior of the cell.
    Inside,
    /// It passes through a corner of the cell.
    Corner,
    /// It does not touch the cell.
    Apart,
}

/// Returns how a line meets a cell of the box around its endpoints.
///
/// The cross product of the line and the vector from its start to the centre of the cell grows by half of `|dx| + |dy|`
/// from the centre to the corner that is furthest from the line. The line goes through the cell if it is zero somewhere
/// inside.
fn meeting(from: Cell, to: Cell, cell: Cell) -> Meeting {
    let (dx, dy) = (i64::from(to.x - from.x), i64::from(to.y - from.y));
    let cross = dx * i64::from(cell.y - from.y) - dy * i64::from(cell.x - from.x);
    match (2 * cross.abs()).cmp(&(dx.abs() + dy.abs())) {
        std::cmp::Ordering::Less => Meeting::Inside,
        std::cmp::Ordering::Equal => Meeting::Corner,
        std::cmp::Ordering::Greater => Meeting::Apart,
    }
}

impl Judge<'_> {
    /// Checks that a round agent keeps its distance from walls between the centres of two cells.
    pub(super) fn check_distance(&self, step: usize, from: Cell, to: Cell) -> Result<(), Violation> {
        let needed = self.agent.radius();
        if needed <= 0.0 {
            return Ok(());
        }
        let ends = [from, to].map(|cell| [cell.x, cell.y]);
        let size = [self.grid.width(), self.grid.height()];
        match too_close(ends, needed, size, |[x, y]| self.is_wall(Cell::new(x, y))) {
            None => Ok(()),
            Some(([x, y], distance)) => {
                let [from, to, solid] = [from, to, Cell::new(x, y)].map(Place::Cell);
                Err(Violation::LineTooClose { step, from, to, solid, distance, needed })
            }
        }
    }

    /// Checks a line between two cells where the agent can stand, and adds its cost and length.
    ///
    /// An agent without a radius may graze corners: for it, the line is judged by the cells that it passes.
    pub(super) fn line(&self, step: usize, from: Cell, to: Cell, total: &mut Tally) -> Result<(), Violation> {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        self.check_distance(step, from, to)?;
        let is_thin = self.agent.radius() <= 0.0;
        let terrain = self.grid.terrain(from);
        let closed = |cell: &Cell| self.too_small_clearance(*cell).is_some();
        for y in from.y.min(to.y)..=from.y.max(to.y) {
            for x in columns(from, to, y) {
                let cell = Cell::new(x, y);
                if meeting(from, to, cell) != Meeting::Inside {
                    continue;
                }
                if is_thin && closed(&cell) {
                    let [from, to, place] = [from, to, cell].map(Place::from);
                    return Err(Violation::LineBlocked { step, from, to, place });
                }
                if self.grid.terrain(cell) != terrain {
                    return Err(Violation::LineUneven { step, from, to, cell });
                }
                let sides = [cell.offset(dx.signum(), 0), cell.offset(0, dy.signum())];
                let cuts = is_thin && dx != 0 && dy != 0 && cell != to;
                if cuts && sides.iter().all(|&side| meeting(from, to, side) == Meeting::Corner) {
                    let mut blocked = sides.into_iter().filter(closed);
                    if let Some(corner) = blocked.nth(self.corners_to_cut()) {
                        let [from, to, corner] = [from, to, corner].map(Place::from);
                        return Err(Violation::CornerCut { step, from, to, corner });
                    }
                }
            }
        }
        let cost = u64::from(terrain.map_or(0, crate::world::grid::Terrain::cost));
        let (across, down) = (u64::from(dx.unsigned_abs()), u64::from(dy.unsigned_abs()));
        let squares = across * across + down * down;
        let length = (squares as f64).sqrt();
        total.line_units += line_units(self.agent.metric().straight().units() * cost, squares);
        total.line_cost += length * self.agent.metric().straight_cells() * cost as f64;
        total.line_length += length;
        Ok(())
    }
}

/// Returns the columns of a row within a few cells of a line: a line is long, and the box around it large.
fn columns(from: Cell, to: Cell, y: i32) -> RangeInclusive<i32> {
    let (left, right) = (from.x.min(to.x), from.x.max(to.x));
    let (dx, dy) = (i64::from(to.x - from.x), i64::from(to.y - from.y));
    if dy == 0 {
        return left..=right;
    }
    let middle = i64::from(from.x) + dx * i64::from(y - from.y) / dy;
    let reach = (dx / dy).abs() + 3;
    (i64::from(left).max(middle - reach) as i32)..=(i64::from(right).min(middle + reach) as i32)
}
