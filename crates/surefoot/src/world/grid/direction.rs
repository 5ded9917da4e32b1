//! The eight directions.

use crate::world::grid::shape::Shape;

/// A step to one of the eight neighbours. Straight directions come first, which is the order in which searches expand neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Up.
    North,
    /// Right.
    East,
    /// Down.
    South,
    /// Left.
    West,
    /// Up and right.
    NorthEast,
    /// Down and right.
    SouthEast,
    /// Down and left.
    SouthWest,
    /// Up and left.
    NorthWest,
}

impl Direction {
    /// All eight directions, in the order of their numbers.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::East,
        Direction::South,
        Direction::West,
        Direction::NorthEast,
        Direction::SouthEast,
        Direction::SouthWest,
        Direction::NorthWest,
    ];

    /// Returns the columns and rows that a step covers.
    ///
    /// ```
    /// use surefoot::world::grid::Direction;
    /// assert_eq!(Direction::SouthWest.delta(), (-1, 1));
    /// ```
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Direction::North => (0, -1),
            Direction::East => (1, 0),
            Direction::South => (0, 1),
            Direction::West => (-1, 0),
            Direction::NorthEast => (1, -1),
            Direction::SouthEast => (1, 1),
            Direction::SouthWest => (-1, 1),
            Direction::NorthWest => (-1, -1),
        }
    }

    /// Returns the direction of a step by the given columns and rows.
    pub fn of(dx: i32, dy: i32) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.delta() == (dx, dy))
    }

    /// Returns whether the step is diagonal.
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }

    /// The bit of this direction in a byte of neighbours.
    pub(crate) const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Returns the opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Direction {
        Direction::ALL[(self as usize & 4) | ((self as usize + 2) & 3)]
    }
}

/// What to add to a cell's number to reach each neighbour.
pub(crate) type Offsets = [i32; 8];

/// The offsets of a shape, by direction number.
pub(crate) fn offsets(shape: &Shape) -> Offsets {
    Direction::ALL.map(|direction| {
        let (dx, dy) = direction.delta();
        dy * shape.stride() as i32 + dx
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_undoes_a_step() {
        for direction in Direction::ALL {
            let (dx, dy) = direction.delta();
            assert_eq!(direction.opposite().delta(), (-dx, -dy));
            assert_eq!(Direction::of(dx, dy), Some(direction));
        }
    }
}
