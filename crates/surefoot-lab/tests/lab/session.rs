//! Messages that make sense, and messages that do not.

use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Lab, drawn, field, grid, run};

fn query(start: &Value, goal: &Value) -> Value {
    json!({"start": start, "goals": [goal], "algorithm": "astar"})
}

#[tokio::test]
async fn messages_that_cannot_be_used_are_explained_and_the_session_goes_on() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    for (message, expected) in [
        (json!([]), "expected a JSON object with a `type`"),
        (json!(7), "expected a JSON object with a `type`"),
        (json!({"kind": "world"}), "missing field `type`"),
        (json!({"type": "fly"}), "unknown type `fly`"),
        (json!({"type": 1}), "expected a JSON object with a `type`"),
        (json!({"type": "cancel", "board": 4}), "found board 4, expected 0 to 3"),
        (json!({"type": "cancel", "board": -1}), "cancel: "),
        (json!({"type": "cancel", "board": 0, "now": true}), "unknown field `now`"),
        (json!({"type": "edit", "runs": []}), "there is no world yet"),
        (json!({"type": "world"}), "missing field `world`"),
        (json!({"type": "world", "world": {}}), "world: "),
        (json!({"type": "world", "world": grid(2, 1, &["..".to_owned(), "..".to_owned()])}), "2 rows"),
        (json!({"type": "world", "world": grid(3, 1, &["..".to_owned()])}), "world: rows[0]"),
        (json!({"type": "world", "world": grid(2049, 1, &[".{2049}".to_owned()])}), "at most 2048 per side"),
        (json!({"type": "world", "world": grid(u32::MAX, u32::MAX, &[])}), "at most 2048 per side"),
        (json!({"type": "world", "world": grid(2, 1, &[".{4000000000}".to_owned()])}), "world: rows[0]"),
    ] {
        let error = client.refusal(&message).await;
        assert!(error["message"].as_str().unwrap().contains(expected), "{message}: {error}");
        assert_eq!((&error["board"], &error["run"]), (&Value::Null, &Value::Null));
    }
    client.say(&drawn(&["..."])).await;
    assert_eq!(client.run(&query(&json!([0, 0]), &json!([2, 0]))).await["cost"], 2.0);
}

#[tokio::test]
async fn queries_that_make_no_sense_are_explained() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    let good = query(&json!([0, 0]), &json!([2, 0]));
    let error = client.refusal(&run(0, 5, &good)).await;
    assert_eq!((&error["message"], &error["run"]), (&json!("run: there is no world yet"), &json!(5)));
    client.say(&drawn(&["..."])).await;
    for (changes, expected) in [
        (json!({"algorithm": "teleport"}), "unknown algorithm `teleport`"),
        (json!({"heuristic": "luck"}), "unknown heuristic `luck`"),
        (json!({"heuristic": "custom:1,101"}), "weights from 0 to 100"),
        (json!({"weight": 0.5}), "weight 0.5 is not between 1 and 1000"),
        (json!({"algorithm": "dijkstra", "weight": 2.0}), "Dijkstra does not support a weight"),
        (json!({"queue": "fifo"}), "does not support the open list `fifo`"),
        (json!({"moves": "9"}), "unknown movement rule `9`"),
        (json!({"radius": -1.0}), "radius -1 is not between 0 and 1024"),
        (json!({"terrain": "lava"}), "unknown terrain rule `lava`"),
        (json!({"metric": [2.0, 1.0]}), "metric 2, 1"),
        (json!({"goals": []}), "no goals"),
        (json!({"goals": vec![[0, 0]; 17]}), "17 goals are too many for the lab, expected at most 16"),
        (json!({"start": 3}), "expected [x, y] on a grid"),
        (json!({"start": [1]}), "a cell as [x, y] or [x, y, z], the number of a node"),
        (json!({"start": [1, 2, 3]}), "found cell 1,2,3, expected [x, y] on a grid"),
        (json!({"start": [1, 2, 3, 4]}), "a cell as [x, y]"),
        (json!({"start": [3_000_000_000_u32, 0]}), "invalid value"),
        (json!({"start": "here"}), "a cell as [x, y]"),
        (json!({"speed": 1}), "unknown field `speed`"),
    ] {
        let mut wrong = good.clone();
        wrong.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        let error = client.refusal(&run(3, 8, &wrong)).await;
        assert!(error["message"].as_str().unwrap().contains(expected), "{changes}: {error}");
        assert_eq!((&error["board"], &error["run"]), (&json!(3), &json!(8)), "{changes}");
    }
    let error = client.refusal(&run(4, 8, &good)).await;
    assert!(error["message"].as_str().unwrap().contains("found board 4, expected 0 to 3"));
    // Outside is an answer, not an error.
    let done = client.run(&query(&json!([-1, 0]), &json!([2, 0]))).await;
    assert_eq!((&done["outcome"], &done["reason"]), (&json!("unreachable"), &json!("start_outside")));
    let done = client.run(&query(&json!([0, 0]), &json!([2_000_000_000, 7]))).await;
    assert_eq!(done["reason"], "goal_outside");
    client.say(&json!({"type": "world", "world": lab.scene("towns").await["world"]})).await;
    let error = client.refusal(&run(0, 1, &good)).await;
    assert!(error["message"].as_str().unwrap().contains("expected a node's number on a graph"));
    let done = client.run(&query(&json!(0), &json!(99))).await;
    assert_eq!((&done["reason"], &done["region"]), (&json!("goal_outside"), &Value::Null));
}

