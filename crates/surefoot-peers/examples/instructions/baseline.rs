//! The committed counts.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

/// By how many percent a count may differ.
pub const TOLERANCE_PERCENT: u64 = 2;

const HEADER: &str = "# Instructions of representative queries, counted by callgrind. After ./check, this rewrites the file:\n\
                      # target/debug/examples/instructions --rewrite\n";

/// Counts by the name of the query, and what they depend on besides the code.
#[derive(Debug, PartialEq)]
pub struct Baseline {
    pub settings: String,
    pub counts: Vec<(String, u64)>,
}

/// How present counts compare with committed ones.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    Same,
    /// These queries differ by more than the tolerance, or are in one of the two only.
    Different(Vec<String>),
    /// The counts were taken with another compiler or other settings.
    NotComparable,
}

/// Where the baseline is.
pub fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.txt")
}

/// The compiler, its target, and whether assertions are checked.
pub fn settings() -> Result<String> {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("-vV").output().context("cannot ask rustc for its version")?;
    let text = String::from_utf8(output.stdout).context("rustc -vV does not print text")?;
    let version = text.lines().next().unwrap_or_default();
    let host = text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let assertions = if cfg!(debug_assertions) { "with" } else { "without" };
    Ok(format!("{version} for {host} {assertions} assertions"))
}

impl Baseline {
    pub fn read() -> Result<Baseline> {
        let text = std::fs::read_to_string(file()).with_context(|| format!("no {}", file().display()))?;
        Baseline::parse(&text).with_context(|| format!("{} is not a baseline", file().display()))
    }

    pub fn write(&self) -> Result<()> {
        std::fs::write(file(), self.text()).with_context(|| format!("cannot write {}", file().display()))
    }

    fn text(&self) -> String {
        let mut text = format!("{HEADER}{}\n", self.settings);
        for (name, count) in &self.counts {
            let _ = writeln!(text, "{name} {count}");
        }
        text
    }

    fn parse(text: &str) -> Option<Baseline> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let settings = lines.next()?.to_owned();
        let count = |line: &str| {
            let (name, count) = line.split_once(' ')?;
            Some((name.to_owned(), count.parse().ok()?))
        };
        Some(Baseline { settings, counts: lines.map(count).collect::<Option<_>>()? })
    }

    fn count(&self, name: &str) -> Option<u64> {
        self.counts.iter().find(|(other, _)| other == name).map(|(_, count)| *count)
    }

    /// Compares present counts with committed ones.
    pub fn verdict(&self, committed: &Baseline) -> Verdict {
        if self.settings != committed.settings {
            return Verdict::NotComparable;
        }
        let near = |now: u64, then: u64| now.abs_diff(then) * 100 <= then * TOLERANCE_PERCENT;
        let changed = self
            .counts
            .iter()
            .filter(|(name, now)| !committed.count(name).is_some_and(|then| near(*now, then)));
        let gone = committed.counts.iter().filter(|(name, _)| self.count(name).is_none());
        let names: Vec<String> = changed.chain(gone).map(|(name, _)| name.clone()).collect();
        if names.is_empty() { Verdict::Same } else { Verdict::Different(names) }
    }

    /// The present counts beside the committed ones.
    pub fn table(&self, committed: &Baseline) -> String {
        let line = |(name, now): &(String, u64)| match committed.count(name) {
            Some(then) => {
                let percent = (*now as f64 / then as f64 - 1.0) * 100.0;
                format!("{name:<22} {now:>12} instructions, {percent:+.2} % from {then}\n")
            }
            None => format!("{name:<22} {now:>12} instructions, not in the baseline\n"),
        };
        self.counts.iter().map(line).collect()
    }
}
