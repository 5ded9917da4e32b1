//! The hierarchy against plain Dijkstra, on one level and on several, before edits and after.

use std::ops::ControlFlow;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseError;

use super::*;
use crate::agent::{Agent, Moves, TerrainRule};
use crate::core::kernel::End;
use crate::core::outcome::Stats;
use crate::cost::Cost;
use crate::generate::{Kind, generate};
use crate::hierarchy::layout::Layout;
use crate::id::NodeId;
use crate::path::Path;
use crate::search::prepare::{PrepareError, PrepareOptions, Table as _};
use crate::search::{Options, Pathfinder, Why};
use crate::space::Cell;
use crate::validate::{self, Claim};
use crate::world::changes::Changes;
use crate::world::grid::{Grid, GridView, Terrain};

/// Maps of several clusters, with much or little wall, and an agent.
fn maps() -> impl Strategy<Value = (Grid, Agent)> {
    let size = || prop_oneof![1..90_u32, select(vec![15, 16, 17, 32, 33, 64, 65])];
    let agent =
        (select(Moves::ALL.to_vec()), select(TerrainRule::ALL.to_vec()), select(vec![0.5, 0.9, 1.5, 3.0]));
    (
        size(),
        size(),
        0..60_u32,
        1..4_u8,
        any::<u32>(),
        agent,
        vec((any::<u32>(), any::<u32>(), 1..200_000_u64), 0..3),
    )
        .prop_map(|(width, height, walls, highest, seed, (moves, terrain, radius), links)| {
            let mut state = u64::from(seed) | 1;
            let mut dice = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as u32
            };
            let mut cell = || if dice() % 100 < walls { 0 } else { 1 + (dice() % u32::from(highest)) as u8 };
            let costs: Vec<u8> = (0..width * height).map(|_| cell()).collect();
            let mut grid = Grid::from_terrain(width, height, &costs).unwrap();
            for (from, to, cost) in links {
                let cell = |number: u32| Cell::new((number % width) as i32, (number / width % height) as i32);
                grid.add_link(cell(from), cell(to), Cost::from_units(cost)).unwrap();
            }
            let radius = if walls < 20 { radius } else { 0.5 };
            (grid, Agent::new().with_moves(moves).with_radius(radius).unwrap().with_terrain_rule(terrain))
        })
}

fn build(view: &GridView<'_>, levels: usize) -> Table {
    Table::build_with(Layout::with_levels(*view.shape(), levels), view, &PrepareOptions::default()).unwrap()
}

/// The answer of a table: the path, if there is one.
fn ask(view: &GridView<'_>, table: &Table, start: NodeId, goal: NodeId) -> Option<Vec<NodeId>> {
    let mut query = Query::default();
    query.begin(view, table, start, &[goal]);
    let mut stats = Stats::default();
    let mut account = Account { left: u64::MAX, stats: &mut stats, watcher: None };
    match query.run(view, table, usize::MAX, &mut account) {
        End::Goal(_) => Some(query.path().to_vec()),
        End::Exhausted => None,
        end => panic!("{end:?}"),
    }
}

/// Compares the answers of a table with those of Dijkstra, and returns their costs.
fn check(
    grid: &Grid,
    agent: &Agent,
    table: &Table,
    questions: &[(u32, u32)],
) -> Result<Vec<Option<Vec<NodeId>>>, TestCaseError> {
    let view = grid.view(agent);
    let open: Vec<NodeId> =
        grid.cells().filter(|&cell| view.is_open(cell)).map(|cell| grid.node(cell).unwrap()).collect();
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let mut dijkstra = Pathfinder::named("dijkstra", &Options::default()).unwrap();
    let mut answers = Vec::new();
    for &(start, goal) in questions {
        let [start, goal] = [start, goal].map(|number| open[number as usize % open.len()]);
        let best = dijkstra.find(view, start, goal).ok().map(Path::units);
        let answer = ask(&view, table, start, goal);
        prop_assert_eq!(answer.is_some(), best.is_some(), "{:?} to {:?}", grid.cell(start), grid.cell(goal));
        if let Some(nodes) = &answer {
            let mut path = Path::default();
            path.rewrite(&view.into(), |out| out.extend(nodes));
            let goals = [goal];
            let claim = Claim::of(&path, start, &goals);
            prop_assert_eq!(validate::grid_path(grid, agent, &claim), Ok(()));
        }
        answers.push(answer);
    }
    Ok(answers)
}

