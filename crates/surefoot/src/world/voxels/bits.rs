//! A set of cells, one bit each.

use std::ops::Range;

use crate::id::NodeId;
use crate::space::Voxel;
use crate::world::voxels::shape::Shape;

/// Bits before the first number, so that a window that ends there can be read.
const FRONT: usize = 64;
/// The minimum number of bits in a window, regardless of its first bit.
pub(crate) const WINDOW: u32 = 57;

/// A set of cells by number, border included: cells beside the world are never in it.
///
/// Rows are as long as the shape makes them, not whole words, so a cell's number is its place. Memory is read eight bytes at a
/// time from any byte on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitVolume {
    bytes: Vec<u8>,
}

impl BitVolume {
    /// No cells.
    pub fn new(shape: &Shape) -> BitVolume {
        BitVolume { bytes: vec![0; (shape.node_bound() + 2 * FRONT).div_ceil(8) + 8] }
    }

    /// Every cell of the world.
    pub fn full(shape: &Shape) -> BitVolume {
        let mut volume = BitVolume::new(shape);
        let words = vec![u64::MAX; shape.size()[0].div_ceil(64) as usize];
        for (y, z) in shape.rows() {
            volume.write_row(shape, y, z, &words);
        }
        volume
    }

    /// The bits from a number on, at least [`WINDOW`] of them. The number may be up to 64 below zero.
    #[inline]
    pub fn window(&self, first: i64) -> u64 {
        let bit = (first + FRONT as i64) as usize;
        let bytes = &self.bytes[bit / 8..bit / 8 + 8];
        u64::from_le_bytes(bytes.try_into().unwrap_or_default()) >> (bit % 8)
    }

    /// Whether all cells from one number to another are in the set.
    #[inline]
    pub fn has_run(&self, first: u32, last: u32) -> bool {
        let (mut at, mut left) = (i64::from(first), last - first + 1);
        while left > WINDOW {
            if !self.window(at) << (64 - WINDOW) != 0 {
                return false;
            }
            at += i64::from(WINDOW);
            left -= WINDOW;
        }
        !self.window(at) << (64 - left) == 0
    }

    /// Whether a cell is in the set.
    #[inline]
    pub fn has(&self, node: NodeId) -> bool {
        let bit = node.index() + FRONT;
        self.bytes.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
    }

    /// Whether a cell is in the set; cells outside are not.
    #[inline]
    pub fn contains(&self, shape: &Shape, voxel: Voxel) -> bool {
        shape.contains(voxel) && self.has(shape.node(voxel))
    }

    /// Puts a cell of the world into the set or takes it out.
    #[inline]
    pub fn set(&mut self, node: NodeId, present: bool) {
        let bit = node.index() + FRONT;
        let mask = 1 << (bit % 8);
        let byte = &mut self.bytes[bit / 8];
        *byte = if present { *byte | mask } else { *byte & !mask };
    }

    /// Which cells of the 3 x 3 x 3 around a cell are in the set; bits as [`Step`](super::step::Step) numbers them.
    #[inline]
    pub fn around(&self, shape: &Shape, node: NodeId) -> u32 {
        let [_, row, layer] = shape.strides();
        let mut around = 0;
        let mut first = (node.index() + FRONT) as u32 - layer - row - 1;
        for z in 0..3 {
            let mut at = first;
            for y in 0..3 {
                let byte = (at / 8) as usize;
                let two: [u8; 2] = self.bytes[byte..byte + 2].try_into().unwrap_or_default();
                around |= (u32::from(u16::from_le_bytes(two)) >> (at % 8) & 7) << (9 * z + 3 * y);
                at += row;
            }
            first += layer;
        }
        around
    }

