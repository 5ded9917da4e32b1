//! What the page can offer; maps in, maps and pictures out.

use serde_json::{Value, json};

use crate::client::{Lab, drawn, grid};

#[tokio::test]
async fn about_lists_everything() {
    let lab = Lab::start().await;
    let about = lab.get("/api/about").await.json();
    assert_eq!((&about["protocol"], &about["limits"]["side"]), (&json!(2), &json!(2048)));
    for list in ["algorithms", "heuristics", "moves", "moves3", "terrain_rules", "queues", "kinds"] {
        let entries = about[list].as_array().unwrap();
        assert!(entries.len() > 2, "{list}");
        for entry in entries {
            for field in ["name", "summary"] {
                assert!(entry[field].as_str().is_some_and(|text| !text.is_empty()), "{list}: {entry}");
            }
        }
    }
    let algorithms = about["algorithms"].as_array().unwrap();
    assert!(
        algorithms.iter().any(|one| one["name"] == "astar" && one["title"] == "A*"),
        "the page begins with it"
    );
}

#[tokio::test]
async fn every_scene_of_the_gallery_has_a_path() {
    let lab = Lab::start().await;
    let about = lab.get("/api/about").await.json();
    let mut client = lab.connect().await;
    for listing in about["gallery"].as_array().unwrap() {
        let scene = lab.scene(listing["name"].as_str().unwrap()).await;
        assert_eq!((&scene["title"], &scene["text"]), (&listing["title"], &listing["text"]));
        assert_eq!(scene["world"]["kind"], listing["world"]);
        client.say(&json!({"type": "world", "world": scene["world"]})).await;
        let query = json!({"start": scene["start"], "goals": scene["goals"], "algorithm": "astar"});
        assert_eq!(client.run(&query).await["outcome"], "found", "{listing}");
    }
    assert_eq!(lab.get("/api/gallery/nowhere").await.error(), "`nowhere` not found in the gallery");
}

#[tokio::test]
async fn the_same_seed_gives_the_same_scene() {
    let lab = Lab::start().await;
    let path = |kind: &str| format!("/api/generate?kind={kind}&width=40&height=30&seed=7");
    for kind in ["empty", "maze", "barnyard", "enclosure", "labyrinth", "terrain", "rooms", "caves", "random"]
    {
        let scene = lab.get(&path(kind)).await.json();
        assert_eq!(scene["world"]["width"], 40, "{kind}");
        assert!(scene["start"].is_array() && scene["goals"][0].is_array(), "{kind}");
        assert_eq!(lab.get(&path(kind)).await.json(), scene);
    }
    let nothing_joined = lab.get("/api/generate?kind=empty&width=1&height=1&seed=7").await.json();
    assert_eq!((&nothing_joined["start"], &nothing_joined["goals"]), (&Value::Null, &json!([])));
    for (query, expected) in [
        ("kind=maze&width=4096&height=16&seed=1", "4096 x 16 cells are too many for the lab"),
        ("kind=maze&width=0&height=16&seed=1", "0 x 16"),
        ("kind=moon&width=16&height=16&seed=1", "unknown kind of map `moon`"),
        ("kind=maze&width=16&height=16", "seed"),
        ("kind=maze&width=16&height=16&seed=-1", "seed"),
        ("kind=maze&width=16&height=16&seed=1&depth=3", "depth"),
    ] {
        let error = lab.get(&format!("/api/generate?{query}")).await.error();
        assert!(error.contains(expected), "{query}: {error}");
    }
}

/// A world that every format can hold.
fn plain() -> Value {
    grid(4, 2, &["..#.".to_owned(), "....".to_owned()])
}

