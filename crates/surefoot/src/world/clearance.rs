//! Clearance: the distance to the nearest wall.
//!
//! The clearance of a cell is the distance from its centre to the square of the nearest wall (outside the map is wall). It is stored
//! as the square of twice that distance, which is an integer: for a wall `dx` columns and `dy` rows away it is `(2|dx| - 1)+^2 +
//! (2|dy| - 1)+^2`.
//!
//! An agent can stand on a cell if its clearance is at least the agent's radius.
//!
//! ```
//! use surefoot::prelude::*;
//! let grid: Grid = "
//!     .....
//!     .....
//!     ....#".parse().unwrap();
//! let wide = Agent::new().with_radius(1.5).unwrap();
//! let mut finder = Pathfinder::default();
//! assert!(finder.find(grid.view(&wide), Cell::new(1, 1), Cell::new(2, 1)).is_ok());
//! assert!(finder.find(grid.view(&wide), Cell::new(1, 1), Cell::new(3, 1)).is_err(), "too close to the wall");
//! ```

use std::ops::Range;

use crate::space::Cell;
use crate::world::grid::BitPlane;

/// Returns the part of the square of twice a distance that a number of columns, or rows, contributes.
pub(crate) fn doubled_part(cells: u32) -> u32 {
    (2 * cells).saturating_sub(1).pow(2)
}

/// The square of twice the clearance of a cell; 0 for walls.
pub(crate) fn doubled_square(open: &BitPlane, cell: Cell) -> u32 {
    if !open.contains(cell) {
        return 0;
    }
    let mut best = u32::MAX;
    // The rows outside the map hold a wall in every column, so the scan ends there at the latest.
    for dy in 0.. {
        let rows_away = doubled_part(dy as u32);
        if rows_away >= best {
            break;
        }
        for y in [cell.y - dy, cell.y + dy] {
            best = best.min(rows_away + doubled_part(columns_to_wall(open.row(y), cell.x)));
        }
    }
    best
}

/// How many columns from `x` the nearest wall of a row is.
fn columns_to_wall(row: &[u64], x: i32) -> u32 {
    let (word, bit) = (x as usize / 64, x % 64);
    let (mut right, mut walls) = (word, !row[word] & (!0 << bit));
    // Rows end in a wall.
    while walls == 0 {
        right += 1;
        walls = !row[right];
    }
    let to_right = right as u32 * 64 + walls.trailing_zeros() - x as u32;
    let (mut left, mut walls) = (word, !row[word] & (!0 >> (63 - bit)));
    while walls == 0 && left > 0 {
        left -= 1;
        walls = !row[left];
    }
    let to_left =
        if walls == 0 { x as u32 + 1 } else { x as u32 + walls.leading_zeros() - left as u32 * 64 - 63 };
    to_right.min(to_left)
}

/// The square of twice the clearance of every cell, row by row.
///
/// In time linear in the cells, whatever the distances: first along columns, then along each row the lower envelope of
/// parabolas (Meijster, Roerdink and Hesselink, *A General Algorithm for Computing Distance Transforms in Linear Time*,
/// 2000). Theirs stand on the middles of walls. Ours stand on the borders between columns: the nearest point of a
/// wall's square that is not in the cell's own column lies on one.
pub(crate) fn field(open: &BitPlane) -> Vec<u32> {
    let mut field = rows_to_wall(open);
    let mut envelope = Vec::new();
    for row in field.chunks_mut(open.width() as usize) {
        for part in row.iter_mut() {
            *part = doubled_part(*part);
        }
        spread_along_row(row, &mut envelope);
    }
    field
}

/// How many rows from each cell the nearest wall of its column is.
fn rows_to_wall(open: &BitPlane) -> Vec<u32> {
    let (width, height) = (open.width() as usize, open.height() as usize);
    let mut rows = vec![0; width * height];
    for y in 0..height {
        let (done, rest) = rows.split_at_mut(y * width);
        let above = done.rchunks(width).next();
        let words = open.row(y as i32);
        for (x, here) in rest[..width].iter_mut().enumerate() {
            if words[x / 64] >> (x % 64) & 1 == 1 {
                *here = above.map_or(1, |above| above[x] + 1);
            }
        }
    }
    for y in (0..height).rev() {
        let (rest, done) = rows.split_at_mut((y + 1) * width);
        for (x, here) in rest[y * width..].iter_mut().enumerate() {
            *here = (*here).min(done.get(x).map_or(1, |below| below + 1));
        }
    }
    rows
}

