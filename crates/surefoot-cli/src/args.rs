//! The arguments of the command line, as typed values.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command as ClapCommand, Parser, Subcommand, ValueEnum};
use surefoot::algorithms::ALGORITHMS;
use surefoot::formats::image::Palette;
use surefoot::generate::{Kind, SpaceKind};
use surefoot::prelude::*;
use surefoot::search::Queue;
use surefoot_experiments::experiment::{EXPERIMENTS, Experiment};
use surefoot_experiments::simulate;

/// Fast, deterministic pathfinding for games.
///
/// Without a command, it does the same as `surefoot lab`.
///
/// Exit codes: 0: done (`solve`: a path was found); 1: negative result (there is no path, or a check failed); 2: invalid input
/// or usage.
#[derive(Parser)]
#[command(name = "surefoot", version)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Subcommand)]
pub enum Command {
    Lab(LabArgs),
    Solve(SolveArgs),
    Scenarios(ScenariosArgs),
    Bake(BakeArgs),
    Simulate(SimulateArgs),
    Cooperate(CooperateArgs),
    Crowd(CrowdArgs),
    Experiment(ExperimentArgs),
    Algorithms(AlgorithmsArgs),
    Generate(GenerateArgs),
    Convert(ConvertArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Serves the lab, a page in the browser for watching searches, until it is interrupted.
///
/// It listens on 127.0.0.1 only and writes nothing to disk. The first line on standard output is its address.
#[derive(Args, Default)]
pub struct LabArgs {
    /// The port; 0 selects any free port [default: 4747, or one of the next twenty if it is in use]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    pub no_open: bool,
    /// Serve the files of the page from this folder, for development
    #[arg(long, value_name = "DIR", hide = true)]
    pub page: Option<PathBuf>,
}

/// Finds one path.
///
/// The search runs twice, and the second run is timed, so that the time does not include memory allocation. Preparing the map
/// is timed separately.
#[derive(Args)]
pub struct SolveArgs {
    /// The map: a benchmark grid, a voxel map, a text grid, a PNG image or a JSON world
    #[arg(long, value_name = "FILE")]
    pub map: PathBuf,
    /// The start: a cell of a grid or voxel world; on a waypoint graph, the node nearest to the point
    #[arg(long, value_name = "X,Y[,Z]", allow_hyphen_values = true)]
    pub from: Coordinates,
    /// The goal; if given several times, the path leads to the one that is cheapest to reach
    #[arg(long, value_name = "X,Y[,Z]", required = true, allow_hyphen_values = true)]
    pub to: Vec<Coordinates>,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub agent: AgentArgs,
    #[command(flatten)]
    pub steps: StepArgs,
    /// If the goal cannot be reached, find a path as close to it as possible; the exit code is still 1
    #[arg(long)]
    pub partial: bool,
    /// Abandon the search after this many expanded nodes
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(default_value_t = u64::MAX, hide_default_value = true)]
    pub budget: u64,
    #[command(flatten)]
    pub image: ImageArgs,
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// Use the file that `surefoot bake` wrote for this map, agent and algorithm, instead of preparing the map
    #[arg(long, value_name = "FILE")]
    pub prepared: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// Draw the search as an SVG file
    #[arg(long, value_name = "OUT")]
    pub svg: Option<PathBuf>,
    /// Draw the search as a PNG file
    #[arg(long, value_name = "OUT")]
    pub png: Option<PathBuf>,
}

/// Runs benchmark scenario files and checks every cost against them.
///
/// Each map is searched for by its base name next to its scenario file, then under --maps. Every path is validated. A cost is
/// correct if it is within 0.01 of the cost in the file. If the file states no cost (0 between different cells) or its cost
/// does not apply (other moves, a radius above 0.5), the cost is compared with that of a Dijkstra search. Percentiles are
/// nearest-rank. Before a map is timed, its last query is run once untimed. Data that belongs to the map (where the agent can
/// stand, what is connected) counts toward the preparation time, but not toward the prepared bytes.
#[derive(Args)]
pub struct ScenariosArgs {
    /// The scenario files
    #[arg(required = true, value_name = "FILE.scen")]
    pub files: Vec<PathBuf>,
    /// Another folder to search for maps, with all its subfolders
    #[arg(long, value_name = "DIR")]
    pub maps: Option<PathBuf>,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub agent: AgentArgs,
    /// Run every Nth query of each file, starting with the first
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one)]
    #[arg(default_value_t = 1)]
    pub every: usize,
    /// Run at most N queries of each file
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one)]
    #[arg(default_value_t = usize::MAX, hide_default_value = true)]
    pub limit: usize,
    /// The number of threads; only times measured with one thread are comparable
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = thread_count)]
    #[arg(default_value_t = 1)]
    pub threads: usize,
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Prepares a map for an algorithm and saves the result, for `surefoot solve --prepared` and for games.
///
/// The file is valid for this map, agent and algorithm only; it is rejected with any other.
#[derive(Args)]
pub struct BakeArgs {
    /// The map: a benchmark grid, a text grid, a PNG image or a JSON world
    #[arg(value_name = "MAP")]
    pub map: PathBuf,
    /// The algorithm, one that prepares maps
    #[arg(long, value_name = "NAME", default_value = "hpa")]
    #[arg(value_parser = Named { names: algorithm_names, parse: algorithm })]
    pub algorithm: &'static Algorithm,
    #[command(flatten)]
    pub agent: AgentArgs,
    #[command(flatten)]
    pub steps: StepArgs,
    #[command(flatten)]
    pub image: ImageArgs,
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// The limits of a preparation.
#[derive(Args)]
pub struct MemoryArgs {
    /// The memory limit for a prepared map, in megabytes
    #[arg(long = "memory-limit", value_name = "MB", allow_negative_numbers = true)]
    #[arg(default_value_t = PrepareOptions::MEMORY_LIMIT >> 20)]
    pub megabytes: u64,
}

impl MemoryArgs {
    pub fn bytes(&self) -> u64 {
        self.megabytes.saturating_mul(1 << 20)
    }
}

/// Lets an agent fly through a scene in which obstacles move, many times, and judges every flight.
///
/// A flight begins at a tick of the scene's first three minutes that the seed and its number determine, and ends when the agent touches a
/// ball of radius 0.45 at the goal, or after --frames ticks of 1/60 s. A hit is a contact of the ball with a shape, by exact distance, looked for
/// four times per tick; it does not end the flight. Everything runs on one thread. The exit code is 0 whatever happens to the agents.
#[derive(Args)]
pub struct SimulateArgs {
    /// The scene: a .scene.json file, or a box scene
    #[arg(value_name = "SCENE")]
    pub scene: PathBuf,
    /// The planner: any search for voxel worlds, or sipp, which plans in space and time
    #[arg(long, value_name = "NAME", default_value = "astar")]
    #[arg(value_parser = Named { names: simulate::planners, parse: planner })]
    pub planner: &'static str,
    /// The number of flights
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one)]
    #[arg(default_value_t = 50)]
    pub runs: usize,
    /// The seed of the ticks at which flights begin
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 0)]
    pub seed: u64,
    /// End a flight after this many ticks
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frame_count)]
    #[arg(default_value_t = 7200)]
    pub frames: u64,
    /// The radius of the agent in world units [default: that of the scene]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub radius: Option<f64>,
    /// Do not look ahead: fly along the path regardless of moving obstacles
    #[arg(long)]
    pub no_evade: bool,
    /// Whether the goal moves as in the scene; sideways is another motion of the goal of box scenes
    #[arg(long, value_name = "MOTION", value_enum, default_value_t = GoalArg::Rest)]
    pub goal: GoalArg,
    /// When blocks appear: by their timetable, or (seed) not while the agent is in the room around them
    #[arg(long, value_name = "RULE", value_enum, default_value_t = SwitchesArg::Timetable)]
    pub switches: SwitchesArg,
    /// Write the first flight that is not clean to this file; nothing is written if all are
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// How the goal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GoalArg {
    Rest,
    Moving,
    Sideways,
}

