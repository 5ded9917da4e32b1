//! The cells of a small area as a graph.

use crate::core::estimate::Estimate;
use crate::core::expand::{Arrival, Expander};
use crate::cost::Cost;
use crate::graph::{Graph, ReverseGraph};
use crate::hierarchy::layout::Area;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::{GridView, Shape};

/// The rows of a window are numbered as if they were two to this power cells long: the longest side of a window.
const ROW_BITS: u32 = 7;

/// The longest side of a window, in cells.
const MAX_SIDE: i32 = 1 << ROW_BITS;

/// One more than the largest number in any window.
pub(super) const BOUND: usize = 1 << (2 * ROW_BITS);

/// An area of a grid whose cells have small numbers of their own. Edges that lead out of it are ignored.
///
/// The expander may leave out redundant steps: the paths that make them so lie in the rectangle around the cells that
/// they connect, so they are in the window too.
#[derive(Clone, Copy)]
pub(super) struct Window<'a, E> {
    grid: E,
    shape: &'a Shape,
    area: Area,
}

impl<'a, E> Window<'a, E> {
    pub fn new(grid: E, shape: &'a Shape, area: Area) -> Window<'a, E> {
        debug_assert!(area.side() <= MAX_SIDE);
        Window { grid, shape, area }
    }

    /// The number of a cell in the window.
    #[inline]
    fn number(&self, cell: Cell) -> NodeId {
        NodeId(((cell.y - self.area.top) << ROW_BITS | (cell.x - self.area.left)) as u32)
    }

    /// Returns the number in the window of a node of the grid that is inside.
    pub fn inner(&self, node: NodeId) -> NodeId {
        self.number(self.shape.cell(node))
    }

    /// Returns the node of the grid for a number of the window.
    #[inline]
    pub fn outer(&self, number: NodeId) -> NodeId {
        let x = self.area.left + (number.0 & (MAX_SIDE as u32 - 1)) as i32;
        let y = self.area.top + (number.0 >> ROW_BITS) as i32;
        self.shape.node(Cell { x, y })
    }
}

impl<E: Expander> Expander for Window<'_, E> {
    fn node_bound(&self) -> usize {
        BOUND
    }

    #[inline]
    fn expand(&self, node: NodeId, arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        self.grid.expand(self.outer(node), arrival, |to, cost, arrival| {
            let cell = self.shape.cell(to);
            if self.area.contains(cell) {
                emit(self.number(cell), cost, arrival);
            }
        });
    }

    #[inline]
    fn is_corridor(&self, node: NodeId) -> bool {
        self.grid.is_corridor(self.outer(node))
    }

    fn straight_before(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        let (before, cost) = self.grid.straight_before(self.outer(at), self.outer(next))?;
        let cell = self.shape.cell(before);
        self.area.contains(cell).then(|| (self.number(cell), cost))
    }
}

/// A grid with all edges reversed.
pub(super) struct Reversed<'a>(pub GridView<'a>);

impl Expander for Reversed<'_> {
    fn node_bound(&self) -> usize {
        Graph::node_bound(&self.0)
    }

    #[inline]
    fn expand(&self, node: NodeId, _arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        self.0.for_each_edge_into(node, |from, cost| emit(from, cost, Arrival(0)));
    }

    fn straight_before(&self, _at: NodeId, _next: NodeId) -> Option<(NodeId, Cost)> {
        None
    }
}

/// A heuristic for nodes of the grid, evaluated for numbers of a window.
pub(super) struct Inside<'a, E, H> {
    pub window: &'a Window<'a, E>,
    pub estimate: &'a H,
}

impl<E, H: Estimate> Estimate for Inside<'_, E, H> {
    #[inline]
    fn of(&self, number: NodeId) -> u64 {
        self.estimate.of(self.window.outer(number))
    }
}
