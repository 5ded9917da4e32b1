//! Searches: one kernel, one registry, and one file per algorithm.
//!
//! | file | contents |
//! |---|---|
//! | `kernel.rs` | the one best-first loop |
//! | `open/` | which node comes next: fifo, lifo, list, heap, buckets |
//! | `record.rs`, `sparse.rs` | what a search stores per node, in arrays or in a hash table |
//! | `expand.rs` | how a search finds the successors of a node |
//! | `heuristic.rs`, `estimate.rs` | heuristics, what they guarantee, and what they become for one query |
//! | `observe/` | watching a search: counters, traces, breakpoints |
//! | `admit.rs` | queries that need no search |
//! | `solver.rs`, `best_first.rs` | what an algorithm provides, and the one solver for all that are the kernel |
//! | `any_angle.rs` | the solver of both any-angle searches |
//! | `two_sided/` | the solver of both bidirectional searches |
//! | `prepare/` | what an algorithm computes before the first query: created, shared, saved |
//! | `registry.rs` | every algorithm by name |
//! | `pathfinder.rs`, `many.rs`, `sweep.rs` | queries for a path, for many at once, and for everything within range |
//! | `astar.rs`, ... | one algorithm each |
//!
//! # Ties
//! Of two open nodes with equal keys, the one with the larger cost so far comes first (it is closer to the goal), then the one
//! with the smaller number. The bucket queue sorts by key only up to the width of a bucket and takes the youngest node of a
//! bucket first. Of two parents that make a node equally cheap, the first one found stays in the records. When the path is
//! extracted, a parent that keeps the path straight is preferred if it costs the same. All of these rules are fixed: the same
//! query always gives the same path.

pub(crate) mod admit;
pub(crate) mod algorithm;
mod any_angle;
pub(crate) mod astar;
pub(crate) mod auto;
pub(crate) mod best_first;
pub(crate) mod bidirectional;
pub(crate) mod breadth_first;
pub(crate) mod depth_first;
pub(crate) mod dijkstra;
mod distance_field;
pub(crate) mod first_moves;
pub(crate) mod greedy;
pub(crate) mod ida_star;
pub(crate) mod jps;
pub(crate) mod jps3;
pub(crate) mod jps_plus;
mod lazy_jumps;
pub(crate) mod lazy_theta;
pub(crate) mod parallel_astar;
mod pathfinder;
mod pool;
pub(crate) mod prepare;
pub(crate) mod shell;
pub(crate) mod solver;
pub(crate) mod subgoal;
pub(crate) mod theta;
pub(crate) mod two_sided;
pub(crate) mod weighted_astar;

pub use crate::core::heuristic::{self, Heuristic};
pub use crate::core::observe;
pub use crate::core::open::{Queue, UnknownQueue};
pub use crate::core::outcome::{Outcome, Stats, Visit, Why};
pub use algorithm::{Algorithm, OptionError, Options, Promise};
pub use distance_field::{DistanceField, DistanceFieldError, Range};
pub use pathfinder::{Approach, Pathfinder};
pub use pool::{Answer, PathfinderPool, Request};
pub use prepare::{LoadError, PrepareError, PrepareOptions, Prepared, Sketch};
pub use solver::{Choice, Reason};
