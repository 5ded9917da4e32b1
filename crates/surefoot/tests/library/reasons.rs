//! Why there is no path, and how close one gets instead.

use crate::common::cases;
use crate::common::oracle::Oracle;
use crate::common::run::typical_settings;
use crate::common::worlds::{Built, World, world};
use proptest::collection::vec;
use proptest::prelude::*;
use surefoot::path::Path;
use surefoot::prelude::*;
use surefoot::replan::Planner;
use surefoot::search::Promise;

/// The reason that a question deserves, `None` if it has an answer.
fn reason(world: &World, start: NodeId, goals: &[NodeId]) -> Option<Why> {
    let oracle = Oracle::of(world);
    let small = match world {
        World::Grid(world) => {
            let mut world = world.clone();
            world.agent = world.agent.with_radius(0.0).unwrap();
            Oracle::of_grid(&world)
        }
        World::Graph(_) => oracle.clone(),
        World::Voxels(world) => {
            let mut world = world.clone();
            world.agent = world.agent.with_radius(0.0).unwrap();
            Oracle::of_voxels(&world)
        }
    };
    let exists = |node: NodeId| match world {
        World::Grid(world) => {
            let grid = Grid::new(world.width, world.height).unwrap();
            world.cells().any(|cell| grid.node(cell) == Some(node))
        }
        World::Graph(world) => node.index() < world.places.len(),
        World::Voxels(world) => {
            let voxels = world.voxels();
            world.cells().any(|voxel| voxels.node(voxel) == Some(node))
        }
    };
    match () {
        () if !exists(start) => return Some(Why::StartOutside),
        () if oracle.can_stand(start) => {}
        () if small.can_stand(start) => return Some(Why::StartTooNarrow),
        () => return Some(Why::StartBlocked),
    }
    // What would have to be different for one of the goals to be reached: the least of all changes is the reason.
    let reached = |oracle: &Oracle| oracle.costs_from(start).to_nearest(goals).is_some();
    match () {
        () if goals.is_empty() => Some(Why::NoGoals),
        () if reached(&oracle) => None,
        () if reached(&oracle.both_ways()) => Some(Why::OneWay),
        () if reached(&small) => Some(Why::TooNarrow),
        () if goals.iter().any(|&goal| small.can_stand(goal)) => Some(Why::Disconnected),
        () if goals.iter().any(|&goal| exists(goal)) => Some(Why::GoalBlocked),
        () => Some(Why::GoalOutside),
    }
}

