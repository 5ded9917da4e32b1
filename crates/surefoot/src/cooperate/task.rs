//! What agents have to do, and why that may be refused.

use std::fmt;

use crate::agent::Moves;
use crate::cooperate::Cooperation;
use crate::id::NodeId;
use crate::space::Cell;

/// The start and the goal of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    /// Where the agent is.
    pub start: NodeId,
    /// Where it has to go. An agent without a goal only gets out of the way of others.
    pub goal: Option<NodeId>,
}

impl Task {
    /// Creates the task of an agent that has to go from a start to a goal.
    pub const fn new(start: NodeId, goal: NodeId) -> Task {
        Task { start, goal: Some(goal) }
    }

    /// Creates the task of an agent that only gets out of the way.
    pub const fn without_goal(start: NodeId) -> Task {
        Task { start, goal: None }
    }
}

/// Whether a start or a goal is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The start.
    Start,
    /// The goal.
    Goal,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Start => "start",
            End::Goal => "goal",
        })
    }
}

/// Why a [`Cooperation`] cannot start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CooperateError {
    /// The movement rule lets agents cut corners.
    #[error("movement rule {0} is not supported: expected 4 or 8")]
    UnsupportedMoves(Moves),
    /// The agents are so large that they do not fit into neighbouring cells.
    #[error("the radius of the agents is above half a cell: two of them do not fit beside each other")]
    TooWide,
    /// There are too many agents.
    #[error("found {found} agents, expected at most {}", Cooperation::MAX_AGENTS)]
    TooManyAgents {
        /// How many there are.
        found: usize,
    },
    /// A start or a goal is not a cell of the grid.
    #[error("the {end} of agent {agent}, node {}, is outside the grid", node.0)]
    Outside {
        /// The number of the agent, from 0.
        agent: usize,
        /// Which end.
        end: End,
        /// The node.
        node: NodeId,
    },
    /// An agent cannot stand on its start or goal, or that is not one of the cells it may use.
    #[error("the {end} of agent {agent}, cell {},{}, is blocked", cell.x, cell.y)]
    Blocked {
        /// The number of the agent, from 0.
        agent: usize,
        /// Which end.
        end: End,
        /// The cell.
        cell: Cell,
    },
    /// Two agents have the same start or the same goal.
    #[error("agents {first} and {second} have the same {end}, cell {},{}", cell.x, cell.y)]
    Shared {
        /// The number of the first agent, from 0.
        first: usize,
        /// The number of the second agent.
        second: usize,
        /// Which end.
        end: End,
        /// The cell.
        cell: Cell,
    },
    /// The distances to all goals may need too much memory.
    #[error("{agents} agents on {cells} cells may need {needed} bytes, the limit is {limit}")]
    TooLarge {
        /// The number of agents with a goal.
        agents: usize,
        /// The number of cells.
        cells: usize,
        /// What they may need.
        needed: u64,
        /// The limit.
        limit: u64,
    },
}
