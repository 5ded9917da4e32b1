//! An agent of a fleet.

use std::fmt;

use crate::agent::Agent;
use crate::flight::body::Body;
use crate::flight::fleet::round::Thought;
use crate::flight::spec::State;
use crate::replan::Replan;
use crate::space::Point;

/// An agent of a [`Fleet`](crate::flight::Fleet).
pub struct Flyer {
    pub(super) body: Body,
    /// Which goal and place it has been given, counted.
    pub(super) order: u64,
    /// Whether it was placed elsewhere since it was last handed out.
    pub(super) is_placed: bool,
    /// `None` while it thinks.
    pub(super) thought: Option<Thought>,
    /// The frame that its last result is about.
    pub(super) answered: u64,
    pub(super) replans: u64,
    pub(super) last: Replan,
    pub(super) cost: Option<f64>,
}

impl fmt::Debug for Flyer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flyer")
            .field("position", &self.position())
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}

impl Flyer {
    /// Returns its position in world coordinates.
    pub fn position(&self) -> Point {
        self.body.at
    }

    /// Returns where it is going.
    pub fn goal(&self) -> Point {
        self.body.goal
    }

    /// Returns what it is doing.
    pub fn state(&self) -> State {
        self.body.state()
    }

    /// Returns the points that it will fly to, in order; empty if it has no path.
    pub fn path(&self) -> &[Point] {
        self.body.path()
    }

    /// Returns the point that it evades to, if it is evading.
    pub fn refuge(&self) -> Option<Point> {
        self.body.refuge()
    }

    /// Returns its movement rule and radius.
    pub fn agent(&self) -> &Agent {
        &self.body.agent
    }

    /// Returns its speed, in world units per unit of time.
    pub fn speed(&self) -> f64 {
        self.body.speed
    }

    /// Returns how far it has flown, in world units.
    pub fn travelled(&self) -> f64 {
        self.body.travelled
    }

    /// Returns whether its result is still to come.
    pub fn is_thinking(&self) -> bool {
        self.thought.is_none()
    }

    /// Returns the [frame](crate::flight::FrameReport::frame) that handed out the question of its last result; 0 before the first result.
    pub fn answered(&self) -> u64 {
        self.answered
    }

    /// Returns how often it has planned, by the last result.
    pub fn replans(&self) -> u64 {
        self.replans
    }

    /// Returns the statistics of its last plan, as [`Pilot::last_replan`](crate::flight::Pilot::last_replan) does.
    pub fn last_replan(&self) -> Replan {
        self.last
    }

    /// Returns the cost of its last plan in cells, or `None` without a path.
    pub fn cost(&self) -> Option<f64> {
        self.cost
    }
}
