//! The JSON document as it appears in the file.

use serde::{Deserialize, Serialize};

/// All fields of a scene file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    #[serde(rename = "surefoot")]
    pub _tag: Tag,
    pub version: u32,
    pub size: [u32; 3],
    pub origin: Option<[f64; 3]>,
    pub cell_size: Option<f64>,
    pub agent: Option<AgentEntry>,
    pub start: [f64; 3],
    pub goal: GoalEntry,
    #[serde(rename = "static", default)]
    pub fixtures: Vec<SolidEntry>,
    #[serde(default)]
    pub obstacles: Vec<SolidEntry>,
}

/// What every version of a scene file says, whatever else it does.
#[derive(Deserialize)]
pub(super) struct Head {
    #[serde(rename = "surefoot")]
    pub _tag: Tag,
    pub version: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Tag {
    Scene,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AgentEntry {
    #[serde(default)]
    pub radius: f64,
    pub speed: f64,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GoalEntry {
    pub position: [f64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patrol: Option<PatrolEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyframes: Option<KeyframesEntry>,
}

/// A shape that stays or moves. Which fields belong to which is checked after reading, so that errors of the reader keep
/// their line and column.
#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SolidEntry {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub cuboid: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sphere: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capsule: Option<CapsuleEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub polyhedron: Option<PolyhedronEntry>,
    pub position: [f64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f64; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patrol: Option<PatrolEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyframes: Option<KeyframesEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch: Option<SwitchEntry>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CapsuleEntry {
    pub from: [f64; 3],
    pub to: [f64; 3],
    pub radius: f64,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PolyhedronEntry {
    pub points: Vec<[f64; 3]>,
    pub faces: Option<Vec<Vec<u32>>>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PatrolEntry {
    pub points: Vec<[f64; 3]>,
    pub speed: f64,
    #[serde(default, skip_serializing_if = "is_false")]
    pub circle: bool,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyframesEntry {
    pub frames: Vec<KeyframeEntry>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub repeat: bool,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyframeEntry {
    /// Seconds.
    pub t: f64,
    pub position: [f64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f64; 4]>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TurnEntry {
    pub axis: [f64; 3],
    pub degrees_per_second: f64,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SwitchEntry {
    /// Seconds.
    pub every: f64,
    #[serde(default = "yes")]
    pub on: bool,
    /// Half the size of the box in which an agent keeps it from appearing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<[f64; 3]>,
}

fn yes() -> bool {
    true
}

// The signature that serde asks for.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(flag: &bool) -> bool {
    !flag
}
