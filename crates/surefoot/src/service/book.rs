//! The book of a service: which tickets there are, and which question each of them is about.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::digest::Digest;
use crate::path::Path;
use crate::replan::SubscriptionId;
use crate::service::lane::{Question, Turn, Work};
use crate::service::spec::{
    PathAnswer, RequestError, RequestSpec, ServiceSpec, Ticket, TicketError, Validity,
};
use crate::world::any::Place;
use crate::world::journal::Revision;

/// The end of a list of slots.
const NONE: u32 = u32::MAX;

/// What a ticket is waiting for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Nothing: the slot is free.
    #[default]
    Free,
    /// An answer.
    Waiting,
    /// To be taken.
    Answered,
    /// Changes that touch the path, which has been taken.
    Watched,
}

/// A ticket.
#[derive(Clone, Debug, Default)]
struct Slot {
    state: State,
    number: u64,
    job: u32,
    /// The tickets of the same job before and after it.
    around: [u32; 2],
    /// Whether it came after the search had begun: the world may have changed in between.
    is_late: bool,
    watch: bool,
    subscription: Option<SubscriptionId>,
}

/// Where the work of a job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stand {
    #[default]
    Free,
    Waiting,
    /// In a lane.
    Away,
    Answered,
}

/// A question, asked by one ticket or by several.
#[derive(Debug, Default)]
struct Job {
    stand: Stand,
    turn: Turn,
    /// `None` if the job is free.
    question: Option<Arc<Question>>,
    digest: u64,
    first: u32,
    tickets: u32,
    repeats: u32,
    work: Option<Work>,
    validity: Validity,
    revision: Revision,
}

/// All tickets and jobs.
#[derive(Debug)]
pub(super) struct Book {
    service: u32,
    numbers: u64,
    slots: Vec<Slot>,
    free_slots: Vec<u32>,
    jobs: Vec<Job>,
    free_jobs: Vec<u32>,
    /// Memory of works.
    spare: Vec<Work>,
    /// Jobs that others may join, by their question. Never iterated.
    by_question: HashMap<u64, u32>,
    /// Jobs by turn. An entry that is not what its job is now is worth nothing.
    queue: BinaryHeap<Reverse<(Turn, u32)>>,
    /// Answered tickets and their slots. An entry whose ticket has been taken is worth nothing.
    answered: BinaryHeap<Reverse<(u64, u32)>>,
    counts: Counts,
}

/// How many tickets and jobs there are.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    waiting: usize,
    answered: usize,
    watched: usize,
    queued: usize,
}

impl Book {
    pub fn new() -> Book {
        /// Only ever compared for equality, so the order in which threads get here does not matter.
        static SERVICES: AtomicU32 = AtomicU32::new(0);
        Book {
            service: SERVICES.fetch_add(1, Ordering::Relaxed),
            numbers: 0,
            slots: Vec::new(),
            free_slots: Vec::new(),
            jobs: Vec::new(),
            free_jobs: Vec::new(),
            spare: Vec::new(),
            by_question: HashMap::new(),
            queue: BinaryHeap::new(),
            answered: BinaryHeap::new(),
            counts: Counts::default(),
        }
    }

    /// How many tickets wait for an answer.
    pub fn waiting(&self) -> usize {
        self.counts.waiting
    }

    /// How many tickets are answered and not taken.
    pub fn answered(&self) -> usize {
        self.counts.answered
    }

    /// Whether any job waits for a lane.
    pub fn has_queue(&self) -> bool {
        self.counts.queued > 0
    }

