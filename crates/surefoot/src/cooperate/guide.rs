//! Ways that keep agents out of each other's way: distances in which a step against the stream counts more than one with it.
//!
//! In narrow corridors, agents that meet head-on lose far more time than a detour takes. So each agent gets a shortest path, and then, one after the other, a new one on which
//! a step costs the more, the more of the others' paths lead the opposite way (after Z. Chen and others, *Traffic Flow Optimisation for Lifelong Multi-Agent Path Finding*,
//! AAAI 2024). Streams in opposite directions so part into different corridors. The costs to the goal at that moment are what guides the agent.

use crate::cooperate::fields::{FAR, Fields};
use crate::cooperate::floor::Floor;
use crate::cooperate::stepper::Board;

/// The cost of a step that no agent takes in the opposite direction.
const STEP: u32 = 4;

/// What is added to it if all take the step in the opposite direction.
const AGAINST: u32 = 3;

/// Up to which cost the search for the costs to a goal goes on: the cost from the start, a share of it, and a constant.
const MARGIN: (u32, u32) = (8, 16 * STEP);

/// The number of lists of open cells: a power of two above the largest cost of a step.
const LISTS: usize = (STEP + AGAINST + 1).next_power_of_two() as usize;

/// The costs from cells to the goals of all agents.
#[derive(Debug, Default)]
pub(super) struct Guide {
    /// By agent: one more than the cost from each cell to the goal, 0 where it is not known. Empty for agents without a goal.
    costs: Vec<Vec<u16>>,
    /// By agent: a cost above all that are known.
    limits: Vec<u32>,
}

/// What tells agents how far it is to their goals.
#[derive(Debug)]
pub(super) struct Compass<'a> {
    pub fields: &'a mut Fields,
    pub guide: Option<&'a Guide>,
    /// Whether agents do not prefer free cells, which tends to lead them round in circles where it is crowded.
    pub is_plain: bool,
}

impl Compass<'_> {
    /// Returns how far a cell is from the goal of an agent, in steps or in costs.
    #[inline]
    pub fn steps(&mut self, floor: &Floor, agent: usize, cell: u32) -> u32 {
        let Some(guide) = self.guide else { return self.fields.steps(floor, agent, cell) };
        match guide.costs[agent].get(cell as usize) {
            Some(0) => (guide.limits[agent] + self.fields.steps(floor, agent, cell)).min(FAR),
            Some(&cost) => u32::from(cost) - 1,
            None => 0,
        }
    }
}

impl Guide {
    /// Computes costs that make agents avoid each other. `fields` are the numbers of steps to their goals.
    pub fn new(board: &Board, fields: &mut Fields) -> Guide {
        let agents = board.starts.len();
        let mut guide = Guide { costs: vec![Vec::new(); agents], limits: vec![0; agents] };
        let mut streams = Streams::new(&board.floor);
        let mut paths: Vec<Vec<u32>> = vec![Vec::new(); agents];
        let mut compass = Compass { fields, guide: None, is_plain: true };
        for (agent, path) in paths.iter_mut().enumerate() {
            trace(board, &mut compass, agent, path);
            streams.add(path);
        }
        for (agent, path) in paths.iter_mut().enumerate() {
            if board.has_goal(agent) {
                streams.remove(path);
                let ends = [board.starts[agent], board.goals[agent]];
                (guide.costs[agent], guide.limits[agent]) = streams.settle(&board.floor, ends);
                let mut compass = Compass { fields: compass.fields, guide: Some(&guide), is_plain: true };
                trace(board, &mut compass, agent, path);
                streams.add(path);
            }
        }
        guide
    }
}

/// Writes the numbers of the steps by which an agent gets to its goal.
fn trace(board: &Board, compass: &mut Compass<'_>, agent: usize, path: &mut Vec<u32>) {
    path.clear();
    let mut cell = board.starts[agent];
    let mut cost = compass.steps(&board.floor, agent, cell);
    while cost > 0 {
        let first = board.floor.first_step(cell);
        let mut best = (cost, 0, cell);
        for (step, &next) in (first..).zip(board.floor.neighbours(cell)) {
            best = best.min((compass.steps(&board.floor, agent, next), step, next));
        }
        if best.0 == cost {
            return;
        }
        path.push(best.1);
        (cost, cell) = (best.0, best.2);
    }
}

/// The paths of all agents, and the costs of steps that follow from them.
#[derive(Debug)]
struct Streams {
    /// By the number of a step: how many paths take it.
    flow: Vec<u16>,
    /// By the number of a step: the step in the opposite direction, and what that costs.
    opposite: Vec<u32>,
    back: Vec<u8>,
    /// The cells to settle, by cost modulo the number of lists.
    open: [Vec<u32>; LISTS],
}

impl Streams {
    fn new(floor: &Floor) -> Streams {
        let mut opposite = Vec::new();
        for cell in 0..floor.len() as u32 {
            for &to in floor.neighbours(cell) {
                let back = floor.neighbours(to).iter().position(|&back| back == cell);
                opposite.push(floor.first_step(to) + back.unwrap_or(0) as u32);
            }
        }
        let steps = opposite.len();
        Streams { flow: vec![0; steps], opposite, back: vec![STEP as u8; steps], open: Default::default() }
    }

    fn add(&mut self, path: &[u32]) {
        for &step in path {
            self.flow[step as usize] += 1;
            self.weigh(step);
        }
    }

    fn remove(&mut self, path: &[u32]) {
        for &step in path {
            self.flow[step as usize] -= 1;
            self.weigh(step);
        }
    }

    /// Corrects the costs of a step and of its opposite.
    fn weigh(&mut self, step: u32) {
        let steps = [step, self.opposite[step as usize]].map(|step| step as usize);
        let [with, against] = steps.map(|step| u32::from(self.flow[step]));
        for (step, flow) in steps.into_iter().zip([with, against]) {
            self.back[step] = (STEP + AGAINST * flow / (with + against + 1)) as u8;
        }
    }

    /// Computes the costs from cells to a goal, plus one, by Dijkstra's algorithm from the goal, up to some way beyond the start. Returns them with a cost above all of them.
    fn settle(&mut self, floor: &Floor, [start, goal]: [u32; 2]) -> (Vec<u16>, u32) {
        let mut costs = vec![0_u16; floor.len()];
        costs[goal as usize] = 1;
        self.open[1].push(goal);
        let mut last = FAR - STEP - AGAINST;
        let (mut cost, mut waiting) = (1, 1);
        while waiting > 0 && cost < last {
            while let Some(cell) = self.open[cost as usize % LISTS].pop() {
                waiting -= 1;
                if u32::from(costs[cell as usize]) != cost {
                    continue;
                }
                if cell == start {
                    last = last.min(cost + cost / MARGIN.0 + MARGIN.1);
                }
                let first = floor.first_step(cell) as usize;
                let neighbours = floor.neighbours(cell);
                for (&to, &step) in neighbours.iter().zip(&self.back[first..]) {
                    let then = cost + u32::from(step);
                    let known = u32::from(costs[to as usize]);
                    if known == 0 || then < known {
                        costs[to as usize] = then as u16;
                        self.open[then as usize % LISTS].push(to);
                        waiting += 1;
                    }
                }
            }
            cost += 1;
        }
        self.open.iter_mut().for_each(Vec::clear);
        // What has been reached but not settled may be too high by less than the cost of a step.
        (costs, cost + STEP + AGAINST)
    }
}