/// What a wall that touches a border between columns contributes to the cells of a row. All numbers stay below `2^31`
/// on the largest map.
struct Parabola {
    /// The border left of this column.
    border: i32,
    /// The rows' part, squared.
    height: i32,
    /// The first column in which no other parabola is lower.
    first: i32,
}

impl Parabola {
    fn at(&self, x: i32) -> i32 {
        (2 * (x - self.border) + 1).pow(2) + self.height
    }

    /// The last column in which this one is not above another that stands further right, given that there is one.
    fn last_before(&self, right: &Parabola) -> i32 {
        let apart = right.border - self.border;
        let middle = self.border + right.border - 1;
        (4 * apart * middle + right.height - self.height) / (8 * apart)
    }
}

/// Turns the squares of each column into those of the nearest column; the buffer is only lent.
fn spread_along_row(row: &mut [u32], envelope: &mut Vec<Parabola>) {
    lower_envelope(row, envelope);
    let mut end = row.len() as i32;
    for piece in envelope.drain(..).rev() {
        for x in piece.first..end {
            let part = &mut row[x as usize];
            *part = (*part).min(piece.at(x) as u32);
        }
        end = piece.first;
    }
}

/// Collects the parabolas of a row that are lowest somewhere, from left to right. `row` holds the columns' squares.
fn lower_envelope(row: &[u32], envelope: &mut Vec<Parabola>) {
    let column = |x: usize| row.get(x).map_or(0, |&part| part as i32);
    for border in 0..=row.len() {
        let mut next = Parabola {
            border: border as i32,
            // Column -1 wraps round to a column that does not exist either: outside is wall.
            height: column(border.wrapping_sub(1)).min(column(border)),
            first: 0,
        };
        while envelope.pop_if(|top| top.at(top.first) > next.at(top.first)).is_some() {}
        if let Some(top) = envelope.last() {
            next.first = top.last_before(&next) + 1;
        }
        if (next.first as usize) < row.len() {
            envelope.push(next);
        }
    }
}

/// The cells whose doubled squared clearance is at least `needed`, which is at least 1.
pub(crate) fn plane(open: &BitPlane, needed: u32) -> BitPlane {
    let mut plane = BitPlane::new(open.width(), open.height());
    let half_widths = half_widths(needed);
    let mut too_near = vec![0; open.row(0).len()];
    for y in rows_in_reach(open, &half_widths) {
        mark_too_near(open, y, 0, &half_widths, &mut too_near);
        for (word, too_near) in plane.row_mut(y).iter_mut().zip(&too_near) {
            *word = !too_near;
        }
    }
    plane
}

/// Returns the cells of a plane made by [`plane`] on which the agent can no longer stand once `cell` is a wall.
pub(crate) fn closed_around(plane: &BitPlane, cell: Cell, needed: u32) -> Vec<Cell> {
    let mut closed = Vec::new();
    for (y, columns) in rows_around(plane, cell, &half_widths(needed)) {
        for (word, span) in words_of(plane, &columns) {
            push_cells(&mut closed, y, word, plane.row(y)[word] & span);
        }
    }
    closed
}

/// The cells of a plane made by [`plane`] that are out of date because `cell` changed; `open` has the change already.
/// If several cells changed, all before the first call, the answers for all of them together are complete.
pub(crate) fn changed_around(open: &BitPlane, plane: &BitPlane, cell: Cell, needed: u32) -> Vec<Cell> {
    if !open.contains(cell) {
        return closed_around(plane, cell, needed);
    }
    let half_widths = half_widths(needed);
    let may_open = rows_in_reach(open, &half_widths);
    let mut changed = Vec::new();
    let mut too_near = Vec::new();
    for (y, columns) in rows_around(open, cell, &half_widths) {
        let closed = |word: usize| open.row(y)[word] & !plane.row(y)[word];
        if !may_open.contains(&y) || words_of(open, &columns).all(|(word, span)| closed(word) & span == 0) {
            continue;
        }
        // Walls further away than this do not matter, and neither does what is marked wrongly beyond the ends.
        let (from, to) = (columns.start - half_widths[0], columns.end + half_widths[0]);
        let first = from.max(0) as usize / 64;
        let end = (to as usize / 64 + 1).min(open.row(y).len());
        too_near.resize(end - first, 0);
        mark_too_near(open, y, first, &half_widths, &mut too_near);
        for (word, span) in words_of(open, &columns) {
            push_cells(&mut changed, y, word, closed(word) & span & !too_near[word - first]);
        }
    }
    changed
}

