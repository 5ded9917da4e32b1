//! The specification of an agent, and the states that it can be in.

use thiserror::Error;

use crate::agent::Agent;
use crate::search::{OptionError, Options, Why};
use crate::space::Point;

/// What an agent in flight is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It flies along its path.
    Flying,
    /// It stays where it is: its plan is not ready, or an obstacle will cross its path.
    Waiting,
    /// It is evading an obstacle.
    Evading,
    /// It is at its goal, or at the nearest point to it where it can be.
    Arrived,
    /// It has no path, for the given reason.
    Stuck(Why),
}

impl State {
    /// Returns the name of the state, as used by the command line tools.
    pub const fn name(self) -> &'static str {
        match self {
            State::Flying => "flying",
            State::Waiting => "waiting",
            State::Evading => "evading",
            State::Arrived => "arrived",
            State::Stuck(_) => "stuck",
        }
    }
}

/// The specification of a flying agent.
///
/// ```
/// use surefoot::flight::PilotSpec;
/// use surefoot::prelude::*;
/// let agent = Agent::new().with_radius(0.45).unwrap();
/// let drone = PilotSpec { agent, algorithm: "lazy_theta", ..PilotSpec::new(Point::default(), Point::new(9.0, 9.0, 3.0)) };
/// assert_eq!(drone.speed, 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PilotSpec<'a> {
    /// Its initial position in world coordinates.
    pub at: Point,
    /// Where it is going.
    pub goal: Point,
    /// Its speed, in world units per unit of time.
    pub speed: f64,
    /// Its movement rule and radius.
    pub agent: Agent,
    /// The name of the algorithm that it plans with: any search for voxel worlds, in steps or at any angle.
    pub algorithm: &'a str,
    /// The options of the algorithm.
    pub options: Options,
}

impl PilotSpec<'_> {
    /// Creates the specification of an agent without a radius that flies one world unit per unit of time and plans with
    /// D* Lite.
    pub fn new(at: Point, goal: Point) -> PilotSpec<'static> {
        PilotSpec {
            at,
            goal,
            speed: 1.0,
            agent: Agent::default(),
            algorithm: "d_star_lite",
            options: Options::default(),
        }
    }
}

/// Why an agent specification was rejected.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FlightError {
    /// The algorithm or its options are invalid.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The speed is invalid.
    #[error("speed {0} is out of range: expected a number of at least 0")]
    Speed(f64),
}
