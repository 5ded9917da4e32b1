//! A game loop with twenty drones among moving blocks: another thread keeps up with the blocks and plans.
//!
//! Shows a fleet: what a game tells it in each frame, and what it gets back.
//!
//! `cargo run -p surefoot --example game_loop`

use std::error::Error;

use surefoot::flight::{Fleet, FlyerId, PilotSpec, State};
use surefoot::frame::Mode;
use surefoot::obstacle::{Pose, Shape};
use surefoot::prelude::*;
use surefoot::world::dynamic::{DynamicWorld, ObstacleId};

const SIZE: [u32; 3] = [48, 30, 12];

/// A sixtieth of a second.
const TICK: f64 = 1.0 / 60.0;

/// Returns the pose of a block in a frame: each goes up and down in a gap of the wall.
fn pose(number: usize, frame: u32) -> Option<Pose> {
    let phase = (frame + 31 * number as u32) % 240;
    let height = f64::from(phase.min(240 - phase)) / 120.0 * 9.0 + 1.5;
    Pose::at(Point::new(24.5, 5.0 + 10.0 * number as f64, height))
}

fn main() -> Result<(), Box<dyn Error>> {
    // A wall with three gaps, four cells wide.
    let cells = (0..SIZE[1] as i32).flat_map(|y| (0..SIZE[2] as i32).map(move |z| Voxel::new(24, y, z)));
    let wall = cells.filter(|cell| (cell.y - 3) % 10 > 3);
    let mut hall = DynamicWorld::new(Voxels::from_solid(SIZE, wall)?);
    for number in 0..3 {
        let block = Shape::cuboid(Point::new(0.5, 2.0, 1.5))?;
        hall.add(block, pose(number, 0).ok_or("invalid pose")?)?;
    }

    // In lockstep, so that this program prints the same everywhere. Most games want `Mode::Eager`, which never waits.
    let mut fleet = Fleet::new(hall, Mode::Deterministic, 1);
    let agent = Agent::new().with_radius(0.4)?;
    for number in 0..20_u32 {
        let [y, z] = [f64::from(number % 7) * 4.0 + 2.5, f64::from(number % 3) * 4.0 + 1.5];
        let ends = PilotSpec::new(Point::new(1.5, y, z), Point::new(46.5, 29.0 - y, z));
        fleet.add(&PilotSpec { agent, algorithm: "lazy_theta", speed: 8.0, ..ends })?;
    }

    let (mut frame, mut changed, mut plans, mut refused) = (0, 0, 0, 0);
    while fleet.iter().any(|(_, drone)| drone.state() != State::Arrived) {
        // The game has moved its blocks.
        for number in 0..3 {
            fleet.set_pose(ObstacleId(number), pose(number as usize, frame).ok_or("invalid pose")?);
        }
        if frame == 120 {
            // A player takes over.
            fleet.set_goal(FlyerId(0), Point::new(1.5, 15.0, 6.0));
        }
        let report = fleet.tick(TICK);
        changed += report.changed;
        plans += report.replans;
        refused += report.refused;
        // Here it draws: `drone.position()`, `drone.state()`, `drone.path()`.
        frame += 1;
        if frame > 3000 {
            return Err("some drones never arrived".into());
        }
    }
    let flown: f64 = fleet.iter().map(|(_, drone)| drone.travelled()).sum();
    println!(
        "all drones arrived after {frame} frames and {flown:.0} cells; {changed} cells changed, {plans} plans were made \
         and {refused} refused"
    );
    Ok(())
}
