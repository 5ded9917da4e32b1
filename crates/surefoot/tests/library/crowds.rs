//! Crowds, judged by distances.

use proptest::prelude::*;
use surefoot::crowd::{
    Crowd, CrowdError, CrowdOptions, Event, Goal, Guidance, Order, State, StuckReason, UnitId, UnitSpec,
};
use surefoot::prelude::*;
use surefoot::validate::{self, Disc};

use crate::common::cases;

const TICK: f64 = 1.0 / 60.0;

/// How many ticks a unit may need to get out of a cell that becomes a wall, if there is an open cell beside it and nobody in the way.
const TO_LEAVE: usize = 45;

fn crowd(options: CrowdOptions<'_>) -> Crowd {
    Crowd::new(&options).unwrap()
}

fn discs(crowd: &Crowd) -> Vec<Disc> {
    let there = crowd.iter().filter(|unit| unit.state() != State::InLink);
    there.map(|unit| Disc { centre: unit.position(), radius: unit.radius() }).collect()
}

/// No overlap of units above 5% of a radius, and none of walls.
fn judge(grid: &Grid, crowd: &Crowd) {
    let discs = discs(crowd);
    let worst = validate::worst_overlap(&discs).map_or(0.0, |worst| worst.share);
    assert!(worst < 0.05, "two units overlap by {worst} of a radius");
    for disc in &discs {
        let depth = validate::depth_in_wall(grid, disc);
        assert!(depth <= 1e-9, "{disc:?} is {depth} deep in a wall");
    }
}

/// Ticks until all have arrived.
fn run(grid: &Grid, crowd: &mut Crowd, most: usize) -> usize {
    for tick in 0..most {
        if crowd.iter().all(|unit| unit.state() == State::Arrived) {
            return tick;
        }
        crowd.tick(grid, TICK);
        judge(grid, crowd);
    }
    let late: Vec<_> = crowd.iter().filter(|unit| unit.state() != State::Arrived).collect();
    panic!("{} units have not arrived after {most} ticks: {:?} {:?}", late.len(), late[0], crowd.stats());
}

/// A row of rooms: two of the same size, with `middle` between them.
fn rooms(width: i32, height: i32, middle: i32, is_open: impl Fn(Cell) -> bool) -> Grid {
    Grid::from_fn((2 * width + middle) as u32, height as u32, |cell| {
        let is_room = cell.x < width || cell.x >= width + middle;
        if is_room || is_open(cell.offset(-width, 0)) { Terrain::FLOOR } else { Terrain::WALL }
    })
    .unwrap()
}

/// Units in both rooms that change sides.
fn opposed(grid: &Grid, crowd: &mut Crowd, room: i32, each: i32) {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    let row = |index: i32| Cell::new(index / height * 2 % room, index % height);
    let mut add = |cell| crowd.add(grid, &UnitSpec::at_cell(cell)).unwrap();
    let west: Vec<UnitId> = (0..each).map(|index| add(row(index))).collect();
    let east: Vec<UnitId> =
        (0..each).map(|index| add(Cell::new(width - 1 - row(index).x, row(index).y))).collect();
    crowd.order(grid, &west, &Order::to(Cell::new(width - room / 2, height / 2))).unwrap();
    crowd.order(grid, &east, &Order::to(Cell::new(room / 2, height / 2))).unwrap();
}

#[test]
fn opposing_streams_pass_a_door() {
    let grid = rooms(9, 9, 1, |cell| (4..6).contains(&cell.y));
    let mut crowd = crowd(CrowdOptions::default());
    opposed(&grid, &mut crowd, 9, 14);
    run(&grid, &mut crowd, 6000);
}

#[test]
fn opposing_streams_pass_a_corridor_of_one_cell() {
    let grid = rooms(7, 7, 9, |cell| cell.y == 3 || (cell.y == 4 && cell.x % 4 == 3));
    let mut crowd = crowd(CrowdOptions::default());
    opposed(&grid, &mut crowd, 7, 8);
    run(&grid, &mut crowd, 12_000);
    assert!(crowd.stats().jams_resolved > 0);
}

#[test]
fn what_cannot_be_arranged_is_reported() {
    // Two units in a corridor without a place to pass.
    let grid: Grid = "......".parse().unwrap();
    let mut crowd = crowd(CrowdOptions::default());
    let [a, b] = [1, 4].map(|x| crowd.add(&grid, &UnitSpec::at_cell(Cell::new(x, 0))).unwrap());
    crowd.order(&grid, &[a], &Order::to(Cell::new(5, 0))).unwrap();
    crowd.order(&grid, &[b], &Order::to(Cell::new(0, 0))).unwrap();
    let mut reported = 0;
    for _ in 0..7200 {
        crowd.tick(&grid, TICK);
        judge(&grid, &crowd);
        let is_jam = |event: &&Event| matches!(event, Event::Stuck(_, StuckReason::Jammed));
        reported += crowd.events().iter().filter(is_jam).count();
    }
    assert!(reported >= 2 && crowd.stats().jams_failed < 60, "{:?}", crowd.stats());
}

