//! What a search remembers of each node, in twelve bytes and two bits.

use crate::cost::Cost;
use crate::id::NodeId;
use crate::search::expand::Arrival;

/// The top bit of a record's third number says "closed", four more are the arrival, the rest are the high bits of `g`.
const CLOSED: u32 = 1 << 31;
const ARRIVAL_SHIFT: u32 = 27;
const HIGH_MASK: u32 = (1 << ARRIVAL_SHIFT) - 1;

/// The largest cost that a record holds.
const MAX_G: u64 = (1 << (32 + ARRIVAL_SHIFT)) - 1;

/// From a node that costs more than this, a step may lead to a cost that does not fit.
pub(crate) const MAX_G_TO_EXPAND: u64 = MAX_G - Cost::MAX_EDGE.units();

/// Cost so far, parent and state of one node: `[low bits of g, parent, closed | arrival | high bits of g]`.
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
    pub arrival: Arrival,
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
        self.has(node).then(|| self.of_reached(node))
    }

    /// The record of a node that this search has reached.
    #[inline]
    pub fn of_reached(&self, node: NodeId) -> Record {
        let [low, parent, state] = self.packed[node.index()];
        Record {
            g: u64::from(state & HIGH_MASK) << 32 | u64::from(low),
            parent: NodeId(parent),
            arrival: Arrival((state >> ARRIVAL_SHIFT) as u8 & 15),
            closed: state & CLOSED != 0,
        }
    }

    /// The record of a node, if this search has reached it before; from now on it has. A record has to be written then.
    #[inline]
    pub fn reach(&mut self, node: NodeId) -> Option<Record> {
        let [bits, search] = &mut self.reached[node.index() / 64];
        let known = if *search == self.search { *bits } else { 0 };
        let bit = 1 << (node.0 % 64);
        if known & bit != 0 {
            return Some(self.of_reached(node));
        }
        (*bits, *search) = (known | bit, self.search);
        None
    }

    /// Writes down a way to a node that has been reached; it is open again.
    #[inline]
    pub fn write(&mut self, node: NodeId, g: u64, parent: NodeId, arrival: Arrival) {
        debug_assert!(g <= MAX_G);
        let state = (g >> 32) as u32 | u32::from(arrival.0) << ARRIVAL_SHIFT;
        self.packed[node.index()] = [g as u32, parent.0, state];
    }

    /// Reaches a node and writes down a way to it.
    pub fn set(&mut self, node: NodeId, g: u64, parent: NodeId, arrival: Arrival) {
        self.reach(node);
        self.write(node, g, parent, arrival);
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
        let mut record = Record { g: MAX_G, parent: NodeId(1), arrival: Arrival(15), closed: true };
        records.set(NodeId(2), record.g, record.parent, record.arrival);
        records.close(NodeId(2));
        assert_eq!(records.of(NodeId(2)), Some(record));
        record = Record { g: 5, parent: NodeId::NONE, arrival: Arrival(0), closed: false };
        assert!(records.reach(NodeId(2)).is_some());
        records.write(NodeId(2), record.g, record.parent, record.arrival);
        assert_eq!(records.of(NodeId(2)), Some(record));
        assert_eq!((records.of(NodeId(3)), records.of(NodeId(1000))), (None, None));
        records.begin(4);
        assert_eq!(records.of(NodeId(2)), None);
        assert_eq!(records.reach(NodeId(2)), None);
    }

    #[test]
    fn no_path_through_the_dearest_grid_overflows() {
        let cells = u64::from(crate::world::grid::Grid::MAX_SIDE).pow(2);
        assert!(cells * 255 * Cost::DIAGONAL.units() <= MAX_G_TO_EXPAND);
    }
}
