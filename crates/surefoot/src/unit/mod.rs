//! Units on a changing grid: they follow their paths, and replan when and only when they have to.
//!
//! | file | contents |
//! |---|---|
//! | `units.rs` | all units: which ones have to replan, whose turn it is, ticks |
//! | `unit.rs` | one unit: its path, its state, its statistics |
//! | `spec.rs` | the specification of a unit |
//! | `belief.rs` | the world as known to a unit with a limited sensing range |
//! | `stride.rs` | positions in and between cells, and when a step is legal |
//! | `roam.rs` | a target that wanders or flees |
//!
//! # When a unit plans
//! A unit plans when an edit breaks its path, makes it more expensive or may make another path cheaper. It plans when
//! its target enters another cell. A unit without a path plans when something has opened. One
//! [`Subscriptions`](crate::replan::Subscriptions) watches all paths, so an edit is cheap even with thousands of units.
//! Nothing else makes a unit plan.
//!
//! # Where a unit is
//! A unit stands at the centre of a cell or is on a step to another cell. It begins a step only if the step is legal at
//! that moment. A step can stop being legal while it is under way, because the cell ahead, or one that the corner rule
//! needs, was closed. The unit then goes back to the cell that it left. If that cell has been closed and the cell ahead
//! has not, it continues instead. A unit whose own cell is closed stays there and reports [`State::Stuck`]. It
//! continues as soon as the cell is open again.
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
//! assert_eq!(units.get(scout).unwrap().path().last(), Some(&Cell::new(4, 0)));
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
