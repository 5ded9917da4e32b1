//! Preparing maps: progress, limits, ending it, and maps that an algorithm leaves to another.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use surefoot::algorithms::ALGORITHMS;
use surefoot::generate::{Kind, generate};
use surefoot::prelude::*;
use surefoot::search::Promise;
use surefoot::search::{PrepareError, Reason};

/// Between two reports a preparation looks at no more cells than this: a few milliseconds of work.
const CELLS_BETWEEN_REPORTS: u64 = 1 << 17;

fn finder(algorithm: &str) -> Pathfinder {
    Pathfinder::named(algorithm, &Options::default()).unwrap()
}

/// Prepares a grid and returns everything that was reported.
fn reports(algorithm: &str, grid: &Grid, memory_limit: u64) -> (Result<(), PrepareError>, Vec<(u64, u64)>) {
    let reported = Mutex::new(Vec::new());
    let progress = |done, total| {
        reported.lock().unwrap().push((done, total));
        ControlFlow::Continue(())
    };
    let view = grid.view(&Agent::default());
    let result = finder(algorithm).prepare(view, &PrepareOptions { memory_limit, progress: &progress });
    (result, reported.into_inner().unwrap())
}

/// Buildings with round corners on open ground: from everywhere there are many corners in sight.
fn city(side: i32, buildings: i32) -> Grid {
    let mut grid = Grid::new(side as u32, side as u32).unwrap();
    for building in 0..buildings {
        let (x, y) = (building * 379 % side, building * 241 % side);
        let radius = 4 + building % 7;
        let cells = (-radius..=radius).flat_map(|dy| (-radius..=radius).map(move |dx| (dx, dy)));
        let round = cells.filter(|(dx, dy)| dx * dx + dy * dy <= radius * radius);
        let inside = round.map(|(dx, dy)| Cell::new(x + dx, y + dy));
        let inside: Vec<Cell> = inside.filter(|&cell| grid.contains(cell)).collect();
        grid.set_many(inside.into_iter().map(|cell| (cell, Terrain::WALL))).unwrap();
    }
    grid
}

#[test]
fn progress_is_reported_from_the_beginning_to_the_end() {
    let grid = generate(Kind::Rooms, 90, 70, 4).unwrap();
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.prepares) {
        let (result, reported) = reports(algorithm.name, &grid, PrepareOptions::MEMORY_LIMIT);
        assert_eq!(result, Ok(()), "{}", algorithm.name);
        let total = reported[0].1;
        assert_eq!(reported[0].0, 0, "{}", algorithm.name);
        assert!(reported.iter().all(|&(done, of)| done <= total && of == total), "{}", algorithm.name);
        let last = reported.iter().map(|&(done, _)| done).max().unwrap();
        assert!(last * 10 >= total * 8, "{}: {last} of {total}", algorithm.name);
    }
}

