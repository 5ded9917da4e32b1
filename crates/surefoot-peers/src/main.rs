//! Side-by-side benchmarks of surefoot with other pathfinding libraries: `surefoot-peers SUITE`.

mod grid_suite;
mod large_suite;
mod maps;
mod prepare_suite;
mod replan_suite;
mod report;
mod round_suite;
mod scene_planners;
mod scene_suite;
mod siting_suite;
mod solvers;
mod subscriptions_suite;
mod threads_suite;
mod voxel_suite;

use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use clap::{Parser, Subcommand};
use serde::Serialize;

use crate::grid_suite::Turns;
use crate::maps::BenchmarkMap;
use crate::report::Row;

/// Compares surefoot with other libraries, in one interleaved run on one thread, and with itself on several.
#[derive(Parser)]
#[command(name = "surefoot-peers", version)]
struct Arguments {
    #[command(subcommand)]
    suite: Suite,
}

#[derive(Subcommand)]
enum Suite {
    /// Shortest paths on the benchmark grids: 8 moves, no corner cutting.
    Grid(GridArguments),
    /// Shortest paths through the benchmark voxel worlds: 26 moves, no corner cutting.
    Voxel(VoxelArguments),
    /// What our algorithms make of each benchmark grid before the first query: time, memory, and what an edit costs.
    Prepare(PrepareArguments),
    /// Hierarchical search against A* on large generated maps.
    Large(LargeArguments),
    /// Planners that repair their path against a fresh A* each time: walls on the way of a unit, and a target that walks away.
    Replan(ReplanArguments),
    /// Which of many registered paths does an edit touch: time, memory, and whether it is right.
    Subscriptions(SubscriptionsArguments),
    /// All queries of the benchmark grids, on one thread and on several.
    Many(ThreadsArguments),
    /// Obstacles that move: what a frame takes to bring the cells in step.
    Scene(SceneArguments),
    /// What buildings would do to eight ways at once, on the benchmark grids.
    Siting(SitingArguments),
    /// Any-angle searches for agents with a radius, against agents without one on maps with grown walls.
    Round(RoundArguments),
    /// The last query of each benchmark grid and one across large caves, each by several threads.
    Long(ThreadsArguments),
}

