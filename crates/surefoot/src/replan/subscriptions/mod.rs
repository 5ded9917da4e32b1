//! Finds which paths an edit affects.
//!
//! Register the paths of all units in one [`Subscriptions`]. After editing the world, ask it for the
//! [changes](Subscriptions::changes). It reads the world's journal and reports the paths that broke or became more
//! expensive (exactly these), and the ones that may have become worth another search (these and some more). A unit
//! whose path is not reported has nothing to do.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::replan::{PathChange, Subscriptions, Touched};
//!
//! let mut grid: Grid = "
//!     .....
//!     .###.
//!     .....".parse().unwrap();
//! let agent = Agent::default();
//! let mut finder = Pathfinder::default();
//! let mut subscriptions = Subscriptions::new();
//! let [above, below] = [0, 2].map(|y| {
//!     let view = grid.view(&agent);
//!     let path = finder.find(view, Cell::new(0, y), Cell::new(4, y)).unwrap();
//!     subscriptions.subscribe(view, path)
//! });
//!
//! grid.set(Cell::new(2, 0), Terrain::WALL).unwrap();
//! let mut touched = Vec::new();
//! subscriptions.changes(grid.view(&agent), &mut touched);
//! assert_eq!(touched, [Touched { id: above, change: PathChange::Broken }]);
//!
//! let view = grid.view(&agent);
//! let path = finder.find(view, Cell::new(0, 0), Cell::new(4, 0)).unwrap();
//! subscriptions.replace(above, view, path);
//! grid.set(Cell::new(2, 0), Terrain::FLOOR).unwrap();
//! subscriptions.changes(grid.view(&agent), &mut touched);
//! assert_eq!(touched, [Touched { id: above, change: PathChange::MayImprove }]);
//! # let _ = below;
//! ```
//!
//! # How it works
//! * Paths are indexed by blocks of 8 x 8 cells (64 nodes of a graph): for each stretch of a path in a block, a word
//!   stores which cells it covers. An edit visits the blocks around it, and measures only the steps beside the change
//!   again. Each path stores the cost of each of its steps, so what counts is the difference between then and now.
//!   Edits that undo each other have no effect.
//! * A path can become cheaper only through a place that opened, became cheaper or got a link. If the cost to
//!   that place and on to the goal, ignoring walls, is not below the cost of the path, it cannot. Each path is kept in a
//!   hierarchical grid by the box around the places that pass this test, so most distant paths are never tested. The
//!   others are tested in columns of numbers, several at once.
//! * Paths of agents with the same view of the world are kept together: how far a wall reaches depends on the width of
//!   the agent.

mod affected;
mod blocks;
mod keep;
mod lower_bound;
mod regions;
mod report;
mod sieve;
#[cfg(test)]
mod tests;
mod track;
mod verdict;

use blocks::Blocks;
use lower_bound::LowerBound;
use regions::{Location, Regions};
use track::Track;
pub(crate) use verdict::Judge;

use crate::path::Path;
use crate::world::any::{AgentKey, View};
use crate::world::changes::Changes;
use crate::world::journal::Revision;
use crate::world::paper::{Blocks as Numbers, Chance, Chart};

/// The id of a subscription. Numbers are reused with another generation, so a stale id refers to no subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubscriptionId {
    index: u32,
    generation: u32,
}

impl SubscriptionId {
    /// Returns the place of the subscription among all of its index.
    pub(crate) fn index(self) -> usize {
        self.index as usize
    }
}

/// What edits did to the part of a path that is still ahead of its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathChange {
    /// It could be walked, and no longer can.
    Broken,
    /// It costs more than before.
    CostIncreased,
    /// It costs less than before, or there may be a cheaper path now. Paths that are already broken are reported for
    /// every edit that opens something or makes it cheaper.
    MayImprove,
    /// The changes of the world are not known: the journal has dropped them, or it is another world. Every subscription
    /// is reported.
    Unknown,
}

