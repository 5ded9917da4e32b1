//! The paths of all agents.

use std::fmt::Write as _;

use crate::id::NodeId;
use crate::world::grid::Grid;

/// Where all agents are, step by step.
///
/// ```
/// use surefoot::cooperate::{Cooperation, Task};
/// use surefoot::prelude::*;
/// let grid: Grid = "...\n#.#".parse().unwrap();
/// let agent = Agent::new().with_moves(Moves::Four);
/// let [left, right] = [Cell::new(0, 0), Cell::new(2, 0)].map(|cell| grid.node(cell).unwrap());
/// let mut cooperation = Cooperation::default();
/// cooperation.start(&grid.view(&agent), &[Task::new(left, right), Task::new(right, left)]).unwrap();
/// while !cooperation.resume(&grid.view(&agent), u64::MAX).is_final() {} // the first plan, then better ones
/// let plan = cooperation.plan().unwrap();
/// assert_eq!((plan.makespan(), plan.sum_of_costs()), (4, 7)); // one of them steps aside
/// assert_eq!(plan.at(0), [left, right]);
/// assert_eq!(plan.path(1).last(), Some(left));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    agents: usize,
    /// Step by step, the nodes of all agents.
    nodes: Vec<NodeId>,
    arrivals: Vec<u32>,
}

impl Plan {
    /// Creates a plan of the nodes of all agents, step by step, and the goals, which they reach.
    pub(super) fn new(nodes: Vec<NodeId>, goals: &[Option<NodeId>]) -> Plan {
        let agents = goals.len();
        let mut plan = Plan { agents, nodes, arrivals: Vec::new() };
        let arrival = |(agent, &goal): (usize, &Option<NodeId>)| {
            let away = |step: &usize| goal.is_some_and(|goal| plan.at(*step)[agent] != goal);
            (0..=plan.makespan()).rev().find(away).map_or(0, |step| step as u32 + 1)
        };
        let arrivals = goals.iter().enumerate().map(arrival).collect();
        plan.arrivals = arrivals;
        plan
    }

    /// Returns the number of agents.
    pub fn agents(&self) -> usize {
        self.agents
    }

    /// Returns the number of steps until all agents are at their goals.
    pub fn makespan(&self) -> usize {
        (self.nodes.len() / self.agents.max(1)).saturating_sub(1)
    }

    /// Returns the steps after which the agents reach their goals for good, added up. Agents without a goal do not count.
    pub fn sum_of_costs(&self) -> u64 {
        self.arrivals.iter().map(|&arrival| u64::from(arrival)).sum()
    }

    /// Returns after how many steps each agent reaches its goal for good; 0 for agents without a goal.
    pub fn arrivals(&self) -> &[u32] {
        &self.arrivals
    }

    /// Returns where the agents are after a number of steps. After the last step they stay where they are.
    pub fn at(&self, step: usize) -> &[NodeId] {
        let step = step.min(self.makespan());
        &self.nodes[step * self.agents..][..self.agents]
    }

    /// Returns where the agents are, step by step: all agents at the beginning, then all agents after one step, and so on.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// Returns the nodes of one agent, step by step.
    ///
    /// # Panics
    /// If there is no such agent.
    pub fn path(&self, agent: usize) -> impl Iterator<Item = NodeId> {
        assert!(agent < self.agents, "agent {agent} of {}", self.agents);
        self.nodes.iter().skip(agent).step_by(self.agents).copied()
    }

    /// Returns the plan as text, one line per step: `T:(x,y),(x,y),...`. Public programs that show such plans read it.
    ///
    /// ```
    /// # use surefoot::cooperate::{Cooperation, Task};
    /// # use surefoot::prelude::*;
    /// let grid = Grid::new(2, 1).unwrap();
    /// let [from, to] = [0, 1].map(|x| grid.node(Cell::new(x, 0)).unwrap());
    /// let mut cooperation = Cooperation::default();
    /// cooperation.start(&grid.view(&Agent::default()), &[Task::new(from, to)]).unwrap();
    /// cooperation.resume(&grid.view(&Agent::default()), u64::MAX);
    /// assert_eq!(cooperation.plan().unwrap().to_text(&grid), "0:(0,0),\n1:(1,0),\n");
    /// ```
    pub fn to_text(&self, grid: &Grid) -> String {
        let mut text = String::new();
        for (step, nodes) in self.nodes.chunks(self.agents.max(1)).enumerate() {
            // Writing to a string does not fail.
            let _ = write!(text, "{step}:");
            for &node in nodes {
                let cell = grid.cell(node);
                let _ = write!(text, "({},{}),", cell.x, cell.y);
            }
            text.push('\n');
        }
        text
    }
}
