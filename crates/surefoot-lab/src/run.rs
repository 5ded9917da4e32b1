//! One search, in time slices: nothing here waits, so the caller decides when others run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use surefoot::formats::World;
use surefoot::prelude::*;
use surefoot::search::observe::Trace;
use tokio::sync::watch;

use crate::cells::InCells;
use crate::limits::{LIMITS, SLICE};
use crate::prepare::{self, Unprepared};
use crate::protocol::{Answer, Chosen, Done, Mark, Preparation, Vow};
use crate::question::Question;
use crate::tables::{Key, Table, Tables};
use crate::{region, sketch};

/// Expanded nodes between two looks at the clock.
const CHUNK: u64 = 512;
/// A piece of a trace is sent when it has become this long.
const PIECE_BYTES: usize = 64 << 10;
/// Timed searches: how many at most, how long at most, how many at least unless they are slow.
const TIMED_RUNS: usize = 50;
const TIMED_FOR: Duration = Duration::from_millis(150);
const TIMED_AT_LEAST: usize = 3;
const SLOW: Duration = Duration::from_secs(1);

/// Ends a run from outside.
pub type Cancel = watch::Receiver<bool>;

pub fn is_cancelled(cancel: &Cancel) -> bool {
    *cancel.borrow() || cancel.has_changed().is_err()
}

/// What a slice of a run brought.
pub enum Step {
    /// It goes on.
    More,
    /// It is over.
    Ended(Box<Done>),
}

/// A search in a snapshot of a world.
pub struct Run {
    world: Arc<World>,
    question: Question,
    finder: Pathfinder,
    tables: Arc<Tables>,
    table: Option<Table>,
    /// Whether the table was made for this run.
    made_table: bool,
    mark: Mark,
    trace: Option<Trace>,
    cancel: Cancel,
    promise: Option<Vow>,
    stage: Stage,
    /// All the time that was spent computing.
    spent: Duration,
    /// The time that the search itself took.
    searched: Duration,
    events_sent: usize,
}

enum Stage {
    Fresh,
    Searching,
    /// An exact search tells what the best path costs.
    Comparing(Box<Pathfinder>),
    Over,
}

impl Run {
    pub fn new(
        world: Arc<World>,
        question: Question,
        finder: Pathfinder,
        tables: Arc<Tables>,
        mark: Mark,
        trace: bool,
        cancel: Cancel,
    ) -> Run {
        let trace = trace.then(|| Trace::with_limit(LIMITS.events));
        let (spent, searched) = (Duration::ZERO, Duration::ZERO);
        let stage = Stage::Fresh;
        Run {
            world,
            question,
            finder,
            tables,
            table: None,
            made_table: false,
            mark,
            trace,
            cancel,
            promise: None,
            stage,
            spent,
            searched,
            events_sent: 0,
        }
    }

    /// Returns whether the algorithm prepares the map.
    pub fn prepares(&self) -> bool {
        self.question.algorithm.prepares
    }

    /// Takes over what earlier runs have prepared. Whether nothing is left to prepare then, or nothing can be.
    pub fn is_prepared(&mut self) -> bool {
        let view = self.question.view(&self.world);
        if self.question.algorithm.refusal(view).is_some() {
            return true;
        }
        let Some(table) = self.tables.newest(&self.key()) else { return false };
        // What no longer fits may still be a good beginning: that is for the algorithm to decide.
        let fits = self.finder.adopt(&table.prepared) && table.prepared.fits(view);
        self.table = fits.then_some(table);
        fits
    }

    fn key(&self) -> Key {
        let Question { algorithm, options, agent, .. } = &self.question;
        Key { algorithm: algorithm.name, options: *options, agent: *agent }
    }

    /// Prepares the map and keeps the result for other runs. `tell` hears now and then, from any thread, what share is done.
    /// Gives back how the run ended, if it did.
    pub fn prepare(&mut self, tell: &(dyn Fn(f64) + Sync)) -> Option<Done> {
        let (clock, cancel) = (Instant::now(), self.cancel.clone());
        let view = self.question.view(&self.world);
        match prepare::within_limits(&mut self.finder, view, tell, &|| is_cancelled(&cancel)) {
            Ok(()) => {
                let keep = |prepared| self.tables.keep(self.key(), prepared, clock.elapsed());
                self.table = self.finder.prepared().map(keep);
                self.made_table = true;
                None
            }
            Err(Unprepared::Cancelled) => Some(self.cancelled()),
            Err(Unprepared::TooLong(words)) => {
                Some(Done { message: Some(words), ..self.done("limit", None) })
            }
            Err(Unprepared::Refused(error)) => {
                let done = self.done("unreachable", Some(Why::NotPrepared));
                Some(Done { message: Some(error.to_string()), ..done })
            }
        }
    }

