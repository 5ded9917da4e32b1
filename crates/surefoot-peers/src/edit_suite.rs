//! The suite `edit`: what an edit of a grid takes, with and without copies of it, and what it adds to the next query.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use surefoot::generate::{Kind, generate};
use surefoot::prelude::{Agent, Cell, Grid, Options, Pathfinder, Terrain};

use crate::report::{markdown, percentile};

/// The kinds of map.
const KINDS: [Kind; 3] = [Kind::Empty, Kind::Rooms, Kind::Caves];

/// The seed of the maps.
const SEED: u64 = 1;

/// The searches that are asked after an edit. The first has derived data that has to follow.
const ALGORITHMS: [&str; 3] = ["jps", "auto", "astar"];

/// The figures for one map and one kind of work, in microseconds.
#[derive(Debug, Serialize)]
pub struct Row {
    pub map: String,
    pub side: u32,
    pub work: String,
    pub p50_us: f64,
    pub p99_us: f64,
}

/// Measures so many edits of each kind on maps with so many columns and rows.
pub fn run(sides: &[u32], edits: usize) -> Result<Vec<Row>> {
    let progress = ProgressBar::new((sides.len() * KINDS.len()) as u64);
    progress.set_style(ProgressStyle::with_template("{msg:10} {bar:40} {pos}/{len} maps, {eta} left")?);
    let mut rows = Vec::new();
    for &side in sides {
        for kind in KINDS {
            progress.set_message(format!("{kind} {side}"));
            rows.extend(rows_of(kind, side, edits)?);
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    Ok(rows)
}

fn rows_of(kind: Kind, side: u32, edits: usize) -> Result<Vec<Row>> {
    let mut grid = generate(kind, side, side, SEED)?;
    let open: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
    let at = *open.first().context("an open cell")?;
    let mut finders = ALGORITHMS
        .map(|name| Ok((name, Pathfinder::named(name, &Options::default())?)))
        .into_iter()
        .collect::<Result<Vec<_>>>()?;
    let view = grid.view(&Agent::default());
    for (_, finder) in &mut finders {
        let _ = finder.find(view, at, at);
    }
    finders[0].1.find(view, at, open[open.len() / 2]).ok();
    // Steps of irrational numbers: spread over the map, without a pattern.
    let pick = |number: usize, step: f64| open[((number as f64 * step).fract() * open.len() as f64) as usize];
    let mut rows = Vec::new();
    let mut note = |work: &str, mut times: Vec<f64>| {
        times.sort_unstable_by(f64::total_cmp);
        let [p50_us, p99_us] = [50, 99].map(|hundredths| percentile(&times, hundredths));
        rows.push(Row { map: kind.to_string(), side, work: work.to_owned(), p50_us, p99_us });
    };
    let (mut alone, mut clone, mut first, mut second) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for number in 1..=edits {
        alone.push(timed(|| toggle(&mut grid, pick(number, 0.618_033_988_75))));
        toggle(&mut grid, pick(number, 0.618_033_988_75));
        let mut copy = None;
        clone.push(timed(|| copy = Some(grid.clone())));
        first.push(timed(|| toggle(&mut grid, pick(number, 0.414_213_562_37))));
        second.push(timed(|| toggle(&mut grid, pick(number, 0.302_775_637_73))));
        black_box(copy);
        toggle(&mut grid, pick(number, 0.302_775_637_73));
        toggle(&mut grid, pick(number, 0.414_213_562_37));
    }
    note("edit", alone);
    note("clone", clone);
    note("first edit after clone", first);
    note("edit with clone alive", second);
    for (name, finder) in &mut finders {
        let (mut with, mut query) = (Vec::new(), Vec::new());
        for number in 1..=edits {
            let (from, to) = (pick(number, 0.192_582_403_57), pick(number, 0.732_050_807_57));
            let cell = pick(number, 0.618_033_988_75);
            let mut find =
                |grid: &Grid| black_box(finder.find(grid.view(&Agent::default()), from, to).is_ok());
            // The same query before and after, so that both times measured find their data in the caches.
            find(&grid);
            let both = timed(|| {
                toggle(&mut grid, cell);
                find(&grid);
            });
            // The same once more, in the same state.
            let alone = timed(|| _ = find(&grid));
            with.push(both - alone);
            query.push(alone);
            toggle(&mut grid, cell);
        }
        note(&format!("{name} query"), query);
        note(&format!("edit before {name} query, added"), with);
    }
    Ok(rows)
}

/// Closes an open cell or opens a closed one.
fn toggle(grid: &mut Grid, cell: Cell) {
    let terrain = if grid.is_open(cell) { Terrain::WALL } else { Terrain::FLOOR };
    // The cell is one of the grid's.
    let _ = grid.set(cell, terrain);
}

fn timed(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64() * 1e6
}

/// Formats a report for people.
pub fn text(rows: &[Row]) -> String {
    let table = rows.iter().map(|row| {
        [
            format!("| {}", row.map),
            row.side.to_string(),
            row.work.clone(),
            format!("{:.1}", row.p50_us),
            format!("{:.1} |", row.p99_us),
        ]
    });
    markdown(["| map", "side", "work", "median us", "p99 us |"], table)
}
