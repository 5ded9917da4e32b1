//! `surefoot simulate`.

use std::fs;

use serde_json::{Value, json};

use crate::common::{data, folder, names, refused, surefoot};

/// A scene with a bus, a door and a goal that moves.
fn scene() -> String {
    data("crossing.scene.json")
}

fn simulate(args: &str) -> Value {
    let run = surefoot(&format!("simulate {} --json {args}", scene()));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    run.json()
}

/// Without what differs from run to run.
fn without_times(mut report: Value) -> Value {
    for field in ["update_us", "plan_us", "frame_us"] {
        let times = report.as_object_mut().unwrap().remove(field).unwrap();
        let [mean, p99, max] = ["mean", "p99", "max"].map(|name| times[name].as_f64().unwrap());
        assert!(0.0 <= mean && mean <= max && p99 <= max, "{field}: {times}");
    }
    report
}

#[test]
fn json_has_the_promised_fields() {
    let report = without_times(simulate("--runs 6"));
    for (field, value) in [
        ("planner", json!("astar")),
        ("runs", json!(6)),
        ("reached", json!(6)),
        ("collided", json!(0)),
        ("timed_out", json!(0)),
        ("clean", json!(6)),
        ("hits", json!({"static": 0, "moving": 0, "appeared": 0})),
        ("fresh_share", json!(1.0)),
        ("failures", json!([])),
    ] {
        assert_eq!(report[field], value, "{field}");
    }
    // From 1.5 to 22.5, less what it need not fly to touch the goal.
    let travelled = report["travelled_mean"].as_f64().unwrap();
    assert!((19.5..40.0).contains(&travelled), "{travelled}");
    assert!(report["expanded_mean"].as_f64() > Some(1.0));
}

#[test]
fn the_same_seed_gives_the_same_flights() {
    let fly = |args: &str| without_times(simulate(args));
    let args = "--runs 4 --planner d_star_lite --goal moving --switches seed";
    assert_eq!(fly(&format!("{args} --seed 5")), fly(&format!("{args} --seed 5")));
    assert_ne!(
        fly(&format!("{args} --seed 5"))["travelled_mean"],
        fly(&format!("{args} --seed 6"))["travelled_mean"]
    );
}

#[test]
fn flights_that_fail_are_counted_and_explained() {
    let folder = folder("flights");
    let file = folder.join("a.flight.json");
    // Half a second is too short for any flight.
    let report = simulate(&format!("--runs 3 --frames 30 --trace {}", file.display()));
    assert_eq!(
        (&report["timed_out"], &report["reached"], &report["clean"]),
        (&json!(3), &json!(0), &json!(0))
    );
    assert_eq!(report["travelled_mean"], json!(0.0));
    assert!(report["failures"][0]["cause"].as_str().unwrap().starts_with("did not arrive in time: "));
    let trace: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(
        (&trace["surefoot"], &trace["version"], &trace["run"]),
        (&json!("flight"), &json!(1), &json!(0))
    );
    assert_eq!(trace["positions"].as_array().unwrap().len(), 31);
    assert_eq!(trace["from"].as_u64().unwrap() + 30, trace["tick"].as_u64().unwrap());
    assert_eq!(trace["scene"]["surefoot"], json!("scene"));
    // An agent that does not look ahead in a scene where a bus sweeps all of the hall.
    let report = simulate("--runs 12 --no-evade --radius 0.45");
    assert_eq!(report["runs"], json!(12));
    assert_eq!(report["collided"].as_u64().unwrap() as usize, report["failures"].as_array().unwrap().len());
    assert_eq!(names(&folder), ["a.flight.json"]);
}

#[test]
fn all_planners_for_voxel_worlds_fly() {
    for algorithm in surefoot("algorithms --json").json().as_array().unwrap() {
        let name = algorithm["name"].as_str().unwrap();
        if algorithm["worlds"].as_array().unwrap().contains(&json!("voxel")) {
            assert_eq!(simulate(&format!("--runs 1 --planner {name}"))["planner"], json!(name));
        } else {
            let error = refused(&format!("simulate {} --planner {name}", scene()));
            assert!(error.contains(&format!("unknown planner `{name}`, expected one of ")), "{error}");
        }
    }
}

#[test]
fn people_read_a_summary_with_causes() {
    let run = surefoot(&format!("simulate {} --runs 2 --frames 20", scene()));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.starts_with("astar: 0 of 2 flights are clean; 0 reached the goal"), "{}", run.out);
    assert!(run.out.contains("\n2 x did not arrive in time: "), "{}", run.out);
    let folder = folder("clean_flights");
    let file = folder.join("a.flight.json");
    let run = surefoot(&format!("simulate {} --runs 1 --trace {}", scene(), file.display()));
    assert_eq!(run.code, 0);
    assert!(run.err.starts_with("all flights are clean: ") && !file.exists(), "{}", run.err);
}

#[test]
fn wrong_input_is_refused() {
    for (args, expected) in [
        ("simulate no.scene.json".to_owned(), "cannot read no.scene.json"),
        (format!("simulate {}", data("tiny.map")), "expected a scene"),
        (format!("simulate {} --planner nothing", scene()), "unknown planner `nothing`"),
        (format!("simulate {} --runs 0", scene()), "expected a whole number of at least 1"),
        (format!("simulate {} --frames 0", scene()), "expected a whole number from 1"),
        (format!("simulate {} --radius -1", scene()), "radius"),
        (format!("simulate {} --goal sideways", scene()), "requires a box scene"),
        (format!("simulate {} --goal up", scene()), "invalid value 'up'"),
        (format!("simulate {} --switches never", scene()), "invalid value 'never'"),
    ] {
        let error = refused(&args);
        assert!(error.contains(expected), "{args}: {error}");
    }
}

/// The seed's scene, which is not part of the project, with both kinds of switch and of goal. `SUREFOOT_CASES=500` flies a thousand times.
#[test]
fn flights_through_the_seeds_scene_are_clean() {
    let maps = std::env::var("SUREFOOT_MAPS").unwrap_or_else(|_| "../../../shared/maps".to_owned());
    let scene = format!("{maps}/krafft/scene.json");
    if !std::path::Path::new(&scene).exists() {
        println!("SKIPPED: no {scene} (set SUREFOOT_MAPS)");
        return;
    }
    let factor: usize = std::env::var("SUREFOOT_CASES").map_or(1, |factor| factor.parse().unwrap());
    let runs = 2 * factor;
    for (args, least) in [
        ("--planner sipp", 1.0),
        ("--planner sipp --switches seed --goal moving", 1.0),
        ("--planner lazy_theta", 0.97),
        ("--planner jps3 --switches seed --goal moving", 0.99),
        ("--planner jps3 --switches seed --goal sideways", 0.99),
    ] {
        let report = surefoot(&format!("simulate {scene} --json --runs {runs} {args}")).json();
        let clean = report["clean"].as_u64().unwrap() as f64;
        println!("{args}: {clean} of {runs} clean, {}", report["failures"]);
        assert!(clean >= (least * runs as f64).round(), "{args}: {}", report["failures"]);
    }
}
