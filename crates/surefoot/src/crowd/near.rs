//! Which units are near each other: a counting sort into squares, anew in each tick.

use super::vector::Vec2;

/// A unit as its neighbours see it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Other {
    pub at: Vec2,
    pub velocity: Vec2,
    pub radius: f64,
    pub unit: u32,
    /// Whether it goes its way without regard for others.
    pub is_firm: bool,
}

/// Units by the square they are in. Squares repeat like tiles, so that their number follows the number of units and not the size of the world.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbourhood {
    side: f64,
    /// One less than the numbers of columns and rows, which are powers of two.
    mask: [u32; 2],
    /// Where the units of each square begin.
    first: Vec<u32>,
    others: Vec<Other>,
    squares: Vec<u32>,
}

impl Neighbourhood {
    /// Sorts units into squares of a given side.
    pub fn fill(&mut self, side: f64, units: impl Iterator<Item = Other> + Clone) {
        self.side = side;
        self.squares.clear();
        let count = units.clone().count() as u32;
        let wanted = (2 * count).max(16).next_power_of_two();
        let columns = 1_u32 << wanted.ilog2().div_ceil(2);
        self.mask = [columns - 1, (wanted / columns).max(4) - 1];
        let squares = columns as usize * (self.mask[1] as usize + 1);
        self.first.clear();
        self.first.resize(squares + 1, 0);
        for other in units.clone() {
            let square = self.square(self.column(other.at.x), self.column(other.at.y));
            self.squares.push(square);
            self.first[square as usize] += 1;
        }
        let mut sum = 0;
        for first in &mut self.first {
            sum += *first;
            *first = sum;
        }
        self.others.clear();
        self.others.resize(count as usize, Other::default());
        // The ends of the squares count down to where they begin.
        for (other, &square) in units.zip(&self.squares) {
            let slot = &mut self.first[square as usize];
            *slot -= 1;
            self.others[*slot as usize] = other;
        }
    }

    #[inline]
    fn column(&self, at: f64) -> i32 {
        (at / self.side).floor() as i32
    }

    #[inline]
    fn square(&self, column: i32, row: i32) -> u32 {
        (row as u32 & self.mask[1]) * (self.mask[0] + 1) + (column as u32 & self.mask[0])
    }

    /// Visits all units that may be within `reach` of a place, which is at most the side of a square. Units from other parts of the world may be among them.
    #[inline]
    pub fn for_each(&self, at: Vec2, mut visit: impl FnMut(&Other)) {
        if self.others.is_empty() {
            return;
        }
        let (column, row) = (self.column(at.x), self.column(at.y));
        for row in row - 1..=row + 1 {
            let [first, last] = [column - 1, column + 1].map(|column| self.square(column, row));
            if last == first + 2 {
                self.visit_range(first, last, &mut visit);
            } else {
                for column in column - 1..=column + 1 {
                    let square = self.square(column, row);
                    self.visit_range(square, square, &mut visit);
                }
            }
        }
    }

    #[inline]
    fn visit_range(&self, first: u32, last: u32, visit: &mut impl FnMut(&Other)) {
        let [begin, end] = [first, last + 1].map(|square| self.first[square as usize] as usize);
        self.others[begin..end].iter().for_each(visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_neighbours_are_found_once() {
        let mut state = 3_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 24)
        };
        for count in [0_u32, 1, 2, 50, 3000] {
            let units: Vec<Other> = (0..count)
                .map(|unit| Other { at: Vec2::new(draw() * 90.0, draw() * 40.0), unit, ..Other::default() })
                .collect();
            let mut near = Neighbourhood::default();
            near.fill(2.5, units.iter().copied());
            for unit in units.iter().take(60) {
                let is_near = |other: &Other| (other.at - unit.at).length() <= 2.5;
                let mut found = Vec::new();
                near.for_each(unit.at, |other| {
                    if is_near(other) {
                        found.push(other.unit);
                    }
                });
                found.sort_unstable();
                let expected: Vec<u32> =
                    units.iter().filter(|other| is_near(other)).map(|other| other.unit).collect();
                assert_eq!(found, expected);
            }
        }
    }
}
