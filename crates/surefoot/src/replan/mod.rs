//! Incremental searches: they repair their path when the world changes, the start moves or the goal moves.
//!
//! A [`Planner`] gets the positions of its unit and its target, reads changes from the world's journal, and repairs its path.
//! [`Subscriptions`] report which of many paths an edit affects, for units that plan with any other search.
//!
//! | algorithm | for |
//! |---|---|
//! | `d_star_lite` | a unit that walks to a fixed goal |
//! | `mt_d_star_lite` | a unit and a target that both move |
//! | `basic_mt_d_star_lite` | the same, without its shortcut: for comparison |
//! | `lpa_star` | two fixed ends |
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::replan::Planner;
//! let mut grid = Grid::new(40, 40).unwrap();
//! let agent = Agent::default();
//! let mut planner = Planner::named("d_star_lite", &Options::default()).unwrap();
//! planner.move_start(grid.view(&agent), Cell::new(2, 20));
//! planner.move_goal(grid.view(&agent), Cell::new(37, 20));
//! assert_eq!(planner.replan(grid.view(&agent), u64::MAX), Outcome::Found);
//! grid.set(Cell::new(20, 20), Terrain::WALL).unwrap();
//! assert_eq!(planner.replan(grid.view(&agent), u64::MAX), Outcome::Found);
//! assert!(planner.path().cost() > 35.0);
//! ```

pub(crate) mod basic_mt_d_star_lite;
mod current_path;
pub(crate) mod d_star_lite;
mod fresh;
mod ground;
mod guard;
mod guide;
pub(crate) mod lpa_star;
mod method;
pub(crate) mod mt_d_star_lite;
mod nodes;
mod operations;
mod planner;
mod queue;
mod repair;
mod solver;
mod state;
pub mod subscriptions;
mod tree;

pub use planner::Planner;
pub use state::{NodeState, Replan, Standing};
pub use subscriptions::{PathChange, SubscriptionId, Subscriptions, Touched};

/// The names of the searches that repair their answers.
pub(crate) const NAMES: [&str; 4] = [
    d_star_lite::ALGORITHM.name,
    mt_d_star_lite::ALGORITHM.name,
    basic_mt_d_star_lite::ALGORITHM.name,
    lpa_star::ALGORITHM.name,
];
