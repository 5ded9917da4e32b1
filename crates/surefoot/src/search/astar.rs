//! A* (Hart, Nilsson, Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost Paths*, 1968).

use crate::search::best_first::{BestFirst, Recipe};
use crate::search::estimate::Weight;
use crate::search::kernel::{Again, Strategy};
use crate::search::open::Queue;
use crate::search::registry::{Algorithm, promise_of_heuristic};

/// Cost so far plus estimate, until nothing left can beat the goal.
pub(crate) const STRATEGY: Strategy =
    Strategy { counts_cost: true, again: Again::IfCheaper, first_goal_ends: false };

/// The open lists that order by key, the fastest first.
pub(crate) const QUEUES: &[Queue] = &[Queue::Buckets, Queue::Heap, Queue::List];

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    queues: QUEUES,
    uses_heuristic: true,
    promise: promise_of_heuristic,
    ..Algorithm::plain(
        "astar",
        "A*: cheapest way so far plus an estimate of the rest; optimal, and looks mostly toward the goal",
        |options| {
            Box::new(BestFirst::new(Recipe {
                strategy: STRATEGY,
                queue: options.queue.unwrap_or(QUEUES[0]),
                heuristic: options.heuristic.unwrap_or_default(),
                weight: Weight::ONE,
            }))
        },
    )
};
