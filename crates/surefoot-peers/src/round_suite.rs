//! The suite `round`: any-angle searches for agents with a radius, against agents without one on the same map with its walls grown by
//! that radius. The cells where an agent can stand are the same; what differs is how its lines keep away from corners.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;
use surefoot::path::Path;
use surefoot::prelude::*;
use surefoot::validate::{self, Claim};

use crate::maps::BenchmarkMap;
use crate::report::markdown;
use crate::voxel_suite::VoxelMap;

const ALGORITHMS: [&str; 2] = ["theta", "lazy_theta"];
const RADII: [f64; 3] = [0.5, 1.0, 1.5];

/// The figures of a search on a map; times are means in microseconds.
#[derive(Debug, Serialize)]
pub struct Row {
    pub map: String,
    pub algorithm: &'static str,
    pub radius: f64,
    /// How many queries have a path for the agent.
    pub queries: usize,
    /// With the radius.
    pub round_us: f64,
    /// Without one, on the map with grown walls.
    pub thin_us: f64,
    /// `round_us` over `thin_us`: below 1 is better.
    pub ratio: f64,
    /// The length of the paths with the radius over those without: the distance from corners makes them longer.
    pub length_ratio: f64,
    /// How many paths the validator rejects.
    pub invalid: usize,
    /// How many paths with the radius are longer than those of A*.
    pub longer_than_astar: usize,
}

/// Runs the searches on grids and in voxel worlds.
pub fn run(grids: &[BenchmarkMap], spaces: &[VoxelMap], rounds: NonZeroUsize) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for map in grids {
        for radius in RADII {
            let agent = Agent::new().with_radius(radius).unwrap();
            let view = map.grid.view(&agent);
            let mut grown = map.grid.clone();
            let closed: Vec<Cell> = map.grid.cells().filter(|&cell| !view.is_open(cell)).collect();
            grown.set_many(closed.into_iter().map(|cell| (cell, Terrain::WALL)))?;
            let node = |cell| map.grid.node(cell);
            let queries: Vec<[NodeId; 2]> =
                map.queries.iter().filter_map(|query| Some([node(query.from)?, node(query.to)?])).collect();
            let judge = |claim: &Claim<'_>| validate::grid_path(&map.grid, &agent, claim).is_ok();
            let views = [view.into(), grown.view(&Agent::default()).into()];
            rows.extend(compare(&map.name, radius, &views, &queries, rounds, judge)?);
        }
    }
    for map in spaces {
        for radius in RADII {
            let agent = Agent::new().with_radius(radius).unwrap();
            let view = map.voxels.view(&agent);
            let mut grown = map.voxels.clone();
            let closed: Vec<Voxel> = map.voxels.cells().filter(|&voxel| !view.is_open(voxel)).collect();
            grown.set_many(closed.into_iter().map(|voxel| (voxel, true)))?;
            let node = |voxel| map.voxels.node(voxel);
            let queries: Vec<[NodeId; 2]> =
                map.queries.iter().filter_map(|query| Some([node(query.from)?, node(query.to)?])).collect();
            let judge = |claim: &Claim<'_>| validate::voxel_path(&map.voxels, &agent, claim).is_ok();
            let views = [view.into(), grown.view(&Agent::default()).into()];
            rows.extend(compare(&map.name, radius, &views, &queries, rounds, judge)?);
        }
    }
    Ok(rows)
}