/// The distance from a node to the place of another, squared where that is exact.
fn distance(built: &Built, from: NodeId, to: NodeId) -> f64 {
    match built {
        Built::Grid(grid, _) => {
            let (from, to) = (grid.cell(from), grid.cell(to));
            f64::from((from.x - to.x).pow(2) + (from.y - to.y).pow(2))
        }
        Built::Voxels(voxels, _) => {
            let (from, to) = (voxels.voxel(from), voxels.voxel(to));
            f64::from((from.x - to.x).pow(2) + (from.y - to.y).pow(2) + (from.z - to.z).pow(2))
        }
        Built::Graph(graph) => graph.positions()[from.index()].distance(graph.positions()[to.index()]),
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn the_reason_given_is_the_one_deserved(
        world in world(), start: u16, goals in vec(any::<u16>(), 0..6), start_stands in proptest::bool::weighted(0.8),
    ) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let start =
            oracle.some_node(start).filter(|_| start_stands).unwrap_or_else(|| built.any_node(start));
        let goals: Vec<NodeId> = goals.into_iter().map(|goal| built.any_node(goal)).collect();
        let expected = reason(&world, start, &goals);
        for setting in typical_settings().into_iter().filter(|setting| setting.works_on(built.view())) {
            let mut finder = setting.finder();
            let why = finder.find_nearest(built.view(), start, &goals).err();
            prop_assert_eq!(why, expected, "{:?} from {:?} to {:?}", setting, start, goals);
            prop_assert_eq!(finder.path().is_empty(), expected.is_some());
        }
    }

    #[test]
    fn standing_at_the_goal_is_a_path_without_steps(world in world(), start: u16, others in vec(any::<u16>(), 0..3)) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some(start) = oracle.some_node(start) else { return Ok(()) };
        let mut goals: Vec<NodeId> = others.into_iter().map(|goal| built.any_node(goal)).collect();
        goals.push(start);
        for setting in typical_settings().into_iter().filter(|setting| setting.works_on(built.view())) {
            let mut finder = setting.finder();
            let path = finder.find_nearest(built.view(), start, &goals).unwrap();
            prop_assert_eq!(path.nodes(), &[start], "{:?}", setting);
            prop_assert!(path.units() == Cost::ZERO && path.cost() <= 0.0 && path.length() <= 0.0);
        }
    }

    #[test]
    fn partial_paths_lead_to_the_nearest_place_that_can_be_reached(world in world(), start: u16, goal: u16) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let (Some(start), goal) = (oracle.some_node(start), built.any_node(goal)) else { return Ok(()) };
        let why = reason(&world, start, &[goal]);
        let costs = oracle.costs_from(start);
        for setting in typical_settings().into_iter().filter(|setting| setting.works_on(built.view())) {
            let mut finder = setting.finder();
            let found = finder.find_closest(built.view(), start, goal).map(|approach| approach.path().clone());
            let expected = match why {
                None => Outcome::Found,
                Some(Why::GoalOutside) => Outcome::Unreachable(Why::GoalOutside),
                Some(why) => Outcome::Partial(why),
            };
            prop_assert_eq!(finder.outcome(), expected, "{:?}", setting);
            let whole = setting.finder().find(built.view(), start, goal).map(Path::steps);
            prop_assert_eq!(whole.err(), why, "find never returns a path that ends elsewhere");
            let Ok(path) = found else { continue };
            let end = path.nodes()[path.steps()];
            prop_assert_eq!(built.judge(start, &[end], &path), Ok(()));
            if finder.promise(built.view()) == Promise::Optimal {
                prop_assert_eq!(Some(path.units().units()), costs.to(end));
            }
            let reached = oracle.nodes.iter().filter(|&&node| costs.to(node).is_some());
            let least = reached.map(|&node| distance(&built, node, goal)).fold(f64::INFINITY, f64::min);
            prop_assert!(distance(&built, end, goal) <= least, "{setting:?} ends at {end:?}");
        }
    }

    #[test]
    fn of_several_goals_that_cannot_be_reached_the_nearest_one_counts_in_whatever_order_they_come(
        world in world(), start: u16, goals in vec(any::<u16>(), 2..6), turn in 0..6_usize,
    ) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some(start) = oracle.some_node(start) else { return Ok(()) };
        let mut goals: Vec<NodeId> = goals.into_iter().map(|goal| built.any_node(goal)).collect();
        let costs = oracle.costs_from(start);
        goals.retain(|&goal| costs.to(goal).is_none());
        let mut turned = goals.clone();
        turned.rotate_left(turn % goals.len().max(1));
        let reversed: Vec<NodeId> = goals.iter().rev().copied().collect();
        let is_inside = |goal: &NodeId| reason(&world, start, &[*goal]) != Some(Why::GoalOutside);
        let inside: Vec<NodeId> = goals.iter().copied().filter(is_inside).collect();
        let reached = oracle.nodes.iter().filter(|&&node| costs.to(node).is_some());
        let nearness = |node: NodeId| {
            inside.iter().map(|&goal| distance(&built, node, goal)).fold(f64::INFINITY, f64::min)
        };
        let places = reached.map(|&node| (nearness(node), node)).filter(|place| place.0.is_finite());
        let nearest = places.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for setting in typical_settings().into_iter().filter(|setting| setting.works_on(built.view())) {
            let mut finder = setting.finder();
            finder.set_partial(true);
            for goals in [&goals, &turned, &reversed] {
                finder.start(built.view(), start, goals);
                while finder.resume(built.view(), u64::MAX) == Outcome::Paused {}
                let path = finder.path();
                let end = path.nodes().last().copied();
                prop_assert_eq!(matches!(finder.outcome(), Outcome::Partial(_)), end.is_some());
                prop_assert_eq!(end, nearest.map(|(_, node)| node), "{:?}", setting);
            }
        }
    }

    #[test]
    fn a_search_given_up_leads_somewhere_from_the_start(
        world in world(), start: u16, goal: u16, budget in 1..120_u64, partial: bool,
    ) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some((start, goal)) = oracle.some_ends(start, goal) else { return Ok(()) };
        for setting in typical_settings().into_iter().filter(|setting| setting.works_on(built.view())) {
            let mut finder = setting.finder();
            finder.set_partial(partial);
            finder.start(built.view(), start, &[goal]);
            let before = finder.resume(built.view(), budget);
            let outcome = finder.give_up(built.view());
            let expected = match before {
                Outcome::Paused if partial => Outcome::Partial(Why::Budget),
                Outcome::Paused => Outcome::Unreachable(Why::Budget),
                ended => ended,
            };
            prop_assert_eq!(outcome, expected, "{:?}", setting);
            prop_assert_eq!(finder.resume(built.view(), 9), outcome, "it stays given up");
            if matches!(outcome, Outcome::Found | Outcome::Partial(_)) {
                let path = finder.path();
                let end = path.nodes()[path.steps()];
                prop_assert_eq!(built.judge(start, &[end], path), Ok(()), "{:?}: {:?}", setting, path);
            } else {
                prop_assert!(finder.path().is_empty());
            }
        }
    }
}

