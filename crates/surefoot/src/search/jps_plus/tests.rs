use std::ops::ControlFlow;
use std::sync::Arc;

use proptest::prelude::*;

use super::ALGORITHM;
use super::table::{JumpTable, MOST_WITH_BOXES, Place};
use crate::agent::{Agent, Metric, Moves};
use crate::effort::unhindered;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::search::prepare::{LoadError, PrepareError, PrepareOptions, Prepared, Table};
use crate::search::{Options, Pathfinder};
use crate::space::Cell;
use crate::world::any::View;
use crate::world::grid::{BitPlane, Direction, Grid, GridView, Terrain, fan};
use crate::world::random_maps;

fn grid_of(plane: &BitPlane) -> Grid {
    let mut grid = Grid::new(plane.width(), plane.height()).unwrap();
    let walls: Vec<Cell> = grid.cells().filter(|&cell| !plane.contains(cell)).collect();
    for cell in walls {
        grid.set(cell, Terrain::WALL).unwrap();
    }
    grid
}

fn small_grid() -> impl Strategy<Value = Grid> {
    (1..10_u32, 1..9_u32).prop_flat_map(|(width, height)| {
        let cells = prop::collection::vec(prop::sample::select(vec![0, 1, 1, 1]), (width * height) as usize);
        cells.prop_map(move |cells| Grid::from_terrain(width, height, &cells).unwrap())
    })
}

fn agent() -> impl Strategy<Value = Agent> {
    let metrics = vec![Metric::EUCLIDEAN, Metric::new(1.0, 1.4).unwrap()];
    (prop::sample::select(Moves::ALL.to_vec()), prop::sample::select(metrics))
        .prop_map(|(moves, metric)| Agent::new().with_moves(moves).with_metric(metric))
}

/// Where a jump from a node ends, cell by cell, and how many steps it is to there or to the wall.
fn walk(view: &GridView<'_>, from: NodeId, direction: Direction) -> (Option<NodeId>, u16) {
    let (mut at, mut steps) = (from, 0);
    loop {
        if view.rule().legal(view.neighbours()[at.index()]) & direction.bit() == 0 {
            return (None, steps);
        }
        at = NodeId(at.0.wrapping_add_signed(view.offsets()[direction as usize]));
        steps += 1;
        let forced = view.rule().forced(view.moves(), direction, view.neighbours()[at.index()]) != 0;
        let mut aside = fan(view.moves(), direction).into_iter().flatten();
        if forced || aside.any(|aside| walk(view, at, aside).0.is_some()) {
            return (Some(at), steps);
        }
    }
}

/// What the cheapest paths from a node cost, by node number.
fn costs_from(view: &GridView<'_>, source: NodeId) -> Vec<Option<u64>> {
    let mut costs = vec![None; view.node_bound()];
    costs[source.index()] = Some(0);
    let mut queue = std::collections::BTreeSet::from([(0, source)]);
    while let Some((cost, node)) = queue.pop_first() {
        view.for_each_edge(node, |next, step| {
            let (known, cost) = (&mut costs[next.index()], cost + step.units());
            if known.is_none_or(|known| cost < known) {
                *known = Some(cost);
                queue.insert((cost, next));
            }
        });
    }
    costs
}

fn table_of(view: &GridView<'_>) -> JumpTable {
    JumpTable::build(view, &PrepareOptions::default()).unwrap()
}

fn saved(table: &JumpTable) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.save(&mut bytes);
    bytes
}

fn finder() -> Pathfinder {
    Pathfinder::new(&ALGORITHM, &Options::default()).unwrap()
}

/// A map with more open cells than boxes are made for.
fn large_grid() -> Grid {
    let mut grid = Grid::new(180, 180).unwrap();
    for y in 0..175 {
        grid.set(Cell::new(90, y), Terrain::WALL).unwrap();
        grid.set(Cell::new(30 + y % 7, y), Terrain::WALL).unwrap();
    }
    grid
}

