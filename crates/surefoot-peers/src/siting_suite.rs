//! The suite `siting`: the time to predict the effect of a building, and whether the prediction is correct.

use std::num::NonZeroUsize;
use std::time::Instant;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use surefoot::prelude::{Cell, Cost, Grid, GridView, Options, Pathfinder, Terrain};
use surefoot::siting::{Siting, Verdict};

use crate::maps::BenchmarkMap;
use crate::prepare_suite::view;
use crate::report::{markdown, percentile};

/// The number of pairs per call.
const PAIRS: usize = 8;

/// The sides of the buildings, which are squares.
const SIDES: [i32; 3] = [1, 2, 3];

/// The interval, in buildings, at which a verdict is compared with building and searching from scratch.
const CHECK_EVERY: usize = 25;

/// Where buildings are put.
const PLACES: [&str; 4] = ["chokes", "chokes on paths", "ways", "anywhere"];

/// The figures for one kind of building on one map.
#[derive(Debug, Serialize)]
pub struct Row {
    pub map: String,
    /// Where the buildings were put.
    pub place: &'static str,
    /// `columns x rows` of a building.
    pub footprint: String,
    pub calls: usize,
    pub p50_us: f64,
    pub p99_us: f64,
    pub max_us: f64,
    /// The number of calls that found a path cut off.
    pub blocking: usize,
    /// The number of verdicts that were compared with building and searching from scratch.
    pub checked: usize,
    /// The number of those that were wrong.
    pub mismatches: usize,
    /// What it took to find the map's choke cells.
    pub chokes_ms: f64,
    /// What it took to prepare for the pairs on this map: to compute the costs to each goal and from each start.
    pub first_ms: f64,
}

