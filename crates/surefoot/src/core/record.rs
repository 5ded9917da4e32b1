//! What a search stores per node: eight bytes and two bits, and four more bytes where parents have to be kept.

use crate::core::expand::{ARRIVALS, Arrival, ArrivalSteps, START, STEP_ARRIVALS};
use crate::core::outcome::Visit;
use crate::cost::Cost;
use crate::id::NodeId;

/// A record is one number: from the top "closed", six bits of arrival, and `g`.
const CLOSED: u64 = 1 << 63;
const ARRIVAL_SHIFT: u32 = 57;

/// The largest cost that a record holds.
const MAX_G: u64 = (1 << ARRIVAL_SHIFT) - 1;

/// From a node that costs more than this, a step may lead to a cost that does not fit.
pub(crate) const MAX_G_TO_EXPAND: u64 = MAX_G - Cost::MAX_EDGE.units();

/// Where the loop keeps its records. Places are found once and used several times.
pub(crate) trait Memory {
    /// The place of a node that this search has reached.
    fn find(&self, node: NodeId) -> usize;

    /// The record at a place.
    fn record(&self, at: usize) -> Record;

    /// The parent of the node at a place, [`NodeId::NONE`] for a start.
    fn parent(&self, at: usize) -> NodeId;

    /// The place of a node, and its record if this search has reached it before; from now on it has. A record has to be written
    /// then, before anything else is reached.
    fn reach(&mut self, node: NodeId) -> (usize, Option<Record>);

    /// Records a path to the node at a place; it is open again.
    fn write(&mut self, at: usize, g: u64, parent: NodeId, arrival: Arrival);

    /// Closes the node at a place.
    fn close(&mut self, at: usize);

    /// The record of a node, if this search has reached it.
    fn of(&self, node: NodeId) -> Option<Record>;

    /// Bytes of memory held.
    fn bytes(&self) -> usize;
}

impl Memory for Records {
    #[inline]
    fn find(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn record(&self, at: usize) -> Record {
        self.of_reached(NodeId(at as u32))
    }

    #[inline]
    fn parent(&self, at: usize) -> NodeId {
        Records::parent(self, NodeId(at as u32))
    }

    #[inline]
    fn reach(&mut self, node: NodeId) -> (usize, Option<Record>) {
        (node.index(), Records::reach(self, node))
    }

    #[inline]
    fn write(&mut self, at: usize, g: u64, parent: NodeId, arrival: Arrival) {
        Records::write(self, NodeId(at as u32), g, parent, arrival);
    }

    #[inline]
    fn close(&mut self, at: usize) {
        Records::close(self, NodeId(at as u32));
    }

    fn of(&self, node: NodeId) -> Option<Record> {
        Records::of(self, node)
    }

    fn bytes(&self) -> usize {
        Records::bytes(self)
    }
}

/// One record per node, and a plane of bits for the nodes that this search has reached.
///
/// Most nodes that a search meets are new to it. The plane answers that from a few kilobytes that stay in the nearest cache, and
/// the record of a new node is only written, which stalls nothing; reading the records themselves would wait for memory each
/// time. Each word of the plane carries the number of the search it belongs to, so starting a search clears nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records {
    packed: Vec<u64>,
    /// Written only where the arrival does not tell the parent.
    parents: Vec<NodeId>,
    steps: Option<ArrivalSteps>,
    reached: Reached,
}

/// Which nodes a search has reached.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    /// For 64 nodes each: which have been reached, and in which search.
    words: Vec<[u64; 2]>,
    search: u64,
}

impl Reached {
    /// Forgets everything and makes room for nodes below `bound`.
    pub fn begin(&mut self, bound: usize) {
        if self.words.len() < bound.div_ceil(64) {
            self.words = vec![[0; 2]; bound.div_ceil(64)];
        }
        self.search += 1;
    }

    /// Returns whether this search has reached a node.
    #[inline]
    pub fn has(&self, node: NodeId) -> bool {
        let Some([bits, search]) = self.words.get(node.index() / 64) else { return false };
        *search == self.search && bits >> (node.0 % 64) & 1 == 1
    }

    /// Returns whether this search had reached a node before; from now on it has.
    #[inline]
    pub fn reach(&mut self, node: NodeId) -> bool {
        let [bits, search] = &mut self.words[node.index() / 64];
        let known = if *search == self.search { *bits } else { 0 };
        let bit = 1 << (node.0 % 64);
        if known & bit != 0 {
            return true;
        }
        (*bits, *search) = (known | bit, self.search);
        false
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<[u64; 2]>()
    }
}

/// A copy of a node's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub g: u64,
    pub arrival: Arrival,
    pub closed: bool,
}

impl Record {
    /// Returns the public data of the node, given its parent.
    pub fn visit(self, parent: NodeId) -> Visit {
        Visit { g: Cost::from_units(self.g), parent, closed: self.closed }
    }

    /// Returns the record as one number.
    #[inline]
    pub fn pack(self) -> u64 {
        debug_assert!(self.g <= MAX_G);
        self.g | u64::from(self.arrival.0) << ARRIVAL_SHIFT | if self.closed { CLOSED } else { 0 }
    }

