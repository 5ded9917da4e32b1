//! How many units fit into a frame, by what guides them.

use std::time::{Duration, Instant};

use surefoot::crowd::{Avoidance, CrowdStats};
use surefoot::generate::{Kind, generate};
use surefoot::prelude::*;

use super::{Chart, Column, Environment, ExperimentError, Line, Progress, Results, Settings, Value};
use crate::crowd::{self, Draws, Gathered, Mode, Plan, TICKS_PER_SECOND};
use crate::statistics::{fitted_exponent, mean, percentile};

pub(super) const QUESTION: &str = "How many units can walk, avoid each other and plan again when the map changes, within the 16 ms of a frame?";

/// The time of a frame, in microseconds.
const FRAME_US: f64 = 16_000.0;

/// Crowds, from small to large.
const COUNTS: [usize; 10] = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];

/// Cells of the map per unit: 10,000 units on 512 x 512 cells.
const CELLS_PER_UNIT: f64 = 26.2144;

/// The side of the smallest map.
const SMALLEST_SIDE: u32 = 64;

/// Ticks between two edits of the map.
const EDIT_EVERY: usize = 30;

/// Units from which on the time per tick is compared with the number of units: below, fixed costs hide how it grows.
const LARGE: usize = 500;

const COLUMNS: [Column; 14] = [
    Column {
        name: "mode",
        meaning: "how units are guided: astar (each plans for itself at once), service (plans within a budget per tick), field (one flow field per goal)",
    },
    Column { name: "units", meaning: "number of units" },
    Column { name: "side", meaning: "cells per side of the map" },
    Column { name: "ticks", meaning: "number of measured ticks" },
    Column { name: "timed_out", meaning: "whether the case ended early, because its time was over" },
    Column { name: "order_us", meaning: "microseconds for the order to all units and the tick after it" },
    Column { name: "tick_mean_us", meaning: "mean of the later ticks, in microseconds" },
    Column { name: "tick_p50_us", meaning: "median of the later ticks, in microseconds" },
    Column { name: "tick_p99_us", meaning: "99th percentile of the later ticks, in microseconds" },
    Column { name: "tick_max_us", meaning: "the longest of the later ticks, in microseconds" },
    Column { name: "edits", meaning: "number of cells that were closed or opened" },
    Column { name: "plans", meaning: "number of paths that were planned" },
    Column { name: "expanded", meaning: "number of nodes that these plans expanded" },
    Column { name: "hash", meaning: "hash of all states after the last tick" },
];

/// What was measured in one case.
struct Case {
    mode: Mode,
    units: usize,
    side: u32,
    timed_out: bool,
    order_us: f64,
    /// In ascending order.
    ticks_us: Vec<f64>,
    edits: u64,
    stats: CrowdStats,
    hash: u64,
}

impl Case {
    fn mean(&self) -> f64 {
        mean(&self.ticks_us).unwrap_or(0.0)
    }

    fn at(&self, percent: usize) -> f64 {
        percentile(&self.ticks_us, percent).unwrap_or(0.0)
    }

    fn row(&self) -> Vec<Value> {
        vec![
            Value::Text(self.mode.name().to_owned()),
            Value::Count(self.units as u64),
            Value::Count(self.side.into()),
            Value::Count(self.ticks_us.len() as u64),
            Value::Flag(self.timed_out),
            Value::Number(self.order_us),
            Value::Number(self.mean()),
            Value::Number(self.at(50)),
            Value::Number(self.at(99)),
            Value::Number(self.at(100)),
            Value::Count(self.edits),
            Value::Count(self.stats.plans),
            Value::Count(self.stats.expanded),
            Value::Text(format!("{:016x}", self.hash)),
        ]
    }
}

/// How long a case is.
struct Length {
    warmup: usize,
    ticks: usize,
    timeout: Duration,
}

/// The side of the map for a number of units.
fn side_for(units: usize) -> u32 {
    ((units as f64 * CELLS_PER_UNIT).sqrt().ceil() as u32).max(SMALLEST_SIDE)
}

