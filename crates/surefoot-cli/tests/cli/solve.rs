//! `surefoot solve`.

use std::fs;

use serde_json::json;

use crate::common::{data, folder, names, refused, surefoot};

fn solve(args: &str) -> String {
    format!("solve --map {} {args}", data("tiny.map"))
}

#[test]
fn json_has_the_promised_fields() {
    let run = surefoot(&solve("--from 0,0 --to 4,5 --json"));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let answer = run.json();
    let cost = answer["cost"].as_f64().unwrap();
    assert!((cost - (5.0 + 2.0 * std::f64::consts::SQRT_2)).abs() < 1e-12, "{cost}");
    assert_eq!(answer["length"], answer["cost"]);
    assert_eq!((&answer["found"], &answer["algorithm"]), (&json!(true), &json!("auto")));
    assert_eq!(answer["steps"], json!(7));
    let path = answer["path"].as_array().unwrap();
    assert_eq!((path.len(), &path[0], &path[7]), (8, &json!([0, 0]), &json!([4, 5])));
    for field in
        ["expanded", "generated", "peak_open", "prepare_us", "search_us", "reopened", "scratch_bytes"]
    {
        assert!(answer[field].is_u64(), "{field}: {answer}");
    }
    assert!(answer["expanded"].as_u64() > Some(0));
    assert_eq!((&answer["optimal"], &answer["promise"]), (&json!(true), &json!("optimal")));
    assert!(answer.get("reason").is_none());
    let order =
        ["found", "algorithm", "cost", "length", "steps", "path", "expanded", "generated", "peak_open"];
    let places = order.map(|field| run.out.find(&format!("\"{field}\":")).unwrap());
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn every_algorithm_finds_a_path() {
    for algorithm in surefoot("algorithms --json").json().as_array().unwrap() {
        let name = algorithm["name"].as_str().unwrap();
        let run = surefoot(&solve(&format!("--from 2,2 --to 4,2 --algorithm {name} --json")));
        if !algorithm["worlds"].as_array().unwrap().contains(&json!("grid")) {
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{name}");
            continue;
        }
        assert_eq!((run.code, run.json()["algorithm"].as_str()), (0, Some(name)));
        if algorithm["optimal"] == true {
            assert_eq!(run.json()["cost"], json!(6.0), "{name}");
        }
    }
}

#[test]
fn the_summary_is_readable() {
    let run = surefoot(&solve("--from 2,2 --to 4,2"));
    assert_eq!(run.code, 0);
    assert!(run.out.starts_with("found     yes\ncost      6 (length 6, 6 steps)\n"), "{}", run.out);
    assert!(run.out.contains("path      2,2 -> 2,4 -> 4,4 -> 4,2\n"), "{}", run.out);
    assert!(run.out.contains("promise   optimal (auto)\n"), "{}", run.out);
}

#[test]
fn no_path_is_an_answer_with_a_reason() {
    for (args, reason) in [
        ("--from 5,0 --to 4,5", "start_outside"),
        ("--from -1,0 --to 4,5", "start_outside"),
        ("--from 99999999999999,0 --to 4,5", "start_outside"),
        ("--from 0,0 --to 4,6", "goal_outside"),
        ("--from 1,1 --to 4,5", "start_blocked"),
        ("--from 0,0 --to 2,1", "goal_blocked"),
        ("--from 2,2 --to 4,2 --radius 0.7", "start_too_narrow"),
        ("--from 1,4 --to 2,2 --radius 0.7", "too_narrow"),
        ("--from 0,0 --to 4,5 --budget 2", "budget"),
    ] {
        let run = surefoot(&solve(&format!("{args} --json")));
        let answer = run.json();
        assert_eq!((run.code, answer["reason"].as_str()), (1, Some(reason)), "{args}: {answer}");
        assert_eq!((&answer["found"], &answer["algorithm"]), (&json!(false), &json!("auto")));
        assert!(answer["expanded"].is_u64() && answer.get("path").is_none(), "{answer}");
        assert!(run.out.starts_with("{\"found\":false,\"reason\":"));
        assert_eq!(surefoot(&solve(args)).code, 1);
    }
}

#[test]
fn a_partial_path_is_still_a_no() {
    let run = surefoot(&solve("--from 0,0 --to 4,5 --budget 3 --partial --json"));
    let answer = run.json();
    assert_eq!((run.code, &answer["found"], &answer["reason"]), (1, &json!(false), &json!("budget")));
    assert_eq!(answer["path"][0], json!([0, 0]));
}

#[test]
fn of_several_goals_the_cheapest_is_taken() {
    let answer = surefoot(&solve("--from 0,0 --to 4,5 --to 1,1 --to 2,0 --json")).json();
    assert_eq!((&answer["cost"], &answer["path"][2]), (&json!(2.0), &json!([2, 0])));
}

#[test]
fn options_change_the_question() {
    let cost = |args: &str| surefoot(&solve(&format!("{args} --json"))).json()["cost"].as_f64().unwrap();
    let diagonal = std::f64::consts::SQRT_2;
    assert!((cost("--from 0,4 --to 1,5") - diagonal).abs() < 1e-12);
    assert!((cost("--from 0,4 --to 1,5 --moves 4") - 2.0).abs() < 1e-12);
    assert!((cost("--from 0,4 --to 1,5 --metric 10,14") - 14.0).abs() < 1e-12);
    assert!((cost("--from 2,2 --to 3,1 --to 4,4 --moves 8-one") - (2.0 + diagonal)).abs() < 1e-12);
    for search in ["--queue heap", "--queue list", "--heuristic euclidean", "--heuristic custom:1,1.2"] {
        assert!((cost(&format!("--from 2,2 --to 4,2 {search}")) - 6.0).abs() < 1e-12, "{search}");
    }
    let weighted = "--from 2,2 --to 4,2 --algorithm weighted_astar --weight 2 --json";
    assert_eq!(surefoot(&solve(weighted)).json()["optimal"], json!(false));
}

#[test]
fn terrain_rules_apply() {
    let folder = folder("terrain_rules");
    let map = folder.join("corner.txt");
    fs::write(&map, "1\n2\n2\n..\n.4\n").unwrap();
    for (rule, expected) in [("mean", 3.5), ("enter", 5.0), ("add", 3.0 + std::f64::consts::SQRT_2)] {
        let args = format!("solve --map {} --from 0,0 --to 1,1 --terrain-rule {rule} --json", map.display());
        let cost = surefoot(&args).json()["cost"].as_f64().unwrap();
        assert!((cost - expected).abs() < 1e-12, "{rule}: {cost}");
    }
}

#[test]
fn on_graphs_points_mean_the_nearest_node() {
    let map = data("towns.world.json");
    let answer = surefoot(&format!("solve --map {map} --from 0.2,-1 --to 5,9 --json"));
    assert_eq!(answer.code, 0);
    assert_eq!(answer.json()["path"], json!([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]]));
    assert!((answer.json()["length"].as_f64().unwrap() - 10.0).abs() < 1e-9);
    let wrong_way = surefoot(&format!("solve --map {map} --from 0,0,0 --to 0,9,1 --json"));
    assert_eq!((wrong_way.code, wrong_way.json()["reason"].as_str()), (1, Some("one_way")));
    let error = refused(&format!("solve --map {map} --from 0,0 --to 5,9 --moves 4"));
    assert_eq!(error, format!("error: --moves is for grids, but {map} is a waypoint graph"));
}

