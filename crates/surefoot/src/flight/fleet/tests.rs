use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::agent::Agent;
use crate::flight::Pilot;
use crate::obstacle::{Rotation, Shape};

const TICK: f64 = 1.0 / 60.0;

type Draw = Box<dyn FnMut() -> u64 + Send + Sync>;

/// Holds results back by whole frames, as if workers were slow.
#[derive(Default)]
pub(super) struct Delays {
    /// How late a whole round is, and how late a single result.
    round: Option<Draw>,
    result: Option<Draw>,
    blind_until: u64,
    held: Vec<(u64, Thought)>,
}

impl Delays {
    /// Whether nothing has come back yet, whatever the workers have done.
    pub fn is_blind(&self, frame: u64) -> bool {
        frame < self.blind_until
    }

    pub fn start_round(&mut self, frame: u64) {
        if let Some(draw) = &mut self.round {
            self.blind_until = self.blind_until.max(frame + draw());
        }
    }

    pub fn hold_back(&mut self, frame: u64, results: &mut Vec<Thought>) {
        let Some(draw) = &mut self.result else { return };
        self.held.extend(results.drain(..).map(|thought| (frame + draw(), thought)));
        results.extend(self.held.extract_if(.., |(until, _)| *until <= frame).map(|(_, thought)| thought));
    }
}

