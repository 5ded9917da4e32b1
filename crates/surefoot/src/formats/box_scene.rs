//! The test environment of C. Krafft, *Optimisation of pathfinding in a dynamic 3D space* (2021), with the numbers of
//! the published scene: static boxes, and boxes that patrol, rotate, or appear and disappear.
//!
//! Units of time and angle are not stated in the source. Speeds are taken as world units and degrees per second, and
//! switch times as seconds. A patrolling box starts where it is, heads for the first of its points, and then goes back
//! and forth. The agent's size is not stated either; it is taken as 0. The scene also has three spheres, for which the
//! file gives only the positions. They are omitted, as they are in the maps made from the scene. Everything else in the
//! file is about a search and not about the scene.
//!
//! ```
//! use surefoot::formats::box_scene;
//! let error = box_scene::read(b"{}").unwrap_err();
//! assert!(error.to_string().contains("search_space"));
//! ```

use serde::Deserialize;

use crate::formats::json::syntax;
use crate::formats::scene_json::{check_counts, checked_size, frame, place, point, rotation, tick, within};
use crate::formats::text::as_text;
use crate::formats::{FormatError, Problem, check_length};
use crate::obstacle::{Pose, Shape};
use crate::scene::{FASTEST, Fixture, Goal, Mover, Patrol, Scene, Switch, Travel, Turn, Walker};
use crate::space::Point;

#[derive(Deserialize)]
struct Document {
    search_space: SearchSpace,
    start: [f64; 3],
    goal: [f64; 3],
    agent_speed: f64,
    #[serde(rename = "static")]
    fixtures: Vec<BoxEntry>,
    dynamic: Vec<MovingEntry>,
}

#[derive(Deserialize)]
struct SearchSpace {
    center: [f64; 3],
    size: [f64; 3],
    cell: f64,
}

#[derive(Deserialize)]
struct BoxEntry {
    #[serde(default)]
    name: String,
    pos: [f64; 3],
    quat_xyzw: [f64; 4],
    half: [f64; 3],
}

/// A box, and how it moves. Flags are numbers: 0 is no.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MovingEntry {
    #[serde(flatten)]
    solid: BoxEntry,
    use_patrol_points: f64,
    #[serde(rename = "patrol_world")]
    patrol: Vec<[f64; 3]>,
    move_speed: f64,
    turn_speed: f64,
    forward: f64,
    right: f64,
    up: f64,
    temporary_block: f64,
    switch_time: f64,
    start_active: f64,
}

/// Returns whether a file looks like this format.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Head {
        #[serde(rename = "search_space")]
        _search_space: serde::de::IgnoredAny,
    }
    serde_json::from_slice::<Head>(bytes).is_ok()
}

/// Reads a scene.
///
/// ```
/// use surefoot::formats::box_scene;
/// let scene = box_scene::read(br#"{"search_space": {"center": [2, 2, 1], "size": [4, 4, 2], "cell": 1},
///     "start": [0.5, 0.5, 0.5], "goal": [3.5, 3.5, 0.5], "agent_speed": 4, "dynamic": [],
///     "static": [{"pos": [2, 2, 1], "quat_xyzw": [0, 0, 0, 1], "half": [1, 1, 1]}]}"#).unwrap();
/// assert_eq!(scene.fixed_cells().unwrap().open_cells(), 32 - 8);
/// ```
pub fn read(bytes: &[u8]) -> Result<Scene, FormatError> {
    check_length(bytes)?;
    let text = as_text(bytes)?;
    let document: Document = serde_json::from_str(text).map_err(|error| syntax(&error, "scene"))?;
    let SearchSpace { center, size, cell } = document.search_space;
    let mut scene = Scene::new(checked_size(size.map(|length| cells(length, cell)))?);
    let origin = [0, 1, 2].map(|axis| center[axis] - size[axis] / 2.0);
    scene.frame = frame(point(origin), cell)?;
    scene.start = place(document.start, "start").map_err(FormatError::whole)?;
    scene.goal = Goal { position: place(document.goal, "goal").map_err(FormatError::whole)?, travel: None };
    scene.walker = Walker { radius: 0.0, speed: within("agent_speed", document.agent_speed, FASTEST)? };
    check_counts(document.fixtures.len(), document.dynamic.len())?;
    for (index, entry) in document.fixtures.into_iter().enumerate() {
        let (shape, pose) = solid(&entry).map_err(|problem| FormatError::item("static", index, problem))?;
        scene.fixtures.push(Fixture { name: entry.name, shape, pose });
    }
    for (index, entry) in document.dynamic.into_iter().enumerate() {
        scene.obstacles.push(mover(entry).map_err(|problem| FormatError::item("dynamic", index, problem))?);
    }
    Ok(scene)
}

/// Returns the number of cells that fit; 0, which is not a valid size, if they do not fit evenly.
fn cells(length: f64, cell: f64) -> u32 {
    let cells = (length / cell).round();
    if (cells * cell - length).abs() < 1e-6 * cell { cells as u32 } else { 0 }
}

fn solid(entry: &BoxEntry) -> Result<(Shape, Pose), Problem> {
    let position = place(entry.pos, "pos")?;
    let pose = Pose::new(position, rotation(entry.quat_xyzw)?).unwrap_or_default();
    Ok((Shape::cuboid(point(entry.half))?, pose))
}

fn mover(entry: MovingEntry) -> Result<Mover, Problem> {
    let (shape, pose) = solid(&entry.solid)?;
    let mut mover = Mover::at_rest(entry.solid.name, shape, pose);
    if entry.use_patrol_points != 0.0 {
        let points = entry.patrol.into_iter().map(point).collect();
        mover.travel = Some(Travel::Patrol(Patrol::new(points, entry.move_speed, false)?));
    }
    if entry.turn_speed != 0.0 {
        // The names of the axes in the scene's own engine; they turn with the box.
        let axis = pose.rotation().turn(Point::new(entry.right, entry.up, entry.forward));
        mover.turn = Some(Turn::new(axis, entry.turn_speed)?);
    }
    if entry.temporary_block != 0.0 {
        mover.switch = Some(Switch::new(tick(entry.switch_time, "switchTime")?, entry.start_active != 0.0)?);
    }
    Ok(mover)
}
