//! Voxel worlds: sent, edited, searched, opened, written.

use serde_json::{Value, json};
use surefoot::prelude::NodeId;
use surefoot::search::observe::TraceEvents;

use crate::client::{Lab, drawn, run};

/// A message with an empty world of 5 x 4 x 3 cells: 60 bits.
fn hall() -> Value {
    json!({"type": "world", "world": world([5, 4, 3], "AAAAAAAAAAA=")})
}

fn world(size: [u32; 3], solid: &str) -> Value {
    json!({"surefoot": "world", "version": 1, "kind": "voxel", "size": size, "solid": solid})
}

fn query(more: &Value) -> Value {
    let mut query = json!({"start": [0, 0, 0], "goals": [[4, 3, 2]], "algorithm": "astar"});
    for (name, value) in more.as_object().unwrap() {
        query[name] = value.clone();
    }
    query
}

#[tokio::test]
async fn searches_run_by_the_rules_of_space() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&hall()).await;
    let costs =
        [("6", 9.0), ("18", 1.0 + 4.0 * 2.0_f64.sqrt()), ("26", 1.0 + 2.0_f64.sqrt() + 2.0 * 3.0_f64.sqrt())];
    for (moves, expected) in costs {
        let done = client.run(&query(&json!({"moves3": moves}))).await;
        let cost = done["cost"].as_f64().unwrap();
        assert!((cost - expected).abs() < 1e-6, "{moves}: {cost}, expected {expected}");
        let path = done["path"].as_array().unwrap();
        assert_eq!((&path[0], path.last()), (&json!([0, 0, 0]), Some(&json!([4, 3, 2]))));
    }
    let wide = client.run(&query(&json!({"radius": 2.0}))).await;
    assert_eq!(wide["outcome"], "unreachable", "nobody that wide stands in a corner");
}

#[tokio::test]
async fn every_algorithm_of_space_answers() {
    let lab = Lab::start().await;
    let about = lab.get("/api/about").await.json();
    let mut client = lab.connect().await;
    client.say(&hall()).await;
    let works = |one: &&Value| one["worlds"].as_array().unwrap().contains(&json!("voxel"));
    let algorithms: Vec<&Value> = about["algorithms"].as_array().unwrap().iter().filter(works).collect();
    assert!(algorithms.iter().any(|one| one["name"] == "jps3"));
    for algorithm in algorithms {
        let mut message = run(0, 1, &query(&json!({"algorithm": algorithm["name"]})));
        (message["trace"], message["time"]) = (json!(true), json!(true));
        client.say(&message).await;
        let done = client.next_of("done").await;
        assert_eq!(done["outcome"], "found", "{done}");
        let (cost, optimum) = (done["cost"].as_f64().unwrap(), done["optimum"].as_f64().unwrap());
        // The optimum is one in steps: straight lines at any angle are shorter.
        let (is_optimal, is_shorter) = ((cost - optimum).abs() < 1e-9, cost < optimum);
        let is_promised = done["promise"]["kind"] == "optimal";
        assert!(is_optimal || (!is_promised && (algorithm["any_angle"] == true || !is_shorter)), "{done}");
        client.next_of("timed").await;
    }
}

#[tokio::test]
async fn edits_change_the_way_and_can_be_taken_back() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&hall()).await;
    let before = client.run(&query(&json!({}))).await;
    // A wall at x = 2 with a window at y = 0, z = 0.
    let rows = (0..12).filter(|row| *row > 0).map(|row| json!([2, row % 4, row / 4, 1, 0]));
    client.say(&json!({"type": "edit", "voxels": rows.collect::<Vec<_>>()})).await;
    let around = client.run(&query(&json!({}))).await;
    assert!(around["path"].as_array().unwrap().contains(&json!([2, 0, 0])), "{around}");
    client.say(&json!({"type": "edit", "voxels": [[2, 0, 0, 1, 0]]})).await;
    let closed = client.run(&query(&json!({}))).await;
    assert_eq!((&closed["outcome"], &closed["reason"]), (&json!("unreachable"), &json!("disconnected")));
    let region = &closed["region"];
    assert_eq!((&region["of"], region["runs"].as_array().unwrap().len()), (&json!("start"), 12));
    assert_eq!(region["runs"][5], json!([0, 1, 1, 2]));
    let open = (0..12).map(|row| json!([0, row % 4, row / 4, 5, 1]));
    client.say(&json!({"type": "edit", "voxels": open.collect::<Vec<_>>()})).await;
    assert_eq!(client.run(&query(&json!({}))).await["path"], before["path"]);
}

