//! Side-by-side benchmarks of surefoot with other pathfinding libraries: `surefoot-peers SUITE`.

mod edit_suite;
mod field_suite;
mod frame_suite;
mod grid_suite;
mod large_suite;
mod maps;
mod prepare_suite;
mod replan_suite;
mod report;
mod round_suite;
mod scene_planners;
mod scene_suite;
mod scene_timed;
mod service_suite;
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

/// Compares Surefoot with other libraries in one interleaved run on one thread, and with itself on several threads.
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
    /// The preparation of each benchmark grid by our algorithms: time, memory, and the cost of an edit.
    Prepare(PrepareArguments),
    /// Hierarchical search compared with A* on large generated maps.
    Large(LargeArguments),
    /// Edits of grids: alone, while a copy exists, and before a query.
    Edit(EditArguments),
    /// Incremental planners compared with a fresh A* per replan: walls on the path of a unit, and a target that walks away.
    Replan(ReplanArguments),
    /// Which of many registered paths an edit affects: time, memory and correctness.
    Subscriptions(SubscriptionsArguments),
    /// All queries of the benchmark grids, on one thread and on several.
    Many(ThreadsArguments),
    /// Moving obstacles: the time per frame to update the cells.
    Scene(SceneArguments),
    /// Agents in flight: how long a frame holds its caller, and whether threads change what happens.
    Frame(FrameArguments),
    /// Very many path requests with edits, cancellations and priorities: time per tick, and whether every answer is right.
    Service(ServiceArguments),
    /// The effect of buildings on eight paths at once, on the benchmark grids.
    Siting(SitingArguments),
    /// Flow fields: costs and directions from everywhere, and repairs after an edit, compared with plain searches.
    Field(FieldArguments),
    /// Any-angle searches for agents with a radius, compared with agents without one on maps with inflated walls.
    Round(RoundArguments),
    /// The last query of each benchmark grid and one across large caves, each on several threads.
    Long(ThreadsArguments),
}