/// Rooms that differ in how they are cut off from the first: a wall, no way at all, a door too narrow, a link that leads the wrong way.
#[test]
fn of_several_reasons_the_one_nearest_to_success_is_given() {
    let mut grid: Grid = "
        ...#.....#...
        ...#.....#...
        .........#...
        ...#.....#...
        ...#.....#...
        #############
        ..........###
        ..........###
        ..........###"
        .parse()
        .unwrap();
    grid.add_link(Cell::new(5, 7), Cell::new(1, 1), Cost::ONE).unwrap();
    let agent = Agent::new().with_radius(1.0).unwrap();
    let view = grid.view(&agent);
    let start = Cell::new(1, 1);
    // From the farthest to the nearest.
    let goals = [
        (Cell::new(-1, 0), Why::GoalOutside),
        (Cell::new(3, 0), Why::GoalBlocked),
        (Cell::new(11, 2), Why::Disconnected),
        (Cell::new(5, 2), Why::TooNarrow),
        (Cell::new(5, 7), Why::OneWay),
    ];
    for setting in typical_settings().into_iter().filter(|setting| setting.works_on(view.into())) {
        for (near, &(goal, why)) in goals.iter().enumerate() {
            for &(other, _) in &goals[..=near] {
                for pair in [[goal, other], [other, goal]] {
                    let mut finder = setting.finder();
                    assert_eq!(finder.find_nearest(view, start, &pair).err(), Some(why), "{setting:?}");
                }
            }
        }
    }
}

#[test]
fn a_query_without_goals_says_so() {
    let grid = Grid::new(4, 4).unwrap();
    let view = grid.view(&Agent::default());
    let mut finder = Pathfinder::default();
    let why = finder.find_nearest(view, Cell::new(0, 0), &[] as &[Cell]).unwrap_err();
    assert_eq!((why, why.to_string().as_str()), (Why::NoGoals, "no goals were given"));
    let mut planner = Planner::named("d_star_lite", &Options::default()).unwrap();
    planner.move_start(view, Cell::new(0, 0));
    assert_eq!(planner.replan(view, u64::MAX), Outcome::Unreachable(Why::NoGoals));
}

#[test]
fn a_place_of_another_kind_of_world_is_not_called_outside() {
    let (grid, voxels) = (Grid::new(4, 4).unwrap(), Voxels::new(4, 4, 4).unwrap());
    let (flat, space) = (grid.view(&Agent::default()), voxels.view(&Agent::default()));
    let (cell, voxel) = (Cell::new(1, 1), Voxel::new(1, 1, 1));
    let mut finder = Pathfinder::default();
    assert_eq!(finder.find(space, cell, voxel), Err(Why::WrongPlace));
    assert_eq!(finder.find(space, voxel, cell), Err(Why::WrongPlace));
    assert_eq!(finder.find(flat, cell, Place::from(voxel)), Err(Why::WrongPlace));
    assert_eq!(finder.find_closest(flat, cell, voxel).err(), Some(Why::WrongPlace));
    let goals = [Place::from(cell), Place::from(Voxel::new(9, 9, 9))];
    assert_eq!(finder.find_nearest(space, voxel, &goals), Err(Why::GoalOutside));
    let mut field = DistanceField::default();
    let error = field.run(space, cell, Range::Everything);
    assert_eq!(error, Err(DistanceFieldError::Start(Why::WrongPlace)));
    let mut planner = Planner::named("d_star_lite", &Options::default()).unwrap();
    planner.move_start(space, voxel);
    planner.move_goal(space, cell);
    assert_eq!(planner.replan(space, u64::MAX), Outcome::Unreachable(Why::WrongPlace));
}

#[test]
fn a_point_that_is_not_a_number_is_outside() {
    let (grid, voxels) = (Grid::new(4, 4).unwrap(), Voxels::new(4, 4, 4).unwrap());
    let agent = Agent::default();
    let mut finder = Pathfinder::default();
    let inside = Point::new(2.5, 2.5, 2.5);
    for view in [View::from(grid.view(&agent)), View::from(voxels.view(&agent))] {
        for at in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let outside = Point::new(at, 2.5, 2.5);
            assert_eq!(finder.find(view, outside, inside), Err(Why::StartOutside), "{at}");
            assert_eq!(finder.find(view, inside, outside), Err(Why::GoalOutside), "{at}");
        }
    }
}

#[test]
fn an_agent_that_is_too_large_for_its_start_is_told_so() {
    let grid: Grid = "
        ....
        ....
        ...."
        .parse()
        .unwrap();
    let agent = Agent::new().with_radius(1.0).unwrap();
    let view = grid.view(&agent);
    let mut finder = Pathfinder::default();
    let why = finder.find(view, Cell::new(0, 0), Cell::new(2, 1)).unwrap_err();
    assert_eq!(why, Why::StartTooNarrow);
    assert_eq!(why.to_string(), "the agent is too large to stand at the start");
    assert_eq!(finder.find_closest(view, Cell::new(0, 0), Cell::new(2, 1)).err(), Some(why));
}

