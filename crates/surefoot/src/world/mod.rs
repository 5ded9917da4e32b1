//! Worlds: grids, voxel worlds and graphs that agents move through, each with a journal of its changes.

pub(crate) mod adjacency;
pub mod any;
pub(crate) mod changes;
pub(crate) mod clear;
pub mod clearance;
pub mod components;
pub(crate) mod condensation;
pub(crate) mod disjoint_sets;
pub mod dynamic;
#[cfg(feature = "glam")]
mod glam_places;
pub mod grid;
pub mod journal;
pub(crate) mod kd_tree;
pub(crate) mod layers;
pub(crate) mod leads;
pub(crate) mod least;
pub mod links;
pub(crate) mod nearby;
pub mod nearest;
pub mod own;
pub(crate) mod pages;
pub(crate) mod paper;
#[cfg(feature = "serde")]
mod place_form;
#[cfg(test)]
pub(crate) mod random_maps;
pub(crate) mod sides;
pub(crate) mod space;

pub mod voxels;
pub mod waypoints;