/// Numbers below a bound, from a seed.
fn numbers(mut state: u64, below: u64) -> impl FnMut() -> u64 + Send + Sync {
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

/// Solid cells as a test knows them.
#[derive(Clone)]
struct Solid {
    size: [u32; 3],
    cells: Vec<[f64; 3]>,
}

impl Solid {
    fn of(voxels: &Voxels) -> Solid {
        let cells = voxels.cells().filter(|&cell| !voxels.is_open(cell));
        let cells = cells.map(|cell| [cell.x, cell.y, cell.z].map(f64::from)).collect();
        Solid { size: voxels.size(), cells }
    }

    /// The least distance of a line to a solid cell or to the border of the world, if that is below a bound. The distance to a cube is
    /// convex along a line, so its least value is found by halving.
    fn distance(&self, from: Point, to: Point, bound: f64) -> f64 {
        let ends = [from, to].map(|point| [point.x, point.y, point.z]);
        let mut least = f64::INFINITY;
        for end in ends {
            for (at, side) in end.iter().zip(self.size) {
                least = least.min(*at).min(f64::from(side) - at);
            }
        }
        for cell in &self.cells {
            let is_far = (0..3).any(|axis| {
                ends.iter().all(|end| end[axis] < cell[axis] - bound)
                    || ends.iter().all(|end| end[axis] > cell[axis] + 1.0 + bound)
            });
            if is_far {
                continue;
            }
            let distance = |share: f64| {
                let gaps = (0..3).map(|axis| {
                    let at = ends[0][axis] + (ends[1][axis] - ends[0][axis]) * share;
                    (at - at.clamp(cell[axis], cell[axis] + 1.0)).powi(2)
                });
                gaps.sum::<f64>().sqrt()
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..40 {
                let third = (high - low) / 3.0;
                if distance(low + third) <= distance(high - third) {
                    high -= third;
                } else {
                    low += third;
                }
            }
            least = least.min(distance(low)).min(distance(0.0)).min(distance(1.0));
        }
        least
    }
}

/// A point of a world, by shares of its size.
fn point(size: [u32; 3], shares: [f64; 3]) -> Point {
    let [x, y, z] = [0, 1, 2].map(|axis| shares[axis] * f64::from(size[axis]));
    Point::new(x, y, z)
}

type Course = ([f64; 3], [f64; 3], u64);

/// A block that goes to and fro.
fn pose(size: [u32; 3], (from, to, period): &Course, tick: u64) -> Pose {
    let phase = tick % (2 * period);
    let share = phase.min(2 * period - phase) as f64 / *period as f64;
    Pose::at(point(size, *from).toward(point(size, *to), share)).unwrap()
}

fn shares() -> impl Strategy<Value = [f64; 3]> {
    [0.0..1.0, 0.0..1.0, 0.0..1.0]
}

fn course() -> impl Strategy<Value = Course> {
    (shares(), shares(), 10..90_u64)
}

/// A world with a share of solid cells, and with blocks.
fn world(size: [u32; 3], seed: u64, solid: u64, courses: &[Course]) -> DynamicWorld {
    let mut draw = numbers(seed, 100);
    let cells = Voxels::new(size[0], size[1], size[2]).unwrap().cells();
    let cells: Vec<Voxel> = cells.filter(|_| draw() < solid).collect();
    let mut world = DynamicWorld::new(Voxels::from_solid(size, cells).unwrap());
    for (number, course) in courses.iter().enumerate() {
        let half = Point::new(0.7, 0.4 + 0.5 * number as f64, 0.8);
        world.add(Shape::cuboid(half).unwrap(), pose(size, course, 0)).unwrap();
    }
    world
}

/// What happens to an agent or the world.
#[derive(Clone, Debug)]
enum Event {
    Wall(u32, bool),
    Goal(usize, [f64; 3]),
    MovedGoal(usize, [f64; 3]),
    Place(usize, [f64; 3]),
    Remove(usize),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        6 => (any::<u32>(), any::<bool>()).prop_map(|(cell, solid)| Event::Wall(cell, solid)),
        2 => (0..4_usize, shares()).prop_map(|(agent, at)| Event::Goal(agent, at)),
        2 => (0..4_usize, shares()).prop_map(|(agent, at)| Event::MovedGoal(agent, at)),
        1 => (0..4_usize, shares()).prop_map(|(agent, at)| Event::Place(agent, at)),
        1 => (0..4_usize).prop_map(Event::Remove),
    ]
}

const ALGORITHMS: [&str; 5] = ["astar", "d_star_lite", "mt_d_star_lite", "theta", "lazy_theta"];

proptest! {
    #![proptest_config(crate::random_cases::cases(120))]

    /// However late results are: by the distance of what was flown to all solid cells.
    #[test]
    fn nothing_flies_through_closed_cells_or_takes_a_path_through_them(
        size in [6..14_u32, 4..10_u32, 3..7_u32], seed in any::<u64>(), solid in 0..25_u64, courses in vec(course(), 0..3),
        radius in select(vec![0.05, 0.45, 0.5, 0.8]), specs in vec((shares(), shares(), select(ALGORITHMS.to_vec())), 1..4),
        events in vec((0..90_u64, event()), 0..12), late in 1..5_u64, workers in 0..3_usize, speed in 2.0..12.0,
        budget in select(vec![5, 60, u64::MAX]),
    ) {
        let agent = Agent::new().with_radius(radius).unwrap();
        let mut fleet = Fleet::new(world(size, seed, solid, &courses), Mode::Eager, workers);
        fleet.delays.round = Some(Box::new(numbers(seed ^ 9, late)));
        fleet.delays.result = Some(Box::new(numbers(seed ^ 8, late)));
        fleet.set_budget(budget);
        for (from, to, algorithm) in &specs {
            let ends = PilotSpec::new(point(size, *from), point(size, *to));
            fleet.add(&PilotSpec { speed, agent, algorithm, ..ends }).unwrap();
        }
        for frame in 0..90 {
            for (number, course) in (0..).zip(&courses) {
                fleet.set_pose(ObstacleId(number), pose(size, course, frame));
            }
            for (_, event) in events.iter().filter(|(at, _)| *at == frame) {
                let id = |agent: usize| FlyerId((agent % specs.len()) as u32);
                match *event {
                    Event::Wall(number, solid) => {
                        let [x, y, z] = [size[0], size[0] * size[1], size[0] * size[1] * size[2]];
                        let number = number % z;
                        let cell = Voxel::new((number % x) as i32, (number / x % size[1]) as i32, (number / y) as i32);
                        fleet.set_static(cell, solid);
                    }
                    Event::Goal(agent, at) => _ = fleet.set_goal(id(agent), point(size, at)),
                    Event::MovedGoal(agent, at) => _ = fleet.move_goal(id(agent), point(size, at)),
                    Event::Place(agent, at) => _ = fleet.place(id(agent), point(size, at)),
                    Event::Remove(agent) => _ = fleet.remove(id(agent)),
                }
            }
            let before: Vec<_> = fleet
                .iter()
                .map(|(id, flyer)| (id, flyer.body.settled, flyer.position(), flyer.path().to_vec()))
                .collect();
            fleet.tick(TICK);
            let (all, walls) = (Solid::of(fleet.voxels()), Solid::of(&fleet.cells.walls));
            let view = fleet.voxels().view(&agent);
            for (id, was_settled, from, path) in before {
                let flyer = fleet.get(id).unwrap();
                let to = flyer.position();
                // Lines that it did not have before.
                let is_old = |line: &[Point]| path.windows(2).any(|old| old == line);
                let first = flyer.path().first().filter(|first| from == to && !path.contains(first));
                let lines = first.map(|&first| vec![from, first]).into_iter();
                for line in lines.chain(flyer.path().windows(2).map(<[Point]>::to_vec)).filter(|line| !is_old(line)) {
                    let distance = all.distance(line[0], line[1], radius);
                    prop_assert!(distance >= radius - 1e-6, "took a path {} from a cell, frame {}", distance, frame);
                }
                if !was_settled || from == to {
                    continue;
                }
                prop_assert!(from.distance(to) <= speed * TICK + 1e-9);
                // What has closed around it is left.
                let near = if view.is_clear(from, from) { &all } else { &walls };
                if fleet.cells.walls.view(&agent).is_clear(from, from) {
                    let distance = near.distance(from, to, radius);
                    prop_assert!(distance >= radius - 1e-6, "flew {} from a cell, frame {}", distance, frame);
                }
            }
        }
    }

    /// In a world at rest; the fleet is two frames behind.
    #[test]
    fn an_agent_of_a_fleet_arrives_where_a_pilot_arrives(
        size in [4..12_u32, 4..10_u32, 3..7_u32], seed in any::<u64>(), solid in 0..30_u64,
        ends in [shares(), shares()], algorithm in select(ALGORITHMS.to_vec()), budget in select(vec![7, u64::MAX]),
    ) {
        let [at, goal] = ends.map(|end| point(size, end));
        let agent = Agent::new().with_radius(0.45).unwrap();
        let spec = PilotSpec { agent, speed: 9.0, algorithm, ..PilotSpec::new(at, goal) };
        let world = world(size, seed, solid, &[]);
        let mut pilot = Pilot::new(&spec).unwrap();
        for _ in 0..1200 {
            pilot.tick(&world, &Forecast::new(), TICK);
        }
        let mut fleet = Fleet::new(world, Mode::Deterministic, 0);
        fleet.set_budget(budget);
        let id = fleet.add(&spec).unwrap();
        for _ in 0..1200 {
            fleet.tick(TICK);
        }
        let flyer = fleet.get(id).unwrap();
        prop_assert_eq!((flyer.state(), flyer.position()), (pilot.state(), pilot.position()));
        prop_assert_eq!((flyer.replans(), flyer.cost()), (pilot.replans(), pilot.cost()));
    }
}

/// A hall in which blocks go to and fro and a bar turns, and agents that fly through it and back. Returns a hash of all frames.
fn story(mode: Mode, workers: usize, budget: u64, frames: u64) -> (u64, usize) {
    let size = [24, 16, 8];
    let courses = [([0.2, 0.1, 0.5], [0.2, 0.9, 0.5], 80), ([0.6, 0.9, 0.2], [0.6, 0.1, 0.8], 130)];
    let mut hall = world(size, 3, 6, &courses);
    let bar = |tick: u64| {
        let turned = Rotation::about(Point::new(0.0, 0.0, 1.0), tick as f64).unwrap();
        Pose::new(Point::new(15.0, 8.0, 4.0), turned).unwrap()
    };
    let bar_id = hall.add(Shape::cuboid(Point::new(5.0, 0.6, 2.0)).unwrap(), bar(0)).unwrap();
    let mut fleet = Fleet::new(hall, mode, workers);
    fleet.set_budget(budget);
    let ends = |number: u32| {
        let share = f64::from(number) / 7.0;
        [point(size, [0.05, share, 0.5]), point(size, [0.95, 1.0 - share, 0.4])]
    };
    let agent = Agent::new().with_radius(0.45).unwrap();
    for (number, algorithm) in (0..7).zip(ALGORITHMS.into_iter().cycle()) {
        let [from, to] = ends(number);
        let spec = PilotSpec { agent, speed: 5.0, algorithm, ..PilotSpec::new(from, to) };
        fleet.add(&spec).unwrap();
    }
    let (mut digest, mut arrivals, mut is_back) = (Digest::default(), 0, [false; 7]);
    for frame in 0..frames {
        for (number, course) in (0..).zip(&courses) {
            fleet.set_pose(ObstacleId(number), pose(size, course, frame));
        }
        fleet.set_active(bar_id, frame % 200 < 150);
        fleet.set_pose(bar_id, bar(frame));
        let report = fleet.tick(TICK);
        assert!(mode == Mode::Eager || (report.late, report.outdated) == (0, 0), "{report:?}");
        for number in 0..7 {
            let id = FlyerId(number);
            if fleet.get(id).unwrap().state() == State::Arrived {
                arrivals += 1;
                let is_back = &mut is_back[number as usize];
                fleet.set_goal(id, ends(number)[usize::from(*is_back)]);
                *is_back = !*is_back;
            }
        }
        digest.word(fleet.digest());
    }
    (digest.finish(), arrivals)
}

#[test]
fn everything_is_the_same_with_any_number_of_workers() {
    for budget in [40, u64::MAX] {
        let alone = story(Mode::Deterministic, 0, budget, 500);
        assert!(alone.1 > 1, "{} arrivals", alone.1);
        for workers in [1, 2] {
            assert_eq!(story(Mode::Deterministic, workers, budget, 500), alone, "{workers} workers");
        }
    }
}

#[test]
fn agents_arrive_with_workers_that_nothing_waits_for() {
    // Frames as fast as they can be made: more of them, since workers have little time in each.
    assert!(story(Mode::Eager, 0, 500, 700).1 > 7);
    assert!((0..20).any(|_| story(Mode::Eager, 2, 500, 3000).1 > 0));
}

/// A corridor of cells with an agent at one end.
fn corridor(late: u64) -> (Fleet, FlyerId) {
    let mut fleet = Fleet::new(DynamicWorld::new(Voxels::new(30, 3, 3).unwrap()), Mode::Eager, 0);
    fleet.delays.result = Some(Box::new(move || late));
    let ends = PilotSpec::new(Point::new(0.5, 1.5, 1.5), Point::new(29.5, 1.5, 1.5));
    let agent = Agent::new().with_radius(0.4).unwrap();
    let id = fleet.add(&PilotSpec { agent, speed: 4.0, algorithm: "lazy_theta", ..ends }).unwrap();
    (fleet, id)
}

/// Frames until something has been taken or refused.
fn until_result(fleet: &mut Fleet) -> FrameReport {
    (0..40).map(|_| fleet.tick(TICK)).find(|report| report.taken + report.refused > 0).unwrap()
}

#[test]
fn results_for_another_goal_or_place_are_refused_and_for_a_moved_goal_taken() {
    type Act = fn(&mut Fleet, FlyerId, Point) -> bool;
    let (other, goal) = (Point::new(20.5, 0.5, 0.5), Point::new(29.5, 1.5, 1.5));
    let acts: [(Act, bool, Point); 3] =
        [(Fleet::set_goal, false, other), (Fleet::place, false, goal), (Fleet::move_goal, true, other)];
    for (act, is_taken, end) in acts {
        let (mut fleet, id) = corridor(3);
        fleet.tick(TICK);
        assert!(fleet.get(id).unwrap().is_thinking());
        assert!(act(&mut fleet, id, other));
        let report = until_result(&mut fleet);
        assert_eq!((report.taken == 1, report.refused == 1), (is_taken, !is_taken));
        assert_eq!(fleet.get(id).unwrap().path().is_empty(), !is_taken);
        // The next one is about what is so now.
        let report = until_result(&mut fleet);
        assert_eq!(report.refused, 0);
        assert_eq!(fleet.get(id).unwrap().path().last(), Some(&end));
    }
}

#[test]
fn a_result_that_does_not_hold_any_more_is_refused_and_the_agent_plans_again() {
    let (mut fleet, id) = corridor(0);
    until_result(&mut fleet);
    let wall = |y: i32, z: i32| Voxel::new(20, y, z);
    for (y, z) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)] {
        fleet.set_static(wall(y, z), true);
    }
    // Its detour, through the one gap, comes late, and the gap is elsewhere by then.
    fleet.delays.result = Some(Box::new({
        let mut delays = [0, 6, 0].into_iter();
        move || delays.next().unwrap_or(0)
    }));
    fleet.tick(TICK);
    fleet.tick(TICK);
    fleet.set_static(wall(2, 2), true);
    fleet.set_static(wall(0, 0), false);
    let path = fleet.get(id).unwrap().path().to_vec();
    let report = until_result(&mut fleet);
    assert_eq!((report.refused, report.outdated), (1, 1), "{report:?}");
    assert_eq!(fleet.get(id).unwrap().path(), path, "the agent keeps its old path");
    for _ in 0..1000 {
        fleet.tick(TICK);
    }
    let flyer = fleet.get(id).unwrap();
    assert_eq!((flyer.state(), flyer.position()), (State::Arrived, Point::new(29.5, 1.5, 1.5)));
}

