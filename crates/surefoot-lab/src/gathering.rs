//! A crowd on a grid, in time slices. The result depends on the messages alone.

use std::time::{Duration, Instant};

use surefoot::crowd::{Crowd, CrowdOptions, Order, UnitId, UnitSpec};
use surefoot::formats::World;
use surefoot::prelude::*;

use crate::headcount::{self, Waits};
use crate::limits::{
    self, CROWD_BUDGET, CROWD_GROUPS, CROWD_RADIUS, CROWD_SPEED, FRAMES_TOLD, LIMITS, SLICE, TICK,
};
use crate::live::{Play, Progress, check_time};
use crate::protocol::{
    Answer, CrowdOrder, CrowdReport, CrowdRequest, DismissRequest, JamReport, SendRequest, SpawnRequest,
};
use crate::question;
use crate::run::in_micros;

/// A crowd, and the goals of its groups.
pub struct Gathering {
    live: u32,
    crowd: Crowd,
    /// Units that join a group go where the others go.
    goals: [Option<Cell>; CROWD_GROUPS],
    watched: Option<UnitId>,
    waits: Waits,
    /// The times of the ticks since the last report.
    frames: Vec<f64>,
    /// Ticks still to come of those asked for, and the time that they have taken so far.
    left: u32,
    spent: Duration,
}

impl Gathering {
    /// A crowd without units.
    pub fn new(request: &CrowdRequest, world: &World) -> Result<Gathering, String> {
        let World::Grid(grid) = world else {
            return Err(format!("crowd: found a {}, expected a grid", world.kind().noun()));
        };
        let agent = question::agent(&request.agent).map_err(|error| format!("crowd: {error}"))?;
        let options = CrowdOptions {
            avoidance: request.avoidance.into(),
            resolve_jams: request.jams.unwrap_or(true),
            agent,
            budget: Some(CROWD_BUDGET),
            ..CrowdOptions::default()
        };
        Ok(Gathering {
            live: request.live,
            crowd: Crowd::new(&options).map_err(|error| format!("crowd: {error}"))?,
            goals: [None; CROWD_GROUPS],
            watched: None,
            waits: Waits::new(grid),
            frames: Vec::new(),
            left: 0,
            spent: Duration::ZERO,
        })
    }

    /// The ids of units by number.
    fn ids(&self) -> Vec<Option<UnitId>> {
        let mut ids = vec![None; self.crowd.capacity()];
        for unit in self.crowd.iter() {
            ids[unit.id().index()] = Some(unit.id());
        }
        ids
    }

    /// Adds units. If one of them is invalid, none joins.
    fn spawn(&mut self, grid: &Grid, request: &SpawnRequest) -> Result<(), String> {
        let group = checked_group(request.group)?;
        limits::check("units", (self.crowd.len() + request.at.len()) as u64, LIMITS.crowd as u64)?;
        let usual = UnitSpec::at_cell(Cell::new(0, 0));
        let radius = request.radius.unwrap_or(usual.radius);
        if !(radius > 0.0 && radius <= CROWD_RADIUS) {
            return Err(format!(
                "found {radius} as radius, expected more than 0 and at most {CROWD_RADIUS} cells"
            ));
        }
        let speed = request.speed.unwrap_or(usual.speed);
        if !(0.0..=CROWD_SPEED).contains(&speed) {
            return Err(format!("found {speed} as speed, expected 0 to {CROWD_SPEED} cells per second"));
        }
        let mut ids = Vec::with_capacity(request.at.len());
        for &at in &request.at {
            // It reaches its speed as fast as units usually do.
            let acceleration = usual.acceleration.max(speed * usual.acceleration / usual.speed);
            let spec = UnitSpec { at, radius, speed, acceleration, group: request.group.into() };
            match self.crowd.add(grid, &spec) {
                Ok(id) => ids.push(id),
                Err(error) => {
                    for id in ids {
                        self.crowd.remove(id);
                    }
                    return Err(error.to_string());
                }
            }
        }
        self.send_to(grid, &ids, self.goals[group])
    }

