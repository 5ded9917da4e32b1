//! `surefoot lab`: starting, serving, ending.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use crate::common::{folder, refused};

/// Longer than anything here takes, so that a test that hangs fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// A lab that is running.
struct Lab {
    child: Child,
    out: BufReader<ChildStdout>,
    port: u16,
}

impl Lab {
    fn start(args: &[&str]) -> Lab {
        // Without a search path there is no browser to be opened.
        let mut child = Command::new(env!("CARGO_BIN_EXE_surefoot"))
            .args(args)
            .env("PATH", "")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let port = line.strip_prefix("lab: http://127.0.0.1:").and_then(|rest| rest.strip_suffix("/\n"));
        let port = port.unwrap_or_else(|| panic!("{line}")).parse().unwrap();
        Lab { child, out, port }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n", self.port);
        stream.write_all(head.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    fn connect(&self) -> WebSocket<TcpStream> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        tungstenite::client(format!("ws://127.0.0.1:{}/ws", self.port), stream).unwrap().0
    }

    /// Sends a signal and waits for the end: the exit code, what else was on standard output, and standard error.
    fn end(mut self, signal: &str) -> (Option<i32>, String, String) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let began = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            if began.elapsed() > Duration::from_secs(10) {
                self.child.kill().unwrap();
                panic!("still there 10 s after {signal}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let (mut out, mut err) = (String::new(), String::new());
        self.out.read_to_string(&mut out).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        (self.child.wait().unwrap().code(), out, err)
    }
}

/// Starts a long search on a large map.
fn start_run(socket: &mut WebSocket<TcpStream>) {
    let world = json!({"surefoot": "world", "version": 1, "kind": "grid", "width": 1024, "height": 1024,
                       "rows": vec![".{1024}"; 1024]});
    let query = json!({"start": [0, 0], "goals": [[1023, 1023]], "algorithm": "dijkstra"});
    let run = json!({"type": "run", "board": 0, "run": 1, "trace": true, "query": query});
    for message in [json!({"type": "world", "world": world}), run] {
        socket.send(Message::text(message.to_string())).unwrap();
    }
}

fn read_to_the_end(socket: &mut WebSocket<TcpStream>) -> Value {
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            let message: Value = serde_json::from_str(text.as_str()).unwrap();
            if message["type"] == "done" {
                return message;
            }
        }
    }
}

#[test]
fn the_lab_serves_its_page_and_ends_when_asked_to() {
    for signal in ["-TERM", "-INT", "-HUP"] {
        let lab = Lab::start(&["lab", "--port", "0", "--no-open"]);
        assert!(lab.get("/").starts_with("HTTP/1.1 200 OK"));
        let mut sockets: Vec<_> = (0..3).map(|_| lab.connect()).collect();
        sockets.iter_mut().for_each(start_run);
        let (code, out, err) = lab.end(signal);
        assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "", ""), "{signal}");
    }
}

#[test]
fn without_arguments_it_is_the_lab_and_without_a_browser_there_is_a_hint() {
    let lab = Lab::start(&[]);
    let url = format!("http://127.0.0.1:{}/", lab.port);
    assert!(lab.get("/api/about").contains("\"protocol\":2"));
    let (code, out, err) = lab.end("-TERM");
    assert_eq!((code, out.as_str()), (Some(0), ""));
    assert_eq!(err, format!("cannot open a browser: open {url} yourself\n"));
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let error = refused(&format!("lab --no-open --port {port}"));
    assert!(error.starts_with(&format!("error: cannot listen on port {port}: ")), "{error}");
    for wrong in ["65536", "-1", "http"] {
        assert!(refused(&format!("lab --no-open --port {wrong}")).contains(wrong));
    }
    assert!(refused("lab --no-open --port 0 --page nowhere").contains("cannot serve the page from nowhere"));
}

#[test]
fn the_page_can_come_from_a_folder() {
    let folder = folder("lab-page");
    fs::write(folder.join("index.html"), "mine").unwrap();
    let lab = Lab::start(&["lab", "--port", "0", "--no-open", "--page", folder.to_str().unwrap()]);
    assert!(lab.get("/").ends_with("\r\n\r\nmine"));
    assert_eq!(lab.end("-TERM").0, Some(0));
}

#[test]
fn nobody_reading_where_the_lab_is_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_surefoot"))
        .args(["lab", "--port", "0"])
        .env("PATH", "")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // The hint comes after the line that is never read.
    let mut hint = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut hint).unwrap();
    assert!(hint.starts_with("cannot open a browser: open http://127.0.0.1:"), "{hint}");
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// The memory of a process that is really in use, in MiB.
#[cfg(target_os = "linux")]
fn resident_mib(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

/// Waits until the lab holds less than so many MiB; says what it holds if that does not happen. Meanwhile it is asked for
/// small things now and then: the allocator tidies up when it is used.
#[cfg(target_os = "linux")]
fn shrinks_below(lab: &Lab, limit: u64) -> Result<(), u64> {
    for _ in 0..300 {
        lab.get("/api/generate?kind=maze&width=31&height=31&seed=1");
        if resident_mib(lab.child.id()) < limit {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(300));
    }
    Err(resident_mib(lab.child.id()))
}

/// Ten sessions at a time on maps of a million cells, half of them never read: afterwards most of the memory is the
/// system's again.
#[cfg(target_os = "linux")]
#[test]
fn memory_returns() {
    let lab = Lab::start(&["lab", "--port", "0", "--no-open"]);
    let before = resident_mib(lab.child.id());
    let mut most = before;
    for _ in 0..3 {
        let mut sockets: Vec<_> = (0..10).map(|_| lab.connect()).collect();
        sockets.iter_mut().for_each(start_run);
        for socket in sockets.iter_mut().step_by(2) {
            assert_eq!(read_to_the_end(socket)["outcome"], "found");
        }
        most = most.max(resident_mib(lab.child.id()));
    }
    assert!(most > before + 100, "{most} MiB at most: too few to tell");
    let left = shrinks_below(&lab, before + (most - before) / 2);
    assert_eq!(left, Ok(()), "{before} MiB before, {most} MiB at most");
    println!("{before} MiB before, {most} MiB at most, {} MiB after", resident_mib(lab.child.id()));
    assert_eq!(lab.end("-TERM").0, Some(0));
}
