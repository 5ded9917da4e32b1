//! The suite `grid`: every solver answers the same queries, in turn, on one thread.

use std::f64::consts::SQRT_2;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use surefoot::prelude::{Agent, Cell, Cost, Grid};
use surefoot::validate::{self, Claim};

use crate::maps::{BenchmarkMap, Query};
use crate::solvers::{Prepared, Solver};

/// Scenario files print some optima with two decimals only.
pub const TOLERANCE: f64 = 0.01;

/// What one solver did.
pub struct Record {
    pub solver: String,
    /// Whether its paths are meant to be as cheap as possible.
    pub exact: bool,
    pub prepare: Duration,
    pub prepared_bytes: u64,
    pub maps: Vec<MapRecord>,
}

/// What one solver did on one map: an answer for each query.
pub struct MapRecord {
    pub map: String,
    pub answers: Vec<Answer>,
}

/// How a solver answered a query: the fastest and the worst of all rounds.
#[derive(Clone, Copy)]
pub struct Answer {
    pub time: Duration,
    pub verdict: Verdict,
}

/// What an answer is worth, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// A legal path that costs the optimum; or no path where there is none.
    Optimal,
    /// A legal path that costs something else, or no path where there is one.
    Missed,
    /// A path that breaks the rules. A path where there is none breaks them, too.
    Invalid,
}

/// How solvers take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// Each answers all queries of a map twice, then the next one does: what many questions in a row cost.
    Map,
    /// Each answers one query, then the next one does: the caches are full of what others left there.
    Query,
}

/// Runs all solvers on all maps, in turns. The first solver and the direction change with each round (or
/// query), so that no solver always follows the same other one.
pub fn run(
    maps: &[BenchmarkMap],
    solvers: &mut [Box<dyn Solver>],
    rounds: NonZeroUsize,
    turns: Turns,
) -> Result<Vec<Record>> {
    let queries: usize = maps.iter().map(|map| map.queries.len()).sum();
    ensure!(queries > 0, "the scenario files are empty: expected at least one query");
    let progress = ProgressBar::new((queries * rounds.get()) as u64);
    progress.set_style(ProgressStyle::with_template("{msg:20} {bar:40} {pos}/{len} queries, {eta} left")?);
    let record = |solver: &dyn Solver| Record {
        solver: solver.name().to_owned(),
        exact: solver.is_exact(),
        prepare: Duration::ZERO,
        prepared_bytes: 0,
        maps: Vec::with_capacity(maps.len()),
    };
    let mut records: Vec<Record> = solvers.iter().map(|solver| record(&**solver)).collect();
    for map in maps.iter().filter(|map| !map.queries.is_empty()) {
        progress.set_message(map.name.clone());
        run_map(map, solvers, (rounds, turns), &mut records, &progress);
    }
    progress.finish_and_clear();
    // Solvers that support none of the maps are not reported.
    records.retain(|record| !record.maps.is_empty());
    Ok(records)
}

fn run_map(
    map: &BenchmarkMap,
    solvers: &mut [Box<dyn Solver>],
    (rounds, turns): (NonZeroUsize, Turns),
    records: &mut [Record],
    progress: &ProgressBar,
) {
    let mut prepared = Vec::with_capacity(solvers.len());
    for (solver, record) in solvers.iter_mut().zip(&mut *records) {
        if !solver.takes_on(&map.grid) {
            continue;
        }
        let began = Instant::now();
        let solver = solver.prepare(&map.grid, map.queries[0]);
        record.prepare += began.elapsed();
        record.prepared_bytes += solver.bytes();
        record.maps.push(MapRecord { map: map.name.clone(), answers: Vec::with_capacity(map.queries.len()) });
        prepared.push((solver, &mut record.maps.last_mut().expect("pushed above").answers));
    }
    for round in 0..rounds.get() {
        let queries = map.queries.len();
        let count = prepared.len();
        let order = |first: usize, forth: bool| {
            (0..count).map(move |turn| (first + if forth { turn } else { count - 1 - turn }) % count)
        };
        if turns == Turns::Query {
            for number in 0..queries {
                for index in order(number / 2 + round, number % 2 == 0) {
                    ask(map, number, &mut prepared[index]);
                }
                progress.inc(1);
            }
        } else {
            for index in order(round / 2, round % 2 == 0) {
                // Twice, so that data that a solver caches is available once; the faster run counts.
                (0..2 * queries).for_each(|number| ask(map, number % queries, &mut prepared[index]));
            }
            progress.inc(queries as u64);
        }
    }
}

