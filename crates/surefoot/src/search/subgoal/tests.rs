use std::sync::Arc;

use proptest::prelude::*;

use crate::agent::{Agent, Moves};
use crate::core::kernel::End;
use crate::effort::unhindered;
use crate::id::NodeId;
use crate::path::Path;
use crate::search::prepare::{PrepareOptions, Prepared, Table, Ticker};
use crate::search::solver::{Slice, Solver, Task};
use crate::search::subgoal::contract::{Contracted, contract};
use crate::search::subgoal::graph::{self, Link, Links, Scale, Via};
use crate::search::subgoal::hierarchy::Hierarchy;
use crate::search::subgoal::hubs::{Hub, Hubs};
use crate::search::subgoal::plan::Plan;
use crate::search::subgoal::table::SubgoalTable;
use crate::search::subgoal::{ALGORITHM, Subgoal};
use crate::search::{Options, Pathfinder};
use crate::space::Cell;
use crate::world::any::View;
use crate::world::grid::{BitPlane, Grid, GridView, JumpGrid, Terrain};
use crate::world::random_maps;

fn grid_of(open: &BitPlane) -> Grid {
    let (width, height) = (open.width(), open.height());
    let cells = (0..height as i32).flat_map(|y| (0..width as i32).map(move |x| Cell::new(x, y)));
    let terrain: Vec<u8> = cells.map(|cell| u8::from(open.contains(cell))).collect();
    Grid::from_terrain(width, height, &terrain).unwrap()
}

fn agent(moves: usize) -> Agent {
    Agent::new().with_moves(Moves::ALL[moves])
}

struct Graph {
    subgoals: Vec<NodeId>,
    cells: Vec<Cell>,
    scale: Scale,
    links: Links,
}

fn graph_of(view: &GridView<'_>) -> Graph {
    let scale = Scale::of(view).unwrap();
    let Ok(subgoals) = JumpGrid::stops_any_way(view, unhindered);
    let Ok(planes) = JumpGrid::planes_with_stops_any_way(view, unhindered);
    let options = PrepareOptions::default();
    let cells = subgoals.iter().map(|&subgoal| view.shape().cell(subgoal)).collect();
    let links = graph::build(view, &planes, &scale, &subgoals, &Ticker::new(&options, 1)).unwrap();
    Graph { subgoals, cells, scale, links }
}

fn hierarchy_of(view: &GridView<'_>) -> Hierarchy {
    let Graph { subgoals, cells, scale, mut links } = graph_of(view);
    let options = PrepareOptions::default();
    let ticker = Ticker::new(&options, 1);
    graph::drop_spare_links(&mut links, &cells, &scale, &ticker).unwrap();
    let contracted = contract(links, &cells, &scale, &ticker, |_| Ok(())).unwrap();
    let Ok(hierarchy) = Hierarchy::new(&contracted, view.shape(), &subgoals, unhindered);
    hierarchy
}

fn hubs_of(hierarchy: &Hierarchy, most_bytes: usize) -> Option<Hubs> {
    Hubs::build(hierarchy, most_bytes, &Ticker::new(&PrepareOptions::default(), 1)).unwrap()
}

fn solver_with(table: Arc<dyn Table>, view: &GridView<'_>) -> Subgoal {
    let mut solver = Subgoal::default();
    let prepared = Prepared { algorithm: &ALGORITHM, vantage: View::from(view).vantage(), table };
    assert!(solver.adopt(&prepared));
    solver
}

/// What the path costs that a solver finds when it may expand one place at a time.
fn cost_in_slices(solver: &mut Subgoal, view: &GridView<'_>, start: NodeId, goals: &[NodeId]) -> Option<u64> {
    let (view, task) = (View::from(view), Task { start, goals });
    solver.begin(&view, &task);
    loop {
        match solver.run(&view, &task, Slice::unwatched(1)) {
            End::Paused => {}
            End::Goal(to) => {
                let mut path = Path::default();
                path.rewrite(&view, |nodes| solver.trace_back(&view, to, nodes));
                assert_eq!(path.nodes().first(), Some(&start));
                assert!(path.nodes().last().is_some_and(|last| goals.contains(last)));
                return Some(path.units().units());
            }
            _ => return None,
        }
    }
}

/// Distances from one subgoal, by looking at every edge until nothing changes.
fn distances(count: usize, edges: &[(u32, u32, u64)], from: u32) -> Vec<u64> {
    let mut distances = vec![u64::MAX; count];
    distances[from as usize] = 0;
    loop {
        let mut changed = false;
        for &(a, b, weight) in edges {
            let through = distances[a as usize].saturating_add(weight);
            if through < distances[b as usize] {
                distances[b as usize] = through;
                changed = true;
            }
        }
        if !changed {
            return distances;
        }
    }
}

