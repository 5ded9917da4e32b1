//! Experiments with the searches of `surefoot`: benchmark scenarios, run and judged.
//!
//! Unlike the library, this crate reads files and clocks.

pub mod files;
pub mod scenarios;
pub mod statistics;
