//! The search for a plan, in slices.

use std::fmt;

use crate::agent::Moves;
use crate::cooperate::draws::Draws;
use crate::cooperate::fields::{Distance, Fields};
use crate::cooperate::floor::{Floor, NOWHERE};
use crate::cooperate::guide::Guide;
use crate::cooperate::plan::Plan;
use crate::cooperate::refine::Refiner;
use crate::cooperate::search::{Event, Search};
use crate::cooperate::stepper::{Board, NO_AGENT, Stepper};
use crate::cooperate::task::{CooperateError, End, Task};
use crate::id::NodeId;
use crate::world::any::{Numbering, Vantage, View};
use crate::world::grid::GridView;

/// From one agent on so many cells on, agents are guided out of each other's way.
const CROWDED: usize = 32;

/// Up to so many agents, the search for a better plan goes on as often as the plan is improved.
const FEW: usize = 16;

/// After how many groups for each agent, all of which have gained nothing, improving ends.
const PATIENCE: u64 = 40;

/// How far a [`Cooperation`] has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[must_use]
pub enum Status {
    /// Nothing has been started.
    #[default]
    Idle,
    /// There is no plan yet.
    Searching,
    /// There is a plan, and it may become better.
    Improving,
    /// There is a plan, and the search has ended: the plan is optimal, or no further improvement has been found.
    Finished,
    /// There is no plan: this is proven.
    Impossible,
    /// No plan has been found within the memory limit.
    OutOfMemory,
    /// A goal is more than 65,000 steps away, which is further than distances are counted. No plan has been found.
    TooFar,
    /// The world or the agent has changed since the start. A plan found before is still there, and belongs to the world as it was.
    WorldChanged,
}

impl Status {
    /// Returns whether a further [`resume`](Cooperation::resume) would do nothing.
    pub fn is_final(self) -> bool {
        !matches!(self, Status::Searching | Status::Improving)
    }
}

/// A search for the paths of many agents.
///
/// The first plan comes from a search over configurations (`LaCAM`) whose steps are computed by priority inheritance with backtracking (PIBT): see the papers named in
/// the source. It is complete: given enough budget and memory, it finds a plan or proves that there is none. A proof has to look at all configurations, so expect it for a few
/// agents in small places only.
///
/// Then the plan is improved until the [status](Status) is final or the caller stops. Nothing is borrowed between calls; if the world changes,
/// [`resume`](Cooperation::resume) says so. The same world, tasks, seed and total budget give the same plan on every machine, however the budget is divided.
///
/// Terrain costs and links are ignored: every step takes the same time.
#[derive(Default)]
pub struct Cooperation {
    seed: u64,
    memory_limit: Option<u64>,
    avoids_circles: bool,
    status: Status,
    vantage: Vantage,
    board: Board,
    goals: Vec<Option<NodeId>>,
    fields: Fields,
    /// What keeps agents out of each other's way, if they are many.
    guide: Option<Guide>,
    draws: Draws,
    /// How many agents are known to reach their goals.
    checked: usize,
    lower_bound: u64,
    search: Option<Search>,
    /// Whether the search has ended, and whether it did so for want of memory.
    is_searched: bool,
    is_full: bool,
    refiner: Option<Refiner>,
    stepper: Stepper,
    iterations: u64,
    plan: Option<Plan>,
    /// How often the paths had changed when the plan was written.
    written: Option<u64>,
}

impl fmt::Debug for Cooperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cooperation")
            .field("status", &self.status)
            .field("agents", &self.goals.len())
            .field("iterations", &self.iterations)
            .field("sum_of_costs", &self.plan.as_ref().map(Plan::sum_of_costs))
            .finish_non_exhaustive()
    }
}

impl Cooperation {
    /// The maximum number of agents.
    pub const MAX_AGENTS: usize = NO_AGENT as usize;

    /// The memory limit unless another is given, in bytes.
    pub const MEMORY_LIMIT: u64 = 2 << 30;

