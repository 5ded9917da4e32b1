//! How a search ended, and its statistics.

use std::fmt;

use crate::core::cost::Cost;
use crate::core::id::NodeId;

/// The result of a search. A missing path is a result, not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
#[must_use]
pub enum Outcome {
    /// A path to a goal was found.
    Found,
    /// There is no path.
    Unreachable(Why),
    /// The budget is used up or a breakpoint was hit. Resume the search to continue.
    Paused,
    /// There is no path to a goal. The path leads as close as possible. Only returned on request.
    Partial(Why),
}

impl Outcome {
    /// Returns whether a goal was reached.
    pub const fn is_found(self) -> bool {
        matches!(self, Outcome::Found)
    }
}

/// Why there is no path.
///
/// With several goals, the reason is that of the goal nearest to success, in the order [`WrongPlace`](Why::WrongPlace),
/// [`GoalOutside`](Why::GoalOutside), [`GoalBlocked`](Why::GoalBlocked), [`Disconnected`](Why::Disconnected),
/// [`TooNarrow`](Why::TooNarrow), [`OneWay`](Why::OneWay), from farthest to nearest. The descriptions below therefore hold for all
/// goals together, whatever their order.
///
/// ```
/// use surefoot::prelude::*;
/// let grid: Grid = "
///     ..#.
///     ..#.".parse().unwrap();
/// let view = grid.view(&Agent::default());
/// let mut finder = Pathfinder::default();
/// let why = finder.find(&view, Cell::new(0, 0), Cell::new(3, 0)).unwrap_err();
/// assert_eq!(why, Why::Disconnected);
/// let why = finder.find_nearest(&view, Cell::new(0, 0), &[Cell::new(2, 0), Cell::new(3, 0)]).unwrap_err();
/// assert_eq!(why, Why::Disconnected, "the first goal is a wall, the second is not");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Why {
    /// The start is not in the world, or a planner has no start yet.
    StartOutside,
    /// No goal is in the world.
    GoalOutside,
    /// The query has no goals.
    NoGoals,
    /// The start or every goal is of a type that identifies nothing in this kind of world: for example, a [`Cell`] in a voxel world.
    /// See [`Locate::suits`].
    ///
    /// [`Cell`]: crate::space::Cell
    /// [`Locate::suits`]: crate::world::any::Locate::suits
    WrongPlace,
    /// The start is a wall.
    StartBlocked,
    /// The agent is too large to stand at the start; a smaller agent could.
    StartTooNarrow,
    /// Every goal in the world is a wall.
    GoalBlocked,
    /// The start is not connected to any goal: a smaller agent could not get there either, nor could this one against the
    /// direction of one-way edges.
    Disconnected,
    /// Some goal is connected to the start only by edges or links that lead in the wrong direction.
    OneWay,
    /// A smaller agent could reach some goal: this one does not fit there or somewhere in between.
    TooNarrow,
    /// The search was abandoned because its budget was used up.
    Budget,
    /// Costs became too large for the search to hold.
    CostOverflow,
    /// The algorithm does not support this world for this agent. See [`Algorithm::refusal`](crate::search::Algorithm::refusal).
    NotApplicable,
    /// The map could not be prepared. See [`Pathfinder::prepare`](crate::search::Pathfinder::prepare).
    NotPrepared,
    /// The world or the agent changed while the search was paused. Start the search again.
    WorldChanged,
}

impl Why {
    /// Returns the name of the reason used in commands.
    pub const fn name(self) -> &'static str {
        match self {
            Why::StartOutside => "start_outside",
            Why::GoalOutside => "goal_outside",
            Why::NoGoals => "no_goals",
            Why::WrongPlace => "wrong_place",
            Why::StartBlocked => "start_blocked",
            Why::StartTooNarrow => "start_too_narrow",
            Why::GoalBlocked => "goal_blocked",
            Why::Disconnected => "disconnected",
            Why::OneWay => "one_way",
            Why::TooNarrow => "too_narrow",
            Why::Budget => "budget",
            Why::CostOverflow => "cost_overflow",
            Why::NotApplicable => "not_applicable",
            Why::NotPrepared => "not_prepared",
            Why::WorldChanged => "world_changed",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::StartOutside => "the start is outside the map",
            Why::GoalOutside => "the goal is outside the map",
            Why::NoGoals => "no goals were given",
            Why::WrongPlace => {
                "the start or the goal is of the wrong kind: grids have 2D cells, voxel worlds 3D cells, graphs nodes"
            }
            Why::StartBlocked => "the start is a wall",
            Why::StartTooNarrow => "the agent is too large to stand at the start",
            Why::GoalBlocked => "the goal is a wall",
            Why::Disconnected => "start and goal are not connected",
            Why::OneWay => "start and goal are connected only against the direction of one-way edges",
            Why::TooNarrow => "the goal or a passage is too narrow for an agent of this radius",
            Why::Budget => "the search was abandoned because its budget was used up",
            Why::CostOverflow => "path costs became too large",
            Why::NotApplicable => "the algorithm does not support this world for this agent",
            Why::NotPrepared => "the map could not be prepared for the algorithm",
            Why::WorldChanged => "the world changed while the search was paused",
        })
    }
}

impl std::error::Error for Why {}

/// Statistics of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(default))]
#[non_exhaustive]
pub struct Stats {
    /// Nodes taken from the open list and expanded; a node expanded twice counts twice.
    pub expanded: u64,
    /// Edges examined. Steps that are redundant on a uniform grid are not counted.
    pub generated: u64,
    /// Nodes reopened after they had been expanded, because a cheaper path was found.
    pub reopened: u64,
    /// The largest number of entries in the open list at once (outdated entries count until they are dropped).
    pub peak_open: u64,
    /// Bytes of memory held for the search.
    pub scratch_bytes: u64,
}

impl Stats {
    /// Returns the same counts without the memory, which depends on earlier queries. Two searches for the same result then
    /// compare equal.
    #[must_use]
    pub const fn without_memory(self) -> Stats {
        Stats { scratch_bytes: 0, ..self }
    }
}

/// The data of a search about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The cost of the best path to the node so far, in the [scale](crate::cost::Scale) of the world.
    pub g: Cost,
    /// The node before it on that path, or [`NodeId::NONE`] for a start.
    pub parent: NodeId,
    /// Whether the node has been expanded (and not been reopened since).
    pub closed: bool,
}
