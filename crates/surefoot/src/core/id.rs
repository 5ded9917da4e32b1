//! Dense node numbers.
//!
//! ```
//! use surefoot::prelude::*;
//! let grid = Grid::new(9, 9).unwrap();
//! let node = grid.node(Cell::new(3, 4)).unwrap();
//! assert_eq!(grid.cell(node), Cell::new(3, 4));
//! ```

use std::fmt;

/// The number of a node in a graph, below [`Graph::node_bound`](crate::graph::Graph::node_bound).
///
/// Numbers are dense, so searches can keep their state in flat arrays. Only the world that a number comes from knows what it
/// means: a grid turns it into a [`Cell`](crate::space::Cell), a waypoint graph into a position.
///
/// ```
/// use surefoot::id::NodeId;
/// assert_eq!(NodeId(7).index(), 7);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct NodeId(pub u32);

impl NodeId {
    /// No node. The parent of a start.
    pub const NONE: NodeId = NodeId(u32::MAX);

    /// Returns the number as an index into a flat array.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == NodeId::NONE { f.write_str("n-") } else { write!(f, "n{}", self.0) }
    }
}
