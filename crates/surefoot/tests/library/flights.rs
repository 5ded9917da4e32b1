//! Agents in flight: they keep their distance whatever happens, arrive where they can, and then rest.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use surefoot::flight::{Fleet, FlyerId, Forecast, Pilot, PilotSpec, State};
use surefoot::frame::Mode;
use surefoot::obstacle::{Pose, Shape};
use surefoot::path::Path;
use surefoot::prelude::*;
use surefoot::world::dynamic::{DynamicWorld, ObstacleId};

use crate::common::cases;
use crate::common::distance::{distance_at, distance_to_shape};
use crate::common::worlds::{VoxelWorld, voxel_world};

const ALGORITHMS: [&str; 5] = ["astar", "d_star_lite", "mt_d_star_lite", "theta", "lazy_theta"];
const RADII: [f64; 5] = [0.05, 0.45, 0.5, 0.8, 1.2];
const TICK: f64 = 1.0 / 60.0;

/// A point of a world, by shares of its size.
fn point(size: [u32; 3], shares: [f64; 3]) -> Point {
    let [x, y, z] = [0, 1, 2].map(|axis| shares[axis] * f64::from(size[axis]));
    Point::new(x, y, z)
}

/// How close a point is to the solid cells of a world, in cells.
fn distance(world: &VoxelWorld, at: Point) -> f64 {
    let is_solid = |[x, y, z]: [i32; 3]| world.is_solid(Voxel::new(x, y, z));
    distance_at([at.x - 0.5, at.y - 0.5, at.z - 0.5], world.agent.radius(), i32::MAX, &is_solid)
}

fn spec(world: &VoxelWorld, ends: [Point; 2], algorithm: &'static str, speed: f64) -> PilotSpec<'static> {
    PilotSpec { agent: world.agent, algorithm, speed, ..PilotSpec::new(ends[0], ends[1]) }
}

/// A wall that is built or torn down, a new goal, or a place to be put to.
#[derive(Clone, Debug)]
enum Event {
    Cell(u16, bool),
    Goal([f64; 3]),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => (any::<u16>(), any::<bool>()).prop_map(|(cell, solid)| Event::Cell(cell, solid)),
        1 => [0.0..1.0, 0.0..1.0, 0.0..1.0].prop_map(Event::Goal),
    ]
}

/// A block or a ball that goes to and fro between two points.
fn mover() -> impl Strategy<Value = (bool, f64, [f64; 3], [f64; 3], u32)> {
    let place = || [0.0..1.0, 0.0..1.0, 0.0..1.0];
    (any::<bool>(), 0.2..1.4, place(), place(), 20..120_u32)
}

