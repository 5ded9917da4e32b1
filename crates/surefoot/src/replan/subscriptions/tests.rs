use super::*;
use crate::agent::{Agent, Moves};
use crate::cost::Cost;
use crate::id::NodeId;
use crate::search::{Options, Pathfinder};
use crate::space::{Cell, Point, Voxel};
use crate::world::grid::{Grid, Terrain};
use crate::world::voxels::Voxels;
use crate::world::waypoints::{EdgeId, EdgeKind, Waypoints};

fn path(grid: &Grid, agent: &Agent, from: (i32, i32), to: (i32, i32)) -> Path {
    let mut finder = Pathfinder::named("astar", &Options::default()).unwrap();
    let [from, to] = [from, to].map(|(x, y)| Cell::new(x, y));
    finder.find(grid.view(agent), from, to).unwrap().clone()
}

fn effects(subscriptions: &mut Subscriptions, grid: &Grid) -> Vec<(SubscriptionId, PathChange)> {
    let mut touched = Vec::new();
    subscriptions.changes(grid.view(&Agent::default()), &mut touched);
    touched.iter().map(|touched| (touched.id, touched.change)).collect()
}

fn set(grid: &mut Grid, x: i32, y: i32, terrain: Terrain) {
    grid.set(Cell::new(x, y), terrain).unwrap();
}

/// By movement rule: what a wall beside a diagonal step does to it, and a wall on both sides.
#[test]
fn a_wall_beside_a_diagonal_step_breaks_it_depending_on_the_rule() {
    for (moves, expected) in Moves::ALL.into_iter().zip([[true; 2], [true; 2], [false, true], [false; 2]]) {
        let mut grid = Grid::new(2, 2).unwrap();
        let agent = Agent::new().with_moves(moves);
        let mut subscriptions = Subscriptions::new();
        let id = subscriptions.subscribe(grid.view(&agent), &path(&grid, &agent, (0, 0), (1, 1)));
        let mut broken = false;
        for (cell, expected) in [(1, 0), (0, 1)].into_iter().zip(expected) {
            set(&mut grid, cell.0, cell.1, Terrain::WALL);
            broken |= effects(&mut subscriptions, &grid) == [(id, PathChange::Broken)];
            assert_eq!(broken, expected, "{moves} {cell:?}");
        }
    }
}

#[test]
fn a_wall_touches_wide_agents_further_away() {
    let mut grid = Grid::new(20, 9).unwrap();
    let mut subscriptions = Subscriptions::new();
    let [_, wide] = [0.5, 1.5].map(|radius| {
        let agent = Agent::new().with_radius(radius).unwrap();
        subscriptions.subscribe(grid.view(&agent), &path(&grid, &agent, (2, 4), (17, 4)))
    });
    set(&mut grid, 9, 2, Terrain::WALL);
    assert_eq!(effects(&mut subscriptions, &grid), []);
    set(&mut grid, 9, 3, Terrain::WALL);
    assert_eq!(effects(&mut subscriptions, &grid), [(wide, PathChange::Broken)]);
}

#[test]
fn a_link_that_goes_breaks_and_a_link_that_comes_may_shorten() {
    let mut grid = Grid::new(40, 3).unwrap();
    let link = grid.add_link(Cell::new(2, 1), Cell::new(37, 1), Cost::ONE).unwrap();
    let agent = Agent::default();
    let mut subscriptions = Subscriptions::new();
    let view = grid.view(&agent);
    let far = subscriptions.subscribe(view, &path(&grid, &agent, (0, 1), (39, 1)));
    let near = subscriptions.subscribe(view, &path(&grid, &agent, (20, 1), (22, 1)));
    assert!(grid.remove_link(link));
    assert_eq!(effects(&mut subscriptions, &grid), [(far, PathChange::Broken)]);
    subscriptions.replace(far, grid.view(&agent), &path(&grid, &agent, (0, 1), (39, 1)));
    grid.add_link(Cell::new(2, 1), Cell::new(37, 1), Cost::ONE).unwrap();
    assert_eq!(effects(&mut subscriptions, &grid), [(far, PathChange::MayImprove)]);
    set(&mut grid, 37, 1, Terrain::WALL);
    assert_eq!(effects(&mut subscriptions, &grid), [(far, PathChange::Broken)]);
    assert!(subscriptions.contains(near));
}

