//! What the page is told of a crowd: where units are and what they do, how long they have waited, and one of them in detail.

use bytes::Bytes;
use surefoot::crowd::{Crowd, State, StuckReason, UnitRef};
use surefoot::prelude::*;

use crate::cells::on_grid;
use crate::protocol::{CrowdUnitReport, StateCounts};

/// The kinds of the messages.
const UNITS: u8 = 8;
const WAITS: u8 = 9;
/// Radii are told in parts of a cell, times without progress in parts of a second.
const RADIUS_PARTS: f64 = 1024.0;
const TIME_PARTS: f64 = 10.0;
/// A unit that has not come nearer to its goal for so many seconds is held up.
const HELD: f64 = 1.0;
/// Where the state, the bit for units in jams, and the group are in the first word of a unit.
const STATE_AT: u32 = 20;
const JAM_AT: u32 = 23;
const GROUP_AT: u32 = 24;

/// The number of a state in messages, and its name.
fn told(state: State) -> (u32, &'static str) {
    match state {
        State::Waiting => (1, "waiting"),
        State::Walking => (2, "walking"),
        State::InLink => (3, "riding"),
        State::Arrived => (4, "arrived"),
        State::Stuck(_) => (5, "stuck"),
        // What a later library adds is shown as nothing special.
        _ => (0, "idle"),
    }
}

/// All units.
pub fn units(live: u32, crowd: &Crowd) -> Bytes {
    let mut bytes = vec![UNITS, 0, 0, 0];
    bytes.extend(live.to_le_bytes());
    bytes.extend((crowd.len() as u32).to_le_bytes());
    for unit in crowd.iter() {
        let jam = u32::from(unit.is_in_jam());
        let (state, _) = told(unit.state());
        let word = unit.id().index() as u32 | state << STATE_AT | jam << JAM_AT | unit.group() << GROUP_AT;
        bytes.extend(word.to_le_bytes());
        bytes.extend(unit.position().into_iter().flat_map(|at| (at as f32).to_le_bytes()));
        bytes.extend(((unit.radius() * RADIUS_PARTS).round() as u16).to_le_bytes());
        // What a unit waited before it arrived is over.
        let stalled = if unit.state() == State::Walking { unit.stalled() } else { 0.0 };
        bytes.extend(((stalled * TIME_PARTS).round() as u16).to_le_bytes());
    }
    bytes.into()
}

/// How many units are in each state.
pub fn states(crowd: &Crowd) -> StateCounts {
    let mut counts = StateCounts::default();
    for unit in crowd.iter() {
        let count = match unit.state() {
            State::Waiting => &mut counts.waiting,
            State::Walking => &mut counts.walking,
            State::InLink => &mut counts.riding,
            State::Arrived => &mut counts.arrived,
            State::Stuck(_) => &mut counts.stuck,
            _ => &mut counts.idle,
        };
        *count += 1;
        counts.held += usize::from(unit.state() == State::Walking && unit.stalled() > HELD);
    }
    counts
}

/// A unit in detail.
pub fn unit(grid: &Grid, unit: UnitRef<'_>) -> CrowdUnitReport {
    let place = |node| {
        let Cell { x, y } = grid.cell(node);
        [x, y]
    };
    let reason = match unit.state() {
        State::Stuck(StuckReason::NoPath(why)) => Some(why.to_string()),
        State::Stuck(StuckReason::Jammed) => Some("other units are in the way".to_owned()),
        State::Stuck(StuckReason::TargetGone) => Some("the unit that it followed is gone".to_owned()),
        _ => None,
    };
    CrowdUnitReport {
        unit: unit.id().index(),
        group: unit.group(),
        at: unit.position(),
        state: told(unit.state()).1,
        reason,
        goal: unit.goal().map(place),
        path: unit.path().map(place).collect(),
        plans: unit.plans(),
        planned_at: unit.planned_at(),
        stalled: unit.stalled(),
        longest_wait: unit.longest_wait(),
        in_jam: unit.is_in_jam(),
    }
}

/// Cells in which units have been since the last report: only there waiting can have gone on.
pub struct Waits {
    visited: Vec<u32>,
    is_visited: Vec<bool>,
}

impl Waits {
    pub fn new(grid: &Grid) -> Waits {
        Waits { visited: Vec::new(), is_visited: vec![false; grid.width() as usize * grid.height() as usize] }
    }

    /// Takes note of where units are.
    pub fn note(&mut self, grid: &Grid, crowd: &Crowd) {
        for unit in crowd.iter() {
            let cell = on_grid(grid, cell_at(unit.position()));
            if let Some(is_visited) = self.is_visited.get_mut(cell as usize)
                && !std::mem::replace(is_visited, true)
            {
                self.visited.push(cell);
            }
        }
    }

    /// For how long units have waited in these cells; `None` if they have not.
    pub fn take(&mut self, live: u32, grid: &Grid, crowd: &Crowd) -> Option<Bytes> {
        let mut entries = Vec::new();
        for number in self.visited.drain(..) {
            self.is_visited[number as usize] = false;
            let cell = Cell::new((number % grid.width()) as i32, (number / grid.width()) as i32);
            let seconds = crowd.waited(grid, cell) as f32;
            if seconds > 0.0 {
                entries.extend(number.to_le_bytes());
                entries.extend(seconds.to_le_bytes());
            }
        }
        if entries.is_empty() {
            return None;
        }
        let mut bytes = vec![WAITS, 0, 0, 0];
        bytes.extend(live.to_le_bytes());
        bytes.extend((entries.len() as u32 / 8).to_le_bytes());
        bytes.extend(entries);
        Some(bytes.into())
    }
}

/// The cell that a position, never negative, is in.
fn cell_at([x, y]: [f64; 2]) -> Cell {
    Cell::new(x as i32, y as i32)
}

#[cfg(test)]
mod tests {
    use surefoot::crowd::{CrowdOptions, UnitSpec};

    use super::*;

    #[test]
    fn units_are_laid_out_as_the_protocol_says() {
        let grid = Grid::new(9, 9).unwrap();
        let mut crowd = Crowd::new(&CrowdOptions::default()).unwrap();
        let spec = UnitSpec { at: [2.25, 7.5], radius: 0.25, group: 3, ..UnitSpec::at_cell(Cell::new(0, 0)) };
        let first = crowd.add(&grid, &UnitSpec::at_cell(Cell::new(1, 1))).unwrap();
        crowd.add(&grid, &spec).unwrap();
        crowd.remove(first);
        let bytes = units(70_000, &crowd);
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let float = |at: usize| f32::from_bits(word(at));
        assert_eq!((&bytes[..4], word(4), word(8), bytes.len()), (&[8, 0, 0, 0][..], 70_000, 1, 28));
        assert_eq!((word(12), float(16), float(20), word(24)), (1 | 3 << 24, 2.25, 7.5, 256));
    }

    #[test]
    fn nothing_is_told_of_cells_where_nobody_has_waited() {
        let grid = Grid::new(9, 9).unwrap();
        let mut crowd = Crowd::new(&CrowdOptions::default()).unwrap();
        crowd.add(&grid, &UnitSpec::at_cell(Cell::new(1, 1))).unwrap();
        let mut waits = Waits::new(&grid);
        crowd.tick(&grid, 0.1);
        waits.note(&grid, &crowd);
        assert_eq!(waits.visited, [10]);
        assert_eq!(waits.take(1, &grid, &crowd), None);
        assert!(waits.visited.is_empty() && waits.is_visited.iter().all(|is_visited| !is_visited));
    }
}
