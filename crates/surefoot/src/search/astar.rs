//! A* (Hart, Nilsson, Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost Paths*, 1968).

use crate::core::estimate::Weight;
use crate::core::kernel::{Again, Strategy};
use crate::core::open::Queue;
use crate::search::algorithm::{Algorithm, Options, Promise, promise_of_heuristic};
use crate::search::best_first::{BestFirst, Recipe};
use crate::search::solver::Solver;
use crate::world::any::View;

/// Cost so far plus estimate, until nothing left can beat the goal.
pub(crate) const STRATEGY: Strategy =
    Strategy { counts_cost: true, again: Again::IfCheaper, first_goal_ends: false };

/// The open lists that order by key, the fastest first.
pub(crate) const QUEUES: &[Queue] = &[Queue::Buckets, Queue::Heap, Queue::List];

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    queues: QUEUES,
    uses_heuristic: true,
    uses_weight: true,
    promise: |options, view| promise(options, 1.0, view),
    ..Algorithm::plain(
        "astar",
        "A*",
        "A*: cost of the path so far plus an estimate of the rest; optimal, and searches mostly toward the goal",
        |options| solver(options, 1.0),
    )
};

/// A* with the weight that the options ask for, or the algorithm's own.
pub(crate) fn solver(options: &Options, own_weight: f64) -> Box<dyn Solver> {
    Box::new(BestFirst::new(Recipe {
        strategy: STRATEGY,
        queue: options.queue.unwrap_or(QUEUES[0]),
        heuristic: options.heuristic.unwrap_or_default(),
        weight: Weight::new(options.weight.unwrap_or(own_weight)).unwrap_or(Weight::ONE),
    }))
}

/// An admissible estimate keeps the path within the weight.
pub(crate) fn promise(options: &Options, own_weight: f64, view: &View<'_>) -> Promise {
    let weight = options.weight.unwrap_or(own_weight);
    match promise_of_heuristic(options, view) {
        Promise::Optimal if weight > 1.0 => Promise::Within(weight),
        promise => promise,
    }
}
