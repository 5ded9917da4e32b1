//! Safe interval path planning (M. Phillips, M. Likhachev, *SIPP: Safe Interval Path Planning for Dynamic Environments*, ICRA 2011).
//!
//! A state is a cell and one of the [intervals](SafeIntervals) in which it is safe. Whatever can be done from a state can also be done after waiting there, so
//! of all paths to a state only the earliest arrival matters, and there are hardly more states than cells. A step takes as many ticks as its length
//! takes at the agent's speed, rounded up. It leads from one interval into another, and both have to last from its departure to its arrival. The search is A*
//! by ticks; its heuristic is the exact time to the goal in the world without obstacles.
//!
//! Plans need the motions of obstacles, so this is not one of the [algorithms](crate::search) that a world alone is enough for, and not in their list.

use std::cmp::Reverse;
use std::fmt;
use std::ops::Range;

use crate::core::open::{Buckets, Entry, OpenList};
use crate::flight::escape::Escape;
use crate::flight::safe_intervals::SafeIntervals;
use crate::flight::timed_plan::{Ending, TimedPlan, TimedQuery, Waypoint};
use crate::flight::to_go::{Durations, NEVER, ToGo, aim, durations, ticks_for};
use crate::graph::Located;
use crate::id::NodeId;
use crate::search::Why;
use crate::space::{Point, Voxel};
use crate::world::voxels::{Step, VoxelView};

/// No state.
const NONE: u32 = u32::MAX;

/// By how many ticks a plan may be later than one without obstacles at first. Most are not, and states that are later need not be remembered. If there is no such plan,
/// the search begins again without this limit.
const FIRST_DELAY: u64 = 240;

/// How many nodes are expanded to find a safe place if there is no plan.
const REFUGE_BUDGET: u64 = 20_000;

/// Plans flights among obstacles whose motions are known. It keeps its memory from plan to plan, and the distances to the goal while the goal
/// stays where it is.
///
/// ```
/// use surefoot::flight::{Ending, SafeIntervals, Sipp, TimedQuery};
/// use surefoot::obstacle::{Pose, Shape};
/// use surefoot::prelude::*;
/// use surefoot::scene::{Mover, Scene, Switch};
///
/// // A corridor with a gate that is closed for a second and then open for a second.
/// let mut scene = Scene::new([9, 1, 1]);
/// let gate = Shape::cuboid(Point::new(0.5, 0.5, 0.5)).unwrap();
/// let gate = Mover::at_rest("gate", gate, Pose::at(Point::new(2.5, 0.5, 0.5)).unwrap());
/// scene.obstacles.push(Mover { switch: Some(Switch::new(60, true).unwrap()), ..gate });
///
/// let agent = Agent::default();
/// let walls = scene.fixed_cells().unwrap();
/// let safe = SafeIntervals::of_scene(&scene, &agent, 0, 3600).unwrap();
/// let query = TimedQuery { at: scene.start, tick: 0, speed: 6.0, goal: &scene.goal, budget: u64::MAX };
/// let mut sipp = Sipp::default();
/// let plan = sipp.plan(&walls.view(&agent), &safe, &query);
/// // Eight cells at ten ticks each, of which seven come after the gate has opened.
/// assert_eq!((plan.ending(), plan.end_tick()), (Ending::Goal, 60 + 70));
/// ```
#[derive(Default)]
pub struct Sipp {
    to_go: ToGo,
    open: Buckets,
    records: Vec<Record>,
    /// The number of the search.
    search: u32,
    /// Whether it searches for the goal, not for any place that stays safe.
    is_aimed: bool,
    /// The earliest end of a plan from where the search begins, and the latest that it looks for.
    earliest: u64,
    latest: u64,
    escape: Escape,
    plan: TimedPlan,
    /// States of the plan, while it is written down.
    states: Vec<u32>,
}

/// What is known about a state.
#[derive(Clone, Copy, Debug)]
struct Record {
    search: u32,
    /// The earliest arrival.
    tick: u32,
    parent: u32,
    /// When the interval ends.
    end: u32,
}

/// The end of a plan.
#[derive(Clone, Copy, Debug)]
struct Finish {
    tick: u32,
    state: u32,
}

/// A query, with ticks counted from the first one of the forecast.
struct Task<'a> {
    view: &'a VoxelView<'a>,
    safe: &'a SafeIntervals,
    durations: Durations,
    at: Point,
    tick: u32,
    speed: f64,
    /// Where a goal at rest is, and how long it takes to get there from the centre of its cell.
    last: Option<(Point, u32)>,
}

