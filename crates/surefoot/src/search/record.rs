//! What a search remembers of each node, in twelve bytes and two bits.

use crate::id::NodeId;

/// The top bit of a record's third number says "closed", the rest are the high bits of `g`.
const CLOSED: u32 = 1 << 31;

/// The largest cost that a record holds.
pub(crate) const MAX_G: u64 = (1 << 63) - 1;

/// Cost so far, parent and state of one node: `[low bits of g, parent, closed | high bits of g]`.
type Packed = [u32; 3];

/// One record a node, and a plane of bits that says which nodes this search has reached.
///
/// Most nodes that a search meets are new to it. The plane answers that from a few kilobytes that stay in the nearest
/// cache, and the record of a new node is only written, which nobody waits for; asking the records themselves would wait
/// for memory each time. Each word of the plane carries the number of the search it belongs to, so starting a search clears
/// nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records {
    packed: Vec<Packed>,
    /// For 64 nodes each: which have been reached, and in which search.
    reached: Vec<[u64; 2]>,
    search: u64,
}

/// A copy of a node's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub g: u64,
    pub parent: NodeId,
    pub closed: bool,
}

impl Records {
    /// Forgets everything and makes room for nodes below `bound`.
    pub fn begin(&mut self, bound: usize) {
        if self.packed.len() < bound {
            // A fresh zeroed block costs nothing until it is touched; growing in place would copy and fill.
            self.packed = vec![[0; 3]; bound];
            self.reached = vec![[0; 2]; bound.div_ceil(64)];
        }
        self.search += 1;
    }

    /// Whether this search has reached a node.
    #[inline]
    fn has(&self, node: NodeId) -> bool {
        let Some([bits, search]) = self.reached.get(node.index() / 64) else { return false };
        *search == self.search && bits >> (node.0 % 64) & 1 == 1
    }

    /// The record of a node, if this search has reached it.
    #[inline]
    pub fn of(&self, node: NodeId) -> Option<Record> {
        if !self.has(node) {
            return None;
        }
        let [low, parent, state] = *self.packed.get(node.index())?;
        Some(Record {
            g: u64::from(state & !CLOSED) << 32 | u64::from(low),
            parent: NodeId(parent),
            closed: state & CLOSED != 0,
        })
    }

    /// Writes down a way to a node; it is open again.
    #[inline]
    pub fn set(&mut self, node: NodeId, g: u64, parent: NodeId) {
        debug_assert!(g <= MAX_G);
        let [bits, search] = &mut self.reached[node.index() / 64];
        if *search != self.search {
            (*bits, *search) = (0, self.search);
        }
        *bits |= 1 << (node.0 % 64);
        self.packed[node.index()] = [g as u32, parent.0, (g >> 32) as u32];
    }

    /// Closes a node that has a record.
    #[inline]
    pub fn close(&mut self, node: NodeId) {
        self.packed[node.index()][2] |= CLOSED;
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.packed.capacity() * size_of::<Packed>() + self.reached.capacity() * size_of::<[u64; 2]>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_returns_what_was_written_and_only_in_its_own_search() {
        let mut records = Records::default();
        assert_eq!(records.of(NodeId(0)), None);
        records.begin(4);
        records.set(NodeId(2), MAX_G, NodeId(1));
        records.close(NodeId(2));
        assert_eq!(records.of(NodeId(2)), Some(Record { g: MAX_G, parent: NodeId(1), closed: true }));
        records.set(NodeId(2), 5, NodeId::NONE);
        assert_eq!(records.of(NodeId(2)), Some(Record { g: 5, parent: NodeId::NONE, closed: false }));
        assert_eq!(records.of(NodeId(3)), None);
        records.begin(4);
        assert_eq!(records.of(NodeId(2)), None);
    }
}
