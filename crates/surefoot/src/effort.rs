//! Long work that can be ended in the middle.
//!
//! Work that may take long is given a function to call now and then with the number of cells or edges it has looked at since the
//! last call. An error ends it.

use std::convert::Infallible;

/// For work that is always done to the end.
#[expect(clippy::unnecessary_wraps, reason = "it stands in for functions that can end the work")]
pub(crate) fn unhindered(_looked_at: u64) -> Result<(), Infallible> {
    Ok(())
}
