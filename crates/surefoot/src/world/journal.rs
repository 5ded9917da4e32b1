//! Journals of the changes to a world.
//!
//! Worlds have no callbacks. Anything derived from a world (a replanner, a field, a hierarchy) remembers a [`Revision`] and pulls
//! the changes since then when it next needs to be up to date.
//!
//! ```
//! use surefoot::prelude::*;
//! let mut grid = Grid::new(6, 6).unwrap();
//! let seen = grid.revision();
//! grid.set_many([(Cell::new(1, 1), Terrain::WALL), (Cell::new(2, 1), Terrain::GRASS)]).unwrap();
//! match grid.journal().since(seen) {
//!     Some(changes) => assert_eq!(changes.count(), 2),
//!     None => unreachable!("too long ago: start over"),
//! }
//! ```

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A revision: a moment in the history of a world.
///
/// No two revisions of any two worlds are equal, unless one world is a copy of the other and neither has changed since. A revision
/// therefore also identifies a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Revision(u64);

impl Revision {
    /// Returns a revision that has never been used. Revisions are only ever compared for equality, so the order in which threads get
    /// here does not matter.
    fn fresh() -> Revision {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Revision(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// A bounded history of changes of type `C`. Copies share it, except for the last few changes once either copy records more.
///
/// ```
/// use surefoot::world::journal::Journal;
/// let mut journal = Journal::with_capacity(2);
/// let start = journal.now();
/// journal.record('a');
/// assert_eq!(journal.since(start).unwrap().collect::<String>(), "a");
/// journal.record('b');
/// journal.record('c');
/// assert!(journal.since(start).is_none(), "too long ago: anything may have changed");
/// ```
#[derive(Clone, Debug)]
pub struct Journal<C> {
    /// The moment before the first change that is remembered.
    base: Revision,
    /// Each change with the moment after it, in pages that copies share. All pages but the last are full.
    pages: VecDeque<Arc<Vec<(Revision, C)>>>,
    /// How many changes of the first page are forgotten.
    forgotten: usize,
    capacity: usize,
    /// A page of which all changes are forgotten, for its memory.
    spare: Option<Arc<Vec<(Revision, C)>>>,
}

/// How many changes a page holds: all that has to be copied when one of two copies records a change.
const PAGE: usize = 256;

impl<C: Copy> Journal<C> {
    /// Creates a journal that remembers the last `capacity` changes.
    pub fn with_capacity(capacity: usize) -> Journal<C> {
        Journal { base: Revision::fresh(), pages: VecDeque::new(), forgotten: 0, capacity, spare: None }
    }

    /// Returns the current revision.
    pub fn now(&self) -> Revision {
        self.len().checked_sub(1).map_or(self.base, |last| self.entry(last).0)
    }

    /// Records a change, and forgets the oldest one if the journal is full.
    pub fn record(&mut self, change: C) {
        if self.len() >= self.capacity {
            self.forget_oldest();
        }
        let entry = (Revision::fresh(), change);
        match self.pages.back_mut() {
            Some(page) if page.len() < PAGE => Arc::make_mut(page).push(entry),
            _ => {
                let mut page = self.spare.take().unwrap_or_default();
                match Arc::get_mut(&mut page) {
                    Some(changes) => {
                        changes.clear();
                        changes.push(entry);
                    }
                    // A copy still knows these changes.
                    None => page = Arc::new(vec![entry]),
                }
                self.pages.push_back(page);
            }
        }
    }

    /// Returns the changes since a revision, oldest first; `None` if they are no longer known, in which case anything may have
    /// changed.
    pub fn since(&self, moment: Revision) -> Option<impl ExactSizeIterator<Item = C> + '_> {
        let first = if moment == self.base { 0 } else { self.find(moment)? + 1 };
        Some((first..self.len()).map(|index| self.entry(index).1))
    }

    /// How many changes are remembered.
    fn len(&self) -> usize {
        let in_last = self.pages.back().map_or(0, |page| page.len());
        (self.pages.len().saturating_sub(1) * PAGE + in_last).saturating_sub(self.forgotten)
    }

    /// A change that is remembered, counted from the oldest, and the moment after it.
    #[inline]
    fn entry(&self, index: usize) -> (Revision, C) {
        let index = index + self.forgotten;
        self.pages[index / PAGE][index % PAGE]
    }

    fn forget_oldest(&mut self) {
        if self.len() == 0 {
            return;
        }
        self.base = self.entry(0).0;
        self.forgotten += 1;
        if self.forgotten == PAGE {
            self.spare = self.pages.pop_front();
            self.forgotten = 0;
        }
    }

    /// The change after which it was a certain moment.
    fn find(&self, moment: Revision) -> Option<usize> {
        let (mut first, mut end) = (0, self.len());
        while first < end {
            let middle = first.midpoint(end);
            if self.entry(middle).0 < moment {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        (first < self.len() && self.entry(first).0 == moment).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The pages that two journals have in common.
    fn shared_pages<C>(one: &Journal<C>, other: &Journal<C>) -> usize {
        one.pages.iter().filter(|page| other.pages.iter().any(|there| Arc::ptr_eq(page, there))).count()
    }

    #[test]
    fn copies_share_all_but_the_page_that_one_of_them_extends() {
        let mut journal = Journal::with_capacity(1 << 16);
        (0..10 * PAGE + 9).for_each(|change| journal.record(change));
        let mut copy = journal.clone();
        assert_eq!(shared_pages(&journal, &copy), 11);
        copy.record(0);
        assert_eq!(shared_pages(&journal, &copy), 10);
        assert_eq!((journal.len(), copy.len()), (10 * PAGE + 9, 10 * PAGE + 10));
    }

    proptest! {
        /// Against a plain list of everything that was ever recorded.
        #[test]
        fn a_journal_remembers_its_last_changes_and_no_others(
            capacity in 0..3 * PAGE,
            count in 0..5 * PAGE,
            picks in prop::collection::vec(any::<prop::sample::Index>(), 8),
        ) {
            let mut journal = Journal::with_capacity(capacity);
            let mut moments = vec![journal.now()];
            for change in 0..count {
                journal.record(change);
                moments.push(journal.now());
            }
            let last_known = count - count.min(capacity.max(1));
            for pick in picks {
                let then = pick.index(moments.len());
                let known = journal.since(moments[then]).map(|changes| (changes.len(), changes.collect::<Vec<_>>()));
                let expected = (then >= last_known).then(|| (count - then, (then..count).collect()));
                prop_assert_eq!(known, expected);
            }
        }
    }

    #[test]
    fn copies_that_went_different_ways_do_not_know_each_others_moments() {
        let mut one = Journal::with_capacity(8);
        one.record('a');
        let mut other = one.clone();
        assert_eq!(one.now(), other.now());
        let fork = one.now();
        one.record('b');
        other.record('c');
        assert_ne!(one.now(), other.now());
        assert!(one.since(other.now()).is_none());
        assert_eq!(other.since(fork).unwrap().collect::<String>(), "c");
        assert_eq!(one.since(one.now()).unwrap().len(), 0);
    }
}
