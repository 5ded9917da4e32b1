//! The records of one of two searches, which the other reads from its own thread.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::core::expand::{Arrival, ArrivalSteps, START};
use crate::core::record::Record;
use crate::id::NodeId;

/// Records as in [`Records`](crate::core::record::Records), written by one thread and read by two.
///
/// A record is written before its node is marked as reached, so a thread that sees the mark sees a record of this search. On most
/// machines that costs nothing.
#[derive(Debug, Default)]
pub(super) struct SharedRecords {
    packed: Vec<AtomicU64>,
    /// Written only where the arrival does not tell the parent.
    parents: Vec<AtomicU32>,
    steps: Option<ArrivalSteps>,
    /// For 64 nodes each: which have been reached, and in which search.
    reached: Vec<[AtomicU64; 2]>,
    search: u64,
}

fn zeros<T: Default>(count: usize) -> Vec<T> {
    std::iter::repeat_with(T::default).take(count).collect()
}

impl SharedRecords {
    /// Forgets everything and makes room for nodes below `bound`. With `steps`, parents follow from arrivals and are not
    /// kept.
    pub fn begin(&mut self, bound: usize, steps: Option<ArrivalSteps>) {
        if self.packed.len() < bound {
            self.packed = zeros(bound);
            self.reached = zeros(bound.div_ceil(64));
        }
        if self.parents.len() < bound && steps.is_none() {
            self.parents = zeros(bound);
        }
        self.steps = steps;
        self.search += 1;
    }

    /// Returns the record of a node, if this search has reached it.
    #[inline]
    pub fn of(&self, node: NodeId) -> Option<Record> {
        let [bits, search] = self.reached.get(node.index() / 64)?;
        let known = search.load(Ordering::Acquire) == self.search
            && bits.load(Ordering::Acquire) >> (node.0 % 64) & 1 == 1;
        known.then(|| self.of_reached(node))
    }

    /// Returns the record of a node that this search has reached.
    #[inline]
    pub fn of_reached(&self, node: NodeId) -> Record {
        Record::unpack(self.packed[node.index()].load(Ordering::Relaxed))
    }

    /// Returns the parent of a node that this search has reached, [`NodeId::NONE`] for a start.
    #[inline]
    pub fn parent(&self, node: NodeId) -> NodeId {
        let arrival = self.of_reached(node).arrival;
        match &self.steps {
            _ if arrival == START => NodeId::NONE,
            Some(steps) => NodeId(node.0.wrapping_add_signed(-steps[arrival.0 as usize])),
            None => NodeId(self.parents[node.index()].load(Ordering::Relaxed)),
        }
    }

    /// Returns the record of a node and its parent, if this search has reached it.
    pub fn with_parent(&self, node: NodeId) -> Option<(Record, NodeId)> {
        Some((self.of(node)?, self.parent(node)))
    }

    /// Records a path to a node; it is open again.
    #[inline]
    pub fn write(&self, node: NodeId, g: u64, parent: NodeId, arrival: Arrival) {
        let record = Record { g, arrival, closed: false };
        self.packed[node.index()].store(record.pack(), Ordering::Relaxed);
        if self.steps.is_none() {
            self.parents[node.index()].store(parent.0, Ordering::Relaxed);
        }
    }

    /// Marks a node as reached, after its record has been written.
    #[inline]
    pub fn mark(&self, node: NodeId) {
        let [bits, search] = &self.reached[node.index() / 64];
        let bit = 1 << (node.0 % 64);
        if search.load(Ordering::Relaxed) == self.search {
            bits.store(bits.load(Ordering::Relaxed) | bit, Ordering::Release);
        } else {
            bits.store(bit, Ordering::Relaxed);
            search.store(self.search, Ordering::Release);
        }
    }

    /// Closes a node that has a record.
    #[inline]
    pub fn close(&self, node: NodeId, record: Record) {
        let closed = Record { closed: true, ..record };
        self.packed[node.index()].store(closed.pack(), Ordering::Relaxed);
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.packed.capacity() * size_of::<u64>()
            + self.parents.capacity() * size_of::<NodeId>()
            + self.reached.capacity() * size_of::<[u64; 2]>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_returns_what_was_written_and_only_in_its_own_search() {
        let mut records = SharedRecords::default();
        assert_eq!(records.of(NodeId(0)), None);
        for search in 0..3 {
            records.begin(100, None);
            assert_eq!(records.of(NodeId(70)), None);
            for node in [70, 71] {
                records.write(NodeId(node), 5 + search, NodeId(node - 1), Arrival(14));
                records.mark(NodeId(node));
            }
            let record = Record { g: 5 + search, arrival: Arrival(14), closed: false };
            assert_eq!(records.with_parent(NodeId(70)), Some((record, NodeId(69))));
            records.close(NodeId(70), record);
            assert_eq!(records.of(NodeId(70)), Some(Record { closed: true, ..record }));
            assert_eq!(records.of(NodeId(71)), Some(record));
            assert_eq!((records.of(NodeId(72)), records.of(NodeId(1000))), (None, None));
        }
    }
}
