//! Weighted A* (Pohl, *Heuristic Search Viewed as Path Finding in a Graph*, 1970).

use crate::search::astar;
use crate::search::best_first::{BestFirst, Recipe};
use crate::search::estimate::Weight;
use crate::search::registry::{Algorithm, Options, Promise, promise_of_heuristic};

/// The weight if none is given.
const DEFAULT_WEIGHT: f64 = 1.5;

fn weight(options: &Options) -> f64 {
    options.weight.unwrap_or(DEFAULT_WEIGHT)
}

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    optimal: false,
    queues: astar::QUEUES,
    uses_heuristic: true,
    uses_weight: true,
    promise: |options, view| match promise_of_heuristic(options, view) {
        Promise::Optimal if weight(options) > 1.0 => Promise::Within(weight(options)),
        promise => promise,
    },
    ..Algorithm::plain(
        "weighted_astar",
        "A* that trusts its estimate more: faster, and at most so many times dearer than the best",
        |options| {
            Box::new(BestFirst::new(Recipe {
                strategy: astar::STRATEGY,
                queue: options.queue.unwrap_or(astar::QUEUES[0]),
                heuristic: options.heuristic.unwrap_or_default(),
                weight: Weight::new(weight(options)).unwrap_or(Weight::ONE),
            }))
        },
    )
};
