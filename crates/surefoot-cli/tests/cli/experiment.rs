//! `surefoot experiment`.

use std::fs;

use serde_json::Value;

use crate::common::{folder, names, refused, surefoot};

#[test]
fn units_writes_a_table_a_document_and_a_page() {
    let folder = folder("experiment_units");
    let out = folder.join("new/results");
    let run = surefoot(&format!(
        "experiment units --runs 40 --warmup 2 --max-side 73 --case-timeout 60 --out {}",
        out.display()
    ));
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(names(&out), ["report.html", "results.csv", "results.json"]);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();

    let document: Value = serde_json::from_str(&read("results.json")).unwrap();
    assert_eq!(document["experiment"], "units");
    assert!(document["environment"]["cores"].as_u64() >= Some(1));
    let rows = document["rows"].as_array().unwrap();
    let cases: Vec<(&str, u64)> =
        rows.iter().map(|row| (row["mode"].as_str().unwrap(), row["units"].as_u64().unwrap())).collect();
    // An unoptimised build may be too slow for a frame with 100 units already, and then skips 200.
    assert_eq!(cases[..3], [("astar", 100), ("service", 100), ("field", 100)]);
    for row in rows {
        assert!(row["ticks"].as_u64() <= Some(40) && row["tick_p99_us"].as_f64() > Some(0.0), "{row}");
        assert!(row["plans"].as_u64() > Some(0) || row["mode"] == "field", "{row}");
    }

    let csv = read("results.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].starts_with("mode,units,side,ticks,timed_out,order_us,"), "{}", lines[0]);
    assert_eq!(lines.len(), rows.len() + 1);
    assert!(lines.iter().all(|line| line.split(',').count() == 14));

    let page = read("report.html");
    assert!(page.contains("<svg") && page.contains("16 ms"), "{page}");
    for remote in ["<script", "<link", "@import", "url(", "src="] {
        assert!(!page.contains(remote), "the page must load nothing: {remote}");
    }
    // The command in the report repeats the same crowds.
    let hashes = |document: &Value| -> Vec<Value> {
        document["rows"].as_array().unwrap()[..3].iter().map(|row| row["hash"].clone()).collect()
    };
    let command = document["command"]
        .as_str()
        .unwrap()
        .replace("surefoot ", "")
        .replace("DIR", &out.display().to_string());
    assert_eq!(surefoot(&command).code, 0);
    let again: Value = serde_json::from_str(&read("results.json")).unwrap();
    assert_eq!(hashes(&document), hashes(&again));
}

#[test]
fn what_cannot_be_measured_is_refused_in_one_line() {
    let folder = folder("experiment_refusals");
    let out = folder.join("out");
    let out = out.display();
    fs::write(folder.join("file"), "text").unwrap();
    for (args, expected) in [
        (format!("experiment unit --out {out}"), "expected units"),
        ("experiment units".to_owned(), "--out"),
        (format!("experiment units --runs 0 --out {out}"), "at least 1"),
        (format!("experiment units --max-side 9 --out {out}"), "expected at least 64"),
        (format!("experiment units --out {}", folder.join("file").display()), "cannot make the folder"),
    ] {
        let line = refused(&args);
        assert!(line.contains(expected), "{args}: {line}");
    }
}
