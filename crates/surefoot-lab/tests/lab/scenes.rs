//! Scenes with moving obstacles: opened, flown through, painted while flown through.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use surefoot::formats::scene_json;
use surefoot::scene::Scene;

use crate::client::{Client, Lab, drawn};

/// A hall of 12 x 5 x 4 cells with a wall, in whose gap a block goes up and down.
const HALL: &str = r#"{"surefoot": "scene", "version": 1, "size": [12, 5, 4], "origin": [-6, 0, 0], "cell_size": 2.0,
    "agent": {"radius": 0, "speed": 8}, "start": [-5, 5, 1], "goal": {"position": [17, 5, 1]},
    "static": [{"box": [1, 2, 4], "position": [7, 2, 4]}, {"box": [1, 2, 4], "position": [7, 8, 4]}],
    "obstacles": [{"box": [1, 1, 3], "position": [7, 5, 3],
                   "patrol": {"points": [[7, 5, 8], [7, 5, 3]], "speed": 2}}]}"#;

/// A message that lets flyers fly through a scene that was opened.
fn live(scene: &Value, number: u32, algorithms: &[&str], more: &Value) -> Value {
    let query = |algorithm| json!({"start": scene["start"], "goals": scene["goals"], "algorithm": algorithm});
    let boards: Vec<Value> = (0..)
        .zip(algorithms)
        .map(|(board, algorithm): (u8, _)| json!({"board": board, "query": query(algorithm)}))
        .collect();
    let mut message = json!({"type": "live", "live": number, "boards": boards, "speed": 4.0, "sensing": null,
        "target": {"kind": "stay"}, "scene": scene["scene"]});
    message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    message
}