/// When blocks appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SwitchesArg {
    Timetable,
    Seed,
}

/// Plans the paths of many agents at once, so that no two of them collide.
///
/// One agent fits into a cell, and two agents may not change places. With --moves 8, diagonal steps may not cross, and may not pass a cell in which another agent is before
/// or after the step. The sum of costs adds up the steps after which the agents reach their goals for good. Without --seconds and --iterations, the first plan is printed. With them, it
/// is improved until then, or until no improvement is found. Every plan is validated before it is printed. Exit code 1 says that there is no plan, or that none has been found.
#[derive(Args)]
pub struct CooperateArgs {
    /// The map: a benchmark grid, a text grid, a PNG image or a JSON world
    #[arg(value_name = "MAP")]
    pub map: PathBuf,
    /// The scenario file: each line has the start and the goal of an agent
    #[arg(long, value_name = "FILE")]
    pub scen: PathBuf,
    /// The number of agents: those of the first lines
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one)]
    pub agents: usize,
    /// The movement rule: 4-way; 8-way, no corner cutting
    #[arg(long, value_name = "RULE", default_value = "4")]
    #[arg(value_parser = Named { names: cooperative_moves, parse: cooperative_rule })]
    pub moves: Moves,
    /// Stop after this many seconds
    #[arg(long, value_name = "F", allow_negative_numbers = true, value_parser = duration)]
    pub seconds: Option<Duration>,
    /// Stop after this many iterations: in each, all agents move by one step, or a few get new paths
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub iterations: Option<u64>,
    /// The seed of the random decisions
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 0)]
    pub seed: u64,
    /// Write the plan to this file, one line per step
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Lets a crowd of units walk to a few goals.
///
/// Units have a radius of 0.4 cells and walk 4 cells per second; a second has 60 ticks. They start on distinct cells of the largest connected part of the map, and so do the
/// goals, at random. The run ends when all units have arrived.
#[derive(Args)]
pub struct CrowdArgs {
    /// The map: a benchmark grid, a text grid, a PNG image or a JSON world
    #[arg(value_name = "MAP")]
    pub map: PathBuf,
    /// The number of units
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one)]
    pub units: usize,
    /// The number of goals, which the units take turns in
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = at_least_one)]
    #[arg(default_value_t = 4)]
    pub goals: usize,
    /// How units are guided: each by its own A*, by paths planned within a budget per tick, or by a field for each goal
    #[arg(long, value_name = "MODE", value_enum, default_value_t = CrowdMode::Field)]
    pub mode: CrowdMode,
    /// How units avoid each other: by their velocities, by reserving cells, or not at all
    #[arg(long, value_name = "RULE", value_enum, default_value_t = AvoidArg::Orca)]
    pub avoid: AvoidArg,
    /// Do not plan units together that block each other
    #[arg(long)]
    pub no_jams: bool,
    /// End after this many ticks
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frame_count)]
    #[arg(default_value_t = 18_000)]
    pub ticks: u64,
    /// The seed of starts and goals
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 0)]
    pub seed: u64,
    /// The number of threads; the result is the same [default: one per core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = thread_count)]
    pub threads: Option<usize>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Repeats a documented experiment: writes results.csv, results.json and report.html.
