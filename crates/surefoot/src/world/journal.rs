//! What changed since you last looked.
//!
//! Worlds never call anyone back. Whoever keeps something derived from a world (a replanner, a field, a hierarchy)
//! remembers a [`Revision`] and pulls the changes since then when it next needs to be right.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// A moment in a world's history.
///
/// No two moments of any two worlds are equal, unless one world is a copy of the other and neither has changed since. So a
/// revision also tells worlds apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Revision(u64);

impl Revision {
    /// A moment that nobody has seen. Only whether moments are equal is ever asked, so the order in which threads come here
    /// decides nothing.
    fn fresh() -> Revision {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Revision(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// A bounded history of changes of type `C`.
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
    /// Each change with the moment after it.
    changes: VecDeque<(Revision, C)>,
    capacity: usize,
}

impl<C: Copy> Journal<C> {
    /// A journal that remembers the last `capacity` changes.
    pub fn with_capacity(capacity: usize) -> Journal<C> {
        Journal { base: Revision::fresh(), changes: VecDeque::new(), capacity }
    }

    /// The present moment.
    pub fn now(&self) -> Revision {
        self.changes.back().map_or(self.base, |(after, _)| *after)
    }

    /// Writes down a change, forgetting the oldest if there is no room.
    pub fn record(&mut self, change: C) {
        if self.changes.len() == self.capacity
            && let Some((after, _)) = self.changes.pop_front()
        {
            self.base = after;
        }
        self.changes.push_back((Revision::fresh(), change));
    }

    /// The changes since a moment, oldest first; `None` when they are not known, which means: everything.
    pub fn since(&self, moment: Revision) -> Option<impl ExactSizeIterator<Item = C> + '_> {
        let first = if moment == self.base {
            0
        } else {
            self.changes.binary_search_by_key(&moment, |(after, _)| *after).ok()? + 1
        };
        Some(self.changes.range(first..).map(|(_, change)| *change))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