pub(super) fn run(settings: &Settings, progress: &Progress<'_>) -> Result<Results, ExperimentError> {
    let environment = Environment::now();
    let length = Length {
        warmup: settings.warmup.unwrap_or(10),
        ticks: settings.runs.unwrap_or(240).max(1),
        timeout: settings.case_timeout,
    };
    let counts: Vec<usize> =
        COUNTS.into_iter().filter(|&units| side_for(units) <= settings.max_side).collect();
    if counts.is_empty() {
        return Err(ExperimentError::TooSmall { found: settings.max_side, expected: SMALLEST_SIDE });
    }
    let total = counts.len() * Mode::ALL.len();
    let mut cases: Vec<Case> = Vec::new();
    for (size, &units) in counts.iter().enumerate() {
        let side = side_for(units);
        let map = generate(Kind::Caves, side, side, settings.seed)?;
        for (number, mode) in Mode::ALL.into_iter().enumerate() {
            // What is too slow already does not get faster.
            let is_too_slow =
                |case: &Case| case.mode == mode && case.at(99) > FRAME_US && case.order_us > FRAME_US;
            if !cases.iter().any(is_too_slow) {
                cases.push(measure(&map, mode, units, &length, settings.seed)?);
            }
            progress(size * Mode::ALL.len() + number + 1, total);
        }
    }
    Ok(Results {
        experiment: "units",
        question: QUESTION,
        design: design(&length, settings),
        command: command(&length, settings),
        environment: environment.afterwards(),
        columns: &COLUMNS,
        rows: cases.iter().map(Case::row).collect(),
        findings: findings(&cases),
        charts: charts(&cases),
    })
}

fn measure(
    map: &Grid,
    mode: Mode,
    units: usize,
    length: &Length,
    seed: u64,
) -> Result<Case, ExperimentError> {
    let mut grid = map.clone();
    let plan = Plan { units, goals: 4, mode, avoidance: Avoidance::Orca, resolve_jams: true, ticks: 0, seed };
    let Gathered { mut crowd, groups, goals, .. } = crowd::gather(&grid, &plan)?;
    let seconds = 1.0 / f64::from(TICKS_PER_SECOND);
    let us = |clock: Instant| clock.elapsed().as_secs_f64() * 1e6;
    let begun = Instant::now();
    crowd::send(&mut crowd, &grid, &plan, &groups, &goals)?;
    crowd.tick(&grid, seconds);
    let order_us = us(begun);

    let cells: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
    let mut draws = Draws::new(seed);
    let mut closed: Option<(Cell, Terrain)> = None;
    let (mut ticks_us, mut edits, mut timed_out) = (Vec::with_capacity(length.ticks), 0, false);
    for tick in 1..=length.warmup + length.ticks {
        let clock = Instant::now();
        // An edit is part of the frame in which it happens. A closed cell opens again with the next one.
        if tick.is_multiple_of(EDIT_EVERY) {
            let edit = closed.take().unwrap_or_else(|| {
                let cell = cells[draws.below(cells.len())];
                closed = grid.terrain(cell).map(|terrain| (cell, terrain));
                (cell, Terrain::WALL)
            });
            edits += u64::from(grid.set(edit.0, edit.1).is_ok());
        }
        crowd.tick(&grid, seconds);
        if tick > length.warmup {
            ticks_us.push(us(clock));
        }
        if begun.elapsed() > length.timeout && !ticks_us.is_empty() {
            timed_out = tick < length.warmup + length.ticks;
            break;
        }
    }
    ticks_us.sort_by(f64::total_cmp);
    let (stats, hash) = (crowd.stats(), crowd.hash());
    Ok(Case { mode, units, side: grid.width(), timed_out, order_us, ticks_us, edits, stats, hash })
}

fn design(length: &Length, settings: &Settings) -> Vec<String> {
    vec![
        format!(
            "Units of radius 0.4 stand on distinct cells of generated caves (seed {}) with {CELLS_PER_UNIT} cells per unit, so larger crowds are not denser. They get an order to \
             walk to four goals at 4 cells per second, avoid each other (ORCA), and jams are resolved. Every {EDIT_EVERY} ticks a cell is closed or opened.",
            settings.seed
        ),
        format!(
            "The frame of the order is measured apart. Then {} ticks are discarded and {} are measured, in one thread or more as the library decides; a case ends after {:?}. \
             Crowds grow until both figures of a mode are above 16 ms.",
            length.warmup, length.ticks, length.timeout
        ),
        "astar: each unit plans with A* as soon as it needs a path. service: plans are spread over ticks, 20,000 expanded nodes in each. field: units follow one flow field per goal."
            .to_owned(),
    ]
}

fn command(length: &Length, settings: &Settings) -> String {
    format!(
        "surefoot experiment units --runs {} --warmup {} --seed {} --max-side {} --case-timeout {} --out DIR",
        length.ticks,
        length.warmup,
        settings.seed,
        settings.max_side,
        length.timeout.as_secs_f64()
    )
}

