//! Many agents in flight: a game calls it once per frame, and other threads think.

mod flyer;
mod round;

use std::fmt;
use std::sync::Arc;

pub use flyer::Flyer;
use round::{News, Surroundings, Thought};

use crate::digest::Digest;
use crate::flight::body::{Body, Sky as _};
use crate::flight::forecast::Forecast;
use crate::flight::mind::Mind;
use crate::flight::present::PresentCells;
use crate::flight::spec::{FlightError, PilotSpec, State};
use crate::frame::{Mode, Report, Rounds};
use crate::obstacle::Pose;
use crate::replan::Replan;
use crate::scene::Scene;
use crate::space::{Point, Voxel};
use crate::world::dynamic::{DynamicError, DynamicWorld, ObstacleId};
use crate::world::journal::Revision;
use crate::world::voxels::Voxels;

/// How many nodes an agent expands per frame, unless the [budget](Fleet::set_budget) is another one.
pub const DEFAULT_BUDGET: u64 = 20_000;

/// The number of an agent. Agents are numbered from 0 in the order in which they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlyerId(pub u32);

/// Agents in flight that a game moves once per frame, while other threads keep up with the obstacles and plan.
///
/// Tell it where obstacles are ([`set_pose`](Fleet::set_pose), [`set_active`](Fleet::set_active), [`set_static`](Fleet::set_static)), then call
/// [`tick`](Fleet::tick). It
///
/// 1. takes the results that have come back: cells that changed, and what agents have decided;
/// 2. moves all agents;
/// 3. hands the changes to the workers, and each agent's question: where to fly now?
///
/// So agents fly by what was known a frame ago. With an obstacle that moves by a tenth of a cell per frame, that is a tenth of a cell.
///
/// # What agents fly along
/// Workers have a world of their own. What an agent has decided is checked against the [present cells](Fleet::voxels) before it is used, every line
/// of it, since other results may have changed them. A path that is broken is refused. The agent then keeps what it has, and plans
/// again. The same happens to a result for an agent that has meanwhile got another [goal](Fleet::set_goal) or [place](Fleet::place). While a
/// plan is not finished, the agent flies on along its path. It stops before a box of cell centres that has closed.
///
/// A plan that uses up its [budget](Fleet::set_budget) goes on in the next frame.
///
/// # Modes
/// In [`Mode::Deterministic`], everything that happens depends only on the calls, not on the number of workers or their speed: [`digest`](Fleet::digest) is
/// the same everywhere. In [`Mode::Eager`], no call ever waits. A round of work that takes longer than a frame then delays the next one, and
/// the cells change with it: choose a budget that fits a frame.
///
/// Without workers, `tick` does their work itself. That is also what happens where a system has no threads.
///
/// ```
/// use surefoot::flight::{Fleet, PilotSpec, State};
/// use surefoot::frame::Mode;
/// use surefoot::obstacle::{Pose, Shape};
/// use surefoot::prelude::*;
/// use surefoot::world::dynamic::DynamicWorld;
///
/// // A hall with a wall. The gap in the middle is closed by a block, which goes up.
/// let wall = (0..5).flat_map(|y| (0..4).map(move |z| Voxel::new(6, y, z))).filter(|cell| cell.y != 2);
/// let mut hall = DynamicWorld::new(Voxels::from_solid([12, 5, 4], wall).unwrap());
/// let block = Shape::cuboid(Point::new(0.5, 0.5, 2.0)).unwrap();
/// let at = |z| Pose::at(Point::new(6.5, 2.5, z)).unwrap();
/// let block = hall.add(block, at(2.0)).unwrap();
///
/// let mut fleet = Fleet::new(hall, Mode::Deterministic, 1);
/// let spec = PilotSpec { speed: 4.0, ..PilotSpec::new(Point::new(0.5, 0.5, 0.5), Point::new(11.5, 2.5, 0.5)) };
/// let drone = fleet.add(&spec).unwrap();
/// for frame in 0..120 {
///     fleet.set_pose(block, at(2.0 + 0.1 * f64::from(frame)));
///     let report = fleet.tick(0.1);
///     assert_eq!(report.late, 0);
/// }
/// assert_eq!(fleet.get(drone).unwrap().state(), State::Arrived);
/// ```
pub struct Fleet {
    mode: Mode,
    budget: u64,
    rounds: Rounds<Surroundings>,
    cells: PresentCells,
    /// The revision of the workers' world that the cells are those of.
    revision: Revision,
    flyers: Vec<Option<Flyer>>,
    /// By obstacle: where it is and whether it is there.
    obstacles: Vec<(Pose, bool)>,
    scene: Option<Arc<Scene>>,
    /// What has changed since the last round began.
    moves: Vec<(ObstacleId, Pose, bool)>,
    walls: Vec<(Voxel, bool)>,
    shown: Option<u64>,
    time: f64,
    /// Memory for the next round.
    news: News,
    thoughts: Vec<Thought>,
    report: FrameReport,
    #[cfg(test)]
    delays: tests::Delays,
}

