//! Many queries at once.

use std::sync::{Mutex, PoisonError};

use crate::core::outcome::{Outcome, Stats, Why};
use crate::parallel;
use crate::path::Path;
use crate::search::pathfinder::Pathfinder;
use crate::world::any::{Locate, View};

/// The most queries that a worker fetches at a time.
const MOST_AT_ONCE: usize = 32;

/// A worker fetches this fraction of its share of what is left: long queries must not pile up with one of the workers.
const PARTS_OF_A_SHARE: usize = 8;

/// A query: from where to where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Request<S> {
    /// The start.
    pub from: S,
    /// The goal.
    pub to: S,
}

/// The result of a [`Request`], with buffers that are reused.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// How the search ended.
    pub outcome: Outcome,
    /// The path. Empty if there is no path.
    pub path: Path,
    /// The statistics of the search. The memory depends on earlier work of the worker; everything else depends on the query
    /// alone.
    pub stats: Stats,
}

impl Default for Answer {
    /// Creates an empty answer.
    fn default() -> Answer {
        Answer { outcome: Outcome::Paused, path: Path::default(), stats: Stats::default() }
    }
}

/// A pool of finders that share the work of many queries: one per thread, kept from call to call.
///
/// The results come in the order of the queries and are the same as those of a single finder, whatever the number of threads. The
/// threads are those of the rayon pool that the call comes from. Without the feature `parallel` there is only one.
///
/// ```
/// use surefoot::prelude::*;
/// let grid: Grid = "
///     ..#.
///     ....".parse().unwrap();
/// let view = grid.view(&Agent::default());
/// let mut crew = PathfinderPool::new(Pathfinder::named("jps", &Options::default()).unwrap());
/// let [a, b, wall] = [Cell::new(0, 0), Cell::new(3, 0), Cell::new(2, 0)];
/// let paths = crew.solve_many(view, &[Request { from: a, to: b }, Request { from: a, to: wall }]);
/// assert_eq!(paths[0].as_ref().unwrap().steps(), 4);
/// assert_eq!(paths[1], Err(Why::GoalBlocked));
/// ```
#[derive(Debug)]
pub struct PathfinderPool {
    /// At least one: the finder that the others are made from.
    finders: Vec<Pathfinder>,
}

impl PathfinderPool {
    /// Creates a pool of copies of a finder. What the finder has prepared is shared.
    pub fn new(finder: Pathfinder) -> PathfinderPool {
        PathfinderPool { finders: vec![finder] }
    }

    /// Returns the finder that the others are copies of.
    pub fn finder(&self) -> &Pathfinder {
        &self.finders[0]
    }

    /// Answers all queries, in order.
    pub fn solve_many<'a, S: Locate + Sync>(
        &mut self,
        view: impl Into<View<'a>>,
        requests: &[Request<S>],
    ) -> Vec<Result<Path, Why>> {
        let mut answers = Vec::new();
        self.solve_many_into(view, requests, &mut answers);
        let result = |answer: Answer| match answer.outcome {
            Outcome::Unreachable(why) | Outcome::Partial(why) => Err(why),
            Outcome::Found | Outcome::Paused => Ok(answer.path),
        };
        answers.into_iter().map(result).collect()
    }

    /// Answers all queries, in order, into reusable buffers. Nothing is allocated for a path that fits the existing buffers.
    pub fn solve_many_into<'a, S: Locate + Sync>(
        &mut self,
        view: impl Into<View<'a>>,
        requests: &[Request<S>],
        answers: &mut Vec<Answer>,
    ) {
        let view = view.into();
        answers.resize_with(requests.len(), Answer::default);
        let workers = parallel::threads().min(requests.len()).max(1);
        self.make_ready(&view, workers);
        let work = Mutex::new((requests, &mut answers[..]));
        parallel::each(&mut self.finders[..workers], |finder| {
            while let Some((requests, answers)) = fetch(&work, workers) {
                for (request, answer) in requests.iter().zip(answers) {
                    finder.answer(&view, request, answer);
                }
            }
        });
    }

    /// Prepares once for all finders.
    fn make_ready(&mut self, view: &View<'_>, workers: usize) {
        let [first, others @ ..] = &mut self.finders[..] else { return };
        if workers > 1 {
            // If it fails, every finder reports that for every query.
            let _ = first.make_ready(view);
            for finder in others {
                finder.share_preparation(first);
            }
        }
        while self.finders.len() < workers {
            self.finders.push(self.finders[0].fork());
        }
    }
}

/// The next few queries with the places for their answers; `None` if all have been fetched. The parts become smaller toward the
/// end, so that no worker waits long for the last.
fn fetch<'w, S>(
    work: &Mutex<(&'w [Request<S>], &'w mut [Answer])>,
    workers: usize,
) -> Option<(&'w [Request<S>], &'w mut [Answer])> {
    let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
    let (requests, answers) = std::mem::take(&mut *work);
    let part = (requests.len() / (workers * PARTS_OF_A_SHARE)).clamp(1, MOST_AT_ONCE).min(requests.len());
    let ((requests, later), (answers, places)) = (requests.split_at(part), answers.split_at_mut(part));
    *work = (later, places);
    (part > 0).then_some((requests, answers))
}
