//! What is asked of a service, and what comes back.

use crate::agent::Agent;
use crate::frame::Mode;
use crate::path::Path;
use crate::replan::PathChange;
use crate::search::auto;
use crate::search::{Algorithm, OptionError, Options, Outcome};
use crate::world::any::{Place, WorldKind};
use crate::world::journal::Revision;

/// How a [`PathService`](crate::service::PathService) works.
///
/// ```
/// use surefoot::service::{PathService, ServiceSpec};
/// let service = PathService::new(ServiceSpec { workers: 0, capacity: 500, ..ServiceSpec::default() });
/// assert_eq!(service.spec().capacity, 500);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceSpec {
    /// When results are used.
    pub mode: Mode,
    /// The number of worker threads. Without any, ticks do the work themselves. Results do not depend on it.
    pub workers: usize,
    /// The number of lanes, from 1 to 64: searches that share the budget of a tick, each with its own memory. More than the worker threads are
    /// of no use, except that short searches pass long ones. Results depend on it.
    pub lanes: usize,
    /// The largest number of tickets at a time: those that wait, those whose answers have not been taken, and those that are watched.
    pub capacity: usize,
    /// How often a search is repeated whose answer changes have outdated, before that answer is delivered for what it is.
    pub repeats: u32,
    /// How many ticks each level of priority is worth. See [`RequestSpec::priority`].
    pub head_start: u32,
}

impl Default for ServiceSpec {
    /// Deterministic, with one thread and four lanes, for 65,536 tickets.
    fn default() -> ServiceSpec {
        ServiceSpec {
            mode: Mode::Deterministic,
            workers: 1,
            lanes: 4,
            capacity: 65_536,
            repeats: 2,
            head_start: 60,
        }
    }
}

/// A request for a path.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::service::RequestSpec;
/// let goals = [Place::Cell(Cell::new(9, 9))];
/// let request = RequestSpec { priority: 2, ..RequestSpec::new(Cell::new(0, 0), &goals) };
/// assert_eq!(request.algorithm.name, "auto");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RequestSpec<'a> {
    /// Where the path starts.
    pub from: Place,
    /// The goals, of which the one that is cheapest to reach counts; at most [`MAX_GOALS`](RequestSpec::MAX_GOALS).
    pub goals: &'a [Place],
    /// The agent that walks.
    pub agent: Agent,
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// Its options.
    pub options: Options,
    /// Of two requests that wait, the one with the higher priority is served first; of two with the same, the one with the lower ticket. Each
    /// level is a head start of some [ticks](ServiceSpec::head_start): a request counts as that much older. So none waits for ever, however
    /// many with a higher priority come after it.
    pub priority: u8,
    /// The largest number of nodes that the search may expand. If that does not suffice, the answer is
    /// [`Why::Budget`](crate::search::Why::Budget).
    pub max_nodes: u64,
    /// Whether a path as close to the goals as possible is an answer. See [`Pathfinder::set_partial`](crate::search::Pathfinder::set_partial).
    pub partial: bool,
    /// Whether the answer is watched after it has been delivered. See [`PathService::touched`](crate::service::PathService::touched).
    pub watch: bool,
}

impl<'a> RequestSpec<'a> {
    /// The largest number of goals of a request.
    pub const MAX_GOALS: usize = 1024;

    /// Creates a request by a default agent, by the algorithm `auto`, of priority 0, without limits.
    pub fn new(from: impl Into<Place>, goals: &'a [Place]) -> RequestSpec<'a> {
        RequestSpec {
            from: from.into(),
            goals,
            agent: Agent::default(),
            algorithm: &auto::ALGORITHM,
            options: Options::default(),
            priority: 0,
            max_nodes: u64::MAX,
            partial: false,
            watch: false,
        }
    }
}

/// The number of a request. Tickets are ordered by when they were issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket {
    pub(super) number: u64,
    pub(super) slot: u32,
    /// The service that has issued it.
    pub(super) service: u32,
}

