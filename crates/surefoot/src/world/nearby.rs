//! Tests whether two nearby cells are connected, without examining the rest of the map.

use crate::space::Cell;
use crate::world::grid::BitPlane;

/// Words and rows of the window that is looked at, with the two cells about in its middle.
const WORDS: usize = 8;
const ROWS: usize = 512;

/// Cells farther apart than this in columns or rows are not looked at: with the window's left edge at a whole word, so
/// much fits on either side of the middle.
const FARTHEST: u32 = 256;

/// How many times the window is swept, down or up, before the search gives up: in mazes it would take many more.
const MOST_SWEEPS: usize = 16;

type Row = [u64; WORDS];

/// Whether steps between open cells near both lead from one cell to the other. `diagonal` is whether a diagonal step joins cells on
/// its own. If not, they may still be connected.
#[expect(clippy::large_stack_arrays, reason = "32 kilobytes for a moment, so that no question allocates")]
pub(crate) fn are_connected(open: &BitPlane, diagonal: bool, from: Cell, to: Cell) -> bool {
    let near = from.x.abs_diff(to.x) <= FARTHEST && from.y.abs_diff(to.y) <= FARTHEST;
    if !near || !open.contains(from) || !open.contains(to) {
        return false;
    }
    let first_word = (from.x.midpoint(to.x) - 32 * WORDS as i32).max(0) as usize / 64;
    let top = (from.y.midpoint(to.y) - ROWS as i32 / 2).max(0);
    let window = Window { open, diagonal, first_word, top };
    let mut reached = [[0; WORDS]; ROWS];
    let (start, goal) = (window.place(from), window.place(to));
    reached[start.0][start.1] = start.2;
    let mut downwards = from.y <= to.y;
    let mut still = 0;
    for _ in 0..MOST_SWEEPS {
        let Some(changed) = window.sweep(&mut reached, downwards, goal) else { return true };
        // Once neither direction leads on, that is all.
        still = if changed { 0 } else { still + 1 };
        if still == 2 {
            return false;
        }
        downwards = !downwards;
    }
    false
}

struct Window<'a> {
    open: &'a BitPlane,
    diagonal: bool,
    first_word: usize,
    top: i32,
}

impl Window<'_> {
    /// Row, word and bit of a cell.
    fn place(&self, cell: Cell) -> (usize, usize, u64) {
        ((cell.y - self.top) as usize, cell.x as usize / 64 - self.first_word, 1 << (cell.x % 64))
    }

    /// The open cells of a row.
    fn row(&self, row: usize) -> Row {
        let y = self.top + row as i32;
        let words = if y < self.open.height() as i32 { self.open.row(y) } else { &[] };
        std::array::from_fn(|word| words.get(self.first_word + word).copied().unwrap_or(0))
    }

    /// Continues from all cells reached so far, row after row. Returns whether that reached more; `None` if it reached the goal.
    fn sweep(
        &self,
        reached: &mut [Row; ROWS],
        downwards: bool,
        (goal_row, goal_word, goal_bit): (usize, usize, u64),
    ) -> Option<bool> {
        let (mut changed, mut before) = (false, [0; WORDS]);
        for step in 0..ROWS {
            let row = if downwards { step } else { ROWS - 1 - step };
            let mut now = reached[row];
            let from_before = if self.diagonal { widened(&before) } else { before };
            now.iter_mut().zip(from_before).for_each(|(now, before)| *now |= before);
            if now != [0; WORDS] {
                now = spread(&now, &self.row(row));
                changed |= now != reached[row];
                reached[row] = now;
                if row == goal_row && now[goal_word] & goal_bit != 0 {
                    return None;
                }
            }
            before = now;
        }
        Some(changed)
    }
}

