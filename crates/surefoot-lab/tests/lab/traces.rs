//! Traces: what arrives is what a search of one's own records.

use serde_json::{Value, json};
use surefoot::algorithms::ALGORITHMS;
use surefoot::formats::{World, world_json};
use surefoot::prelude::*;
use surefoot::search::observe::Event;
use surefoot::search::observe::{Trace, TraceEvents};

use crate::client::{Client, Lab, field, run};

/// Puts pieces together that belong to a board and a run; returns the events they claim to hold, too.
fn put_together(pieces: &[Vec<u8>], board: u8, run: u32) -> (Vec<u8>, usize) {
    let (mut recording, mut events) = (Vec::new(), 0);
    for piece in pieces {
        assert_eq!(piece[..4], [1, board, 0, 0]);
        assert_eq!(piece[4..8], run.to_le_bytes());
        let count = u32::from_le_bytes(piece[8..12].try_into().unwrap());
        assert!(count > 0);
        events += count as usize;
        recording.extend(&piece[12..]);
    }
    (recording, events)
}

async fn recorded(client: &mut Client, query: &Value) -> (Value, Vec<u8>, usize) {
    client.pieces.clear();
    let mut message = run(3, 77_000, query);
    message["trace"] = json!(true);
    client.say(&message).await;
    let done = client.next_of("done").await;
    let (recording, events) = put_together(&client.pieces, 3, 77_000);
    assert_eq!(done["events"], events);
    (done, recording, events)
}

fn cell(place: &Value) -> Cell {
    Cell::new(place[0].as_i64().unwrap() as i32, place[1].as_i64().unwrap() as i32)
}

#[tokio::test]
async fn every_algorithm_s_trace_is_that_of_a_local_search() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    // One on which every algorithm works, one with terrain.
    for kind in ["caves", "terrain"] {
        traces_are_those_of_local_searches(&lab, &mut client, kind).await;
    }
}

async fn traces_are_those_of_local_searches(lab: &Lab, client: &mut Client, kind: &str) {
    let scene = lab.get(&format!("/api/generate?kind={kind}&width=90&height=70&seed=3")).await.json();
    client.say(&json!({"type": "world", "world": scene["world"]})).await;
    let World::Grid(grid) = world_json::read(scene["world"].to_string().as_bytes()).unwrap() else {
        panic!()
    };
    let view = grid.view(&Agent::default());
    let works = |algorithm: &&Algorithm| algorithm.refusal(view).is_none() && algorithm.name != "ida_star";
    for algorithm in ALGORITHMS.iter().filter(works) {
        let query = json!({"start": scene["start"], "goals": scene["goals"], "algorithm": algorithm.name});
        let (done, recording, _) = recorded(client, &query).await;
        let mut trace = Trace::with_limit(6_000_000);
        let mut finder = Pathfinder::new(algorithm, &Options::default()).unwrap();
        let (start, goal) = (cell(&scene["start"]), cell(&scene["goals"][0]));
        let path = finder.find_watched(view, start, goal, &mut trace).unwrap();
        assert_eq!(done["cost"].as_f64(), Some(path.cost()), "{}", algorithm.name);
        let in_cells = |node: NodeId| match grid.cell(node) {
            _ if node == NodeId::NONE => node,
            Cell { x, y } => NodeId((90 * y + x) as u32),
        };
        let expected = trace.events().map(|event| {
            let (node, parent) = (in_cells(event.node), in_cells(event.parent));
            Event { node, parent, ..event }
        });
        assert!(TraceEvents::new(&recording).eq(expected), "{}", algorithm.name);
        assert!(!trace.is_empty());
    }
}

#[tokio::test]
async fn cells_are_counted_along_rows() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&field(7, 5)).await;
    let mut message = run(0, 1, &json!({"start": [2, 3], "goals": [[6, 0]], "algorithm": "astar"}));
    message["trace"] = json!(true);
    client.say(&message).await;
    client.next_of("done").await;
    let first = TraceEvents::new(&client.pieces[0][12..]).next().unwrap();
    assert_eq!((first.node, first.parent), (NodeId(3 * 7 + 2), NodeId::NONE));
}

#[tokio::test]
async fn a_long_trace_comes_in_pieces_and_ends_at_its_limit() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&field(2048, 2048)).await;
    let query = json!({"start": [0, 0], "goals": [[2047, 2047]], "algorithm": "dijkstra"});
    let (done, recording, events) = recorded(&mut client, &query).await;
    assert_eq!((&done["outcome"], events), (&json!("found"), 6_000_000));
    assert!(done["dropped"].as_u64().unwrap() > 1_000_000);
    assert_eq!(TraceEvents::new(&recording).count(), events);
    assert!(client.pieces.len() > 100 && client.pieces.iter().all(|piece| piece.len() <= 256 << 10));
}
