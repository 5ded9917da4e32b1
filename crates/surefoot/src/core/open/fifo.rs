//! First in, first out.

use std::collections::VecDeque;

use super::{Entry, OpenList};

/// A queue: the oldest entry is next, regardless of its key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fifo(VecDeque<Entry>);

impl OpenList for Fifo {
    fn begin(&mut self, _spread: u64) {
        self.0.clear();
    }

    fn push(&mut self, entry: Entry) {
        self.0.push_back(entry);
    }

    fn pop(&mut self, _bound: u64) -> Option<Entry> {
        self.0.pop_front()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Entry>()
    }
}
