//! The suite `prepare`: the preparation of a map by each of our algorithms, and the cost of an edit.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use surefoot::prelude::{Agent, Cell, Grid, GridView, Options, Pathfinder, PrepareOptions, Terrain};
use surefoot::search::PrepareError;

use crate::maps::BenchmarkMap;
use crate::report::markdown;

/// The algorithms, the plain one first. What belongs to the grid itself (components, planes of stops) is counted, too.
const ALGORITHMS: [&str; 6] = ["astar", "jps", "jps_plus", "subgoal", "first_moves", "hpa"];

/// These keep up with an edit at a local cost; the others begin again.
const FOLLOW_EDITS: [&str; 3] = ["astar", "jps", "hpa"];

/// One search a cell: left out on maps with more open cells.
const FIRST_MOVES_CELLS: usize = 25_000;

/// Cells that are closed and opened again to time edits.
const EDITS: usize = 200;

/// Rounds of queries; the fastest answer counts.
const ROUNDS: usize = 3;

/// What one algorithm made of one map.
#[derive(Debug, Serialize)]
pub struct Row {
    pub algorithm: &'static str,
    pub map: String,
    /// Open cells.
    pub cells: usize,
    pub prepare_ms: f64,
    /// Bytes prepared, with what the grid derived from itself meanwhile.
    pub bytes: u64,
    pub mean_us: f64,
    /// Mean and longest time until the map is ready again after one cell changed; `None` where everything is prepared again.
    pub edit_us: Option<(f64, f64)>,
}

/// Prepares every map for every algorithm.
pub fn run(maps: &[BenchmarkMap]) -> Result<Vec<Row>> {
    let progress = ProgressBar::new((maps.len() * ALGORITHMS.len()) as u64);
    progress.set_style(ProgressStyle::with_template("{msg:30} {bar:40} {pos}/{len}, {eta} left")?);
    let mut rows = Vec::new();
    for map in maps {
        for algorithm in ALGORITHMS {
            progress.set_message(format!("{} {algorithm}", map.name));
            if algorithm != "first_moves" || map.grid.open_cells() <= FIRST_MOVES_CELLS {
                rows.extend(row(map, algorithm).with_context(|| format!("{algorithm} on {}", map.name))?);
            }
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    Ok(rows)
}

/// One row; `None` if the algorithm refuses the map.
fn row(map: &BenchmarkMap, algorithm: &'static str) -> Result<Option<Row>> {
    let mut grid = Grid::from_terrain(map.grid.width(), map.grid.height(), &map.grid.to_terrain())?;
    let before = grid.memory_bytes();
    let mut finder = Pathfinder::named(algorithm, &Options::default())?;
    let began = Instant::now();
    if let Err(error) = ready(&mut finder, &grid, map.queries[0].from) {
        return if matches!(error, PrepareError::Cancelled) { Err(error.into()) } else { Ok(None) };
    }
    let prepare_ms = began.elapsed().as_secs_f64() * 1e3;
    let bytes = finder.prepared().map_or(0, |prepared| prepared.memory_bytes())
        + (grid.memory_bytes() - before) as u64;
    let mean_us = mean_query(map, &mut finder, &view(&grid));
    let edit_us = FOLLOW_EDITS
        .contains(&algorithm)
        .then(|| edits(&mut finder, &mut grid, map.queries[0].from))
        .transpose()?;
    let cells = map.grid.open_cells();
    Ok(Some(Row { algorithm, map: map.name.clone(), cells, prepare_ms, bytes, mean_us, edit_us }))
}

pub fn view(grid: &Grid) -> GridView<'_> {
    grid.view(&Agent::default())
}

/// Makes a finder ready for the grid as it is now.
pub fn ready(finder: &mut Pathfinder, grid: &Grid, at: Cell) -> Result<(), PrepareError> {
    finder.prepare(view(grid), &PrepareOptions::default())?;
    // A question with a trivial answer: what a search derives from the grid is derived now.
    finder.start(view(grid), at, &[at]);
    Ok(())
}

fn mean_query(map: &BenchmarkMap, finder: &mut Pathfinder, view: &GridView<'_>) -> f64 {
    let mut least = vec![Duration::MAX; map.queries.len()];
    for _ in 0..ROUNDS {
        for (query, least) in map.queries.iter().zip(&mut least) {
            let began = Instant::now();
            // The answer stays in the finder; the suite `grid` checks answers.
            let _ = finder.find(view, query.from, query.to);
            *least = began.elapsed().min(*least);
        }
    }
    least.iter().map(Duration::as_secs_f64).sum::<f64>() * 1e6 / least.len() as f64
}

/// Closes and opens cells all over the map, one at a time. Mean and longest time of one.
pub fn edits(finder: &mut Pathfinder, grid: &mut Grid, at: Cell) -> Result<(f64, f64)> {
    let open: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell) && cell != at).collect();
    let mut times = Vec::with_capacity(2 * EDITS);
    for edit in 0..EDITS.min(open.len()) {
        // Spread over the map in an order without a pattern: steps of the golden section.
        let cell = open[((edit as f64 * 0.618_033_988_75).fract() * open.len() as f64) as usize];
        let terrain = grid.terrain(cell).context("a cell of the grid")?;
        for terrain in [Terrain::WALL, terrain] {
            let began = Instant::now();
            grid.set(cell, terrain)?;
            ready(finder, grid, at)?;
            times.push(began.elapsed().as_secs_f64() * 1e6);
        }
    }
    let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
    Ok((mean, times.iter().copied().fold(0.0, f64::max)))
}

/// A table for people, also valid as a table of a Markdown document.
pub fn text(rows: &[Row]) -> String {
    let header = ["| map", "open cells", "algorithm", "prepare ms", "MB", "query us", "edit us", "longest |"];
    let line = |row: &Row| {
        let edit = |time: Option<f64>| time.map_or("-".to_owned(), |time| format!("{time:.1}"));
        [
            format!("| {}", row.map),
            row.cells.to_string(),
            row.algorithm.to_owned(),
            format!("{:.1}", row.prepare_ms),
            format!("{:.2}", row.bytes as f64 / 1e6),
            format!("{:.1}", row.mean_us),
            edit(row.edit_us.map(|(mean, _)| mean)),
            edit(row.edit_us.map(|(_, longest)| longest)) + " |",
        ]
    };
    markdown(header, rows.iter().map(line))
}
