//! Units on a grid that changes: they follow their paths, and plan again when and only when they have to.
//!
//! | file | what it says |
//! |---|---|
//! | `units.rs` | all units: who has to plan again, whose turn it is, ticks |
//! | `unit.rs` | one unit: its way, its state, what it has done so far |
//! | `spec.rs` | what one says about a unit to begin with |
//! | `belief.rs` | the world as a unit knows it that does not see far |
//! | `stride.rs` | where someone is in or between cells, and when a step is legal |
//! | `roam.rs` | someone who wanders or flees: a target to chase |
//!
//! # When a unit plans
//! A unit plans when an edit breaks its path, makes it dearer or may make another one cheaper; when its target is in another
//! cell than before; and, if it has no way, when something has opened. One [`Subscriptions`](crate::replan::Subscriptions) watches over all
//! paths, so that an edit costs little with thousands of units. Nothing else makes a unit plan.
//!
//! # Where a unit is
//! A unit stands in the middle of a cell or is on a step to another. It begins a step only if the step is legal at that moment.
//! If a step stops being legal while it is under way (the cell ahead was closed, or one that the corner rule needs), the unit goes
//! back to the cell that it left; unless that one has been closed and the one ahead has not, then it goes on. A unit whose
//! own cell is closed stays there and says so ([`State::Stuck`]); it goes on as soon as the cell is open again.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::unit::{State, Target, UnitSpec, Units};
//!
//! let mut grid: Grid = "
//!     .....
//!     .###.
//!     .....".parse().unwrap();
//! let mut units = Units::new();
//! let spec = UnitSpec { speed: 2.0, ..UnitSpec::new(Cell::new(0, 0), Target::Cell(Cell::new(4, 0))) };
//! let scout = units.add(&grid, &spec).unwrap();
//! units.tick(&grid, 0.25);
//! assert_eq!(units.get(scout).unwrap().position(), Point::flat(1.0, 0.5));
//!
//! grid.set(Cell::new(2, 0), Terrain::WALL).unwrap(); // the door falls shut
//! units.tick(&grid, 0.25);
//! assert_eq!(units.get(scout).unwrap().way().last(), Some(&Cell::new(4, 0)));
//! while units.get(scout).unwrap().state() == State::Walking {
//!     units.tick(&grid, 0.25);
//! }
//! let unit = units.get(scout).unwrap();
//! assert_eq!((unit.state(), unit.cell()), (State::Arrived, Cell::new(4, 0)));
//! assert_eq!(unit.replans(), 2, "one plan at first, one when the door fell shut");
//! ```

mod belief;
mod roam;
mod spec;
mod stride;
#[expect(clippy::module_inception, reason = "the file of the type of that name")]
mod unit;
mod units;

pub use roam::{Habit, Roamer};
pub use spec::{State, Target, UnitError, UnitId, UnitSpec};
pub use unit::Unit;
pub use units::{Replanned, Units};