    /// Copies a row into whole words, the first cell in the lowest bit; a row outside the world is empty.
    pub fn read_row(&self, shape: &Shape, y: i32, z: i32, words: &mut [u64]) {
        let [width, height, layers] = shape.size();
        if y as u32 >= height || z as u32 >= layers {
            words.fill(0);
            return;
        }
        let first = i64::from(shape.node(Voxel { x: 0, y, z }).0);
        for (word, at) in words.iter_mut().zip((0..i64::from(width)).step_by(64)) {
            let (low, high) = (self.window(first + at), self.window(first + at + 32));
            let left = i64::from(width) - at;
            let valid = if left < 64 { (1 << left) - 1 } else { u64::MAX };
            *word = (low & u64::from(u32::MAX) | high << 32) & valid;
        }
    }

    /// Overwrites a row of the world. Bits beyond the world's width are left out.
    pub fn write_row(&mut self, shape: &Shape, y: i32, z: i32, words: &[u64]) {
        let (first, width) = (shape.node(Voxel { x: 0, y, z }).0, shape.size()[0]);
        for (word, at) in words.iter().zip((0..width).step_by(64)) {
            self.write_bits(NodeId(first + at), (width - at).min(64) as usize, *word);
        }
    }

    /// Overwrites the bits of some cells in a row, up to 64.
    pub fn write_bits(&mut self, first: NodeId, count: usize, value: u64) {
        let bit = first.index() + FRONT;
        let range: Range<usize> = bit / 8..bit / 8 + 9;
        let mut nine = [0; 16];
        nine[..9].copy_from_slice(&self.bytes[range.clone()]);
        let mask = (u128::MAX >> (128 - count)) << (bit % 8);
        let old = u128::from_le_bytes(nine);
        let new = old & !mask | (u128::from(value) << (bit % 8)) & mask;
        self.bytes[range].copy_from_slice(&new.to_le_bytes()[..9]);
    }

    /// How many cells are in the set.
    pub fn count(&self) -> usize {
        self.bytes.iter().map(|byte| byte.count_ones() as usize).sum()
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::voxels::random_worlds;
    use crate::world::voxels::step::Step;

    proptest! {
        #[test]
        fn rows_windows_and_neighbours_say_the_same_as_single_cells(voxels in random_worlds::small()) {
            let shape = *voxels.shape();
            let volume = voxels.base().open();
            let words = shape.size()[0].div_ceil(64) as usize;
            let mut copy = BitVolume::new(&shape);
            for (y, z) in shape.rows() {
                let mut row = vec![u64::MAX; words];
                volume.read_row(&shape, y, z, &mut row);
                for x in 0..(words * 64) as i32 {
                    let bit = row[x as usize / 64] >> (x % 64) & 1 == 1;
                    prop_assert_eq!(bit, volume.contains(&shape, Voxel { x, y, z }));
                }
                let number = |x: i32| shape.node(Voxel { x, y, z }).0;
                let width = shape.size()[0] as i32;
                for first in (0..width).step_by(9) {
                    let open = |last: i32| volume.contains(&shape, Voxel { x: last, y, z });
                    let end = (first..width).find(|&x| !open(x)).unwrap_or(width);
                    for last in first..width {
                        prop_assert_eq!(volume.has_run(number(first), number(last)), last < end);
                    }
                }
                copy.write_row(&shape, y, z, &row);
            }
            prop_assert_eq!(&copy, volume);
            for voxel in shape.cells() {
                let node = shape.node(voxel);
                let around = volume.around(&shape, node);
                for step in Step::ALL {
                    let [dx, dy, dz] = step.delta();
                    let open = volume.contains(&shape, voxel.offset(dx, dy, dz));
                    prop_assert_eq!(around >> step.number() & 1 == 1, open);
                }
                let window = volume.window(i64::from(node.0));
                for ahead in 0..WINDOW.min(shape.size()[0] - voxel.x as u32 + 1) {
                    let open = volume.contains(&shape, voxel.offset(ahead as i32, 0, 0));
                    prop_assert_eq!(window >> ahead & 1 == 1, open);
                }
            }
        }
    }
}
