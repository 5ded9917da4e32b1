//! Search over configurations, each the cells of all agents at one time: `LaCAM` and its anytime version (K. Okumura, *`LaCAM`: Search-Based Algorithm for Quick
//! Multi-Agent Pathfinding*, AAAI 2023; *Improving `LaCAM` for Scalable Eventually Optimal Multi-Agent Pathfinding*, IJCAI 2023).
//!
//! The search is depth-first. Each visit of a configuration generates one successor, by a [`Stepper`] under constraints: some agents have to go to certain cells. Each
//! configuration has a queue of constraints, the first of which is empty, the last of which fix all agents, so that after enough visits all successors have been generated. A configuration
//! is forgotten by the search only when its queue is empty; if all are, and the goal has not been found, there is no solution.
//!
//! After the first solution the search goes on. Costs are corrected along all steps that it has found, as in Dijkstra's algorithm, and configurations that cannot be part of a
//! better solution are left out.

use crate::cooperate::draws::Draws;
use crate::cooperate::fields::Fields;
use crate::cooperate::guide::{Compass, Guide};
use crate::cooperate::stepper::{Board, Stepper};
use crate::cooperate::table::Table;

/// No configuration, constraint or step.
const NONE: u32 = u32::MAX;

/// After the first solution, once in so many times the search goes on from the start instead of where it has arrived.
const RESTART: usize = 1000;

/// After a configuration has been met again, agents are guided by plain distances for so many visits; each time for twice as many, up to a limit.
const DETOUR: (u32, u32) = (16, 1 << 14);

/// A configuration. Its cells and its order of agents are in lists of the search.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    /// The steps taken so far by agents that were not at their goals all the time.
    cost: u64,
    /// How many steps are needed at least.
    to_go: u64,
    /// The first of the steps to others.
    steps: u32,
    /// The ends of its queue of constraints.
    head: u32,
    tail: u32,
}

/// That an agent has to go to a cell, and all that its parent says.
#[derive(Clone, Copy, Debug)]
struct Constraint {
    parent: u32,
    cell: u32,
    /// How many agents are constrained.
    depth: u32,
    /// The next one in the queue.
    next: u32,
}

/// A step from one configuration to another.
#[derive(Clone, Copy, Debug)]
struct Step {
    to: u32,
    cost: u64,
    /// The next one of the same configuration.
    next: u32,
}

/// What happened in a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Nothing,
    /// There is a plan that is better than the one before.
    Better,
    /// Everything has been searched.
    Exhausted,
}

/// The search.
#[derive(Debug, Default)]
pub(super) struct Search {
    agents: usize,
    nodes: Vec<Node>,
    /// By configuration: the cells of all agents.
    cells: Vec<u32>,
    /// By configuration: the order in which agents choose.
    orders: Vec<u16>,
    constraints: Vec<Constraint>,
    steps: Vec<Step>,
    table: Table,
    /// The configurations to visit, the next one last.
    open: Vec<u32>,
    goal: Option<u32>,
    /// For how many visits agents are guided by plain distances, and for how many the next time.
    detour: u32,
    next_detour: u32,
    required: Vec<(u16, u32)>,
    choices: Vec<u32>,
    /// Configurations whose costs have been corrected.
    corrected: Vec<u32>,
    order: Vec<u16>,
}

impl Search {
    pub fn new(board: &Board, fields: &mut Fields, draws: &mut Draws) -> Search {
        let agents = board.starts.len();
        let mut search = Search { agents, next_detour: DETOUR.0, ..Search::default() };
        // The agent with the longest path chooses first; ties are broken at random.
        let mut order: Vec<u16> = (0..agents as u16).collect();
        draws.shuffle(&mut order);
        order.sort_by_key(|&agent| {
            let agent = usize::from(agent);
            std::cmp::Reverse(fields.steps(&board.floor, agent, board.starts[agent]))
        });
        search.order = order;
        search.add(board, fields, NONE, &board.starts, 0);
        search.table.insert(&search.cells, agents, 0);
        search.open.push(0);
        search
    }

