//! Simulated flights: an agent flies through a scene many times, and a judge notices what it touches.
//!
//! | file | contents |
//! |---|---|
//! | `flyer.rs` | what flies |
//! | `run.rs` | one flight, with clocks |
//! | `report.rs` | statistics of all flights |
//! | `trace.rs` | a failed flight as a file |
//!
//! In each tick the obstacles move first, then the agent plans and flies. A flight ends when the agent touches a ball of radius
//! [`GOAL_RADIUS`] at its goal, or after a number of ticks. Hits do not end it.

mod flyer;
mod report;
mod run;
mod trace;

pub use report::{Failure, Hits, Report, Times};
use surefoot::agent::InvalidRadius;
use surefoot::algorithms::ALGORITHMS;
use surefoot::flight::{FlightError, TimedFlightError};
use surefoot::scene::{Scene, TICKS_PER_SECOND};
use surefoot::search::Algorithm;
use surefoot::space::Point;
use surefoot::world::any::WorldKind;
use surefoot::world::dynamic::DynamicError;
use thiserror::Error;

/// The radius of the ball that an agent has to touch to reach its goal, in world units.
pub const GOAL_RADIUS: f64 = 0.45;

/// The name of the planner in space and time.
pub const SIPP: &str = "sipp";

/// Flights start at a random tick below this one: within the first three minutes of motion.
pub const START_TICKS: u64 = 3 * 60 * TICKS_PER_SECOND as u64;

/// How flights are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The name of the algorithm.
    pub planner: &'static str,
    /// The number of flights.
    pub runs: usize,
    /// Which flights: the seed of the ticks at which they begin.
    pub seed: u64,
    /// The number of ticks after which a flight is given up.
    pub frames: u64,
    /// The radius of the agent in world units.
    pub radius: f64,
    /// Whether the agent looks ahead and evades obstacles. [`SIPP`] always does.
    pub evade: bool,
    /// Whether the goal moves as the scene describes.
    pub goal_moves: bool,
    /// Whether blocks follow their timetable, or wait for the agent to leave.
    pub switches: Switches,
}

/// When blocks appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Switches {
    /// According to their timetable.
    #[default]
    Timetable,
    /// Not while the agent is in the room around them, see [`Scene::show_around`].
    Seed,
}

impl Switches {
    /// Returns the name used by the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Switches::Timetable => "timetable",
            Switches::Seed => "seed",
        }
    }
}

/// Why there are no flights.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SimulateError {
    /// There is no such planner for voxel worlds.
    #[error("unknown planner `{found}`, expected one of {}", planners().join(", "))]
    Planner {
        /// The name found.
        found: String,
    },
    /// The radius is not possible in the cells of the scene.
    #[error(transparent)]
    Agent(#[from] InvalidRadius),
    /// The planner or the speed is rejected.
    #[error(transparent)]
    Flight(#[from] FlightError),
    /// The agent with a timetable is rejected.
    #[error(transparent)]
    Timed(#[from] TimedFlightError),
    /// The flights begin outside the world.
    #[error("start: found {x}, {y}, {z}, expected a point inside the world of {w} x {h} x {d} cells",
        x = at.x, y = at.y, z = at.z, w = size[0], h = size[1], d = size[2])]
    Start {
        /// The start.
        at: Point,
        /// The size of the world in cells.
        size: [u32; 3],
    },
    /// The scene has no world.
    #[error(transparent)]
    World(#[from] DynamicError),
}

/// Returns the names of all planners: [`SIPP`], and every search for voxel worlds.
pub fn planners() -> Vec<&'static str> {
    let in_space = |algorithm: &&Algorithm| algorithm.worlds.contains(&WorldKind::Voxel);
    let searches = ALGORITHMS.iter().filter(in_space).map(|algorithm| algorithm.name);
    [SIPP].into_iter().chain(searches).collect()
}

/// Returns the planner of a name.
pub fn planner(name: &str) -> Result<&'static str, SimulateError> {
    let found = planners().into_iter().find(|known| *known == name);
    found.ok_or_else(|| SimulateError::Planner { found: name.to_owned() })
}

/// Lets an agent fly through a scene many times. `progress` is called after each flight.
pub fn run(scene: &Scene, plan: &Plan, progress: &dyn Fn()) -> Result<Report, SimulateError> {
    planner(plan.planner)?;
    let world = scene.world()?;
    if !world.voxels().contains(scene.frame.voxel_at(scene.start)) {
        return Err(SimulateError::Start { at: scene.start, size: scene.size });
    }
    let mut sums = report::Sums::default();
    for number in 0..plan.runs {
        let from = start_tick(plan.seed, number as u64);
        sums.add(number, run::fly(scene, &world, plan, from)?);
        progress();
    }
    Ok(sums.report(scene, plan))
}

/// Returns the tick at which a flight begins: random, and always the same for a seed and a number.
fn start_tick(seed: u64, number: u64) -> u64 {
    // The generator splitmix64, at a place of its sequence.
    let mut state = seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state ^ state >> 31) % START_TICKS
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn flights_begin_anywhere_in_three_minutes() {
        let ticks: BTreeSet<u64> = (0..1000).map(|number| start_tick(7, number)).collect();
        assert!(ticks.len() > 900 && ticks.iter().all(|&tick| tick < START_TICKS));
        assert!(ticks.first() < Some(&100) && ticks.last() > Some(&(START_TICKS - 100)));
        assert_ne!(start_tick(7, 3), start_tick(8, 3));
    }

    #[test]
    fn flights_do_not_begin_outside_the_world() {
        let mut scene = Scene::new([4, 4, 4]);
        scene.start = Point::new(900.0, 1.0, 1.0);
        let plan = Plan {
            planner: "astar",
            runs: 1,
            seed: 0,
            frames: 10,
            radius: 0.0,
            evade: true,
            goal_moves: false,
            switches: Switches::Timetable,
        };
        let error = run(&scene, &plan, &|| {}).unwrap_err();
        assert_eq!(
            error.to_string(),
            "start: found 900, 1, 1, expected a point inside the world of 4 x 4 x 4 cells"
        );
    }

    #[test]
    fn planners_are_those_for_voxel_worlds() {
        assert_eq!(planner("astar"), Ok("astar"));
        let error = planner("jps").unwrap_err().to_string();
        assert!(error.starts_with("unknown planner `jps`, expected one of "), "{error}");
    }
}