    /// What there is to see of the prepared map, unless it is what `known` says.
    pub fn sketch(&self, known: u32) -> Option<Bytes> {
        let table = self.table.as_ref().filter(|table| table.number != known)?;
        let View::Grid(view) = self.question.view(&self.world) else { return None };
        Some(sketch::to_bytes(&table.prepared.sketch(&view), view.grid(), self.mark, table.number))
    }

    /// Goes on for a slice. What is to be sent first is added to `began` and `pieces`.
    pub fn step(&mut self, began: &mut Option<Answer>, pieces: &mut Vec<Bytes>) -> Step {
        let clock = Instant::now();
        let step = self.go_on(clock, began, pieces);
        self.spent += clock.elapsed();
        step
    }

    fn go_on(&mut self, clock: Instant, began: &mut Option<Answer>, pieces: &mut Vec<Bytes>) -> Step {
        let world = self.world.clone();
        let view = self.question.view(&world);
        if matches!(self.stage, Stage::Fresh) {
            *began = Some(self.begin(view));
        }
        loop {
            if matches!(self.stage, Stage::Searching) && is_cancelled(&self.cancel) {
                return Step::Ended(Box::new(self.cancelled()));
            }
            let out_of_time = self.spent + clock.elapsed() > Duration::from_secs(LIMITS.seconds);
            match &mut self.stage {
                Stage::Searching => {
                    let clock = Instant::now();
                    let outcome = match &mut self.trace {
                        Some(trace) => self.finder.resume_watched(view, CHUNK, &mut InCells { view, trace }),
                        None => self.finder.resume(view, CHUNK),
                    };
                    self.searched += clock.elapsed();
                    let ended = outcome != Outcome::Paused;
                    self.cut_piece(pieces, if ended { 1 } else { PIECE_BYTES });
                    if ended {
                        self.compare(outcome);
                    } else if out_of_time {
                        self.cut_piece(pieces, 1);
                        let message = format!("the search took longer than {} seconds", LIMITS.seconds);
                        return Step::Ended(Box::new(Done {
                            message: Some(message),
                            ..self.done("limit", None)
                        }));
                    }
                }
                Stage::Comparing(exact) => {
                    if exact.resume(view, CHUNK) != Outcome::Paused {
                        let optimum = exact.outcome().is_found().then(|| exact.path().cost());
                        return Step::Ended(Box::new(self.finished(&view, optimum)));
                    }
                    if out_of_time || is_cancelled(&self.cancel) {
                        return Step::Ended(Box::new(self.finished(&view, None)));
                    }
                }
                Stage::Fresh | Stage::Over => {
                    let found_best = self.finder.outcome().is_found() && self.trace.is_some();
                    let optimum = found_best.then(|| self.finder.path().cost());
                    return Step::Ended(Box::new(self.finished(&view, optimum)));
                }
            }
            if clock.elapsed() >= SLICE || pieces.len() > 1 {
                self.cut_piece(pieces, 1);
                return Step::More;
            }
        }
    }

    /// Starts the search.
    fn begin(&mut self, view: View<'_>) -> Answer {
        // Once for what the map has to prepare for this agent, which is not the search's time.
        self.question.put_to(&mut self.finder, view);
        let clock = Instant::now();
        self.question.put_to(&mut self.finder, view);
        self.searched = clock.elapsed();
        self.stage = Stage::Searching;
        let promise = Vow::from(self.finder.promise(view));
        self.promise = Some(promise.clone());
        Answer::Began { mark: self.mark, promise, units: view.scale().units_per_cell() }
    }

    /// Runs an exact search for comparison, unless the search was exact or the optimum is not needed.
    fn compare(&mut self, outcome: Outcome) {
        let exact = Pathfinder::default();
        let was_exact = self.question.algorithm.name == exact.algorithm().name
            && self.question.options == Options::default();
        self.stage = if outcome.is_found() && self.trace.is_some() && !was_exact {
            let mut exact = exact;
            let world = self.world.clone();
            self.question.put_to(&mut exact, self.question.view(&world));
            Stage::Comparing(Box::new(exact))
        } else {
            Stage::Over
        };
    }

