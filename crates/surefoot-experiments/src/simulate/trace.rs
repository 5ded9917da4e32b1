//! A failed flight as a file (`docs/formats.md`).

use serde::Serialize;
use surefoot::formats::scene_json;
use surefoot::scene::Scene;
use surefoot::space::Point;
use surefoot::validate::Hit;

use super::Plan;
use super::report::{Failure, name};
use super::run::Flown;

/// The version that is written.
const VERSION: u32 = 1;

/// Everything but the scene, in the order of the file.
#[derive(Serialize)]
struct Document<'a> {
    surefoot: &'static str,
    version: u32,
    planner: &'a str,
    seed: u64,
    run: usize,
    switches: &'static str,
    evade: bool,
    from: u64,
    tick: u64,
    cause: &'a str,
    hits: Vec<HitEntry>,
    positions: Vec<[f64; 3]>,
}

#[derive(Serialize)]
struct HitEntry {
    tick: u64,
    what: String,
    kind: &'static str,
    distance: f64,
}

/// Returns the file of a flight. Its scene has the radius of the agent, and a goal at rest if it did not move.
pub(super) fn trace(scene: &Scene, plan: &Plan, flown: &Flown, failure: &Failure) -> String {
    let hits = flown.contacts.iter().map(|(contact, _)| HitEntry {
        tick: contact.tick,
        what: name(scene, contact.solid),
        kind: match contact.hit {
            Hit::Static => "static",
            Hit::Moving => "moving",
            Hit::Appeared => "appeared",
        },
        distance: contact.distance,
    });
    let document = Document {
        surefoot: "flight",
        version: VERSION,
        planner: plan.planner,
        seed: plan.seed,
        run: failure.run,
        switches: plan.switches.name(),
        evade: plan.evade,
        from: failure.from,
        tick: failure.tick,
        cause: &failure.cause,
        hits: hits.collect(),
        positions: flown.places.iter().map(|&Point { x, y, z }| [x, y, z]).collect(),
    };
    let mut scene = scene.clone();
    scene.walker.radius = plan.radius;
    scene.goal.travel = scene.goal.travel.filter(|_| plan.goal_moves);
    let head = serde_json::to_string(&document).expect("numbers, texts and lists can be written");
    let head = head.strip_suffix('}').unwrap_or(&head);
    format!("{head},\n\"scene\": {}}}\n", scene_json::write(&scene))
}
