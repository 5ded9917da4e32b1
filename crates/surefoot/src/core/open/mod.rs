//! Open lists: which node comes next.

mod buckets;
mod fifo;
mod heap;
mod lifo;
mod list;

pub(crate) use buckets::Buckets;
pub(crate) use fifo::Fifo;
pub(crate) use heap::Heap;
pub(crate) use lifo::Lifo;
pub(crate) use list::List;

use crate::core::named::named;
use crate::id::NodeId;

/// A node waiting to be expanded.
///
/// The order is the one place where ties are broken: smaller key first, then larger `g` (closer to the goal, for equal
/// `f`), then smaller number. Only the low bits of `g` are kept: they tell whether the entry is still current, and an
/// accidental match would only expand a node once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub key: u64,
    pub g: u32,
    pub node: NodeId,
}

impl Ord for Entry {
    #[inline]
    fn cmp(&self, other: &Entry) -> std::cmp::Ordering {
        (self.key, other.g, self.node).cmp(&(other.key, self.g, other.node))
    }
}

impl PartialOrd for Entry {
    #[inline]
    fn partial_cmp(&self, other: &Entry) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A container of entries that determines which is next.
pub(crate) trait OpenList {
    /// Empties the list for a search in which one step raises keys by about `spread` at most.
    fn begin(&mut self, spread: u64);

    /// Adds an entry.
    fn push(&mut self, entry: Entry);

    /// Adds an entry that had better be taken next, if the order is loose enough to allow it.
    #[inline]
    fn push_next(&mut self, entry: Entry) {
        self.push(entry);
    }

    /// Takes the next entry whose key is below `bound`; `None` means that no such entry is left.
    fn pop(&mut self, bound: u64) -> Option<Entry>;

    /// Entries held, outdated ones too.
    fn len(&self) -> usize;

    /// Bytes of memory held.
    fn bytes(&self) -> usize;
}

/// The kinds of open list.
///
/// ```
/// use surefoot::search::Queue;
/// assert_eq!("heap".parse(), Ok(Queue::Heap));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Queue {
    /// First in, first out: breadth-first.
    Fifo,
    /// Last in, first out: depth-first.
    Lifo,
    /// An unsorted list that is searched for the best entry each time, as in textbooks.
    List,
    /// A binary heap: strictly best first.
    Heap,
    /// A ring of buckets: best first up to the width of a bucket, and the fastest. Results are as exact as with a heap.
    Buckets,
}

named! {
    Queue, UnknownQueue, "open list":
    Fifo => "fifo", "first in, first out";
    Lifo => "lifo", "last in, first out";
    List => "list", "an unsorted list, scanned for the best entry";
    Heap => "heap", "a binary heap: strictly best-first";
    Buckets => "buckets", "a ring of buckets: best-first up to the width of a bucket; the fastest";
}

/// The open list in use.
#[derive(Debug)]
pub(crate) enum Open {
    Fifo(Fifo),
    Lifo(Lifo),
    List(List),
    Heap(Heap),
    Buckets(Box<Buckets>),
}

impl Open {
    pub fn new(queue: Queue) -> Open {
        match queue {
            Queue::Fifo => Open::Fifo(Fifo::default()),
            Queue::Lifo => Open::Lifo(Lifo::default()),
            Queue::List => Open::List(List::default()),
            Queue::Heap => Open::Heap(Heap::default()),
            Queue::Buckets => Open::Buckets(Box::default()),
        }
    }

    pub fn begin(&mut self, spread: u64) {
        match self {
            Open::Fifo(open) => open.begin(spread),
            Open::Lifo(open) => open.begin(spread),
            Open::List(open) => open.begin(spread),
            Open::Heap(open) => open.begin(spread),
            Open::Buckets(open) => open.begin(spread),
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            Open::Fifo(open) => open.bytes(),
            Open::Lifo(open) => open.bytes(),
            Open::List(open) => open.bytes(),
            Open::Heap(open) => open.bytes(),
            Open::Buckets(open) => open.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(key: u64, g: u32, node: u32) -> Entry {
        Entry { key, g, node: NodeId(node) }
    }

    fn drain(list: &mut impl OpenList, entries: &[Entry], bound: u64) -> Vec<Entry> {
        list.begin(100);
        for &entry in entries {
            list.push(entry);
        }
        assert_eq!(list.len(), entries.len());
        std::iter::from_fn(|| list.pop(bound)).collect()
    }

    #[test]
    fn ties_prefer_larger_g_then_smaller_number() {
        let sorted = [entry(1, 0, 9), entry(2, 7, 5), entry(2, 7, 6), entry(2, 3, 1), entry(3, 9, 0)];
        let mixed = [sorted[3], sorted[1], sorted[4], sorted[0], sorted[2]];
        assert_eq!(drain(&mut Heap::default(), &mixed, u64::MAX), sorted);
        assert_eq!(drain(&mut List::default(), &mixed, u64::MAX), sorted);
        assert_eq!(drain(&mut Fifo::default(), &mixed, u64::MAX), mixed);
        let reversed: Vec<Entry> = mixed.into_iter().rev().collect();
        assert_eq!(drain(&mut Lifo::default(), &mixed, u64::MAX), reversed);
    }

    #[test]
    fn nothing_at_or_above_the_bound_is_taken() {
        let entries = [entry(5, 0, 1), entry(4, 0, 2), entry(6, 0, 3)];
        assert_eq!(drain(&mut Heap::default(), &entries, 5), [entries[1]]);
        assert_eq!(drain(&mut List::default(), &entries, 5), [entries[1]]);
        assert_eq!(drain(&mut Buckets::default(), &entries, 5), [entries[1]]);
    }

    #[test]
    fn buckets_deliver_everything_in_order_of_bucket_whatever_the_keys() {
        let keys = [0, 1, 1 << 9, 1 << 20, 1 << 40, 3 << 20, u64::MAX / 2, 77, 1 << 20];
        let entries: Vec<Entry> = keys.iter().zip(0..).map(|(&key, node)| entry(key, 0, node)).collect();
        let mut buckets = Buckets::default();
        let drained = drain(&mut buckets, &entries, u64::MAX);
        let mut nodes: Vec<u32> = drained.iter().map(|entry| entry.node.0).collect();
        for pair in drained.windows(2) {
            assert!(buckets.bucket_of(pair[0].key) <= buckets.bucket_of(pair[1].key));
        }
        nodes.sort_unstable();
        assert_eq!(nodes, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    }

    proptest! {
        #[test]
        fn buckets_always_serve_the_lowest_bucket_first(
            steps in prop::collection::vec(prop_oneof![(0..1_u64 << 9).prop_map(Some), (0..1_u64 << 14).prop_map(Some), Just(None)], 1..300)
        ) {
            let mut buckets = Buckets::default();
            buckets.begin(100);
            let mut held: Vec<Entry> = Vec::new();
            for (step, node) in steps.into_iter().zip(0..) {
                if let Some(key) = step {
                    let entry = entry(key, 0, node);
                    held.push(entry);
                    buckets.push(entry);
                } else {
                    let least = held.iter().map(|entry| buckets.bucket_of(entry.key)).min();
                    let taken = buckets.pop(u64::MAX);
                    prop_assert_eq!(taken.map(|entry| buckets.bucket_of(entry.key)), least);
                    held.retain(|&entry| Some(entry) != taken);
                }
                prop_assert_eq!(buckets.len(), held.len());
            }
        }
    }
}