/// The rows around a wall with the columns of each that are too near to it.
fn rows_around(open: &BitPlane, cell: Cell, half_widths: &[i32]) -> impl Iterator<Item = (i32, Range<i32>)> {
    let reach = half_widths.len() as i32 - 1;
    let rows = (cell.y - reach).max(0)..(cell.y + reach).min(open.height() as i32 - 1) + 1;
    rows.map(move |y| {
        let half_width = half_widths[cell.y.abs_diff(y) as usize];
        (y, cell.x - half_width..cell.x + half_width + 1)
    })
}

/// By rows away from a wall: how many columns left and right are too near to it.
fn half_widths(needed: u32) -> Vec<i32> {
    debug_assert!(needed > 0, "walls have no clearance");
    // The most columns whose part is below what the rows leave: 2 dx - 1 <= sqrt(left - 1).
    let half_width = |left: u32| (left - 1).isqrt().div_ceil(2) as i32;
    let rows = (0..).map(doubled_part).take_while(|&rows_away| rows_away < needed);
    rows.map(|rows_away| half_width(needed - rows_away)).collect()
}

/// The rows that are not too near to the walls above and below the map.
fn rows_in_reach(open: &BitPlane, half_widths: &[i32]) -> Range<i32> {
    let reach = half_widths.len() as i32 - 1;
    reach..open.height() as i32 - reach
}

/// Marks the cells of a row that are too near to a wall, in the words from number `first` on. Beyond the words at hand
/// all is taken for wall.
///
/// A wall `dy` rows away marks `half_widths[dy]` columns to each side, the fewer the further. So the marks of the near
/// rows are widened by what they are ahead of the next row, then both continue together.
fn mark_too_near(open: &BitPlane, y: i32, first: usize, half_widths: &[i32], marks: &mut [u64]) {
    let words = first..first + marks.len();
    marks.fill(0);
    for (dy, &half_width) in half_widths.iter().enumerate() {
        let above = &open.row(y - dy as i32)[words.clone()];
        let below = &open.row(y + dy as i32)[words.clone()];
        for ((mark, above), below) in marks.iter_mut().zip(above).zip(below) {
            *mark |= !(above & below);
        }
        let next = half_widths.get(dy + 1).copied().unwrap_or(0);
        for _ in next..half_width {
            widen(marks);
        }
    }
}

/// Spreads every mark by one column to each side.
fn widen(marks: &mut [u64]) {
    let mut before = !0;
    for index in 0..marks.len() {
        let here = marks[index];
        let after = marks.get(index + 1).copied().unwrap_or(!0);
        marks[index] = here | here << 1 | before >> 63 | here >> 1 | after << 63;
        before = here;
    }
}

/// The numbers of the words that hold some columns, each with the bits of these columns; columns outside are left out.
fn words_of(open: &BitPlane, columns: &Range<i32>) -> impl Iterator<Item = (usize, u64)> + use<> {
    let (start, end) = (columns.start.max(0) as usize, columns.end.min(open.width() as i32) as usize);
    (start / 64..end.div_ceil(64)).map(move |word| {
        let from = start.saturating_sub(word * 64);
        let to = (end - word * 64).min(64);
        (word, (!0 << from) & (!0 >> (64 - to)))
    })
}

