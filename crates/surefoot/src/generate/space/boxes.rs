//! Boxes in the air.

use super::rock::Rock;
use crate::generate::dice::{Dice, mixed_cell};

/// Boxes of up to a sixth of the world along each axis, until they would fill a fifth of it.
pub(super) fn hang(rock: &mut Rock, dice: &mut Dice) {
    let size = rock.size;
    let largest = size.map(|side| (side / 6).max(1));
    // About a fifth of the world, some of it twice.
    let volume: u64 = largest.iter().map(|&side| u64::from(side.div_ceil(2))).product();
    let count = rock.solid.len() as u64 / 5 / volume.max(1);
    for _ in 0..count {
        let sides = largest.map(|side| dice.between(1, side));
        let least = [0, 1, 2].map(|axis| dice.below(size[axis] - sides[axis] + 1));
        rock.set([0, 1, 2].map(|axis| least[axis]..least[axis] + sides[axis]), true);
    }
}

/// The share of the world that asteroids would fill if none of them met, in percent.
const ASTEROIDS: u64 = 12;

/// Boxes whose sides grow with the square root of the world's, so that large worlds have more of them, not larger ones. The cells
/// diagonally inside of the first and the last corner stay open.
pub(super) fn scatter(rock: &mut Rock, seed: u64) {
    let size = rock.size;
    let most = size.map(|side| side.isqrt() + 1);
    // Sides are from 2 to `most + 1`.
    let volume: u64 = most.iter().map(|&most| u64::from(u32::midpoint(2, most + 1))).product();
    let count = (rock.solid.len() as u64 * ASTEROIDS / 100).div_ceil(volume);
    for number in 0..count {
        let random = |what: usize, below: u32| {
            (mixed_cell([number as i32, what as i32, 2], seed) % u64::from(below)) as u32
        };
        let sides = [0, 1, 2].map(|axis| (2 + random(axis, most[axis])).min(size[axis]));
        let least = [0, 1, 2].map(|axis| random(3 + axis, (size[axis] - sides[axis]).max(1)));
        rock.set([0, 1, 2].map(|axis| least[axis]..least[axis] + sides[axis]), true);
    }
    for end in [size.map(|side| 1.min(side - 1)), size.map(|side| side.saturating_sub(2))] {
        rock.set(end.map(|at| at..at + 1), false);
    }
}
