//! Where the cells of a grid are no longer as they were when its jump planes were built.
//!
//! In the open, closing one cell makes every line that passes it in the next rows and columns lead to a stop, and every fan that
//! crosses these lines has something to do there. To write that down cell by cell would take longer than many searches. It is
//! therefore marked by tiles of 64 x 64 cells: which rows and columns of a tile have changed. A search that follows a fan goes from
//! mark to mark within a tile and looks at the planes of bits there, which are up to date. A mark goes away as soon as its line is
//! again what it was.
//!
//! A fan stops at a mark only where there is probably something to do for it, so marks cost a search little, however many there are.
//! Fans still stop where there once was something to do. Once that is a good part of all lines, or many cells differ, the planes are
//! built anew.

use crate::space::Cell;
use crate::world::grid::direction::Direction;
use crate::world::grid::shape::Shape;
use crate::world::pages::Pages;

/// The marks of 64 x 64 cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tile {
    /// The rows in which a cell or a neighbour of one is no longer what it was: open or closed.
    rows: u64,
    /// By straight direction: the rows, or for north and south the columns, in which a line from some cell meets a stop now and
    /// did not before.
    leads: [u64; 4],
}

impl Tile {
    /// Whether there may be cells in the row of a cell whose neighbours have changed.
    #[inline]
    pub fn has_row(&self, cell: Cell) -> bool {
        self.rows >> (cell.y % 64) & 1 == 1
    }

    /// How many steps a fan, if nothing was in its way when the planes were built, takes from a cell to the next mark or out of the
    /// tile. `aside` are the directions in which it looks.
    #[inline]
    pub fn steps(&self, cell: Cell, (dx, dy): (i32, i32), aside: [Option<Direction>; 2]) -> u32 {
        let (mut rows, mut columns) = (self.rows, 0);
        for direction in aside.into_iter().flatten() {
            let lines = if direction.delta().0 == 0 { &mut columns } else { &mut rows };
            *lines |= self.leads[direction as usize % 4];
        }
        lines_ahead(columns, cell.x as u32 % 64, dx).min(lines_ahead(rows, cell.y as u32 % 64, dy))
    }
}

/// How far from a line of a tile the next marked line is in a direction, or the first one of the next tile.
#[inline]
fn lines_ahead(lines: u64, from: u32, direction: i32) -> u32 {
    match direction {
        0 => u32::MAX,
        1 => (lines >> from >> 1).trailing_zeros().min(63 - from) + 1,
        _ => (lines << (63 - from) << 1).leading_zeros().min(from) + 1,
    }
}

/// All marks of the planes of a grid. Copies share most of them.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    tiles: Pages<Tile>,
    /// Tiles in a row of tiles.
    across: usize,
    /// How many rows of tiles have changed cells.
    changed: usize,
    /// How many rows and columns of tiles are marked because a line meets a stop that did not before.
    gained: usize,
    /// How many words of lines have cells from which a line does not meet a stop any more.
    lost: usize,
}

impl Marks {
    pub fn none(shape: &Shape) -> Marks {
        let [across, down] = [shape.width(), shape.height()].map(|cells| cells as usize / 64 + 1);
        Marks { tiles: Pages::of(Tile::default(), across * down, 1), across, changed: 0, gained: 0, lost: 0 }
    }

    /// Whether all is as it was.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.changed + self.gained + self.lost == 0
    }

    /// Whether so much has changed on a map of so many cells that it is time to build the planes anew. Hundreds of edits of a map
    /// without walls, and thousands of others, come before that.
    pub fn are_many(&self, cells: usize) -> bool {
        let rows = cells / 64 + 64;
        self.changed > rows / 8 || self.lost > 2 * rows
    }

    /// The marks of the tile of a cell.
    #[inline]
    pub fn near(&self, cell: Cell) -> Tile {
        self.tiles.get(self.number(cell.x as usize / 64, cell.y as usize / 64))
    }

    fn number(&self, column: usize, row: usize) -> usize {
        row * self.across + column
    }

    /// Notes whether a cell of a word of a row, or a neighbour of one, is not what it was.
    pub fn note_row(&mut self, y: i32, word: usize, differs: bool) {
        let number = self.number(word, y as usize / 64);
        let (before, bit) = (self.tiles.get(number), 1 << (y % 64));
        if (before.rows & bit != 0) != differs {
            self.tiles.set(number, Tile { rows: before.rows ^ bit, ..before });
            self.changed = if differs { self.changed + 1 } else { self.changed - 1 };
        }
    }

    /// Notes that a word of a line has changed: the cells from which the line leads to a stop, given as they were built, as they were
    /// until now, and as they are.
    pub fn note_leads(&mut self, direction: Direction, line: i32, word: usize, [built, old, new]: [u64; 3]) {
        let across = line as usize / 64;
        let number =
            if direction.delta().0 == 0 { self.number(across, word) } else { self.number(word, across) };
        let (mut tile, bit) = (self.tiles.get(number), 1 << (line % 64));
        let lines = &mut tile.leads[direction as usize % 4];
        let gains = new & !built != 0;
        if (*lines & bit != 0) != gains {
            *lines ^= bit;
            self.tiles.set(number, tile);
            self.gained = if gains { self.gained + 1 } else { self.gained - 1 };
        }
        self.lost += usize::from(built & !new != 0);
        self.lost -= usize::from(built & !old != 0);
    }

    pub fn bytes(&self) -> usize {
        self.tiles.bytes()
    }
}