fn findings(cases: &[Case]) -> Vec<String> {
    let mut findings = Vec::new();
    for mode in Mode::ALL {
        let of_mode = || cases.iter().filter(|case| case.mode == mode);
        findings.push(limit(mode, "the ticks after the order (99 of 100)", of_mode(), |case| case.at(99)));
        findings.push(limit(mode, "the frame of the order itself", of_mode(), |case| case.order_us));
        let large: Vec<(f64, f64)> = of_mode()
            .filter(|case| case.units >= LARGE)
            .map(|case| (case.units as f64, case.mean()))
            .collect();
        if let Some(exponent) = fitted_exponent(&large) {
            findings.push(format!(
                "{}: from {LARGE} units on, the time per tick grows with their number to the power of {exponent:.2}.",
                mode.name()
            ));
        }
    }
    findings
}

/// Up to how many units something fits into a frame.
fn limit<'a>(
    mode: Mode,
    what: &str,
    cases: impl Iterator<Item = &'a Case>,
    time: impl Fn(&Case) -> f64,
) -> String {
    let (mut fits, mut breaks) = (None, None);
    for case in cases {
        if breaks.is_none() && time(case) <= FRAME_US {
            fits = Some(case);
        } else {
            breaks = breaks.or(Some(case));
        }
    }
    let ms = |case: &Case| time(case) / 1000.0;
    let name = mode.name();
    match (fits, breaks) {
        (Some(fits), Some(breaks)) => format!(
            "{name}: {what} fit 16 ms up to {} units ({:.1} ms); with {} they take {:.1} ms.",
            fits.units,
            ms(fits),
            breaks.units,
            ms(breaks)
        ),
        (Some(fits), None) => {
            format!("{name}: {what} fit 16 ms in all cases, up to {} units ({:.1} ms).", fits.units, ms(fits))
        }
        (None, Some(breaks)) => {
            format!("{name}: {what} take {:.1} ms with {} units already.", ms(breaks), breaks.units)
        }
        (None, None) => format!("{name}: nothing was measured."),
    }
}

fn charts(cases: &[Case]) -> Vec<Chart> {
    let chart = |title: &str, time: fn(&Case) -> f64| Chart {
        title: title.to_owned(),
        axes: ["units", "milliseconds"],
        lines: Mode::ALL
            .into_iter()
            .map(|mode| Line {
                name: mode.name().to_owned(),
                points: cases
                    .iter()
                    .filter(|case| case.mode == mode)
                    .map(|case| (case.units as f64, time(case) / 1000.0))
                    .filter(|point| point.1 > 0.0)
                    .collect(),
            })
            .collect(),
        limit: Some(FRAME_US / 1000.0),
    };
    vec![
        chart("Time per tick, 99th percentile", |case| case.at(99)),
        chart("Time of the frame in which all units get their order", |case| case.order_us),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(units: usize, p99: f64) -> Case {
        let stats = CrowdStats::default();
        let ticks_us = vec![p99];
        Case {
            mode: Mode::Field,
            units,
            side: 64,
            timed_out: false,
            order_us: 1.0,
            ticks_us,
            edits: 0,
            stats,
            hash: 0,
        }
    }

    #[test]
    fn the_limit_is_the_last_crowd_before_the_first_that_breaks_the_frame() {
        let cases = [case(100, 900.0), case(200, 17_000.0), case(500, 12_000.0)];
        let text = limit(Mode::Field, "ticks", cases.iter(), |case| case.at(99));
        assert_eq!(text, "field: ticks fit 16 ms up to 100 units (0.9 ms); with 200 they take 17.0 ms.");
        let text = limit(Mode::Field, "ticks", cases[1..].iter(), |case| case.at(99));
        assert_eq!(text, "field: ticks take 17.0 ms with 200 units already.");
    }

    #[test]
    fn every_row_has_a_value_for_each_column() {
        assert_eq!(case(100, 1.0).row().len(), COLUMNS.len());
    }

    #[test]
    fn crowds_of_all_sizes_are_equally_dense() {
        for units in COUNTS.into_iter().filter(|&units| units >= 200) {
            let cells = f64::from(side_for(units)).powi(2);
            assert!((cells / units as f64 - CELLS_PER_UNIT).abs() < 1.5, "{units}");
        }
    }
}