/// Runs every query in turn with the radius and without; the fastest of all rounds counts.
fn compare(
    map: &str,
    radius: f64,
    views: &[View<'_>; 2],
    queries: &[[NodeId; 2]],
    rounds: NonZeroUsize,
    judge: impl Fn(&Claim<'_>) -> bool,
) -> Result<Vec<Row>> {
    let mut astar = Pathfinder::named("astar", &Options::default())?;
    let steps: Vec<Option<f64>> =
        queries.iter().map(|&[from, to]| astar.find(views[0], from, to).ok().map(Path::length)).collect();
    let queries: Vec<([NodeId; 2], f64)> =
        queries.iter().zip(steps).filter_map(|(&ends, steps)| Some((ends, steps?))).collect();
    let mut rows = Vec::new();
    for algorithm in ALGORITHMS.into_iter().filter(|_| !queries.is_empty()) {
        let mut finder = Pathfinder::named(algorithm, &Options::default())?;
        let (mut times, mut lengths) = ([0.0; 2], [0.0; 2]);
        let (mut invalid, mut longer_than_astar) = (0, 0);
        for &([from, to], steps) in &queries {
            let mut fastest = [Duration::MAX; 2];
            for round in 0..rounds.get() {
                for (index, &view) in views.iter().enumerate() {
                    let began = Instant::now();
                    let found = finder.find(view, from, to);
                    fastest[index] = fastest[index].min(began.elapsed());
                    let Ok(path) = found else {
                        invalid += usize::from(round == 0);
                        continue;
                    };
                    if round == 0 {
                        lengths[index] += path.length();
                        if index == 0 {
                            invalid += usize::from(!judge(&Claim::of(path, from, &[to])));
                            longer_than_astar += usize::from(path.length() > steps * (1.0 + 1e-7));
                        }
                    }
                }
            }
            for (time, fastest) in times.iter_mut().zip(fastest) {
                *time += fastest.as_secs_f64() * 1e6;
            }
        }
        let [round_us, thin_us] = times.map(|time| time / queries.len() as f64);
        rows.push(Row {
            map: map.to_owned(),
            algorithm,
            radius,
            queries: queries.len(),
            round_us,
            thin_us,
            ratio: round_us / thin_us,
            length_ratio: lengths[0] / lengths[1],
            invalid,
            longer_than_astar,
        });
    }
    Ok(rows)
}

/// A table for people, with the totals of each search and radius at the end.
pub fn text(rows: &[Row]) -> String {
    let titles = [
        "| map",
        "search",
        "radius",
        "queries",
        "us",
        "us, grown walls",
        "ratio",
        "length",
        "invalid",
        "longer than A* |",
    ];
    let line = |row: &Row| {
        [
            format!("| {}", row.map),
            row.algorithm.to_owned(),
            row.radius.to_string(),
            row.queries.to_string(),
            format!("{:.1}", row.round_us),
            format!("{:.1}", row.thin_us),
            format!("{:.2}", row.ratio),
            format!("{:.4}", row.length_ratio),
            row.invalid.to_string(),
            format!("{} |", row.longer_than_astar),
        ]
    };
    let mut report = markdown(titles, rows.iter().map(line));
    for algorithm in ALGORITHMS {
        let sum = |time: fn(&Row) -> f64| {
            let rows = rows.iter().filter(|row| row.algorithm == algorithm);
            rows.map(|row| time(row) * row.queries as f64).sum::<f64>()
        };
        let ratio = sum(|row| row.round_us) / sum(|row| row.thin_us);
        // Writing to a string does not fail.
        let _ = writeln!(report, "{algorithm}: {ratio:.2} in total");
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::Query;

    #[test]
    fn round_agents_are_compared_on_the_cells_where_they_fit() {
        let mut grid = Grid::new(24, 12).unwrap();
        grid.set(Cell::new(12, 5), Terrain::WALL).unwrap();
        let query = Query { from: Cell::new(3, 5), to: Cell::new(20, 6), optimum: None };
        let maps = [BenchmarkMap { name: "pillar".to_owned(), grid, queries: vec![query] }];
        let rows = run(&maps, &[], NonZeroUsize::MIN).unwrap();
        assert_eq!(rows.len(), ALGORITHMS.len() * RADII.len());
        assert!(rows.iter().all(|row| row.queries == 1 && row.invalid == 0 && row.longer_than_astar == 0));
        assert!(rows.iter().all(|row| row.length_ratio >= 1.0));
        assert!(text(&rows).contains("pillar"));
    }
}
