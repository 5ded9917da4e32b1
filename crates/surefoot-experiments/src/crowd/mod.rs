//! Crowds without a window: units walk to a few goals, and a judge looks at each tick.
//!
//! | file | contents |
//! |---|---|
//! | `run.rs` | one crowd, with a clock |
//! | `report.rs` | statistics |
//!
//! Units have a radius of 0.4 cells and walk 4 cells per second; a second has 60 ticks. They start on distinct cells of the largest connected part of the map, at random, and so
//! do the goals; the goals take turns. A run ends when all units have arrived, or after a number of ticks.

mod report;
mod run;

pub use report::{Delay, Jams, Report, TickTimes};
pub(crate) use run::{Draws, Gathered, gather, send};
pub use run::{Mode, Plan, run};
use surefoot::crowd::CrowdError;
use thiserror::Error;

/// Ticks per second.
pub const TICKS_PER_SECOND: u32 = 60;

/// Why there is no crowd.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CrowdRunError {
    /// The map has too few cells.
    #[error("found {found} connected open cells, expected at least {expected}, one for each unit")]
    TooFewCells {
        /// The number of cells of the largest connected part.
        found: usize,
        /// The number of units.
        expected: usize,
    },
    /// The crowd rejects its units or orders.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
}
