//! One unit: its path, its state, its statistics.

use std::fmt;

use crate::agent::Agent;
use crate::brain::{Brain, Finders};
use crate::id::NodeId;
use crate::replan::SubscriptionId;
use crate::replan::{Planner, Replan};
use crate::search::{Outcome, Why};
use crate::space::{Cell, Point};
use crate::unit::belief::Belief;
use crate::unit::spec::{State, Target};
use crate::unit::stride::Stride;
use crate::world::grid::Grid;

/// A read-only unit. [`Units`](crate::unit::Units) moves it.
pub struct Unit {
    pub(super) stride: Stride,
    pub(super) agent: Agent,
    pub(super) speed: f64,
    pub(super) target: Target,
    /// Where the target is, as far as known.
    pub(super) goal: Cell,
    /// The goal of the last plan.
    pub(super) planned_for: Option<Cell>,
    pub(super) brain: Brain,
    pub(super) belief: Option<Box<Belief>>,
    /// The subscription that reports when an edit affects its path; `None` for a unit with a map of its own.
    pub(super) subscription: Option<SubscriptionId>,
    route: Vec<Cell>,
    /// The steps that are links, by number.
    jumps: Vec<usize>,
    /// Its position in its path: the index of the cell of its stride.
    place: usize,
    cost: f64,
    why: Option<Why>,
    /// Whether it has to plan.
    pub(super) stale: bool,
    /// The query of a paused search.
    pub(super) asked: Option<[Cell; 2]>,
    /// The statistics of the current plan so far.
    pub(super) work: Replan,
    last: Replan,
    replans: u64,
    expanded: u64,
    pub(super) travelled: f64,
    pub(super) logging: bool,
    pub(super) changed: Vec<NodeId>,
}

impl fmt::Debug for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unit")
            .field("cell", &self.cell())
            .field("state", &self.state())
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}

impl Unit {
    pub(super) fn new(
        stride: Stride,
        agent: Agent,
        speed: f64,
        target: Target,
        brain: Brain,
        belief: Option<Belief>,
        subscription: Option<SubscriptionId>,
    ) -> Unit {
        Unit {
            goal: stride.cell(),
            stride,
            agent,
            speed,
            target,
            planned_for: None,
            brain,
            belief: belief.map(Box::new),
            subscription,
            route: Vec::new(),
            jumps: Vec::new(),
            place: 0,
            cost: 0.0,
            why: None,
            stale: true,
            asked: None,
            work: Replan::default(),
            last: Replan::default(),
            replans: 0,
            expanded: 0,
            travelled: 0.0,
            logging: false,
            changed: Vec::new(),
        }
    }

    /// Returns its position in world coordinates.
    pub fn position(&self) -> Point {
        self.stride.position()
    }

    /// Returns the cell that it stands on, or the one that the step under way leads to.
    pub fn cell(&self) -> Cell {
        self.stride.cell()
    }

    /// Returns what it is doing, as of the last tick.
    pub fn state(&self) -> State {
        match self.why {
            _ if self.stale => State::Waiting,
            Some(why) => State::Stuck(why),
            None if self.next_step().is_none() && self.stride.is_standing() => State::Arrived,
            None => State::Walking,
        }
    }

    /// Returns where it is going.
    pub fn target(&self) -> Target {
        self.target
    }

    /// Returns the cell that its plan leads to, or would lead to.
    pub fn goal(&self) -> Cell {
        self.goal
    }

    /// Returns the path ahead, starting at its cell; empty if it has none.
    pub fn path(&self) -> &[Cell] {
        &self.route[self.place..]
    }

    /// Returns the cost in cells of the whole path of its last plan; `None` if it has none.
    pub fn cost(&self) -> Option<f64> {
        (!self.route.is_empty()).then_some(self.cost)
    }

    /// Returns its speed, in world units per unit of time.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Returns its movement rule, radius and terrain costs.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Returns how far it has walked, in world units. Links add no distance.
    pub fn travelled(&self) -> f64 {
        self.travelled
    }

    /// Returns how often it has planned.
    pub fn replans(&self) -> u64 {
        self.replans
    }

    /// Returns the number of nodes that all its plans have expanded, including fresh searches.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Returns the statistics of its last plan. For an algorithm that is not incremental, `expanded` and `generated`
    /// are those of the search.
    pub fn last_replan(&self) -> Replan {
        self.last
    }

    /// Returns the world as it knows it, if its sensing range is limited.
    pub fn believed(&self) -> Option<&Grid> {
        self.belief.as_ref().map(|belief| belief.grid())
    }

    /// Returns its planner, if it plans incrementally.
    pub fn planner(&self) -> Option<&Planner> {
        match &self.brain {
            Brain::Live(planner) => Some(planner),
            Brain::Own(_) | Brain::Shared(_) => None,
        }
    }

    /// Returns the nodes that its plans changed in the last tick, if logging is on. A node may appear more than once.
    pub fn changed(&self) -> &[NodeId] {
        &self.changed
    }

    /// Returns the bytes of memory held by this unit alone.
    pub fn memory_bytes(&self) -> usize {
        self.brain.bytes()
            + self.belief.as_ref().map_or(0, |belief| belief.bytes())
            + self.route.capacity() * size_of::<Cell>()
            + self.changed.capacity() * size_of::<NodeId>()
    }

    /// Returns the next cell of its path, and whether a link leads there.
    pub(super) fn next_step(&self) -> Option<(Cell, bool)> {
        let to = *self.route.get(self.place + 1)?;
        Some((to, self.jumps.binary_search(&self.place).is_ok()))
    }

    /// Returns whether any change of the world may invalidate the plan.
    pub(super) fn doubts_everything(&self) -> bool {
        matches!(self.why, Some(Why::NotApplicable | Why::NotPrepared))
    }

    /// Counts the next step; returns the number of steps since the last plan.
    pub(super) fn count_step(&mut self) -> usize {
        self.place += 1;
        self.place
    }

    /// Takes over a plan that is complete.
    pub(super) fn take(&mut self, finders: &Finders, grid: &Grid, outcome: Outcome) -> Replan {
        let path = self.brain.path(finders);
        self.route.clear();
        self.jumps.clear();
        self.route.extend(path.cells(grid));
        self.jumps.extend(path.jumps());
        (self.place, self.cost) = (0, path.cost());
        self.why = match outcome {
            Outcome::Unreachable(why) => Some(why),
            Outcome::Found | Outcome::Partial(_) | Outcome::Paused => None,
        };
        self.planned_for = self.asked.take().map(|[_, goal]| goal);
        self.stale = false;
        self.replans += 1;
        self.last = std::mem::take(&mut self.work);
        self.expanded += self.last.expanded + self.last.fresh.unwrap_or(0);
        self.last
    }

    /// Forgets its path, because it has been moved.
    pub(super) fn put(&mut self, stride: Stride) {
        self.stride = stride;
        self.lose_way();
    }

    /// Forgets its path, which no longer begins where it is.
    pub(super) fn lose_way(&mut self) {
        self.route.clear();
        self.jumps.clear();
        (self.place, self.stale) = (0, true);
    }
}
