//! Flow fields: the way to a goal from everywhere.
//!
//! A path serves one unit. Where many units go to the same place, one [`FlowField`] serves all of them: it knows for every node what the
//! cheapest path to the nearest of its [goals](Goal) costs, and which step is the next. It is computed backwards from the goals,
//! so that costs of entering cells, one-way links and one-way edges count in the direction in which units walk.
//!
//! A field works for every kind of world and for every agent, [follows edits](FlowField::update) by repairing what they concern,
//! and [extends](Extent) to everything, to a range, or only as far as units need it.
//!
//! ```
//! use surefoot::field::{FlowField, Goal};
//! use surefoot::prelude::*;
//! let grid: Grid = "
//!     ....#...
//!     ....#.#.
//!     ......#.".parse().unwrap();
//! let goal = Goal::at(&grid, Cell::new(7, 2)).unwrap();
//! let field = FlowField::of(grid.view(&Agent::default()), &[goal]).unwrap();
//! let units = [(0, 0), (3, 1), (5, 0)].map(|(x, y)| grid.node(Cell::new(x, y)).unwrap());
//! for unit in units {
//!     assert_eq!(field.trace(unit).last(), Some(goal.node)); // a step a frame
//! }
//! ```

mod cache;
mod error;
mod flow_field;
mod goal;
mod heading;
mod plane;
mod posts;
mod runs;
mod sights;
mod table;
mod ways;
mod word;

pub use cache::{CacheCounts, FieldCache};
pub use error::FieldError;
pub use flow_field::{Extent, FlowField, Step, StepKind, Update};
pub use goal::{Goal, PlacedGoal};
pub use heading::{Heading, HeadingKind};
