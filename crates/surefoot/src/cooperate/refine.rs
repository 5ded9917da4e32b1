//! Improves a plan: again and again, a few agents get new paths around all others (large neighbourhood search, after J. Li and others, *Anytime Multi-Agent
//! Path Finding via Large Neighborhood Search*, IJCAI 2021).
//!
//! The agents of a group are planned one after the other, each as well as possible. The new paths are kept unless they are worse together than the old ones. Groups are chosen in several
//! ways; those that have gained most for their work recently are chosen more often.

use crate::cooperate::draws::Draws;
use crate::cooperate::fields::Fields;
use crate::cooperate::sipp::{Query, Sipp};
use crate::cooperate::stepper::Board;
use crate::cooperate::traffic::Traffic;

/// How many states the search for one path may expand.
const BUDGET: u32 = 5000;

/// The sizes of groups.
const SIZES: [usize; 4] = [1, 2, 4, 8];

/// The ways to choose a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// A delayed agent and those that are in its way.
    Blockers,
    /// A delayed agent and those that cross its goal last.
    Crossers,
    /// Agents that meet at some place.
    Meeting,
    Random,
}

const CHOICES: [Choice; 4] = [Choice::Blockers, Choice::Crossers, Choice::Meeting, Choice::Random];

const ARMS: usize = SIZES.len() * CHOICES.len();

/// How often something new is tried instead of what has been best, one in so many times.
const CURIOSITY: usize = 8;

/// A plan that is being improved.
#[derive(Debug, Default)]
pub(super) struct Refiner {
    /// By agent: its cells, step by step, up to where it stays.
    paths: Vec<Vec<u32>>,
    /// By agent: how many steps it needs at least.
    least: Vec<u32>,
    /// The agents that have goals.
    movers: Vec<u16>,
    traffic: Traffic,
    sum: u64,
    /// How often paths have changed.
    changes: u64,
    /// How many groups in a row have gained nothing.
    idle: u64,
    /// By size and choice: what groups have gained for their work.
    merits: [f64; ARMS],
    sipp: Sipp,
    group: Vec<u16>,
    /// The old paths of the group.
    old: Vec<Vec<u32>>,
}

impl Refiner {
    /// Takes a plan: the cells of all agents, step by step, the last one first.
    pub fn new(board: &Board, fields: &mut Fields, plan: &[u32]) -> Refiner {
        let agents = board.starts.len();
        let mut refiner = Refiner { traffic: Traffic::new(board.floor.len()), ..Refiner::default() };
        for agent in 0..agents {
            let cells = plan.iter().skip(agent).step_by(agents);
            let mut path: Vec<u32> = cells.rev().copied().collect();
            while path.len() >= 2 && path[path.len() - 2] == path[path.len() - 1] {
                path.pop();
            }
            refiner.traffic.add(&board.floor, agent as u16, &path);
            refiner.least.push(fields.steps(&board.floor, agent, board.starts[agent]));
            if board.has_goal(agent) {
                refiner.movers.push(agent as u16);
                refiner.sum += path.len() as u64 - 1;
            }
            refiner.paths.push(path);
        }
        refiner.merits = [f64::MAX; ARMS];
        refiner
    }

    /// Returns the sum of costs.
    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// Returns how often paths have changed. They may change without a gain.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns how many groups in a row have gained nothing.
    pub fn idle(&self) -> u64 {
        self.idle
    }

    /// Returns the paths of all agents, step by step, up to where each stays.
    pub fn paths(&self) -> &[Vec<u32>] {
        &self.paths
    }

    /// Gives new paths to a group of agents. Returns whether the plan has become better.
    pub fn improve(&mut self, board: &Board, fields: &mut Fields, draws: &mut Draws) -> bool {
        let arm = self.arm(draws);
        self.gather(board, fields, SIZES[arm / CHOICES.len()], CHOICES[arm % CHOICES.len()], draws);
        draws.shuffle(&mut self.group);
        let (gain, work) = self.replan(board, fields);
        let merit = gain as f64 / (f64::from(work) + 200.0);
        let old = self.merits[arm];
        self.merits[arm] = if old >= f64::MAX { merit } else { old + (merit - old) * 0.02 };
        self.idle = if gain > 0 { 0 } else { self.idle + 1 };
        gain > 0
    }

    /// Chooses a size and a way to choose.
    fn arm(&self, draws: &mut Draws) -> usize {
        if draws.below(CURIOSITY) == 0 {
            return draws.below(ARMS);
        }
        let mut best = 0;
        for arm in 1..ARMS {
            if self.merits[arm] > self.merits[best] {
                best = arm;
            }
        }
        best
    }

    fn delay(&self, agent: u16) -> u32 {
        let agent = usize::from(agent);
        self.paths[agent].len() as u32 - 1 - self.least[agent]
    }

    /// An agent that is likely to be late.
    fn late(&self, draws: &mut Draws) -> u16 {
        let some = |draws: &mut Draws| self.movers[draws.below(self.movers.len())];
        let mut latest = some(draws);
        for _ in 0..3 {
            let other = some(draws);
            if self.delay(other) > self.delay(latest) {
                latest = other;
            }
        }
        latest
    }

    fn join(&mut self, board: &Board, agent: u16) {
        if board.has_goal(usize::from(agent)) && !self.group.contains(&agent) {
            self.group.push(agent);
        }
    }

