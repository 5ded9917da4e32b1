//! Worlds: what there is to walk on, and a journal of how it changes.

pub mod clearance;
pub mod components;
pub mod grid;
pub mod journal;
pub mod links;
#[cfg(test)]
pub(crate) mod random_maps;
pub mod waypoints;
