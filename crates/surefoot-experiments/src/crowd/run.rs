//! One crowd, with a clock.

use std::collections::VecDeque;
use std::time::Instant;

use surefoot::crowd::{
    Avoidance, Crowd, CrowdOptions, CrowdStats, Goal, Guidance, Order, State, UnitId, UnitRef, UnitSpec,
};
use surefoot::graph::Graph;
use surefoot::prelude::*;
use surefoot::validate::{self, Disc};

use super::report::{Delay, Jams, Report, TickTimes};
use super::{CrowdRunError, TICKS_PER_SECOND};
use crate::statistics::mean;

/// How many nodes the plans of a tick may expand if units share a service.
const SERVICE_BUDGET: u64 = 20_000;

/// What counts as touching a wall, for rounding.
const TOUCH: f64 = 1e-9;

/// How units are guided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Each unit plans with A* as soon as it needs a path.
    Astar,
    /// Plans are spread over ticks, by the algorithm that suits the map.
    Service,
    /// Units follow a field for each goal.
    #[default]
    Field,
}

impl Mode {
    /// All of them.
    pub const ALL: [Mode; 3] = [Mode::Astar, Mode::Service, Mode::Field];

    /// Returns the name used by the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Astar => "astar",
            Mode::Service => "service",
            Mode::Field => "field",
        }
    }
}

/// Which crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The number of units.
    pub units: usize,
    /// The number of goals.
    pub goals: usize,
    /// How units are guided.
    pub mode: Mode,
    /// How units avoid each other.
    pub avoidance: Avoidance,
    /// Whether units that block each other are moved by a common plan.
    pub resolve_jams: bool,
    /// The number of ticks after which a run ends.
    pub ticks: u64,
    /// The seed of starts and goals.
    pub seed: u64,
}

/// Random numbers that are the same on every machine (splitmix64).
pub(crate) struct Draws(u64);

impl Draws {
    /// Begins with a seed.
    pub fn new(seed: u64) -> Draws {
        Draws(seed)
    }

    /// Returns a number below a bound that is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let number = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(number ^ number >> 31) * bound as u128) >> 64) as usize
    }
}

/// A crowd without orders.
pub(crate) struct Gathered {
    pub crowd: Crowd,
    /// The units of each goal.
    pub groups: Vec<Vec<UnitId>>,
    pub goals: Vec<Cell>,
    /// All units, in the order of `starts`.
    pub ids: Vec<UnitId>,
    pub starts: Vec<Cell>,
}

/// Runs a crowd on a grid. `tell` is called after each tick.
///
/// # Errors
/// If there are not enough cells.
pub fn run(grid: &Grid, plan: &Plan, tell: &dyn Fn()) -> Result<Report, CrowdRunError> {
    let Gathered { mut crowd, groups, goals, ids, starts } = gather(grid, plan)?;
    send(&mut crowd, grid, plan, &groups, &goals)?;
    let alone = alone(grid, &Agent::default(), &starts, &crowd, &ids);
    Ok(watch(grid, plan, &mut crowd, &ids, &alone, tell))
}

/// Places the units of a crowd, and draws goals.
pub(crate) fn gather(grid: &Grid, plan: &Plan) -> Result<Gathered, CrowdRunError> {
    let agent = Agent::default();
    let mut cells = largest_part(grid, &agent);
    if cells.len() < plan.units.max(1) {
        return Err(CrowdRunError::TooFewCells { found: cells.len(), expected: plan.units.max(1) });
    }
    let mut draws = Draws::new(plan.seed);
    let goals: Vec<Cell> = (0..plan.goals.max(1)).map(|_| cells[draws.below(cells.len())]).collect();
    for index in 0..plan.units {
        let other = index + draws.below(cells.len() - index);
        cells.swap(index, other);
    }
    cells.truncate(plan.units);
    let mut crowd = Crowd::new(&CrowdOptions {
        avoidance: plan.avoidance,
        resolve_jams: plan.resolve_jams,
        algorithm: if plan.mode == Mode::Astar { "astar" } else { "auto" },
        budget: (plan.mode != Mode::Astar).then_some(SERVICE_BUDGET),
        seed: plan.seed,
        ..CrowdOptions::default()
    })?;
    let mut groups: Vec<Vec<UnitId>> = vec![Vec::new(); goals.len()];
    let mut ids = Vec::with_capacity(plan.units);
    for (index, &cell) in cells.iter().enumerate() {
        let group = index % goals.len();
        let id = crowd.add(grid, &UnitSpec { group: group as u32, ..UnitSpec::at_cell(cell) })?;
        groups[group].push(id);
        ids.push(id);
    }
    Ok(Gathered { crowd, groups, goals, ids, starts: cells })
}

/// Orders the units of each goal to go there.
pub(crate) fn send(
    crowd: &mut Crowd,
    grid: &Grid,
    plan: &Plan,
    groups: &[Vec<UnitId>],
    goals: &[Cell],
) -> Result<(), CrowdRunError> {
    let guidance = if plan.mode == Mode::Field { Guidance::Field } else { Guidance::Path };
    for (ids, &goal) in groups.iter().zip(goals) {
        crowd.order(grid, ids, &Order { goal: Goal::Cell(goal), guidance, formation: &[] })?;
    }
    Ok(())
}

