//! Units on worlds that change: every step is legal when it is begun, every way is the best there is, and nobody plans without a reason.

use std::collections::BTreeMap;

use crate::common::cases;
use crate::common::edits::{Edit, apply, edit};
use crate::common::oracle::Oracle;
use crate::common::worlds::{GridWorld, grid_world};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseError;
use surefoot::prelude::*;
use surefoot::search::OptionError;
use surefoot::unit::{Habit, Roamer, State, Target, UnitError, UnitId, UnitSpec, Units};

/// Something that happens, by random numbers.
#[derive(Clone, Debug)]
enum Op {
    Edit(Edit),
    Target(u8, u16),
    Chase(u8, u8),
    Place(u8, u16),
    Remove(u8),
    Ticks(u8),
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => edit().prop_map(Op::Edit),
        2 => (any::<u8>(), any::<u16>()).prop_map(|(unit, cell)| Op::Target(unit, cell)),
        1 => (any::<u8>(), any::<u8>()).prop_map(|(unit, other)| Op::Chase(unit, other)),
        1 => (any::<u8>(), any::<u16>()).prop_map(|(unit, cell)| Op::Place(unit, cell)),
        1 => any::<u8>().prop_map(Op::Remove),
        8 => (1..6_u8).prop_map(Op::Ticks),
    ]
}

/// A unit by random numbers.
#[derive(Clone, Debug)]
struct Recruit {
    at: u16,
    target: u16,
    algorithm: &'static str,
    sensing: Option<f64>,
    speed: f64,
}

fn recruit() -> impl Strategy<Value = Recruit> {
    let algorithms = ["d_star_lite", "lpa_star", "basic_mt_d_star_lite", "mt_d_star_lite", "astar", "auto"];
    let sensing = prop_oneof![2 => Just(None), 1 => select(vec![Some(0.0), Some(1.5), Some(4.0)])];
    let speed = select(vec![0.25, 1.0, 2.0, 3.7]);
    (any::<u16>(), any::<u16>(), select(algorithms.to_vec()), sensing, speed)
        .prop_map(|(at, target, algorithm, sensing, speed)| Recruit { at, target, algorithm, sensing, speed })
}

/// The time of a tick: nobody begins two steps in one.
const TICK: f64 = 0.25;

struct Stage {
    world: GridWorld,
    grid: Grid,
    units: Units,
    ids: Vec<UnitId>,
    /// The cells from which units have turned back.
    returning: BTreeMap<UnitId, Cell>,
}

impl Stage {
    fn new(world: &GridWorld, recruits: &[Recruit]) -> Stage {
        let grid = world.grid();
        let mut units = Units::new();
        let ids = recruits.iter().map(|recruit| {
            let spec = UnitSpec {
                speed: recruit.speed,
                agent: world.agent,
                algorithm: recruit.algorithm,
                sensing: recruit.sensing,
                ..UnitSpec::new(world.cell(recruit.at), Target::Cell(world.cell(recruit.target)))
            };
            units.add(&grid, &spec).unwrap()
        });
        Stage { world: world.clone(), ids: ids.collect(), grid, units, returning: BTreeMap::new() }
    }

    fn id(&self, number: u8) -> UnitId {
        self.ids[usize::from(number) % self.ids.len()]
    }

    fn happen(&mut self, op: &Op) -> Result<(), TestCaseError> {
        match *op {
            Op::Edit(ref edit) => apply(edit, &mut self.world, &mut self.grid),
            Op::Target(unit, cell) => {
                let cell = self.world.cell(cell);
                self.units.set_target(self.id(unit), Target::Cell(cell));
            }
            Op::Chase(unit, other) => {
                self.units.set_target(self.id(unit), Target::Unit(self.id(other)));
            }
            Op::Place(unit, cell) => {
                self.units.place(&self.grid, self.id(unit), self.world.cell(cell));
            }
            Op::Remove(unit) if self.units.len() > 1 => {
                let id = self.id(unit);
                let known = self.units.get(id).is_some();
                prop_assert_eq!(self.units.remove(id), known);
                prop_assert!(self.units.get(id).is_none() && !self.units.remove(id));
            }
            Op::Remove(_) => {}
            Op::Ticks(ticks) => {
                for _ in 0..ticks {
                    self.tick()?;
                }
            }
        }
        Ok(())
    }

