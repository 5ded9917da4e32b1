//! Which module may import which: `docs/architecture.md` has the picture.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module, and what its code may import besides itself. Tests inside modules may import anything.
const ARROWS: [(&str, &[&str]); 33] = [
    ("core", &[]),
    ("closures", &["core"]),
    ("digest", &["core"]),
    ("effort", &[]),
    ("parallel", &[]),
    ("agent", &["core"]),
    ("obstacle", &["core"]),
    ("world", &["core", "agent", "obstacle", "digest", "effort", "parallel"]),
    ("path", &["core", "world"]),
    ("follow", &["core", "world", "path"]),
    ("smooth", &["core", "world", "path"]),
    ("scene", &["core", "world", "obstacle", "digest"]),
    ("search", &["core", "agent", "world", "path", "smooth", "digest", "effort", "parallel"]),
    ("hierarchy", &["core", "agent", "world", "path", "search", "parallel"]),
    ("replan", &["core", "world", "path", "search"]),
    ("siting", &["core", "agent", "world", "search"]),
    ("algorithms", &["world", "search", "hierarchy", "replan"]),
    ("brain", &["core", "world", "path", "search", "replan"]),
    (
        "unit",
        &["core", "agent", "world", "path", "follow", "search", "replan", "brain", "algorithms", "generate"],
    ),
    ("field", &["core", "agent", "world", "path", "parallel"]),
    ("cooperate", &["core", "agent", "world"]),
    (
        "crowd",
        &["core", "agent", "world", "path", "search", "replan", "field", "cooperate", "digest", "parallel"],
    ),
    ("frame", &["world"]),
    ("service", &["core", "agent", "world", "path", "search", "replan", "digest", "frame"]),
    (
        "flight",
        &[
            "core",
            "agent",
            "obstacle",
            "world",
            "path",
            "scene",
            "search",
            "replan",
            "brain",
            "algorithms",
            "digest",
            "frame",
        ],
    ),
    ("validate", &["core", "agent", "obstacle", "world", "path", "scene"]),
    ("formats", &["core", "world", "obstacle", "scene"]),
    ("draw", &["core", "world", "path"]),
    ("generate", &["core", "agent", "world", "path"]),
    ("guide", &[]),
    ("lib", &[]),
    ("random_cases", &[]),
    ("prelude", &[]),
];

/// Modules of `core` that are public under shorter names.
const SHORT_NAMES: [&str; 4] = ["cost", "graph", "id", "space"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All files of the library with what is left of them without comments and tests.
fn files() -> Vec<(String, String)> {
    let (mut folders, mut files) = (vec![source()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(source()).unwrap().to_str().unwrap().replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") && !name.ends_with("tests.rs") {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
                files.push((name, lines.collect::<Vec<_>>().join("\n")));
            }
        }
    }
    files.sort();
    files
}

/// The modules that a file names by `crate::`.
fn imports(code: &str) -> impl Iterator<Item = &str> {
    code.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = &rest[..end];
        if SHORT_NAMES.contains(&name) { "core" } else { name }
    })
}

#[test]
fn modules_import_only_what_is_below_them() {
    let allowed: BTreeMap<_, _> = ARROWS.into_iter().collect();
    let mut wrong = Vec::new();
    for (name, code) in files().iter().filter(|(name, _)| name != "lib.rs") {
        let module = name.split(['/', '.']).next().unwrap();
        let Some(below) = allowed.get(module) else {
            wrong.push(format!("{name}: the module {module} has no place among the arrows"));
            continue;
        };
        for import in imports(code).filter(|import| allowed.contains_key(import)) {
            if import != module && !below.contains(&import) {
                wrong.push(format!("{name} imports {import}"));
            }
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "arrows that point up:\n{}", wrong.join("\n"));
}

#[test]
fn the_arrows_have_no_cycle() {
    let below: BTreeMap<_, _> = ARROWS.into_iter().collect();
    let mut placed: Vec<&str> = Vec::new();
    while placed.len() < below.len() {
        let is_ready =
            |name: &&str| !placed.contains(name) && below[*name].iter().all(|it| placed.contains(it));
        let Some(next) = below.keys().copied().find(|name| is_ready(name)) else {
            panic!(
                "a cycle among {:?}",
                below.keys().filter(|name| !placed.contains(name)).collect::<Vec<_>>()
            );
        };
        placed.push(next);
    }
}

#[test]
fn worlds_are_told_apart_in_one_place() {
    let naming = |words: &str| -> Vec<String> {
        let all = files();
        all.iter().filter(|(_, code)| code.contains(words)).map(|(name, _)| name.clone()).collect()
    };
    // The judge names worlds itself: it shares no code with what it judges.
    assert_eq!(naming("View::Voxels"), ["validate/mod.rs", "world/any.rs"]);
    assert!(naming("journal().since(").iter().all(|name| name.starts_with("world/")));
    // Searches know each other by their modules, not by the list above them.
    let listed = ["search/", "replan/", "hierarchy/"];
    assert!(!naming("Algorithm::named(").iter().any(|name| listed.iter().any(|it| name.starts_with(it))));
}

/// What searches have in common is in shared files, not repeated in each of them. Imports and lines of punctuation do not
/// count.
#[test]
fn solver_files_share_at_most_20_lines() {
    let is_solver = |code: &str| {
        ["const ALGORITHM:", " Solver for ", " Walk for "].iter().any(|sign| code.contains(sign))
    };
    let files = files();
    let solvers: Vec<(&String, BTreeSet<&str>)> = files
        .iter()
        .filter(|(name, code)| {
            ["search/", "replan/", "hierarchy/"].iter().any(|folder| name.starts_with(folder))
                && is_solver(code)
        })
        .map(|(name, code)| {
            let lines = code.lines().map(str::trim);
            (
                name,
                lines
                    .filter(|line| line.contains(char::is_alphabetic) && !line.starts_with("use "))
                    .collect(),
            )
        })
        .collect();
    assert!(solvers.len() > 25, "found {} solver files", solvers.len());
    for (index, (name, lines)) in solvers.iter().enumerate() {
        for (other, other_lines) in &solvers[..index] {
            let shared = lines.intersection(other_lines).count();
            assert!(shared <= 20, "{name} and {other} share {shared} lines");
        }
    }
}
