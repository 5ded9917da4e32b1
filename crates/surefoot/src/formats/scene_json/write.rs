//! Scenes as text.

use serde::Serialize;

use super::VERSION;
use super::document::{
    AgentEntry, CapsuleEntry, GoalEntry, KeyframeEntry, KeyframesEntry, PatrolEntry, PolyhedronEntry,
    SolidEntry, SwitchEntry, TurnEntry,
};
use crate::formats::json::{put, write_list};
use crate::obstacle::{Kind, Pose, Rotation, Shape};
use crate::scene::{Mover, Scene, Travel, Walker, seconds};
use crate::space::Point;

/// Writes a scene, one shape per line. The result reads back as the same scene.
///
/// ```
/// use surefoot::formats::scene_json;
/// use surefoot::scene::Scene;
/// let scene = Scene::new([4, 4, 2]);
/// assert_eq!(scene_json::read(scene_json::write(&scene).as_bytes()), Ok(scene));
/// ```
pub fn write(scene: &Scene) -> String {
    let mut out = format!("{{\n  \"surefoot\": \"scene\",\n  \"version\": {VERSION},\n");
    let Walker { radius, speed } = scene.walker;
    let (patrol, keyframes) = travel(scene.goal.travel.as_ref());
    let goal = GoalEntry { position: numbers(scene.goal.position), patrol, keyframes };
    field(&mut out, "size", &scene.size);
    field(&mut out, "origin", &numbers(scene.frame.origin()));
    field(&mut out, "cell_size", &scene.frame.cell_size());
    field(&mut out, "agent", &AgentEntry { radius, speed });
    field(&mut out, "start", &numbers(scene.start));
    field(&mut out, "goal", &goal);
    write_list(&mut out, "static", &scene.fixtures, |fixture, out| {
        out.push_str(&json(&solid(&fixture.name, &fixture.shape, &fixture.pose)));
    });
    out.push_str(",\n");
    write_list(&mut out, "obstacles", &scene.obstacles, |mover, out| out.push_str(&json(&moving(mover))));
    out.push_str("\n}\n");
    out
}

fn field(out: &mut String, name: &str, value: &impl Serialize) {
    put(out, format_args!("  \"{name}\": {},\n", json(value)));
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers, texts and lists can be written")
}

fn numbers(Point { x, y, z }: Point) -> [f64; 3] {
    [x, y, z]
}

fn solid(name: &str, shape: &Shape, pose: &Pose) -> SolidEntry {
    let mut entry =
        SolidEntry { name: name.into(), position: numbers(pose.position()), ..SolidEntry::default() };
    entry.rotation = (pose.rotation() != Rotation::NONE).then(|| pose.rotation().numbers());
    match shape.kind() {
        Kind::Cuboid { half } => entry.cuboid = Some(numbers(*half)),
        Kind::Sphere { radius } => entry.sphere = Some(*radius),
        Kind::Capsule { from, to, radius } => {
            entry.capsule = Some(CapsuleEntry { from: numbers(*from), to: numbers(*to), radius: *radius });
        }
        Kind::Polyhedron(polyhedron) => {
            let points = polyhedron.points().iter().copied().map(numbers).collect();
            entry.polyhedron = Some(PolyhedronEntry { points, faces: Some(polyhedron.faces().to_vec()) });
        }
    }
    entry
}

fn moving(mover: &Mover) -> SolidEntry {
    let (patrol, keyframes) = travel(mover.travel.as_ref());
    let turn = mover
        .turn
        .map(|turn| TurnEntry { axis: numbers(turn.axis()), degrees_per_second: turn.degrees_per_second() });
    let switch = mover.switch.map(|switch| SwitchEntry {
        every: seconds(switch.every()),
        on: switch.is_on(0),
        room: switch.room().map(numbers),
    });
    SolidEntry { patrol, keyframes, turn, switch, ..solid(&mover.name, &mover.shape, &mover.pose) }
}

fn travel(travel: Option<&Travel>) -> (Option<PatrolEntry>, Option<KeyframesEntry>) {
    match travel {
        None => (None, None),
        Some(Travel::Patrol(patrol)) => {
            let points = patrol.points().iter().copied().map(numbers).collect();
            (Some(PatrolEntry { points, speed: patrol.speed(), circle: patrol.circle() }), None)
        }
        Some(Travel::Keyframes(keyframes)) => {
            let frames = keyframes.frames().iter().map(|frame| KeyframeEntry {
                t: seconds(frame.tick),
                position: numbers(frame.position),
                rotation: frame.rotation.map(Rotation::numbers),
            });
            (None, Some(KeyframesEntry { frames: frames.collect(), repeat: keyframes.repeat() }))
        }
    }
}
