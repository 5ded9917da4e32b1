//! `surefoot experiment`: a documented experiment and its report.

use std::fs;

use anyhow::{Context, Result};
use surefoot_experiments::experiment::{Results, Settings, report};

use crate::args::ExperimentArgs;
use crate::output::{self, Answer};
use crate::{files, progress};

pub fn run(args: &ExperimentArgs) -> Result<Answer> {
    // A folder that cannot be written to is noticed before anything is measured.
    fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let settings = Settings {
        runs: args.runs,
        warmup: args.warmup,
        seed: args.seed,
        max_side: args.max_side,
        case_timeout: args.case_timeout,
    };
    let bar = progress::bar(0, "{bar:40} {pos}/{len} cases, {eta} left");
    let results = args.experiment.run(&settings, &|done, total| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let results = results?;
    // All files are made before the first is written.
    let exporters = report::exporters();
    let texts = exporters.iter().map(|exporter| exporter.export(&results)).collect::<Result<Vec<_>, _>>()?;
    for (exporter, text) in exporters.iter().zip(texts) {
        files::write(&args.out.join(exporter.file_name()), text.as_bytes())?;
    }
    for warning in results.environment.warnings() {
        output::warn(&format!("warning: {warning}"));
    }
    output::print(human(&results, args).as_bytes())?;
    Ok(Answer::Yes)
}

fn human(results: &Results, args: &ExperimentArgs) -> String {
    let mut lines = vec![results.question.to_owned()];
    lines.extend(results.findings.iter().map(|finding| format!("- {finding}")));
    let page = args.out.join("report.html");
    lines.push(format!("{} measurements: see {}\n", results.rows.len(), page.display()));
    lines.join("\n")
}
