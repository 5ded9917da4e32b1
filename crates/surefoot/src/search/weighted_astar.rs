//! Weighted A* (Pohl, *Heuristic Search Viewed as Path Finding in a Graph*, 1970).

use crate::search::algorithm::Algorithm;
use crate::search::astar;

/// The weight if none is given.
const DEFAULT_WEIGHT: f64 = 1.5;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    optimal: false,
    queues: astar::QUEUES,
    uses_heuristic: true,
    uses_weight: true,
    promise: |options, view| astar::promise(options, DEFAULT_WEIGHT, view),
    ..Algorithm::plain(
        "weighted_astar",
        "Weighted A*",
        "Weighted A*: multiplies the estimate by a weight; faster, and at most that many times as expensive as the optimum",
        |options| astar::solver(options, DEFAULT_WEIGHT),
    )
};
