//! Help, the list of algorithms, and what shells need.

use std::process::{Command, Stdio};

use crate::common::{data, folder, names, refused, surefoot};

#[test]
fn there_is_help() {
    let run = surefoot("--help");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.contains("Usage: surefoot") && run.out.contains("scenarios"), "{}", run.out);
    assert!(run.out.contains("lab") && !surefoot("lab --help").out.contains("--page"));
    assert_eq!(surefoot("solve --help").code, 0);
    assert_eq!(surefoot("--version").out, format!("surefoot {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn unknown_commands_are_refused() {
    assert!(refused("fly").contains("'fly'"));
    assert!(refused("algorithms --yaml").contains("'--yaml'"));
}

#[test]
fn algorithms_have_the_promised_fields() {
    let run = surefoot("algorithms --json");
    assert_eq!(run.code, 0);
    let list = run.json();
    assert_eq!(list[0]["name"], "auto");
    for algorithm in list.as_array().unwrap() {
        for field in ["weighted", "optimal", "any_angle", "incremental", "moving_target", "prepares"] {
            assert!(algorithm[field].is_boolean(), "{field}: {algorithm}");
        }
        assert!(algorithm["uses_heuristic"].is_boolean() && algorithm["uses_weight"].is_boolean());
        let known = |world: &serde_json::Value| ["grid", "graph", "voxel"].iter().any(|kind| world == kind);
        let worlds = algorithm["worlds"].as_array().unwrap();
        assert!(!worlds.is_empty() && worlds.iter().all(known));
        assert!(algorithm["queues"].is_array() && algorithm["title"].is_string());
        let summary = algorithm["summary"].as_str().unwrap();
        assert!(!summary.is_empty() && !summary.contains('\n'));
        let name = algorithm["name"].as_str().unwrap();
        assert!(surefoot("algorithms").out.contains(&format!("{name}\n    {summary}\n")));
    }
}

#[test]
fn shells_can_complete() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = surefoot(&format!("completions {shell}"));
        assert_eq!(run.code, 0);
        assert!(run.out.contains("scenarios"), "{shell}");
    }
    assert!(surefoot("completions bash").out.contains("8-one"), "values are completed, too");
    assert!(refused("completions abacus").contains("abacus"));
}

#[test]
fn there_are_manual_pages() {
    assert!(surefoot("man").out.contains(".TH surefoot 1"));
    let folder = folder("man");
    assert_eq!(surefoot(&format!("man --out {}", folder.display())).code, 0);
    let pages = names(&folder);
    assert!(
        pages.contains(&"surefoot.1".to_owned()) && pages.contains(&"surefoot-solve.1".to_owned()),
        "{pages:?}"
    );
    assert!(refused(&format!("man --out {}", data("tiny.map"))).contains("cannot write manual pages into"));
}

#[test]
fn nobody_listening_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_surefoot"))
        .args(["completions", "zsh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
