//! Searches in slices: what a worker does with its share of a tick.

use std::sync::Arc;

use crate::agent::Agent;
use crate::frame::Stage;
use crate::id::NodeId;
use crate::path::Path;
use crate::search::{Algorithm, Options, Outcome, Pathfinder};
use crate::service::spec::RequestSpec;
use crate::world::any::{Place, World, on_world};
use crate::world::journal::Revision;
use crate::world::space::SearchSpace;

/// What starting a search counts, in expanded nodes: some requests are answered without expanding any, and still take time.
pub(super) const START: u64 = 8;

/// How many searches a lane can have at a time: a search may be set aside for another one that is more urgent, and that one may not.
const DESKS: usize = 2;

/// How many pathfinders a desk keeps, for different algorithms and options.
const MOST_FINDERS: usize = 8;

/// The world at the beginning of a tick.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub world: World,
    /// The revision of the original.
    pub of: Revision,
    pub tick: u64,
}

/// When it is the turn of a request: the lower, the sooner. The tick in which it arrived, less what its priority is worth, and the number
/// of its ticket.
pub(super) type Turn = (i64, u64);

/// What is asked.
#[derive(Debug)]
pub(super) struct Question {
    pub from: Place,
    pub goals: Vec<Place>,
    pub agent: Agent,
    pub algorithm: &'static Algorithm,
    pub options: Options,
    pub max_nodes: u64,
    pub partial: bool,
}

impl Default for Question {
    fn default() -> Question {
        Question::of(&RequestSpec::new(NodeId(0), &[]))
    }
}

impl Question {
    fn of(request: &RequestSpec<'_>) -> Question {
        let RequestSpec { from, goals, agent, algorithm, options, max_nodes, partial, .. } = *request;
        Question { from, goals: goals.to_vec(), agent, algorithm, options, max_nodes, partial }
    }

    /// Becomes that of a request.
    pub fn set(&mut self, request: &RequestSpec<'_>) {
        self.goals.clear();
        self.goals.extend_from_slice(request.goals);
        let goals = std::mem::take(&mut self.goals);
        *self = Question { goals, ..Question::of(&RequestSpec { goals: &[], ..*request }) };
    }

    /// Whether a request asks the same.
    pub fn is_that_of(&self, request: &RequestSpec<'_>) -> bool {
        self.from == request.from
            && self.goals == request.goals
            && self.agent == request.agent
            && self.algorithm.name == request.algorithm.name
            && self.options == request.options
            && (self.max_nodes, self.partial) == (request.max_nodes, request.partial)
    }
}

/// A question and, once there is one, its answer.
#[derive(Debug)]
pub(super) struct Work {
    pub job: u32,
    pub turn: Turn,
    pub question: Arc<Question>,
    /// The world of its search, once that has begun.
    pub snapshot: Option<Arc<Snapshot>>,
    pub expanded: u64,
    pub outcome: Outcome,
    pub path: Path,
}

impl Default for Work {
    fn default() -> Work {
        Work {
            job: 0,
            turn: (0, 0),
            question: Arc::default(),
            snapshot: None,
            expanded: 0,
            outcome: Outcome::Paused,
            path: Path::default(),
        }
    }
}

impl Work {
    /// Makes the search begin anew, in another world.
    pub fn forget(&mut self) {
        self.snapshot = None;
        self.expanded = 0;
        self.outcome = Outcome::Paused;
        self.path.clear();
    }
}

/// The memory of a search, and the search that uses it.
#[derive(Debug, Default)]
pub(super) struct Desk {
    finders: Vec<Pathfinder>,
    /// Which of them the search uses.
    used: usize,
    pub work: Option<Work>,
}

