//! One step of all agents: priority inheritance with backtracking (K. Okumura and others, *Priority Inheritance with Backtracking for Iterative
//! Multi-agent Path Finding*, Artificial Intelligence 2022).
//!
//! Agents choose in an order. Each takes the neighbouring cell nearest to its goal that is still free. If another agent stands there that has not
//! chosen yet, that agent has to choose next, and must leave; if it cannot, the first agent tries its next best cell. Of equally near cells, an agent prefers
//! those through which no other agent wants to go (after Z. Chen and others, *Enhancing Lifelong Multi-Agent Pathfinding with Tie-breaking*, 2025).

mod swap;

use crate::cooperate::draws::Draws;
use crate::cooperate::floor::{Floor, NOWHERE};
use crate::cooperate::guide::Compass;

/// No agent.
pub(super) const NO_AGENT: u16 = u16::MAX;

/// The most cells that an agent can choose from: eight neighbours and its own.
const CHOICES: usize = 9;

/// What agents move on, and where they want to go.
#[derive(Debug, Default)]
pub(super) struct Board {
    pub floor: Floor,
    pub starts: Vec<u32>,
    /// The cell of each agent's goal, [`NOWHERE`] if it has none.
    pub goals: Vec<u32>,
    /// Whether agents never move round in a circle at the same time.
    pub avoids_circles: bool,
}

impl Board {
    /// Returns whether an agent has a goal.
    pub fn has_goal(&self, agent: usize) -> bool {
        self.goals[agent] != NOWHERE
    }

    /// Returns whether an agent on a cell has no reason to leave it.
    #[inline]
    pub fn is_content(&self, agent: usize, cell: u32) -> bool {
        self.goals[agent] == cell || !self.has_goal(agent)
    }
}

/// An agent that is choosing.
#[derive(Clone, Copy, Debug)]
struct Choice {
    agent: u16,
    /// The agent that is to follow into the cell that this one leaves.
    follower: u16,
    /// The neighbours to try, by their positions in the list of the floor; the cell's own comes after the last.
    slots: [u8; CHOICES],
    count: u8,
    tried: u8,
}

/// Computes where all agents go in one step.
#[derive(Debug, Default)]
pub(super) struct Stepper {
    /// By cell: the agent that is there now, and in the next step.
    now: Vec<u16>,
    next: Vec<u16>,
    /// By cell: how many diagonal steps pass it. Empty without diagonals.
    passed: Vec<u8>,
    /// By cell: how many agents come nearer to their goals there.
    wanted: Vec<u8>,
    /// By agent: where it goes.
    to: Vec<u32>,
    /// By agent and slot: the number of steps from there to the goal.
    around: Vec<[u16; CHOICES]>,
    stack: Vec<Choice>,
}

impl Stepper {
    pub fn new(board: &Board) -> Stepper {
        let (cells, agents) = (board.floor.len(), board.starts.len());
        Stepper {
            now: vec![NO_AGENT; cells],
            next: vec![NO_AGENT; cells],
            passed: if board.floor.has_diagonals() { vec![0; cells] } else { Vec::new() },
            wanted: vec![0; cells],
            to: vec![NOWHERE; agents],
            around: vec![[0; CHOICES]; agents],
            stack: Vec::new(),
        }
    }

    /// Moves all agents by one step. `from` says where they are, `order` in which order they choose, and `required` where some of them have to go. Returns whether that is
    /// possible; [`Stepper::to`] then says where they went.
    pub fn step(
        &mut self,
        board: &Board,
        compass: &mut Compass<'_>,
        from: &[u32],
        order: &[u16],
        required: &[(u16, u32)],
        draws: &mut Draws,
    ) -> bool {
        self.begin(board, compass, from);
        let done = self.require(board, from, required)
            && order.iter().all(|&agent| {
                self.to[usize::from(agent)] != NOWHERE || self.choose(board, compass, from, agent, draws)
            });
        self.end(board, from);
        done
    }

    /// Returns where the agents went.
    pub fn to(&self) -> &[u32] {
        &self.to
    }

    fn begin(&mut self, board: &Board, compass: &mut Compass<'_>, from: &[u32]) {
        self.to.fill(NOWHERE);
        for (agent, &here) in from.iter().enumerate() {
            self.now[here as usize] = agent as u16;
            let neighbours = board.floor.neighbours(here);
            let around = &mut self.around[agent];
            if !board.has_goal(agent) {
                // Without a goal, an agent stays where it is if it can.
                around.fill(1);
                around[neighbours.len()] = 0;
                continue;
            }
            let steps = compass.steps(&board.floor, agent, here) as u16;
            around[neighbours.len()] = steps;
            for (slot, &to) in around.iter_mut().zip(neighbours) {
                *slot = compass.steps(&board.floor, agent, to) as u16;
                self.wanted[to as usize] += u8::from(*slot < steps);
            }
        }
    }

