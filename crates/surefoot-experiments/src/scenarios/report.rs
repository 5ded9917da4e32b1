//! Sums and statistics of a run.

use std::time::Duration;

use serde::Serialize;

use super::judge::Answer;
use super::run::{Plan, Record};
use super::suite::Suite;
use crate::statistics::{mean, percentile};

/// The results of the queries on one map.
pub(super) struct MapResult {
    pub prepared_in: Duration,
    pub prepared_bytes: u64,
    pub records: Vec<Record>,
}

/// Sums and statistics over queries. Percentiles are nearest-rank. The serialised fields are those of the JSON printed by the
/// command line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The number of queries run.
    pub queries: usize,
    /// Queries answered with a path, or correctly with "no path".
    pub solved: usize,
    /// Queries answered with "no path" although there is one.
    pub unsolved: usize,
    /// Paths that cost more than the optimum.
    pub suboptimal: usize,
    /// Paths that the validator rejects.
    pub invalid: usize,
    /// The largest cost relative to the optimum; 1 where the two agree within 0.01, and where the optimum is 0.
    pub worst_ratio: f64,
    /// The mean cost relative to the optimum.
    pub mean_ratio: f64,
    /// Milliseconds to prepare the maps: where the agent can stand, what is connected.
    pub prepare_ms: f64,
    /// Bytes that the algorithm prepared. Derived data of the map does not count.
    pub prepared_bytes: u64,
    /// Mean time of a query in microseconds.
    pub mean_us: f64,
    /// The median.
    pub p50_us: f64,
    /// The 99th percentile.
    pub p99_us: f64,
    /// The longest.
    pub max_us: f64,
    /// Nodes expanded in all queries.
    pub expanded: u64,
    /// Queries answered correctly with "no path".
    pub unreachable: usize,
    /// Legal paths that cost less than the optimum in the file: the file is wrong, or uses other rules. Any-angle paths do not
    /// count.
    pub cheaper: usize,
}

/// The summary of one map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapReport {
    /// The map's file name.
    pub map: String,
    /// Its summary.
    #[serde(flatten)]
    pub summary: Summary,
}

/// A query with a wrong result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The scenario file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub problem: String,
}

/// The results of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The algorithm.
    pub algorithm: &'static str,
    /// The summary of all queries.
    #[serde(flatten)]
    pub total: Summary,
    /// The number of threads that ran queries.
    pub threads: usize,
    /// The summaries of the maps, in the order of the files.
    pub maps: Vec<MapReport>,
    /// The first queries with wrong results, at most [`Report::MAX_FAILURES`].
    pub failures: Vec<Failure>,
}

impl Report {
    /// The maximum number of failures that are listed.
    pub const MAX_FAILURES: usize = 100;

    pub(super) fn new(suite: &Suite, plan: &Plan, results: &[MapResult]) -> Report {
        let maps = suite.maps.iter().zip(results).map(|(map, result)| MapReport {
            map: map.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            summary: Summary::of(&result.records.iter().collect::<Vec<_>>(), std::slice::from_ref(result)),
        });
        let queries = suite.maps.iter().flat_map(|map| &map.queries);
        let records: Vec<&Record> = results.iter().flat_map(|result| &result.records).collect();
        let failures = queries.zip(&records).filter_map(|(query, record)| {
            Some(Failure {
                file: suite.files[query.file].display().to_string(),
                line: query.line,
                problem: record.verdict.problem.clone()?,
            })
        });
        Report {
            algorithm: plan.algorithm.name,
            threads: plan.threads.max(1),
            maps: maps.collect(),
            failures: failures.take(Report::MAX_FAILURES).collect(),
            total: Summary::of(&records, results),
        }
    }

    /// Returns whether every query was answered correctly.
    pub fn is_clean(&self) -> bool {
        let Summary { unsolved, suboptimal, invalid, cheaper, .. } = self.total;
        unsolved + suboptimal + invalid + cheaper == 0
    }
}

impl Summary {
    fn of(records: &[&Record], results: &[MapResult]) -> Summary {
        let prepared_in = results.iter().map(|result| result.prepared_in).sum();
        let count = |is: fn(&Record) -> bool| records.iter().filter(|record| is(record)).count();
        let unsolved = count(|record| record.verdict.answer == Answer::Unsolved);
        let ratio = |record: &&Record| match record.verdict.answer {
            Answer::Path { ratio } => Some(ratio),
            Answer::Unreachable | Answer::Unsolved => None,
        };
        let ratios: Vec<f64> = records.iter().filter_map(ratio).collect();
        let mut times: Vec<f64> = records.iter().map(|record| in_nanos(record.time) / 1e3).collect();
        times.sort_by(f64::total_cmp);
        let time_at = |percent| percentile(&times, percent).unwrap_or(0.0);
        Summary {
            queries: records.len(),
            solved: records.len() - unsolved,
            unsolved,
            suboptimal: count(|record| record.verdict.suboptimal),
            invalid: count(|record| record.verdict.invalid),
            worst_ratio: ratios.iter().copied().reduce(f64::max).unwrap_or(1.0),
            mean_ratio: mean(&ratios).unwrap_or(1.0),
            prepare_ms: in_nanos(prepared_in) / 1e6,
            prepared_bytes: results.iter().map(|result| result.prepared_bytes).sum(),
            mean_us: mean(&times).unwrap_or(0.0),
            p50_us: time_at(50),
            p99_us: time_at(99),
            max_us: time_at(100),
            expanded: records.iter().map(|record| record.expanded).sum(),
            unreachable: count(|record| record.verdict.answer == Answer::Unreachable),
            cheaper: count(|record| record.verdict.cheaper),
        }
    }
}

fn in_nanos(time: Duration) -> f64 {
    time.as_nanos() as f64
}
