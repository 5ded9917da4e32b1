//! The messages of units that walk or fly.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use surefoot::prelude::Place;
use surefoot::replan::Replan;

use super::Query;

/// Units that are to walk.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LiveRequest {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    pub live: u32,
    pub boards: Vec<LiveBoard>,
    /// In cells per second.
    pub speed: f64,
    /// In cells.
    pub sensing: Option<f64>,
    pub target: TargetRequest,
    #[serde(default)]
    pub debug: bool,
    /// In voxel worlds: a scene with what moves there.
    pub scene: Option<Box<RawValue>>,
    /// In voxel worlds: whether repairs that take too long are given up for a fresh search; yes if left out.
    pub guarded: Option<bool>,
    /// In voxel worlds: the tick of the scene to begin at.
    #[serde(default)]
    pub from: u64,
    /// In voxel worlds: how far ahead forecast cells are told, in seconds; 0 for not at all.
    #[serde(default)]
    pub forecast: f64,
    /// In voxel worlds: what the only unit does, instead of planning.
    pub recorded: Option<RecordedFlight>,
}

/// A flight that was recorded.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedFlight {
    /// In cells: at the tick at which the scene begins, and after each tick since.
    pub positions: Vec<[f64; 3]>,
    /// Whether blocks do not appear before the unit has left the room around them.
    #[serde(default)]
    pub holds_blocks: bool,
}

/// The unit of a board.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LiveBoard {
    pub board: u8,
    pub query: Query,
    /// In voxel worlds: where in the cell of the start it is; its middle if left out.
    pub at: Option<[f64; 3]>,
}

/// What the units are after.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetRequest {
    pub kind: TargetKind,
    #[serde(default)]
    pub speed: f64,
    #[serde(default)]
    pub seed: u64,
}

/// What a target does.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TargetKind {
    Stay,
    Flee,
    Wander,
    Steer,
    /// As the scene says.
    Scene,
}

/// Lets time pass.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TickRequest {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    pub live: u32,
    pub ticks: u32,
}

/// Puts units or their target into a cell.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceRequest {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    pub live: u32,
    pub board: Option<u8>,
    pub unit: Option<Place>,
    pub target: Option<Place>,
}

/// Changes how the target behaves, or whether planners are reported on, without restarting planners.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdjustRequest {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    pub live: u32,
    pub target: Option<TargetRequest>,
    pub debug: Option<bool>,
    pub forecast: Option<f64>,
}

/// Where live units are after some ticks.
#[derive(Debug, Serialize)]
pub struct Ticked {
    pub live: u32,
    pub tick: u64,
    pub target: Place,
    pub units: Vec<UnitReport>,
    /// In voxel worlds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<SceneReport>,
}

/// A live unit.
#[derive(Debug, Serialize)]
pub struct UnitReport {
    pub board: u8,
    /// In cells.
    pub at: Vec<f64>,
    pub cell: Place,
    pub state: &'static str,
    pub reason: Option<&'static str>,
    pub message: Option<String>,
    pub travelled: f64,
    pub path: Option<Vec<Place>>,
    /// In voxel worlds: how many places of the path are before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ahead: Option<usize>,
    pub replan: Option<ReplanReport>,
    /// In voxel worlds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<HitReport>,
    /// In voxel worlds, of each of the last ticks: how long it took to update the world, to plan, and to take the plan up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<Vec<[f64; 3]>>,
}

/// What a unit has touched: contacts so far, by what was touched.
#[derive(Debug, Default, Serialize)]
pub struct HitReport {
    #[serde(rename = "static")]
    pub fixed: u64,
    pub moving: u64,
    pub appeared: u64,
    /// Those of these ticks, the first of them if there are many.
    #[serde(rename = "new")]
    pub news: Vec<HitEntry>,
}

/// A contact.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HitEntry {
    pub tick: u64,
    pub kind: &'static str,
    /// The number of the obstacle; none for solid cells.
    pub obstacle: Option<usize>,
    /// Where the centre of the unit was, in cells.
    pub at: [f64; 3],
}

/// What moved in some ticks.
#[derive(Debug, Serialize)]
pub struct SceneReport {
    /// Where the target is, in cells.
    pub target: [f64; 3],
    /// Cells that became solid or open, tick by tick.
    pub changed: u64,
    /// How long finding them took.
    pub us: f64,
}

/// What the replans of some ticks did together.
#[derive(Debug, Serialize)]
pub struct ReplanReport {
    pub count: u64,
    #[serde(flatten)]
    pub together: Replan,
    pub fresh_count: u64,
    pub us: f64,
    pub cost: Option<f64>,
}