    fn node(&self, cell: Cell) -> NodeId {
        self.grid.node(cell).unwrap()
    }

    /// A tick, with everything checked that should be true of it.
    fn tick(&mut self) -> Result<(), TestCaseError> {
        let before: Vec<(UnitId, Cell, Point)> =
            self.units.iter().map(|(id, unit)| (id, unit.cell(), unit.position())).collect();
        self.units.tick(&self.grid, TICK);
        let oracle = Oracle::of_grid(&self.world);
        let on_foot = Oracle::of_grid(&GridWorld { links: Vec::new(), ..self.world.clone() });
        for (id, was, position) in before {
            let unit = self.units.get(id).unwrap();
            self.check_steps(&oracle, was, position, unit.cell())?;
            let (now, at) = (unit.cell(), unit.position());
            self.check_ground(&on_foot, id, [was, now], at)?;
            let unit = self.units.get(id).unwrap();
            let costs = oracle.costs_from(self.node(unit.cell()));
            let stands = oracle.can_stand(self.node(unit.cell()));
            let best = costs.to(self.node(unit.goal())).filter(|_| stands);
            let best = best.filter(|_| oracle.can_stand(self.node(unit.goal())));
            match (unit.state(), best) {
                (State::Waiting, _) => prop_assert!(false, "nobody waits without a budget"),
                _ if unit.believed().is_some() => {}
                (State::Stuck(_), best) => prop_assert_eq!(best, None),
                (State::Walking | State::Arrived, best) => {
                    prop_assert_eq!(unit.path().first(), Some(&unit.cell()));
                    let mut cost = 0;
                    for pair in unit.path().windows(2) {
                        let edges = &oracle.edges[self.node(pair[0]).index()];
                        let step = edges.iter().filter(|(to, _)| *to == self.node(pair[1]));
                        let step = step.map(|(_, cost)| *cost).min();
                        prop_assert!(step.is_some(), "{:?} cannot be walked", pair);
                        cost += step.unwrap();
                    }
                    prop_assert_eq!(Some(cost), best, "the way is not the best one");
                    prop_assert_eq!(unit.path().last(), Some(&unit.goal()));
                }
            }
        }
        Ok(())
    }

