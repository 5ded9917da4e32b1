//! Bit planes: one bit per cell.

use crate::space::Cell;
use crate::world::grid::shape::Shape;
use crate::world::pages::Pages;

/// A set of cells as rows of 64-bit words, bit `x % 64` of word `x / 64`.
///
/// A row of zero words lies above and below, and each row ends in at least one zero bit, so that a scan runs into a
/// wall before it runs out of the map. Copies share the rows that neither of them has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitPlane {
    words: Pages<u64>,
    row_words: usize,
    width: u32,
    height: u32,
}

impl BitPlane {
    /// The empty set.
    pub fn new(width: u32, height: u32) -> BitPlane {
        let row_words = width as usize / 64 + 1;
        BitPlane {
            words: Pages::of(0, row_words * (height as usize + 2), row_words),
            row_words,
            width,
            height,
        }
    }

    /// Makes this set equal to another without sharing its memory, if both are of one size.
    pub fn copy_from(&mut self, other: &BitPlane) {
        self.words.copy_from(&other.words);
        (self.row_words, self.width, self.height) = (other.row_words, other.width, other.height);
    }

    /// The cells of a padded plane of bytes (see [`Shape`]) that are not zero.
    pub fn from_nonzero(shape: &Shape, bytes: &[u8]) -> BitPlane {
        let mut plane = BitPlane::new(shape.width(), shape.height());
        for y in 0..shape.height() as i32 {
            let first = shape.node(Cell { x: 0, y }).index();
            let row = &bytes[first..first + shape.width() as usize];
            for (word, chunk) in plane.row_mut(y).iter_mut().zip(row.chunks(64)) {
                let eights = chunk.chunks(8).map(nonzero_bits);
                *word = eights.rev().fold(0, |bits, eight| bits << 8 | u64::from(eight));
            }
        }
        plane
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    /// The words of a row; rows -1 and `height` exist and are empty.
    #[inline]
    pub fn row(&self, y: i32) -> &[u64] {
        self.words.row((y + 1) as usize)
    }

    /// A word of a row.
    #[inline]
    fn word(&self, y: i32, word: usize) -> u64 {
        self.words.get((y + 1) as usize * self.row_words + word)
    }

    /// The words of a row, to be changed. Bits beyond the width must stay zero.
    #[inline]
    pub fn row_mut(&mut self, y: i32) -> &mut [u64] {
        self.words.row_mut((y + 1) as usize)
    }

    /// Whether a cell is in the set; cells outside are not.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        (cell.x as u32) < self.width
            && (cell.y as u32) < self.height
            && self.word(cell.y, cell.x as usize / 64) >> (cell.x % 64) & 1 == 1
    }

    /// Whether all cells of a row from column `first` to column `last` are in the set. Both have to be inside.
    #[inline]
    pub fn has_run(&self, y: i32, first: i32, last: i32) -> bool {
        let (left, right) = (first as usize / 64, last as usize / 64);
        let (from, to) = (u64::MAX << (first % 64), u64::MAX >> (63 - last % 64));
        if left == right {
            return !self.word(y, left) & from & to == 0;
        }
        let row = self.row(y);
        !row[left] & from == 0 && !row[right] & to == 0 && row[left + 1..right].iter().all(|word| !word == 0)
    }

    /// Puts a cell that is inside into the set or takes it out.
    #[inline]
    pub fn set(&mut self, cell: Cell, present: bool) {
        let word = &mut self.row_mut(cell.y)[cell.x as usize / 64];
        let bit = 1 << (cell.x % 64);
        *word = if present { *word | bit } else { *word & !bit };
    }

    /// The same set with columns and rows exchanged.
    pub fn transposed(&self) -> BitPlane {
        let mut flipped = BitPlane::new(self.height, self.width);
        let row_words = flipped.row_words;
        let words = flipped.words.all_mut();
        for top in (0..self.height as i32).step_by(64) {
            for (column, left) in (0..self.width as i32).step_by(64).enumerate() {
                let mut block = [0; 64];
                let rows = (top..self.height as i32).zip(&mut block);
                rows.for_each(|(y, word)| *word = self.row(y)[column]);
                transpose_block(&mut block);
                for (x, word) in (left..self.width as i32).zip(block) {
                    words[(x + 1) as usize * row_words + top as usize / 64] = word;
                }
            }
        }
        flipped
    }

    /// How many cells are in the set.
    pub fn count(&self) -> usize {
        let rows = (0..self.height as i32).flat_map(|y| self.row(y));
        rows.map(|word| word.count_ones() as usize).sum()
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.words.bytes()
    }
}

/// Exchanges rows and columns of 64 x 64 bits: halves of the square, then quarters, and so on.
fn transpose_block(rows: &mut [u64; 64]) {
    let mut size = 32;
    let mut mask = u64::MAX >> 32;
    while size > 0 {
        let mut row = 0;
        while row < 64 {
            let swapped = (rows[row] >> size ^ rows[row + size]) & mask;
            rows[row] ^= swapped << size;
            rows[row + size] ^= swapped;
            row = (row + size + 1) & !size;
        }
        size /= 2;
        mask ^= mask << size;
    }
}

/// All bits but the top one of each byte.
const LOW_SEVEN: u64 = u64::from_le_bytes([0x7f; 8]);

/// Which of up to eight bytes are not zero, the first in the lowest bit.
fn nonzero_bits(bytes: &[u8]) -> u8 {
    let mut eight = [0; 8];
    eight[..bytes.len()].copy_from_slice(bytes);
    let eight = u64::from_le_bytes(eight);
    // The top bit of a byte is set if the byte has it or if adding 127 to the others carries into it.
    let tops = (((eight & LOW_SEVEN) + LOW_SEVEN) | eight) & !LOW_SEVEN;
    // Moves bit `8 i + 7` to bit `56 + i`; no two products collide.
    ((tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::random_maps;

    proptest! {
        #[test]
        fn every_byte_but_zero_is_a_bit(expected in random_maps::plane(), seed in 1..=255_u8) {
            let shape = Shape::new(expected.width(), expected.height());
            let mut bytes = vec![0; shape.node_bound()];
            for (index, cell) in shape.cells().enumerate().filter(|&(_, cell)| expected.contains(cell)) {
                bytes[shape.node(cell).index()] = (seed.wrapping_add(index as u8)).max(1);
            }
            prop_assert_eq!(BitPlane::from_nonzero(&shape, &bytes), expected);
        }

        #[test]
        fn a_run_is_full_if_all_its_cells_are_there(mut plane in random_maps::plane(), seed: u64) {
            // Long stretches, so that whole words are full.
            for cell in Shape::new(plane.width(), plane.height()).cells().filter(|cell| seed >> (cell.x / 9 % 64) & 1 == 1) {
                plane.set(cell, true);
            }
            for cell in Shape::new(plane.width(), plane.height()).cells() {
                let mut full = true;
                for last in cell.x..plane.width() as i32 {
                    full &= plane.contains(Cell::new(last, cell.y));
                    prop_assert_eq!(plane.has_run(cell.y, cell.x, last), full);
                }
            }
        }

        #[test]
        fn transposing_exchanges_columns_and_rows(plane in random_maps::plane()) {
            let flipped = plane.transposed();
            prop_assert_eq!((flipped.width(), flipped.height()), (plane.height(), plane.width()));
            for cell in Shape::new(plane.width(), plane.height()).cells() {
                prop_assert_eq!(flipped.contains(Cell::new(cell.y, cell.x)), plane.contains(cell));
            }
        }
    }
}
