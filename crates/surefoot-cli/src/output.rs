//! What goes to standard output and standard error, and the exit code.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::Serialize;
use surefoot::validate::{JointViolation, Violation};

/// The answer of a command. Errors are not answers but `Err`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Done; there is a path; all checks passed.
    Yes,
    /// There is no path; a check failed.
    No,
}

impl From<bool> for Answer {
    fn from(yes: bool) -> Answer {
        if yes { Answer::Yes } else { Answer::No }
    }
}

/// Returns the exit code of a command: 0 and 1 for answers, 2 for errors, which are reported in one line. A path that the validator
/// rejected is a negative answer, reported like an error.
pub fn finish(result: Result<Answer>) -> ExitCode {
    match result {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(error) => {
            warn(&format!("error: {error:#}"));
            let is_rejected = error.is::<Violation>() || error.is::<JointViolation>();
            ExitCode::from(if is_rejected { 1 } else { 2 })
        }
    }
}

/// Prints the requested help, or the problem with the arguments in one line.
pub fn explain(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        let text = error.render().to_string();
        let (problem, advice) = text.trim_end().split_once("\n\n").unwrap_or((text.trim_end(), ""));
        let problem: Vec<&str> = problem.lines().map(str::trim).collect();
        warn(&format!("{}\n{advice}", problem.join(" ")));
    } else {
        // A closed pipe is not an error.
        let _ = error.print();
    }
    ExitCode::from(error.exit_code() as u8)
}

/// Writes to standard output. A closed pipe is not an error.
pub fn print(text: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Returns a JSON document as a line.
pub fn json(document: &impl Serialize) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec(document)?;
    text.push(b'\n');
    Ok(text)
}

/// Writes one JSON document to standard output.
pub fn print_json(document: &impl Serialize) -> Result<()> {
    print(&json(document)?)
}

/// Writes a line to standard error. Failure is ignored.
pub fn warn(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Lays out rows in columns, the first left-aligned, the others right-aligned, separated by two spaces.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_aligned() {
        let rows = [["map", "us"], ["a", "10"], ["long", "7"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows), "map   us\na     10\nlong   7\n");
    }
}
