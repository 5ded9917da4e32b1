//! Benchmark scenario files: runs every query, compares its cost with that in the file, and validates its path.
//!
//! | file | contents |
//! |---|---|
//! | `suite.rs` | reads scenario files, finds their maps, checks that they match |
//! | `run.rs` | runs the queries, on one thread or on several |
//! | `judge.rs` | compares a result with the optimum, and validates the path |
//! | `report.rs` | sums and statistics |
//!
//! # The optimum
//! The files are valid for [`Agent::default`](surefoot::agent::Agent): 8 moves, no corner cutting, diagonals `sqrt 2`, plain
//! floor. For any other agent or map, and where a file states 0 although start and goal differ, the optimum is the result of a
//! Dijkstra search; there, "no path" is correct if Dijkstra finds none either.
//!
//! # Times
//! The time of a query is that of [`start`](surefoot::search::Pathfinder::start) and
//! [`resume`](surefoot::search::Pathfinder::resume) to the end, path included. Before the first query of a map, the
//! derived data that searches need (where the agent can stand, what is connected) is computed and timed separately; then the last
//! query of the map, in benchmark files the longest, is run once untimed, so that no query pays for memory allocation. Paths are
//! validated between queries, so that the next query does not find the map in the fastest caches.

mod judge;
mod report;
mod run;
mod suite;

pub use report::{Failure, MapReport, Report, Summary};
pub use run::{Plan, RunError, run};
pub use suite::{Selection, Suite, SuiteError};
