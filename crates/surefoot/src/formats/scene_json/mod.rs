//! Scene files (`.scene.json`): static shapes, moving obstacles, an agent and its goal.
//!
//! `docs/formats.md` describes every field. Times are written in seconds and rounded to the nearest tick (a sixtieth of
//! a second).
//!
//! ```
//! use surefoot::formats::scene_json;
//! let text = br#"{"surefoot": "scene", "version": 1, "size": [20, 20, 10], "start": [1.5, 1.5, 1.5],
//!     "goal": {"position": [18.5, 18.5, 1.5]}, "static": [{"box": [10, 0.5, 5], "position": [10, 10, 5]}]}"#;
//! let scene = scene_json::read(text).unwrap();
//! assert_eq!(scene_json::read(scene_json::write(&scene).as_bytes()).unwrap(), scene);
//! ```

mod document;
mod write;

use document::{Document, Head, KeyframesEntry, PatrolEntry, PolyhedronEntry, SolidEntry, SwitchEntry};
pub use write::write;

use crate::formats::json::{bad_version, syntax_or_kind};
use crate::formats::text::as_text;
use crate::formats::{FormatError, Location, Problem, check_length};
use crate::obstacle::coverage::MAX_SOLIDS;
use crate::obstacle::{Pose, Rotation, Shape};
use crate::scene::{
    FASTEST, Fixture, Goal, Keyframe, Keyframes, LAST_TICK, Mover, Patrol, Scene, Switch, Travel, Turn,
    Walker, seconds, ticks,
};
use crate::space::{Frame, Point};
use crate::world::voxels::{VoxelError, Voxels};

/// The version that is written, and so far the only one that can be read.
pub const VERSION: u32 = 1;

/// The maximum number of static shapes.
pub const MAX_FIXTURES: usize = 1 << 20;

/// Reads a scene.
///
/// ```
/// use surefoot::formats::scene_json;
/// let scene = scene_json::read(br#"{"surefoot": "scene", "version": 1, "size": [20, 20, 10],
///     "start": [1.5, 1.5, 1.5], "goal": {"position": [18.5, 18.5, 1.5]},
///     "static": [{"box": [10, 0.5, 5], "position": [10, 10, 5]}],
///     "obstacles": [{"sphere": 2, "position": [5, 5, 5], "patrol": {"points": [[5, 5, 5], [5, 15, 5]], "speed": 3}}]}"#);
/// assert_eq!(scene.unwrap().obstacles[0].pose_at(60).position().y, 8.0);
/// ```
pub fn read(bytes: &[u8]) -> Result<Scene, FormatError> {
    check_length(bytes)?;
    let text = as_text(bytes)?;
    let document = serde_json::from_str::<Document>(text).map_err(|error| {
        // A newer version may have fields that this one does not know: the error reports the version instead.
        match serde_json::from_str::<Head>(text) {
            Ok(head) if head.version != VERSION => bad_version(head.version, VERSION),
            _ => syntax_or_kind(&error, bytes, "scene"),
        }
    })?;
    if document.version != VERSION {
        return Err(bad_version(document.version, VERSION));
    }
    scene(document)
}

fn scene(document: Document) -> Result<Scene, FormatError> {
    let mut scene = Scene::new(checked_size(document.size)?);
    let origin = document.origin.map_or(scene.frame.origin(), point);
    let cell_size = document.cell_size.unwrap_or(scene.frame.cell_size());
    scene.frame = frame(origin, cell_size)?;
    if let Some(agent) = document.agent {
        scene.walker = Walker {
            radius: within("agent: radius", agent.radius, FARTHEST_RADIUS)?,
            speed: within("agent: speed", agent.speed, FASTEST)?,
        };
    }
    scene.start = place(document.start, "start").map_err(FormatError::whole)?;
    let goal = document.goal;
    scene.goal = Goal {
        position: place(goal.position, "goal").map_err(FormatError::whole)?,
        travel: travel(goal.patrol, goal.keyframes).map_err(FormatError::whole)?,
    };
    check_counts(document.fixtures.len(), document.obstacles.len())?;
    for (index, entry) in document.fixtures.into_iter().enumerate() {
        scene.fixtures.push(fixture(entry).map_err(|problem| FormatError::item("static", index, problem))?);
    }
    for (index, entry) in document.obstacles.into_iter().enumerate() {
        scene.obstacles.push(mover(entry).map_err(|problem| FormatError::item("obstacles", index, problem))?);
    }
    Ok(scene)
}