#[test]
fn changes_far_from_the_path_do_not_matter() {
    let mut grid = Grid::new(200, 200).unwrap();
    set(&mut grid, 12, 10, Terrain::WATER);
    set(&mut grid, 150, 150, Terrain::WALL);
    let agent = Agent::default();
    let mut subscriptions = Subscriptions::new();
    let id = subscriptions.subscribe(grid.view(&agent), &path(&grid, &agent, (10, 10), (14, 10)));
    set(&mut grid, 150, 150, Terrain::FLOOR);
    assert_eq!(effects(&mut subscriptions, &grid), []);
    set(&mut grid, 12, 10, Terrain::GRASS);
    assert_eq!(effects(&mut subscriptions, &grid), [], "the cell itself costs more than the detour");
    set(&mut grid, 12, 10, Terrain::FLOOR);
    assert_eq!(effects(&mut subscriptions, &grid), [(id, PathChange::MayImprove)]);
}

#[test]
fn a_path_from_a_snapshot_is_judged_by_what_happened_since() {
    let mut grid = Grid::new(30, 5).unwrap();
    let agent = Agent::default();
    let mut subscriptions = Subscriptions::new();
    let old = path(&grid, &agent, (0, 2), (29, 2));
    let early = subscriptions.subscribe(grid.view(&agent), &old);
    let snapshot = grid.clone();
    set(&mut grid, 9, 2, Terrain::WALL);
    assert_eq!(effects(&mut subscriptions, &grid), [(early, PathChange::Broken)]);
    let late = subscriptions.subscribe(snapshot.view(&agent), &old);
    assert_eq!(effects(&mut subscriptions, &grid), [(late, PathChange::Broken)]);
    set(&mut grid, 9, 2, Terrain::FLOOR);
    let new = subscriptions.subscribe(grid.view(&agent), &old);
    let may_shorten = [early, late].map(|id| (id, PathChange::MayImprove));
    assert_eq!(effects(&mut subscriptions, &grid), may_shorten);
    assert!(subscriptions.unsubscribe(new));
}

#[test]
fn all_are_touched_when_changes_are_unknown() {
    let mut grid = Grid::new(30, 5).unwrap();
    let agent = Agent::default();
    let mut subscriptions = Subscriptions::new();
    let ids = [(3, 0), (9, 4)]
        .map(|(x, y)| subscriptions.subscribe(grid.view(&agent), &path(&grid, &agent, (0, 0), (x, y))));
    for round in 0..=Grid::JOURNAL_CAPACITY {
        set(&mut grid, 20, 4, if round % 2 == 0 { Terrain::GRASS } else { Terrain::FLOOR });
    }
    let unknown = ids.map(|id| (id, PathChange::Unknown));
    assert_eq!(effects(&mut subscriptions, &grid), unknown);
    assert_eq!(effects(&mut subscriptions, &grid), []);
    set(&mut grid, 2, 0, Terrain::WALL);
    assert!(effects(&mut subscriptions, &grid).contains(&(ids[0], PathChange::Broken)), "and it goes on");

    let smaller: Grid = "...\n...".parse().unwrap();
    assert_eq!(effects(&mut subscriptions, &smaller), unknown);
    let mut builder = Waypoints::builder();
    let nodes = [0.0, 1.0].map(|x| builder.node(Point::flat(x, 0.0)));
    builder.road(nodes[0], nodes[1]);
    let graph = builder.build().unwrap();
    let path = Pathfinder::default().find(&graph, nodes[0], nodes[1]).unwrap().clone();
    assert!(subscriptions.replace(ids[0], &graph, &path));
    let mut touched = Vec::new();
    subscriptions.changes(&graph, &mut touched);
    assert_eq!(touched, [Touched { id: ids[1], change: PathChange::Unknown }]);
    assert!(subscriptions.unsubscribe(ids[1]) && subscriptions.unsubscribe(ids[0]));
    assert!(subscriptions.is_empty());
}

