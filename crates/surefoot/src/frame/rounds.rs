//! Worker threads that let a world follow changes and then do tasks in it.
//!
//! A round begins with a list of changes. The first worker lets the world follow them; it then shares the world with the other workers, each
//! of which has its part of the tasks. Each worker gives its share of the world back when it is done, so that the first worker of the next
//! round is alone with it: an [`Arc`] that nothing else holds is as good as the world itself.

use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use crate::world::journal::Revision;

/// How many reports the channel holds. Channels of a fixed size allocate once. Results that do not fit come back with the end of the round.
const REPORTS: usize = 256;

/// A world that follows changes, and in which tasks are done.
pub(crate) trait Stage: Send + Sync + 'static {
    /// What changes in the world, and the memory for what follows from that.
    type News: Send + 'static;
    /// A question, which becomes its answer.
    type Task: Send + 'static;

    /// Follows the changes, and notes in them what follows.
    fn follow(&mut self, news: &mut Self::News);

    /// Returns the current revision of the world.
    fn revision(&self) -> Revision;

    /// Does a task.
    fn work(&self, task: &mut Self::Task);
}

/// What comes back from a round.
pub(crate) enum Report<S: Stage> {
    /// The world has followed.
    Followed { revision: Revision, news: S::News },
    /// A task is done, in the world of a tick.
    Done { tick: u64, revision: Revision, task: S::Task },
}

/// What workers send.
enum Message<S: Stage> {
    Report(Report<S>),
    /// A worker has done its part of the round.
    Over(Part<S>),
    /// A worker has panicked, and will do nothing more.
    Panicked(Box<dyn Any + Send>),
}

/// A worker's part of a round.
struct Part<S: Stage> {
    /// The first worker has number 0.
    number: usize,
    stage: Arc<S>,
    tick: u64,
    /// What changes, for the first worker.
    news: Option<S::News>,
    /// What to do.
    tasks: Vec<S::Task>,
    /// Results that the channel had no room for.
    done: Vec<S::Task>,
    /// The tasks of the other workers, for the first worker.
    others: Vec<Vec<S::Task>>,
}

/// A few worker threads with a world. Without threads, the caller does the work.
pub(crate) struct Rounds<S: Stage> {
    /// The world, between rounds.
    home: Option<Part<S>>,
    /// How many parts of the round are not over.
    under_way: usize,
    leader: Option<SyncSender<Part<S>>>,
    /// The mutex is never locked: it is what lets this be `Sync`.
    messages: Option<Mutex<Receiver<Message<S>>>>,
    threads: Vec<JoinHandle<()>>,
    /// Reports that have come together, or of work done by the caller.
    reports: VecDeque<Report<S>>,
    /// The first worker's part of a round that is not over for all.
    lead: Option<Part<S>>,
    /// Memory for the tasks of the other workers.
    memory: Vec<Vec<S::Task>>,
    /// Whether a worker has panicked.
    is_broken: bool,
}

impl<S: Stage> fmt::Debug for Rounds<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rounds").field("workers", &self.workers()).finish_non_exhaustive()
    }
}

impl<S: Stage> Rounds<S> {
    /// Starts worker threads: as many as asked for, or as many as the system grants.
    pub fn new(stage: S, workers: usize) -> Rounds<S> {
        let home = Part::new(0, Arc::new(stage), 0, Vec::new());
        let mut rounds = Rounds {
            home: Some(home),
            under_way: 0,
            leader: None,
            messages: None,
            threads: Vec::new(),
            reports: VecDeque::new(),
            lead: None,
            memory: Vec::new(),
            is_broken: false,
        };
        rounds.start_threads(workers);
        rounds
    }

    /// The first worker is started last, because it has to know the others.
    fn start_threads(&mut self, workers: usize) {
        if workers == 0 {
            return;
        }
        let (to_caller, messages) = sync_channel(REPORTS);
        let mut others = Vec::new();
        for number in (0..workers).rev() {
            let (sender, parts) = sync_channel(1);
            let followers = if number == 0 { std::mem::take(&mut others) } else { Vec::new() };
            let to_caller = to_caller.clone();
            let name = Builder::new().name(format!("surefoot-{number}"));
            match name.spawn(move || serve(&parts, &followers, &to_caller)) {
                Ok(thread) => self.threads.push(thread),
                // A system that has no threads, or no more of them.
                Err(_) => continue,
            }
            if number == 0 {
                self.leader = Some(sender);
            } else {
                others.push(sender);
            }
        }
        if self.leader.is_some() {
            self.messages = Some(Mutex::new(messages));
        } else {
            // The others have nothing to do without the first.
            self.threads.clear();
        }
    }

    /// Returns the number of threads.
    pub fn workers(&self) -> usize {
        self.threads.len()
    }

    /// Whether a round can start: the last one is over.
    pub fn is_idle(&self) -> bool {
        self.home.is_some()
    }

    /// Starts a round. Takes the tasks out of the list. Does nothing unless the last round is over.
    pub fn start(&mut self, tick: u64, news: S::News, tasks: &mut Vec<S::Task>) {
        let Some(mut part) = self.home.take() else { return };
        (part.tick, part.news) = (tick, Some(news));
        let Some(leader) = &self.leader else {
            part.tasks.append(tasks);
            // It stays broken if this panics: the world and the tasks are lost.
            self.is_broken = true;
            let is_over = part.run(&[], &mut Outlet::Queue(&mut self.reports)).is_ok();
            (self.home, self.is_broken) = (Some(part), !is_over);
            return;
        };
        let workers = self.threads.len();
        part.others.resize_with(workers - 1, Vec::new);
        for (number, task) in tasks.drain(..).enumerate() {
            match number % workers {
                0 => part.tasks.push(task),
                other => part.others[other - 1].push(task),
            }
        }
        self.under_way = workers;
        // A worker that is not there any more has reported why.
        let _ = leader.send(part);
    }

