//! One flight, with clocks.

use std::time::{Duration, Instant};

use surefoot::flight::State;
use surefoot::scene::{Goal, Scene};
use surefoot::space::Point;
use surefoot::validate::{Contact, FlightJudge};
use surefoot::world::dynamic::{DynamicWorld, ObstacleId};

use super::flyer::{Flyer, Work};
use super::{GOAL_RADIUS, Plan, SimulateError, Switches};

/// What happened in a flight.
pub(super) struct Flown {
    /// The tick at which it began.
    pub from: u64,
    /// The last tick.
    pub last: u64,
    pub reached: bool,
    pub travelled: f64,
    /// What was touched, with what the agent was doing.
    pub contacts: Vec<(Contact, State)>,
    /// What the agent was doing at the end.
    pub state: State,
    pub work: Work,
    /// The times of each tick: to move obstacles, to plan, and all of it.
    pub clocks: Vec<[Duration; 3]>,
    /// Where the agent was after each tick; its place at the beginning comes first.
    pub places: Vec<Point>,
}

/// Lets an agent fly from a tick on. `world` is the world of the scene at any tick.
pub(super) fn fly(
    scene: &Scene,
    world: &DynamicWorld,
    plan: &Plan,
    from: u64,
) -> Result<Flown, SimulateError> {
    let mut world = world.clone();
    scene.show(&mut world, from)?;
    let goal = Goal { travel: scene.goal.travel.clone().filter(|_| plan.goal_moves), ..scene.goal };
    let mut judge = FlightJudge::new(scene, plan.radius);
    let mut flyer = Flyer::new(scene, plan, from)?;
    let mut flown = Flown {
        from,
        last: from,
        reached: false,
        travelled: 0.0,
        contacts: Vec::new(),
        state: flyer.state(),
        work: Work::default(),
        clocks: Vec::new(),
        places: vec![flyer.position()],
    };
    for tick in from + 1..=from + plan.frames {
        let clock = Instant::now();
        match plan.switches {
            Switches::Timetable => scene.show(&mut world, tick)?,
            Switches::Seed => scene.show_around(&mut world, tick, flyer.position())?,
        }
        let updated = clock.elapsed();
        let before = flyer.position();
        // What was prepared before the first tick is part of it.
        let prepared = flyer.take_prepared();
        let planned = flyer.tick(scene, &world, &goal, tick, &mut flown.work);
        flown.clocks.push([updated, prepared + planned, prepared + clock.elapsed()]);
        let after = flyer.position();
        // An agent that cannot be at the start begins at the nearest point where it can be.
        let before = if tick == from + 1 { after } else { before };
        (flown.last, flown.state) = (tick, flyer.state());
        flown.places.push(after);
        let is_active = |index: usize| world.is_active(ObstacleId(index as u32)) == Ok(true);
        let contacts = judge.watch(tick, [before, after], is_active);
        flown.contacts.extend(contacts.iter().map(|&contact| (contact, flown.state)));
        if after.distance(goal.position_at(tick)) <= plan.radius + GOAL_RADIUS {
            flown.reached = true;
            break;
        }
    }
    flown.travelled = flyer.travelled();
    Ok(flown)
}

impl Flown {
    /// Returns whether the goal was reached and nothing touched.
    pub fn is_clean(&self) -> bool {
        self.reached && self.contacts.is_empty()
    }
}