    /// Forgets the agents, so that the next step begins with empty cells.
    fn end(&mut self, board: &Board, from: &[u32]) {
        for (agent, &here) in from.iter().enumerate() {
            self.now[here as usize] = NO_AGENT;
            self.next[here as usize] = NO_AGENT;
            for &to in board.floor.neighbours(here) {
                self.wanted[to as usize] = 0;
                self.next[to as usize] = NO_AGENT;
            }
            let to = self.to[agent];
            if !self.passed.is_empty() {
                for &to in board.floor.neighbours(here) {
                    self.passed[to as usize] = 0;
                }
            }
            debug_assert!(to == NOWHERE || to == here || board.floor.neighbours(here).contains(&to));
        }
    }

    /// Sends agents where they have to go, if they do not get into each other's way.
    fn require(&mut self, board: &Board, from: &[u32], required: &[(u16, u32)]) -> bool {
        for &(agent, to) in required {
            if self.next[to as usize] != NO_AGENT {
                return false;
            }
            self.next[to as usize] = agent;
            self.to[usize::from(agent)] = to;
        }
        required.iter().all(|&(agent, to)| {
            let here = from[usize::from(agent)];
            let other = self.now[to as usize];
            let swaps = other != NO_AGENT && other != agent && self.to[usize::from(other)] == here;
            !swaps
                && !self.closes_circle(board, from, agent, to)
                && self.pass(board.floor.corners_between(here, to))
        })
    }

    /// Reserves the cells that a diagonal step passes, if no agent is or goes there.
    #[inline]
    fn pass(&mut self, corners: Option<[u32; 2]>) -> bool {
        let Some(corners) = corners else { return true };
        let is_free = |cell: u32| self.now[cell as usize] == NO_AGENT && self.next[cell as usize] == NO_AGENT;
        if !corners.into_iter().all(is_free) {
            return false;
        }
        for cell in corners {
            self.passed[cell as usize] += 1;
        }
        true
    }

    fn release(&mut self, corners: Option<[u32; 2]>) {
        for cell in corners.into_iter().flatten() {
            self.passed[cell as usize] -= 1;
        }
    }

    /// Returns whether the last of some agents that move round in a circle goes to a cell, if that is to be avoided.
    fn closes_circle(&self, board: &Board, from: &[u32], agent: u16, to: u32) -> bool {
        if !board.avoids_circles || to == from[usize::from(agent)] {
            return false;
        }
        let mut at = to;
        loop {
            let other = self.now[at as usize];
            if other == agent || other == NO_AGENT {
                return other == agent;
            }
            let next = self.to[usize::from(other)];
            if next == NOWHERE || next == at {
                return false;
            }
            at = next;
        }
    }

    /// Lets an agent choose, and those that it pushes. Returns whether it has found a cell.
    fn choose(
        &mut self,
        board: &Board,
        compass: &mut Compass<'_>,
        from: &[u32],
        agent: u16,
        draws: &mut Draws,
    ) -> bool {
        self.stack.clear();
        let first = self.consider(board, compass, from, agent, draws);
        self.stack.push(first);
        // The result of the agent that was pushed last.
        let mut pushed = None;
        while let Some(&choice) = self.stack.last() {
            let mut tried = choice.tried;
            if let Some(has_left) = pushed.take() {
                if has_left {
                    self.stack.pop();
                    self.follow(board, from, &choice);
                    pushed = Some(true);
                    continue;
                }
                self.release(corners_of(board, from, &choice, tried));
                tried += 1;
            }
            match self.take(board, from, &choice, tried) {
                Taken::Free(tried) => {
                    self.stack.pop();
                    self.follow(board, from, &Choice { tried, ..choice });
                    pushed = Some(true);
                }
                Taken::From(other, tried) => {
                    if let Some(top) = self.stack.last_mut() {
                        top.tried = tried;
                    }
                    let next = self.consider(board, compass, from, other, draws);
                    self.stack.push(next);
                }
                Taken::None => {
                    let here = from[usize::from(choice.agent)];
                    self.next[here as usize] = choice.agent;
                    self.to[usize::from(choice.agent)] = here;
                    self.stack.pop();
                    pushed = Some(false);
                }
            }
        }
        pushed == Some(true)
    }

