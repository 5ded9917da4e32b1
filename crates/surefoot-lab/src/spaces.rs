//! Voxel worlds of the gallery.

use surefoot::prelude::*;

/// A world and the two cells to search between.
pub struct Space {
    pub voxels: Voxels,
    pub start: Voxel,
    pub goal: Voxel,
}

/// Columns of different heights on a plain, too close for a straight flight.
pub fn pillars() -> Space {
    let size = [48, 48, 24];
    let is_solid = |Voxel { x, y, z }: Voxel| {
        let (column, row) = (x / 6, y / 6);
        let inside = (1..5).contains(&(x % 6)) && (1..5).contains(&(y % 6));
        let height = 6 + (mixed(column, row, 0, 11) % 17) as i32;
        z == 0 || (inside && z < height && !mixed(column, row, 1, 11).is_multiple_of(5))
    };
    Space { voxels: made(size, is_solid), start: Voxel::new(0, 0, 2), goal: Voxel::new(47, 47, 2) }
}

/// A tower of seven storeys with walls, doors and one hole in each ceiling.
pub fn tower() -> Space {
    const STOREY: i32 = 5;
    let size = [33, 33, 36];
    let is_solid = |Voxel { x, y, z }: Voxel| {
        let storey = z / STOREY;
        if z % STOREY == 0 {
            // The holes are in corners that lie across from each other, so one has to cross every storey.
            let corner = if storey % 2 == 0 { 3..7 } else { 26..30 };
            return storey == 0 || !(corner.contains(&x) && corner.contains(&y));
        }
        let is_wall = x % 8 == 0 || y % 8 == 0;
        let along = if x % 8 == 0 { y } else { x };
        let door = 2 + (mixed(x / 8, y / 8, storey, 23) % 4) as i32;
        let is_door = (door..door + 2).contains(&(along % 8)) && z % STOREY < 4;
        let is_outside = x == 0 || y == 0 || x == 32 || y == 32;
        is_wall && (is_outside || !is_door)
    };
    Space { voxels: made(size, is_solid), start: Voxel::new(28, 28, 1), goal: Voxel::new(28, 28, 34) }
}

/// Caves in solid rock: where three waves that run across each other are high.
pub fn caverns() -> Space {
    let size = [56, 56, 32];
    let [start, goal] = [Voxel::new(6, 6, 6), Voxel::new(49, 49, 25)];
    let is_solid = |voxel: Voxel| {
        let Voxel { x, y, z } = voxel;
        let near = |end: Voxel| {
            let [dx, dy, dz] = [x - end.x, y - end.y, z - end.z];
            dx * dx + dy * dy + dz * dz <= 16
        };
        if near(start) || near(goal) {
            return false;
        }
        let is_rim = [x, y, z].contains(&0) || x == 55 || y == 55 || z == 31;
        is_rim || wave(x, y) + wave(y, z + 9) + wave(z, x + 5) < 0
    };
    Space { voxels: made(size, is_solid), start, goal }
}

/// Boxes of all sizes that hang in the air.
pub fn asteroids() -> Space {
    let size = [64, 64, 40];
    let boxes: Vec<([i32; 3], [i32; 3])> = (0..110)
        .map(|number| {
            let random = |what, most: i32| (mixed(number, what, 2, 37) % most as u64) as i32;
            let sides = [2 + random(0, 9), 2 + random(1, 9), 2 + random(2, 7)];
            let least = [random(3, 64 - sides[0]), random(4, 64 - sides[1]), random(5, 40 - sides[2])];
            (least, [0, 1, 2].map(|axis| least[axis] + sides[axis]))
        })
        .collect();
    let [start, goal] = [Voxel::new(1, 1, 1), Voxel::new(62, 62, 38)];
    let is_solid = |voxel: Voxel| {
        let place = [voxel.x, voxel.y, voxel.z];
        let inside = |(least, most): &([i32; 3], [i32; 3])| {
            (0..3).all(|axis| (least[axis]..most[axis]).contains(&place[axis]))
        };
        voxel != start && voxel != goal && boxes.iter().any(inside)
    };
    Space { voxels: made(size, is_solid), start, goal }
}

fn made(size: [u32; 3], is_solid: impl Fn(Voxel) -> bool) -> Voxels {
    let empty = Voxels::new(size[0], size[1], size[2]).expect("the gallery's sizes are small");
    let solid = empty.cells().filter(|&voxel| is_solid(voxel));
    Voxels::from_solid(size, solid).expect("cells of the same size are inside")
}

/// A number that looks random and is always the same (splitmix64).
fn mixed(a: i32, b: i32, c: i32, seed: u64) -> u64 {
    let key = [a, b, c].iter().fold(seed, |key, &part| key.wrapping_mul(0x1_0000_01b3) ^ part as u64);
    let mut number = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// A smooth wave over a plane, from about -64 to 64, in whole numbers: the same on every machine.
fn wave(a: i32, b: i32) -> i32 {
    // A parabola on each half of a period is a sine to within a few percent.
    let arch = |phase: i32, period: i32| {
        let at = phase.rem_euclid(period);
        let (half, sign) = if at * 2 < period { (at, 1) } else { (at - period / 2, -1) };
        sign * 256 * half * (period / 2 - half) / (period * period / 4) / 2
    };
    arch(a + b / 3, 22) + arch(2 * b - a, 26)
}
