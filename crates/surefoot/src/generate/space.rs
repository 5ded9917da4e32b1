//! Voxel worlds made from a seed.

use std::collections::VecDeque;
use std::ops::Range;

use crate::agent::{Agent, VoxelMoves};
use crate::core::named::named;
use crate::generate::dice::Dice;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::space::Voxel;
use crate::world::voxels::{VoxelError, Voxels, check_size};

/// The kinds of voxel worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpaceKind {
    /// Nothing at all.
    Empty,
    /// Columns of different heights on a plain.
    Pillars,
    /// Boxes of all sizes that hang in the air.
    Boxes,
    /// Storeys with rooms, doors between them and holes in the ceilings.
    Storeys,
    /// One connected cave in solid rock.
    Caves,
    /// Three of ten cells are solid, wherever they fall.
    Random,
}

named! {
    SpaceKind, UnknownSpaceKind, "kind of voxel world":
    Empty => "empty", "nothing at all";
    Pillars => "pillars", "columns of different heights on a plain";
    Boxes => "boxes", "boxes of all sizes that hang in the air";
    Storeys => "storeys", "storeys with rooms, doors between them and holes in the ceilings";
    Caves => "caves", "one connected cave in solid rock";
    Random => "random", "3 of 10 cells are solid, wherever they fall";
}

/// Makes a voxel world of any size that one can have.
///
/// ```
/// use surefoot::generate::{SpaceKind, endpoints_in_space, generate_in_space};
/// let caves = generate_in_space(SpaceKind::Caves, [32, 32, 16], 7).unwrap();
/// let (start, goal) = endpoints_in_space(&caves).unwrap();
/// assert!(caves.is_open(start) && caves.is_open(goal));
/// ```
pub fn generate_in_space(kind: SpaceKind, size: [u32; 3], seed: u64) -> Result<Voxels, VoxelError> {
    check_size(size.map(u64::from))?;
    let mut rock = Rock::open(size);
    let dice = &mut Dice::new(seed);
    match kind {
        SpaceKind::Empty => {}
        SpaceKind::Pillars => pillars(&mut rock, dice),
        SpaceKind::Boxes => boxes(&mut rock, dice),
        SpaceKind::Storeys => storeys(&mut rock, dice),
        SpaceKind::Caves => caves(&mut rock, dice),
        SpaceKind::Random => rock.solid.iter_mut().for_each(|solid| *solid = dice.percent(30)),
    }
    let voxels = rock.voxels()?;
    Ok(if kind == SpaceKind::Caves { without_pockets(&voxels)? } else { voxels })
}

/// A cell of the largest part of a world that hangs together, and one of those that take the most straight steps to get to from
/// there; `None` if no two cells hang together.
pub fn endpoints_in_space(voxels: &Voxels) -> Option<(Voxel, Voxel)> {
    let largest = largest_part(voxels);
    let (&first, &last) = (largest.first()?, largest.last()?);
    (first != last).then(|| (voxels.voxel(first), voxels.voxel(last)))
}

/// The cells of the largest part that hangs together, in the order of their distance from the first.
fn largest_part(voxels: &Voxels) -> Vec<NodeId> {
    let agent = Agent::new().with_voxel_moves(VoxelMoves::Six);
    let view = voxels.view(&agent);
    let mut reached = vec![false; view.node_bound()];
    let mut largest = Vec::new();
    let open = voxels.cells().filter(|&voxel| voxels.is_open(voxel)).filter_map(|voxel| voxels.node(voxel));
    for first in open {
        if std::mem::replace(&mut reached[first.index()], true) {
            continue;
        }
        let (mut part, mut waiting) = (vec![first], VecDeque::from([first]));
        while let Some(node) = waiting.pop_front() {
            view.for_each_edge(node, |to, _| {
                if !std::mem::replace(&mut reached[to.index()], true) {
                    part.push(to);
                    waiting.push_back(to);
                }
            });
        }
        if part.len() > largest.len() {
            largest = part;
        }
    }
    largest
}

