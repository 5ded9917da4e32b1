//! One agent: its position, its path, its state.

use std::fmt;

use crate::agent::Agent;
use crate::brain::{Brain, Finders};
use crate::core::observe::Observer;
use crate::flight::evade::{Outlook, can_leave, cells_ahead, sight, step_toward};
use crate::flight::forecast::Forecast;
use crate::flight::spec::{FlightError, PilotSpec, State};
use crate::graph::Located;
use crate::replan::{Planner, Replan};
use crate::search::{Algorithm, Outcome, Pathfinder, Why};
use crate::space::{Point, Voxel};
use crate::world::dynamic::DynamicWorld;
use crate::world::journal::Revision;
use crate::world::voxels::VoxelView;

/// A path is replaced by one that is shorter than this share of it.
const WORTH_A_CHANGE: f64 = 0.98;

/// An agent in flight. See the [module](crate::flight) for what it does and when.
///
/// The result depends only on the calls. [`Pilot::tick`] calls [`Pilot::think`] and then [`Pilot::fly`]. If plans take
/// long, `think` can be called several times.
pub struct Pilot {
    agent: Agent,
    speed: f64,
    brain: Brain,
    at: Point,
    goal: Point,
    /// Whether its position has been checked since it was placed.
    settled: bool,
    /// The nearest point to the goal where it can be.
    aim: Option<Point>,
    /// The points that its path leads to, and how many of them it has passed.
    path: Vec<Point>,
    passed: usize,
    /// Memory for the next path, and for the obstacles nearby.
    spare: Vec<Point>,
    near: Vec<u32>,
    /// Where it evades to, and where it goes first to get there.
    refuge: Option<[Point; 2]>,
    waits: bool,
    arrived: bool,
    why: Option<Why>,
    /// The world and the cell of the goal that the last plan is about.
    planned: Option<(Revision, Voxel)>,
    /// The query of a paused plan.
    asked: Option<[Voxel; 2]>,
    cost: Option<f64>,
    /// The statistics of the current plan so far.
    work: Replan,
    last: Replan,
    replans: u64,
    travelled: f64,
}

impl fmt::Debug for Pilot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pilot")
            .field("position", &self.at)
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}

impl Pilot {
    /// Creates an agent from its specification.
    pub fn new(spec: &PilotSpec<'_>) -> Result<Pilot, FlightError> {
        check_speed(spec.speed)?;
        let brain = Brain::new(Algorithm::named(spec.algorithm)?, &spec.options, None)?;
        Ok(Pilot {
            agent: spec.agent,
            speed: spec.speed,
            brain,
            at: spec.at,
            goal: spec.goal,
            settled: false,
            aim: None,
            path: Vec::new(),
            passed: 0,
            spare: Vec::new(),
            near: Vec::new(),
            refuge: None,
            waits: false,
            arrived: false,
            why: None,
            planned: None,
            asked: None,
            cost: None,
            work: Replan::default(),
            last: Replan::default(),
            replans: 0,
            travelled: 0.0,
        })
    }

    /// Returns its position in world coordinates.
    pub fn position(&self) -> Point {
        self.at
    }

    /// Returns where it is going.
    pub fn goal(&self) -> Point {
        self.goal
    }

    /// Returns what it is doing, as of the last call.
    pub fn state(&self) -> State {
        match self.why {
            _ if self.arrived => State::Arrived,
            _ if self.refuge.is_some() => State::Evading,
            Some(why) => State::Stuck(why),
            None if self.waits || self.path().is_empty() => State::Waiting,
            None => State::Flying,
        }
    }

    /// Returns the points that it will fly to, in order; empty if it has no path.
    pub fn path(&self) -> &[Point] {
        &self.path[self.passed..]
    }

    /// Returns the point that it evades to, if it is evading.
    pub fn refuge(&self) -> Option<Point> {
        self.refuge.map(|[_, to]| to)
    }

    /// Returns the cost of its last plan in cells, or `None` without a path.
    pub fn cost(&self) -> Option<f64> {
        self.cost
    }

    /// Returns its movement rule and radius.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Returns its speed, in world units per unit of time.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Returns how far it has flown, in world units.
    pub fn travelled(&self) -> f64 {
        self.travelled
    }

