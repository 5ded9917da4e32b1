//! Sweeps against the oracle, and what they say when the question makes no sense any more.

use crate::common::cases;
use crate::common::edits::{apply, apply_in_space, edit};
use crate::common::oracle::Oracle;
use crate::common::worlds::{Built, World, world};
use proptest::prelude::*;
use surefoot::graph::Graph;
use surefoot::path::Path;
use surefoot::prelude::*;
use surefoot::search::observe::Observer;
use surefoot::search::observe::{Breakpoint, Breakpoints};
use surefoot::world::waypoints::EdgeId;

/// How many cost units a cell is: what the documentation says.
fn units_per_cell(world: &World) -> f64 {
    match world {
        World::Grid(_) | World::Graph(_) => 23_780.0,
        World::Voxels(_) => 192_070.0,
    }
}

/// Ranges that mean nothing.
const BAD_RANGES: [f64; 5] = [-1.0, -1e-300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// Numbers that are nodes of few worlds.
fn odd_nodes(built: &Built) -> Vec<NodeId> {
    let bound = match built {
        Built::Grid(grid, agent) => grid.view(agent).node_bound(),
        Built::Graph(graph) => graph.node_count(),
        Built::Voxels(voxels, agent) => voxels.view(agent).node_bound(),
    } as u32;
    vec![NodeId(0), NodeId(bound - 1), NodeId(bound), NodeId(bound + 1), NodeId(u32::MAX - 1), NodeId::NONE]
}

/// The end of each path from a node is within the cost of the path, and not within a share less than that.
fn assert_ends_are_within_their_cost<'a>(
    view: impl Into<View<'a>>,
    from: NodeId,
    ends: &[NodeId],
    share: f64,
) {
    let (view, mut field) = (view.into(), DistanceField::default());
    field.run(view, from, Range::Everything).unwrap();
    let paths: Vec<Path> = ends.iter().map(|&end| field.path_to(view, end).unwrap().clone()).collect();
    for (path, &end) in paths.iter().zip(ends) {
        field.run(view, from, Range::Within(path.cost())).unwrap();
        assert_eq!(field.cost(end), Some(path.units()), "{} cells", path.cost());
        field.run(view, from, Range::Within(path.cost() * (1.0 - share))).unwrap();
        assert_eq!(field.cost(end), None, "{} cells", path.cost());
    }
}

#[test]
fn a_range_that_is_the_cost_of_a_path_reaches_its_end() {
    let mut grid = Grid::new(400, 400).unwrap();
    let hills = (0..400).filter(|at| at % 3 == 0).map(|at| (Cell::new(at, at), Terrain::GRASS));
    grid.set_many(hills).unwrap();
    let node = |x, y| grid.node(Cell::new(x, y)).unwrap();
    // The smallest steps are rounded most: some up, some down.
    let small = [(0.01, 0.014), (0.0101, 0.0143), (0.010_18, 0.010_18)];
    let metrics = small.map(|(straight, diagonal)| Metric::new(straight, diagonal).unwrap());
    for metric in [Metric::EUCLIDEAN].into_iter().chain(metrics) {
        for terrain in [TerrainRule::Mean, TerrainRule::Add] {
            let agent = Agent::new().with_metric(metric).with_terrain_rule(terrain);
            let ends = [node(399, 399), node(399, 250), node(0, 399)];
            // Rounding takes up to one unit from each step or adds it, which is one of 238 units of the smallest.
            let share = if metric == Metric::EUCLIDEAN { 1e-6 } else { 0.01 };
            assert_ends_are_within_their_cost(grid.view(&agent), node(0, 0), &ends, share);
        }
    }
}

