//! Edited worlds are the worlds one would have built, and copies stay what they were.

use crate::common::cases;
use crate::common::edits::{apply, edit, edits};
use crate::common::oracle::Oracle;
use crate::common::run::{Query, Setting, Truth, ask, check, typical_settings};
use crate::common::worlds::{Built, GridWorld, RADII, World, graph_world, grid_world};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use surefoot::generate::{Kind, generate};
use surefoot::graph::{Graph, ReverseGraph};
use surefoot::prelude::*;
use surefoot::replan::Planner;
use surefoot::world::grid::GridChange;
use surefoot::world::waypoints::EdgeId;

/// Every edge that a view has, forwards and backwards, sorted by node.
type Edges = Vec<Vec<(NodeId, u64)>>;

fn edges_of(grid: &Grid, agent: &Agent) -> (Edges, Edges) {
    let view = grid.view(agent);
    let (mut leaving, mut entering) = (Vec::new(), Vec::new());
    for node in (0..view.node_bound() as u32).map(NodeId) {
        let (mut out, mut into) = (Vec::new(), Vec::new());
        let stands = grid.cells().any(|cell| grid.node(cell) == Some(node) && view.is_open(cell));
        if stands {
            view.for_each_edge(node, |to, cost| out.push((to, cost.units())));
            view.for_each_edge_into(node, |from, cost| into.push((from, cost.units())));
        }
        leaving.push(out);
        entering.push(into);
    }
    (leaving, entering)
}

/// Compares a grid with its data, for agents of every kind.
fn check_edges(world: &GridWorld, grid: &Grid, fresh: &Grid) -> Result<(), TestCaseError> {
    for (moves, radius) in Moves::ALL.into_iter().flat_map(|moves| RADII.map(|radius| (moves, radius))) {
        let agent = world.agent.with_moves(moves).with_radius(radius).unwrap();
        let oracle = Oracle::of_grid(&GridWorld { agent, ..world.clone() });
        let (leaving, entering) = edges_of(grid, &agent);
        prop_assert_eq!(&(&leaving, &entering), &{
            let fresh = edges_of(fresh, &agent);
            (&fresh.0.clone(), &fresh.1.clone())
        });
        let mut expected_entering = vec![Vec::new(); leaving.len()];
        for (node, expected) in (0..).map(NodeId).zip(&oracle.edges) {
            let mut expected = expected.clone();
            for &(to, cost) in &expected {
                expected_entering[to.index()].push((node, cost));
            }
            let mut found = leaving[node.index()].clone();
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected, "edges from {:?} for {:?}", grid.cell(node), agent);
        }
        for (mut found, mut expected) in entering.into_iter().zip(expected_entering) {
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected, "edges backwards for {:?}", agent);
        }
    }
    Ok(())
}

