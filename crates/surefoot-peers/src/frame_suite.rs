//! The suite `frame`: how long a frame with agents in flight holds its caller, and whether threads change what happens.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde::Serialize;
use surefoot::flight::{Fleet, FlyerId, PilotSpec, State};
use surefoot::frame::Mode;
use surefoot::obstacle::Pose;
use surefoot::prelude::{Agent, Point};
use surefoot::scene::{Keyframe, Keyframes, Mover, Patrol, Scene, TICKS_PER_SECOND, Travel};

use crate::report::{markdown, percentile};
use crate::scene_planners::RADIUS;

/// The copies of the large scene, along x and y.
const COPIES: [u32; 2] = [5, 4];

/// The algorithm of all agents.
const ALGORITHM: &str = "d_star_lite";

/// What a number of agents took in a scene.
#[derive(Debug, Serialize)]
pub struct Row {
    pub scene: String,
    pub cells: u64,
    pub obstacles: usize,
    pub mode: &'static str,
    pub workers: usize,
    pub agents: usize,
    pub frames: u64,
    /// How long a call of the frame took: without workers, all its work.
    pub mean_us: f64,
    pub p50_us: f64,
    pub p99_us: f64,
    pub max_us: f64,
    pub changed_mean: f64,
    pub replans: u64,
    pub refused: usize,
    /// The share of results that were not there a frame later.
    pub late_share: f64,
    pub arrivals: u64,
    /// A hash of all positions, states and paths in all frames.
    pub digest: String,
}

/// Runs a scene and copies of it: with threads that nothing waits for, in real time, and without threads or waiting for them, as fast as
/// it goes. Returns whether all of the latter are the same.
pub fn run(name: &str, scene: &Scene, frames: u64, paced: u64) -> Result<(Vec<Row>, bool)> {
    let large = copies(scene, COPIES)?;
    let large_name = format!("{name} {} x {}", COPIES[0], COPIES[1]);
    let mut rows = Vec::new();
    let mut all_equal = true;
    for (name, scene) in [(name, scene), (&large_name, &large)] {
        for agents in [1, 20] {
            rows.push(row(name, scene, Mode::Eager, 1, agents, paced)?);
        }
        for agents in [1, 20] {
            let first = rows.len();
            for workers in [0, 1, 2] {
                rows.push(row(name, scene, Mode::Deterministic, workers, agents, frames)?);
            }
            all_equal &= rows[first..].iter().all(|row| row.digest == rows[first].digest);
        }
    }
    Ok((rows, all_equal))
}

fn row(name: &str, scene: &Scene, mode: Mode, workers: usize, agents: usize, frames: u64) -> Result<Row> {
    let tick = Duration::from_secs(1) / TICKS_PER_SECOND;
    let mut fleet = Fleet::of_scene(scene, mode, workers)?;
    ensure!(fleet.workers() == workers, "expected {workers} threads, got {}", fleet.workers());
    let agent = Agent::new().with_radius(RADIUS / scene.frame.cell_size())?;
    let ends: Vec<[Point; 2]> = (0..agents).map(|number| ends(scene, number)).collect();
    for [from, to] in &ends {
        let spec = PilotSpec {
            agent,
            algorithm: ALGORITHM,
            speed: scene.walker.speed,
            ..PilotSpec::new(*from, *to)
        };
        fleet.add(&spec)?;
    }
    let mut times = Vec::new();
    let (mut changed, mut replans, mut refused, mut late, mut arrivals, mut digest) = (0, 0, 0, 0, 0, 0_u64);
    let mut is_back = vec![false; agents];
    for frame in 0..frames {
        let began = Instant::now();
        fleet.show(frame);
        let report = fleet.tick(tick.as_secs_f64());
        times.push(began.elapsed().as_secs_f64() * 1e6);
        changed += report.changed;
        replans += report.replans;
        refused += report.refused;
        late += report.late;
        digest = digest.rotate_left(7) ^ fleet.digest();
        for number in 0..agents {
            let id = FlyerId(number as u32);
            if fleet.get(id).is_some_and(|flyer| flyer.state() == State::Arrived) {
                arrivals += 1;
                is_back[number] = !is_back[number];
                fleet.set_goal(id, ends[number][usize::from(!is_back[number])]);
            }
        }
        if mode == Mode::Eager {
            // A game draws meanwhile.
            std::thread::sleep(tick.saturating_sub(began.elapsed()));
        }
    }
    let mean_us = times.iter().sum::<f64>() / times.len() as f64;
    times.sort_unstable_by(f64::total_cmp);
    Ok(Row {
        scene: name.to_owned(),
        cells: scene.size.iter().map(|&cells| u64::from(cells)).product(),
        obstacles: scene.obstacles.len(),
        mode: if mode == Mode::Eager { "eager" } else { "deterministic" },
        workers,
        agents,
        frames,
        mean_us,
        p50_us: percentile(&times, 50),
        p99_us: percentile(&times, 99),
        max_us: percentile(&times, 100),
        changed_mean: changed as f64 / frames as f64,
        replans,
        refused,
        late_share: late as f64 / (frames as f64 * agents as f64),
        arrivals,
        digest: format!("{digest:016x}"),
    })
}

/// From where to where an agent flies, and back: the first as the scene says, the others beside it, every second one the other way.
fn ends(scene: &Scene, number: usize) -> [Point; 2] {
    let ends = [scene.start, scene.goal.position].map(|Point { x, y, z }| {
        let beside = scene.frame.cell_size() * number as f64;
        Point { x, y: y + beside * 0.7, z: z + beside * 0.4 }
    });
    if number.is_multiple_of(2) { ends } else { [ends[1], ends[0]] }
}

