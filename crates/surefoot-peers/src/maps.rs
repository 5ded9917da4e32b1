//! Benchmark maps with their queries, from a folder.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use surefoot::formats::scenario::Scenario;
use surefoot::formats::{benchmark_map, scenario};
use surefoot::prelude::{Agent, Cell, Grid, Options, Pathfinder};

/// How many folders deep to look: ends the walk where links between folders make a circle.
const MAX_DEPTH: usize = 16;

/// A map with its queries.
pub struct BenchmarkMap {
    pub name: String,
    pub grid: Grid,
    pub queries: Vec<Query>,
}

/// One query, and its optimal cost.
#[derive(Clone, Copy)]
pub struct Query {
    pub from: Cell,
    pub to: Cell,
    /// `None` if there is no path.
    pub optimum: Option<f64>,
}

/// Returns the default folder of the maps.
pub fn default_folder() -> PathBuf {
    if let Some(folder) = env::var_os("SUREFOOT_MAPS") {
        return folder.into();
    }
    // Cargo tells the programs that it runs where their package is; without it, assume the workspace root.
    let workspace = env::var_os("CARGO_MANIFEST_DIR").map(|package| Path::new(&package).join("../.."));
    workspace.unwrap_or_default().join("../shared/maps")
}

/// Loads every map in a folder that has a scenario file beside it, in the order of their paths.
pub fn load_all(folder: &Path, every: NonZeroUsize) -> Result<Vec<BenchmarkMap>> {
    let load = |name: String, map: &Path, scenarios: &Path| load(name, map, scenarios, every);
    load_pairs(folder, "map", "scen", load)
}

/// Loads every pair of a map and its scenario file below a folder, in the order of their paths.
pub fn load_pairs<T>(
    folder: &Path,
    map: &str,
    scenario: &str,
    load: impl Fn(String, &Path, &Path) -> Result<T>,
) -> Result<Vec<T>> {
    ensure!(
        folder.is_dir(),
        "folder {} not found: expected one with benchmark maps, given by --maps or SUREFOOT_MAPS",
        folder.display()
    );
    let mut files = Vec::new();
    collect_pairs(folder, MAX_DEPTH, [map, scenario], &mut files)?;
    ensure!(
        !files.is_empty(),
        "found no maps in {}: expected NAME.{map} next to NAME.{map}.{scenario}, there or in its subfolders",
        folder.display()
    );
    files.sort();
    let names = names(folder, files.iter().map(|(map, _)| map.as_path()));
    files.iter().zip(names).map(|((map, scenarios), name)| load(name, map, scenarios)).collect()
}

/// Maps and their scenario files.
fn collect_pairs(
    folder: &Path,
    depth: usize,
    [map, scenario]: [&str; 2],
    pairs: &mut Vec<(PathBuf, PathBuf)>,
) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("cannot list {}", folder.display()))?.path();
        if path.is_dir() && depth > 0 {
            collect_pairs(&path, depth - 1, [map, scenario], pairs)?;
        } else if path.extension().is_some_and(|extension| extension == scenario) {
            // `NAME.map.scen` and `NAME.scen` both belong to `NAME.map`.
            let map = path.with_extension("").with_extension(map);
            if map.is_file() {
                pairs.push((map, path));
            }
        }
    }
    Ok(())
}

/// The file names without extension; with the folders in front where that is not enough to tell maps apart.
fn names<'a>(folder: &Path, maps: impl Iterator<Item = &'a Path> + Clone) -> Vec<String> {
    let short = |map: &Path| map.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut count = BTreeMap::new();
    for map in maps.clone() {
        *count.entry(short(map)).or_insert(0) += 1;
    }
    let name = |map: &Path| match short(map) {
        name if count[&name] == 1 => name,
        _ => map.strip_prefix(folder).unwrap_or(map).with_extension("").to_string_lossy().into_owned(),
    };
    maps.map(name).collect()
}

fn load(name: String, map: &Path, scenarios: &Path, every: NonZeroUsize) -> Result<BenchmarkMap> {
    let read = |path: &Path| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    let grid = benchmark_map::read(&read(map)?).with_context(|| map.display().to_string())?;
    let lines = scenario::read(&read(scenarios)?).with_context(|| scenarios.display().to_string())?;
    // Counted from the end, because the last line is often the longest query.
    let chosen = lines.iter().rev().step_by(every.get()).rev();
    let queries = chosen
        .map(|line| {
            query(&grid, line).with_context(|| format!("{}: line {}", scenarios.display(), line.line))
        })
        .collect::<Result<_>>()?;
    Ok(BenchmarkMap { name, grid, queries })
}

fn query(grid: &Grid, line: &Scenario) -> Result<Query> {
    ensure!(
        (line.width, line.height) == (grid.width(), grid.height()),
        "found a query on a {} x {} map, expected {} x {}",
        line.width,
        line.height,
        grid.width(),
        grid.height()
    );
    let unknown = line.optimal == 0.0 && line.start != line.goal;
    let optimum = if unknown { optimum(grid, line.start, line.goal)? } else { Some(line.optimal) };
    Ok(Query { from: line.start, to: line.goal, optimum })
}

/// Returns the optimal cost, found by Dijkstra.
pub fn optimum(grid: &Grid, from: Cell, to: Cell) -> Result<Option<f64>> {
    let view = grid.view(&Agent::default());
    let mut finder = Pathfinder::named("dijkstra", &Options::default())?;
    Ok(finder.find(view, from, to).ok().map(surefoot::path::Path::cost))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_where_they_can_be() {
        let folder = Path::new("maps");
        let files = ["maps/a/x.map", "maps/b/x.map", "maps/b/y.map"].map(Path::new);
        assert_eq!(names(folder, files.into_iter()), ["a/x", "b/x", "y"]);
    }

    #[test]
    fn unknown_optima_are_worked_out() {
        let grid: Grid = "..#.".parse().unwrap();
        let line = |x, optimal| Scenario {
            bucket: 0,
            map: String::new(),
            width: 4,
            height: 1,
            start: Cell::new(0, 0),
            goal: Cell::new(x, 0),
            optimal,
            line: 2,
        };
        let optimum = |x, optimal| query(&grid, &line(x, optimal)).unwrap().optimum;
        assert_eq!([optimum(1, 0.0), optimum(3, 0.0), optimum(0, 0.0)], [Some(1.0), None, Some(0.0)]);
        assert_eq!(optimum(1, 1.5), Some(1.5));
        let error = query(&grid, &Scenario { width: 5, ..line(1, 1.0) }).err().unwrap();
        assert_eq!(error.to_string(), "found a query on a 5 x 1 map, expected 4 x 1");
    }
}