    /// Returns how many bytes the search has allocated.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.cells.capacity() * size_of::<u32>()
            + self.orders.capacity() * size_of::<u16>()
            + self.constraints.capacity() * size_of::<Constraint>()
            + self.steps.capacity() * size_of::<Step>()
            + self.table.bytes()
            + (self.open.capacity() + self.corrected.capacity()) * size_of::<u32>()
    }

    fn config(&self, node: u32) -> &[u32] {
        &self.cells[node as usize * self.agents..][..self.agents]
    }

    /// Visits a configuration, and generates a successor.
    pub fn visit(
        &mut self,
        board: &Board,
        fields: &mut Fields,
        guide: Option<&Guide>,
        stepper: &mut Stepper,
        draws: &mut Draws,
    ) -> Event {
        let Some(&top) = self.open.last() else { return Event::Exhausted };
        let node = self.nodes[top as usize];
        if self.goal.is_none() && node.to_go == 0 {
            self.goal = Some(top);
            return Event::Better;
        }
        let is_useless = self.best().is_some_and(|best| node.cost + node.to_go >= best);
        if is_useless || node.head == NONE {
            self.open.pop();
            return Event::Nothing;
        }
        self.constrain(board, top, draws);
        let from = &self.cells[top as usize * self.agents..][..self.agents];
        let order = &self.orders[top as usize * self.agents..][..self.agents];
        // What makes plans good may also lead agents round in circles.
        let is_plain = self.detour > 0;
        self.detour = self.detour.saturating_sub(1);
        let mut compass = Compass { fields: &mut *fields, guide: guide.filter(|_| !is_plain), is_plain };
        if !stepper.step(board, &mut compass, from, order, &self.required, draws) {
            self.turn();
            return Event::Nothing;
        }
        self.arrive(board, fields, top, stepper.to(), draws)
    }

    /// The cost of the best plan.
    fn best(&self) -> Option<u64> {
        self.goal.map(|goal| self.nodes[goal as usize].cost)
    }

    /// Takes the next constraint from the queue of a configuration, and adds those that say one thing more.
    fn constrain(&mut self, board: &Board, top: u32, draws: &mut Draws) {
        let index = self.nodes[top as usize].head;
        let constraint = self.constraints[index as usize];
        let from = &self.cells[top as usize * self.agents..];
        let order = &self.orders[top as usize * self.agents..];
        self.required.clear();
        let mut at = constraint;
        while at.depth > 0 {
            self.required.push((order[at.depth as usize - 1], at.cell));
            at = self.constraints[at.parent as usize];
        }
        if (constraint.depth as usize) < self.agents {
            let here = from[usize::from(order[constraint.depth as usize])];
            self.choices.clear();
            self.choices.extend_from_slice(board.floor.neighbours(here));
            self.choices.push(here);
            draws.shuffle(&mut self.choices);
            let depth = constraint.depth + 1;
            let mut tail = self.nodes[top as usize].tail;
            for &cell in &self.choices {
                let added = self.constraints.len() as u32;
                self.constraints.push(Constraint { parent: index, cell, depth, next: NONE });
                self.constraints[tail as usize].next = added;
                tail = added;
            }
            self.nodes[top as usize].tail = tail;
        }
        self.nodes[top as usize].head = self.constraints[index as usize].next;
    }

    /// Adds the step to a configuration, which may be new.
    fn arrive(
        &mut self,
        board: &Board,
        fields: &mut Fields,
        from: u32,
        to: &[u32],
        draws: &mut Draws,
    ) -> Event {
        let moving = self.config(from).iter().zip(to).enumerate();
        let moving = moving
            .filter(|&(agent, (&from, &to))| !board.is_content(agent, from) || !board.is_content(agent, to));
        let step = moving.count() as u64;
        let cost = self.nodes[from as usize].cost + step;
        let known = self.table.find(&self.cells, self.agents, to);
        let node = known.unwrap_or_else(|| {
            self.arrange(board, from, to);
            let node = self.add(board, fields, from, to, cost);
            self.table.insert(&self.cells, self.agents, node);
            node
        });
        let before = self.best();
        self.link(from, node, step);
        if known.is_some() {
            self.turn();
            self.correct(from, node, step);
            let restarts = before.is_some() && draws.below(RESTART) == 0;
            self.open.push(if restarts { 0 } else { node });
        } else {
            self.open.push(node);
            let is_goal = self.nodes[node as usize].to_go == 0;
            if before.is_some_and(|before| is_goal && cost < before) {
                self.goal = Some(node);
            }
        }
        if before.is_some() && self.best() < before { Event::Better } else { Event::Nothing }
    }

    /// Begins a detour, unless there is one.
    fn turn(&mut self) {
        if self.detour == 0 {
            self.detour = self.next_detour;
            self.next_detour = (2 * self.detour).min(DETOUR.1);
        }
    }

    /// Puts agents that are at their goals behind the others. The others keep their order, so that no agent waits forever.
    fn arrange(&mut self, board: &Board, from: u32, to: &[u32]) {
        let before = &self.orders[from as usize * self.agents..][..self.agents];
        let is_content = |&agent: &u16| board.is_content(usize::from(agent), to[usize::from(agent)]);
        self.order.clear();
        self.order.extend(before.iter().copied().filter(|agent| !is_content(agent)));
        self.order.extend(before.iter().copied().filter(is_content));
    }

    /// Adds a configuration, whose order of agents is in `order`.
    fn add(&mut self, board: &Board, fields: &mut Fields, parent: u32, cells: &[u32], cost: u64) -> u32 {
        let node = self.nodes.len() as u32;
        let root = self.constraints.len() as u32;
        self.constraints.push(Constraint { parent: NONE, cell: NONE, depth: 0, next: NONE });
        let steps = |(agent, &cell): (usize, &u32)| u64::from(fields.steps(&board.floor, agent, cell));
        let to_go = cells.iter().enumerate().map(steps).sum();
        self.nodes.push(Node { parent, cost, to_go, steps: NONE, head: root, tail: root });
        self.cells.extend_from_slice(cells);
        self.orders.extend_from_slice(&self.order);
        node
    }

    fn link(&mut self, from: u32, to: u32, cost: u64) {
        let next = self.nodes[from as usize].steps;
        self.nodes[from as usize].steps = self.steps.len() as u32;
        self.steps.push(Step { to, cost, next });
    }

    /// Corrects the costs of a configuration and of all behind it after a step to it has been found.
    fn correct(&mut self, from: u32, to: u32, step: u64) {
        self.lower(from, to, step);
        while let Some(node) = self.corrected.pop() {
            let mut at = self.nodes[node as usize].steps;
            while at != NONE {
                let Step { to, cost, next } = self.steps[at as usize];
                self.lower(node, to, cost);
                at = next;
            }
        }
    }

    fn lower(&mut self, from: u32, to: u32, step: u64) {
        let cost = self.nodes[from as usize].cost + step;
        let node = &mut self.nodes[to as usize];
        if cost >= node.cost {
            return;
        }
        (node.cost, node.parent) = (cost, from);
        let may_help = node.head != NONE;
        self.corrected.push(to);
        if may_help && self.goal.is_some() {
            self.open.push(to);
        }
    }

    /// Writes the configurations of the best plan to a list, the last one first.
    pub fn plan_into(&self, plan: &mut Vec<u32>) {
        plan.clear();
        let mut at = self.goal;
        while let Some(node) = at.filter(|&node| node != NONE) {
            plan.extend_from_slice(self.config(node));
            at = Some(self.nodes[node as usize].parent);
        }
    }
}
