//! Flights in space and time: no plan gets there earlier, and none touches anything.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use surefoot::flight::{Ending, SafeIntervals, Sipp, State, TimedPilot, TimedPlan, TimedQuery, TimedSpec};
use surefoot::obstacle::{Kind, Pose, Shape};
use surefoot::prelude::*;
use surefoot::scene::{Goal, Mover, Patrol, Scene, Switch, Travel, Turn, Walker};
use surefoot::world::dynamic::{DynamicWorld, ObstacleId};

use crate::common::cases;
use crate::common::distance::{distance_at, distance_to_shape};
#[cfg(feature = "json")]
use crate::common::scaled;

/// A scene with an agent and what it is about.
#[derive(Clone, Debug)]
struct Case {
    scene: Scene,
    solid: Vec<Voxel>,
    agent: Agent,
    ticks: u32,
    from: u64,
}

/// An obstacle, by shares of the size of a scene.
#[derive(Clone, Debug)]
struct Draft {
    is_ball: bool,
    half: [f64; 3],
    stops: [[f64; 3]; 2],
    speed: f64,
    /// Every how many ticks it comes or goes, if it does, and whether it is there at first.
    switch: Option<(u64, bool)>,
    /// Axis and degrees per second.
    turn: Option<([f64; 3], f64)>,
}

fn draft(turns: bool) -> impl Strategy<Value = Draft> {
    let place = || [0.0..1.0, 0.0..1.0, 0.0..1.0];
    // Some are at rest, some go far in a tick.
    let speed = prop_oneof![1 => Just(0.0), 4 => 0.5..9.0, 1 => 9.0..200.0];
    let switch = prop::option::weighted(0.4, (3..60_u64, any::<bool>()));
    let axis = [-1.0..1.0, -1.0..1.0, 0.3..1.0];
    let turn = prop::option::weighted(0.7, (axis, -400.0..400.0));
    let half = [0.1..1.1, 0.1..1.1, 0.1..1.1];
    (any::<bool>(), half, [place(), place()], speed, switch, turn).prop_map(
        move |(is_ball, half, stops, speed, switch, turn)| Draft {
            is_ball,
            half,
            stops,
            speed,
            switch,
            turn: turn.filter(|_| turns),
        },
    )
}

/// A scene of a few cells. The agent begins and ends in the centres of cells.
fn case(turns: bool) -> impl Strategy<Value = Case> {
    let size = (1..8_u32, 1..5_u32, 1..4_u32);
    let frames = (select(vec![1.0, 0.7, 2.5]), -9.0..9.0);
    let agent = (select(vec![0.0, 0.3, 0.45, 0.5]), select(VoxelMoves::ALL.to_vec()), 2.0..40.0);
    let cells = (vec(any::<u16>(), 0..8), any::<u16>(), any::<u16>());
    let goal = prop::option::weighted(0.4, (any::<u16>(), 0.3..8.0));
    (size, frames, agent, cells, goal, vec(draft(turns), 0..4), 20..160_u32, 0..500_u64).prop_map(
        |(
            size,
            (scale, origin),
            (radius, moves, speed),
            (solid, start, goal),
            travel,
            drafts,
            ticks,
            from,
        )| {
            let size = [size.0, size.1, size.2];
            let mut scene = Scene::new(size);
            scene.frame = Frame::new(Point::new(origin, -origin, 2.0 * origin), scale).unwrap();
            let cells: Vec<Voxel> = Voxels::new(size[0], size[1], size[2]).unwrap().cells().collect();
            let cell = |number: u16| cells[usize::from(number) % cells.len()];
            let at = |number: u16| scene.frame.voxel_centre(cell(number));
            let (start, goal) = (at(start), at(goal));
            let stop = travel.map(|(stop, speed)| (at(stop), speed));
            (scene.start, scene.goal) = (start, Goal { position: goal, travel: None });
            if let Some((stop, speed)) = stop {
                let patrol = Patrol::new(vec![goal, stop], speed * scale, false).unwrap();
                scene.goal.travel = Some(Travel::Patrol(patrol));
            }
            scene.walker.speed = speed * scale;
            scene.walker.radius = radius * scale;
            scene.obstacles = drafts.iter().map(|draft| obstacle(draft, &scene)).collect();
            let solid: Vec<Voxel> = solid.into_iter().map(cell).collect();
            let agent = Agent::new().with_radius(radius).unwrap().with_voxel_moves(moves);
            Case { scene, solid, agent, ticks, from }
        },
    )
}