///
/// docs/experiments.md describes each experiment. Use a build with --release on a machine that does nothing else.
#[derive(Args)]
pub struct ExperimentArgs {
    /// The experiment
    #[arg(value_name = "NAME", value_parser = Named { names: experiment_names, parse: experiment_name })]
    pub experiment: &'static Experiment,
    /// The number of measured runs per case [default: as the experiment recommends]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one)]
    pub runs: Option<usize>,
    /// The number of runs before that, which are discarded [default: as the experiment recommends]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub warmup: Option<usize>,
    /// The seed of all random choices
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 0)]
    pub seed: u64,
    /// The side of the largest map
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 2048)]
    pub max_side: u32,
    /// The seconds after which a case ends, which is recorded
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = duration, default_value = "2")]
    pub case_timeout: Duration,
    /// The folder for the results, which is made if it does not exist
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// How units are guided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CrowdMode {
    Astar,
    Service,
    Field,
}

/// How units avoid each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AvoidArg {
    Orca,
    Reserve,
    None,
}

/// Lists all algorithms with their properties.
#[derive(Args)]
pub struct AlgorithmsArgs {
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Generates a map. The same kind, size and seed always give the same map.
#[derive(Args)]
pub struct GenerateArgs {
    /// The kind of map; pillars, boxes, asteroids, storeys, tower and caverns are voxel worlds, empty, caves and random can be
    /// either
    #[arg(value_parser = Named { names: kind_names, parse: kind_name })]
    pub kind: String,
    /// The number of columns and rows; with layers, a voxel world is generated
    #[arg(long, value_name = "WxH[xD]")]
    pub size: Size,
    /// The seed of the random numbers
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 0)]
    pub seed: u64,
    /// The file to write; its extension determines the format: .map, .txt, .grid, .png, .world.json or .3dmap
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Converts a map or a scene to another format. Content that the other format cannot express is an error.
#[derive(Args)]
pub struct ConvertArgs {
    /// The map or scene; the format is detected from its content
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write; its extension determines the format: .map, .3dmap, .txt, .grid, .png, .world.json or .scene.json
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub image: ImageArgs,
}

