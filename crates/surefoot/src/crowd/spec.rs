//! What units are, where they have to go, and what may be wrong with that.

use thiserror::Error;

use crate::agent::{Agent, InvalidRadius};
use crate::crowd::Crowd;
use crate::id::NodeId;
use crate::search::{OptionError, Options, Why};
use crate::space::Cell;

/// The id of a unit of a crowd. Numbers are reused with another generation, so a stale id refers to no unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

impl UnitId {
    /// Returns the number of the unit, below [`Crowd::capacity`]. It is reused after the unit has been removed.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// A unit: a circle. Lengths are in cells, times in seconds.
///
/// ```
/// use surefoot::crowd::UnitSpec;
/// use surefoot::space::Cell;
/// let scout = UnitSpec { speed: 6.0, group: 2, ..UnitSpec::at_cell(Cell::new(3, 4)) };
/// assert_eq!((scout.at, scout.radius), ([3.5, 4.5], 0.4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitSpec {
    /// Where its centre is: the middle of cell (0, 0) is at (0.5, 0.5).
    pub at: [f64; 2],
    /// Its radius.
    pub radius: f64,
    /// Its speed on terrain of cost 1. On terrain of cost `n`, it walks at an `n`-th of it.
    pub speed: f64,
    /// How fast its velocity changes, at most.
    pub acceleration: f64,
    /// A number for the caller.
    pub group: u32,
}

impl UnitSpec {
    /// Creates a unit in the middle of a cell: radius 0.4, 4 cells per second, which it reaches after a quarter of a second.
    pub fn at_cell(cell: Cell) -> UnitSpec {
        let at = [cell.x, cell.y].map(|at| f64::from(at) + 0.5);
        UnitSpec { at, radius: 0.4, speed: 4.0, acceleration: 16.0, group: 0 }
    }
}

/// How units keep from running into each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Avoidance {
    /// Each unit chooses a velocity that avoids its neighbours, which do the same (optimal reciprocal collision avoidance), and no move lets two units overlap.
    #[default]
    Orca,
    /// A unit reserves its cell and the next cell of its path, takes another neighbouring cell if that is cheaper than waiting, and waits otherwise.
    Reserve,
    /// Units walk through each other.
    None,
}

/// What leads units to their goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Guidance {
    /// Each unit has a path of its own.
    #[default]
    Path,
    /// All units of the order share a field of distances to their goal, which is computed in the tick that first needs it and repaired after edits. Each unit follows it to near
    /// the goal; only the rest of its path, to its own place, is searched for.
    Field,
}

/// Where units have to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// A cell. Each unit gets a free cell near it as its place. If the cell is blocked, the nearest open one is the goal.
    Cell(Cell),
    /// A unit, which is followed once it is nearer than `begin` until it is nearer than `end`, between centres in cells. A unit that has arrived begins again when the target
    /// is further away than twice `end`, and waits where it is when the target is out of reach of `begin`.
    Unit {
        /// The target.
        id: UnitId,
        /// From which distance on it is followed.
        begin: f64,
        /// At which distance it is reached.
        end: f64,
    },
}

/// An order to some units.
///
/// ```
/// use surefoot::crowd::{Guidance, Order};
/// use surefoot::space::Cell;
/// let order = Order { guidance: Guidance::Field, ..Order::to(Cell::new(9, 9)) };
/// assert!(order.formation.is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Order<'a> {
    /// Where to go.
    pub goal: Goal,
    /// What leads the units there.
    pub guidance: Guidance,
    /// Where the place of each unit is from the goal, in cells, in the order of the units. Units without one get a free cell near the goal. A place that is blocked or taken is
    /// replaced by the nearest one that is not.
    pub formation: &'a [[i32; 2]],
}

impl Order<'_> {
    /// Creates an order to go to a cell, each unit on a path of its own.
    pub fn to(cell: Cell) -> Order<'static> {
        Order { goal: Goal::Cell(cell), guidance: Guidance::Path, formation: &[] }
    }

    /// Creates an order to follow a unit.
    pub fn after(id: UnitId, begin: f64, end: f64) -> Order<'static> {
        Order { goal: Goal::Unit { id, begin, end }, guidance: Guidance::Path, formation: &[] }
    }
}

