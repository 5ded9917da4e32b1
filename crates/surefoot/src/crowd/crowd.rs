//! The crowd: units, orders, and what a caller can ask.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use crate::agent::Agent;
use crate::core::graph::Link;
use crate::crowd::jam::Jams;
use crate::crowd::motion::{Moved, Scratch};
use crate::crowd::near::Neighbourhood;
use crate::crowd::places::Places;
use crate::crowd::reserve::Reservations;
use crate::crowd::route::Route;
use crate::crowd::spec::{
    Avoidance, CrowdError, CrowdOptions, CrowdStats, Event, Goal, Guidance, Order, UnitId, UnitSpec,
};
use crate::crowd::store::{Mode, NONE, Progress, Store};
use crate::crowd::tick::Wish;
use crate::crowd::unit::UnitRef;
use crate::crowd::walls::Walls;
use crate::digest::Digest;
use crate::field::FieldCache;
use crate::id::NodeId;
use crate::path::Path;
use crate::replan::{Subscriptions, Touched};
use crate::search::{Algorithm, Pathfinder};
use crate::space::Cell;
use crate::world::changes::Changes;
use crate::world::grid::{Grid, GridView};
use crate::world::journal::Revision;

/// The memory of fields: those of the orders given last are kept.
const FIELD_BYTES: usize = 1 << 29;

/// An order that some units follow.
#[derive(Debug)]
pub(super) struct Standing {
    pub goal: Goal,
    pub guidance: Guidance,
    /// How many units follow it; 0 if it is over.
    pub members: u32,
}

/// A search for a path that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub unit: u32,
    pub from: NodeId,
    pub to: NodeId,
}

/// Units that walk on one grid, avoid each other, and do not jam. See the [module](crate::crowd).
///
/// The result depends only on the calls: not on the number of threads, the machine, or how fast it is.
///
/// ```
/// use surefoot::crowd::{Crowd, CrowdOptions, Order, State, UnitSpec};
/// use surefoot::prelude::*;
/// let grid = Grid::new(20, 10).unwrap();
/// let mut crowd = Crowd::new(&CrowdOptions::default()).unwrap();
/// let ids: Vec<_> = (0..5).map(|y| crowd.add(&grid, &UnitSpec::at_cell(Cell::new(1, y))).unwrap()).collect();
/// crowd.order(&grid, &ids, &Order::to(Cell::new(15, 5))).unwrap();
/// for _ in 0..600 {
///     crowd.tick(&grid, 1.0 / 60.0);
/// }
/// assert!(crowd.iter().all(|unit| unit.state() == State::Arrived));
/// ```
pub struct Crowd {
    pub(super) avoidance: Avoidance,
    pub(super) resolve_jams: bool,
    pub(super) agent: Agent,
    pub(super) budget: Option<u64>,
    pub(super) link_seconds: f64,
    pub(super) seed: u64,
    pub(super) finder: Pathfinder,
    /// The fields of orders that are guided by one.
    pub(super) fields: FieldCache,
    /// The path that was planned last.
    pub(super) planned: Path,
    /// Memory for the part of a path that follows a field.
    pub(super) lead: Vec<NodeId>,
    /// One for each radius, since wide units need wide paths.
    pub(super) classes: Vec<Agent>,
    pub(super) units: Store,
    pub(super) orders: Vec<Standing>,
    pub(super) places: Places,
    pub(super) subscriptions: Subscriptions,
    /// By number of a subscription: its unit.
    pub(super) owners: Vec<u32>,
    pub(super) queue: VecDeque<u32>,
    pub(super) asked: Option<Asked>,
    /// How often the world has changed during the search under way.
    pub(super) restarts: u32,
    pub(super) seen: Option<Revision>,
    pub(super) changes: Changes,
    pub(super) touched: Vec<Touched>,
    pub(super) near: Neighbourhood,
    pub(super) wishes: Vec<Wish>,
    pub(super) moved: Vec<Moved>,
    pub(super) scratch: Vec<Scratch>,
    pub(super) jams: Jams,
    pub(super) reservations: Reservations,
    pub(super) events: Vec<Event>,
    pub(super) stats: CrowdStats,
    /// By node: for how many seconds units have waited there.
    pub(super) waited: Vec<f32>,
    /// Links by their ends, while units are inside.
    pub(super) riding: BTreeMap<u32, [NodeId; 2]>,
}

