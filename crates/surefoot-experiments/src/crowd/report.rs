//! Statistics of a crowd.

use serde::Serialize;

use crate::statistics::{mean, percentile};

/// What a crowd did. Serialised, its fields are those of the command line's JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// How units are guided: `astar`, `service` or `field`.
    pub mode: &'static str,
    /// How units avoid each other: `orca`, `reserve` or `none`.
    pub avoid: &'static str,
    /// The number of units.
    pub units: usize,
    /// The number of units at their places at the end.
    pub arrived: usize,
    /// The number of units that cannot go on at the end.
    pub stuck: usize,
    /// The number of ticks.
    pub ticks: u64,
    /// The time per tick, in microseconds. The first tick, in which memory grows, counts.
    pub tick_us: TickTimes,
    /// The time that units needed beyond that of a lone unit, in seconds. Units that have not arrived count until the end.
    pub delay: Delay,
    /// Jams.
    pub jams: Jams,
    /// The number of units that overlapped a wall in some tick.
    pub in_wall: usize,
    /// The worst overlap of two units in any tick, as a share of a radius.
    pub worst_overlap: f64,
    /// The longest time, in seconds, in which a unit on its way did not come nearer to its goal.
    pub longest_wait: f64,
    /// The number of plans.
    pub plans: u64,
    /// The number of nodes that they expanded.
    pub expanded: u64,
    /// A hash of all states after the last tick.
    pub hash: String,
}

/// Times in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize)]
pub struct TickTimes {
    /// The mean.
    pub mean: f64,
    /// The 99th percentile, by nearest rank.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

impl TickTimes {
    /// Returns the statistics of some times.
    pub(super) fn of(mut times: Vec<f64>) -> TickTimes {
        times.sort_by(f64::total_cmp);
        TickTimes {
            mean: mean(&times).unwrap_or(0.0),
            p99: percentile(&times, 99).unwrap_or(0.0),
            max: times.last().copied().unwrap_or(0.0),
        }
    }
}

/// Delays in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize)]
pub struct Delay {
    /// The mean.
    pub mean: f64,
    /// The longest.
    pub worst: f64,
}

/// Jams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Jams {
    /// How many were found.
    pub found: u64,
    /// How many were resolved by a common plan.
    pub resolved: u64,
    /// For how many there was no arrangement.
    pub failed: u64,
}
