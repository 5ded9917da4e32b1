//! All units: which ones have to replan, whose turn it is, ticks.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use crate::agent::Agent;
use crate::brain::{Brain, Finders};
use crate::id::NodeId;
use crate::path::Path;
use crate::replan::subscriptions::{SubscriptionId, Subscriptions, Touched};
use crate::replan::{NodeState, Replan};
use crate::search::{Algorithm, OptionError, Outcome};
use crate::space::Cell;
use crate::unit::belief::Belief;
use crate::unit::spec::{Target, UnitError, UnitId, UnitSpec, check_speed};
use crate::unit::stride::{Passage, Stride, link_leads, passage};
use crate::unit::unit::Unit;
use crate::world::grid::Grid;
use crate::world::journal::Revision;

/// A record of a unit's plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replanned {
    /// The unit that planned.
    pub id: UnitId,
    /// The statistics of the plan.
    pub replan: Replan,
}

/// Units on one grid. See the [module](crate::unit) for what they do and when.
///
/// The result depends only on the calls. There is no clock, and units take their turns in the order of their numbers.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::unit::{State, Target, UnitSpec, Units};
/// let grid = Grid::new(20, 20).unwrap();
/// let mut units = Units::new();
/// let walk = UnitSpec::new(Cell::new(5, 5), Target::Cell(Cell::new(19, 5)));
/// let thief = units.add(&grid, &walk).unwrap();
/// let chase = UnitSpec { speed: 2.0, algorithm: "mt_d_star_lite", ..UnitSpec::new(Cell::new(0, 5), Target::Unit(thief)) };
/// let guard = units.add(&grid, &chase).unwrap();
/// let mut ticks = 0;
/// while units.get(guard).unwrap().state() != State::Arrived {
///     units.tick(&grid, 0.125);
///     ticks += 1;
/// }
/// assert_eq!(units.get(guard).unwrap().cell(), units.get(thief).unwrap().cell());
/// assert!((35..=45).contains(&ticks), "five cells behind, one cell faster");
/// ```
///
/// # Splitting ticks
/// [`Units::tick`] calls [`Units::think`] and then [`Units::walk`]. If plans take long, call `think` several times
/// before `walk`. With a [budget](Units::set_budget), plans are spread over ticks instead, first come, first served.
/// Units stand still while they wait. A search that is not incremental starts over when the world changes. Its budget
/// should be enough to finish it between two edits.
#[derive(Default)]
pub struct Units {
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// The number of nodes that all plans of a tick may expand; `None` is unlimited.
    budget: Option<u64>,
    subscriptions: Subscriptions,
    owners: BTreeMap<SubscriptionId, u32>,
    /// The revision of the world that was last seen.
    seen: Option<Revision>,
    finders: Finders,
    /// Units that wait for their plan.
    queue: VecDeque<u32>,
    /// The statistics of the plans since the last walk.
    replanned: Vec<Replanned>,
    walked: bool,
    touched: Vec<Touched>,
}

#[derive(Default)]
struct Slot {
    generation: u32,
    /// Whether it is in the queue.
    queued: bool,
    unit: Option<Unit>,
}

impl fmt::Debug for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Units").field("units", &self.len()).finish_non_exhaustive()
    }
}

impl Units {
    /// The maximum number of units.
    pub const MAX: usize = 1 << 20;

    /// Creates an empty collection of units.
    pub fn new() -> Units {
        Units::default()
    }

    /// Sets how many nodes all plans of a tick together may expand. Unlimited by default.
    pub fn set_budget(&mut self, budget: u64) {
        self.budget = Some(budget);
    }

