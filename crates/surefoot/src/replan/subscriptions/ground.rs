//! How places are numbered for the index: in blocks of 64.

use crate::id::NodeId;
use crate::replan::subscriptions::flight::Place;
use crate::space::Cell;
use crate::world::grid::Shape;
use crate::world::view::View;

/// Cells along a side of a block.
const SIDE: i32 = 8;

/// What has to stay the same for an index to stay of use: the numbering of the nodes.
///
/// Nodes are gathered in blocks of 64, so that a set of nodes of one block is a word. On grids blocks are squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ground {
    Grid(Shape),
    Graph { nodes: usize },
}

impl Ground {
    pub fn of(view: &View<'_>) -> Ground {
        match view {
            View::Grid(view) => Ground::Grid(*view.shape()),
            View::Graph(graph) => Ground::Graph { nodes: graph.node_count() },
            View::Voxels(view) => Ground::Graph { nodes: view.shape().node_bound() },
        }
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        match self {
            Ground::Grid(shape) => (columns(shape) * shape.height().div_ceil(SIDE as u32)) as usize,
            Ground::Graph { nodes } => nodes.div_ceil(64),
        }
    }

    /// The block of a node and its number there; `None` if there is no such node.
    #[inline]
    pub fn spot(&self, node: NodeId) -> Option<(u32, u32)> {
        match self {
            Ground::Grid(shape) => {
                let exists = node.index().wrapping_sub(1) < shape.node_bound();
                let cell = exists.then(|| shape.cell(node)).filter(|&cell| shape.contains(cell))?;
                let (column, row) = ((cell.x / SIDE) as u32, (cell.y / SIDE) as u32);
                Some((row * columns(shape) + column, (cell.y % SIDE * SIDE + cell.x % SIDE) as u32))
            }
            Ground::Graph { nodes } => (node.index() < *nodes).then_some((node.0 / 64, node.0 % 64)),
        }
    }

    /// Where nodes are, if that can be told from their numbers.
    pub fn places(&self, nodes: [NodeId; 2]) -> Option<[Place; 2]> {
        match self {
            Ground::Grid(shape) => Some(nodes.map(|node| Place::of(shape.cell(node)))),
            Ground::Graph { .. } => None,
        }
    }

    /// The nodes at most so many columns and rows from a node of a grid (of a graph: just the node), block by block.
    pub fn around(&self, node: NodeId, distance: i32, mut visit: impl FnMut(u32, u64)) {
        let Ground::Grid(shape) = self else {
            if let Some((block, bit)) = self.spot(node) {
                visit(block, 1 << bit);
            }
            return;
        };
        let Cell { x, y } = shape.cell(node);
        let span = |at: i32, side: u32| ((at - distance).max(0), (at + distance).min(side as i32 - 1));
        let ((left, right), (top, bottom)) = (span(x, shape.width()), span(y, shape.height()));
        for row in top / SIDE..=bottom / SIDE {
            // Bits of the block's rows, one in eight; multiplied by a byte, they repeat it in each of these rows.
            let rows = bits(top - row * SIDE, bottom - row * SIDE);
            let rows =
                (0..SIDE).filter(|bit| rows >> bit & 1 == 1).fold(0, |all, bit| all | 1_u64 << (SIDE * bit));
            for column in left / SIDE..=right / SIDE {
                let byte = bits(left - column * SIDE, right - column * SIDE);
                visit(row as u32 * columns(shape) + column as u32, rows * byte);
            }
        }
    }
}

/// How many blocks a row of blocks has.
fn columns(shape: &Shape) -> u32 {
    shape.width().div_ceil(SIDE as u32)
}

/// A byte with the bits from `first` to `last` set, as far as they are in it.
fn bits(first: i32, last: i32) -> u64 {
    let (first, last) = (first.max(0), last.min(SIDE - 1));
    (1_u64 << (last + 1)) - (1_u64 << first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_around_a_cell_are_found_in_their_blocks() {
        for (width, height) in [(1, 1), (8, 8), (19, 21)] {
            let shape = Shape::new(width, height);
            let ground = Ground::Grid(shape);
            for (cell, distance) in shape.cells().flat_map(|cell| [0, 1, 2, 9, 40].map(|far| (cell, far))) {
                let mut found = Vec::new();
                ground.around(shape.node(cell), distance, |block, nodes| found.push((block, nodes)));
                assert!(found.iter().all(|&(block, nodes)| (block as usize) < ground.blocks() && nodes != 0));
                for other in shape.cells() {
                    let near = (other.x - cell.x).abs().max((other.y - cell.y).abs()) <= distance;
                    let (block, bit) = ground.spot(shape.node(other)).unwrap();
                    let marks = found.iter().filter(|(at, nodes)| *at == block && nodes >> bit & 1 == 1);
                    assert_eq!(marks.count(), usize::from(near), "{cell:?} {distance} {other:?}");
                }
            }
        }
    }

    #[test]
    fn numbers_that_are_no_nodes_have_no_place() {
        let ground = Ground::Grid(Shape::new(3, 2));
        let places =
            (0..=u32::from(u16::MAX)).chain([u32::MAX]).filter(|&node| ground.spot(NodeId(node)).is_some());
        assert_eq!(places.count(), 6);
        assert_eq!(Ground::Graph { nodes: 65 }.spot(NodeId(65)), None);
        assert_eq!(Ground::Graph { nodes: 65 }.spot(NodeId(64)), Some((1, 0)));
    }
}
