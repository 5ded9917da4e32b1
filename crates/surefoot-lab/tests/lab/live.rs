//! Units that walk while the page edits, and what a building would do.

use serde_json::{Value, json};

use crate::client::{Client, Lab, drawn, field, run};

fn query(algorithm: &str, start: [i32; 2], goal: [i32; 2]) -> Value {
    json!({"start": start, "goals": [goal], "algorithm": algorithm})
}

/// A message that lets a unit walk on each of some boards, to a target that stays.
fn live(number: u32, queries: &[Value]) -> Value {
    let boards: Vec<Value> =
        (0..).zip(queries).map(|(board, query): (u8, _)| json!({"board": board, "query": query})).collect();
    json!({"type": "live", "live": number, "boards": boards, "speed": 6.0, "sensing": null,
           "target": {"kind": "stay", "speed": 3.0, "seed": 1}, "debug": false})
}

fn changed(mut message: Value, changes: &Value) -> Value {
    message.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    message
}

fn edit(runs: &Value) -> Value {
    json!({"type": "edit", "runs": runs})
}

impl Client {
    async fn ticked(&mut self, number: u32, ticks: u32) -> Value {
        self.say(&json!({"type": "tick", "live": number, "ticks": ticks})).await;
        self.next_of("ticked").await
    }
}

#[tokio::test]
async fn units_walk_replan_and_arrive() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&drawn(&["..........", ".########.", ".........."])).await;
    let queries = ["d_star_lite", "astar"].map(|algorithm| query(algorithm, [0, 0], [9, 0]));
    client.say(&live(3, &queries)).await;
    let ticked = client.ticked(3, 15).await;
    assert_eq!(
        (&ticked["live"], &ticked["tick"], &ticked["target"]),
        (&json!(3), &json!(15), &json!([9, 0]))
    );
    for (board, unit) in (0..2).zip(ticked["units"].as_array().unwrap()) {
        assert_eq!((&unit["board"], &unit["state"]), (&json!(board), &json!("walking")));
        assert!((unit["at"][0].as_f64().unwrap() - 2.0).abs() < 1e-9, "{unit}");
        assert_eq!((unit["at"][1].as_f64(), &unit["cell"]), (Some(0.5), &json!([2, 0])));
        assert_eq!(unit["path"].as_array().unwrap().first(), Some(&json!([2, 0])));
        assert_eq!((&unit["replan"]["count"], &unit["replan"]["cost"]), (&json!(1), &json!(9.0)));
        assert!(
            unit["replan"]["expanded"].as_u64().unwrap() > 0 && unit["replan"]["us"].as_f64().unwrap() > 0.0
        );
        assert_eq!((&unit["reason"], &unit["message"]), (&Value::Null, &Value::Null));
    }
    let ticked = client.ticked(3, 1).await;
    assert_eq!((&ticked["units"][0]["path"], &ticked["units"][1]["replan"]), (&Value::Null, &Value::Null));
    client.say(&edit(&json!([[6, 0, 1, 0]]))).await;
    let ticked = client.ticked(3, 1).await;
    for unit in ticked["units"].as_array().unwrap() {
        assert_eq!(unit["replan"]["count"], 1);
        assert_eq!(unit["path"].as_array().unwrap().last(), Some(&json!([9, 0])));
        assert_eq!(unit["path"].as_array().unwrap().len(), 16);
    }
    client.say(&edit(&json!([[6, 2, 1, 0]]))).await;
    let ticked = client.ticked(3, 600).await;
    for unit in ticked["units"].as_array().unwrap() {
        assert_eq!((&unit["state"], &unit["reason"]), (&json!("stuck"), &json!("disconnected")));
        assert_eq!(
            (&unit["message"], &unit["path"]),
            (&json!("start and goal are not connected"), &json!([]))
        );
        assert_eq!(unit["replan"]["cost"], Value::Null);
    }
    client.say(&edit(&json!([[6, 0, 1, 1]]))).await;
    let ticked = client.ticked(3, 600).await;
    for unit in ticked["units"].as_array().unwrap() {
        assert_eq!((&unit["state"], &unit["at"]), (&json!("arrived"), &json!([9.5, 0.5])));
    }
    assert_eq!(ticked["tick"], 1217);
}

