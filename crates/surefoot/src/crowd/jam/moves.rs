//! A plan as it is carried out: which unit may enter which cell, and when.

use std::collections::BTreeMap;

use crate::cooperate::{Plan, Task};
use crate::crowd::store::Store;
use crate::crowd::vector::Vec2;
use crate::crowd::walls::Walls;
use crate::id::NodeId;

/// A unit that is so near to the middle of a cell may go on to the next one.
const NEAR: f64 = 0.15;

/// The visit of a unit to a cell.
#[derive(Clone, Copy, Debug)]
struct Visit {
    node: NodeId,
    middle: Vec2,
    /// The member that visits the cell before, and the number of its visit.
    before: Option<(u32, u32)>,
}

/// All visits of all members.
#[derive(Debug, Default)]
pub(super) struct Moves {
    /// By member: where its visits begin in the list; and the end of the last.
    first: Vec<u32>,
    visits: Vec<Visit>,
    /// By member: the number of the visit that it is on or on its way to.
    current: Vec<u32>,
    /// What was planned.
    tasks: Vec<Task>,
    has_begun: bool,
}

impl Moves {
    /// All members only go to their starts.
    pub fn to_starts(tasks: Vec<Task>, walls: &Walls<'_>) -> Moves {
        let visit = |task: &Task| Visit { node: task.start, middle: walls.middle(task.start), before: None };
        Moves {
            first: (0..=tasks.len() as u32).collect(),
            visits: tasks.iter().map(visit).collect(),
            current: vec![0; tasks.len()],
            tasks,
            has_begun: false,
        }
    }

    /// The moves of a plan.
    pub fn of(plan: &Plan, walls: &Walls<'_>) -> Moves {
        let agents = plan.agents();
        let mut moves = Moves { current: vec![0; agents], ..Moves::default() };
        // Each visit with the time at which it begins.
        let mut order: BTreeMap<(NodeId, u32), (u32, u32)> = BTreeMap::new();
        for agent in 0..agents {
            moves.first.push(moves.visits.len() as u32);
            let mut last = NodeId::NONE;
            let mut count = 0;
            for (time, node) in (0..).zip(plan.path(agent)) {
                if node != last {
                    moves.visits.push(Visit { node, middle: walls.middle(node), before: None });
                    order.insert((node, time), (agent as u32, count));
                    count += 1;
                    last = node;
                }
            }
        }
        moves.first.push(moves.visits.len() as u32);
        let mut before: Option<(NodeId, (u32, u32))> = None;
        for ((node, _), visit) in order {
            let index = moves.first[visit.0 as usize] + visit.1;
            // A unit that comes back to a cell does not wait for itself.
            moves.visits[index as usize].before =
                before.filter(|(at, other)| *at == node && other.0 != visit.0).map(|(_, other)| other);
            before = Some((node, visit));
        }
        moves
    }

    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    fn visit(&self, member: usize) -> &Visit {
        &self.visits[(self.first[member] + self.current[member]) as usize]
    }

    /// Where a member goes.
    pub fn target(&self, member: usize) -> Option<Vec2> {
        (member < self.current.len()).then(|| self.visit(member).middle)
    }

    /// The cells that members are on or will be on.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        (0..self.current.len()).flat_map(|member| {
            let begin = self.first[member] + self.current[member];
            self.visits[begin as usize..self.first[member + 1] as usize].iter().map(|visit| visit.node)
        })
    }

    fn is_there(&self, member: usize, unit: u32, units: &Store) -> bool {
        (units.at[unit as usize] - self.visit(member).middle).square() < NEAR * NEAR
    }

    pub fn are_all_there(&self, members: &[u32], units: &Store) -> bool {
        members.iter().enumerate().all(|(member, &unit)| self.is_there(member, unit, units))
    }

    pub fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Sends members on whose next cells are free. Returns whether there were any.
    pub fn advance(&mut self, members: &[u32], units: &Store) -> bool {
        let mut any = false;
        for (member, &unit) in members.iter().enumerate() {
            let next = self.first[member] + self.current[member] + 1;
            if next == self.first[member + 1] || !self.is_there(member, unit, units) {
                continue;
            }
            // The one before has to be on its way out.
            let before = self.visits[next as usize].before;
            if before.is_none_or(|(other, visit)| self.current[other as usize] > visit) {
                self.current[member] += 1;
                any = true;
            }
        }
        self.has_begun |= any;
        any
    }

    /// Returns whether all members are at the ends of their ways.
    pub fn is_over(&self, members: &[u32], units: &Store) -> bool {
        let is_last = |member: usize| self.first[member] + self.current[member] + 1 == self.first[member + 1];
        members
            .iter()
            .enumerate()
            .all(|(member, &unit)| is_last(member) && self.is_there(member, unit, units))
    }
}
