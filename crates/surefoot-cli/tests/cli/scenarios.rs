//! `surefoot scenarios`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::{data, folder, refused, surefoot};

/// Writes a scenario file about the tiny map; each query is `x y x y optimum`.
fn scenario_file(folder: &Path, queries: &[&str]) -> PathBuf {
    let line = |query: &&str| format!("0\ttiny.map\t5\t6\t{}\n", query.replace(' ', "\t"));
    let file = folder.join("own.scen");
    fs::write(&file, format!("version 1\n{}", queries.iter().map(line).collect::<String>())).unwrap();
    file
}

/// Runs queries about the tiny map; returns the exit code and the JSON.
fn run_queries(name: &str, queries: &[&str], args: &str) -> (i32, Value) {
    let folder = folder(name);
    fs::copy(data("tiny.map"), folder.join("tiny.map")).unwrap();
    let file = scenario_file(&folder, queries);
    let run = surefoot(&format!("scenarios {} --json {args}", file.display()));
    (run.code, run.json())
}

/// Without what differs from run to run.
fn without_times(mut report: Value) -> Value {
    let clean = |report: &mut Value| {
        for field in ["prepare_ms", "mean_us", "p50_us", "p99_us", "max_us", "threads"] {
            report.as_object_mut().unwrap().remove(field);
        }
    };
    clean(&mut report);
    report["maps"].as_array_mut().unwrap().iter_mut().for_each(clean);
    report
}

#[test]
fn json_has_the_promised_fields() {
    let run = surefoot(&format!("scenarios {} --json", data("tiny.map.scen")));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let report = run.json();
    for (field, value) in [
        ("algorithm", json!("auto")),
        ("queries", json!(5)),
        ("solved", json!(5)),
        ("unsolved", json!(0)),
        ("suboptimal", json!(0)),
        ("invalid", json!(0)),
        ("prepared_bytes", json!(0)),
        ("threads", json!(1)),
        ("failures", json!([])),
    ] {
        assert_eq!(report[field], value, "{field}");
    }
    for field in ["worst_ratio", "mean_ratio", "prepare_ms", "mean_us", "p50_us", "p99_us", "max_us"] {
        assert!(report[field].is_f64(), "{field}: {report}");
    }
    assert!(report["expanded"].as_u64() > Some(0));
    assert!((report["mean_ratio"].as_f64().unwrap() - 1.0).abs() < 1e-3);
    assert!(report["p50_us"].as_f64() <= report["p99_us"].as_f64());
    assert_eq!((&report["maps"][0]["map"], &report["maps"][0]["queries"]), (&json!("tiny.map"), &json!(5)));
}

#[test]
fn every_optimal_algorithm_passes() {
    for algorithm in surefoot("algorithms --json").json().as_array().unwrap() {
        let name = algorithm["name"].as_str().unwrap();
        let run = surefoot(&format!("scenarios {} --json --algorithm {name}", data("tiny.map.scen")));
        if !algorithm["worlds"].as_array().unwrap().contains(&json!("grid")) {
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{name}");
            continue;
        }
        assert_eq!(run.json()["invalid"], json!(0), "{name}");
        if algorithm["optimal"] == true {
            assert_eq!(run.code, 0, "{name}: {}", run.err);
        }
    }
}

#[test]
fn the_table_is_readable() {
    let run = surefoot(&format!("scenarios {}", data("tiny.map.scen")));
    assert_eq!(run.code, 0);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with("map       queries  unsolved  suboptimal  invalid"), "{}", run.out);
    assert!(lines[1].starts_with("tiny.map") && lines[2].starts_with("total"), "{}", run.out);
    assert!(lines[3].starts_with("auto: 5 of 5 solved on 1 thread; maps prepared in"), "{}", run.out);
}