/// A subscription and what happened to its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Touched {
    /// The subscription.
    pub id: SubscriptionId,
    /// What happened to its path.
    pub change: PathChange,
}

/// One subscription.
#[derive(Clone, Debug, Default)]
struct Slot {
    live: bool,
    group: usize,
    track: Track,
    /// Whether its path belongs to another revision than all the others.
    late: bool,
    /// That revision.
    revision: Revision,
    /// The cost of the path before the current changes, once it has been measured again.
    before: Option<u64>,
}

/// Subscriptions of agents with the same view of the world.
#[derive(Clone, Debug, Default)]
struct Group {
    agent: AgentKey,
    members: usize,
    blocks: Blocks,
    regions: Regions,
    /// As of the revision up to which changes have been read; `None` if not known yet.
    bound: Option<LowerBound>,
}

impl Group {
    /// Returns the view of the members.
    fn view<'a>(&self, view: &View<'a>) -> View<'a> {
        view.seen_by(&self.agent)
    }
}

/// An index of paths that reports which of them an edit affects. Use one per world; see the [module](self).
///
/// Agents of all kinds can share it. Ask for [changes](Subscriptions::changes) often enough that the world's journal
/// still holds them.
#[derive(Clone, Debug, Default)]
pub struct Subscriptions {
    ground: Option<Numbers>,
    chart: Chart,
    /// The revision up to which changes have been read.
    seen: Revision,
    slots: Vec<Slot>,
    /// By slot, and separate because thousands of them may be visited for one edit: the generation,
    generations: Vec<u32>,
    /// where the slot is registered for changes that may make its path cheaper (unless it is late),
    locations: Vec<Option<Location>>,
    /// and what the current changes do to it.
    effects: Vec<Option<PathChange>>,
    free: Vec<u32>,
    groups: Vec<Group>,
    /// Slots whose path belongs to another revision.
    late: Vec<u32>,
    /// Slots whose paths have been measured again.
    measured: Vec<u32>,
    /// Slots that the current changes affect; some twice.
    touched: Vec<u32>,
    changes_read: Changes,
    suspects: Vec<(u32, u64)>,
    chances: Vec<Chance>,
}

impl Subscriptions {
    /// Creates an index without subscriptions.
    pub fn new() -> Subscriptions {
        Subscriptions::default()
    }

