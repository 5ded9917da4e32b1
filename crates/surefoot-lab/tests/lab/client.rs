//! Talking to a server.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use surefoot_lab::{Server, Settings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

/// Longer than anything here takes, so that a test that hangs fails.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// A server that ends with the test.
pub struct Lab {
    pub port: u16,
}

/// An answer to an HTTP call.
pub struct Reply {
    pub status: u16,
    pub headers: String,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        let named = |line: &&str| line.split(':').next().is_some_and(|key| key.eq_ignore_ascii_case(name));
        self.headers.lines().find(named).and_then(|line| line.split_once(": ")).map(|(_, value)| value)
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// What is wrong, of a call that was refused.
    pub fn error(&self) -> String {
        assert!((400..500).contains(&self.status), "{}: {}", self.status, self.text());
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

impl Lab {
    pub async fn start() -> Lab {
        Lab::with(Settings::default()).await
    }

    pub async fn with(settings: Settings) -> Lab {
        let server = Server::bind(&Settings { port: Some(0), ..settings }).await.unwrap();
        let port = server.url().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
        tokio::spawn(server.serve(std::future::pending()));
        Lab { port }
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", self.port), b"").await
    }

    /// A connection over which nothing was said yet.
    pub async fn open(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).await.unwrap()
    }

    pub async fn post(&self, path: &str, body: &[u8]) -> Reply {
        let (port, length) = (self.port, body.len());
        let head = format!("POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {length}\r\n");
        self.ask(&head, body).await
    }

    /// Sends a head as it is, and a body after it.
    pub async fn ask(&self, head: &str, body: &[u8]) -> Reply {
        let call = async {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
            stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).await.unwrap();
            stream.write_all(body).await.unwrap();
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).await.unwrap();
            bytes
        };
        let bytes = timeout(PATIENCE, call).await.expect("an answer in time");
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let headers = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, headers, body: bytes[end + 4..].to_vec() }
    }

    pub async fn connect(&self) -> Client {
        let mut client = self.connect_from(None).await.unwrap();
        assert_eq!(client.next().await, json!({"type": "hello", "protocol": 2}));
        client
    }

    pub async fn connect_from(&self, origin: Option<&str>) -> Result<Client, Error> {
        let mut request = format!("ws://127.0.0.1:{}/ws", self.port).into_client_request()?;
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().unwrap());
        }
        let stream = TcpStream::connect(("127.0.0.1", self.port)).await?;
        let (socket, _) = timeout(PATIENCE, client_async(request, stream)).await.expect("in time")?;
        Ok(Client { socket, pieces: Vec::new() })
    }

    /// A scene of the gallery.
    pub async fn scene(&self, name: &str) -> Value {
        self.get(&format!("/api/gallery/{name}")).await.json()
    }
}

/// A page.
pub struct Client {
    pub socket: WebSocketStream<TcpStream>,
    /// Pieces of traces that came so far.
    pub pieces: Vec<Vec<u8>>,
}

impl Client {
    pub async fn say(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).await.unwrap();
    }

    /// The next message of text; pieces of traces before it are kept.
    pub async fn next(&mut self) -> Value {
        loop {
            match self.frame().await {
                Message::Text(text) => return serde_json::from_str(text.as_str()).unwrap(),
                Message::Binary(piece) => self.pieces.push(piece.to_vec()),
                Message::Close(frame) => panic!("closed: {frame:?}"),
                _ => {}
            }
        }
    }

    pub async fn frame(&mut self) -> Message {
        let frame = timeout(PATIENCE, self.socket.next()).await.expect("a message in time");
        frame.expect("a socket that is open").unwrap()
    }

    /// The next message of a type; others are passed over.
    pub async fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await;
            if message["type"] == kind {
                return message;
            }
            assert_ne!(message["type"], "error", "{message}");
        }
    }

    /// What the server says to a message that is no good.
    pub async fn refusal(&mut self, message: &Value) -> Value {
        self.say(message).await;
        let answer = self.next().await;
        assert_eq!(answer["type"], "error", "{message}: {answer}");
        answer
    }

    /// Why the server closes the socket.
    pub async fn closed(&mut self) -> (u16, String) {
        loop {
            if let Message::Close(frame) = self.frame().await {
                let frame = frame.expect("a reason");
                return (frame.code.into(), frame.reason.to_string());
            }
        }
    }

    /// Runs a query to its end.
    pub async fn run(&mut self, query: &Value) -> Value {
        self.say(&run(0, 1, query)).await;
        self.next_of("done").await
    }
}

/// A message that starts a run without a trace.
pub fn run(board: u32, number: u32, query: &Value) -> Value {
    json!({"type": "run", "board": board, "run": number, "query": query})
}

/// A message with a world of floor.
pub fn field(width: u32, height: u32) -> Value {
    let rows = vec![format!(".{{{width}}}"); height as usize];
    json!({"type": "world", "world": grid(width, height, &rows)})
}

pub fn grid(width: u32, height: u32, rows: &[String]) -> Value {
    json!({"surefoot": "world", "version": 1, "kind": "grid", "width": width, "height": height, "rows": rows})
}

/// A message with a world drawn in rows.
pub fn drawn(rows: &[&str]) -> Value {
    let (width, height) = (rows[0].len() as u32, rows.len() as u32);
    let rows: Vec<String> = rows.iter().map(|&row| row.to_owned()).collect();
    json!({"type": "world", "world": grid(width, height, &rows)})
}
