//! The simple rule for comparison: a unit reserves its cell and the next one, and waits while there is no free cell beside it that is nearer.

use std::collections::BTreeMap;

use crate::crowd::Crowd;
use crate::crowd::store::Mode;
use crate::crowd::tick::Wish;
use crate::crowd::vector::Vec2;
use crate::crowd::walls::Walls;
use crate::id::NodeId;
use crate::world::grid::{Direction, Grid, GridView};

/// The cells that a unit has reserved: the one that it comes from, and the one that it goes to.
#[derive(Clone, Copy, Debug)]
struct Pair {
    from: NodeId,
    to: NodeId,
}

/// Which units have reserved which cells.
#[derive(Debug, Default)]
pub(super) struct Reservations {
    owners: BTreeMap<NodeId, u32>,
    pairs: BTreeMap<u32, Pair>,
}

impl Reservations {
    /// Forgets a unit.
    pub fn leave(&mut self, unit: u32) {
        if let Some(Pair { from, to }) = self.pairs.remove(&unit) {
            self.release(from, unit);
            self.release(to, unit);
        }
    }

    fn release(&mut self, node: NodeId, unit: u32) {
        if self.owners.get(&node) == Some(&unit) {
            self.owners.remove(&node);
        }
    }

    fn is_free(&self, node: NodeId, unit: u32) -> bool {
        self.owners.get(&node).is_none_or(|&owner| owner == unit)
    }
}

impl Crowd {
    /// Moves all units from cell to cell.
    pub(super) fn walk_by_reservations(&mut self, grid: &Grid, wishes: &[Wish], seconds: f64) {
        let walls = Walls::new(grid);
        // Everybody has a cell before anybody moves.
        for unit in 0..self.units.len() {
            if !matches!(self.units.mode[unit], Mode::Gone | Mode::InLink) {
                self.reserve_here(grid, unit);
            }
        }
        for (unit, wish) in wishes.iter().enumerate() {
            match self.units.mode[unit] {
                Mode::Gone => continue,
                Mode::InLink => {
                    self.reservations.leave(unit as u32);
                    continue;
                }
                _ => {}
            }
            let before = self.units.at[unit];
            self.walk_to_cell(grid, &walls, unit, wish.wanted(), seconds);
            self.units.velocity[unit] = (self.units.at[unit] - before) * (1.0 / seconds);
        }
    }

    /// Reserves the cell on which a unit is, if it has none and the cell is free.
    fn reserve_here(&mut self, grid: &Grid, unit: usize) {
        let number = unit as u32;
        if self.reservations.pairs.contains_key(&number) {
            return;
        }
        let view = self.view(grid, unit);
        let node = self.cell_of(grid, &view, unit).and_then(|cell| grid.node(cell));
        if let Some(node) = node.filter(|&node| self.reservations.is_free(node, number)) {
            self.reservations.owners.insert(node, number);
            self.reservations.pairs.insert(number, Pair { from: node, to: node });
        }
    }

    fn walk_to_cell(&mut self, grid: &Grid, walls: &Walls<'_>, unit: usize, wanted: Vec2, seconds: f64) {
        let number = unit as u32;
        let view = self.view(grid, unit);
        let Some(&pair) = self.reservations.pairs.get(&number) else { return };
        let Pair { mut from, mut to } = pair;
        let mut left = self.units.speed[unit] / walls.terrain(self.units.at[unit]) * seconds;
        // It turns back from a cell that has become a wall.
        if !view.is_open_node(to) && view.is_open_node(from) {
            self.reservations.release(to, number);
            to = from;
        }
        // In a part of a tick, a unit does not get further than into the next cell but one.
        for _ in 0..2 {
            let way = walls.middle(to) - self.units.at[unit];
            let distance = way.length();
            if distance > left {
                self.units.at[unit] += way * (left / distance);
                break;
            }
            self.units.at[unit] = walls.middle(to);
            left -= distance;
            if from != to {
                self.reservations.release(from, number);
                from = to;
            }
            match self.next_cell(&view, walls, number, to, wanted) {
                Some(next) => {
                    self.reservations.owners.insert(next, number);
                    to = next;
                }
                None => break,
            }
        }
        self.reservations.pairs.insert(number, Pair { from, to });
    }

    /// The free neighbouring cell that lies best in the wanted direction, if any does.
    fn next_cell(
        &self,
        view: &GridView<'_>,
        walls: &Walls<'_>,
        unit: u32,
        at: NodeId,
        wanted: Vec2,
    ) -> Option<NodeId> {
        let direction = wanted.direction()?;
        // The last part of the way is shorter than to the next cell.
        if self.units.place[unit as usize] == at {
            return None;
        }
        let legal = view.legal_steps(at);
        let mut best = None;
        // A diagonal step would pass the two cells beside it.
        for step in Direction::ALL.into_iter().take(4).filter(|step| legal & step.bit() != 0) {
            let to = NodeId(at.0.wrapping_add_signed(view.offsets()[step as usize]));
            let along = (walls.middle(to) - walls.middle(at)).dot(direction);
            let is_better = best.is_none_or(|(least, _)| along > least);
            if along > 0.5 && is_better && self.reservations.is_free(to, unit) {
                best = Some((along, to));
            }
        }
        best.map(|(_, node)| node)
    }
}
