//! The building blocks of all searches, independent of worlds.
//!
//! | file | contents |
//! |---|---|
//! | `id.rs`, `cost.rs`, `space.rs` | node numbers, integer costs, cells and points |
//! | `graph.rs` | the interface between searches and graphs |
//! | `expand.rs` | how a search finds the successors of a node |
//! | `heuristic.rs`, `estimate.rs` | heuristics, and what they become for one query |
//! | `kernel.rs`, `state.rs` | the best-first loop, and the state of a search between two calls |
//! | `open/` | which node comes next: fifo, lifo, list, heap, buckets |
//! | `record.rs`, `sparse.rs`, `line_records.rs` | what a search stores per node |
//! | `observe/` | watching a search: counters, traces, breakpoints |
//! | `glam_vectors.rs`, `mint_vectors.rs` | conversions from and to the vectors of other crates |
//! | `method.rs` | what an incremental search does when something moves |
//! | `named.rs` | enums whose values have names |
//! | `outcome.rs` | how a search ended, and its statistics |

pub mod cost;
pub(crate) mod estimate;
pub(crate) mod expand;
#[cfg(feature = "glam")]
mod glam_vectors;
pub mod graph;
pub mod heuristic;
pub mod id;
pub(crate) mod kernel;
pub(crate) mod line_records;
pub(crate) mod method;
#[cfg(feature = "mint")]
mod mint_vectors;
pub(crate) mod named;
pub mod observe;
pub(crate) mod open;
pub(crate) mod outcome;
pub(crate) mod record;
pub mod space;
pub(crate) mod sparse;
pub(crate) mod state;