    /// Whoever is between two cells walks there: on a step that is legal without links, unless it goes back, or cannot go back.
    fn check_ground(
        &mut self,
        on_foot: &Oracle,
        id: UnitId,
        [was, now]: [Cell; 2],
        at: Point,
    ) -> Result<(), TestCaseError> {
        let frame = *self.grid.frame();
        let (ahead, returning) = (frame.cell_centre(now), self.returning.remove(&id));
        let beside = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| now.offset(dx, dy)));
        let behind = beside.filter(|&cell| cell != now && self.grid.contains(cell)).find(|&cell| {
            let detour = frame.cell_centre(cell).distance(at) + at.distance(ahead);
            detour < frame.cell_centre(cell).distance(ahead) + 1e-9
        });
        let Some(behind) = behind.filter(|_| at.distance(ahead) > 1e-9) else { return Ok(()) };
        let legal = on_foot.edges[self.node(behind).index()].iter().any(|(to, _)| *to == self.node(now));
        if legal || !on_foot.can_stand(self.node(behind)) {
            return Ok(());
        }
        let goes_back = was == behind || was == now && returning == Some(behind);
        prop_assert!(goes_back, "{behind:?} to {now:?} is no step");
        self.returning.insert(id, behind);
        Ok(())
    }

    /// Whoever is in another cell than before got there by one legal step (and links, which take no time), perhaps after going
    /// back to where it came from because its step had stopped being legal.
    fn check_steps(
        &self,
        oracle: &Oracle,
        was: Cell,
        position: Point,
        now: Cell,
    ) -> Result<(), TestCaseError> {
        let centre = |cell| self.grid.frame().cell_centre(cell);
        let leads =
            |from: Cell| oracle.edges[self.node(from).index()].iter().any(|(end, _)| *end == self.node(was));
        let came_from = |from: &Cell| {
            let detour = centre(*from).distance(position) + position.distance(centre(was));
            position != centre(was) && detour < centre(*from).distance(centre(was)) + 1e-6
        };
        let beside = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| was.offset(dx, dy)));
        let back = beside.filter(|&cell| cell != was && self.grid.contains(cell) && came_from(&cell));
        let back = back.filter(|&cell| !leads(cell)).map(|cell| self.node(cell));
        let mut reached: Vec<NodeId> = back.chain([self.node(was)]).collect();
        for _ in 0..=self.world.links.len() {
            let ends = reached.iter().flat_map(|at| oracle.edges[at.index()].iter().map(|(to, _)| *to));
            let ends: Vec<NodeId> = ends.collect();
            reached.extend(ends);
            reached.sort_unstable();
            reached.dedup();
        }
        prop_assert!(reached.contains(&self.node(now)), "{was:?} to {now:?}");
        Ok(())
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn units_make_legal_steps_on_best_ways(
        world in grid_world(),
        recruits in vec(recruit(), 1..5),
        ops in vec(op(), 1..40),
    ) {
        let mut stage = Stage::new(&world, &recruits);
        for op in &ops {
            stage.happen(op)?;
        }
        // The world stays as it is: whoever has a way arrives.
        let room = f64::from(world.width * world.height) * 1.5 + 8.0;
        for id in stage.ids.clone() {
            if let Some(unit) = stage.units.get(id) {
                let goal = unit.goal();
                stage.units.set_target(id, Target::Cell(goal));
                stage.units.set_speed(id, 3.0).unwrap();
            }
        }
        for _ in 0..(room / 3.0 / TICK) as usize {
            stage.units.tick(&stage.grid, TICK);
        }
        for (_, unit) in stage.units.iter() {
            prop_assert!(matches!(unit.state(), State::Arrived | State::Stuck(_)), "{:?}", unit.state());
        }
        stage.tick()?;
    }

    #[test]
    fn the_same_calls_lead_to_the_same_end(
        world in grid_world(),
        recruits in vec(recruit(), 1..4),
        ops in vec(op(), 1..20),
        parts in 1..9_u32,
    ) {
        let mut stages = [Stage::new(&world, &recruits), Stage::new(&world, &recruits)];
        for op in &ops {
            for stage in &mut stages {
                stage.happen(op)?;
            }
            for ((id, one), (other_id, other)) in stages[0].units.iter().zip(stages[1].units.iter()) {
                prop_assert_eq!((id, one.position(), one.path()), (other_id, other.position(), other.path()));
                prop_assert_eq!((one.replans(), one.expanded()), (other.replans(), other.expanded()));
            }
        }
        // However the time is cut, as long as nothing else happens.
        let [whole, pieces] = &mut stages;
        for stage in [&mut *whole, &mut *pieces] {
            for id in stage.ids.clone() {
                if let Some(unit) = stage.units.get(id) {
                    let goal = unit.goal();
                    stage.units.set_target(id, Target::Cell(goal));
                }
            }
        }
        for _ in 0..6 {
            whole.units.tick(&whole.grid, 1.0);
            (0..parts).for_each(|_| pieces.units.tick(&pieces.grid, 1.0 / f64::from(parts)));
            for ((_, one), (_, other)) in whole.units.iter().zip(pieces.units.iter()) {
                prop_assert!(one.position().distance(other.position()) < 1e-6);
                prop_assert_eq!((one.state(), one.cell()), (other.state(), other.cell()));
            }
        }
    }

    #[test]
    fn who_walks_undisturbed_walks_as_far_as_the_path_is_long(
        world in grid_world(),
        ends in any::<[u16; 2]>(),
        recruit in recruit(),
        cell_size in select(vec![1.0, 0.5, 30.0]),
    ) {
        let oracle = Oracle::of_grid(&world);
        let Some((start, goal)) = oracle.some_ends(ends[0], ends[1]) else { return Ok(()) };
        let mut grid = world.grid();
        grid.set_frame(Frame::new(Point::flat(7.0, -2.0), cell_size).unwrap());
        let mut units = Units::new();
        let spec = UnitSpec {
            speed: recruit.speed * cell_size,
            agent: world.agent,
            algorithm: recruit.algorithm,
            sensing: recruit.sensing,
            ..UnitSpec::new(grid.cell(start), Target::Cell(grid.cell(goal)))
        };
        let id = units.add(&grid, &spec).unwrap();
        units.tick(&grid, 0.0);
        let unit = units.get(id).unwrap();
        if oracle.costs_from(start).to(goal).is_none() {
            prop_assert!(matches!(unit.state(), State::Stuck(_)));
            return Ok(());
        }
        let mut finder = Pathfinder::named(recruit.algorithm, &Options::default()).unwrap();
        let length = finder.find(grid.view(&world.agent), start, goal).unwrap().length() * cell_size;
        let links = !world.links.is_empty();
        for _ in 0..10_000 {
            if units.get(id).unwrap().state() == State::Arrived {
                break;
            }
            units.tick(&grid, 0.3);
        }
        let unit = units.get(id).unwrap();
        prop_assert_eq!((unit.state(), unit.position()), (State::Arrived, grid.frame().cell_centre(grid.cell(goal))));
        prop_assert_eq!(unit.replans(), 1);
        // With links or terrain, several ways may cost the same and have different lengths.
        if !links && grid.uniform_terrain().is_some() && world.agent.metric() == Metric::EUCLIDEAN {
            prop_assert!((unit.travelled() - length).abs() < 1e-6 * length.max(1.0), "{} {length}", unit.travelled());
        }
    }

    #[test]
    fn who_roams_makes_legal_steps(
        world in grid_world(),
        at in any::<u16>(),
        pursuer in any::<u16>(),
        flees in any::<bool>(),
        edits in vec(edit(), 0..12),
        seed in any::<u64>(),
    ) {
        let (mut world, mut grid) = (world.clone(), world.grid());
        let habit = if flees { Habit::Flee } else { Habit::Wander };
        let start = world.cell(at);
        let mut roamers =
            [(); 2].map(|()| Roamer::new(&grid, start, habit, 2.0, &world.agent, seed).unwrap());
        for edit in &edits {
            apply(edit, &mut world, &mut grid);
            // Roamers walk.
            let oracle = Oracle::of_grid(&GridWorld { links: Vec::new(), ..world.clone() });
            for _ in 0..5 {
                let (was, position) = (roamers[0].cell(), roamers[0].position());
                for roamer in &mut roamers {
                    roamer.tick(&grid, TICK, &[world.cell(pursuer)]);
                }
                prop_assert_eq!(roamers[0].position(), roamers[1].position());
                let now = roamers[0].cell();
                let node = |cell| grid.node(cell).unwrap();
                let stepped = oracle.edges[node(was).index()].iter().any(|(to, _)| *to == node(now));
                let back = position != grid.frame().cell_centre(was);
                prop_assert!(was == now || stepped || back, "{was:?} to {now:?}");
                prop_assert!(was == now || back || oracle.can_stand(node(now)));
            }
        }
    }
}

