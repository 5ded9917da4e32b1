//! How long it takes to get to a goal, and when the goal is where.

use crate::core::open::{Buckets, Entry, OpenList};
use crate::flight::safe_intervals::SafeIntervals;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::scene::{Goal, TICKS_PER_SECOND};
use crate::space::Point;
use crate::world::journal::Revision;
use crate::world::voxels::{Policy, Step, VoxelView};

/// From here there is no path to the goal.
pub(super) const NEVER: u32 = u32::MAX;

/// By step: how many ticks it takes, rounded up.
pub(super) type Durations = [u32; 27];

/// How many ticks a flight takes, rounded up. One that is longer by what rounding may add takes no more.
pub(super) fn ticks_for(length: f64, speed: f64) -> u32 {
    let ticks = length / speed * f64::from(TICKS_PER_SECOND);
    // What is not a number stays where it is, and may.
    if ticks > 1e-9 { (ticks - 1e-9).ceil().min(f64::from(SafeIntervals::MOST_TICKS)) as u32 } else { 0 }
}

/// By step: how many ticks it takes, at least one.
pub(super) fn durations(cell_size: f64, speed: f64) -> Durations {
    Step::ALL.map(|step| ticks_for(cell_size * (step.axes() as f64).sqrt(), speed).max(1))
}

/// The times to a goal in a world without obstacles, and when the goal is in which cell.
#[derive(Debug, Default)]
pub(super) struct ToGo {
    about: Option<About>,
    /// When the goal is in a cell, by cell and then by time: first and last tick, counted from the first tick of the forecast.
    visits: Vec<(NodeId, [u32; 2])>,
    /// By node: the ticks to the nearest cell where the goal will be.
    ticks: Vec<u32>,
    /// Where a goal that moves is, in order of time, as in `visits`.
    route: Vec<(NodeId, [u32; 2])>,
    /// Two of the cells where a goal that moves will be, far apart.
    landmarks: [Landmark; 2],
    /// The cells and step durations that the ticks are about.
    goals: Vec<NodeId>,
    durations: Durations,
    swept: Option<(Revision, Policy)>,
    open: Buckets,
}

/// A cell where a goal that moves will be. It tells how early an agent can meet the goal: if the agent is `d` ticks away from the landmark at a tick `t`, and meets the
/// goal at a tick `m` where the goal is `e` ticks away from the landmark, then `m - t >= d - e`, because the agent could go on from there to the landmark. So the earliest such tick
/// depends on `t + d` alone.
#[derive(Debug, Default)]
struct Landmark {
    /// By node: the ticks to it.
    ticks: Vec<u32>,
    /// By `t + d`: the first tick `m` with `m + e` no less. Empty if there is no landmark.
    earliest: Vec<u32>,
}

/// The largest table of a landmark.
const LARGEST_TABLE: u32 = 1 << 22;

/// What the visits are about.
#[derive(Debug, PartialEq)]
struct About {
    goal: Goal,
    from: u64,
    until: u64,
    world: (Revision, Policy),
}

impl ToGo {
    /// Looks where the goal will be, and computes the times to there if they have changed.
    pub fn begin(&mut self, view: &VoxelView<'_>, safe: &SafeIntervals, goal: &Goal, durations: Durations) {
        let world = (view.voxels().revision(), view.policy());
        let is_known = self.about.as_ref().is_some_and(|about| {
            (about.from, about.until) == (safe.from(), safe.until())
                && about.world == world
                && about.goal == *goal
        });
        if !is_known {
            self.look(view, safe, goal);
            self.about = Some(About { goal: goal.clone(), from: safe.from(), until: safe.until(), world });
        }
        let is_swept = self.swept == Some(world)
            && self.durations == durations
            && self.goals.iter().copied().eq(goals(&self.visits));
        if !is_swept {
            self.goals.clear();
            self.goals.extend(goals(&self.visits));
            (self.durations, self.swept) = (durations, Some(world));
            sweep(view, &self.durations, &self.goals, &mut self.open, &mut self.ticks);
            self.landmarks.iter_mut().for_each(|landmark| landmark.ticks.clear());
            if !self.route.is_empty() {
                self.choose_landmarks(view);
            }
        }
        if !(is_known && is_swept) {
            let (route, horizon) = (&self.route, safe.horizon());
            self.landmarks.iter_mut().for_each(|landmark| landmark.tabulate(route, horizon));
        }
    }

    /// Takes where the goal is first, and what is farthest from there, as landmarks.
    fn choose_landmarks(&mut self, view: &VoxelView<'_>) {
        let mut place = self.route[0].0;
        for landmark in &mut self.landmarks {
            sweep(view, &self.durations, &[place], &mut self.open, &mut landmark.ticks);
            let ticks = |node: NodeId| Some(landmark.ticks[node.index()]).filter(|&ticks| ticks != NEVER);
            place = self.goals.iter().copied().max_by_key(|&node| (ticks(node), node)).unwrap_or(place);
        }
    }

