//! `surefoot generate` and `surefoot convert`.

use std::fs;

use serde_json::json;

use crate::common::{data, folder, names, refused, surefoot};

const KINDS: [&str; 9] =
    ["empty", "maze", "barnyard", "enclosure", "labyrinth", "terrain", "rooms", "caves", "random"];

#[test]
fn every_kind_can_be_made_converted_and_solved() {
    let folder = folder("round_trip");
    let file = |name: &str| folder.join(name).display().to_string();
    for kind in KINDS {
        let (world, image, again) = (file("a.world.json"), file("a.png"), file("b.world.json"));
        let made = surefoot(&format!("generate {kind} --size 33x21 --seed 5 --out {world}"));
        assert_eq!(made.code, 0, "{kind}: {}", made.err);
        assert!(made.out.contains(&format!("a.world.json: {kind}, 33 x 21, seed 5, ")), "{}", made.out);
        assert_eq!(surefoot(&format!("convert {world} {image}")).code, 0, "{kind}");
        assert_eq!(surefoot(&format!("convert {image} {again}")).code, 0, "{kind}");
        assert_eq!(fs::read(&world).unwrap(), fs::read(&again).unwrap(), "{kind}");
        let query = made.out.lines().find_map(|line| line.strip_prefix("try: surefoot ")).unwrap().to_owned();
        let answer = surefoot(&format!("{query} --json"));
        assert_eq!((answer.code, &answer.json()["found"]), (0, &json!(true)), "{kind}");
    }
}

#[test]
fn the_same_seed_makes_the_same_map() {
    let folder = folder("seeds");
    let make = |seed: u32, name: &str| {
        let file = folder.join(name);
        let run = surefoot(&format!("generate maze --size 31x31 --seed {seed} --out {}", file.display()));
        assert_eq!(run.code, 0, "{}", run.err);
        fs::read(file).unwrap()
    };
    let first = make(1, "a.map");
    assert_eq!(make(1, "b.map"), first);
    assert_ne!(make(2, "a.map"), first, "an old file is replaced");
    assert_eq!(names(&folder), ["a.map", "b.map"]);
}

#[test]
fn formats_are_chosen_by_extension() {
    let folder = folder("extensions");
    for (name, start) in
        [("a.txt", &b"1\n5\n6\n.....\n.xxx."[..]), ("a.png", b"\x89PNG"), ("a.world.json", b"{")]
    {
        let out = folder.join(name);
        let run = surefoot(&format!("convert {} {}", data("tiny.map"), out.display()));
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.ends_with("5 x 6 cells\n"), "{}", run.out);
        assert!(fs::read(out).unwrap().starts_with(start), "{name}");
    }
}

#[test]
fn palettes_say_what_colours_mean() {
    let folder = folder("palettes");
    let (grid, image) = (folder.join("a.txt"), folder.join("a.png"));
    fs::write(&grid, "1\n3\n1\n.7.\n").unwrap();
    let (grid, image) = (grid.display(), image.display());
    let palette = "--palette #000000=0,#ffffff=1,#ff0000=7";
    assert!(refused(&format!("convert {grid} {image}")).contains("cell 1,0: terrain of cost 7"));
    assert_eq!(surefoot(&format!("convert {grid} {image} {palette}")).code, 0);
    let answer = surefoot(&format!("solve --map {image} --from 0,0 --to 2,0 --json {palette}")).json();
    assert_eq!(answer["cost"], json!(8.0));
    assert!(refused(&format!("solve --map {image} --from 0,0 --to 2,0")).contains("a.png: pixel 1,0: "));
    assert!(
        refused(&format!("convert {grid} {}/b.txt {palette}", folder.display()))
            .contains("--palette applies to PNG images")
    );
    assert!(refused(&format!("convert {grid} {image} --palette red=1")).contains("--palette"));
}

#[test]
fn what_cannot_be_written_is_refused_and_nothing_is_left() {
    let folder = folder("refused_worlds");
    let out = folder.display();
    for (args, expected) in [
        (
            format!("convert {} {out}/a.map", data("towns.world.json")),
            "a.map: a waypoint graph cannot be written as a benchmark map",
        ),
        (
            format!("convert {} {out}/a.doc", data("tiny.map")),
            "a.doc: unknown extension `doc`, expected .map, .3dmap, ",
        ),
        (format!("convert {} {out}/a", data("tiny.map")), "unknown extension ``, expected .map, "),
        (format!("convert none.map {out}/a.map"), "cannot read none.map: "),
        (
            format!("generate terrain --size 20x20 --seed 1 --out {out}/a.map"),
            "cannot be written as a benchmark map",
        ),
        (
            format!("generate moat --size 20x20 --out {out}/a.map"),
            "unknown kind of map `moat`: expected one of empty, maze",
        ),
        (format!("generate maze --size 20 --out {out}/a.map"), "expected columns and rows as WxH"),
        (format!("generate maze --size 0x20 --out {out}/a.map"), "--size: size 0 x 20 is out of range"),
        (
            format!("generate maze --size 99999x99999 --out {out}/a.map"),
            "--size: size 99999 x 99999 is out of range",
        ),
        (format!("generate maze --size 20x20 --seed -1 --out {out}/a.map"), "--seed"),
        (format!("generate maze --size 20x20 --out {out}/none/a.map"), "cannot write "),
    ] {
        let error = refused(&args);
        assert!(error.contains(expected), "{args}: {error}");
    }
    assert!(names(&folder).is_empty());
}