fn corridor(rows: &str) -> Grid {
    rows.parse().unwrap()
}

fn walker(grid: &Grid, spec: &UnitSpec<'_>) -> (Units, UnitId) {
    let mut units = Units::new();
    let id = units.add(grid, spec).unwrap();
    (units, id)
}

fn to(from: (i32, i32), to: (i32, i32)) -> UnitSpec<'static> {
    UnitSpec::new(Cell::new(from.0, from.1), Target::Cell(Cell::new(to.0, to.1)))
}

#[test]
fn a_unit_goes_back_when_the_cell_ahead_closes() {
    let mut grid = corridor("....");
    let (mut units, id) = walker(&grid, &to((0, 0), (3, 0)));
    units.tick(&grid, 1.75);
    assert_eq!(units.get(id).unwrap().position(), Point::flat(2.25, 0.5));
    grid.set(Cell::new(2, 0), Terrain::WALL).unwrap();
    units.tick(&grid, 0.25);
    let unit = units.get(id).unwrap();
    assert_eq!((unit.cell(), unit.position()), (Cell::new(1, 0), Point::flat(2.0, 0.5)));
    assert_eq!(unit.state(), State::Stuck(Why::Disconnected));
    units.tick(&grid, 9.0);
    assert_eq!(units.get(id).unwrap().position(), Point::flat(1.5, 0.5), "in the middle of its cell");
    assert!((units.get(id).unwrap().travelled() - 2.5).abs() < 1e-9);
    grid.set(Cell::new(2, 0), Terrain::GRASS).unwrap();
    units.tick(&grid, 2.0);
    assert_eq!((units.get(id).unwrap().state(), units.get(id).unwrap().replans()), (State::Arrived, 3));
}