impl fmt::Debug for Crowd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crowd")
            .field("units", &self.len())
            .field("stats", &self.stats)
            .finish_non_exhaustive()
    }
}

impl Crowd {
    /// The maximum number of units.
    pub const MAX: usize = 1 << 20;

    /// The largest radius of a unit, in cells.
    pub const MAX_RADIUS: f64 = 16.0;

    /// Creates a crowd without units.
    pub fn new(options: &CrowdOptions<'_>) -> Result<Crowd, CrowdError> {
        let algorithm = Algorithm::named(options.algorithm)?;
        if algorithm.incremental {
            return Err(CrowdError::Incremental(algorithm.title));
        }
        check("link time", options.link_seconds)?;
        Ok(Crowd {
            avoidance: options.avoidance,
            resolve_jams: options.resolve_jams,
            agent: options.agent,
            budget: options.budget,
            link_seconds: options.link_seconds,
            seed: options.seed,
            finder: Pathfinder::new(algorithm, &options.options)?,
            fields: FieldCache::with_capacity(FIELD_BYTES),
            planned: Path::default(),
            lead: Vec::new(),
            classes: Vec::new(),
            units: Store::default(),
            orders: Vec::new(),
            places: Places::default(),
            subscriptions: Subscriptions::new(),
            owners: Vec::new(),
            queue: VecDeque::new(),
            asked: None,
            restarts: 0,
            seen: None,
            changes: Changes::default(),
            touched: Vec::new(),
            near: Neighbourhood::default(),
            wishes: Vec::new(),
            moved: Vec::new(),
            scratch: Vec::new(),
            jams: Jams::default(),
            reservations: Reservations::default(),
            events: Vec::new(),
            stats: CrowdStats::default(),
            waited: Vec::new(),
            riding: BTreeMap::new(),
        })
    }

    /// Adds a unit without an order. Units may be added on walls, which they leave, and on other units, from which they are pushed apart.
    ///
    /// # Errors
    /// If a number is out of range, or the place is outside the grid.
    pub fn add(&mut self, grid: &Grid, spec: &UnitSpec) -> Result<UnitId, CrowdError> {
        if self.len() >= Crowd::MAX {
            return Err(CrowdError::TooMany);
        }
        if !(spec.radius > 0.0 && spec.radius <= Crowd::MAX_RADIUS) {
            return Err(CrowdError::Radius(spec.radius));
        }
        check("speed", spec.speed)?;
        check("acceleration", spec.acceleration)?;
        let (width, height) = (grid.width(), grid.height());
        let is_inside = |at: f64, side: u32| at >= 0.0 && at < f64::from(side);
        if !is_inside(spec.at[0], width) || !is_inside(spec.at[1], height) {
            return Err(CrowdError::Outside { at: spec.at, width, height });
        }
        let class = self.class_of(spec.radius)?;
        let id = self.units.add(spec, class);
        self.units.planned_at[id.index()] = self.stats.ticks;
        Ok(id)
    }

    /// The number of the agent for a radius.
    fn class_of(&mut self, radius: f64) -> Result<u16, CrowdError> {
        // What fits into a cell fits into every open cell.
        let radius = if radius <= 0.5 { 0.5 } else { (radius * 8.0).ceil() / 8.0 };
        if let Some(known) = self.classes.iter().position(|agent| agent.radius().total_cmp(&radius).is_eq()) {
            return Ok(known as u16);
        }
        self.classes.push(self.agent.with_radius(radius)?);
        Ok(self.classes.len() as u16 - 1)
    }

    /// Removes a unit; `false` if there is no such unit.
    pub fn remove(&mut self, id: UnitId) -> bool {
        let Some(unit) = self.units.find(id) else { return false };
        self.release(unit);
        self.jams.lose(unit as u32, &mut self.units);
        self.reservations.leave(unit as u32);
        self.riding.remove(&(unit as u32));
        if let Some(subscription) = self.units.subscription[unit].take() {
            self.subscriptions.unsubscribe(subscription);
        }
        self.units.remove(unit);
        true
    }