/// Lets the crowd walk until all units have arrived.
fn watch(
    grid: &Grid,
    plan: &Plan,
    crowd: &mut Crowd,
    ids: &[UnitId],
    alone: &[f64],
    tell: &dyn Fn(),
) -> Report {
    let seconds = 1.0 / f64::from(TICKS_PER_SECOND);
    let mut arrivals: Vec<Option<u64>> = vec![None; ids.len()];
    let mut was_in_wall = vec![false; ids.len()];
    let (mut times, mut worst_overlap) = (Vec::new(), 0.0_f64);
    let mut discs = Vec::with_capacity(ids.len());
    let mut tick = 0;
    while tick < plan.ticks && arrivals.iter().any(Option::is_none) {
        let clock = Instant::now();
        crowd.tick(grid, seconds);
        times.push(clock.elapsed().as_secs_f64() * 1e6);
        tick += 1;
        discs.clear();
        for (index, unit) in ids.iter().filter_map(|&id| crowd.get(id)).enumerate() {
            let there = unit.state() == State::Arrived;
            if !there {
                arrivals[index] = None;
            } else if arrivals[index].is_none() {
                arrivals[index] = Some(tick);
            }
            let disc = Disc { centre: unit.position(), radius: unit.radius() };
            was_in_wall[index] |= validate::depth_in_wall(grid, &disc) > TOUCH;
            discs.push(disc);
        }
        if plan.avoidance != Avoidance::None {
            worst_overlap =
                worst_overlap.max(validate::worst_overlap(&discs).map_or(0.0, |worst| worst.share));
        }
        tell();
    }
    let delays: Vec<f64> = arrivals
        .iter()
        .zip(alone)
        .map(|(arrival, alone)| (arrival.unwrap_or(tick) as f64 * seconds - alone).max(0.0))
        .collect();
    let is_stuck = |unit: &UnitRef<'_>| matches!(unit.state(), State::Stuck(_));
    let CrowdStats { plans, expanded, jams_found, jams_resolved, jams_failed, .. } = crowd.stats();
    Report {
        mode: plan.mode.name(),
        avoid: match plan.avoidance {
            Avoidance::Orca => "orca",
            Avoidance::Reserve => "reserve",
            Avoidance::None => "none",
        },
        units: ids.len(),
        arrived: arrivals.iter().flatten().count(),
        stuck: crowd.iter().filter(is_stuck).count(),
        ticks: tick,
        tick_us: TickTimes::of(times),
        delay: Delay {
            mean: mean(&delays).unwrap_or(0.0),
            worst: delays.iter().fold(0.0, |worst, &delay| worst.max(delay)),
        },
        jams: Jams { found: jams_found, resolved: jams_resolved, failed: jams_failed },
        in_wall: was_in_wall.iter().filter(|&&was| was).count(),
        worst_overlap,
        longest_wait: crowd.iter().map(|unit| unit.longest_wait()).fold(0.0, f64::max),
        plans,
        expanded,
        hash: format!("{:016x}", crowd.hash()),
    }
}

/// The cells of the largest part of a grid whose cells are connected, row by row.
fn largest_part(grid: &Grid, agent: &Agent) -> Vec<Cell> {
    let view = grid.view(agent);
    let mut part_of = vec![0_u32; view.node_bound()];
    let mut sizes = vec![0_usize];
    let mut walk = VecDeque::new();
    for first in grid.cells().filter(|&cell| view.is_open(cell)).filter_map(|cell| grid.node(cell)) {
        if part_of[first.index()] != 0 {
            continue;
        }
        let part = sizes.len() as u32;
        sizes.push(0);
        part_of[first.index()] = part;
        walk.push_back(first);
        while let Some(node) = walk.pop_front() {
            sizes[part as usize] += 1;
            view.for_each_edge(node, |to, _| {
                if part_of[to.index()] == 0 {
                    part_of[to.index()] = part;
                    walk.push_back(to);
                }
            });
        }
    }
    let largest = (1..sizes.len()).max_by_key(|&part| (sizes[part], std::cmp::Reverse(part))).unwrap_or(0);
    let is_in = |cell: &Cell| grid.node(*cell).is_some_and(|node| part_of[node.index()] == largest as u32);
    if largest == 0 { Vec::new() } else { grid.cells().filter(is_in).collect() }
}

/// How many seconds each unit would need if it were alone.
fn alone(grid: &Grid, agent: &Agent, starts: &[Cell], crowd: &Crowd, ids: &[UnitId]) -> Vec<f64> {
    let mut finder = Pathfinder::default();
    let mut need = |start: Cell, unit: UnitRef<'_>| {
        let path = unit.goal().and_then(|goal| finder.find(grid.view(agent), start, goal).ok());
        path.map_or(0.0, |path| path.cost() / unit.speed())
    };
    starts.iter().zip(ids).map(|(&start, &id)| crowd.get(id).map_or(0.0, |unit| need(start, unit))).collect()
}
