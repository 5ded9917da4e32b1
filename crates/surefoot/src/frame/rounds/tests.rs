use std::sync::mpsc::{Sender, channel};

use super::*;
use crate::world::journal::Journal;

/// A change that makes the world panic.
const UNLUCKY: u64 = 1000;

/// A world that is a sum, in which tasks note what the sum was.
struct Sum {
    sum: u64,
    journal: Journal<u64>,
}

enum Task {
    Read {
        number: usize,
        sum: u64,
    },
    Panic,
    /// Waits for a message. What it holds tells whether it has been dropped.
    Wait {
        until: Receiver<()>,
        _alive: Sender<()>,
    },
}

impl Stage for Sum {
    type News = u64;
    type Task = Task;

    fn follow(&mut self, news: &mut u64) {
        assert_ne!(*news, UNLUCKY);
        self.sum += *news;
        self.journal.record(*news);
        *news = self.sum;
    }

    fn revision(&self) -> Revision {
        self.journal.now()
    }

    fn work(&self, task: &mut Task) {
        match task {
            Task::Read { sum, .. } => *sum = self.sum,
            Task::Panic => panic!("a task panics"),
            Task::Wait { until, .. } => until.recv().unwrap_or_default(),
        }
    }
}

fn rounds(workers: usize) -> Rounds<Sum> {
    Rounds::new(Sum { sum: 0, journal: Journal::with_capacity(9) }, workers)
}

/// More tasks than the channel has room for.
fn tasks() -> Vec<Task> {
    (0..3 * REPORTS).map(|number| Task::Read { number, sum: 0 }).collect()
}

#[test]
fn every_task_is_done_once_in_the_world_of_its_round() {
    for workers in [0, 1, 2, 5] {
        let mut rounds = rounds(workers);
        assert_eq!(rounds.workers(), workers);
        for tick in 1..20 {
            let mut tasks = tasks();
            let expected: Vec<usize> = (0..tasks.len()).collect();
            rounds.start(tick, tick, &mut tasks);
            assert!(tasks.is_empty());
            let (mut seen, mut followed) = (Vec::new(), None);
            while let Some(report) = rounds.next(true) {
                match report {
                    Report::Followed { revision, news } => {
                        assert_eq!((news, followed), (tick * (tick + 1) / 2, None));
                        followed = Some(revision);
                    }
                    Report::Done { tick: of, revision, task: Task::Read { number, sum } } => {
                        assert_eq!((of, sum, Some(revision)), (tick, tick * (tick + 1) / 2, followed));
                        seen.push(number);
                    }
                    Report::Done { .. } => unreachable!(),
                }
            }
            seen.sort_unstable();
            assert_eq!(seen, expected);
            assert!(rounds.is_idle());
        }
    }
}

#[test]
fn nothing_waits_for_a_worker_that_takes_its_time() {
    let (go, until) = channel();
    let (alive, _still) = channel();
    let mut rounds = rounds(2);
    rounds.start(1, 1, &mut vec![Task::Read { number: 0, sum: 0 }, Task::Wait { until, _alive: alive }]);
    // However often one looks, the second worker is not done.
    for _ in 0..1000 {
        while rounds.next(false).is_some() {}
        assert!(!rounds.is_idle());
    }
    rounds.start(2, 1, &mut Vec::new());
    go.send(()).unwrap();
    while rounds.next(true).is_some() {}
    assert!(rounds.is_idle(), "the round is over, and no other was started");
}

#[test]
fn threads_end_with_what_they_work_for() {
    for workers in [1, 3] {
        let (go, until) = channel();
        let (alive, still) = channel::<()>();
        let mut rounds = rounds(workers);
        let mut tasks: Vec<Task> = (1..workers).map(|number| Task::Read { number, sum: 0 }).collect();
        tasks.push(Task::Wait { until, _alive: alive });
        rounds.start(1, 1, &mut tasks);
        drop(go);
        drop(rounds);
        assert!(still.recv().is_err(), "all tasks have been dropped");
    }
}

#[test]
fn a_panic_reaches_the_caller_and_nothing_hangs_afterwards() {
    for workers in 0..4 {
        for (news, panics) in [(1, true), (UNLUCKY, false)] {
            for wait in [true, false] {
                let mut rounds = rounds(workers);
                let mut tasks = tasks();
                if panics {
                    tasks.insert(workers / 2, Task::Panic);
                }
                let end = catch_unwind(AssertUnwindSafe(|| {
                    rounds.start(1, news, &mut tasks);
                    while !rounds.is_idle() {
                        rounds.next(wait);
                    }
                }));
                assert!(end.is_err(), "{workers} workers");
                let again = catch_unwind(AssertUnwindSafe(|| rounds.next(true).is_none()));
                assert!(again.is_err(), "it is not usable any more");
            }
        }
    }
}
