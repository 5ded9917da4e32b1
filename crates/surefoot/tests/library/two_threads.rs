//! A search on several threads is the search on one: path, counts and all.

use crate::common::cases;
use proptest::prelude::*;
use surefoot::path::Path;
use surefoot::prelude::*;
use surefoot::search::Stats;

/// A map large enough for a search to take a second thread, with the terrain that `cell` makes of a random number.
fn map(seed: u64, side: u32, cell: impl Fn(u64) -> u8) -> Grid {
    let mut state = seed;
    let mut roll = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let terrain: Vec<u8> = (0..side * side).map(|_| cell(roll())).collect();
    Grid::from_terrain(side, side, &terrain).unwrap()
}

fn ask(finder: &mut Pathfinder, view: GridView<'_>, ends: [Cell; 2], budget: u64) -> (Path, Stats) {
    finder.start(view, ends[0], &[ends[1]]);
    while finder.resume(view, budget) == Outcome::Paused {}
    (finder.path().clone(), finder.stats().without_memory())
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn the_number_of_threads_changes_nothing(
        seed: u64,
        walls in 0..40_u64,
        terrains in 1..5_u8,
        budget in 1000..20_000_u64,
        ends in prop::collection::vec((0..40_i32, 0..160_i32), 4),
    ) {
        let side = 160;
        let grid = map(seed, side, |roll| {
            if roll % 100 < walls { 0 } else { 1 + (roll / 128 % u64::from(terrains)) as u8 }
        });
        let view = grid.view(&Agent::default());
        let mut finder = Pathfinder::named("parallel_astar", &Options::default()).unwrap();
        let mut oracle = Pathfinder::named("dijkstra", &Options::default()).unwrap();
        let pools = [1, 2, 4]
            .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
        for pair in ends.chunks(2) {
            let ends = [Cell::new(pair[0].0, pair[0].1), Cell::new(159 - pair[1].0, pair[1].1)];
            let expected = pools[0].install(|| ask(&mut finder, view, ends, u64::MAX));
            let best = oracle.find(view, ends[0], ends[1]).map(Path::units).unwrap_or_default();
            prop_assert_eq!(expected.0.units(), best);
            for (pool, budget) in pools.iter().zip([budget, u64::MAX, budget]) {
                for _ in 0..3 {
                    let answer = pool.install(|| ask(&mut finder, view, ends, budget));
                    prop_assert_eq!(&answer, &expected);
                }
            }
            let mut counters = surefoot::search::observe::Counters::default();
            let watched = finder.find_watched(view, ends[0], ends[1], &mut counters).cloned();
            prop_assert_eq!(&watched.unwrap_or_default(), &expected.0);
        }
    }
}

/// The cases above would mean little if no search were long enough.
#[test]
fn searches_on_such_maps_are_long() {
    let grid = map(7, 160, |roll| u8::from(roll % 100 >= 35));
    let view = grid.view(&Agent::default());
    let cells: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
    let mut finder = Pathfinder::named("parallel_astar", &Options::default()).unwrap();
    let long = cells.iter().step_by(31).any(|&from| {
        let _ = finder.find(view, from, cells[cells.len() - 1]);
        finder.stats().expanded > 6000
    });
    assert!(long);
}