/// The widest agent, in world units.
const FARTHEST_RADIUS: f64 = 1e6;

/// The size of a scene, if there can be such a world.
pub(super) fn checked_size(size: [u32; 3]) -> Result<[u32; 3], FormatError> {
    let [x, y, z] = size.map(u64::from);
    let side = 1..=u64::from(Voxels::MAX_SIDE);
    // Sides are short enough for their product to fit.
    if size.iter().all(|&cells| side.contains(&u64::from(cells))) && x * y * z <= Voxels::MAX_CELLS {
        return Ok(size);
    }
    Err(FormatError::new(Location::Whole, VoxelError::Size { x, y, z }))
}

/// Where the cells lie.
pub(super) fn frame(origin: Point, cell_size: f64) -> Result<Frame, FormatError> {
    let sensible = Pose::at(origin).is_some() && (1e-6..=1e6).contains(&cell_size);
    Frame::new(origin, cell_size).filter(|_| sensible).ok_or_else(|| {
        let found = format!("cell size {cell_size:?} at {:?}, {:?}, {:?}", origin.x, origin.y, origin.z);
        let expected = format!("a cell size from 1e-6 to 1e6 and an origin within {:e}", Pose::FARTHEST);
        FormatError::whole(Problem::unexpected(found, expected))
    })
}

pub(super) fn within(what: &str, found: f64, most: f64) -> Result<f64, FormatError> {
    if (0.0..=most).contains(&found) {
        return Ok(found);
    }
    let expected = format!("a number from 0 to {most:e}");
    Err(FormatError::whole(Problem::unexpected(format!("{what} {found:?}"), expected)))
}

/// Rejects more shapes than a scene may have.
pub(super) fn check_counts(fixtures: usize, obstacles: usize) -> Result<(), FormatError> {
    for (found, most, what) in
        [(fixtures, MAX_FIXTURES, "static shapes"), (obstacles, MAX_SOLIDS, "obstacles")]
    {
        if found > most {
            let problem = Problem::unexpected(format!("{found} {what}"), format!("at most {most}"));
            return Err(FormatError::whole(problem));
        }
    }
    Ok(())
}

pub(super) fn point([x, y, z]: [f64; 3]) -> Point {
    Point { x, y, z }
}

/// A place that is not too far out.
pub(super) fn place(numbers: [f64; 3], what: &str) -> Result<Point, Problem> {
    Pose::at(point(numbers)).map(|pose| pose.position()).ok_or_else(|| {
        let expected = format!("coordinates from {:e} to {:e}", -Pose::FARTHEST, Pose::FARTHEST);
        Problem::unexpected(format!("{what} {numbers:?}"), expected)
    })
}

fn fixture(entry: SolidEntry) -> Result<Fixture, Problem> {
    let moves = [
        (entry.patrol.is_some(), "patrol"),
        (entry.keyframes.is_some(), "keyframes"),
        (entry.turn.is_some(), "turn"),
        (entry.switch.is_some(), "switch"),
    ];
    if let Some((_, name)) = moves.into_iter().find(|(given, _)| *given) {
        return Err(Problem::unexpected(format!("`{name}`"), "only fields of a static shape"));
    }
    let pose = pose(&entry)?;
    Ok(Fixture { shape: shape(&entry)?, pose, name: entry.name })
}

