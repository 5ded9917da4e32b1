//! The solvers that are compared: one file per library, each used as its documentation recommends.

pub mod floor;
mod grid_pathfinding;
mod own;
mod pathfinding;
mod petgraph;
pub mod space;
mod surefoot;

use ::surefoot::prelude::{Cell, Cost, Grid};

use crate::maps::Query;

/// A solver of a library.
pub trait Solver {
    /// `library/algorithm`.
    fn name(&self) -> &str;

    /// Returns whether to run it on a map.
    fn takes_on(&self, _grid: &Grid) -> bool {
        true
    }

    /// Whether its paths are meant to be as cheap as possible.
    fn is_exact(&self) -> bool {
        true
    }

    /// Builds what the library needs before the first query on a map. What it builds only during a query
    /// the first time belongs here too: that is what the `first` query is for.
    fn prepare<'a>(&'a mut self, grid: &Grid, first: Query) -> Box<dyn Prepared + 'a>;
}

/// A solver on a map.
pub trait Prepared {
    /// Searches, and keeps the path in whatever form the library returns it. Only this is timed.
    fn search(&mut self, from: Cell, to: Cell);

    /// Bytes that were prepared besides the map.
    fn bytes(&self) -> u64 {
        0
    }

    /// The path that the last search found, cell by cell.
    fn take_path(&mut self) -> Option<Vec<Cell>>;
}

/// Returns all solvers, ours first.
pub fn all() -> Vec<Box<dyn Solver>> {
    let mut solvers = surefoot::all();
    solvers.push(Box::new(own::TraitForm));
    solvers.push(Box::new(own::ClosureForm));
    solvers.push(Box::new(pathfinding::Astar));
    solvers.push(Box::new(pathfinding::TunedAstar));
    solvers.push(Box::new(petgraph::Astar));
    solvers.push(Box::new(grid_pathfinding::Jps));
    solvers
}

/// The step costs for peers that accept costs: our integers, in 32 bits because that is faster for them and enough for
/// paths of 100,000 steps. A sum that does not fit shows in the check of the costs.
pub const STRAIGHT: u32 = Cost::ONE.units() as u32;
pub const DIAGONAL: u32 = Cost::DIAGONAL.units() as u32;

/// Returns the least cost of a path over this difference of coordinates.
fn octile(dx: u32, dy: u32) -> u32 {
    STRAIGHT * dx.max(dy) + (DIAGONAL - STRAIGHT) * dx.min(dy)
}