/// What the pieces about planners say: the cells that are known, by whether the message made all before it void.
fn told(client: &mut Client) -> Vec<(bool, Vec<u32>)> {
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes[..4].try_into().unwrap());
    let pieces = std::mem::take(&mut client.pieces);
    let of_planners = pieces.iter().filter(|piece| piece[0] == 3);
    of_planners.map(|piece| (piece[2] == 1, piece[12..].chunks(28).map(word).collect())).collect()
}

#[tokio::test]
async fn watching_planners_and_another_habit_of_the_target_leave_plans_as_they_are() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&drawn(&["....................", ".##################.", "...................."])).await;
    let queries = ["d_star_lite", "astar"].map(|algorithm| query(algorithm, [0, 0], [10, 2]));
    client.say(&changed(live(1, &queries), &json!({"debug": true}))).await;
    client.ticked(1, 1).await;
    let watched = told(&mut client);
    client.say(&live(2, &queries)).await;
    let first = client.ticked(2, 1).await;
    assert!(first["units"].as_array().unwrap().iter().all(|unit| unit["replan"]["count"] == 1), "{first}");
    assert_eq!(told(&mut client), []);

    client.say(&json!({"type": "adjust", "live": 2, "debug": true})).await;
    let ticked = client.ticked(2, 0).await;
    assert!(ticked["units"].as_array().unwrap().iter().all(|unit| unit["replan"].is_null()), "{ticked}");
    assert_eq!(
        told(&mut client),
        watched,
        "all that is known is told, as if it had been watched from the beginning"
    );
    assert_eq!((client.ticked(2, 0).await["tick"].as_u64(), told(&mut client)), (Some(1), vec![]), "once");

    let steer = json!({"kind": "steer"});
    client.say(&json!({"type": "adjust", "live": 2, "target": steer, "debug": false})).await;
    let ticked = client.ticked(2, 30).await;
    assert!(ticked["units"].as_array().unwrap().iter().all(|unit| unit["replan"].is_null()), "{ticked}");
    let flee = json!({"kind": "flee", "speed": 3.0, "seed": 1});
    client.say(&json!({"type": "adjust", "live": 2, "target": flee})).await;
    let ticked = client.ticked(2, 300).await;
    assert_ne!(ticked["target"], json!([10, 2]), "it flees");
    assert_eq!(told(&mut client), [], "nobody watches any more");
    let stay = json!({"kind": "stay"});
    client.say(&json!({"type": "adjust", "live": 2, "target": stay})).await;
    let here = client.ticked(2, 0).await["target"].clone();
    assert_eq!(client.ticked(2, 300).await["target"], here, "it stays where it has come to");

    client.say(&json!({"type": "adjust", "live": 2, "target": {"kind": "scene"}})).await;
    let error = client.next_of("error").await;
    assert!(error["message"].as_str().unwrap().contains("voxel worlds"), "{error}");
    assert_eq!(client.ticked(2, 0).await["live"], 2, "the units go on");
    client.say(&json!({"type": "adjust", "live": 7})).await;
    assert!(client.next_of("error").await["message"].as_str().unwrap().contains("live units 7 do not exist"));
}

#[tokio::test]
async fn everything_depends_on_the_messages_alone() {
    let lab = Lab::start().await;
    let mut stories = Vec::new();
    for _ in 0..2 {
        let mut client = lab.connect().await;
        client.say(&json!({"type": "world", "world": lab.scene("tunnels").await["world"]})).await;
        let scene = lab.scene("tunnels").await;
        let queries: Vec<Value> = ["d_star_lite", "mt_d_star_lite", "astar", "greedy"]
            .iter()
            .map(
                |algorithm| json!({"start": scene["start"], "goals": scene["goals"], "algorithm": algorithm}),
            )
            .collect();
        let mut story = Vec::new();
        for (number, kind) in (1..).zip(["flee", "wander"]) {
            let target = json!({"kind": kind, "speed": 4.5, "seed": 9});
            let setting = json!({"target": target, "debug": true, "sensing": 5.5});
            client.say(&changed(live(number, &queries), &setting)).await;
            for step in 0..12 {
                client
                    .say(&edit(&json!([[3 + step, 4, 1, step % 2], [8, 2 + step % 5, 1, 1 - step % 2]])))
                    .await;
                let mut ticked = client.ticked(number, 20 + step as u32).await;
                for unit in ticked["units"].as_array_mut().unwrap() {
                    if let Some(replan) = unit["replan"].as_object_mut() {
                        replan.remove("us");
                    }
                }
                story.push(ticked);
            }
        }
        stories.push((story, client.pieces));
    }
    assert!(stories[0].1.iter().any(|piece| piece[0] == 3));
    assert!(stories[0] == stories[1], "{:#?}", stories[0].0.last());
}

