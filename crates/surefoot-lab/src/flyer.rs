//! One who flies in a voxel world: plans, follows the plan, and gets out of the way of obstacles.

use std::collections::VecDeque;
use std::time::Instant;

use bytes::Bytes;
use surefoot::prelude::*;
use surefoot::replan::{Planner, Replan};
use surefoot::search::Stats;
use surefoot::search::observe::{Action, Event, Observer};

use crate::cast::Work;
use crate::course::{At, along, cell_of, distance, is_clear, middle};
use crate::movement;
use crate::protocol::UnitReport;
use crate::question::Question;

/// How far one looks for an open cell when an obstacle has come to where one is.
const DODGE: i32 = 8;

/// The flyer of a board.
pub struct Flyer {
    pub board: u8,
    algorithm: &'static Algorithm,
    agent: Agent,
    brain: Brain,
    at: At,
    /// What it flies along: cells to pass the middles of.
    way: VecDeque<Voxel>,
    state: State,
    /// The goal of the present plan; `None` if there has to be a new one.
    planned: Option<Voxel>,
    /// Whether a plan is paused.
    thinking: bool,
    cost: Option<f64>,
    travelled: f64,
    /// What was told about its way last.
    told: Option<Vec<Voxel>>,
    /// The plans since the last report: how many, what they did, how long they took.
    work: Option<Work>,
    /// Whether the page is told what plans look at.
    is_watched: bool,
    /// What the last plan looked at.
    seen: Seen,
}

/// How it plans.
enum Brain {
    /// A search that is repaired.
    Repairs(Box<Planner>),
    /// A search from nothing each time.
    Searches(Box<Pathfinder>),
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Flying,
    Arrived,
    Stuck(Why),
}

/// The nodes that a plan looked at.
#[derive(Default)]
struct Seen {
    nodes: Vec<NodeId>,
    /// Whether the page has not been told of them.
    is_new: bool,
    /// Whether the search was observed only in part, so that it knows of more nodes.
    is_partial: bool,
}

impl Seen {
    /// Starts over for another plan.
    fn clear(&mut self) {
        self.nodes.clear();
        self.is_partial = false;
    }
}

impl Observer for Seen {
    fn on(&mut self, event: &Event) {
        if event.action == Action::Close {
            self.nodes.push(event.node);
        }
    }
}

impl Flyer {
    /// Someone at a place in the world. What plans look at is noted if they are `watch`ed; `guarded` repairs are given up in time.
    pub fn new(board: u8, question: &Question, at: At, watch: bool, guarded: bool) -> Result<Flyer, String> {
        let Question { algorithm, options, agent, .. } = question;
        let error = |error: surefoot::search::OptionError| format!("live: {error}");
        let brain = if algorithm.incremental {
            let mut planner = Planner::new(algorithm, options).map_err(error)?;
            // Always on, at little cost: a page that starts to watch then sees what the last repair did.
            planner.set_logging(true);
            planner.set_guarded(guarded);
            Brain::Repairs(Box::new(planner))
        } else {
            Brain::Searches(Box::new(Pathfinder::new(algorithm, options).map_err(error)?))
        };
        Ok(Flyer {
            board,
            algorithm,
            agent: *agent,
            brain,
            at,
            way: VecDeque::new(),
            state: State::Flying,
            planned: None,
            thinking: false,
            cost: None,
            travelled: 0.0,
            told: None,
            work: None,
            is_watched: watch,
            seen: Seen::default(),
        })
    }

    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Switches reports about what plans looked at on or off. The plan is kept; the next report covers all of it.
    pub fn set_watched(&mut self, on: bool) {
        self.is_watched = on;
        self.seen.is_new = !self.seen.nodes.is_empty();
        self.seen.is_partial = matches!(self.brain, Brain::Searches(_));
    }

    /// Puts it into the middle of a cell.
    pub fn place(&mut self, cell: Voxel) {
        self.at = middle(cell);
        self.way.clear();
        self.forget_plan();
    }

    /// The world is another one.
    pub fn forget_plan(&mut self) {
        (self.planned, self.thinking) = (None, false);
    }

    /// Plans, if there is a reason to; at most `budget` nodes are expanded. Whether it has come to an end.
    pub fn think(&mut self, view: &VoxelView<'_>, goal: Voxel, budget: u64) -> bool {
        let here = cell_of(self.at);
        if !view.is_open(here) {
            self.dodge(view);
            return true;
        }
        if self.planned == Some(goal) && !self.thinking {
            return true;
        }
        let clock = Instant::now();
        let (outcome, replan) = self.plan(view, here, goal, budget);
        let begins = !self.thinking;
        (self.planned, self.thinking) = (Some(goal), outcome == Outcome::Paused);
        let work = self.work.get_or_insert_default();
        work.count += u64::from(begins);
        work.fresh += u64::from(replan.fresh.is_some() && !self.thinking);
        work.replan += replan;
        work.time += clock.elapsed();
        if self.thinking {
            return false;
        }
        // Where a fresh search answered, a repair has seen nothing: what was seen last is of more use.
        self.seen.is_new = !self.seen.nodes.is_empty();
        self.take_way(view, here, goal, outcome);
        true
    }

