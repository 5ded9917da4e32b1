//! What a search that reaches few of many nodes stores: a hash table.
//!
//! Jumps reach one cell in hundreds. Records in an array by node would each lie in a separate piece of memory, which has to be
//! fetched from afar; a table of a few thousand entries stays in the nearest caches, whatever the size of the map.

use crate::core::expand::{ARRIVALS, Arrival, START};
use crate::core::record::{Memory, Record};
use crate::id::NodeId;

/// A record's first number is, from the top: five bits for the search that wrote it, "closed", six bits of
/// arrival, and `g`.
const SEARCH_SHIFT: u32 = 59;
const CLOSED: u64 = 1 << 58;
const ARRIVAL_SHIFT: u32 = 52;

/// The largest cost that a record holds.
pub(crate) const MAX_G: u64 = (1 << ARRIVAL_SHIFT) - 1;

/// The number of searches with different numbers; after that, the table is cleared.
const SEARCHES: u64 = 1 << (64 - SEARCH_SHIFT);

/// Entries of an empty table, a power of two.
const LEAST: usize = 1024;

#[derive(Clone, Copy, Debug)]
struct Entry {
    packed: u64,
    node: NodeId,
    parent: NodeId,
}

impl Entry {
    /// An entry of no search.
    const EMPTY: Entry = Entry { packed: 0, node: NodeId::NONE, parent: NodeId::NONE };
}

/// A number all of whose bits depend on all bits of another. Twice multiplied: the nodes of a column, evenly spaced, would
/// crowd together after once.
#[inline]
fn scatter(number: u32) -> u32 {
    let once = number.wrapping_mul(0x9E37_79B1);
    (once ^ once >> 15).wrapping_mul(0x85EB_CA6B)
}

/// Records by node in a hash table with open addressing. Nothing ever depends on the order of its entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseRecords {
    entries: Vec<Entry>,
    /// How many entries belong to this search.
    len: usize,
    /// The number of the search, from 1.
    search: u64,
}

impl SparseRecords {
    /// Forgets everything.
    pub fn begin(&mut self) {
        if self.entries.is_empty() {
            self.entries = vec![Entry::EMPTY; LEAST];
        }
        self.len = 0;
        self.search += 1;
        if self.search == SEARCHES {
            self.search = 1;
            self.entries.fill(Entry::EMPTY);
        }
    }

    /// Where a node is, or the place where it would be.
    #[inline]
    fn place(&self, node: NodeId) -> (usize, bool) {
        let mask = self.entries.len() - 1;
        let mut at = ((u64::from(scatter(node.0)) * self.entries.len() as u64) >> 32) as usize;
        loop {
            let entry = &self.entries[at & mask];
            if entry.packed >> SEARCH_SHIFT != self.search {
                return (at & mask, false);
            }
            if entry.node == node {
                return (at & mask, true);
            }
            at += 1;
        }
    }

    /// Makes room: twice as many entries.
    #[cold]
    fn grow(&mut self) {
        let twice = vec![Entry::EMPTY; self.entries.len() * 2];
        let entries = std::mem::replace(&mut self.entries, twice);
        for entry in entries.into_iter().filter(|entry| entry.packed >> SEARCH_SHIFT == self.search) {
            let (at, _) = self.place(entry.node);
            self.entries[at] = entry;
        }
    }
}

impl Memory for SparseRecords {
    #[inline]
    fn find(&self, node: NodeId) -> usize {
        self.place(node).0
    }

    #[inline]
    fn record(&self, at: usize) -> Record {
        let packed = self.entries[at].packed;
        Record {
            g: packed & MAX_G,
            arrival: Arrival((packed >> ARRIVAL_SHIFT) as u8 % ARRIVALS as u8),
            closed: packed & CLOSED != 0,
        }
    }

    #[inline]
    fn parent(&self, at: usize) -> NodeId {
        if self.record(at).arrival == START { NodeId::NONE } else { self.entries[at].parent }
    }

    #[inline]
    fn reach(&mut self, node: NodeId) -> (usize, Option<Record>) {
        if self.len * 2 >= self.entries.len() {
            self.grow();
        }
        let (at, known) = self.place(node);
        if known {
            return (at, Some(self.record(at)));
        }
        self.len += 1;
        self.entries[at].node = node;
        (at, None)
    }

    #[inline]
    fn write(&mut self, at: usize, g: u64, parent: NodeId, arrival: Arrival) {
        debug_assert!(g <= MAX_G);
        let entry = &mut self.entries[at];
        entry.packed = self.search << SEARCH_SHIFT | u64::from(arrival.0) << ARRIVAL_SHIFT | g;
        entry.parent = parent;
    }

    #[inline]
    fn close(&mut self, at: usize) {
        self.entries[at].packed |= CLOSED;
    }

    fn of(&self, node: NodeId) -> Option<Record> {
        let (at, known) = if self.len == 0 { (0, false) } else { self.place(node) };
        known.then(|| self.record(at))
    }

    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_search_with_a_number_used_before_starts_empty() {
        let mut records = SparseRecords::default();
        records.begin();
        let (at, _) = records.reach(NodeId(5));
        records.write(at, 1, NodeId(4), Arrival(0));
        for _ in 0..2 * SEARCHES {
            records.begin();
            assert_eq!(records.of(NodeId(5)), None);
            // Any other node, so that the table counts as used.
            let (at, known) = records.reach(NodeId(1 << 20));
            assert_eq!(known, None);
            records.write(at, 0, NodeId::NONE, START);
            assert_eq!(records.of(NodeId(5)), None);
        }
    }

    proptest! {
        /// Against an ordinary map, over more searches than there are numbers for them.
        #[test]
        fn a_record_returns_what_was_written_and_only_in_its_own_search(
            searches in prop::collection::vec(prop::collection::vec((0..5000_u32, 0..=MAX_G, any::<bool>()), 0..200), 1..20),
            again in 1..20_usize,
        ) {
            let mut records = SparseRecords::default();
            for search in searches.iter().cycle().take(searches.len() * again) {
                records.begin();
                let mut expected = std::collections::BTreeMap::new();
                for &(node, g, closed) in search {
                    // Numbers that collide more often than not.
                    let node = NodeId(node / 10 * 1024);
                    let (at, known) = records.reach(node);
                    prop_assert_eq!(known, expected.get(&node).copied());
                    let (parent, arrival) = (NodeId(node.0 / 3), Arrival(node.0 as u8 % 8));
                    records.write(at, g, parent, arrival);
                    if closed {
                        records.close(at);
                    }
                    expected.insert(node, Record { g, arrival, closed });
                }
                for (&node, &record) in &expected {
                    prop_assert_eq!(records.of(node), Some(record));
                    prop_assert_eq!(records.parent(records.find(node)), NodeId(node.0 / 3));
                }
                prop_assert_eq!(records.of(NodeId(7)), None);
            }
        }
    }
}