    /// Takes a unit out of its order.
    fn release(&mut self, unit: usize) {
        let order = std::mem::replace(&mut self.units.order[unit], NONE);
        if order != NONE {
            self.orders[order as usize].members -= 1;
        }
        self.places.give_up(self.units.place[unit], unit as u32);
        self.units.place[unit] = NodeId::NONE;
        self.units.is_queued[unit] = false;
    }

    /// Orders units to a goal. They keep walking on their old paths until they get new ones in the ticks to come. An order replaces the one before.
    ///
    /// Each unit gets a place of its own: the free cells nearest to the goal by walking, the nearest units first, or the places of a formation. Units of one order exchange
    /// their places when one of them is in the other's way.
    ///
    /// # Errors
    /// If a unit does not exist or the goal is not on the grid. Then nothing changes.
    pub fn order(&mut self, grid: &Grid, ids: &[UnitId], order: &Order<'_>) -> Result<(), CrowdError> {
        for &id in ids {
            self.units.find(id).ok_or(CrowdError::NoUnit(id))?;
        }
        match order.goal {
            Goal::Cell(cell) if !grid.contains(cell) => {
                return Err(CrowdError::GoalOutside { cell, width: grid.width(), height: grid.height() });
            }
            Goal::Cell(_) => {}
            Goal::Unit { id, begin, end } => {
                self.units.find(id).ok_or(CrowdError::NoUnit(id))?;
                check("begin", begin)?;
                check("end", end)?;
            }
        }
        let number = self.standing(order);
        for &id in ids {
            let unit = id.index();
            self.release(unit);
            self.orders[number as usize].members += 1;
            self.units.order[unit] = number;
            self.units.progress[unit] = Progress::NEW;
            self.units.trouble[unit] = 0;
            if matches!(self.units.mode[unit], Mode::Idle | Mode::Arrived | Mode::Stuck) {
                self.units.mode[unit] = Mode::Waiting;
                self.units.route[unit].clear();
            }
        }
        if let Goal::Cell(cell) = order.goal {
            self.give_places(grid, ids, cell, order.formation);
            for &id in ids {
                self.enqueue(id.index());
            }
        }
        Ok(())
    }

    /// Adds an order.
    fn standing(&mut self, order: &Order<'_>) -> u32 {
        let standing = Standing { goal: order.goal, guidance: order.guidance, members: 0 };
        if let Some(free) = self.orders.iter().position(|known| known.members == 0) {
            self.orders[free] = standing;
            return free as u32;
        }
        self.orders.push(standing);
        self.orders.len() as u32 - 1
    }

    /// Ends the orders of units: they stay where they are. Returns how many of them exist.
    pub fn stop(&mut self, ids: &[UnitId]) -> usize {
        let mut found = 0;
        for &id in ids {
            let Some(unit) = self.units.find(id) else { continue };
            self.release(unit);
            if self.units.mode[unit] != Mode::InLink {
                self.units.mode[unit] = Mode::Idle;
            }
            self.units.route[unit].clear();
            found += 1;
        }
        found
    }

    /// Puts a unit into the queue for a path.
    pub(super) fn enqueue(&mut self, unit: usize) {
        if !std::mem::replace(&mut self.units.is_queued[unit], true) {
            self.queue.push_back(unit as u32);
        }
    }