    /// Returns how often it has planned.
    pub fn replans(&self) -> u64 {
        self.replans
    }

    /// Returns the statistics of its last plan. For an algorithm that is not incremental, `expanded` and `generated`
    /// are those of the search.
    pub fn last_replan(&self) -> Replan {
        self.last
    }

    /// Returns whether a plan is paused. It continues with the next [`think`](Pilot::think).
    pub fn is_thinking(&self) -> bool {
        self.asked.is_some()
    }

    /// Returns its planner, if it plans incrementally.
    pub fn planner(&self) -> Option<&Planner> {
        if let Brain::Live(planner) = &self.brain { Some(planner) } else { None }
    }

    /// Returns its search, if it does not plan incrementally.
    pub fn finder(&self) -> Option<&Pathfinder> {
        if let Brain::Own(finder) = &self.brain { Some(finder) } else { None }
    }

    /// Sets whether a repair that takes too long is abandoned for a fresh search; see [`Planner::set_guarded`].
    pub fn set_guarded(&mut self, guarded: bool) {
        if let Brain::Live(planner) = &mut self.brain {
            planner.set_guarded(guarded);
        }
    }

    /// Sets whether to record which nodes each plan changes; see [`Planner::set_logging`].
    pub fn set_logging(&mut self, on: bool) {
        if let Brain::Live(planner) = &mut self.brain {
            planner.set_logging(on);
        }
    }

    /// Sets its speed.
    pub fn set_speed(&mut self, speed: f64) -> Result<(), FlightError> {
        check_speed(speed)?;
        self.speed = speed;
        Ok(())
    }

    /// Sets its goal. A goal that differs from the last one starts a new flight, even if the agent has arrived.
    pub fn set_goal(&mut self, goal: Point) {
        if self.goal != goal {
            (self.goal, self.aim, self.arrived) = (goal, None, false);
        }
    }

    /// Moves it to a point. If it cannot be there, the next [`think`](Pilot::think) moves it to the nearest point where
    /// it can.
    pub fn place(&mut self, at: Point) {
        (self.at, self.settled, self.arrived, self.why) = (at, false, false, None);
        self.lose_path();
    }

    /// Advances time: replans where necessary, then flies.
    pub fn tick(&mut self, world: &DynamicWorld, forecast: &Forecast, time: f64) {
        self.think(world, forecast, u64::MAX);
        self.fly(world, time);
    }

    /// Updates its plan for the world as it is, and looks out for obstacles. Expands at most `budget` nodes. Returns
    /// whether the plan is complete. An agent that flies before that continues along its previous path.
    pub fn think(&mut self, world: &DynamicWorld, forecast: &Forecast, budget: u64) -> bool {
        self.decide(world, forecast, budget, None)
    }

    /// Like [`think`](Pilot::think), with an observer for a search that is not incremental.
    pub fn think_watched(
        &mut self,
        world: &DynamicWorld,
        forecast: &Forecast,
        budget: u64,
        observer: &mut dyn Observer,
    ) -> bool {
        self.decide(world, forecast, budget, Some(observer))
    }

    fn decide(
        &mut self,
        world: &DynamicWorld,
        forecast: &Forecast,
        budget: u64,
        observer: Option<&mut dyn Observer>,
    ) -> bool {
        (self.refuge, self.waits) = (None, false);
        let view = world.voxels().view(&self.agent);
        if self.arrived || !self.settle(&view) {
            return true;
        }
        let mut near = std::mem::take(&mut self.near);
        let frame = world.voxels().frame();
        let reach = sight(&self.agent, cells_ahead(self.speed, frame.cell_size()));
        forecast.near_into(frame.voxel_at(self.at), reach, &mut near);
        let (agent, speed) = (self.agent, self.speed);
        let done = self.act(&Outlook { world, view, forecast, agent, speed, near: &near }, budget, observer);
        self.near = near;
        done
    }

    /// Leaves, or plans and looks ahead; says whether the plan has come to an end.
    fn act(&mut self, outlook: &Outlook<'_>, budget: u64, observer: Option<&mut dyn Observer>) -> bool {
        let view = outlook.view;
        if !view.is_clear(self.at, self.at) {
            self.leave(outlook);
            return true;
        }
        let done = match self.aim_at(&view) {
            Some(aim) if self.has_to_plan(&view, aim) => self.plan(&view, aim, budget, observer),
            _ => true,
        };
        self.look_ahead(outlook);
        done
    }

