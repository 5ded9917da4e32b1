//! Plans for many agents.

use thiserror::Error;

use super::grid::Judge;
use super::{Place, Violation};
use crate::agent::Agent;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::Grid;

/// What a planner of many agents claims to have found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointClaim<'a> {
    /// The requested start of each agent.
    pub starts: &'a [NodeId],
    /// The requested goal of each agent, if it has one.
    pub goals: &'a [Option<NodeId>],
    /// Where the agents are: all agents at the beginning, then all agents after one step, and so on.
    pub nodes: &'a [NodeId],
    /// The steps after which the agents reach their goals for good, added up.
    pub sum_of_costs: u64,
}

/// What is wrong with a plan for many agents. Agents and steps count from 0; step `i` leads from time `i` to time `i + 1`.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum JointViolation {
    /// There are not as many goals as starts, or a time at which not all agents are somewhere.
    #[error(
        "the plan has {starts} starts, {goals} goals and {nodes} nodes: expected as many starts as goals, and all agents at each time"
    )]
    WrongCount {
        /// The number of starts.
        starts: usize,
        /// The number of goals.
        goals: usize,
        /// The number of nodes.
        nodes: usize,
    },
    /// A step or an end of one agent's path is wrong.
    #[error("agent {agent}: {violation}")]
    Path {
        /// The agent.
        agent: usize,
        /// What is wrong.
        violation: Box<Violation>,
    },
    /// Two agents are on the same cell.
    #[error("agents {first} and {second} are both on {},{} at time {time}", cell.x, cell.y)]
    Collision {
        /// The one agent.
        first: usize,
        /// The other agent.
        second: usize,
        /// When.
        time: usize,
        /// Where.
        cell: Cell,
    },
    /// Two agents change places.
    #[error("agents {first} and {second} change places in step {step}, at {},{} and {},{}", cells[0].x, cells[0].y, cells[1].x, cells[1].y)]
    Swap {
        /// The one agent.
        first: usize,
        /// The other agent.
        second: usize,
        /// When.
        step: usize,
        /// Where they come from.
        cells: [Cell; 2],
    },
    /// A diagonal step passes a cell where another agent is before or after it.
    #[error("agent {agent} steps diagonally past agent {other} on {},{} in step {step}", cell.x, cell.y)]
    DiagonalPastAgent {
        /// The agent that steps diagonally.
        agent: usize,
        /// The agent that it passes.
        other: usize,
        /// When.
        step: usize,
        /// Where the other agent is before or after the step.
        cell: Cell,
    },
    /// Two diagonal steps cross.
    #[error("the diagonal steps of agents {first} and {second} cross in step {step}")]
    CrossedDiagonals {
        /// The one agent.
        first: usize,
        /// The other agent.
        second: usize,
        /// When.
        step: usize,
    },
    /// The sum of costs is wrong.
    #[error("the sum of costs is {found}, not {claimed}")]
    WrongSum {
        /// The claimed value.
        claimed: u64,
        /// The steps after which the agents reach their goals for good, added up.
        found: u64,
    },
}

