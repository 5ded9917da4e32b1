//! Sizes above the constants at which the library goes about things in another way: answers stay the same.
//!
//! Links above `MANY_LINKS` and goals above `MANY_GOALS` are part of the random worlds and questions; what follows needs worlds of
//! its own.

use crate::common::oracle::Oracle;
use crate::common::run::{Query, Truth, check, typical_settings};
use crate::common::worlds::{GridWorld, RawLink, World};
use surefoot::algorithms::ALGORITHMS;
use surefoot::obstacle::{Pose, Shape};
use surefoot::prelude::*;
use surefoot::replan::{Planner, Subscriptions};
use surefoot::siting::Siting;
use surefoot::world::dynamic::{DynamicError, DynamicWorld, ObstacleId};
use surefoot::world::waypoints::EdgeId;

fn open_world(width: u32, height: u32) -> GridWorld {
    let terrain = vec![1; (width * height) as usize];
    GridWorld { width, height, terrain, links: Vec::new(), agent: Agent::default() }
}

/// Numbers that look random, each below a bound.
fn dice(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as u32) % below
    }
}

/// One corridor with a turn every two cells: more legs than one jump may have (256).
#[test]
fn a_corridor_of_very_many_turns_is_walked_to_its_end() {
    let (width, height) = (101, 101);
    let mut world = open_world(width, height);
    for y in 0..height {
        for x in 0..width {
            // Steps down every other column, teeth up and down in the rows between.
            let open = match (x % 2, y % 4) {
                (0, _) => y % 4 != 3 || x == 2 * (y / 4 % 2) * (width - 1) / 2,
                (1, 0) => x % 4 == 1,
                (_, 2) => x % 4 == 3,
                _ => false,
            };
            world.terrain[(y * width + x) as usize] = u8::from(open);
        }
    }
    let world = World::Grid(world);
    let (built, oracle) = (world.build(), Oracle::of(&world));
    let start = oracle.nodes[0];
    let costs = oracle.costs_from(start);
    let goal = *oracle.nodes.iter().max_by_key(|&&node| costs.to(node)).unwrap();
    assert!(costs.to(goal) > Some(2000 * Cost::ONE.units()), "the corridor is long: {:?}", costs.to(goal));
    for ends in [[start, goal], [goal, start]] {
        let query = Query { start: ends[0], goals: vec![ends[1]] };
        let truth = Truth::new(&oracle, &query);
        for setting in typical_settings() {
            check(&setting, &built, &query, &truth).unwrap();
        }
    }
}

/// More subscribers than are looked at in one round (64), and more new links than are asked about one by one (32).
#[test]
fn very_many_subscribers_hear_of_very_many_links() {
    for (seed, count) in [(1, 31), (2, 33), (3, 64), (4, 200)] {
        let mut dice = dice(seed);
        let mut world = open_world(90, 70);
        let mut grid = world.grid();
        let mut some = || Cell::new(dice(90) as i32, dice(70) as i32);
        let agent = world.agent;
        let mut finder = Pathfinder::default();
        let mut subscriptions = Subscriptions::default();
        let mut paths = Vec::new();
        for _ in 0..200 {
            let (from, to) = (some(), some());
            let view = grid.view(&agent);
            let path = finder.find(view, from, to).unwrap();
            let id = subscriptions.subscribe(view, path);
            paths.push((id, grid.node(from).unwrap(), grid.node(to).unwrap(), path.units().units()));
        }
        for _ in 0..count {
            let from = some();
            let to = from.offset(7, 3);
            let to = if grid.contains(to) { to } else { some() };
            world.links.push(RawLink { from, to, cost: 30_000 });
            grid.add_link(from, to, Cost::from_units(30_000)).unwrap();
        }
        let mut touched = Vec::new();
        subscriptions.changes(grid.view(&agent), &mut touched);
        let oracle = Oracle::of_grid(&world);
        let mut shorter = 0;
        for (id, start, goal, units) in paths {
            if oracle.costs_from(start).to(goal).unwrap() < units {
                shorter += 1;
                assert!(touched.iter().any(|touched| touched.id == id), "{:?}", grid.cell(start));
            }
        }
        assert!(shorter > 5, "some paths became shorter: {shorter}");
    }
}