impl Desk {
    /// Starts a search.
    fn start(&mut self, work: Work) {
        let question = &work.question;
        let fits = |finder: &Pathfinder| {
            finder.algorithm().name == question.algorithm.name && *finder.options() == question.options
        };
        self.used = self.finders.iter().position(fits).unwrap_or_else(|| {
            if self.finders.len() == MOST_FINDERS {
                self.finders.remove(0);
            }
            // The options were checked when the request was made.
            let finder = Pathfinder::new(question.algorithm, &question.options).unwrap_or_default();
            self.finders.push(finder);
            self.finders.len() - 1
        });
        let finder = &mut self.finders[self.used];
        if let Some(snapshot) = &work.snapshot {
            finder.set_partial(question.partial);
            let view = snapshot.world.view(&question.agent);
            on_world!(&view, space => space.make_reach());
            finder.start(view, question.from, &question.goals);
        }
        self.work = Some(work);
    }

    /// Continues the search for a number of nodes. Returns how many it has expanded, and the work if it is done.
    fn resume(&mut self, budget: u64) -> (u64, Option<Work>) {
        let (Some(work), Some(finder)) = (&mut self.work, self.finders.get_mut(self.used)) else {
            return (0, None);
        };
        let Some(snapshot) = &work.snapshot else { return (0, self.work.take()) };
        let (view, most) = (snapshot.world.view(&work.question.agent), work.question.max_nodes);
        let before = finder.stats().expanded;
        work.outcome = finder.resume(view, budget.min(most.saturating_sub(work.expanded)));
        let spent = finder.stats().expanded.saturating_sub(before);
        work.expanded += spent;
        if work.outcome == Outcome::Paused && work.expanded >= most {
            work.outcome = finder.give_up(view);
        }
        if work.outcome == Outcome::Paused {
            return (spent, None);
        }
        finder.take_path(&mut work.path);
        (spent, self.work.take())
    }
}

/// A part of the budget of a tick, and what it is spent on. Which searches are in which lane depends on the requests alone.
#[derive(Debug, Default)]
pub(super) struct Lane {
    pub number: usize,
    /// The world for searches that begin in this tick.
    pub snapshot: Option<Arc<Snapshot>>,
    pub budget: u64,
    pub expanded: u64,
    pub started: usize,
    pub desks: [Desk; DESKS],
    /// What is to be done; the next is the last.
    pub dealt: Vec<Work>,
    pub done: Vec<Work>,
}

impl Lane {
    /// The turn of the most urgent search that has begun.
    pub fn begun(&self) -> Option<Turn> {
        self.desks.iter().filter_map(|desk| desk.work.as_ref()).map(|work| work.turn).min()
    }

    /// Spends the budget: most urgent first. A search that has begun is set aside for one that is more urgent, if there is memory for both.
    fn spend(&mut self) {
        (self.expanded, self.started) = (0, 0);
        let mut left = self.budget;
        while left > 0 {
            let begun = self.begun();
            let next = self.dealt.last().map(|work| work.turn);
            let is_next = next.is_some_and(|next| begun.is_none_or(|begun| next < begun));
            let free = self.desks.iter_mut().find(|desk| desk.work.is_none()).filter(|_| is_next);
            if let Some((desk, mut work)) = free.and_then(|desk| Some((desk, self.dealt.pop()?))) {
                work.snapshot.clone_from(&self.snapshot);
                desk.start(work);
                self.started += 1;
                left = left.saturating_sub(START);
            }
            let begun = self.begun();
            let mut desks = self.desks.iter_mut();
            let Some(desk) =
                desks.find(|desk| desk.work.as_ref().map(|work| work.turn) == begun && begun.is_some())
            else {
                break;
            };
            let (spent, done) = desk.resume(left);
            self.expanded += spent;
            // One that makes no progress uses up the budget, too.
            left = left.saturating_sub(spent.max(u64::from(done.is_none())));
            self.done.extend(done);
        }
    }
}

/// What worker threads do for a service. All that they need comes with the lanes.
pub(super) struct Lanes;

impl Stage for Lanes {
    type News = ();
    type Task = Lane;

    fn follow(&mut self, (): &mut ()) {}

    fn revision(&self) -> Revision {
        Revision::default()
    }

    fn work(&self, lane: &mut Lane) {
        lane.spend();
    }
}
