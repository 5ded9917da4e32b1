//! All algorithms: as constants, and by name for programs that let users choose.
//!
//! A program that refers to algorithms by constant links only those algorithms, and a typo does not compile:
//!
//! ```
//! use surefoot::algorithms::ASTAR;
//! use surefoot::prelude::*;
//! let mut finder = Pathfinder::new(ASTAR, &Options::default()).unwrap();
//! let grid = Grid::new(9, 9).unwrap();
//! assert!(finder.find(grid.view(&Agent::default()), Cell::new(0, 0), Cell::new(8, 8)).is_ok());
//! ```

#[cfg(feature = "prepared")]
use crate::hierarchy::hpa;
#[cfg(feature = "incremental")]
use crate::replan::{Planner, basic_mt_d_star_lite, d_star_lite, lpa_star, mt_d_star_lite};
#[cfg(feature = "voxels")]
use crate::search::jps3;
use crate::search::{
    Algorithm, LoadError, OptionError, Options, Pathfinder, Prepared, astar, auto, breadth_first,
    depth_first, dijkstra, greedy, jps, weighted_astar,
};
#[cfg(feature = "searches")]
use crate::search::{bidirectional, ida_star, lazy_theta, parallel_astar, theta};
#[cfg(feature = "prepared")]
use crate::search::{first_moves, jps_plus, subgoal};
use crate::world::grid::GridView;

/// A* or jump point search, whichever suits the map and the query.
pub const AUTO: &Algorithm = &auto::ALGORITHM;
/// A*.
pub const ASTAR: &Algorithm = &astar::ALGORITHM;
/// Jump point search on uniform grids.
pub const JPS: &Algorithm = &jps::ALGORITHM;
/// Jump point search in uniform voxel worlds.
#[cfg(feature = "voxels")]
pub const JPS3: &Algorithm = &jps3::ALGORITHM;
/// JPS+ with goal bounding. Prepares the map.
#[cfg(feature = "prepared")]
pub const JPS_PLUS: &Algorithm = &jps_plus::ALGORITHM;
/// Subgoal graphs with a contraction hierarchy. Prepares the map.
#[cfg(feature = "prepared")]
pub const SUBGOAL: &Algorithm = &subgoal::ALGORITHM;
/// First-move tables. Prepares the map.
#[cfg(feature = "prepared")]
pub const FIRST_MOVES: &Algorithm = &first_moves::ALGORITHM;
/// Hierarchical search. Prepares the map and keeps up with edits.
#[cfg(feature = "prepared")]
pub const HPA: &Algorithm = &hpa::ALGORITHM;
/// Weighted A*.
pub const WEIGHTED_ASTAR: &Algorithm = &weighted_astar::ALGORITHM;
/// Theta*.
#[cfg(feature = "searches")]
pub const THETA: &Algorithm = &theta::ALGORITHM;
/// Lazy Theta*.
#[cfg(feature = "searches")]
pub const LAZY_THETA: &Algorithm = &lazy_theta::ALGORITHM;
/// Bidirectional A*.
#[cfg(feature = "searches")]
pub const BIDIRECTIONAL: &Algorithm = &bidirectional::ALGORITHM;
/// Bidirectional A* on two threads.
#[cfg(feature = "searches")]
pub const PARALLEL_ASTAR: &Algorithm = &parallel_astar::ALGORITHM;
/// D* Lite.
#[cfg(feature = "incremental")]
pub const D_STAR_LITE: &Algorithm = &d_star_lite::ALGORITHM;
/// Moving Target D* Lite.
#[cfg(feature = "incremental")]
pub const MT_D_STAR_LITE: &Algorithm = &mt_d_star_lite::ALGORITHM;
/// Basic Moving Target D* Lite.
#[cfg(feature = "incremental")]
pub const BASIC_MT_D_STAR_LITE: &Algorithm = &basic_mt_d_star_lite::ALGORITHM;
/// Lifelong Planning A*.
#[cfg(feature = "incremental")]
pub const LPA_STAR: &Algorithm = &lpa_star::ALGORITHM;
/// Iterative deepening A*.
#[cfg(feature = "searches")]
pub const IDA_STAR: &Algorithm = &ida_star::ALGORITHM;
/// Dijkstra's algorithm.
pub const DIJKSTRA: &Algorithm = &dijkstra::ALGORITHM;
/// Greedy best-first search.
pub const GREEDY: &Algorithm = &greedy::ALGORITHM;
/// Breadth-first search.
pub const BFS: &Algorithm = &breadth_first::ALGORITHM;
/// Depth-first search.
pub const DFS: &Algorithm = &depth_first::ALGORITHM;

