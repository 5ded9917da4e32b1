//! The library from outside. One binary: the searches are compiled for it once.

mod any_angle;
mod arrows;
mod auto_traits;
mod benchmark_files;
mod benchmark_maps;
mod clear_lines;
mod common;
mod crowds;
mod edits;
mod estimates;
mod fields;
mod flights;
#[cfg(all(feature = "json", feature = "png"))]
mod fuzz_corpus;
mod golden;
mod limits;
mod many;
mod optimality;
mod order;
mod own_graphs;
mod own_hostile;
mod paths;
mod prepare;
mod readme;
mod reasons;
mod refusals;
mod repeatability;
mod replan;
#[cfg(feature = "serde")]
mod saved;
#[cfg(feature = "json")]
mod scenes;
mod service;
mod siting;
mod subscriptions;
mod sweeps;
mod timed_flights;
mod two_threads;
mod units;
#[cfg(any(feature = "glam", feature = "mint"))]
mod vectors;
mod visits;
mod voxels;