#[test]
fn a_step_whose_corner_closes_is_taken_back() {
    let mut grid = corridor("..\n..");
    let (mut units, id) = walker(&grid, &to((0, 0), (1, 1)));
    units.tick(&grid, 0.5);
    grid.set(Cell::new(1, 0), Terrain::WALL).unwrap();
    units.tick(&grid, 0.5);
    let unit = units.get(id).unwrap();
    assert_eq!((unit.cell(), unit.position()), (Cell::new(0, 0), Point::flat(0.5, 0.5)));
    units.tick(&grid, 2.0);
    assert_eq!(units.get(id).unwrap().state(), State::Arrived);
}

/// Two cells that touch at a corner, with a link from one to the other.
fn linked_corner(rows: &str) -> Grid {
    let mut grid = corridor(rows);
    grid.add_link(Cell::new(0, 0), Cell::new(1, 1), Cost::ONE * 9).unwrap();
    grid
}

#[test]
fn a_link_does_not_carry_on_a_step_whose_corner_closes() {
    let mut grid = linked_corner("..\n..");
    let (mut units, id) = walker(&grid, &to((0, 0), (1, 1)));
    units.tick(&grid, 0.5);
    let middle = units.get(id).unwrap().position();
    grid.set_many([(Cell::new(1, 0), Terrain::WALL), (Cell::new(0, 1), Terrain::WALL)]).unwrap();
    units.tick(&grid, 0.25);
    let unit = units.get(id).unwrap();
    assert_eq!(unit.cell(), Cell::new(0, 0), "back to where the link begins");
    assert!(unit.position().x < middle.x, "{:?}", unit.position());
    units.tick(&grid, 9.0);
    let unit = units.get(id).unwrap();
    assert_eq!((unit.state(), unit.cell()), (State::Arrived, Cell::new(1, 1)));
    assert!((unit.travelled() - 1.0).abs() < 1e-9, "half a cell there and back: {}", unit.travelled());
}

#[test]
fn who_roams_does_not_walk_along_a_link() {
    let grid = linked_corner(".#\n#.");
    for habit in [Habit::Wander, Habit::Flee] {
        for seed in 0..20 {
            let mut roamer =
                Roamer::new(&grid, Cell::new(0, 0), habit, 1.0, &Agent::default(), seed).unwrap();
            for _ in 0..20 {
                roamer.tick(&grid, 0.25, &[Cell::new(0, 0)]);
                assert_eq!(roamer.position(), Point::flat(0.5, 0.5), "there is no step");
            }
        }
    }
}