proptest! {
    #![proptest_config(cases(250))]

    /// The property that matters most: between ticks as well, and while obstacles push the agent around.
    #[test]
    fn agents_keep_their_distance_to_what_does_not_move(
        mut world in voxel_world(), radius in select(RADII.to_vec()), algorithm in select(ALGORITHMS.to_vec()),
        ends in [[0.0..1.0, 0.0..1.0, 0.0..1.0], [0.0..1.0, 0.0..1.0, 0.0..1.0_f64]],
        movers in vec(mover(), 0..3), events in vec((1..40_u32, event()), 0..12), speed in 1.0..9.0,
    ) {
        world.agent = world.agent.with_radius(radius).unwrap();
        let mut sky = DynamicWorld::new(world.voxels());
        let size = world.size;
        let pose = |mover: &(bool, f64, [f64; 3], [f64; 3], u32), tick: u32| {
            let (_, _, from, to, period) = *mover;
            let phase = tick % (2 * period);
            let share = f64::from(phase.min(2 * period - phase)) / f64::from(period);
            Pose::at(point(size, from).toward(point(size, to), share)).unwrap()
        };
        for mover in &movers {
            let half = Point::new(mover.1, mover.1 / 2.0, mover.1);
            let shape = if mover.0 { Shape::cuboid(half) } else { Shape::sphere(mover.1) };
            sky.add(shape.unwrap(), pose(mover, 0)).unwrap();
        }
        sky.update();
        let mut pilot = Pilot::new(&spec(&world, ends.map(|end| point(world.size, end)), algorithm, speed)).unwrap();
        let mut forecast = Forecast::new();
        let mut events = events.into_iter();
        let mut next = events.next();
        let mut until_next = next.as_ref().map_or(0, |(ticks, _)| *ticks);
        let mut is_placed = false;
        for tick in 0..160 {
            until_next = until_next.saturating_sub(1);
            if until_next == 0 && let Some((_, event)) = next.take() {
                match event {
                    Event::Goal(shares) => pilot.set_goal(point(world.size, shares)),
                    Event::Cell(number, solid) => {
                        // Nobody builds where the agent is: there it could not keep its distance.
                        let cell = world.cell(number);
                        let middle = Point::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5, f64::from(cell.z) + 0.5);
                        if !solid || pilot.position().distance(middle) > radius + 2.0 {
                            world.set(cell, solid);
                            sky.set_static(cell, solid).unwrap();
                        }
                    }
                }
                next = events.next();
                until_next = next.as_ref().map_or(0, |(ticks, _)| *ticks);
            }
            for (number, mover) in (0..).zip(&movers) {
                sky.set_pose(ObstacleId(number), pose(mover, tick)).unwrap();
            }
            sky.update();
            forecast.observe(&sky, TICK);
            let (before, was_placed) = (pilot.position(), is_placed);
            pilot.think(&sky, &forecast, u64::MAX);
            is_placed |= sky.voxels().view(&world.agent).is_clear(pilot.position(), pilot.position());
            let thought = pilot.position();
            prop_assert!(!was_placed || before == thought, "thinking moves nothing");
            pilot.fly(&sky, TICK);
            if !is_placed {
                continue;
            }
            prop_assert!(thought.distance(pilot.position()) <= speed * TICK + 1e-9);
            for part in 0..=4 {
                let at = thought.toward(pilot.position(), f64::from(part) / 4.0);
                let distance = distance(&world, at);
                prop_assert!(distance >= radius - 1e-6, "{distance} at {at:?}, tick {tick}, {:?}", pilot.state());
            }
        }
    }

    #[test]
    fn in_a_world_at_rest_agents_arrive_where_there_is_a_path_and_then_plan_no_more(
        mut world in voxel_world(), radius in select(RADII.to_vec()), algorithm in select(ALGORITHMS.to_vec()),
        ends in [[-0.1..1.1, -0.1..1.1, -0.1..1.1], [-0.1..1.1, -0.1..1.1, -0.1..1.1_f64]],
    ) {
        world.agent = world.agent.with_radius(radius).unwrap();
        let sky = DynamicWorld::new(world.voxels());
        let view = sky.voxels().view(&world.agent);
        let [from, to] = ends.map(|end| point(world.size, end));
        let forecast = Forecast::new();
        let mut pilot = Pilot::new(&spec(&world, [from, to], algorithm, 7.0)).unwrap();
        pilot.tick(&sky, &forecast, TICK);
        let [Some(start), Some(goal)] = [from, to].map(|end| view.nearest_clear_point(end)) else {
            prop_assert!(matches!(pilot.state(), State::Stuck(_)), "{:?}", pilot.state());
            return Ok(());
        };
        let cells = [start, goal].map(|point| sky.voxels().frame().voxel_at(point));
        let found = Pathfinder::default().find(view, cells[0], cells[1]).map(Path::length);
        let Ok(length) = found else {
            prop_assert_eq!(pilot.state(), State::Stuck(found.unwrap_err()));
            return Ok(());
        };
        // From the start to the centre of its cell, along the path, and from the last centre to the goal.
        let ticks = ((length * 1.2 + 3.0) / (7.0 * TICK)).ceil() as u32;
        for _ in 0..ticks {
            pilot.tick(&sky, &forecast, TICK);
        }
        prop_assert_eq!((pilot.state(), pilot.position()), (State::Arrived, goal));
        let (replans, travelled) = (pilot.replans(), pilot.travelled());
        prop_assert!(replans == 1 && travelled <= length + 2.0, "{} {} {}", replans, travelled, length);
        for _ in 0..9 {
            pilot.tick(&sky, &forecast, TICK);
        }
        prop_assert_eq!((pilot.replans(), pilot.travelled(), pilot.state()), (replans, travelled, State::Arrived));
    }
}

/// A flight in a room with a wall, from the left to the right.
fn room(gap: i32) -> DynamicWorld {
    let wall = (0..9).flat_map(|y| (0..5).map(move |z| Voxel::new(10, y, z)));
    DynamicWorld::new(Voxels::from_solid([21, 9, 5], wall.filter(|cell| cell.y != gap)).unwrap())
}