#[test]
fn edges_of_graphs_close_open_and_change_their_cost() {
    let mut builder = Waypoints::builder();
    let nodes =
        [(0.0, 0.0), (5.0, 0.0), (10.0, 0.0), (5.0, 4.0)].map(|(x, y)| builder.node(Point::flat(x, y)));
    let straight = builder.one_way(nodes[0], nodes[1], Cost::ONE * 5, EdgeKind::Road);
    builder.one_way(nodes[1], nodes[2], Cost::ONE * 5, EdgeKind::Road);
    builder.one_way(nodes[0], nodes[3], Cost::ONE * 7, EdgeKind::Road);
    let detour = builder.one_way(nodes[3], nodes[2], Cost::ONE * 7, EdgeKind::Road);
    let mut graph = builder.build().unwrap();
    let mut subscriptions = Subscriptions::new();
    let path = Pathfinder::default().find(&graph, nodes[0], nodes[2]).unwrap().clone();
    let id = subscriptions.subscribe(&graph, &path);
    let mut effect = |graph: &Waypoints| {
        let mut touched = Vec::new();
        subscriptions.changes(graph, &mut touched);
        touched.first().map(|touched| (touched.id, touched.change))
    };
    graph.set_edge(straight, Some(Cost::ONE * 6)).unwrap();
    assert_eq!(effect(&graph), Some((id, PathChange::CostIncreased)));
    graph.set_edge(straight, None).unwrap();
    assert_eq!(effect(&graph), Some((id, PathChange::Broken)));
    graph.set_edge(straight, Some(Cost::ONE * 5)).unwrap();
    assert_eq!(effect(&graph), Some((id, PathChange::MayImprove)));
    graph.set_edge(detour, None).unwrap();
    assert_eq!(effect(&graph), None);
    graph.set_edge(detour, Some(Cost::ONE * 9)).unwrap();
    assert_eq!(effect(&graph), None, "no path through that edge can be cheaper");
    graph.set_edge(detour, Some(Cost::from_units(9))).unwrap();
    assert_eq!(effect(&graph), Some((id, PathChange::MayImprove)));
}

#[test]
fn ids_that_are_no_longer_valid_are_harmless() {
    let grid = Grid::new(5, 5).unwrap();
    let agent = Agent::default();
    let view = grid.view(&agent);
    let mut subscriptions = Subscriptions::new();
    let path = path(&grid, &agent, (0, 0), (4, 4));
    let gone = subscriptions.subscribe(view, &path);
    assert!(subscriptions.unsubscribe(gone));
    let new = subscriptions.subscribe(view, &path);
    assert!(gone < new && subscriptions.len() == 1);
    assert!(!subscriptions.replace(gone, view, &path) && !subscriptions.advance(gone, 3));
    assert!(!subscriptions.unsubscribe(gone) && subscriptions.contains(new));
    assert!(subscriptions.advance(new, usize::MAX));
}

#[test]
fn a_diagonal_past_a_cell_that_opened_is_a_chance() {
    let mut grid: Grid = "..\n.#".parse().unwrap();
    let (mut subscriptions, agent) = (Subscriptions::new(), Agent::default());
    let id = subscriptions.subscribe(grid.view(&agent), &path(&grid, &agent, (0, 1), (1, 0)));
    set(&mut grid, 1, 1, Terrain::FLOOR);
    assert_eq!(effects(&mut subscriptions, &grid), [(id, PathChange::MayImprove)]);
}

/// Paths lead around an end of the wall, or through a door. The rows are those at which squares of the index end.
#[test]
fn a_door_in_a_long_wall_is_reported_to_distant_paths() {
    let mut grid = Grid::new(60, 520).unwrap();
    (146..=366).for_each(|y| set(&mut grid, 30, y, Terrain::WALL));
    let (mut subscriptions, agent) = (Subscriptions::new(), Agent::default());
    let ids = [255, 256].map(|y| {
        let path = path(&grid, &agent, (26, y), (34, y));
        subscriptions.subscribe(grid.view(&agent), &path)
    });
    for door in [160, 352] {
        set(&mut grid, 30, door, Terrain::FLOOR);
        assert_eq!(effects(&mut subscriptions, &grid), ids.map(|id| (id, PathChange::MayImprove)), "{door}");
        set(&mut grid, 30, door, Terrain::WALL);
        assert_eq!(effects(&mut subscriptions, &grid), []);
    }
}

#[test]
fn a_wide_agent_passes_beside_the_cell_that_opened() {
    let mut grid = Grid::new(80, 60).unwrap();
    let is_gap = |y: i32| (10..=16).contains(&y) || (22..28).contains(&y);
    (0..60).filter(|&y| !is_gap(y)).for_each(|y| set(&mut grid, 40, y, Terrain::WALL));
    let (mut subscriptions, agent) = (Subscriptions::new(), Agent::new().with_radius(3.4).unwrap());
    let before = path(&grid, &agent, (10, 20), (70, 20));
    let id = subscriptions.subscribe(grid.view(&agent), &before);
    set(&mut grid, 40, 28, Terrain::FLOOR);
    assert!(path(&grid, &agent, (10, 20), (70, 20)).units() < before.units());
    assert_eq!(effects(&mut subscriptions, &grid), [(id, PathChange::MayImprove)]);
}

