//! What flies: an agent that replans when cells change, or one with a plan in space and time.

use std::time::{Duration, Instant};

use surefoot::agent::Agent;
use surefoot::flight::{Forecast, Pilot, PilotSpec, State, TimedPilot, TimedSpec};
use surefoot::scene::{Goal, Scene, TICKS_PER_SECOND};
use surefoot::space::Point;
use surefoot::world::dynamic::DynamicWorld;

use super::{GOAL_RADIUS, Plan, SIPP, SimulateError};

/// Seconds per tick.
const TICK: f64 = 1.0 / TICKS_PER_SECOND as f64;

/// An agent in flight.
pub(super) enum Flyer {
    /// It replans when cells change.
    Pilot {
        /// The agent.
        pilot: Box<Pilot>,
        /// The prediction of the next half second; none if it does not look ahead.
        forecast: Forecast,
        looks_ahead: bool,
    },
    /// Uses the known motions of the scene.
    Timed {
        /// The agent.
        pilot: Box<TimedPilot>,
        /// How long it took to look a minute ahead, which counts as planning in the first tick.
        prepared: Duration,
    },
}

/// The work of all plans so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Work {
    pub replans: u64,
    /// The number of replans that a fresh search answered.
    pub fresh: u64,
    pub expanded: u64,
}

impl Flyer {
    /// Creates the agent of a scene at a tick.
    pub fn new(scene: &Scene, plan: &Plan, tick: u64) -> Result<Flyer, SimulateError> {
        let agent = Agent::new().with_radius(plan.radius / scene.frame.cell_size())?;
        let (at, speed) = (scene.start, scene.walker.speed);
        if plan.planner == SIPP {
            let spec = TimedSpec { at, speed, agent, reach: plan.radius + GOAL_RADIUS, budget: u64::MAX };
            let clock = Instant::now();
            let pilot = Box::new(TimedPilot::new(scene, &spec, tick)?);
            return Ok(Flyer::Timed { pilot, prepared: clock.elapsed() });
        }
        let ends = PilotSpec::new(at, scene.goal.position);
        let pilot = Pilot::new(&PilotSpec { agent, algorithm: plan.planner, speed, ..ends })?;
        Ok(Flyer::Pilot { pilot: Box::new(pilot), forecast: Forecast::new(), looks_ahead: plan.evade })
    }

    pub fn position(&self) -> Point {
        match self {
            Flyer::Pilot { pilot, .. } => pilot.position(),
            Flyer::Timed { pilot, .. } => pilot.position(),
        }
    }

    pub fn state(&self) -> State {
        match self {
            Flyer::Pilot { pilot, .. } => pilot.state(),
            Flyer::Timed { pilot, .. } => pilot.state(),
        }
    }

    pub fn travelled(&self) -> f64 {
        match self {
            Flyer::Pilot { pilot, .. } => pilot.travelled(),
            Flyer::Timed { pilot, .. } => pilot.travelled(),
        }
    }

    /// Returns how long it took to get ready, the first time.
    pub fn take_prepared(&mut self) -> Duration {
        match self {
            Flyer::Pilot { .. } => Duration::ZERO,
            Flyer::Timed { prepared, .. } => std::mem::take(prepared),
        }
    }

    /// Plans and flies until a tick, at which the world is as shown. Adds to `work`, and returns how long it planned.
    pub fn tick(
        &mut self,
        scene: &Scene,
        world: &DynamicWorld,
        goal: &Goal,
        tick: u64,
        work: &mut Work,
    ) -> Duration {
        match self {
            Flyer::Pilot { pilot, forecast, looks_ahead } => {
                if *looks_ahead {
                    forecast.foresee(world, scene, tick);
                }
                pilot.set_goal(goal.position_at(tick));
                let clock = Instant::now();
                pilot.think(world, forecast, u64::MAX);
                let planned = clock.elapsed();
                if pilot.replans() > work.replans {
                    let last = pilot.last_replan();
                    work.replans = pilot.replans();
                    work.fresh += u64::from(pilot.planner().is_none() || last.fresh.is_some());
                    work.expanded += last.expanded + last.fresh.unwrap_or(0);
                }
                pilot.fly(world, TICK);
                planned
            }
            // It plans and flies in one call; flying takes almost no time.
            Flyer::Timed { pilot, .. } => {
                let clock = Instant::now();
                pilot.tick(world, goal, tick);
                let planned = clock.elapsed();
                if pilot.replans() > work.replans {
                    work.fresh += pilot.replans() - work.replans;
                    work.replans = pilot.replans();
                    work.expanded += pilot.plan().expanded();
                }
                planned
            }
        }
    }
}
