//! The cells of a small area as a graph.

use crate::cost::Cost;
use crate::graph::{Graph, ReverseGraph};
use crate::hierarchy::layout::Area;
use crate::id::NodeId;
use crate::search::estimate::Estimate;
use crate::search::expand::{Arrival, Expander};
use crate::space::Cell;
use crate::world::grid::GridView;

/// Rows of a window are numbered as if they were so many cells long, as a power of two: the longest side of a window.
const ROW_BITS: u32 = 7;

/// The longest side of a window, in cells.
pub(super) const MAX_SIDE: i32 = 1 << ROW_BITS;

/// An area of a grid whose cells have small numbers of their own. Steps and links that lead out of it do not exist.
#[derive(Clone, Copy)]
pub(super) struct Window<'a> {
    view: GridView<'a>,
    area: Area,
    backwards: bool,
}

impl<'a> Window<'a> {
    pub fn new(view: &GridView<'a>, area: Area) -> Window<'a> {
        debug_assert!(area.side() <= MAX_SIDE);
        Window { view: *view, area, backwards: false }
    }

    /// The same cells with all edges turned round.
    pub fn backwards(self) -> Window<'a> {
        Window { backwards: true, ..self }
    }

    /// One more than the largest number in any window.
    pub const BOUND: usize = 1 << (2 * ROW_BITS);

    /// The number of a cell in the window.
    #[inline]
    fn number(&self, cell: Cell) -> NodeId {
        NodeId(((cell.y - self.area.top) << ROW_BITS | (cell.x - self.area.left)) as u32)
    }

    /// The number in the window of a node of the grid that is inside.
    pub fn inner(&self, node: NodeId) -> NodeId {
        self.number(self.view.grid().cell(node))
    }

    /// The node of the grid behind a number of the window.
    #[inline]
    pub fn outer(&self, number: NodeId) -> NodeId {
        let x = self.area.left + (number.0 & (MAX_SIDE as u32 - 1)) as i32;
        let y = self.area.top + (number.0 >> ROW_BITS) as i32;
        self.view.shape().node(Cell { x, y })
    }
}

impl Expander for Window<'_> {
    fn node_bound(&self) -> usize {
        Window::BOUND
    }

    #[inline]
    fn expand(&self, node: NodeId, _arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        let visit = |to: NodeId, cost: Cost| {
            let cell = self.view.shape().cell(to);
            if self.area.contains(cell) {
                emit(self.number(cell), cost, Arrival(0));
            }
        };
        if self.backwards {
            self.view.for_each_edge_into(self.outer(node), visit);
        } else {
            self.view.for_each_edge(self.outer(node), visit);
        }
    }

    fn straight_before(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        let (before, cost) = Graph::straight_before(&self.view, self.outer(at), self.outer(next))?;
        let cell = self.view.shape().cell(before);
        self.area.contains(cell).then(|| (self.number(cell), cost))
    }
}

/// An estimate for nodes of the grid, asked by numbers of a window.
pub(super) struct Inside<'a, H> {
    pub window: Window<'a>,
    pub estimate: H,
}

impl<H: Estimate> Estimate for Inside<'_, H> {
    #[inline]
    fn of(&self, number: NodeId) -> u64 {
        self.estimate.of(self.window.outer(number))
    }
}
