//! Costs on the benchmark maps equal the optima that their scenario files state.

use std::fs;
use std::path::{Path as FilePath, PathBuf};

use surefoot::path::Path;
use surefoot::prelude::*;

use crate::common::maps;

/// The folder of the maps, if it is there.
fn grids() -> Option<PathBuf> {
    Some(maps().join("grid")).filter(|folder| folder.is_dir())
}

fn read_map(file: &FilePath) -> Grid {
    let text = fs::read_to_string(file).unwrap();
    let rows: Vec<&str> =
        text.lines().skip_while(|line| line.trim() != "map").skip(1).filter(|row| !row.is_empty()).collect();
    let terrain: Vec<u8> =
        rows.iter().flat_map(|row| row.bytes().map(|cell| u8::from(b".GS".contains(&cell)))).collect();
    Grid::from_terrain(rows[0].len() as u32, rows.len() as u32, &terrain).unwrap()
}

/// A question with its published answer.
struct Line {
    start: Cell,
    goal: Cell,
    optimum: f64,
    /// Half of the last decimal printed, and something for what their authors rounded on the way.
    tolerance: f64,
}

/// Every twentieth line, the last included.
fn read_scenario(file: &FilePath) -> Vec<Line> {
    let text = fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = text.lines().skip(1).filter(|line| !line.trim().is_empty()).collect();
    let chosen = lines.iter().rev().step_by(20);
    chosen
        .map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let number = |index: usize| fields[index].parse::<i32>().unwrap();
            let decimals = fields[8].split_once('.').map_or(0, |(_, decimals)| decimals.len());
            Line {
                start: Cell::new(number(4), number(5)),
                goal: Cell::new(number(6), number(7)),
                optimum: fields[8].parse().unwrap(),
                tolerance: 0.5 * 0.1_f64.powi(decimals as i32) + 1e-4,
            }
        })
        .collect()
}

/// Calls `visit` with each map's file, grid and questions; `false` if there are no maps.
fn for_each_map(mut visit: impl FnMut(&FilePath, &Grid, &[Line])) -> bool {
    let Some(folder) = grids() else {
        eprintln!("SKIPPED: no benchmark maps; set SUREFOOT_MAPS to their folder");
        return false;
    };
    let mut queries = 0;
    let mut folders: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut maps: Vec<PathBuf> =
            files.filter(|file| file.extension().is_some_and(|end| end == "map")).collect();
        maps.sort();
        for file in maps {
            let lines = read_scenario(&file.with_extension("map.scen"));
            visit(&file, &read_map(&file), &lines);
            queries += lines.len();
        }
    }
    assert!(queries > 100, "only {queries} queries: are these the benchmark maps?");
    true
}

#[test]
fn costs_equal_the_published_optima() {
    for_each_map(|file, grid, lines| {
        let view = grid.view(&Agent::default());
        // On maps between these sizes jps_plus prepares for many seconds; the hierarchy of subgoals does on large ones.
        let open = grid.open_cells();
        let prepared = [
            ("jps_plus", !(6_000..=25_000).contains(&open)),
            ("subgoal", open <= 150_000),
            ("first_moves", open <= 6_000),
        ];
        let prepared = prepared.into_iter().filter(|(_, quick)| *quick).map(|(name, _)| name);
        let mut finders: Vec<Pathfinder> = ["astar", "jps", "dijkstra", "bidirectional", "parallel_astar"]
            .into_iter()
            .chain(prepared)
            .map(|name| Pathfinder::named(name, &Options::default()).unwrap())
            .collect();
        for &Line { start, goal, optimum, tolerance } in lines {
            let mut units = Vec::new();
            for finder in &mut finders {
                let name = finder.algorithm().name;
                let path = finder.find(view, start, goal);
                let cost = path.map(Path::cost);
                let right = cost.is_ok_and(|cost| (cost - optimum).abs() <= tolerance);
                assert!(
                    right,
                    "{name} on {}: {start:?} to {goal:?} is {cost:?}, not {optimum}",
                    file.display()
                );
                units.push(finder.path().units());
            }
            assert_eq!(units, vec![units[0]; units.len()], "{}: {start:?} to {goal:?}", file.display());
        }
    });
}

#[test]
fn hierarchical_paths_are_one_per_cent_too_long_at_most_on_average() {
    let mut ratios = Vec::new();
    let ran = for_each_map(|_, grid, lines| {
        let view = grid.view(&Agent::default());
        let mut finder = Pathfinder::named("hpa", &Options::default()).unwrap();
        for line in lines.iter().filter(|line| line.optimum > 0.0) {
            let cost = finder.find(view, line.start, line.goal).unwrap().cost();
            assert!(cost >= line.optimum - line.tolerance);
            ratios.push(cost / line.optimum);
        }
    });
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    assert!(!ran || mean <= 1.01, "{mean}");
}
