//! A search that chooses between A* and jump point search.
//!
//! Jump point search crosses open ground for nothing, but pays for every cell where a wall forces it to look aside. Where such
//! cells are everywhere, A* is faster; where they lie around single pillars, too, since A* goes around these without looking far.
//! Counting them is cheap, and the count follows every edit.

use crate::id::NodeId;
use crate::search::kernel::End;
use crate::search::observe::Observer;
use crate::search::outcome::Stats;
use crate::search::registry::{Algorithm, Options};
use crate::search::solver::{Choice, Reason, Solver, Task, Visit};
use crate::search::{astar, jps};
use crate::world::grid::StopCount;
use crate::world::view::{Vantage, View};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    queues: astar::QUEUES,
    uses_heuristic: true,
    uses_weight: true,
    promise: |options, view| astar::promise(options, 1.0, view),
    ..Algorithm::plain(
        "auto",
        "Automatic",
        "A* or jump point search, whichever suits the map: the choice for single questions",
        |options| Box::new(Auto::new(options)),
    )
};

/// Jump point search is chosen where at most this share of the open cells, in percent, are stops with a choice. On structured
/// maps and in mazes it is below 15, in caves at 16, on random maps above 17.
const MOST_STOPS: f64 = 16.0;

/// And at most this share of the cells beside walls: along walls there are few, around single pillars every other cell is one.
/// On structured maps it is below 36, on random ones above 44 unless they are so dense that they have too many stops anyway.
const MOST_AT_WALLS: f64 = 42.0;

/// Both searches, and which of them has the question.
struct Auto {
    astar: Box<dyn Solver>,
    jps: Box<dyn Solver>,
    options: Options,
    /// For which world the choice was made.
    vantage: Vantage,
    choice: Choice,
}

impl Auto {
    fn new(options: &Options) -> Auto {
        Auto {
            astar: (astar::ALGORITHM.solver)(options),
            jps: (jps::ALGORITHM.solver)(options),
            options: *options,
            vantage: Vantage::default(),
            choice: Choice { algorithm: astar::ALGORITHM.name, reason: Reason::OnlyOne },
        }
    }

    fn jumps(&self) -> bool {
        self.choice.algorithm == jps::ALGORITHM.name
    }

    fn chosen(&self) -> &dyn Solver {
        if self.jumps() { &*self.jps } else { &*self.astar }
    }

    fn chosen_mut(&mut self) -> &mut dyn Solver {
        if self.jumps() { &mut *self.jps } else { &mut *self.astar }
    }
}

/// Whether a question about a world is answered by jump point search.
pub(crate) fn jumps(view: &View<'_>) -> bool {
    choose(view, &Options::default()).algorithm == jps::ALGORITHM.name
}

fn choose(view: &View<'_>, options: &Options) -> Choice {
    match view {
        _ if options.queue.is_some() || options.weight.is_some() => {
            Choice { algorithm: astar::ALGORITHM.name, reason: Reason::Options }
        }
        View::Grid(grid) if (jps::ALGORITHM.refusal)(view).is_none() => {
            let StopCount { open, at_walls, stops } = grid.stops();
            let percent = |of: u64| stops as f64 * 100.0 / of.max(1) as f64;
            let suits = percent(open) <= MOST_STOPS && percent(at_walls) <= MOST_AT_WALLS;
            let algorithm = if suits { jps::ALGORITHM.name } else { astar::ALGORITHM.name };
            Choice {
                algorithm,
                reason: Reason::Stops { of_open: percent(open), of_walls: percent(at_walls) },
            }
        }
        _ => Choice { algorithm: astar::ALGORITHM.name, reason: Reason::OnlyOne },
    }
}

impl Solver for Auto {
    fn choice(&self) -> Option<Choice> {
        Some(self.choice)
    }

    fn begin(&mut self, view: &View<'_>, task: &Task<'_>) {
        let vantage = view.vantage();
        if self.vantage != vantage {
            (self.vantage, self.choice) = (vantage, choose(view, &self.options));
        }
        self.chosen_mut().begin(view, task);
    }

    fn run(
        &mut self,
        view: &View<'_>,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        self.chosen_mut().run(view, task, budget, watcher)
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        self.chosen().trace_back(view, to, nodes);
    }

    fn closest(&self) -> Option<NodeId> {
        self.chosen().closest()
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        self.chosen().visit(node)
    }

    fn stats(&self) -> Stats {
        let bytes = self.astar.stats().scratch_bytes + self.jps.stats().scratch_bytes;
        Stats { scratch_bytes: bytes, ..self.chosen().stats() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Agent;
    use crate::space::Cell;
    use crate::world::grid::{Grid, Terrain};

    #[test]
    fn the_choice_follows_the_map() {
        let mut grid = Grid::new(256, 256).unwrap();
        let chosen = |grid: &Grid| {
            let view = grid.view(&Agent::default()).unwrap();
            choose(&view.into(), &Options::default()).algorithm
        };
        assert_eq!(chosen(&grid), "jps");
        let every = |n: i32| move |cell: &Cell| cell.x % n == 1 && cell.y % n == 1;
        let pillars: Vec<_> = grid.cells().filter(every(8)).collect();
        grid.set_many(pillars.iter().map(|&cell| (cell, Terrain::WALL))).unwrap();
        assert_eq!(chosen(&grid), "astar");
        grid.set_many(pillars.iter().map(|&cell| (cell.offset(1, 0), Terrain::WALL))).unwrap();
        assert_eq!(chosen(&grid), "jps");
        let crowd: Vec<_> = grid.cells().filter(every(4)).collect();
        grid.set_many(crowd.iter().map(|&cell| (cell, Terrain::WALL))).unwrap();
        assert_eq!(chosen(&grid), "astar");
        let all: Vec<_> = grid.cells().collect();
        grid.set_many(all.iter().map(|&cell| (cell, Terrain::FLOOR))).unwrap();
        assert_eq!(chosen(&grid), "jps");
        grid.set(pillars[0], Terrain::GRASS).unwrap();
        assert_eq!(chosen(&grid), "astar");
    }

    #[test]
    fn many_doors_are_for_astar_and_few_for_jumps() {
        let chosen = |apart: i32| {
            let mut halls = Grid::new(120, 120).unwrap();
            let walls: Vec<_> = halls.cells().filter(|cell| cell.y % 3 == 1 && cell.x % apart != 0).collect();
            halls.set_many(walls.into_iter().map(|cell| (cell, Terrain::WALL))).unwrap();
            let view = halls.view(&Agent::default()).unwrap();
            choose(&view.into(), &Options::default()).algorithm
        };
        assert_eq!([4, 8].map(chosen), ["astar", "jps"], "22 and 12 % of the cells are stops");
    }

    #[test]
    fn corridors_are_for_jumps_however_often_they_turn() {
        let grid: Grid = "
            .#...#...#.
            .#.#.#.#.#.
            .#.#.#.#.#.
            ...#...#..."
            .parse()
            .unwrap();
        let view = grid.view(&Agent::default()).unwrap();
        assert_eq!(choose(&view.into(), &Options::default()).algorithm, "jps");
    }
}
