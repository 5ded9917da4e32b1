//! Experiments that anyone can repeat, and their reports.
//!
//! | file | contents |
//! |---|---|
//! | `results.rs` | what an experiment has measured: a table, findings, charts |
//! | `environment.rs` | the machine and the build |
//! | `report/` | one file per format |
//! | `units.rs` | how many units fit into a frame |
//!
//! `docs/experiments.md` has the question and the design of each.

mod environment;
pub mod report;
mod results;
mod units;

use std::time::Duration;

use thiserror::Error;

pub use environment::Environment;
pub use results::{Chart, Column, Line, Results, Value};

use crate::crowd::CrowdRunError;

/// What all experiments have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The number of measured runs per case; `None` is what the experiment recommends.
    pub runs: Option<usize>,
    /// The number of runs before that, which are discarded.
    pub warmup: Option<usize>,
    /// The seed of all random choices.
    pub seed: u64,
    /// The side of the largest map.
    pub max_side: u32,
    /// The time after which a case ends, which is recorded.
    pub case_timeout: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { runs: None, warmup: None, seed: 0, max_side: 2048, case_timeout: Duration::from_secs(2) }
    }
}

/// Why an experiment could not be carried out.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The settings leave nothing to measure.
    #[error("--max-side {found} leaves nothing to measure, expected at least {expected}")]
    TooSmall {
        /// The largest side that was allowed.
        found: u32,
        /// The side of the smallest map.
        expected: u32,
    },
    /// A map could not be made.
    #[error(transparent)]
    Map(#[from] surefoot::generate::GenerateError),
    /// A crowd could not be made.
    #[error(transparent)]
    Crowd(#[from] CrowdRunError),
}

/// A documented experiment.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name on the command line.
    pub name: &'static str,
    /// The question that it answers.
    pub question: &'static str,
    run: fn(&Settings, &Progress<'_>) -> Result<Results, ExperimentError>,
}

/// Is told how many cases are done, of how many at most.
pub type Progress<'a> = dyn Fn(usize, usize) + 'a;

/// All experiments.
pub const EXPERIMENTS: [Experiment; 1] =
    [Experiment { name: "units", question: units::QUESTION, run: units::run }];

impl Experiment {
    /// Returns the experiment with a name.
    ///
    /// ```
    /// use surefoot_experiments::experiment::Experiment;
    /// assert_eq!(Experiment::named("units").map(|experiment| experiment.name), Some("units"));
    /// assert!(Experiment::named("unit").is_none());
    /// ```
    pub fn named(name: &str) -> Option<&'static Experiment> {
        EXPERIMENTS.iter().find(|experiment| experiment.name == name)
    }

    /// Carries it out.
    ///
    /// # Errors
    /// If the settings leave nothing to measure.
    pub fn run(&self, settings: &Settings, progress: &Progress<'_>) -> Result<Results, ExperimentError> {
        (self.run)(settings, progress)
    }
}