    /// Adds a unit. A unit on a wall or outside the grid is [stuck](crate::unit::State::Stuck), which is not an error.
    pub fn add(&mut self, grid: &Grid, spec: &UnitSpec<'_>) -> Result<UnitId, UnitError> {
        if self.len() >= Units::MAX {
            return Err(UnitError::TooMany);
        }
        check_speed(spec.speed)?;
        let view = grid.view(&spec.agent);
        let belief = match spec.sensing {
            Some(radius) if radius >= 0.0 => Some(Belief::of(grid, &view, radius)),
            Some(radius) => return Err(UnitError::Sensing(radius)),
            None => None,
        };
        let algorithm = Algorithm::named(spec.algorithm)?;
        if algorithm.any_angle {
            return Err(OptionError::AnyAngle { algorithm: algorithm.title }.into());
        }
        // A unit with a map of its own does not share what was prepared for the map.
        let shared = belief.is_none().then_some(&mut self.finders);
        let brain = Brain::new(algorithm, &spec.options, shared)?;
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.slots.len() as u32 - 1
        });
        // A unit with a map of its own detects changes itself.
        let subscription = belief.is_none().then(|| self.subscriptions.subscribe(view, &Path::default()));
        if let Some(subscription) = subscription {
            self.owners.insert(subscription, index);
        }
        let stride = Stride::standing(grid.frame(), spec.at);
        let slot = &mut self.slots[index as usize];
        slot.unit = Some(Unit::new(stride, spec.agent, spec.speed, spec.target, brain, belief, subscription));
        Ok(UnitId { index, generation: slot.generation })
    }

    /// Removes a unit; `false` if there is no such unit.
    pub fn remove(&mut self, id: UnitId) -> bool {
        if self.get(id).is_none() {
            return false;
        }
        let slot = &mut self.slots[id.index as usize];
        let here = slot.unit.as_ref().map(Unit::cell);
        slot.generation = slot.generation.wrapping_add(1);
        let subscription = slot.unit.take().and_then(|unit| unit.subscription);
        if std::mem::take(&mut slot.queued) {
            self.queue.retain(|&index| index != id.index);
        }
        if let Some(subscription) = subscription {
            self.owners.remove(&subscription);
            self.subscriptions.unsubscribe(subscription);
        }
        self.free.push(id.index);
        for unit in self.slots.iter_mut().filter_map(|slot| slot.unit.as_mut()) {
            if unit.target == Target::Unit(id) {
                unit.target = Target::Cell(here.unwrap_or(unit.goal));
            }
        }
        true
    }

    /// Returns a unit; `None` if there is no such unit.
    pub fn get(&self, id: UnitId) -> Option<&Unit> {
        let slot = self.slots.get(id.index as usize).filter(|slot| slot.generation == id.generation)?;
        slot.unit.as_ref()
    }

    fn get_mut(&mut self, id: UnitId) -> Option<&mut Unit> {
        let slot = self.slots.get_mut(id.index as usize).filter(|slot| slot.generation == id.generation)?;
        slot.unit.as_mut()
    }

    /// Returns all units, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        (0..).zip(&self.slots).filter_map(|(index, slot)| {
            Some((UnitId { index, generation: slot.generation }, slot.unit.as_ref()?))
        })
    }

    /// Returns the number of units.
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Returns whether there are no units.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets the target of a unit; `false` if there is no such unit.
    pub fn set_target(&mut self, id: UnitId, target: Target) -> bool {
        self.get_mut(id).map(|unit| unit.target = target).is_some()
    }

    /// Sets the speed of a unit; `false` if there is no such unit.
    pub fn set_speed(&mut self, id: UnitId, speed: f64) -> Result<bool, UnitError> {
        check_speed(speed)?;
        Ok(self.get_mut(id).map(|unit| unit.speed = speed).is_some())
    }

    /// Moves a unit to the centre of a cell; `false` if there is no such unit.
    pub fn place(&mut self, grid: &Grid, id: UnitId, cell: Cell) -> bool {
        self.get_mut(id).map(|unit| unit.put(Stride::standing(grid.frame(), cell))).is_some()
    }

    /// Sets whether to record which nodes a unit's plans [change](Unit::changed). Returns `false` if there is no such
    /// unit, or if it does not plan incrementally. Off by default.
    pub fn set_logging(&mut self, id: UnitId, on: bool) -> bool {
        let Some(unit) = self.get_mut(id) else { return false };
        let Brain::Live(planner) = &mut unit.brain else { return false };
        planner.set_logging(on);
        unit.logging = on;
        true
    }

    /// Returns what a unit's planner knows about a node. Only the key depends on the grid, which has to be the one of
    /// the last tick.
    pub fn node_state(&mut self, grid: &Grid, id: UnitId, node: NodeId) -> Option<NodeState> {
        let unit = self.get_mut(id)?;
        let Brain::Live(planner) = &mut unit.brain else { return None };
        let known = unit.belief.as_ref().map_or(grid, |belief| belief.grid());
        planner.state(known.view(&unit.agent), node)
    }

    /// Returns the plans of the last tick, in order.
    pub fn replanned(&self) -> &[Replanned] {
        &self.replanned
    }

    /// Returns the bytes of memory held by all units together.
    pub fn memory_bytes(&self) -> usize {
        let units: usize = self.iter().map(|(_, unit)| unit.memory_bytes()).sum();
        units
            + self.slots.capacity() * size_of::<Slot>()
            + self.subscriptions.memory_bytes()
            + self.finders.bytes()
    }

    /// Advances time: replans where necessary, then walks. A time that is negative or NaN counts as zero.
    pub fn tick(&mut self, grid: &Grid, time: f64) {
        let mut left = self.budget.unwrap_or(u64::MAX);
        self.plan_all(grid, &mut left);
        self.walk(grid, time, left);
    }

    /// Updates all plans for the world and the targets as they are now. Expands at most `budget` nodes. Returns whether
    /// all plans are up to date. Units whose plans are not up to date may stand still in a [`walk`](Units::walk) before
    /// that.
    pub fn think(&mut self, grid: &Grid, mut budget: u64) -> bool {
        self.plan_all(grid, &mut budget)
    }

    fn plan_all(&mut self, grid: &Grid, left: &mut u64) -> bool {
        if std::mem::take(&mut self.walked) {
            self.replanned.clear();
            for unit in self.slots.iter_mut().filter_map(|slot| slot.unit.as_mut()) {
                unit.changed.clear();
            }
        }
        self.listen(grid);
        self.aim();
        self.look_around(grid);
        for (index, slot) in (0..).zip(&mut self.slots) {
            if slot.unit.as_ref().is_some_and(|unit| unit.stale) && !slot.queued {
                slot.queued = true;
                self.queue.push_back(index);
            }
        }
        while let Some(&index) = self.queue.front() {
            if !self.plan(index, grid, left) {
                return false;
            }
            self.slots[index as usize].queued = false;
            self.queue.pop_front();
        }
        true
    }

    /// Moves all units that have a plan for a time. Replanning for what units discover while they move may expand `budget`
    /// nodes.
    pub fn walk(&mut self, grid: &Grid, time: f64, mut budget: u64) {
        self.walked = true;
        self.listen(grid);
        for index in 0..self.slots.len() as u32 {
            self.walk_one(index, grid, time, &mut budget);
        }
    }

    /// Finds the units whose paths edits affect.
    fn listen(&mut self, grid: &Grid) {
        if self.seen == Some(grid.revision()) {
            return;
        }
        self.seen = Some(grid.revision());
        self.subscriptions.changes(grid.view(&Agent::default()), &mut self.touched);
        for Touched { id, .. } in &self.touched {
            let owner = self.owners.get(id).and_then(|&index| self.slots[index as usize].unit.as_mut());
            if let Some(unit) = owner {
                unit.stale = true;
            }
        }
        for unit in self.slots.iter_mut().filter_map(|slot| slot.unit.as_mut()) {
            unit.stale |= unit.doubts_everything();
            if !unit.stride.is_standing() && unit.stride.is_broken(&grid.view(&unit.agent)) {
                unit.stride.turn_back(grid.frame());
                unit.lose_way();
            }
        }
    }

    /// Updates the positions of targets.
    fn aim(&mut self) {
        for index in 0..self.slots.len() {
            let Some(target) = self.slots[index].unit.as_ref().map(|unit| unit.target) else { continue };
            let goal = match target {
                Target::Cell(cell) => Some(cell),
                Target::Unit(id) => self.get(id).map(Unit::cell),
            };
            let Some(unit) = &mut self.slots[index].unit else { continue };
            unit.goal = goal.unwrap_or(unit.goal);
            unit.stale |= unit.planned_for != Some(unit.goal);
        }
    }

    /// Lets units with a limited sensing range look around.
    fn look_around(&mut self, grid: &Grid) {
        for unit in self.slots.iter_mut().filter_map(|slot| slot.unit.as_mut()) {
            look(unit, grid);
        }
    }

    /// Continues a unit's plan; `false` if the budget is used up before it is complete.
    fn plan(&mut self, index: u32, grid: &Grid, left: &mut u64) -> bool {
        let slot = &mut self.slots[index as usize];
        let Some(unit) = &mut slot.unit else { return true };
        let known = unit.belief.as_ref().map_or(grid, |belief| belief.grid());
        let view = known.view(&unit.agent);
        let ends = [unit.stride.cell(), unit.goal];
        let (outcome, replan) =
            unit.brain.plan(&mut self.finders, view.into(), ends, &mut unit.asked, *left, None);
        *left = left.saturating_sub(work(&replan));
        unit.work += replan;
        if unit.logging
            && let Brain::Live(planner) = &unit.brain
        {
            unit.changed.extend(planner.changed());
        }
        if outcome == Outcome::Paused {
            return false;
        }
        let id = UnitId { index, generation: slot.generation };
        let path = unit.brain.path(&self.finders);
        if let Some(subscription) = unit.subscription {
            self.subscriptions.replace(subscription, view, path);
        }
        if let Some(belief) = &mut unit.belief {
            belief.watch(&unit.agent, path);
        }
        self.replanned.push(Replanned { id, replan: unit.take(&self.finders, grid, outcome) });
        true
    }

    fn is_standing(&self, index: u32) -> bool {
        self.slots[index as usize].unit.as_ref().is_some_and(|unit| unit.stride.is_standing())
    }

    /// Moves one unit.
    fn walk_one(&mut self, index: u32, grid: &Grid, time: f64, budget: &mut u64) {
        let Some(unit) = &self.slots[index as usize].unit else { return };
        let view = grid.view(&unit.agent);
        // `max` turns what is not a number into 0.
        let mut left = (unit.speed * time).max(0.0);
        while let Some(unit) = &mut self.slots[index as usize].unit {
            // What is discovered is planned for at once, unless others have waited for longer.
            look(unit, grid);
            if unit.stale {
                let may_plan = unit.belief.is_some() && self.queue.is_empty();
                if !(may_plan && self.plan(index, grid, budget)) && self.is_standing(index) {
                    return;
                }
            }
            let Some(unit) = &mut self.slots[index as usize].unit else { return };
            if !unit.stride.is_standing() {
                let walked = unit.stride.advance(left);
                left -= walked;
                unit.travelled += walked;
                if !unit.stride.is_standing() {
                    return;
                }
                continue;
            }
            let here = unit.stride.cell();
            let Some((to, jump)) = unit.next_step().filter(|_| unit.stride.is_enough(left)) else { return };
            let as_planned = (jump && link_leads(&view, here, to)).then_some(Passage::Link);
            let open = view.is_open(here);
            let Some(passage) = as_planned.or_else(|| passage(&view, here, to)).filter(|_| open) else {
                unit.stale = true;
                return;
            };
            unit.stride.begin(grid.frame(), to, passage);
            let steps = unit.count_step();
            if let Some(subscription) = unit.subscription {
                self.subscriptions.advance(subscription, steps);
            }
            if let Some(belief) = &mut unit.belief {
                belief.advance(steps);
            }
        }
    }
}

/// Returns the total number of nodes expanded.
fn work(replan: &Replan) -> u64 {
    replan.expanded + replan.fresh.unwrap_or(0)
}

/// Lets a unit look around, if its sensing range is limited.
fn look(unit: &mut Unit, grid: &Grid) {
    let from = unit.stride.cell();
    if let Some(belief) = &mut unit.belief {
        unit.stale |= belief.look(&grid.view(&unit.agent), from);
    }
}