#[derive(clap::Args)]
struct LargeArguments {
    /// The number of columns and rows of the maps.
    #[arg(long, value_name = "N", default_value = "4096", value_parser = clap::value_parser!(u32).range(16..=8192))]
    side: u32,
    /// The number of queries per map.
    #[arg(long, value_name = "N", default_value = "20")]
    queries: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct EditArguments {
    /// The number of columns and rows of the maps; can be repeated [default: 512, 2048 and 4096].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=16384))]
    side: Vec<u32>,
    /// The number of edits of each kind.
    #[arg(long, value_name = "N", default_value = "100")]
    edits: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct SubscriptionsArguments {
    /// Also uses the maps in this folder, as for `grid`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// The number of paths per map.
    #[arg(long, value_name = "N", default_value = "10000")]
    paths: NonZeroUsize,
    /// The number of cells that are closed and opened again per map.
    #[arg(long, value_name = "N", default_value = "100")]
    edits: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct PrepareArguments {
    /// The folder with the maps, as for `grid`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Runs every N-th line of a scenario file, including the last.
    #[arg(long, value_name = "N", default_value = "4")]
    every: NonZeroUsize,
    /// Uses only maps whose name contains TEXT; can be repeated.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct ReplanArguments {
    /// The folder with the maps, as for `grid`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Runs every N-th line of a scenario file, including the last.
    #[arg(long, value_name = "N", default_value = "4")]
    every: NonZeroUsize,
    /// Uses only maps whose name contains TEXT; can be repeated.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Runs only the planner NAME; can be repeated.
    #[arg(long, value_name = "NAME")]
    planner: Vec<String>,
    /// The number of replans per planner, scenario and map.
    #[arg(long, value_name = "N", default_value = "1000")]
    replans: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct SceneArguments {
    /// The scene [default: krafft/scene.json in the folder of the maps, if it exists].
    #[arg(long, value_name = "FILE")]
    scene: Option<PathBuf>,
    /// The number of frames of the scene; a tenth as many with a crowd of boxes.
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
struct FrameArguments {
    /// The scene [default: krafft/scene.json in the folder of the maps].
    #[arg(long, value_name = "FILE")]
    scene: Option<PathBuf>,
    /// The number of frames without threads, or waiting for them.
    #[arg(long, value_name = "N", default_value = "10000")]
    frames: NonZeroUsize,
    /// The number of frames in real time, 60 a second.
    #[arg(long, value_name = "N", default_value = "3600")]
    paced: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct ServiceArguments {
    /// The number of requests without threads, or waiting for them.
    #[arg(long, value_name = "N", default_value = "1000000")]
    requests: NonZeroUsize,
    /// The number of frames in real time, 60 a second.
    #[arg(long, value_name = "N", default_value = "600")]
    paced: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct SitingArguments {
    /// The folder with the maps, as for `grid`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Uses only maps whose name contains TEXT; can be repeated.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// The maximum number of places of each kind for buildings.
    #[arg(long, value_name = "N", default_value = "1000")]
    places: NonZeroUsize,
    /// The number of runs per query; the fastest counts.
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct FieldArguments {
    /// The folder with the maps, as for `grid`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Uses only maps whose name contains TEXT; can be repeated.
    #[arg(long, value_name = "TEXT", default_values = ["ost100d", "TheFrozenSea", "Berlin_0_1024"])]
    only: Vec<String>,
    /// The number of fields per solver and map; the fastest counts.
    #[arg(long, value_name = "N", default_value = "15")]
    rounds: NonZeroUsize,
    /// The number of cells that are closed and opened again per map.
    #[arg(long, value_name = "N", default_value = "500")]
    edits: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct RoundArguments {
    /// The folder with the maps, as for `grid` and `voxel`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Runs every N-th line of a scenario file, including the last.
    #[arg(long, value_name = "N", default_value = "40")]
    every: NonZeroUsize,
    /// Uses only maps whose name contains TEXT; can be repeated.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// The number of runs per query; the fastest counts.
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: NonZeroUsize,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct ThreadsArguments {
    /// The folder with the maps, as for `grid`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Runs every N-th line of a scenario file, including the last.
    #[arg(long, value_name = "N", default_value = "4")]
    every: NonZeroUsize,
    /// The number of measurements in turn; the fastest counts.
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: NonZeroUsize,
    /// The number of threads to compare with one [default: the number of cores].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Prints one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct GridArguments {
    /// The folder with maps (`.map`) next to their scenario files (`.scen`), searched recursively [default: the
    /// environment variable `SUREFOOT_MAPS`, or else ../shared/maps from the workspace root].
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Runs every N-th line of a scenario file, including the last.
    #[arg(long, value_name = "N", default_value = "4")]
    every: NonZeroUsize,
    /// The number of runs per query; the fastest counts.
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: NonZeroUsize,
    /// Alternates between solvers with every query instead of every map, so that the caches contain the data of other
    /// solvers.
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
    /// The folder with voxel maps (`.3dmap`) next to their scenario files (`.3dscen`), as for `grid`.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Runs every N-th line of a scenario file, including the last.
    #[arg(long, value_name = "N", default_value = "4")]
    every: NonZeroUsize,
    /// The number of runs per query; the fastest counts.
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
        Suite::Edit(arguments) => run_edit(&arguments),
        Suite::Replan(arguments) => run_replan(&arguments),
        Suite::Subscriptions(arguments) => run_subscriptions(&arguments),
        Suite::Many(arguments) => run_many(&arguments),
        Suite::Scene(arguments) => run_scene(&arguments),
        Suite::Frame(arguments) => run_frame(&arguments),
        Suite::Service(arguments) => run_service(&arguments),
        Suite::Siting(arguments) => run_siting(&arguments),
        Suite::Field(arguments) => run_field(&arguments),
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

/// Runs the suite and prints the report. Returns whether every answer is right and the same on any number of threads.
fn run_service(arguments: &ServiceArguments) -> Result<bool> {
    let (rows, all_right) =
        service_suite::run(arguments.requests.get() as u64, arguments.paced.get() as u64)?;
    show(&rows, arguments.json, service_suite::text)?;
    Ok(all_right)
}

/// Prints a report, as text or as one JSON document.
fn show<R: Serialize>(rows: &[R], json: bool, text: fn(&[R]) -> String) -> Result<()> {
    let report = if json { serde_json::to_string_pretty(rows)? + "\n" } else { text(rows) };
    io::stdout().write_all(report.as_bytes()).context("cannot write the report")
}

/// Runs the suite and prints the report. Returns whether all results are the same on any number of threads.
fn run_many(arguments: &ThreadsArguments) -> Result<bool> {
    let folder = arguments.maps.clone().unwrap_or_else(maps::default_folder);
    let maps = maps::load_all(&folder, arguments.every)?;
    let rows = threads_suite::many(&maps, &threads_suite::pools(arguments.threads)?, arguments.rounds)?;
    show(&rows, arguments.json, threads_suite::many_table)?;
    Ok(rows.iter().all(|row| row.equal))
}

/// Runs the suite and prints the report. Returns whether all paths cost the same.
fn run_long(arguments: &ThreadsArguments) -> Result<bool> {
    let folder = arguments.maps.clone().unwrap_or_else(maps::default_folder);
    let maps = maps::load_all(&folder, arguments.every)?;
    let rows = threads_suite::long(maps, &threads_suite::pools(arguments.threads)?, arguments.rounds)?;
    show(&rows, arguments.json, threads_suite::long_table)?;
    Ok(rows.iter().all(|row| row.equal))
}

/// Runs the suite and prints the report. Returns whether every path is valid.
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

/// Runs the suite and prints the report. Returns whether all our results are correct.
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

/// Runs the suite and prints the report. Returns whether all our results are correct.
fn run_voxel(arguments: &VoxelArguments) -> Result<bool> {
    let folder = arguments.maps.clone().unwrap_or_else(maps::default_folder);
    let maps = voxel_suite::load_all(&folder, arguments.every)?;
    let records = voxel_suite::run(&maps, &arguments.only, arguments.rounds)?;
    let rows: Vec<Row> = records.iter().map(Row::of).collect();
    show(&rows, arguments.json, report::tables)?;
    Ok(ours_are_right(&rows))
}

/// Returns whether all results of our exact searches are correct, and prints those that are not.
fn ours_are_right(rows: &[Row]) -> bool {
    let mut all_right = true;
    let ours = |row: &&Row| row.solver.starts_with("surefoot/") && row.exact;
    for row in rows.iter().filter(ours).filter(|row| row.optimal < row.queries) {
        eprintln!("{}: only {} of {} answers are correct", row.solver, row.optimal, row.queries);
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

/// Runs the suite and prints the report. Returns whether every checked frame is correct.
fn run_scene(arguments: &SceneArguments) -> Result<bool> {
    let beside = Some(maps::default_folder().join("krafft/scene.json")).filter(|file| file.is_file());
    if arguments.scene.is_none() && beside.is_none() {
        eprintln!(
            "found no krafft/scene.json in {}: only the crowd is measured",
            maps::default_folder().display()
        );
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
    let timed = match &scene {
        Some((name, scene)) => scene_timed::run(name, scene, frames.div_ceil(20))?,
        None => Vec::new(),
    };
    if arguments.json {
        let rows = [
            serde_json::to_value(&updates)?,
            serde_json::to_value(&planners)?,
            serde_json::to_value(&timed)?,
        ];
        let rows: Vec<_> = rows.iter().filter_map(|rows| rows.as_array()).flatten().collect();
        show(&rows, true, |_| String::new())?;
    } else {
        show(&updates, false, scene_suite::text)?;
        println!();
        show(&planners, false, scene_planners::text)?;
        println!();
        show(&timed, false, scene_timed::text)?;
    }
    let wrong = |count: usize| count > 0;
    Ok(!updates.iter().any(|row| wrong(row.mismatches))
        && !planners.iter().any(|row| wrong(row.mismatches))
        && !timed.iter().any(|row| wrong(row.mismatches)))
}

/// Runs the suite and prints the report. Returns whether all agents do the same with any number of threads.
fn run_frame(arguments: &FrameArguments) -> Result<bool> {
    let file = arguments.scene.clone().unwrap_or_else(|| maps::default_folder().join("krafft/scene.json"));
    let (name, scene) = scene_suite::load(&file)?;
    let (frames, paced) = (arguments.frames.get() as u64, arguments.paced.get() as u64);
    let (rows, all_equal) = frame_suite::run(&name, &scene, frames, paced)?;
    show(&rows, arguments.json, frame_suite::text)?;
    Ok(all_equal)
}

/// Runs the suite and prints the report. Returns whether every checked verdict is correct.
fn run_siting(arguments: &SitingArguments) -> Result<bool> {
    let maps = maps_named(arguments.maps.as_ref(), NonZeroUsize::MIN, &arguments.only)?;
    let rows = siting_suite::run(&maps, arguments.places, arguments.rounds)?;
    show(&rows, arguments.json, siting_suite::text)?;
    Ok(rows.iter().all(|row| row.mismatches == 0))
}

/// Runs the suite and prints the report. Returns whether all fields are right.
fn run_field(arguments: &FieldArguments) -> Result<bool> {
    let maps = maps_named(arguments.maps.as_ref(), NonZeroUsize::MAX, &arguments.only)?;
    let rows = field_suite::run(&maps, arguments.rounds.get(), arguments.edits.get())?;
    show(&rows, arguments.json, field_suite::text)?;
    Ok(rows.iter().all(|row| row.is_right))
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

/// Runs the suite and prints the report.
fn run_edit(arguments: &EditArguments) -> Result<bool> {
    let sides = if arguments.side.is_empty() { &[512, 2048, 4096] } else { &arguments.side[..] };
    let rows = edit_suite::run(sides, arguments.edits.get())?;
    show(&rows, arguments.json, edit_suite::text)?;
    Ok(true)
}

/// Runs the suite and prints the report. Returns whether every repaired path is as cheap as a fresh one.
fn run_replan(arguments: &ReplanArguments) -> Result<bool> {
    let maps = maps_named(arguments.maps.as_ref(), arguments.every, &arguments.only)?;
    let rows = replan_suite::run(&maps, arguments.replans, &arguments.planner)?;
    show(&rows, arguments.json, replan_suite::text)?;
    Ok(rows.iter().all(|row| row.mismatches == 0))
}

/// Runs the suite and prints the report. Returns whether subscriptions and brute force agree.
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