    /// Creates a search whose random decisions depend on a seed.
    pub fn new(seed: u64) -> Cooperation {
        Cooperation { seed, ..Cooperation::default() }
    }

    /// Sets the memory limit in bytes, which applies from the next [`start`](Cooperation::start) on: once to the distances to goals, two bytes for each
    /// agent and cell, and once to the configurations that the search remembers.
    #[must_use]
    pub fn with_memory_limit(mut self, bytes: u64) -> Cooperation {
        self.memory_limit = Some(bytes);
        self
    }

    /// Lets agents never move round in a circle, all at the same time, from the next [`start`](Cooperation::start) on. Each step of a plan can then be carried out one
    /// agent after the other, those in front first. The first plan is final: it is not improved.
    ///
    /// ```
    /// use surefoot::cooperate::{Cooperation, Status, Task};
    /// use surefoot::prelude::*;
    /// let grid = Grid::new(2, 2).unwrap(); // four agents that all go on by one cell
    /// let agent = Agent::default().with_moves(Moves::Four);
    /// let ring = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| grid.node(Cell::new(x, y)).unwrap());
    /// let tasks: Vec<Task> = (0..4).map(|agent| Task::new(ring[agent], ring[(agent + 1) % 4])).collect();
    /// let status = |mut cooperation: Cooperation| {
    ///     cooperation.start(&grid.view(&agent), &tasks).unwrap();
    ///     while !cooperation.resume(&grid.view(&agent), 1000).is_final() {}
    ///     cooperation.status()
    /// };
    /// assert_eq!(status(Cooperation::default()), Status::Finished);
    /// assert_eq!(status(Cooperation::default().without_circles()), Status::Impossible);
    /// ```
    #[must_use]
    pub fn without_circles(mut self) -> Cooperation {
        self.avoids_circles = true;
        self
    }

    /// Starts a search on all cells of a grid.
    ///
    /// # Errors
    /// If the tasks make no sense on this grid. Then the status is [`Idle`](Status::Idle).
    pub fn start(&mut self, view: &GridView<'_>, tasks: &[Task]) -> Result<(), CooperateError> {
        self.begin(view, None, tasks)
    }

    /// Starts a search on some cells of a grid. All others are walls. Blocked cells and numbers that are no cells are ignored.
    ///
    /// # Errors
    /// See [`start`](Cooperation::start).
    ///
    /// ```
    /// use surefoot::cooperate::{Cooperation, Status, Task};
    /// use surefoot::prelude::*;
    /// let grid = Grid::new(4, 2).unwrap();
    /// let agent = Agent::default();
    /// let cells = [(0, 0), (1, 0), (2, 0), (1, 1)].map(|(x, y)| grid.node(Cell::new(x, y)).unwrap());
    /// let [west, middle, east, niche] = cells;
    /// let tasks = [Task::new(west, east), Task::without_goal(middle)];
    /// let mut cooperation = Cooperation::default();
    /// cooperation.start_within(&grid.view(&agent), &cells, &tasks).unwrap();
    /// assert_eq!(cooperation.resume(&grid.view(&agent), 1000), Status::Finished);
    /// let plan = cooperation.plan().unwrap();
    /// assert_eq!(plan.at(plan.makespan()), [east, niche]); // the other one has stepped aside
    /// ```
    pub fn start_within(
        &mut self,
        view: &GridView<'_>,
        cells: &[NodeId],
        tasks: &[Task],
    ) -> Result<(), CooperateError> {
        self.begin(view, Some(cells), tasks)
    }

