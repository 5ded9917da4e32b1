//! How many random cases tests try. The tests in `tests/` include this file, too.

use proptest::test_runner::Config;

/// Multiplies a number of cases by `SUREFOOT_CASES`: above 1 for long runs, below 1 for short ones, in which at least one case is left.
pub fn scaled(count: u32) -> u32 {
    let factor: f64 = std::env::var("SUREFOOT_CASES").map_or(1.0, |factor| factor.parse().expect("a number"));
    ((f64::from(count) * factor) as u32).max(1)
}

/// A number of random cases, [scaled]; failures are shrunk and printed, not written to files.
pub fn cases(count: u32) -> Config {
    Config { cases: scaled(count), failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() }
}
