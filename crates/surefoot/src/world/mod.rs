//! Worlds: grids, voxel worlds and graphs that agents move through, each with a journal of its changes.
//!
//! | you want | use |
//! |---|---|
//! | a map of cells with terrain | [`Grid`](grid::Grid) |
//! | places and roads between them | [`Waypoints`](waypoints::Waypoints) |
//! | cells in space | [`Voxels`](voxels::Voxels), with moving obstacles [`DynamicWorld`](dynamic::DynamicWorld) |
//! | a graph that your program has already | [`OwnGraph`](own::OwnGraph) |
//! | code for worlds of all kinds | [`World`](any::World), [`View`](any::View), [`Place`](any::Place) |
//! | tunnels and teleports | [`links`] |
//! | the nearest free or reachable cell | [`nearest`] |
//! | to know what changed | [`journal`] |
//!
//! ```
//! use surefoot::prelude::*;
//! let mut grid = Grid::new(20, 10).unwrap();
//! let before = grid.revision();
//! grid.set(Cell::new(4, 4), Terrain::WALL).unwrap();
//! assert_eq!(grid.journal().since(before).unwrap().count(), 1);
//! ```

#[cfg(feature = "graphs")]
pub(crate) mod adjacency;
pub mod any;
pub(crate) mod changes;
pub(crate) mod clear;
pub mod clearance;
pub(crate) mod components;
#[cfg(feature = "graphs")]
pub(crate) mod condensation;
pub(crate) mod disjoint_sets;
#[cfg(feature = "voxels")]
pub mod dynamic;
#[cfg(feature = "glam")]
mod glam_places;
pub mod grid;
pub mod journal;
#[cfg(feature = "graphs")]
pub(crate) mod kd_tree;
pub(crate) mod layers;
pub(crate) mod leads;
pub(crate) mod least;
pub mod links;
pub(crate) mod nearby;
pub mod nearest;
#[cfg(feature = "graphs")]
pub mod own;
pub(crate) mod pages;
pub(crate) mod paper;
#[cfg(feature = "serde")]
mod place_form;
#[cfg(test)]
pub(crate) mod random_maps;
#[cfg(feature = "crowds")]
pub(crate) mod replica;
pub(crate) mod sides;
pub(crate) mod space;

#[cfg(feature = "voxels")]
pub mod voxels;
#[cfg(feature = "graphs")]
pub mod waypoints;
