//! Experiments with the searches of `surefoot`: runs benchmark scenarios and simulated flights, and checks the results.
//!
//! Unlike the library, this crate reads files and measures time.

pub mod files;
pub mod scenarios;
pub mod simulate;
pub mod statistics;