/// Prints a shell completion script.
#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Prints the manual page.
#[derive(Args)]
pub struct ManArgs {
    /// Write the manual pages of all commands to this folder instead
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The algorithm and its options.
#[derive(Args)]
pub struct SearchArgs {
    /// The algorithm
    #[arg(long, value_name = "NAME", default_value = ALGORITHMS[0].name)]
    #[arg(value_parser = Named { names: algorithm_names, parse: algorithm })]
    pub algorithm: &'static Algorithm,
    /// The heuristic, if the algorithm uses one; also custom:STRAIGHT,DIAGONAL [default: depends on the algorithm]
    #[arg(long, value_name = "NAME", value_parser = Named { names: heuristic_names, parse: parse::<Heuristic> })]
    pub heuristic: Option<Heuristic>,
    /// The weight of the heuristic, from 1 to 1000, if the algorithm supports one [default: depends on the algorithm]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    pub weight: Option<f64>,
    /// The open list, if the algorithm supports several [default: depends on the algorithm]
    #[arg(long, value_name = "NAME", value_parser = Named { names: queue_names, parse: parse::<Queue> })]
    pub queue: Option<Queue>,
}

impl SearchArgs {
    pub fn options(&self) -> Options {
        Options { heuristic: self.heuristic, weight: self.weight, queue: self.queue }
    }
}

/// A movement rule of grids or of voxel worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyMoves {
    Flat(Moves),
    InSpace(VoxelMoves),
}

impl FromStr for AnyMoves {
    type Err = String;

    fn from_str(text: &str) -> Result<AnyMoves, String> {
        let flat = text.parse().map(AnyMoves::Flat);
        flat.or_else(|_| text.parse().map(AnyMoves::InSpace)).map_err(|_| {
            format!(
                "unknown movement rule `{text}`: expected 4, 8, 8-one or 8-free, or in voxel worlds 6, 18 or 26"
            )
        })
    }
}

/// The agent, on grids and in voxel worlds.
#[derive(Args)]
pub struct AgentArgs {
    /// The movement rule: 4-way; 8-way, no corner cutting; 8-way, may cut corners (8-one); 8-way, may pass between two corners
    /// (8-free); in voxel worlds 6-way, 18-way or 26-way, no corner cutting [default: 8, in voxel worlds 26]
    #[arg(long, value_name = "RULE", value_parser = Named { names: moves_names, parse: parse::<AnyMoves> })]
    pub moves: Option<AnyMoves>,
    /// The radius of the agent in cells [default: 0]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub radius: Option<f64>,
}

