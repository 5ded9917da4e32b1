//! The suite `large`: hierarchical search compared with A* on generated maps, and the cost of an edit.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use surefoot::generate::{Kind, generate};
use surefoot::hierarchy::Hierarchy;
use surefoot::prelude::{Cell, Grid, Options, Pathfinder, PrepareOptions};

use crate::prepare_suite::{edits, ready, view};
use crate::report::markdown;

/// The kinds of map.
const KINDS: [Kind; 5] = [Kind::Terrain, Kind::Rooms, Kind::Caves, Kind::Random, Kind::Maze];

/// The seed of the maps.
const SEED: u64 = 1;

/// The figures for one map.
#[derive(Debug, Serialize)]
pub struct Row {
    pub kind: String,
    pub side: u32,
    pub queries: usize,
    pub prepare_ms: f64,
    pub bytes: u64,
    pub astar_ms: f64,
    pub hpa_ms: f64,
    /// Until the first cells of a route are known, the rest of which is computed as it is walked.
    pub first_leg_ms: f64,
    /// How many times as fast as A*.
    pub speedup: f64,
    /// Mean cost relative to the optimum.
    pub mean_ratio: f64,
    pub worst_ratio: f64,
    /// Mean and longest time until the map is ready again after one cell changed.
    pub edit_us: (f64, f64),
}

/// Measures both, in turns, on pairs of cells spread over each map.
pub fn run(side: u32, queries: usize) -> Result<Vec<Row>> {
    let progress = ProgressBar::new((KINDS.len() * queries) as u64);
    progress.set_style(ProgressStyle::with_template("{msg:10} {bar:40} {pos}/{len} queries, {eta} left")?);
    let mut rows = Vec::new();
    for kind in KINDS {
        progress.set_message(kind.to_string());
        rows.push(row(kind, side, queries, &progress)?);
    }
    progress.finish_and_clear();
    Ok(rows)
}

fn row(kind: Kind, side: u32, queries: usize, progress: &ProgressBar) -> Result<Row> {
    let mut grid = generate(kind, side, side, SEED)?;
    let open: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
    let at = *open.first().context("an open cell")?;
    let mut finders = [finder("astar")?, finder("hpa")?];
    ready(&mut finders[0], &grid, at)?;
    let began = Instant::now();
    ready(&mut finders[1], &grid, at)?;
    let prepare_ms = began.elapsed().as_secs_f64() * 1e3;
    let bytes = finders[1].prepared().map_or(0, |prepared| prepared.memory_bytes());
    let hierarchy = Hierarchy::new(&view(&grid), &PrepareOptions::default())?;
    let (mut times, mut first_legs, mut ratios) = ([Duration::ZERO; 2], Duration::ZERO, Vec::new());
    for number in 0..queries {
        // Steps of two irrational numbers: spread over the map, without a pattern.
        let pick = |step: f64| open[(((number + 1) as f64 * step).fract() * open.len() as f64) as usize];
        let (from, to) = (pick(0.618_033_988_75), pick(0.414_213_562_37));
        first_legs += first_leg(&hierarchy, &grid, from, to);
        let costs = ask(&mut finders, &mut times, &grid, number, from, to);
        if let [Some(best), Some(cost)] = costs
            && best > 0.0
        {
            ratios.push(cost / best);
        }
        progress.inc(1);
    }
    let [astar_ms, hpa_ms] = times.map(|time| time.as_secs_f64() * 1e3 / queries as f64);
    let first_leg_ms = first_legs.as_secs_f64() * 1e3 / queries as f64;
    drop(hierarchy);
    let edit_us = edits(&mut finders[1], &mut grid, at)?;
    Ok(Row {
        kind: kind.to_string(),
        side,
        queries,
        prepare_ms,
        bytes,
        astar_ms,
        hpa_ms,
        first_leg_ms,
        speedup: astar_ms / hpa_ms,
        mean_ratio: ratios.iter().sum::<f64>() / ratios.len().max(1) as f64,
        worst_ratio: ratios.iter().copied().fold(1.0, f64::max),
        edit_us,
    })
}

fn finder(name: &str) -> Result<Pathfinder> {
    Ok(Pathfinder::named(name, &Options::default())?)
}

/// Returns the time to plan a route and to compute its first leg.
fn first_leg(hierarchy: &Hierarchy, grid: &Grid, from: Cell, to: Cell) -> Duration {
    let (view, mut cells) = (view(grid), Vec::new());
    let began = Instant::now();
    if let Ok(mut route) = hierarchy.route(&view, from, to) {
        // The others decide whether the goal can be reached.
        let _ = route.next_leg(&view, &mut cells);
    }
    began.elapsed()
}

/// Runs a query with both finders, alternating which comes first; their times are added up.
fn ask(
    finders: &mut [Pathfinder; 2],
    times: &mut [Duration; 2],
    grid: &Grid,
    number: usize,
    from: Cell,
    to: Cell,
) -> [Option<f64>; 2] {
    let mut costs = [None; 2];
    for turn in 0..2 {
        let finder = (number + turn) % 2;
        let began = Instant::now();
        let cost = finders[finder].find(view(grid), from, to).ok().map(surefoot::path::Path::cost);
        times[finder] += began.elapsed();
        costs[finder] = cost;
    }
    costs
}

/// A table for people, also valid as a table of a Markdown document.
pub fn text(rows: &[Row]) -> String {
    let header = [
        "| map",
        "prepare ms",
        "MB",
        "astar ms",
        "hpa ms",
        "first leg ms",
        "times as fast",
        "mean ratio",
        "worst",
        "edit us",
        "longest |",
    ];
    let line = |row: &Row| {
        [
            format!("| {} {}", row.kind, row.side),
            format!("{:.0}", row.prepare_ms),
            format!("{:.1}", row.bytes as f64 / 1e6),
            format!("{:.2}", row.astar_ms),
            format!("{:.2}", row.hpa_ms),
            format!("{:.2}", row.first_leg_ms),
            format!("{:.1}", row.speedup),
            format!("{:.4}", row.mean_ratio),
            format!("{:.4}", row.worst_ratio),
            format!("{:.0}", row.edit_us.0),
            format!("{:.0} |", row.edit_us.1),
        ]
    };
    markdown(header, rows.iter().map(line))
}
