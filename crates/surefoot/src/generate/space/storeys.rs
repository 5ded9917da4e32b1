//! Houses with many rooms.

use super::rock::Rock;
use crate::generate::dice::{Dice, mixed_cell};

/// Layers of a storey, its floor included, and cells of a room, one wall included.
const STOREY: u32 = 5;
const ROOM: u32 = 8;

/// A house that extends beyond the edges of the world.
pub(super) fn build(rock: &mut Rock, dice: &mut Dice) {
    let [width, height, depth] = rock.size;
    for floor in (0..depth).step_by(STOREY as usize) {
        let inside = floor + 1..floor + STOREY;
        rock.set([0..width, 0..height, floor..floor + 1], true);
        for x in (ROOM - 1..width).step_by(ROOM as usize) {
            rock.set([x..x + 1, 0..height, inside.clone()], true);
        }
        for y in (ROOM - 1..height).step_by(ROOM as usize) {
            rock.set([0..width, y..y + 1, inside.clone()], true);
        }
        // A door to the right and one downwards for each room; of every few ceilings one has a hole.
        for y in (0..height).step_by(ROOM as usize) {
            for x in (0..width).step_by(ROOM as usize) {
                let door = |dice: &mut Dice| dice.below(ROOM - 3);
                let (right, down) = (y + door(dice), x + door(dice));
                rock.set([x + ROOM - 1..x + ROOM, right..right + 2, floor + 1..floor + 4], false);
                rock.set([down..down + 2, y + ROOM - 1..y + ROOM, floor + 1..floor + 4], false);
                let first = x == 0 && y == 0;
                if floor > 0 && (first || dice.percent(20)) {
                    let (x, y) = (x + door(dice), y + door(dice));
                    rock.set([x..x + 3, y..y + 3, floor..floor + 1], false);
                }
            }
        }
    }
}

/// The cells along a side of the hole in a ceiling, and of the ceiling between it and the outer wall.
const HOLE: i32 = 4;
const RIM: i32 = 3;

/// A tower with walls all around. The hole in each ceiling is in the corner across from the one below, so that every storey has to
/// be crossed.
pub(super) fn raise(rock: &mut Rock, seed: u64) {
    let [width, height, _] = rock.size.map(|side| side as i32);
    let [storey_layers, room] = [STOREY, ROOM].map(|cells| cells as i32);
    rock.shape(|[x, y, z]| {
        let storey = z / storey_layers;
        if z % storey_layers == 0 {
            let is_in_hole = |at: i32, side: i32| {
                let first = if storey % 2 == 0 { RIM } else { side - RIM - HOLE };
                (first..first + HOLE).contains(&at)
            };
            return storey == 0 || !(is_in_hole(x, width) && is_in_hole(y, height));
        }
        if x == 0 || y == 0 || x == width - 1 || y == height - 1 {
            return true;
        }
        let is_wall = x % room == 0 || y % room == 0;
        let along = if x % room == 0 { y } else { x };
        let door = 2 + (mixed_cell([x / room, y / room, storey], seed) % 4) as i32;
        is_wall && !((door..door + 2).contains(&(along % room)) && z % storey_layers < 4)
    });
}