    /// Chooses a group.
    fn gather(&mut self, board: &Board, fields: &mut Fields, size: usize, choice: Choice, draws: &mut Draws) {
        self.group.clear();
        if self.movers.is_empty() {
            return;
        }
        let size = size.min(self.movers.len());
        let first = self.late(draws);
        self.group.push(first);
        match choice {
            Choice::Blockers => {
                for _ in 0..4 * size {
                    if self.group.len() < size {
                        let member = self.group[draws.below(self.group.len())];
                        self.gather_blockers(board, fields, member, size, draws);
                    }
                }
            }
            Choice::Crossers => {
                let goal = board.goals[usize::from(first)];
                let agents: Vec<u16> = self.traffic.stays(goal).iter().rev().map(|stay| stay.agent).collect();
                for agent in agents {
                    if self.group.len() < size {
                        self.join(board, agent);
                    }
                }
            }
            Choice::Meeting => self.gather_meeting(board, size, draws),
            Choice::Random => {}
        }
        for _ in 0..4 * size {
            if self.group.len() < size {
                let agent = self.movers[draws.below(self.movers.len())];
                self.join(board, agent);
            }
        }
    }

    /// Adds agents that are in the way of one: it walks as if it were alone, beginning at a random step of its path.
    fn gather_blockers(
        &mut self,
        board: &Board,
        fields: &mut Fields,
        agent: u16,
        size: usize,
        draws: &mut Draws,
    ) {
        let path = &self.paths[usize::from(agent)];
        let from = draws.below(path.len());
        let (mut cell, mut time) = (path[from], from as u32);
        while self.group.len() < size {
            let steps = fields.steps(&board.floor, usize::from(agent), cell);
            let neighbours = board.floor.neighbours(cell);
            let turn = draws.below(neighbours.len().max(1));
            let mut turned = neighbours[turn..].iter().chain(&neighbours[..turn]);
            let Some(&next) =
                turned.find(|&&next| fields.steps(&board.floor, usize::from(agent), next) < steps)
            else {
                return;
            };
            (cell, time) = (next, time + 1);
            if let Some(other) = self.traffic.agent_at(cell, time).filter(|&other| other != agent) {
                self.join(board, other);
            }
        }
    }

    /// Adds agents that use the same cells as the first one at about the same time.
    fn gather_meeting(&mut self, board: &Board, size: usize, draws: &mut Draws) {
        let path = &self.paths[usize::from(self.group[0])];
        let time = draws.below(path.len());
        let mut cells = vec![path[time]];
        let mut next = 0;
        while self.group.len() < size && next < cells.len().min(4 * size) {
            let cell = cells[next];
            next += 1;
            let stays = self.traffic.stays(cell);
            let at = stays.partition_point(|stay| stay.until < time as u32);
            let around = at.saturating_sub(1)..(at + 2).min(stays.len());
            let agents: Vec<u16> = stays[around].iter().map(|stay| stay.agent).collect();
            for agent in agents {
                if self.group.len() < size {
                    self.join(board, agent);
                }
            }
            for &neighbour in board.floor.neighbours(cell) {
                if !cells.contains(&neighbour) {
                    cells.push(neighbour);
                }
            }
        }
    }

    /// Plans the agents of the group again. Returns what is gained, and how many states have been expanded.
    fn replan(&mut self, board: &Board, fields: &mut Fields) -> (u64, u32) {
        let group = std::mem::take(&mut self.group);
        self.old.resize_with(group.len().max(self.old.len()), Vec::new);
        let (mut allowed, mut work) = (0, 0);
        for (&agent, old) in group.iter().zip(&mut self.old) {
            let path = &mut self.paths[usize::from(agent)];
            self.traffic.remove(&board.floor, agent, path);
            std::mem::swap(path, old);
            allowed += old.len() as u64 - 1;
        }
        let before = allowed;
        let mut least: u64 = group.iter().map(|&agent| u64::from(self.least[usize::from(agent)])).sum();
        let mut done = 0;
        for &agent in &group {
            least -= u64::from(self.least[usize::from(agent)]);
            let latest = (allowed - least).min(u64::from(u32::MAX / 2)) as u32;
            let query = Query { agent, latest, budget: BUDGET };
            let path = &mut self.paths[usize::from(agent)];
            let found = self.sipp.plan(board, fields, &self.traffic, query, path);
            work += self.sipp.expanded;
            if !found {
                break;
            }
            self.traffic.add(&board.floor, agent, path);
            allowed -= path.len() as u64 - 1;
            done += 1;
        }
        let is_kept = done == group.len();
        if !is_kept {
            for (index, &agent) in group.iter().enumerate() {
                let path = &mut self.paths[usize::from(agent)];
                if index < done {
                    self.traffic.remove(&board.floor, agent, path);
                }
                std::mem::swap(path, &mut self.old[index]);
            }
            for &agent in &group {
                self.traffic.add(&board.floor, agent, &self.paths[usize::from(agent)]);
            }
        }
        self.group = group;
        self.changes += u64::from(is_kept);
        let gain = if is_kept { allowed } else { 0 };
        debug_assert!(gain <= before);
        self.sum -= gain;
        (gain, work)
    }
}
