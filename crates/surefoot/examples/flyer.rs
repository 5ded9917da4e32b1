//! A drone flies through a hall while blocks slide up and down and a bar turns.
//!
//! Shows a voxel world with moving obstacles, a planner that repairs its way as cells fill up and open, a step aside when an obstacle
//! comes too close, and how much shorter straight lines are.
//!
//! `cargo run -p surefoot --example flyer`

use std::error::Error;

use surefoot::obstacle::{Pose, Rotation, Shape};
use surefoot::prelude::*;
use surefoot::replan::Planner;
use surefoot::smooth::smooth;
use surefoot::world::dynamic::{DynamicWorld, ObstacleId};

const SIZE: [u32; 3] = [48, 24, 16];

/// A wall with a window: solid but for four cells by four.
fn wall(x: i32, window: (i32, i32)) -> impl Iterator<Item = Voxel> {
    let cells = (0..SIZE[2] as i32).flat_map(move |z| (0..SIZE[1] as i32).map(move |y| Voxel::new(x, y, z)));
    let inside = move |voxel: &Voxel| {
        (window.0..window.0 + 4).contains(&voxel.y) && (window.1..window.1 + 4).contains(&voxel.z)
    };
    cells.filter(move |voxel| !inside(voxel))
}

/// Where obstacles are after so many ticks: blocks before each window, and a bar that turns.
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
    let drone = Agent::new().with_radius(0.4)?;
    let walls = wall(15, (3, 9)).chain(wall(33, (15, 3)));
    let mut hall = DynamicWorld::new(Voxels::from_solid(SIZE, walls)?);
    let shapes = [Point::new(1.5, 3.0, 1.5), Point::new(1.5, 3.0, 1.5), Point::new(5.0, 0.7, 4.0)];
    let mut obstacles: Vec<ObstacleId> = Vec::new();
    for (number, half) in shapes.into_iter().enumerate() {
        let pose = pose(number, 0).ok_or("a pose that is no pose")?;
        obstacles.push(hall.add(Shape::cuboid(half)?, pose)?);
    }

    let (mut at, goal) = (Voxel::new(1, 12, 1), Voxel::new(46, 12, 14));
    let mut planner = Planner::named("d_star_lite", &Options::default())?;
    let (mut flown, mut dodged, mut expanded) = (0, 0, 0);
    for tick in 0..2000 {
        for (number, &obstacle) in obstacles.iter().enumerate() {
            hall.set_pose(obstacle, pose(number, tick).ok_or("a pose that is no pose")?)?;
        }
        hall.update();
        let view = hall.voxels().view(&drone);
        if at == goal {
            println!("arrived after {tick} ticks: {flown} steps, {dodged} aside, {expanded} nodes looked at");
            return Ok(());
        }
        // The obstacle has come to where the drone is: out of its way, to whichever free cell is nearest the goal.
        if !view.is_open(at) {
            let around = (0..27).map(|step| at.offset(step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1));
            let apart =
                |cell: &Voxel| cell.x.abs_diff(goal.x) + cell.y.abs_diff(goal.y) + cell.z.abs_diff(goal.z);
            at = around.filter(|&cell| view.is_open(cell)).min_by_key(apart).unwrap_or(at);
            dodged += 1;
            continue;
        }
        planner.move_start(view, at);
        planner.move_goal(view, goal);
        if planner.replan(view, u64::MAX).is_found() && tick % 4 == 0 {
            at = planner.path().voxels(hall.voxels()).nth(1).unwrap_or(at);
            flown += 1;
        }
        if tick == 0 {
            let (steps, pulled) = (planner.path().length(), smooth(view, planner.path()).length());
            println!("the first plan: {steps:.2} cells in steps, {pulled:.2} in straight lines");
        }
        expanded += planner.last().expanded;
    }
    Err("the drone never arrived".into())
}