#[tokio::test]
async fn files_go_out_and_come_back() {
    let lab = Lab::start().await;
    for format in ["map", "txt", "png", "world.json"] {
        let path = format!("/api/export?format={format}");
        let file = lab.post(&path, plain().to_string().as_bytes()).await;
        assert_eq!(file.status, 200, "{format}");
        let scene = lab.post(&format!("/api/open?name=a.{format}"), &file.body).await.json();
        assert_eq!(scene["title"], format!("a.{format}"));
        assert_eq!(scene["world"]["rows"], plain()["rows"]);
        assert!(scene["start"].is_array());
    }
    let graph = lab.scene("towns").await["world"].clone();
    let scene = lab.post("/api/open?name=towns", graph.to_string().as_bytes()).await.json();
    assert_eq!((&scene["world"]["nodes"], &scene["start"]), (&graph["nodes"], &json!(0)));
    let error = lab.post("/api/export?format=map", graph.to_string().as_bytes()).await.error();
    assert!(error.contains("a waypoint graph cannot be written"), "{error}");
    assert!(lab.post("/api/export?format=doc", b"").await.error().contains("unknown format `doc`"));
}

/// The beginning of a PNG of that size.
fn png_head(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes
}

#[tokio::test]
async fn files_that_are_no_good_are_explained() {
    let lab = Lab::start().await;
    let too_wide = grid(16_384, 2, &[".{16384}".to_owned(), ".{16384}".to_owned()]).to_string();
    let too_many = json!({"surefoot": "world", "version": 1, "kind": "graph", "edges": [],
                          "nodes": vec![[0.0, 0.0]; 20_001]});
    for (file, expected) in [
        (b"nonsense".to_vec(), "a.map: unknown format"),
        (b"type octile\nheight 1\nwidth 2\nmap\n.?\n".to_vec(), "line 5, column 2"),
        (png_head(16_000, 16_000), "16000 x 16000 cells are too many"),
        (png_head(16, 16), "a.map:"),
        (too_wide.into_bytes(), "16384 x 2 cells are too many"),
        (too_many.to_string().into_bytes(), "20001 nodes are too many for the lab, expected at most 20000"),
        (b"{\xff".to_vec(), "UTF-8"),
    ] {
        let error = lab.post("/api/open?name=a.map", &file).await.error();
        assert!(error.contains(expected), "{expected}: {error}");
    }
    assert!(lab.post("/api/open", b"").await.error().contains("name"));
    let head = format!(
        "POST /api/open?name=a HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 99999999999\r\n",
        lab.port
    );
    let reply = lab.ask(&head, b"").await;
    assert_eq!(reply.status, 413);
    assert!(reply.error().contains("at most 67108864 bytes"));
}

#[tokio::test]
async fn searches_are_drawn() {
    let lab = Lab::start().await;
    let world = drawn(&["........", "........"])["world"].clone();
    let query = json!({"start": [0, 0], "goals": [[7, 1]], "algorithm": "astar"});
    let request = |steps: Value| json!({"world": world, "query": query, "steps": steps}).to_string();
    let whole = lab.post("/api/picture?format=svg", request(Value::Null).as_bytes()).await;
    assert_eq!(whole.header("content-type"), Some("image/svg+xml"));
    assert!(whole.text().starts_with("<svg") && whole.text().contains("A*: cost 7.41"), "{}", whole.text());
    let begun = lab.post("/api/picture?format=svg", request(json!(2)).as_bytes()).await;
    assert!(begun.text().contains("A*: 2 nodes expanded so far"), "{}", begun.text());
    let png = lab.post("/api/picture?format=png", request(json!(2)).as_bytes()).await;
    assert!(png.body.starts_with(b"\x89PNG"));
    assert!(lab.post("/api/picture?format=gif", b"").await.error().contains("unknown format `gif`"));
    assert!(lab.post("/api/picture?format=png", b"[]").await.error().contains("invalid"));
}

#[tokio::test]
async fn searches_in_voxel_worlds_are_drawn() {
    let lab = Lab::start().await;
    let scene = lab.scene("tower").await;
    let query = json!({"start": scene["start"], "goals": scene["goals"], "algorithm": "jps3"});
    let request = json!({"world": scene["world"], "query": query}).to_string();
    let drawing = lab.post("/api/picture?format=svg", request.as_bytes()).await;
    assert_eq!(drawing.header("content-type"), Some("image/svg+xml"));
    for expected in ["<svg", "Jump point search in 3D: cost ", "solid, cut open", "path, hidden"] {
        assert!(drawing.text().contains(expected), "{expected}");
    }
    let png = lab.post("/api/picture?format=png", request.as_bytes()).await;
    assert!(png.body.starts_with(b"\x89PNG"), "{}", png.status);
}
