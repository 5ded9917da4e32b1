//! Algorithms that prepare a map before they search it.

use serde_json::{Value, json};

use crate::client::{Client, Lab, drawn, run};

/// The names of all algorithms that prepare.
async fn preparing(lab: &Lab) -> Vec<String> {
    let about = lab.get("/api/about").await.json();
    let all = about["algorithms"].as_array().unwrap();
    let named = all.iter().filter(|one| one["prepares"] == true);
    named.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

/// A scene that takes a while to prepare.
async fn large(lab: &Lab, client: &mut Client) -> Value {
    let scene = lab.get("/api/generate?kind=caves&width=1400&height=1400&seed=1").await.json();
    client.say(&json!({"type": "world", "world": scene["world"]})).await;
    scene
}

/// Whether a run ended because the map would take too much memory, which it says.
fn is_refused(done: &Value) -> bool {
    let refused = done["reason"] == "not_prepared";
    assert!(!refused || done["message"].as_str().is_some_and(|words| words.contains("MB")), "{done}");
    refused
}

fn query(algorithm: &str, start: &Value, goals: &Value) -> Value {
    json!({"start": start, "goals": goals, "algorithm": algorithm})
}

#[tokio::test]
async fn a_map_is_prepared_once_and_again_after_it_changed() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    let rows = ["........", "..####..", ".....#..", ".##..#..", "........"];
    for algorithm in preparing(&lab).await {
        client.say(&drawn(&rows)).await;
        let ask = |start: Value| query(&algorithm, &start, &json!([[7, 4]]));
        let first = client.run(&ask(json!([0, 0]))).await;
        assert_eq!(
            (&first["outcome"], &first["prepared"]["fresh"]),
            (&json!("found"), &json!(true)),
            "{first}"
        );
        assert!(
            first["prepared"]["bytes"].as_u64().unwrap() > 0
                && first["prepared"]["us"].as_f64().unwrap() > 0.0
        );
        let table = first["prepared"]["table"].as_u64().unwrap();
        let moved = client.run(&ask(json!([3, 0]))).await;
        assert_eq!(
            (&moved["prepared"]["table"], &moved["prepared"]["fresh"]),
            (&json!(table), &json!(false))
        );
        assert_eq!(
            moved["prepared"]["us"], first["prepared"]["us"],
            "it is told what it took when it was made"
        );
        // Another board shares it.
        client.say(&run(1, 7, &ask(json!([0, 4])))).await;
        assert_eq!(client.next_of("done").await["prepared"]["table"], table);
        // Another agent does not.
        let mut four = ask(json!([0, 0]));
        four["moves"] = json!("4");
        let other = client.run(&four).await["prepared"].clone();
        assert!(other["table"].as_u64().unwrap() > table && other["fresh"] == true, "{other}");
        client.say(&json!({"type": "edit", "runs": [[2, 4, 1, 0]]})).await;
        let edited = client.run(&ask(json!([0, 0]))).await;
        assert!(
            edited["prepared"]["table"].as_u64().unwrap() > table && edited["prepared"]["fresh"] == true,
            "{edited}"
        );
        assert_eq!(edited["outcome"], "found");
    }
    let done = client.run(&query("astar", &json!([0, 0]), &json!([[7, 4]]))).await;
    assert_eq!(done["prepared"], Value::Null, "an algorithm that prepares nothing says so");
}

#[tokio::test]
async fn a_map_that_an_algorithm_refuses_is_not_prepared() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&drawn(&["..4...", "......"])).await;
    let about = lab.get("/api/about").await.json();
    let level = |one: &&Value| one["prepares"] == true && one["weighted"] == false;
    for algorithm in about["algorithms"].as_array().unwrap().iter().filter(level) {
        let name = algorithm["name"].as_str().unwrap();
        let done = client.run(&query(name, &json!([0, 0]), &json!([[5, 1]]))).await;
        assert_eq!((&done["reason"], &done["prepared"]), (&json!("not_applicable"), &Value::Null), "{name}");
    }
}

#[tokio::test]
async fn sketches_come_when_they_are_asked_for_and_new() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    for algorithm in preparing(&lab).await {
        client.say(&drawn(&["......", "..##..", "......"])).await;
        let query = query(&algorithm, &json!([0, 0]), &json!([[5, 2]]));
        let mut asked = async |sketch: Value| {
            client.pieces.clear();
            let mut message = run(2, 9, &query);
            message["sketch"] = sketch;
            client.say(&message).await;
            let table = client.next_of("done").await["prepared"]["table"].as_u64().unwrap() as u32;
            (table, std::mem::take(&mut client.pieces))
        };
        let (table, none) = asked(Value::Null).await;
        assert!(none.is_empty());
        let (_, sketches) = asked(json!(0)).await;
        assert_eq!(sketches.len(), 1);
        assert_eq!(sketches[0][..8], [2, 2, 0, 0, 9, 0, 0, 0]);
        assert_eq!(sketches[0][8..12], table.to_le_bytes());
        let word = |at: usize| u32::from_le_bytes(sketches[0][at..at + 4].try_into().unwrap()) as usize;
        assert_eq!(sketches[0].len(), 36 + 8 * word(16) + 4 * word(24) + 8 * word(32));
        assert!(asked(json!(table)).await.1.is_empty(), "the page has it");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_preparation_tells_how_far_it_is_and_can_be_ended() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    let scene = large(&lab, &mut client).await;
    let mut prepared = 0;
    for algorithm in preparing(&lab).await {
        let query = query(&algorithm, &scene["start"], &scene["goals"]);
        client.say(&run(0, 1, &query)).await;
        let told = client.next().await;
        // Too fast to tell anything.
        if told["type"] == "began" {
            client.next_of("done").await;
            continue;
        }
        if is_refused(&told) {
            continue;
        }
        assert_eq!((&told["type"], &told["run"]), (&json!("preparing"), &json!(1)), "{told}");
        assert!((0.0..=1.0).contains(&told["share"].as_f64().unwrap()), "{told}");
        client.say(&json!({"type": "cancel", "board": 0})).await;
        let done = client.next_of("done").await;
        if is_refused(&done) {
            continue;
        }
        prepared += 1;
        assert_eq!((&done["outcome"], &done["promise"]), (&json!("cancelled"), &Value::Null), "{done}");
        // A run ends the preparation for the one before it; a client that leaves ends its own.
        client.say(&run(0, 2, &query)).await;
        assert_eq!(client.next_of("preparing").await["run"], 2);
        let mut leaving = lab.connect().await;
        leaving.say(&json!({"type": "world", "world": scene["world"]})).await;
        leaving.say(&run(0, 1, &query)).await;
        drop(leaving);
        client
            .say(&run(0, 3, &json!({"start": scene["start"], "goals": scene["goals"], "algorithm": "jps"})))
            .await;
        let done = client.next_of("done").await;
        assert_eq!((&done["outcome"], &done["run"]), (&json!("cancelled"), &json!(2)), "{done}");
        assert_eq!(client.next_of("done").await["run"], 3);
    }
    assert!(prepared > 0);
}