/// Checks a plan for many agents on a grid. All agents are where they have to be at the beginning and at the end; there is one agent in a cell; every step is a
/// legal move or a wait; no two agents change places, no two diagonal steps cross, and no diagonal step passes a cell where another agent is before or after it; and the sum of
/// costs is correct.
///
/// # Errors
/// Returns the first violation: counts, starts, then step by step, then goals and the sum.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::validate::{self, JointClaim, JointViolation};
/// let grid = Grid::new(3, 1).unwrap();
/// let [a, b, c] = [0, 1, 2].map(|x| grid.node(Cell::new(x, 0)).unwrap());
/// let goals = [Some(b), Some(c)];
/// let nodes = [a, b, b, c]; // the second agent makes room for the first
/// let claim = JointClaim { starts: &[a, b], goals: &goals, nodes: &nodes, sum_of_costs: 2 };
/// assert_eq!(validate::joint_plan(&grid, &Agent::default(), &claim), Ok(()));
///
/// let nodes = [a, b, b, a];
/// let swapped = JointClaim { goals: &[Some(b), Some(a)], nodes: &nodes, ..claim };
/// let verdict = validate::joint_plan(&grid, &Agent::default(), &swapped);
/// assert!(matches!(verdict, Err(JointViolation::Swap { first: 0, second: 1, step: 0, .. })));
/// ```
pub fn joint_plan(grid: &Grid, agent: &Agent, claim: &JointClaim) -> Result<(), JointViolation> {
    let JointClaim { starts, goals, nodes, sum_of_costs: claimed } = *claim;
    let agents = starts.len();
    let is_whole =
        if agents == 0 { nodes.is_empty() } else { !nodes.is_empty() && nodes.len().is_multiple_of(agents) };
    if goals.len() != agents || !is_whole {
        return Err(JointViolation::WrongCount { starts: agents, goals: goals.len(), nodes: nodes.len() });
    }
    let judge = Judge { grid, agent };
    let of_agent = |agent, violation| JointViolation::Path { agent, violation: Box::new(violation) };
    let mut cells = Vec::with_capacity(nodes.len());
    for (index, &node) in nodes.iter().enumerate() {
        let (time, agent) = (index / agents, index % agents);
        let outside = Violation::Outside { index: time, node };
        let cell = judge.cell(node).ok_or_else(|| of_agent(agent, outside))?;
        judge.check_stand(time, cell).map_err(|violation| of_agent(agent, violation))?;
        cells.push(cell);
    }
    for (agent, (&start, &first)) in starts.iter().zip(nodes).enumerate() {
        if start != first {
            let [found, expected] =
                [first, start].map(|node| judge.cell(node).map_or(Place::Node(node), Place::Cell));
            return Err(of_agent(agent, Violation::WrongStart { found, expected }));
        }
    }
    let mut map = Map::new(grid);
    for time in 0..nodes.len() / agents.max(1) {
        let now = &cells[time * agents..][..agents];
        map.put(now, time)?;
        if let Some(step) = time.checked_sub(1) {
            let before = &cells[step * agents..][..agents];
            check_step(&judge, &map, step, before, now)?;
        }
        map.swap(if time == 0 { &[] } else { &cells[(time - 1) * agents..][..agents] });
    }
    let mut found = 0;
    for (agent, goal) in goals.iter().enumerate() {
        let Some(goal) = *goal else { continue };
        let path = || nodes.iter().skip(agent).step_by(agents);
        if path().next_back() != Some(&goal) {
            let end = cells[cells.len() - agents + agent];
            return Err(of_agent(agent, Violation::WrongEnd { found: Place::Cell(end) }));
        }
        found += path().rposition(|&node| node != goal).map_or(0, |last| last as u64 + 1);
    }
    if found != claimed {
        return Err(JointViolation::WrongSum { claimed, found });
    }
    Ok(())
}

/// Checks the step of all agents from the cells `before` to the cells `now`.
fn check_step(
    judge: &Judge<'_>,
    map: &Map,
    step: usize,
    before: &[Cell],
    now: &[Cell],
) -> Result<(), JointViolation> {
    for (agent, (&from, &to)) in before.iter().zip(now).enumerate() {
        if from == to {
            continue;
        }
        if let Err(violation) = judge.walk(step, from, to) {
            return Err(JointViolation::Path { agent, violation: Box::new(violation) });
        }
        if let Some(other) = map.before(to).filter(|&other| now[other] == from) {
            let (first, second) = (agent.min(other), agent.max(other));
            return Err(JointViolation::Swap { first, second, step, cells: [before[first], before[second]] });
        }
        if from.x == to.x || from.y == to.y {
            continue;
        }
        let corners = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
        // An agent that goes from the one corner to the other crosses this step.
        if let Some(second) = map
            .before(corners[0])
            .filter(|&other| now[other] == corners[1])
            .or_else(|| map.before(corners[1]).filter(|&other| now[other] == corners[0]))
        {
            let (first, second) = (agent.min(second), agent.max(second));
            return Err(JointViolation::CrossedDiagonals { first, second, step });
        }
        for cell in corners {
            if let Some(other) = map.before(cell).or_else(|| map.now(cell)) {
                return Err(JointViolation::DiagonalPastAgent { agent, other, step, cell });
            }
        }
    }
    Ok(())
}

/// Which agent is on which cell, at two times.
struct Map {
    width: usize,
    /// By cell: one more than the number of the agent, or 0.
    before: Vec<u32>,
    now: Vec<u32>,
}

impl Map {
    fn new(grid: &Grid) -> Map {
        let cells = grid.width() as usize * grid.height() as usize;
        Map { width: grid.width() as usize, before: vec![0; cells], now: vec![0; cells] }
    }

    fn index(&self, cell: Cell) -> usize {
        cell.y as usize * self.width + cell.x as usize
    }

    fn before(&self, cell: Cell) -> Option<usize> {
        (self.before[self.index(cell)] as usize).checked_sub(1)
    }

    fn now(&self, cell: Cell) -> Option<usize> {
        (self.now[self.index(cell)] as usize).checked_sub(1)
    }

    /// Puts all agents on an empty map.
    fn put(&mut self, cells: &[Cell], time: usize) -> Result<(), JointViolation> {
        for (second, &cell) in cells.iter().enumerate() {
            if let Some(first) = self.now(cell) {
                return Err(JointViolation::Collision { first, second, time, cell });
            }
            let index = self.index(cell);
            self.now[index] = second as u32 + 1;
        }
        Ok(())
    }

    /// Goes on to the next time. `gone` lists the cells of the time before.
    fn swap(&mut self, gone: &[Cell]) {
        for &cell in gone {
            let index = self.index(cell);
            self.before[index] = 0;
        }
        std::mem::swap(&mut self.before, &mut self.now);
    }
}

#[cfg(test)]
mod tests;