#[tokio::test]
async fn targets_do_what_they_are_told() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&field(40, 5)).await;
    let queries = [query("mt_d_star_lite", [0, 2], [10, 2])];
    let with = |number: u32, kind: &str| {
        changed(
            live(number, &queries),
            &json!({"speed": 1.0, "target": {"kind": kind, "speed": 3.0, "seed": 4}}),
        )
    };
    for (number, kind) in (1..).zip(["stay", "steer", "flee", "wander"]) {
        client.say(&with(number, kind)).await;
        let target = client.ticked(number, 120).await["target"].clone();
        match kind {
            "flee" => assert!(target[0].as_i64().unwrap() > 13, "{target}"),
            "wander" => assert_ne!(target, json!([10, 2])),
            _ => assert_eq!(target, json!([10, 2])),
        }
    }
    client.say(&with(9, "steer")).await;
    client.say(&json!({"type": "place", "live": 9, "target": [30, 1]})).await;
    let ticked = client.ticked(9, 1).await;
    assert_eq!(
        (&ticked["target"], ticked["units"][0]["path"].as_array().unwrap().len()),
        (&json!([30, 1]), 30)
    );
    client.say(&json!({"type": "place", "live": 9, "board": 0, "unit": [29, 1]})).await;
    let ticked = client.ticked(9, 0).await;
    assert_eq!(ticked["units"][0]["at"], json!([29.5, 1.5]));
    assert_eq!(client.ticked(9, 61).await["units"][0]["state"], "arrived");
    // A wall is a place to be, though not a good one.
    client.say(&edit(&json!([[5, 0, 1, 0]]))).await;
    client.say(&json!({"type": "place", "live": 9, "board": null, "unit": [5, 0], "target": null})).await;
    let unit = client.ticked(9, 1).await["units"][0].clone();
    assert_eq!((&unit["state"], &unit["reason"]), (&json!("stuck"), &json!("start_blocked")));
}

#[tokio::test]
async fn units_that_do_not_see_far_find_out_late() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&drawn(&["....................", "####################", "...................."])).await;
    client.say(&changed(live(1, &[query("d_star_lite", [0, 0], [19, 0])]), &json!({"sensing": 3.0}))).await;
    client.ticked(1, 1).await;
    client.say(&edit(&json!([[15, 0, 1, 0]]))).await;
    let unit = client.ticked(1, 60).await["units"][0].clone();
    assert_eq!((&unit["state"], &unit["replan"]), (&json!("walking"), &Value::Null));
    let unit = client.ticked(1, 120).await["units"][0].clone();
    assert_eq!((&unit["state"], &unit["cell"]), (&json!("stuck"), &json!([12, 0])));
}

#[tokio::test]
async fn planners_tell_what_they_know() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&field(12, 3)).await;
    let queries = [query("d_star_lite", [0, 1], [11, 1]), query("astar", [0, 1], [11, 1])];
    client.say(&changed(live(7, &queries), &json!({"debug": true}))).await;
    client.ticked(7, 1).await;
    let words = |piece: &[u8]| -> Vec<u32> {
        piece.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    };
    assert_eq!(client.pieces.len(), 1, "only planners that live know anything afterwards");
    let first = client.pieces.pop().unwrap();
    assert_eq!(first[..8], [3, 0, 1, 0, 7, 0, 0, 0]);
    assert_eq!(first.len(), 12 + 28 * words(&first)[2] as usize);
    client.ticked(7, 1).await;
    assert!(client.pieces.is_empty(), "nothing changed");
    client.say(&edit(&json!([[6, 1, 1, 0]]))).await;
    client.ticked(7, 1).await;
    let second = client.pieces.pop().unwrap();
    assert_eq!(second[..4], [3, 0, 0, 0]);
    let wall = words(&second)[3..].chunks(7).find(|node| node[0] == 12 + 6).map(<[u32]>::to_vec).unwrap();
    assert!(f32::from_bits(wall[4]).is_infinite(), "the rhs of a wall");
}