fn drone(algorithm: &'static str) -> Pilot {
    let agent = Agent::new().with_radius(0.4).unwrap();
    let ends = PilotSpec::new(Point::new(0.5, 4.5, 2.5), Point::new(20.5, 4.5, 2.5));
    Pilot::new(&PilotSpec { agent, algorithm, speed: 4.0, ..ends }).unwrap()
}

#[test]
fn a_path_is_kept_unless_it_is_broken_or_another_is_much_shorter() {
    let mut sky = room(0);
    let forecast = Forecast::new();
    let mut pilot = drone("lazy_theta");
    pilot.tick(&sky, &forecast, TICK);
    let path = pilot.path().to_vec();
    let plans = pilot.replans();
    // Another gap beside the first makes the path a little shorter, but by less than 2 %.
    sky.set_static(Voxel::new(3, 8, 4), true).unwrap();
    sky.update();
    pilot.tick(&sky, &forecast, TICK);
    assert_eq!((pilot.path(), pilot.replans()), (&path[..], plans + 1), "a cell far away");
    sky.set_static(Voxel::new(10, 4, 2), false).unwrap();
    sky.update();
    pilot.tick(&sky, &forecast, TICK);
    assert_ne!(pilot.path(), path, "the straight line is more than 2 % shorter");
    sky.set_static(Voxel::new(10, 4, 2), true).unwrap();
    sky.update();
    pilot.tick(&sky, &forecast, TICK);
    assert!(pilot.path().iter().any(|point| point.y < 1.0), "back to the first gap");
}

/// A block comes along a corridor from behind, faster than the agent. There are niches on one side.
#[test]
fn an_agent_gets_out_of_the_way_of_what_comes_along() {
    for algorithm in ALGORITHMS {
        let is_wall = |cell: &Voxel| cell.y != 2 && !(cell.x % 3 == 0 && cell.y == 1);
        let solid = Voxels::new(60, 5, 1).unwrap().cells().filter(is_wall).collect::<Vec<_>>();
        let mut sky = DynamicWorld::new(Voxels::from_solid([60, 5, 1], solid).unwrap());
        let at = |x: f64| Pose::at(Point::new(x, 2.5, 0.5)).unwrap();
        let block = sky.add(Shape::cuboid(Point::new(0.5, 0.5, 0.5)).unwrap(), at(1.5)).unwrap();
        sky.update();
        let ends = PilotSpec::new(Point::new(12.5, 2.5, 0.5), Point::new(58.5, 2.5, 0.5));
        let agent = Agent::new().with_radius(0.4).unwrap();
        let mut pilot = Pilot::new(&PilotSpec { agent, algorithm, speed: 6.0, ..ends }).unwrap();
        let mut forecast = Forecast::new();
        let mut states = Vec::new();
        for tick in 0..900_u32 {
            let x = 1.5 + f64::from(tick) / 60.0 * 10.0;
            sky.set_pose(block, at(x)).unwrap();
            sky.update();
            forecast.observe(&sky, TICK);
            pilot.tick(&sky, &forecast, TICK);
            let gap = |at: f64, middle: f64| ((at - middle).abs() - 0.5).max(0.0);
            let apart = gap(pilot.position().x, x).hypot(gap(pilot.position().y, 2.5));
            assert!(apart > 0.4, "{algorithm}: hit at tick {tick}, {states:?}");
            if states.last() != Some(&pilot.state()) {
                states.push(pilot.state());
            }
        }
        assert!(states.contains(&State::Evading), "{algorithm}: {states:?}");
        assert_eq!(pilot.state(), State::Arrived, "{algorithm}: {states:?}");
    }
}