/// Fills up everything but the largest part.
fn without_pockets(voxels: &Voxels) -> Result<Voxels, VoxelError> {
    let mut kept = largest_part(voxels);
    kept.sort_unstable();
    let is_kept = |&voxel: &Voxel| voxels.node(voxel).is_some_and(|node| kept.binary_search(&node).is_ok());
    Voxels::from_solid(voxels.size(), voxels.cells().filter(|voxel| !is_kept(voxel)))
}

/// A world that is being made: which cells are solid, along rows, row by row, layer by layer.
struct Rock {
    size: [u32; 3],
    solid: Vec<bool>,
}

impl Rock {
    fn open(size: [u32; 3]) -> Rock {
        Rock { size, solid: vec![false; size.iter().map(|&side| side as usize).product()] }
    }

    fn index(&self, [x, y, z]: [u32; 3]) -> usize {
        let [width, height, _] = self.size.map(|side| side as usize);
        (z as usize * height + y as usize) * width + x as usize
    }

    /// Fills or opens a box, as far as it is inside.
    fn set(&mut self, [xs, ys, zs]: [Range<u32>; 3], solid: bool) {
        let [width, height, depth] = self.size;
        for z in zs.start..zs.end.min(depth) {
            for y in ys.start..ys.end.min(height) {
                let row = self.index([xs.start.min(width), y, z])..self.index([xs.end.min(width), y, z]);
                if row.start < row.end {
                    self.solid[row].fill(solid);
                }
            }
        }
    }

    fn voxels(&self) -> Result<Voxels, VoxelError> {
        let [x, y, z] = self.size;
        let cells = Voxels::new(x, y, z)?.cells();
        Voxels::from_solid(
            self.size,
            cells.zip(&self.solid).filter(|(_, solid)| **solid).map(|(cell, _)| cell),
        )
    }
}

/// The width of a column with the free space beside it.
const PILLAR: u32 = 6;

fn pillars(rock: &mut Rock, dice: &mut Dice) {
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

fn boxes(rock: &mut Rock, dice: &mut Dice) {
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

/// Layers of a storey, its floor included, and cells of a room, one wall included.
const STOREY: u32 = 5;
const ROOM: u32 = 8;

fn storeys(rock: &mut Rock, dice: &mut Dice) {
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

/// Noise, smoothed: a cell becomes what most of those around it are.
fn caves(rock: &mut Rock, dice: &mut Dice) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_the_same_for_a_seed_and_has_a_way_through() {
        for kind in SpaceKind::ALL {
            let make = |seed| generate_in_space(kind, [40, 33, 21], seed).unwrap();
            let (one, again, other) = (make(5), make(5), make(6));
            let solid =
                |voxels: &Voxels| voxels.cells().filter(|&cell| !voxels.is_open(cell)).collect::<Vec<_>>();
            assert_eq!(solid(&one), solid(&again), "{kind}");
            assert_eq!(solid(&one) == solid(&other), kind == SpaceKind::Empty, "{kind}");
            let (start, goal) = endpoints_in_space(&one).unwrap();
            let view = one.view(&Agent::default());
            let length = crate::search::Pathfinder::default().find(view, start, goal).unwrap().length();
            assert!(length > 25.0, "{kind}: {length}");
            let share = solid(&one).len() as f64 / f64::from(40 * 33 * 21);
            let expected = if kind == SpaceKind::Empty { 0.0..=0.0 } else { 0.05..=0.8 };
            assert!(expected.contains(&share), "{kind}: {share}");
        }
    }

    #[test]
    fn a_cave_is_in_one_piece() {
        let caves = generate_in_space(SpaceKind::Caves, [30, 30, 30], 3).unwrap();
        assert_eq!(largest_part(&caves).len(), caves.open_cells());
    }

    #[test]
    fn any_size_will_do() {
        for kind in SpaceKind::ALL {
            for size in [[1, 1, 1], [1, 9, 2], [200, 1, 1], [7, 8, 64]] {
                assert_eq!(generate_in_space(kind, size, 1).unwrap().size(), size);
            }
            assert!(generate_in_space(kind, [0, 1, 1], 1).is_err());
        }
        assert!("maze".parse::<SpaceKind>().is_err());
        assert_eq!("caves".parse(), Ok(SpaceKind::Caves));
    }
}