    /// Cuts off what the trace holds if it is long enough.
    fn cut_piece(&mut self, pieces: &mut Vec<Bytes>, least: usize) {
        let Some(trace) = self.trace.as_mut().filter(|trace| trace.bytes().len() >= least) else { return };
        let events = trace.len() - self.events_sent;
        self.events_sent = trace.len();
        let body = trace.take_bytes();
        let mut piece = Vec::with_capacity(12 + body.len());
        piece.extend([1, self.mark.board.unwrap_or(0), 0, 0]);
        piece.extend(self.mark.run.unwrap_or(0).to_le_bytes());
        piece.extend((events as u32).to_le_bytes());
        piece.extend(body);
        pieces.push(piece.into());
    }

    /// The end of a cancelled run.
    pub fn cancelled(&self) -> Done {
        self.done("cancelled", None)
    }

    fn finished(&mut self, view: &View<'_>, optimum: Option<f64>) -> Done {
        self.stage = Stage::Over;
        let (Outcome::Unreachable(why) | Outcome::Partial(why)) = self.finder.outcome() else {
            let path = self.finder.path();
            return Done {
                path: path.nodes().iter().map(|&node| view.place_of(node)).collect(),
                cost: Some(path.cost()),
                length: Some(path.length()),
                optimum,
                ..self.done("found", None)
            };
        };
        Done {
            message: Some(match self.question.algorithm.refusal(*view) {
                Some(reason) => format!("{} cannot be used here: {reason}", self.question.algorithm.title),
                None => why.to_string(),
            }),
            region: region::cut_off(view, &self.question, why),
            ..self.done("unreachable", Some(why))
        }
    }

    fn done(&self, outcome: &'static str, why: Option<Why>) -> Done {
        let stats = self.finder.stats();
        Done {
            mark: self.mark,
            outcome,
            reason: why.map(Why::name),
            message: None,
            promise: self.promise.clone(),
            path: Vec::new(),
            cost: None,
            length: None,
            optimum: None,
            expanded: stats.expanded,
            generated: stats.generated,
            reopened: stats.reopened,
            peak_open: stats.peak_open,
            scratch_bytes: stats.scratch_bytes,
            search_us: in_micros(self.searched),
            events: self.trace.as_ref().map_or(0, Trace::len),
            dropped: self.trace.as_ref().map_or(0, Trace::dropped),
            region: None,
            prepared: self.table.as_ref().map(|table| Preparation {
                table: table.number,
                us: in_micros(table.took),
                bytes: table.prepared.memory_bytes(),
                fresh: self.made_table,
            }),
            choice: self
                .finder
                .choice()
                .map(|choice| Chosen { algorithm: choice.algorithm, reason: choice.reason.to_string() }),
        }
    }

    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// Repeats the search without an observer. Returns `None` if it was cancelled, takes too long, or there is nothing to search
    /// for.
    pub fn time(&mut self) -> Option<Answer> {
        let view = self.question.view(&self.world);
        let began = Instant::now();
        let mut times: Vec<Duration> = Vec::new();
        while times.len() < TIMED_RUNS {
            let enough = if times.last().is_some_and(|&time| time > SLOW) { 1 } else { TIMED_AT_LEAST };
            if times.len() >= enough && began.elapsed() >= TIMED_FOR {
                break;
            }
            let clock = Instant::now();
            self.question.put_to(&mut self.finder, view);
            if self.finder.outcome() != Outcome::Paused {
                return None;
            }
            while self.finder.resume(view, 32 * CHUNK) == Outcome::Paused {
                if is_cancelled(&self.cancel) || clock.elapsed().as_secs() >= LIMITS.seconds {
                    return None;
                }
            }
            times.push(clock.elapsed());
        }
        times.sort_unstable();
        let (median, least) = (times.get(times.len() / 2)?, times.first()?);
        Some(Answer::Timed {
            mark: self.mark,
            median_us: in_micros(*median),
            least_us: in_micros(*least),
            runs: times.len(),
        })
    }

    /// The finder, for the next run.
    pub fn into_finder(self) -> Pathfinder {
        self.finder
    }
}

pub fn in_micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1000.0
}