#[tokio::test]
async fn live_messages_that_cannot_be_used_are_explained() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    let good = live(3, &[query("d_star_lite", [0, 0], [2, 0])]);
    let message = client.refusal(&good).await["message"].clone();
    assert_eq!(message, "live: there is no world yet");
    client.say(&json!({"type": "world", "world": lab.scene("towns").await["world"]})).await;
    let on_graph = live(3, &[json!({"start": 0, "goals": [1], "algorithm": "astar"})]);
    assert!(client.refusal(&on_graph).await["message"].as_str().unwrap().contains("expected a grid"));
    client.say(&drawn(&["...", "..."])).await;
    let bad = |changes: Value| changed(good.clone(), &changes);
    let board = |number: u32| json!({"board": number, "query": query("astar", [0, 0], [2, 0])});
    let five = [0, 1, 2, 3, 0].map(board);
    let tick = |number: u32, ticks: i64| json!({"type": "tick", "live": number, "ticks": ticks});
    for (message, expected) in [
        (bad(json!({"boards": []})), "no boards"),
        (bad(json!({"boards": [board(4)]})), "found board 4, expected 0 to 3"),
        (bad(json!({"boards": [board(1), board(1)]})), "board 1 is given twice"),
        (bad(json!({"boards": five})), "5 boards are too many"),
        (
            bad(json!({"boards": [{"board": 0, "query": query("teleport", [0, 0], [2, 0])}]})),
            "unknown algorithm",
        ),
        (
            bad(json!({"boards": [{"board": 0, "query": query("subgoal", [0, 0], [2, 0])}]})),
            "prepares the map",
        ),
        (bad(json!({"speed": -1.0})), "found -1 as speed, expected 0 to 1000 cells per second"),
        (bad(json!({"speed": 1e300})), "as speed"),
        (bad(json!({"speed": null})), "live: invalid type"),
        (bad(json!({"sensing": -2.0})), "sensing radius -2"),
        (bad(json!({"target": {"kind": "hide"}})), "unknown variant `hide`"),
        (bad(json!({"target": {"kind": "flee", "speed": 2000.0}})), "target's speed"),
        (bad(json!({"wings": 2})), "unknown field `wings`"),
        (tick(3, 1), "live units 3 do not exist"),
        (json!({"type": "halt", "live": 3}), "live units 3 do not exist"),
        (json!({"type": "place", "live": 3, "unit": [0, 0]}), "live units 3 do not exist"),
    ] {
        let error = client.refusal(&message).await;
        assert!(error["message"].as_str().unwrap().contains(expected), "{message}: {error}");
    }
    client.say(&good).await;
    for (message, expected) in [
        (tick(4, 1), "live units 4 do not exist"),
        (tick(3, 601), "601 ticks are too many for the lab, expected at most 600"),
        (tick(3, -1), "invalid value"),
        (json!({"type": "place", "live": 3, "unit": [3, 0]}), "cell 3,0 is outside the map"),
        (json!({"type": "place", "live": 3, "target": [0, -1]}), "cell 0,-1 is outside the map"),
        (json!({"type": "place", "live": 3, "board": 1, "unit": [0, 0]}), "no live unit on board 1"),
    ] {
        let error = client.refusal(&message).await;
        assert!(error["message"].as_str().unwrap().contains(expected), "{message}: {error}");
    }
    assert_eq!(client.ticked(3, 600).await["units"][0]["state"], "arrived", "the units have not noticed");
    client.say(&json!({"type": "halt", "live": 3})).await;
    client.refusal(&tick(3, 1)).await;
    client.say(&good).await;
    client.say(&drawn(&["..."])).await;
    client.refusal(&tick(3, 1)).await;
}

#[tokio::test]
async fn live_units_end_runs_on_their_boards_and_live_beside_others() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&field(300, 300)).await;
    let far = query("dijkstra", [0, 0], [299, 299]);
    client.say(&json!({"type": "run", "board": 0, "run": 1, "trace": true, "query": far})).await;
    client.say(&live(1, &[query("d_star_lite", [0, 0], [299, 0])])).await;
    client.say(&run(1, 2, &query("astar", [0, 0], [299, 299]))).await;
    client.say(&json!({"type": "tick", "live": 1, "ticks": 600})).await;
    let mut seen = Vec::new();
    while seen.len() < 3 {
        let message = client.next().await;
        match message["type"].as_str().unwrap() {
            "done" => seen.push(format!("run {}", message["run"])),
            "ticked" => seen.push("ticked".to_owned()),
            "error" => panic!("{message}"),
            _ => {}
        }
    }
    assert_eq!(seen[0], "run 1", "the run before has ended first");
    // Nobody waits for what is not wanted any more.
    for _ in 0..40 {
        client.say(&json!({"type": "tick", "live": 1, "ticks": 600})).await;
    }
    client.say(&json!({"type": "halt", "live": 1})).await;
    client.say(&run(2, 5, &query("astar", [0, 0], [1, 0]))).await;
    while client.next_of("done").await["run"] != 5 {}
}

