//! How many steps each cell is from each goal, computed when it is asked for.

use crate::cooperate::floor::{Floor, NOWHERE};

/// The number of steps to a goal that cannot be reached, or that is too far away to count.
pub(super) const FAR: u32 = u16::MAX as u32;

/// How far a cell is from a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distance {
    Steps(u32),
    Unreachable,
    /// More than can be counted.
    TooFar,
}

/// The numbers of steps to one goal, found by breadth-first search from it, as far as they have been asked for.
#[derive(Debug, Default)]
struct Field {
    /// One more than the number of steps; 0 where it is not known yet.
    steps: Vec<u16>,
    /// The cells whose neighbours come next.
    frontier: Vec<u32>,
    /// How far the cells of the frontier are.
    reached: u32,
}

impl Field {
    fn new(goal: u32, cells: usize) -> Field {
        let mut steps = vec![0; cells];
        steps[goal as usize] = 1;
        Field { steps, frontier: vec![goal], reached: 0 }
    }

    /// Continues the search until the number of steps from a cell is known.
    #[cold]
    fn extend(&mut self, floor: &Floor, cell: u32, next: &mut Vec<u32>) -> u32 {
        while self.steps[cell as usize] == 0 {
            if self.frontier.is_empty() || self.reached + 2 > FAR {
                return FAR;
            }
            self.reached += 1;
            next.clear();
            let steps = (self.reached + 1) as u16;
            for &from in &self.frontier {
                for &to in floor.neighbours(from) {
                    if self.steps[to as usize] == 0 {
                        self.steps[to as usize] = steps;
                        next.push(to);
                    }
                }
            }
            // The larger list stays where it is needed by the next goal, too.
            self.frontier.clear();
            self.frontier.extend_from_slice(next);
        }
        u32::from(self.steps[cell as usize]) - 1
    }
}

/// The numbers of steps from all cells to the goals of all agents. Memory is touched only where the searches have been, two bytes for a cell
/// and a goal.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// By agent. An agent without a goal has no field.
    fields: Vec<Option<Field>>,
    next: Vec<u32>,
}

impl Fields {
    /// Creates the fields of the goals of all agents, [`NOWHERE`] for those without.
    pub fn new(goals: &[u32], cells: usize) -> Fields {
        let field = |&goal: &u32| (goal != NOWHERE).then(|| Field::new(goal, cells));
        Fields { fields: goals.iter().map(field).collect(), next: Vec::new() }
    }

    /// Returns how far a cell is from the goal of an agent.
    pub fn distance(&mut self, floor: &Floor, agent: usize, cell: u32) -> Distance {
        match self.steps(floor, agent, cell) {
            FAR if self.fields[agent].as_ref().is_some_and(|field| field.frontier.is_empty()) => {
                Distance::Unreachable
            }
            FAR => Distance::TooFar,
            steps => Distance::Steps(steps),
        }
    }

    /// Returns the number of steps from a cell to the goal of an agent, [`FAR`] if it cannot be reached, and 0 for agents without a
    /// goal.
    #[inline]
    pub fn steps(&mut self, floor: &Floor, agent: usize, cell: u32) -> u32 {
        let Some(field) = &mut self.fields[agent] else { return 0 };
        match field.steps[cell as usize] {
            0 => field.extend(floor, cell, &mut self.next),
            steps => u32::from(steps) - 1,
        }
    }
}