#[test]
fn a_tick_of_who_roams_is_as_long_as_its_most_steps_at_most() {
    let grid = Grid::new(50, 50).unwrap();
    let agent = Agent::new().with_moves(Moves::Four);
    let steps = Roamer::MAX_STEPS as f64;
    for time in [1e7, 1e300, f64::INFINITY] {
        let [mut roamer, mut other] =
            [(); 2].map(|()| Roamer::new(&grid, Cell::new(25, 25), Habit::Wander, 1.0, &agent, 7).unwrap());
        roamer.tick(&grid, time, &[]);
        other.tick(&grid, steps, &[]);
        assert_eq!(roamer.position(), other.position());
        other.tick(&grid, 1.0, &[]);
        assert_ne!(roamer.position(), other.position(), "the next tick goes on");
        for nothing in [f64::NAN, -1.0, 0.0] {
            let before = roamer.position();
            roamer.tick(&grid, nothing, &[]);
            assert_eq!(roamer.position(), before);
        }
    }
}

#[test]
fn a_unit_whose_own_cell_closes_waits_there() {
    let mut grid = corridor("...");
    let (mut units, id) = walker(&grid, &to((0, 0), (2, 0)));
    units.tick(&grid, 1.0);
    grid.set(Cell::new(1, 0), Terrain::WALL).unwrap();
    units.tick(&grid, 1.0);
    let unit = units.get(id).unwrap();
    assert_eq!((unit.state(), unit.cell()), (State::Stuck(Why::StartBlocked), Cell::new(1, 0)));
    grid.set(Cell::new(1, 0), Terrain::FLOOR).unwrap();
    units.tick(&grid, 1.0);
    assert_eq!(units.get(id).unwrap().state(), State::Arrived);
    // Behind a step that is under way, too: it goes on, nothing changes for it.
    units.set_target(id, Target::Cell(Cell::new(0, 0)));
    units.tick(&grid, 0.5);
    let replans = units.get(id).unwrap().replans();
    grid.set(Cell::new(2, 0), Terrain::WALL).unwrap();
    units.tick(&grid, 1.5);
    assert_eq!((units.get(id).unwrap().state(), units.get(id).unwrap().replans()), (State::Arrived, replans));
    // Both ends of a step: back to the cell that was left.
    units.set_target(id, Target::Cell(Cell::new(1, 0)));
    units.tick(&grid, 0.75);
    grid.set_many([0, 1].map(|x| (Cell::new(x, 0), Terrain::WALL))).unwrap();
    units.tick(&grid, 9.0);
    let unit = units.get(id).unwrap();
    assert_eq!((unit.state(), unit.cell()), (State::Stuck(Why::StartBlocked), Cell::new(0, 0)));
}

#[test]
fn edits_that_touch_no_path_cause_no_plans() {
    let mut grid = Grid::new(60, 40).unwrap();
    grid.set_many((0..60).map(|x| (Cell::new(x, 20), Terrain::WALL))).unwrap();
    let mut units = Units::new();
    let ids: Vec<UnitId> = (0..19)
        .map(|y| {
            let algorithm = ["d_star_lite", "astar", "mt_d_star_lite"][y as usize % 3];
            units.add(&grid, &UnitSpec { algorithm, ..to((0, y), (59, y)) }).unwrap()
        })
        .collect();
    units.tick(&grid, 0.5);
    assert_eq!(units.replanned().len(), 19);
    for (step, y) in (0..30).zip([21, 30, 39].into_iter().cycle()) {
        grid.set(Cell::new(step * 2, y), Terrain::WALL).unwrap();
        units.tick(&grid, 0.5);
        assert_eq!(units.replanned(), [], "edit {step}");
    }
    grid.set(Cell::new(50, 7), Terrain::WALL).unwrap();
    units.tick(&grid, 0.5);
    let planned: Vec<UnitId> = units.replanned().iter().map(|one| one.id).collect();
    assert_eq!(planned, [ids[7]]);
    units.tick(&grid, 0.5);
    assert_eq!(units.replanned(), []);
    assert!(units.memory_bytes() > 19 * 8);
}