    /// Removes units. Numbers that no unit has are ignored: it may have left already.
    fn dismiss(&mut self, request: &DismissRequest) {
        let ids = self.ids();
        for id in request.units.iter().filter_map(|&number| *ids.get(number as usize)?) {
            self.crowd.remove(id);
        }
    }

    /// Sends a group to a goal.
    fn send(&mut self, grid: &Grid, request: &SendRequest) -> Result<(), String> {
        let group = checked_group(request.group)?;
        let ids: Vec<UnitId> = self
            .crowd
            .iter()
            .filter(|unit| unit.group() == u32::from(request.group))
            .map(|unit| unit.id())
            .collect();
        let goal = request.goal.map(|[x, y]| Cell::new(x, y));
        if let Some(Cell { x, y }) = goal.filter(|&goal| !grid.contains(goal)) {
            let (width, height) = (grid.width(), grid.height());
            return Err(format!("goal {x},{y} is outside the grid of {width} x {height} cells"));
        }
        self.goals[group] = goal;
        if goal.is_none() {
            self.crowd.stop(&ids);
        }
        self.send_to(grid, &ids, goal)
    }

    fn send_to(&mut self, grid: &Grid, ids: &[UnitId], goal: Option<Cell>) -> Result<(), String> {
        let Some(goal) = goal else { return Ok(()) };
        self.crowd.order(grid, ids, &Order::to(goal)).map_err(|error| error.to_string())
    }

    fn tick(&mut self, grid: &Grid) {
        let clock = Instant::now();
        self.crowd.tick(grid, TICK);
        let took = in_micros(clock.elapsed());
        if self.frames.len() == FRAMES_TOLD {
            self.frames.remove(0);
        }
        self.frames.push(took);
        self.waits.note(grid, &self.crowd);
        self.left -= 1;
    }

    fn report(&mut self, grid: &Grid) -> Progress {
        let mut pieces = vec![headcount::units(self.live, &self.crowd)];
        pieces.extend(self.waits.take(self.live, grid, &self.crowd));
        let stats = self.crowd.stats();
        let watched = self.watched.and_then(|id| self.crowd.get(id));
        let report = CrowdReport {
            live: self.live,
            tick: stats.ticks,
            units: self.crowd.len(),
            states: headcount::states(&self.crowd),
            queued: self.crowd.queued(),
            plans: stats.plans,
            expanded: stats.expanded,
            exchanges: stats.exchanges,
            jams: JamReport {
                found: stats.jams_found,
                resolved: stats.jams_resolved,
                failed: stats.jams_failed,
            },
            frames: std::mem::take(&mut self.frames),
            unit: watched.map(|unit| headcount::unit(grid, unit)),
        };
        Progress::Ticked(pieces, Box::new(Answer::Crowd(Box::new(report))))
    }
}

impl Play for Gathering {
    fn begin(&mut self, ticks: u32) {
        self.left = ticks;
        self.spent = Duration::ZERO;
    }

    fn direct(&mut self, world: &World, order: &CrowdOrder) -> Result<(), String> {
        let World::Grid(grid) = world else { return Ok(()) };
        match order {
            CrowdOrder::Spawn(request) => {
                self.spawn(grid, request).map_err(|error| format!("spawn: {error}"))
            }
            CrowdOrder::Send(request) => self.send(grid, request).map_err(|error| format!("send: {error}")),
            CrowdOrder::Dismiss(request) => {
                self.dismiss(request);
                Ok(())
            }
            CrowdOrder::Watch(request) => {
                self.watched = request.unit.and_then(|number| *self.ids().get(number as usize)?);
                Ok(())
            }
        }
    }

    fn go_on(&mut self, world: &World) -> Progress {
        let World::Grid(grid) = world else {
            return Progress::Failed("the grid was replaced".to_owned());
        };
        let clock = Instant::now();
        while self.left > 0 {
            self.tick(grid);
            if clock.elapsed() >= SLICE {
                self.spent += clock.elapsed();
                return check_time(self.spent);
            }
        }
        self.report(grid)
    }
}

fn checked_group(group: u8) -> Result<usize, String> {
    let group = usize::from(group);
    if group < CROWD_GROUPS {
        return Ok(group);
    }
    Err(format!("found group {group}, expected 0 to {}", CROWD_GROUPS - 1))
}