#[test]
fn an_agent_in_an_obstacle_begins_at_the_nearest_clear_point() {
    let sky = room(4);
    let forecast = Forecast::new();
    let mut pilot = drone("d_star_lite");
    pilot.place(Point::new(10.5, 2.5, 2.9));
    pilot.think(&sky, &forecast, u64::MAX);
    let at = pilot.position();
    assert!(at == Point::new(9.5, 2.5, 2.9) || at == Point::new(11.5, 2.5, 2.9), "{at:?}");
    pilot.set_goal(Point::new(10.4, 7.5, 2.5));
    for _ in 0..600 {
        pilot.tick(&sky, &forecast, TICK);
    }
    assert_eq!((pilot.state(), pilot.position()), (State::Arrived, Point::new(9.5, 7.5, 2.5)));
    pilot.set_goal(Point::new(f64::NAN, 7.5, 2.5));
    pilot.tick(&sky, &forecast, TICK);
    assert_eq!(pilot.state(), State::Stuck(Why::GoalOutside));
    pilot.set_goal(Point::new(1.5, 1.5, 1.5));
    for _ in 0..600 {
        pilot.tick(&sky, &forecast, TICK);
    }
    assert_eq!(
        (pilot.state(), pilot.position()),
        (State::Arrived, Point::new(1.5, 1.5, 1.5)),
        "another flight"
    );
}

#[test]
fn plans_in_slices_end_and_lead_to_the_goal() {
    for algorithm in ALGORITHMS {
        let sky = room(1);
        let forecast = Forecast::new();
        let mut pilot = drone(algorithm);
        let mut slices = 0;
        while !pilot.think(&sky, &forecast, 3) {
            assert_eq!(pilot.state(), State::Waiting);
            slices += 1;
        }
        assert!(slices > 0, "{algorithm}");
        for _ in 0..600 {
            pilot.tick(&sky, &forecast, TICK);
        }
        assert_eq!((pilot.state(), pilot.replans()), (State::Arrived, 1), "{algorithm}");
    }
}

#[test]
fn a_plan_that_is_interrupted_by_a_change_starts_again() {
    for algorithm in ALGORITHMS {
        let mut sky = room(1);
        let forecast = Forecast::new();
        let mut pilot = drone(algorithm);
        for number in 0..5 {
            assert!(!pilot.think(&sky, &forecast, 3), "{algorithm}");
            sky.set_static(Voxel::new(20, number, 0), true).unwrap();
            sky.update();
        }
        while !pilot.think(&sky, &forecast, 3) {}
        let expanded = pilot.last_replan().expanded + pilot.last_replan().fresh.unwrap_or(0);
        assert!(pilot.replans() == 1 && (1..4000).contains(&expanded), "{algorithm}: {expanded}");
    }
}

/// Scenes from files.
#[cfg(feature = "json")]
mod in_scenes {
    use std::fs;
    use std::path::Path;

    use surefoot::formats::read_scene;
    use surefoot::scene::Scene;

    use super::*;
    use crate::common::{maps, scaled};

    /// The scene of a file, or `None` if it is not at hand.
    fn scene(path: &Path) -> Option<Scene> {
        let Ok(bytes) = fs::read(path) else {
            println!("SKIPPED: no {} (set SUREFOOT_MAPS)", path.display());
            return None;
        };
        Some(read_scene(&bytes).unwrap())
    }

