//! The service: tickets in, answers out, once per tick.

use std::fmt;
use std::sync::Arc;

use crate::agent::Agent;
use crate::frame::{Mode, Report, Rounds};
use crate::id::NodeId;
use crate::path::Path;
use crate::replan::subscriptions::Judge;
use crate::replan::{PathChange, SubscriptionId, Subscriptions, Touched};
use crate::search::admit::admit;
use crate::search::{Outcome, Why};
use crate::service::book::Book;
use crate::service::lane::{Lane, Lanes, Question, START, Snapshot, Work};
use crate::service::spec::{
    PathAnswer, RequestError, RequestSpec, ServiceSpec, TickError, TickReport, Ticket, TicketError,
    TouchedTicket, Validity,
};
use crate::world::any::{View, locate, on_world};
use crate::world::replica::Replica;
use crate::world::space::SearchSpace;

/// The most lanes.
const MOST_LANES: usize = 64;

/// The most works that a lane is dealt in a tick.
const MOST_DEALT: u64 = 256;

/// Answers requests for paths, some in every tick. See the [module](crate::service).
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::service::{PathAnswer, PathService, RequestSpec, ServiceSpec, TicketError, Validity};
///
/// let grid = Grid::new(50, 50).unwrap();
/// let view = grid.view(&Agent::default());
/// let mut service = PathService::new(ServiceSpec::default());
/// let goals = [Place::Cell(Cell::new(49, 20))];
/// let tickets: Vec<_> =
///     (0..10).map(|y| service.request(&RequestSpec::new(Cell::new(0, y), &goals)).unwrap()).collect();
///
/// let (mut answers, mut answer) = (Vec::new(), PathAnswer::default());
/// while answers.len() < 10 {
///     service.tick(view, 200).unwrap(); // 200 nodes per frame, whatever the machine
///     while let Some(ticket) = service.next_into(&mut answer) {
///         assert_eq!((answer.outcome, answer.validity), (Outcome::Found, Validity::Current));
///         answers.push(ticket);
///     }
/// }
/// assert!(tickets.iter().all(|ticket| answers.contains(ticket)));
/// assert!(matches!(service.cancel(tickets[0]), Err(TicketError::Stale { number: 1 })));
/// ```
pub struct PathService {
    spec: ServiceSpec,
    book: Book,
    rounds: Rounds<Lanes>,
    /// The lanes that no worker has.
    lanes: Vec<Lane>,
    /// Memory of the list of lanes that are handed out.
    outgoing: Vec<Lane>,
    /// A copy of the world, which searches take theirs from.
    replica: Option<Replica>,
    /// A copy of the replica, as it is now.
    snapshot: Option<Arc<Snapshot>>,
    judge: Judge,
    /// Memory for looking at goals again.
    goals: Vec<Result<NodeId, Why>>,
    reachable: Vec<NodeId>,
    /// The answers that have come back.
    done: Vec<Work>,
    subscriptions: Subscriptions,
    /// By place of the subscription: the slot of its ticket.
    watchers: Vec<u32>,
    reported: Vec<Touched>,
    answered: Vec<Ticket>,
    touched: Vec<TouchedTicket>,
    /// What searches have expanded in the mean of late.
    typical: u64,
    report: TickReport,
}

impl fmt::Debug for PathService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PathService")
            .field("spec", &self.spec)
            .field("workers", &self.workers())
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

impl Default for PathService {
    fn default() -> PathService {
        PathService::new(ServiceSpec::default())
    }
}