fn all_edges(links: &[Vec<Link>]) -> Vec<(u32, u32, u64)> {
    let list = |(from, list): (usize, &Vec<Link>)| {
        list.iter().map(|link| (from as u32, link.to, u64::from(link.weight))).collect::<Vec<_>>()
    };
    links.iter().enumerate().flat_map(list).collect()
}

proptest! {
    #[test]
    fn distances_in_the_graph_are_those_on_the_map(
        open in random_maps::plane(),
        moves in 0..4_usize,
        pick: prop::sample::Index,
    ) {
        let (grid, agent) = (grid_of(&open), agent(moves));
        let view = grid.view(&agent);
        if ALGORITHM.refusal(view).is_some() {
            return Ok(());
        }
        let Graph { subgoals, cells, scale, mut links } = graph_of(&view);
        if subgoals.is_empty() {
            return Ok(());
        }
        for (from, list) in links.iter().enumerate() {
            for link in list {
                let back = links[link.to as usize].iter().find(|back| back.to == from as u32);
                prop_assert_eq!(back.map(|back| (back.weight, back.via.reversed())), Some((link.weight, link.via)));
                prop_assert!(!matches!(link.via, Via::Middle(_)));
            }
        }
        let from = pick.index(subgoals.len());
        let mut finder = Pathfinder::named("dijkstra", &Options::default()).unwrap();
        let full = distances(subgoals.len(), &all_edges(&links), from as u32);
        for (to, &distance) in full.iter().enumerate() {
            let path = finder.find(view, subgoals[from], subgoals[to]);
            let expected = path.map_or(u64::MAX, |path| path.units().units() / scale.unit);
            prop_assert_eq!(distance, expected, "{:?} to {:?}", cells[from], cells[to]);
        }
        let before = all_edges(&links).len();
        graph::drop_spare_links(&mut links, &cells, &scale, &Ticker::new(&PrepareOptions::default(), 1)).unwrap();
        prop_assert!(all_edges(&links).len() <= before);
        prop_assert_eq!(distances(subgoals.len(), &all_edges(&links), from as u32), full);
    }

    #[test]
    fn distances_up_and_down_the_hierarchy_are_those_in_the_graph(
        open in random_maps::plane(),
        moves in 0..4_usize,
        pick: prop::sample::Index,
    ) {
        let (grid, agent) = (grid_of(&open), agent(moves));
        let view = grid.view(&agent);
        if ALGORITHM.refusal(view).is_some() {
            return Ok(());
        }
        let Graph { subgoals, links, .. } = graph_of(&view);
        if subgoals.is_empty() {
            return Ok(());
        }
        let hierarchy = hierarchy_of(&view);
        let number = |hierarchy: &Hierarchy, cell| hierarchy.cells().position(|other| other == cell).unwrap() as u32;
        let up: Vec<(u32, u32, u64)> = (0..hierarchy.len() as u32)
            .flat_map(|from| hierarchy.edges(from).iter().map(move |edge| (from, edge.to, u64::from(edge.weight))))
            .collect();
        let upwards = |from| distances(subgoals.len(), &up, from);
        let from = pick.index(subgoals.len());
        let forward = upwards(number(&hierarchy, subgoals[from]));
        let expected = distances(subgoals.len(), &all_edges(&links), from as u32);
        for (to, &cell) in subgoals.iter().enumerate().step_by(3) {
            let backward = upwards(number(&hierarchy, cell));
            let met = forward.iter().zip(backward).map(|(&a, b)| a.saturating_add(b)).min();
            prop_assert_eq!(met, Some(expected[to]));
        }
    }

    #[test]
    fn distances_over_hubs_are_those_in_the_graph(
        open in random_maps::plane(),
        moves in 0..4_usize,
        pick: prop::sample::Index,
    ) {
        let (grid, agent) = (grid_of(&open), agent(moves));
        let view = grid.view(&agent);
        if ALGORITHM.refusal(view).is_some() {
            return Ok(());
        }
        let Graph { subgoals, links, .. } = graph_of(&view);
        if subgoals.is_empty() {
            return Ok(());
        }
        let hierarchy = hierarchy_of(&view);
        let hubs = hubs_of(&hierarchy, usize::MAX).unwrap();
        let numbers: Vec<u32> = subgoals
            .iter()
            .map(|&cell| hierarchy.cells().position(|other| other == cell).unwrap() as u32)
            .collect();
        let place_of = |number: u32| numbers.iter().position(|&other| other == number).unwrap();
        let from = pick.index(subgoals.len());
        let expected = distances(subgoals.len(), &all_edges(&links), from as u32);
        let own = hubs.of(numbers[from]);
        prop_assert_eq!((own[0].subgoal, own[0].distance), (numbers[from], 0));
        prop_assert!(own.is_sorted_by_key(|hub| hub.distance));
        for hub in own {
            prop_assert_eq!(u64::from(hub.distance), expected[place_of(hub.subgoal)]);
            let mut way = Vec::new();
            hubs.way_up(&hierarchy, numbers[from], hub.subgoal, &mut way);
            let weights = way.iter().map(|&(keeper, place)| {
                hierarchy.edges(keeper)[place - hierarchy.place(keeper, 0)].weight
            });
            prop_assert_eq!(weights.sum::<u32>(), hub.distance);
            let end = way.last().map_or(numbers[from], |&(_, place)| hierarchy.leads_to(place));
            prop_assert_eq!(end, hub.subgoal);
        }
        for (to, &number) in numbers.iter().enumerate() {
            let shared = |hub: &Hub| {
                let other = own.iter().find(|other| other.subgoal == hub.subgoal)?;
                Some(u64::from(hub.distance) + u64::from(other.distance))
            };
            let over_hubs = hubs.of(number).iter().filter_map(shared).min();
            prop_assert_eq!(over_hubs.unwrap_or(u64::MAX), expected[to]);
        }
        prop_assert_eq!(hubs_of(&hierarchy, hubs.bytes() - 1), None);
        prop_assert_eq!(hubs_of(&hierarchy, hubs.bytes()), Some(hubs));
    }

    #[test]
    fn paths_are_the_best_with_hubs_and_without(
        open in random_maps::plane(),
        moves in 0..4_usize,
        radius in 0..3_u32,
        picks in prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index, prop::sample::Index)>(), 8),
    ) {
        let grid = grid_of(&open);
        let agent = agent(moves).with_radius(f64::from(radius)).unwrap();
        let view = grid.view(&agent);
        let cells: Vec<NodeId> =
            view.shape().cells().filter(|&cell| view.is_open(cell)).map(|cell| view.shape().node(cell)).collect();
        if ALGORITHM.refusal(view).is_some() || cells.is_empty() {
            return Ok(());
        }
        let with = SubgoalTable::build(&view, &PrepareOptions::default()).unwrap();
        prop_assert!(with.hubs.is_some());
        let enough = with.bytes() as u64;
        let build = |memory_limit| SubgoalTable::build(&view, &PrepareOptions { memory_limit, ..PrepareOptions::default() }).unwrap();
        prop_assert!(build(enough).hubs.is_some());
        let without = build(enough - 1);
        prop_assert!(without.hubs.is_none());
        let mut solvers = [with, without].map(|table| solver_with(Arc::new(Plan::from(table)), &view));
        let mut dijkstra = Pathfinder::named("dijkstra", &Options::default()).unwrap();
        for (start, first, second) in picks {
            let start = *start.get(&cells);
            let mut goals = vec![*first.get(&cells), *second.get(&cells)];
            goals.sort_unstable();
            goals.dedup();
            let expected = dijkstra.find_nearest(view, start, &goals).ok().map(|path| path.units().units());
            for solver in &mut solvers {
                prop_assert_eq!(cost_in_slices(solver, &view, start, &goals), expected);
            }
        }
    }

    #[test]
    fn damaged_tables_are_refused_or_harmless(
        open in random_maps::plane(),
        moves in 0..4_usize,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut: Option<prop::sample::Index>,
    ) {
        let (grid, agent) = (grid_of(&open), agent(moves));
        let view = grid.view(&agent);
        if ALGORITHM.refusal(view).is_some() {
            return Ok(());
        }
        let mut bytes = Vec::new();
        SubgoalTable::build(&view, &PrepareOptions::default()).unwrap().save(&mut bytes);
        for (place, byte) in damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let Ok(table) = Plan::load(&view, &bytes) else { return Ok(()) };
        let mut solver = solver_with(table, &view);
        let cells: Vec<NodeId> = view.shape().cells().filter(|&cell| view.is_open(cell)).map(|cell| view.shape().node(cell)).collect();
        for (&start, &goal) in cells.iter().zip(cells.iter().rev()) {
            let (view, task) = (View::from(&view), Task { start, goals: &[goal] });
            solver.begin(&view, &task);
            if let End::Goal(to) = solver.run(&view, &task, Slice::unwatched(u64::MAX)) {
                let mut nodes = Vec::new();
                solver.trace_back(&view, to, &mut nodes);
                prop_assert_eq!(nodes.first(), Some(&start));
            }
        }
    }
}

