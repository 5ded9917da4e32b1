//! What the tests of searches share: random worlds and edits, an oracle written from definitions, and ways to run every search.

pub mod distance;
pub mod edits;
pub mod oracle;
pub mod run;
pub mod worlds;

use std::path::{Path, PathBuf};

use proptest::test_runner::Config;

/// So many random cases (times `SUREFOOT_CASES`, for long runs); failures are shrunk and printed, not written to files.
pub fn cases(count: u32) -> Config {
    let factor = std::env::var("SUREFOOT_CASES").map_or(1, |factor| factor.parse().unwrap());
    Config { cases: count * factor, failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() }
}

/// The folder of the public benchmark maps, which are not part of the project: `SUREFOOT_MAPS`, else `../shared/maps`.
pub fn maps() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    std::env::var_os("SUREFOOT_MAPS").map_or_else(beside, PathBuf::from)
}
