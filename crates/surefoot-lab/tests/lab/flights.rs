//! What the page is told of flights: hits, times of ticks, forecasts; and recorded flights.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use surefoot::formats::scene_json;
use surefoot::scene::Scene;

use crate::client::{Client, Lab, field};

/// A corridor of 30 x 5 x 5 cells: a block appears in it after two seconds and fills its middle, a ball goes up and down behind it.
const CORRIDOR: &str = r#"{"surefoot": "scene", "version": 1, "size": [30, 5, 5], "origin": [0, 0, 0], "cell_size": 1.0,
    "agent": {"radius": 0.4, "speed": 6}, "start": [1.5, 2.5, 2.5], "goal": {"position": [28.5, 2.5, 2.5]},
    "static": [{"box": [0.5, 2.5, 0.5], "position": [26.5, 2.5, 0.5]}],
    "obstacles": [{"name": "gate", "box": [4, 2.5, 2.5], "position": [14, 2.5, 2.5], "switch": {"every": 2, "on": false}},
                  {"name": "ball", "sphere": 1, "position": [23.5, 1.5, 1.5], "patrol": {"points": [[23.5, 1.5, 1.5], [23.5, 3.5, 3.5]], "speed": 2}}]}"#;

/// A file of a flight at these positions, from a tick on.
fn flight(scene: &str, from: u64, tick: u64, positions: &[[f64; 3]], switches: &str) -> String {
    let scene: Value = serde_json::from_str(scene).unwrap();
    json!({"surefoot": "flight", "version": 1, "planner": "sipp", "seed": 3, "run": 17, "switches": switches, "evade": true, "from": from,
        "tick": tick, "cause": "touched obstacle 1 (ball), which moves, while flying",
        "hits": [{"tick": tick, "what": "obstacle 1 (ball)", "kind": "moving", "distance": 0.2}], "positions": positions, "scene": scene})
    .to_string()
}

