//! Voxel worlds generated from a seed.

mod boxes;
mod caves;
mod pillars;
mod rock;
mod storeys;

use std::collections::VecDeque;

use crate::agent::{Agent, VoxelMoves};
use crate::core::named::named;
use crate::generate::dice::Dice;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::space::Voxel;
use crate::world::voxels::{VoxelError, Voxels, check_size};
use rock::Rock;

/// The kinds of voxel world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpaceKind {
    /// Only open cells.
    Empty,
    /// Columns of different heights on a plain.
    Pillars,
    /// Boxes of all sizes floating in the air.
    Boxes,
    /// Many small boxes floating in the air. The cells diagonally inside the first and the last corner are open.
    Asteroids,
    /// Storeys with rooms, doors between them and holes in the ceilings.
    Storeys,
    /// A walled tower of storeys with rooms. The holes in the ceilings alternate between opposite corners.
    Tower,
    /// One connected cave in solid rock.
    Caves,
    /// Winding caves of constant width in solid rock, not all of them connected.
    Caverns,
    /// Each cell is solid with a probability of 30 percent.
    Random,
}

named! {
    SpaceKind, UnknownSpaceKind, "kind of voxel world":
    Empty => "empty", "open space only";
    Pillars => "pillars", "columns of different heights on a plain";
    Boxes => "boxes", "boxes of all sizes floating in space";
    Asteroids => "asteroids", "many small boxes floating in space";
    Storeys => "storeys", "storeys with rooms, doors between them and holes in the ceilings";
    Tower => "tower", "a walled tower whose ceiling holes alternate between opposite corners";
    Caves => "caves", "one connected cave in solid rock";
    Caverns => "caverns", "winding caves of even width in solid rock, not all of them connected";
    Random => "random", "30% of the cells are solid, at random";
}

/// Generates a voxel world of any supported size.
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
        SpaceKind::Pillars => pillars::stand(&mut rock, dice),
        SpaceKind::Boxes => boxes::hang(&mut rock, dice),
        SpaceKind::Asteroids => boxes::scatter(&mut rock, seed),
        SpaceKind::Storeys => storeys::build(&mut rock, dice),
        SpaceKind::Tower => storeys::raise(&mut rock, seed),
        SpaceKind::Caves => caves::grow(&mut rock, dice),
        SpaceKind::Caverns => caves::wash(&mut rock, seed),
        SpaceKind::Random => rock.solid.iter_mut().for_each(|solid| *solid = dice.percent(30)),
    }
    let voxels = rock.voxels()?;
    Ok(if kind == SpaceKind::Caves { without_pockets(&voxels)? } else { voxels })
}

/// Returns a cell of the largest connected region of a world, and one of the cells that are the most straight steps away from it;
/// `None` if no two cells are connected.
pub fn endpoints_in_space(voxels: &Voxels) -> Option<(Voxel, Voxel)> {
    let largest = largest_part(voxels);
    let (&first, &last) = (largest.first()?, largest.last()?);
    (first != last).then(|| (voxels.voxel(first), voxels.voxel(last)))
}

/// Returns the cells of the largest connected region, ordered by their distance from the first.
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

