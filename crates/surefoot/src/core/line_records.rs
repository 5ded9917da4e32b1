//! What a search whose jumps are straight lines stores per node: a parent is a direction and a number of steps.
//!
//! This takes eight bytes per node instead of twelve, and each node that is reached touches one piece of memory less. In large
//! worlds memory access is the bottleneck of a search.

use crate::core::expand::{Arrival, START};
use crate::core::record::{Memory, Reached, Record};
use crate::id::NodeId;

/// A record is one number: from the top "closed", five bits of arrival, twelve that count steps, and `g`.
const CLOSED: u64 = 1 << 63;
const ARRIVAL_SHIFT: u32 = 58;
const STEPS_SHIFT: u32 = 46;
const ARRIVAL_MASK: u64 = 31;
const STEPS_MASK: u64 = (1 << (ARRIVAL_SHIFT - STEPS_SHIFT)) - 1;
const G_MASK: u64 = (1 << STEPS_SHIFT) - 1;

/// The arrival of a start in five bits.
const START_BITS: u64 = 31;

/// How many arrivals are directions.
pub(crate) const DIRECTIONS: usize = 27;

/// One record per node, and a plane of bits for the nodes that this search has reached, as in
/// [`Records`](crate::core::record::Records).
#[derive(Clone, Debug)]
pub(crate) struct LineRecords {
    packed: Vec<u64>,
    reached: Reached,
    /// By arrival: what a step adds to a node's number.
    offsets: [i32; DIRECTIONS],
    /// By arrival: the number of steps per difference of node numbers. Numbers are exact as floats, and so is the number of
    /// steps, once rounded. Multiplication is faster than division.
    steps_per_number: [f64; DIRECTIONS],
}

impl Default for LineRecords {
    fn default() -> LineRecords {
        let (offsets, steps_per_number) = ([1; DIRECTIONS], [1.0; DIRECTIONS]);
        LineRecords { packed: Vec::new(), reached: Reached::default(), offsets, steps_per_number }
    }
}

impl LineRecords {
    /// Forgets everything and makes room for nodes below `bound`. Arrivals are numbers of directions; by direction, `offsets` says what
    /// a step adds to a node's number.
    pub fn begin(&mut self, bound: usize, offsets: &[i32; DIRECTIONS]) {
        // Fresh zeroed blocks cost nothing until they are touched.
        if self.packed.len() < bound {
            self.packed = vec![0; bound];
        }
        self.offsets = *offsets;
        self.steps_per_number = offsets.map(|offset| f64::from(offset).recip());
        self.reached.begin(bound);
    }
}

impl Memory for LineRecords {
    #[inline]
    fn find(&self, node: NodeId) -> usize {
        node.index()
    }

    #[inline]
    fn record(&self, at: usize) -> Record {
        let packed = self.packed[at];
        let arrival = packed >> ARRIVAL_SHIFT & ARRIVAL_MASK;
        Record {
            g: packed & G_MASK,
            arrival: if arrival == START_BITS { START } else { Arrival(arrival as u8) },
            closed: packed & CLOSED != 0,
        }
    }

    #[inline]
    fn parent(&self, at: usize) -> NodeId {
        let packed = self.packed[at];
        let arrival = (packed >> ARRIVAL_SHIFT & ARRIVAL_MASK) as usize;
        match self.offsets.get(arrival) {
            Some(offset) => {
                let steps = (packed >> STEPS_SHIFT & STEPS_MASK) as i32;
                NodeId((at as u32).wrapping_add_signed(-offset * steps))
            }
            None => NodeId::NONE,
        }
    }

    #[inline]
    fn reach(&mut self, node: NodeId) -> (usize, Option<Record>) {
        let known = self.reached.reach(node);
        (node.index(), if known { Some(self.record(node.index())) } else { None })
    }

    #[inline]
    fn write(&mut self, at: usize, g: u64, parent: NodeId, arrival: Arrival) {
        debug_assert!(g <= G_MASK);
        let steps = match self.steps_per_number.get(usize::from(arrival.0)) {
            Some(&steps) => ((at as i64 - i64::from(parent.0)) as f64 * steps + 0.5) as u64,
            None => 0,
        };
        debug_assert!(steps <= STEPS_MASK);
        let arrival = u64::from(arrival.0).min(START_BITS);
        self.packed[at] = g | steps << STEPS_SHIFT | arrival << ARRIVAL_SHIFT;
    }

    #[inline]
    fn close(&mut self, at: usize) {
        self.packed[at] |= CLOSED;
    }

    fn of(&self, node: NodeId) -> Option<Record> {
        self.reached.has(node).then(|| self.record(node.index()))
    }

    fn bytes(&self) -> usize {
        self.packed.capacity() * size_of::<u64>() + self.reached.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::voxels::{Voxels, cost_along};

    #[test]
    fn parents_are_found_along_lines() {
        let mut offsets = [1; DIRECTIONS];
        (offsets[3], offsets[25]) = (-7, 11);
        let mut records = LineRecords::default();
        assert_eq!(records.of(NodeId(3)), None);
        records.begin(5000, &offsets);
        let ways = [
            (9, NodeId::NONE, START, 0),
            (2, NodeId(9), Arrival(3), 5),
            (4409, NodeId(9), Arrival(25), G_MASK),
        ];
        for (node, parent, arrival, g) in ways {
            assert_eq!(records.reach(NodeId(node)), (node as usize, None));
            records.write(node as usize, g, parent, arrival);
            assert_eq!(records.of(NodeId(node)), Some(Record { g, arrival, closed: false }));
            records.close(node as usize);
            assert_eq!(records.reach(NodeId(node)).1, Some(Record { g, arrival, closed: true }));
            assert_eq!(records.parent(node as usize), parent);
        }
        records.begin(5000, &offsets);
        assert_eq!(records.of(NodeId(9)), None);
    }

    #[test]
    fn no_line_and_no_path_is_too_long() {
        assert!(u64::from(Voxels::MAX_SIDE) <= STEPS_MASK + 1);
        // A cheapest path leaves a cell between two of its stretches.
        assert!(Voxels::MAX_CELLS / 2 * cost_along(3).units() <= G_MASK);
    }
}
