//! Greedy best-first search (Doran and Michie, *Experiments with the Graph Traverser Program*, 1966).

use crate::core::estimate::Weight;
use crate::core::kernel::{Again, Strategy};
use crate::search::algorithm::{Algorithm, Promise};
use crate::search::astar;
use crate::search::best_first::{BestFirst, Recipe};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    optimal: false,
    queues: astar::QUEUES,
    uses_heuristic: true,
    promise: |_, _| Promise::Nothing("greedy search ignores the cost so far".to_owned()),
    ..Algorithm::plain(
        "greedy",
        "Greedy best-first",
        "Greedy best-first: expands the node that looks closest to the goal; fast on open ground, easily misled",
        |options| {
            Box::new(BestFirst::new(Recipe {
                strategy: Strategy {
                    counts_cost: false,
                    again: Again::IfCheaperAndOpen,
                    first_goal_ends: true,
                },
                queue: options.queue.unwrap_or(astar::QUEUES[0]),
                heuristic: options.heuristic.unwrap_or_default(),
                weight: Weight::ONE,
            }))
        },
    )
};