    fn gallery(name: &str) -> Option<Scene> {
        scene(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../surefoot-lab/gallery").join(name))
    }

    /// Whether a ball reaches into something, by its shape: into a wall or an obstacle that moves, and into one that comes and goes.
    fn hits(scene: &Scene, tick: u64, at: Point, radius: f64) -> [bool; 2] {
        let is_hit = |shape: &Shape, pose: &Pose| distance_to_shape(shape, pose, at) < radius - 1e-6;
        let mut hits = [scene.fixtures.iter().any(|fixture| is_hit(&fixture.shape, &fixture.pose)), false];
        for mover in scene.obstacles.iter().filter(|mover| mover.is_active_at(tick)) {
            hits[usize::from(mover.switch.is_some())] |= is_hit(&mover.shape, &mover.pose_at(tick));
        }
        hits
    }

    /// One flight, from a tick on: whether it arrives, the ticks at which it is in touch with something (see [`hits`]), its length, and all
    /// states and places.
    struct Flown {
        arrived: bool,
        hits: [u32; 2],
        length: f64,
        story: Vec<(State, Point)>,
    }

    fn fly(scene: &Scene, algorithm: &'static str, radius: f64, from: u64, seconds: u64) -> Flown {
        let mut sky = scene.world().unwrap();
        scene.show(&mut sky, from).unwrap();
        let cell_size = scene.frame.cell_size();
        let agent = Agent::new().with_radius(radius / cell_size).unwrap();
        let ends = PilotSpec::new(scene.start, scene.goal.position_at(from));
        let speed = scene.walker.speed;
        let mut pilot = Pilot::new(&PilotSpec { agent, algorithm, speed, ..ends }).unwrap();
        let mut forecast = Forecast::new();
        forecast.observe(&sky, TICK);
        let mut flown = Flown { arrived: false, hits: [0; 2], length: 0.0, story: Vec::new() };
        for tick in from + 1..from + seconds * 60 {
            scene.show(&mut sky, tick).unwrap();
            forecast.observe(&sky, TICK);
            pilot.set_goal(scene.goal.position_at(tick));
            pilot.tick(&sky, &forecast, TICK);
            let hits = hits(scene, tick, pilot.position(), radius);
            flown.hits.iter_mut().zip(hits).for_each(|(ticks, hit)| *ticks += u32::from(hit));
            flown.story.push((pilot.state(), pilot.position()));
            if pilot.state() == State::Arrived {
                flown.arrived = true;
                break;
            }
        }
        flown.length = pilot.travelled();
        flown
    }

    /// Flies from some moments on and prints how that goes. All flights have to arrive, and to touch nothing but obstacles that appear
    /// from one tick to the next, where an agent happens to be.
    fn check(name: &str, scene: &Scene, algorithm: &'static str, radius: f64, flights: u64) {
        let (mut untouched, mut length) = (0, 0.0);
        for flight in 0..flights {
            let from = flight * 97;
            let flown = fly(scene, algorithm, radius, from, 90);
            let [moving, appearing] = flown.hits;
            assert!(flown.arrived, "{name}, {algorithm}, from tick {from}");
            assert!(moving == 0, "{name}, {algorithm}, from tick {from}: {moving} ticks in touch");
            untouched += u64::from(appearing == 0);
            length += flown.length / flights as f64;
        }
        println!(
            "{name}, {algorithm}: {flights} flights arrive, {untouched} touch nothing at all, mean length {length:.1}"
        );
    }

    /// `SUREFOOT_CASES=10` lets 20 flights begin in each scene, at different times, and prints how many touch nothing.
    #[test]
    fn agents_arrive_in_scenes_in_which_obstacles_move() {
        let krafft = scene(&maps().join("krafft/scene.json"));
        let scenes = [("krafft", krafft, 0.45), ("patrols", gallery("patrols.scene.json"), 0.3)];
        for (name, scene, radius) in &scenes {
            let Some(scene) = scene else { continue };
            for algorithm in ["astar", "d_star_lite", "mt_d_star_lite", "lazy_theta"] {
                check(name, scene, algorithm, *radius, u64::from(scaled(2)));
            }
        }
    }

    /// The same flights in a fleet, whose agents know everything a frame later.
    #[test]
    fn agents_of_a_fleet_arrive_as_well() {
        let krafft = scene(&maps().join("krafft/scene.json"));
        for (scene, radius) in [(krafft, 0.45), (gallery("patrols.scene.json"), 0.3)] {
            let Some(scene) = scene else { continue };
            let mut fleet = Fleet::of_scene(&scene, Mode::Deterministic, 0).unwrap();
            let agent = Agent::new().with_radius(radius / scene.frame.cell_size()).unwrap();
            for algorithm in ["astar", "d_star_lite", "mt_d_star_lite", "lazy_theta"] {
                let ends = PilotSpec::new(scene.start, scene.goal.position_at(0));
                fleet.add(&PilotSpec { agent, algorithm, speed: scene.walker.speed, ..ends }).unwrap();
            }
            let mut arrived = [false; 4];
            for tick in 0..90 * 60 {
                fleet.show(tick);
                for number in 0..4 {
                    fleet.move_goal(FlyerId(number), scene.goal.position_at(tick));
                }
                fleet.tick(TICK);
                // A goal that moves on is left behind for a moment.
                for ((_, flyer), arrived) in fleet.iter().zip(&mut arrived) {
                    *arrived |= flyer.state() == State::Arrived;
                }
                if arrived == [true; 4] {
                    break;
                }
            }
            assert_eq!(arrived, [true; 4]);
        }
    }

    #[test]
    fn the_same_flight_is_the_same_twice() {
        let Some(scene) = gallery("patrols.scene.json") else { return };
        for algorithm in ALGORITHMS {
            let [first, again] = [0; 2].map(|_| fly(&scene, algorithm, 0.4, 31, 20).story);
            assert!(first == again && first.len() > 60, "{algorithm}");
        }
    }
}