impl PathService {
    /// Creates a service without requests. Starts as many worker threads as asked for, or as many as the system grants.
    pub fn new(spec: ServiceSpec) -> PathService {
        let lanes = spec.lanes.clamp(1, MOST_LANES);
        let lane = |number| Lane { number, ..Lane::default() };
        PathService {
            spec,
            book: Book::new(),
            // More threads than lanes would have nothing to do.
            rounds: Rounds::new(Lanes, spec.workers.min(lanes)),
            lanes: (0..lanes).map(lane).collect(),
            outgoing: Vec::with_capacity(lanes),
            replica: None,
            snapshot: None,
            judge: Judge::default(),
            goals: Vec::new(),
            reachable: Vec::new(),
            done: Vec::new(),
            subscriptions: Subscriptions::new(),
            watchers: Vec::new(),
            reported: Vec::new(),
            answered: Vec::new(),
            touched: Vec::new(),
            typical: 0,
            report: TickReport::default(),
        }
    }

    /// Returns how the service works.
    pub fn spec(&self) -> &ServiceSpec {
        &self.spec
    }

    /// Returns the number of worker threads.
    pub fn workers(&self) -> usize {
        self.rounds.workers()
    }

    /// Returns what happened in the last tick.
    pub fn report(&self) -> TickReport {
        self.report
    }

    /// Returns the number of tickets that wait for an answer.
    pub fn waiting(&self) -> usize {
        self.book.waiting()
    }

    /// Returns the number of tickets that are answered and not taken.
    pub fn ready(&self) -> usize {
        self.book.answered()
    }

    /// Asks for a path. A request that asks the same as one that waits gets the same answer, without a search of its own.
    pub fn request(&mut self, request: &RequestSpec<'_>) -> Result<Ticket, RequestError> {
        self.book.request(request, &self.spec, self.report.tick)
    }

    /// Withdraws a request, drops its answer, or stops watching it. The ticket is no longer valid afterwards.
    pub fn cancel(&mut self, ticket: Ticket) -> Result<(), TicketError> {
        if let Some(id) = self.book.cancel(ticket)? {
            self.subscriptions.unsubscribe(id);
        }
        Ok(())
    }

    /// Takes the answer to a ticket: swaps its path for the one in `answer`, whose memory is used again. Returns `false` if there is no answer
    /// yet. The ticket is no longer valid afterwards, unless it is watched.
    pub fn take_into(&mut self, ticket: Ticket, answer: &mut PathAnswer) -> Result<bool, TicketError> {
        self.book.take(ticket, answer)
    }

    /// Takes the answer to a ticket; `None` if there is none yet.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::service::{PathService, RequestSpec};
    /// let grid = Grid::new(9, 9).unwrap();
    /// let mut service = PathService::default();
    /// let ticket = service.request(&RequestSpec::new(Cell::new(0, 0), &[Place::Cell(Cell::new(8, 0))])).unwrap();
    /// assert_eq!(service.take(ticket), Ok(None));
    /// for _ in 0..2 {
    ///     service.tick(grid.view(&Agent::default()), 1000).unwrap();
    /// }
    /// assert_eq!(service.take(ticket).unwrap().unwrap().path.steps(), 8);
    /// assert!(service.take(ticket).is_err(), "an answer is taken once");
    /// ```
    pub fn take(&mut self, ticket: Ticket) -> Result<Option<PathAnswer>, TicketError> {
        let mut answer = PathAnswer::default();
        Ok(self.take_into(ticket, &mut answer)?.then_some(answer))
    }

    /// Takes the answer to the lowest ticket that has one, and returns the ticket; `None` if all answers have been taken.
    pub fn next_into(&mut self, answer: &mut PathAnswer) -> Option<Ticket> {
        let ticket = self.book.first_answered()?;
        // It is answered, so it is taken.
        self.book.take(ticket, answer).ok()?.then_some(ticket)
    }

    /// Returns the tickets that were answered in the last tick, in their order.
    pub fn answered(&self) -> &[Ticket] {
        &self.answered
    }