    fn plan(&mut self, view: &VoxelView<'_>, here: Voxel, goal: Voxel, budget: u64) -> (Outcome, Replan) {
        match &mut self.brain {
            Brain::Repairs(planner) => {
                planner.move_start(view, here);
                planner.move_goal(view, goal);
                let outcome = planner.replan(view, budget);
                if !self.thinking {
                    self.seen.clear();
                }
                self.seen.nodes.extend(planner.changed());
                (outcome, planner.last())
            }
            Brain::Searches(finder) => {
                if !self.thinking {
                    finder.start(view, here, &[goal]);
                    self.seen.clear();
                }
                let before = if self.thinking { finder.stats() } else { Stats::default() };
                let outcome = if self.is_watched {
                    finder.resume_watched(view, budget, &mut self.seen)
                } else {
                    finder.resume(view, budget)
                };
                let after = finder.stats();
                let expanded = after.expanded - before.expanded;
                let generated = after.generated.saturating_sub(before.generated);
                (outcome, Replan { expanded, generated, ..Replan::default() })
            }
        }
    }

    /// Follows the new plan from wherever it is.
    fn take_way(&mut self, view: &VoxelView<'_>, here: Voxel, goal: Voxel, outcome: Outcome) {
        self.way.clear();
        self.cost = None;
        let path = match &self.brain {
            Brain::Repairs(planner) => planner.path(),
            Brain::Searches(finder) => finder.path(),
        };
        if let Outcome::Unreachable(why) = outcome {
            self.state = State::Stuck(why);
            return;
        }
        self.cost = Some(path.cost());
        self.state = State::Flying;
        self.way.extend(path.voxels(view.voxels()).skip(1));
        // Plans are from the middle of a cell. Where it is, it may have to get there first.
        let next = self.way.front().copied();
        if next.map_or(here == goal, |next| !is_clear(view, self.at, middle(next))) {
            self.way.push_front(here);
        }
    }

    /// An obstacle has come to where it is: it makes for the nearest open cell.
    fn dodge(&mut self, view: &VoxelView<'_>) {
        self.forget_plan();
        self.way.clear();
        let here = cell_of(self.at);
        let steps = -DODGE..=DODGE;
        let around = steps.clone().flat_map(|dz| {
            let steps = steps.clone();
            steps.clone().flat_map(move |dy| steps.clone().map(move |dx| here.offset(dx, dy, dz)))
        });
        let open = around.filter(|&cell| view.is_open(cell));
        let nearest =
            open.min_by(|&a, &b| distance(self.at, middle(a)).total_cmp(&distance(self.at, middle(b))));
        self.way.extend(nearest);
        self.state = if nearest.is_some() { State::Flying } else { State::Stuck(Why::StartBlocked) };
    }

    /// Flies so far, in cells.
    pub fn fly(&mut self, mut distance_left: f64, goal: Voxel) {
        while distance_left > 0.0
            && let Some(&next) = self.way.front()
        {
            let length = distance(self.at, middle(next));
            if length <= distance_left {
                self.at = middle(next);
                self.way.pop_front();
            } else {
                self.at = along(self.at, middle(next), distance_left / length);
            }
            self.travelled += length.min(distance_left);
            distance_left -= length;
        }
        if self.state == State::Flying && self.way.is_empty() && cell_of(self.at) == goal {
            self.state = State::Arrived;
        }
    }

    /// What the page is told about it.
    pub fn report(&mut self, view: &VoxelView<'_>) -> UnitReport {
        let (state, why) = match self.state {
            State::Flying => ("walking", None),
            State::Arrived => ("arrived", None),
            State::Stuck(why) => ("stuck", Some(why)),
        };
        let way = self.way.make_contiguous();
        let is_told = |told: &Vec<Voxel>| told.ends_with(way) && way.is_empty() == told.is_empty();
        let path = (!self.told.as_ref().is_some_and(is_told)).then(|| way.to_vec());
        let refusal = why.filter(|why| *why == Why::NotApplicable).and_then(|_| {
            let reason = self.algorithm.refusal(view)?;
            Some(format!("{} cannot be used here: {reason}", self.algorithm.title))
        });
        let report = UnitReport {
            board: self.board,
            at: self.at.to_vec(),
            cell: cell_of(self.at).into(),
            state,
            reason: why.map(Why::name),
            message: refusal.or(why.map(|why| why.to_string())),
            travelled: self.travelled,
            path: path.as_ref().map(|path| path.iter().copied().map(Place::from).collect()),
            ahead: Some(way.len()),
            replan: self.work.take().map(|work| work.report(self.cost)),
        };
        self.told = path.or(self.told.take());
        report
    }

    /// The cells that its last plan looked at, unless they have been told.
    pub fn touched(&mut self, live: u32, voxels: &Voxels) -> Option<Bytes> {
        if !self.is_watched {
            return None;
        }
        if let (true, Brain::Searches(finder)) = (self.seen.is_partial, &self.brain) {
            let nodes = voxels.cells().filter_map(|cell| voxels.node(cell));
            let is_closed = |node: &NodeId| finder.visit(*node).is_some_and(|visit| visit.closed);
            self.seen.nodes = nodes.filter(is_closed).collect();
            (self.seen.is_new, self.seen.is_partial) = (true, false);
        }
        let is_new = std::mem::take(&mut self.seen.is_new) && !self.seen.nodes.is_empty();
        is_new.then(|| movement::touched(self.board, live, voxels, &self.seen.nodes))
    }
}
