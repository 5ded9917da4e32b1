//! Hierarchical search (Botea, Müller, Schaeffer, *Near Optimal Hierarchical Path-Finding*, 2004).
//!
//! A map is cut into square parts. Where one can pass from one part to the next there are transitions; within a part, the
//! exact distances between its transitions are known. So a long way is first planned over transitions, on large maps over
//! larger and larger parts, and then made of cells from its beginning on. Paths are near optimal, not optimal.
//!
//! [`Pathfinder`](crate::search::Pathfinder) with `hpa` does all of it at once. A [`Hierarchy`] of one's own gives a [`Route`]
//! instead: a plan whose cells are worked out as it is walked.
//!
//! | file | what it says |
//! |---|---|
//! | `layout.rs` | parts and levels |
//! | `entrances.rs` | where one can pass from one part to the next |
//! | `table.rs`, `file.rs` | the abstract graph, in memory and as bytes |
//! | `window.rs`, `graph.rs` | cells of an area, and the abstract graph, as searches see them |
//! | `compact.rs`, `build.rs`, `follow.rs` | making the table, and following edits |
//! | `searches.rs`, `query.rs`, `walk.rs`, `line.rs`, `corridor.rs` | answering a question |
//! | `hpa.rs` | the algorithm of that name |
//! | `route.rs` | a plan that is worked out as it is walked |

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