async fn opened(lab: &Lab, text: &str) -> Value {
    let reply = lab.post("/api/open?name=corridor.json", text.as_bytes()).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

/// A message that lets agents of a radius fly through a scene that was opened.
fn live(scene: &Value, algorithms: &[&str], radius: f64, more: &Value) -> Value {
    let query = |algorithm| json!({"start": scene["start"], "goals": scene["goals"], "algorithm": algorithm, "radius": radius});
    let boards = (0..).zip(algorithms);
    let boards: Vec<Value> = boards
        .map(|(board, algorithm): (u8, _)| json!({"board": board, "query": query(algorithm)}))
        .collect();
    let mut message = json!({"type": "live", "live": 1, "boards": boards, "speed": 6.0, "target": {"kind": "stay"}, "scene": scene["scene"]});
    message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    message
}

async fn started(lab: &Lab, scene: &Value, message: &Value) -> Client {
    let mut client = lab.connect().await;
    client.say(&json!({"type": "world", "world": scene["world"]})).await;
    client.say(message).await;
    client
}

async fn ticked(client: &mut Client, ticks: u32) -> Value {
    client.say(&json!({"type": "tick", "live": 1, "ticks": ticks})).await;
    client.next_of("ticked").await
}

/// The sums of a unit: static, moving, appeared.
fn sums(answer: &Value, board: usize) -> [u64; 3] {
    ["static", "moving", "appeared"].map(|kind| answer["units"][board]["hits"][kind].as_u64().unwrap())
}

#[tokio::test]
async fn blocks_that_appear_are_foreseen_and_flights_without_hits_say_so() {
    let lab = Lab::start().await;
    let scene = opened(&lab, CORRIDOR).await;
    let mut client =
        started(&lab, &scene, &live(&scene, &["astar", "mt_d_star_lite", "lazy_theta"], 0.4, &json!({})))
            .await;
    let answer = ticked(&mut client, 150).await;
    for unit in answer["units"].as_array().unwrap() {
        assert!(unit["at"][0].as_f64().unwrap() < 9.7, "it waits for the block to disappear again: {unit}");
    }
    let answer = ticked(&mut client, 600).await;
    for board in 0..3 {
        let unit = &answer["units"][board];
        assert_eq!((&unit["state"], sums(&answer, board)), (&json!("arrived"), [0, 0, 0]), "{unit}");
        assert_eq!(unit["hits"]["new"], json!([]));
    }
}

#[tokio::test]
async fn hits_are_counted_by_kind_and_told_once() {
    let lab = Lab::start().await;
    let scene = opened(&lab, CORRIDOR).await;
    let mut client = started(&lab, &scene, &live(&scene, &["astar"], 0.4, &json!({}))).await;
    ticked(&mut client, 5).await;
    // In the middle of the block there is no way out in time.
    client.say(&json!({"type": "place", "live": 1, "unit": [14, 2, 2]})).await;
    ticked(&mut client, 95).await;
    client.say(&json!({"type": "place", "live": 1, "unit": [14, 2, 2]})).await;
    let answer = ticked(&mut client, 30).await;
    assert_eq!(sums(&answer, 0), [0, 0, 1]);
    let hit = &answer["units"][0]["hits"]["new"][0];
    assert_eq!((&hit["tick"], &hit["kind"], &hit["obstacle"]), (&json!(120), &json!("appeared"), &json!(0)));
    assert!((hit["at"][0].as_f64().unwrap() - 14.5).abs() < 2.1 && hit["at"].as_array().unwrap().len() == 3);
    let answer = ticked(&mut client, 3).await;
    assert_eq!((sums(&answer, 0), &answer["units"][0]["hits"]["new"]), ([0, 0, 1], &json!([])));
    // Painted onto it.
    client.say(&json!({"type": "place", "live": 1, "unit": [2, 2, 2]})).await;
    ticked(&mut client, 1).await;
    client.say(&json!({"type": "edit", "voxels": [[2, 2, 2, 1, 0]]})).await;
    let answer = ticked(&mut client, 1).await;
    let hit = &answer["units"][0]["hits"]["new"][0];
    assert_eq!(
        (sums(&answer, 0), &hit["kind"], &hit["obstacle"]),
        ([1, 0, 1], &json!("static"), &Value::Null)
    );
}

#[tokio::test]
async fn every_tick_has_its_times_on_every_board() {
    let lab = Lab::start().await;
    let scene = opened(&lab, CORRIDOR).await;
    let mut client = started(&lab, &scene, &live(&scene, &["astar", "d_star_lite"], 0.0, &json!({}))).await;
    let mut replans = [0, 0];
    for ticks in [1, 0, 7, 300] {
        let answer = ticked(&mut client, ticks).await;
        for board in 0..2 {
            let unit = &answer["units"][board];
            let frames = unit["frames"].as_array().unwrap();
            assert_eq!(frames.len(), ticks.min(240) as usize, "the last four seconds");
            let of = |part: usize| frames.iter().map(move |frame| frame[part].as_f64().unwrap());
            assert!((0..3).all(|part| of(part).all(|us| us >= 0.0)));
            assert!(ticks == 0 || of(0).sum::<f64>() > 0.0);
            let planned = &unit["replan"];
            if ticks == 1 {
                let [us, plan] = [planned["us"].as_f64().unwrap(), of(1).sum()];
                assert!((us - plan).abs() < 1.0, "the plan of the tick: {us}, {plan}");
            }
            // A search from scratch answers whenever nothing is repaired.
            let count = planned["count"].as_u64().unwrap_or(0);
            replans[board] += count;
            let fresh = planned["fresh_count"].as_u64().unwrap_or(0);
            assert!(if board == 0 { fresh == count } else { fresh <= count }, "{unit}");
        }
    }
    assert!(replans[0] > 20 && replans[1] > 20, "{replans:?}");
}

/// The cells that obstacles cover at a tick, by the library.
fn cells_at(scene: &Scene, tick: u64) -> BTreeSet<u32> {
    let mut world = scene.world().unwrap();
    scene.show(&mut world, tick).unwrap();
    let cells = (0..).zip(world.voxels().cells());
    let covered = cells.filter(|(_, cell)| !world.voxels().is_open(*cell) && !world.is_static(*cell));
    covered.map(|(number, _)| number).collect()
}

/// The forecasts that came: milliseconds and cells.
fn forecasts(client: &mut Client) -> Vec<(u32, BTreeSet<u32>)> {
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    let pieces = client.pieces.drain(..).filter(|piece| piece[0] == 7);
    pieces
        .map(|piece| {
            assert_eq!(
                (piece[1], word(&piece[4..8]), word(&piece[8..12]) as usize),
                (0, 1, piece.len() / 4 - 3)
            );
            (word(&piece[..4]) >> 16, piece[12..].chunks(4).map(word).collect())
        })
        .collect()
}

#[tokio::test]
async fn forecasts_tell_what_will_be_covered() {
    let lab = Lab::start().await;
    let library = scene_json::read(CORRIDOR.as_bytes()).unwrap();
    let scene = opened(&lab, CORRIDOR).await;
    let mut client = started(&lab, &scene, &live(&scene, &["astar"], 0.0, &json!({"forecast": 0.3}))).await;
    for tick in 1..=40 {
        ticked(&mut client, 1).await;
        assert_eq!(forecasts(&mut client), [(300, cells_at(&library, tick + 18))], "tick {tick}");
    }
    client.say(&json!({"type": "adjust", "live": 1, "forecast": 0.5})).await;
    ticked(&mut client, 0).await;
    assert_eq!(forecasts(&mut client), [(500, cells_at(&library, 70))]);
    // Half a second before it is there the block is taken for there.
    ticked(&mut client, 30).await;
    let block = cells_at(&library, 120);
    assert!(
        forecasts(&mut client)[0]
            .1
            .is_superset(&block.difference(&cells_at(&library, 119)).copied().collect())
    );
    client.say(&json!({"type": "adjust", "live": 1, "forecast": 0})).await;
    ticked(&mut client, 1).await;
    assert_eq!(forecasts(&mut client), []);
    for seconds in [-0.1, 0.6] {
        let refusal = client.refusal(&json!({"type": "adjust", "live": 1, "forecast": seconds})).await;
        let expected = format!("adjust: found a forecast of {seconds} seconds, expected 0 to 0.5");
        assert_eq!(refusal["message"], expected);
    }
    let refusal = client.refusal(&live(&scene, &["astar"], 0.0, &json!({"forecast": 9}))).await;
    assert!(
        refusal["message"].as_str().unwrap().starts_with("live: found a forecast of 9 seconds"),
        "{refusal}"
    );
    client.say(&field(9, 9)).await;
    let query = json!({"start": [0, 0], "goals": [[8, 8]], "algorithm": "astar"});
    client.say(&json!({"type": "live", "live": 1, "boards": [{"board": 0, "query": query}], "speed": 6.0, "target": {"kind": "stay"}})).await;
    let refusal = client.refusal(&json!({"type": "adjust", "live": 1, "forecast": 0.3})).await;
    assert!(refusal["message"].as_str().unwrap().contains("which is for voxel worlds"), "{refusal}");
}

/// A flight straight through the corridor at a speed in cells per tick.
fn straight(y: f64, speed: f64, ticks: u32) -> Vec<[f64; 3]> {
    (0..=ticks).map(|tick| [1.5 + speed * f64::from(tick), y, 2.5]).collect()
}

#[tokio::test]
async fn recorded_flights_are_flown_again_and_judged() {
    let lab = Lab::start().await;
    let positions = straight(2.5, 0.1, 250);
    let scene = opened(&lab, &flight(CORRIDOR, 30, 90, &positions, "timetable")).await;
    let record = scene["flight"].clone();
    assert_eq!(
        (&record["planner"], &record["run"], &record["from"], &record["tick"]),
        (&json!("sipp"), &json!(17), &json!(30), &json!(90))
    );
    assert_eq!((&record["positions"], &record["holds_blocks"]), (&json!(positions), &json!(false)));
    let message = |holds_blocks: bool| {
        let recorded = json!({"positions": positions, "holds_blocks": holds_blocks});
        live(&scene, &["astar"], 0.4, &json!({"from": 30, "recorded": recorded}))
    };
    let mut client = started(&lab, &scene, &message(false)).await;
    let mut hits = Vec::new();
    for (tick, position) in positions.iter().enumerate().skip(1) {
        let answer = ticked(&mut client, 1).await;
        let unit = &answer["units"][0];
        assert_eq!((&unit["at"], &unit["replan"]), (&json!(position), &Value::Null));
        assert_eq!(unit["state"], if tick < 250 { "recorded" } else { "ended" });
        hits.extend(unit["hits"]["new"].as_array().unwrap().iter().map(|hit| hit["obstacle"].clone()));
    }
    // At tick 120 of the scene it has flown 9 cells, and is inside the block; then it meets the ball, and a solid cell below it is not touched.
    assert_eq!(hits[0], 0);
    assert!(hits.contains(&json!(1)) && !hits.contains(&Value::Null), "{hits:?}");
    let answer = ticked(&mut client, 10).await;
    assert_eq!(
        (&answer["units"][0]["state"], &answer["units"][0]["at"]),
        (&json!("ended"), &json!(positions[250]))
    );

    let mut refused = message(false);
    refused["recorded"]["positions"] = json!([]);
    assert!(client.refusal(&refused).await["message"].as_str().unwrap().contains("has no positions"));
    let two = live(&scene, &["astar", "d_star_lite"], 0.4, &json!({"recorded": {"positions": positions}}));
    assert!(client.refusal(&two).await["message"].as_str().unwrap().contains("exactly one board"));
}

#[tokio::test]
async fn blocks_wait_for_recorded_flights_where_they_did() {
    let lab = Lab::start().await;
    let text = CORRIDOR.replace("\"on\": false}", "\"on\": false, \"room\": [4.5, 2.5, 2.5]}");
    let positions = straight(2.5, 0.1, 200);
    let scene = opened(&lab, &flight(&text, 30, 90, &positions, "seed")).await;
    assert_eq!(scene["flight"]["holds_blocks"], true);
    for (holds_blocks, appeared) in [(true, 0), (false, 1)] {
        let recorded = json!({"positions": positions, "holds_blocks": holds_blocks});
        let message = live(&scene, &["astar"], 0.4, &json!({"from": 30, "recorded": recorded}));
        let mut client = started(&lab, &scene, &message).await;
        let answer = ticked(&mut client, 190).await;
        assert_eq!(sums(&answer, 0)[2], appeared, "{answer}");
    }
}

#[tokio::test]
async fn files_that_are_no_flights_are_refused_with_a_reason() {
    let lab = Lab::start().await;
    let good = flight(CORRIDOR, 30, 32, &straight(2.5, 0.1, 4), "timetable");
    opened(&lab, &good).await;
    for (field, value, expected) in [
        ("switches", json!("often"), "a.flight.json: not a recorded flight: unknown variant `often`"),
        ("from", json!(-30), "a.flight.json: not a recorded flight: invalid value"),
        ("tick", json!(99), "a.flight.json: tick: found tick 99, expected one of the flight, 30 to 34"),
        ("scene", json!({"surefoot": "scene"}), "a.flight.json: scene: "),
        ("version", json!(2), "a.flight.json: found a recorded flight of version 2, expected 1"),
    ] {
        let mut wrong: Value = serde_json::from_str(&good).unwrap();
        wrong[field] = value;
        let error = lab.post("/api/open?name=a.flight.json", wrong.to_string().as_bytes()).await.error();
        assert!(error.starts_with(expected), "{error}");
    }
    let error = lab.post("/api/open?name=a.flight.json", &good.as_bytes()[..200]).await.error();
    assert!(error.contains("a.flight.json"), "{error}");
}
