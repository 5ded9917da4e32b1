//! Many clients at once, and clients that misbehave.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use surefoot_lab::{Patience, Settings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::client::{Client, Lab, PATIENCE, drawn, field, run};

/// Soon on a slow machine, too, and never by accident: where it matters, the other one is `LONG`.
const SHORT: Duration = Duration::from_millis(500);
const LONG: Duration = Duration::from_hours(1);

/// Waits until the server has closed a connection, and says what it sent before that.
async fn until_closed(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A connection that is reset is closed, too.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("closed in time");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heads_that_do_not_come_to_an_end_time_out() {
    let patience = Patience { head: SHORT, unread: LONG };
    let lab = Lab::with(Settings { patience, ..Settings::default() }).await;
    let half = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", lab.port);
    let halves = ["", "G", "GET / HTTP/1.1\r\nHos", &half];
    let wait = async |said: &str| {
        let mut stream = lab.open().await;
        stream.write_all(said.as_bytes()).await.unwrap();
        assert!(!until_closed(&mut stream).await.contains("200 OK"), "{said}");
    };
    join_all((0..40).map(|number| wait(halves[number % halves.len()]))).await;
    // A client that has been answered may not fall silent in the next head, either.
    let mut stream = lab.open().await;
    stream.write_all(format!("{half}\r\nGET /api/about").as_bytes()).await.unwrap();
    assert_eq!(until_closed(&mut stream).await.matches("HTTP/1.1").count(), 1);
    // A socket may be silent for as long as it likes.
    let mut client = lab.connect().await;
    sleep(2 * SHORT).await;
    client.say(&drawn(&["..."])).await;
    let query = json!({"start": [0, 0], "goals": [[2, 0]], "algorithm": "astar"});
    assert_eq!(client.run(&query).await["outcome"], "found");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_open_connections_make_room_for_others() {
    const MOST: usize = 256;
    let patience = Patience { head: LONG, unread: LONG };
    let lab = Lab::with(Settings { patience, ..Settings::default() }).await;
    let mut waiting = Vec::new();
    for _ in 0..2 * MOST {
        let mut stream = lab.open().await;
        stream.write_all(b"GET / HTTP/1.1\r\nHost: ").await.unwrap();
        waiting.push(stream);
    }
    assert_eq!(lab.get("/").await.status, 200);
    // The first clients had to go.
    for stream in &mut waiting[..MOST] {
        assert_eq!(until_closed(stream).await, "");
    }
}

/// Waits until the server has left a connection of which nothing is read: whoever writes to it then is told so.
async fn until_left(stream: &mut TcpStream, words: &[u8]) {
    let told = async {
        while stream.write_all(words).await.is_ok() {
            sleep(SHORT / 10).await;
        }
    };
    timeout(PATIENCE, told).await.expect("left in time");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_are_never_read_are_given_up() {
    let patience = Patience { head: LONG, unread: SHORT };
    let lab = Lab::with(Settings { patience, ..Settings::default() }).await;
    let file = lab.get("/").await.body.len();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(([127, 0, 0, 1], lab.port).into()).await.unwrap();
    // Questions whose answers are far more than the system holds for a client that does not read them.
    let head = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", lab.port);
    let questions = head.repeat((32 << 20) / file);
    // The server takes no more questions while its answers are not taken, and then it leaves.
    let asked = timeout(PATIENCE, stream.write_all(questions.as_bytes())).await.expect("left in time");
    if asked.is_ok() {
        until_left(&mut stream, b"\r\n").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heavy_calls_keep_nobody_else_waiting() {
    let lab = Lab::start().await;
    let mut client = lab.connect().await;
    client.say(&field(32, 32)).await;
    let head = format!(
        "GET /api/generate?kind=caves&width=1024&height=1024&seed=1 HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\
         Connection: close\r\n\r\n",
        lab.port
    );
    let mut heavy = Vec::new();
    for _ in 0..24 {
        let mut stream = lab.open().await;
        stream.write_all(head.as_bytes()).await.unwrap();
        heavy.push(stream);
    }
    let heavy: Vec<_> = heavy
        .into_iter()
        .map(|mut stream| tokio::spawn(async move { until_closed(&mut stream).await }))
        .collect();
    for number in 0..3 {
        assert_eq!(lab.get("/").await.status, 200);
        let small = format!("/api/generate?kind=maze&width=31&height=31&seed={number}");
        assert_eq!(lab.get(&small).await.status, 200);
        let query = json!({"start": [0, 0], "goals": [[31, 31]], "algorithm": "astar"});
        assert_eq!(client.run(&query).await["outcome"], "found");
    }
    // The page's own calls do not wait for those of others.
    let own = head.replace("\r\nConnection: close\r\n\r\n", "\r\nSec-Fetch-Site: same-origin\r\n");
    assert_eq!(lab.ask(&own.replace("1024", "300"), b"").await.status, 200);
    let (answered, working): (Vec<_>, Vec<_>) = heavy.into_iter().partition(JoinHandle::is_finished);
    assert!(!working.is_empty(), "all heavy calls went first");
    assert!(!answered.is_empty(), "24 heavy calls were taken on at once");
    working.iter().for_each(JoinHandle::abort);
    for answer in join_all(answered).await.into_iter().map(Result::unwrap) {
        if !answer.starts_with("HTTP/1.1 200") {
            assert!(answer.starts_with("HTTP/1.1 429") && answer.contains("retry-after: 1"), "{answer}");
            assert!(answer.contains("too many long requests"), "{answer}");
        }
    }
}

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
    // A client that reads after all gets everything.
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
