//! What one says about an agent to begin with, and the states that it can be in.

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
    /// It gets out of the way of an obstacle.
    Evading,
    /// It is at its goal, or at the nearest point to it where it can be.
    Arrived,
    /// It has no path, for a reason.
    Stuck(Why),
}

impl State {
    /// The state as commands write it.
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

/// What one says about an agent to begin with.
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
    /// Where it is at first, in world coordinates.
    pub at: Point,
    /// Where it wants to go.
    pub goal: Point,
    /// How fast it flies, in world units in a unit of time.
    pub speed: f64,
    /// Which steps its plans may make, and how wide it is.
    pub agent: Agent,
    /// How it plans, by name: any search in voxel worlds, in steps or at any angle.
    pub algorithm: &'a str,
    /// Options of the algorithm.
    pub options: Options,
}

impl PilotSpec<'_> {
    /// An agent without a radius that makes one world unit in a unit of time and plans with D* Lite.
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

/// Why an agent cannot be like that.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FlightError {
    /// The algorithm or its options.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// Its speed.
    #[error("speed {0} is not a number from 0 up")]
    Speed(f64),
}
