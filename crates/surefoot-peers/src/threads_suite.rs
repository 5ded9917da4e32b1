//! The suites `many` and `long`: what a second thread brings. Both compare surefoot with itself.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;
use surefoot::generate::{self, Kind};
use surefoot::prelude::{Agent, Cell, Options, Pathfinder, PathfinderPool, Request};
use surefoot::search::{Algorithm, Answer};

use crate::maps::{BenchmarkMap, Query};

/// The algorithms that answer many questions, those of them that there are.
const FOR_MANY: [&str; 3] = ["jps", "astar", "subgoal"];

/// The algorithms for one long question, each with whether it may use all threads.
const FOR_LONG: [(&str, bool); 4] =
    [("astar", false), ("bidirectional", false), ("parallel_astar", false), ("parallel_astar", true)];

/// The side and the seed of the generated map.
const CAVES: (u32, u64) = (4096, 1);

/// All questions of all maps, on one thread and on several.
#[derive(Debug, Serialize)]
pub struct ManyRow {
    pub algorithm: &'static str,
    pub queries: usize,
    pub threads: usize,
    pub one_thread_ms: f64,
    pub all_threads_ms: f64,
    pub speedup: f64,
    /// Whether the answers are the same.
    pub equal: bool,
}

/// The longest question of a map.
#[derive(Debug, Serialize)]
pub struct LongRow {
    pub map: String,
    pub algorithm: &'static str,
    pub threads: usize,
    pub us: f64,
    pub expanded: u64,
    /// How many times as fast as A*.
    pub speedup: f64,
    /// Whether the path costs as much as that of A*.
    pub equal: bool,
}