const ROOMS: &str = "
    ........#.......
    .##.....#..###..
    .##........###..
    ........#.......
    ####.####..#.#..
    ...........#.#..
    ..##..##...#.#..
    ..##..##........";

#[test]
fn a_table_comes_back_from_its_bytes() {
    let grid: Grid = ROOMS.parse().unwrap();
    let view = grid.view(&Agent::default());
    let table = SubgoalTable::build(&view, &PrepareOptions::default()).unwrap();
    let mut bytes = Vec::new();
    table.save(&mut bytes);
    let again = Plan::load(&view, &bytes).unwrap();
    let mut second = Vec::new();
    again.save(&mut second);
    assert_eq!(bytes, second);
    assert_eq!((again.bytes(), again.sketch(&view)), (table.bytes(), table.sketch()));
    bytes.push(0);
    assert!(Plan::load(&view, &bytes).is_err());
}

#[test]
fn the_sketch_shows_corners_and_what_joins_them() {
    let grid: Grid = "
        .....
        .....
        ..#..
        .....
        ....."
        .parse()
        .unwrap();
    let view = grid.view(&Agent::default());
    let sketch = SubgoalTable::build(&view, &PrepareOptions::default()).unwrap().sketch();
    let node = |x, y| grid.node(Cell::new(x, y)).unwrap();
    let corners = [node(1, 1), node(3, 1), node(1, 3), node(3, 3)];
    assert_eq!(sketch.places, corners);
    let sides = [(0, 1), (0, 2), (1, 3), (2, 3)].map(|(a, b): (usize, usize)| (corners[a], corners[b]));
    assert_eq!(sketch.ways, sides);
}