proptest! {
    #![proptest_config(crate::random_cases::cases(64))]

    #[test]
    fn jumps_end_where_a_walk_ends(open in random_maps::plane(), moves in prop::sample::select(Moves::ALL.to_vec())) {
        let grid = grid_of(&open);
        let view = grid.view(&Agent::new().with_moves(moves));
        let Ok(table) = JumpTable::without_boxes(&view, unhindered);
        prop_assert_eq!(table.places.len(), open.count());
        for (place, number) in table.places.iter().zip(0..) {
            let Place { ends, steps, sight, node, .. } = *place;
            prop_assert_eq!(table.number_of(node), Some(NodeId(number)));
            for direction in Direction::ALL {
                let slot = direction as usize;
                let end = (ends[slot] != NodeId::NONE).then(|| table.node_of(ends[slot]));
                prop_assert_eq!((end, steps[slot]), walk(&view, node, direction), "{:?} {:?}", grid.cell(node), direction);
                let (dx, dy) = direction.delta();
                let seen = (1..i32::from(u16::MAX)).take_while(|&step| open.contains(grid.cell(node).offset(dx * step, dy * step))).count();
                prop_assert!(direction.is_diagonal() || usize::from(sight[slot]) == seen);
            }
        }
        for cell in grid.cells().filter(|&cell| !open.contains(cell)) {
            prop_assert_eq!(table.number_of(grid.node(cell).unwrap()), None);
        }
    }

    #[test]
    fn boxes_hold_all_that_cheapest_paths_reach_and_nothing_around(grid in small_grid(), agent in agent()) {
        let view = grid.view(&agent);
        prop_assume!(ALGORITHM.refusal(view).is_none());
        let table = table_of(&view);
        prop_assert_eq!(table.boxes.len(), table.places.len());
        for (place, boxes) in table.places.iter().zip(&table.boxes) {
            let costs = costs_from(&view, place.node);
            let mut expected = vec![0; view.node_bound()];
            view.for_each_edge(place.node, |next, step| {
                let delta = next.0.wrapping_sub(place.node.0) as i32;
                let direction = view.offsets().iter().position(|&offset| offset == delta).unwrap();
                let rest = costs_from(&view, next);
                let begins = |cell: &Cell| {
                    let node = grid.node(*cell).unwrap();
                    node != place.node && rest[node.index()].is_some()
                        && rest[node.index()].map(|rest| rest + step.units()) == costs[node.index()]
                };
                let cells: Vec<Cell> = grid.cells().filter(begins).collect();
                let within = |cell: Cell, at: fn(&Cell) -> i32| {
                    cells.iter().map(at).min() <= Some(at(&cell)) && cells.iter().map(at).max() >= Some(at(&cell))
                };
                for cell in grid.cells().filter(|&cell| !cells.is_empty() && within(cell, |cell| cell.x) && within(cell, |cell| cell.y)) {
                    expected[grid.node(cell).unwrap().index()] |= 1 << direction;
                }
            });
            for cell in grid.cells() {
                let node = grid.node(cell).unwrap();
                prop_assert_eq!(boxes.directions_to(cell), expected[node.index()], "{:?} from {:?}", cell, grid.cell(place.node));
            }
        }
    }

    #[test]
    fn a_saved_table_comes_back_and_a_damaged_one_does_no_harm(
        grid in small_grid(),
        agent in agent(),
        at: prop::sample::Index,
        value: u8,
        ends: (prop::sample::Index, prop::sample::Index),
    ) {
        let view = grid.view(&agent);
        prop_assume!(ALGORITHM.refusal(view).is_none());
        let table = table_of(&view);
        let mut bytes = saved(&table);
        let restored = JumpTable::load(&view, &bytes).unwrap();
        let mut again = Vec::new();
        restored.save(&mut again);
        prop_assert_eq!(&again, &bytes);
        prop_assert_eq!(restored.bytes(), table.bytes());
        for length in [0, 7, bytes.len() - 1] {
            prop_assert!(JumpTable::load(&view, &bytes[..length]).is_err());
        }
        bytes.push(0);
        prop_assert!(JumpTable::load(&view, &bytes).is_err());
        bytes.pop();
        *at.get_mut(&mut bytes) = value;
        if let Ok(table) = JumpTable::load(&view, &bytes) {
            let mut finder = finder();
            let vantage = View::from(view).vantage();
            let adopted = finder.adopt(&Prepared { algorithm: &ALGORITHM, vantage, table });
            prop_assert!(adopted);
            let cells: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
            let _ = finder.find(view, *ends.0.get(&cells), *ends.1.get(&cells));
        }
    }
}

#[test]
fn a_large_map_has_no_boxes_and_the_same_costs() {
    let grid = large_grid();
    let view = grid.view(&Agent::default());
    let table = table_of(&view);
    assert!(table.places.len() > MOST_WITH_BOXES && table.boxes.is_empty());
    assert!(JumpTable::load(&view, &saved(&table)).is_ok());
    let (mut finder, mut astar) = (finder(), Pathfinder::named("astar", &Options::default()).unwrap());
    for (x, y) in [(0, 0), (29, 60), (91, 0), (179, 179), (89, 3)] {
        let goals = [Cell::new(x, y), Cell::new(179 - x, 20)];
        let found = finder.find_nearest(view, Cell::new(40, 5), &goals).unwrap().units();
        assert_eq!(found, astar.find_nearest(view, Cell::new(40, 5), &goals).unwrap().units(), "{x} {y}");
    }
}

#[test]
fn limits_and_breaks_are_kept() {
    let grid = Grid::new(30, 20).unwrap();
    let view = grid.view(&Agent::default());
    let tight = PrepareOptions { memory_limit: 1000, ..PrepareOptions::default() };
    let too_large = JumpTable::build(&view, &tight).err();
    assert!(matches!(too_large, Some(PrepareError::TooLarge { estimate, .. }) if estimate > 600 * 128));
    let hasty = PrepareOptions { progress: &|_, _| ControlFlow::Break(()), ..PrepareOptions::default() };
    assert_eq!(JumpTable::build(&view, &hasty).err(), Some(PrepareError::Cancelled));
    let late = |done: u64, _| if done < 300 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let options = PrepareOptions { progress: &late, ..PrepareOptions::default() };
    assert_eq!(JumpTable::build(&view, &options).err(), Some(PrepareError::Cancelled));
}

#[test]
fn a_table_is_only_for_its_map() {
    let grid = Grid::new(9, 7).unwrap();
    let view = grid.view(&Agent::default());
    let mut finder = finder();
    finder.prepare(view, &PrepareOptions::default()).unwrap();
    let bytes = finder.prepared().unwrap().to_bytes(&view).unwrap();
    assert!(Prepared::from_bytes(&bytes, &view).is_ok());
    let rook = grid.view(&Agent::new().with_moves(Moves::Four));
    assert_eq!(Prepared::from_bytes(&bytes, &rook).err(), Some(LoadError::OtherMap));
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_makes_the_same_table() {
    let mut grid = Grid::new(40, 30).unwrap();
    for y in 3..30 {
        grid.set(Cell::new(7 + y % 5, y), Terrain::WALL).unwrap();
    }
    let view = grid.view(&Agent::default());
    let [one, many] = [1, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        Arc::new(pool.install(|| table_of(&view)))
    });
    assert_eq!(one.places, many.places);
    assert_eq!(one.boxes, many.boxes);
}
