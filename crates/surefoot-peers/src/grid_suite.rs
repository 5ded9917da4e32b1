//! The suite `grid`: every solver answers the same queries, in turn, on one thread.

use std::f64::consts::SQRT_2;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use surefoot::prelude::{Agent, Cell, Cost, Grid};
use surefoot::validate::{self, Claim};

use crate::maps::{BenchmarkMap, Query};
use crate::solvers::Solver;

/// Scenario files print some optima with two decimals only.
const TOLERANCE: f64 = 0.01;

/// What one solver did.
pub struct Record {
    pub solver: String,
    pub prepare: Duration,
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
    /// A path that breaks the rules.
    Invalid,
}

/// Runs all solvers on all maps. Within a query the solvers take turns, and who comes first changes from query to query,
/// so that nobody always finds the caches as another left them.
pub fn run(
    maps: &[BenchmarkMap],
    solvers: &mut [Box<dyn Solver>],
    rounds: NonZeroUsize,
) -> Result<Vec<Record>> {
    let queries: usize = maps.iter().map(|map| map.queries.len()).sum();
    ensure!(queries > 0, "the scenario files are empty: expected at least one query");
    let progress = ProgressBar::new((queries * rounds.get()) as u64);
    progress.set_style(ProgressStyle::with_template("{msg:20} {bar:40} {pos}/{len} queries, {eta} left")?);
    let record = |solver: &dyn Solver| Record {
        solver: solver.name().to_owned(),
        prepare: Duration::ZERO,
        maps: Vec::with_capacity(maps.len()),
    };
    let mut records: Vec<Record> = solvers.iter().map(|solver| record(&**solver)).collect();
    for map in maps.iter().filter(|map| !map.queries.is_empty()) {
        progress.set_message(map.name.clone());
        run_map(map, solvers, rounds, &mut records, &progress);
    }
    progress.finish_and_clear();
    Ok(records)
}

fn run_map(
    map: &BenchmarkMap,
    solvers: &mut [Box<dyn Solver>],
    rounds: NonZeroUsize,
    records: &mut [Record],
    progress: &ProgressBar,
) {
    let mut prepared = Vec::with_capacity(solvers.len());
    for (solver, record) in solvers.iter_mut().zip(&mut *records) {
        let began = Instant::now();
        prepared.push(solver.prepare(&map.grid, map.queries[0]));
        record.prepare += began.elapsed();
        record.maps.push(MapRecord { map: map.name.clone(), answers: Vec::with_capacity(map.queries.len()) });
    }
    for round in 0..rounds.get() {
        for (number, query) in map.queries.iter().enumerate() {
            for turn in 0..prepared.len() {
                let index = (number + round + turn) % prepared.len();
                let solver = &mut prepared[index];
                let began = Instant::now();
                solver.search(query.from, query.to);
                let time = began.elapsed();
                let verdict = judge(&map.grid, query, solver.take_path().as_deref());
                let answers = &mut records[index].maps.last_mut().expect("pushed above").answers;
                match answers.get_mut(number) {
                    None => answers.push(Answer { time, verdict }),
                    Some(answer) => {
                        answer.time = answer.time.min(time);
                        answer.verdict = answer.verdict.max(verdict);
                    }
                }
            }
            progress.inc(1);
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
    let claim = Claim { start, goals: &[goal], nodes: &nodes, units, cost, length: cost };
    if validate::grid_path(grid, &Agent::default(), &claim).is_err() {
        return Verdict::Invalid;
    }
    let is_optimal = query.optimum.is_some_and(|optimum| (cost - optimum).abs() <= TOLERANCE);
    if is_optimal { Verdict::Optimal } else { Verdict::Missed }
}
