//! Breadth-first search (Moore, *The Shortest Path Through a Maze*, 1959).

use crate::core::estimate::Weight;
use crate::core::heuristic::Heuristic;
use crate::core::kernel::{Again, Strategy};
use crate::core::open::Queue;
use crate::search::algorithm::{Algorithm, Promise};
use crate::search::best_first::{BestFirst, Recipe};
use crate::world::any::on_world;
use crate::world::space::SearchSpace;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    weighted: false,
    optimal: false,
    queues: &[Queue::Fifo],
    promise: |_, view| {
        if on_world!(view, space => space.edges_cost_the_same()) {
            Promise::Optimal
        } else {
            Promise::Nothing("breadth-first search counts steps, not what they cost".to_owned())
        }
    },
    ..Algorithm::plain(
        "bfs",
        "Breadth-first",
        "Breadth-first: expands nodes by their number of steps; finds the fewest steps, ignores their cost",
        |_| {
            Box::new(BestFirst::new(Recipe {
                strategy: Strategy { counts_cost: false, again: Again::Ignore, first_goal_ends: true },
                queue: Queue::Fifo,
                heuristic: Heuristic::Zero,
                weight: Weight::ONE,
            }))
        },
    )
};
