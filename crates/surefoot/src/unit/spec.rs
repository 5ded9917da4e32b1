//! What one says about a unit to begin with, and what it says about itself.

use thiserror::Error;

use crate::agent::Agent;
use crate::search::{OptionError, Options, Why};
use crate::space::Cell;
use crate::unit::Units;

/// A unit. Numbers are used again, with another generation: an id that is no longer valid means nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

/// Where a unit wants to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// To a cell.
    Cell(Cell),
    /// To wherever another unit is. When that one is taken away: to where it was last.
    Unit(UnitId),
}

/// What a unit is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It waits for its plan: there was no budget left for it. It finishes the step that it has begun.
    Waiting,
    /// It is on its way.
    Walking,
    /// It stands in the middle of its target's cell.
    Arrived,
    /// There is no way, for this reason. It goes on when there is one again.
    Stuck(Why),
}

/// What a unit is like, and where it begins.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::unit::{Target, UnitSpec};
/// let guard = UnitSpec { speed: 4.5, sensing: Some(6.0), ..UnitSpec::new(Cell::new(2, 3), Target::Cell(Cell::new(9, 9))) };
/// assert_eq!(guard.algorithm, "d_star_lite");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitSpec<'a> {
    /// Where it stands at first.
    pub at: Cell,
    /// Where it wants to go.
    pub target: Target,
    /// How fast it walks, in world units in a unit of time. Terrain does not slow it down.
    pub speed: f64,
    /// Which steps it may make, how wide it is, what it pays.
    pub agent: Agent,
    /// How it plans, by name, with any search that goes in steps. Incremental searches keep a tree for each unit, which takes 32 bytes a cell of the map; units with any other algorithm
    /// share one search and its memory.
    pub algorithm: &'a str,
    /// Options of the algorithm.
    pub options: Options,
    /// How far it sees, in cells; `None` sees everything. It plans on the map as it was when the unit was added, with the changes that it has seen since. It always sees
    /// what decides about its next step. Links are known to everyone. Such a unit keeps a map of its own.
    pub sensing: Option<f64>,
}

impl UnitSpec<'_> {
    /// A unit that makes one world unit in a unit of time, plans with D* Lite and sees everything.
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

/// Why a unit cannot be like that.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum UnitError {
    /// The algorithm or its options.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// Its speed.
    #[error("speed {0} is not a number from 0 up")]
    Speed(f64),
    /// How far it sees.
    #[error("sensing radius {0} is not a number from 0 up")]
    Sensing(f64),
    /// There are too many units.
    #[error("there are {max} units already, which is the most", max = Units::MAX)]
    TooMany,
}

/// Says no to speeds that make no sense.
pub(super) fn check_speed(speed: f64) -> Result<(), UnitError> {
    if speed >= 0.0 && speed.is_finite() { Ok(()) } else { Err(UnitError::Speed(speed)) }
}