proptest! {
    #[test]
    fn a_path_is_found_exactly_where_there_is_one(
        (grid, agent) in maps(), levels in 1..4_usize, questions in vec(any::<(u32, u32)>(), 1..6),
    ) {
        let view = grid.view(&agent);
        check(&grid, &agent, &build(&view, levels), &questions)?;
    }

    #[test]
    fn a_table_that_follows_edits_is_the_table_one_would_have_made(
        (mut grid, agent) in maps(), levels in 1..4_usize, questions in vec(any::<(u32, u32)>(), 1..4),
        rounds in vec(vec((any::<u32>(), 0..3_u8), 1..6), 1..4), link: Option<(u32, u32)>, unlink: bool,
    ) {
        let mut table = build(&grid.view(&agent), levels);
        let some = |grid: &Grid, number: u32| {
            Cell::new((number % grid.width()) as i32, (number / grid.width() % grid.height()) as i32)
        };
        for (round, edits) in rounds.into_iter().enumerate() {
            let before = grid.revision();
            for (cell, terrain) in edits {
                grid.set(some(&grid, cell), Terrain::new(terrain)).unwrap();
            }
            if let Some((from, to)) = link.filter(|_| round == 0) {
                grid.add_link(some(&grid, from), some(&grid, to), Cost::ONE).unwrap();
            }
            if unlink && let Some(&link) = grid.links().first() {
                grid.remove_link(link);
            }
            let view = grid.view(&agent);
            let fresh = build(&view, levels);
            let mut changes = Changes::default();
            prop_assert!(grid.read_changes(before, &mut changes));
            if !table.follow(&view, &changes, &PrepareOptions::default()).unwrap() {
                table = fresh.clone();
            }
            prop_assert_eq!(&table, &fresh);
            let answers = check(&grid, &agent, &table, &questions)?;
            prop_assert_eq!(check(&grid, &agent, &fresh, &questions)?, answers);
        }
    }

    #[test]
    fn damaged_bytes_are_refused_or_searched_without_harm(
        (grid, agent) in maps(), place: u32, byte: u8, questions in vec(any::<(u32, u32)>(), 1..3),
    ) {
        let view = grid.view(&agent);
        let table = Table::build(&view, &PrepareOptions::default()).unwrap();
        let mut bytes = Vec::new();
        table.save(&mut bytes);
        let again = load(&view, &bytes);
        let again = (again.unwrap() as Arc<dyn std::any::Any + Send + Sync>).downcast::<Table>().unwrap();
        prop_assert_eq!(&*again, &table);
        let place = place as usize % bytes.len();
        bytes[place] ^= byte;
        if let Ok(damaged) = load(&view, &bytes) {
            let damaged = (damaged as Arc<dyn std::any::Any + Send + Sync>).downcast::<Table>().unwrap();
            let open: Vec<NodeId> =
                grid.cells().filter(|&cell| view.is_open(cell)).map(|cell| grid.node(cell).unwrap()).collect();
            for (start, goal) in questions.iter().filter(|_| !open.is_empty()) {
                let [start, goal] = [start, goal].map(|&number| open[number as usize % open.len()]);
                ask(&view, &damaged, start, goal);
            }
        }
        bytes.truncate(place);
        prop_assert!(load(&view, &bytes).is_err());
    }
}

#[test]
fn detours_at_the_borders_of_parts_vanish() {
    let grid = Grid::new(200, 200).unwrap();
    let view = grid.view(&Agent::default());
    let mut hpa = Pathfinder::named("hpa", &Options::default()).unwrap();
    let mut astar = Pathfinder::default();
    for (from, to) in [((3, 5), (190, 70)), ((0, 0), (199, 199)), ((10, 180), (180, 9)), ((40, 40), (41, 44))]
    {
        let [from, to] = [from, to].map(|(x, y)| Cell::new(x, y));
        let best = astar.find(view, from, to).unwrap().cost();
        let cost = hpa.find(view, from, to).unwrap().cost();
        assert!(cost < best * 1.01, "{cost} instead of {best}");
    }
}

