//! How the cells of a voxel world are numbered.

use crate::id::NodeId;
use crate::space::Voxel;

/// The size of a world and the numbering of its cells.
///
/// Rows run along x and are one number longer than the world is wide, layers one row longer than it is deep, and a layer of
/// numbers lies below and above, so every cell has 26 neighbours with valid numbers: the ones outside are never open. Cells
/// are bits of a [`BitVolume`](super::bits::BitVolume) at the very same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    size: [u32; 3],
    row: Divisor,
    rows: Divisor,
    layer: u32,
}

/// A number to divide by: a multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Divisor {
    value: u32,
    /// `2^64 / value`, rounded up. Exact for all 32-bit numbers, since the error times such a number stays below 1.
    reciprocal: u64,
}

impl Divisor {
    /// For a divisor of at least 2.
    fn new(value: u32) -> Divisor {
        Divisor { value, reciprocal: u64::MAX / u64::from(value) + 1 }
    }

    /// The quotient and the rest.
    #[inline]
    fn split(self, number: u32) -> (u32, u32) {
        let quotient = ((u128::from(number) * u128::from(self.reciprocal)) >> 64) as u32;
        (quotient, number - quotient * self.value)
    }
}

impl Shape {
    pub fn new(size: [u32; 3]) -> Shape {
        let [x, y, _] = size;
        Shape { size, row: Divisor::new(x + 1), rows: Divisor::new(y + 1), layer: (x + 1) * (y + 1) }
    }

    #[inline]
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// By axis: the number difference between a cell and the next one.
    #[inline]
    pub fn strides(&self) -> [u32; 3] {
        [1, self.row.value, self.layer]
    }

    /// What to add to a cell's number to get to another cell.
    #[inline]
    pub fn offset(&self, [dx, dy, dz]: [i32; 3]) -> i32 {
        dx + dy * self.row.value as i32 + dz * self.layer as i32
    }

    pub fn node_bound(&self) -> usize {
        self.layer as usize * (self.size[2] as usize + 2) + self.row.value as usize + 2
    }

    #[inline]
    pub fn contains(&self, voxel: Voxel) -> bool {
        let [x, y, z] = self.size;
        (voxel.x as u32) < x && (voxel.y as u32) < y && (voxel.z as u32) < z
    }

    /// The number of a cell that is inside or just beside the world.
    #[inline]
    pub fn node(&self, voxel: Voxel) -> NodeId {
        let numbers = [voxel.x, voxel.y, voxel.z].map(|index| (index + 1) as u32);
        NodeId(numbers[2] * self.layer + numbers[1] * self.row.value + numbers[0])
    }

    /// The cell of a number between 1 and the bound; for numbers on the border that cell is outside. Any other number gives
    /// some cell.
    #[inline]
    pub fn voxel(&self, node: NodeId) -> Voxel {
        let (row, x) = self.row.split(node.0.wrapping_sub(1));
        let (z, y) = self.rows.split(row);
        Voxel { x: x as i32, y: y as i32 - 1, z: z as i32 - 1 }
    }

    /// The rows of cells as `(y, z)`, layer by layer.
    pub fn rows(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let [_, y, z] = self.size.map(|side| side as i32);
        (0..z).flat_map(move |z| (0..y).map(move |y| (y, z)))
    }

    /// Every cell: along rows, row by row, layer by layer.
    pub fn cells(&self) -> impl Iterator<Item = Voxel> + use<> {
        let width = self.size[0] as i32;
        self.rows().flat_map(move |(y, z)| (0..width).map(move |x| Voxel { x, y, z }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::voxels::Voxels;

    #[test]
    fn numbers_and_cells_are_inverse_for_awkward_sizes() {
        let max = Voxels::MAX_SIDE;
        for size in [[1, 1, 1], [max, 1, 1], [1, max, 1], [1, 1, max], [63, 64, 65], [640, 640, 640]] {
            let shape = Shape::new(size);
            let ends = size.map(|side| [0, side as i32 / 2, side as i32 - 1]);
            for (x, y) in ends[0].into_iter().flat_map(|x| ends[1].map(|y| (x, y))) {
                for z in ends[2] {
                    let voxel = Voxel { x, y, z };
                    let node = shape.node(voxel);
                    assert_eq!(shape.voxel(node), voxel, "{size:?}");
                    let corner = shape.offset([1, 1, 1]) as usize;
                    assert!(node.index() >= corner && node.index() + corner < shape.node_bound());
                }
            }
        }
        let small = Shape::new([3, 2, 4]);
        assert_eq!(small.cells().count(), 24);
        assert!(small.cells().all(|voxel| small.voxel(small.node(voxel)) == voxel));
    }
}
