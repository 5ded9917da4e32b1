//! What time-aware planning is asked, and what it answers.

use crate::scene::Goal;
use crate::search::Why;
use crate::space::Point;

/// A query for a plan in space and time.
#[derive(Clone, Copy, Debug)]
pub struct TimedQuery<'a> {
    /// Where the agent is.
    pub at: Point,
    /// When it is there.
    pub tick: u64,
    /// Its speed, in world units per second.
    pub speed: f64,
    /// Where it is going. A goal that moves is intercepted.
    pub goal: &'a Goal,
    /// The number of nodes that may be expanded.
    pub budget: u64,
}

/// Where a plan leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// To the goal, or the nearest point to it where the agent can be. No plan gets there earlier in steps from cell to cell that are
    /// safe for as long as they take. A goal that moves is met in its cell.
    Goal,
    /// To the place that stays safe longest, because the goal cannot be reached before the horizon.
    Horizon,
    /// To the place that stays safe longest of those that were found before the budget was used up.
    Budget,
    /// To the place that stays safe longest, because the goal cannot be reached even without obstacles.
    Unreachable(Why),
}

/// A point at a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// The tick.
    pub tick: u64,
    /// The point, in world coordinates.
    pub at: Point,
}

/// Where an agent is when: straight lines between points, each at a tick. Two equal points in a row are a wait.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedPlan {
    pub(super) waypoints: Vec<Waypoint>,
    pub(super) ending: Ending,
    pub(super) exposed: u32,
    pub(super) safe_at: u64,
    pub(super) expanded: u64,
}

impl Default for TimedPlan {
    /// An empty plan that leads nowhere.
    fn default() -> TimedPlan {
        TimedPlan { waypoints: Vec::new(), ending: Ending::Horizon, exposed: 0, safe_at: 0, expanded: 0 }
    }
}

impl TimedPlan {
    /// Returns the points, in order of time. The first one is where and when the plan begins.
    pub fn waypoints(&self) -> &[Waypoint] {
        &self.waypoints
    }

    /// Returns where the plan leads.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// Returns the tick at which the plan ends: that of the arrival, if it leads to the goal.
    pub fn end_tick(&self) -> u64 {
        self.waypoints.last().map_or(0, |last| last.tick)
    }

    /// Returns for how many ticks the agent is not safe at first. This is 0 unless an obstacle is about to touch the agent where it is; then it
    /// leaves along the route on which it is exposed for the shortest time.
    pub fn exposed(&self) -> u32 {
        self.exposed
    }

    /// Returns the tick from which on the agent is safe: the first one, unless it is [exposed](TimedPlan::exposed).
    pub fn safe_at(&self) -> u64 {
        self.safe_at
    }

    /// Returns the number of nodes that the search expanded.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Returns where the agent is at a time, in ticks and fractions of ticks: at the first point before the plan begins, and at the last one when it has
    /// ended. `None` if the plan is empty.
    pub fn position_at(&self, tick: f64) -> Option<Point> {
        let next = self.waypoints.partition_point(|waypoint| waypoint.tick as f64 <= tick);
        let Some(before) = next.checked_sub(1) else { return self.waypoints.first().map(|first| first.at) };
        let from = self.waypoints[before];
        let Some(to) = self.waypoints.get(next) else { return Some(from.at) };
        let share = (tick - from.tick as f64) / (to.tick - from.tick) as f64;
        Some(from.at.toward(to.at, share))
    }
}
