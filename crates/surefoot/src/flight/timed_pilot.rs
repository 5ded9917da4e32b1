//! An agent that knows how obstacles move, and flies by a plan in space and time.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::agent::{Agent, InvalidRadius};
use crate::flight::evade::step_toward;
use crate::flight::safe_intervals::SafeIntervals;
use crate::flight::shadows::Motion;
use crate::flight::sipp::{Sipp, all_on_leg};
use crate::flight::spec::{FlightError, State};
use crate::flight::timed_plan::{Ending, TimedPlan, TimedQuery};
use crate::obstacle::Pose;
use crate::scene::{Goal, Mover, Scene, TICKS_PER_SECOND};
use crate::search::Why;
use crate::space::Point;
use crate::world::dynamic::{DynamicError, DynamicWorld, ObstacleId};
use crate::world::voxels::{VoxelView, Voxels};

/// How far ahead an agent with a timetable looks, in ticks: a minute.
pub const TIMED_HORIZON: u32 = 60 * TICKS_PER_SECOND;

/// How far ahead it looks for an obstacle that does not do what its timetable says, or has none: two seconds.
pub const STRANGER_HORIZON: u32 = 2 * TICKS_PER_SECOND;

/// How soon it plans again if there was no plan to the goal, and how long what it goes to without a plan has to stay safe: half a second.
const SOON: u32 = TICKS_PER_SECOND / 2;

/// What counts as the pose that was foreseen, in cells.
const SAME: f64 = 1e-6;

/// The specification of a [`TimedPilot`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedSpec {
    /// Its initial position in world coordinates.
    pub at: Point,
    /// Its speed, in world units per second.
    pub speed: f64,
    /// Its movement rule and radius.
    pub agent: Agent,
    /// How close to the goal it has to get, in world units: the flight ends as soon as its centre is within that distance. With 0 it has to get to
    /// the goal itself, or to the nearest point where it can be.
    pub reach: f64,
    /// The number of nodes that a plan may expand.
    pub budget: u64,
}

impl TimedSpec {
    /// Returns the specification of the agent of a scene, which has to get to the goal itself.
    pub fn of_scene(scene: &Scene) -> Result<TimedSpec, InvalidRadius> {
        let agent = Agent::new().with_radius(scene.walker.radius / scene.frame.cell_size())?;
        Ok(TimedSpec { at: scene.start, speed: scene.walker.speed, agent, reach: 0.0, budget: u64::MAX })
    }
}

