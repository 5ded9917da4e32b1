//! Benchmark scenario files: every query is run, its cost compared with the file's, its path judged.
//!
//! | file | what it does |
//! |---|---|
//! | `suite.rs` | reads scenario files, finds their maps, checks that they fit |
//! | `run.rs` | runs the queries, on one thread or on several |
//! | `judge.rs` | compares an answer with the optimum, and has the path validated |
//! | `report.rs` | adds up |
//!
//! # The optimum
//! The files hold for [`Agent::default`](surefoot::agent::Agent): 8 moves, no corner cutting, diagonals `sqrt 2`, plain
//! floor. For any other agent or map, and where a file says 0 although start and goal differ, the optimum is what our
//! own Dijkstra finds; there, "no path" is right if Dijkstra finds none either.
//!
//! # Times
//! A query's time is that of [`start`](surefoot::search::Pathfinder::start) and
//! [`resume`](surefoot::search::Pathfinder::resume) to the end, path included. Before the first query of a map, what
//! searches need of it (where the agent can stand, what is connected) is computed and timed apart; then the map's last
//! query, in benchmark files the longest, is run once untimed, so that no query pays for fresh memory. Between two queries
//! the judge works, so that the next one does not find its map in the fastest caches.

mod judge;
mod report;
mod run;
mod suite;

pub use report::{Failure, MapReport, Report, Summary};
pub use run::{Plan, RunError, run};
pub use suite::{Selection, Suite, SuiteError};
