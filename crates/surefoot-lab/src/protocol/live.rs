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