    fn begin(
        &mut self,
        view: &GridView<'_>,
        within: Option<&[NodeId]>,
        tasks: &[Task],
    ) -> Result<(), CooperateError> {
        *self = Cooperation {
            seed: self.seed,
            memory_limit: self.memory_limit,
            avoids_circles: self.avoids_circles,
            ..Cooperation::default()
        };
        let world = View::from(view);
        if !matches!(view.moves(), Moves::Four | Moves::Eight) {
            return Err(CooperateError::UnsupportedMoves(view.moves()));
        }
        if view.needed_clearance() > view.of_smallest_agent().needed_clearance() {
            return Err(CooperateError::TooWide);
        }
        if tasks.len() > Cooperation::MAX_AGENTS {
            return Err(CooperateError::TooManyAgents { found: tasks.len() });
        }
        let numbering = world.numbering();
        let within: Option<Vec<NodeId>> =
            within.map(|cells| cells.iter().copied().filter(|&node| numbering.contains(node)).collect());
        let floor = Floor::new(view, within.as_deref());
        let starts: Vec<Option<NodeId>> = tasks.iter().map(|task| Some(task.start)).collect();
        self.goals = tasks.iter().map(|task| task.goal).collect();
        let starts = cells_of(view, &numbering, &floor, &starts, End::Start)?;
        let goals = cells_of(view, &numbering, &floor, &self.goals, End::Goal)?;
        let (agents, cells) = (self.goals.iter().flatten().count(), floor.len());
        let (needed, limit) = (2 * agents as u64 * cells as u64, self.memory_limit());
        if needed > limit {
            return Err(CooperateError::TooLarge { agents, cells, needed, limit });
        }
        self.fields = Fields::new(&goals, floor.len());
        self.board = Board { floor, starts, goals, avoids_circles: self.avoids_circles };
        self.stepper = Stepper::new(&self.board);
        self.draws = Draws::new(self.seed);
        self.vantage = world.vantage();
        self.status = Status::Searching;
        Ok(())
    }

    fn memory_limit(&self) -> u64 {
        self.memory_limit.unwrap_or(Cooperation::MEMORY_LIMIT)
    }

    /// Continues for a number of iterations. It returns earlier when the first plan has been found, so that the caller can decide whether to improve it, and when
    /// the status is final.
    ///
    /// In an iteration, the distances to one goal are computed, all agents move by one step, or a few agents of a plan get new paths.
    pub fn resume(&mut self, view: &GridView<'_>, budget: u64) -> Status {
        if !self.status.is_final() && self.vantage != View::from(view).vantage() {
            self.status = Status::WorldChanged;
        }
        let began = self.status;
        let end = self.iterations.saturating_add(budget);
        while self.iterations < end && self.status == began && !began.is_final() {
            self.iterations += 1;
            self.status = self.iterate();
        }
        self.write();
        self.status
    }

    fn iterate(&mut self) -> Status {
        if self.checked < self.goals.len() {
            return self.check();
        }
        if self.refines() {
            let Some(refiner) = &mut self.refiner else { return self.status };
            refiner.improve(&self.board, &mut self.fields, &mut self.draws);
        } else {
            self.visit();
        }
        self.judge_progress()
    }

    /// Whether the next iteration improves the plan that there is, and does not look for another one. The more agents there are, the less can be expected of that.
    fn refines(&self) -> bool {
        let share = if self.goals.len() <= FEW { 2 } else { 16 };
        self.refiner.is_some() && (self.is_searched || !self.iterations.is_multiple_of(share))
    }

    /// Visits a configuration.
    fn visit(&mut self) {
        let is_crowded = self.goals.len() * CROWDED >= self.board.floor.len();
        if self.search.is_none() && self.refiner.is_none() && is_crowded {
            self.guide = Some(Guide::new(&self.board, &mut self.fields));
        }
        let search =
            self.search.get_or_insert_with(|| Search::new(&self.board, &mut self.fields, &mut self.draws));
        match search.visit(
            &self.board,
            &mut self.fields,
            self.guide.as_ref(),
            &mut self.stepper,
            &mut self.draws,
        ) {
            Event::Better => {
                let mut cells = Vec::new();
                search.plan_into(&mut cells);
                let refiner = Refiner::new(&self.board, &mut self.fields, &cells);
                if self.refiner.as_ref().is_none_or(|best| refiner.sum() < best.sum()) {
                    (self.refiner, self.written) = (Some(refiner), None);
                }
            }
            Event::Exhausted => self.is_searched = true,
            Event::Nothing => {
                if search.bytes() as u64 > self.memory_limit() {
                    (self.is_searched, self.is_full) = (true, true);
                }
            }
        }
        if self.is_searched {
            self.search = None;
        }
    }