    /// Returns what changes did in the last tick to the paths of tickets that are [watched](RequestSpec::watch), by ticket. The rules are those
    /// of [`Subscriptions`]. A ticket is watched from its answer on until it is [cancelled](PathService::cancel).
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::replan::PathChange;
    /// use surefoot::service::{PathService, RequestSpec, TouchedTicket};
    /// let mut grid = Grid::new(9, 9).unwrap();
    /// let agent = Agent::default();
    /// let mut service = PathService::default();
    /// let goals = [Place::Cell(Cell::new(8, 0))];
    /// let request = RequestSpec { watch: true, ..RequestSpec::new(Cell::new(0, 0), &goals) };
    /// let ticket = service.request(&request).unwrap();
    /// for _ in 0..2 {
    ///     service.tick(grid.view(&agent), 1000).unwrap();
    /// }
    /// assert!(service.take(ticket).unwrap().is_some());
    /// grid.set(Cell::new(4, 7), Terrain::WALL).unwrap();
    /// service.tick(grid.view(&agent), 1000).unwrap();
    /// assert!(service.touched().is_empty(), "not on its path");
    /// grid.set(Cell::new(4, 0), Terrain::WALL).unwrap();
    /// service.tick(grid.view(&agent), 1000).unwrap();
    /// assert_eq!(service.touched(), [TouchedTicket { ticket, change: PathChange::Broken }]);
    /// service.cancel(ticket).unwrap();
    /// ```
    pub fn touched(&self) -> &[TouchedTicket] {
        &self.touched
    }

    /// Records that the unit has made `steps` steps along the path of a watched ticket: what is behind it no longer matters. Returns `false` if
    /// the ticket is not watched.
    pub fn advance(&mut self, ticket: Ticket, steps: usize) -> Result<bool, TicketError> {
        let id = self.book.subscription(ticket)?;
        Ok(id.is_some_and(|id| self.subscriptions.advance(id, steps)))
    }

