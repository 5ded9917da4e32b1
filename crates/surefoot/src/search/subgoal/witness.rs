//! Short searches for paths that make an edge superfluous.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use crate::search::prepare::{PrepareError, Ticker};
use crate::search::subgoal::graph::{Links, Scale};
use crate::space::Cell;

/// The amount of work between two checks whether to continue.
const WORK_AT_ONCE: u64 = 4096;

/// What a search knows about a subgoal.
#[derive(Clone, Copy, Debug, Default)]
struct Label {
    cost: u64,
    search: u32,
    /// Whether the path has several edges; of two paths that cost the same, one with several counts.
    detour: bool,
}

/// The memory of a search.
#[derive(Debug, Default)]
pub(super) struct Witness {
    labels: Vec<Label>,
    search: u32,
    open: BinaryHeap<Reverse<(u64, u32)>>,
    targets: Vec<Target>,
}

/// A graph and where its subgoals are.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub links: &'a Links,
    pub cells: &'a [Cell],
    pub scale: &'a Scale,
}

/// What to search.
#[derive(Clone, Copy)]
pub(super) struct Quest<'a> {
    pub from: u32,
    /// At how many subgoals to look at most.
    pub look: usize,
    /// A subgoal that must not be entered, like all with a smaller turn than it has.
    pub without: u32,
    pub turns: &'a [u32],
    /// Whether only paths of several edges count.
    pub detours: bool,
}

impl Quest<'_> {
    #[inline]
    fn enters(&self, subgoal: u32) -> bool {
        let turn = |subgoal: u32| self.turns.get(subgoal as usize).copied().unwrap_or(u32::MAX);
        subgoal != self.without && turn(subgoal) >= turn(self.without)
    }
}

/// A subgoal to reach, and what a path to it may cost at most.
#[derive(Clone, Copy, Debug)]
struct Target {
    subgoal: u32,
    most: u64,
    cell: Cell,
}

impl Witness {
    pub fn new(count: usize) -> Witness {
        Witness { labels: vec![Label::default(); count], ..Witness::default() }
    }

    /// Looks for paths to targets, each of which has a cost that the path must not exceed. It continues only from subgoals from
    /// which a target could be reached within its cost if there were no walls.
    pub fn search(
        &mut self,
        ground: Ground<'_>,
        quest: &Quest<'_>,
        targets: impl Iterator<Item = (u32, u64)>,
        ticker: &Ticker<'_>,
    ) -> Result<(), PrepareError> {
        // Once it has to end, no thread begins another search.
        ticker.work(1)?;
        if self.search == u32::MAX {
            self.labels.fill(Label::default());
            self.search = 0;
        }
        self.search += 1;
        self.open.clear();
        let mut targets_left = std::mem::take(&mut self.targets);
        targets_left.clear();
        targets_left.extend(targets.map(|(subgoal, most)| Target {
            subgoal,
            most,
            cell: ground.cells[subgoal as usize],
        }));
        self.offer(quest.from, 0, false);
        let (mut look, mut work) = (quest.look, 1);
        while look > 0 {
            let Some(Reverse((cost, at))) = self.open.pop() else { break };
            if cost > self.labels[at as usize].cost {
                continue;
            }
            work += (targets_left.len() + ground.links[at as usize].len()) as u64;
            if work > WORK_AT_ONCE {
                ticker.work(std::mem::take(&mut work))?;
            }
            targets_left.retain(|target| !self.reaches(target.subgoal, target.most, quest.detours));
            let Some(most) = targets_left.iter().map(|target| target.most).max() else { break };
            let cell = ground.cells[at as usize];
            let in_time = |target: &Target| {
                let (dx, dy) = (cell.x.abs_diff(target.cell.x), cell.y.abs_diff(target.cell.y));
                cost + ground.scale.between(dx, dy) <= target.most
            };
            if !targets_left.iter().any(in_time) {
                continue;
            }
            look -= 1;
            for link in &ground.links[at as usize] {
                let cost = cost + u64::from(link.weight);
                if cost <= most && quest.enters(link.to) {
                    self.offer(link.to, cost, at != quest.from);
                }
            }
        }
        self.targets = targets_left;
        ticker.work(work)
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

    /// Returns whether a path was found that costs at most `most`, of several edges if `detour` is set.
    #[inline]
    pub fn reaches(&self, to: u32, most: u64, detour: bool) -> bool {
        let label = self.labels[to as usize];
        label.search == self.search && label.cost <= most && (label.detour || !detour)
    }
}

/// Memories for any number of threads, used again and again.
pub(super) struct Pool<M> {
    free: Mutex<Vec<M>>,
    make: fn(usize) -> M,
    count: usize,
}

impl<M: Default> Pool<M> {
    /// Creates a pool of memories, each made for `count` subgoals.
    pub fn new(make: fn(usize) -> M, count: usize) -> Pool<M> {
        Pool { free: Mutex::default(), make, count }
    }

    pub fn take(&self) -> Taken<'_, M> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Taken { memory: free.unwrap_or_else(|| (self.make)(self.count)), pool: self }
    }
}

/// A memory that goes back to its pool.
pub(super) struct Taken<'a, M: Default> {
    memory: M,
    pool: &'a Pool<M>,
}

impl<M: Default> Deref for Taken<'_, M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.memory
    }
}

impl<M: Default> DerefMut for Taken<'_, M> {
    fn deref_mut(&mut self) -> &mut M {
        &mut self.memory
    }
}

impl<M: Default> Drop for Taken<'_, M> {
    fn drop(&mut self) {
        let memory = std::mem::take(&mut self.memory);
        self.pool.free.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }
}
