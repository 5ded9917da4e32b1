//! Our own algorithms: every one that promises optimal paths, and the hierarchical one.

use surefoot::algorithms::ALGORITHMS;
use surefoot::prelude::{Agent, Algorithm, Cell, Grid, GridView, Options, Pathfinder, PrepareOptions};
use surefoot::world::any::WorldKind;

use super::{Prepared, Solver};
use crate::maps::Query;

/// The first remembers no cells, so on open ground it visits the same ones exponentially often: one query could last for
/// hours. The second works on several threads, and this suite on one.
const LEFT_OUT: [&str; 2] = ["ida_star", "parallel_astar"];

/// Nearly optimal, for comparison.
const TAKEN_IN: &str = "hpa";

/// Searches once from each cell before the first query: hours on large maps. It runs on maps of up to this many open cells.
const FOR_SMALL_MAPS: (&str, usize) = ("first_moves", 25_000);

/// One solver for each algorithm.
pub fn all() -> Vec<Box<dyn Solver>> {
    let fits = ALGORITHMS.iter().filter(|algorithm| {
        (algorithm.optimal || algorithm.name == TAKEN_IN)
            && !algorithm.any_angle
            && algorithm.worlds.contains(&WorldKind::Grid)
            && !LEFT_OUT.contains(&algorithm.name)
    });
    fits.map(|algorithm| {
        let finder = finder(algorithm);
        Box::new(Surefoot { name: format!("surefoot/{}", algorithm.name), grid: None, finder })
            as Box<dyn Solver>
    })
    .collect()
}

fn finder(algorithm: &'static Algorithm) -> Pathfinder {
    Pathfinder::new(algorithm, &Options::default()).expect("the default options always fit")
}

/// One algorithm; its memory is reused for all queries and maps.
struct Surefoot {
    name: String,
    grid: Option<Grid>,
    finder: Pathfinder,
}

impl Solver for Surefoot {
    fn name(&self) -> &str {
        &self.name
    }

    fn takes_on(&self, grid: &Grid) -> bool {
        let (name, cells) = FOR_SMALL_MAPS;
        self.finder.algorithm().name != name || grid.open_cells() <= cells
    }

    fn is_exact(&self) -> bool {
        self.finder.algorithm().optimal
    }

    fn prepare<'a>(&'a mut self, grid: &Grid, first: Query) -> Box<dyn Prepared + 'a> {
        // A grid of its own, so that what an algorithm derives from it on the first query is counted for each of them.
        let terrain = grid.to_terrain();
        let grid =
            Grid::from_terrain(grid.width(), grid.height(), &terrain).expect("a grid can be built again");
        let grid = self.grid.insert(grid);
        let view = grid.view(&Agent::default());
        // The data of the last map is freed first, so that each map is measured on its own.
        self.finder = finder(self.finder.algorithm());
        self.finder.prepare(view, &PrepareOptions::default()).expect("the map can be prepared");
        let mut prepared = OnMap { view, finder: &mut self.finder };
        prepared.search(first.from, first.to);
        Box::new(prepared)
    }
}

struct OnMap<'a> {
    view: GridView<'a>,
    finder: &'a mut Pathfinder,
}

impl Prepared for OnMap<'_> {
    fn search(&mut self, from: Cell, to: Cell) {
        // The answer stays in the finder.
        let _ = self.finder.find(self.view, from, to);
    }

    fn bytes(&self) -> u64 {
        self.finder.prepared().map_or(0, |prepared| prepared.memory_bytes())
    }

    fn take_path(&mut self) -> Option<Vec<Cell>> {
        let found = self.finder.outcome().is_found();
        found.then(|| self.finder.path().cells(self.view.grid()).collect())
    }
}