#[test]
fn a_route_hands_out_the_path_in_legs_and_notices_edits() {
    let mut grid = Grid::new(400, 40).unwrap();
    let agent = Agent::default();
    let (from, to) = (Cell::new(0, 0), Cell::new(399, 39));
    let view = grid.view(&agent);
    let mut hierarchy = Hierarchy::new(&view, &PrepareOptions::default()).unwrap();
    let mut route = hierarchy.route(&view, from, to).unwrap();
    assert!(route.ahead().count() > 0);
    let mut path = Vec::new();
    let mut lengths = Vec::new();
    while route.next_leg(&view, &mut path).unwrap() {
        lengths.push(path.len());
    }
    assert!(lengths.len() > 3 && lengths[0] < path.len() / 2);
    assert_eq!(route.ahead().count(), 0);
    let mut whole = Pathfinder::named("hpa", &Options::default()).unwrap();
    assert_eq!(whole.find(view, from, to).unwrap().nodes(), path);

    let mut route = hierarchy.route(&view, from, to).unwrap();
    grid.set(Cell::new(20, 20), Terrain::WALL).unwrap();
    let view = grid.view(&agent);
    assert_eq!(route.next_leg(&view, &mut path).err(), Some(Why::WorldChanged));
    assert_eq!(hierarchy.route(&view, from, to).err(), Some(Why::WorldChanged));
    hierarchy.keep_up(&view, &PrepareOptions::default()).unwrap();
    assert!(hierarchy.route(&view, from, to).is_ok());
    assert_eq!(hierarchy.route(&view, from, Cell::new(20, 20)).err(), Some(Why::GoalBlocked));
}

#[test]
fn preparation_can_be_ended_and_respects_the_limit() {
    let grid = Grid::new(300, 300).unwrap();
    let view = grid.view(&Agent::default());
    let stop = PrepareOptions { progress: &|_, _| ControlFlow::Break(()), ..PrepareOptions::default() };
    assert_eq!(Table::build(&view, &stop).err(), Some(PrepareError::Cancelled));
    for memory_limit in [1000, 40_000] {
        let tight = PrepareOptions { memory_limit, ..PrepareOptions::default() };
        assert!(
            matches!(Table::build(&view, &tight), Err(PrepareError::TooLarge { limit, .. }) if limit == memory_limit)
        );
    }
}

#[test]
fn mazes_are_walked_along_their_only_way_without_much_looking_around() {
    for (moves, highest) in Moves::ALL.into_iter().flat_map(|moves| [(moves, 1), (moves, 2)]) {
        let mut grid = generate(Kind::Maze, 300, 300, 5).unwrap();
        if highest > 1 {
            grid.set(Cell::new(0, 0), Terrain::new(highest)).unwrap();
        }
        let agent = Agent::new().with_moves(moves);
        let view = grid.view(&agent);
        let table = build(&view, 3);
        let [start, goal] = [(2, 2), (298, 290)].map(|(x, y)| grid.node(Cell::new(x, y)).unwrap());
        let mut query = Query::default();
        query.begin(&view, &table, start, &[goal]);
        let mut stats = Stats::default();
        // With a small budget, as games ask.
        while {
            let mut account = Account { left: 50, stats: &mut stats, watcher: None };
            query.run(&view, &table, usize::MAX, &mut account) == End::Paused
        } {}
        let mut path = Path::default();
        path.rewrite(&view.into(), |out| out.extend(query.path()));
        assert_eq!(validate::grid_path(&grid, &agent, &Claim::of(&path, start, &[goal])), Ok(()));
        assert_eq!(Some(query.path()), ask(&view, &table, start, goal).as_deref());
        let best = Pathfinder::default().find(view, start, goal).unwrap().units();
        // With the other rules corners are cut, also where parts meet.
        if matches!(moves, Moves::Four | Moves::Eight) {
            assert_eq!(path.units(), best);
            assert!(stats.expanded < 3 * path.steps() as u64, "{} for {}", stats.expanded, path.steps());
        }
    }
}

#[test]
fn a_link_beside_a_border_leads_on() {
    for entrance in 10..38 {
        let mut grid = Grid::new(64, 1).unwrap();
        grid.set(Cell::new(40, 0), Terrain::WALL).unwrap();
        grid.add_link(Cell::new(entrance, 0), Cell::new(50, 0), Cost::ONE).unwrap();
        let view = grid.view(&Agent::default());
        let [start, goal] = [0, 63].map(|x| grid.node(Cell::new(x, 0)).unwrap());
        for levels in 1..3 {
            let path = ask(&view, &build(&view, levels), start, goal).unwrap();
            assert_eq!(path.len(), entrance as usize + 1 + 14, "from {entrance} on {levels} levels");
        }
    }
}
