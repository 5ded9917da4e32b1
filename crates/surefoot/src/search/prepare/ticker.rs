//! Progress and cancellation of a preparation.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::search::prepare::{PrepareError, PrepareOptions};

/// Counts what is done, on any number of threads, and reports it: at once, whenever another thousandth of the whole is done,
/// and after every so much work, because each report also checks for cancellation.
pub(crate) struct Ticker<'a> {
    options: &'a PrepareOptions<'a>,
    total: u64,
    /// What the stages before this one stand for.
    before: AtomicU64,
    /// What this stage stands for, and in how many steps it is done.
    share: AtomicU64,
    steps: AtomicU64,
    /// How many of them have been done.
    made: AtomicU64,
    /// All work so far, in about as many units as cells or edges were looked at.
    work: AtomicU64,
    ended: AtomicBool,
}

/// The units of work that take about a millisecond.
pub(crate) const WORK_BETWEEN_REPORTS: u64 = 1 << 15;

impl<'a> Ticker<'a> {
    /// Creates a preparation with a given number of steps.
    pub fn new(options: &'a PrepareOptions<'a>, total: u64) -> Ticker<'a> {
        Ticker::begin(options, total, total)
    }

    /// Creates a preparation in [stages](Ticker::stage) that add up to a given total.
    pub fn in_stages(options: &'a PrepareOptions<'a>, total: u64) -> Ticker<'a> {
        Ticker::begin(options, total, 0)
    }

    fn begin(options: &'a PrepareOptions<'a>, total: u64, share: u64) -> Ticker<'a> {
        let ticker = Ticker {
            options,
            total,
            before: AtomicU64::new(0),
            share: AtomicU64::new(share),
            steps: AtomicU64::new(share),
            made: AtomicU64::new(0),
            work: AtomicU64::new(0),
            ended: AtomicBool::new(false),
        };
        // If it has to end already, the first step reports that.
        let _ = ticker.report();
        ticker
    }

    /// Ends a stage and begins the next, which stands for `share` of the total and is done in `steps` steps. No other thread may
    /// count steps meanwhile.
    pub fn stage(&self, share: u64, steps: u64) -> Result<(), PrepareError> {
        self.before.fetch_add(self.share.load(Ordering::Relaxed), Ordering::Relaxed);
        self.share.store(share, Ordering::Relaxed);
        self.steps.store(steps, Ordering::Relaxed);
        self.made.store(0, Ordering::Relaxed);
        self.report()
    }

    /// Counts a step. An error means that the preparation has to end; from then on every step gets it.
    pub fn tick(&self) -> Result<(), PrepareError> {
        self.advance(1)
    }

    /// Counts work of a stage whose steps are units of work.
    pub fn work_on(&self, units: u64) -> Result<(), PrepareError> {
        self.advance(units)?;
        self.work(units)
    }

    fn advance(&self, steps: u64) -> Result<(), PrepareError> {
        self.go_on()?;
        let before = self.made.fetch_add(steps, Ordering::Relaxed);
        let thousandth = |made: u64| self.done_after(made) * 1000 / self.total.max(1);
        if thousandth(before) == thousandth(before + steps) { Ok(()) } else { self.report() }
    }

    /// Counts work, in units of about a cell or an edge looked at. Called often enough, it ends the preparation soon after it
    /// has to.
    pub fn work(&self, units: u64) -> Result<(), PrepareError> {
        self.go_on()?;
        let before = self.work.fetch_add(units, Ordering::Relaxed);
        let reports = |work: u64| work / WORK_BETWEEN_REPORTS;
        if reports(before) == reports(before + units) { Ok(()) } else { self.report() }
    }

    fn go_on(&self) -> Result<(), PrepareError> {
        if self.ended.load(Ordering::Relaxed) { Err(PrepareError::Cancelled) } else { Ok(()) }
    }

    /// How much of the total is done after a number of steps of this stage.
    fn done_after(&self, made: u64) -> u64 {
        let (share, steps) = (self.share.load(Ordering::Relaxed), self.steps.load(Ordering::Relaxed).max(1));
        self.before.load(Ordering::Relaxed) + share * made.min(steps) / steps
    }

    fn report(&self) -> Result<(), PrepareError> {
        self.go_on()?;
        match (self.options.progress)(self.done_after(self.made.load(Ordering::Relaxed)), self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => {
                self.ended.store(true, Ordering::Relaxed);
                Err(PrepareError::Cancelled)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn after_an_error_every_step_fails_and_nothing_is_reported() {
        for last in 1..4 {
            let told = AtomicU64::new(0);
            let end = |_, _| {
                let told = told.fetch_add(1, Ordering::Relaxed) + 1;
                if told == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let options = PrepareOptions { progress: &end, ..PrepareOptions::default() };
            let ticker = Ticker::new(&options, 10);
            let steps = (0..5).filter(|_| ticker.tick().is_ok()).count() as u64;
            // The first report comes before the first step, and a step that fails does not count.
            assert_eq!((told.load(Ordering::Relaxed), steps), (last, last.saturating_sub(2)));
            assert_eq!(ticker.work(1 << 40), Err(PrepareError::Cancelled));
            assert_eq!(ticker.stage(1, 1), Err(PrepareError::Cancelled));
            assert_eq!(told.into_inner(), last);
        }
    }

    /// All reports of what `run` does.
    fn reports(total: u64, stages: bool, run: impl Fn(&Ticker<'_>)) -> Vec<(u64, u64)> {
        let told = Mutex::new(Vec::new());
        let note = |done, total| {
            told.lock().unwrap().push((done, total));
            ControlFlow::Continue(())
        };
        let options = PrepareOptions { progress: &note, ..PrepareOptions::default() };
        run(&if stages { Ticker::in_stages(&options, total) } else { Ticker::new(&options, total) });
        told.into_inner().unwrap()
    }

    #[test]
    fn every_thousandth_is_reported_from_none_to_all() {
        let told = reports(5000, false, |ticker| (0..5000).for_each(|_| ticker.tick().unwrap()));
        assert_eq!(told, (0..=1000).map(|thousandth| (5 * thousandth, 5000)).collect::<Vec<_>>());
    }

    #[test]
    fn stages_count_what_they_stand_for() {
        let told = reports(10, true, |ticker| {
            ticker.stage(2, 1000).unwrap();
            (0..500).for_each(|_| ticker.tick().unwrap());
            // Stages that are done sooner than expected count in full.
            ticker.stage(8, 4).unwrap();
            (0..4).for_each(|_| ticker.tick().unwrap());
        });
        assert_eq!(told, [0, 0, 1, 2, 4, 6, 8, 10].map(|done| (done, 10)));
    }

    #[test]
    fn work_is_reported_though_no_step_is_done() {
        let pieces = 64 * WORK_BETWEEN_REPORTS / 100;
        let told = reports(7, false, |ticker| (0..pieces).for_each(|_| ticker.work(100).unwrap()));
        assert_eq!(told.len(), 64);
        assert!(told.iter().all(|&report| report == (0, 7)));
    }
}