    /// Writes down when the goal is in which cell.
    fn look(&mut self, view: &VoxelView<'_>, safe: &SafeIntervals, goal: &Goal) {
        self.visits.clear();
        self.route.clear();
        let horizon = safe.horizon();
        let voxels = view.voxels();
        let cell = |tick: u32| {
            let aim = aim(view, goal.position_at(safe.from() + u64::from(tick)))?;
            voxels.node(voxels.frame().voxel_at(aim))
        };
        if goal.travel.is_none() {
            self.visits.extend(cell(0).map(|node| (node, [0, horizon])));
            return;
        }
        for tick in 0..=horizon {
            let Some(node) = cell(tick) else { continue };
            match self.visits.last_mut() {
                Some((last, times)) if *last == node && times[1] + 1 == tick => times[1] = tick,
                _ => self.visits.push((node, [tick; 2])),
            }
        }
        self.route.extend_from_slice(&self.visits);
        self.visits.sort_unstable();
    }

    /// The ticks from a cell to the nearest one where the goal will be, without obstacles; [`NEVER`] if there is no path.
    #[inline]
    pub fn ticks(&self, node: NodeId) -> u32 {
        self.ticks[node.index()]
    }

    /// The earliest tick at which an agent that is in a cell at a tick can be where the goal is, without obstacles, or an earlier one. It never decreases along a path.
    #[inline]
    pub fn earliest(&self, node: NodeId, tick: u32) -> u64 {
        let mut earliest = u64::from(tick) + u64::from(self.ticks(node));
        for landmark in &self.landmarks {
            if let Some(&ticks) = landmark.ticks.get(node.index()).filter(|&&ticks| ticks != NEVER)
                && !landmark.earliest.is_empty()
            {
                let met =
                    landmark.earliest.get(tick.saturating_add(ticks) as usize).copied().unwrap_or(NEVER);
                earliest = earliest.max(met.into());
            }
        }
        earliest
    }

    /// The first tick from one to another at which the goal is in a cell.
    pub fn meets(&self, node: NodeId, from: u32, to: u32) -> Option<u32> {
        let first = self.visits.partition_point(|&(other, times)| (other, times[1]) < (node, from));
        let &(other, times) = self.visits.get(first)?;
        let tick = times[0].max(from);
        (other == node && tick <= to).then_some(tick)
    }

    /// Whether the goal is anywhere at all.
    pub fn has_goal(&self) -> bool {
        !self.goals.is_empty()
    }
}

impl Landmark {
    /// Computes how early a goal on a route can be met.
    fn tabulate(&mut self, route: &[(NodeId, [u32; 2])], horizon: u32) {
        self.earliest.clear();
        let farthest = self.ticks.iter().copied().filter(|&ticks| ticks != NEVER).max().unwrap_or(0);
        let size = horizon.saturating_add(farthest).saturating_add(1);
        if route.is_empty() || self.ticks.is_empty() || size > LARGEST_TABLE {
            return;
        }
        for &(node, times) in route {
            for tick in times[0]..=times[1] {
                let known =
                    tick.saturating_add(self.ticks[node.index()]).saturating_add(1).min(size) as usize;
                if self.earliest.len() < known {
                    self.earliest.resize(known, tick);
                }
            }
        }
    }
}

/// Dijkstra's algorithm from some cells: writes down by node how many ticks it takes to or from there.
fn sweep(
    view: &VoxelView<'_>,
    durations: &Durations,
    from: &[NodeId],
    open: &mut Buckets,
    ticks: &mut Vec<u32>,
) {
    ticks.clear();
    ticks.resize(view.node_bound(), NEVER);
    open.begin(1);
    for &node in from.iter().filter(|&&node| view.is_open_node(node)) {
        ticks[node.index()] = 0;
        open.push(Entry { key: 0, g: 0, node });
    }
    while let Some(Entry { g, node, .. }) = open.pop(u64::MAX) {
        if ticks[node.index()] != g {
            continue;
        }
        view.for_each_of(view.legal_steps(node), node, |step, to| {
            let arrival = g.saturating_add(durations[step]).min(NEVER - 1);
            if arrival < ticks[to.index()] {
                ticks[to.index()] = arrival;
                open.push(Entry { key: arrival.into(), g: arrival, node: to });
            }
        });
    }
}

/// The cells of visits, each once.
fn goals(visits: &[(NodeId, [u32; 2])]) -> impl Iterator<Item = NodeId> + '_ {
    let is_new = |index: usize| index == 0 || visits[index - 1].0 != visits[index].0;
    (0..visits.len()).filter(move |&index| is_new(index)).map(|index| visits[index].0)
}

/// The nearest point to a goal where the agent can be.
pub(super) fn aim(view: &VoxelView<'_>, goal: Point) -> Option<Point> {
    view.nearest_clear_point(goal)
}
