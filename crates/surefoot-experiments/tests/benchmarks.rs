//! A sample of the public benchmark maps, which are not part of the project: `SUREFOOT_MAPS` names their folder, or they lie
//! in `../shared/maps` beside it.

use std::path::{Path, PathBuf};

use surefoot::prelude::*;
use surefoot_experiments::scenarios::{Plan, Selection, Suite, run};

fn maps() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let maps = std::env::var_os("SUREFOOT_MAPS").map_or_else(beside, PathBuf::from);
    maps.is_dir().then_some(maps)
}

fn scenario_files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let files =
        entries.into_iter().flat_map(|path| if path.is_dir() { scenario_files(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "scen")).collect()
}

#[test]
fn optimal_algorithms_meet_the_files() {
    let Some(maps) = maps() else {
        println!("skipped: no benchmark maps, neither in SUREFOOT_MAPS nor in ../shared/maps");
        return;
    };
    let files = scenario_files(&maps.join("grid"));
    let suite = Suite::load(&files, None, &Selection { every: 40, limit: usize::MAX }).unwrap();
    assert!(suite.len() >= files.len());
    for name in ["astar", "dijkstra", "bidirectional"] {
        let algorithm = Algorithm::named(name).unwrap();
        let (options, agent) = (Options::default(), Agent::default());
        let plan = Plan { algorithm, options, agent, threads: 2, memory_limit: 1 << 30 };
        let report = run(&suite, &plan, &|| {}).unwrap();
        assert!(report.is_clean(), "{name}: {:?}", report.failures);
        assert_eq!(report.total.queries, suite.len());
    }
}