#[tokio::test]
async fn what_is_not_json_closes_the_socket() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.socket.send(Message::text("{\"type\": ")).await.unwrap();
    let (code, reason) = client.closed().await;
    assert_eq!(code, 1007);
    assert!(reason.contains("JSON object"), "{reason}");

    let mut client = lab.connect().await;
    client.socket.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    let (code, reason) = client.closed().await;
    assert_eq!((code, reason.as_str()), (1003, "found a binary message, expected JSON text"));
}

#[tokio::test]
async fn deep_json_is_no_trap() {
    let lab = Lab::start().await;
    for text in
        ["[".repeat(1 << 20), format!("{{\"type\": \"run\", \"query\": {}", "{\"a\":".repeat(1 << 20))]
    {
        let mut client = lab.connect().await;
        client.socket.send(Message::text(text)).await.unwrap();
        assert_eq!(client.closed().await.0, 1007);
    }
    let mut client = lab.connect().await;
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    for message in [
        format!("{{\"type\": \"world\", \"world\": {deep}}}"),
        format!("{{\"type\": \"run\", \"board\": 0, \"run\": 1, \"query\": {deep}}}"),
    ] {
        client.socket.send(Message::text(message)).await.unwrap();
        assert_eq!(client.next().await["type"], "error");
    }
}

#[tokio::test]
async fn messages_that_are_too_long_close_the_socket() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    // Not all of it may be taken before the server closes.
    let _ = client.socket.send(Message::text(" ".repeat((32 << 20) + 1))).await;
    let (code, reason) = client.closed().await;
    assert_eq!((code, reason.as_str()), (1009, "the message is too large, expected at most 33554432 bytes"));
}

/// A frame as a client sends it, with a mask of zeros.
fn frame(head: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![head, 0x80 | payload.len() as u8, 0, 0, 0, 0];
    bytes.extend(payload);
    bytes
}

#[tokio::test]
async fn text_that_is_not_utf8_closes_the_socket() {
    let lab = Lab::start().await;
    let whole = frame(0x81, b"{\"type\": \"\xff\"}");
    // The parts of a character that is cut in two are not wrong by themselves.
    let in_parts = [frame(0x01, b"\"\xc3"), frame(0x80, b"\xc3\"")].concat();
    let cut_off = frame(0x81, b"\"\xe2\x82");
    for bytes in [whole, in_parts, cut_off] {
        let mut client = lab.connect().await;
        client.socket.get_mut().write_all(&bytes).await.unwrap();
        let (code, reason) = client.closed().await;
        assert_eq!(code, 1007, "{reason}");
        assert_eq!(reason, "found bytes that are not UTF-8, expected JSON text");
    }
}

#[tokio::test]
async fn edits_change_the_world_or_nothing() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&field(9, 3)).await;
    let across = query(&json!([0, 1]), &json!([8, 1]));
    assert_eq!(client.run(&across).await["cost"], 8.0);
    let edit = |runs: Value| json!({"type": "edit", "runs": runs});
    client.say(&edit(json!([[4, 0, 1, 0], [4, 1, 1, 0], [4, 2, 1, 0]]))).await;
    assert_eq!(client.run(&across).await["reason"], "disconnected");
    client.say(&edit(json!([[4, 1, 1, 9]]))).await;
    assert_eq!(client.run(&across).await["cost"], 16.0);
    let link = json!({"from": [3, 1], "to": [5, 1], "cost": 0.5, "two_way": true});
    client.say(&json!({"type": "edit", "runs": [], "links": [link]})).await;
    assert_eq!(client.run(&across).await["cost"], 6.5);
    for (wrong, expected) in [
        (edit(json!([[0, 0, 9, 0], [1, 0, 9, 0]])), "9 cells from 1, 0 are not all inside 9 x 3"),
        (edit(json!([[0, 0, 9, 0], [0, -1, 1, 0]])), "not all inside"),
        (edit(json!([[0, 0, 4_000_000_000_u32, 0]])), "not all inside"),
        (edit(json!([[0, 0, 1, 256]])), "invalid value"),
        (edit(json!([[0, 0, 1]])), "invalid length"),
        (edit(json!(vec![[0, 0, 9, 1]; 500_000])), "4500000 edited cells are too many"),
        (
            json!({"type": "edit", "runs": [[0, 0, 9, 0]], "links": [{"from": [0, 0], "to": [9, 0], "cost": 1.0}]}),
            "links[0]: 9, 0 is outside the map",
        ),
        (
            json!({"type": "edit", "links": [{"from": [0, 0], "to": [8, 0], "cost": 0.0}]}),
            "links[0]: found cost 0",
        ),
        (json!({"type": "edit", "links": vec![link; 501]}), "1002 links are too many"),
    ] {
        let error = client.refusal(&wrong).await;
        assert!(error["message"].as_str().unwrap().contains(expected), "{error}");
    }
    assert_eq!(client.run(&across).await["cost"], 6.5, "nothing has changed");
    client.say(&json!({"type": "edit", "links": []})).await;
    assert_eq!(client.run(&across).await["cost"], 16.0);
    client.say(&json!({"type": "world", "world": lab.scene("towns").await["world"]})).await;
    let error = client.refusal(&edit(json!([[0, 0, 1, 1]]))).await;
    assert!(error["message"].as_str().unwrap().contains("found a graph"), "{error}");
}