    /// Returns the next report; `None` if there is none now or, with `wait`, if the round is over. Reports of a worker are in order, and the
    /// first is that the world has followed. Passes on the panic of a worker.
    pub fn next(&mut self, wait: bool) -> Option<Report<S>> {
        assert!(!self.is_broken, "a worker has panicked before");
        loop {
            if let Some(report) = self.reports.pop_front() {
                return Some(report);
            }
            let messages = self.messages.as_mut().filter(|_| self.under_way > 0)?;
            let messages = messages.get_mut().unwrap_or_else(PoisonError::into_inner);
            let message = match messages.try_recv() {
                Ok(message) => Some(message),
                Err(TryRecvError::Empty) if wait => messages.recv().ok(),
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => None,
            };
            match message {
                Some(Message::Report(report)) => return Some(report),
                Some(Message::Over(part)) => self.end(part),
                Some(Message::Panicked(payload)) => self.pass_on(payload),
                None => self.pass_on(Box::new("the worker threads have ended")),
            }
        }
    }

    fn end(&mut self, mut part: Part<S>) {
        self.under_way -= 1;
        let (tick, revision) = (part.tick, part.stage.revision());
        self.reports.extend(part.done.drain(..).map(|task| Report::Done { tick, revision, task }));
        if part.number == 0 {
            self.lead = Some(part);
        } else {
            self.memory.push(part.tasks);
        }
        if self.under_way == 0
            && let Some(mut part) = self.lead.take()
        {
            // Where the tasks of the other workers were is no memory any more.
            part.others.clear();
            part.others.append(&mut self.memory);
            self.home = Some(part);
        }
    }

    fn pass_on(&mut self, payload: Box<dyn Any + Send>) {
        self.is_broken = true;
        resume_unwind(payload);
    }
}

impl<S: Stage> Drop for Rounds<S> {
    /// Ends the threads, each after the task at hand.
    fn drop(&mut self) {
        (self.leader, self.messages) = (None, None);
        for thread in self.threads.drain(..) {
            // Whether it has panicked does not matter any more.
            let _ = thread.join();
        }
    }
}

/// Where reports go.
enum Outlet<'a, S: Stage> {
    Channel(&'a SyncSender<Message<S>>),
    Queue(&'a mut VecDeque<Report<S>>),
}

/// The caller is not there any more.
struct Gone;

impl<S: Stage> Outlet<'_, S> {
    /// Sends a report, and waits if there is no room.
    fn send(&mut self, report: Report<S>) -> Result<(), Gone> {
        match self {
            Outlet::Channel(channel) => channel.send(Message::Report(report)).map_err(|_| Gone),
            Outlet::Queue(queue) => {
                queue.push_back(report);
                Ok(())
            }
        }
    }

    /// Sends a report, or returns it if there is no room.
    fn offer(&mut self, report: Report<S>) -> Result<Option<Report<S>>, Gone> {
        let Outlet::Channel(channel) = self else { return self.send(report).map(|()| None) };
        match channel.try_send(Message::Report(report)) {
            Ok(()) => Ok(None),
            Err(TrySendError::Full(Message::Report(report))) => Ok(Some(report)),
            Err(_) => Err(Gone),
        }
    }
}

impl<S: Stage> Part<S> {
    fn new(number: usize, stage: Arc<S>, tick: u64, tasks: Vec<S::Task>) -> Part<S> {
        Part { number, stage, tick, news: None, tasks, done: Vec::new(), others: Vec::new() }
    }

    /// Does this part of the round.
    fn run(&mut self, others: &[SyncSender<Part<S>>], outlet: &mut Outlet<'_, S>) -> Result<(), Gone> {
        let tick = self.tick;
        if let Some(mut news) = self.news.take() {
            let stage = Arc::get_mut(&mut self.stage);
            debug_assert!(stage.is_some(), "all parts of the last round are over");
            if let Some(stage) = stage {
                stage.follow(&mut news);
            }
            outlet.send(Report::Followed { revision: self.stage.revision(), news })?;
        }
        for (index, (other, tasks)) in others.iter().zip(&mut self.others).enumerate() {
            let part = Part::new(index + 1, Arc::clone(&self.stage), tick, std::mem::take(tasks));
            // A worker that is not there any more has reported why.
            let _ = other.send(part);
        }
        let revision = self.stage.revision();
        for mut task in self.tasks.drain(..) {
            self.stage.work(&mut task);
            if let Some(Report::Done { task, .. }) = outlet.offer(Report::Done { tick, revision, task })? {
                self.done.push(task);
            }
        }
        Ok(())
    }
}

/// What a worker does all its life.
fn serve<S: Stage>(
    parts: &Receiver<Part<S>>,
    others: &[SyncSender<Part<S>>],
    to_caller: &SyncSender<Message<S>>,
) {
    while let Ok(mut part) = parts.recv() {
        // What a panic leaves half done is dropped.
        let end = catch_unwind(AssertUnwindSafe(move || {
            part.run(others, &mut Outlet::Channel(to_caller)).map(|()| part)
        }));
        let message = match end {
            Ok(Ok(part)) => Message::Over(part),
            Ok(Err(Gone)) => return,
            Err(payload) => Message::Panicked(payload),
        };
        let is_last = matches!(message, Message::Panicked(_));
        if to_caller.send(message).is_err() || is_last {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
