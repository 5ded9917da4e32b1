//! Incremental searches: they repair their path when the world changes, the start moves or the goal moves.
//!
//! | file | contents |
//! |---|---|
//! | `repair.rs` | the shared repair: costs, queue, expansion |
//! | `nodes.rs`, `queue.rs` | what it stores per node, and which node comes next |
//! | `tree.rs`, `ground.rs` | how costs follow from each other along edges, and which edges changed |
//! | `guide.rs` | a repair on any world, with the matching heuristic |
//! | `method.rs` | what a search does when something moves |
//! | `lpa_star.rs`, `d_star_lite.rs`, ... | one search each: what differs |
//! | `planner.rs`, `errands.rs`, `state.rs` | a search that is told of moves and pulls changes; its operations, its statistics |
//! | `way.rs` | the last path found, most of which stays the same |
//! | `guard.rs`, `fresh.rs` | when a repair is abandoned for a fresh search, and that search |
//! | `solver.rs` | the same searches for a single query |
//! | `subscriptions/` | which paths an edit affects |

pub(crate) mod basic_mt_d_star_lite;
pub(crate) mod d_star_lite;
mod errands;
mod fresh;
mod ground;
mod guard;
mod guide;
pub(crate) mod lpa_star;
mod method;
pub(crate) mod mt_d_star_lite;
mod nodes;
mod planner;
mod queue;
mod repair;
mod solver;
mod state;
pub mod subscriptions;
mod tree;
mod way;

pub use planner::Planner;
pub use state::{NodeState, Replan, Standing};
pub use subscriptions::{PathChange, SubscriptionId, Subscriptions, Touched};

/// The names of the searches that repair their answers.
pub(crate) const NAMES: [&str; 4] = [
    d_star_lite::ALGORITHM.name,
    mt_d_star_lite::ALGORITHM.name,
    basic_mt_d_star_lite::ALGORITHM.name,
    lpa_star::ALGORITHM.name,
];
