//! The messages, as `docs/lab-protocol.md` has them.

mod crowd;
mod live;

use std::borrow::Cow;
use std::fmt;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use surefoot::formats::World;
use surefoot::prelude::Place;
use surefoot::search::Promise;

use crate::worlds;

pub use crowd::{
    CrowdOrder, CrowdReport, CrowdRequest, CrowdUnitReport, DismissRequest, JamReport, SendRequest,
    SpawnRequest, StateCounts,
};
pub use live::{
    AdjustRequest, HitEntry, HitReport, LiveRequest, PlaceRequest, RecordedFlight, ReplanReport, SceneReport,
    TargetKind, TargetRequest, TickRequest, Ticked, UnitReport,
};

/// The version of the protocol.
pub const PROTOCOL: u32 = 2;

/// The types of messages, for the error about an unknown one.
const TYPES: &str = "world, edit, run, cancel, live, crowd, spawn, dismiss, send, watch, tick, place, adjust, halt, advise or chokes";

/// What a page asks for.
#[derive(Debug)]
pub enum Command {
    World(Box<World>),
    Edit(Edit),
    Run(RunRequest),
    Cancel(usize),
    Live(LiveRequest),
    Crowd(CrowdRequest),
    Direct(CrowdOrder),
    Tick(TickRequest),
    Place(PlaceRequest),
    Adjust(AdjustRequest),
    Halt(u32),
    Advise(AdviseRequest),
    Chokes(ChokesRequest),
}

/// A message that cannot be used.
#[derive(Debug)]
pub struct Refusal {
    pub mark: Mark,
    pub message: String,
    /// Whether it is not even JSON.
    pub nonsense: bool,
}

/// Which run a message is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Mark {
    pub board: Option<u8>,
    pub run: Option<u32>,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorldMessage {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    world: Box<RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CancelMessage {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    board: usize,
}

/// Changes of a grid or a voxel world.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    /// Column, row, number of cells, cost.
    #[serde(default)]
    pub runs: Vec<(i32, i32, u32, u8)>,
    pub links: Option<Vec<LinkEntry>>,
    /// In voxel worlds: column, row, layer, number of cells, and 0 for solid or 1 for open.
    #[serde(default)]
    pub voxels: Vec<(i32, i32, i32, u32, u8)>,
}

/// A link, as a JSON world has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkEntry {
    pub from: [i32; 2],
    pub to: [i32; 2],
    pub cost: f64,
    #[serde(default)]
    pub two_way: bool,
}

/// A search to run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    pub board: u8,
    pub run: u32,
    #[serde(default)]
    pub trace: bool,
    #[serde(default)]
    pub time: bool,
    /// Whether what was prepared is to be shown: the number of the table whose sketch the page has, 0 for none.
    pub sketch: Option<u32>,
    pub query: Query,
}

/// What to search for, and how.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    pub start: Place,
    pub goals: Vec<Place>,
    pub algorithm: String,
    pub heuristic: Option<String>,
    pub weight: Option<f64>,
    pub queue: Option<String>,
    pub moves: Option<String>,
    pub moves3: Option<String>,
    pub radius: Option<f64>,
    pub terrain: Option<String>,
    pub metric: Option<[f64; 2]>,
}

impl Query {
    pub fn agent_fields(&self) -> AgentFields {
        let (moves, moves3, terrain) = (self.moves.clone(), self.moves3.clone(), self.terrain.clone());
        AgentFields { moves, moves3, radius: self.radius, terrain, metric: self.metric }
    }
}