    /// Registers a path as found: from start to goal, by an agent with this view of the world. An empty path stands for
    /// a unit that waits for a path to open. A path [at any angle](Path::is_any_angle) does not consist of steps, and
    /// counts as one that cannot be walked.
    ///
    /// The view may be older or newer than the last [changes](Subscriptions::changes): the path is judged by what
    /// happened since the revision of the view.
    pub fn subscribe<'a>(&mut self, view: impl Into<View<'a>>, path: &Path) -> SubscriptionId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.generations.push(0);
            self.locations.push(None);
            self.effects.push(None);
            self.slots.len() as u32 - 1
        });
        self.enter(index, &view.into(), path.nodes());
        SubscriptionId { index, generation: self.generations[index as usize] }
    }

    /// Registers another path instead; `false` if there is no such subscription.
    pub fn replace<'a>(&mut self, id: SubscriptionId, view: impl Into<View<'a>>, path: &Path) -> bool {
        let known = self.contains(id);
        if known {
            self.leave(id.index);
            self.enter(id.index, &view.into(), path.nodes());
        }
        known
    }

    /// Ends a subscription; `false` if there is no such subscription.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::path::Path;
    /// use surefoot::replan::Subscriptions;
    /// let grid = Grid::new(4, 4).unwrap();
    /// let mut subscriptions = Subscriptions::new();
    /// let id = subscriptions.subscribe(grid.view(&Agent::default()), &Path::default());
    /// assert!(subscriptions.unsubscribe(id));
    /// assert!(!subscriptions.unsubscribe(id) && subscriptions.is_empty());
    /// ```
    pub fn unsubscribe(&mut self, id: SubscriptionId) -> bool {
        let known = self.contains(id);
        if known {
            self.leave(id.index);
            let generation = &mut self.generations[id.index as usize];
            *generation = generation.wrapping_add(1);
            self.free.push(id.index);
        }
        known
    }

    /// Records that the unit has made `steps` steps along its path since it was registered. What is behind the unit no
    /// longer matters. Units do not go back. Returns `false` if there is no such subscription.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::replan::Subscriptions;
    /// let mut grid = Grid::new(9, 1).unwrap();
    /// let agent = Agent::default();
    /// let mut finder = Pathfinder::default();
    /// let path = finder.find(grid.view(&agent), Cell::new(0, 0), Cell::new(8, 0)).unwrap();
    /// let mut subscriptions = Subscriptions::new();
    /// let id = subscriptions.subscribe(grid.view(&agent), path);
    /// subscriptions.advance(id, 4);
    /// grid.set(Cell::new(3, 0), Terrain::WALL).unwrap();
    /// let mut touched = Vec::new();
    /// subscriptions.changes(grid.view(&agent), &mut touched);
    /// assert!(touched.is_empty());
    /// ```
    pub fn advance(&mut self, id: SubscriptionId, steps: usize) -> bool {
        let known = self.contains(id);
        if known {
            self.move_on(id.index, steps);
        }
        known
    }

    /// Returns whether there is such a subscription.
    pub fn contains(&self, id: SubscriptionId) -> bool {
        let index = id.index as usize;
        self.generations.get(index) == Some(&id.generation) && self.slots[index].live
    }

    /// Returns the number of subscriptions.
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Returns whether there are no subscriptions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads what happened to the world since the last call, and reports the affected subscriptions, in the order of
    /// their ids. Any agent's view of the world can be used.
    ///
    /// Each report covers the time since the last one. A path that was reported as broken is not reported again while
    /// it stays broken. If it is not [replaced](Subscriptions::replace), it is reported when it can be walked again
    /// ([`PathChange::MayImprove`]).
    pub fn changes<'a>(&mut self, view: impl Into<View<'a>>, touched: &mut Vec<Touched>) {
        touched.clear();
        self.follow(&view.into());
        // Scanning all is faster than sorting many. Branchless, because which ones are touched is unpredictable.
        if self.touched.len() > self.slots.len() / 32 {
            self.touched.clear();
            self.touched.resize(self.slots.len(), 0);
            let mut found = 0;
            for (index, effect) in (0..).zip(&self.effects) {
                self.touched[found] = index;
                found += usize::from(effect.is_some());
            }
            self.touched.truncate(found);
        } else {
            self.touched.sort_unstable();
        }
        for index in self.touched.drain(..) {
            if let Some(effect) = self.effects[index as usize].take() {
                let generation = self.generations[index as usize];
                touched.push(Touched { id: SubscriptionId { index, generation }, change: effect });
            }
        }
    }

    /// Returns the bytes of memory held by the whole index.
    pub fn memory_bytes(&self) -> usize {
        let tracks: usize = self.slots.iter().map(|slot| slot.track.bytes()).sum();
        let groups = self.groups.iter().map(|group| group.blocks.bytes() + group.regions.bytes());
        let lists = [&self.generations, &self.free, &self.late, &self.measured, &self.touched];
        tracks
            + groups.sum::<usize>()
            + self.changes_read.bytes()
            + lists.map(Vec::capacity).iter().sum::<usize>() * size_of::<u32>()
            + self.slots.capacity() * size_of::<Slot>()
            + self.locations.capacity() * size_of::<Option<Location>>()
            + self.effects.capacity() * size_of::<Option<PathChange>>()
            + self.groups.capacity() * size_of::<Group>()
            + self.suspects.capacity() * size_of::<(u32, u64)>()
            + self.chances.capacity() * size_of::<Chance>()
    }
}