/// What happened in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameReport {
    /// The number of the frame, from 1.
    pub frame: u64,
    /// The number of cells that became solid or free.
    pub changed: usize,
    /// The number of results that agents took.
    pub taken: usize,
    /// The number of results that were refused: they do not hold in the present cells, or are about another goal or place.
    pub refused: usize,
    /// The number of results, taken or refused, that are about cells that have changed since.
    pub outdated: usize,
    /// The number of agents whose result was not there yet.
    pub late: usize,
    /// The number of plans that were finished.
    pub replans: u64,
}

impl fmt::Debug for Fleet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fleet")
            .field("mode", &self.mode)
            .field("workers", &self.workers())
            .field("agents", &self.iter().count())
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

impl Fleet {
    /// Creates a fleet without agents in a world whose obstacles are all there; those that come later can be
    /// [inactive](DynamicWorld::set_active). Starts as many worker threads, or as many as the system grants.
    pub fn new(world: DynamicWorld, mode: Mode, workers: usize) -> Fleet {
        Fleet::with(world, None, mode, workers)
    }

    /// Creates a fleet without agents in the world of a scene at tick 0. Its [forecasts](Forecast::foresee) are based on the description of the scene. Move the
    /// obstacles with [`show`](Fleet::show).
    pub fn of_scene(scene: &Scene, mode: Mode, workers: usize) -> Result<Fleet, DynamicError> {
        Ok(Fleet::with(scene.world()?, Some(Arc::new(scene.clone())), mode, workers))
    }

    fn with(mut world: DynamicWorld, scene: Option<Arc<Scene>>, mode: Mode, workers: usize) -> Fleet {
        world.update();
        let of = |id| Some((world.pose(id).ok()?, world.is_active(id).ok()?));
        Fleet {
            mode,
            budget: DEFAULT_BUDGET,
            cells: PresentCells::of(&world),
            revision: world.voxels().revision(),
            flyers: Vec::new(),
            obstacles: (0..world.obstacle_count() as u32).filter_map(|id| of(ObstacleId(id))).collect(),
            scene: scene.clone(),
            moves: Vec::new(),
            walls: Vec::new(),
            shown: None,
            time: 0.0,
            news: News::default(),
            thoughts: Vec::new(),
            report: FrameReport::default(),
            rounds: Rounds::new(Surroundings { world, forecast: Forecast::new(), scene }, workers),
            #[cfg(test)]
            delays: tests::Delays::default(),
        }
    }

    /// Returns when results are used.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Returns the number of worker threads.
    pub fn workers(&self) -> usize {
        self.rounds.workers()
    }

    /// Sets how many nodes each agent may expand per frame.
    pub fn set_budget(&mut self, budget: u64) {
        self.budget = budget;
    }

    /// Returns the cells that agents fly through: those of the last results.
    pub fn voxels(&self) -> &Voxels {
        self.cells.voxels()
    }

    /// Returns what happened in the last frame.
    pub fn report(&self) -> FrameReport {
        self.report
    }

    /// Adds an agent. It has its first path two frames later, if its budget suffices for that.
    pub fn add(&mut self, spec: &PilotSpec<'_>) -> Result<FlyerId, FlightError> {
        let number = self.flyers.len();
        let (body, copy, mind) = (Body::new(spec)?, Body::new(spec)?, Mind::new(spec)?);
        let of = (0, self.revision);
        let thought = Thought { number, order: 0, budget: 0, from: spec.at, body: copy, mind, of };
        self.flyers.push(Some(Flyer {
            body,
            order: 0,
            is_placed: false,
            thought: Some(thought),
            answered: 0,
            replans: 0,
            last: Replan::default(),
            cost: None,
        }));
        Ok(FlyerId(number as u32))
    }

