//! The suite `scene`: the time to update the cells after obstacles have moved, and whether the result is correct.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use rayon::ThreadPool;
use serde::Serialize;
use surefoot::formats::read_scene;
use surefoot::obstacle::{Pose, Rotation, Shape, Voxeliser};
use surefoot::prelude::{Agent, NodeId, Options, Pathfinder, Point, Voxel, Voxels};
use surefoot::scene::{Mover, Patrol, Scene, Travel, Turn};
use surefoot::world::dynamic::DynamicWorld;

use crate::report::{markdown, percentile};
use crate::scene_planners::RADIUS;

/// The crowd's world.
const CROWD_SIZE: [u32; 3] = [256, 256, 128];

/// The times of a scene on a number of threads.
#[derive(Debug, Serialize)]
pub struct Row {
    pub scene: String,
    pub obstacles: usize,
    pub cells: u64,
    pub threads: usize,
    /// What has been asked for a path, and when.
    pub asked: &'static str,
    pub frames: u64,
    /// How many cells became solid or free, on average.
    pub changed_mean: f64,
    pub mean_us: f64,
    pub p50_us: f64,
    pub p99_us: f64,
    pub max_us: f64,
    /// The number of frames that were compared with voxelising everything from scratch.
    pub checked: usize,
    /// How many of those were wrong.
    pub mismatches: usize,
}

/// What is asked for a path while the obstacles move.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Nothing,
    /// An algorithm, before the first frame: what it keeps about the world follows, too.
    Before(&'static str),
    /// A* in every frame, for a path to a neighbouring cell: the time includes everything that the first query after an update waits for, and next to no
    /// search.
    EachFrame,
}

impl Asked {
    fn name(self) -> &'static str {
        match self {
            Asked::Nothing => "-",
            Asked::Before(algorithm) => algorithm,
            Asked::EachFrame => "astar, one step, per frame",
        }
    }
}

/// Reads a scene; its name is that of the folder.
pub fn load(file: &Path) -> Result<(String, Scene)> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let scene = read_scene(&bytes).map_err(|error| error.in_file(file.display()))?;
    let name = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    Ok((name.into_owned(), scene))
}

/// Runs a scene, if one is given, and a crowd of boxes on each pool of threads. Every `check_every`-th frame is compared with brute
/// force, outside of what is timed.
pub fn run(
    scene: Option<&(String, Scene)>,
    frames: u64,
    check_every: NonZeroUsize,
    pools: &[ThreadPool],
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    if let Some((name, scene)) = scene {
        for asked in [Asked::Nothing, Asked::Before("jps3"), Asked::EachFrame] {
            rows.push(row(name.clone(), scene, frames, check_every, None, asked)?);
        }
    }
    let crowd = crowd(1000)?;
    for pool in pools {
        rows.push(row("crowd".into(), &crowd, frames.div_ceil(10), check_every, Some(pool), Asked::Nothing)?);
    }
    Ok(rows)
}

/// A scene on a pool of threads or, for a few obstacles, on the thread that we are on: to hand a frame over to another thread and
/// back would take several times as long as the frame.
fn row(
    scene: String,
    of: &Scene,
    frames: u64,
    check_every: NonZeroUsize,
    pool: Option<&ThreadPool>,
    asked: Asked,
) -> Result<Row> {
    let mut world = of.world()?;
    if let Asked::Before(algorithm) = asked {
        ask(of, &world, algorithm)?;
    }
    let agent = Agent::new().with_radius(RADIUS / of.frame.cell_size())?;
    let mut astar = Pathfinder::named("astar", &Options::default())?;
    let step = if asked == Asked::EachFrame { Some(first_step(of, &world, &agent)?) } else { None };
    let mut answered = 0;
    let (mut times, mut changed, mut checked, mut mismatches) = (Vec::new(), 0, 0, 0);
    for tick in 1..=frames {
        let began = Instant::now();
        match pool {
            Some(pool) => pool.install(|| of.show(&mut world, tick))?,
            None => of.show(&mut world, tick)?,
        }
        if let Some([at, beside]) = step {
            answered += u64::from(astar.find(world.voxels().view(&agent), at, beside).is_ok());
        }
        times.push(began.elapsed().as_secs_f64() * 1e6);
        changed += world.changes().len();
        if tick.is_multiple_of(check_every.get() as u64) {
            checked += 1;
            mismatches += usize::from(!is_right(of, tick, world.voxels())?);
        }
    }
    ensure!(step.is_none() || 2 * answered > frames, "expected {step:?} to be free in most frames");
    let mean_us = times.iter().sum::<f64>() / times.len() as f64;
    times.sort_unstable_by(f64::total_cmp);
    Ok(Row {
        scene,
        obstacles: of.obstacles.len(),
        cells: of.size.iter().map(|&cells| u64::from(cells)).product(),
        threads: pool.map_or(1, ThreadPool::current_num_threads),
        asked: asked.name(),
        frames,
        changed_mean: changed as f64 / frames as f64,
        mean_us,
        p50_us: percentile(&times, 50),
        p99_us: percentile(&times, 99),
        max_us: percentile(&times, 100),
        checked,
        mismatches,
    })
}