#[test]
fn a_range_that_is_the_cost_of_a_path_in_space_reaches_its_end() {
    for (moves3, depth) in [(VoxelMoves::Six, 1), (VoxelMoves::Eighteen, 2), (VoxelMoves::TwentySix, 3)] {
        let voxels = Voxels::new(700, 700, depth).unwrap();
        let view = voxels.view(&Agent::new().with_voxel_moves(moves3));
        let node = |x, y, z| voxels.node(Voxel::new(x, y, z)).unwrap();
        let top = depth as i32 - 1;
        let ends = [node(699, 699, top), node(699, 350, 0), node(0, 699, top)];
        assert_ends_are_within_their_cost(view, node(0, 0, 0), &ends, 1e-6);
    }
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn a_sweep_reaches_what_costs_no_more_than_its_range(world in world(), start: u16, range in prop_oneof![
        4 => 0.0..40.0_f64, 1 => (0..12_u8).prop_map(f64::from), 1 => Just(1e300),
    ]) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some(start) = oracle.some_node(start) else { return Ok(()) };
        let costs = oracle.costs_from(start);
        let cells = |node| costs.to(node).map(|units| units as f64 / units_per_cell(&world));
        let mut field = DistanceField::default();
        field.run(built.view(), start, Range::Within(range)).unwrap();
        for &node in &oracle.nodes {
            // Steps are rounded to whole units, and ranges make up for that.
            let near = cells(node).is_some_and(|cells| (f64::MIN_POSITIVE..1e-4).contains(&(cells - range).abs()));
            let within = cells(node).is_some_and(|cells| cells <= range);
            prop_assert!(near || field.reached().contains(&node) == within, "{node:?} at {:?}", cells(node));
            prop_assert_eq!(field.cost(node).is_some(), field.reached().contains(&node));
        }
        for node in field.reached().to_vec() {
            prop_assert_eq!(field.cost(node).map(Cost::units), costs.to(node));
            let path = field.path_to(built.view(), node).unwrap();
            prop_assert_eq!(built.judge(start, &[node], path), Ok(()));
            prop_assert_eq!(Some(path.units().units()), costs.to(node));
        }
        field.run(built.view(), start, Range::Everything).unwrap();
        let reached = oracle.nodes.iter().filter(|&&node| costs.to(node).is_some()).count();
        prop_assert_eq!(field.reached().len(), reached);
        for node in odd_nodes(&built) {
            prop_assert_eq!(field.cost(node).is_some(), costs.to(node).is_some(), "{:?}", node);
            prop_assert_eq!(field.path_to(built.view(), node).is_ok(), costs.to(node).is_some(), "{:?}", node);
        }
    }

    #[test]
    fn a_range_that_means_nothing_is_refused(world in world(), start: u16) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some(start) = oracle.some_node(start) else { return Ok(()) };
        let mut field = DistanceField::default();
        for range in BAD_RANGES {
            field.run(built.view(), start, Range::Everything).unwrap();
            let refused = field.run(built.view(), start, Range::Within(range)).unwrap_err();
            prop_assert!(matches!(refused, DistanceFieldError::BadRange(bad) if bad.to_bits() == range.to_bits()));
            prop_assert!(field.reached().is_empty() && field.cost(start).is_none());
            prop_assert_eq!(field.path_to(built.view(), start).err(), Some(DistanceFieldError::NotReached));
        }
    }

    #[test]
    fn a_sweep_notices_edits_other_worlds_and_other_agents(
        world in world(), other in world(), start: u16, edit in edit(), node: u16,
    ) {
        let (mut built, oracle) = (world.build(), Oracle::of(&world));
        let Some(start) = oracle.some_node(start) else { return Ok(()) };
        let node = built.any_node(node);
        let mut field = DistanceField::default();
        field.run(built.view(), start, Range::Everything).unwrap();
        let elsewhere = other.build();
        prop_assert_eq!(field.path_to(elsewhere.view(), node).err(), Some(DistanceFieldError::WorldChanged));
        if let Built::Grid(grid, agent) = &built {
            let moves = if agent.moves() == Moves::Four { Moves::Eight } else { Moves::Four };
            let someone = agent.with_moves(moves);
            let view = grid.view(&someone);
            prop_assert_eq!(field.path_to(view, node).err(), Some(DistanceFieldError::AgentChanged));
            // A copy is the same world until it is edited.
            let copy = grid.clone();
            prop_assert!(field.path_to(copy.view(agent), start).is_ok());
        }
        let before = built.view().revision();
        match (world, &mut built) {
            (World::Grid(mut world), Built::Grid(grid, _)) => apply(&edit, &mut world, grid),
            (World::Voxels(mut world), Built::Voxels(voxels, _)) => apply_in_space(&edit, &mut world, voxels),
            (World::Graph(world), Built::Graph(graph)) if !world.edges.is_empty() => {
                graph.set_edge(EdgeId(0), Some(Cost::from_units(77))).unwrap();
            }
            _ => {}
        }
        let edited = built.view().revision() != before;
        let said = field.path_to(built.view(), start).err();
        prop_assert_eq!(said, edited.then_some(DistanceFieldError::WorldChanged));
    }

    #[test]
    fn a_sweep_begins_only_where_the_agent_can_stand(world in world(), start: u16) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let start = built.any_node(start);
        let mut field = DistanceField::default();
        let ran = field.run(built.view(), start, Range::Everything);
        prop_assert_eq!(ran.is_ok(), oracle.can_stand(start), "{:?}", ran);
        let refused = matches!(ran, Ok(()) | Err(DistanceFieldError::Start(
            Why::StartOutside | Why::StartBlocked | Why::StartTooNarrow
        )));
        prop_assert!(refused);
    }
}