    /// Takes what the workers have done, delivers answers, follows the world, and hands out work for `budget` expanded nodes.
    ///
    /// The view is that of any agent; it serves to read the world. Answers come one tick after their searches have ended, so that workers have
    /// the time between two ticks.
    ///
    /// # Panics
    /// If a worker has panicked, as the same work on this thread would.
    pub fn tick<'a>(&mut self, view: impl Into<View<'a>>, budget: u64) -> Result<TickReport, TickError> {
        let view = view.into();
        self.report = TickReport { tick: self.report.tick + 1, ..TickReport::default() };
        self.answered.clear();
        self.touched.clear();
        self.collect();
        if !self.rounds.is_idle() {
            self.report.is_late = true;
            self.report.waiting = self.book.waiting();
            return Ok(self.report);
        }
        self.come_back();
        self.follow(&view)?;
        self.deliver();
        self.watch();
        self.hand_out(budget);
        self.report.waiting = self.book.waiting();
        Ok(self.report)
    }

    /// Takes lanes from the workers.
    fn collect(&mut self) {
        let wait = self.spec.mode == Mode::Deterministic;
        while let Some(report) = self.rounds.next(wait) {
            if let Report::Done { task, .. } = report {
                self.lanes.push(task);
            }
        }
    }

    /// Takes the works out of the lanes that have come back. Which thread had which lane makes no difference.
    fn come_back(&mut self) {
        self.lanes.sort_unstable_by_key(|lane| lane.number);
        for lane in &mut self.lanes {
            self.report.expanded += std::mem::take(&mut lane.expanded);
            self.report.started += std::mem::take(&mut lane.started);
            lane.snapshot = None;
            self.done.append(&mut lane.done);
            while let Some(work) = lane.dealt.pop() {
                self.book.put_back(work, false);
            }
            for desk in &mut lane.desks {
                let Some(work) = &mut desk.work else { continue };
                match self.book.urgency(work) {
                    Some(turn) => work.turn = turn,
                    None => {
                        if let Some(work) = desk.work.take() {
                            self.book.drop_work(work);
                        }
                    }
                }
            }
        }
    }

    /// Lets the copy of the world follow.
    fn follow(&mut self, view: &View<'_>) -> Result<(), TickError> {
        if self.replica.as_ref().is_some_and(|replica| replica.of() == view.revision()) {
            return Ok(());
        }
        // Before anything changes: a copy that nothing holds any more makes changes no more expensive.
        self.snapshot = None;
        if !self.replica.as_mut().is_some_and(|replica| replica.follow(view)) {
            self.replica = Some(Replica::new(view).ok_or(TickError::NoCopy { kind: view.kind() })?);
            self.judge = Judge::default();
        }
        Ok(())
    }

    /// Judges the answers by what has changed since their searches began, and delivers them.
    fn deliver(&mut self) {
        let Some(replica) = self.replica.take() else { return };
        let mut done = std::mem::take(&mut self.done);
        // Those of the same moment together, so that its changes are read once.
        done.sort_unstable_by_key(|work| (work.snapshot.as_ref().map(|snapshot| snapshot.tick), work.turn));
        for mut work in done.drain(..) {
            self.typical = (7 * self.typical + work.expanded + START).div_ceil(8);
            if self.book.urgency(&work).is_none() {
                self.book.drop_work(work);
                continue;
            }
            let Some(snapshot) = work.snapshot.take() else {
                self.book.put_back(work, false);
                continue;
            };
            let validity = self.validity(&mut work, &snapshot, &replica);
            let may_repeat = validity != Validity::Current && !is_about_effort(work.outcome);
            if may_repeat && self.book.repeats(&work) < self.spec.repeats {
                self.report.repeated += 1;
                self.book.put_back(work, true);
                continue;
            }
            let revision = if validity == Validity::Current { replica.of() } else { snapshot.of };
            let now = replica.world().view(&work.question.agent);
            let PathService { book, answered, subscriptions, watchers, .. } = self;
            book.answer(work, (validity, revision), |ticket, path, is_watched| {
                answered.push(ticket);
                is_watched.then(|| {
                    let id = subscriptions.subscribe(now, path);
                    watchers.resize(watchers.len().max(id.index() + 1), 0);
                    watchers[id.index()] = ticket.slot;
                    id
                })
            });
        }
        self.done = done;
        self.answered.sort_unstable();
        self.report.answered = self.answered.len();
        self.replica = Some(replica);
    }

    fn validity(&mut self, work: &mut Work, snapshot: &Snapshot, replica: &Replica) -> Validity {
        let (agent, goals) = (&work.question.agent, &work.question.goals);
        let (then, now) = (snapshot.world.view(agent), replica.world().view(agent));
        if is_about_search(work.outcome) && then.revision() != now.revision() {
            return Validity::Past;
        }
        let mut change = self.judge.judge(&then, &now, &mut work.path, goals);
        if matches!(work.outcome, Outcome::Partial(_)) {
            // It must still be impossible to get closer, too.
            change = change.or_else(|| self.judge.judge(&then, &now, &mut Path::default(), goals));
        }
        match (work.outcome, change) {
            (_, None) => Validity::Current,
            (Outcome::Unreachable(why), _) if is_about_places(why) => Validity::Current,
            (Outcome::Unreachable(_), Some(_)) => match self.still_unreachable(&now, &work.question) {
                Some(why) => {
                    work.outcome = Outcome::Unreachable(why);
                    Validity::Current
                }
                None => Validity::Past,
            },
            (
                Outcome::Found | Outcome::Partial(_),
                Some(PathChange::CostIncreased | PathChange::MayImprove),
            ) => Validity::Walkable,
            _ => Validity::Past,
        }
    }

    /// Returns why no goal can be reached, if that is known without a search.
    fn still_unreachable(&mut self, now: &View<'_>, question: &Question) -> Option<Why> {
        if !on_world!(now, space => space.knows_reach() && space.has_reach_at_hand()) {
            return None;
        }
        self.goals.clear();
        self.goals.extend(question.goals.iter().map(|&goal| locate(goal, now, Why::GoalOutside)));
        let start = locate(question.from, now, Why::StartOutside);
        admit(now, start, &self.goals, &mut self.reachable).err()
    }

    /// Reports what changes did to the paths that are watched.
    fn watch(&mut self) {
        let Some(replica) = self.replica.as_ref().filter(|_| !self.subscriptions.is_empty()) else { return };
        self.subscriptions.changes(replica.world().view(&Agent::default()), &mut self.reported);
        let PathService { book, watchers, .. } = self;
        let ticket = |id: SubscriptionId| book.ticket(watchers[id.index()]);
        let touched = self
            .reported
            .drain(..)
            .map(|Touched { id, change }| TouchedTicket { ticket: ticket(id), change });
        self.touched.extend(touched);
        self.touched.sort_unstable_by_key(|touched| touched.ticket);
    }

    /// Deals the most urgent works to the lanes, and gives each lane that has something to do an equal part of the budget.
    fn hand_out(&mut self, budget: u64) {
        self.deal(budget);
        let is_busy = |lane: &Lane| !lane.dealt.is_empty() || lane.begun().is_some();
        let busy = self.lanes.iter().filter(|lane| is_busy(lane)).count() as u64;
        if busy == 0 || budget == 0 {
            return;
        }
        let (part, rest) = (budget / busy, budget % busy);
        let mut given = 0;
        for at in (0..self.lanes.len()).rev() {
            if is_busy(&self.lanes[at]) {
                let mut lane = self.lanes.swap_remove(at);
                lane.budget = part + u64::from(given < rest);
                given += 1;
                self.outgoing.push(lane);
            }
        }
        self.rounds.start(self.report.tick, (), &mut self.outgoing);
    }

    fn deal(&mut self, budget: u64) {
        if !self.book.has_queue() || budget == 0 {
            return;
        }
        let Some(snapshot) = self.take_snapshot() else { return };
        let lanes = self.lanes.len();
        // Twice as many as are likely to be done, if this goes on as it did.
        let most = (2 * budget / (lanes as u64 * self.typical.max(START)) + 1).clamp(2, MOST_DEALT) as usize;
        let mut room = lanes * most;
        // A lane with a search that has begun is likely to spend half of its part on it.
        let load = |lane: &Lane| lane.dealt.len() + if lane.begun().is_some() { most / 2 } else { 0 };
        while room > 0
            && let Some(lane) = (0..lanes).min_by_key(|&at| load(&self.lanes[at]))
            && load(&self.lanes[lane]) < most
            && let Some(work) = self.book.deal()
        {
            self.lanes[lane].dealt.push(work);
            room -= 1;
        }
        for lane in &mut self.lanes {
            lane.dealt.reverse();
            lane.snapshot = Some(Arc::clone(&snapshot));
        }
    }

    /// Returns a copy of the world as it is now.
    fn take_snapshot(&mut self) -> Option<Arc<Snapshot>> {
        let (replica, tick) = (self.replica.as_ref()?, self.report.tick);
        let copy = || Arc::new(Snapshot { world: replica.world().clone(), of: replica.of(), tick });
        Some(Arc::clone(self.snapshot.get_or_insert_with(copy)))
    }
}

/// Whether an answer is about how much a search may do, not about the world.
fn is_about_effort(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Unreachable(Why::Budget | Why::CostOverflow) | Outcome::Partial(Why::Budget))
}

/// Whether an answer is about whether the algorithm supports the world, which any change may decide.
fn is_about_search(outcome: Outcome) -> bool {
    is_about_effort(outcome) || matches!(outcome, Outcome::Unreachable(Why::NotApplicable | Why::NotPrepared))
}

/// Whether a reason depends on nothing that changes.
fn is_about_places(why: Why) -> bool {
    matches!(why, Why::StartOutside | Why::GoalOutside | Why::NoGoals | Why::WrongPlace)
}
