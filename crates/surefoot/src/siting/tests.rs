//! Choke cells against their definition; buildings by example.

use proptest::prelude::*;

use crate::agent::{Agent, Moves};
use crate::cost::{Cost, Scale};
use crate::siting::{Chokes, Siting, SitingError};
use crate::space::Cell;
use crate::world::components::Components;
use crate::world::grid::{BitPlane, Grid, Shape, Terrain};
use crate::world::random_maps;

fn grid_of(open: &BitPlane) -> Grid {
    let shape = Shape::new(open.width(), open.height());
    let terrain: Vec<u8> = shape.cells().map(|cell| u8::from(open.contains(cell))).collect();
    Grid::from_terrain(open.width(), open.height(), &terrain).unwrap()
}

proptest! {
    #[test]
    fn a_choke_cell_is_one_whose_closing_leaves_connected_cells_apart(
        open in random_maps::plane(),
        moves in prop::sample::select(Moves::ALL.to_vec()),
        radius in prop::sample::select(vec![0.0, 0.0, 0.9, 1.5]),
        picks: [u32; 6],
    ) {
        let grid = grid_of(&open);
        let view = grid.view(&Agent::new().with_moves(moves).with_radius(radius).unwrap());
        let chokes = Chokes::of(&view);
        let shape = view.shape();
        let standing: Vec<Cell> = shape.cells().filter(|&cell| view.is_open(cell)).collect();
        // Only an agent without a radius slips between two walls.
        let slips = moves == Moves::EightFree && radius == 0.0;
        let label = |plane: &BitPlane| Components::label(shape, plane, slips);
        let whole = label(view.open_cells());
        let picked = picks.map(|pick| random_maps::pick(&open, pick));
        for cell in shape.cells() {
            let mut without = view.open_cells().clone();
            without.set(cell, false);
            let parts = label(&without);
            let apart = |a: Cell, b: Cell| {
                let [a, b] = [a, b].map(|cell| shape.node(cell));
                whole.of(a) != 0 && whole.of(a) == whole.of(b) && (parts.of(a) != parts.of(b) || parts.of(a) == 0)
            };
            // Some neighbour of the cell is on each side of it.
            let around: Vec<Cell> = standing
                .iter()
                .copied()
                .filter(|near| *near != cell && near.x.abs_diff(cell.x) <= 1 && near.y.abs_diff(cell.y) <= 1)
                .collect();
            let is_choke = view.is_open(cell)
                && around.iter().any(|&a| {
                    let beside = |b: Cell| slips || b.x == cell.x || b.y == cell.y;
                    beside(a) && around.iter().any(|&b| beside(b) && apart(a, b))
                });
            prop_assert_eq!(chokes.is_choke(cell), is_choke, "{:?}", cell);
            for (&from, &to) in picked.iter().zip(&picked[1..]) {
                prop_assert_eq!(chokes.separates(cell, from, to), apart(from, to), "{:?} of {:?} {:?}", cell, from, to);
            }
        }
        let listed: Vec<Cell> = chokes.cells().collect();
        prop_assert_eq!(listed, shape.cells().filter(|&cell| chokes.is_choke(cell)).collect::<Vec<_>>());
    }
}

/// What the paths of one pair cost, before and after.
fn costs(
    siting: &mut Siting,
    grid: &Grid,
    agent: &Agent,
    footprint: &[Cell],
    pair: (Cell, Cell),
) -> [Option<Cost>; 2] {
    let verdict = siting.would_block(&grid.view(agent), footprint, &[pair]).unwrap();
    let effect = verdict.impacts()[0];
    assert_eq!((effect.from, effect.to), pair);
    [effect.before, effect.after]
}

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

#[test]
fn odd_footprints_and_ends_have_a_plain_meaning() {
    let grid: Grid = "
        ...#.
        ...#.
        ...#."
        .parse()
        .unwrap();
    let (mut siting, agent) = (Siting::default(), Agent::default());
    let two = Scale::GRID.cost(2.0);
    let pair = (cell(0, 0), cell(2, 0));
    let mut costs = |footprint: &[Cell], pair| costs(&mut siting, &grid, &agent, footprint, pair);
    assert_eq!(costs(&[], pair), [two, two]);
    assert_eq!(costs(&[cell(3, 1), cell(-1, 7), cell(99, 0)], pair), [two, two], "walls and cells outside");
    assert_eq!(costs(&[cell(0, 0)], pair), [two, None], "on the start");
    assert_eq!(costs(&[cell(2, 0), cell(2, 0)], pair), [two, None], "on the goal, twice");
    assert_eq!(costs(&[cell(0, 1)], (cell(0, 1), cell(0, 1))), [Some(Cost::ZERO), None]);
    assert_eq!(costs(&[cell(0, 1)], (cell(0, 0), cell(4, 0))), [None, None], "no path before building");
    assert_eq!(costs(&[cell(0, 1)], (cell(3, 0), cell(0, 0))), [None, None], "from a wall");
    assert_eq!(costs(&[cell(0, 1)], (cell(0, 0), cell(0, 9))), [None, None], "to nowhere");
    let around = Some(Cost::ONE + Cost::ONE + Cost::ONE + Cost::ONE);
    assert_eq!(costs(&[cell(1, 0)], pair), [two, around]);
    assert_eq!(
        costs(&[cell(1, 0), cell(1, 1)], pair).map(|cost| cost.map(|cost| Scale::GRID.cells(cost))),
        [Some(2.0), Some(6.0)]
    );
    assert_eq!(costs(&[cell(1, 0), cell(1, 1), cell(1, 2)], pair), [two, None]);
}

