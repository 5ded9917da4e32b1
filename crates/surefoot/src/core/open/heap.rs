//! A binary heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Entry, OpenList};

/// Strictly best first, in the order of [`Entry`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap(BinaryHeap<Reverse<Entry>>);

impl Heap {
    /// Returns the next entry, left where it is.
    pub fn peek(&self) -> Option<Entry> {
        self.0.peek().map(|Reverse(entry)| *entry)
    }
}

impl OpenList for Heap {
    fn begin(&mut self, _spread: u64) {
        self.0.clear();
    }

    #[inline]
    fn push(&mut self, entry: Entry) {
        self.0.push(Reverse(entry));
    }

    #[inline]
    fn pop(&mut self, bound: u64) -> Option<Entry> {
        if self.peek()?.key >= bound {
            return None;
        }
        self.0.pop().map(|Reverse(entry)| entry)
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Entry>()
    }
}