/// Runs a solver on one of a map's queries, and keeps the fastest time and the worst answer.
fn ask<'a>(
    map: &BenchmarkMap,
    number: usize,
    (solver, answers): &mut (Box<dyn Prepared + 'a>, &mut Vec<Answer>),
) {
    let query = &map.queries[number];
    let began = Instant::now();
    solver.search(query.from, query.to);
    let time = began.elapsed();
    let verdict = judge(&map.grid, query, solver.take_path().as_deref());
    match answers.get_mut(number) {
        None => answers.push(Answer { time, verdict }),
        Some(answer) => {
            answer.time = answer.time.min(time);
            answer.verdict = answer.verdict.max(verdict);
        }
    }
}

/// Checks a path step by step, and its cost against the optimum.
fn judge(grid: &Grid, query: &Query, path: Option<&[Cell]>) -> Verdict {
    let Some(path) = path else {
        return if query.optimum.is_none() { Verdict::Optimal } else { Verdict::Missed };
    };
    let nodes: Option<Vec<_>> = path.iter().map(|&cell| grid.node(cell)).collect();
    let (Some(nodes), Some(start), Some(goal)) = (nodes, grid.node(query.from), grid.node(query.to)) else {
        return Verdict::Invalid;
    };
    let steps = path.len().saturating_sub(1);
    let diagonals = path.windows(2).filter(|pair| pair[0].x != pair[1].x && pair[0].y != pair[1].y).count();
    let straights = steps - diagonals;
    let cost = straights as f64 + diagonals as f64 * SQRT_2;
    let units = straights as u64 * Cost::ONE.units() + diagonals as u64 * Cost::DIAGONAL.units();
    let units = Cost::from_units(units);
    let claim = Claim { start, goals: &[goal], nodes: &nodes, units, cost, length: cost, any_angle: false };
    if validate::grid_path(grid, &Agent::default(), &claim).is_err() {
        return Verdict::Invalid;
    }
    let is_optimal = query.optimum.is_some_and(|optimum| (cost - optimum).abs() <= TOLERANCE);
    if is_optimal { Verdict::Optimal } else { Verdict::Missed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{maps, solvers};

    fn small_map() -> BenchmarkMap {
        let grid: Grid = "
            ...#...#
            .#.#.#..
            .#...##.
            ..#.....
            ####.###
            #...#..."
            .parse()
            .unwrap();
        let ends = [((0, 0), (6, 0)), ((0, 3), (7, 1)), ((6, 0), (6, 0)), ((5, 5), (7, 5)), ((0, 0), (1, 5))];
        let queries = ends.map(|(from, to)| {
            let (from, to) = (Cell::new(from.0, from.1), Cell::new(to.0, to.1));
            Query { from, to, optimum: maps::optimum(&grid, from, to).unwrap() }
        });
        BenchmarkMap { name: "small".into(), queries: queries.to_vec(), grid }
    }

    #[test]
    fn all_solvers_with_our_rule_find_the_optimum() {
        let map = small_map();
        // Ten straight steps around three corners that must not be cut; and a way that is open to cutters only.
        assert_eq!((map.queries[0].optimum, map.queries[4].optimum), (Some(10.0), None));
        let records = run(&[map], &mut solvers::all(), NonZeroUsize::new(2).unwrap(), Turns::Query).unwrap();
        assert!(records.len() >= 6);
        for record in records {
            let verdicts: Vec<Verdict> = record.maps[0].answers.iter().map(|answer| answer.verdict).collect();
            if record.solver == "grid_pathfinding/jps" {
                use Verdict::{Invalid, Optimal};
                assert_eq!(verdicts, [Invalid, Invalid, Optimal, Optimal, Invalid]);
            } else {
                assert_eq!(verdicts, [Verdict::Optimal; 5], "{}", record.solver);
            }
        }
    }

    #[test]
    fn wrong_answers_are_distinguished() {
        let map = small_map();
        let judge_query = |query: &Query, path: &[(i32, i32)]| {
            let cells: Vec<Cell> = path.iter().map(|&(x, y)| Cell::new(x, y)).collect();
            judge(&map.grid, query, Some(&cells))
        };
        let query = Query { from: Cell::new(0, 0), to: Cell::new(1, 0), optimum: Some(1.0) };
        assert_eq!(judge_query(&query, &[(0, 0), (1, 0)]), Verdict::Optimal);
        assert_eq!(judge_query(&query, &[(0, 0), (0, 1), (0, 0), (1, 0)]), Verdict::Missed);
        assert_eq!(judge_query(&query, &[(0, 0), (0, 1), (1, 0)]), Verdict::Invalid);
        assert_eq!(judge_query(&query, &[(0, 0)]), Verdict::Invalid);
        assert_eq!(judge_query(&query, &[(0, 0), (0, -1), (1, 0)]), Verdict::Invalid);
        assert_eq!(judge_query(&query, &[]), Verdict::Invalid);
        assert_eq!(judge(&map.grid, &query, None), Verdict::Missed);
        assert_eq!(judge(&map.grid, &Query { optimum: None, ..query }, None), Verdict::Optimal);
    }
}
