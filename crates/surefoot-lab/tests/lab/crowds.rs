//! Crowds: units join, are sent, wait, arrive, while the page edits.

use serde_json::{Value, json};

use crate::client::{Client, Lab, drawn, field};

fn crowd(number: u32) -> Value {
    json!({"type": "crowd", "live": number})
}

fn spawn(number: u32, group: u8, at: &[[f64; 2]]) -> Value {
    json!({"type": "spawn", "live": number, "group": group, "at": at})
}

fn send(number: u32, group: u8, goal: [i32; 2]) -> Value {
    json!({"type": "send", "live": number, "group": group, "goal": goal})
}

/// A unit as the last binary message has it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Told {
    number: u32,
    state: u32,
    group: u32,
    at: [f32; 2],
    radius: u16,
}

const ARRIVED: u32 = 4;

fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes[..4].try_into().unwrap())
}

impl Client {
    async fn passed(&mut self, number: u32, ticks: u32) -> Value {
        self.say(&json!({"type": "tick", "live": number, "ticks": ticks})).await;
        self.next_of("crowd").await
    }

    /// Sends a message that is refused, with words like these.
    async fn refuses(&mut self, message: &Value, expected: &str) {
        let answer = self.refusal(message).await;
        let text = answer["message"].as_str().unwrap();
        assert!(text.contains(expected), "{message}: {text}");
    }

    /// The units of the last report, as docs/lab-protocol.md lays them out.
    fn told(&mut self) -> Vec<Told> {
        let pieces = std::mem::take(&mut self.pieces);
        let piece = pieces.iter().rfind(|piece| piece[0] == 8).expect("a report");
        assert_eq!(piece[12..].len(), 16 * word(&piece[8..]) as usize);
        let unit = |bytes: &[u8]| Told {
            number: word(bytes) & 0xf_ffff,
            state: word(bytes) >> 20 & 7,
            group: word(bytes) >> 24,
            at: [word(&bytes[4..]), word(&bytes[8..])].map(f32::from_bits),
            radius: u16::from_le_bytes([bytes[12], bytes[13]]),
        };
        piece[12..].chunks(16).map(unit).collect()
    }
}

#[tokio::test]
async fn units_join_are_sent_and_arrive_around_a_new_wall() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&field(16, 12)).await;
    client.say(&crowd(3)).await;
    let column: Vec<[f64; 2]> = (2..10).map(|y| [1.5, f64::from(y) + 0.5]).collect();
    client.say(&spawn(3, 1, &column)).await;
    let report = client.passed(3, 0).await;
    assert_eq!((&report["live"], &report["tick"], &report["units"]), (&json!(3), &json!(0), &json!(8)));
    assert_eq!(report["idle"], 8);
    let told = client.told();
    let is_where_it_joined =
        |(unit, at): (&Told, &[f64; 2])| (unit.at.map(f64::from), unit.group) == (*at, 1);
    assert!(told.iter().zip(&column).all(is_where_it_joined), "{told:?}");
    assert!(told.iter().all(|unit| unit.radius == 410), "0.4 in parts of a cell: {told:?}");

    client.say(&send(3, 1, [14, 6])).await;
    let report = client.passed(3, 30).await;
    assert_eq!((&report["walking"], report["frames"].as_array().unwrap().len()), (&json!(8), 30));
    assert!(report["plans"].as_u64().unwrap() >= 8, "{report}");
    // A wall with one gap, in their way.
    client
        .say(&json!({"type": "edit", "runs": (0..11).map(|y| json!([8, y, 1, 0])).collect::<Vec<_>>()}))
        .await;
    let mut report = Value::Null;
    for _ in 0..4 {
        report = client.passed(3, 600).await;
        for unit in client.told() {
            let is_in_wall = unit.at[0] > 8.0 && unit.at[0] < 9.0 && unit.at[1] < 11.0;
            assert!(!is_in_wall, "{unit:?}");
        }
    }
    assert_eq!((&report["arrived"], &report["held"]), (&json!(8), &json!(0)), "{report}");
    client.passed(3, 0).await;
    assert!(client.told().iter().all(|unit| unit.state == ARRIVED && unit.at[0] > 9.0));

    // Who joins later goes where the others went; who leaves is gone.
    client.say(&spawn(3, 1, &[[1.5, 1.5]])).await;
    client.say(&json!({"type": "dismiss", "live": 3, "units": [0, 1, 99_999]})).await;
    let report = client.passed(3, 600).await;
    assert_eq!((&report["units"], &report["arrived"]), (&json!(7), &json!(7)), "{report}");
    client.say(&json!({"type": "halt", "live": 3})).await;
    client.refuses(&json!({"type": "tick", "live": 3, "ticks": 1}), "live units 3 do not exist").await;
}

