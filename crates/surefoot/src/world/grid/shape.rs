//! How cells are numbered.

use crate::id::NodeId;
use crate::space::Cell;

/// The size of a grid and the numbering of its cells.
///
/// Rows are `width + 1` numbers long and one row of numbers lies above and below, so every cell has eight neighbours
/// with valid numbers: the ones outside are never open. The spare number at the end of a row is the left neighbour of
/// the next row's first cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    width: u32,
    height: u32,
    stride: u32,
    /// `2^RECIPROCAL_SHIFT / stride`, rounded up: dividing by the stride is a multiplication.
    reciprocal: u64,
}

/// Enough bits for an exact quotient: a number is below `stride * 2^15` and the stride below `2^15`, so the rounding
/// error of the reciprocal, once multiplied, stays below `2^-1 / stride`.
const RECIPROCAL_SHIFT: u32 = 46;

impl Shape {
    pub fn new(width: u32, height: u32) -> Shape {
        let stride = width + 1;
        Shape { width, height, stride, reciprocal: (1 << RECIPROCAL_SHIFT) / u64::from(stride) + 1 }
    }

    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    #[inline]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The number difference between a cell and the one below it.
    #[inline]
    pub fn stride(&self) -> u32 {
        self.stride
    }

    #[inline]
    pub fn node_bound(&self) -> usize {
        self.stride as usize * (self.height as usize + 2) + 1
    }

    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        (cell.x as u32) < self.width && (cell.y as u32) < self.height
    }

    /// The number of a cell that is inside.
    #[inline]
    pub fn node(&self, cell: Cell) -> NodeId {
        debug_assert!(self.contains(cell));
        NodeId((cell.y as u32 + 1) * self.stride + cell.x as u32 + 1)
    }

    /// The cell of a number between 1 and the bound; for numbers on the border that cell is outside. Any other number gives
    /// some cell.
    #[inline]
    pub fn cell(&self, node: NodeId) -> Cell {
        let position = node.0.wrapping_sub(1);
        let row = (u64::from(position).wrapping_mul(self.reciprocal) >> RECIPROCAL_SHIFT) as u32;
        Cell {
            x: position.wrapping_sub(row.wrapping_mul(self.stride)) as i32,
            y: (row as i32).wrapping_sub(1),
        }
    }

    /// Every cell, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.width as i32, self.height as i32);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell { x, y }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::grid::Grid;

    #[test]
    fn numbers_and_cells_are_inverse_for_awkward_sizes() {
        let max = Grid::MAX_SIDE;
        for (width, height) in [(1, 1), (1, max), (max, 1), (63, 65), (64, 64), (max, max), (4095, 77)] {
            let shape = Shape::new(width, height);
            let xs = [0, 1, width / 2, width.saturating_sub(2), width - 1];
            let ys = [0, 1, height / 2, height.saturating_sub(2), height - 1];
            for (x, y) in xs.into_iter().flat_map(|x| ys.map(|y| (x.min(width - 1), y.min(height - 1)))) {
                let cell = Cell::new(x as i32, y as i32);
                assert_eq!(shape.cell(shape.node(cell)), cell, "{width} x {height}");
                assert!(shape.node(cell).index() + shape.stride() as usize + 1 < shape.node_bound());
                assert!(shape.node(cell).index() > shape.stride() as usize);
            }
        }
        let small = Shape::new(5, 3);
        for cell in small.cells() {
            assert_eq!(small.cell(small.node(cell)), cell);
        }
    }
}