/// Appends the cells of a word's set bits.
fn push_cells(cells: &mut Vec<Cell>, y: i32, word: usize, mut bits: u64) {
    while bits != 0 {
        cells.push(Cell { x: (word * 64) as i32 + bits.trailing_zeros() as i32, y });
        bits &= bits - 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agent::Agent;
    use crate::world::grid::Grid;
    use crate::world::random_maps;

    /// The definition, over every wall in and just around the map.
    fn by_definition(open: &BitPlane, cell: Cell) -> u32 {
        let (width, height) = (open.width() as i32, open.height() as i32);
        let places = (-1..=height).flat_map(|y| (-1..=width).map(move |x| Cell { x, y }));
        let walls = places.filter(|&place| !open.contains(place));
        let part = |d: i32| (2 * d.abs() - 1).max(0).pow(2) as u32;
        walls.map(|wall| part(wall.x - cell.x) + part(wall.y - cell.y)).min().unwrap()
    }

    fn cells(open: &BitPlane) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (open.width() as i32, open.height() as i32);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell { x, y }))
    }

    fn needed(radius: f64) -> u32 {
        Agent::new().with_radius(radius).unwrap().needed_clearance()
    }

    proptest! {
        #[test]
        fn clearance_matches_the_definition(open in random_maps::plane(), radius in 0.0..6.0) {
            let squares: Vec<u32> = cells(&open).map(|cell| by_definition(&open, cell)).collect();
            let single: Vec<u32> = cells(&open).map(|cell| doubled_square(&open, cell)).collect();
            prop_assert_eq!(&single, &squares);
            prop_assert_eq!(&field(&open), &squares);
            let plane = plane(&open, needed(radius));
            let fits: Vec<bool> = squares.iter().map(|&square| square >= needed(radius)).collect();
            prop_assert_eq!(cells(&open).map(|cell| plane.contains(cell)).collect::<Vec<_>>(), fits);
            prop_assert_eq!(plane.count(), cells(&open).filter(|&cell| plane.contains(cell)).count());
        }

        #[test]
        fn following_edits_gives_the_plane_of_the_edited_map(
            mut open in random_maps::plane(),
            radius in 0.0..6.0,
            batches in prop::collection::vec(prop::collection::vec(any::<u32>(), 1..4), 1..20),
        ) {
            let needed = needed(radius);
            let mut followed = plane(&open, needed);
            for batch in batches {
                let edits: Vec<Cell> = batch.iter().map(|&pick| random_maps::pick(&open, pick)).collect();
                for &cell in &edits {
                    open.set(cell, !open.contains(cell));
                }
                for &cell in &edits {
                    for cell in changed_around(&open, &followed, cell, needed) {
                        followed.set(cell, !followed.contains(cell));
                    }
                }
                prop_assert_eq!(&followed, &plane(&open, needed));
            }
        }
    }

    #[test]
    fn a_wide_agent_fits_the_middle_of_a_hall() {
        let mut hall = BitPlane::new(301, 301);
        cells(&hall.clone()).for_each(|cell| hall.set(cell, true));
        let (middle, widest) = (Cell::new(150, 150), plane(&hall, 301 * 301));
        assert!(widest.contains(middle));
        assert_eq!(widest.count(), 1);
        assert_eq!(doubled_square(&hall, middle), 301 * 301);
        assert_eq!(plane(&hall, needed(Agent::MAX_RADIUS)).count(), 0);
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let (side, tallest) = (Grid::MAX_SIDE, doubled_part(Grid::MAX_SIDE / 2));
        let mut row = vec![tallest; side as usize];
        row[side as usize / 2] = 0;
        spread_along_row(&mut row, &mut Vec::new());
        let to_wall = |x: u32| (x + 1).min(side - x).min(x.abs_diff(side / 2));
        assert_eq!(row, (0..side).map(|x| doubled_part(to_wall(x))).collect::<Vec<_>>());
        let mut corridor = BitPlane::new(1, side);
        cells(&corridor.clone()).for_each(|cell| corridor.set(cell, true));
        assert_eq!(field(&corridor), vec![1; side as usize]);
    }

    #[test]
    fn cells_outside_have_no_clearance() {
        let open = BitPlane::new(3, 3);
        for cell in [Cell::new(-1, 1), Cell::new(3, 1), Cell::new(i32::MIN, 0), Cell::new(0, i32::MAX)] {
            assert_eq!(doubled_square(&open, cell), 0);
        }
    }
}
