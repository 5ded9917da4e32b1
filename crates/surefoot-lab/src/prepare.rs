//! Preparing maps within limits.

use std::ops::ControlFlow;
use std::time::Instant;

use surefoot::prelude::*;
use surefoot::search::PrepareError;

use crate::limits::{LIMITS, PREPARED_BYTES};

/// Why a map was not prepared.
pub enum Unprepared {
    /// It was cancelled.
    Cancelled,
    /// It took too long; the message.
    TooLong(String),
    /// The algorithm rejected the map.
    Refused(PrepareError),
}

/// Prepares a map. `tell` is called repeatedly, from any thread, with the share that is done; `cancelled` is checked as often.
pub fn within_limits(
    finder: &mut Pathfinder,
    view: View<'_>,
    tell: &(dyn Fn(f64) + Sync),
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<(), Unprepared> {
    let clock = Instant::now();
    let progress = |done: u64, total: u64| {
        tell(done as f64 / total.max(1) as f64);
        if cancelled() || clock.elapsed().as_secs() >= LIMITS.seconds {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = PrepareOptions { memory_limit: PREPARED_BYTES, progress: &progress };
    finder.prepare(view, &options).map_err(|error| match error {
        PrepareError::Cancelled if cancelled() => Unprepared::Cancelled,
        PrepareError::Cancelled => {
            Unprepared::TooLong(format!("preparing the map took longer than {} seconds", LIMITS.seconds))
        }
        refused => Unprepared::Refused(refused),
    })
}
