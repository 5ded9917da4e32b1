//! Places at goals: a cell for each unit.

use std::collections::{BTreeMap, VecDeque};

use crate::crowd::Crowd;
use crate::crowd::spec::UnitId;
use crate::crowd::vector::Vec2;
use crate::crowd::walls::Walls;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::{Direction, Grid, GridView};
use crate::world::nearest::nearest_open;

/// Which places are taken.
#[derive(Debug, Default)]
pub(super) struct Places {
    taken: BTreeMap<NodeId, u32>,
    /// By node, a bit: whether the walk has been there.
    visited: Vec<u64>,
    walk: VecDeque<NodeId>,
}

impl Places {
    pub fn is_taken(&self, place: NodeId) -> bool {
        self.taken.contains_key(&place)
    }

    pub fn take(&mut self, place: NodeId, unit: u32) {
        self.taken.insert(place, unit);
    }

    pub fn give_up(&mut self, place: NodeId, unit: u32) {
        if self.taken.get(&place) == Some(&unit) {
            self.taken.remove(&place);
        }
    }

    /// The unit that a place belongs to.
    pub fn owner(&self, place: NodeId) -> Option<u32> {
        self.taken.get(&place).copied()
    }

    /// Lists free places in the order of their distance from a start, by walking. Cells that other units have to pass through come after those where a unit is in no other's way.
    pub fn list(&mut self, view: &GridView<'_>, start: NodeId, count: usize, apart: i32) -> Vec<NodeId> {
        let grid = view.grid();
        self.visited.clear();
        self.visited.resize(view.node_bound().div_ceil(64), 0);
        self.walk.clear();
        self.walk.push_back(start);
        self.visited[start.index() / 64] |= 1 << (start.index() % 64);
        let (mut found, mut narrow) = (Vec::with_capacity(count), Vec::new());
        let origin = grid.cell(start);
        let enough = 8 * count + 64;
        while let Some(node) = self.walk.pop_front() {
            let cell = grid.cell(node);
            let fits = (cell.x - origin.x) % apart == 0 && (cell.y - origin.y) % apart == 0;
            if fits && !self.is_taken(node) {
                if node == start || !is_passage(view, node) {
                    found.push(node);
                } else {
                    narrow.push(node);
                }
            }
            if found.len() >= count || found.len() + narrow.len() >= enough {
                break;
            }
            let steps = view.legal_steps(node);
            for direction in Direction::ALL.into_iter().filter(|direction| steps & direction.bit() != 0) {
                let to = NodeId(node.0.wrapping_add_signed(view.offsets()[direction as usize]));
                let (word, bit) = (to.index() / 64, 1 << (to.index() % 64));
                if self.visited[word] & bit == 0 {
                    self.visited[word] |= bit;
                    self.walk.push_back(to);
                }
            }
        }
        let missing = count.saturating_sub(found.len());
        found.extend(narrow.into_iter().take(missing));
        found
    }
}

/// Whether a unit on a cell would separate the cells around it.
fn is_passage(view: &GridView<'_>, node: NodeId) -> bool {
    const AROUND: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];
    let open = view.neighbours()[node.index()];
    let is_open = |direction: Direction| open & direction.bit() != 0;
    // How often open cells begin on the way round; a corner alone leads nowhere.
    let begins = |index: usize| {
        let (here, before) = (AROUND[index], AROUND[(index + 7) % 8]);
        is_open(here) && !is_open(before) && (!here.is_diagonal() || is_open(AROUND[(index + 1) % 8]))
    };
    (0..8).filter(|&index| begins(index)).count() > 1
}

impl Crowd {
    /// Gives each unit a place at a goal.
    pub(super) fn give_places(&mut self, grid: &Grid, ids: &[UnitId], goal: Cell, formation: &[[i32; 2]]) {
        let Some(widest) = ids.iter().max_by(|a, b| {
            let radius = |id: &UnitId| self.units.radius[id.index()];
            radius(a).total_cmp(&radius(b))
        }) else {
            return;
        };
        let view = self.view(grid, widest.index());
        let apart = (2.0 * self.units.radius[widest.index()]).ceil().max(1.0) as i32;
        let open =
            if view.is_open(goal) { Some(goal) } else { nearest_open(&view, grid.frame().cell_centre(goal)) };
        let Some(start) = open.and_then(|cell| grid.node(cell)) else {
            return;
        };
        let mut free = ids.to_vec();
        for (&id, &[dx, dy]) in ids.iter().zip(formation) {
            let cell = goal.offset(dx, dy);
            let Some(node) = grid.node(cell).filter(|_| view.is_open(cell)) else { continue };
            if !self.places.is_taken(node) {
                self.places.take(node, id.index);
                self.units.place[id.index()] = node;
                free.retain(|other| *other != id);
            }
        }
        let list = self.places.list(&view, start, free.len(), apart);
        // The nearest units get the places in the middle, so that those who come later do not have to pass them.
        let middle = Walls::new(grid).middle(start);
        let distance = |id: &UnitId| -> f64 { (self.units.at[id.index()] - middle).square() };
        free.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.index.cmp(&b.index)));
        free.dedup();
        for (id, place) in free.iter().zip(&list) {
            self.places.take(*place, id.index);
            self.units.place[id.index()] = *place;
        }
        // Where there is not enough room, the others go as near as they can.
        for id in free.iter().skip(list.len()) {
            self.units.place[id.index()] = start;
        }
    }

    /// Gives a unit another place near its goal, because its own has become a wall.
    pub(super) fn give_other_place(&mut self, grid: &Grid, unit: usize) {
        let old = self.units.place[unit];
        self.places.give_up(old, unit as u32);
        self.units.place[unit] = NodeId::NONE;
        let view = self.view(grid, unit);
        let Some(start) =
            nearest_open(&view, grid.frame().cell_centre(grid.cell(old))).and_then(|cell| grid.node(cell))
        else {
            return;
        };
        let place = self.places.list(&view, start, 1, 1).first().copied().unwrap_or(start);
        self.places.take(place, unit as u32);
        self.units.place[unit] = place;
    }

    /// Lets two units of an order exchange their places.
    pub(super) fn exchange_places(&mut self, first: usize, second: usize) {
        let [a, b] = [first, second].map(|unit| self.units.place[unit]);
        (self.units.place[first], self.units.place[second]) = (b, a);
        for (unit, old, new) in [(first, a, b), (second, b, a)] {
            if self.places.owner(old) == Some(unit as u32) {
                self.places.give_up(old, unit as u32);
            }
            self.places.take(new, unit as u32);
        }
        self.stats.exchanges += 1;
    }

    /// Where a unit has to be in the end.
    pub(super) fn place_of(&self, walls: &Walls<'_>, unit: usize) -> Option<Vec2> {
        let place = self.units.place[unit];
        (place != NodeId::NONE).then(|| walls.middle(place))
    }
}