fn obstacle(draft: &Draft, scene: &Scene) -> Mover {
    let scale = scene.frame.cell_size();
    let [x, y, z] = draft.half.map(|half| half * scale);
    let shape = if draft.is_ball { Shape::sphere(x) } else { Shape::cuboid(Point::new(x, y, z)) };
    let stops = draft
        .stops
        .map(|stop| scene.frame.point_at([0, 1, 2].map(|axis| stop[axis] * f64::from(scene.size[axis]))));
    let mut mover = Mover::at_rest("", shape.unwrap(), Pose::at(stops[0]).unwrap());
    if draft.speed > 0.0 {
        let patrol = Patrol::new(stops.to_vec(), draft.speed * scale, false).unwrap();
        mover.travel = Some(Travel::Patrol(patrol));
    }
    mover.switch = draft.switch.map(|(every, on)| Switch::new(every, on).unwrap());
    mover.turn = draft.turn.map(|([x, y, z], speed)| Turn::new(Point::new(x, y, z), speed).unwrap());
    mover
}

impl Case {
    fn walls(&self) -> Voxels {
        let mut walls = Voxels::from_solid(self.scene.size, self.solid.iter().copied()).unwrap();
        walls.set_frame(self.scene.frame);
        walls
    }

    fn plan(&self) -> TimedPlan {
        let walls = self.walls();
        let safe = SafeIntervals::of_scene(&self.scene, &self.agent, self.from, self.ticks).unwrap();
        let Scene { start, goal, walker, .. } = &self.scene;
        let query = TimedQuery { at: *start, tick: self.from, speed: walker.speed, goal, budget: u64::MAX };
        let mut sipp = Sipp::default();
        let view = walls.view(&self.agent);
        let first = sipp.plan(&view, &safe, &query).clone();
        assert_eq!(sipp.plan(&view, &safe, &query), &first, "the same again with used memory");
        first
    }
}

/// Everything by its meaning, for balls and boxes that do not turn: which cells are covered by distance, and where an agent can be at a tick by trying
/// everything.
struct Oracle<'a> {
    case: &'a Case,
    cells: Vec<Voxel>,
    /// By cell: whether the agent fits into it.
    open: Vec<bool>,
    /// By tick and cell: whether the agent is safe from this tick to the next.
    safe: Vec<Vec<bool>>,
    /// By number of axes: how many ticks a step takes.
    lasts: [u32; 4],
}

