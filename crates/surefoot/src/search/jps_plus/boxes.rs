//! Goal bounding: the cells to which each first step of a cheapest path can lead.

use crate::space::Cell;
use crate::world::grid::Shape;

/// For each of the eight directions out of a cell, the box around all cells to which *some* cheapest path begins with a step
/// that way; one cache line. All ties count, since pruning by arrival may forbid one of several steps that are equally good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Boxes {
    left: [u16; 8],
    /// Columns after the first.
    width: [u16; 8],
    top: [u16; 8],
    /// Rows after the first.
    height: [u16; 8],
}

impl Boxes {
    /// Bytes in a file.
    pub const BYTES: usize = 64;

    /// Returns the directions whose box holds a cell, as a byte.
    #[inline]
    pub fn directions_to(&self, cell: Cell) -> u8 {
        let (x, y) = (cell.x as u16, cell.y as u16);
        // Eight at a time: how far the cell is outside is 0 in the boxes that hold it.
        let mut bits = [1_u16, 2, 4, 8, 16, 32, 64, 128];
        for (direction, bit) in bits.iter_mut().enumerate() {
            let across = x.wrapping_sub(self.left[direction]).saturating_sub(self.width[direction]);
            let down = y.wrapping_sub(self.top[direction]).saturating_sub(self.height[direction]);
            *bit = if across | down == 0 { *bit } else { 0 };
        }
        bits.into_iter().fold(0, |all, bit| all | bit) as u8
    }

    /// Returns the boxes of a cell from which, by node number, `first_steps` begin cheapest paths.
    pub fn around(shape: &Shape, first_steps: &[u8], memory: &mut Memory) -> Boxes {
        let Memory { columns, rows } = memory;
        columns.clear();
        columns.resize(shape.width() as usize, 0);
        rows.clear();
        for y in 0..shape.height() as i32 {
            let first = shape.node(Cell { x: 0, y }).index();
            let row = &first_steps[first..first + columns.len()];
            for (column, steps) in columns.iter_mut().zip(row) {
                *column |= steps;
            }
            rows.push(row.iter().fold(0, |all, steps| all | steps));
        }
        let (left, width) = span(columns);
        let (top, height) = span(rows);
        Boxes { left, width, top, height }
    }

    pub fn to_bytes(self) -> [u8; Boxes::BYTES] {
        let mut bytes = [0; Boxes::BYTES];
        let numbers = [self.left, self.width, self.top, self.height].into_iter().flatten();
        for (bytes, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
            *bytes = number.to_le_bytes();
        }
        bytes
    }

    pub fn from_bytes(bytes: &[u8; Boxes::BYTES]) -> Boxes {
        let (numbers, _) = bytes.as_chunks::<2>();
        let eight = |part: usize| std::array::from_fn(|at| u16::from_le_bytes(numbers[8 * part + at]));
        Boxes { left: eight(0), width: eight(1), top: eight(2), height: eight(3) }
    }
}

/// The directions seen in each column and in each row, kept from cell to cell.
#[derive(Clone, Default)]
pub(super) struct Memory {
    columns: Vec<u8>,
    rows: Vec<u8>,
}

/// For each direction the first place of a line that has it, and how far it is from there to the last one. No cell has the
/// coordinates of a direction that is nowhere.
fn span(line: &[u8]) -> ([u16; 8], [u16; 8]) {
    let (mut first, mut last) = ([u16::MAX; 8], [0; 8]);
    for (at, &directions) in (0_u16..).zip(line) {
        let mut rest = directions;
        while rest != 0 {
            let direction = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            first[direction] = first[direction].min(at);
            last[direction] = at;
        }
    }
    (first, std::array::from_fn(|direction| last[direction].saturating_sub(first[direction])))
}
