//! Limits on sizes and times. The page shows these numbers, and error messages state them.

use std::time::Duration;

use serde::Serialize;
use surefoot::scene::Scene;

/// The limits that `/api/about` returns.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Limits {
    /// Columns and rows of a grid.
    pub side: u32,
    /// Cells of a grid.
    pub cells: u64,
    /// Cells of a voxel world.
    pub voxels: u64,
    /// Moving obstacles of a scene.
    pub obstacles: usize,
    /// Nodes of a waypoint graph.
    pub nodes: usize,
    /// Edges of a waypoint graph; a two-way one counts twice.
    pub edges: usize,
    /// Links of a grid; a two-way one counts twice.
    pub links: usize,
    /// Goals of a query.
    pub goals: usize,
    /// Units of a crowd.
    pub crowd: usize,
    /// Boards of a session.
    pub boards: usize,
    /// Events of a trace.
    pub events: usize,
    /// Bytes of a message.
    pub message_bytes: usize,
    /// Bytes of a file that is opened.
    pub file_bytes: usize,
    /// The time limit of a run.
    pub seconds: u64,
    /// Simultaneous sockets.
    pub sessions: usize,
}

/// The limits.
pub const LIMITS: Limits = Limits {
    side: 2048,
    cells: 2048 * 2048,
    voxels: 16 << 20,
    obstacles: 2048,
    nodes: 20_000,
    edges: 100_000,
    links: 1000,
    goals: 16,
    crowd: 10_000,
    boards: 4,
    events: 6_000_000,
    message_bytes: 32 << 20,
    file_bytes: 64 << 20,
    seconds: 60,
    sessions: 256,
};

/// The time limit for the body of a request.
pub const BODY_TIME: Duration = Duration::from_secs(30);

/// Simultaneous HTTP connections. `WebSocket` connections do not count: they are sessions.
pub const CONNECTIONS: usize = 256;

/// Simultaneous heavy calls for each kind of caller: their bodies and answers are in memory.
pub const CALLS: usize = 2;
/// The number of waiting heavy calls: from the lab's own page, and from all others. Further calls are rejected.
pub const CALLS_WAITING: usize = 32;
pub const OTHER_CALLS_WAITING: usize = 4;
/// Generating a map of up to this many cells is not heavy: it takes no longer than a few slices of a search.
pub const LIGHT_CELLS: u64 = 1 << 16;

/// The time slice of a search.
pub const SLICE: Duration = Duration::from_millis(10);

/// The memory of a finished search is kept for the next one if it is not larger.
pub const WARM_BYTES: u64 = 8 << 20;

/// The memory limit for a prepared map.
pub const PREPARED_BYTES: u64 = 256 << 20;

/// Prepared maps that a session keeps: total bytes, and number.
pub const KEPT_BYTES: u64 = 2 * PREPARED_BYTES;
pub const KEPT_TABLES: usize = 8;

/// The interval between progress reports of a preparation.
pub const PROGRESS: Duration = Duration::from_millis(100);

/// The most clusters, places and edges of a prepared map that are shown. Of more, every second is shown, or every third, and so on.
pub const SKETCHED: usize = 100_000;

/// The duration of a tick of live units, in seconds.
pub const TICK: f64 = 1.0 / 60.0;
/// The most ticks of a message.
pub const TICKS: u32 = 600;
/// The fastest live unit, in cells per second.
pub const SPEED: f64 = 1000.0;
/// The groups of a crowd.
pub const CROWD_GROUPS: usize = 8;
/// The largest radius of a unit of a crowd, in cells: maps are prepared for each eighth of a cell.
pub const CROWD_RADIUS: f64 = 4.0;
/// The fastest unit of a crowd, in cells per second: ticks are cut into parts so that none walks far at once.
pub const CROWD_SPEED: f64 = 60.0;
/// How many nodes the plans of a crowd expand per tick.
pub const CROWD_BUDGET: u64 = 50_000;
/// The most cells of a building, and the most pairs of cells, per request.
pub const FOOTPRINT: usize = 1024;
pub const PAIRS: usize = 16;
/// For each goal of these pairs there is a table. The most cells that all of them have together.
pub const TABLED_CELLS: u64 = 16 << 20;
/// The most static shapes of a scene.
pub const FIXTURES: usize = 1 << 16;
/// The most rows of cells that all shapes of a scene might cover, if each were as large as the world: each takes some time.
pub const SCENE_ROWS: u64 = 1 << 28;
/// The most contacts of a unit, and the most ticks whose times are told, in a message.
pub const HITS_TOLD: usize = 100;
pub const FRAMES_TOLD: usize = 240;
/// The most positions of a recorded flight: almost an hour.
pub const RECORDED_TICKS: u64 = 200_000;
/// The most cells of a forecast in a message.
pub const FORECAST_TOLD: usize = 1 << 20;
/// The most nodes of a planner in a message.
pub const NODES_TOLD: usize = 1 << 16;

/// Rejects a number above its limit.
pub fn check(what: &str, found: u64, most: u64) -> Result<(), String> {
    if found <= most {
        return Ok(());
    }
    Err(format!("{found} {what} are too many for the lab, expected at most {most}"))
}

/// Rejects voxel worlds that are too large.
pub fn check_voxels(size: [u32; 3]) -> Result<(), String> {
    let cells = size.iter().map(|&side| u128::from(side)).product::<u128>();
    if cells <= u128::from(LIMITS.voxels) {
        return Ok(());
    }
    let ([x, y, z], most) = (size, LIMITS.voxels);
    Err(format!("{x} x {y} x {z} cells are too many for the lab, expected at most {most} in total"))
}

/// Rejects scenes with too many shapes.
pub fn check_scene(scene: &Scene) -> Result<(), String> {
    check_voxels(scene.size)?;
    let rows = u64::from(scene.size[1]) * u64::from(scene.size[2]);
    for (what, shapes, most) in [
        ("static shapes", scene.fixtures.len(), FIXTURES),
        ("obstacles", scene.obstacles.len(), LIMITS.obstacles),
    ] {
        let most = (SCENE_ROWS / rows.max(1)).min(most as u64);
        check(what, shapes as u64, most)?;
    }
    Ok(())
}

/// Rejects grids that are too large.
pub fn check_grid(width: u32, height: u32) -> Result<(), String> {
    if width <= LIMITS.side && height <= LIMITS.side && u64::from(width) * u64::from(height) <= LIMITS.cells {
        return Ok(());
    }
    let Limits { side, cells, .. } = LIMITS;
    Err(format!(
        "{width} x {height} cells are too many for the lab, expected at most {side} per side and {cells} in total"
    ))
}