#[test]
fn a_dead_end_fills_from_its_end() {
    let grid: Grid = "
        ########....
        ............
        ########...."
        .parse()
        .unwrap();
    let mut crowd = crowd(CrowdOptions::default());
    let ids: Vec<UnitId> = (0..6)
        .map(|unit| crowd.add(&grid, &UnitSpec::at_cell(Cell::new(9 + unit % 3, unit / 3 * 2))).unwrap())
        .collect();
    let formation: Vec<[i32; 2]> = (0..6).map(|x| [x, 0]).collect();
    crowd.order(&grid, &ids, &Order { formation: &formation, ..Order::to(Cell::new(0, 1)) }).unwrap();
    run(&grid, &mut crowd, 3000);
}

#[test]
fn units_follow_each_other_at_a_distance() {
    let grid = Grid::new(30, 10).unwrap();
    let mut crowd = crowd(CrowdOptions::default());
    let thief = crowd.add(&grid, &UnitSpec { speed: 2.0, ..UnitSpec::at_cell(Cell::new(8, 5)) }).unwrap();
    let guard = crowd.add(&grid, &UnitSpec::at_cell(Cell::new(1, 5))).unwrap();
    crowd.order(&grid, &[guard], &Order::after(thief, 5.0, 1.5)).unwrap();
    crowd.tick(&grid, TICK);
    assert_eq!(crowd.get(guard).unwrap().state(), State::Waiting, "too far away");
    crowd.order(&grid, &[guard], &Order::after(thief, 10.0, 1.5)).unwrap();
    crowd.order(&grid, &[thief], &Order::to(Cell::new(28, 5))).unwrap();
    let mut caught = false;
    for _ in 0..900 {
        crowd.tick(&grid, TICK);
        judge(&grid, &crowd);
        caught |= crowd.get(guard).unwrap().state() == State::Arrived;
    }
    assert!(caught);
    assert!(crowd.remove(thief) && !crowd.remove(thief));
    crowd.tick(&grid, TICK);
    assert_eq!(crowd.get(guard).unwrap().state(), State::Stuck(StuckReason::TargetGone));
    assert_eq!(crowd.order(&grid, &[thief], &Order::to(Cell::new(0, 0))), Err(CrowdError::NoUnit(thief)));
}

#[test]
fn links_are_walked() {
    for guidance in [Guidance::Path, Guidance::Field] {
        let mut grid: Grid = "....#....".parse().unwrap();
        grid.add_link(Cell::new(3, 0), Cell::new(5, 0), Cost::ONE * 4).unwrap();
        let mut crowd = crowd(CrowdOptions { link_seconds: 0.5, ..CrowdOptions::default() });
        let ids: Vec<UnitId> =
            (0..2).map(|x| crowd.add(&grid, &UnitSpec::at_cell(Cell::new(x, 0))).unwrap()).collect();
        crowd.order(&grid, &ids, &Order { guidance, ..Order::to(Cell::new(8, 0)) }).unwrap();
        let (mut entered, mut left) = (Vec::new(), Vec::new());
        for tick in 0..1200 {
            crowd.tick(&grid, TICK);
            judge(&grid, &crowd);
            for event in crowd.events() {
                match event {
                    Event::LinkEntered { id, .. } => entered.push((*id, tick)),
                    Event::LinkLeft { id, .. } => left.push((*id, tick)),
                    _ => {}
                }
            }
        }
        assert!(crowd.iter().all(|unit| unit.state() == State::Arrived), "{guidance:?}");
        assert_eq!((entered.len(), left.len()), (2, 2));
        let time = left[0].1 - entered[0].1;
        assert!((119..=122).contains(&time), "two seconds, not {time} ticks");
    }
}

#[test]
fn goals_in_walls_and_out_of_reach_are_ordinary() {
    let mut grid: Grid = "
        .....#..
        .###.#..
        .###.#..
        .....#.."
        .parse()
        .unwrap();
    let mut crowd = crowd(CrowdOptions::default());
    let [a, b] = [0, 4].map(|x| crowd.add(&grid, &UnitSpec::at_cell(Cell::new(x, 0))).unwrap());
    crowd.order(&grid, &[a], &Order::to(Cell::new(2, 1))).unwrap();
    crowd.order(&grid, &[b], &Order::to(Cell::new(7, 3))).unwrap();
    for _ in 0..240 {
        crowd.tick(&grid, TICK);
        judge(&grid, &crowd);
    }
    assert_eq!(crowd.get(a).unwrap().state(), State::Arrived);
    assert!(matches!(crowd.get(b).unwrap().state(), State::Stuck(StuckReason::NoPath(Why::Disconnected))));
    grid.set(Cell::new(5, 1), Terrain::FLOOR).unwrap();
    for _ in 0..480 {
        crowd.tick(&grid, TICK);
        judge(&grid, &crowd);
    }
    assert_eq!(crowd.get(b).unwrap().state(), State::Arrived);
    assert!(crowd.order(&grid, &[a], &Order::to(Cell::new(9, 9))).is_err());
}