/// Fills everything but the largest connected region.
fn without_pockets(voxels: &Voxels) -> Result<Voxels, VoxelError> {
    let mut kept = largest_part(voxels);
    kept.sort_unstable();
    let is_kept = |&voxel: &Voxel| voxels.node(voxel).is_some_and(|node| kept.binary_search(&node).is_ok());
    Voxels::from_solid(voxels.size(), voxels.cells().filter(|voxel| !is_kept(voxel)))
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

    /// FNV-1a over the cells, 1 for solid and 0 for open.
    fn hash(voxels: &Voxels) -> u64 {
        let mix = |hash: u64, solid: bool| (hash ^ u64::from(solid)).wrapping_mul(0x0100_0000_01b3);
        voxels.cells().map(|cell| !voxels.is_open(cell)).fold(0xcbf2_9ce4_8422_2325, mix)
    }

    #[test]
    fn worlds_that_the_lab_shows_stay_as_they_are() {
        let expected = [
            (SpaceKind::Pillars, [48, 48, 24], 11, 0x7614_d657_b148_1795),
            (SpaceKind::Tower, [33, 33, 36], 23, 0x721f_ac10_4b18_0825),
            (SpaceKind::Caverns, [56, 56, 32], 0, 0xefd9_9a02_8b0d_d206),
            (SpaceKind::Asteroids, [64, 64, 40], 37, 0xac3b_04ec_6e3a_5166),
        ];
        for (kind, size, seed, expected) in expected {
            let found = hash(&generate_in_space(kind, size, seed).unwrap());
            assert_eq!(found, expected, "{kind} is now {found:#x}");
        }
    }

    #[test]
    fn every_storey_of_a_tower_has_to_be_crossed() {
        for seed in 0..8 {
            let tower = generate_in_space(SpaceKind::Tower, [41, 33, 26], seed).unwrap();
            let view = tower.view(&Agent::new().with_voxel_moves(VoxelMoves::Six));
            let ends = [Voxel::new(1, 1, 1), Voxel::new(1, 1, 24)];
            let length = crate::search::Pathfinder::default().find(view, ends[0], ends[1]).unwrap().length();
            // Four ceilings lie between the ends, with holes in opposite corners by turns: 28 columns and 20 rows
            // from hole to hole, three times.
            assert!(length >= 3.0 * (28.0 + 20.0), "seed {seed}: {length}");
            let is_outer = |voxel: &Voxel| [0, 40].contains(&voxel.x) || [0, 32].contains(&voxel.y);
            assert!(
                !tower.cells().filter(is_outer).any(|voxel| tower.is_open(voxel)),
                "seed {seed}: a wall is open"
            );
        }
    }

    #[test]
    fn asteroids_do_not_grow_with_the_world() {
        let asteroids = generate_in_space(SpaceKind::Asteroids, [100, 100, 100], 4).unwrap();
        assert!(asteroids.is_open(Voxel::new(1, 1, 1)) && asteroids.is_open(Voxel::new(98, 98, 98)));
        let share = 1.0 - asteroids.open_cells() as f64 / 1e6;
        assert!((0.08..=0.13).contains(&share), "{share}");
    }

    #[test]
    fn caverns_have_a_rim_and_two_round_caves() {
        for seed in 0..8 {
            let caverns = generate_in_space(SpaceKind::Caverns, [40, 30, 20], seed).unwrap();
            for voxel in caverns.cells() {
                let Voxel { x, y, z } = voxel;
                let around = |[a, b, c]: [i32; 3]| (x - a).pow(2) + (y - b).pow(2) + (z - c).pow(2) <= 16;
                if around([6, 6, 6]) || around([33, 23, 13]) {
                    assert!(caverns.is_open(voxel), "seed {seed}: {voxel:?}");
                } else if [x, y, z].contains(&0) || x == 39 || y == 29 || z == 19 {
                    assert!(!caverns.is_open(voxel), "seed {seed}: {voxel:?}");
                }
            }
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
            let most = Voxels::MAX_SIDE;
            let sizes =
                [[1, 1, 1], [1, 9, 2], [7, 8, 64], [most, 1, 1], [1, most, 1], [3, 2, most], [33, most, 6]];
            for (seed, size) in sizes.into_iter().flat_map(|size| [(0, size), (u64::MAX, size)]) {
                assert_eq!(generate_in_space(kind, size, seed).unwrap().size(), size, "{kind}");
            }
            assert!(generate_in_space(kind, [0, 1, 1], 1).is_err());
            assert!(generate_in_space(kind, [most, most, most], 1).is_err());
        }
        assert!("maze".parse::<SpaceKind>().is_err());
        assert_eq!("caves".parse(), Ok(SpaceKind::Caves));
    }
}
