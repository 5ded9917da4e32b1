//! Units that block each other.
//!
//! A unit that wants to move and has not come nearer to its goal for some time begins a jam, together with the units in contact with it and all others on the cells around them.
//! Each of them gets a cell, and [`cooperate`](crate::cooperate) plans them all from their cells to where they leave these cells or want to stay on them. Then they move
//! along the plan, from cell to cell, until the last of them has arrived; other units keep out. If there is no plan, the next attempt takes in more units and more cells; after
//! the last one, the jam is reported.
//!
//! The plan is made so that each of its steps can be carried out one agent after the other. A unit moves on into a cell when the one before it in that cell has begun to leave. Circles
//! do not touch then except while one follows another around a corner, where the follower waits for the moment that it needs to.

mod begin;
mod detect;
mod held;
mod moves;

use begin::Region;
pub(super) use held::Held;
use moves::Moves;

use crate::cooperate::{Cooperation, Status};
use crate::crowd::Crowd;
use crate::crowd::spec::{Event, StuckReason};
use crate::crowd::store::{Mode, NONE, Store};
use crate::crowd::vector::Vec2;
use crate::crowd::walls::Walls;
use crate::id::NodeId;
use crate::world::grid::Grid;

/// The largest radius of a unit that moves from cell to cell with others: with more, two of them do not pass each other.
pub(super) const WIDEST: f64 = 0.45;

/// How many kinds of attempts there are, each with more units and cells than the one before.
pub(super) const ATTEMPTS: u8 = 5;

/// After so many seconds without a jam, a unit has one trouble less.
const FORGET: f64 = 10.0;

/// So many seconds after the last failed attempt, the next one begins.
const REST: f64 = 5.0;

/// How many agents all steps of a plan in one tick may move together.
const WORK_PER_TICK: u64 = 6_000;

/// How long units may take to get to their cells, in seconds.
const SETTLING: f64 = 3.0;

/// After so many seconds in which no unit gets to its next cell, a jam is given up.
const PATIENCE: f64 = 4.0;

/// What the units of a jam are doing.
#[derive(Debug)]
enum Phase {
    /// They go to their cells while the plan is made.
    Planning(Box<Cooperation>),
    /// They follow the plan.
    Moving,
}

/// Units that are moved by a common plan.
#[derive(Debug)]
pub(super) struct Jam {
    phase: Phase,
    members: Vec<u32>,
    /// The cells that they move on. No other unit enters.
    cells: Vec<NodeId>,
    moves: Moves,
    attempt: u8,
    /// How long nothing has changed.
    idle: f64,
    /// How often the world has changed while the plan was made.
    restarts: u32,
}

/// All jams.
#[derive(Debug, Default)]
pub(super) struct Jams {
    list: Vec<Option<Jam>>,
    /// By unit: its position among the members of its jam.
    seats: Vec<u32>,
    pub held: Held,
    region: Region,
}

impl Jams {
    /// Where a unit has to go next according to a common plan.
    pub fn target(&self, unit: u32, units: &Store) -> Option<Vec2> {
        let jam = units.jam[unit as usize];
        if jam == NONE {
            return None;
        }
        let jam = self.list.get(jam as usize)?.as_ref()?;
        jam.moves.target(*self.seats.get(unit as usize)? as usize)
    }

    /// A unit is removed: its jam is over.
    pub fn lose(&mut self, unit: u32, units: &mut Store) {
        let jam = units.jam[unit as usize];
        if jam != NONE {
            self.dissolve(jam as usize, units);
        }
    }

    /// Releases all members of a jam.
    fn dissolve(&mut self, number: usize, units: &mut Store) -> Option<Jam> {
        let jam = self.list.get_mut(number)?.take()?;
        self.held.release(&jam.cells);
        for &unit in &jam.members {
            units.jam[unit as usize] = NONE;
        }
        Some(jam)
    }

    /// Gives up the jams whose cells have changed.
    pub fn world_changed(&mut self, grid: &Grid, units: &mut Store) {
        for number in 0..self.list.len() {
            let is_void = self.list[number]
                .as_ref()
                .is_some_and(|jam| jam.moves.nodes().any(|node| !grid.is_open(grid.cell(node))));
            if is_void {
                self.dissolve(number, units);
            }
        }
    }
}

