//! A unit of a crowd, as a caller sees it.

use std::fmt;

use crate::crowd::Crowd;
use crate::crowd::spec::{State, UnitId};
use crate::crowd::store::NONE;
use crate::id::NodeId;

/// A unit of a [`Crowd`]. Lengths are in cells, times in seconds.
///
/// ```
/// use surefoot::crowd::{Crowd, CrowdOptions, Order, UnitSpec};
/// use surefoot::prelude::*;
/// let grid = Grid::new(9, 3).unwrap();
/// let mut crowd = Crowd::new(&CrowdOptions::default()).unwrap();
/// let id = crowd.add(&grid, &UnitSpec::at_cell(Cell::new(0, 1))).unwrap();
/// crowd.order(&grid, &[id], &Order::to(Cell::new(8, 1))).unwrap();
/// crowd.tick(&grid, 0.05);
/// let unit = crowd.get(id).unwrap();
/// assert!(unit.velocity()[0] > 0.0 && unit.position()[0] > 0.5);
/// assert_eq!(unit.goal().map(|node| grid.cell(node)), Some(Cell::new(8, 1)));
/// assert_eq!(unit.path().last(), unit.goal());
/// ```
#[derive(Clone, Copy)]
pub struct UnitRef<'a> {
    crowd: &'a Crowd,
    unit: usize,
}

impl fmt::Debug for UnitRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnitRef")
            .field("id", &self.id())
            .field("position", &self.position())
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}

impl<'a> UnitRef<'a> {
    pub(super) fn new(crowd: &'a Crowd, unit: usize) -> UnitRef<'a> {
        UnitRef { crowd, unit }
    }

    /// Returns its id.
    pub fn id(&self) -> UnitId {
        self.crowd.units.id(self.unit)
    }

    /// Returns where its centre is, in cells: [`Frame::point_at`](crate::space::Frame::point_at) converts it to world coordinates.
    pub fn position(&self) -> [f64; 2] {
        let at = self.crowd.units.at[self.unit];
        [at.x, at.y]
    }

    /// Returns its velocity in the last tick.
    pub fn velocity(&self) -> [f64; 2] {
        let velocity = self.crowd.units.velocity[self.unit];
        [velocity.x, velocity.y]
    }

    /// Returns the velocity that it would have had without others.
    pub fn wanted(&self) -> [f64; 2] {
        let wanted = self.crowd.units.wanted[self.unit];
        [wanted.x, wanted.y]
    }

    /// Returns its radius.
    pub fn radius(&self) -> f64 {
        self.crowd.units.radius[self.unit]
    }

    /// Returns its speed on terrain of cost 1.
    pub fn speed(&self) -> f64 {
        self.crowd.units.speed[self.unit]
    }

    /// Returns the number that the caller gave it.
    pub fn group(&self) -> u32 {
        self.crowd.units.group[self.unit]
    }

    /// Returns what it is doing.
    pub fn state(&self) -> State {
        self.crowd.units.state(self.unit)
    }

    /// Returns the cell where it has to be in the end: its own place near the goal of its order.
    pub fn goal(&self) -> Option<NodeId> {
        let place = self.crowd.units.place[self.unit];
        (place != NodeId::NONE).then_some(place)
    }

    /// Returns the cells ahead at which its path turns, and some of those between, up to the goal.
    pub fn path(&self) -> impl Iterator<Item = NodeId> + use<'a> {
        self.crowd.units.route[self.unit].ahead()
    }

    /// Returns how often it has planned.
    pub fn plans(&self) -> u64 {
        self.crowd.units.plans[self.unit]
    }

    /// Returns the tick in which it last planned, or was added.
    pub fn planned_at(&self) -> u64 {
        self.crowd.units.planned_at[self.unit]
    }

    /// Returns for how long it has not come nearer to its goal.
    pub fn stalled(&self) -> f64 {
        self.crowd.units.progress[self.unit].stalled
    }

    /// Returns the longest time since its order in which it did not come nearer to its goal.
    pub fn longest_wait(&self) -> f64 {
        self.crowd.units.progress[self.unit].longest
    }

    /// Returns whether it is moved by a common plan at present, because it was in a jam.
    pub fn is_in_jam(&self) -> bool {
        self.crowd.units.jam[self.unit] != NONE
    }
}
