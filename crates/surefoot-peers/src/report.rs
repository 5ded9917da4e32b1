//! Rows for machines, tables for people.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::grid_suite::{Answer, Record, Verdict};

/// The solver that all others are compared with.
const YARDSTICK: &str = "pathfinding/astar";

/// A solver's figures over all queries of all maps; times in microseconds.
#[derive(Debug, PartialEq, Serialize)]
pub struct Row {
    pub solver: String,
    pub queries: usize,
    pub mean_us: f64,
    pub p50_us: f64,
    pub p99_us: f64,
    pub total_us: f64,
    /// How many answers were legal and as cheap as possible.
    pub optimal: usize,
    /// How many paths broke the rules.
    pub invalid: usize,
    pub prepare_ms: f64,
    /// What was prepared for all maps besides the maps themselves.
    pub prepared_bytes: u64,
    /// Whether all paths are meant to be as cheap as possible.
    #[serde(skip)]
    pub exact: bool,
    /// The mean time a query on each map.
    pub per_map: BTreeMap<String, f64>,
    /// How many queries there were on each map.
    #[serde(skip)]
    queries_on: BTreeMap<String, usize>,
}

impl Row {
    /// The figures of a record.
    pub fn of(record: &Record) -> Row {
        let answers = || record.maps.iter().flat_map(|map| &map.answers);
        let count = |verdict| answers().filter(|answer| answer.verdict == verdict).count();
        let mut times: Vec<f64> = answers().map(microseconds).collect();
        times.sort_unstable_by(f64::total_cmp);
        let total_us: f64 = times.iter().sum();
        Row {
            solver: record.solver.clone(),
            queries: times.len(),
            mean_us: mean(&times),
            p50_us: percentile(&times, 50),
            p99_us: percentile(&times, 99),
            total_us,
            optimal: count(Verdict::Optimal),
            invalid: count(Verdict::Invalid),
            prepare_ms: record.prepare.as_secs_f64() * 1e3,
            prepared_bytes: record.prepared_bytes,
            exact: record.exact,
            per_map: record
                .maps
                .iter()
                .map(|map| (map.map.clone(), mean(&map.answers.iter().map(microseconds).collect::<Vec<_>>())))
                .collect(),
            queries_on: record.maps.iter().map(|map| (map.map.clone(), map.answers.len())).collect(),
        }
    }
}

fn microseconds(answer: &Answer) -> f64 {
    answer.time.as_secs_f64() * 1e6
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

/// The smallest time that at least this many of a hundred do not exceed; `sorted` is not empty.
pub fn percentile(sorted: &[f64], hundredths: usize) -> f64 {
    sorted[(sorted.len() * hundredths).div_ceil(100) - 1]
}

/// Two tables: the figures of every solver, then the means map by map. Ratios are how many times faster than the
/// yardstick; above 1 is better.
pub fn tables(rows: &[Row]) -> String {
    let yardstick = rows.iter().find(|row| row.solver == YARDSTICK);
    format!(
        "{}\nMean microseconds per query on each map, with the ratio to {YARDSTICK} in brackets\n{}",
        table(&summary(rows, yardstick), "  "),
        table(&by_map(rows, yardstick), "  ")
    )
}

fn summary(rows: &[Row], yardstick: Option<&Row>) -> Vec<Vec<String>> {
    let header = [
        "solver",
        "mean us",
        "p50 us",
        "p99 us",
        "total us",
        "ratio",
        "worst",
        "on map",
        "optimal",
        "invalid",
        "prepare ms",
        "prepared MB",
    ];
    let line = |row: &Row| {
        let worst = yardstick.and_then(|yardstick| worst_ratio(row, yardstick));
        vec![
            row.solver.clone(),
            format!("{:.1}", row.mean_us),
            format!("{:.1}", row.p50_us),
            format!("{:.1}", row.p99_us),
            format!("{:.0}", row.total_us),
            ratio_text(yardstick.map(|yardstick| total_ratio(row, yardstick))),
            ratio_text(worst.map(|(ratio, _)| ratio)),
            worst.map_or("-", |(_, map)| map).to_owned(),
            format!("{}/{}", row.optimal, row.queries),
            row.invalid.to_string(),
            format!("{:.1}", row.prepare_ms),
            format!("{:.1}", row.prepared_bytes as f64 / 1e6),
        ]
    };
    std::iter::once(header.map(str::to_owned).to_vec()).chain(rows.iter().map(line)).collect()
}

fn by_map(rows: &[Row], yardstick: Option<&Row>) -> Vec<Vec<String>> {
    let header = std::iter::once("map").chain(rows.iter().map(|row| row.solver.as_str()));
    let mut lines = vec![header.map(str::to_owned).collect::<Vec<_>>()];
    for map in rows.first().into_iter().flat_map(|row| row.per_map.keys()) {
        let cell = |row: &Row| {
            let Some(mean) = row.per_map.get(map) else { return "-".to_owned() };
            let ratio = yardstick.map(|yardstick| yardstick.per_map[map] / mean);
            format!("{mean:.1} ({})", ratio_text(ratio))
        };
        lines.push(std::iter::once(map.clone()).chain(rows.iter().map(cell)).collect());
    }
    lines
}

/// The yardstick's total over the row's, on the maps that the row is about.
fn total_ratio(row: &Row, yardstick: &Row) -> f64 {
    let total =
        |of: &Row| row.per_map.keys().map(|map| of.per_map[map] * row.queries_on[map] as f64).sum::<f64>();
    total(yardstick) / total(row)
}

/// The smallest ratio of the yardstick's mean to the row's, and the map where that is.
fn worst_ratio<'a>(row: &'a Row, yardstick: &Row) -> Option<(f64, &'a str)> {
    let ratios = row.per_map.iter().map(|(map, mean)| (yardstick.per_map[map] / mean, map.as_str()));
    ratios.min_by(|a, b| a.0.total_cmp(&b.0))
}

