//! Which algorithms refuse which worlds, and whether the reason that they give is the true one.

use surefoot::algorithms::ALGORITHMS;
use surefoot::formats::World;
use surefoot::prelude::*;

/// A world, an agent and a question about it that every search which takes the world can answer.
struct Case {
    name: &'static str,
    world: World,
    agent: Agent,
    ends: [NodeId; 2],
    /// The algorithms that refuse it, and a part of the reason that nothing else explains.
    refused: &'static [(&'static str, &'static str)],
}

fn on_grid(
    name: &'static str,
    grid: Grid,
    agent: Agent,
    refused: &'static [(&'static str, &'static str)],
) -> Case {
    let goal = Cell::new(grid.width() as i32 - 1, 0);
    let ends = [Cell::new(0, 0), goal].map(|cell| grid.node(cell).unwrap());
    Case { name, world: World::Grid(grid), agent, ends, refused }
}

fn metric(straight: f64, diagonal: f64) -> Agent {
    Agent::new().with_metric(Metric::new(straight, diagonal).unwrap())
}

/// All reasons that a grid without links, of one terrain, for an ordinary agent does not have.
fn cases() -> Vec<Case> {
    const ON_GRIDS: [(&str, &str); 1] = [("jps3", "it does not support grids")];
    const NO_LINKS: &str = "it needs a map without links";
    const ONE_TERRAIN: &str = "it needs a map whose open cells all cost the same";
    const ORDERED: &str = "a diagonal step that costs more than one straight step and less than two";
    const UNORDERED: &[(&str, &str)] =
        &[ON_GRIDS[0], ("jps", ORDERED), ("jps_plus", ORDERED), ("subgoal", ORDERED)];
    let floor = || Grid::new(6, 4).unwrap();
    let mut linked = floor();
    linked.add_link(Cell::new(0, 0), Cell::new(5, 3), Cost::ONE).unwrap();
    let mut roads = Waypoints::builder();
    let ends = [0.0, 1.0].map(|x| roads.node(Point::flat(x, 0.0)));
    roads.one_way(ends[0], ends[1], Cost::ONE, EdgeKind::Road);
    let space = Voxels::new(5, 4, 3).unwrap();
    let corners = [Voxel::new(0, 0, 0), Voxel::new(4, 3, 2)].map(|voxel| space.node(voxel).unwrap());
    vec![
        on_grid("plain floor", floor(), Agent::default(), &ON_GRIDS),
        on_grid("one terrain that is not floor", "4444\n4444".parse().unwrap(), Agent::default(), &ON_GRIDS),
        on_grid(
            "a link",
            linked,
            Agent::default(),
            &[
                ON_GRIDS[0],
                ("jps", NO_LINKS),
                ("jps_plus", NO_LINKS),
                ("subgoal", NO_LINKS),
                ("first_moves", NO_LINKS),
                ("theta", NO_LINKS),
                ("lazy_theta", NO_LINKS),
            ],
        ),
        on_grid(
            "two terrains",
            "..4.\n....".parse().unwrap(),
            Agent::default(),
            &[
                ON_GRIDS[0],
                ("jps", ONE_TERRAIN),
                ("jps_plus", ONE_TERRAIN),
                ("subgoal", ONE_TERRAIN),
                ("theta", ONE_TERRAIN),
                ("lazy_theta", ONE_TERRAIN),
            ],
        ),
        on_grid("diagonals as cheap as straight steps", floor(), metric(1.0, 1.0), UNORDERED),
        on_grid("diagonals as expensive as two straight steps", floor(), metric(1.0, 2.0), UNORDERED),
        // Without diagonal steps it does not matter what they cost.
        on_grid("no diagonals", floor(), metric(1.0, 1.0).with_moves(Moves::Four), &ON_GRIDS),
        on_grid(
            "steps whose sum does not fit the subgoal graph",
            Grid::new(420, 320).unwrap(),
            metric(300.01, 500.0),
            &[ON_GRIDS[0], ("subgoal", "its steps are too expensive for a map of this size")],
        ),
        Case {
            name: "a waypoint graph",
            world: World::Graph(roads.build().unwrap()),
            agent: Agent::default(),
            ends,
            refused: &[
                ("jps", "it does not support waypoint graphs"),
                ("jps3", "it does not support waypoint graphs"),
                ("jps_plus", "it does not support waypoint graphs"),
                ("subgoal", "it does not support waypoint graphs"),
                ("first_moves", "it does not support waypoint graphs"),
                ("hpa", "it does not support waypoint graphs"),
                ("theta", "it does not support waypoint graphs"),
                ("lazy_theta", "it does not support waypoint graphs"),
            ],
        },
        Case {
            name: "a voxel world",
            world: World::Voxels(space),
            agent: Agent::default(),
            ends: corners,
            refused: &[
                ("jps", "it does not support voxel worlds"),
                ("jps_plus", "it does not support voxel worlds"),
                ("subgoal", "it does not support voxel worlds"),
                ("first_moves", "it does not support voxel worlds"),
                ("hpa", "it does not support voxel worlds"),
            ],
        },
    ]
}

fn view<'a>(world: &'a World, agent: &Agent) -> View<'a> {
    world.view(agent)
}

#[test]
fn every_refusal_gives_the_true_reason() {
    for Case { name, world, agent, ends: [start, goal], refused } in cases() {
        let view = view(&world, &agent);
        for algorithm in ALGORITHMS {
            // A first-move table of the largest of these maps would take seconds for nothing.
            let too_much = algorithm.name == "first_moves"
                && matches!(&world, World::Grid(grid) if grid.width() * grid.height() > 100_000);
            let expected = refused.iter().find(|(refuses, _)| *refuses == algorithm.name);
            let found = algorithm.refusal(view);
            match (found, expected) {
                (None, None) => {}
                (Some(found), Some((_, expected))) if found.contains(expected) => {}
                _ => panic!("{name}: {} says {found:?}, expected {expected:?}", algorithm.name),
            }
            if too_much {
                continue;
            }
            let mut finder = Pathfinder::named(algorithm.name, &Options::default()).unwrap();
            let answer = finder.find(view, start, goal).map(drop);
            let expected = if found.is_some() { Err(Why::NotApplicable) } else { Ok(()) };
            assert_eq!(answer, expected, "{name}: {}", algorithm.name);
        }
    }
}

/// A map without a single open cell has no terrain at all; that is not the same as two terrains.
#[test]
fn a_map_of_walls_is_not_refused_for_its_terrain() {
    let walls: Grid = "##\n##".parse().unwrap();
    let view = walls.view(&Agent::default());
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.name != "jps3") {
        let reason = algorithm.refusal(view);
        assert!(reason.is_none_or(|reason| reason.contains("at least one open cell")), "{reason:?}");
    }
}

/// `auto` says why it does without jumps in the same words.
#[test]
fn the_choice_of_auto_gives_the_true_reason() {
    for (grid, agent, expected) in
        [("......", metric(1.0, 1.0), "less than two"), ("..4...", Agent::default(), "all cost the same")]
    {
        let grid: Grid = grid.parse().unwrap();
        let view = grid.view(&agent);
        let mut finder = Pathfinder::named("auto", &Options::default()).unwrap();
        finder.find(view, Cell::new(0, 0), Cell::new(5, 0)).unwrap();
        let choice = finder.choice().unwrap();
        assert_eq!(choice.algorithm, "astar");
        assert!(choice.reason.to_string().contains(expected), "{}", choice.reason);
    }
}
