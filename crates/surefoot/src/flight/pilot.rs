//! One agent with its mind and its body on one thread.

use std::fmt;

use crate::agent::Agent;
use crate::brain::Brain;
use crate::core::observe::Observer;
use crate::flight::body::Body;
use crate::flight::forecast::Forecast;
use crate::flight::mind::Mind;
use crate::flight::spec::{FlightError, PilotSpec, State};
use crate::replan::{Planner, Replan};
use crate::search::Pathfinder;
use crate::space::Point;
use crate::world::dynamic::DynamicWorld;

/// An agent in flight. See the [module](crate::flight) for what it does and when.
///
/// The result depends only on the calls. [`Pilot::tick`] calls [`Pilot::think`] and then [`Pilot::fly`]. If plans take
/// long, `think` can be called several times. A [`Fleet`](crate::flight::Fleet) thinks for many agents on other threads.
pub struct Pilot {
    body: Body,
    mind: Mind,
}

impl fmt::Debug for Pilot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pilot")
            .field("position", &self.body.at)
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}

impl Pilot {
    /// Creates an agent from its specification.
    pub fn new(spec: &PilotSpec<'_>) -> Result<Pilot, FlightError> {
        Ok(Pilot { body: Body::new(spec)?, mind: Mind::new(spec)? })
    }

    /// Returns its position in world coordinates.
    pub fn position(&self) -> Point {
        self.body.at
    }

    /// Returns where it is going.
    pub fn goal(&self) -> Point {
        self.body.goal
    }

    /// Returns what it is doing, as of the last call.
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

    /// Returns the cost of its last plan in cells, or `None` without a path.
    pub fn cost(&self) -> Option<f64> {
        self.mind.cost
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

    /// Returns how often it has planned.
    pub fn replans(&self) -> u64 {
        self.mind.replans
    }

    /// Returns the statistics of its last plan. For an algorithm that is not incremental, `expanded` and `generated`
    /// are those of the search.
    pub fn last_replan(&self) -> Replan {
        self.mind.last
    }

    /// Returns whether a plan is paused. It continues with the next [`think`](Pilot::think).
    pub fn is_thinking(&self) -> bool {
        self.mind.is_thinking()
    }

    /// Returns its planner, if it plans incrementally.
    pub fn planner(&self) -> Option<&Planner> {
        if let Brain::Live(planner) = &self.mind.brain { Some(planner) } else { None }
    }

    /// Returns its search, if it does not plan incrementally.
    pub fn finder(&self) -> Option<&Pathfinder> {
        if let Brain::Own(finder) = &self.mind.brain { Some(finder) } else { None }
    }

    /// Sets whether a repair that takes too long is abandoned for a fresh search; see [`Planner::set_guarded`].
    pub fn set_guarded(&mut self, guarded: bool) {
        if let Brain::Live(planner) = &mut self.mind.brain {
            planner.set_guarded(guarded);
        }
    }

    /// Sets whether to record which nodes each plan changes; see [`Planner::set_logging`].
    pub fn set_logging(&mut self, on: bool) {
        if let Brain::Live(planner) = &mut self.mind.brain {
            planner.set_logging(on);
        }
    }

    /// Sets its speed.
    pub fn set_speed(&mut self, speed: f64) -> Result<(), FlightError> {
        self.body.set_speed(speed)
    }

    /// Sets its goal. A goal that differs from the last one starts a new flight, even if the agent has arrived.
    pub fn set_goal(&mut self, goal: Point) {
        self.body.set_goal(goal);
    }

    /// Moves it to a point. If it cannot be there, the next [`think`](Pilot::think) moves it to the nearest point where
    /// it can.
    pub fn place(&mut self, at: Point) {
        self.body.place(at);
        self.mind.forget_plan();
    }

    /// Advances time: replans where necessary, then flies.
    pub fn tick(&mut self, world: &DynamicWorld, forecast: &Forecast, time: f64) {
        self.think(world, forecast, u64::MAX);
        self.fly(world, time);
    }

    /// Updates its plan for the world as it is, and looks out for obstacles. Expands at most `budget` nodes. Returns
    /// whether the plan is complete. An agent that flies before that continues along its previous path.
    pub fn think(&mut self, world: &DynamicWorld, forecast: &Forecast, budget: u64) -> bool {
        self.mind.think(&mut self.body, world, forecast, budget, None)
    }

    /// Like [`think`](Pilot::think), with an observer for a search that is not incremental.
    pub fn think_watched(
        &mut self,
        world: &DynamicWorld,
        forecast: &Forecast,
        budget: u64,
        observer: &mut dyn Observer,
    ) -> bool {
        self.mind.think(&mut self.body, world, forecast, budget, Some(observer))
    }

    /// Flies for a time, as decided by the last [`think`](Pilot::think). It stops before a box of cell centres that has
    /// closed since. A time that is negative or NaN counts as zero.
    pub fn fly(&mut self, world: &DynamicWorld, time: f64) {
        self.body.fly(world, time);
    }
}