#[test]
fn a_unit_that_does_not_see_far_learns_of_walls_when_it_gets_there() {
    let mut grid = corridor(
        "..........
         .########.
         ..........",
    );
    let (mut units, id) = walker(&grid, &UnitSpec { sensing: Some(2.0), ..to((0, 0), (9, 0)) });
    units.tick(&grid, 0.0);
    grid.set_many([(Cell::new(7, 0), Terrain::WALL), (Cell::new(0, 2), Terrain::WALL)]).unwrap();
    units.tick(&grid, 1.0);
    let unit = units.get(id).unwrap();
    assert_eq!(
        (unit.replans(), unit.path().len()),
        (1, 9),
        "it has seen the near one, which is not on its way"
    );
    assert!(unit.believed().unwrap().is_open(Cell::new(7, 0)));
    units.tick(&grid, 2.9);
    assert!(units.get(id).unwrap().believed().unwrap().is_open(Cell::new(7, 0)));
    units.tick(&grid, 1.2);
    let unit = units.get(id).unwrap();
    assert!(!unit.believed().unwrap().is_open(Cell::new(7, 0)));
    assert_eq!(unit.state(), State::Stuck(Why::Disconnected));
    grid.set(Cell::new(0, 2), Terrain::FLOOR).unwrap();
    units.tick(&grid, 1.0);
    assert_eq!(units.get(id).unwrap().state(), State::Stuck(Why::Disconnected), "nobody has told it");
    grid.set(Cell::new(7, 0), Terrain::FLOOR).unwrap();
    units.tick(&grid, 9.0);
    assert_eq!(units.get(id).unwrap().state(), State::Arrived);
}

#[test]
fn a_budget_spreads_plans_over_ticks() {
    let grid = Grid::new(40, 40).unwrap();
    for algorithm in ["d_star_lite", "astar", "dijkstra"] {
        let mut units = Units::new();
        units.set_budget(100);
        let spec = |y| UnitSpec { algorithm, ..to((0, y), (39, 39 - y)) };
        let ids: Vec<UnitId> = (0..6).map(|y| units.add(&grid, &spec(y)).unwrap()).collect();
        units.tick(&grid, 0.5);
        let waiting = |units: &Units| units.iter().filter(|(_, unit)| unit.state() == State::Waiting).count();
        assert!(waiting(&units) > 0, "{algorithm}");
        assert!(units.get(ids[5]).unwrap().travelled() < 1e-9, "a waiting unit stands still");
        let mut ticks = 0;
        while waiting(&units) > 0 {
            units.tick(&grid, 0.0);
            let spent: u64 = units.iter().map(|(_, unit)| unit.expanded()).sum();
            ticks += 1;
            assert!(spent <= 100 * (ticks + 1), "{algorithm}: {spent} in {ticks}");
        }
        units.tick(&grid, 100.0);
        assert!(units.iter().all(|(_, unit)| unit.state() == State::Arrived));
        assert!(units.iter().all(|(_, unit)| unit.replans() == 1));
    }
}

#[test]
fn a_target_that_is_gone_is_where_it_was_last() {
    let grid = Grid::new(9, 1).unwrap();
    let mut units = Units::new();
    let thief = units.add(&grid, &to((4, 0), (8, 0))).unwrap();
    let guard = units.add(&grid, &UnitSpec::new(Cell::new(0, 0), Target::Unit(thief))).unwrap();
    units.tick(&grid, 1.0);
    assert!(units.remove(thief));
    units.tick(&grid, 9.0);
    let unit = units.get(guard).unwrap();
    assert_eq!((unit.state(), unit.cell()), (State::Arrived, Cell::new(5, 0)));
    let other = units.add(&grid, &to((0, 0), (1, 0))).unwrap();
    assert!(units.get(thief).is_none() && units.get(other).is_some(), "another generation");
    assert!(!units.set_target(thief, Target::Unit(other)) && !units.place(&grid, thief, Cell::new(0, 0)));
}