fn mover(entry: SolidEntry) -> Result<Mover, Problem> {
    let (shape, pose) = (shape(&entry)?, pose(&entry)?);
    let turn = entry.turn.map(|turn| Turn::new(point(turn.axis), turn.degrees_per_second)).transpose()?;
    let switch = entry.switch.as_ref().map(switch).transpose()?;
    let travel = travel(entry.patrol, entry.keyframes)?;
    Ok(Mover { name: entry.name, shape, pose, travel, turn, switch })
}

fn switch(entry: &SwitchEntry) -> Result<Switch, Problem> {
    let switch = Switch::new(tick(entry.every, "every")?, entry.on)?;
    Ok(entry.room.map_or(Ok(switch), |room| switch.with_room(point(room)))?)
}

fn shape(entry: &SolidEntry) -> Result<Shape, Problem> {
    match (entry.cuboid, entry.sphere, &entry.capsule, &entry.polyhedron) {
        (Some(half), None, None, None) => Ok(Shape::cuboid(point(half))?),
        (None, Some(radius), None, None) => Ok(Shape::sphere(radius)?),
        (None, None, Some(capsule), None) => {
            Ok(Shape::capsule(point(capsule.from), point(capsule.to), capsule.radius)?)
        }
        (None, None, None, Some(entry)) => polyhedron(entry),
        (None, None, None, None) => {
            Err(Problem::unexpected("no shape", "`box`, `sphere`, `capsule` or `polyhedron`"))
        }
        _ => Err(Problem::unexpected("several shapes", "one of `box`, `sphere`, `capsule` and `polyhedron`")),
    }
}

fn polyhedron(entry: &PolyhedronEntry) -> Result<Shape, Problem> {
    let points: Vec<Point> = entry.points.iter().copied().map(point).collect();
    match &entry.faces {
        Some(faces) => Ok(Shape::polyhedron(&points, faces)?),
        #[cfg(feature = "hulls")]
        None => Ok(Shape::hull(&points)?),
        #[cfg(not(feature = "hulls"))]
        None => Err(Problem::unexpected("no `faces`", "the faces, or a build with the feature `hulls`")),
    }
}

fn pose(entry: &SolidEntry) -> Result<Pose, Problem> {
    let position = place(entry.position, "position")?;
    let rotation = entry.rotation.map(rotation).transpose()?.unwrap_or_default();
    Ok(Pose::new(position, rotation).unwrap_or_default())
}

pub(super) fn rotation(numbers: [f64; 4]) -> Result<Rotation, Problem> {
    let [x, y, z, w] = numbers;
    Rotation::new(x, y, z, w).ok_or_else(|| {
        Problem::unexpected(
            format!("rotation {numbers:?}"),
            "the four numbers of a unit quaternion, x, y, z, w",
        )
    })
}

fn travel(patrol: Option<PatrolEntry>, keyframes: Option<KeyframesEntry>) -> Result<Option<Travel>, Problem> {
    match (patrol, keyframes) {
        (None, None) => Ok(None),
        (Some(entry), None) => {
            let points = entry.points.into_iter().map(point).collect();
            Ok(Some(Travel::Patrol(Patrol::new(points, entry.speed, entry.circle)?)))
        }
        (None, Some(entry)) => {
            let mut frames = Vec::new();
            for frame in entry.frames {
                let rotation = frame.rotation.map(rotation).transpose()?;
                frames.push(Keyframe {
                    tick: tick(frame.t, "t")?,
                    position: point(frame.position),
                    rotation,
                });
            }
            Ok(Some(Travel::Keyframes(Keyframes::new(frames, entry.repeat)?)))
        }
        (Some(_), Some(_)) => Err(Problem::unexpected("`patrol` and `keyframes`", "one of them")),
    }
}

/// A time in seconds as ticks.
pub(super) fn tick(time: f64, what: &str) -> Result<u64, Problem> {
    ticks(time).ok_or_else(|| {
        Problem::unexpected(format!("`{what}` {time:?}"), format!("seconds from 0 to {}", seconds(LAST_TICK)))
    })
}

#[cfg(test)]
mod tests;
