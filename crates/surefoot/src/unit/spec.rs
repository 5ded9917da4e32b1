//! The specification of a unit, and the states that it can be in.

use thiserror::Error;

use crate::agent::Agent;
use crate::search::{OptionError, Options, Why};
use crate::space::Cell;
use crate::unit::Units;

/// The id of a unit. Numbers are reused with another generation, so a stale id refers to no unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

/// Where a unit is going.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A cell.
    Cell(Cell),
    /// The cell of another unit. If that unit is removed, its last cell.
    Unit(UnitId),
}

/// What a unit is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It is waiting for its plan, because the budget was used up. It finishes the step that it has begun.
    Waiting,
    /// It is walking along its path.
    Walking,
    /// It stands at the centre of its target's cell.
    Arrived,
    /// There is no path, for the given reason. It continues when there is one again.
    Stuck(Why),
}

/// The properties of a unit, and where it starts.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::unit::{Target, UnitSpec};
/// let guard = UnitSpec { speed: 4.5, sensing: Some(6.0), ..UnitSpec::new(Cell::new(2, 3), Target::Cell(Cell::new(9, 9))) };
/// assert_eq!(guard.algorithm, "d_star_lite");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitSpec<'a> {
    /// The cell on which it starts.
    pub at: Cell,
    /// Where it is going.
    pub target: Target,
    /// Its speed, in world units per unit of time. Terrain does not slow it down.
    pub speed: f64,
    /// Its movement rule, radius and terrain costs.
    pub agent: Agent,
    /// The name of the algorithm that it plans with: any search whose paths consist of steps. Incremental searches keep
    /// one tree per unit, which takes 32 bytes per cell of the map. Units with any other algorithm share one search and
    /// its memory.
    pub algorithm: &'a str,
    /// The options of the algorithm.
    pub options: Options,
    /// Its sensing range in cells; `None` means that it sees everything. It plans on the map as it was when the unit
    /// was added, with the changes that it has seen since. It always sees what determines whether its next step is
    /// legal. Links are always known. Such a unit keeps a map of its own.
    pub sensing: Option<f64>,
}

impl UnitSpec<'_> {
    /// Creates the specification of a unit that walks one world unit per unit of time, plans with D* Lite and sees
    /// everything.
    pub fn new(at: Cell, target: Target) -> UnitSpec<'static> {
        UnitSpec {
            at,
            target,
            speed: 1.0,
            agent: Agent::default(),
            algorithm: "d_star_lite",
            options: Options::default(),
            sensing: None,
        }
    }
}

/// Why a unit specification was rejected.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum UnitError {
    /// The algorithm or its options are invalid.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The speed is invalid.
    #[error("speed {0} is out of range: expected a number of at least 0")]
    Speed(f64),
    /// The sensing range is invalid.
    #[error("sensing radius {0} is out of range: expected a number of at least 0")]
    Sensing(f64),
    /// There are too many units.
    #[error("too many units: expected at most {max}", max = Units::MAX)]
    TooMany,
}

/// Rejects invalid speeds.
pub(super) fn check_speed(speed: f64) -> Result<(), UnitError> {
    if speed >= 0.0 && speed.is_finite() { Ok(()) } else { Err(UnitError::Speed(speed)) }
}
