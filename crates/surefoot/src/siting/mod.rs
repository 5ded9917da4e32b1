//! Answers queries about a building before it is placed: whether it would cut off a path, which paths would become
//! longer, and where the map's choke points are.
//!
//! [`Siting`] judges a building by the paths between pairs of cells, and [`Chokes`] lists the cells that the map falls apart without.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::siting::Siting;
//! let grid: Grid = "
//!     ...#...
//!     .......
//!     ...#...".parse().unwrap();
//! let view = grid.view(&Agent::default());
//! let ends = [(Cell::new(0, 1), Cell::new(6, 1))];
//! let mut siting = Siting::default();
//! assert!(siting.would_block(&view, &[Cell::new(3, 1)], &ends).unwrap().blocks_any());
//! assert!(!siting.would_block(&view, &[Cell::new(2, 0)], &ends).unwrap().blocks_any());
//! ```
//!
//! # How an answer is found
//! Closing cells can only make paths more expensive. So the tests go from cheap to expensive. A path that the building
//! does not touch keeps its cost. If the building covers a choke cell that separates the two endpoints, they are cut
//! off. Otherwise A* searches for another path. Its heuristic is the exact cost on the map without the building, so it
//! leaves the old path only where it has to. It still expands all nearly optimal paths as far as the building. So a
//! second search runs back from the goal, in turns, and the one whose endpoint is closer to the building answers. If
//! that takes long, the map with the building is labelled once to see which endpoints are still connected. All answers
//! are exact, with every movement rule, radius, terrain and with links.

mod choke;
mod rest;
mod trial;
mod verdict;
mod would_block;

pub use choke::Chokes;
pub use verdict::{PathImpact, SitingError, Verdict};
pub use would_block::Siting;

#[cfg(test)]
mod tests;
