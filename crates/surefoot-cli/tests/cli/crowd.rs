//! `surefoot crowd`.

use serde_json::Value;

use crate::common::{data, folder, refused, surefoot};

fn run(args: &str) -> Value {
    let run = surefoot(&format!("crowd {args} --json"));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    run.json()
}

#[test]
fn json_has_the_promised_fields() {
    let folder = folder("crowd_json");
    let map = folder.join("rooms.map");
    assert_eq!(surefoot(&format!("generate rooms --size 40x30 --seed 3 --out {}", map.display())).code, 0);
    let report = run(&format!("{} --units 30 --goals 2 --ticks 6000", map.display()));
    for field in ["units", "arrived", "stuck", "ticks", "in_wall"] {
        assert!(report[field].is_u64(), "{field}: {report}");
    }
    for field in ["mean", "p99", "max"] {
        assert!(report["tick_us"][field].as_f64() > Some(0.0), "{field}: {report}");
    }
    assert!(report["delay"]["mean"].is_f64() && report["delay"]["worst"].is_f64());
    assert!(report["jams"]["found"].is_u64() && report["jams"]["resolved"].is_u64());
    assert_eq!((report["mode"].as_str(), report["units"].as_u64()), (Some("field"), Some(30)));
    assert_eq!((report["arrived"].as_u64(), report["in_wall"].as_u64()), (Some(30), Some(0)));
    assert!(report["worst_overlap"].as_f64() < Some(0.05));
    assert_eq!(report["hash"].as_str().map(str::len), Some(16));
}

#[test]
fn the_result_depends_on_the_seed_and_not_on_threads() {
    let map = data("tiny.map");
    for mode in ["astar", "service", "field"] {
        for avoid in ["orca", "reserve", "none"] {
            let hash = |seed: u32, threads: u32| {
                let args = format!(
                    "{map} --units 4 --mode {mode} --avoid {avoid} --ticks 90 --seed {seed} --threads {threads}"
                );
                run(&args)["hash"].as_str().unwrap().to_owned()
            };
            assert_eq!(hash(1, 1), hash(1, 2), "{mode} {avoid}");
            assert_ne!(hash(1, 1), hash(2, 1), "{mode} {avoid}");
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let map = data("tiny.map");
    for (args, expected) in [
        (format!("crowd {map} --units 0"), "at least 1"),
        (format!("crowd {map} --units 9999"), "connected open cells, expected at least 9999"),
        (format!("crowd {map} --units 2 --mode fast"), "field"),
        (format!("crowd {} --units 2", data("towns.world.json")), "expected a grid"),
        ("crowd no.map --units 2".to_owned(), "cannot read no.map"),
    ] {
        let error = refused(&args);
        assert!(error.contains(expected), "{args}: {error}");
    }
}
