//! Our own algorithms: every one that promises optimal paths.

use surefoot::prelude::{Agent, Cell, Grid, GridView, Options, Pathfinder};
use surefoot::search::ALGORITHMS;
use surefoot::world::view::WorldKind;

use super::{Prepared, Solver};
use crate::maps::Query;

/// Remembers no cells, so on open ground it visits the same ones exponentially often: one query could last for hours.
const LEFT_OUT: &str = "ida_star";

/// One solver for each algorithm.
pub fn all() -> Vec<Box<dyn Solver>> {
    let fits = ALGORITHMS.iter().filter(|algorithm| {
        algorithm.optimal
            && !algorithm.any_angle
            && algorithm.worlds.contains(&WorldKind::Grid)
            && algorithm.name != LEFT_OUT
    });
    fits.map(|algorithm| {
        let finder = Pathfinder::new(algorithm, &Options::default()).expect("the default options always fit");
        Box::new(Surefoot { name: format!("surefoot/{}", algorithm.name), grid: None, finder })
            as Box<dyn Solver>
    })
    .collect()
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

    fn prepare<'a>(&'a mut self, grid: &Grid, first: Query) -> Box<dyn Prepared + 'a> {
        // A grid of its own, so that what an algorithm derives from it on the first query is counted for each of them.
        let terrain = grid.to_terrain();
        let grid =
            Grid::from_terrain(grid.width(), grid.height(), &terrain).expect("a grid can be built again");
        let grid = self.grid.insert(grid);
        let view = grid.view(&Agent::default()).expect("the default agent is valid");
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

    fn take_path(&mut self) -> Option<Vec<Cell>> {
        let found = self.finder.outcome().is_found();
        found.then(|| self.finder.path().cells(self.view.grid()).collect())
    }
}
