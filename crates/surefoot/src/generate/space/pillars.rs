//! Columns on a plain.

use super::rock::Rock;
use crate::generate::dice::mixed_cell;

/// The width of a column with the free space beside it.
const PILLAR: u32 = 6;

/// Four of five places of a plain have a column. Its top is above the lowest quarter of the world and below its last layer.
pub(super) fn stand(rock: &mut Rock, seed: u64) {
    let [width, height, depth] = rock.size;
    rock.set([0..width, 0..height, 0..1], true);
    let [least, range] = [depth / 4, (depth - depth / 4).saturating_sub(1).max(1)];
    for (row, y) in (1..height).step_by(PILLAR as usize).enumerate() {
        for (column, x) in (1..width).step_by(PILLAR as usize).enumerate() {
            let number = |what| mixed_cell([column as i32, row as i32, what], seed);
            if !number(1).is_multiple_of(5) {
                let top = least + (number(0) % u64::from(range)) as u32;
                rock.set([x..x + PILLAR - 2, y..y + PILLAR - 2, 0..top], true);
            }
        }
    }
}