/// The only path leads through a link at the far end; what opens on that path is far from start and goal.
#[test]
fn what_opens_before_a_link_is_a_chance() {
    let mut grid = Grid::new(204, 7).unwrap();
    (0..204).for_each(|x| set(&mut grid, x, 5, Terrain::WALL));
    (1..5).for_each(|y| set(&mut grid, 196, y, Terrain::WALL));
    grid.add_link(Cell::new(200, 4), Cell::new(4, 6), Cost::ONE).unwrap();
    let (mut subscriptions, agent) = (Subscriptions::new(), Agent::default());
    let id = subscriptions.subscribe(grid.view(&agent), &path(&grid, &agent, (0, 4), (2, 6)));
    set(&mut grid, 196, 4, Terrain::FLOOR);
    assert_eq!(effects(&mut subscriptions, &grid), [(id, PathChange::MayImprove)]);
}

#[test]
fn a_path_through_a_link_does_not_pay_for_entering() {
    let mut grid = Grid::new(11, 2).unwrap();
    (0..10).for_each(|x| set(&mut grid, x, 1, Terrain::WALL));
    set(&mut grid, 10, 1, Terrain::new(9));
    grid.add_link(Cell::new(0, 0), Cell::new(10, 1), Cost::ONE * 8).unwrap();
    let (mut subscriptions, agent) = (Subscriptions::new(), Agent::default());
    let walk = path(&grid, &agent, (0, 0), (10, 0));
    assert_eq!(walk.units(), Cost::ONE * 10);
    let id = subscriptions.subscribe(grid.view(&agent), &walk);
    set(&mut grid, 10, 1, Terrain::new(2));
    assert!(path(&grid, &agent, (0, 0), (10, 0)).units() < walk.units());
    assert_eq!(effects(&mut subscriptions, &grid), [(id, PathChange::MayImprove)]);
}

#[test]
fn in_space_diagonals_are_cheaper_than_two_steps() {
    let wall = (1..40).map(|y| Voxel::new(20, y, 0));
    let mut voxels = Voxels::from_solid([40, 40, 1], wall).unwrap();
    let agent = Agent::default();
    let view = voxels.view(&agent);
    let path = Pathfinder::default().find(view, Voxel::new(0, 0, 0), Voxel::new(39, 39, 0)).unwrap().clone();
    let mut subscriptions = Subscriptions::new();
    let id = subscriptions.subscribe(view, &path);
    voxels.set(Voxel::new(20, 20, 0), false).unwrap();
    let mut touched = Vec::new();
    subscriptions.changes(voxels.view(&agent), &mut touched);
    assert_eq!(touched, [Touched { id, change: PathChange::MayImprove }]);
}

/// Places in a row at a given distance, with roads between neighbours.
fn row_of_places(apart: f64) -> (Waypoints, Vec<NodeId>) {
    let mut builder = Waypoints::builder();
    let nodes: Vec<NodeId> =
        (0..20).map(|place| builder.node(Point::flat(apart * f64::from(place), 0.0))).collect();
    for pair in nodes.windows(2) {
        builder.one_way(pair[0], pair[1], Cost::ONE * (3 * apart as u64), EdgeKind::Road);
    }
    (builder.build().unwrap(), nodes)
}

/// Another graph with as many nodes gets its own projection: with that of a graph a thousand times as large, all of its nodes
/// would be in one place, and every edit would be reported for every path.
#[test]
fn another_graph_with_as_many_nodes_is_noticed() {
    for leaves_first in [false, true] {
        let (large, nodes) = row_of_places(1000.0);
        let (mut small, _) = row_of_places(1.0);
        let mut finder = Pathfinder::named("astar", &Options::default()).unwrap();
        let mut subscriptions = Subscriptions::new();
        let mut id = subscriptions.subscribe(&large, finder.find(&large, nodes[0], nodes[3]).unwrap());
        let path = finder.find(&small, nodes[0], nodes[3]).unwrap().clone();
        let mut touched = Vec::new();
        if leaves_first {
            subscriptions.unsubscribe(id);
            id = subscriptions.subscribe(&small, &path);
        } else {
            subscriptions.changes(&small, &mut touched);
            assert_eq!(touched, [Touched { id, change: PathChange::Unknown }]);
            subscriptions.replace(id, &small, &path);
        }
        for (edge, expected) in [(17, vec![]), (2, vec![Touched { id, change: PathChange::MayImprove }])] {
            small.set_edge(EdgeId(edge), Some(Cost::ONE * 2)).unwrap();
            subscriptions.changes(&small, &mut touched);
            assert_eq!(touched, expected, "edge {edge}, {leaves_first}");
        }
    }
}
