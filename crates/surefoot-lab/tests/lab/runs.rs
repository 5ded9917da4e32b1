//! Runs: what they answer, and how they end.

use serde_json::{Value, json};

use crate::client::{Lab, drawn, field, run};

#[tokio::test]
async fn every_algorithm_answers_on_every_world() {
    let lab = Lab::start().await;
    let about = lab.get("/api/about").await.json();
    let mut client = lab.connect().await;
    for name in ["trap", "towns"] {
        let scene = lab.scene(name).await;
        client.say(&json!({"type": "world", "world": scene["world"]})).await;
        for algorithm in about["algorithms"].as_array().unwrap() {
            if !algorithm["worlds"].as_array().unwrap().contains(&scene["world"]["kind"]) {
                continue;
            }
            let query =
                json!({"start": scene["start"], "goals": scene["goals"], "algorithm": algorithm["name"]});
            let mut message = run(1, 42, &query);
            (message["trace"], message["time"]) = (json!(true), json!(true));
            client.say(&message).await;
            let began = client.next_of("began").await;
            assert_eq!((&began["board"], &began["run"]), (&json!(1), &json!(42)));
            let done = client.next().await;
            assert_eq!((&done["outcome"], &done["run"]), (&json!("found"), &json!(42)), "{done}");
            assert_eq!(done["promise"], began["promise"]);
            let (cost, optimum) = (done["cost"].as_f64().unwrap(), done["optimum"].as_f64().unwrap());
            let path = done["path"].as_array().unwrap();
            assert_eq!((path.first(), path.last()), (Some(&scene["start"]), Some(&scene["goals"][0])));
            if began["promise"]["kind"] == "optimal" {
                assert!((cost - optimum).abs() < 1e-9, "{done}");
            } else if algorithm["any_angle"] == false {
                assert!(cost >= optimum - 1e-9, "{done}");
            }
            let timed = client.next().await;
            assert_eq!((&timed["type"], &timed["run"]), (&json!("timed"), &json!(42)), "{timed}");
            assert!(
                timed["runs"].as_u64().unwrap() >= 3
                    && timed["least_us"].as_f64() <= timed["median_us"].as_f64()
            );
        }
    }
}

#[tokio::test]
async fn an_algorithm_that_refuses_a_world_says_why() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&drawn(&["..4...", "......"])).await;
    let query = json!({"start": [0, 0], "goals": [[5, 1]], "algorithm": "jps"});
    let done = client.run(&query).await;
    assert_eq!((&done["outcome"], &done["reason"]), (&json!("unreachable"), &json!("not_applicable")));
    assert!(done["message"].as_str().unwrap().contains("all cost the same"), "{done}");
}

#[tokio::test]
async fn the_settings_of_a_query_are_used() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&drawn(&["......", "......", "......"])).await;
    let mut cost = async |settings: Value| {
        let mut query = json!({"start": [0, 0], "goals": [[2, 2]], "algorithm": "astar"});
        query.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        client.run(&query).await["cost"].clone()
    };
    assert_eq!(cost(json!({"moves": "4"})).await, 4.0);
    assert_eq!(cost(json!({"metric": [10.0, 14.0], "moves": null})).await, 28.0);
    assert_eq!(cost(json!({"goals": [[2, 2], [0, 1]]})).await, 1.0);
    assert_eq!(cost(json!({"radius": 1.0})).await, Value::Null, "too wide for the corner");
}

#[tokio::test]
async fn what_is_cut_off_is_shown() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&drawn(&["......", ".###..", ".#.#..", ".###.."])).await;
    let mut ask = async |start: Value, goal: Value| {
        let query = json!({"start": start, "goals": [goal], "algorithm": "dijkstra"});
        client.run(&query).await
    };
    let done = ask(json!([0, 0]), json!([2, 2])).await;
    assert_eq!((&done["outcome"], &done["reason"]), (&json!("unreachable"), &json!("disconnected")));
    assert_eq!(done["message"], "start and goal are not connected");
    assert_eq!(done["region"], json!({"of": "goal", "runs": [[2, 2, 1]]}));
    let done = ask(json!([2, 2]), json!([0, 0])).await;
    assert_eq!(done["region"], json!({"of": "start", "runs": [[2, 2, 1]]}));
    let done = ask(json!([0, 0]), json!([1, 1])).await;
    assert_eq!((&done["reason"], &done["region"]), (&json!("goal_blocked"), &Value::Null));

    // A link leads out, none leads in.
    client.say(&json!({"type": "edit", "links": [{"from": [2, 2], "to": [5, 0], "cost": 1.0}]})).await;
    let query = json!({"start": [0, 0], "goals": [[2, 2]], "algorithm": "dijkstra"});
    let done = client.run(&query).await;
    assert_eq!(done["reason"], "one_way");
    let runs = json!([[0, 0, 6], [0, 1, 1], [4, 1, 2], [0, 2, 1], [4, 2, 2], [0, 3, 1], [4, 3, 2]]);
    assert_eq!(done["region"], json!({"of": "start", "runs": runs}));
}

