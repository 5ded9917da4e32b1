//! `surefoot scenarios`: runs and checks benchmark files.

use anyhow::Result;
use surefoot_experiments::scenarios::{self, Plan, Report, Selection, Suite, Summary};

use crate::args::ScenariosArgs;
use crate::output::{self, Answer};
use crate::progress;

pub fn run(args: &ScenariosArgs) -> Result<Answer> {
    let plan = Plan {
        algorithm: args.search.algorithm,
        options: args.search.options(),
        agent: args.agent.agent()?,
        threads: args.threads,
        memory_limit: args.memory.bytes(),
    };
    plan.algorithm.check(&plan.options)?;
    for file in &args.files {
        args.agent.check(!file.extension().is_some_and(|it| it.eq_ignore_ascii_case("3dscen")), file)?;
    }
    let selection = Selection { every: args.every, limit: args.limit };
    let suite = Suite::load(&args.files, args.maps.as_deref(), &selection)?;
    let progress = progress::bar(suite.len() as u64, "{bar:40} {pos}/{len} queries, {eta} left");
    let report = scenarios::run(&suite, &plan, &|| progress.inc(1))?;
    progress.finish_and_clear();
    for failure in &report.failures {
        output::warn(&format!("{}: line {}: {}", failure.file, failure.line, failure.problem));
    }
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(human(&report).as_bytes())?;
    }
    Ok(report.is_clean().into())
}

fn human(report: &Report) -> String {
    const TITLES: [&str; 11] = [
        "map",
        "queries",
        "unsolved",
        "suboptimal",
        "invalid",
        "worst ratio",
        "mean us",
        "p50 us",
        "p99 us",
        "max us",
        "expanded",
    ];
    let mut rows = vec![TITLES.map(str::to_owned).to_vec()];
    rows.extend(report.maps.iter().map(|map| row(&map.map, &map.summary)));
    rows.push(row("total", &report.total));
    let Summary { solved, queries, unreachable, cheaper, prepare_ms, prepared_bytes, .. } = &report.total;
    let mut lines = vec![format!(
        "{}: {solved} of {queries} solved on {} thread{}; maps prepared in {prepare_ms:.1} ms ({prepared_bytes} bytes)",
        report.algorithm,
        report.threads,
        if report.threads == 1 { "" } else { "s (times are not comparable)" }
    )];
    if *unreachable > 0 {
        lines.push(format!("{unreachable} queries have no path, as Dijkstra confirms"));
    }
    if *cheaper > 0 {
        lines.push(format!("{cheaper} paths cost less than in the file, which is wrong or uses other rules"));
    }
    output::table(&rows) + &lines.join("\n") + "\n"
}

fn row(name: &str, summary: &Summary) -> Vec<String> {
    let us = |time: f64| format!("{time:.1}");
    vec![
        name.to_owned(),
        summary.queries.to_string(),
        summary.unsolved.to_string(),
        summary.suboptimal.to_string(),
        summary.invalid.to_string(),
        format!("{:.4}", summary.worst_ratio),
        us(summary.mean_us),
        us(summary.p50_us),
        us(summary.p99_us),
        us(summary.max_us),
        summary.expanded.to_string(),
    ]
}
