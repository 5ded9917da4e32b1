//! Depth-first search (Tarjan, *Depth-First Search and Linear Graph Algorithms*, 1972).

use crate::core::estimate::Weight;
use crate::core::heuristic::Heuristic;
use crate::core::kernel::{Again, Strategy};
use crate::core::open::Queue;
use crate::search::algorithm::{Algorithm, Promise};
use crate::search::best_first::{BestFirst, Recipe};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    weighted: false,
    optimal: false,
    queues: &[Queue::Lifo],
    promise: |_, _| Promise::Nothing("depth-first search takes the first way it finds".to_owned()),
    ..Algorithm::plain(
        "dfs",
        "Depth-first",
        "Depth-first: follows one branch to its end, then backtracks; finds a path, rarely a good one",
        |_| {
            Box::new(BestFirst::new(Recipe {
                strategy: Strategy { counts_cost: false, again: Again::UnlessClosed, first_goal_ends: true },
                queue: Queue::Lifo,
                heuristic: Heuristic::Zero,
                weight: Weight::ONE,
            }))
        },
    )
};