/// A search that takes much longer than it takes to send the next message.
fn slow() -> Value {
    json!({"start": [0, 0], "goals": [[1023, 1023]], "algorithm": "dijkstra", "queue": "list"})
}

fn quick() -> Value {
    json!({"start": [0, 0], "goals": [[3, 0]], "algorithm": "astar"})
}

#[tokio::test]
async fn a_run_can_be_cancelled() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&field(1024, 1024)).await;
    for trace in [true, false] {
        let mut message = run(2, 9, &slow());
        message["trace"] = json!(trace);
        message["time"] = json!(true);
        client.say(&message).await;
        assert_eq!(client.next().await["type"], "began");
        client.say(&json!({"type": "cancel", "board": 2})).await;
        let done = client.next().await;
        assert_eq!(
            (&done["outcome"], &done["run"], &done["path"]),
            (&json!("cancelled"), &json!(9), &json!([]))
        );
        assert!(done["expanded"].as_u64().unwrap() < 1024 * 1024);
    }
    // Nothing to cancel is not an error, and nothing of the old run comes any more.
    client.say(&json!({"type": "cancel", "board": 2})).await;
    client.say(&run(2, 10, &quick())).await;
    assert_eq!(client.next().await["run"], 10);
}

#[tokio::test]
async fn a_run_ends_the_one_before_it_on_its_board_only() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&field(1024, 1024)).await;
    client.say(&run(0, 1, &slow())).await;
    client.say(&run(1, 2, &slow())).await;
    client.say(&run(0, 3, &quick())).await;
    let mut seen = Vec::new();
    while seen.last() != Some(&("done".to_owned(), 3, "found".to_owned())) {
        let message = client.next().await;
        let text = |field: &str| message[field].as_str().unwrap_or_default().to_owned();
        seen.push((text("type"), message["run"].as_u64().unwrap(), text("outcome")));
    }
    let cancelled = seen.iter().position(|seen| *seen == ("done".to_owned(), 1, "cancelled".to_owned()));
    let began = seen.iter().position(|seen| *seen == ("began".to_owned(), 3, String::new()));
    assert!(cancelled.unwrap() < began.unwrap(), "{seen:?}");
    assert!(!seen.iter().any(|(kind, run, _)| kind == "done" && *run == 2), "{seen:?}");
    // Another world ends what is left.
    client.say(&field(4, 4)).await;
    let done = client.next_of("done").await;
    assert_eq!((&done["run"], &done["outcome"]), (&json!(2), &json!("cancelled")));
}

#[tokio::test]
async fn an_edit_does_not_disturb_a_run() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&field(300, 300)).await;
    let query = json!({"start": [0, 0], "goals": [[299, 0]], "algorithm": "dijkstra", "queue": "list"});
    client.say(&run(0, 1, &query)).await;
    assert_eq!(client.next().await["type"], "began");
    let wall: Vec<Value> = (0..300).map(|y| json!([150, y, 1, 0])).collect();
    client.say(&json!({"type": "edit", "runs": wall})).await;
    client.say(&run(1, 2, &query)).await;
    let mut costs = [Value::Null, Value::Null];
    for _ in 0..2 {
        let done = client.next_of("done").await;
        costs[done["board"].as_u64().unwrap() as usize] = done["cost"].clone();
    }
    assert_eq!(costs, [json!(299.0), Value::Null]);
}

#[tokio::test]
async fn many_sizes_of_agents_do_not_pile_up() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&field(40, 40)).await;
    client.say(&json!({"type": "edit", "links": [{"from": [20, 20], "to": [22, 20], "cost": 0.5}]})).await;
    for step in 0..200 {
        let radius = f64::from(step % 100) / 10.0;
        let query = json!({"start": [20, 20], "goals": [[22, 20]], "algorithm": "astar", "radius": radius});
        let done = client.run(&query).await;
        assert_eq!(done["cost"], 0.5, "{radius}: {done}");
    }
}
