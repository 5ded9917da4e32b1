//! Walls around a circle: exact distances between circles and the squares of cells.

use super::jam::Held;
use super::vector::Vec2;
use crate::agent::Agent;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::{Grid, GridView};

/// The byte of a cell whose neighbours are all open.
const ALL_OPEN: u8 = u8::MAX;

/// What keeps a unit from moving on in a direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// The direction, with length 1.
    pub normal: Vec2,
    /// How far the unit may go in that direction.
    pub room: f64,
}

/// The cells of a grid as squares.
#[derive(Clone, Copy)]
pub(super) struct Walls<'a> {
    view: GridView<'a>,
}

impl<'a> Walls<'a> {
    pub fn new(grid: &'a Grid) -> Walls<'a> {
        Walls { view: grid.view(&Agent::EIGHT_WAY) }
    }

    /// The cell in which a place is.
    #[inline]
    pub fn cell(at: Vec2) -> Cell {
        Cell::new(at.x.floor() as i32, at.y.floor() as i32)
    }

    #[inline]
    pub fn is_open(&self, cell: Cell) -> bool {
        self.view.is_open(cell)
    }

    /// The node of a place; `None` outside the grid.
    #[inline]
    pub fn node(&self, at: Vec2) -> Option<NodeId> {
        self.node_of(Walls::cell(at))
    }

    /// The node of a cell; `None` outside the grid.
    #[inline]
    pub fn node_of(&self, cell: Cell) -> Option<NodeId> {
        let shape = self.view.shape();
        shape.contains(cell).then(|| shape.node(cell))
    }

    /// What the terrain of a place costs; 1 for walls and outside.
    #[inline]
    pub fn terrain(&self, at: Vec2) -> f64 {
        self.node(at).map_or(1.0, |node| f64::from(self.view.terrain()[node.index()].max(1)))
    }

    /// The middle of a node's cell.
    #[inline]
    pub fn middle(&self, node: NodeId) -> Vec2 {
        let cell = self.view.shape().cell(node);
        Vec2::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
    }

    /// Adds the walls that a circle can reach by a way of at most `reach`, and those of `held` like walls. Returns whether its centre is in a wall.
    pub fn around(
        &self,
        at: Vec2,
        radius: f64,
        reach: f64,
        held: Option<&Held>,
        found: &mut Vec<Contact>,
    ) -> bool {
        let here = Walls::cell(at);
        // A unit inside may leave.
        let held = held.filter(|held| !self.node_of(here).is_some_and(|node| held.contains(node)));
        let span = radius + reach;
        if span <= 1.0 && held.is_none() {
            // Cells beside the neighbours are further away than that.
            let Some(node) = self.node(at) else { return true };
            if self.view.neighbours()[node.index()] == ALL_OPEN && self.is_open(here) {
                return false;
            }
        }
        let (least, most) =
            (Walls::cell(at - Vec2::new(span, span)), Walls::cell(at + Vec2::new(span, span)));
        for y in least.y..=most.y {
            for x in least.x..=most.x {
                let cell = Cell::new(x, y);
                let is_held =
                    || held.is_some_and(|held| self.node_of(cell).is_some_and(|node| held.contains(node)));
                if cell == here || self.is_open(cell) && !is_held() {
                    continue;
                }
                let to = nearest(cell, at) - at;
                let distance = to.length();
                if distance < span && distance > 0.0 {
                    found.push(Contact { normal: to * (1.0 / distance), room: distance - radius });
                }
            }
        }
        !self.is_open(here)
    }

    /// Returns whether a circle can go straight from one place to another, if its radius is at most half a cell. Its two sides are looked at: no wall fits between them.
    pub fn sees(&self, from: Vec2, to: Vec2, radius: f64) -> bool {
        let Some(direction) = (to - from).direction() else { return true };
        // A little narrower, so that a unit that touches a wall sees along it.
        let side = direction.turned() * (0.95 * radius.min(0.5));
        self.is_line_open(from + side, to + side) && self.is_line_open(from - side, to - side)
    }

    /// Whether all cells that a line passes are open.
    fn is_line_open(&self, from: Vec2, to: Vec2) -> bool {
        let (mut cell, end) = (Walls::cell(from), Walls::cell(to));
        let way = to - from;
        // The next border along an axis, and from one border to the next, as shares of the line.
        let axis = |start: f64, length: f64, at: i32| {
            if length == 0.0 {
                (f64::INFINITY, f64::INFINITY)
            } else {
                let border = f64::from(at) + if length > 0.0 { 1.0 } else { 0.0 };
                ((border - start) / length, (1.0 / length).abs())
            }
        };
        let (mut next_x, each_x) = axis(from.x, way.x, cell.x);
        let (mut next_y, each_y) = axis(from.y, way.y, cell.y);
        let (step_x, step_y) = (if way.x > 0.0 { 1 } else { -1 }, if way.y > 0.0 { 1 } else { -1 });
        let steps = cell.x.abs_diff(end.x) + cell.y.abs_diff(end.y);
        if !self.is_open(cell) {
            return false;
        }
        for _ in 0..steps {
            if next_x < next_y {
                cell.x += step_x;
                next_x += each_x;
            } else {
                cell.y += step_y;
                next_y += each_y;
            }
            if !self.is_open(cell) {
                return false;
            }
        }
        true
    }
}

/// The point of a cell's square that is nearest to a place.
#[inline]
fn nearest(cell: Cell, to: Vec2) -> Vec2 {
    let (left, top) = (f64::from(cell.x), f64::from(cell.y));
    Vec2::new(to.x.max(left).min(left + 1.0), to.y.max(top).min(top + 1.0))
}

/// Shortens a move so that it respects all contacts: first it slides along them, then it ends where the first of them is reached. Contacts without room never make it go back.
pub(super) fn limit(mut way: Vec2, contacts: &[Contact]) -> Vec2 {
    const SLIDES: usize = 3;
    for _ in 0..SLIDES {
        let mut is_free = true;
        for contact in contacts {
            let excess = way.dot(contact.normal) - contact.room.max(0.0);
            if excess > 0.0 {
                way -= contact.normal * excess;
                is_free = false;
            }
        }
        if is_free {
            return way;
        }
    }
    let mut share: f64 = 1.0;
    for contact in contacts {
        let along = way.dot(contact.normal);
        let room = contact.room.max(0.0);
        if along > room {
            share = share.min(room / along);
        }
    }
    way * share
}
