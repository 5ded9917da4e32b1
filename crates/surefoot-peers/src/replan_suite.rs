//! The suite `replan`: incremental planners compared with a fresh A* per replan, on the same worlds.

use std::num::NonZeroUsize;
use std::time::Instant;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use surefoot::algorithms::ALGORITHMS;
use surefoot::graph::Graph;
use surefoot::prelude::{Agent, Cell, Grid, NodeId, Options, Outcome, Pathfinder, Terrain};
use surefoot::replan::Planner;
use surefoot::search::Algorithm;
use surefoot::validate::{self, Claim};

use crate::maps::{BenchmarkMap, Query};
use crate::prepare_suite::view;
use crate::report::{markdown, percentile};

/// Walls on the path of one unit, before the next query.
const WALLS: usize = 10;
/// Frames of one chase, before the next query.
const FRAMES: usize = 50;
/// How many steps ahead of the unit a wall is built.
const AHEAD: std::ops::Range<usize> = 2..6;
/// Steps between two walls.
const STEPS: usize = 3;
/// The target makes a step every frame, the unit only every few frames, so the target gets away.
const UNIT_FRAMES: usize = 4;

/// The planners that are tried without a guard, too.
const UNGUARDED: [&str; 2] = ["d_star_lite", "mt_d_star_lite"];

/// What one planner took in one scenario on one map. Ratios are of a fresh A* to the planner, so above 1 is better, but for
/// `worst_ratio`, which is of the planner's 99th percentile to that of A*.
#[derive(Debug, Serialize)]
pub struct Row {
    pub scenario: &'static str,
    pub map: String,
    /// The algorithm; with `/unguarded`, it never gives a repair up for a fresh search.
    pub planner: String,
    pub replans: usize,
    pub expanded_ratio: f64,
    pub time_ratio: f64,
    pub worst_ratio: f64,
    pub mismatches: usize,
    /// Medians of the ratios of each replan.
    pub median_expanded_ratio: f64,
    pub median_time_ratio: f64,
    pub p50_us: f64,
    pub p99_us: f64,
    pub astar_p50_us: f64,
    pub astar_p99_us: f64,
    /// How many replans a fresh search answered, because the repair took too long.
    pub fresh: usize,
}

/// Runs both scenarios with every planner, or with those named, on every map, for a number of replans each.
pub fn run(maps: &[BenchmarkMap], replans: NonZeroUsize, only: &[String]) -> Result<Vec<Row>> {
    let unguarded = |algorithm: &&Algorithm| UNGUARDED.contains(&algorithm.name);
    let asked_for = |algorithm: &Algorithm| only.is_empty() || only.iter().any(|name| name == algorithm.name);
    let all = || ALGORITHMS.iter().filter(|algorithm| algorithm.incremental && asked_for(algorithm));
    let planners = || {
        all().map(|planner| (planner, true)).chain(all().filter(unguarded).map(|planner| (planner, false)))
    };
    let progress = ProgressBar::new((maps.len() * planners().count() * 2) as u64);
    progress.set_style(ProgressStyle::with_template("{msg:30} {bar:40} {pos}/{len} runs, {eta} left")?);
    let mut rows = Vec::new();
    for map in maps {
        progress.set_message(map.name.clone());
        for scenario in ["wall", "target"] {
            for (planner, guarded) in planners() {
                let mut contest = Contest::new(map, planner, guarded)?;
                contest.play(map, scenario, replans.get()).with_context(|| map.name.clone())?;
                rows.extend(contest.row(scenario, map));
                progress.inc(1);
            }
        }
    }
    progress.finish_and_clear();
    Ok(rows)
}

/// What one replan took.
struct Measured {
    us: f64,
    expanded: u64,
    astar_us: f64,
    astar_expanded: u64,
}

/// A planner and A* on the same changing grid.
struct Contest {
    algorithm: &'static Algorithm,
    guarded: bool,
    planner: Planner,
    astar: Pathfinder,
    /// Returns whether there is a path; not measured.
    scout: Pathfinder,
    grid: Grid,
    unit: Cell,
    target: Cell,
    measured: Vec<Measured>,
    mismatches: usize,
    fresh: usize,
    /// A plain sequence of numbers, the same each time.
    dice: u64,
}

impl Contest {
    fn new(map: &BenchmarkMap, algorithm: &'static Algorithm, guarded: bool) -> Result<Contest> {
        Ok(Contest {
            algorithm,
            guarded,
            planner: Planner::new(algorithm, &Options::default())?,
            astar: Pathfinder::named("astar", &Options::default())?,
            scout: Pathfinder::default(),
            grid: map.grid.clone(),
            unit: Cell::new(0, 0),
            target: Cell::new(0, 0),
            measured: Vec::new(),
            mismatches: 0,
            fresh: 0,
            dice: 1,
        })
    }

