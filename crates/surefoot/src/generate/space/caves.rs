//! Caves in solid rock.

use super::rock::Rock;
use crate::generate::dice::Dice;

/// Noise, smoothed: a cell becomes what most of those around it are.
pub(super) fn grow(rock: &mut Rock, dice: &mut Dice) {
    rock.solid.iter_mut().for_each(|solid| *solid = dice.percent(48));
    for _ in 0..4 {
        let mut counts: Vec<u8> = rock.solid.iter().map(|&solid| u8::from(solid)).collect();
        // Sums over three cells along each axis in turn are sums over the 27 around a cell; outside is solid.
        let [x, y, _] = rock.size.map(|side| side as usize);
        let mut outside = 1;
        for (axis, stride) in [(0, 1), (1, x), (2, x * y)] {
            sum_along(&mut counts, rock.size[axis] as usize, stride, outside);
            outside *= 3;
        }
        for (solid, count) in rock.solid.iter_mut().zip(counts) {
            *solid = count >= 14;
        }
    }
}

/// Adds to each number its two neighbours along an axis.
fn sum_along(numbers: &mut [u8], side: usize, stride: usize, outside: u8) {
    for index in 0..numbers.len() {
        if (index / stride).is_multiple_of(side) {
            let mut before = outside;
            for at in (index..index + side * stride).step_by(stride) {
                let last = at + stride >= index + side * stride;
                let after = if last { outside } else { numbers[at + stride] };
                let here = numbers[at];
                numbers[at] = before + here + after;
                before = here;
            }
        }
    }
}

/// Cells from the sides of the world to the middle of the two caves that are always there, and their radius.
const INSIDE: u32 = 6;
const RADIUS: i32 = 4;

/// Caves where three waves that run across each other are high, and two round ones near opposite corners. A seed shifts the waves
/// against each other; seed 0 leaves them where they are.
pub(super) fn wash(rock: &mut Rock, seed: u64) {
    // Bits of a product with an odd number: all bits of the seed count, and 0 stays 0.
    let spread = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let shifts = [0, 20, 40].map(|from| [from, from + 10].map(|bit| (spread >> bit & 0x3ff) as i32));
    let near = rock.size.map(|side| INSIDE.min(side - 1) as i32);
    let far = rock.size.map(|side| side.saturating_sub(INSIDE + 1) as i32);
    let last = rock.size.map(|side| side as i32 - 1);
    rock.shape(|cell| {
        let is_around = |middle: [i32; 3]| {
            let squares = [0, 1, 2].map(|axis| (cell[axis] - middle[axis]).pow(2));
            squares.iter().sum::<i32>() <= RADIUS * RADIUS
        };
        if is_around(near) || is_around(far) {
            return false;
        }
        let is_rim = (0..3).any(|axis| cell[axis] == 0 || cell[axis] == last[axis]);
        let [x, y, z] = cell;
        let height = wave(x, y, shifts[0]) + wave(y, z + 9, shifts[1]) + wave(z, x + 5, shifts[2]);
        is_rim || height < 0
    });
}

/// A smooth wave over a plane, from about -64 to 64, in whole numbers: the same on every machine.
fn wave(a: i32, b: i32, [along, across]: [i32; 2]) -> i32 {
    // A parabola on each half of a period is a sine to within a few percent.
    let arch = |phase: i32, period: i32| {
        let at = phase.rem_euclid(period);
        let (half, sign) = if at * 2 < period { (at, 1) } else { (at - period / 2, -1) };
        sign * 256 * half * (period / 2 - half) / (period * period / 4) / 2
    };
    arch(a + b / 3 + along, 22) + arch(2 * b - a + across, 26)
}