    /// Issues a ticket.
    pub fn request(
        &mut self,
        request: &RequestSpec<'_>,
        spec: &ServiceSpec,
        tick: u64,
    ) -> Result<Ticket, RequestError> {
        request.algorithm.check(&request.options)?;
        if request.goals.len() > RequestSpec::MAX_GOALS {
            return Err(RequestError::TooManyGoals { found: request.goals.len() });
        }
        if request.watch && request.algorithm.any_angle {
            return Err(RequestError::NotWatchable { algorithm: request.algorithm.title });
        }
        let Counts { waiting, answered, watched, .. } = self.counts;
        if waiting + answered + watched >= spec.capacity {
            return Err(RequestError::Full { capacity: spec.capacity });
        }
        self.numbers += 1;
        let number = self.numbers;
        let head_start = i64::from(request.priority) * i64::from(spec.head_start);
        let turn = (tick as i64 - head_start, number);
        let digest = digest(request);
        let known = self.by_question.get(&digest).copied();
        let known = known.filter(|&job| self.jobs[job as usize].asks(request));
        let (job, is_late) = match known {
            Some(job) => (job, self.jobs[job as usize].stand == Stand::Away),
            None => (self.open_job(request, turn, digest), false),
        };
        let slot = self.free_slots.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.slots.len() as u32 - 1
        });
        self.slots[slot as usize] =
            Slot { state: State::Waiting, number, is_late, watch: request.watch, ..Slot::default() };
        self.attach(slot, job);
        self.counts.waiting += 1;
        self.hurry(job, turn.0);
        Ok(Ticket { number, slot, service: self.service })
    }

    /// Opens a job that waits for a lane.
    fn open_job(&mut self, request: &RequestSpec<'_>, turn: Turn, digest: u64) -> u32 {
        let mut work = self.spare.pop().unwrap_or_default();
        if let Some(question) = Arc::get_mut(&mut work.question) {
            question.set(request);
        } else {
            // Another job still asks what this one asked.
            let mut question = Question::default();
            question.set(request);
            work.question = Arc::new(question);
        }
        self.new_job(work, turn, digest)
    }

    fn new_job(&mut self, mut work: Work, turn: Turn, digest: u64) -> u32 {
        let job = self.free_jobs.pop().unwrap_or_else(|| {
            self.jobs.push(Job::default());
            self.jobs.len() as u32 - 1
        });
        (work.job, work.turn) = (job, turn);
        let question = Some(Arc::clone(&work.question));
        self.jobs[job as usize] = Job {
            stand: Stand::Waiting,
            turn,
            question,
            digest,
            first: NONE,
            work: Some(work),
            ..Job::default()
        };
        self.by_question.entry(digest).or_insert(job);
        self.counts.queued += 1;
        self.queue.push(Reverse((turn, job)));
        job
    }

    /// Makes a job at least as urgent as one of its tickets.
    fn hurry(&mut self, job: u32, urgency: i64) {
        let book = &mut self.jobs[job as usize];
        if urgency < book.turn.0 {
            book.turn.0 = urgency;
            if book.stand == Stand::Waiting {
                self.queue.push(Reverse((book.turn, job)));
                self.tidy_queue();
            }
        }
    }

    fn attach(&mut self, slot: u32, job: u32) {
        let book = &mut self.jobs[job as usize];
        let next = std::mem::replace(&mut book.first, slot);
        book.tickets += 1;
        if next != NONE {
            self.slots[next as usize].around[0] = slot;
        }
        let ticket = &mut self.slots[slot as usize];
        (ticket.job, ticket.around) = (job, [NONE, next]);
    }

    /// Takes a ticket from its job. A job that no ticket asks for any more is over, unless it is away.
    fn detach(&mut self, slot: u32) {
        let Slot { job, around: [before, after], .. } = self.slots[slot as usize];
        let book = &mut self.jobs[job as usize];
        book.tickets -= 1;
        match before {
            NONE => book.first = after,
            before => self.slots[before as usize].around[1] = after,
        }
        if after != NONE {
            self.slots[after as usize].around[0] = before;
        }
        let (tickets, stand) = (book.tickets, book.stand);
        if tickets == 0 {
            self.close_question(job);
            if stand != Stand::Away {
                self.close(job);
            }
        }
    }

    /// No ticket can join a job any more.
    fn close_question(&mut self, job: u32) {
        let digest = self.jobs[job as usize].digest;
        if self.by_question.get(&digest) == Some(&job) {
            self.by_question.remove(&digest);
        }
    }

    fn close(&mut self, job: u32) {
        if self.jobs[job as usize].stand == Stand::Waiting {
            self.counts.queued -= 1;
        }
        // What it asked is memory of the work.
        let Job { work, .. } = std::mem::take(&mut self.jobs[job as usize]);
        self.free_jobs.push(job);
        if let Some(work) = work {
            self.keep(work);
        }
        self.tidy_queue();
    }

    /// Keeps the memory of a work.
    fn keep(&mut self, mut work: Work) {
        work.forget();
        self.spare.push(work);
    }

    /// Returns the slot of a ticket.
    fn slot(&self, ticket: Ticket) -> Result<u32, TicketError> {
        let Ticket { number, slot, service } = ticket;
        if service != self.service {
            return Err(TicketError::Foreign { number });
        }
        let is_there = |found: &Slot| found.number == number && found.state != State::Free;
        self.slots
            .get(slot as usize)
            .filter(|found| is_there(found))
            .map(|_| slot)
            .ok_or(TicketError::Stale { number })
    }

    /// Returns the ticket of a slot.
    pub fn ticket(&self, slot: u32) -> Ticket {
        Ticket { number: self.slots[slot as usize].number, slot, service: self.service }
    }

    /// Ends a ticket. Returns its subscription, if it has one.
    pub fn cancel(&mut self, ticket: Ticket) -> Result<Option<SubscriptionId>, TicketError> {
        let slot = self.slot(ticket)?;
        match self.slots[slot as usize].state {
            State::Free => {}
            State::Waiting => self.counts.waiting -= 1,
            State::Answered => {
                self.counts.answered -= 1;
                self.tidy_answered();
            }
            State::Watched => self.counts.watched -= 1,
        }
        if self.slots[slot as usize].state != State::Watched {
            self.detach(slot);
        }
        Ok(self.free(slot))
    }

    fn free(&mut self, slot: u32) -> Option<SubscriptionId> {
        let ticket = &mut self.slots[slot as usize];
        ticket.state = State::Free;
        self.free_slots.push(slot);
        ticket.subscription.take()
    }

    /// Returns the subscription of a ticket whose answer is watched.
    pub fn subscription(&self, ticket: Ticket) -> Result<Option<SubscriptionId>, TicketError> {
        self.slot(ticket).map(|slot| self.slots[slot as usize].subscription)
    }

    /// Returns whether a ticket is answered.
    pub fn is_answered(&self, ticket: Ticket) -> Result<bool, TicketError> {
        let slot = self.slot(ticket)?;
        match self.slots[slot as usize].state {
            State::Waiting => Ok(false),
            State::Answered => Ok(true),
            State::Free | State::Watched => Err(TicketError::Stale { number: ticket.number }),
        }
    }

    /// Moves the answer to a ticket out of the book; `false` if there is none yet.
    pub fn take(&mut self, ticket: Ticket, into: &mut PathAnswer) -> Result<bool, TicketError> {
        if !self.is_answered(ticket)? {
            return Ok(false);
        }
        let slot = ticket.slot;
        let job = &mut self.jobs[self.slots[slot as usize].job as usize];
        if let Some(work) = &mut job.work {
            (into.outcome, into.expanded) = (work.outcome, work.expanded);
            if job.tickets == 1 {
                std::mem::swap(&mut work.path, &mut into.path);
            } else {
                into.path.copy_from(&work.path);
            }
        }
        (into.validity, into.revision, into.repeats) = (job.validity, job.revision, job.repeats);
        self.detach(slot);
        self.counts.answered -= 1;
        if self.slots[slot as usize].watch {
            self.slots[slot as usize].state = State::Watched;
            self.counts.watched += 1;
        } else {
            self.free(slot);
        }
        self.tidy_answered();
        Ok(true)
    }

    /// Returns the lowest ticket that is answered and not taken.
    pub fn first_answered(&mut self) -> Option<Ticket> {
        while let Some(&Reverse((number, slot))) = self.answered.peek() {
            let found = &self.slots[slot as usize];
            if found.number == number && found.state == State::Answered {
                return Some(self.ticket(slot));
            }
            self.answered.pop();
        }
        None
    }

    /// Takes the most urgent work out of the queue.
    pub fn deal(&mut self) -> Option<Work> {
        while let Some(Reverse((turn, job))) = self.queue.pop() {
            let book = &mut self.jobs[job as usize];
            if book.stand == Stand::Waiting && book.turn == turn {
                book.stand = Stand::Away;
                self.counts.queued -= 1;
                let mut work = book.work.take()?;
                work.turn = turn;
                return Some(work);
            }
        }
        None
    }

    /// Takes back a work that no search has begun for, or that is to be searched for again.
    pub fn put_back(&mut self, mut work: Work, is_repeated: bool) {
        let job = work.job;
        if self.jobs[job as usize].tickets == 0 {
            return self.drop_work(work);
        }
        work.forget();
        let book = &mut self.jobs[job as usize];
        book.repeats += u32::from(is_repeated);
        (book.stand, book.work) = (Stand::Waiting, Some(work));
        let (turn, mut slot) = (book.turn, book.first);
        self.counts.queued += 1;
        self.queue.push(Reverse((turn, job)));
        while slot != NONE {
            // Its search begins after it came.
            self.slots[slot as usize].is_late = false;
            slot = self.slots[slot as usize].around[1];
        }
    }

    /// Whether anyone still asks for a work that is away, and how urgent it is by now.
    pub fn urgency(&self, work: &Work) -> Option<Turn> {
        let job = &self.jobs[work.job as usize];
        (job.tickets > 0).then_some(job.turn)
    }

    /// Ends a job that is away and that no ticket asks for any more.
    pub fn drop_work(&mut self, work: Work) {
        let job = work.job;
        self.keep(work);
        self.close(job);
    }

    /// How often the search of a job has been repeated.
    pub fn repeats(&self, work: &Work) -> u32 {
        self.jobs[work.job as usize].repeats
    }

    /// Notes the answer to a job. Calls `visit` with each ticket that is answered, the path, and whether to watch it. Those that came after
    /// the search had begun, in a world that has changed since, wait for another one.
    pub fn answer(
        &mut self,
        work: Work,
        (validity, revision): (Validity, Revision),
        mut visit: impl FnMut(Ticket, &Path, bool) -> Option<SubscriptionId>,
    ) {
        let job = work.job;
        self.close_question(job);
        if validity != Validity::Current {
            self.part_from_late(&work);
        }
        let (service, Job { tickets, first, .. }) = (self.service, &self.jobs[job as usize]);
        let (tickets, mut slot) = (*tickets, *first);
        self.counts.waiting -= tickets as usize;
        self.counts.answered += tickets as usize;
        while slot != NONE {
            let ticket = &mut self.slots[slot as usize];
            ticket.state = State::Answered;
            self.answered.push(Reverse((ticket.number, slot)));
            ticket.subscription =
                visit(Ticket { number: ticket.number, slot, service }, &work.path, ticket.watch);
            slot = ticket.around[1];
        }
        let book = &mut self.jobs[job as usize];
        (book.stand, book.work) = (Stand::Answered, Some(work));
        (book.validity, book.revision) = (validity, revision);
        if tickets == 0 {
            // All of them were late.
            self.close(job);
        }
    }

    /// Gives the late tickets of a job one of their own.
    fn part_from_late(&mut self, work: &Work) {
        let (mut slot, mut other) = (self.jobs[work.job as usize].first, NONE);
        while slot != NONE {
            let Slot { around: [_, next], is_late, number, .. } = self.slots[slot as usize];
            if is_late {
                if other == NONE {
                    let mut copy = self.spare.pop().unwrap_or_default();
                    copy.forget();
                    copy.question = Arc::clone(&work.question);
                    let Job { turn, digest, .. } = self.jobs[work.job as usize];
                    other = self.new_job(copy, (turn.0, number), digest);
                }
                self.move_ticket(slot, other);
            }
            slot = next;
        }
    }

    /// Moves a ticket to another job. The job that it leaves is away, or about to be answered.
    fn move_ticket(&mut self, slot: u32, to: u32) {
        let Slot { job, around: [before, after], .. } = self.slots[slot as usize];
        self.jobs[job as usize].tickets -= 1;
        match before {
            NONE => self.jobs[job as usize].first = after,
            before => self.slots[before as usize].around[1] = after,
        }
        if after != NONE {
            self.slots[after as usize].around[0] = before;
        }
        self.slots[slot as usize].is_late = false;
        self.attach(slot, to);
    }

    /// Leaves out worthless entries once there are more of them than others.
    fn tidy_queue(&mut self) {
        if self.queue.len() > 2 * self.counts.queued + 64 {
            let jobs = &self.jobs;
            self.queue.retain(|Reverse((turn, job))| {
                let job = &jobs[*job as usize];
                job.stand == Stand::Waiting && job.turn == *turn
            });
        }
    }

    /// The same for answers.
    fn tidy_answered(&mut self) {
        if self.answered.len() > 2 * self.counts.answered + 64 {
            let slots = &self.slots;
            self.answered.retain(|Reverse((number, slot))| {
                let slot = &slots[*slot as usize];
                slot.number == *number && slot.state == State::Answered
            });
        }
    }
}

impl Job {
    /// Whether a request asks the same.
    fn asks(&self, request: &RequestSpec<'_>) -> bool {
        self.question.as_ref().is_some_and(|question| question.is_that_of(request))
    }
}

/// The question of a request as a number.
fn digest(request: &RequestSpec<'_>) -> u64 {
    let mut digest = Digest::default();
    for place in std::iter::once(&request.from).chain(request.goals) {
        match place {
            Place::Cell(cell) => digest.word(u64::from(cell.x as u32) << 32 | u64::from(cell.y as u32)),
            Place::Voxel(voxel) => {
                digest.word(u64::from(voxel.x as u32) << 32 | u64::from(voxel.y as u32));
                digest.word(voxel.z as u64);
            }
            Place::Node(node) => digest.word(node.0.into()),
            Place::Point(point) => digest.point(*point),
        }
    }
    digest.finish()
}