#[tokio::test]
async fn buildings_are_judged_and_choke_cells_named() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    let advise = |footprint: Value, pairs: Value| json!({"type": "advise", "advice": 7, "footprint": footprint, "pairs": pairs, "agent": {"moves": "8"}});
    let chokes = json!({"type": "chokes", "chokes": 258, "agent": {}});
    for message in [&advise(json!([]), json!([])), &chokes] {
        assert!(client.refusal(message).await["message"].as_str().unwrap().contains("there is no world yet"));
    }
    client.say(&drawn(&["......", ".####.", "......"])).await;
    let across = json!([[[0, 1], [5, 1]], [[0, 0], [0, 1]], [[0, 0], [1, 1]]]);
    client.say(&advise(json!([[2, 0], [3, 0]]), across.clone())).await;
    let advice = client.next().await;
    assert_eq!((&advice["type"], &advice["advice"]), (&json!("advice"), &json!(7)));
    assert_eq!(advice["pairs"][0], json!({"before": 7.0, "after": 7.0, "cut_off": false}));
    assert_eq!(advice["pairs"][2], json!({"before": null, "after": null, "cut_off": false}));
    assert!(advice["us"].as_f64().unwrap() > 0.0);
    client.say(&advise(json!([[2, 0], [2, 2], [90, -3]]), across.clone())).await;
    let advice = client.next().await;
    assert_eq!(advice["pairs"][0], json!({"before": 7.0, "after": null, "cut_off": true}));
    assert_eq!(advice["pairs"][1]["cut_off"], false);
    client.say(&edit(&json!([[2, 0, 1, 0]]))).await;
    client.say(&advise(json!([]), across.clone())).await;
    assert_eq!(client.next().await["pairs"][0]["before"], 7.0);

    client.say(&chokes).await;
    client.say(&run(0, 1, &query("astar", [0, 0], [0, 1]))).await;
    client.next_of("done").await;
    let piece = client.pieces.pop().unwrap();
    assert_eq!(piece[..8], [4, 0, 0, 0, 2, 1, 0, 0]);
    let words: Vec<u32> =
        piece[8..].chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    assert_eq!(words[0] as usize, words.len() - 1);
    assert!(words[1..].contains(&(2 * 6 + 3)) && !words[1..].contains(&1), "{words:?}");

    for (message, expected) in [
        (advise(json!(vec![[0, 0]; 1025]), json!([])), "1025 cells of a footprint are too many"),
        (advise(json!([]), json!(vec![[[0, 0], [1, 0]]; 17])), "17 pairs are too many"),
        (advise(json!([[0]]), json!([])), "advise: invalid length"),
        (advise(json!([]), json!([[[0, 0]]])), "advise: invalid length"),
        (json!({"type": "chokes", "chokes": 1, "agent": {"radius": -1.0}}), "radius -1"),
        (json!({"type": "chokes", "chokes": 1, "agent": {"wings": 2}}), "unknown field `wings`"),
    ] {
        let error = client.refusal(&message).await;
        assert!(error["message"].as_str().unwrap().contains(expected), "{error}");
    }
    client.say(&field(2048, 2048)).await;
    let corners = json!((0..9).map(|x| [[0, 0], [x, 9]]).collect::<Vec<_>>());
    let error = client.refusal(&advise(json!([]), corners)).await;
    assert!(error["message"].as_str().unwrap().contains("9 different goals"), "{error}");
    client.say(&json!({"type": "world", "world": lab.scene("towns").await["world"]})).await;
    for message in [&advise(json!([]), across), &chokes] {
        assert!(
            client.refusal(message).await["message"].as_str().unwrap().contains("found a waypoint graph")
        );
    }
}
