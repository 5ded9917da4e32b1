//! Experiments with the searches of `surefoot`: runs benchmark scenarios, simulated flights, crowds and whole experiments, and checks the results.
//!
//! Unlike the library, this crate reads files and measures time.

pub mod crowd;
pub mod experiment;
pub mod files;
pub mod scenarios;
pub mod simulate;
pub mod statistics;
