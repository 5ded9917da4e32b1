//! Which units block each other.

use super::{ATTEMPTS, WIDEST};
use crate::crowd::Crowd;
use crate::crowd::store::{Mode, NONE};
use crate::crowd::walls::Walls;
use crate::world::grid::Grid;

/// Jams are looked for once in so many ticks.
const EVERY: u64 = 10;

/// Two units that are nearer than this touch, in cells.
const CONTACT: f64 = 0.4;

/// After so many seconds without progress, units of one order may exchange their places.
const EXCHANGE: f64 = 0.4;

/// After so many seconds without progress, a unit that another one is in the way of begins a jam.
const BLOCKED: f64 = 1.0;

/// After so many seconds without progress, any unit does.
const LONG: f64 = 4.0;

impl Crowd {
    /// Finds units that do not get on, and begins jams.
    pub(super) fn detect(&mut self, grid: &Grid) {
        if !self.stats.ticks.is_multiple_of(EVERY) {
            return;
        }
        let walls = Walls::new(grid);
        for unit in 0..self.units.len() {
            let stalled = self.units.progress[unit].stalled;
            let is_candidate = self.units.mode[unit] == Mode::Walking
                && self.units.jam[unit] == NONE
                && self.units.radius[unit] <= WIDEST
                && stalled >= EXCHANGE;
            if !is_candidate || self.exchange(&walls, unit) {
                continue;
            }
            if stalled < BLOCKED || self.waits_for_jam(&walls, unit) {
                continue;
            }
            if stalled >= LONG || self.is_blocked(unit) {
                let attempt = (self.units.trouble[unit] / 2).min(ATTEMPTS - 1);
                self.begin_jam(grid, unit, attempt);
            }
        }
    }

    /// The units in contact with one.
    fn contacts(&self, unit: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let (at, radius) = (self.units.at[unit], self.units.radius[unit]);
        self.near.for_each(at, |other| {
            let reach = radius + other.radius + CONTACT;
            if other.unit as usize != unit && (other.at - at).square() < reach * reach {
                found.push(other.unit as usize);
            }
        });
        found
    }

    /// Whether another unit is in the way and does not go the same way.
    fn is_blocked(&self, unit: usize) -> bool {
        let wanted = self.units.wanted[unit];
        self.contacts(unit).into_iter().any(|other| {
            let to = self.units.at[other] - self.units.at[unit];
            let is_ahead = wanted.dot(to) > 0.0;
            is_ahead && (self.units.mode[other] != Mode::Walking || self.units.wanted[other].dot(to) <= 0.0)
        })
    }

    /// Whether cells of a jam are beside a unit.
    fn waits_for_jam(&self, walls: &Walls<'_>, unit: usize) -> bool {
        let held = &self.jams.held;
        if held.is_empty() {
            return false;
        }
        let cell = Walls::cell(self.units.at[unit]);
        (-1..=1).any(|dy| {
            (-1..=1).any(|dx| walls.node_of(cell.offset(dx, dy)).is_some_and(|node| held.contains(node)))
        })
    }

    /// Lets a unit exchange its place with one of the same order that is in its way, if both together are nearer to their places then.
    fn exchange(&mut self, walls: &Walls<'_>, unit: usize) -> bool {
        let order = self.units.order[unit];
        if order == NONE {
            return false;
        }
        if self.units.place[unit] == crate::id::NodeId::NONE {
            return false;
        }
        let (here, place) = (self.units.at[unit], self.units.place[unit]);
        let gain = |crowd: &Crowd, other: usize| {
            let there = crowd.units.at[other];
            let [mine, its] = [place, crowd.units.place[other]].map(|node| walls.middle(node));
            let now = (mine - here).length() + (its - there).length();
            now - (its - here).length() - (mine - there).length()
        };
        let others = self.contacts(unit).into_iter().filter(|&other| {
            self.units.order[other] == order
                && self.units.jam[other] == NONE
                && self.units.place[other] != crate::id::NodeId::NONE
                && matches!(self.units.mode[other], Mode::Walking | Mode::Arrived)
                && self.units.radius[other].total_cmp(&self.units.radius[unit]).is_eq()
        });
        let best = others
            .map(|other| (gain(self, other), other))
            .filter(|(gain, _)| *gain > 0.4)
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let Some((_, other)) = best else { return false };
        self.exchange_places(unit, other);
        for unit in [unit, other] {
            self.units.mode[unit] = Mode::Walking;
            self.units.progress[unit].restart();
            self.units.progress[unit].stalled = 0.0;
            self.enqueue(unit);
        }
        true
    }
}