/// All algorithms that the features of this build include, in the order in which to list them.
pub static ALGORITHMS: &[Algorithm] = &[
    auto::ALGORITHM,
    astar::ALGORITHM,
    jps::ALGORITHM,
    #[cfg(feature = "voxels")]
    jps3::ALGORITHM,
    #[cfg(feature = "prepared")]
    jps_plus::ALGORITHM,
    #[cfg(feature = "prepared")]
    subgoal::ALGORITHM,
    #[cfg(feature = "prepared")]
    first_moves::ALGORITHM,
    #[cfg(feature = "prepared")]
    hpa::ALGORITHM,
    weighted_astar::ALGORITHM,
    #[cfg(feature = "searches")]
    theta::ALGORITHM,
    #[cfg(feature = "searches")]
    lazy_theta::ALGORITHM,
    #[cfg(feature = "searches")]
    bidirectional::ALGORITHM,
    #[cfg(feature = "searches")]
    parallel_astar::ALGORITHM,
    #[cfg(feature = "incremental")]
    d_star_lite::ALGORITHM,
    #[cfg(feature = "incremental")]
    mt_d_star_lite::ALGORITHM,
    #[cfg(feature = "incremental")]
    basic_mt_d_star_lite::ALGORITHM,
    #[cfg(feature = "incremental")]
    lpa_star::ALGORITHM,
    #[cfg(feature = "searches")]
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
    /// Returns the algorithm with the given name.
    ///
    /// ```
    /// use surefoot::search::Algorithm;
    /// assert!(Algorithm::named("astar").unwrap().optimal);
    /// assert!(Algorithm::named("teleport").is_err());
    /// ```
    pub fn named(name: &str) -> Result<&'static Algorithm, OptionError> {
        let known = ALGORITHMS.iter().find(|algorithm| algorithm.name == name);
        known.ok_or_else(|| OptionError::UnknownAlgorithm {
            name: name.to_owned(),
            expected: names() + MISSING,
        })
    }
}

/// What is added to the list of names if features are off that have more of them.
const MISSING: &str =
    if cfg!(all(feature = "searches", feature = "prepared", feature = "incremental", feature = "voxels")) {
        ""
    } else {
        " (features `searches`, `prepared`, `incremental` and `voxels` add more)"
    };

impl Pathfinder {
    /// Creates a pathfinder for the algorithm with the given name and options.
    pub fn named(name: &str, options: &Options) -> Result<Pathfinder, OptionError> {
        Pathfinder::new(Algorithm::named(name)?, options)
    }
}

#[cfg(feature = "incremental")]
impl Planner {
    /// Creates a planner for the incremental search with the given name and options.
    pub fn named(name: &str, options: &Options) -> Result<Planner, OptionError> {
        Planner::new(Algorithm::named(name)?, options)
    }
}

#[cfg(feature = "prepared")]
impl Prepared {
    /// Reads a table from bytes if they were written for this map and agent. Whatever the bytes contain, the worst that searches on
    /// the result can do is find wrong paths.
    pub fn from_bytes(bytes: &[u8], view: &GridView<'_>) -> Result<Prepared, LoadError> {
        Prepared::read(bytes, view, |name| Algorithm::named(name).ok())
    }
}