/// The agent does not fit at the goal, but a smaller one would not come there, either.
#[test]
fn a_narrow_goal_is_no_reason_where_nobody_could_get_there() {
    let grid: Grid = "
        ...#.
        ...#.
        ...#."
        .parse()
        .unwrap();
    let agent = Agent::new().with_radius(1.0).unwrap();
    let view = grid.view(&agent);
    let mut finder = Pathfinder::default();
    assert_eq!(finder.find(view, Cell::new(1, 1), Cell::new(4, 1)).err(), Some(Why::Disconnected));
    assert_eq!(finder.find(view, Cell::new(1, 1), Cell::new(2, 0)).err(), Some(Why::TooNarrow));
}

/// Worlds of so many rows do not keep in step which cells hang together once they have been edited: a search has to tell.
#[test]
fn in_a_large_voxel_world_that_was_edited_nothing_is_called_one_way() {
    let mut voxels = Voxels::new(4, 129, 129).unwrap();
    // A wall with a hole of one cell.
    let wall = (0..4).flat_map(|x| (0..129).map(move |z| Voxel::new(x, 64, z)));
    let hole = Voxel::new(1, 64, 64);
    voxels.set_many(wall.filter(|&cell| cell != hole).map(|cell| (cell, true))).unwrap();
    let [here, there, beside] =
        [(1, 10, 10), (1, 100, 100), (0, 70, 70)].map(|(x, y, z)| Voxel::new(x, y, z));
    let wide = Agent::new().with_radius(1.0).unwrap();
    let why = |voxels: &Voxels, agent: &Agent, goals: &[Voxel]| {
        let mut reasons: Vec<Option<Why>> = Vec::new();
        for name in ["auto", "astar", "dijkstra", "d_star_lite"] {
            let mut finder = Pathfinder::named(name, &Options::default()).unwrap();
            reasons.push(finder.find_nearest(voxels.view(agent), here, goals).err());
        }
        reasons.dedup();
        reasons
    };
    assert_eq!(why(&voxels, &Agent::default(), &[there]), [None]);
    assert_eq!(why(&voxels, &wide, &[there]), [Some(Why::TooNarrow)]);
    assert_eq!(why(&voxels, &wide, &[hole]), [Some(Why::TooNarrow)]);
    voxels.set(hole, true).unwrap();
    assert_eq!(why(&voxels, &Agent::default(), &[there]), [Some(Why::Disconnected)]);
    assert_eq!(why(&voxels, &wide, &[there]), [Some(Why::Disconnected)]);
    assert_eq!(
        why(&voxels, &wide, &[beside]),
        [Some(Why::Disconnected)],
        "no smaller agent gets there, either"
    );
    assert_eq!(why(&voxels, &wide, &[hole, there]), [Some(Why::Disconnected)]);
    assert_eq!(why(&voxels, &wide, &[hole]), [Some(Why::GoalBlocked)]);
}

/// A chain of expensive edges, too expensive for a search from one end; with or without a cheap way round.
fn chain(with_bypass: bool) -> (Waypoints, NodeId, NodeId) {
    let mut builder = Waypoints::builder();
    let nodes: Vec<NodeId> = (0..4200).map(|x| builder.node(Point::flat(f64::from(x), 0.0))).collect();
    for pair in nodes.windows(2) {
        builder.one_way(pair[0], pair[1], Cost::MAX_EDGE, EdgeKind::Road);
    }
    let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
    if with_bypass {
        builder.one_way(nodes[9], last, Cost::ONE, EdgeKind::Road);
    }
    (builder.build().unwrap(), first, last)
}

#[test]
fn costs_that_do_not_fit_are_reported_and_never_wrong() {
    for setting in typical_settings() {
        let (graph, first, last) = chain(false);
        if !setting.works_on((&graph).into()) {
            continue;
        }
        match setting.finder().find(&graph, first, last) {
            // Each half of a two-sided search has room for half of the way.
            Ok(path) => assert_eq!(path.units().units(), 4199 * Cost::MAX_EDGE.units(), "{setting:?}"),
            Err(why) => assert_eq!(why, Why::CostOverflow, "{setting:?}"),
        }
        let (graph, first, last) = chain(true);
        let mut finder = setting.finder();
        let path = finder.find(&graph, first, last).unwrap_or_else(|why| panic!("{setting:?}: {why}"));
        assert_eq!(path.units().units(), 9 * Cost::MAX_EDGE.units() + Cost::ONE.units(), "{setting:?}");
    }
}