/// Puts copies of a scene side by side. The agent flies from the start in the first copy to the goal in the last.
fn copies(scene: &Scene, [along_x, along_y]: [u32; 2]) -> Result<Scene> {
    let [x, y, z] = scene.size;
    let cell_size = scene.frame.cell_size();
    let mut all = Scene {
        size: [x * along_x, y * along_y, z],
        fixtures: Vec::new(),
        obstacles: Vec::new(),
        ..scene.clone()
    };
    for (column, row) in (0..along_y).flat_map(|row| (0..along_x).map(move |column| (column, row))) {
        let by = Point::flat(f64::from(column * x) * cell_size, f64::from(row * y) * cell_size);
        for fixture in &scene.fixtures {
            let mut fixture = fixture.clone();
            fixture.pose = moved_pose(fixture.pose, by);
            all.fixtures.push(fixture);
        }
        for mover in &scene.obstacles {
            let travel = mover.travel.as_ref().map(|travel| moved_travel(travel, by)).transpose()?;
            all.obstacles.push(Mover { pose: moved_pose(mover.pose, by), travel, ..mover.clone() });
        }
        if (column, row) == (along_x - 1, along_y - 1) {
            all.goal.position = moved(scene.goal.position, by);
            all.goal.travel =
                scene.goal.travel.as_ref().map(|travel| moved_travel(travel, by)).transpose()?;
        }
    }
    Ok(all)
}

fn moved(Point { x, y, z }: Point, by: Point) -> Point {
    Point { x: x + by.x, y: y + by.y, z: z + by.z }
}

fn moved_pose(pose: Pose, by: Point) -> Pose {
    Pose::new(moved(pose.position(), by), pose.rotation()).unwrap_or(pose)
}

fn moved_travel(travel: &Travel, by: Point) -> Result<Travel> {
    Ok(match travel {
        Travel::Patrol(patrol) => {
            let points = patrol.points().iter().map(|&point| moved(point, by)).collect();
            Travel::Patrol(Patrol::new(points, patrol.speed(), patrol.circle())?)
        }
        Travel::Keyframes(keyframes) => {
            let frames = keyframes.frames().iter();
            let frames = frames.map(|frame| Keyframe { position: moved(frame.position, by), ..*frame });
            Travel::Keyframes(Keyframes::new(frames.collect(), keyframes.repeat())?)
        }
    })
}

/// A table for people, also valid as a table of a Markdown document.
pub fn text(rows: &[Row]) -> String {
    let header = [
        "| scene",
        "cells",
        "obstacles",
        "mode",
        "workers",
        "agents",
        "frames",
        "mean us",
        "p50 us",
        "p99 us",
        "max us",
        "changed",
        "replans",
        "refused",
        "late",
        "arrivals",
        "digest |",
    ];
    let line = |row: &Row| {
        [
            format!("| {}", row.scene),
            row.cells.to_string(),
            row.obstacles.to_string(),
            row.mode.to_owned(),
            row.workers.to_string(),
            row.agents.to_string(),
            row.frames.to_string(),
            format!("{:.1}", row.mean_us),
            format!("{:.1}", row.p50_us),
            format!("{:.1}", row.p99_us),
            format!("{:.1}", row.max_us),
            format!("{:.1}", row.changed_mean),
            row.replans.to_string(),
            row.refused.to_string(),
            format!("{:.1} %", 100.0 * row.late_share),
            row.arrivals.to_string(),
            format!("{} |", row.digest),
        ]
    };
    markdown(header, rows.iter().map(line))
}

#[cfg(test)]
mod tests {
    use surefoot::obstacle::Shape;
    use surefoot::scene::Switch;

    use super::*;

    fn scene() -> Scene {
        let mut scene = Scene::new([16, 9, 7]);
        let block = Shape::cuboid(Point::new(0.8, 1.2, 3.0)).unwrap();
        let stops = vec![Point::new(8.0, 1.0, 3.0), Point::new(8.0, 8.0, 3.0)];
        let mover = Mover::at_rest("block", block, Pose::at(stops[0]).unwrap());
        let travel = Some(Travel::Patrol(Patrol::new(stops, 3.0, false).unwrap()));
        scene.obstacles.push(Mover { travel, ..mover.clone() });
        let switch = Some(Switch::new(50, true).unwrap());
        scene.obstacles.push(Mover { switch, pose: Pose::at(Point::new(4.0, 4.0, 3.0)).unwrap(), ..mover });
        scene.walker.speed = 4.0;
        scene
    }

    #[test]
    fn copies_are_the_scene_again_and_again() {
        let scene = scene();
        let large = copies(&scene, [2, 3]).unwrap();
        assert_eq!((large.size, large.obstacles.len()), ([32, 27, 7], 12));
        let (mut one, mut all) = (scene.world().unwrap(), large.world().unwrap());
        for tick in [0, 31, 77, 120] {
            scene.show(&mut one, tick).unwrap();
            large.show(&mut all, tick).unwrap();
            for cell in large.world().unwrap().voxels().cells() {
                let there = surefoot::prelude::Voxel::new(cell.x % 16, cell.y % 9, cell.z);
                // What reaches beyond one copy is in the next one, too.
                if one.voxels().is_open(there) != all.voxels().is_open(cell) {
                    let is_at_border = there.x < 2 || there.x > 13 || there.y < 2 || there.y > 6;
                    assert!(is_at_border, "{cell:?} at tick {tick}");
                }
            }
        }
    }

    #[test]
    fn threads_change_nothing() {
        let (rows, all_equal) = run("small", &scene(), 300, 20).unwrap();
        assert!(all_equal && rows.len() == 16, "{}", text(&rows));
        assert!(rows.iter().any(|row| row.mode == "deterministic" && row.arrivals > 0), "{}", text(&rows));
    }
}
