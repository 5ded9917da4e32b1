//! How much work every algorithm does on small worlds, to the last node, compared with committed tables.
//!
//! Costs and reachability have oracles of their own; these tables notice what no oracle can: a search that expands more nodes
//! than it did, or breaks ties differently. Set `SUREFOOT_REWRITE_GOLDEN` to accept the present figures, and read the difference.

mod script;
mod worlds;

use std::collections::BTreeSet;
use std::path::Path as FilePath;

use surefoot::algorithms::ALGORITHMS;
use surefoot::path::Path;
use surefoot::prelude::*;
use surefoot::replan::Planner;

use script::{Play, SCRIPT};
use worlds::{Asked, asked_worlds, planned_worlds};

/// Compares a table with the committed one, line by line.
fn compare(file: &str, lines: &[String]) {
    let table = lines.join("\n") + "\n";
    let file = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    if std::env::var_os("SUREFOOT_REWRITE_GOLDEN").is_some() {
        std::fs::write(&file, &table).unwrap();
    }
    let golden = std::fs::read_to_string(&file).unwrap();
    let only_in = |sign: &str, a: &str, b: &str| -> String {
        let known: BTreeSet<&str> = b.lines().collect();
        let missing = a.lines().filter(|line| !known.contains(line));
        missing.flat_map(|line| [sign, " ", line, "\n"]).collect()
    };
    let differences = only_in("-", &golden, &table) + &only_in("+", &table, &golden);
    assert!(
        golden == table,
        "{} says otherwise. If the change is intended, rewrite it with\n\
         SUREFOOT_REWRITE_GOLDEN=1 cargo test -p surefoot --test library golden\n{differences}",
        file.display()
    );
}

/// Sums over the queries of one algorithm in one world.
#[derive(Default)]
struct Work {
    found: usize,
    cost: f64,
    expanded: u64,
    generated: u64,
    reopened: u64,
    nodes: Fingerprint,
}

impl Work {
    fn line(&self, queries: usize) -> String {
        let Work { found, cost, expanded, generated, reopened, nodes } = self;
        let paths = nodes.short();
        format!(
            "found {found}/{queries}  cost {cost:>10.4}  expanded {expanded:>6}  generated {generated:>7}  \
             reopened {reopened:>5}  paths {paths:04x}"
        )
    }
}

/// Tells sequences of nodes apart: a change of a path that changes neither its cost nor any count is noticed, too.
#[derive(Default)]
struct Fingerprint(u32);

impl Fingerprint {
    fn add(&mut self, path: &Path) {
        for node in path.nodes() {
            self.0 = self.0.wrapping_mul(31).wrapping_add(node.0 + 1);
        }
    }

    fn short(&self) -> u16 {
        (self.0 ^ (self.0 >> 16)) as u16
    }
}

/// Asks an algorithm all questions; the second time counts, when its memory has grown and tables are prepared.
fn work(algorithm: &'static Algorithm, asked: &Asked) -> Work {
    let view = asked.world.view();
    let mut finder = Pathfinder::new(algorithm, &Options::default()).unwrap();
    let mut work = Work::default();
    for (start, goals) in &asked.questions {
        let _ = finder.find_nearest(view, *start, goals);
        let first = (finder.stats().expanded, finder.path().nodes().to_vec());
        let outcome = finder.find_nearest(view, *start, goals).map(Path::cost);
        let stats = finder.stats();
        assert_eq!(
            first,
            (stats.expanded, finder.path().nodes().to_vec()),
            "{} does not repeat itself on {}",
            algorithm.name,
            asked.name
        );
        work.found += usize::from(outcome.is_ok());
        work.cost += outcome.unwrap_or(0.0);
        work.expanded += stats.expanded;
        work.generated += stats.generated;
        work.reopened += stats.reopened;
        work.nodes.add(finder.path());
    }
    work
}

#[test]
fn every_algorithm_does_the_work_it_did() {
    let mut lines = vec![
        "# Queries with a path, their cost in cells, nodes expanded, edges looked at, nodes opened again, fingerprint of the \
         paths; sums over all queries."
            .to_owned(),
    ];
    for asked in asked_worlds() {
        for algorithm in ALGORITHMS {
            let subject = format!("{:<22} {:<21}", asked.name, algorithm.name);
            let line = if algorithm.refusal(asked.world.view()).is_some() {
                "refused".to_owned()
            } else {
                work(algorithm, &asked).line(asked.questions.len())
            };
            lines.push(format!("{subject} {line}"));
        }
    }
    compare("expansions.txt", &lines);
}

/// What a planner expanded at one step of the script: nodes of its repair, and of a fresh search if that had to answer.
fn expanded(planner: &Planner) -> String {
    let last = planner.last();
    match last.fresh {
        Some(fresh) => format!("{}+{fresh}", last.expanded),
        None => last.expanded.to_string(),
    }
}

#[test]
fn every_planner_repairs_as_it_did() {
    let mut lines = vec![
        "# Cost in cells summed over all replans, edges looked at, fingerprint of the paths, and the nodes that each replan \
         expanded (+ those of a fresh search)."
            .to_owned(),
    ];
    for asked in planned_worlds() {
        for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.incremental) {
            let mut play = Play::new(&asked, Planner::new(algorithm, &Options::default()).unwrap());
            let (mut cost, mut generated, mut nodes, mut steps) =
                (0.0, 0, Fingerprint::default(), Vec::new());
            for step in SCRIPT {
                play.step(step);
                cost += play.planner.path().cost();
                generated += play.planner.last().generated;
                nodes.add(play.planner.path());
                steps.push(expanded(&play.planner));
            }
            lines.push(format!(
                "{:<22} {:<21} cost {cost:>10.4}  generated {generated:>6}  paths {:04x}  expanded {}",
                asked.name,
                algorithm.name,
                nodes.short(),
                steps.join(" ")
            ));
        }
    }
    compare("replans.txt", &lines);
}