    /// A number below `bound`.
    fn roll(&mut self, bound: usize) -> usize {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.dice >> 33) as usize % bound
    }

    /// Plays with the queries of a map from the longest on, until there are enough replans.
    fn play(&mut self, map: &BenchmarkMap, scenario: &str, replans: usize) -> Result<()> {
        let solvable: Vec<&Query> =
            map.queries.iter().rev().filter(|query| query.optimum.is_some()).collect();
        // Short queries have no room for either scenario; a map of such queries alone ends here.
        for query in solvable.iter().cycle().take(solvable.len() * 40) {
            if self.measured.len() >= replans {
                break;
            }
            (self.unit, self.target) = (query.from, query.to);
            self.first_plan()?;
            match scenario {
                "wall" => self.walls(map)?,
                _ => self.chase(),
            }
        }
        Ok(())
    }

    /// Every query has a new planner, whose first plan is not measured.
    fn first_plan(&mut self) -> Result<()> {
        self.planner = Planner::new(self.algorithm, &Options::default())?;
        self.planner.set_guarded(self.guarded);
        let view = view(&self.grid);
        self.planner.move_start(view, self.unit);
        self.planner.move_goal(view, self.target);
        let _ = self.planner.replan(view, u64::MAX);
        Ok(())
    }

    /// Lets the unit walk and puts walls in its way; takes them away at the end.
    fn walls(&mut self, map: &BenchmarkMap) -> Result<()> {
        for _ in 0..WALLS {
            let ahead = AHEAD.start + self.roll(AHEAD.len());
            let Some(&wall) = self.planner.path().nodes().get(ahead + STEPS) else { break };
            let unit = self.planner.path().nodes()[STEPS];
            let (wall, unit) = (self.grid.cell(wall), self.grid.cell(unit));
            if wall == self.target || wall == unit {
                break;
            }
            let before = self.grid.terrain(wall).unwrap_or(Terrain::FLOOR);
            self.grid.set(wall, Terrain::WALL)?;
            self.unit = unit;
            if self.scout.find(view(&self.grid), self.unit, self.target).is_err() {
                self.grid.set(wall, before)?;
                break;
            }
            self.measure();
        }
        self.grid = map.grid.clone();
        Ok(())
    }

    /// Lets the target walk away, a step each frame, and the unit follow.
    fn chase(&mut self) {
        let mut last = self.target;
        for frame in 0..FRAMES {
            if frame % UNIT_FRAMES == UNIT_FRAMES - 1 {
                let Some(&step) = self.planner.path().nodes().get(1) else { break };
                self.unit = self.grid.cell(step);
            }
            let away = self.step_away(last);
            last = std::mem::replace(&mut self.target, away);
            if self.unit == self.target {
                break;
            }
            self.measure();
        }
    }

    /// The neighbour of the target that is farthest from the unit; not where it came from, if it can be helped.
    fn step_away(&self, last: Cell) -> Cell {
        let view = view(&self.grid);
        let mut best = (false, 0, self.target);
        let Some(node) = self.grid.node(self.target) else { return self.target };
        view.for_each_edge(node, |to, _| {
            let cell = self.grid.cell(to);
            let (dx, dy) = (cell.x.abs_diff(self.unit.x), cell.y.abs_diff(self.unit.y));
            best = best.max((cell != last, 1 + 5 * dx.max(dy) + 2 * dx.min(dy), cell));
        });
        best.2
    }

    /// Lets both answer, in turns first.
    fn measure(&mut self) {
        let view = self.grid.view(&Agent::default());
        let mut measured = Measured { us: 0.0, expanded: 0, astar_us: 0.0, astar_expanded: 0 };
        for planner_now in if self.measured.len().is_multiple_of(2) { [true, false] } else { [false, true] } {
            let began = Instant::now();
            if planner_now {
                self.planner.move_start(view, self.unit);
                self.planner.move_goal(view, self.target);
                let _ = self.planner.replan(view, u64::MAX);
                measured.us = began.elapsed().as_secs_f64() * 1e6;
                let last = self.planner.last();
                measured.expanded = last.expanded + last.fresh.unwrap_or(0);
                self.fresh += usize::from(last.fresh.is_some());
            } else {
                // What it returns is what is read below.
                let _ = self.astar.find(view, self.unit, self.target);
                measured.astar_us = began.elapsed().as_secs_f64() * 1e6;
                measured.astar_expanded = self.astar.stats().expanded;
            }
        }
        self.measured.push(measured);
        self.mismatches += usize::from(!self.is_right());
    }

    fn is_right(&self) -> bool {
        let ends: Option<Vec<NodeId>> =
            [self.unit, self.target].into_iter().map(|cell| self.grid.node(cell)).collect();
        let Some([start, goal]) = ends.as_deref().and_then(|ends| <[NodeId; 2]>::try_from(ends).ok()) else {
            return false;
        };
        let claim = Claim::of(self.planner.path(), start, std::slice::from_ref(&goal));
        self.planner.outcome() == Outcome::Found
            && self.planner.path().units() == self.astar.path().units()
            && validate::grid_path(&self.grid, &Agent::default(), &claim).is_ok()
    }

    /// The row, if there was anything to measure.
    fn row(&self, scenario: &'static str, map: &BenchmarkMap) -> Option<Row> {
        let sorted = |value: &dyn Fn(&Measured) -> f64| {
            let mut values: Vec<f64> = self.measured.iter().map(value).collect();
            values.sort_unstable_by(f64::total_cmp);
            values
        };
        let total = |value: &dyn Fn(&Measured) -> f64| self.measured.iter().map(value).sum::<f64>();
        // A replan that expands nothing counts as one expansion, so that ratios stay finite.
        let expanded = |measured: &Measured| measured.expanded.max(1) as f64;
        let astar_expanded = |measured: &Measured| measured.astar_expanded.max(1) as f64;
        let times = sorted(&|measured| measured.us);
        let astar_times = sorted(&|measured| measured.astar_us);
        (!times.is_empty()).then(|| Row {
            scenario,
            map: map.name.clone(),
            planner: self.algorithm.name.to_owned() + if self.guarded { "" } else { "/unguarded" },
            replans: times.len(),
            expanded_ratio: total(&astar_expanded) / total(&expanded),
            time_ratio: total(&|measured| measured.astar_us) / total(&|measured| measured.us),
            worst_ratio: percentile(&times, 99) / percentile(&astar_times, 99),
            mismatches: self.mismatches,
            median_expanded_ratio: percentile(
                &sorted(&|measured| astar_expanded(measured) / expanded(measured)),
                50,
            ),
            median_time_ratio: percentile(&sorted(&|measured| measured.astar_us / measured.us), 50),
            p50_us: percentile(&times, 50),
            p99_us: percentile(&times, 99),
            astar_p50_us: percentile(&astar_times, 50),
            astar_p99_us: percentile(&astar_times, 99),
            fresh: self.fresh,
        })
    }
}