/// How an agent moves.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentFields {
    pub moves: Option<String>,
    pub moves3: Option<String>,
    pub radius: Option<f64>,
    pub terrain: Option<String>,
    pub metric: Option<[f64; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HaltMessage {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    live: u32,
}

/// What would a building do?
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdviseRequest {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    pub advice: u32,
    pub footprint: Vec<[i32; 2]>,
    pub pairs: Vec<[[i32; 2]; 2]>,
    #[serde(default)]
    pub agent: AgentFields,
}

/// Where are the choke cells?
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChokesRequest {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    pub chokes: u32,
    #[serde(default)]
    pub agent: AgentFields,
}

/// Reads a message.
pub fn read(text: &str) -> Result<Command, Refusal> {
    let refused = |message: String| Refusal { mark: Mark::default(), message, nonsense: false };
    let no_head = |error: &dyn fmt::Display| Refusal {
        nonsense: serde_json::from_str::<IgnoredAny>(text).is_err(),
        ..refused(format!("expected a JSON object with a `type`: {error}"))
    };
    if !text.trim_ascii_start().starts_with('{') {
        return Err(no_head(&"found something else"));
    }
    let head: Head<'_> = serde_json::from_str(text).map_err(|error| no_head(&error))?;
    let wrong = |error: serde_json::Error| refused(format!("{}: {error}", head.kind));
    match head.kind.as_ref() {
        "world" => {
            let message: WorldMessage = serde_json::from_str(text).map_err(wrong)?;
            let world = worlds::read_json(message.world.get());
            world
                .map(|world| Command::World(Box::new(world)))
                .map_err(|error| refused(format!("world: {error}")))
        }
        "edit" => serde_json::from_str(text).map(Command::Edit).map_err(wrong),
        "run" => serde_json::from_str(text).map(Command::Run).map_err(|error| Refusal {
            mark: serde_json::from_str(text).unwrap_or_default(),
            ..wrong(error)
        }),
        "cancel" => {
            let message: CancelMessage = serde_json::from_str(text).map_err(wrong)?;
            Ok(Command::Cancel(message.board))
        }
        "live" => serde_json::from_str(text).map(Command::Live).map_err(wrong),
        "crowd" => serde_json::from_str(text).map(Command::Crowd).map_err(wrong),
        "spawn" => serde_json::from_str(text).map(CrowdOrder::Spawn).map(Command::Direct).map_err(wrong),
        "dismiss" => serde_json::from_str(text).map(CrowdOrder::Dismiss).map(Command::Direct).map_err(wrong),
        "send" => serde_json::from_str(text).map(CrowdOrder::Send).map(Command::Direct).map_err(wrong),
        "watch" => serde_json::from_str(text).map(CrowdOrder::Watch).map(Command::Direct).map_err(wrong),
        "tick" => serde_json::from_str(text).map(Command::Tick).map_err(wrong),
        "place" => serde_json::from_str(text).map(Command::Place).map_err(wrong),
        "adjust" => serde_json::from_str(text).map(Command::Adjust).map_err(wrong),
        "halt" => {
            let message: HaltMessage = serde_json::from_str(text).map_err(wrong)?;
            Ok(Command::Halt(message.live))
        }
        "advise" => serde_json::from_str(text).map(Command::Advise).map_err(wrong),
        "chokes" => serde_json::from_str(text).map(Command::Chokes).map_err(wrong),
        other => {
            let shown: String = other.chars().take(40).collect();
            Err(refused(format!("unknown type `{shown}`, expected {TYPES}")))
        }
    }
}

/// What the server says.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Answer {
    Hello {
        protocol: u32,
    },
    Preparing {
        #[serde(flatten)]
        mark: Mark,
        share: f64,
    },
    Began {
        #[serde(flatten)]
        mark: Mark,
        promise: Vow,
        units: u64,
    },
    Done(Box<Done>),
    Timed {
        #[serde(flatten)]
        mark: Mark,
        median_us: f64,
        least_us: f64,
        runs: usize,
    },
    Error {
        #[serde(flatten)]
        mark: Mark,
        message: String,
    },
    Ticked(Ticked),
    Crowd(Box<CrowdReport>),
    Advice {
        advice: u32,
        pairs: Vec<PairAdvice>,
        us: f64,
    },
}

/// What a building would do to the way between two cells.
#[derive(Debug, Serialize)]
pub struct PairAdvice {
    pub before: Option<f64>,
    pub after: Option<f64>,
    pub cut_off: bool,
}

/// How a run ended.
#[derive(Debug, Serialize)]
pub struct Done {
    #[serde(flatten)]
    pub mark: Mark,
    pub outcome: &'static str,
    pub reason: Option<&'static str>,
    pub message: Option<String>,
    pub promise: Option<Vow>,
    pub path: Vec<Place>,
    pub cost: Option<f64>,
    pub length: Option<f64>,
    pub optimum: Option<f64>,
    pub expanded: u64,
    pub generated: u64,
    pub reopened: u64,
    pub peak_open: u64,
    pub scratch_bytes: u64,
    pub search_us: f64,
    pub events: usize,
    pub dropped: u64,
    pub region: Option<Region>,
    pub prepared: Option<Preparation>,
    pub choice: Option<Chosen>,
}

/// Which algorithm another one chose, and why.
#[derive(Debug, Serialize)]
pub struct Chosen {
    pub algorithm: &'static str,
    pub reason: String,
}

/// What was worked out about the map before the search.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Preparation {
    pub table: u32,
    pub us: f64,
    pub bytes: u64,
    /// Whether it was made for this run, or was there already.
    pub fresh: bool,
}

/// The part of a grid or a voxel world that one cannot leave, or not enter.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Region {
    pub of: &'static str,
    pub runs: Runs,
}

/// Cells joined along rows.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Runs {
    /// Column, row, number of cells.
    Flat(Vec<[i32; 3]>),
    /// Column, row, layer, number of cells.
    Space(Vec<[i32; 4]>),
}

impl Runs {
    pub fn len(&self) -> usize {
        match self {
            Runs::Flat(runs) => runs.len(),
            Runs::Space(runs) => runs.len(),
        }
    }
}

/// A promise, as JSON shows it.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Vow {
    Optimal,
    Within { factor: f64 },
    Nothing { reason: String },
}

impl From<Promise> for Vow {
    fn from(promise: Promise) -> Vow {
        match promise {
            Promise::Optimal => Vow::Optimal,
            Promise::Within(factor) => Vow::Within { factor },
            Promise::Nothing(reason) => Vow::Nothing { reason },
        }
    }
}

impl Answer {
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("answers have no keys that are not texts")
    }
}