impl AgentArgs {
    pub fn agent(&self) -> Result<Agent> {
        let agent = match self.moves {
            Some(AnyMoves::Flat(moves)) => Agent::new().with_moves(moves),
            Some(AnyMoves::InSpace(moves)) => Agent::new().with_voxel_moves(moves),
            None => Agent::new(),
        };
        agent.with_radius(self.radius.unwrap_or_default()).context("--radius")
    }

    /// Rejects a movement rule for another kind of world.
    pub fn check(&self, flat: bool, what: &Path) -> Result<()> {
        match (self.moves, flat) {
            (Some(AnyMoves::Flat(moves)), false) => {
                bail!("--moves {moves} is for grids, but {} is a voxel world", what.display())
            }
            (Some(AnyMoves::InSpace(moves)), true) => {
                bail!("--moves {moves} is for voxel worlds, but {} is a grid", what.display())
            }
            _ => Ok(()),
        }
    }
}

/// The cost of steps, on grids.
#[derive(Args)]
pub struct StepArgs {
    /// The costs of a straight and a diagonal step over plain floor [default: 1 and the square root of 2]
    #[arg(long, value_name = "STRAIGHT,DIAGONAL", value_parser = metric)]
    pub metric: Option<Metric>,
    /// How terrain affects the cost of a step [default: mean]
    #[arg(long, value_name = "RULE", value_parser = Named { names: terrain_rule_names, parse: parse::<TerrainRule> })]
    pub terrain_rule: Option<TerrainRule>,
}

/// How images are read.
#[derive(Args)]
pub struct ImageArgs {
    /// For PNG maps: the terrain cost of each colour; 0 is a wall [default: black 0, white 1, green 4, blue 10]
    #[arg(long, value_name = "#RRGGBB=COST,...", value_parser = Palette::parse)]
    pub palette: Option<Palette>,
}

/// Coordinates as typed by the user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinates {
    pub x: f64,
    pub y: f64,
    pub z: Option<f64>,
}

impl FromStr for Coordinates {
    type Err = String;

    fn from_str(text: &str) -> Result<Coordinates, String> {
        let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
        match numbers.as_deref() {
            Some(&[x, y]) => Ok(Coordinates { x, y, z: None }),
            Some(&[x, y, z]) => Ok(Coordinates { x, y, z: Some(z) }),
            _ => Err("expected two or three numbers: X,Y or X,Y,Z".to_owned()),
        }
    }
}

/// Columns, rows and layers as typed by the user. The world checks the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub width: u32,
    pub height: u32,
    pub depth: Option<u32>,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let sides: Option<Vec<u32>> = text.split('x').map(|side| side.parse().ok()).collect();
        match sides.as_deref() {
            Some(&[width, height]) => Ok(Size { width, height, depth: None }),
            Some(&[width, height, depth]) => Ok(Size { width, height, depth: Some(depth) }),
            _ => {
                Err("expected columns and rows as WxH, for example 64x48, or with layers as WxHxD: 64x48x16"
                    .to_owned())
            }
        }
    }
}

fn metric(text: &str) -> Result<Metric, String> {
    let both = text.split_once(',').and_then(|(straight, diagonal)| {
        Metric::new(straight.trim().parse().ok()?, diagonal.trim().parse().ok()?)
    });
    both.ok_or_else(|| {
        format!(
            "expected STRAIGHT,DIAGONAL from {} to {}, with the diagonal at least the straight cost",
            Metric::MIN,
            Metric::MAX
        )
    })
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|&count| count >= 1)
        .ok_or_else(|| "expected a whole number of at least 1".to_owned())
}

fn frame_count(text: &str) -> Result<u64, String> {
    const MOST: u64 = 1 << 24;
    let count = text.parse().ok().filter(|count| (1..=MOST).contains(count));
    count.ok_or_else(|| format!("expected a whole number from 1 to {MOST}"))
}

fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "expected a number of seconds of at least 0".to_owned())
}