#[test]
fn a_corner_that_may_no_longer_be_cut_is_felt() {
    let grid = Grid::new(3, 3).unwrap();
    let pair = (cell(0, 0), cell(1, 1));
    let around = Cost::ONE + Cost::ONE;
    for (moves, expected) in Moves::ALL.into_iter().zip([around, around, Cost::DIAGONAL, Cost::DIAGONAL]) {
        let agent = Agent::new().with_moves(moves);
        let [_, after] = costs(&mut Siting::default(), &grid, &agent, &[cell(1, 0)], pair);
        assert_eq!(after, Some(expected), "{moves}");
    }
}

#[test]
fn a_link_leads_around_a_choke_cell() {
    let mut grid: Grid = "..#..\n.....\n..#..".parse().unwrap();
    let (pair, door) = ((cell(0, 0), cell(4, 0)), [cell(2, 1)]);
    let (mut siting, agent) = (Siting::default(), Agent::default());
    assert_eq!(costs(&mut siting, &grid, &agent, &door, pair)[1], None);
    let cost = Scale::GRID.cost(30.0).unwrap();
    let link = grid.add_link(cell(0, 2), cell(4, 2), cost).unwrap();
    assert_eq!(costs(&mut siting, &grid, &agent, &door, pair)[1], Scale::GRID.cost(34.0));
    assert_eq!(costs(&mut siting, &grid, &agent, &[door[0], cell(4, 2)], pair)[1], None, "its end is taken");
    grid.remove_link(link);
    assert_eq!(costs(&mut siting, &grid, &agent, &door, pair)[1], None);
}

#[test]
fn a_start_that_is_asked_about_often_gets_a_table() {
    let grid = Grid::new(30, 30).unwrap();
    let (mut siting, agent) = (Siting::default(), Agent::default());
    let pair = (cell(0, 4), cell(29, 4));
    // A wall of eight cells before the goal.
    let wall: Vec<Cell> = (0..8).map(|y| cell(27, y)).collect();
    let first = costs(&mut siting, &grid, &agent, &wall, pair);
    assert!(siting.starts.is_empty(), "not for one question");
    for _ in 0..30 {
        assert_eq!(costs(&mut siting, &grid, &agent, &wall, pair), first);
    }
    assert_eq!(siting.starts.len(), 1);
}

#[test]
fn the_world_is_only_read() {
    let grid = Grid::new(9, 9).unwrap();
    let (revision, before) = (grid.revision(), grid.to_terrain());
    costs(&mut Siting::default(), &grid, &Agent::default(), &[cell(4, 4)], (cell(0, 4), cell(8, 4)));
    assert_eq!((grid.revision(), grid.to_terrain()), (revision, before));
}

#[test]
fn too_much_is_refused() {
    let grid = Grid::new(70, 70).unwrap();
    let view = grid.view(&Agent::default());
    let mut siting = Siting::default();
    let cells: Vec<Cell> = grid.cells().take(Siting::MAX_FOOTPRINT + 1).collect();
    let refused = |result: Result<_, SitingError>| result.map(drop).unwrap_err();
    assert_eq!(refused(siting.would_block(&view, &cells, &[])), SitingError::Footprint(4097));
    let pairs: Vec<(Cell, Cell)> = cells.iter().map(|&to| (cells[0], to)).collect();
    assert_eq!(refused(siting.would_block(&view, &[], &pairs[..257])), SitingError::Pairs(257));
    assert_eq!(
        refused(siting.would_block(&view, &[], &pairs[..65])),
        SitingError::Goals { found: 65, most: 64 }
    );
    assert!(siting.would_block(&view, &cells[..4096], &pairs[..64]).is_ok());
    let to_one: Vec<(Cell, Cell)> = pairs[..256].iter().map(|&(from, to)| (to, from)).collect();
    let verdict = siting.would_block(&view, &[], &to_one).unwrap();
    assert_eq!((verdict.impacts().len(), verdict.blocks_any()), (256, false));
    assert_eq!(siting.rests.len(), Siting::MAX_GOALS, "unused tables make room");
    siting.prepare(&view, &to_one).unwrap();
    assert_eq!(siting.starts.len(), Siting::MAX_GOALS, "starts beyond that have to do without");
}

