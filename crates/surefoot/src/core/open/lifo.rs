//! Last in, first out.

use super::{Entry, OpenList};

/// A stack: the newest entry is next, regardless of its key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lifo(Vec<Entry>);

impl OpenList for Lifo {
    fn begin(&mut self, _spread: u64) {
        self.0.clear();
    }

    fn push(&mut self, entry: Entry) {
        self.0.push(entry);
    }

    fn pop(&mut self, _bound: u64) -> Option<Entry> {
        self.0.pop()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Entry>()
    }
}
