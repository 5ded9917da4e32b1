//! Short searches for ways that make an edge superfluous.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use crate::search::subgoal::graph::Link;

/// What a search knows of a subgoal.
#[derive(Clone, Copy, Debug, Default)]
struct Label {
    cost: u64,
    search: u32,
    /// Whether the way has several edges; of two ways that cost the same, one with several counts.
    detour: bool,
}

/// The memory of a search.
#[derive(Debug, Default)]
pub(super) struct Witness {
    labels: Vec<Label>,
    search: u32,
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

/// Which subgoals a search does not enter: one, and those with a smaller turn than it has.
#[derive(Clone, Copy)]
pub(super) struct Skip<'a> {
    pub subgoal: u32,
    pub turns: &'a [u32],
}

impl Skip<'_> {
    pub const NONE: Skip<'static> = Skip { subgoal: u32::MAX, turns: &[] };

    #[inline]
    fn skips(&self, subgoal: u32) -> bool {
        let turn = |subgoal: u32| self.turns.get(subgoal as usize).copied().unwrap_or(u32::MAX);
        subgoal == self.subgoal || turn(subgoal) < turn(self.subgoal)
    }
}

impl Witness {
    fn new(count: usize) -> Witness {
        Witness { labels: vec![Label::default(); count], ..Witness::default() }
    }

    /// Finds ways from a subgoal that cost at most `bound`, looking at no more than so many subgoals.
    pub fn search(&mut self, links: &[Vec<Link>], from: u32, bound: u64, look: usize, skip: Skip<'_>) {
        if self.search == u32::MAX {
            self.labels.fill(Label::default());
            self.search = 0;
        }
        self.search += 1;
        self.open.clear();
        self.offer(from, 0, false);
        for _ in 0..look {
            let Some(Reverse((cost, at))) = self.open.pop() else { return };
            if cost > self.labels[at as usize].cost {
                continue;
            }
            for link in &links[at as usize] {
                let cost = cost + u64::from(link.weight);
                if cost <= bound && !skip.skips(link.to) {
                    self.offer(link.to, cost, at != from);
                }
            }
        }
    }

    #[inline]
    fn offer(&mut self, to: u32, cost: u64, detour: bool) {
        let label = &mut self.labels[to as usize];
        let news = label.search != self.search || cost < label.cost;
        if news {
            *label = Label { cost, search: self.search, detour };
            self.open.push(Reverse((cost, to)));
        } else if cost == label.cost {
            label.detour |= detour;
        }
    }

    /// Whether a way was found that costs at most so much.
    #[inline]
    pub fn reaches(&self, to: u32, cost: u64) -> bool {
        let label = self.labels[to as usize];
        label.search == self.search && label.cost <= cost
    }

    /// Whether a way of several edges was found that costs at most so much.
    pub fn has_detour(&self, to: u32, cost: u64) -> bool {
        self.reaches(to, cost) && self.labels[to as usize].detour
    }
}

/// Memories for any number of threads, used again and again.
pub(super) struct Pool {
    free: Mutex<Vec<Witness>>,
    count: usize,
}

impl Pool {
    /// For graphs of so many subgoals.
    pub fn new(count: usize) -> Pool {
        Pool { free: Mutex::default(), count }
    }

    pub fn take(&self) -> Taken<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Taken { witness: free.unwrap_or_else(|| Witness::new(self.count)), pool: self }
    }
}

/// A memory that goes back to its pool.
pub(super) struct Taken<'a> {
    witness: Witness,
    pool: &'a Pool,
}

impl Deref for Taken<'_> {
    type Target = Witness;

    fn deref(&self) -> &Witness {
        &self.witness
    }
}

impl DerefMut for Taken<'_> {
    fn deref_mut(&mut self) -> &mut Witness {
        &mut self.witness
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let witness = std::mem::take(&mut self.witness);
        self.pool.free.lock().unwrap_or_else(PoisonError::into_inner).push(witness);
    }
}