#[derive(clap::Args)]
struct LargeArguments {
    /// Columns and rows of the maps.
    #[arg(long, value_name = "N", default_value = "4096", value_parser = clap::value_parser!(u32).range(16..=8192))]
    side: u32,
    /// How many queries on each map.
    #[arg(long, value_name = "N", default_value = "20")]
    queries: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct SubscriptionsArguments {
    /// Takes the maps of this folder, too, as for `grid`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// How many paths on each map.
    #[arg(long, value_name = "N", default_value = "10000")]
    paths: NonZeroUsize,
    /// How many cells are closed and opened again on each map.
    #[arg(long, value_name = "N", default_value = "100")]
    edits: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct PrepareArguments {
    /// Where to look for maps, as for `grid`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Runs every N-th line of a scenario file, the last one included.
    #[arg(long, value_name = "N", default_value = "4")]
    every: NonZeroUsize,
    /// Takes only maps whose name contains TEXT; can be repeated.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct ReplanArguments {
    /// Where to look for maps, as for `grid`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Takes every N-th line of a scenario file, the last one included.
    #[arg(long, value_name = "N", default_value = "4")]
    every: NonZeroUsize,
    /// Takes only maps whose name contains TEXT; can be repeated.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Takes only planners whose name is NAME; can be repeated.
    #[arg(long, value_name = "NAME")]
    planner: Vec<String>,
    /// Replans so many times with each planner in each scenario on each map.
    #[arg(long, value_name = "N", default_value = "1000")]
    replans: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct SceneArguments {
    /// The scene [default: krafft/scene.json in the folder of the maps, if it is there].
    #[arg(long, value_name = "FILE")]
    scene: Option<PathBuf>,
    /// How many frames of the scene; a tenth of them with a crowd of boxes.
    #[arg(long, value_name = "N", default_value = "10000")]
    frames: NonZeroUsize,
    /// Compares every N-th frame with brute force.
    #[arg(long, value_name = "N", default_value = "100")]
    check: NonZeroUsize,
    /// Measures only the planners.
    #[arg(long)]
    planners: bool,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct SitingArguments {
    /// Where to look for maps, as for `grid`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Takes only maps whose name contains TEXT; can be repeated.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Puts buildings at so many places of each kind, at most.
    #[arg(long, value_name = "N", default_value = "1000")]
    places: NonZeroUsize,
    /// Asks each question so many times; the fastest counts.
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct RoundArguments {
    /// Where to look for maps, as for `grid` and `voxel`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Takes every N-th line of a scenario file, the last one included.
    #[arg(long, value_name = "N", default_value = "40")]
    every: NonZeroUsize,
    /// Takes only maps whose name contains TEXT; can be repeated.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Asks each query so many times; the fastest counts.
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct ThreadsArguments {
    /// Where to look for maps, as for `grid`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Runs every N-th line of a scenario file, the last one included.
    #[arg(long, value_name = "N", default_value = "4")]
    every: NonZeroUsize,
    /// Measures so many times in turn; the fastest counts.
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: NonZeroUsize,
    /// Compares one thread with so many [default: as many as there are cores].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct GridArguments {
    /// Where to look for maps (`.map`) with scenario files (`.scen`) beside, in subfolders too [default: the
    /// environment variable `SUREFOOT_MAPS`, else ../shared/maps from the workspace root].
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Runs every N-th line of a scenario file, the last one included.
    #[arg(long, value_name = "N", default_value = "4")]
    every: NonZeroUsize,
    /// Asks each query so many times; the fastest counts.
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: NonZeroUsize,
    /// Lets solvers take turns with every query instead of every map, so that each finds the caches full of what others
    /// left there.
    #[arg(long)]
    cold: bool,
    /// Runs only solvers whose name contains TEXT; can be repeated.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Prints one JSON document instead of tables.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct VoxelArguments {
    /// Where to look for voxel maps (`.3dmap`) with scenario files (`.3dscen`) beside, as for `grid`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Runs every N-th line of a scenario file, the last one included.
    #[arg(long, value_name = "N", default_value = "4")]
    every: NonZeroUsize,
    /// Asks each query so many times; the fastest counts.
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: NonZeroUsize,
    /// Runs only solvers whose name contains TEXT; can be repeated.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Prints one JSON document instead of tables.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let all_right = match Arguments::parse().suite {
        Suite::Grid(arguments) => run_grid(&arguments),
        Suite::Voxel(arguments) => run_voxel(&arguments),
        Suite::Prepare(arguments) => run_prepare(&arguments),
        Suite::Large(arguments) => run_large(&arguments),
        Suite::Replan(arguments) => run_replan(&arguments),
        Suite::Subscriptions(arguments) => run_subscriptions(&arguments),
        Suite::Many(arguments) => run_many(&arguments),
        Suite::Scene(arguments) => run_scene(&arguments),
        Suite::Siting(arguments) => run_siting(&arguments),
        Suite::Long(arguments) => run_long(&arguments),
        Suite::Round(arguments) => run_round(&arguments),
    };
    match all_right {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Prints a report, for people or as one JSON document.
fn show<R: Serialize>(rows: &[R], json: bool, text: fn(&[R]) -> String) -> Result<()> {
    let report = if json { serde_json::to_string_pretty(rows)? + "\n" } else { text(rows) };
    io::stdout().write_all(report.as_bytes()).context("cannot write the report")
}

/// Runs the suite and prints the report. Whether all answers are the same on any number of threads.
fn run_many(arguments: &ThreadsArguments) -> Result<bool> {
    let folder = arguments.maps.clone().unwrap_or_else(maps::default_folder);
    let maps = maps::load_all(&folder, arguments.every)?;
    let rows = threads_suite::many(&maps, &threads_suite::pools(arguments.threads)?, arguments.rounds)?;
    show(&rows, arguments.json, threads_suite::many_table)?;
    Ok(rows.iter().all(|row| row.equal))
}

/// Runs the suite and prints the report. Whether all paths cost the same.
fn run_long(arguments: &ThreadsArguments) -> Result<bool> {
    let folder = arguments.maps.clone().unwrap_or_else(maps::default_folder);
    let maps = maps::load_all(&folder, arguments.every)?;
    let rows = threads_suite::long(maps, &threads_suite::pools(arguments.threads)?, arguments.rounds)?;
    show(&rows, arguments.json, threads_suite::long_table)?;
    Ok(rows.iter().all(|row| row.equal))
}

/// Runs the suite and prints the report. Whether every path is valid.
fn run_round(arguments: &RoundArguments) -> Result<bool> {
    let folder = arguments.maps.clone().unwrap_or_else(maps::default_folder);
    let is_chosen = |name: &str| {
        arguments.only.is_empty() || arguments.only.iter().any(|text| name.contains(text.as_str()))
    };
    let mut grids = maps::load_all(&folder, arguments.every)?;
    grids.retain(|map| is_chosen(&map.name));
    let mut spaces = voxel_suite::load_all(&folder, arguments.every)?;
    spaces.retain(|map| is_chosen(&map.name));
    ensure!(
        !grids.is_empty() || !spaces.is_empty(),
        "no map's name contains {}",
        arguments.only.join(" or ")
    );
    let rows = round_suite::run(&grids, &spaces, arguments.rounds)?;
    show(&rows, arguments.json, round_suite::text)?;
    Ok(rows.iter().all(|row| row.invalid == 0))
}

/// Runs the suite and prints the report. Whether every answer of ours was right.
fn run_grid(arguments: &GridArguments) -> Result<bool> {
    let mut solvers = solvers::all();
    if !arguments.only.is_empty() {
        solvers.retain(|solver| arguments.only.iter().any(|text| solver.name().contains(text.as_str())));
        ensure!(!solvers.is_empty(), "no solver's name contains {}", arguments.only.join(" or "));
    }
    let folder = arguments.maps.clone().unwrap_or_else(maps::default_folder);
    let maps = maps::load_all(&folder, arguments.every)?;
    let turns = if arguments.cold { Turns::Query } else { Turns::Map };
    let rows: Vec<Row> =
        grid_suite::run(&maps, &mut solvers, arguments.rounds, turns)?.iter().map(Row::of).collect();
    show(&rows, arguments.json, report::tables)?;
    Ok(ours_are_right(&rows))
}

/// Runs the suite and prints the report. Whether every answer of ours was right.
fn run_voxel(arguments: &VoxelArguments) -> Result<bool> {
    let folder = arguments.maps.clone().unwrap_or_else(maps::default_folder);
    let maps = voxel_suite::load_all(&folder, arguments.every)?;
    let records = voxel_suite::run(&maps, &arguments.only, arguments.rounds)?;
    let rows: Vec<Row> = records.iter().map(Row::of).collect();
    show(&rows, arguments.json, report::tables)?;
    Ok(ours_are_right(&rows))
}

/// Whether every answer of our exact searches was right; says where not.
fn ours_are_right(rows: &[Row]) -> bool {
    let mut all_right = true;
    let ours = |row: &&Row| row.solver.starts_with("surefoot/") && row.exact;
    for row in rows.iter().filter(ours).filter(|row| row.optimal < row.queries) {
        eprintln!("{}: only {} of {} answers are right", row.solver, row.optimal, row.queries);
        all_right = false;
    }
    all_right
}

/// The maps that have queries and whose name contains one of some texts, or all if there are no texts.
fn maps_named(folder: Option<&PathBuf>, every: NonZeroUsize, texts: &[String]) -> Result<Vec<BenchmarkMap>> {
    let folder = folder.cloned().unwrap_or_else(maps::default_folder);
    let mut maps = maps::load_all(&folder, every)?;
    maps.retain(|map| !map.queries.is_empty());
    if !texts.is_empty() {
        maps.retain(|map| texts.iter().any(|text| map.name.contains(text.as_str())));
        ensure!(!maps.is_empty(), "no map's name contains {}", texts.join(" or "));
    }
    Ok(maps)
}

/// Runs the suite and prints the report. Whether every frame that was checked is right.
fn run_scene(arguments: &SceneArguments) -> Result<bool> {
    let beside = Some(maps::default_folder().join("krafft/scene.json")).filter(|file| file.is_file());
    if arguments.scene.is_none() && beside.is_none() {
        eprintln!("no krafft/scene.json in {}: only the crowd is measured", maps::default_folder().display());
    }
    let file = arguments.scene.clone().or(beside);
    let frames = arguments.frames.get() as u64;
    let scene = file.as_deref().map(scene_suite::load).transpose()?;
    let updates = if arguments.planners {
        Vec::new()
    } else {
        scene_suite::run(scene.as_ref(), frames, arguments.check, &threads_suite::pools(None)?)?
    };
    let planners = match &scene {
        Some((name, scene)) => scene_planners::run(name, scene, frames)?,
        None => Vec::new(),
    };
    if arguments.json {
        let rows = [serde_json::to_value(&updates)?, serde_json::to_value(&planners)?];
        let rows: Vec<_> = rows.iter().filter_map(|rows| rows.as_array()).flatten().collect();
        show(&rows, true, |_| String::new())?;
    } else {
        show(&updates, false, scene_suite::text)?;
        println!();
        show(&planners, false, scene_planners::text)?;
    }
    let wrong = |count: usize| count > 0;
    Ok(!updates.iter().any(|row| wrong(row.mismatches)) && !planners.iter().any(|row| wrong(row.mismatches)))
}

/// Runs the suite and prints the report. Whether every verdict that was checked is right.
fn run_siting(arguments: &SitingArguments) -> Result<bool> {
    let maps = maps_named(arguments.maps.as_ref(), NonZeroUsize::MIN, &arguments.only)?;
    let rows = siting_suite::run(&maps, arguments.places, arguments.rounds)?;
    show(&rows, arguments.json, siting_suite::text)?;
    Ok(rows.iter().all(|row| row.mismatches == 0))
}

/// Runs the suite and prints the report.
fn run_prepare(arguments: &PrepareArguments) -> Result<bool> {
    let maps = maps_named(arguments.maps.as_ref(), arguments.every, &arguments.only)?;
    let rows = prepare_suite::run(&maps)?;
    show(&rows, arguments.json, prepare_suite::text)?;
    Ok(true)
}

/// Runs the suite and prints the report.
fn run_large(arguments: &LargeArguments) -> Result<bool> {
    let rows = large_suite::run(arguments.side, arguments.queries.get())?;
    show(&rows, arguments.json, large_suite::text)?;
    Ok(true)
}

/// Runs the suite and prints the report. Whether every repaired path is as good as a fresh one.
fn run_replan(arguments: &ReplanArguments) -> Result<bool> {
    let maps = maps_named(arguments.maps.as_ref(), arguments.every, &arguments.only)?;
    let rows = replan_suite::run(&maps, arguments.replans, &arguments.planner)?;
    show(&rows, arguments.json, replan_suite::text)?;
    Ok(rows.iter().all(|row| row.mismatches == 0))
}

/// Runs the suite and prints the report. Whether subscriptions and brute force agree.
fn run_subscriptions(arguments: &SubscriptionsArguments) -> Result<bool> {
    let maps = match &arguments.maps {
        Some(folder) => maps::load_all(folder, NonZeroUsize::MAX)?,
        None => Vec::new(),
    };
    let files = maps.into_iter().map(|map| (map.name, map.grid)).collect();
    let rows = subscriptions_suite::run(files, arguments.paths.get(), arguments.edits.get())?;
    show(&rows, arguments.json, subscriptions_suite::text)?;
    Ok(rows.iter().all(|row| row.mismatches == 0))
}
