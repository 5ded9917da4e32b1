//! Live units and their target, in time slices: nothing here waits, so the caller decides when others run.
//!
//! The result depends on the messages alone: plans are divided by the number of expanded nodes, and time only decides when
//! others run.

use std::time::{Duration, Instant};

use surefoot::formats::World;
use surefoot::prelude::*;
use surefoot::unit::{Habit, Roamer, State, Target, Unit, UnitId, UnitSpec, Units};

use crate::cast::{Work, check_speed, checked_boards};
use crate::debug::Changes;
use crate::limits::{SLICE, TICK};
use crate::live::{Play, Progress, check_time};
use crate::protocol::{Answer, LiveRequest, TargetKind, TargetRequest, Ticked, UnitReport};

/// Nodes that a plan expands between two looks at the clock.
const CHUNK: u64 = 2048;

/// Live units and their target.
pub struct Stage {
    live: u32,
    target: Roamer,
    /// The agent of the first board, as which the target moves.
    agent: Agent,
    actors: Vec<Actor>,
    tick: u64,
    /// Ticks still to come of those asked for.
    left: u32,
    /// The unit that plans next in the current tick; `None` if the tick has not begun.
    thinking: Option<usize>,
    /// The time that the ticks asked for have taken so far.
    spent: Duration,
}

/// The unit of a board, with units of its own so that what it takes can be told apart.
struct Actor {
    board: u8,
    algorithm: &'static Algorithm,
    units: Units,
    id: UnitId,
    /// The path that was last sent.
    told: Option<Vec<Cell>>,
    /// The plans of the ticks asked for: how many, what they did, how long they took.
    work: Option<Work>,
    /// The time of the present tick.
    spent: Duration,
    changes: Option<Changes>,
}

impl Stage {
    /// Sets up the units of a message.
    pub fn new(request: &LiveRequest, grid: &Grid, world: &World) -> Result<Stage, String> {
        let size = grid.frame().cell_size();
        check_speed("speed", request.speed)?;
        let mut actors: Vec<Actor> = Vec::new();
        let mut begins = None;
        for (board, question) in checked_boards(request, world)? {
            let algorithm = question.algorithm;
            let (Place::Cell(start), Some(Place::Cell(goal))) =
                (question.start, question.goals.first().copied())
            else {
                return Err("live: found a place of another kind, expected [x, y]".to_owned());
            };
            let mut units = Units::new();
            let spec = UnitSpec {
                at: start,
                target: Target::Cell(goal),
                speed: request.speed * size,
                agent: question.agent,
                algorithm: algorithm.name,
                options: question.options,
                sensing: request.sensing,
            };
            let id = units.add(grid, &spec).map_err(|error| format!("live: {error}"))?;
            let logs = request.debug && units.set_logging(id, true);
            begins = begins.or(Some((goal, question.agent)));
            actors.push(Actor {
                board,
                algorithm,
                units,
                id,
                told: None,
                work: None,
                spent: Duration::ZERO,
                changes: logs.then(|| Changes::new(board, request.live)),
            });
        }
        let (goal, agent) = begins.expect("there is a board");
        let target = roamer(grid, goal, &agent, &request.target)?;
        let (tick, left, thinking, spent) = (0, 0, None, Duration::ZERO);
        Ok(Stage { live: request.live, target, agent, actors, tick, left, thinking, spent })
    }

    /// Runs a part of a tick: one unit plans, or all units walk.
    fn piece(&mut self, grid: &Grid) {
        let Some(at) = self.thinking else {
            let pursuers: Vec<Cell> = self.actors.iter().map(|actor| actor.unit().cell()).collect();
            self.target.tick(grid, TICK, &pursuers);
            for actor in &mut self.actors {
                actor.units.set_target(actor.id, Target::Cell(self.target.cell()));
            }
            self.thinking = Some(0);
            return;
        };
        if let Some(actor) = self.actors.get_mut(at) {
            let clock = Instant::now();
            let done = actor.units.think(grid, CHUNK);
            actor.spent += clock.elapsed();
            self.thinking = Some(at + usize::from(done));
            return;
        }
        for actor in &mut self.actors {
            actor.walk(grid);
        }
        self.thinking = None;
        self.tick += 1;
        self.left -= 1;
    }
}

impl Play for Stage {
    fn begin(&mut self, ticks: u32) {
        self.left = ticks;
        self.spent = Duration::ZERO;
    }

    fn place(&mut self, world: &World, board: Option<u8>, unit: Option<Place>, target: Option<Place>) {
        let World::Grid(grid) = world else { return };
        for actor in self.actors.iter_mut().filter(|actor| board.is_none_or(|board| board == actor.board)) {
            if let Some(Place::Cell(at)) = unit {
                actor.units.place(grid, actor.id, at);
            }
        }
        if let Some(Place::Cell(at)) = target {
            self.target.place(grid, at);
        }
    }