#[test]
fn threads_change_nothing_but_times() {
    let run = |threads: usize| {
        let report =
            surefoot(&format!("scenarios {} --json --threads {threads}", data("tiny.map.scen"))).json();
        assert_eq!(report["threads"], json!(threads));
        without_times(report)
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn queries_can_be_chosen() {
    let queries = |args: &str| {
        let report = surefoot(&format!("scenarios {} --json {args}", data("tiny.map.scen"))).json();
        report["queries"].as_u64().unwrap()
    };
    assert_eq!([queries("--every 2"), queries("--limit 2"), queries("--every 2 --limit 2")], [3, 2, 2]);
    let error = refused(&format!("scenarios {} --every 0", data("tiny.map.scen")));
    assert!(error.contains("'--every <N>': expected a whole number of at least 1"), "{error}");
}

#[test]
fn a_wrong_optimum_is_told() {
    let (code, report) = run_queries("too_low", &["0 0 4 0 4", "0 0 4 5 7.5"], "");
    assert_eq!((code, &report["suboptimal"], &report["unsolved"]), (1, &json!(1), &json!(0)));
    assert!(report["worst_ratio"].as_f64() > Some(1.04));
    assert_eq!(report["failures"][0]["line"], json!(3));
    let (code, report) = run_queries("too_high", &["0 0 4 0 5"], "");
    assert_eq!((code, &report["suboptimal"], &report["cheaper"]), (1, &json!(0), &json!(1)));
}

#[test]
fn a_path_that_is_not_found_is_unsolved() {
    let (code, report) = run_queries("unsolved", &["0 0 1 1 3"], "");
    assert_eq!((code, &report["solved"], &report["unsolved"]), (1, &json!(0), &json!(1)));
    assert!(report["failures"][0]["problem"].as_str().unwrap().contains("goal_blocked"));
}

#[test]
fn an_unknown_optimum_may_be_unreachable() {
    let (code, report) = run_queries("unknown", &["0 0 1 1 0", "2 2 4 2 0", "3 0 3 0 0"], "");
    assert_eq!((code, &report["solved"], &report["unreachable"]), (0, &json!(3), &json!(1)));
    assert_eq!((&report["worst_ratio"], &report["mean_ratio"]), (&json!(1.0), &json!(1.0)));
}

#[test]
fn for_other_agents_dijkstra_decides() {
    for args in ["--moves 4", "--moves 8-free", "--radius 0.6"] {
        let (code, report) = run_queries("other_agents", &["2 2 4 2 6", "0 0 4 5 7.83"], args);
        assert_eq!(code, 0, "{args}: {report}");
    }
    let (_, report) = run_queries("other_agents", &["2 2 4 2 6"], "--radius 1.2");
    assert_eq!(report["unreachable"], json!(1));
}

#[test]
fn maps_are_found_under_the_folder() {
    let folder = folder("maps_elsewhere");
    let deep = folder.join("maps/b/c");
    fs::create_dir_all(&deep).unwrap();
    fs::create_dir_all(folder.join("scenarios")).unwrap();
    fs::copy(data("tiny.map"), deep.join("tiny.map")).unwrap();
    let file = scenario_file(&folder.join("scenarios"), &["0 0 4 0 4"]);
    let (file, maps) = (file.display(), folder.join("maps"));
    assert_eq!(surefoot(&format!("scenarios {file} --maps {}", maps.display())).code, 0);
    let error = refused(&format!("scenarios {file} --json"));
    assert!(
        error.starts_with(&format!("error: {file}: line 2: map `tiny.map` not found, expected it in ")),
        "{error}"
    );
    let error = refused(&format!("scenarios {file} --maps {}/none", maps.display()));
    assert!(error.starts_with("error: cannot read "), "{error}");
}

#[test]
fn bad_scenarios_are_refused() {
    let folder = folder("bad_scenarios");
    fs::copy(data("tiny.map"), folder.join("tiny.map")).unwrap();
    fs::copy(data("towns.world.json"), folder.join("towns.world.json")).unwrap();
    let file = folder.join("bad.scen");
    for (text, expected) in [
        ("", "bad.scen: line 1: found the end of the file, expected `version 1`"),
        ("version 1\n0 tiny.map 5 6 0 0 4\n", "bad.scen: line 2, column"),
        (
            "version 1\n0 tiny.map 5 6 0 0 5 0 4\n",
            "bad.scen: line 2: found cell 5,0, expected a cell of the 5 x 6 map",
        ),
        (
            "version 1\n0 tiny.map 5 6 0 0 4 0 4\n0 tiny.map 7 6 0 0 6 0 6\n",
            "bad.scen: line 3: found a query for a map of 7 x 6 cells, expected 5 x 6 as in ",
        ),
        (
            "version 1\n0 towns.world.json 5 6 0 0 4 0 4\n",
            "towns.world.json: found a waypoint graph, expected a grid",
        ),
    ] {
        fs::write(&file, text).unwrap();
        let error = refused(&format!("scenarios {} --json", file.display()));
        assert!(error.contains(expected), "{error}");
    }
    let tiny = data("tiny.map.scen");
    for (args, expected) in [
        ("none.scen", "cannot read none.scen: "),
        (&*format!("{tiny} --algorithm teleport"), "expected one of auto, astar, "),
        (&*format!("{tiny} --radius -1"), "radius -1 is not between 0 and 1024"),
        (&*format!("{tiny} --algorithm dijkstra --weight 2"), "Dijkstra does not support a weight"),
        (&*format!("{tiny} --threads 0"), "expected a whole number from 1 to 1024"),
        ("", "required arguments"),
    ] {
        let error = refused(&format!("scenarios {args}"));
        assert!(error.contains(expected), "{args}: {error}");
    }
}