#[test]
fn what_makes_no_sense_is_refused_or_stuck() {
    let grid = corridor("..#");
    let mut units = Units::new();
    let good = to((0, 0), (1, 0));
    for bad in [
        UnitSpec { speed: -1.0, ..good },
        UnitSpec { speed: f64::NAN, ..good },
        UnitSpec { sensing: Some(f64::NAN), ..good },
        UnitSpec { algorithm: "teleport", ..good },
        UnitSpec { options: Options { weight: Some(0.5), ..Options::default() }, ..good },
    ] {
        assert!(units.add(&grid, &bad).is_err(), "{bad:?}");
    }
    assert!(units.is_empty());
    let cases = [((0, 0), (2, 0)), ((2, 0), (0, 0)), ((-5, 0), (0, 0)), ((0, 0), (0, 7))];
    let ids = cases.map(|(from, goal)| units.add(&grid, &to(from, goal)).unwrap());
    let jumper = units.add(&corridor("..4"), &UnitSpec { algorithm: "jps", ..to((0, 0), (2, 0)) }).unwrap();
    for time in [f64::NAN, -1.0, 1.0] {
        units.tick(&grid, time);
    }
    let why = ids.map(|id| units.get(id).unwrap().state());
    let expected = [Why::GoalBlocked, Why::StartBlocked, Why::StartOutside, Why::GoalOutside];
    assert_eq!(why, expected.map(State::Stuck));
    // Another world, of another size.
    let meadow = corridor("..4\n...\n..9");
    units.tick(&meadow, f64::INFINITY);
    assert_eq!(units.get(ids[0]).unwrap().state(), State::Arrived);
    assert_eq!(units.get(jumper).unwrap().state(), State::Stuck(Why::NotApplicable));
    units.tick(&corridor("."), 1.0);
    assert_eq!(units.get(ids[0]).unwrap().state(), State::Stuck(Why::StartOutside));
}

#[test]
fn what_a_planner_changes_is_written_down_on_request() {
    let mut grid = Grid::new(8, 8).unwrap();
    let mut units = Units::new();
    let live = units.add(&grid, &to((0, 0), (7, 0))).unwrap();
    let anew = units.add(&grid, &UnitSpec { algorithm: "astar", ..to((0, 0), (7, 0)) }).unwrap();
    assert!(units.set_logging(live, true) && !units.set_logging(anew, true));
    units.tick(&grid, 0.5);
    let goal = grid.node(Cell::new(7, 0)).unwrap();
    assert!(units.get(live).unwrap().changed().contains(&goal));
    assert_eq!(units.node_state(&grid, live, goal).unwrap().g, Some(Cost::ZERO));
    assert!(units.node_state(&grid, anew, goal).is_none() && units.get(anew).unwrap().planner().is_none());
    units.tick(&grid, 0.5);
    assert!(units.get(live).unwrap().changed().is_empty());
    grid.set(Cell::new(4, 0), Terrain::WALL).unwrap();
    units.tick(&grid, 0.5);
    let changed = units.get(live).unwrap().changed();
    assert!(changed.contains(&grid.node(Cell::new(4, 0)).unwrap()) && changed.len() < 40);
}

#[test]
fn units_go_in_steps_and_refuse_paths_at_any_angle() {
    let grid = Grid::new(9, 9).unwrap();
    for algorithm in ["theta", "lazy_theta"] {
        let spec = UnitSpec { algorithm, ..UnitSpec::new(Cell::new(0, 0), Target::Cell(Cell::new(8, 5))) };
        let refused = Units::new().add(&grid, &spec).unwrap_err();
        let title = Algorithm::named(algorithm).unwrap().title;
        assert_eq!(refused, UnitError::Options(OptionError::AnyAngle { algorithm: title }));
    }
}