    /// Moves it to where it can be, if it was placed somewhere; `false` if there is no such place.
    fn settle(&mut self, view: &VoxelView<'_>) -> bool {
        if !self.settled {
            match view.nearest_clear_point(self.at) {
                Some(at) => (self.at, self.settled) = (at, true),
                None => self.why = Some(Why::StartBlocked),
            }
        }
        self.settled
    }

    /// Finds the point to fly to: the goal, or the nearest one to it. The end of the path follows it while the last line stays clear.
    fn aim_at(&mut self, view: &VoxelView<'_>) -> Option<Point> {
        let Some(aim) = view.nearest_clear_point(self.goal) else {
            self.lose_path();
            self.why = Some(if self.goal.is_finite() { Why::GoalBlocked } else { Why::GoalOutside });
            return None;
        };
        if self.aim.replace(aim) != Some(aim) && !self.bend_end(view, aim) {
            self.planned = None;
        }
        Some(aim)
    }

    fn bend_end(&mut self, view: &VoxelView<'_>, aim: Point) -> bool {
        let before = self.path().iter().rev().nth(1).copied().unwrap_or(self.at);
        let bends = !self.path().is_empty() && view.is_clear(before, aim);
        if bends && let Some(end) = self.path.last_mut() {
            *end = aim;
        }
        bends
    }

    fn has_to_plan(&self, view: &VoxelView<'_>, aim: Point) -> bool {
        let voxels = view.voxels();
        // Evading may have led to where the path cannot be joined any more.
        let is_off = self.path().first().is_some_and(|&next| !view.is_clear(self.at, next));
        is_off
            || self.is_thinking()
            || self.planned != Some((voxels.revision(), voxels.frame().voxel_at(aim)))
    }

    /// Continues a plan from its position; `false` if the budget is used up before the plan is complete.
    fn plan(
        &mut self,
        view: &VoxelView<'_>,
        aim: Point,
        budget: u64,
        observer: Option<&mut dyn Observer>,
    ) -> bool {
        // The cell around a point where the agent can be is open, and the line to its centre is clear.
        let ends = [self.at, aim].map(|point| view.voxels().frame().voxel_at(point));
        let none_shared = &mut Finders::default();
        let (outcome, replan) =
            self.brain.plan(none_shared, (*view).into(), ends, &mut self.asked, budget, observer);
        self.work += replan;
        if outcome == Outcome::Paused {
            return false;
        }
        self.last = std::mem::take(&mut self.work);
        self.replans += 1;
        self.planned = self.asked.take().map(|[_, goal]| (view.voxels().revision(), goal));
        if let Outcome::Unreachable(why) = outcome {
            (self.why, self.cost) = (Some(why), None);
            self.path.clear();
            self.passed = 0;
        } else {
            self.why = None;
            self.choose(view, aim);
        }
        true
    }

    /// Takes the path of the plan, or keeps the one that it has if that is clear and not much longer.
    fn choose(&mut self, view: &VoxelView<'_>, aim: Point) {
        let none_shared = Finders::default();
        let plan = self.brain.path(&none_shared);
        self.cost = Some(plan.cost());
        let mut points = std::mem::take(&mut self.spare);
        points.clear();
        points.extend(plan.nodes().iter().map(|&node| view.position(node)));
        lead_to(view, &mut points, aim);
        if points.get(1).is_some_and(|&second| view.is_clear(self.at, second)) {
            points.remove(0);
        }
        if self.keeps(view, aim, &points) {
            self.spare = points;
        } else {
            self.spare = std::mem::replace(&mut self.path, points);
            self.passed = 0;
        }
    }

    fn keeps(&self, view: &VoxelView<'_>, aim: Point, other: &[Point]) -> bool {
        let path = self.path();
        path.last() == Some(&aim)
            && length(self.at, other) >= WORTH_A_CHANGE * length(self.at, path)
            && legs(self.at, path).all(|[from, to]| view.is_clear(from, to))
    }

