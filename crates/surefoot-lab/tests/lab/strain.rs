//! Many at once, and those who misbehave.

use futures_util::future::join_all;
use serde_json::json;

use crate::client::{Client, Lab, drawn, field, run};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sockets_come_and_go() {
    let lab = Lab::start().await;
    let visit = async |number: u32| {
        let mut client = lab.connect().await;
        client.say(&field(64, 64)).await;
        let query = json!({"start": [0, 0], "goals": [[63, 63]], "algorithm": "dijkstra"});
        let mut message = run(0, number, &query);
        message["trace"] = json!(true);
        client.say(&message).await;
        if number.is_multiple_of(2) {
            assert_eq!(client.next_of("done").await["run"], number);
        }
        // The others leave without a word.
    };
    join_all((0..200).map(visit)).await;
    join_all((0..200).map(visit)).await;
    assert_eq!(lab.get("/api/about").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn there_are_only_so_many_seats() {
    let lab = Lab::start().await;
    let mut clients: Vec<Client> = join_all((0..256).map(async |_| lab.connect().await)).await;
    let refused = lab.connect_from(None).await.err().expect("no seat is left").to_string();
    assert!(refused.contains("503"), "{refused}");
    let mut leaving = clients.pop().unwrap();
    leaving.socket.close(None).await.unwrap();
    drop(leaving);
    // A seat is free again as soon as the server has noticed.
    while lab.connect_from(None).await.is_err() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_read_stalls_nobody_else() {
    let lab = Lab::start().await;
    let mut deaf = Vec::new();
    for _ in 0..8 {
        let mut client = lab.connect().await;
        client.say(&field(1024, 1024)).await;
        for board in 0..4 {
            let query = json!({"start": [0, 0], "goals": [[1023, 1023]], "algorithm": "dijkstra"});
            let mut message = run(board, 1, &query);
            message["trace"] = json!(true);
            client.say(&message).await;
        }
        deaf.push(client);
    }
    let mut client = lab.connect().await;
    client.say(&field(32, 32)).await;
    for _ in 0..50 {
        let query = json!({"start": [0, 0], "goals": [[31, 31]], "algorithm": "astar"});
        assert_eq!(client.run(&query).await["outcome"], "found");
    }
    // Who reads after all gets everything.
    let mut late = deaf.swap_remove(0);
    for _ in 0..4 {
        assert_eq!(late.next_of("done").await["outcome"], "found");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_keep_their_own_worlds() {
    let lab = Lab::start().await;
    let live = async |width: usize| {
        let mut client = lab.connect().await;
        for round in 0..10 {
            let row = ".".repeat(width + round);
            client.say(&drawn(&[&row])).await;
            let query = json!({"start": [0, 0], "goals": [[width + round - 1, 0]], "algorithm": "astar"});
            assert_eq!(client.run(&query).await["cost"], (width + round - 1) as f64);
        }
    };
    join_all((2..22).map(live)).await;
}
