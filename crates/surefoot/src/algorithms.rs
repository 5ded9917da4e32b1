//! The list of algorithms by name: read by the command line, the docs, the tests, and programs that let users choose.
//!
//! It sits above everything it lists. Searches know each other by their modules, never by this list.

use crate::hierarchy::hpa;
use crate::replan::{Planner, basic_mt_d_star_lite, d_star_lite, lpa_star, mt_d_star_lite};
use crate::search::{
    Algorithm, LoadError, OptionError, Options, Pathfinder, Prepared, astar, auto, bidirectional,
    breadth_first, depth_first, dijkstra, first_moves, greedy, ida_star, jps, jps_plus, jps3, lazy_theta,
    parallel_astar, subgoal, theta, weighted_astar,
};
use crate::world::grid::GridView;

/// Every algorithm, in the order in which to show them.
pub static ALGORITHMS: [Algorithm; 22] = [
    auto::ALGORITHM,
    astar::ALGORITHM,
    jps::ALGORITHM,
    jps3::ALGORITHM,
    jps_plus::ALGORITHM,
    subgoal::ALGORITHM,
    first_moves::ALGORITHM,
    hpa::ALGORITHM,
    weighted_astar::ALGORITHM,
    theta::ALGORITHM,
    lazy_theta::ALGORITHM,
    bidirectional::ALGORITHM,
    parallel_astar::ALGORITHM,
    d_star_lite::ALGORITHM,
    mt_d_star_lite::ALGORITHM,
    basic_mt_d_star_lite::ALGORITHM,
    lpa_star::ALGORITHM,
    ida_star::ALGORITHM,
    dijkstra::ALGORITHM,
    greedy::ALGORITHM,
    breadth_first::ALGORITHM,
    depth_first::ALGORITHM,
];

/// The names of all algorithms, with commas between them.
fn names() -> String {
    ALGORITHMS.iter().map(|algorithm| algorithm.name).collect::<Vec<_>>().join(", ")
}

impl Algorithm {
    /// The algorithm of a name.
    ///
    /// ```
    /// use surefoot::search::Algorithm;
    /// assert!(Algorithm::named("astar").unwrap().optimal);
    /// assert!(Algorithm::named("teleport").is_err());
    /// ```
    pub fn named(name: &str) -> Result<&'static Algorithm, OptionError> {
        let known = ALGORITHMS.iter().find(|algorithm| algorithm.name == name);
        known.ok_or_else(|| OptionError::UnknownAlgorithm { name: name.to_owned(), expected: names() })
    }
}

impl Pathfinder {
    /// The algorithm of a name, with options.
    pub fn named(name: &str, options: &Options) -> Result<Pathfinder, OptionError> {
        Pathfinder::new(Algorithm::named(name)?, options)
    }
}

impl Planner {
    /// The incremental search of a name, with options.
    pub fn named(name: &str, options: &Options) -> Result<Planner, OptionError> {
        Planner::new(Algorithm::named(name)?, options)
    }
}

impl Prepared {
    /// A table from bytes, if they were made for this map and agent. Whatever the bytes are, searches on the result do not
    /// fail worse than by finding wrong paths.
    pub fn from_bytes(bytes: &[u8], view: &GridView<'_>) -> Result<Prepared, LoadError> {
        Prepared::read(bytes, view, |name| Algorithm::named(name).ok())
    }
}
