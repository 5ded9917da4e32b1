//! A drone flies through a hall while blocks slide up and down and a bar turns.
//!
//! Shows a voxel world with moving obstacles, and flying agents with grid and any-angle paths that wait and evade.
//!
//! `cargo run -p surefoot --example flyer`

use std::error::Error;

use surefoot::flight::{Forecast, Pilot, PilotSpec, State};
use surefoot::obstacle::{Pose, Rotation, Shape};
use surefoot::prelude::*;
use surefoot::world::dynamic::{DynamicWorld, ObstacleId};

const SIZE: [u32; 3] = [48, 24, 16];

/// A sixtieth of a second.
const TICK: f64 = 1.0 / 60.0;

/// A wall with a window: solid except for four by four cells.
fn wall(x: i32, window: (i32, i32)) -> impl Iterator<Item = Voxel> {
    let cells = (0..SIZE[2] as i32).flat_map(move |z| (0..SIZE[1] as i32).map(move |y| Voxel::new(x, y, z)));
    let inside = move |voxel: &Voxel| {
        (window.0..window.0 + 4).contains(&voxel.y) && (window.1..window.1 + 4).contains(&voxel.z)
    };
    cells.filter(move |voxel| !inside(voxel))
}

/// Returns the pose of an obstacle at a tick: blocks before each window, and a bar that turns.
fn pose(number: usize, tick: u32) -> Option<Pose> {
    let phase = (tick + 20 * number as u32) % 120;
    let height = f64::from(phase.min(120 - phase)) / 60.0 * 13.0 + 1.5;
    match number {
        0 => Pose::at(Point::new(13.0, 5.0, height)),
        1 => Pose::at(Point::new(31.0, 17.0, height)),
        _ => {
            let turned = Rotation::about(Point::new(0.0, 0.0, 1.0), f64::from(tick) * 2.0)?;
            Pose::new(Point::new(22.0, 12.0, 8.0), turned)
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let agent = Agent::new().with_radius(0.4)?;
    let walls = wall(15, (3, 9)).chain(wall(33, (15, 3)));
    let mut hall = DynamicWorld::new(Voxels::from_solid(SIZE, walls)?);
    let shapes = [Point::new(1.5, 3.0, 1.5), Point::new(1.5, 3.0, 1.5), Point::new(5.0, 0.7, 4.0)];
    let mut obstacles: Vec<ObstacleId> = Vec::new();
    for (number, half) in shapes.into_iter().enumerate() {
        let pose = pose(number, 0).ok_or("invalid pose")?;
        obstacles.push(hall.add(Shape::cuboid(half)?, pose)?);
    }

    for algorithm in ["d_star_lite", "lazy_theta"] {
        let ends = PilotSpec::new(Point::new(1.5, 12.5, 1.5), Point::new(46.5, 12.5, 14.5));
        let mut drone = Pilot::new(&PilotSpec { agent, algorithm, speed: 15.0, ..ends })?;
        let mut forecast = Forecast::new();
        let (mut tick, mut waited, mut evaded, mut expanded) = (0, 0, 0, 0);
        while drone.state() != State::Arrived {
            for (number, &obstacle) in obstacles.iter().enumerate() {
                hall.set_pose(obstacle, pose(number, tick).ok_or("invalid pose")?)?;
            }
            hall.update();
            forecast.observe(&hall, TICK);
            let plans = drone.replans();
            drone.tick(&hall, &forecast, TICK);
            waited += u32::from(drone.state() == State::Waiting);
            evaded += u32::from(drone.state() == State::Evading);
            expanded += if drone.replans() > plans { drone.last_replan().expanded } else { 0 };
            tick += 1;
            if tick > 2000 {
                return Err("the drone never arrived".into());
            }
        }
        println!(
            "{algorithm}: arrived after {tick} ticks and {:.1} cells, waited for {waited} ticks, evaded for {evaded}, \
             {expanded} nodes expanded in {} plans",
            drone.travelled(),
            drone.replans()
        );
    }
    Ok(())
}