/// Nothing but the number of open cells says how much there is to do: all of them are looked at for every row of the table.
#[test]
fn first_moves_can_be_ended_within_a_few_rows() {
    let grid = Grid::new(256, 256).unwrap();
    let view = grid.view(&Agent::default());
    let (reported, rows) = (AtomicU64::new(0), AtomicU64::new(0));
    let calls = 8;
    let progress = |done, _| {
        rows.store(done, Ordering::Relaxed);
        let so_far = reported.fetch_add(1, Ordering::Relaxed) + 1;
        if so_far < calls { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let options = PrepareOptions { progress: &progress, memory_limit: u64::MAX };
    assert_eq!(finder("first_moves").prepare(view, &options), Err(PrepareError::Cancelled));
    let most = calls * CELLS_BETWEEN_REPORTS / (256 * 256);
    assert!(rows.load(Ordering::Relaxed) <= most, "{rows:?} rows, {most} at most");
}

/// On a map of this size every jump in all eight directions is measured, and that is all.
#[test]
fn measuring_jumps_can_be_ended_at_any_time() {
    let side = 1200;
    let (result, reported) =
        reports("jps_plus", &Grid::new(side, side).unwrap(), PrepareOptions::MEMORY_LIMIT);
    assert_eq!(result, Ok(()));
    let measured = 8 * u64::from(side) * u64::from(side);
    assert!(reported.len() as u64 >= measured / CELLS_BETWEEN_REPORTS, "{} reports", reported.len());
}

#[test]
fn a_preparation_ends_wherever_it_is_told_to() {
    let grid = generate(Kind::Rooms, 80, 60, 4).unwrap();
    let view = grid.view(&Agent::default());
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.prepares) {
        let (_, all) = reports(algorithm.name, &grid, PrepareOptions::MEMORY_LIMIT);
        for last in [1, 2, all.len() as u64 / 3, all.len() as u64 / 2] {
            let reported = AtomicU64::new(0);
            let progress = |_, _| {
                let so_far = reported.fetch_add(1, Ordering::Relaxed) + 1;
                if so_far < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let options = PrepareOptions { progress: &progress, ..PrepareOptions::default() };
            let mut finder = finder(algorithm.name);
            assert_eq!(finder.prepare(view, &options), Err(PrepareError::Cancelled), "{}", algorithm.name);
            assert_eq!(finder.find(view, Cell::new(1, 1), Cell::new(2, 1)).err(), Some(Why::NotPrepared));
            // Threads that report at the same moment may each hear that it has to end.
            assert!(reported.into_inner() <= last.max(1) + 64, "{}", algorithm.name);
            // Asked to, it begins anew.
            assert_eq!(finder.prepare(view, &PrepareOptions::default()), Ok(()), "{}", algorithm.name);
        }
    }
}

#[test]
fn a_limit_is_noticed_before_the_work_that_would_exceed_it() {
    let grid = generate(Kind::Caves, 200, 200, 2).unwrap();
    let view = grid.view(&Agent::default());
    let mut subgoal = finder("subgoal");
    subgoal.prepare(view, &PrepareOptions::default()).unwrap();
    assert_eq!(subgoal.choice(), None);
    let planes = 5 * 200 * 200;
    let needed = subgoal.prepared().unwrap().memory_bytes();
    // Enough for the planes and some of the edges.
    let (result, reported) = reports("subgoal", &grid, planes + (needed - planes) / 16);
    assert!(matches!(result, Err(PrepareError::TooLarge { .. })), "{result:?}");
    let (done, total) = reported[reported.len() - 1];
    assert!(done * 2 <= total, "noticed after {done} of {total}");
}

#[test]
fn open_cities_are_left_to_jumps_and_closed_maps_are_not() {
    let agent = Agent::default();
    let chosen = |grid: &Grid| {
        let mut finder = finder("subgoal");
        finder.prepare(grid.view(&agent), &PrepareOptions::default()).unwrap();
        let cells: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
        let goal = cells[cells.len() / 2];
        let start = cells.iter().find(|&&start| finder.find(grid.view(&agent), start, goal).is_ok());
        assert!(start.is_some());
        finder.choice()
    };
    for (side, buildings) in [(400, 120), (600, 300)] {
        let choice = chosen(&city(side, buildings)).expect("a city is left to jumps");
        assert_eq!(choice.algorithm, "jps");
        let Reason::InSight { subgoals, jumps } = choice.reason else { panic!("{:?}", choice.reason) };
        assert!(3.0 * subgoals > jumps && jumps > 0.0, "{subgoals} {jumps}");
    }
    for kind in [Kind::Rooms, Kind::Maze, Kind::Caves, Kind::Empty] {
        assert_eq!(chosen(&generate(kind, 301, 301, 5).unwrap()), None, "{kind:?}");
    }
}

/// Whoever answers, the paths are optimal, and everything that was prepared or read back answers alike.
#[test]
fn what_is_left_to_jumps_is_optimal_and_the_same_for_all() {
    let (grid, agent) = (city(400, 120), Agent::default());
    let view = grid.view(&agent);
    let [mut one, mut again] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut finder = finder("subgoal");
        pool.install(|| finder.prepare(view, &PrepareOptions::default())).unwrap();
        finder
    });
    let bytes = one.prepared().unwrap().to_bytes(&view).unwrap();
    assert_eq!(again.prepared().unwrap().to_bytes(&view).unwrap(), bytes);
    let mut loaded = finder("subgoal");
    assert!(loaded.adopt(&Prepared::from_bytes(&bytes, &view).unwrap()));
    let (mut dijkstra, mut fork) = (finder("dijkstra"), one.fork());
    assert_eq!(one.promise(view), Promise::Optimal);
    let cells: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
    for index in 0..40 {
        let place = |salt: usize| cells[(index * 7919 + salt) * 104_729 % cells.len()];
        let goals = [place(1), place(2)];
        let expected = dijkstra.find_nearest(view, place(0), &goals).unwrap().units();
        let path = one.find_nearest(view, place(0), &goals).unwrap().clone();
        assert_eq!(path.units(), expected);
        assert!(one.choice().is_some() && one.stats().expanded > 0);
        for other in [&mut again, &mut loaded, &mut fork] {
            assert_eq!(*other.find_nearest(view, place(0), &goals).unwrap(), path);
            assert_eq!(other.choice(), one.choice());
        }
    }
}