impl Ticket {
    /// Returns the number of the request, from 1. It is the same whatever else the program does.
    pub fn number(self) -> u64 {
        self.number
    }
}

/// For which world an answer holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Validity {
    /// The answer is what a search in the world of the tick that delivered it would have found: no change since its search has touched the
    /// path, and none can have made a cheaper one.
    #[default]
    Current,
    /// The path can be walked in the world of the tick that delivered it. It may cost more than when it was found, and there may be a
    /// cheaper one. It was the answer at its [revision](PathAnswer::revision).
    Walkable,
    /// It was the answer at its [revision](PathAnswer::revision). What has changed since has broken it, or may have made it possible.
    Past,
}

/// The answer to a request. Its memory serves for the next one.
///
/// ```
/// use surefoot::service::PathAnswer;
/// assert!(PathAnswer::default().path.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PathAnswer {
    /// How the search ended. Never paused.
    pub outcome: Outcome,
    /// The path. Empty if there is none.
    pub path: Path,
    /// For which world the answer holds.
    pub validity: Validity,
    /// The revision of the world of which the answer is what a search would find.
    pub revision: Revision,
    /// The number of nodes that the search has expanded.
    pub expanded: u64,
    /// How often it was repeated.
    pub repeats: u32,
}

impl Default for PathAnswer {
    /// Creates an empty answer.
    fn default() -> PathAnswer {
        PathAnswer {
            outcome: Outcome::Paused,
            path: Path::default(),
            validity: Validity::Current,
            revision: Revision::default(),
            expanded: 0,
            repeats: 0,
        }
    }
}

/// A watched answer, and what happened to its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TouchedTicket {
    /// The ticket.
    pub ticket: Ticket,
    /// What happened to the path.
    pub change: PathChange,
}

/// What happened in a tick of a [`PathService`](crate::service::PathService).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickReport {
    /// The number of the tick, from 1.
    pub tick: u64,
    /// The number of nodes that the searches expanded whose work came back: that of the last tick, or of an earlier one in
    /// [`Mode::Eager`].
    pub expanded: u64,
    /// The number of searches that were started in that work.
    pub started: usize,
    /// The number of tickets that were answered.
    pub answered: usize,
    /// The number of searches that are repeated, because changes have outdated their answers.
    pub repeated: usize,
    /// The number of tickets that wait for an answer.
    pub waiting: usize,
    /// Whether the workers were not done. Then nothing else has happened in this tick. Only in [`Mode::Eager`].
    pub is_late: bool,
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// There are as many tickets as the service holds.
    #[error(
        "the service is full: it holds {capacity} tickets that wait, are answered but not taken, or are watched"
    )]
    Full {
        /// The largest number of tickets.
        capacity: usize,
    },
    /// There are too many goals.
    #[error("found {found} goals, expected at most {most}", most = RequestSpec::MAX_GOALS)]
    TooManyGoals {
        /// The number of goals.
        found: usize,
    },
    /// The algorithm does not support the options.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The algorithm finds paths at any angle, and changes that break such a path are not reported.
    #[error("paths of {algorithm} cannot be watched: expected an algorithm whose paths consist of steps")]
    NotWatchable {
        /// The title of the algorithm.
        algorithm: &'static str,
    },
}

/// What is wrong with a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TicketError {
    /// Another service has issued it.
    #[error("ticket {number} was issued by another service")]
    Foreign {
        /// The number of the ticket.
        number: u64,
    },
    /// Its answer has been taken, or it has been cancelled.
    #[error("ticket {number} is no longer valid: its answer has been taken, or it has been cancelled")]
    Stale {
        /// The number of the ticket.
        number: u64,
    },
}

/// Why a tick cannot serve a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TickError {
    /// Workers need a copy of the world, and a user-defined graph has none.
    #[error("found a {}, expected a world that can be copied: a grid, a waypoint graph or a voxel world", kind.noun())]
    NoCopy {
        /// The kind of world.
        kind: WorldKind,
    },
}
