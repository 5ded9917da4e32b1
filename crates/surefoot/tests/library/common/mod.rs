//! What the tests of searches share: random worlds and edits, an oracle written from definitions, and ways to run every search.

pub mod distance;
pub mod edits;
pub mod oracle;
pub mod run;
pub mod worlds;

use std::path::{Path, PathBuf};

use proptest::test_runner::Config;

/// A number of random cases, [scaled]; failures are shrunk and printed, not written to files.
pub fn cases(count: u32) -> Config {
    Config { cases: scaled(count), failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() }
}

/// Multiplies a number of cases by `SUREFOOT_CASES`: above 1 for long runs, below 1 for short ones, in which at least one case is left.
pub fn scaled(count: u32) -> u32 {
    let factor: f64 = std::env::var("SUREFOOT_CASES").map_or(1.0, |factor| factor.parse().expect("a number"));
    ((f64::from(count) * factor) as u32).max(1)
}

/// The folder of the public benchmark maps, which are not part of the project: `SUREFOOT_MAPS`, else `../shared/maps`.
pub fn maps() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    std::env::var_os("SUREFOOT_MAPS").map_or_else(beside, PathBuf::from)
}
