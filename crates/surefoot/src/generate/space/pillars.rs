//! Columns on a plain.

use super::rock::Rock;
use crate::generate::dice::Dice;

/// The width of a column with the free space beside it.
const PILLAR: u32 = 6;

/// Puts a column on four of five places of a plain. Its top is above the lowest quarter of the world.
pub(super) fn stand(rock: &mut Rock, dice: &mut Dice) {
    let [width, height, depth] = rock.size;
    rock.set([0..width, 0..height, 0..1], true);
    for y in (1..height).step_by(PILLAR as usize) {
        for x in (1..width).step_by(PILLAR as usize) {
            if dice.percent(80) {
                let top = dice.between(depth / 4, depth);
                rock.set([x..x + PILLAR - 2, y..y + PILLAR - 2, 0..top], true);
            }
        }
    }
}