#[test]
fn pictures_are_written_whole() {
    let folder = folder("pictures");
    let (svg, png) = (folder.join("a.svg"), folder.join("a.png"));
    fs::write(&svg, "old").unwrap();
    let pictures = format!("--svg {} --png {}", svg.display(), png.display());
    let run = surefoot(&solve(&format!("--from 0,0 --to 4,5 {pictures} --json")));
    assert_eq!((run.code, &run.json()["found"]), (0, &json!(true)), "{}", run.err);
    assert!(fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(names(&folder), ["a.png", "a.svg"]);
    assert_eq!(surefoot(&solve(&format!("--from 0,0 --to 2,1 {pictures}"))).code, 1);
    let towns = data("towns.world.json");
    assert_eq!(surefoot(&format!("solve --map {towns} --from 0,0 --to 6,8 {pictures}")).code, 0);
}

#[test]
fn pictures_that_cannot_be_written_are_refused() {
    let folder = folder("no_pictures");
    let error = refused(&solve(&format!("--from 0,0 --to 4,5 --json --svg {}/none/a.svg", folder.display())));
    assert!(error.starts_with("error: cannot write ") && error.contains("none/a.svg"), "{error}");
    let error = refused(&solve(&format!("--from 0,0 --to 4,5 --json --png {}", folder.display())));
    assert!(error.ends_with("expected a regular file or no file of that name"), "{error}");
    assert!(names(&folder).is_empty());
}

#[test]
fn bad_arguments_are_refused() {
    for (args, expected) in [
        ("--from 0 --to 4,5", "expected two or three numbers: X,Y or X,Y,Z"),
        ("--from a,b --to 4,5", "expected two or three numbers"),
        ("--from 0,0,0 --to 4,5", "--from: found three coordinates, expected column and row"),
        ("--from 0,0 --to 4.5,5", "--to: found 4.5,5, expected whole numbers"),
        (
            "--from 0,0 --to 4,5 --algorithm teleport",
            "unknown algorithm `teleport`: expected one of auto, astar, ",
        ),
        ("--from 0,0 --to 4,5 --heuristic gut", "unknown heuristic `gut`: expected best, manhattan"),
        ("--from 0,0 --to 4,5 --moves 5", "unknown movement rule `5`: expected 4, 8, 8-one or 8-free"),
        ("--from 0,0 --to 4,5 --metric 2,1", "expected STRAIGHT,DIAGONAL"),
        ("--from 0,0 --to 4,5 --radius -1", "--radius: radius -1 is not between 0 and 1024"),
        ("--from 0,0 --to 4,5 --radius NaN", "--radius: radius NaN is not between 0 and 1024"),
        ("--from 0,0 --to 4,5 --algorithm dijkstra --weight 2", "Dijkstra does not support a weight"),
        (
            "--from 0,0 --to 4,5 --algorithm weighted_astar --weight 0.5",
            "weight 0.5 is not between 1 and 1000",
        ),
        ("--from 0,0 --to 4,5 --algorithm dijkstra --heuristic octile", "Dijkstra does not use a heuristic"),
        ("--from 0,0 --to 4,5 --algorithm dijkstra --queue fifo", "does not support the open list `fifo`"),
        ("--from 0,0 --to 4,5 --palette #000000=0", "expected a PNG image because of --palette"),
        ("--from 0,0 --to 4,5 --budget -3", "--budget"),
        ("--from 0,0", "required arguments were not provided: --to <X,Y[,Z]>"),
    ] {
        let error = refused(&solve(args));
        assert!(error.starts_with("error: ") && error.contains(expected), "{args}: {error}");
    }
}

#[test]
fn bad_maps_are_refused() {
    let folder = folder("bad_maps");
    let map = folder.join("bad.map");
    for (content, expected) in [
        ("", "unknown format, expected a benchmark map"),
        ("nonsense", "unknown format, expected a benchmark map"),
        ("type octile\nheight 2\nwidth 3\nmap\n...\n", "the file ends after 1 rows, expected 2"),
        ("type octile\nheight 1\nwidth 3\nmap\n..?\n", "line 5, column 3: found `?`, expected"),
        ("type octile\nheight 99999999\nwidth 3\nmap\n", "line 2"),
        ("{\"surefoot\": 1}", "line 1"),
    ] {
        fs::write(&map, content).unwrap();
        let error = refused(&format!("solve --map {} --from 0,0 --to 1,0 --json", map.display()));
        assert!(error.contains("bad.map: ") && error.contains(expected), "{content}: {error}");
    }
    let error = refused("solve --map none.map --from 0,0 --to 1,0 --json");
    assert!(error.starts_with("error: cannot read none.map: "), "{error}");
    let error = refused(&format!("solve --map {} --from 0,0 --to 1,0", folder.display()));
    assert!(error.starts_with("error: cannot read "), "{error}");
}
