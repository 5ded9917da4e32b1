use std::cell::Cell as Counter;

use proptest::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;
use crate::agent::{Agent, Moves};
use crate::world::grid::{BitPlane, Grid, Terrain};
use crate::world::random_maps;

thread_local! {
    static LANDINGS: Counter<u64> = const { Counter::new(0) };
}

/// A fan has gone on to a cell and looks around there.
pub(super) fn count_landing() {
    LANDINGS.set(LANDINGS.get() + 1);
}

/// Every jump from some cells with every arrival, and how many cells fans looked around at.
fn jumps_from(grid: &Grid, moves: Moves, from: &[Cell], goal: Cell) -> (Vec<(NodeId, Cost, Arrival)>, u64) {
    let agent = Agent::new().with_moves(moves);
    let view = grid.view(&agent);
    let mut lines = Vec::new();
    let goals: Vec<NodeId> = grid.node(goal).filter(|&node| view.is_open_node(node)).into_iter().collect();
    JumpGrid::goal_lines(&view, &goals, &mut lines);
    let before = LANDINGS.get();
    let mut jumps = Vec::new();
    if let Some(expander) = JumpGrid::of(view, &lines) {
        for &cell in from.iter().filter(|&&cell| grid.is_open(cell)) {
            let node = view.shape().node(cell);
            for arrival in (0..8).map(Arrival).chain([START]) {
                expander.expand(node, arrival, |to, cost, arrival| jumps.push((to, cost, arrival)));
            }
        }
    }
    (jumps, LANDINGS.get() - before)
}

fn grid_of(open: &BitPlane) -> Grid {
    Grid::from_fn(open.width(), open.height(), |cell| {
        if open.contains(cell) { Terrain::FLOOR } else { Terrain::WALL }
    })
    .unwrap()
}

fn rebuilt(grid: &Grid) -> Grid {
    Grid::from_terrain(grid.width(), grid.height(), &grid.to_terrain()).unwrap()
}

fn toggle(grid: &mut Grid, cell: Cell) {
    let terrain = if grid.is_open(cell) { Terrain::WALL } else { Terrain::FLOOR };
    grid.set(cell, terrain).unwrap();
}

proptest! {
    /// Any number of copies, edited and dropped in any order, on maps of several tiles both ways.
    #[test]
    fn jumps_over_edited_copies_are_those_over_their_cells(
        open in random_maps::plane(),
        upright: bool,
        rule in 0..4_usize,
        steps in prop::collection::vec((any::<prop::sample::Index>(), any::<u32>(), 0..8_u8), 1..25),
    ) {
        let open = if upright { open.transposed() } else { open };
        let moves = Moves::ALL[rule];
        let corner = Cell::new(0, 0);
        let mut copies = vec![grid_of(&open)];
        jumps_from(&copies[0], moves, &[corner], corner);
        for (which, pick, action) in steps {
            let which = which.index(copies.len());
            match action {
                0 if which > 0 => _ = copies.swap_remove(which),
                1 | 2 => copies.push(copies[which].clone()),
                3 => _ = jumps_from(&copies[which], moves, &[corner], corner),
                _ => toggle(&mut copies[which], random_maps::pick(&open, pick)),
            }
        }
        for grid in &copies {
            let cells: Vec<Cell> = grid.cells().collect();
            let goal = cells[cells.len() * 2 / 3];
            let [edited, fresh] = [grid, &rebuilt(grid)].map(|grid| jumps_from(grid, moves, &cells, goal).0);
            prop_assert_eq!(edited, fresh);
        }
    }
}

/// Cells of a map, by chance.
fn some_cells(side: u32, count: usize, random: &mut Xoshiro256PlusPlus) -> Vec<Cell> {
    let mut coordinate = || (random.next_u64() % u64::from(side)) as i32;
    (0..count).map(|_| Cell::new(coordinate(), coordinate())).collect()
}

#[test]
fn thousands_of_edits_do_not_make_jumps_long_winded() {
    const SIDE: u32 = 640;
    let corner = Cell::new(0, 0);
    // On a map without walls, the edits of a few rounds are a reason to build planes anew.
    for (walls, seed, least_marked) in [(0, 1, 0), (8_000, 2, 5), (160_000, 3, 5)] {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut grid = Grid::new(SIDE, SIDE).unwrap();
        for cell in some_cells(SIDE, walls, &mut random) {
            grid.set(cell, Terrain::WALL).unwrap();
        }
        jumps_from(&grid, Moves::Eight, &[corner], corner);
        let mut marked = 0;
        for round in 0..100 {
            for cell in some_cells(SIDE, 40, &mut random) {
                toggle(&mut grid, cell);
            }
            if round % 5 > 0 {
                continue;
            }
            let from = some_cells(SIDE, 50, &mut random);
            let (edited, work) = jumps_from(&grid, Moves::Eight, &from, corner);
            let (fresh, least) = jumps_from(&rebuilt(&grid), Moves::Eight, &from, corner);
            assert_eq!(edited, fresh);
            marked += usize::from(!grid.view(&Agent::default()).jump_planes().is_as_built());
            assert!(work <= 2 * least, "{work} cells instead of {least}, {walls} walls, round {round}");
        }
        // Planes are not built anew every time, which would make the comparison pointless.
        assert!(marked > least_marked, "{walls} walls: marks in {marked} of 20 rounds");
    }
}