    /// A cell around it is closed: it leaves.
    fn leave(&mut self, outlook: &Outlook<'_>) {
        let next = self.path().first().copied().unwrap_or(self.at);
        self.refuge = outlook.refuge(self.at, next).map(|refuge| [refuge.via, refuge.to]);
        self.why = if self.refuge.is_some() { None } else { Some(Why::StartBlocked) };
        self.lose_path();
    }

    /// Waits or evades if the path leads to where a cell will be closed in the next half second.
    fn look_ahead(&mut self, outlook: &Outlook<'_>) {
        if outlook.near.is_empty() {
            return;
        }
        let exposure = outlook.exposure(|flown| self.place_after(flown));
        if exposure.is_none() {
            return;
        }
        let next = self.path().first().copied().unwrap_or(self.at);
        if let Some(refuge) = outlook.refuge(self.at, next).filter(|refuge| refuge.exposure < exposure) {
            self.waits = refuge.to == self.at;
            self.refuge = (!self.waits).then_some([refuge.via, refuge.to]);
        }
    }

    /// Returns its position after flying a distance along its path.
    fn place_after(&self, mut left: f64) -> Point {
        for [from, to] in legs(self.at, self.path()) {
            let length = from.distance(to);
            if length > left {
                return from.toward(to, left / length);
            }
            left -= length;
        }
        self.path.last().copied().filter(|_| !self.path().is_empty()).unwrap_or(self.at)
    }

    /// Flies for a time, as decided by the last [`think`](Pilot::think). It stops before a box of cell centres that has
    /// closed since. A time that is negative or NaN counts as zero.
    pub fn fly(&mut self, world: &DynamicWorld, time: f64) {
        let view = world.voxels().view(&self.agent);
        // `max` turns what is not a number into 0.
        let mut left = (self.speed * time).max(0.0);
        if self.arrived || !self.settled || self.waits {
            return;
        }
        if let Some(stops) = self.refuge {
            let caught = !view.is_clear(self.at, self.at);
            for stop in stops {
                let to = step_toward(self.at, stop, left);
                let may_go = if caught {
                    can_leave(world, &view, &self.agent, self.at, to)
                } else {
                    view.is_clear(self.at, to)
                };
                if !may_go {
                    return;
                }
                left -= self.go(to);
            }
            return;
        }
        while left > 0.0
            && let Some(&next) = self.path.get(self.passed)
        {
            let to = step_toward(self.at, next, left);
            if !view.is_clear(self.at, to) {
                (self.planned, self.waits) = (None, true);
                return;
            }
            left -= self.go(to);
            // What rounding leaves over would not move it any more.
            if to != next {
                break;
            }
            self.passed += 1;
        }
        self.arrived = self.path().is_empty() && self.why.is_none() && self.aim == Some(self.at);
    }

    /// Goes to a point; returns how far that is.
    fn go(&mut self, to: Point) -> f64 {
        let flown = self.at.distance(to);
        self.travelled += flown;
        self.at = to;
        flown
    }

    /// Forgets its path, which no longer begins where it is, and the plan at hand.
    fn lose_path(&mut self) {
        self.path.clear();
        (self.passed, self.planned, self.asked) = (0, None, None);
    }
}

/// Lets a path end at a point in the cell that it leads to.
fn lead_to(view: &VoxelView<'_>, points: &mut Vec<Point>, aim: Point) {
    let Some((&last, before)) = points.split_last() else { return };
    if before.last().is_some_and(|&before| last != aim && view.is_clear(before, aim)) {
        points.pop();
    }
    if points.last() != Some(&aim) && points.last().is_some_and(|&last| view.is_clear(last, aim)) {
        points.push(aim);
    }
}

/// The straight lines of a path, from where the agent is.
fn legs(at: Point, path: &[Point]) -> impl Iterator<Item = [Point; 2]> + '_ {
    let first = path.first().map(|&first| [at, first]);
    first.into_iter().chain(path.windows(2).map(|pair| [pair[0], pair[1]]))
}

fn length(at: Point, path: &[Point]) -> f64 {
    legs(at, path).map(|[from, to]| from.distance(to)).sum()
}

fn check_speed(speed: f64) -> Result<(), FlightError> {
    if speed >= 0.0 && speed.is_finite() { Ok(()) } else { Err(FlightError::Speed(speed)) }
}