/// More edits than a journal holds (65,536): whoever follows them begins anew.
#[test]
fn more_edits_than_a_journal_holds_are_not_missed() {
    let edits = Grid::JOURNAL_CAPACITY + 50;
    let mut world = open_world(40, 40);
    let mut grid = world.grid();
    let agent = world.agent;
    let [from, to] = [Cell::new(0, 20), Cell::new(39, 20)];
    let live = ["lpa_star", "d_star_lite", "basic_mt_d_star_lite", "mt_d_star_lite"];
    let mut planners: Vec<Planner> =
        live.iter().map(|name| Planner::named(name, &Options::default()).unwrap()).collect();
    let mut hpa = Pathfinder::named("hpa", &Options::default()).unwrap();
    let mut siting = Siting::default();
    let mut subscriptions = Subscriptions::default();
    let view = grid.view(&agent);
    for planner in &mut planners {
        planner.move_start(view, from);
        planner.move_goal(view, to);
        assert_eq!(planner.replan(view, u64::MAX), Outcome::Found);
    }
    let path = hpa.find(view, from, to).unwrap();
    let subscription = subscriptions.subscribe(view, path);
    siting.would_block(&view, &[], &[(from, to)]).unwrap();
    // A wall with one door, and after it very many edits far from both.
    let mut set = |cell: Cell, terrain: u8| {
        grid.set(cell, Terrain::new(terrain)).unwrap();
        world.terrain[(cell.y * 40 + cell.x) as usize] = terrain;
    };
    (1..40).for_each(|y| set(Cell::new(17, y), 0));
    (0..edits).for_each(|edit| set(Cell::new(3, 38), (edit % 2) as u8));
    let view = grid.view(&agent);
    let [start, goal] = [from, to].map(|cell| grid.node(cell).unwrap());
    let oracle = Oracle::of_grid(&world);
    let best = oracle.costs_from(start).to(goal).unwrap();
    assert!(best > 50 * Cost::ONE.units());
    for planner in &mut planners {
        assert_eq!(planner.replan(view, u64::MAX), Outcome::Found);
        assert_eq!(planner.path().units().units(), best);
    }
    let built = World::Grid(world.clone()).build();
    let path = hpa.find(view, from, to).unwrap();
    assert_eq!(built.judge(start, &[goal], path), Ok(()));
    let verdict = siting.would_block(&view, &[], &[(from, to)]).unwrap();
    assert_eq!(verdict.impacts()[0].before.map(Cost::units), Some(best));
    let mut touched = Vec::new();
    subscriptions.changes(view, &mut touched);
    assert!(touched.iter().any(|touched| touched.id == subscription));
}

