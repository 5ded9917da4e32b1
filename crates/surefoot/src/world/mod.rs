//! Worlds: what there is to walk on, and a journal of how it changes.

pub mod clearance;
pub mod components;
pub mod grid;
pub mod journal;
pub mod links;
pub mod nearest;
pub mod view;
pub mod waypoints;
