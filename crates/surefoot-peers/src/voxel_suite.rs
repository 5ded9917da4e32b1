//! The suite `voxel`: searches through the benchmark voxel worlds, ours and others', in turn, on one thread.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};
use surefoot::formats::{scenario_in_space, voxel_map};
use surefoot::path::Path as Route;
use surefoot::prelude::{Agent, Options, Pathfinder, Voxel, Voxels};

use crate::grid_suite::{Answer, MapRecord, Record};
use crate::maps;
use crate::solvers::space::{self, Solver};

/// A world with its queries.
pub struct VoxelMap {
    pub name: String,
    pub voxels: Voxels,
    pub queries: Vec<Query>,
}

/// One query.
#[derive(Clone, Copy)]
pub struct Query {
    pub from: Voxel,
    pub to: Voxel,
    /// `None` if there is no path.
    pub optimum: Option<f64>,
}

/// Every voxel map of a folder that has queries beside it, in subfolders too, in the order of their paths.
pub fn load_all(folder: &Path, every: NonZeroUsize) -> Result<Vec<VoxelMap>> {
    let load = |name: String, map: &Path, scenarios: &Path| load(name, map, scenarios, every);
    maps::load_pairs(folder, "3dmap", "3dscen", load)
}

fn load(name: String, map: &Path, scenarios: &Path, every: NonZeroUsize) -> Result<VoxelMap> {
    let read = |path: &Path| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    let voxels = voxel_map::read(&read(map)?).with_context(|| map.display().to_string())?;
    let scenario =
        scenario_in_space::read(&read(scenarios)?).with_context(|| scenarios.display().to_string())?;
    let mut dijkstra = Pathfinder::named("dijkstra", &Options::default())?;
    let view = voxels.view(&Agent::default());
    // Counted from the end, as on grids.
    let chosen = scenario.queries.iter().rev().step_by(every.get()).rev();
    let queries = chosen.map(|query| {
        let (from, to) = (query.start, query.goal);
        let unknown = query.optimal == 0.0 && from != to;
        let optimum =
            if unknown { dijkstra.find(view, from, to).ok().map(Route::cost) } else { Some(query.optimal) };
        Query { from, to, optimum }
    });
    let queries = queries.collect();
    Ok(VoxelMap { name, voxels, queries })
}

/// Runs all solvers on all maps, in turns; the fastest of all rounds counts. A solver that does not support a map has no row there.
pub fn run(maps: &[VoxelMap], only: &[String], rounds: NonZeroUsize) -> Result<Vec<Record>> {
    let mut solvers = space::all(only)?;
    let queries: usize = maps.iter().map(|map| map.queries.len()).sum();
    let progress = ProgressBar::new((queries * rounds.get() * solvers.len()) as u64);
    progress.set_style(ProgressStyle::with_template("{msg:20} {bar:40} {pos}/{len} queries, {eta} left")?);
    let record = |solver: &dyn Solver| Record {
        solver: solver.name(),
        exact: solver.is_exact(),
        prepare: Duration::ZERO,
        prepared_bytes: 0,
        maps: Vec::new(),
    };
    let mut records: Vec<Record> = solvers.iter().map(|solver| record(&**solver)).collect();
    for map in maps.iter().filter(|map| !map.queries.is_empty()) {
        progress.set_message(map.name.clone());
        let view = map.voxels.view(&Agent::default());
        let mut there: Vec<_> =
            solvers.iter_mut().zip(&mut records).filter(|(solver, _)| solver.takes_on(&map.voxels)).collect();
        for (solver, record) in &mut there {
            let began = Instant::now();
            solver.prepare(&map.voxels);
            solver.search(view, &map.queries[0]);
            record.prepare += began.elapsed();
            record.maps.push(MapRecord { map: map.name.clone(), answers: Vec::new() });
        }
        for _ in 0..rounds.get() {
            for (solver, record) in &mut there {
                let Some(MapRecord { answers, .. }) = record.maps.last_mut() else { continue };
                for (number, query) in map.queries.iter().enumerate() {
                    let began = Instant::now();
                    solver.search(view, query);
                    let time = began.elapsed();
                    let verdict = space::judge(&***solver, map, query);
                    match answers.get_mut(number) {
                        None => answers.push(Answer { time, verdict }),
                        Some(answer) => {
                            answer.time = answer.time.min(time);
                            answer.verdict = answer.verdict.max(verdict);
                        }
                    }
                    progress.inc(1);
                }
            }
            // No solver always follows the same other one.
            there.reverse();
        }
    }
    progress.finish_and_clear();
    Ok(records)
}
