//! An unsorted list.

use super::{Entry, OpenList};

/// A list that is searched for its smallest entry each time: the textbook version, kept for measurements.
#[derive(Clone, Debug, Default)]
pub(crate) struct List(Vec<Entry>);

impl OpenList for List {
    fn begin(&mut self, _spread: u64) {
        self.0.clear();
    }

    fn push(&mut self, entry: Entry) {
        self.0.push(entry);
    }

    fn pop(&mut self, bound: u64) -> Option<Entry> {
        let (at, best) = self.0.iter().enumerate().min_by_key(|(_, entry)| **entry)?;
        (best.key < bound).then(|| self.0.swap_remove(at))
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Entry>()
    }
}
