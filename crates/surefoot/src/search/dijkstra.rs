//! Dijkstra's algorithm (*A Note on Two Problems in Connexion with Graphs*, 1959), to a goal.

use crate::core::estimate::Weight;
use crate::core::heuristic::Heuristic;
use crate::core::open::Queue;
use crate::search::algorithm::Algorithm;
use crate::search::astar;
use crate::search::best_first::{BestFirst, Recipe};

/// The cheapest node next, without an estimate.
pub(crate) fn recipe(queue: Queue) -> Recipe {
    Recipe { strategy: astar::STRATEGY, queue, heuristic: Heuristic::Zero, weight: Weight::ONE }
}

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    queues: astar::QUEUES,
    ..Algorithm::plain(
        "dijkstra",
        "Dijkstra",
        "Dijkstra: expands the cheapest node next, in all directions; optimal, needs no heuristic",
        |options| Box::new(BestFirst::new(recipe(options.queue.unwrap_or(astar::QUEUES[0])))),
    )
};
