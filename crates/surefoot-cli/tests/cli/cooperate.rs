//! `surefoot cooperate`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{data, folder, names, refused, surefoot};

/// A corridor with one niche, and two agents that have to pass each other.
fn passing(args: &str) -> String {
    format!("cooperate {} --scen {} {args}", data("passing.map"), data("passing.map.scen"))
}

/// Without times.
fn without_times(mut report: Value) -> Value {
    for field in ["first_ms", "ms"] {
        let time = report.as_object_mut().unwrap().remove(field).unwrap();
        assert!(time.as_f64() >= Some(0.0), "{field}: {time}");
    }
    report
}

#[test]
fn json_has_the_promised_fields() {
    let run = surefoot(&passing("--agents 2 --iterations 1000000 --json"));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let mut report = without_times(run.json());
    let fields = report.as_object_mut().unwrap();
    let iterations = fields.remove("iterations").unwrap().as_u64().unwrap();
    assert!(iterations < 1_000_000, "improving ends by itself");
    let first = fields.remove("first_sum_of_costs").unwrap().as_u64().unwrap();
    assert!(first >= 15);
    let expected = json!({"solved": true, "agents": 2, "makespan": 8, "sum_of_costs": 15, "lower_bound": 12});
    assert_eq!(report, expected);
}

#[test]
fn the_plan_is_written_one_line_per_step() {
    let folder = folder("cooperate_out");
    let file = folder.join("plan.txt");
    let run = surefoot(&passing(&format!("--agents 2 --iterations 5000 --out {}", file.display())));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(
        run.out.starts_with("2 agents: sum of costs 15, 1.250 times the lower bound 12; "),
        "{}",
        run.out
    );
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 9);
    assert_eq!((lines[0], lines[8]), ("0:(1,1),(7,1),", "8:(7,1),(1,1),"));
    assert_eq!(names(&folder), ["plan.txt"]);
}

#[test]
fn the_same_seed_gives_the_same_plan() {
    let folder = folder("cooperate_seeds");
    let plan = |name: &str, seed: u64, moves: u32| {
        let file = folder.join(name);
        let run = surefoot(&passing(&format!(
            "--agents 2 --seed {seed} --moves {moves} --iterations 60 --json --out {}",
            file.display()
        )));
        (without_times(run.json()), fs::read(&file).unwrap())
    };
    assert_eq!(plan("a", 5, 4), plan("b", 5, 4));
    assert_eq!(plan("a", 5, 8), plan("b", 5, 8));
}

#[test]
fn without_a_limit_the_first_plan_is_printed() {
    let report = surefoot(&passing("--agents 2 --json")).json();
    assert_eq!(report["sum_of_costs"], report["first_sum_of_costs"]);
    let longer = surefoot(&passing("--agents 2 --json --seconds 5")).json();
    assert_eq!(longer["sum_of_costs"], json!(15));
}

#[test]
fn no_plan_is_a_negative_answer() {
    let folder = folder("cooperate_none");
    let map = folder.join("corridor.map");
    fs::write(&map, "type octile\nheight 1\nwidth 5\nmap\n.....\n").unwrap();
    let scen = folder.join("corridor.scen");
    fs::write(&scen, "version 1\n0 corridor.map 5 1 0 0 4 0 4\n0 corridor.map 5 1 4 0 0 0 4\n").unwrap();
    let out = folder.join("plan.txt");
    let args = format!("cooperate {} --scen {} --agents 2", map.display(), scen.display());
    let run = surefoot(&format!("{args} --json --out {}", out.display()));
    assert_eq!(run.code, 1, "{}", run.err);
    let report = run.json();
    assert_eq!((&report["solved"], &report["reason"]), (&json!(false), &json!("impossible")));
    assert_eq!((&report["makespan"], &report["sum_of_costs"]), (&json!(null), &json!(null)));
    assert!(run.err.starts_with("there is no plan: ") && !out.exists());
    let run = surefoot(&format!("{args} --iterations 5"));
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("2 agents: no plan found within the limits ("), "{}", run.out);
}

#[test]
fn wrong_input_is_refused() {
    for (args, expected) in [
        (passing(""), "--agents <N>"),
        (passing("--agents 0"), "expected a whole number of at least 1"),
        (
            passing("--agents 7"),
            "passing.map.scen: found 6 scenario lines, expected at least 7, one for each agent",
        ),
        (passing("--agents 4"), "passing.map.scen: line 5: the start, cell 0,0, is blocked"),
        (passing("--agents 2 --moves 8-one"), "unknown movement rule `8-one`: expected 4 or 8"),
        (passing("--agents 2 --seconds -1"), "expected a number of seconds of at least 0"),
        (format!("cooperate no.map --scen {} --agents 2", data("passing.map.scen")), "cannot read no.map"),
        (
            format!("cooperate {} --scen {} --agents 2", data("tiny.map"), data("passing.map.scen")),
            "line 2: found a map of 9 x 4 cells, expected ",
        ),
        (
            format!("cooperate {} --scen {} --agents 2", data("towns.world.json"), data("passing.map.scen")),
            "towns.world.json: expected a grid",
        ),
        (
            format!("cooperate {} --scen {} --agents 2", data("passing.map"), data("tiny.map")),
            "expected `version 1`",
        ),
    ] {
        let error = refused(&args);
        assert!(error.contains(expected), "{args}: {error}");
    }
    let folder = folder("cooperate_twice");
    let scen = folder.join("twice.scen");
    let line = "0 passing.map 9 4 1 1 7 1 6\n";
    fs::write(&scen, format!("version 1\n{line}{line}")).unwrap();
    let error = refused(&format!("cooperate {} --scen {} --agents 2", data("passing.map"), scen.display()));
    assert!(error.ends_with("twice.scen: lines 2 and 3 have the same start, cell 1,1"), "{error}");
}

/// The public instances, which are not part of the project. All of them are solved; how fast is measured elsewhere.
#[test]
fn public_instances_are_solved() {
    let maps = std::env::var("SUREFOOT_MAPS").unwrap_or_else(|_| "../../../shared/maps".to_owned());
    let folder = format!("{maps}/mapf");
    if !Path::new(&folder).is_dir() {
        println!("SKIPPED: no {folder} (set SUREFOOT_MAPS)");
        return;
    }
    for (map, agents, most) in [
        ("random-32-32-20", 409, 4.5),
        ("random-64-64-20", 1000, 3.0),
        ("room-64-64-8", 1000, 7.0),
        ("maze-128-128-10", 1000, 2.2),
        ("warehouse-10-20-10-2-1", 1000, 4.5),
        ("den312d", 1000, 6.5),
        ("empty-32-32", 400, 2.3),
    ] {
        for file in [1, 2] {
            let run = surefoot(&format!(
                "cooperate {folder}/{map}.map --scen {folder}/{map}-random-{file}.scen --agents {agents} --json"
            ));
            let report = run.json();
            assert_eq!((run.code, &report["solved"]), (0, &json!(true)), "{map} {file}: {report}");
            let ratio = report["sum_of_costs"].as_f64().unwrap() / report["lower_bound"].as_f64().unwrap();
            assert!((1.0..most).contains(&ratio), "{map} {file}: {ratio}");
        }
    }
}
