//! What the tests of searches share: random worlds and edits, an oracle written from definitions, and ways to run every search.

pub mod distance;
pub mod edits;
pub mod oracle;
#[path = "../../../src/random_cases.rs"]
mod random_cases;
pub mod run;
pub mod worlds;

use std::path::{Path, PathBuf};

pub use random_cases::{cases, scaled};

/// The folder of the public benchmark maps, which are not part of the project: `SUREFOOT_MAPS`, else `../shared/maps`.
pub fn maps() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    std::env::var_os("SUREFOOT_MAPS").map_or_else(beside, PathBuf::from)
}