    /// The grid as a unit sees it.
    pub(super) fn view<'a>(&self, grid: &'a Grid, unit: usize) -> GridView<'a> {
        grid.view(&self.classes[usize::from(self.units.class[unit])])
    }

    /// The open cell at which a unit is, or the nearest one.
    pub(super) fn cell_of(&self, grid: &Grid, view: &GridView<'_>, unit: usize) -> Option<Cell> {
        let at = self.units.at[unit];
        let cell = Walls::cell(at);
        if view.is_open(cell) {
            return Some(cell);
        }
        crate::world::nearest::nearest_open(view, grid.frame().point_at([at.x, at.y, 0.0]))
    }

    /// Returns a unit; `None` if there is no such unit.
    pub fn get(&self, id: UnitId) -> Option<UnitRef<'_>> {
        self.units.find(id).map(|unit| UnitRef::new(self, unit))
    }

    /// Returns all units, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = UnitRef<'_>> {
        let exists = |unit: &usize| self.units.mode[*unit] != Mode::Gone;
        (0..self.units.len()).filter(exists).map(|unit| UnitRef::new(self, unit))
    }

    /// Returns the number of units.
    pub fn len(&self) -> usize {
        self.units.live()
    }

    /// Returns whether there are no units.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a number above those of all units, for lists by [number](UnitId::index).
    pub fn capacity(&self) -> usize {
        self.units.len()
    }

    /// Returns what happened in the last tick.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns what happened since the crowd was created.
    pub fn stats(&self) -> CrowdStats {
        self.stats
    }

    /// Returns how many units wait for a path.
    pub fn queued(&self) -> usize {
        self.queue.iter().filter(|&&unit| self.units.is_queued[unit as usize]).count()
    }

    /// Returns for how many seconds units have waited in a cell, all of them together. A unit waits while it wants to move and does not get on.
    pub fn waited(&self, grid: &Grid, cell: Cell) -> f64 {
        let node = grid.node(cell).and_then(|node| self.waited.get(node.index()));
        node.map_or(0.0, |&seconds| f64::from(seconds))
    }

    /// Forgets for how long units have waited in cells.
    pub fn clear_waited(&mut self) {
        self.waited.fill(0.0);
    }

    /// Returns a number that depends on the states of all units, to the last bit. It is the same on every machine, with any number of threads.
    ///
    /// ```
    /// use surefoot::crowd::{Crowd, CrowdOptions, UnitSpec};
    /// use surefoot::prelude::*;
    /// let grid = Grid::new(9, 9).unwrap();
    /// let mut crowd = Crowd::new(&CrowdOptions::default()).unwrap();
    /// let before = crowd.hash();
    /// crowd.add(&grid, &UnitSpec::at_cell(Cell::new(4, 4))).unwrap();
    /// assert_ne!(crowd.hash(), before);
    /// ```
    pub fn hash(&self) -> u64 {
        let units = &self.units;
        let mut digest = Digest::default();
        for unit in (0..units.len()).filter(|&unit| units.mode[unit] != Mode::Gone) {
            digest.word((unit as u64) << 32 | u64::from(units.generation[unit]));
            digest.word((units.mode[unit] as u64) << 32 | u64::from(units.group[unit]));
            for number in [units.at[unit].x, units.at[unit].y, units.velocity[unit].x, units.velocity[unit].y]
            {
                digest.number(number);
            }
            digest.word(u64::from(units.place[unit].0) << 32 | units.plans[unit]);
            digest.number(units.timer[unit]);
            digest.number(units.progress[unit].stalled);
        }
        digest.word(self.stats.ticks);
        digest.finish()
    }

    /// Returns the bytes of memory that the crowd holds.
    pub fn memory_bytes(&self) -> usize {
        let routes: usize = self.units.route.iter().map(Route::bytes).sum();
        let each = size_of::<Moved>() + size_of::<Route>() + 24 * size_of::<u64>();
        routes
            + self.units.len() * each
            + self.waited.capacity() * size_of::<f32>()
            + self.subscriptions.memory_bytes()
            + self.finder.stats().scratch_bytes as usize
    }
}

/// Rejects numbers below 0 and those that are none.
fn check(name: &'static str, found: f64) -> Result<(), CrowdError> {
    if found >= 0.0 && found.is_finite() { Ok(()) } else { Err(CrowdError::Number { name, found }) }
}

/// The cost of the cheapest link between two nodes, in cells.
pub(super) fn link_cost(grid: &Grid, [from, to]: [NodeId; 2]) -> Option<f64> {
    let links = grid.links();
    let first = links.partition_point(|link: &Link| (link.from, link.to) < (from, to));
    let link = links.get(first).filter(|link| (link.from, link.to) == (from, to))?;
    Some(crate::cost::Scale::GRID.cells(link.cost))
}