    /// Removes an agent. Returns `false` if there is none with that number.
    pub fn remove(&mut self, id: FlyerId) -> bool {
        self.flyers.get_mut(id.0 as usize).is_some_and(|flyer| flyer.take().is_some())
    }

    /// Returns an agent; `None` if it does not exist or was removed.
    pub fn get(&self, id: FlyerId) -> Option<&Flyer> {
        self.flyers.get(id.0 as usize)?.as_ref()
    }

    /// Returns all agents.
    pub fn iter(&self) -> impl Iterator<Item = (FlyerId, &Flyer)> {
        (0..).map(FlyerId).zip(&self.flyers).filter_map(|(id, flyer)| Some((id, flyer.as_ref()?)))
    }

    /// Gives an agent another goal. Results for the previous one are refused from now on; until there is one, the agent flies on along its
    /// path. Returns `false` if there is no such agent.
    pub fn set_goal(&mut self, id: FlyerId, goal: Point) -> bool {
        self.with_flyer(id, |flyer| flyer.order += u64::from(flyer.body.set_goal(goal)))
    }

    /// Moves the goal of an agent, as of one that pursues something. Unlike after [`set_goal`](Fleet::set_goal), results for where the goal was
    /// are used, so the agent flies to where the goal was a frame ago. It [arrives](State::Arrived) there, and goes on if the goal does. Returns
    /// `false` if there is no such agent.
    pub fn move_goal(&mut self, id: FlyerId, goal: Point) -> bool {
        self.with_flyer(id, |flyer| _ = flyer.body.set_goal(goal))
    }

    /// Moves an agent to a point, or the nearest point where it can be. Returns `false` if there is no such agent.
    pub fn place(&mut self, id: FlyerId, at: Point) -> bool {
        self.with_flyer(id, |flyer| {
            flyer.body.place(at);
            flyer.order += 1;
            flyer.is_placed = true;
        })
    }

    /// Sets the speed of an agent. Returns `false` if there is no such agent.
    pub fn set_speed(&mut self, id: FlyerId, speed: f64) -> Result<bool, FlightError> {
        let mut result = Ok(());
        let exists = self.with_flyer(id, |flyer| result = flyer.body.set_speed(speed));
        result.map(|()| exists)
    }

    fn with_flyer(&mut self, id: FlyerId, change: impl FnOnce(&mut Flyer)) -> bool {
        self.flyers.get_mut(id.0 as usize).and_then(Option::as_mut).map(change).is_some()
    }

    /// Moves an obstacle. Returns `false` if there is no such obstacle.
    pub fn set_pose(&mut self, id: ObstacleId, pose: Pose) -> bool {
        self.change(id, |now| now.0 = pose)
    }

    /// Removes an obstacle from the world or puts it back. Returns `false` if there is no such obstacle.
    pub fn set_active(&mut self, id: ObstacleId, active: bool) -> bool {
        self.change(id, |now| now.1 = active)
    }

    fn change(&mut self, id: ObstacleId, change: impl FnOnce(&mut (Pose, bool))) -> bool {
        let Some(now) = self.obstacles.get_mut(id.0 as usize) else { return false };
        let before = *now;
        change(now);
        if *now != before {
            self.moves.push((id, now.0, now.1));
        }
        true
    }

    /// Makes a cell permanently solid, or permanently open unless an obstacle is there. Returns `false` if it is outside the world.
    pub fn set_static(&mut self, cell: Voxel, solid: bool) -> bool {
        let is_inside = self.cells.voxels().contains(cell);
        if is_inside {
            self.walls.push((cell, solid));
        }
        is_inside
    }

    /// Moves the obstacles of a [scene](Fleet::of_scene) to where they are at a tick. Without a scene, nothing happens.
    pub fn show(&mut self, tick: u64) {
        let Some(scene) = self.scene.clone() else { return };
        self.shown = Some(tick);
        for (id, mover) in (0..).map(ObstacleId).zip(&scene.obstacles) {
            let active = mover.is_active_at(tick);
            self.change(id, |now| {
                now.1 = active;
                now.0 = if active { mover.pose_at(tick) } else { now.0 };
            });
        }
    }

