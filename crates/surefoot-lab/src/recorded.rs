//! A flight that was recorded, flown again: the agent is where it was.

use surefoot::prelude::*;
use surefoot::scene::Scene;

use crate::protocol::{RecordedFlight, UnitReport};

/// The agent of a recorded flight.
pub struct Recorded {
    board: u8,
    /// Where it was, in world coordinates: at the tick at which the flight began, and after each tick since.
    places: Vec<Point>,
    /// Where it is in this list.
    at: usize,
    travelled: f64,
    /// Whether blocks wait for it to leave.
    pub holds_blocks: bool,
}

impl Recorded {
    /// The agent at the first of its positions, which the message has in cells.
    pub fn new(board: u8, flight: &RecordedFlight, scene: &Scene) -> Result<Recorded, String> {
        let is_number = |place: &[f64; 3]| place.iter().all(|part| part.is_finite());
        if flight.positions.is_empty() || !flight.positions.iter().all(is_number) {
            return Err(
                "live: the recorded flight has no positions, or positions that are not numbers".to_owned()
            );
        }
        let places = flight.positions.iter().map(|&place| scene.frame.point_at(place)).collect();
        Ok(Recorded { board, places, at: 0, travelled: 0.0, holds_blocks: flight.holds_blocks })
    }

    pub fn position(&self) -> Point {
        self.places[self.at]
    }

    pub fn has_ended(&self) -> bool {
        self.at + 1 == self.places.len()
    }

    /// Flies for a tick. Returns the line, unless the record has ended.
    pub fn fly(&mut self) -> Option<[Point; 2]> {
        if self.has_ended() {
            return None;
        }
        let before = self.position();
        self.at += 1;
        self.travelled += before.distance(self.position());
        Some([before, self.position()])
    }

    /// What the page is told about it, in cells.
    pub fn report(&self, scene: &Scene) -> UnitReport {
        let frame = scene.frame;
        UnitReport {
            board: self.board,
            at: frame.in_cells(self.position()).to_vec(),
            cell: frame.voxel_at(self.position()).into(),
            state: if self.has_ended() { "ended" } else { "recorded" },
            reason: None,
            message: None,
            travelled: self.travelled / frame.cell_size(),
            path: Some(Vec::new()),
            ahead: Some(0),
            replan: None,
            hits: None,
            frames: None,
        }
    }
}