#[test]
fn a_unit_leaves_a_cell_that_becomes_a_wall() {
    let mut grid = Grid::new(9, 9).unwrap();
    let mut crowd = crowd(CrowdOptions::default());
    crowd.add(&grid, &UnitSpec::at_cell(Cell::new(4, 4))).unwrap();
    grid.set(Cell::new(4, 4), Terrain::WALL).unwrap();
    for _ in 0..TO_LEAVE {
        crowd.tick(&grid, TICK);
    }
    judge(&grid, &crowd);
}

#[test]
fn long_ticks_are_cut() {
    let grid: Grid = "
        ......
        .####.
        ......"
        .parse()
        .unwrap();
    let mut crowd = crowd(CrowdOptions::default());
    let id = crowd.add(&grid, &UnitSpec { speed: 40.0, ..UnitSpec::at_cell(Cell::new(0, 0)) }).unwrap();
    crowd.order(&grid, &[id], &Order::to(Cell::new(5, 2))).unwrap();
    for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY, 0.5, 0.5, 0.5, 0.5] {
        crowd.tick(&grid, seconds);
        judge(&grid, &crowd);
    }
    assert_eq!(crowd.get(id).unwrap().state(), State::Arrived);
}

/// A crowd on a random map under edits, as a list of hashes.
fn hashes(seed: u64, threads: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut grid =
            surefoot::generate::generate_with_endpoints(surefoot::generate::Kind::Rooms, 60, 50, seed)
                .unwrap()
                .grid;
        let open: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
        let mut crowd = crowd(CrowdOptions { budget: Some(300), seed, ..CrowdOptions::default() });
        let units = open.len().min(1300);
        let ids: Vec<UnitId> = (0..units)
            .map(|unit| crowd.add(&grid, &UnitSpec::at_cell(open[unit * open.len() / units])).unwrap())
            .collect();
        for (number, ids) in ids.chunks(units.div_ceil(4)).enumerate() {
            let guidance = if number % 2 == 0 { Guidance::Path } else { Guidance::Field };
            let goal = Goal::Cell(open[(number * 997 + seed as usize) % open.len()]);
            crowd.order(&grid, ids, &Order { goal, guidance, formation: &[] }).unwrap();
        }
        (0..40)
            .map(|tick| {
                if tick % 4 == 0 {
                    let cell = open[(tick * 7919 + 13) % open.len()];
                    let terrain = if grid.is_open(cell) { Terrain::WALL } else { Terrain::FLOOR };
                    grid.set(cell, terrain).unwrap();
                }
                crowd.tick(&grid, TICK);
                crowd.hash()
            })
            .collect()
    })
}

#[test]
fn the_number_of_threads_does_not_matter() {
    for seed in 0..2 {
        assert_eq!(hashes(seed, 1), hashes(seed, 2));
    }
}

proptest! {
    #![proptest_config(cases(24))]

    /// Random walls, units of random sizes, orders and edits all the time.
    #[test]
    fn units_stay_out_of_walls_and_of_each_other(
        walls in proptest::collection::vec(any::<bool>(), 12 * 10),
        units in proptest::collection::vec((0..120_usize, 1..4_u32, 0..120_usize), 1..25),
        edits in proptest::collection::vec((0..120_usize, any::<bool>()), 0..12),
        fields in any::<bool>(),
    ) {
        let at = |index: usize| Cell::new(index as i32 % 12, index as i32 / 12);
        let mut grid = Grid::from_fn(12, 10, |cell| {
            let index = (cell.y * 12 + cell.x) as usize;
            if walls[index] && index.is_multiple_of(3) { Terrain::WALL } else { Terrain::FLOOR }
        }).unwrap();
        let mut crowd = crowd(CrowdOptions { budget: Some(40), ..CrowdOptions::default() });
        let mut taken = Vec::new();
        let guidance = if fields { Guidance::Field } else { Guidance::Path };
        for &(start, size, goal) in &units {
            if grid.is_open(at(start)) && !taken.contains(&start) {
                taken.push(start);
                let spec = UnitSpec { radius: 0.15 * f64::from(size), ..UnitSpec::at_cell(at(start)) };
                let id = crowd.add(&grid, &spec).unwrap();
                crowd.order(&grid, &[id], &Order { guidance, ..Order::to(at(goal)) }).unwrap();
            }
        }
        let mut closing = 0;
        for tick in 0..400_usize {
            if tick % 30 == 0 && let Some(&(cell, is_wall)) = edits.get(tick / 30) {
                let is_free = !discs(&crowd).iter().any(|disc| {
                    let [x, y] = disc.centre;
                    let (dx, dy) = (x - f64::from(at(cell).x) - 0.5, y - f64::from(at(cell).y) - 0.5);
                    dx.abs() < 0.5 + disc.radius && dy.abs() < 0.5 + disc.radius
                });
                // Who is in the way of a wall is judged elsewhere.
                if is_free || !is_wall {
                    closing += usize::from(is_wall);
                    grid.set(at(cell), if is_wall { Terrain::WALL } else { Terrain::FLOOR }).unwrap();
                }
            }
            crowd.tick(&grid, TICK);
            judge(&grid, &crowd);
        }
        prop_assert!(closing <= edits.len());
    }
}