    /// Advances time by a frame: takes results, moves all agents, and hands out what is to be done. Returns what happened.
    ///
    /// # Panics
    /// If a worker has panicked, as the same work on this thread would.
    pub fn tick(&mut self, time: f64) -> FrameReport {
        self.report = FrameReport { frame: self.report.frame + 1, ..FrameReport::default() };
        self.time += time;
        self.take_results();
        for flyer in self.flyers.iter_mut().flatten() {
            self.report.late += usize::from(flyer.thought.is_none());
            flyer.body.fly(&self.cells, time);
        }
        if self.rounds.is_idle() {
            self.hand_out();
        }
        self.report
    }

    fn take_results(&mut self) {
        #[cfg(test)]
        if self.delays.is_blind(self.report.frame) {
            return;
        }
        let mut results = std::mem::take(&mut self.thoughts);
        let wait = self.mode == Mode::Deterministic;
        while let Some(report) = self.rounds.next(wait) {
            match report {
                Report::Followed { revision, news } => {
                    self.revision = revision;
                    self.report.changed += news.changes.len();
                    self.cells.follow(&news.changes, &news.walls);
                    self.news = news;
                }
                Report::Done { tick, revision, mut task } => {
                    task.of = (tick, revision);
                    results.push(task);
                }
            }
        }
        #[cfg(test)]
        self.delays.hold_back(self.report.frame, &mut results);
        // Whichever worker they come from.
        results.sort_unstable_by_key(|thought| thought.number);
        for thought in results.drain(..) {
            self.take(thought);
        }
        self.thoughts = results;
    }

    /// Takes what an agent has decided, if it holds.
    fn take(&mut self, mut thought: Thought) {
        // It may have been removed.
        let Some(Some(flyer)) = self.flyers.get_mut(thought.number) else { return };
        let (frame, revision) = thought.of;
        self.report.outdated += usize::from(revision != self.revision);
        flyer.answered = frame;
        let is_current = thought.order == flyer.order;
        if is_current && flyer.body.adopt(&mut thought.body, thought.from, self.cells.voxels()) {
            self.report.taken += 1;
        } else {
            flyer.body.halted = true;
            self.report.refused += 1;
        }
        self.report.replans += thought.mind.replans - flyer.replans;
        (flyer.replans, flyer.last, flyer.cost) =
            (thought.mind.replans, thought.mind.last, thought.mind.cost);
        flyer.thought = Some(thought);
    }

    /// Starts a round of work.
    fn hand_out(&mut self) {
        let mut tasks = std::mem::take(&mut self.thoughts);
        for flyer in self.flyers.iter_mut().flatten().filter(|flyer| !flyer.body.arrived) {
            // Those that still think miss a round.
            let Some(mut thought) = flyer.thought.take() else { continue };
            if std::mem::take(&mut flyer.is_placed) {
                thought.mind.forget_plan();
            }
            (thought.order, thought.budget, thought.from) = (flyer.order, self.budget, flyer.body.at);
            flyer.body.show_to(&mut thought.body);
            tasks.push(thought);
        }
        let mut news = std::mem::take(&mut self.news);
        std::mem::swap(&mut news.moves, &mut self.moves);
        std::mem::swap(&mut news.walls, &mut self.walls);
        self.walls.clear();
        news.shown = self.shown;
        news.time = std::mem::take(&mut self.time);
        self.rounds.start(self.report.frame, news, &mut tasks);
        self.thoughts = tasks;
        #[cfg(test)]
        self.delays.start_round(self.report.frame);
    }

    /// Returns a hash of the positions, states and paths of all agents, which is the same on every machine in
    /// [`Mode::Deterministic`]. Lockstep games can compare it.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        for (id, flyer) in self.iter() {
            digest.word(id.0.into());
            digest.point(flyer.position());
            let state = match flyer.state() {
                State::Stuck(why) => why.name(),
                state => state.name(),
            };
            digest.word(state.len() as u64);
            state.bytes().for_each(|byte| digest.word(byte.into()));
            digest.word(flyer.path().len() as u64);
            flyer.path().iter().for_each(|&point| digest.point(point));
        }
        digest.finish()
    }
}

#[cfg(test)]
mod tests;