#[test]
fn a_small_limit_of_memory_is_kept() {
    let grid: Grid = ROOMS.parse().unwrap();
    let view = grid.view(&Agent::default());
    let options = PrepareOptions { memory_limit: 100, ..PrepareOptions::default() };
    assert!(SubgoalTable::build(&view, &options).is_err());
}

/// Shortcuts that do not fit stay out: their subgoals form a core that edges cross both ways.
#[test]
fn what_cannot_be_contracted_stays_as_a_core() {
    let long = u32::MAX - 1;
    let link = |to, weight, via| Link { to, weight, via, hops: 1 };
    let ring: Vec<Vec<Link>> = (0..5_u32)
        .map(|at| {
            vec![link((at + 1) % 5, long, Via::ScanFromHere), link((at + 4) % 5, long, Via::ScanFromThere)]
        })
        .collect();
    let grid: Grid = ROOMS.parse().unwrap();
    let view = grid.view(&Agent::default());
    let scale = Scale::of(&view).unwrap();
    let options = PrepareOptions::default();
    let contracted =
        contract(ring.clone().into(), &[Cell::new(0, 0); 5], &scale, &Ticker::new(&options, 5), |_| Ok(()))
            .unwrap();
    assert_eq!(contracted.core, [true; 5]);
    assert_eq!(*contracted.up, ring);
    let cells: Vec<NodeId> = (0..5).map(NodeId).collect();
    let Ok(hierarchy) = Hierarchy::new(&contracted, view.shape(), &cells, unhindered);
    assert!((0..5).all(|number| hierarchy.edges(number).len() == 2));
    assert_eq!(hubs_of(&hierarchy, usize::MAX), None);
}