/// Checks searches between two places.
fn check_searches(
    settings: &[Setting],
    world: &GridWorld,
    grid: &Grid,
    ends: (u16, u16),
) -> Result<(), TestCaseError> {
    let oracle = Oracle::of_grid(world);
    let built = Built::Grid(Box::new(grid.clone()), world.agent);
    let Some((start, goal)) = oracle.some_ends(ends.0, ends.1) else { return Ok(()) };
    let query = Query { start, goals: vec![goal] };
    let truth = Truth::new(&oracle, &query);
    settings.iter().try_for_each(|setting| check(setting, &built, &query, &truth))
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn an_edited_grid_is_the_grid_one_would_have_built(
        before in grid_world(), edits in edits(), ends: (u16, u16), prepared in vec(any::<bool>(), RADII.len()),
    ) {
        let mut world = before.clone();
        let mut grid = world.grid();
        // Some sizes have been asked for already, so their data has to follow the edits.
        for (radius, _) in RADII.into_iter().zip(prepared).filter(|(_, prepared)| *prepared) {
            for moves in [Moves::Eight, Moves::EightFree] {
                let agent = world.agent.with_radius(radius).unwrap().with_moves(moves);
                let corners = [Cell::new(0, 0), Cell::new(world.width as i32 - 1, world.height as i32 - 1)];
                let _ = Pathfinder::default().find(grid.view(&agent), corners[0], corners[1]);
            }
        }
        let copy = grid.clone();
        let revision = grid.revision();
        let settings = typical_settings();
        for edit in &edits {
            apply(edit, &mut world, &mut grid);
            check_searches(&settings[..2], &world, &grid, ends)?;
        }
        prop_assert_eq!(grid.to_terrain(), world.terrain.clone());
        check_edges(&world, &grid, &world.grid())?;
        check_searches(&settings, &world, &grid, ends)?;

        check_edges(&before, &copy, &before.grid())?;
        check_searches(&settings, &before, &copy, ends)?;

        let (mut terrain, mut links) = (before.terrain, copy.links().to_vec());
        for change in grid.journal().since(revision).unwrap() {
            match change {
                GridChange::Terrain { node, old, new } => {
                    let cell = grid.cell(node);
                    let slot = &mut terrain[cell.y as usize * world.width as usize + cell.x as usize];
                    prop_assert_eq!(*slot, old.cost());
                    *slot = new.cost();
                }
                GridChange::LinkAdded(link) => links.push(link),
                GridChange::LinkRemoved(link) => {
                    let index = links.iter().position(|other| *other == link).unwrap();
                    links.remove(index);
                }
            }
        }
        links.sort_unstable();
        prop_assert_eq!(terrain, grid.to_terrain());
        prop_assert_eq!(&links, grid.links());
    }

    /// Copies of copies, each edited, queried and dropped at any time.
    #[test]
    fn copies_answer_like_grids_that_were_built_from_their_cells(
        first in grid_world(), ends: (u16, u16),
        steps in vec((any::<prop::sample::Index>(), 0..6_u8, edit()), 1..16),
    ) {
        let settings = typical_settings();
        let mut copies = vec![(first.clone(), first.grid())];
        for (which, action, edit) in steps {
            let which = which.index(copies.len());
            match action {
                0 if which > 0 => _ = copies.swap_remove(which),
                1 | 2 => copies.push(copies[which].clone()),
                3 => check_searches(&settings, &copies[which].0, &copies[which].1, ends)?,
                _ => {
                    let (world, grid) = &mut copies[which];
                    apply(&edit, world, grid);
                }
            }
        }
        for (world, grid) in copies {
            let Some((start, goal)) = Oracle::of_grid(&world).some_ends(ends.0, ends.1) else { continue };
            let query = Query { start, goals: vec![goal] };
            let fresh = world.grid();
            prop_assert_eq!((grid.to_terrain(), grid.digest()), (fresh.to_terrain(), fresh.digest()));
            for setting in &settings {
                let [edited, fresh] = [&grid, &fresh]
                    .map(|grid| ask(&mut setting.finder(), View::from(grid.view(&world.agent)), &query, u64::MAX));
                prop_assert_eq!(edited, fresh, "{:?}", setting);
            }
        }
    }

    #[test]
    fn an_edited_waypoint_graph_is_the_graph_one_would_have_built(
        before in graph_world(), edits in vec((any::<u16>(), proptest::option::of(1..90_000_u64)), 1..12),
        start: u16, goal: u16,
    ) {
        if before.edges.is_empty() {
            return Ok(());
        }
        let mut graph = before.graph();
        let mut world = before.clone();
        let check = |world: &World, graph: &Waypoints| {
            let (oracle, built) = (Oracle::of(world), Built::Graph(Box::new(graph.clone())));
            let (start, goal) = oracle.some_ends(start, goal).unwrap();
            let query = Query { start, goals: vec![goal] };
            let truth = Truth::new(&oracle, &query);
            typical_settings().iter().try_for_each(|setting| check(setting, &built, &query, &truth))
        };
        check(&World::Graph(before.clone()), &graph)?;
        let copy = graph.clone();
        for (edge, cost) in edits {
            let index = usize::from(edge) % world.edges.len();
            let raw = &mut world.edges[index];
            (raw.closed, raw.cost) = (cost.is_none(), cost.unwrap_or(raw.cost));
            graph.set_edge(EdgeId(index as u32), cost.map(Cost::from_units)).unwrap();
            check(&World::Graph(world.clone()), &graph)?;
        }
        check(&World::Graph(before), &copy)?;
    }
}

/// Costs and expansions of some queries by searches that read what is kept of cells.
fn answers(grid: &Grid, ends: &[(Cell, Cell)]) -> Vec<(String, Option<f64>, u64)> {
    let view = grid.view(&Agent::default());
    let mut answers = Vec::new();
    for name in ["jps", "auto", "hpa", "astar", "bidirectional", "theta"] {
        let mut finder = Pathfinder::named(name, &Options::default()).unwrap();
        for &(from, to) in ends {
            let cost = finder.find(view, from, to).ok().map(surefoot::path::Path::cost);
            answers.push((name.to_owned(), cost, finder.stats().expanded));
        }
    }
    for &(from, to) in ends {
        let mut planner = Planner::named("d_star_lite", &Options::default()).unwrap();
        planner.move_start(view, from);
        planner.move_goal(view, to);
        let found = planner.replan(view, u64::MAX).is_found();
        answers.push((
            "d_star_lite".to_owned(),
            found.then(|| planner.path().cost()),
            planner.last().expanded,
        ));
    }
    answers
}

#[test]
fn copies_of_large_grids_share_what_they_have_in_common_and_nothing_else() {
    const SIDE: u32 = 200;
    for (seed, kind) in (1..).zip([Kind::Empty, Kind::Rooms, Kind::Caves]) {
        let mut copies = vec![generate(kind, SIDE, SIDE, seed).unwrap()];
        let cells: Vec<Cell> = copies[0].cells().collect();
        // Steps of irrational numbers: spread over the map, without a pattern.
        let pick =
            |number: usize, step: f64| cells[((number as f64 * step).fract() * cells.len() as f64) as usize];
        for number in 1..=240 {
            let which = number * 7 % copies.len();
            let grid = &mut copies[which];
            let cell = pick(number, 0.618_033_988_75);
            grid.set(cell, if grid.is_open(cell) { Terrain::WALL } else { Terrain::FLOOR }).unwrap();
            match number % 40 {
                0 => copies.push(copies[which].clone()),
                20 if copies.len() > 2 => _ = copies.swap_remove(which),
                // Something is kept of the cells, and has to follow.
                30 => _ = answers(&copies[which], &[(pick(number, 0.41), pick(number, 0.73))]),
                _ => {}
            }
        }
        for grid in &copies {
            let ends: Vec<(Cell, Cell)> =
                (1..5).map(|number| (pick(number, 0.41), pick(number, 0.73))).collect();
            let fresh = Grid::from_terrain(SIDE, SIDE, &grid.to_terrain()).unwrap();
            assert_eq!(answers(grid, &ends), answers(&fresh, &ends), "{kind}");
            assert!(grid.memory_bytes() < 2 * fresh.memory_bytes() + 300_000);
        }
    }
}