fn cooperative_moves() -> Vec<&'static str> {
    vec![Moves::Four.name(), Moves::Eight.name()]
}

fn cooperative_rule(text: &str) -> Result<Moves, String> {
    let rule = [Moves::Four, Moves::Eight].into_iter().find(|rule| rule.name() == text);
    rule.ok_or_else(|| format!("unknown movement rule `{text}`: expected 4 or 8"))
}

fn planner(name: &str) -> Result<&'static str, String> {
    simulate::planner(name).map_err(|error| error.to_string())
}

fn experiment_names() -> Vec<&'static str> {
    EXPERIMENTS.iter().map(|experiment| experiment.name).collect()
}

fn experiment_name(text: &str) -> Result<&'static Experiment, String> {
    Experiment::named(text)
        .ok_or_else(|| format!("unknown experiment `{text}`, expected {}", experiment_names().join(", ")))
}

fn thread_count(text: &str) -> Result<usize, String> {
    const MOST: usize = 1024;
    let count = text.parse().ok().filter(|count| (1..=MOST).contains(count));
    count.ok_or_else(|| format!("expected a whole number from 1 to {MOST}"))
}

/// Parses one of a list of names. The error of the type lists the expected names in one line; the names serve help texts and shell
/// completion.
#[derive(Clone)]
struct Named<T> {
    names: fn() -> Vec<&'static str>,
    parse: fn(&str) -> Result<T, String>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(&self, command: &ClapCommand, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        self.parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

fn parse<T: FromStr<Err: ToString>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn algorithm(name: &str) -> Result<&'static Algorithm, String> {
    Algorithm::named(name).map_err(|error| error.to_string())
}

fn algorithm_names() -> Vec<&'static str> {
    ALGORITHMS.iter().map(|algorithm| algorithm.name).collect()
}

fn heuristic_names() -> Vec<&'static str> {
    Heuristic::ALL.map(Heuristic::name).to_vec()
}

fn queue_names() -> Vec<&'static str> {
    Queue::ALL.map(Queue::name).to_vec()
}

fn moves_names() -> Vec<&'static str> {
    let flat = Moves::ALL.map(Moves::name);
    flat.into_iter().chain(VoxelMoves::ALL.map(VoxelMoves::name)).collect()
}

fn terrain_rule_names() -> Vec<&'static str> {
    TerrainRule::ALL.map(TerrainRule::name).to_vec()
}

fn kind_name(name: &str) -> Result<String, String> {
    if kind_names().contains(&name) {
        return Ok(name.to_owned());
    }
    Err(format!("unknown kind of map `{name}`: expected one of {}", kind_names().join(", ")))
}

fn kind_names() -> Vec<&'static str> {
    let flat = Kind::ALL.map(Kind::name);
    let others = SpaceKind::ALL.map(SpaceKind::name).into_iter().filter(|name| !flat.contains(name));
    flat.into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn coordinates_are_two_or_three_numbers() {
        assert_eq!("3, -4".parse(), Ok(Coordinates { x: 3.0, y: -4.0, z: None }));
        assert_eq!("1.5,2,3".parse(), Ok(Coordinates { x: 1.5, y: 2.0, z: Some(3.0) }));
        for wrong in ["", "1", "1,", "1,2,3,4", "a,b", "NaN,1", "inf,1"] {
            assert!(wrong.parse::<Coordinates>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_two_or_three_whole_numbers() {
        assert_eq!("64x48".parse(), Ok(Size { width: 64, height: 48, depth: None }));
        assert_eq!("64x48x2".parse(), Ok(Size { width: 64, height: 48, depth: Some(2) }));
        for wrong in ["64", "64x", "x48", "64x48x2x1", "-1x5", "64 48"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn metrics_are_checked() {
        assert_eq!(metric("10,14"), Ok(Metric::new(10.0, 14.0).unwrap()));
        for wrong in ["10", "14,10", "0,1", "a,b"] {
            assert!(metric(wrong).is_err(), "{wrong}");
        }
    }
}