#[tokio::test]
async fn one_unit_is_watched() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&drawn(&["..........", ".########.", ".........."])).await;
    client.say(&crowd(1)).await;
    client.say(&spawn(1, 0, &[[0.5, 0.5]])).await;
    client.say(&spawn(1, 2, &[[0.5, 2.5]])).await;
    client.say(&send(1, 2, [9, 1])).await;
    client.say(&json!({"type": "watch", "live": 1, "unit": 1})).await;
    let unit = client.passed(1, 2).await["unit"].clone();
    assert_eq!((&unit["unit"], &unit["group"], &unit["state"]), (&json!(1), &json!(2), &json!("walking")));
    assert_eq!(unit["path"].as_array().unwrap().last(), Some(&unit["goal"]));
    assert_eq!((&unit["plans"], &unit["reason"]), (&json!(1), &Value::Null));
    client
        .say(&json!({"type": "edit", "runs": [[9, 0, 1, 0], [9, 2, 1, 0], [8, 0, 1, 0], [8, 2, 1, 0]]}))
        .await;
    let report = client.passed(1, 600).await;
    assert_eq!((&report["unit"]["state"], &report["stuck"]), (&json!("stuck"), &json!(1)), "{report}");
    assert!(report["unit"]["reason"].is_string(), "{report}");
    client.say(&json!({"type": "watch", "live": 1, "unit": null})).await;
    assert_eq!(client.passed(1, 0).await["unit"], Value::Null);
}

#[tokio::test]
async fn everything_depends_on_the_messages_alone() {
    let lab = Lab::start().await;
    let scene = lab.scene("armies").await;
    let groups = scene["crowd"].as_array().unwrap();
    assert_eq!(groups.len(), 2);
    let mut stories = Vec::new();
    for parts in [&[60][..], &[7, 1, 52]] {
        let mut client = lab.connect().await;
        client.say(&json!({"type": "world", "world": scene["world"]})).await;
        client.say(&crowd(9)).await;
        for (number, group) in groups.iter().enumerate() {
            client.say(&json!({"type": "spawn", "live": 9, "group": number, "at": group["at"]})).await;
            client.say(&json!({"type": "send", "live": 9, "group": number, "goal": group["goal"]})).await;
        }
        let mut report = Value::Null;
        for &ticks in parts {
            report = client.passed(9, ticks).await;
        }
        assert_eq!((&report["tick"], &report["units"]), (&json!(60), &json!(480)));
        stories.push((client.told(), report["plans"].clone(), report["jams"].clone()));
    }
    assert_eq!(stories[0], stories[1]);
}

#[tokio::test]
async fn what_is_no_good_is_refused_and_changes_nothing() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.refuses(&crowd(1), "there is no world yet").await;
    client.say(&json!({"type": "world", "world": lab.scene("towns").await["world"]})).await;
    client.refuses(&crowd(1), "expected a grid").await;
    client.say(&field(100, 100)).await;
    client.refuses(&spawn(1, 0, &[[1.5, 1.5]]), "crowd 1 does not exist").await;
    client.refuses(&json!({"type": "crowd", "live": 1, "avoidance": "magic"}), "magic").await;
    client.refuses(&json!({"type": "crowd", "live": 1, "agent": {"moves": "7"}}), "crowd: ").await;
    client.say(&crowd(1)).await;
    client.say(&spawn(1, 0, &[[1.5, 1.5]])).await;
    for (message, expected) in [
        (spawn(1, 0, &[[2.5, 2.5], [100.0, 1.0]]), "outside the grid of 100 x 100 cells"),
        (spawn(1, 8, &[[2.5, 2.5]]), "found group 8, expected 0 to 7"),
        (
            spawn(1, 0, &[[50.5, 50.5]].repeat(10_000)),
            "10001 units are too many for the lab, expected at most 10000",
        ),
        (
            json!({"type": "spawn", "live": 1, "group": 0, "radius": 0.0, "at": [[2.5, 2.5]]}),
            "found 0 as radius",
        ),
        (
            json!({"type": "spawn", "live": 1, "group": 0, "speed": 61, "at": [[2.5, 2.5]]}),
            "found 61 as speed, expected 0 to 60",
        ),
        (send(1, 0, [0, 100]), "goal 0,100 is outside the grid of 100 x 100 cells"),
        (send(1, 9, [0, 0]), "found group 9"),
        (send(2, 0, [0, 0]), "crowd 2 does not exist"),
        (json!({"type": "tick", "live": 1, "ticks": 601}), "601 ticks are too many"),
        (json!({"type": "place", "live": 1, "unit": [1, 1]}), "found crowd 1, expected live units"),
        (json!({"type": "adjust", "live": 1, "debug": true}), "found crowd 1, expected live units"),
    ] {
        client.refuses(&message, expected).await;
    }
    let report = client.passed(1, 1).await;
    assert_eq!((&report["units"], &report["idle"]), (&json!(1), &json!(1)), "{report}");
}

#[tokio::test]
async fn live_units_and_crowds_replace_each_other() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&field(9, 9)).await;
    client.say(&crowd(1)).await;
    client
        .say(&json!({"type": "live", "live": 2, "speed": 6.0, "target": {"kind": "stay"},
        "boards": [{"board": 0, "query": {"start": [0, 0], "goals": [[8, 8]], "algorithm": "astar"}}]}))
        .await;
    client.refuses(&spawn(1, 0, &[[1.5, 1.5]]), "crowd 1 does not exist").await;
    client.refuses(&spawn(2, 0, &[[1.5, 1.5]]), "crowd 2 does not exist").await;
    client.say(&crowd(3)).await;
    client.refuses(&json!({"type": "tick", "live": 2, "ticks": 1}), "live units 2 do not exist").await;
    assert_eq!(client.passed(3, 1).await["units"], 0);
}
