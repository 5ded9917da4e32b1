//! Hierarchical search (Botea, Müller, Schaeffer, *Near Optimal Hierarchical Path-Finding*, 2004).
//!
//! A map is divided into square clusters. Where a path can cross from one cluster to the next, there are transitions.
//! Within a cluster, the exact distances between its transitions are known. So a long path is first planned over
//! transitions, on large maps over larger and larger clusters, and then refined to cells from its beginning. Paths are
//! near optimal, not optimal.
//!
//! [`Pathfinder`](crate::search::Pathfinder) with `hpa` does all of it at once. A separate [`Hierarchy`] returns a
//! [`Route`] instead: a plan whose cells are computed as it is walked.
//!
//! ```
//! use surefoot::hierarchy::Hierarchy;
//! use surefoot::prelude::*;
//! let grid = Grid::new(300, 200).unwrap();
//! let view = grid.view(&Agent::default());
//! let hierarchy = Hierarchy::new(&view, &PrepareOptions::default()).unwrap();
//! let mut route = hierarchy.route(&view, Cell::new(0, 0), Cell::new(299, 199)).unwrap();
//! let mut cells = Vec::new();
//! assert!(route.next_leg(&view, &mut cells).unwrap()); // enough to start walking
//! assert!(!cells.is_empty() && cells.len() < 300);
//! ```

mod build;
mod compact;
mod corridor;
mod entrances;
mod file;
mod follow;
mod graph;
pub(crate) mod hpa;
mod layout;
mod line;
mod query;
mod route;
mod searches;
mod table;
mod walk;
mod window;

use file::load;
use query::Query;
use route::keep_up;
pub use route::{Hierarchy, Route};
use searches::Account;
use table::Table;

#[cfg(test)]
mod tests;
