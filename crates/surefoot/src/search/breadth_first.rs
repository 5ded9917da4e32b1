//! Breadth-first search (Moore, *The Shortest Path Through a Maze*, 1959).

use crate::agent::Moves3;
use crate::search::best_first::{BestFirst, Recipe};
use crate::search::estimate::Weight;
use crate::search::heuristic::Heuristic;
use crate::search::kernel::{Again, Strategy};
use crate::search::open::Queue;
use crate::search::registry::{Algorithm, Promise};
use crate::world::view::View;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    weighted: false,
    optimal: false,
    queues: &[Queue::Fifo],
    promise: |_, view| {
        if steps_cost_the_same(view) {
            Promise::Optimal
        } else {
            Promise::Nothing("breadth-first search counts steps, not what they cost".to_owned())
        }
    },
    ..Algorithm::plain(
        "bfs",
        "Breadth-first",
        "Breadth-first: in rings of equal numbers of steps; fewest steps, but blind to what they cost",
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

/// Whether the fewest steps are also the cheapest.
fn steps_cost_the_same(view: &View<'_>) -> bool {
    match view {
        View::Grid(view) => view.grid().uniform_terrain().is_some_and(|terrain| {
            let [straight, diagonal] = view.level_steps(terrain);
            let steps_alike = !view.moves().has_diagonals() || straight == diagonal;
            steps_alike && view.grid().links().iter().all(|link| link.cost == straight)
        }),
        View::Graph(graph) => graph.edges().windows(2).all(|pair| pair[0].cost == pair[1].cost),
        View::Voxels(view) => view.moves() == Moves3::Six,
    }
}
