//! The suite `field`: costs and directions to one goal from everywhere, ours and others', and repairs after an edit of one cell.

use std::time::Instant;

use anyhow::{Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use pathfinding::prelude::dijkstra_all;
use serde::Serialize;
use surefoot::field::{Extent, FlowField, Goal};
use surefoot::prelude::{Cell, Cost, Grid, NodeId, Terrain};

use crate::maps::BenchmarkMap;
use crate::prepare_suite::view;
use crate::report::{markdown, percentile};
use crate::solvers::floor::Floor;
use crate::solvers::{DIAGONAL, STRAIGHT};

/// The figures of one solver on one map.
#[derive(Debug, Serialize)]
pub struct Row {
    pub solver: &'static str,
    pub map: String,
    /// The cells from which the goal can be reached.
    pub cells: usize,
    /// The fastest of all rounds; of repairs, the median of all edits.
    pub ms: f64,
    pub cells_per_s: f64,
    /// Whether the costs are those of the reference, and a repaired field is a fresh one.
    #[serde(skip)]
    pub is_right: bool,
}

/// The cost of a place that is not reached.
const UNREACHED: u32 = u32::MAX;

/// Computes a field on every map, in turns, and repairs it after edits.
pub fn run(maps: &[BenchmarkMap], rounds: usize, edits: usize) -> Result<Vec<Row>> {
    let progress = ProgressBar::new(maps.len() as u64);
    progress.set_style(ProgressStyle::with_template("{msg:30} {bar:40} {pos}/{len} maps, {eta} left")?);
    let mut rows = Vec::new();
    for map in maps {
        progress.set_message(map.name.clone());
        rows.extend(rows_of(map, rounds, edits)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(rows)
}

/// What `work` takes, in milliseconds.
fn time(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64() * 1e3
}

fn rows_of(map: &BenchmarkMap, rounds: usize, edits: usize) -> Result<Vec<Row>> {
    let Some(query) = map.queries.last() else { return Ok(Vec::new()) };
    let grid = &map.grid;
    let goal = Goal::at(grid, query.to).into_iter().collect::<Vec<_>>();
    let (floor, at) = (Floor::of(grid), query.to);
    let mut field = FlowField::default();
    let mut reference = Reference::new(&floor);
    let start = (at.y + 1) as usize * floor.stride + at.x as usize + 1;
    let [mut ours, mut buckets, mut theirs, mut limit] = [f64::INFINITY; 4];
    let mut all = 0;
    let (mut costs, mut directions) = (vec![0_u32; floor.len()], vec![0_u8; floor.len()]);
    for round in 0..rounds {
        let mut built = Ok(());
        let rebuild = time(|| built = field.rebuild(view(grid), &goal, Extent::Everything));
        built?;
        // The first round finds no memory to reuse.
        ours = if round == 0 && rounds > 1 { ours } else { ours.min(rebuild) };
        buckets = buckets.min(time(|| reference.run(start)));
        limit = limit.min(time(|| {
            costs.fill(std::hint::black_box(round as u32));
            directions.fill(std::hint::black_box(round as u8));
        }));
        std::hint::black_box((&costs, &directions));
        if round < 3 {
            theirs = theirs.min(time(|| all = everything(&floor, start)));
        }
    }
    let cost = |cell: Cell| {
        let units = reference.costs[(cell.y + 1) as usize * floor.stride + cell.x as usize + 1];
        // In the reference, steps cost a tenth.
        (units != UNREACHED).then(|| Cost::from_units(u64::from(units) * 10))
    };
    let nodes = || grid.cells().filter_map(|cell| Some((cell, grid.node(cell)?)));
    let cells = nodes().filter(|&(_, node)| field.reaches(node)).count();
    let is_right = nodes().all(|(cell, node)| field.cost(node) == cost(cell)) && all == cells;
    ensure!(cells > 0, "the goal of the last query cannot be reached");
    let (repair, is_same) = repairs(grid, &goal, &mut field, edits)?;
    let row = |solver, ms: f64, is_right| Row {
        solver,
        map: map.name.clone(),
        cells,
        ms,
        cells_per_s: cells as f64 / ms * 1e3,
        is_right,
    };
    Ok(vec![
        row("surefoot/field", ours, is_right),
        row("surefoot/repair", repair, is_same),
        row("reference/buckets", buckets, true),
        row("pathfinding/dijkstra_all", theirs, true),
        row("limit/write", limit, true),
    ])
}

/// Closes and opens random cells. Returns the median of the times of repairs, and whether the field is a fresh one in the end.
fn repairs(grid: &Grid, goal: &[Goal], field: &mut FlowField, edits: usize) -> Result<(f64, bool)> {
    let mut grid = grid.clone();
    field.rebuild(view(&grid), goal, Extent::Everything)?;
    let open: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
    let (mut state, mut times, mut is_right) = (7_u64, Vec::new(), true);
    for edit in 0..edits {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let cell = open[(state >> 33) as usize % open.len()];
        let floor = grid.terrain(cell).unwrap_or(Terrain::FLOOR);
        for terrain in [Terrain::WALL, floor] {
            grid.set(cell, terrain)?;
            let view = view(&grid);
            let mut updated = Ok(());
            times.push(time(|| updated = field.update(view).map(|_| ())));
            updated?;
            if edit % 50 == 0 {
                is_right &= is_same(&grid, field, &FlowField::of(view, goal)?);
            }
        }
    }
    times.sort_unstable_by(f64::total_cmp);
    Ok((percentile(&times, 50), is_right))
}

fn is_same(grid: &Grid, one: &FlowField, other: &FlowField) -> bool {
    let mut nodes = grid.cells().filter_map(|cell| grid.node(cell));
    nodes.all(|node: NodeId| one.cost(node) == other.cost(node) && one.step(node) == other.step(node))
}

/// The number of places that `pathfinding::prelude::dijkstra_all` reaches.
fn everything(floor: &Floor, start: usize) -> usize {
    let reached = dijkstra_all(&(start as u32), |&at| {
        let (column, row) = (at as usize % floor.stride, at as usize / floor.stride);
        let moves = floor.moves(column, row).into_iter().flatten();
        moves.map(move |(dx, dy, cost)| {
            let to = (row as i32 + dy) as u32 * floor.stride as u32 + (column as i32 + dx) as u32;
            (to, cost)
        })
    });
    // It leaves out the start.
    reached.len() + 1
}

/// A plain search with a ring of buckets, one for each cost.
struct Reference {
    /// By place, the legal moves as bits, in the order of the offsets.
    moves: Vec<u8>,
    offsets: [isize; 8],
    costs: Vec<u32>,
    directions: Vec<u8>,
    buckets: Vec<Vec<(u32, u32)>>,
}

/// How wide a bucket is, in tenths of the units of the library. No step is cheaper, so what is taken from a bucket is final.
const WIDTH: u32 = STRAIGHT / 10;

/// What steps cost in these tenths.
const STEPS: [u32; 8] = {
    let diagonal = DIAGONAL / 10;
    [WIDTH, WIDTH, WIDTH, WIDTH, diagonal, diagonal, diagonal, diagonal]
};

impl Reference {
    fn new(floor: &Floor) -> Reference {
        let row = floor.stride as isize;
        let offsets = [-row, row, -1, 1, -row - 1, -row + 1, row - 1, row + 1];
        let inside = floor.stride + 1..floor.len() - floor.stride - 1;
        let legal_moves = |at: usize| {
            let legal = floor.moves(at % floor.stride, at / floor.stride);
            (0..8).fold(0, |bits, index| bits | u8::from(legal[index].is_some()) << index)
        };
        let moves =
            (0..floor.len()).map(|at| if inside.contains(&at) { legal_moves(at) } else { 0 }).collect();
        Reference {
            moves,
            offsets,
            costs: vec![0; floor.len()],
            directions: vec![0; floor.len()],
            buckets: vec![Vec::new(); 4],
        }
    }

    fn run(&mut self, start: usize) {
        let Reference { moves, offsets, costs, directions, buckets } = self;
        costs.fill(UNREACHED);
        directions.fill(u8::MAX);
        costs[start] = 0;
        buckets[0].push((start as u32, 0));
        let (mut present, mut empty) = (0, 0);
        while empty < buckets.len() {
            let Some((at, cost)) = buckets[present].pop() else {
                present = (present + 1) % buckets.len();
                empty += 1;
                continue;
            };
            empty = 0;
            if costs[at as usize] != cost {
                continue;
            }
            let mut legal = moves[at as usize];
            while legal != 0 {
                let index = legal.trailing_zeros() as usize % 8;
                legal &= legal - 1;
                let to = (at as usize).wrapping_add_signed(offsets[index]);
                let sum = cost + STEPS[index];
                if sum < costs[to] {
                    costs[to] = sum;
                    directions[to] = index as u8;
                    buckets[(sum / WIDTH) as usize % 4].push((to as u32, sum));
                }
            }
        }
    }
}

/// The rows as a table, with how many times faster than `pathfinding/dijkstra_all` each is.
pub fn text(rows: &[Row]) -> String {
    let theirs = |map: &str| {
        rows.iter()
            .find(|row| row.map == map && row.solver == "pathfinding/dijkstra_all")
            .map_or(0.0, |row| row.ms)
    };
    markdown(
        ["map", "solver", "cells", "ms", "M cells/s", "times faster"],
        rows.iter().map(|row| {
            [
                row.map.clone(),
                row.solver.to_owned(),
                row.cells.to_string(),
                format!("{:.4}", row.ms),
                format!("{:.1}", row.cells_per_s / 1e6),
                format!("{:.1}", theirs(&row.map) / row.ms),
            ]
        }),
    )
}