impl<'a> Oracle<'a> {
    fn new(case: &'a Case) -> Oracle<'a> {
        let walls = case.walls();
        let cells: Vec<Voxel> = walls.cells().collect();
        let radius = case.agent.radius();
        let open = cells.iter().map(|&cell| walls.is_open(cell) && walls.clearance(cell) >= radius).collect();
        let covered = |tick: u64| -> Vec<bool> {
            let is_covered =
                |&cell: &Voxel| case.scene.obstacles.iter().any(|it| covers(case, it, tick, cell));
            cells.iter().map(is_covered).collect()
        };
        let covered: Vec<Vec<bool>> =
            (0..=case.ticks).map(|tick| covered(case.from + u64::from(tick))).collect();
        let safe =
            covered.windows(2).map(|pair| pair[0].iter().zip(&pair[1]).map(|(a, b)| !a && !b).collect());
        let speed = case.scene.walker.speed / case.scene.frame.cell_size();
        let lasts =
            [0, 1, 2, 3].map(|axes| ((f64::from(axes).sqrt() / speed * 60.0 - 1e-9).ceil() as u32).max(1));
        Oracle { case, open, safe: safe.collect(), lasts, cells }
    }

    fn number(&self, cell: Voxel) -> usize {
        self.cells.iter().position(|&other| other == cell).unwrap()
    }

    /// The steps from a cell, with how long they take.
    fn steps(&self, from: usize) -> Vec<(usize, u32)> {
        let most = match self.case.agent.voxel_moves() {
            VoxelMoves::Six => 1,
            VoxelMoves::Eighteen => 2,
            VoxelMoves::TwentySix => 3,
        };
        let Voxel { x, y, z } = self.cells[from];
        let is_near = |a: i32, b: i32| (a - b).abs() <= 1;
        let neighbours = (0..self.cells.len()).filter(|&to| {
            let cell = self.cells[to];
            to != from && is_near(cell.x, x) && is_near(cell.y, y) && is_near(cell.z, z)
        });
        let legal = neighbours.filter_map(|to| {
            let cell = self.cells[to];
            let axes = [cell.x - x, cell.y - y, cell.z - z].iter().filter(|&&delta| delta != 0).count();
            let is_between = |&index: &usize| {
                let other = self.cells[index];
                [(other.x, x, cell.x), (other.y, y, cell.y), (other.z, z, cell.z)]
                    .iter()
                    .all(|&(at, a, b)| (a.min(b)..=a.max(b)).contains(&at))
            };
            let is_open = (0..self.cells.len()).filter(is_between).all(|index| self.open[index]);
            (axes <= most && is_open).then_some((to, self.lasts[axes]))
        });
        legal.collect()
    }

    /// By tick and cell: for how many ticks the agent was exposed at least, if it can be there. Where it has to be safe all the time, there is none but 0.
    fn exposures(&self, has_to_be_safe: bool) -> Vec<Vec<Option<u32>>> {
        let ticks = self.safe.len();
        let steps: Vec<_> = (0..self.cells.len()).map(|cell| self.steps(cell)).collect();
        let mut all = vec![vec![None; self.cells.len()]; ticks + 1];
        all[0][self.number(self.case.scene.frame.voxel_at(self.case.scene.start))] = Some(0);
        for tick in 0..ticks {
            for from in 0..self.cells.len() {
                let Some(exposed) = all[tick][from] else { continue };
                for &(to, lasts) in [(from, 1)].iter().chain(&steps[from]) {
                    let arrival = tick + lasts as usize;
                    if arrival > ticks {
                        continue;
                    }
                    let is_exposed = |tick: &usize| !(self.safe[*tick][from] && self.safe[*tick][to]);
                    let more = (tick..arrival).filter(is_exposed).count() as u32;
                    if has_to_be_safe && more > 0 {
                        continue;
                    }
                    let best = &mut all[arrival][to];
                    *best = Some(best.map_or(exposed + more, |best: u32| best.min(exposed + more)));
                }
            }
        }
        all
    }

    /// The cell of the goal at a tick, if the agent fits into it.
    fn goal(&self, tick: usize) -> Option<usize> {
        let at = self.case.scene.goal.position_at(self.case.from + tick as u64);
        let walls = self.case.walls();
        let aim = walls.view(&self.case.agent).nearest_clear_point(at)?;
        Some(self.number(self.case.scene.frame.voxel_at(aim)))
    }
}

/// Whether a cell is closer than the radius, and what the obstacle moves at most around the tick, to an obstacle.
fn covers(case: &Case, mover: &Mover, tick: u64, cell: Voxel) -> bool {
    let frame = &case.scene.frame;
    let at = |tick: u64| frame.in_cells(mover.pose_at(tick).position());
    let apart = |a: [f64; 3], b: [f64; 3]| (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt();
    let before = tick.saturating_sub(1);
    let is_there = |tick| mover.is_active_at(tick);
    // Half of a move, and the number of pieces into which it is cut.
    let half = |from: u64, to: u64| {
        let half = if is_there(from) || is_there(to) { apart(at(from), at(to)) / 2.0 } else { 0.0 };
        (half, (half / 0.25).ceil().clamp(1.0, 64.0))
    };
    let (earlier, later) = (half(before, tick), half(tick, tick + 1));
    let margin = ((earlier.0 / earlier.1).max(later.0 / later.1) * 64.0 - 1e-6).ceil() / 64.0;
    let (now, then) = (at(tick), at(before));
    let piece = |share: f64| [0, 1, 2].map(|axis| now[axis] + (then[axis] - now[axis]) * share);
    let mut places = Vec::new();
    if is_there(tick) || earlier.0 > 0.0 && is_there(before) || later.0 > 0.0 && is_there(tick + 1) {
        places.push(now);
    }
    if is_there(tick) || is_there(before) {
        places.extend((1..earlier.1 as u32).map(|part| piece(f64::from(part) / earlier.1)));
    }
    let reach = case.agent.radius() + margin - 1e-6;
    let low = [cell.x, cell.y, cell.z].map(f64::from);
    let scale = frame.cell_size();
    places.iter().any(|place| {
        let gap = |axis: usize| (low[axis] - place[axis]).max(place[axis] - low[axis] - 1.0);
        match mover.shape.kind() {
            Kind::Sphere { radius } => {
                let gaps = [0, 1, 2].map(|axis| gap(axis).max(0.0).powi(2)).iter().sum::<f64>();
                gaps.sqrt() < radius / scale + reach
            }
            Kind::Cuboid { half } => {
                let half = [half.x, half.y, half.z].map(|half| half / scale);
                (0..3).all(|axis| gap(axis) < half[axis] + reach)
            }
            _ => unreachable!("no such shapes here"),
        }
    })
}

/// The least distance of an agent to obstacles from a time on, in world units, minus its radius. Between ticks obstacles go straight on.
fn clearance(scene: &Scene, tick: f64, at: Point) -> f64 {
    let (before, after) = (tick.floor() as u64, tick.ceil() as u64);
    let is_there = |mover: &&Mover| mover.is_active_at(before) || mover.is_active_at(after);
    let distance = |mover: &Mover| {
        let (from, to, share) = (mover.pose_at(before), mover.pose_at(after), tick.fract());
        let position = from.position().toward(to.position(), share);
        let pose = Pose::new(position, from.rotation().toward(to.rotation(), share)).unwrap();
        distance_to_shape(&mover.shape, &pose, at)
    };
    let least = scene.obstacles.iter().filter(is_there).map(distance).fold(f64::INFINITY, f64::min);
    least - scene.walker.radius
}

/// Flies a plan, and measures.
fn judge(case: &Case, plan: &TimedPlan) -> Result<(), TestCaseError> {
    let scene = &case.scene;
    let is_solid = |[x, y, z]: [i32; 3]| {
        let cell = Voxel::new(x, y, z);
        let size = scene.size.map(|side| side as i32);
        let is_outside = (0..3).any(|axis| !(0..size[axis]).contains(&[x, y, z][axis]));
        is_outside || case.solid.contains(&cell)
    };
    let begin = plan.waypoints()[0].tick;
    for part in 0..=8 * (plan.end_tick() - begin) {
        let tick = begin as f64 + part as f64 / 8.0;
        let at = plan.position_at(tick).unwrap();
        if tick >= plan.safe_at() as f64 {
            let clearance = clearance(scene, tick, at);
            prop_assert!(clearance > -1e-5 * scene.frame.cell_size(), "{} too close at {}", clearance, tick);
        }
        let place = scene.frame.in_cells(at).map(|part| part - 0.5);
        let distance = distance_at(place, case.agent.radius(), i32::MAX, &is_solid);
        prop_assert!(distance > case.agent.radius() - 1e-6, "{distance} from a wall at {tick}");
        let next = plan.position_at(tick + 1.0).unwrap();
        prop_assert!(at.distance(next) <= scene.walker.speed / 60.0 * (1.0 + 1e-6), "too fast at {tick}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(200))]

    /// `SUREFOOT_CASES=50` compares 10,000 scenes.
    #[test]
    fn no_plan_gets_there_earlier(case in case(false)) {
        let oracle = Oracle::new(&case);
        let start = oracle.number(case.scene.frame.voxel_at(case.scene.start));
        let plan = case.plan();
        if !oracle.open[start] {
            prop_assert_eq!(plan.ending(), Ending::Unreachable(Why::StartBlocked));
            return Ok(());
        }
        judge(&case, &plan)?;
        let is_caught = !oracle.safe[0][start];
        let exposures = oracle.exposures(!is_caught);
        if is_caught {
            let is_safe = |&(tick, cell): &(usize, usize)| oracle.safe[tick][cell];
            let all = (0..oracle.safe.len()).flat_map(|tick| (0..oracle.cells.len()).map(move |cell| (tick, cell)));
            let least = all.filter(is_safe).filter_map(|(tick, cell)| exposures[tick][cell]).min();
            prop_assert_eq!(plan.exposed(), least.unwrap_or(case.ticks));
            prop_assert!(plan.safe_at() > case.from);
            return Ok(());
        }
        prop_assert_eq!((plan.exposed(), plan.safe_at()), (0, case.from));
        let is_met = |tick: &usize| oracle.goal(*tick).is_some_and(|goal| exposures[*tick][goal].is_some());
        let earliest = (0..=oracle.safe.len()).find(is_met);
        let found = (plan.ending() == Ending::Goal).then(|| (plan.end_tick() - case.from) as usize);
        prop_assert_eq!(found, earliest);
    }

    /// Turning bars, too.
    #[test]
    fn plans_touch_nothing_at_any_moment(case in case(true)) {
        let plan = case.plan();
        if plan.ending() != Ending::Unreachable(Why::StartBlocked) {
            judge(&case, &plan)?;
        }
    }

    /// What is called safe is safe anywhere in the cell, and the intervals are those of a longer or later forecast.
    #[test]
    fn safe_intervals_keep_their_word(case in case(true), shares in vec([0.0..=1.0, 0.0..=1.0, 0.0..=1.0_f64], 4), more in 1..200_u32) {
        let mut safe = SafeIntervals::of_scene(&case.scene, &case.agent, case.from, case.ticks).unwrap();
        let frame = case.scene.frame;
        for cell in case.walls().cells() {
            for interval in safe.intervals(cell) {
                prop_assert!(interval.end <= safe.until() && interval.start < interval.end);
                prop_assert_eq!(safe.safe_until(cell, interval.start), Some(interval.end));
                for part in 0..=4 * (interval.end - interval.start) {
                    let tick = interval.start as f64 + part as f64 / 4.0;
                    let share = shares[part as usize % shares.len()];
                    let low = [cell.x, cell.y, cell.z].map(f64::from);
                    let at = frame.point_at([0, 1, 2].map(|axis| low[axis] + share[axis]));
                    let clearance = clearance(&case.scene, tick, at);
                    prop_assert!(clearance > -1e-5 * frame.cell_size(), "{} too close at {} in {:?}", clearance, tick, cell);
                }
            }
        }
        let at_once = SafeIntervals::of_scene(&case.scene, &case.agent, case.from, case.ticks + more).unwrap();
        safe.extend_to(case.from + u64::from(case.ticks + more));
        for cell in case.walls().cells() {
            prop_assert!(safe.intervals(cell).eq(at_once.intervals(cell)));
        }
    }
}

/// Flies a scene from a tick on, and measures four times a tick. Says at which tick the agent arrived.
fn fly(
    scene: &Scene,
    pilot: &mut TimedPilot,
    seconds: u64,
    mut show: impl FnMut(&mut DynamicWorld, u64),
) -> Option<u64> {
    let mut world = scene.world().unwrap();
    let from = pilot.now();
    show(&mut world, from);
    for tick in from + 1..from + 60 * seconds {
        show(&mut world, tick);
        let before = pilot.position();
        pilot.tick(&world, &scene.goal, tick);
        let after = pilot.position();
        if tick > from + 1 {
            assert!(before.distance(after) <= scene.walker.speed / 60.0 + 1e-9, "too fast at {tick}");
            for part in 1..=4 {
                let share = f64::from(part) / 4.0;
                let at = before.toward(after, share);
                let clearance = clearance(scene, (tick - 1) as f64 + share, at);
                assert!(clearance > -1e-5, "{clearance} too close at {tick}, {:?}", pilot.state());
                for fixture in &scene.fixtures {
                    let distance = distance_to_shape(&fixture.shape, &fixture.pose, at);
                    assert!(distance > scene.walker.radius - 1e-5, "{} at {tick}", fixture.name);
                }
            }
        }
        if pilot.state() == State::Arrived {
            return Some(tick - from);
        }
    }
    None
}

/// A corridor along which a ball comes towards the agent.
fn corridor() -> (Scene, Vec<Mover>) {
    let mut scene = Scene::new([16, 7, 3]);
    scene.walker = Walker { radius: 0.3, speed: 4.0 };
    (scene.start, scene.goal.position) = (Point::new(0.5, 3.5, 1.5), Point::new(15.25, 3.5, 1.5));
    let ball = Shape::sphere(0.6).unwrap();
    let mut ball = Mover::at_rest("ball", ball, Pose::at(Point::new(14.5, 3.5, 1.5)).unwrap());
    let stops = vec![Point::new(14.5, 3.5, 1.5), Point::new(-9.0, 3.5, 1.5)];
    ball.travel = Some(Travel::Patrol(Patrol::new(stops, 3.0, false).unwrap()));
    (scene, vec![ball])
}

#[test]
fn a_plan_is_kept_while_the_world_does_what_was_foreseen() {
    let (mut scene, movers) = corridor();
    scene.obstacles = movers;
    let spec = TimedSpec::of_scene(&scene).unwrap();
    let mut pilot = TimedPilot::new(&scene, &spec, 7).unwrap();
    let arrival = fly(&scene, &mut pilot, 60, |world, tick| scene.show(world, tick).unwrap());
    assert_eq!((arrival.is_some(), pilot.replans(), pilot.position()), (true, 1, scene.goal.position));
    // An obstacle that stays away changes nothing.
    let mut again = TimedPilot::new(&scene, &spec, 7).unwrap();
    let absent = fly(&scene, &mut again, 60, |world, tick| {
        scene.show(world, tick).unwrap();
        world.set_active(ObstacleId(0), false).unwrap();
        world.update();
    });
    assert_eq!((absent, again.replans()), (arrival, 1));
    // Another goal is another flight.
    let mut world = scene.world().unwrap();
    let back = Goal { position: scene.start, travel: None };
    for tick in pilot.now() + 1..pilot.now() + 1200 {
        scene.show(&mut world, tick).unwrap();
        pilot.tick(&world, &back, tick);
    }
    assert_eq!((pilot.state(), pilot.position(), pilot.replans()), (State::Arrived, back.position, 2));
}

#[test]
fn a_stranger_is_expected_to_go_on_as_it_does() {
    let (scene, movers) = corridor();
    let truth = Scene { obstacles: movers, ..scene.clone() };
    // The pilot does not know about the ball.
    let mut pilot = TimedPilot::new(&scene, &TimedSpec::of_scene(&scene).unwrap(), 0).unwrap();
    let mut world = truth.world().unwrap();
    let mut arrival = None;
    for tick in 1..1200 {
        truth.show(&mut world, tick).unwrap();
        let before = pilot.position();
        pilot.tick(&world, &scene.goal, tick);
        for part in 1..=4 {
            let share = f64::from(part) / 4.0;
            let at = before.toward(pilot.position(), share);
            let clearance = clearance(&truth, (tick - 1) as f64 + share, at);
            assert!(clearance > -1e-5, "{clearance} too close at {tick}, {:?}", pilot.state());
        }
        if pilot.state() == State::Arrived {
            arrival = Some(tick);
            break;
        }
    }
    assert!(arrival.is_some() && pilot.replans() > 1, "{arrival:?} {}", pilot.replans());
}

#[test]
fn what_is_wrong_is_refused() {
    let (scene, _) = corridor();
    let spec = TimedSpec::of_scene(&scene).unwrap();
    let error = |spec: TimedSpec| TimedPilot::new(&scene, &spec, 0).unwrap_err().to_string();
    assert_eq!(
        error(TimedSpec { speed: f64::NAN, ..spec }),
        "speed NaN is out of range: expected a number of at least 0"
    );
    assert_eq!(
        error(TimedSpec { reach: -1.0, ..spec }),
        "reach -1 is out of range: expected a number of at least 0"
    );
    let mut lost = TimedPilot::new(&scene, &spec, 0).unwrap();
    let nowhere = Goal { position: Point::new(f64::NAN, 0.0, 0.0), travel: None };
    lost.tick(&scene.world().unwrap(), &nowhere, 1);
    assert_eq!(lost.state(), State::Stuck(Why::GoalOutside));
    let other = Voxels::new(3, 3, 3).unwrap();
    let safe = SafeIntervals::of_scene(&scene, &spec.agent, 0, 60).unwrap();
    let query = TimedQuery { at: scene.start, tick: 0, speed: 1.0, goal: &scene.goal, budget: 9 };
    let mut sipp = Sipp::default();
    let ending = sipp.plan(&other.view(&spec.agent), &safe, &query).ending();
    assert_eq!(ending, Ending::Unreachable(Why::NotApplicable));
    let walls = scene.fixed_cells().unwrap();
    let view = walls.view(&spec.agent);
    assert_eq!(sipp.plan(&view, &safe, &TimedQuery { tick: 60, ..query }).ending(), Ending::Horizon);
    assert_eq!(
        sipp.plan(&view, &safe, &TimedQuery { speed: 40.0, budget: 2, ..query }).ending(),
        Ending::Budget
    );
    assert_eq!(sipp.plan(&view, &safe, &TimedQuery { speed: 0.0, ..query }).ending(), Ending::Horizon);
    assert_eq!(safe.safe_until(Voxel::new(16, 0, 0), 0), None);
}

/// The published scene, if it is at hand: with its agent's radius, and with the goal at rest and moving.
#[cfg(feature = "json")]
#[test]
fn flights_in_the_published_scene_touch_nothing() {
    // `SUREFOOT_CASES=50` begins 100 flights of each kind, at different times.
    let flights = u64::from(scaled(2));
    let path = crate::common::maps().join("krafft/scene.json");
    let Ok(bytes) = std::fs::read(&path) else {
        println!("SKIPPED: no {} (set SUREFOOT_MAPS)", path.display());
        return;
    };
    let mut scene = surefoot::formats::read_scene(&bytes).unwrap();
    scene.walker.radius = 0.45;
    let stops = [-4.0, 19.49].map(|y| Point::new(57.1, y, -1.7));
    let patrol = Travel::Patrol(Patrol::new(stops.to_vec(), 2.0, false).unwrap());
    for travel in [None, Some(patrol)] {
        scene.goal.travel = travel;
        let spec = TimedSpec { reach: 0.9, ..TimedSpec::of_scene(&scene).unwrap() };
        let (mut most, mut plans) = (0, 0);
        for flight in 0..flights {
            let mut pilot = TimedPilot::new(&scene, &spec, flight * 97).unwrap();
            let ticks = fly(&scene, &mut pilot, 90, |world, tick| scene.show(world, tick).unwrap());
            most = most.max(ticks.expect("the agent arrives"));
            plans += pilot.replans();
        }
        println!("{flights} flights arrive within {most} ticks, with {plans} plans");
    }
}