#[test]
fn a_path_through_a_new_wall_is_not_given() {
    let mut grid = Grid::new(9, 9).unwrap();
    let mut field = DistanceField::default();
    field.run(grid.view(&Agent::default()), Cell::new(0, 0), Range::Everything).unwrap();
    grid.set_many((0..9).map(|y| (Cell::new(4, y), Terrain::WALL))).unwrap();
    let far = grid.node(Cell::new(8, 8)).unwrap();
    let view = grid.view(&Agent::default());
    assert_eq!(field.path_to(view, far), Err(DistanceFieldError::WorldChanged));
    field.run(view, Cell::new(0, 0), Range::Everything).unwrap();
    assert_eq!(field.path_to(view, far), Err(DistanceFieldError::NotReached));
}

/// A row of nine places, in each kind of world.
fn rows() -> [Built; 3] {
    let mut builder = Waypoints::builder();
    let nodes: Vec<NodeId> = (0..9).map(|x| builder.node(Point::flat(f64::from(x), 0.0))).collect();
    nodes.windows(2).for_each(|pair| builder.road(pair[0], pair[1]));
    [
        Built::Grid(Box::new(Grid::new(9, 1).unwrap()), Agent::default()),
        Built::Graph(Box::new(builder.build().unwrap())),
        Built::Voxels(Box::new(Voxels::new(9, 1, 1).unwrap()), Agent::default()),
    ]
}

/// The node of a place of such a row.
fn in_row(built: &Built, x: i32) -> NodeId {
    match built {
        Built::Grid(grid, _) => grid.node(Cell::new(x, 0)).unwrap(),
        Built::Graph(_) => NodeId(x as u32),
        Built::Voxels(voxels, _) => voxels.node(Voxel::new(x, 0, 0)).unwrap(),
    }
}

#[test]
fn a_range_in_cells_means_cells_in_every_world() {
    for built in rows() {
        let mut field = DistanceField::default();
        for range in [0.0, 0.9, 1.0, 2.0, 5.5, 99.0] {
            field.run(built.view(), in_row(&built, 0), Range::Within(range)).unwrap();
            assert_eq!(field.reached().len(), 9.min(range as usize + 1), "{range}");
        }
    }
}

#[test]
fn a_key_in_cells_is_reached_at_the_same_place_in_every_world() {
    for built in rows() {
        for key in 0..9 {
            // One key after the other, so that each has to be measured in the scale of the world at hand.
            let points = [Breakpoint::KeyReaches(f64::from(key)), Breakpoint::KeyReaches(f64::NAN)];
            let mut breakpoints = Breakpoints::new(points);
            let mut finder = Pathfinder::named("dijkstra", &Options::default()).unwrap();
            finder.start(built.view(), in_row(&built, 0), &[in_row(&built, 8)]);
            let _ = finder.resume_watched(built.view(), u64::MAX, &mut breakpoints);
            assert_eq!(breakpoints.hit(), Some(points[0]));
            let closed =
                (0..9).filter(|&x| finder.visit(in_row(&built, x)).is_some_and(|visit| visit.closed));
            assert_eq!(closed.count() as i32, key + 1);
        }
    }
}

#[test]
fn one_observer_can_watch_worlds_of_different_scales() {
    let [grid, _, space] = rows();
    let mut breakpoints = Breakpoints::new([Breakpoint::KeyReaches(3.0), Breakpoint::KeyReaches(3.0)]);
    for built in [space, grid] {
        let mut finder = Pathfinder::named("dijkstra", &Options::default()).unwrap();
        finder.start(built.view(), in_row(&built, 0), &[in_row(&built, 8)]);
        assert_eq!(
            finder.resume_watched(built.view(), u64::MAX, &mut (&mut breakpoints as &mut dyn Observer, ())),
            Outcome::Paused
        );
        let closed = (0..9).filter(|&x| finder.visit(in_row(&built, x)).is_some_and(|visit| visit.closed));
        assert_eq!(closed.count(), 4);
    }
}