#[test]
fn an_agent_flies_on_while_its_plan_is_unfinished() {
    let (mut fleet, id) = corridor(0);
    until_result(&mut fleet);
    let path = fleet.get(id).unwrap().path().to_vec();
    fleet.set_budget(1);
    fleet.set_static(Voxel::new(25, 0, 0), true);
    fleet.set_goal(id, Point::new(29.5, 0.5, 0.5));
    let (before, plans) = (fleet.get(id).unwrap().position(), fleet.get(id).unwrap().replans());
    for _ in 0..3 {
        fleet.tick(TICK);
    }
    let flyer = fleet.get(id).unwrap();
    assert_eq!((flyer.replans(), flyer.path()), (plans, &path[..]));
    assert!((before.distance(flyer.position()) - 3.0 * 4.0 * TICK).abs() < 1e-9);
    for _ in 0..900 {
        fleet.tick(TICK);
    }
    assert_eq!(fleet.get(id).unwrap().position(), Point::new(29.5, 0.5, 0.5), "a node per frame will do");
}

#[test]
fn what_is_removed_or_not_there_does_nothing() {
    let (mut fleet, id) = corridor(2);
    fleet.tick(TICK);
    assert!(fleet.remove(id) && !fleet.remove(id));
    let reports: Vec<FrameReport> = (0..9).map(|_| fleet.tick(TICK)).collect();
    assert!(reports.iter().all(|report| report.taken + report.refused + report.late == 0));
    let at = Point::new(1.0, 1.0, 1.0);
    assert!(!fleet.set_goal(id, at) && !fleet.move_goal(id, at) && !fleet.place(id, at));
    assert_eq!((fleet.set_speed(id, 1.0), fleet.get(id).is_none()), (Ok(false), true));
    assert!(!fleet.set_pose(ObstacleId(0), Pose::default()) && !fleet.set_active(ObstacleId(0), true));
    assert!(!fleet.set_static(Voxel::new(30, 0, 0), true));
    fleet.show(5);
    assert_eq!(fleet.iter().count(), 0);
}

/// An agent that is at its goal and pursues it from then on.
#[test]
fn a_goal_that_moves_is_followed() {
    let (mut fleet, id) = corridor(0);
    let goal = |frame: u32| Point::new(6.0 + 0.03 * f64::from(frame), 1.5, 1.5);
    let mut behind = Vec::new();
    for frame in 0..700 {
        fleet.move_goal(id, goal(frame));
        fleet.tick(TICK);
        behind.push(fleet.get(id).unwrap().position().distance(goal(frame)));
    }
    assert!(behind[550..].iter().all(|&behind| behind < 0.3), "{:?}", &behind[550..]);
}