/// How a crowd behaves.
///
/// ```
/// use surefoot::crowd::{Avoidance, CrowdOptions};
/// let options = CrowdOptions { avoidance: Avoidance::Reserve, budget: Some(5_000), ..CrowdOptions::default() };
/// assert!(options.resolve_jams);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdOptions<'a> {
    /// How units keep from running into each other.
    pub avoidance: Avoidance,
    /// Whether units that block each other are moved by a common plan.
    pub resolve_jams: bool,
    /// The movement rule, metric and terrain costs of paths. Its radius does not matter: units have their own.
    pub agent: Agent,
    /// The name of the algorithm that paths are planned with. All units share one search and its memory.
    pub algorithm: &'a str,
    /// The options of the algorithm.
    pub options: Options,
    /// How many nodes all plans of a tick may expand together; `None` is unlimited. Units without a plan wait, units with an old one follow it meanwhile.
    pub budget: Option<u64>,
    /// How many seconds a link takes for each cell of its cost.
    pub link_seconds: f64,
    /// The seed of the common plans.
    pub seed: u64,
}

impl Default for CrowdOptions<'_> {
    fn default() -> Self {
        CrowdOptions {
            avoidance: Avoidance::Orca,
            resolve_jams: true,
            agent: Agent::EIGHT_WAY,
            algorithm: "auto",
            options: Options::default(),
            budget: None,
            link_seconds: 0.25,
            seed: 0,
        }
    }
}

/// What a unit is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// It has no order. It makes room for others.
    Idle,
    /// It waits for its first path, or for its target to come near.
    Waiting,
    /// It is on its way.
    Walking,
    /// It is inside a link.
    InLink,
    /// It is at its goal.
    Arrived,
    /// It cannot go on, for the given reason. It tries again when that may have changed.
    Stuck(StuckReason),
}

/// Why a unit cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StuckReason {
    /// There is no path.
    NoPath(Why),
    /// Other units are in the way, and there is no arrangement that lets it pass, or none has been found with reasonable effort.
    Jammed,
    /// The unit that it followed no longer exists.
    TargetGone,
}

/// What happened in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A unit has entered a link.
    LinkEntered {
        /// The unit.
        id: UnitId,
        /// The start of the link.
        from: NodeId,
        /// The end of the link.
        to: NodeId,
    },
    /// A unit has left a link.
    LinkLeft {
        /// The unit.
        id: UnitId,
        /// The end of the link.
        at: NodeId,
    },
    /// A unit has got a path, or has found that there is none.
    Planned {
        /// The unit.
        id: UnitId,
        /// How many nodes the search expanded.
        expanded: u64,
    },
    /// A unit has arrived.
    Arrived(UnitId),
    /// A unit cannot go on.
    Stuck(UnitId, StuckReason),
    /// Units that block each other have been found, and are planned together.
    JamFound {
        /// How many.
        units: usize,
    },
    /// Units that blocked each other have been moved by a common plan and go on.
    JamResolved {
        /// How many.
        units: usize,
    },
    /// No arrangement has been found for units that block each other.
    JamFailed {
        /// How many.
        units: usize,
    },
}

/// What a crowd has done since it was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CrowdStats {
    /// The number of ticks.
    pub ticks: u64,
    /// The number of paths that were planned.
    pub plans: u64,
    /// The number of nodes that these plans expanded.
    pub expanded: u64,
    /// The number of jams that were found.
    pub jams_found: u64,
    /// The number of jams that a common plan resolved.
    pub jams_resolved: u64,
    /// The number of jams for which there was no arrangement.
    pub jams_failed: u64,
    /// How often two units of one order exchanged their places at the goal.
    pub exchanges: u64,
}

/// Why a unit, an order or a crowd was rejected.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// The algorithm or its options are invalid.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The algorithm keeps a tree for each agent.
    #[error("algorithm {0} repairs a tree for each agent: expected a search")]
    Incremental(&'static str),
    /// A radius is out of range.
    #[error("radius {0} is out of range: expected a number above 0 and at most {max}", max = Crowd::MAX_RADIUS)]
    Radius(f64),
    /// A radius is not one that agents can have.
    #[error(transparent)]
    AgentRadius(#[from] InvalidRadius),
    /// A number is out of range.
    #[error("{name} {found} is out of range: expected a number of at least 0")]
    Number {
        /// What it is.
        name: &'static str,
        /// The number.
        found: f64,
    },
    /// A place is not on the grid.
    #[error("place {},{} is outside the grid of {width} x {height} cells", at[0], at[1])]
    Outside {
        /// The place.
        at: [f64; 2],
        /// The number of columns of the grid.
        width: u32,
        /// The number of rows of the grid.
        height: u32,
    },
    /// A goal is not on the grid.
    #[error("goal {},{} is outside the grid of {width} x {height} cells", cell.x, cell.y)]
    GoalOutside {
        /// The goal.
        cell: Cell,
        /// The number of columns of the grid.
        width: u32,
        /// The number of rows of the grid.
        height: u32,
    },
    /// There are too many units.
    #[error("too many units: expected at most {max}", max = Crowd::MAX)]
    TooMany,
    /// There is no such unit.
    #[error("there is no unit {}: it has been removed, or belongs to another crowd", .0.index)]
    NoUnit(UnitId),
}