/// A table for people, also valid as a table of a Markdown document.
pub fn text(rows: &[Row]) -> String {
    let header = [
        "| scenario",
        "map",
        "planner",
        "replans",
        "expanded",
        "time",
        "median expanded",
        "median time",
        "p50 us",
        "A* p50 us",
        "p99 us",
        "A* p99 us",
        "worst",
        "fresh",
        "wrong |",
    ];
    let line = |row: &Row| {
        [
            format!("| {}", row.scenario),
            row.map.clone(),
            row.planner.clone(),
            row.replans.to_string(),
            format!("{:.1}x", row.expanded_ratio),
            format!("{:.1}x", row.time_ratio),
            format!("{:.1}x", row.median_expanded_ratio),
            format!("{:.1}x", row.median_time_ratio),
            format!("{:.1}", row.p50_us),
            format!("{:.1}", row.astar_p50_us),
            format!("{:.1}", row.p99_us),
            format!("{:.1}", row.astar_p99_us),
            format!("{:.2}", row.worst_ratio),
            row.fresh.to_string(),
            format!("{} |", row.mismatches),
        ]
    };
    markdown(header, rows.iter().map(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_planner_is_right_in_both_scenarios() {
        let mut grid = Grid::new(40, 30).unwrap();
        for y in 4..30 {
            grid.set(Cell::new(20, y), Terrain::WALL).unwrap();
        }
        let query = Query { from: Cell::new(2, 25), to: Cell::new(30, 25), optimum: Some(1.0) };
        let map = BenchmarkMap { name: "wall".into(), grid, queries: vec![query] };
        let rows = run(&[map], NonZeroUsize::new(60).unwrap(), &[]).unwrap();
        assert_eq!(rows.len(), 12);
        for row in &rows {
            assert!(row.replans >= 60 && row.mismatches == 0, "{row:?}");
            assert!(row.expanded_ratio.is_finite() && row.worst_ratio > 0.0);
        }
        assert!(text(&rows).contains("mt_d_star_lite"));
    }
}