    #[inline]
    pub fn unpack(packed: u64) -> Record {
        Record {
            g: packed & MAX_G,
            arrival: Arrival((packed >> ARRIVAL_SHIFT) as u8 % ARRIVALS as u8),
            closed: packed & CLOSED != 0,
        }
    }
}

impl Records {
    /// Forgets everything and makes room for nodes below `bound`. With `steps`, parents follow from arrivals and are not
    /// kept.
    pub fn begin(&mut self, bound: usize, steps: Option<ArrivalSteps>) {
        // Fresh zeroed blocks cost nothing until they are touched; growing in place would copy and fill.
        if self.packed.len() < bound {
            self.packed = vec![0; bound];
        }
        if self.parents.len() < bound && steps.is_none() {
            self.parents = vec![NodeId(0); bound];
        }
        self.steps = steps;
        self.reached.begin(bound);
    }

    /// Returns the record of a node, if this search has reached it.
    #[inline]
    pub fn of(&self, node: NodeId) -> Option<Record> {
        self.reached.has(node).then(|| self.of_reached(node))
    }

    /// Returns the record of a node that this search has reached.
    #[inline]
    pub fn of_reached(&self, node: NodeId) -> Record {
        Record::unpack(self.packed[node.index()])
    }

    /// Returns the record of a node and its parent, if this search has reached it.
    pub fn with_parent(&self, node: NodeId) -> Option<(Record, NodeId)> {
        Some((self.of(node)?, self.parent(node)))
    }

    /// Returns the parent of a node that this search has reached, [`NodeId::NONE`] for a start.
    #[inline]
    pub fn parent(&self, node: NodeId) -> NodeId {
        let arrival = self.of_reached(node).arrival;
        match &self.steps {
            _ if arrival == START => NodeId::NONE,
            Some(steps) => NodeId(node.0.wrapping_add_signed(-steps[arrival.0 as usize % STEP_ARRIVALS])),
            None => self.parents[node.index()],
        }
    }

    /// Returns the record of a node, if this search has reached it before; from now on it has. A record has to be written then.
    #[inline]
    pub fn reach(&mut self, node: NodeId) -> Option<Record> {
        if self.reached.reach(node) { Some(self.of_reached(node)) } else { None }
    }

    /// Records a path to a node that has been reached; it is open again.
    #[inline]
    pub fn write(&mut self, node: NodeId, g: u64, parent: NodeId, arrival: Arrival) {
        debug_assert!(g <= MAX_G);
        self.packed[node.index()] = g | u64::from(arrival.0) << ARRIVAL_SHIFT;
        if self.steps.is_none() {
            self.parents[node.index()] = parent;
        }
    }

    /// Closes a node that has a record.
    #[inline]
    pub fn close(&mut self, node: NodeId) {
        self.packed[node.index()] |= CLOSED;
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.packed.capacity() * size_of::<u64>()
            + self.parents.capacity() * size_of::<NodeId>()
            + self.reached.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_returns_what_was_written_and_only_in_its_own_search() {
        let mut records = Records::default();
        assert_eq!(records.of(NodeId(0)), None);
        records.begin(4, None);
        assert_eq!(records.reach(NodeId(2)), None);
        records.write(NodeId(2), MAX_G, NodeId(1), Arrival(14));
        records.close(NodeId(2));
        assert_eq!(records.of(NodeId(2)), Some(Record { g: MAX_G, arrival: Arrival(14), closed: true }));
        assert_eq!(records.parent(NodeId(2)), NodeId(1));
        assert!(records.reach(NodeId(2)).is_some());
        records.write(NodeId(2), 5, NodeId(3), Arrival(0));
        assert_eq!(records.of(NodeId(2)), Some(Record { g: 5, arrival: Arrival(0), closed: false }));
        assert_eq!((records.of(NodeId(3)), records.of(NodeId(1000))), (None, None));
        records.begin(4, None);
        assert_eq!(records.of(NodeId(2)), None);
        assert_eq!(records.reach(NodeId(2)), None);
    }

    #[test]
    fn parents_follow_from_arrivals_where_steps_are_known() {
        let mut steps = [0; STEP_ARRIVALS];
        steps[3] = -7;
        let mut records = Records::default();
        records.begin(20, Some(steps));
        records.reach(NodeId(9));
        records.write(NodeId(9), 0, NodeId::NONE, START);
        records.reach(NodeId(2));
        records.write(NodeId(2), 1, NodeId(9), Arrival(3));
        assert_eq!((records.parent(NodeId(9)), records.parent(NodeId(2))), (NodeId::NONE, NodeId(9)));
    }

    #[test]
    fn no_path_through_the_most_expensive_grid_overflows() {
        let cells = u64::from(crate::world::grid::Grid::MAX_SIDE).pow(2);
        assert!(cells * 255 * Cost::DIAGONAL.units() <= MAX_G_TO_EXPAND);
    }
}