#[test]
fn what_is_known_follows_edits() {
    let mut grid = Grid::new(40, 9).unwrap();
    let (mut siting, agent) = (Siting::default(), Agent::default());
    let pair = (cell(0, 4), cell(39, 4));
    let door = [cell(20, 4)];
    costs(&mut siting, &grid, &agent, &door, pair);
    for step in 0..9 {
        // A wall grows from both sides, until the door is closed as well.
        let y = if step < 4 { step } else { 12 - step };
        grid.set(cell(20, y), Terrain::WALL).unwrap();
        costs(&mut siting, &grid, &agent, &door, pair);
    }
    grid.set(door[0], Terrain::FLOOR).unwrap();
    let [before, after] = costs(&mut siting, &grid, &agent, &door, pair);
    assert_eq!((before.map(|cost| Scale::GRID.cells(cost)), after), (Some(39.0), None));
    assert_eq!(siting.chokes(&grid.view(&agent)).cells().filter(|cell| cell.x == 20).count(), 1);
    grid.set(cell(20, 0), Terrain::FLOOR).unwrap();
    assert!(costs(&mut siting, &grid, &agent, &door, pair)[1].is_some());
    assert_eq!(siting.chokes(&grid.view(&agent)).cells().count(), 0);
    for y in 0..9 {
        grid.set(cell(10, y), if y == 7 { Terrain::FLOOR } else { Terrain::WALL }).unwrap();
    }
    let closer = siting.chokes(&grid.view(&agent)).cells().filter(|cell| cell.x == 10);
    assert_eq!(closer.collect::<Vec<_>>(), [cell(10, 7)], "cells that close make new ones");
    assert!(siting.memory_bytes() > 41 * 11 * 8);
}

/// A wide agent keeps to the middle of the corridor, a small one passes beside the building.
#[test]
fn data_of_one_agent_is_not_used_for_another() {
    let grid = Grid::new(20, 3).unwrap();
    let [wide, small] = [1.4, 0.0].map(|radius| Agent::new().with_radius(radius).unwrap());
    let (mut siting, pair) = (Siting::default(), (cell(1, 1), cell(18, 1)));
    let building = [cell(16, 0), cell(16, 1)];
    siting.prepare(&grid.view(&wide), &[pair]).unwrap();
    let [before, after] = costs(&mut siting, &grid, &small, &building, pair);
    assert!(before == Scale::GRID.cost(17.0) && after.is_some());
    assert_eq!(costs(&mut siting, &grid, &wide, &building, pair), [before, None]);
}

#[test]
fn a_link_to_a_cell_that_was_closed_meanwhile_is_known_when_it_opens() {
    let mut grid = Grid::new(30, 1).unwrap();
    let (mut siting, agent) = (Siting::default(), Agent::default());
    let pair = (cell(19, 0), cell(29, 0));
    costs(&mut siting, &grid, &agent, &[], pair);
    grid.set(cell(28, 0), Terrain::WALL).unwrap();
    grid.add_link(cell(18, 0), cell(28, 0), Cost::ONE).unwrap();
    assert_eq!(costs(&mut siting, &grid, &agent, &[], pair), [None, None]);
    grid.set(cell(28, 0), Terrain::FLOOR).unwrap();
    assert_eq!(costs(&mut siting, &grid, &agent, &[], pair), [Scale::GRID.cost(3.0); 2]);
}

#[test]
fn no_path_leads_back_through_a_link_whose_start_is_built_over() {
    let mut grid: Grid = ".......\n.#####.\n.......".parse().unwrap();
    grid.add_link(cell(0, 1), cell(6, 1), Cost::ONE).unwrap();
    let (mut siting, agent) = (Siting::default(), Agent::default());
    let pair = (cell(0, 0), cell(6, 2));
    siting.prepare(&grid.view(&agent), &[pair]).unwrap();
    let way = [Scale::GRID.cost(3.0), Scale::GRID.cost(8.0)];
    assert_eq!(costs(&mut siting, &grid, &agent, &[cell(0, 1)], pair), way);
}

#[test]
fn tables_that_are_needed_stay_when_there_is_no_room() {
    let grid = Grid::new(70, 70).unwrap();
    let view = grid.view(&Agent::default());
    let mut siting = Siting::default();
    let goals: Vec<Cell> = (0..=Siting::MAX_GOALS as i32).map(|y| cell(60, y)).collect();
    let mut pairs: Vec<(Cell, Cell)> = goals.iter().map(|&goal| (cell(0, 0), goal)).collect();
    siting.would_block(&view, &[], &pairs[..Siting::MAX_GOALS]).unwrap();
    pairs.swap_remove(Siting::MAX_GOALS - 1);
    let wall: Vec<Cell> = (0..69).map(|y| cell(30, y)).collect();
    assert!(!siting.would_block(&view, &wall, &pairs).unwrap().blocks_any());
}