/// Returns the first step of a path of an agent through the scene.
fn first_step(scene: &Scene, world: &DynamicWorld, agent: &Agent) -> Result<[NodeId; 2]> {
    let [from, to] = [scene.start, scene.goal.position].map(|place| scene.frame.voxel_at(place));
    let mut astar = Pathfinder::default();
    let path = astar.find(world.voxels().view(agent), from, to);
    let step = path.ok().and_then(|path| path.nodes().get(..2)?.try_into().ok());
    step.with_context(|| format!("expected a path from {from:?} to {to:?}"))
}

/// Finds the path of the scene's agent.
fn ask(scene: &Scene, world: &DynamicWorld, algorithm: &str) -> Result<()> {
    let view = world.voxels().view(&Agent::default());
    let [from, to] = [scene.start, scene.goal.position].map(|place| scene.frame.voxel_at(place));
    let found = Pathfinder::named(algorithm, &Options::default())?.find(view, from, to).is_ok();
    ensure!(found, "expected a path from {from:?} to {to:?}");
    Ok(())
}

/// Voxelises everything from scratch.
fn is_right(scene: &Scene, tick: u64, voxels: &Voxels) -> Result<bool> {
    let fixed = scene.fixed_cells()?;
    let [x, y, _] = scene.size.map(|cells| cells as usize);
    let mut solid: Vec<bool> = fixed.cells().map(|cell| !fixed.is_open(cell)).collect();
    for mover in scene.obstacles.iter().filter(|mover| mover.is_active_at(tick)) {
        let mut voxeliser = Voxeliser::new(&mover.shape, scene.frame, scene.size, 0.0)?;
        voxeliser.for_each_run(&mover.pose_at(tick), &mut |row, layer, xs| {
            let start = (layer as usize * y + row as usize) * x;
            solid[start + xs.start as usize..start + xs.end as usize].fill(true);
        });
    }
    let is = |cell: Voxel| !voxels.is_open(cell);
    Ok(voxels.cells().map(is).eq(solid))
}

/// Boxes of one to six cells a side that tumble to and fro.
fn crowd(count: u32) -> Result<Scene> {
    ensure!(count > 0, "expected at least one box");
    let mut scene = Scene::new(CROWD_SIZE);
    for number in 0..count {
        let half = Point::new(
            0.5 + 2.5 * spread(number, 0),
            0.5 + 2.5 * spread(number, 1),
            0.5 + 2.5 * spread(number, 2),
        );
        let place = |first: u32| {
            let [x, y, z] =
                [0, 1, 2].map(|axis| f64::from(CROWD_SIZE[axis as usize]) * spread(number, first + axis));
            Point::new(x, y, z)
        };
        let rotation =
            Rotation::about(Point::new(0.3, 0.5, 1.0), 360.0 * spread(number, 9)).unwrap_or_default();
        let pose = Pose::new(place(3), rotation).unwrap_or_default();
        let mut mover = Mover::at_rest(number.to_string(), Shape::cuboid(half)?, pose);
        let patrol = Patrol::new(vec![place(3), place(6)], 2.0 + 6.0 * spread(number, 10), false)?;
        mover.travel = Some(Travel::Patrol(patrol));
        mover.turn = Some(Turn::new(Point::new(spread(number, 11), 0.5, 1.0), 90.0 * spread(number, 12))?);
        scene.obstacles.push(mover);
    }
    Ok(scene)
}

/// Numbers from 0 to 1, evenly spread and the same every time: multiples of square roots of primes.
fn spread(number: u32, series: u32) -> f64 {
    const PRIMES: [u8; 13] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41];
    (f64::from(number + 1) * f64::from(PRIMES[series as usize]).sqrt()).fract()
}

/// A table for people, also valid as a table of a Markdown document.
pub fn text(rows: &[Row]) -> String {
    let header = [
        "| scene",
        "obstacles",
        "cells",
        "threads",
        "asked",
        "frames",
        "changed",
        "mean us",
        "p50 us",
        "p99 us",
        "max us",
        "wrong |",
    ];
    let line = |row: &Row| {
        [
            format!("| {}", row.scene),
            row.obstacles.to_string(),
            row.cells.to_string(),
            row.threads.to_string(),
            row.asked.to_owned(),
            row.frames.to_string(),
            format!("{:.1}", row.changed_mean),
            format!("{:.1}", row.mean_us),
            format!("{:.1}", row.p50_us),
            format!("{:.1}", row.p99_us),
            format!("{:.1}", row.max_us),
            format!("{} of {} |", row.mismatches, row.checked),
        ]
    };
    markdown(header, rows.iter().map(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_is_right_in_every_frame() {
        let mut scene = crowd(200).unwrap();
        scene.size = [64, 64, 64];
        scene.goal.position = Point::new(63.5, 63.5, 63.5);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        for (pool, asked) in
            [(Some(&pool), Asked::Nothing), (None, Asked::Before("jps3")), (None, Asked::EachFrame)]
        {
            let row = row("crowd".into(), &scene, 5, NonZeroUsize::MIN, pool, asked).unwrap();
            assert_eq!((row.obstacles, row.checked, row.mismatches), (200, 5, 0));
            assert!(row.changed_mean > 1.0 && row.p50_us <= row.max_us && text(&[row]).contains("0 of 5"));
        }
    }
}