    /// Sorts the cells that an agent can go to, the best first.
    fn consider(
        &mut self,
        board: &Board,
        compass: &mut Compass<'_>,
        from: &[u32],
        agent: u16,
        draws: &mut Draws,
    ) -> Choice {
        let here = from[usize::from(agent)];
        let neighbours = board.floor.neighbours(here);
        let around = &self.around[usize::from(agent)];
        let own = around[neighbours.len()];
        let mut random = draws.number();
        let mut keys = [0_u64; CHOICES];
        let mut count = 0;
        for (slot, &steps) in around.iter().enumerate().take(neighbours.len() + 1) {
            let cell = neighbours.get(slot).map_or(here, |&cell| cell) as usize;
            let others = self.wanted[cell] - u8::from(steps < own);
            let is_taken = !compass.is_plain && self.now[cell] != NO_AGENT;
            let key = u64::from(steps) << 32
                | u64::from(others) << 24
                | u64::from(is_taken) << 23
                | (random & 0x7f) << 8
                | slot as u64;
            random >>= 7;
            let mut at = count;
            while at > 0 && keys[at - 1] > key {
                keys[at] = keys[at - 1];
                at -= 1;
            }
            keys[at] = key;
            count += 1;
        }
        let mut slots = keys.map(|key| key as u8);
        let best = neighbours.get(usize::from(slots[0])).map_or(here, |&cell| cell);
        let follower = self.follower(board, compass, from, agent, best);
        if follower != NO_AGENT {
            slots[..count].reverse();
        }
        Choice { agent, follower, slots, count: count as u8, tried: 0 }
    }

    /// Takes the first cell that an agent can have, beginning with the one at `tried` in its list.
    fn take(&mut self, board: &Board, from: &[u32], choice: &Choice, mut tried: u8) -> Taken {
        let agent = usize::from(choice.agent);
        let here = from[agent];
        while tried < choice.count {
            let to = target(board, here, choice, tried);
            let other = self.now[to as usize];
            let stays = to == here;
            let is_free = self.next[to as usize] == NO_AGENT
                && (stays || other == NO_AGENT || self.to[usize::from(other)] != here)
                && !self.closes_circle(board, from, choice.agent, to)
                && (self.passed.is_empty() || self.passed[to as usize] == 0)
                && self.pass(corners_of(board, from, choice, tried));
            if is_free {
                self.next[to as usize] = choice.agent;
                self.to[agent] = to;
                if other == NO_AGENT || stays || self.to[usize::from(other)] != NOWHERE {
                    return Taken::Free(tried);
                }
                return Taken::From(other, tried);
            }
            tried += 1;
        }
        Taken::None
    }

    /// After an agent has found a cell: lets its follower enter the cell that it leaves.
    fn follow(&mut self, board: &Board, from: &[u32], choice: &Choice) {
        if choice.follower == NO_AGENT || choice.tried > 0 {
            return;
        }
        let here = from[usize::from(choice.agent)];
        let follower = usize::from(choice.follower);
        let is_possible = self.to[follower] == NOWHERE
            && self.next[here as usize] == NO_AGENT
            && self.to[usize::from(choice.agent)] != from[follower]
            && !self.closes_circle(board, from, choice.follower, here)
            && self.pass(board.floor.corners_between(from[follower], here));
        if is_possible {
            self.to[follower] = here;
            self.next[here as usize] = choice.follower;
        }
    }
}

/// The result of looking for a cell: at which position of the list it was found.
enum Taken {
    /// Nobody has to leave it.
    Free(u8),
    /// This agent has to leave it.
    From(u16, u8),
    None,
}

/// The cell at a position of an agent's list.
#[inline]
fn target(board: &Board, here: u32, choice: &Choice, tried: u8) -> u32 {
    let slot = usize::from(choice.slots[usize::from(tried)]);
    board.floor.neighbours(here).get(slot).map_or(here, |&cell| cell)
}

/// What the step to the cell at a position of an agent's list passes.
#[inline]
fn corners_of(board: &Board, from: &[u32], choice: &Choice, tried: u8) -> Option<[u32; 2]> {
    let slot = usize::from(choice.slots[usize::from(tried)]);
    let corners = board.floor.corners(from[usize::from(choice.agent)]).get(slot);
    corners.copied().filter(|passed| passed[0] != NOWHERE)
}