/// The cells of a row and those beside them.
fn widened(row: &Row) -> Row {
    let word = |index: usize| row.get(index).copied().unwrap_or(0);
    std::array::from_fn(|index| {
        let (before, here, after) = (word(index.wrapping_sub(1)), row[index], word(index + 1));
        here | here << 1 | here >> 1 | before >> 63 | after << 63
    })
}

/// The open cells of a row that are connected within it with some of its cells.
fn spread(cells: &Row, open: &Row) -> Row {
    let mut spread: Row = std::array::from_fn(|word| cells[word] & open[word]);
    let mut carry = 0;
    for (cells, &open) in spread.iter_mut().zip(open) {
        let (mut through, mut filled) = (open, *cells | carry & open);
        for shift in [1, 2, 4, 8, 16, 32] {
            filled |= through & filled << shift;
            through &= through << shift;
        }
        (*cells, carry) = (filled, filled >> 63);
    }
    carry = 0;
    for (cells, &open) in spread.iter_mut().zip(open).rev() {
        let (mut through, mut filled) = (open, *cells | carry & open);
        for shift in [1, 2, 4, 8, 16, 32] {
            filled |= through & filled >> shift;
            through &= through >> shift;
        }
        (*cells, carry) = (filled, filled << 63);
    }
    spread
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::components::Components;
    use crate::world::grid::Shape;
    use crate::world::random_maps;

    proptest! {
        /// Maps smaller than the window: the result is exact, unless the search gives up.
        #[test]
        fn what_is_connected_nearby_is_what_components_say(
            open in random_maps::plane(),
            diagonal: bool,
            picks in prop::collection::vec(any::<(u32, u32)>(), 9),
        ) {
            let shape = Shape::new(open.width(), open.height());
            let components = Components::label(&shape, &open, diagonal);
            let label = |cell| components.of(shape.node(cell));
            for (from, to) in picks {
                let (from, to) = (random_maps::pick(&open, from), random_maps::pick(&open, to));
                let connected = label(from) != 0 && label(from) == label(to);
                let found = are_connected(&open, diagonal, from, to);
                prop_assert!(connected || !found, "{:?} {:?}", from, to);
                // A detour takes a sweep for each turn between up and down.
                prop_assert!(found || !connected || open.height() > MOST_SWEEPS as u32, "{:?} {:?}", from, to);
            }
        }
    }

    /// A map larger than the window in both directions, with the cells at many places of their words.
    #[test]
    fn cells_anywhere_on_a_large_map_are_connected_around_a_wall() {
        let (width, height) = (2000, 1500);
        let mut open = BitPlane::new(width, height);
        Shape::new(width, height).cells().for_each(|cell| open.set(cell, true));
        (0..1490).for_each(|y| open.set(Cell::new(1000, y), false));
        for (x, y) in [(0, 0), (63, 1), (64, 700), (744, 1250), (999, 1499), (1001, 900), (1700, 1243)] {
            for (dx, dy) in
                [(1, 0), (0, 1), (256, 256), (255, -256), (-256, 0), (-200, 199), (257, 0), (0, -257)]
            {
                let (from, to) = (Cell::new(x, y), Cell::new(x + dx, y + dy));
                let inside = open.contains(from) && open.contains(to);
                let near = dx.abs() <= 256 && dy.abs() <= 256;
                // Around the end of the wall, if the window reaches it.
                let wall_between = (from.x < 1000) != (to.x < 1000) && from.y.midpoint(to.y) + 256 < 1491;
                for (from, to) in [(from, to), (to, from)] {
                    assert_eq!(
                        are_connected(&open, false, from, to),
                        inside && near && !wall_between,
                        "{from:?} {to:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn diagonals_join_where_they_may() {
        let mut open = BitPlane::new(300, 300);
        (0..300).for_each(|at| open.set(Cell::new(at, at), true));
        let (from, to) = (Cell::new(20, 20), Cell::new(200, 200));
        assert!(are_connected(&open, true, from, to) && are_connected(&open, true, to, from));
        assert!(!are_connected(&open, false, from, to));
    }
}
