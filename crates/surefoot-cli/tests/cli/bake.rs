//! `surefoot bake`, and what comes of it.

use std::fs;

use serde_json::json;

use crate::common::{data, folder, names, refused, surefoot};

#[test]
fn every_algorithm_that_prepares_can_be_saved_and_used() {
    let folder = folder("bake");
    let mut baked = 0;
    for algorithm in surefoot("algorithms --json").json().as_array().unwrap() {
        let name = algorithm["name"].as_str().unwrap();
        let file = folder.join(name);
        let (map, file) = (data("tiny.map"), file.display());
        if algorithm["prepares"] == false {
            let problem = refused(&format!("bake {map} --algorithm {name} --out {file}"));
            let title = algorithm["title"].as_str().unwrap();
            assert!(
                problem.starts_with(&format!("error: {title} does not prepare maps: expected one of ")),
                "{problem}"
            );
            continue;
        }
        let run = surefoot(&format!("bake {map} --algorithm {name} --out {file} --json"));
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.json()["prepared_bytes"].as_u64() > Some(0));
        let ends = format!("--map {map} --from 2,2 --to 4,2 --algorithm {name} --json");
        let (fresh, loaded) =
            (surefoot(&format!("solve {ends}")), surefoot(&format!("solve {ends} --prepared {file}")));
        assert_eq!(
            (loaded.code, &loaded.json()["path"]),
            (0, &fresh.json()["path"]),
            "{name}: {}",
            loaded.err
        );
        assert!(loaded.json()["prepared_bytes"].as_u64() > Some(0));
        baked += 1;
    }
    assert_eq!(names(&folder).len(), baked);
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = folder("bake_refused");
    let (map, file) = (data("tiny.map"), folder.join("tiny.table"));
    let file = file.display();
    assert_eq!(surefoot(&format!("bake {map} --algorithm subgoal --out {file}")).code, 0);
    let solve =
        |args: &str| refused(&format!("solve --map {map} --from 2,2 --to 4,2 --prepared {file} {args}"));
    let other = "found data prepared for another map or agent";
    assert!(solve("--algorithm subgoal --moves 4").contains(other));
    assert!(solve("--algorithm hpa").ends_with("found a map prepared for `subgoal`, expected `hpa`"));
    fs::write(folder.join("tiny.table"), b"SUREFOOT TABLE\n\x01").unwrap();
    assert!(solve("--algorithm subgoal").ends_with("the prepared map is damaged: it ends too early"));
    fs::write(folder.join("tiny.table"), b"type octile").unwrap();
    assert!(solve("--algorithm subgoal").ends_with("found an unknown format, expected a prepared map"));
    let problem =
        refused(&format!("solve --map {map} --from 2,2 --to 4,2 --algorithm first_moves --memory-limit 0"));
    assert!(problem.contains("the first-move table would need about "), "{problem}");
    assert_eq!(names(&folder), ["tiny.table"]);
}

#[test]
fn scenarios_report_preparation_apart() {
    let run =
        surefoot(&format!("scenarios {} --algorithm subgoal --threads 2 --json", data("tiny.map.scen")));
    let report = run.json();
    assert_eq!((run.code, &report["suboptimal"]), (0, &json!(0)), "{}", run.err);
    assert!(report["prepared_bytes"].as_u64() > Some(0));
    assert!(report["prepare_ms"].as_f64() > Some(0.0));
}

#[test]
fn the_automatic_choice_is_told() {
    let answer = surefoot(&format!("solve --map {} --from 2,2 --to 4,2 --json", data("tiny.map"))).json();
    assert_eq!(answer["algorithm"], json!("auto"));
    assert!(["astar", "jps"].contains(&answer["chosen"].as_str().unwrap()));
    assert!(
        answer["because"].as_str().unwrap().contains("% of the open cells are jump points, "),
        "{answer}"
    );
}