    fn set_target(&mut self, world: &World, request: &TargetRequest) -> Result<(), String> {
        let World::Grid(grid) = world else { return Ok(()) };
        self.target = roamer(grid, self.target.cell(), &self.agent, request)?;
        Ok(())
    }

    fn set_forecast(&mut self, _: f64) -> Result<(), String> {
        Err("adjust: found `forecast`, which is for voxel worlds".to_owned())
    }

    fn set_watched(&mut self, on: bool) {
        for actor in &mut self.actors {
            let logs = actor.units.set_logging(actor.id, on) && on;
            actor.changes = logs.then(|| Changes::from_now_on(actor.board, self.live));
        }
    }

    fn go_on(&mut self, world: &World) -> Progress {
        let World::Grid(grid) = world else {
            return Progress::Failed("the grid was replaced".to_owned());
        };
        let clock = Instant::now();
        while self.left > 0 {
            self.piece(grid);
            if clock.elapsed() >= SLICE {
                self.spent += clock.elapsed();
                return check_time(self.spent);
            }
        }
        let (mut pieces, mut units) = (Vec::new(), Vec::new());
        for actor in &mut self.actors {
            if let Some(changes) = &mut actor.changes {
                changes.take_into(grid, &mut actor.units, actor.id, &mut pieces);
            }
            units.extend(actor.report(grid));
        }
        let target = Place::from(self.target.cell());
        let ticked = Ticked { live: self.live, tick: self.tick, target, units, scene: None };
        Progress::Ticked(pieces, Box::new(Answer::Ticked(ticked)))
    }
}

impl Actor {
    fn unit(&self) -> &Unit {
        self.units.get(self.id).expect("the unit is never removed")
    }

    /// The end of a tick.
    fn walk(&mut self, grid: &Grid) {
        let clock = Instant::now();
        self.units.walk(grid, TICK, CHUNK);
        self.spent += clock.elapsed();
        let spent = std::mem::take(&mut self.spent);
        let plans = self.units.replanned();
        if plans.is_empty() {
            return;
        }
        let work = self.work.get_or_insert_default();
        work.count += plans.len() as u64;
        work.time += spent;
        for plan in plans {
            work.fresh += u64::from(plan.replan.fresh.is_some() || !self.algorithm.incremental);
            work.replan += plan.replan;
        }
        let restarted = plans.iter().any(|plan| plan.replan.restarted);
        if let Some(changes) = &mut self.changes
            && let Some(unit) = self.units.get(self.id)
        {
            changes.note(restarted, unit.changed());
        }
    }

    /// What the page is told about the unit.
    fn report(&mut self, grid: &Grid) -> Option<UnitReport> {
        let unit = self.units.get(self.id)?;
        let frame = grid.frame();
        let (position, origin, size) = (unit.position(), frame.origin(), frame.cell_size());
        let (state, why) = match unit.state() {
            State::Walking | State::Waiting => ("walking", None),
            State::Arrived => ("arrived", None),
            State::Stuck(why) => ("stuck", Some(why)),
        };
        let ahead = unit.path();
        let is_told = |told: &Vec<Cell>| told.ends_with(ahead) && ahead.is_empty() == told.is_empty();
        let path = (!self.told.as_ref().is_some_and(is_told)).then(|| ahead.to_vec());
        let refusal = why.filter(|why| *why == Why::NotApplicable).and_then(|_| {
            let view = grid.view(unit.agent());
            let reason = self.algorithm.refusal(view)?;
            Some(format!("{} cannot be used here: {reason}", self.algorithm.title))
        });
        let report = UnitReport {
            board: self.board,
            at: vec![(position.x - origin.x) / size, (position.y - origin.y) / size],
            cell: unit.cell().into(),
            state,
            reason: why.map(Why::name),
            message: refusal.or(why.map(|why| why.to_string())),
            travelled: unit.travelled() / size,
            path: path.as_ref().map(|path| path.iter().copied().map(Place::from).collect()),
            ahead: None,
            replan: self.work.take().map(|work| work.report(unit.cost())),
            hits: None,
            frames: None,
        };
        self.told = path.or(self.told.take());
        Some(report)
    }
}

fn roamer(grid: &Grid, at: Cell, agent: &Agent, request: &TargetRequest) -> Result<Roamer, String> {
    check_speed("target's speed", request.speed)?;
    let habit = match request.kind {
        TargetKind::Stay | TargetKind::Steer => Habit::Stay,
        TargetKind::Flee => Habit::Flee,
        TargetKind::Wander => Habit::Wander,
        TargetKind::Scene => return Err("live: found target `scene`, which is for voxel worlds".to_owned()),
    };
    let speed = request.speed * grid.frame().cell_size();
    Roamer::new(grid, at, habit, speed, agent, request.seed).map_err(|error| format!("live: {error}"))
}