fn ratio_text(ratio: Option<f64>) -> String {
    ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"))
}

/// Columns as wide as their widest cell; the first is flush left, the others right.
pub fn table(lines: &[Vec<String>], between: &str) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let format_line = |line: &Vec<String>| {
        let padded = line.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{between}{cell:>width$}"),
        });
        padded.collect::<String>() + "\n"
    };
    lines.iter().map(format_line).collect()
}

/// A table for people that is also one of a Markdown document. The first title and the first cells begin with a bar, the last ones end with one.
pub fn markdown<const N: usize>(titles: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut lines = vec![titles.map(str::to_owned).to_vec(), rule(N)];
    lines.extend(rows.map(Vec::from));
    table(&lines, " | ")
}

/// The line below the titles of a Markdown table.
pub fn rule(columns: usize) -> Vec<String> {
    let cell = |column| match column {
        0 => "|---",
        _ if column + 1 == columns => "--- |",
        _ => "---",
    };
    (0..columns).map(cell).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::grid_suite::MapRecord;

    fn record(solver: &str, maps: &[(&str, &[u64])]) -> Record {
        let answer =
            |&micros: &u64| Answer { time: Duration::from_micros(micros), verdict: Verdict::Optimal };
        let map = |&(map, times): &(&str, &[u64])| MapRecord {
            map: map.to_owned(),
            answers: times.iter().map(answer).collect(),
        };
        Record {
            solver: solver.to_owned(),
            exact: true,
            prepare: Duration::from_millis(3),
            prepared_bytes: 0,
            maps: maps.iter().map(map).collect(),
        }
    }

    #[test]
    fn figures_are_over_all_queries_of_all_maps() {
        let mut record = record("a", &[("m", &[10, 20]), ("n", &[30, 100])]);
        record.maps[0].answers[0].verdict = Verdict::Invalid;
        record.maps[1].answers[0].verdict = Verdict::Missed;
        let row = Row::of(&record);
        assert_eq!((row.queries, row.optimal, row.invalid), (4, 2, 1));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(near(row.mean_us, 40.0) && near(row.total_us, 160.0) && near(row.prepare_ms, 3.0));
        assert!(near(row.p50_us, 20.0) && near(row.p99_us, 100.0));
        assert!(near(row.per_map["m"], 15.0) && near(row.per_map["n"], 65.0));
    }

    #[test]
    fn percentiles_are_the_nearest_rank() {
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!([50, 99].map(|p| percentile(&hundred, p) as u32), [50, 99]);
        assert_eq!([50, 99].map(|p| percentile(&[7.0], p) as u32), [7, 7]);
    }

    #[test]
    fn ratios_say_how_many_times_faster_than_the_yardstick() {
        let rows = [
            Row::of(&record(YARDSTICK, &[("m", &[100]), ("n", &[20])])),
            Row::of(&record("fast", &[("m", &[10]), ("n", &[5])])),
        ];
        let (ratio, map) = worst_ratio(&rows[1], &rows[0]).unwrap();
        assert!((ratio - 4.0).abs() < 1e-9);
        assert_eq!(map, "n");
        let lines = summary(&rows, Some(&rows[0]));
        assert_eq!(lines[2][4..8], ["15", "8.00", "4.00", "n"]);
        assert_eq!(by_map(&rows, Some(&rows[0]))[1], ["m", "100.0 (1.00)", "10.0 (10.00)"]);
    }

    #[test]
    fn without_the_yardstick_there_are_no_ratios() {
        let rows = [Row::of(&record("fast", &[("m", &[10])]))];
        assert_eq!(summary(&rows, None)[1][5..8], ["-", "-", "-"]);
        assert_eq!(by_map(&rows, None)[1], ["m", "10.0 (-)"]);
    }

    #[test]
    fn tables_line_up() {
        let lines = [["a", "mean"], ["long", "1"]].map(|line| line.map(str::to_owned).to_vec());
        assert_eq!(table(&lines, "  "), "a     mean\nlong     1\n");
    }
}
