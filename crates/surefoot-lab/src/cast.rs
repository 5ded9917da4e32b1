//! The live units of the boards, their speed, and the statistics of their plans: shared by grids and voxel worlds.

use std::time::Duration;

use surefoot::formats::World;
use surefoot::replan::Replan;

use crate::limits::{LIMITS, SPEED};
use crate::protocol::{LiveRequest, ReplanReport};
use crate::question::Question;
use crate::run::in_micros;

/// Returns the queries of the boards of a message, checked.
pub fn checked_boards(request: &LiveRequest, world: &World) -> Result<Vec<(u8, Question)>, String> {
    let mut boards: Vec<(u8, Question)> = Vec::new();
    for entry in &request.boards {
        let board = entry.board;
        if usize::from(board) >= LIMITS.boards {
            return Err(format!("live: found board {board}, expected 0 to {}", LIMITS.boards - 1));
        }
        if boards.iter().any(|(known, _)| *known == board) {
            return Err(format!("live: board {board} is given twice"));
        }
        let question = Question::new(&entry.query, world).map_err(|error| format!("live: {error}"))?;
        if question.algorithm.prepares {
            return Err(format!(
                "live: {} prepares the map before it searches, which takes too long after each edit",
                question.algorithm.title
            ));
        }
        boards.push((board, question));
    }
    if boards.is_empty() {
        return Err("live: found no boards, expected at least one".to_owned());
    }
    Ok(boards)
}

/// Rejects speeds out of range.
pub fn check_speed(what: &str, speed: f64) -> Result<(), String> {
    if (0.0..=SPEED).contains(&speed) {
        return Ok(());
    }
    Err(format!("live: found {speed} as {what}, expected 0 to {SPEED} cells per second"))
}

/// Plans since the page was last told: how many, how many of them a fresh search answered, what they did together, how long they took.
#[derive(Default)]
pub struct Work {
    pub count: u64,
    pub fresh: u64,
    pub replan: Replan,
    pub time: Duration,
}

impl Work {
    /// What the page is told; `cost` is that of the present path.
    pub fn report(&self, cost: Option<f64>) -> ReplanReport {
        let Work { count, fresh, replan, time } = *self;
        ReplanReport { count, together: replan, fresh_count: fresh, us: in_micros(time), cost }
    }
}
