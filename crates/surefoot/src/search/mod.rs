//! Searches.

pub(crate) mod expand;