/// One subgoal with as many edges as a subgoal that is taken out may have (128), or with more: it stays as a core.
#[test]
fn a_subgoal_with_very_many_edges_stays_as_a_core() {
    let grid = Grid::new(20, 20).unwrap();
    let view = grid.view(&Agent::default());
    let scale = Scale::of(&view).unwrap();
    for leaves in [127_u32, 128, 129, 300] {
        // A ring around the middle, with expensive edges: the path through the middle is always shorter.
        let link = |to, weight, via| Link { to, weight, via, hops: 1 };
        let mut links: Vec<Vec<Link>> =
            vec![(1..=leaves).map(|to| link(to, to, Via::ScanFromHere)).collect()];
        links.extend((1..=leaves).map(|at| {
            let next = link(at % leaves + 1, 5000, Via::ScanFromHere);
            let last = link((at + leaves - 2) % leaves + 1, 5000, Via::ScanFromThere);
            vec![link(0, at, Via::ScanFromThere), next, last]
        }));
        let count = leaves + 1;
        let cells = vec![Cell::new(0, 0); count as usize];
        let options = PrepareOptions::default();
        let contracted =
            contract(links.clone().into(), &cells, &scale, &Ticker::new(&options, count.into()), |_| Ok(()))
                .unwrap();
        assert_eq!(contracted.core[0], leaves > 128, "{leaves}");
        let up = all_edges(&contracted.up);
        let numbers: Vec<u32> = (0..count).step_by(7).collect();
        let upwards: Vec<Vec<u64>> =
            numbers.iter().map(|&from| distances(count as usize, &up, from)).collect();
        for (from, forward) in numbers.iter().zip(&upwards) {
            let expected = distances(count as usize, &all_edges(&links), *from);
            for (to, backward) in numbers.iter().zip(&upwards) {
                let met = forward.iter().zip(backward).map(|(&a, &b)| a.saturating_add(b)).min();
                assert_eq!(met, Some(expected[*to as usize]), "{leaves}: {from} to {to}");
            }
        }
        let nodes: Vec<NodeId> = (0..count).map(NodeId).collect();
        let Ok(hierarchy) = Hierarchy::new(&contracted, view.shape(), &nodes, unhindered);
        assert_eq!(hubs_of(&hierarchy, usize::MAX).is_some(), leaves <= 128, "{leaves}");
    }
}

/// A wide square with pillars along two of its sides, all of them in sight of one in the corner: paths are the best across the core, too.
#[test]
fn paths_across_a_core_are_the_best() {
    let side = 300;
    let mut grid = Grid::new(side, side).unwrap();
    let far = side as i32 - 10;
    let along = (11..far - 2).step_by(2).flat_map(|at| [Cell::new(far, at), Cell::new(at, far)]);
    grid.set_many([Cell::new(4, 4)].into_iter().chain(along).map(|cell| (cell, Terrain::WALL))).unwrap();
    let view = grid.view(&Agent::default());
    let table = SubgoalTable::build(&view, &PrepareOptions::default()).unwrap();
    assert!(table.hierarchy.has_core() && table.hubs.is_none(), "the map has no core");
    let mut solver = solver_with(Arc::new(Plan::from(table)), &view);
    let mut dijkstra = Pathfinder::named("dijkstra", &Options::default()).unwrap();
    let node = |x: i32, y: i32| view.shape().node(Cell::new(x, y));
    let starts = [node(0, 0), node(4, 3), node(0, 200), node(150, 150), node(far + 5, 100)];
    let goals = [node(far + 1, 41), node(100, far + 3), node(far + 8, far + 8), node(3, 4), node(far, 100)];
    for start in starts {
        for goal in goals {
            let expected = dijkstra.find(view, start, goal).unwrap().units().units();
            assert_eq!(cost_in_slices(&mut solver, &view, start, &[goal]), Some(expected));
        }
    }
}

#[test]
fn hubs_too_far_away_to_be_held_are_left_to_searches() {
    let grid: Grid = ROOMS.parse().unwrap();
    let view = grid.view(&Agent::default());
    let cells: Vec<NodeId> = (0..3).map(NodeId).collect();
    let chain = |weight| {
        let link = |to| vec![Link { to, weight, via: Via::ScanFromHere, hops: 1 }];
        let contracted = Contracted { up: vec![link(1), link(2), Vec::new()].into(), core: vec![false; 3] };
        let Ok(hierarchy) = Hierarchy::new(&contracted, view.shape(), &cells, unhindered);
        hubs_of(&hierarchy, usize::MAX)
    };
    assert!(chain(u32::MAX / 2).is_some());
    assert_eq!(chain(u32::MAX / 2 + 1), None);
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_makes_the_same_table() {
    let open = |x: u32, y: u32| (x * 7 + y * 13 + x * y) % 11 > 2;
    let terrain: Vec<u8> = (0..60 * 60).map(|at| u8::from(open(at % 60, at / 60))).collect();
    let grid = Grid::from_terrain(60, 60, &terrain).unwrap();
    let view = grid.view(&Agent::default());
    let [one, two, many] = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let hierarchy = hierarchy_of(&view);
            let hubs = hubs_of(&hierarchy, usize::MAX).unwrap();
            (hierarchy, hubs)
        })
    });
    assert!(one.0.len() > 100);
    assert_eq!(one, two);
    assert_eq!(one, many);
}