/// The same for graphs and voxel worlds.
#[test]
fn more_edits_than_a_journal_holds_are_not_missed_elsewhere() {
    let mut builder = Waypoints::builder();
    let nodes: Vec<NodeId> = (0..4).map(|x| builder.node(Point::flat(f64::from(x), 0.0))).collect();
    let straight = builder.one_way(nodes[0], nodes[3], Cost::ONE * 3, EdgeKind::Road);
    builder.one_way(nodes[0], nodes[1], Cost::ONE * 5, EdgeKind::Road);
    builder.one_way(nodes[1], nodes[3], Cost::ONE * 5, EdgeKind::Road);
    let idle = builder.one_way(nodes[2], nodes[2], Cost::ONE, EdgeKind::Road);
    let mut graph = builder.build().unwrap();
    let mut voxels = Voxels::new(9, 9, 3).unwrap();
    let [here, there] = [Voxel::new(0, 4, 1), Voxel::new(8, 4, 1)];
    for name in ALGORITHMS.iter().map(|algorithm| algorithm.name) {
        let (Ok(mut on_graph), Ok(mut in_space)) =
            (Planner::named(name, &Options::default()), Planner::named(name, &Options::default()))
        else {
            continue;
        };
        on_graph.move_start(&graph, nodes[0]);
        on_graph.move_goal(&graph, nodes[3]);
        assert_eq!(
            (on_graph.replan(&graph, u64::MAX), on_graph.path().units()),
            (Outcome::Found, Cost::ONE * 3)
        );
        let view = voxels.view(&Agent::default());
        in_space.move_start(view, here);
        in_space.move_goal(view, there);
        assert_eq!(in_space.replan(view, u64::MAX), Outcome::Found);
        let before = in_space.path().cost();
        graph.set_edge(straight, None).unwrap();
        voxels.set_many((1..9).flat_map(|y| (0..3).map(move |z| (Voxel::new(4, y, z), true)))).unwrap();
        for edit in 0..Waypoints::JOURNAL_CAPACITY as u64 + 9 {
            graph.set_edge(idle, Some(Cost::from_units(1 + edit % 2))).unwrap();
            voxels.set(Voxel::new(2, 8, 0), edit % 2 == 0).unwrap();
        }
        assert_eq!(
            (on_graph.replan(&graph, u64::MAX), on_graph.path().units()),
            (Outcome::Found, Cost::ONE * 10)
        );
        let view = voxels.view(&Agent::default());
        assert_eq!(in_space.replan(view, u64::MAX), Outcome::Found);
        let mut dijkstra = Pathfinder::named("dijkstra", &Options::default()).unwrap();
        let best = dijkstra.find(view, here, there).unwrap().units();
        assert!(in_space.path().units() == best && in_space.path().cost() > before);
        graph.set_edge(straight, Some(Cost::ONE * 3)).unwrap();
        graph.set_edge(EdgeId(1), Some(Cost::ONE * 5)).unwrap();
        voxels.set_many((1..9).flat_map(|y| (0..3).map(move |z| (Voxel::new(4, y, z), false)))).unwrap();
    }
}

/// Edits in more parts of a hierarchy than are made anew one after the other (16), and in fewer than make it begin anew.
#[test]
fn a_hierarchy_follows_edits_in_very_many_parts() {
    let mut world = open_world(320, 160);
    let mut dice = dice(5);
    let mut grid = world.grid();
    let mut hpa = Pathfinder::named("hpa", &Options::default()).unwrap();
    hpa.find(grid.view(&world.agent), Cell::new(0, 0), Cell::new(319, 159)).unwrap();
    for _ in 0..4 {
        for _ in 0..40 {
            let cell = Cell::new(dice(320) as i32, dice(160) as i32);
            world.terrain[(cell.y * 320 + cell.x) as usize] = 0;
            grid.set(cell, Terrain::WALL).unwrap();
        }
        let (built, view) = (World::Grid(world.clone()).build(), grid.view(&world.agent));
        let oracle = Oracle::of_grid(&world);
        for _ in 0..4 {
            let [start, goal] = [(); 2].map(|()| oracle.some_node(dice(60_000) as u16).unwrap());
            let best = oracle.costs_from(start).to(goal);
            let mut fresh = Pathfinder::named("hpa", &Options::default()).unwrap();
            let expected = fresh.find(view, start, goal).ok();
            let found = hpa.find(view, start, goal).ok();
            assert_eq!((found.is_some(), found), (best.is_some(), expected));
            if let Some(path) = found {
                assert_eq!(built.judge(start, &[goal], path), Ok(()));
            }
        }
    }
}

