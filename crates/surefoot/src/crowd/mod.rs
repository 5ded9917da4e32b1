//! Crowds: circles that walk to their goals on a grid, avoid each other and walls, and do not jam.
//!
//! A [`Crowd`] holds the units. Add them, give [orders](Order) to some of them, and call [`Crowd::tick`] once per frame with the grid as it is now: it may have been edited.
//!
//! ```
//! use surefoot::crowd::{Crowd, CrowdOptions, Order, State, UnitSpec};
//! use surefoot::prelude::*;
//! let mut grid = Grid::new(16, 12).unwrap();
//! let mut crowd = Crowd::new(&CrowdOptions::default()).unwrap();
//! let mut army = |x: i32, group: u32| -> Vec<_> {
//!     let specs = (0..8).map(|y| UnitSpec { group, ..UnitSpec::at_cell(Cell::new(x, y + 2)) });
//!     specs.map(|spec| crowd.add(&grid, &spec).unwrap()).collect()
//! };
//! let (west, east) = (army(1, 0), army(14, 1));
//! crowd.order(&grid, &west, &Order::to(Cell::new(14, 6))).unwrap(); // they cross
//! crowd.order(&grid, &east, &Order::to(Cell::new(1, 6))).unwrap();
//! for tick in 0..900 {
//!     if tick == 60 {
//!         grid.set(Cell::new(8, 6), Terrain::WALL).unwrap(); // only those plan again whose paths lead there
//!     }
//!     crowd.tick(&grid, 1.0 / 60.0);
//! }
//! assert!(crowd.iter().all(|unit| unit.state() == State::Arrived));
//! ```
//!
//! # What a tick does
//! 1. Edits: units whose paths they touch get new ones, and walk on meanwhile. Units in cells that have become walls leave them; places that have become walls are replaced.
//! 2. Plans, within the budget.
//! 3. Each unit looks along its path and chooses a velocity that avoids its neighbours and walls ([`Avoidance`]).
//! 4. Moves are cut short so that no circle enters a wall, and no two circles overlap: each of two neighbours may use half of what is between them, so the order in which they
//!    move does not matter.
//! 5. Arrivals, links, and which units are making progress.
//! 6. Jams: units that have not come nearer to their goals for some time, and those around them, are planned together by [`cooperate`](crate::cooperate), cell by cell, and move
//!    along that plan until the jam is resolved.
//!
//! | file | contents |
//! |---|---|
//! | `crowd.rs`, `unit.rs`, `spec.rs` | the crowd, a unit of it, orders and options |
//! | `store.rs` | the state of all units |
//! | `tick.rs`, `motion.rs` | a tick, and the move of one unit in it |
//! | `orca.rs`, `walls.rs`, `near.rs`, `vector.rs` | velocities, distances to walls, neighbours |
//! | `planning.rs`, `route.rs` | paths within a budget, and following them |
//! | `places.rs` | a place for each unit at the goal |
//! | `jam/` | units that block each other |
//! | `reserve.rs` | the rule of reserved cells |

#[expect(clippy::module_inception, reason = "the type and its module")]
mod crowd;
mod jam;
mod motion;
mod near;
mod orca;
mod places;
mod planning;
mod reserve;
mod route;
mod spec;
mod store;
#[cfg(test)]
mod tests;
mod tick;
mod unit;
mod vector;
mod walls;

pub use crowd::Crowd;
pub use spec::{
    Avoidance, CrowdError, CrowdOptions, CrowdStats, Event, Goal, Guidance, Order, State, StuckReason,
    UnitId, UnitSpec,
};
pub use unit::UnitRef;