    /// Decides whether to go on.
    fn judge_progress(&self) -> Status {
        let Some(refiner) = &self.refiner else {
            return match (self.is_searched, self.is_full) {
                (false, _) => Status::Searching,
                (true, false) => Status::Impossible,
                (true, true) => Status::OutOfMemory,
            };
        };
        let patience = PATIENCE * (self.goals.len() as u64 + 1);
        if self.avoids_circles
            || refiner.sum() == self.lower_bound
            || (self.is_searched && refiner.idle() > patience)
        {
            Status::Finished
        } else {
            Status::Improving
        }
    }

    /// Checks whether the next agent could reach its goal if it were alone.
    fn check(&mut self) -> Status {
        let agent = self.checked;
        self.checked += 1;
        let start = self.board.starts[agent];
        match self.fields.distance(&self.board.floor, agent, start) {
            Distance::Steps(steps) => {
                self.lower_bound += u64::from(steps);
                Status::Searching
            }
            Distance::Unreachable => Status::Impossible,
            Distance::TooFar => Status::TooFar,
        }
    }

    /// Writes the plan down if it has become better.
    fn write(&mut self) {
        let Some(refiner) = self.refiner.as_ref().filter(|refiner| self.written != Some(refiner.changes()))
        else {
            return;
        };
        self.written = Some(refiner.changes());
        let paths = refiner.paths();
        let steps = paths.iter().map(Vec::len).max().unwrap_or(0);
        let mut nodes = vec![NodeId::NONE; steps * paths.len()];
        for (agent, path) in paths.iter().enumerate() {
            let mut cells = path.iter();
            let mut node = NodeId::NONE;
            for slot in nodes.iter_mut().skip(agent).step_by(paths.len()) {
                node = cells.next().map_or(node, |&cell| self.board.floor.node(cell));
                *slot = node;
            }
        }
        self.plan = Some(Plan::new(nodes, &self.goals));
    }

    /// Returns the status.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Returns the best plan so far.
    pub fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    /// Returns the number of steps that all agents need together if none of them ever waits. No plan has a smaller [sum of costs](Plan::sum_of_costs).
    /// It is complete once there is a plan.
    pub fn lower_bound(&self) -> u64 {
        self.lower_bound
    }

    /// Returns the number of iterations since the start.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }
}

/// Returns the cells of the starts or of the goals of all agents.
fn cells_of(
    view: &GridView<'_>,
    numbering: &Numbering,
    floor: &Floor,
    nodes: &[Option<NodeId>],
    end: End,
) -> Result<Vec<u32>, CooperateError> {
    let mut cells = Vec::with_capacity(nodes.len());
    // By cell: one more than the number of the agent.
    let mut agents = vec![0; floor.len()];
    for (agent, node) in nodes.iter().enumerate() {
        let Some(node) = *node else {
            cells.push(NOWHERE);
            continue;
        };
        if !numbering.contains(node) {
            return Err(CooperateError::Outside { agent, end, node });
        }
        let place = view.grid().cell(node);
        let cell = floor.cell(node).ok_or(CooperateError::Blocked { agent, end, cell: place })?;
        let other = std::mem::replace(&mut agents[cell as usize], agent + 1);
        if other > 0 {
            return Err(CooperateError::Shared { first: other - 1, second: agent, end, cell: place });
        }
        cells.push(cell);
    }
    Ok(cells)
}
