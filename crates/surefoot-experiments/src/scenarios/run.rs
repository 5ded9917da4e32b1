//! Runs the queries of a suite.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use surefoot::prelude::*;
use surefoot::search::{OptionError, PrepareError};
use thiserror::Error;

use super::judge::{Judge, Verdict};
use super::report::{MapResult, Report};
use super::suite::{MapQueries, Query, Suite, SuiteError};

/// The parameters of a run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// Its options.
    pub options: Options,
    /// The agent.
    pub agent: Agent,
    /// The number of threads. Only times measured with one thread are comparable; everything else is the same with any
    /// number.
    pub threads: usize,
    /// The memory limit in bytes for preparing each map.
    pub memory_limit: u64,
}

/// Why a run failed.
#[derive(Debug, Error)]
pub enum RunError {
    /// The files are invalid.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// The options are invalid.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The algorithm does not support the map, or would need too much memory.
    #[error("{map}: {error}")]
    NotPrepared {
        /// The map.
        map: String,
        /// The reason.
        error: PrepareError,
    },
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        /// The requested number of threads.
        threads: usize,
        /// The error of the system.
        error: rayon::ThreadPoolBuildError,
    },
}

/// The time and the result of a query.
pub(super) struct Record {
    pub time: Duration,
    pub expanded: u64,
    pub verdict: Verdict,
}

/// Runs all queries of a suite. `done` is called after each query, on the thread that ran it.
pub fn run(suite: &Suite, plan: &Plan, done: &(dyn Fn() + Sync)) -> Result<Report, RunError> {
    plan.algorithm.check(&plan.options)?;
    let results = if plan.threads > 1 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.threads).build();
        let pool = pool.map_err(|error| RunError::Threads { threads: plan.threads, error })?;
        pool.install(|| run_maps(suite, plan, done))?
    } else {
        run_maps(suite, plan, done)?
    };
    Ok(Report::new(suite, plan, &results))
}

fn run_maps(suite: &Suite, plan: &Plan, done: &(dyn Fn() + Sync)) -> Result<Vec<MapResult>, RunError> {
    let mut finder = Pathfinder::new(plan.algorithm, &plan.options)?;
    suite.maps.iter().map(|map| run_map(suite, map, plan, &mut finder, done)).collect()
}

fn run_map(
    suite: &Suite,
    map: &MapQueries,
    plan: &Plan,
    finder: &mut Pathfinder,
    done: &(dyn Fn() + Sync),
) -> Result<MapResult, RunError> {
    let world = map.read_world(&suite.files)?;
    let clock = Instant::now();
    let view = world.view(&plan.agent);
    let options = PrepareOptions { memory_limit: plan.memory_limit, ..PrepareOptions::default() };
    finder
        .prepare(view, &options)
        .map_err(|error| RunError::NotPrepared { map: map.path.display().to_string(), error })?;
    // A trivial query, after which everything that searches derive from the map has been computed.
    if let Some(query) = map.queries.first() {
        finder.start(view, query.start, &[query.start]);
    }
    let prepared_in = clock.elapsed();
    let prepared_bytes = finder.prepared().map_or(0, |prepared| prepared.memory_bytes());
    let records = if plan.threads > 1 {
        // Long enough runs of queries that each worker seldom needs fresh memory.
        let run_length = map.queries.len().div_ceil(plan.threads * 4);
        let finder = Mutex::new(finder);
        let fork = || finder.lock().unwrap_or_else(PoisonError::into_inner).fork();
        (map.queries.par_iter().with_min_len(run_length))
            .map_init(|| Worker::new(fork(), view, plan), |worker, query| worker.answer(query, done))
            .collect()
    } else {
        if let Some(last) = map.queries.last() {
            let _ = finder.find(view, last.start, last.goal);
        }
        let mut worker = Worker::new(finder, view, plan);
        map.queries.iter().map(|query| worker.answer(query, done)).collect()
    };
    Ok(MapResult { prepared_in, prepared_bytes, records })
}

/// The pathfinder and the judge of a thread.
struct Worker<'a, F> {
    finder: F,
    view: View<'a>,
    judge: Judge<'a>,
}

impl<'a, F: std::borrow::BorrowMut<Pathfinder>> Worker<'a, F> {
    fn new(finder: F, view: View<'a>, plan: &'a Plan) -> Worker<'a, F> {
        Worker { finder, view, judge: Judge::new(view, &plan.agent) }
    }

    fn answer(&mut self, query: &Query, done: &(dyn Fn() + Sync)) -> Record {
        let finder = self.finder.borrow_mut();
        let clock = Instant::now();
        finder.start(self.view, query.start, &[query.goal]);
        // The judge reads the outcome.
        let _ = finder.resume(self.view, u64::MAX);
        let time = clock.elapsed();
        let expanded = finder.stats().expanded;
        let verdict = self.judge.judge(query, finder);
        done();
        Record { time, expanded, verdict }
    }
}