/// As many parts as one level of a hierarchy may have (1024), and more of them: in a square, in a row and in a column.
#[test]
fn a_hierarchy_with_very_many_parts_has_the_same_ways() {
    let mut dice = dice(7);
    for (width, height) in [(512, 512), (513, 512), (16_384, 16), (16_384, 17), (17, 16_384)] {
        let mut world = open_world(width, height);
        // Walls across, each with a door that one pillar cannot close, and pillars.
        for at in (20..width.max(height)).step_by(40) {
            let door = dice(width.min(height));
            for other in 0..width.min(height) {
                let (x, y) = if width < height { (other, at) } else { (at, other) };
                world.terrain[(y * width + x) as usize] = u8::from(other.abs_diff(door) < 4);
            }
        }
        for _ in 0..width * height / 100 {
            world.terrain[dice(width * height) as usize] = 0;
        }
        let mut grid = world.grid();
        let mut hpa = Pathfinder::named("hpa", &Options::default()).unwrap();
        let mut reached = 0;
        for round in 0..2 {
            let (built, oracle) = (World::Grid(world.clone()).build(), Oracle::of_grid(&world));
            let view = grid.view(&world.agent);
            let start = oracle.nodes[dice(oracle.nodes.len() as u32) as usize];
            let costs = oracle.costs_from(start);
            for _ in 0..8 {
                let goal = oracle.nodes[dice(oracle.nodes.len() as u32) as usize];
                let (best, found) = (costs.to(goal), hpa.find(view, start, goal).ok());
                assert_eq!(found.is_some(), best.is_some(), "{width} x {height}, round {round}");
                let Some((path, best)) = found.zip(best) else { continue };
                assert_eq!(built.judge(start, &[goal], path), Ok(()));
                assert!(path.units().units() as f64 <= 1.2 * best as f64, "{width} x {height}");
                reached += 1;
            }
            // Walls come and go.
            for edit in 0..30 {
                let cell = Cell::new(dice(width) as i32, dice(height) as i32);
                world.terrain[(cell.y as u32 * width + cell.x as u32) as usize] = edit % 2;
                grid.set(cell, Terrain::new(edit % 2)).unwrap();
            }
        }
        assert!(reached > 9, "{width} x {height}: {reached} ways");
    }
}

/// As many obstacles as a world counts, all in one cell, and one more.
#[test]
fn very_many_obstacles_share_a_cell_and_leave_it() {
    const MOST: u32 = 16_383;
    let cell = |x: i32| Voxel::new(x, 0, 0);
    let pose = |x: i32| Pose::at(Point::new(f64::from(x) + 0.5, 0.5, 0.5)).unwrap();
    let cube = Shape::cuboid(Point::new(0.4, 0.4, 0.4)).unwrap();
    let mut world = DynamicWorld::new(Voxels::new(3, 1, 1).unwrap());
    let solid = |world: &DynamicWorld| (0..3).map(|x| !world.voxels().is_open(cell(x))).collect::<Vec<_>>();
    for _ in 0..MOST {
        world.add(cube.clone(), pose(0)).unwrap();
    }
    assert_eq!(world.add(cube.clone(), pose(1)), Err(DynamicError::TooMany));
    assert_eq!(world.update(), [(cell(0), true)]);
    // The cell is counted apart from the obstacles that stay there for good.
    world.set_static(cell(0), true).unwrap();
    assert!(world.is_static(cell(0)) && world.update().is_empty());
    // All at once, then all but one, then the last.
    for id in (0..MOST).map(ObstacleId) {
        world.set_pose(id, pose(1)).unwrap();
    }
    assert_eq!(world.update(), [(cell(1), true)]);
    world.set_static(cell(0), false).unwrap();
    assert_eq!(world.update(), [(cell(0), false)]);
    for id in (1..MOST).map(ObstacleId) {
        world.set_pose(id, pose(2)).unwrap();
    }
    assert_eq!(world.update(), [(cell(2), true)]);
    world.set_active(ObstacleId(0), false).unwrap();
    assert_eq!(world.update(), [(cell(1), false)]);
    assert_eq!(solid(&world), [false, false, true]);
    for id in (1..MOST).map(ObstacleId) {
        world.set_active(id, false).unwrap();
        if id.0 + 2 == MOST {
            assert!(world.update().is_empty(), "one is left");
        }
    }
    assert_eq!(world.update(), [(cell(2), false)]);
}