#[test]
fn scenes_are_converted() {
    let folder = folder("scenes");
    let (boxes, scene, again) =
        (folder.join("boxes.json"), folder.join("a.scene.json"), folder.join("b.scene.json"));
    let text = json!({
        "search_space": {"center": [4, 4, 2], "size": [8, 8, 4], "cell": 1},
        "start": [0, 0, 0], "goal": [7, 7, 3], "agent_speed": 4,
        "static": [{"name": "wall", "pos": [1, 1, 1], "quat_xyzw": [0, 0, 0, 1], "half": [2, 0.5, 1]}],
        "dynamic": [],
    });
    fs::write(&boxes, text.to_string()).unwrap();
    let run = surefoot(&format!("convert {} {}", boxes.display(), scene.display()));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.ends_with("a scene, 8 x 8 x 4 cells, 1 static shapes, 0 obstacles\n"), "{}", run.out);
    assert_eq!(surefoot(&format!("convert {} {}", scene.display(), again.display())).code, 0);
    assert_eq!(fs::read(&scene).unwrap(), fs::read(&again).unwrap());
    // A map is no scene, and a scene is no map: neither is an error in the file.
    for (input, output, expected) in [
        (data("towns.world.json"), "b.scene.json", "towns.world.json: found a world, expected a scene"),
        (data("tiny.map"), "b.scene.json", "tiny.map: found a benchmark map, expected a scene"),
        (scene.display().to_string(), "b.map", "a.scene.json: found a scene, expected a world"),
        (boxes.display().to_string(), "b.png", "boxes.json: found a scene, expected a world"),
    ] {
        let error = refused(&format!("convert {input} {}", folder.join(output).display()));
        assert!(error.contains(expected), "{error}");
        assert_eq!(error.contains("cannot convert to "), output == "b.scene.json", "{error}");
    }
    fs::write(&boxes, "{\"surefoot\": \"scene\", \"version\": 1,").unwrap();
    let error = refused(&format!("convert {} {}", boxes.display(), scene.display()));
    assert!(error.contains("boxes.json: line 1, column 35: found the end of the file"), "{error}");
}

#[test]
fn voxel_worlds_are_made_solved_and_run() {
    let folder = folder("voxel_worlds");
    let map = folder.join("tower.3dmap");
    let map = map.display();
    let made = surefoot(&format!("generate storeys --size 17x17x11 --seed 3 --out {map}"));
    assert_eq!(made.code, 0, "{}", made.err);
    let hint = made.out.lines().last().unwrap().strip_prefix("try: surefoot ").unwrap().to_owned();
    let costs: Vec<serde_json::Value> = ["astar", "jps3", "dijkstra"]
        .map(|algorithm| {
            let run = surefoot(&format!("{hint} --algorithm {algorithm} --json"));
            assert_eq!(run.code, 0, "{}", run.err);
            assert_eq!(run.json()["path"][0].as_array().unwrap().len(), 3);
            run.json()["cost"].clone()
        })
        .to_vec();
    assert!(costs[0].as_f64().unwrap() > 10.0);
    assert_eq!((&costs[0], &costs[0]), (&costs[1], &costs[2]));
    let scenario = folder.join("tower.3dmap.3dscen");
    fs::write(&scenario, "version 1\ntower.3dmap\n1 1 1 1 1 3 2 1\n1 1 1 9 9 2 0 0\n").unwrap();
    let run = surefoot(&format!("scenarios {} --algorithm jps3 --json", scenario.display()));
    assert_eq!(
        (run.code, &run.json()["queries"], &run.json()["invalid"]),
        (0, &json!(2), &json!(0)),
        "{}",
        run.err
    );
    let [svg, png] = ["a.svg", "a.png"].map(|name| folder.join(name));
    let run = surefoot(&format!("{hint} --svg {} --png {}", svg.display(), png.display()));
    assert_eq!(run.code, 0, "{}", run.err);
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.contains("path, hidden") && drawn.len() < 200_000);
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    assert!(refused(&format!("{hint} --svg {}/none/a.svg", folder.display())).contains("cannot write"));
    assert!(refused(&format!("solve --map {map} --from 1,1 --to 2,2")).contains("found two coordinates"));
    assert!(refused(&format!("{hint} --moves 8")).contains("--moves 8 is for grids"));
    assert!(refused(&format!("generate boxes --size 9x9 --out {map}")).contains("expected --size WxHxD"));
    assert!(
        refused(&format!("generate maze --size 9x9x9 --out {map}")).contains("unknown kind of voxel world")
    );
}
