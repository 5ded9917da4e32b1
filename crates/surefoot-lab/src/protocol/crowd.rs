//! The messages of crowds.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use surefoot::crowd::Avoidance;

use super::AgentFields;

/// A crowd that is to begin, without units.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrowdRequest {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    pub live: u32,
    #[serde(default)]
    pub avoidance: AvoidanceKind,
    /// Whether jams are resolved; yes if left out.
    pub jams: Option<bool>,
    #[serde(default)]
    pub agent: AgentFields,
}

/// How units keep from running into each other.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AvoidanceKind {
    #[default]
    Orca,
    Reserve,
    None,
}

impl From<AvoidanceKind> for Avoidance {
    fn from(kind: AvoidanceKind) -> Avoidance {
        match kind {
            AvoidanceKind::Orca => Avoidance::Orca,
            AvoidanceKind::Reserve => Avoidance::Reserve,
            AvoidanceKind::None => Avoidance::None,
        }
    }
}

/// Units that join.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpawnRequest {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    pub live: u32,
    pub group: u8,
    /// In cells.
    pub radius: Option<f64>,
    /// In cells per second.
    pub speed: Option<f64>,
    /// In cells.
    pub at: Vec<[f64; 2]>,
}

/// Units that leave.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DismissRequest {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    pub live: u32,
    pub units: Vec<u32>,
}

/// Where a group is to go.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SendRequest {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    pub live: u32,
    pub group: u8,
    /// The cell; nowhere if left out.
    pub goal: Option<[i32; 2]>,
}

/// Which unit is reported on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchRequest {
    #[serde(rename = "type")]
    _kind: IgnoredAny,
    pub live: u32,
    pub unit: Option<u32>,
}

/// What a crowd is told.
#[derive(Debug)]
pub enum CrowdOrder {
    Spawn(SpawnRequest),
    Dismiss(DismissRequest),
    Send(SendRequest),
    Watch(WatchRequest),
}

impl CrowdOrder {
    /// The number of the crowd.
    pub fn live(&self) -> u32 {
        match self {
            CrowdOrder::Spawn(request) => request.live,
            CrowdOrder::Dismiss(request) => request.live,
            CrowdOrder::Send(request) => request.live,
            CrowdOrder::Watch(request) => request.live,
        }
    }
}

/// A crowd after some ticks.
#[derive(Debug, Serialize)]
pub struct CrowdReport {
    pub live: u32,
    pub tick: u64,
    pub units: usize,
    #[serde(flatten)]
    pub states: StateCounts,
    /// How many wait for a path.
    pub queued: usize,
    pub plans: u64,
    pub expanded: u64,
    pub exchanges: u64,
    pub jams: JamReport,
    /// The times of these ticks, in microseconds.
    pub frames: Vec<f64>,
    /// The unit that is watched.
    pub unit: Option<CrowdUnitReport>,
}

/// How many units are in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StateCounts {
    pub idle: usize,
    pub waiting: usize,
    pub walking: usize,
    pub riding: usize,
    pub arrived: usize,
    pub stuck: usize,
    /// Those walking that have not come nearer to their goal for a second.
    pub held: usize,
}

/// The jams so far.
#[derive(Debug, Serialize)]
pub struct JamReport {
    pub found: u64,
    pub resolved: u64,
    pub failed: u64,
}

/// The unit that is watched. Times are in seconds.
#[derive(Debug, Serialize)]
pub struct CrowdUnitReport {
    pub unit: usize,
    pub group: u32,
    pub at: [f64; 2],
    pub state: &'static str,
    pub reason: Option<String>,
    pub goal: Option<[i32; 2]>,
    /// The cells ahead at which its path turns, up to the goal.
    pub path: Vec<[i32; 2]>,
    pub plans: u64,
    /// The tick of its last plan.
    pub planned_at: u64,
    pub stalled: f64,
    pub longest_wait: f64,
    pub in_jam: bool,
}