/// More obstacles than are worth another thread (64 for each of two) move at once: cells are the same as if each had come alone.
#[test]
fn very_many_obstacles_move_at_once() {
    let size = [40, 40, 4];
    let [x, y, z] = size;
    for count in [127_u32, 128, 129, 500] {
        let mut dice = dice(u64::from(count));
        let mut together = DynamicWorld::new(Voxels::new(x, y, z).unwrap());
        let mut places = vec![Point::default(); count as usize];
        let ball = Shape::sphere(0.7).unwrap();
        for _ in 0..3 {
            let is_first = together.obstacle_count() == 0;
            for (number, place) in (0..).zip(&mut places) {
                let mut coordinate = |side: u32| f64::from(dice(side * 8)) / 8.0;
                *place = Point::new(coordinate(x), coordinate(y), coordinate(z));
                let pose = Pose::at(*place).unwrap();
                if is_first {
                    together.add(ball.clone(), pose).unwrap();
                } else {
                    together.set_pose(ObstacleId(number), pose).unwrap();
                }
            }
            together.update();
            for cell in together.voxels().cells() {
                // The nearest point of the cell to the middle of a ball.
                let middle = [cell.x, cell.y, cell.z].map(|at| f64::from(at) + 0.5);
                let covers = |place: &Point| {
                    let gaps = [place.x, place.y, place.z].into_iter().zip(middle);
                    gaps.map(|(at, middle)| ((at - middle).abs() - 0.5).max(0.0).powi(2)).sum::<f64>() < 0.49
                };
                assert_eq!(!together.voxels().is_open(cell), places.iter().any(covers), "{count} {cell:?}");
            }
        }
    }
}

/// Polyhedra with as many corners as there may be, with one more and with more axes than are looked at together.
#[test]
fn polyhedra_of_very_many_corners_cover_what_a_disc_covers() {
    let radius = 6.3;
    let prism = |sides: u32| {
        let corner = |number: u32, z: f64| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(number) / f64::from(sides)).sin_cos();
            Point::new(radius * cos, radius * sin, z)
        };
        let points: Vec<Point> =
            [-1.0, 1.0].into_iter().flat_map(|z| (0..sides).map(move |number| corner(number, z))).collect();
        let mut faces: Vec<Vec<u32>> = vec![(0..sides).rev().collect(), (sides..2 * sides).collect()];
        faces.extend((0..sides).map(|at| {
            let next = (at + 1) % sides;
            vec![at, next, sides + next, sides + at]
        }));
        Shape::polyhedron(&points, &faces)
    };
    for sides in [31, 32, 33, 63, 64, 65, 100, 512] {
        let mut world = DynamicWorld::new(Voxels::new(20, 20, 4).unwrap());
        let centre = Point::new(9.7, 10.2, 2.0);
        world.add(prism(sides).unwrap(), Pose::at(centre).unwrap()).unwrap();
        world.update();
        for cell in world.voxels().cells() {
            let gap = |at: f64, cell: i32| ((at - f64::from(cell) - 0.5).abs() - 0.5).max(0.0);
            let distance = gap(centre.x, cell.x).hypot(gap(centre.y, cell.y));
            let within = (std::f64::consts::PI / f64::from(sides)).cos() * radius;
            let solid = !world.voxels().is_open(cell);
            let beside = cell.z == 0 || cell.z == 3;
            assert!(!(solid && (beside || distance > radius)), "{sides} sides reach {cell:?} at {distance}");
            assert!(solid || beside || distance > within - 1e-3, "{sides} sides leave out {cell:?}");
        }
    }
    let refused = prism(513).unwrap_err().to_string();
    assert_eq!(refused, "1026 points, expected 3 to 1024");
}