/// Why an agent with a timetable could not be created.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TimedFlightError {
    /// The specification is invalid.
    #[error(transparent)]
    Spec(#[from] FlightError),
    /// The reach is invalid.
    #[error("reach {0} is out of range: expected a number of at least 0")]
    Reach(f64),
    /// The scene is invalid.
    #[error(transparent)]
    Scene(#[from] DynamicError),
}

/// An agent that knows the motions of obstacles, and follows a [plan](Sipp) in space and time.
///
/// It keeps its plan while the world does what was foreseen: every obstacle is where its motion says, or absent. An obstacle that does something else, or that the
/// scene does not know, is expected to go on as it does for the next two seconds. If the plan is not safe from it, the agent plans again. It also plans again if it gets another goal.
///
/// ```
/// use surefoot::flight::{State, TimedPilot, TimedSpec};
/// use surefoot::obstacle::{Pose, Shape};
/// use surefoot::prelude::*;
/// use surefoot::scene::{Mover, Scene, Switch};
///
/// // A corridor with a gate that is closed for a second and then open for a second.
/// let mut scene = Scene::new([9, 1, 1]);
/// let gate = Shape::cuboid(Point::new(0.5, 0.5, 0.5)).unwrap();
/// let gate = Mover::at_rest("gate", gate, Pose::at(Point::new(4.5, 0.5, 0.5)).unwrap());
/// scene.obstacles.push(Mover { switch: Some(Switch::new(60, true).unwrap()), ..gate });
/// scene.walker.speed = 6.0;
///
/// let mut world = scene.world().unwrap();
/// let mut drone = TimedPilot::new(&scene, &TimedSpec::of_scene(&scene).unwrap(), 0).unwrap();
/// let mut tick = 0;
/// while drone.state() != State::Arrived {
///     tick += 1;
///     scene.show(&mut world, tick).unwrap();
///     drone.tick(&world, &scene.goal, tick);
/// }
/// assert_eq!((tick, drone.replans()), (60 + 50, 1));
/// ```
pub struct TimedPilot {
    spec: TimedSpec,
    /// The cells that never move.
    walls: Arc<Voxels>,
    movers: Vec<Mover>,
    /// What the motions of the scene leave safe.
    known: SafeIntervals,
    /// The same without what strangers will cover, if there are any.
    wary: Option<SafeIntervals>,
    strangers: Vec<Stranger>,
    /// By obstacle: where it was at the last tick, if it was there.
    seen: Vec<Option<Pose>>,
    sipp: Sipp,
    /// The goal of the plan; `None` if there is no plan, or not one that holds.
    planned: Option<Goal>,
    at: Point,
    now: u64,
    settled: bool,
    state: State,
    replans: u64,
    travelled: f64,
}

/// An obstacle that does not do what its timetable says, or has none.
struct Stranger {
    number: u32,
    motion: Motion,
    /// The last tick up to which its motion has been extrapolated.
    until: u64,
}

impl fmt::Debug for TimedPilot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TimedPilot")
            .field("position", &self.at)
            .field("tick", &self.now)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl TimedPilot {
    /// Creates an agent that is at its initial position at a tick. It takes the cells that never move and the motions of obstacles from the scene, and looks a
    /// [minute](TIMED_HORIZON) ahead.
    pub fn new(scene: &Scene, spec: &TimedSpec, tick: u64) -> Result<TimedPilot, TimedFlightError> {
        if !(spec.speed >= 0.0 && spec.speed.is_finite()) {
            return Err(FlightError::Speed(spec.speed).into());
        }
        if !(spec.reach >= 0.0 && spec.reach.is_finite()) {
            return Err(TimedFlightError::Reach(spec.reach));
        }
        Ok(TimedPilot {
            spec: *spec,
            walls: Arc::new(scene.fixed_cells()?),
            movers: scene.obstacles.clone(),
            known: SafeIntervals::of_scene(scene, &spec.agent, tick, TIMED_HORIZON)?,
            wary: None,
            strangers: Vec::new(),
            seen: Vec::new(),
            sipp: Sipp::default(),
            planned: None,
            at: spec.at,
            now: tick,
            settled: false,
            state: State::Waiting,
            replans: 0,
            travelled: 0.0,
        })
    }

    /// Returns its position in world coordinates.
    pub fn position(&self) -> Point {
        self.at
    }

    /// Returns the tick up to which it has flown.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Returns what it is doing, as of the last call.
    pub fn state(&self) -> State {
        self.state
    }

    /// Returns its plan, with the part that it has flown already; empty if it has none.
    pub fn plan(&self) -> &TimedPlan {
        self.sipp.last_plan()
    }

    /// Returns the points that it will fly to, in order.
    pub fn path(&self) -> impl Iterator<Item = Point> + '_ {
        let ahead = self.plan().waypoints().iter().filter(|waypoint| waypoint.tick > self.now);
        ahead.map(|waypoint| waypoint.at)
    }

    /// Returns which cells it takes to be safe, and for how long.
    pub fn safe_intervals(&self) -> &SafeIntervals {
        self.wary.as_ref().unwrap_or(&self.known)
    }

    /// Returns its specification.
    pub fn spec(&self) -> &TimedSpec {
        &self.spec
    }

    /// Returns how far it has flown, in world units.
    pub fn travelled(&self) -> f64 {
        self.travelled
    }

    /// Returns how often it has planned.
    pub fn replans(&self) -> u64 {
        self.replans
    }

    /// Flies up to a tick. `world` shows the obstacles at that tick. Plans first if necessary.
    ///
    /// A tick that is not after the last one only has an effect on the plan. If several ticks have passed since the last call, the agent flies all of them
    /// as planned.
    pub fn tick(&mut self, world: &DynamicWorld, goal: &Goal, tick: u64) {
        if self.state == State::Arrived && self.planned.as_ref() == Some(goal) {
            self.now = self.now.max(tick);
            return;
        }
        let walls = Arc::clone(&self.walls);
        let view = walls.view(&self.spec.agent);
        if self.settle(&view) {
            self.look_around(&view, world, tick);
            if !self.chases(&view, goal, tick) {
                self.think(&view, goal);
                self.fly(goal, tick);
            }
        }
        self.now = self.now.max(tick);
    }

    /// Moves it to where it can be at first; `false` if there is no such place.
    fn settle(&mut self, view: &VoxelView<'_>) -> bool {
        if !self.settled {
            match view.nearest_clear_point(self.at) {
                Some(at) => (self.at, self.settled) = (at, true),
                None => self.state = State::Stuck(Why::StartBlocked),
            }
        }
        self.settled
    }

    /// Compares the obstacles with what was foreseen, and forgets the plan if it is not safe from those that do something else.
    fn look_around(&mut self, view: &VoxelView<'_>, world: &DynamicWorld, tick: u64) {
        let scale = view.voxels().frame().cell_size();
        let mut strangers = Vec::new();
        let mut is_news = false;
        for number in 0..world.obstacle_count() as u32 {
            let id = ObstacleId(number);
            let (Ok(shape), Ok(pose), Ok(active)) = (world.shape(id), world.pose(id), world.is_active(id))
            else {
                continue;
            };
            if number as usize == self.seen.len() {
                self.seen.push(None);
            }
            let before = std::mem::replace(&mut self.seen[number as usize], active.then_some(pose));
            let is_known = self
                .movers
                .get(number as usize)
                .is_some_and(|mover| mover.is_active_at(tick) && are_same(mover.pose_at(tick), pose, scale));
            if !active || is_known {
                continue;
            }
            let known = self.strangers.iter().position(|stranger| {
                stranger.number == number
                    && stranger.until >= tick + u64::from(STRANGER_HORIZON / 2)
                    && are_same(stranger.motion.at(tick).0, pose, scale)
            });
            strangers.push(if let Some(known) = known {
                self.strangers.swap_remove(known)
            } else {
                is_news = true;
                let until = tick + u64::from(STRANGER_HORIZON);
                let (shape, before) = (shape.clone(), before.unwrap_or(pose));
                Stranger { number, motion: Motion::Straight { shape, before, now: pose, tick, until }, until }
            });
        }
        // Those that are left over have gone, or do what their timetable says again.
        is_news |= !self.strangers.is_empty();
        self.strangers = strangers;
        if is_news {
            self.be_wary(tick);
            if !self.is_plan_safe(view) {
                self.planned = None;
            }
        }
    }

    /// Finds out what strangers leave safe.
    fn be_wary(&mut self, tick: u64) {
        self.wary = None;
        if !self.strangers.is_empty() {
            let mut wary = self.known.clone();
            let motions = self.strangers.iter().map(|stranger| stranger.motion.clone());
            let from = tick.saturating_sub(1).max(wary.from());
            // Shapes and sizes were accepted when the obstacles were added to the world.
            if wary.avoid(&self.spec.agent, motions, from, STRANGER_HORIZON + 1).is_ok() {
                self.wary = Some(wary);
            }
        }
    }

    /// Whether what is left of the plan is safe.
    fn is_plan_safe(&self, view: &VoxelView<'_>) -> bool {
        let (safe, frame) = (self.safe_intervals(), view.voxels().frame());
        let waypoints = self.plan().waypoints();
        waypoints.windows(2).filter(|pair| pair[1].tick > self.now).all(|pair| {
            let [from, to] = [pair[0].tick.max(self.now), pair[1].tick]
                .map(|tick| tick.saturating_sub(safe.from()).min(u64::from(u32::MAX)) as u32);
            let cells = [pair[0].at, pair[1].at].map(|at| frame.voxel_at(at));
            let is_safe = |node| safe.is_safe(node, from, to);
            if frame.voxel_centre(cells[0]) == pair[0].at {
                cells.iter().all(|&cell| view.voxels().node(cell).is_some_and(is_safe))
            } else {
                all_on_leg(view, pair[0].at, cells[1], is_safe)
            }
        })
    }

    /// Flies straight to a goal that moves and is less than a cell away, if that is safe now and soon after.
    fn chases(&mut self, view: &VoxelView<'_>, goal: &Goal, tick: u64) -> bool {
        let frame = view.voxels().frame();
        let Some(aim) = view.nearest_clear_point(goal.position_at(tick)) else { return false };
        if goal.travel.is_none() || tick != self.now + 1 || self.at.distance(aim) > frame.cell_size() {
            return false;
        }
        let to = step_toward(self.at, aim, self.spec.speed / f64::from(TICKS_PER_SECOND));
        let safe = self.safe_intervals();
        let [from, until] = [self.now, tick + u64::from(SOON)].map(|tick| (tick - safe.from()) as u32);
        let may_go = view.is_clear(self.at, to)
            && all_on_leg(view, self.at, frame.voxel_at(to), |node| safe.is_safe(node, from, until));
        if may_go {
            self.planned = None;
            self.go(to);
            let is_there = to == aim || to.distance(goal.position_at(tick)) <= self.spec.reach;
            self.state = if is_there { self.arrive(goal) } else { State::Flying };
        }
        may_go
    }

    /// Plans, if it has to.
    fn think(&mut self, view: &VoxelView<'_>, goal: &Goal) {
        let plan = self.sipp.last_plan();
        let begun = plan.waypoints().first().map_or(0, |first| first.tick);
        let is_over = match plan.ending() {
            Ending::Goal => self.now >= plan.end_tick(),
            _ => self.now >= begun + u64::from(SOON),
        };
        if self.planned.as_ref() == Some(goal) && !is_over {
            return;
        }
        let horizon = u64::from(TIMED_HORIZON);
        if self.now > self.known.from() + 4 * horizon {
            let (frame, size) = (*self.walls.frame(), self.walls.size());
            let motions = self.movers.iter().cloned().map(Motion::Known);
            let agent = &self.spec.agent;
            if let Ok(known) = SafeIntervals::of_motions(frame, size, agent, motions, self.now, TIMED_HORIZON)
            {
                self.known = known;
            }
        }
        self.known.extend_to(self.now + horizon);
        if self.wary.is_some() {
            self.be_wary(self.now + 1);
        }
        let TimedSpec { speed, budget, .. } = self.spec;
        let query = TimedQuery { at: self.at, tick: self.now, speed, goal, budget };
        let safe = self.wary.as_ref().unwrap_or(&self.known);
        self.sipp.plan(view, safe, &query);
        self.replans += 1;
        if self.planned.as_ref() != Some(goal) {
            self.planned = Some(goal.clone());
        }
    }

    /// Flies as planned.
    fn fly(&mut self, goal: &Goal, tick: u64) {
        let before = self.at;
        for tick in self.now + 1..=tick {
            let Some(to) = self.plan().position_at(tick as f64) else { break };
            self.go(to);
            if to.distance(goal.position_at(tick)) <= self.spec.reach {
                self.state = self.arrive(goal);
                return;
            }
        }
        let plan = self.plan();
        self.state = match plan.ending() {
            Ending::Goal if goal.travel.is_none() && tick >= plan.end_tick() => self.arrive(goal),
            _ if plan.exposed() > 0 && tick < plan.safe_at() => State::Evading,
            Ending::Unreachable(why) if before == self.at => State::Stuck(why),
            _ if before == self.at => State::Waiting,
            Ending::Goal => State::Flying,
            _ => State::Evading,
        };
    }

    fn go(&mut self, to: Point) {
        self.travelled += self.at.distance(to);
        self.at = to;
    }

    fn arrive(&mut self, goal: &Goal) -> State {
        self.planned = Some(goal.clone());
        State::Arrived
    }
}

/// Whether two poses are the same but for rounding.
fn are_same(a: Pose, b: Pose, scale: f64) -> bool {
    let (p, q) = (a.rotation().numbers(), b.rotation().numbers());
    let is_turned = |sign: f64| (0..4).any(|part| (p[part] - sign * q[part]).abs() > SAME);
    a.position().distance(b.position()) <= SAME * scale && !(is_turned(1.0) && is_turned(-1.0))
}