impl fmt::Debug for Sipp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sipp").field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl Sipp {
    /// Plans a flight. `view` is the agent's view of the cells that never move, and `safe` says when obstacles leave the other cells alone. Both
    /// have to be about the same cells.
    ///
    /// The plan begins with the line to the centre of a cell around the agent, and leads from centre to centre. If the agent is not safe where it is, it leaves first.
    pub fn plan(&mut self, view: &VoxelView<'_>, safe: &SafeIntervals, query: &TimedQuery<'_>) -> &TimedPlan {
        self.plan.waypoints.clear();
        self.plan.waypoints.push(Waypoint { tick: query.tick, at: query.at });
        (self.plan.exposed, self.plan.safe_at, self.plan.expanded) = (0, query.tick, 0);
        self.plan.ending = match self.try_plan(view, safe, query) {
            Ok(ending) => ending,
            Err(why) => Ending::Unreachable(why),
        };
        &self.plan
    }

    /// Returns the last plan.
    pub fn last_plan(&self) -> &TimedPlan {
        &self.plan
    }

    fn try_plan(
        &mut self,
        view: &VoxelView<'_>,
        safe: &SafeIntervals,
        query: &TimedQuery<'_>,
    ) -> Result<Ending, Why> {
        if view.voxels().size() != safe.size() || view.voxels().frame() != safe.frame() {
            return Err(Why::NotApplicable);
        }
        if !view.is_clear(query.at, query.at) {
            return Err(Why::StartBlocked);
        }
        if !(safe.from()..safe.until()).contains(&query.tick) {
            return Ok(Ending::Horizon);
        }
        let durations = durations(safe.frame().cell_size(), query.speed);
        self.to_go.begin(view, safe, query.goal, durations);
        let aim = query.goal.travel.is_none().then(|| aim(view, query.goal.position)).flatten();
        let last = aim.map(|aim| (aim, ticks_for(aim.distance(centre_around(view, aim)), query.speed)));
        let task = Task {
            view,
            safe,
            durations,
            at: query.at,
            tick: (query.tick - safe.from()) as u32,
            speed: query.speed,
            last,
        };
        if self.flies_straight(&task) {
            return Ok(Ending::Goal);
        }
        let ending = match self.look_for(&task, true, query.budget) {
            _ if !self.to_go.has_goal() => {
                Err(if query.goal.position.is_finite() { Why::GoalBlocked } else { Why::GoalOutside })
            }
            Err(why) => Err(why),
            Ok(Some(finish)) => {
                self.write(&task, finish);
                return Ok(Ending::Goal);
            }
            Ok(None) if self.plan.expanded >= query.budget => Ok(Ending::Budget),
            Ok(None) => Ok(Ending::Horizon),
        };
        let task = Task { last: None, ..task };
        if let Ok(Some(refuge)) = self.look_for(&task, false, REFUGE_BUDGET) {
            self.write(&task, refuge);
        }
        ending
    }

    /// Searches for the goal, or for a place that stays safe. If no cell around the agent has a path to the goal without obstacles, there is no need to search for it.
    fn look_for(&mut self, task: &Task<'_>, is_aimed: bool, budget: u64) -> Result<Option<Finish>, Why> {
        let horizon = u64::from(task.safe.horizon());
        for delay in [FIRST_DELAY, u64::MAX] {
            self.begin(task, is_aimed);
            if !self.start(task) && is_aimed {
                return Err(Why::Disconnected);
            }
            self.latest = horizon.min(self.earliest.saturating_add(if is_aimed { delay } else { u64::MAX }));
            let found = self.search(task, budget);
            if found.is_some() || self.latest == horizon || self.plan.expanded >= budget {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Flies to a goal in the same cell in a straight line, if that is safe.
    fn flies_straight(&mut self, task: &Task<'_>) -> bool {
        let (view, safe, frame) = (task.view, task.safe, task.safe.frame());
        let Some((to, _)) = task.last else { return false };
        let cell = frame.voxel_at(task.at);
        let end = task.tick + ticks_for(task.at.distance(to), task.speed);
        let Some(node) = view.voxels().node(cell).filter(|_| frame.voxel_at(to) == cell) else {
            return false;
        };
        let is_straight = view.is_clear(task.at, to) && safe.is_safe(node, task.tick, end.max(task.tick + 1));
        if is_straight {
            self.push(task, end, to);
        }
        is_straight
    }

    /// Forgets the last search.
    fn begin(&mut self, task: &Task<'_>, is_aimed: bool) {
        (self.is_aimed, self.earliest, self.latest) = (is_aimed, u64::MAX, u64::from(task.safe.horizon()));
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.records.clear();
            self.search = 1;
        }
        let none = Record { search: 0, tick: 0, parent: NONE, end: 0 };
        if self.records.len() < task.safe.state_bound() {
            self.records.resize(task.safe.state_bound(), none);
        }
        self.open.begin(1);
        self.plan.waypoints.truncate(1);
    }

    /// Finds the states in which the search begins; `false` if none of them has a path to the goal in the world without obstacles.
    fn start(&mut self, task: &Task<'_>) -> bool {
        let (view, safe) = (task.view, task.safe);
        let (mut is_reachable, mut is_safe) = (false, false);
        for_each_leg(view, task.at, |cell, node, length| {
            is_reachable |= self.to_go.ticks(node) != NEVER;
            let arrival = task.tick + ticks_for(length, task.speed);
            let is_now = |(_, times): &(u32, Range<u32>)| times.contains(&task.tick) && arrival <= times.end;
            if let Some((state, times)) = safe.states(node).find(is_now)
                && all_on_leg(view, task.at, cell, |near| safe.is_safe(near, task.tick, arrival))
            {
                is_safe = true;
                self.offer(task, node, state, times.end, arrival, NONE);
            }
        });
        if !is_safe {
            self.leave(task);
        }
        is_reachable
    }

    /// Leaves a place that is not safe, and goes on from where it is safe again.
    fn leave(&mut self, task: &Task<'_>) {
        let found = self.escape.run(task.view, task.safe, &task.durations, task.at, task.tick, task.speed);
        let Some((tick, exposed)) = found else {
            (self.plan.exposed, self.plan.safe_at) = (task.safe.horizon() - task.tick, task.safe.until());
            return;
        };
        let Some(node) = self.escape.write(task.view, task.safe, &mut self.plan.waypoints) else { return };
        (self.plan.exposed, self.plan.safe_at) = (exposed, task.safe.from() + u64::from(tick));
        if let Some((state, times)) = task.safe.states(node).find(|(_, times)| times.contains(&tick)) {
            self.offer(task, node, state, times.end, tick, NONE);
        }
    }

    /// Records a path to a state of a cell if it arrives earlier than the known one.
    #[inline]
    fn offer(&mut self, task: &Task<'_>, node: NodeId, state: u32, end: u32, arrival: u32, parent: u32) {
        let record = &mut self.records[state as usize];
        if record.search == self.search && record.tick <= arrival {
            return;
        }
        *record = Record { search: self.search, tick: arrival, parent, end };
        let last = task.last.map_or(0, |(_, ticks)| ticks);
        let key =
            if self.is_aimed { self.to_go.earliest(node, arrival) + u64::from(last) } else { arrival.into() };
        if parent == NONE {
            self.earliest = self.earliest.min(key);
        }
        if key <= self.latest {
            self.open.push(Entry { key, g: arrival, node: NodeId(state) });
        }
    }

    /// How many ticks it takes at least from a cell to where the search leads.
    #[inline]
    fn left(&self, task: &Task<'_>, node: NodeId) -> u64 {
        let last = task.last.map_or(0, |(_, ticks)| ticks);
        if self.is_aimed { u64::from(self.to_go.ticks(node)) + u64::from(last) } else { 0 }
    }

    /// Expands states, earliest first.
    fn search(&mut self, task: &Task<'_>, budget: u64) -> Option<Finish> {
        let mut best: Option<Finish> = None;
        let mut safest = (0, Reverse(NEVER));
        loop {
            let bound = best.filter(|_| self.is_aimed).map_or(u64::MAX, |best| best.tick.into());
            let Some(Entry { g: tick, node: NodeId(state), .. }) = self.open.pop(bound) else { return best };
            let Record { tick: earliest, end, .. } = self.records[state as usize];
            if tick != earliest {
                continue;
            }
            if self.plan.expanded >= budget && (best.is_none() || !self.is_aimed) {
                return best;
            }
            self.plan.expanded += 1;
            let node = task.safe.node_of(state);
            if self.is_aimed {
                let is_there = self.to_go.ticks(node) == 0;
                let finish = is_there.then(|| self.to_go.meets(node, tick, end)).flatten();
                let finish = finish.map(|tick| tick + task.last.map_or(0, |(_, ticks)| ticks));
                if let Some(tick) = finish.filter(|&tick| tick <= end && u64::from(tick) < bound) {
                    best = Some(Finish { tick, state });
                }
            } else if (end, Reverse(self.to_go.ticks(node))) > safest {
                safest = (end, Reverse(self.to_go.ticks(node)));
                best = Some(Finish { tick, state });
            }
            if let Some(best) = best.filter(|_| self.is_aimed) {
                self.latest = u64::from(best.tick).saturating_sub(1);
            }
            task.view.for_each_of(task.view.legal_steps(node), node, |step, to| {
                let lasts = task.durations[step];
                let last_arrival = self.latest.saturating_sub(self.left(task, to)).min(end.into());
                task.safe.for_each_state(to, |next, times| {
                    let arrival = tick.max(times.start) + lasts;
                    let is_early = u64::from(arrival) <= last_arrival;
                    if is_early && arrival <= times.end {
                        self.offer(task, to, next, times.end, arrival, state);
                    }
                    is_early
                });
            });
        }
    }

    /// Writes the plan to a state down.
    fn write(&mut self, task: &Task<'_>, finish: Finish) {
        self.states.clear();
        let mut state = finish.state;
        while state != NONE {
            self.states.push(state);
            state = self.records[state as usize].parent;
        }
        let mut before: Option<NodeId> = None;
        while let Some(state) = self.states.pop() {
            let node = task.safe.node_of(state);
            let arrival = self.records[state as usize].tick;
            if let Some(before) = before {
                let [from, to] = [before, node].map(|node| {
                    let Voxel { x, y, z } = task.view.voxels().voxel(node);
                    [x, y, z]
                });
                let step = Step::between(from, to).map_or(0, |step| usize::from(step.number()));
                self.push(task, arrival - task.durations[step], task.view.position(before));
            }
            self.push(task, arrival, task.view.position(node));
            before = Some(node);
        }
        let end = self.plan.waypoints.last().map_or(task.at, |last| last.at);
        self.push(task, finish.tick - task.last.map_or(0, |(_, ticks)| ticks), end);
        self.push(task, finish.tick, task.last.map_or(end, |(aim, _)| aim));
    }

    /// Appends a point to the plan, unless no time has passed.
    fn push(&mut self, task: &Task<'_>, tick: u32, at: Point) {
        let tick = task.safe.from() + u64::from(tick);
        if self.plan.waypoints.last().is_none_or(|last| last.tick < tick) {
            self.plan.waypoints.push(Waypoint { tick, at });
        }
    }
}

/// Calls `visit` with each cell around a point to whose centre an agent can go in a straight line, its node, and how far that is.
pub(super) fn for_each_leg(view: &VoxelView<'_>, at: Point, mut visit: impl FnMut(Voxel, NodeId, f64)) {
    let [xs, ys, zs] = view.cells_around(at);
    for (z, y) in (zs[0]..=zs[1]).flat_map(|z| (ys[0]..=ys[1]).map(move |y| (z, y))) {
        for x in xs[0]..=xs[1] {
            let cell = Voxel { x, y, z };
            let centre = view.voxels().frame().voxel_centre(cell);
            if let Some(node) = view.voxels().node(cell).filter(|_| view.is_clear(at, centre)) {
                visit(cell, node, at.distance(centre));
            }
        }
    }
}

/// Whether all cells that a line from a point to the centre of a cell passes have a property. The line stays in the box of these cells.
pub(super) fn all_on_leg(
    view: &VoxelView<'_>,
    at: Point,
    Voxel { x, y, z }: Voxel,
    mut has: impl FnMut(NodeId) -> bool,
) -> bool {
    let at = view.voxels().frame().in_cells(at);
    let span = |at: f64, to: i32| {
        // A point on the face between two cells is in both: the one on the side of the target counts.
        let from = if at < f64::from(to) { at.floor() } else { at.ceil() - 1.0 };
        let from = if at >= f64::from(to) && at <= f64::from(to) + 1.0 { to } else { from as i32 };
        from.min(to)..=from.max(to)
    };
    let [xs, ys, zs] = [span(at[0], x), span(at[1], y), span(at[2], z)];
    zs.into_iter().all(|z| {
        ys.clone().all(|y| xs.clone().all(|x| view.voxels().node(Voxel { x, y, z }).is_none_or(&mut has)))
    })
}

/// The centre of the cell around a point.
fn centre_around(view: &VoxelView<'_>, at: Point) -> Point {
    let frame = view.voxels().frame();
    frame.voxel_centre(frame.voxel_at(at))
}
