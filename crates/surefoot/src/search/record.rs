//! What a search remembers of each node, in twelve bytes.

use crate::id::NodeId;

/// Bits of `g` beyond the low 32, then one bit for "closed", then the epoch.
const HIGH_BITS: u32 = 12;
const CLOSED: u32 = 1 << HIGH_BITS;
const EPOCH_SHIFT: u32 = HIGH_BITS + 1;
const LAST_EPOCH: u32 = u32::MAX >> EPOCH_SHIFT;

/// The largest cost that a record holds: 740 million plain cells, more than a grid has.
pub(crate) const MAX_G: u64 = (1 << (32 + HIGH_BITS)) - 1;

/// Cost so far, parent and state of one node: `[low bits of g, parent, epoch | closed | high bits of g]`.
type Packed = [u32; 3];

/// One record a node. Records of earlier searches are told apart by their epoch, so starting a search clears nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records {
    packed: Vec<Packed>,
    epoch: u32,
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
            self.epoch = 0;
        }
        if self.epoch == LAST_EPOCH {
            self.packed.fill([0; 3]);
            self.epoch = 0;
        }
        self.epoch += 1;
    }

    /// The record of a node, if this search has reached it.
    #[inline]
    pub fn of(&self, node: NodeId) -> Option<Record> {
        let [low, parent, state] = *self.packed.get(node.index())?;
        (state >> EPOCH_SHIFT == self.epoch && self.epoch != 0).then(|| Record {
            g: u64::from(state & (CLOSED - 1)) << 32 | u64::from(low),
            parent: NodeId(parent),
            closed: state & CLOSED != 0,
        })
    }

    /// Writes down a way to a node; it is open again.
    #[inline]
    pub fn set(&mut self, node: NodeId, g: u64, parent: NodeId) {
        debug_assert!(g <= MAX_G);
        self.packed[node.index()] = [g as u32, parent.0, self.epoch << EPOCH_SHIFT | (g >> 32) as u32];
    }

    /// Closes a node that has a record.
    #[inline]
    pub fn close(&mut self, node: NodeId) {
        self.packed[node.index()][2] |= CLOSED;
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.packed.capacity() * size_of::<Packed>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;

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

    #[test]
    fn epochs_start_over_cleanly() {
        let mut records = Records::default();
        records.begin(1);
        records.set(NodeId(0), 1, NodeId::NONE);
        records.epoch = LAST_EPOCH;
        records.begin(1);
        assert_eq!((records.epoch, records.of(NodeId(0))), (1, None));
    }

    #[test]
    fn the_largest_grid_of_plain_cells_cannot_overflow() {
        let cells = u64::from(crate::world::grid::Grid::MAX_SIDE).pow(2);
        assert!(cells * Cost::DIAGONAL.units() <= MAX_G);
    }
}
