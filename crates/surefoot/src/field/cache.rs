//! Fields that are kept for as long as there is room.

use crate::field::error::FieldError;
use crate::field::flow_field::{Extent, FlowField, Update};
use crate::field::goal::Goal;
use crate::world::any::View;

/// A field with what it is found by.
#[derive(Clone, Debug)]
struct Kept {
    field: FlowField,
    goals: Vec<Goal>,
    /// The number of the request that used it last.
    used: u64,
}

/// How often a [`FieldCache`] had to do what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// Requests whose field was there and up to date.
    pub found: u64,
    /// Requests whose field was there and was repaired.
    pub repaired: u64,
    /// Requests whose field was computed.
    pub computed: u64,
    /// Fields that had to make room.
    pub dropped: u64,
}

/// The fields of one world by goals and agent. Each is brought up to date when it is requested. When they take more memory than they may,
/// those that have not been requested for longest are dropped.
///
/// ```
/// use surefoot::field::{FieldCache, Goal};
/// use surefoot::prelude::*;
/// let mut grid = Grid::new(64, 64).unwrap();
/// let (agent, mut cache) = (Agent::default(), FieldCache::with_capacity(1 << 20));
/// let goal = [Goal::at(&grid, Cell::new(5, 5)).unwrap()];
/// let far = grid.node(Cell::new(60, 60)).unwrap();
/// assert!(cache.get(grid.view(&agent), &goal).unwrap().reaches(far));
/// grid.set(Cell::new(30, 30), Terrain::WALL).unwrap();
/// assert!(cache.get(grid.view(&agent), &goal).unwrap().reaches(far));
/// assert_eq!((cache.counts().computed, cache.counts().repaired), (1, 1));
/// ```
#[derive(Clone, Debug)]
pub struct FieldCache {
    capacity: usize,
    kept: Vec<Kept>,
    requests: u64,
    counts: CacheCounts,
}

impl FieldCache {
    /// Creates a cache that holds at most as many bytes, but always the field that was requested last.
    pub fn with_capacity(bytes: usize) -> FieldCache {
        FieldCache { capacity: bytes, kept: Vec::new(), requests: 0, counts: CacheCounts::default() }
    }

    /// Returns the field that leads to some goals, up to date. The same goals in another order are other goals.
    pub fn get<'a>(&mut self, view: impl Into<View<'a>>, goals: &[Goal]) -> Result<&FlowField, FieldError> {
        let view = view.into();
        self.requests += 1;
        let found = self.kept.iter().position(|kept| kept.goals == goals && kept.field.is_for(&view));
        let index = if let Some(index) = found {
            let count = match self.kept[index].field.update(view)? {
                Update::Current => &mut self.counts.found,
                Update::Repaired(_) => &mut self.counts.repaired,
                Update::Rebuilt => &mut self.counts.computed,
            };
            *count += 1;
            index
        } else {
            let mut field = self.room().unwrap_or_default();
            field.rebuild(view, goals, Extent::Everything)?;
            self.counts.computed += 1;
            self.kept.push(Kept { field, goals: goals.to_vec(), used: 0 });
            self.kept.len() - 1
        };
        self.kept[index].used = self.requests;
        while self.bytes() > self.capacity && self.kept.len() > 1 {
            self.drop_oldest();
        }
        // What was used last is never dropped.
        self.kept
            .iter()
            .find(|kept| kept.used == self.requests)
            .map(|kept| &kept.field)
            .ok_or(FieldError::NotBuilt)
    }

    /// The memory of the field that has not been used for longest, if there is no room for another one.
    fn room(&mut self) -> Option<FlowField> {
        let largest = self.kept.iter().map(|kept| kept.field.bytes()).max()?;
        if self.bytes() + largest <= self.capacity { None } else { self.drop_oldest() }
    }

    fn drop_oldest(&mut self) -> Option<FlowField> {
        let oldest = (0..self.kept.len()).min_by_key(|&index| self.kept[index].used)?;
        self.counts.dropped += 1;
        Some(self.kept.swap_remove(oldest).field)
    }

    /// Drops all fields.
    pub fn clear(&mut self) {
        self.kept.clear();
    }

    /// Returns how many fields there are.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Returns whether there are no fields.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns what the requests so far took.
    pub fn counts(&self) -> CacheCounts {
        self.counts
    }

    /// Returns the bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.kept.iter().map(|kept| kept.field.bytes() + kept.goals.capacity() * size_of::<Goal>()).sum()
    }
}