#[tokio::test]
async fn a_trace_is_in_cells_and_in_the_units_announced() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&hall()).await;
    let mut message = run(0, 1, &query(&json!({"start": [1, 2, 1], "goals": [[4, 2, 1]]})));
    message["trace"] = json!(true);
    client.say(&message).await;
    let began = client.next().await;
    let done = client.next_of("done").await;
    let cell_of = |[x, y, z]: [u32; 3]| NodeId((z * 4 + y) * 5 + x);
    let events: Vec<_> = TraceEvents::new(&client.pieces[0][12..]).collect();
    assert_eq!(events[0].node, cell_of([1, 2, 1]));
    let last = events.last().unwrap();
    assert_eq!(last.node, cell_of([4, 2, 1]), "the goal is closed last");
    let in_cells = last.g.units() as f64 / began["units"].as_f64().unwrap();
    assert!((in_cells - done["cost"].as_f64().unwrap()).abs() < 1e-9);
}

#[tokio::test]
async fn what_cannot_be_used_is_refused_and_changes_nothing() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&hall()).await;
    let messages = [
        (json!({"type": "world", "world": world([300, 300, 300], "")}), "at most 16777216 in total"),
        (json!({"type": "world", "world": world([5, 4, 3], "AAA=")}), "expected 8 for 5 x 4 x 3 cells"),
        (json!({"type": "edit", "voxels": [[3, 0, 0, 3, 0]]}), "are not all inside 5 x 4 x 3"),
        (json!({"type": "edit", "voxels": [[0, 0, 3, 1, 0]]}), "are not all inside 5 x 4 x 3"),
        (json!({"type": "edit", "voxels": [[0, 0, 0, 1, 7]]}), "expected 0 for solid or 1 for open"),
        (json!({"type": "edit", "runs": [[0, 0, 1, 0]]}), "expected voxels"),
        (run(0, 5, &query(&json!({"start": [0, 0]}))), "expected [x, y, z] in a voxel world"),
        (run(0, 6, &query(&json!({"moves3": "8"}))), "expected 6, 18 or 26"),
        (run(0, 7, &query(&json!({"algorithm": "astar", "start": [0, 0, 0, 0]}))), "invalid length"),
    ];
    for (message, expected) in messages {
        let answer = client.refusal(&message).await;
        assert!(answer["message"].as_str().unwrap().contains(expected), "{answer}");
    }
    assert_eq!(client.run(&query(&json!({}))).await["outcome"], "found");
    client.say(&drawn(&["...", "..."])).await;
    let answer = client.refusal(&json!({"type": "edit", "voxels": [[0, 0, 0, 1, 0]]})).await;
    assert!(answer["message"].as_str().unwrap().contains("expected runs of a grid"), "{answer}");
}

#[tokio::test]
async fn voxel_maps_are_opened_and_written() {
    let lab = Lab::start().await;
    let text = "voxel 6 3 2\n2 0 0\n2 1 0\n2 2 0\n5 2 1\n";
    let scene = lab.post("/api/open?name=wall.3dmap", text.as_bytes()).await.json();
    assert_eq!(
        (&scene["title"], &scene["text"]),
        (&json!("wall.3dmap"), &json!("6 x 3 x 2 cells, 32 of them open."))
    );
    let exported = lab.post("/api/export?format=3dmap", scene["world"].to_string().as_bytes()).await;
    assert_eq!(exported.text(), text);
    let mut client = lab.connect().await;
    client.say(&json!({"type": "world", "world": scene["world"]})).await;
    let ends = json!({"start": scene["start"], "goals": scene["goals"]});
    assert_eq!(client.run(&query(&ends)).await["outcome"], "found");
    let error = lab.post("/api/open?name=huge.3dmap", b"voxel 400 400 400\n").await.error();
    assert!(error.contains("too many for the lab"), "{error}");
    let solid = lab.post("/api/open?name=solid.3dmap", b"voxel 1 1 1\n0 0 0\n").await.json();
    assert_eq!((&solid["start"], &solid["goals"]), (&Value::Null, &json!([])));
}
