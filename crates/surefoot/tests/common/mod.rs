//! What the tests of searches share: random worlds, an oracle written from definitions, and ways to run every search.

// Each test binary uses its own part of this.
#![allow(dead_code)]

pub mod oracle;
pub mod run;
pub mod worlds;

use proptest::test_runner::Config;

/// So many random cases; failures are shrunk and printed, not written to files.
pub fn cases(count: u32) -> Config {
    Config { cases: count, failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() }
}