/// Puts buildings at up to `most` places of each kind on every map.
pub fn run(maps: &[BenchmarkMap], most: NonZeroUsize, rounds: NonZeroUsize) -> Result<Vec<Row>> {
    let progress = ProgressBar::new(maps.len() as u64);
    progress.set_style(ProgressStyle::with_template("{msg:30} {bar:40} {pos}/{len} maps, {eta} left")?);
    let mut rows = Vec::new();
    for map in maps {
        progress.set_message(map.name.clone());
        rows.extend(rows_of(map, most, rounds).with_context(|| map.name.clone())?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(rows)
}

fn rows_of(map: &BenchmarkMap, most: NonZeroUsize, rounds: NonZeroUsize) -> Result<Vec<Row>> {
    let view = view(&map.grid);
    // The last of equal parts of the file, whose queries become longer and longer.
    let pairs: Vec<(Cell, Cell)> = (1..=PAIRS)
        .map(|part| &map.queries[(map.queries.len() * part).div_ceil(PAIRS) - 1])
        .map(|query| (query.from, query.to))
        .collect();
    let mut siting = Siting::default();
    let began = Instant::now();
    let chokes: Vec<Cell> = siting.chokes(&view).cells().collect();
    let chokes_ms = began.elapsed().as_secs_f64() * 1e3;
    let began = Instant::now();
    siting.prepare(&view, &pairs)?;
    let first_ms = began.elapsed().as_secs_f64() * 1e3;
    let ways = cells_on_ways(&view, &pairs);
    let on_ways = chokes.iter().copied().filter(|cell| ways.binary_search(cell).is_ok()).collect();
    let open = map.grid.cells().filter(|&cell| map.grid.is_open(cell)).collect();
    let mut bench = Bench { map, pairs, siting, rounds, chokes_ms, first_ms };
    let mut rows = Vec::new();
    for (place, cells) in PLACES.into_iter().zip([chokes, on_ways, ways, open]) {
        let cells = spread(&cells, most.get());
        for side in SIDES.into_iter().filter(|_| !cells.is_empty()) {
            rows.push(bench.row(place, side, &cells)?);
        }
    }
    Ok(rows)
}

/// Returns the cells of the best paths between pairs, sorted.
fn cells_on_ways(view: &GridView<'_>, pairs: &[(Cell, Cell)]) -> Vec<Cell> {
    let (mut finder, mut cells) = (Pathfinder::default(), Vec::new());
    for &(from, to) in pairs {
        if let Ok(path) = finder.find(view, from, to) {
            cells.extend(path.cells(view.grid()));
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Returns at most a number of the given cells, evenly spread.
fn spread(cells: &[Cell], most: usize) -> Vec<Cell> {
    let count = cells.len().min(most);
    (0..count).map(|index| cells[index * cells.len() / count]).collect()
}

/// The cells of a square building around a cell.
fn square(middle: Cell, side: i32) -> Vec<Cell> {
    let corner = middle.offset(-(side - 1) / 2, -(side - 1) / 2);
    (0..side * side).map(|index| corner.offset(index % side, index / side)).collect()
}

/// A map with its pairs and agent.
struct Bench<'a> {
    map: &'a BenchmarkMap,
    pairs: Vec<(Cell, Cell)>,
    siting: Siting,
    rounds: NonZeroUsize,
    chokes_ms: f64,
    first_ms: f64,
}

impl Bench<'_> {
    fn row(&mut self, place: &'static str, side: i32, cells: &[Cell]) -> Result<Row> {
        let view = view(&self.map.grid);
        let footprints: Vec<Vec<Cell>> = cells.iter().map(|&cell| square(cell, side)).collect();
        let mut times = vec![f64::INFINITY; cells.len()];
        let (mut blocking, mut checked, mut mismatches) = (0, 0, 0);
        for round in 0..self.rounds.get() {
            for (index, (footprint, least)) in footprints.iter().zip(&mut times).enumerate() {
                let began = Instant::now();
                let verdict = self.siting.would_block(&view, footprint, &self.pairs)?;
                *least = least.min(began.elapsed().as_secs_f64() * 1e6);
                if round == 0 {
                    blocking += usize::from(verdict.blocks_any());
                }
                if round == 0 && index % CHECK_EVERY == 0 {
                    checked += 1;
                    mismatches += usize::from(!is_right(view.grid(), footprint, &self.pairs, &verdict)?);
                }
            }
        }
        times.sort_unstable_by(f64::total_cmp);
        Ok(Row {
            map: self.map.name.clone(),
            place,
            footprint: format!("{side} x {side}"),
            calls: times.len(),
            p50_us: percentile(&times, 50),
            p99_us: percentile(&times, 99),
            max_us: percentile(&times, 100),
            blocking,
            checked,
            mismatches,
            chokes_ms: self.chokes_ms,
            first_ms: self.first_ms,
        })
    }
}

/// Builds on a copy and searches from scratch.
fn is_right(grid: &Grid, footprint: &[Cell], pairs: &[(Cell, Cell)], verdict: &Verdict) -> Result<bool> {
    let mut built = grid.clone();
    let inside = footprint.iter().filter(|&&cell| grid.contains(cell));
    built.set_many(inside.map(|&cell| (cell, Terrain::WALL)))?;
    let mut finder = Pathfinder::named("astar", &Options::default())?;
    let mut cost = |grid: &Grid, (from, to)| -> Option<Cost> {
        finder.find(view(grid), from, to).ok().map(surefoot::path::Path::units)
    };
    let expected: Vec<_> = pairs.iter().map(|&pair| (cost(grid, pair), cost(&built, pair))).collect();
    Ok(verdict.impacts().iter().map(|effect| (effect.before, effect.after)).eq(expected))
}

/// A table for people, also valid as a table of a Markdown document.
pub fn text(rows: &[Row]) -> String {
    let header = [
        "| map",
        "place",
        "building",
        "calls",
        "p50 us",
        "p99 us",
        "max us",
        "blocking",
        "wrong",
        "chokes ms",
        "first ms |",
    ];
    let line = |row: &Row| {
        [
            format!("| {}", row.map),
            row.place.to_owned(),
            row.footprint.clone(),
            row.calls.to_string(),
            format!("{:.1}", row.p50_us),
            format!("{:.1}", row.p99_us),
            format!("{:.1}", row.max_us),
            row.blocking.to_string(),
            format!("{} of {}", row.mismatches, row.checked),
            format!("{:.1}", row.chokes_ms),
            format!("{:.1} |", row.first_ms),
        ]
    };
    markdown(header, rows.iter().map(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::Query;

    #[test]
    fn every_place_is_asked_about_and_every_answer_right() {
        let grid: Grid = "
            ....#....
            ....#....
            .........
            ....#....
            ....#...."
            .parse()
            .unwrap();
        let query = |x, y| Query { from: Cell::new(0, 0), to: Cell::new(x, y), optimum: None };
        let map = BenchmarkMap { name: "door".into(), grid, queries: vec![query(8, 0), query(8, 4)] };
        let (most, rounds) = (NonZeroUsize::new(50).unwrap(), NonZeroUsize::MIN);
        let rows = run(&[map], most, rounds).unwrap();
        assert_eq!(rows.len(), PLACES.len() * SIDES.len());
        assert!(rows.iter().all(|row| row.checked > 0 && row.mismatches == 0 && row.p50_us <= row.p99_us));
        assert!(rows[0].calls == 3 && rows[0].blocking == 3, "the door and both cells before it");
        assert!(text(&rows).contains("chokes on paths"));
    }
}