/// A pool of one thread, and one of all or of a given number.
pub fn pools(threads: Option<NonZeroUsize>) -> Result<[ThreadPool; 2]> {
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
    Ok([pool(1)?, pool(threads.map_or(0, NonZeroUsize::get))?])
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Runs the suite `many`: both crews in turn, the fastest of all rounds on each map counts.
pub fn many(maps: &[BenchmarkMap], pools: &[ThreadPool; 2], rounds: NonZeroUsize) -> Result<Vec<ManyRow>> {
    let known = FOR_MANY.iter().filter_map(|name| Algorithm::named(name).ok());
    known.map(|algorithm| many_with(algorithm, maps, pools, rounds)).collect()
}

fn many_with(
    algorithm: &'static Algorithm,
    maps: &[BenchmarkMap],
    pools: &[ThreadPool; 2],
    rounds: NonZeroUsize,
) -> Result<ManyRow> {
    let (mut totals, mut queries, mut equal) = ([Duration::ZERO; 2], 0, true);
    for map in maps {
        let view = map.grid.view(&Agent::default());
        let requests: Vec<Request<Cell>> =
            map.queries.iter().map(|query| Request { from: query.from, to: query.to }).collect();
        let finder = Pathfinder::new(algorithm, &Options::default())?;
        let mut crews =
            [finder.fork(), finder].map(|finder| (PathfinderPool::new(finder), Vec::<Answer>::new()));
        let mut best = [Duration::MAX; 2];
        for round in 0..=rounds.get() {
            for turn in 0..2 {
                let index = (round + turn) % 2;
                let (crew, answers) = &mut crews[index];
                let began = Instant::now();
                pools[index].install(|| crew.solve_many_into(view, &requests, answers));
                // The first round makes ready: tables, records, buffers.
                if round > 0 {
                    best[index] = best[index].min(began.elapsed());
                }
            }
        }
        let same = |(a, b): (&Answer, &Answer)| (a.outcome, &a.path) == (b.outcome, &b.path);
        equal &= crews[0].1.iter().zip(&crews[1].1).all(same);
        queries += requests.len();
        for (total, best) in totals.iter_mut().zip(best) {
            *total += best;
        }
    }
    ensure!(queries > 0, "the scenario files are empty: expected at least one query");
    Ok(ManyRow {
        algorithm: algorithm.name,
        queries,
        threads: pools[1].current_num_threads(),
        one_thread_ms: milliseconds(totals[0]),
        all_threads_ms: milliseconds(totals[1]),
        speedup: totals[0].as_secs_f64() / totals[1].as_secs_f64(),
        equal,
    })
}

/// Runs the suite `long`: the last question of each map, and one across generated caves.
pub fn long(
    mut maps: Vec<BenchmarkMap>,
    pools: &[ThreadPool; 2],
    rounds: NonZeroUsize,
) -> Result<Vec<LongRow>> {
    let (side, seed) = CAVES;
    let scene = generate::generate_with_endpoints(Kind::Caves, side, side, seed)?;
    let queries = scene.endpoints.map(|(from, to)| Query { from, to, optimum: None }).into_iter().collect();
    maps.push(BenchmarkMap { name: format!("caves {side}"), grid: scene.grid, queries });
    let mut rows = Vec::new();
    for map in &maps {
        rows.extend(long_on(map, pools, rounds).with_context(|| map.name.clone())?);
    }
    Ok(rows)
}

fn long_on(map: &BenchmarkMap, pools: &[ThreadPool; 2], rounds: NonZeroUsize) -> Result<Vec<LongRow>> {
    let view = map.grid.view(&Agent::default());
    let query = map.queries.last().context("the scenario file is empty: expected at least one query")?;
    let mut finders = FOR_LONG
        .iter()
        .map(|&(name, all)| Ok((Pathfinder::named(name, &Options::default())?, all, Duration::MAX)))
        .collect::<Result<Vec<_>>>()?;
    for round in 0..=rounds.get() {
        for (finder, all, best) in &mut finders {
            let began = Instant::now();
            // Whether there is a path is compared below.
            let _ = pools[usize::from(*all)].install(|| finder.find(view, query.from, query.to).is_ok());
            if round > 0 {
                *best = (*best).min(began.elapsed());
            }
        }
    }
    let (astar, _, yardstick) = &finders[0];
    let row = |(finder, all, best): &(Pathfinder, bool, Duration)| LongRow {
        map: map.name.clone(),
        algorithm: finder.algorithm().name,
        threads: pools[usize::from(*all)].current_num_threads(),
        us: milliseconds(*best) * 1e3,
        expanded: finder.stats().expanded,
        speedup: yardstick.as_secs_f64() / best.as_secs_f64(),
        equal: finder.outcome() == astar.outcome() && finder.path().units() == astar.path().units(),
    };
    Ok(finders.iter().map(row).collect())
}

/// The rows of `many` as a table.
pub fn many_table(rows: &[ManyRow]) -> String {
    let head = format!(
        "{:<16} {:>8} {:>8} {:>12} {:>12} {:>8}  same\n",
        "algorithm", "queries", "threads", "one, ms", "all, ms", "faster"
    );
    let line = |row: &ManyRow| {
        let ManyRow { algorithm, queries, threads, one_thread_ms, all_threads_ms, speedup, equal } = row;
        format!(
            "{algorithm:<16} {queries:>8} {threads:>8} {one_thread_ms:>12.1} {all_threads_ms:>12.1} \
             {speedup:>7.2}x  {equal}\n"
        )
    };
    std::iter::once(head).chain(rows.iter().map(line)).collect()
}

/// The rows of `long` as a table.
pub fn long_table(rows: &[LongRow]) -> String {
    let head = format!(
        "{:<24} {:<16} {:>8} {:>12} {:>10} {:>8}  same cost\n",
        "map", "algorithm", "threads", "us", "expanded", "faster"
    );
    let line = |row: &LongRow| {
        let LongRow { map, algorithm, threads, us, expanded, speedup, equal } = row;
        format!("{map:<24} {algorithm:<16} {threads:>8} {us:>12.0} {expanded:>10} {speedup:>7.2}x  {equal}\n")
    };
    std::iter::once(head).chain(rows.iter().map(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_change_no_answer() {
        let grid: surefoot::prelude::Grid = "
            ...#...#
            .#.#.#..
            .#...##.
            ..#....."
            .parse()
            .unwrap();
        let query = Query { from: Cell::new(0, 0), to: Cell::new(7, 1), optimum: None };
        let map = BenchmarkMap { name: "small".into(), grid, queries: vec![query; 5] };
        let (pools, once) = (pools(NonZeroUsize::new(2)).unwrap(), NonZeroUsize::MIN);
        let long = long_on(&map, &pools, once).unwrap();
        assert_eq!(long.iter().map(|row| row.threads).collect::<Vec<_>>(), [1, 1, 1, 2]);
        assert!(long.iter().all(|row| row.equal && row.expanded > 0));
        let many = many(&[map], &pools, once).unwrap();
        assert!(many.len() >= 2 && many.iter().all(|row| row.equal && row.queries == 5));
        assert!(many_table(&many).contains("jps") && long_table(&long).contains("parallel_astar"));
    }
}
