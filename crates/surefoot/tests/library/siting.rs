//! What buildings would do is what they do, in every world and after every edit.

use crate::common::cases;
use crate::common::oracle::Oracle;
use crate::common::worlds::{GridWorld, RawLink, grid_world};
use proptest::collection::vec;
use proptest::prelude::*;
use surefoot::prelude::*;
use surefoot::siting::Siting;

/// What is done to the world, by random numbers.
#[derive(Clone, Debug)]
enum Act {
    /// Asks about a rectangle.
    Ask { corner: u16, size: (i32, i32) },
    /// Asks about single cells.
    AskCells(Vec<u16>),
    /// Builds a rectangle, or takes it down.
    Fill { corner: u16, size: (i32, i32), terrain: u8 },
    /// Adds a link, or removes one.
    Link { from: u16, to: u16, cost: u64, remove: bool },
    /// Takes other pairs.
    Pairs(Vec<(u16, u16)>),
}

fn act() -> impl Strategy<Value = Act> {
    let size = || (1..=4, 1..=4);
    let terrain = prop_oneof![3 => Just(0_u8), 2 => Just(1_u8), 1 => any::<u8>()];
    prop_oneof![
        8 => (any::<u16>(), size()).prop_map(|(corner, size)| Act::Ask { corner, size }),
        2 => vec(any::<u16>(), 0..12).prop_map(Act::AskCells),
        4 => (any::<u16>(), size(), terrain).prop_map(|(corner, size, terrain)| Act::Fill { corner, size, terrain }),
        1 => (any::<u16>(), any::<u16>(), 1..90_000_u64, any::<bool>())
            .prop_map(|(from, to, cost, remove)| Act::Link { from, to, cost, remove }),
        1 => pairs().prop_map(Act::Pairs),
    ]
}

fn pairs() -> impl Strategy<Value = Vec<(u16, u16)>> {
    vec((any::<u16>(), any::<u16>()), 1..6)
}

/// The cells of a rectangle; some may lie outside.
fn rectangle(corner: Cell, (width, height): (i32, i32)) -> Vec<Cell> {
    // One to the left and above, so that it may hang over any border.
    (0..height).flat_map(|y| (0..width).map(move |x| corner.offset(x - 1, y - 1))).collect()
}

/// The same world with some cells of another terrain.
fn with(world: &GridWorld, cells: &[Cell], terrain: u8) -> GridWorld {
    let mut world = world.clone();
    for &cell in cells.iter().filter(|&&cell| world.terrain_at(cell).is_some()).collect::<Vec<_>>() {
        world.terrain[cell.y as usize * world.width as usize + cell.x as usize] = terrain;
    }
    world
}

/// Pairs of cells: mostly places to stand with a way between them.
fn cells(world: &GridWorld, grid: &Grid, numbers: &[(u16, u16)]) -> Vec<(Cell, Cell)> {
    let oracle = Oracle::of_grid(world);
    let ends = |&(from, to): &(u16, u16)| match oracle.some_ends(from, to) {
        Some((start, goal)) if from % 16 != 0 => (grid.cell(start), grid.cell(goal)),
        _ => (world.cell(from), world.cell(to).offset(1, 0)),
    };
    numbers.iter().map(ends).collect()
}

/// What the ways cost, worked out from definitions.
fn truth(world: &GridWorld, grid: &Grid, pairs: &[(Cell, Cell)]) -> Vec<Option<Cost>> {
    let oracle = Oracle::of_grid(world);
    let cost = |&(from, to): &(Cell, Cell)| {
        let start = grid.node(from).filter(|&node| oracle.can_stand(node))?;
        oracle.costs_from(start).to(grid.node(to)?).map(Cost::from_units)
    };
    pairs.iter().map(cost).collect()
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn a_verdict_is_what_building_and_searching_anew_would_say(
        world in grid_world(), numbers in pairs(), acts in vec(act(), 1..16), prepared in any::<bool>(),
    ) {
        let mut world = world;
        let mut grid = world.grid();
        let mut siting = Siting::default();
        let mut pairs = cells(&world, &grid, &numbers);
        if prepared {
            siting.prepare(&grid.view(&world.agent), &pairs).unwrap();
        }
        for act in acts {
            let footprint = match act {
                Act::Ask { corner, size } => rectangle(world.cell(corner), size),
                Act::AskCells(numbers) => numbers.iter().map(|&number| world.cell(number)).collect(),
                Act::Fill { corner, size, terrain } => {
                    let inside = |cell: &Cell| world.terrain_at(*cell).is_some();
                    let cells: Vec<Cell> = rectangle(world.cell(corner), size).into_iter().filter(inside).collect();
                    world = with(&world, &cells, terrain);
                    grid.set_many(cells.iter().map(|&cell| (cell, Terrain::new(terrain)))).unwrap();
                    continue;
                }
                Act::Link { from, to, cost, remove: false } => {
                    let (from, to) = (world.cell(from), world.cell(to));
                    world.links.push(RawLink { from, to, cost });
                    grid.add_link(from, to, Cost::from_units(cost)).unwrap();
                    continue;
                }
                Act::Link { .. } => {
                    if let Some(RawLink { from, to, cost }) = world.links.pop() {
                        let [from, to] = [from, to].map(|cell| grid.node(cell).unwrap());
                        let link = Link { from, to, cost: Cost::from_units(cost) };
                        prop_assert!(grid.remove_link(link));
                    }
                    continue;
                }
                Act::Pairs(numbers) => {
                    pairs = cells(&world, &grid, &numbers);
                    continue;
                }
            };
            let revision = grid.revision();
            let verdict = siting.would_block(&grid.view(&world.agent), &footprint, &pairs).unwrap();
            prop_assert_eq!(grid.revision(), revision);
            let (before, after): (Vec<_>, Vec<_>) =
                verdict.impacts().iter().map(|effect| (effect.before, effect.after)).unzip();
            let expected = truth(&world, &grid, &pairs);
            prop_assert_eq!(&before, &expected, "before, {:?} in {:?}", &pairs, &world);
            let expected_after = truth(&with(&world, &footprint, 0), &grid, &pairs);
            prop_assert_eq!(&after, &expected_after, "with {:?} on {:?} in {:?}", &footprint, &pairs, &world);
            let cut_off = before.iter().zip(&after).any(|(before, after)| before.is_some() && after.is_none());
            prop_assert_eq!(verdict.blocks_any(), cut_off);
        }
    }
}
