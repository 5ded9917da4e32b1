//! Searches: one kernel, one registry, one file an algorithm.
//!
//! | file | what it says |
//! |---|---|
//! | `kernel.rs` | the one best-first loop |
//! | `open/` | which node comes next: fifo, lifo, list, heap, buckets |
//! | `record.rs`, `sparse.rs` | what a search remembers of a node, in arrays or in a hash table |
//! | `expand.rs` | how a search looks around |
//! | `heuristic.rs`, `estimate.rs` | estimates, what they promise, what they become for one query |
//! | `observe/` | watching a search: counters, traces, breakpoints |
//! | `admit.rs` | questions that need no search |
//! | `solver.rs`, `best_first.rs` | what an algorithm provides, and the one solver for all that are the kernel |
//! | `any_angle.rs` | the solver of both searches that see further than their neighbours |
//! | `two_sided/` | the solver of both two-sided searches |
//! | `prepare/` | what an algorithm works out before the first query: made, shared, saved |
//! | `registry.rs` | every algorithm by name |
//! | `pathfinder.rs`, `many.rs`, `sweep.rs` | asking for a path, for many at once, and for everything within range |
//! | `astar.rs`, ... | one algorithm each |
//!
//! # Ties
//! Of two open nodes with equal keys the one with the larger cost so far comes first (it is closer to the goal), then the
//! one with the smaller number. The bucket queue sorts by key only up to the width of a bucket and takes the youngest node
//! of a bucket first. Of two parents that make a node equally cheap, the first found stays in the records; when the path is
//! written down, a parent that lets the path go straight on is preferred if it costs the same. All of it is fixed: the
//! same query gives the same path, always.

pub(crate) mod admit;
mod any_angle;
pub(crate) mod astar;
pub(crate) mod auto;
pub(crate) mod best_first;
mod bidirectional;
mod breadth_first;
mod depth_first;
mod dijkstra;
pub(crate) mod estimate;
pub(crate) mod estimate_in_space;
pub(crate) mod expand;
mod first_moves;
mod greedy;
pub mod heuristic;
mod hpa;
mod ida_star;
mod jps;
mod jps3;
mod jps_plus;
pub(crate) mod kernel;
mod lazy_jumps;
mod lazy_theta;
pub(crate) mod line_records;
mod many;
pub mod observe;
pub(crate) mod open;
pub(crate) mod outcome;
mod parallel_astar;
mod pathfinder;
pub(crate) mod prepare;
pub(crate) mod record;
mod registry;
pub(crate) mod solver;
pub(crate) mod sparse;
mod subgoal;
mod sweep;
mod theta;
pub(crate) mod two_sided;
mod weighted_astar;

pub(crate) use any_angle::is_level;
pub use heuristic::Heuristic;
pub use many::{Answer, Crew, Request};
pub use open::{Queue, UnknownQueue};
pub use outcome::{Outcome, Stats, Why};
pub use pathfinder::Pathfinder;
pub use prepare::{LoadError, PrepareError, Prepared, Sketch, Terms};
pub use registry::{ALGORITHMS, Algorithm, OptionError, Options, Promise};
pub use solver::{Choice, Reason, Visit};
pub use sweep::{Range, Sweep, SweepError};
