//! This program run under callgrind.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// The function whose instructions are counted, by its whole name: callgrind does not write a file for each call of a pattern.
const COUNTED: &str = "instructions::queries::counted_queries";

/// Runs the queries under callgrind, and returns the count of each by its name.
pub fn count() -> Result<Vec<(String, u64)>> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let folder = std::env::temp_dir().join(format!("surefoot-instructions-{}", std::process::id()));
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let counts = count_into(&program, &folder.join("part"));
    fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    counts
}

/// Callgrind writes a file each time the counted function returns: `part.1`, `part.2` and so on.
fn count_into(program: &std::path::Path, part: &std::path::Path) -> Result<Vec<(String, u64)>> {
    let output = Command::new("valgrind")
        .args(["--quiet", "--tool=callgrind", "--collect-atstart=no"])
        .args([format!("--toggle-collect={COUNTED}"), format!("--dump-after={COUNTED}")])
        .arg(format!("--callgrind-out-file={}", part.display()))
        .arg(program)
        .arg("--ask")
        // Nothing is counted on other threads; this keeps them from being started at all.
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .context("cannot run valgrind: is it installed?")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "valgrind ended with {}:\n{errors}", output.status);
    let names = String::from_utf8(output.stdout).context("the queries did not print text")?;
    let count = |(number, name): (usize, &str)| {
        let file = part.with_extension((number + 1).to_string());
        let text =
            fs::read_to_string(&file).with_context(|| format!("callgrind counted nothing for {name}"))?;
        let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
        let total = total.and_then(|total| total.trim().parse::<u64>().ok()).filter(|&total| total > 0);
        Ok((name.to_owned(), total.with_context(|| format!("{} has no total", file.display()))?))
    };
    names.lines().enumerate().map(count).collect()
}
