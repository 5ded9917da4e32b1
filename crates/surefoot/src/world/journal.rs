//! What changed since you last looked.
//!
//! Worlds never call anyone back. Whoever keeps something derived from a world (a replanner, a field, a hierarchy)
//! remembers a [`Revision`] and pulls the changes since then when it next needs to be right.

use std::collections::VecDeque;

/// A moment in a world's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Revision(u64);

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
    changes: VecDeque<C>,
    capacity: usize,
    now: u64,
}

impl<C: Copy> Journal<C> {
    /// A journal that remembers the last `capacity` changes.
    pub fn with_capacity(capacity: usize) -> Journal<C> {
        Journal { changes: VecDeque::new(), capacity, now: 0 }
    }

    /// The present moment.
    pub fn now(&self) -> Revision {
        Revision(self.now)
    }

    /// Writes down a change, forgetting the oldest if there is no room.
    pub fn record(&mut self, change: C) {
        if self.changes.len() == self.capacity {
            self.changes.pop_front();
        }
        self.changes.push_back(change);
        self.now += 1;
    }

    /// Writes down that everything may have changed.
    pub fn forget(&mut self) {
        self.changes.clear();
        self.now += 1;
    }

    /// The changes since a moment, oldest first; `None` when they are no longer known, which means: everything.
    pub fn since(&self, moment: Revision) -> Option<impl ExactSizeIterator<Item = C> + '_> {
        let missed = usize::try_from(self.now.checked_sub(moment.0)?).ok()?;
        let first = self.changes.len().checked_sub(missed)?;
        Some(self.changes.range(first..).copied())
    }
}