impl Crowd {
    /// Finds jams, plans those that there are, and moves them on.
    pub(super) fn resolve(&mut self, grid: &Grid, seconds: f64) {
        self.jams.seats.resize(self.units.len(), 0);
        for number in 0..self.jams.list.len() {
            let Some(mut jam) = self.jams.list[number].take() else { continue };
            let end = self.advance_jam(grid, &mut jam, seconds);
            self.jams.list[number] = Some(jam);
            if let Some(is_resolved) = end {
                self.end_jam(grid, number, is_resolved);
            }
        }
        self.try_again(seconds);
        self.detect(grid);
    }

    /// One tick of a jam. Returns whether it has been resolved, if it is over.
    fn advance_jam(&mut self, grid: &Grid, jam: &mut Jam, seconds: f64) -> Option<bool> {
        let walls = Walls::new(grid);
        let Jam { phase, members, moves, idle, .. } = jam;
        *idle += seconds;
        match phase {
            Phase::Planning(cooperation) => {
                let view = grid.view(&begin::agent());
                let budget = match jam.restarts {
                    0 => (WORK_PER_TICK / members.len() as u64).max(8),
                    // Edits must not keep units in a jam.
                    _ => begin::most_iterations(jam.attempt),
                };
                let status = cooperation.resume(&view, budget);
                let is_spent = cooperation.iterations() >= begin::most_iterations(jam.attempt);
                if let Some(plan) = cooperation.plan() {
                    *moves = Moves::of(plan, &walls);
                    *phase = Phase::Moving;
                    *idle = 0.0;
                    return None;
                }
                match status {
                    Status::WorldChanged => {
                        jam.restarts += 1;
                        let tasks = moves.tasks();
                        let restarted = cooperation.start_within(&view, &jam.cells, tasks).is_ok();
                        (!restarted).then_some(false)
                    }
                    status => (status.is_final() || is_spent).then_some(false),
                }
            }
            Phase::Moving => {
                let is_settled =
                    moves.has_begun() || *idle > SETTLING || moves.are_all_there(members, &self.units);
                if is_settled && moves.advance(members, &self.units) {
                    *idle = 0.0;
                }
                if moves.is_over(members, &self.units) {
                    return Some(true);
                }
                (*idle > SETTLING + PATIENCE).then_some(false)
            }
        }
    }

    /// Lets the units of a jam go their own ways.
    fn end_jam(&mut self, grid: &Grid, number: usize, is_resolved: bool) {
        let Some(jam) = self.jams.dissolve(number, &mut self.units) else { return };
        let units = jam.members.len();
        if is_resolved {
            self.stats.jams_resolved += 1;
            self.events.push(Event::JamResolved { units });
        } else {
            self.stats.jams_failed += 1;
            self.events.push(Event::JamFailed { units });
        }
        let walls = Walls::new(grid);
        for &unit in &jam.members {
            let unit = unit as usize;
            if self.units.mode[unit] != Mode::Walking {
                continue;
            }
            // Units that get into jams again and again take part in larger ones.
            let trouble = if is_resolved { 1 } else { 2 };
            self.units.trouble[unit] = self.units.trouble[unit].saturating_add(trouble).min(2 * ATTEMPTS);
            if !is_resolved && jam.attempt + 1 == ATTEMPTS {
                self.units.timer[unit] = REST;
                self.become_stuck(unit, StuckReason::Jammed);
                continue;
            }
            self.units.progress[unit].restart();
            let (at, radius) = (self.units.at[unit], self.units.radius[unit]);
            if !self.units.route[unit].rejoin(at, radius, &walls) {
                self.enqueue(unit);
            }
        }
    }

    /// Lets units that have been stuck in a jam try again, and others forget the jams they have been in.
    fn try_again(&mut self, seconds: f64) {
        for unit in 0..self.units.len() {
            if self.units.mode[unit] == Mode::Stuck && self.units.reason[unit] == StuckReason::Jammed {
                self.units.timer[unit] -= seconds;
                if self.units.timer[unit] <= 0.0 {
                    self.units.timer[unit] = 0.0;
                    self.units.mode[unit] = Mode::Walking;
                    self.enqueue(unit);
                }
            } else if self.units.trouble[unit] > 0 && self.units.jam[unit] == NONE {
                self.units.calm[unit] += seconds;
                if self.units.calm[unit] > FORGET {
                    self.units.calm[unit] = 0.0;
                    self.units.trouble[unit] -= 1;
                }
            }
        }
    }
}