async fn opened(lab: &Lab, text: &str) -> Value {
    let reply = lab.post("/api/open?name=hall.scene.json", text.as_bytes()).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

async fn ticked(client: &mut Client, number: u32, ticks: u32) -> Value {
    client.say(&json!({"type": "tick", "live": number, "ticks": ticks})).await;
    client.next_of("ticked").await
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// The cells that are solid, by the messages about obstacles that came so far.
fn take_changes(client: &mut Client, solid: &mut BTreeSet<u32>) -> Vec<f32> {
    let mut poses = Vec::new();
    for piece in client.pieces.drain(..).filter(|piece| piece[0] == 5) {
        let words = words(&piece);
        let (obstacles, cells) = (words[2] as usize, words[3] as usize);
        let (head, changes) = words[4..].split_at(8 * obstacles);
        assert_eq!(changes.len(), cells);
        poses = head.iter().map(|&word| f32::from_bits(word)).collect();
        for change in changes {
            if change & 1 == 1 {
                solid.insert(change >> 1)
            } else {
                solid.remove(&(change >> 1))
            };
        }
    }
    poses
}

/// The cells that are solid at a tick, by the library.
fn cells_at(scene: &Scene, tick: u64, fixed: bool) -> BTreeSet<u32> {
    let mut world = scene.world().unwrap();
    scene.show(&mut world, tick).unwrap();
    let solid = (0..).zip(world.voxels().cells());
    solid
        .filter(|(_, cell)| !world.voxels().is_open(*cell) && (fixed || !world.is_static(*cell)))
        .map(|(index, _)| index)
        .collect()
}

#[tokio::test]
async fn the_page_hears_of_all_that_moves() {
    let lab = Lab::start().await;
    let library = scene_json::read(HALL.as_bytes()).unwrap();
    let scene = opened(&lab, HALL).await;
    assert_eq!((&scene["start"], &scene["goals"]), (&json!([0, 2, 0]), &json!([[11, 2, 0]])));
    assert_eq!(scene["text"], "12 x 5 x 4 cells, 1 moving obstacle.");
    assert_eq!(scene["scene"]["static"], json!([]));
    let mut client = lab.connect().await;
    client.say(&json!({"type": "world", "world": scene["world"]})).await;
    client.say(&live(&scene, 3, &["d_star_lite"], &json!({"from": 7}))).await;
    let mut solid = BTreeSet::new();
    let mut tick = 7;
    for ticks in [0, 1, 1, 30, 5, 60, 1] {
        let answer = ticked(&mut client, 3, ticks).await;
        tick += u64::from(ticks);
        assert_eq!(answer["tick"], tick - 7);
        let poses = take_changes(&mut client, &mut solid);
        assert_eq!(solid, cells_at(&library, tick, false), "tick {tick}");
        let position = library.obstacles[0].pose_at(tick).position();
        assert!((f64::from(poses[2]) - position.z / 2.0).abs() < 1e-5 && (poses[0] - 6.5).abs() < 1e-5);
        assert_eq!(poses[3..8], [0.0, 0.0, 0.0, 1.0, 1.0]);
    }
}

#[tokio::test]
async fn flyers_wait_for_the_gap_and_arrive() {
    let lab = Lab::start().await;
    let scene = opened(&lab, HALL).await;
    let mut client = lab.connect().await;
    client.say(&json!({"type": "world", "world": scene["world"]})).await;
    let algorithms = ["d_star_lite", "mt_d_star_lite", "astar", "lazy_theta"];
    client.say(&live(&scene, 3, &algorithms, &json!({"debug": true}))).await;
    let first = ticked(&mut client, 3, 1).await;
    for unit in first["units"].as_array().unwrap() {
        assert_eq!((&unit["state"], &unit["reason"]), (&json!("stuck"), &json!("disconnected")));
        assert_eq!((&unit["at"], &unit["ahead"]), (&json!([0.5, 2.5, 0.5]), &json!(0)));
    }
    let mut tick = 1;
    let mut ways = BTreeSet::new();
    let library = scene_json::read(HALL.as_bytes()).unwrap();
    let mut at = vec![[0.5, 2.5, 0.5]; 4];
    let mut has_arrived = false;
    while tick < 400 {
        let answer = ticked(&mut client, 3, 1).await;
        tick += 1;
        let solid = cells_at(&library, tick, true);
        for (unit, before) in answer["units"].as_array().unwrap().iter().zip(&mut at) {
            let now = [0, 1, 2].map(|axis| unit["at"][axis].as_f64().unwrap());
            let flown = (0..3).map(|axis| f64::powi(now[axis] - before[axis], 2)).sum::<f64>().sqrt();
            assert!(flown < 4.0 / 60.0 + 1e-9, "nobody is faster than they are");
            *before = now;
            let [x, y, z] = [0, 1, 2].map(|axis| unit["cell"][axis].as_u64().unwrap() as u32);
            // The block fills the gap from above: nobody is below it when it comes down.
            assert!(!solid.contains(&((z * 5 + y) * 12 + x)), "{unit} at tick {tick}");
            ways.insert(unit["path"].to_string());
        }
        // Whatever changes makes it plan, until it has arrived.
        let unit = &answer["units"][2];
        let is_to_plan = answer["scene"]["changed"].as_u64() > Some(0) && !has_arrived;
        has_arrived = unit["state"] == "arrived";
        assert_eq!(is_to_plan, !unit["replan"].is_null(), "{answer}");
    }
    let answer = ticked(&mut client, 3, 1).await;
    for unit in answer["units"].as_array().unwrap() {
        assert_eq!((&unit["state"], &unit["at"]), (&json!("arrived"), &json!([11.5, 2.5, 0.5])));
    }
    assert!(ways.len() > 3);
    let touched: Vec<&Vec<u8>> = client.pieces.iter().filter(|piece| piece[0] == 6).collect();
    assert!((0..4).all(|board| touched.iter().any(|piece| piece[1] == board && words(piece)[2] > 0)));
}

/// The cells that the last plan of each board looked at, as far as they were told.
fn take_touched(client: &mut Client) -> Vec<(u8, Vec<u32>)> {
    let pieces = std::mem::take(&mut client.pieces);
    let touched = pieces.iter().filter(|piece| piece[0] == 6);
    let sorted = |mut cells: Vec<u32>| {
        cells.sort_unstable();
        cells
    };
    touched.map(|piece| (piece[1], sorted(words(piece)[3..].to_vec()))).collect()
}

#[tokio::test]
async fn watching_flyers_and_another_habit_of_the_target_leave_plans_as_they_are() {
    let lab = Lab::start().await;
    let scene = opened(&lab, HALL).await;
    let mut client = lab.connect().await;
    client.say(&json!({"type": "world", "world": scene["world"]})).await;
    // Without what moves there, so that nothing else makes anyone plan.
    let algorithms = ["d_star_lite", "astar"];
    client.say(&live(&scene, 1, &algorithms, &json!({"scene": null, "debug": true}))).await;
    ticked(&mut client, 1, 1).await;
    let watched = take_touched(&mut client);
    assert_eq!(watched.iter().map(|(board, _)| *board).collect::<Vec<u8>>(), [0, 1]);
    assert!(watched.iter().all(|(_, cells)| !cells.is_empty()));

    client.say(&live(&scene, 2, &algorithms, &json!({"scene": null}))).await;
    ticked(&mut client, 2, 1).await;
    assert_eq!(take_touched(&mut client), []);
    client.say(&json!({"type": "adjust", "live": 2, "debug": true})).await;
    let answer = ticked(&mut client, 2, 0).await;
    assert!(answer["units"].as_array().unwrap().iter().all(|unit| unit["replan"].is_null()), "{answer}");
    assert_eq!(take_touched(&mut client), watched, "as if it had been watched from the beginning");
    client.say(&json!({"type": "adjust", "live": 2, "target": {"kind": "steer"}})).await;
    let answer = ticked(&mut client, 2, 5).await;
    assert!(answer["units"].as_array().unwrap().iter().all(|unit| unit["replan"].is_null()), "{answer}");
    for (kind, reason) in [("flee", "which is for grids"), ("scene", "no scene")] {
        let wish = json!({"type": "adjust", "live": 2, "target": {"kind": kind}});
        let refusal = client.refusal(&wish).await;
        assert!(refusal["message"].as_str().unwrap().contains(reason), "{refusal}");
    }
}

#[tokio::test]
async fn points_without_faces_fly_as_their_hull() {
    let corners = (0..8).map(|bits| [1 - 2 * (bits & 1), 1 - (bits & 2), 3 - 3 * (bits >> 1 & 2)]);
    let points = json!({"points": corners.chain([[0, 0, 1]]).collect::<Vec<_>>()});
    let lab = Lab::start().await;
    let scene =
        opened(&lab, &HALL.replace(r#""box": [1, 1, 3]"#, &format!("\"polyhedron\": {points}"))).await;
    let hull = &scene["scene"]["obstacles"][0]["polyhedron"];
    assert_eq!((hull["points"].as_array().unwrap().len(), hull["faces"].is_array()), (8, true), "{hull}");
    let library = scene_json::read(HALL.as_bytes()).unwrap();
    let mut client = lab.connect().await;
    client.say(&json!({"type": "world", "world": scene["world"]})).await;
    client.say(&live(&scene, 3, &["d_star_lite"], &json!({}))).await;
    let mut solid = BTreeSet::new();
    for tick in (20..=400).step_by(20) {
        let answer = ticked(&mut client, 3, 20).await;
        take_changes(&mut client, &mut solid);
        assert_eq!(solid, cells_at(&library, tick, false), "tick {tick}");
        assert_eq!(answer["units"][0]["state"] == "arrived", tick >= 240, "{answer}");
    }
}

#[tokio::test]
async fn what_is_painted_is_flown_around() {
    let lab = Lab::start().await;
    let scene = opened(&lab, HALL).await;
    let mut client = lab.connect().await;
    client.say(&json!({"type": "world", "world": scene["world"]})).await;
    client.say(&live(&scene, 3, &["d_star_lite"], &json!({}))).await;
    let mut solid = BTreeSet::new();
    ticked(&mut client, 3, 40).await;
    take_changes(&mut client, &mut solid);
    client.say(&json!({"type": "edit", "voxels": [[6, 0, 0, 1, 1], [6, 2, 0, 1, 0], [2, 2, 0, 1, 0]]})).await;
    let answer = ticked(&mut client, 3, 1).await;
    let before = solid.clone();
    take_changes(&mut client, &mut solid);
    assert_eq!(solid.difference(&before).collect::<Vec<_>>(), [&26]);
    let path = answer["units"][0]["path"].to_string();
    assert!(path.contains("[6,0,0]") && !path.contains("[2,2,0]"), "{path}");
    client.say(&json!({"type": "place", "live": 3, "unit": [11, 0, 0], "target": [11, 4, 3]})).await;
    let answer = ticked(&mut client, 3, 200).await;
    assert_eq!((&answer["units"][0]["state"], &answer["target"]), (&json!("arrived"), &json!([11, 4, 3])));
}

#[tokio::test]
async fn scenes_of_the_gallery_are_flown_through_the_same_way_twice() {
    let lab = Lab::start().await;
    for name in ["patrols", "doors", "sky"] {
        let scene = lab.scene(name).await;
        let kind = if name == "doors" { "stay" } else { "scene" };
        let radius = scene["scene"]["agent"]["radius"].clone();
        let mut message =
            live(&scene, 1, &["mt_d_star_lite", "astar"], &json!({"target": {"kind": kind}, "speed": 6.0}));
        for board in 0..2 {
            message["boards"][board]["query"]["radius"] = radius.clone();
        }
        let mut stories = Vec::new();
        for slices in [1, 20] {
            let mut client = lab.connect().await;
            client.say(&json!({"type": "world", "world": scene["world"]})).await;
            client.say(&message).await;
            let mut last = Value::Null;
            for _ in 0..slices {
                last = ticked(&mut client, 1, 600 / slices).await;
            }
            let told = |unit: &Value| json!([unit["at"], unit["state"], unit["ahead"], unit["travelled"]]);
            stories.push((
                last["target"].clone(),
                last["units"].as_array().unwrap().iter().map(told).collect::<Vec<_>>(),
            ));
            for unit in last["units"].as_array().unwrap() {
                assert!(unit["travelled"].as_f64().unwrap() > 25.0, "{name}: {unit}");
            }
        }
        assert_eq!(stories[0], stories[1], "{name}");
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let lab = Lab::start().await;
    let post = async |text: String| lab.post("/api/open?name=a.json", text.as_bytes()).await;
    for (from, to, expected) in [
        ("[12, 5, 4]", "[4096, 4096, 16]", "too many for the lab"),
        ("\"speed\": 2", "\"speed\": -2", "a.json: obstacles[0]"),
        ("\"size\"", "\"extent\"", "a.json: "),
        ("\"obstacles\": [", "\"obstacles\": ", "a.json: "),
    ] {
        let error = post(HALL.replace(from, to)).await.error();
        assert!(error.contains(expected), "{error}");
    }
    let scene = opened(&lab, HALL).await;
    let mut client = lab.connect().await;
    client.say(&drawn(&["....", "...."])).await;
    let refused = async |client: &mut Client, message: &Value| {
        client.refusal(message).await["message"].as_str().unwrap().to_owned()
    };
    assert!(refused(&mut client, &live(&scene, 1, &["astar"], &json!({}))).await.contains("expected [x, y]"));
    client.say(&json!({"type": "world", "world": scene["world"]})).await;
    for (more, expected) in [
        (json!({"scene": {"surefoot": "scene"}}), "live: scene: "),
        (json!({"scene": 3}), "live: scene: "),
        (json!({"target": {"kind": "flee"}}), "which is for grids"),
        (json!({"target": {"kind": "scene"}, "scene": null}), "the world has no scene"),
        (json!({"speed": -1.0}), "found -1 as speed"),
        (json!({"boards": []}), "no boards"),
    ] {
        let message = refused(&mut client, &live(&scene, 1, &["astar"], &more)).await;
        assert!(message.contains(expected), "{message}");
    }
    let mut small = scene.clone();
    small["scene"]["size"] = json!([3, 3, 3]);
    let message = refused(&mut client, &live(&small, 1, &["astar"], &json!({}))).await;
    assert!(message.contains("found 3 x 3 x 3 cells, expected those of the world, 12 x 5 x 4"), "{message}");
    let mut outside = scene.clone();
    outside["start"] = json!([12, 0, 0]);
    let message = refused(&mut client, &live(&outside, 1, &["astar"], &json!({}))).await;
    assert!(message.contains("12, 0, 0 is outside the map"), "{message}");
    client.say(&live(&scene, 1, &["astar"], &json!({}))).await;
    let away = json!({"type": "place", "live": 1, "unit": [0, 0, 4]});
    assert_eq!(refused(&mut client, &away).await, "place: cell 0,0,4 is outside the map");
    let flat = json!({"type": "place", "live": 1, "target": [0, 0]});
    assert!(refused(&mut client, &flat).await.contains("expected [x, y, z]"));
}
