//! Which neighbours of a closed cell are still connected around it.

use crate::world::grid::Direction;

/// By whether diagonal steps connect, and by which neighbours of a closed cell are open: one neighbour of each group that is
/// connected around the cell.
pub(crate) const SIDES: [[u8; 256]; 2] = {
    let mut table = [[0; 256]; 2];
    let mut neighbours = 0;
    while neighbours < 256 {
        table[0][neighbours] = sides(neighbours as u8, false);
        table[1][neighbours] = sides(neighbours as u8, true);
        neighbours += 1;
    }
    table
};

const fn sides(neighbours: u8, diagonal: bool) -> u8 {
    let mut sides = 0;
    // With straight steps only, the closed cell itself was joined with its straight neighbours only.
    let mut rest = if diagonal { neighbours } else { neighbours & 0b1111 };
    while rest != 0 {
        let side = rest & rest.wrapping_neg();
        sides |= side;
        let mut reached = side;
        let mut before = 0;
        while reached != before {
            before = reached;
            reached |= spread(reached, diagonal) & neighbours;
        }
        rest &= !reached;
    }
    sides
}

/// The neighbours of a cell that are one step from some of its neighbours.
const fn spread(neighbours: u8, diagonal: bool) -> u8 {
    let mut spread = 0;
    let mut pair = 0;
    while pair < 64 {
        let (from, to) = (Direction::ALL[pair / 8], Direction::ALL[pair % 8]);
        let (dx, dy) = (to.delta().0 - from.delta().0, to.delta().1 - from.delta().1);
        let step = if diagonal { dx.abs() <= 1 && dy.abs() <= 1 } else { dx.abs() + dy.abs() <= 1 };
        if neighbours & from.bit() != 0 && step {
            spread |= to.bit();
        }
        pair += 1;
    }
    spread
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_crossing_leaves_four_sides_by_straight_steps_and_one_by_diagonal_ones() {
        assert_eq!(sides(0b1111, false).count_ones(), 4);
        assert_eq!(sides(0b1111, true).count_ones(), 1);
        assert_eq!(sides(0b1111_0000, false).count_ones(), 0);
        assert_eq!(sides(0b1111_0000, true).count_ones(), 4);
        assert_eq!(
            sides(Direction::North.bit() | Direction::NorthEast.bit() | Direction::East.bit(), false),
            1
        );
    }
}
