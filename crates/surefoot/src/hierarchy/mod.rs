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
//! | file | contents |
//! |---|---|
//! | `layout.rs` | clusters and levels |
//! | `entrances.rs` | where a path can cross from one cluster to the next |
//! | `table.rs`, `file.rs` | the abstract graph, in memory and as bytes |
//! | `window.rs`, `graph.rs` | cells of an area, and the abstract graph, as searches see them |
//! | `compact.rs`, `build.rs`, `follow.rs` | building the table, and following edits |
//! | `searches.rs`, `query.rs`, `walk.rs`, `line.rs`, `corridor.rs` | answering a query |
//! | `hpa.rs` | the algorithm of that name |
//! | `route.rs` | a plan that is refined as it is walked |

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
