//! Searches: paths for one query or many, and everything within range.
//!
//! | you want | use |
//! |---|---|
//! | a path, at once or over several frames | [`Pathfinder`] |
//! | many paths, on all threads | [`PathfinderPool`] |
//! | everything within range, with its cost | [`DistanceField`] |
//! | to choose an algorithm, and to know what it guarantees | [`algorithms`](crate::algorithms), [`Algorithm`], [`Options`], [`Promise`] |
//! | to prepare a map, and to save the result | [`Pathfinder::prepare`], [`PrepareOptions`], [`Prepared`] |
//! | to watch a search | [`observe`] |
//!
//! ```
//! use surefoot::algorithms::DIJKSTRA;
//! use surefoot::prelude::*;
//! let grid: Grid = "
//!     .#.
//!     ...".parse().unwrap();
//! let mut finder = Pathfinder::new(DIJKSTRA, &Options::default()).unwrap();
//! let path = finder.find(grid.view(&Agent::default()), Cell::new(0, 0), Cell::new(2, 0)).unwrap();
//! assert_eq!((path.steps(), path.cost()), (4, 4.0));
//! ```
//!
//! # Ties
//! Of two open nodes with equal keys, the one with the larger cost so far comes first (it is closer to the goal), then the one
//! with the smaller number. The bucket queue sorts by key only up to the width of a bucket and takes the youngest node of a
//! bucket first. Of two parents that make a node equally cheap, the first one found stays in the records. When the path is
//! extracted, a parent that keeps the path straight is preferred if it costs the same. All of these rules are fixed: the same
//! query always gives the same path.

pub(crate) mod admit;
pub(crate) mod algorithm;
#[cfg(feature = "searches")]
mod any_angle;
mod approach;
pub(crate) mod astar;
pub(crate) mod auto;
pub(crate) mod best_first;
#[cfg(feature = "searches")]
pub(crate) mod bidirectional;
pub(crate) mod breadth_first;
pub(crate) mod depth_first;
pub(crate) mod dijkstra;
mod distance_field;
#[cfg(feature = "prepared")]
pub(crate) mod first_moves;
pub(crate) mod greedy;
#[cfg(feature = "searches")]
pub(crate) mod ida_star;
pub(crate) mod jps;
#[cfg(feature = "voxels")]
pub(crate) mod jps3;
#[cfg(feature = "prepared")]
pub(crate) mod jps_plus;
#[cfg(all(feature = "searches", feature = "voxels"))]
mod lazy_jumps;
#[cfg(feature = "searches")]
pub(crate) mod lazy_theta;
#[cfg(feature = "searches")]
pub(crate) mod parallel_astar;
mod pathfinder;
mod pool;
pub(crate) mod prepare;
mod refusals;
pub(crate) mod shell;
pub(crate) mod solver;
#[cfg(feature = "prepared")]
pub(crate) mod subgoal;
#[cfg(feature = "searches")]
pub(crate) mod theta;
#[cfg(feature = "searches")]
pub(crate) mod two_sided;
pub(crate) mod weighted_astar;

pub use crate::core::heuristic::{self, Heuristic};
pub use crate::core::observe;
pub use crate::core::open::{Queue, UnknownQueue};
pub use crate::core::outcome::{Outcome, Stats, Visit, Why};
pub use algorithm::{Algorithm, OptionError, Options, Promise};
pub use approach::Approach;
pub use distance_field::{DistanceField, DistanceFieldError, Range};
pub use pathfinder::Pathfinder;
pub use pool::{Answer, PathfinderPool, Request};
pub use prepare::{LoadError, PrepareError, PrepareOptions, Prepared, Sketch};
pub use solver::{Choice, Reason};
