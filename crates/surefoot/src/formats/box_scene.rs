//! The test environment of C. Krafft, *Optimisation of pathfinding in a dynamic 3D space* (2021), with the numbers of
//! the published scene: static boxes, and boxes that patrol, rotate, or appear and disappear.
//!
//! Units of time and angle are not stated in the source. Speeds are taken as world units and degrees per second, and
//! switch times as seconds. A patrolling box starts where it is, heads for the first of its points, and then goes back
//! and forth.
//!
//! The file leaves out facts of the scene, which are added here; `docs/formats.md` lists them with what is certain about
//! each: the radius of the agent, the motion of the goal, the size of the three balls, and which boxes do not appear
//! around the agent. Everything else in the file is about a search and not about the scene.

use serde::Deserialize;

use crate::formats::json::syntax;
use crate::formats::scene_json::{check_counts, checked_size, frame, place, point, rotation, tick, within};
use crate::formats::text::as_text;
use crate::formats::{FormatError, Problem, check_length};
use crate::obstacle::{Pose, Shape};
use crate::scene::{FASTEST, Fixture, Goal, Mover, Patrol, Scene, Switch, Travel, Turn, Walker};
use crate::space::{Point, Voxel};

#[derive(Deserialize)]
struct Document {
    search_space: SearchSpace,
    start: [f64; 3],
    goal: [f64; 3],
    agent_speed: f64,
    #[serde(rename = "static")]
    fixtures: Vec<BoxEntry>,
    dynamic: Vec<MovingEntry>,
    #[serde(rename = "static_spheres_unparsed_mesh", default)]
    balls: Vec<([f64; 3], Scale)>,
}

/// The factors by which a mesh is enlarged, as text.
#[derive(Deserialize)]
struct Scale {
    #[serde(rename = "m_LocalScale.x")]
    x: String,
    #[serde(rename = "m_LocalScale.y")]
    y: String,
    #[serde(rename = "m_LocalScale.z")]
    z: String,
}

/// The radius of the agent, which the file does not state.
const RADIUS: f64 = 0.45;

/// The speed of a moving goal.
const GOAL_SPEED: f64 = 2.0;

/// By which factors the boxes in which an agent is waited for exceed the boxes that switch, in the order of the file. Later ones do not
/// wait.
const ROOMS: [[f64; 3]; 2] = [[3.0, 1.75, 1.5], [2.0, 1.5, 1.5]];

/// How the goal of the scene moves. The file states only where it is at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum GoalMotion {
    /// Up along y by 23.49 and back, at speed 2.
    #[default]
    Vertical,
    /// Along z between 4.2 above and 2.55 below its place, at speed 2.
    Sideways,
}

impl GoalMotion {
    /// The points between which a goal at a place moves.
    fn points(self, Point { x, y, z }: Point) -> [Point; 2] {
        match self {
            GoalMotion::Vertical => [Point::new(x, y, z), Point::new(x, y + 23.49, z)],
            GoalMotion::Sideways => [Point::new(x, y, z + 4.2), Point::new(x, y, z - 2.55)],
        }
    }
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
pub fn is_one(bytes: &[u8]) -> bool {
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
    read_with(bytes, GoalMotion::default())
}

/// Reads a scene whose goal moves in a given way. A goal that would leave the search space stays where it is.
pub fn read_with(bytes: &[u8], motion: GoalMotion) -> Result<Scene, FormatError> {
    check_length(bytes)?;
    let text = as_text(bytes)?;
    let document: Document = serde_json::from_str(text).map_err(|error| syntax(&error, "scene"))?;
    let SearchSpace { center, size, cell } = document.search_space;
    let mut scene = Scene::new(checked_size(size.map(|length| cells(length, cell)))?);
    let origin = [0, 1, 2].map(|axis| center[axis] - size[axis] / 2.0);
    scene.frame = frame(point(origin), cell)?;
    scene.start = place(document.start, "start").map_err(FormatError::whole)?;
    let position = place(document.goal, "goal").map_err(FormatError::whole)?;
    let points = motion.points(position);
    let is_inside = |point: &Point| {
        let Voxel { x, y, z } = scene.frame.voxel_at(*point);
        [x, y, z].into_iter().zip(scene.size).all(|(at, cells)| at >= 0 && i64::from(at) < i64::from(cells))
    };
    let patrol = points.iter().all(is_inside).then(|| Patrol::new(points.to_vec(), GOAL_SPEED, false));
    let patrol = patrol.transpose().map_err(FormatError::whole)?;
    scene.goal = Goal { position, travel: patrol.map(Travel::Patrol) };
    scene.walker = Walker { radius: RADIUS, speed: within("agent_speed", document.agent_speed, FASTEST)? };
    check_counts(document.fixtures.len() + document.balls.len(), document.dynamic.len())?;
    for (index, entry) in document.fixtures.into_iter().enumerate() {
        let (shape, pose) = solid(&entry).map_err(|problem| FormatError::item("static", index, problem))?;
        scene.fixtures.push(Fixture { name: entry.name, shape, pose });
    }
    for (index, (centre, scale)) in document.balls.into_iter().enumerate() {
        let ball = ball(index, centre, &scale);
        let ball =
            ball.map_err(|problem| FormatError::item("static_spheres_unparsed_mesh", index, problem))?;
        scene.fixtures.push(ball);
    }
    let mut rooms = ROOMS.into_iter();
    for (index, entry) in document.dynamic.into_iter().enumerate() {
        let mover = mover(entry, &mut rooms);
        scene.obstacles.push(mover.map_err(|problem| FormatError::item("dynamic", index, problem))?);
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

/// A ball whose diameter is the factor of its mesh.
fn ball(index: usize, centre: [f64; 3], scale: &Scale) -> Result<Fixture, Problem> {
    let Scale { x, y, z } = scale;
    let diameter = x.trim().parse::<f64>().ok().filter(|_| x == y && y == z).ok_or_else(|| {
        Problem::unexpected(format!("a scale of {x:?}, {y:?}, {z:?}"), "three times the same number")
    })?;
    let pose = Pose::at(place(centre, "centre")?).unwrap_or_default();
    Ok(Fixture { name: format!("Ball{index}"), shape: Shape::sphere(diameter / 2.0)?, pose })
}

fn mover(entry: MovingEntry, rooms: &mut impl Iterator<Item = [f64; 3]>) -> Result<Mover, Problem> {
    let (shape, pose) = solid(&entry.solid)?;
    let mut mover = Mover::at_rest(entry.solid.name.clone(), shape, pose);
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
        let mut switch = Switch::new(tick(entry.switch_time, "switchTime")?, entry.start_active != 0.0)?;
        if let Some([x, y, z]) = rooms.next() {
            let half = point(entry.solid.half);
            switch = switch.with_room(Point::new(half.x * x, half.y * y, half.z * z))?;
        }
        mover.switch = Some(switch);
    }
    Ok(mover)
}
