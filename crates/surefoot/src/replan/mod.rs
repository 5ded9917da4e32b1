//! Searches that live: they repair their answer when the world changes, the start moves or the goal moves.
//!
//! | file | what it says |
//! |---|---|
//! | `repair.rs` | the one repair: costs, queue, expansion |
//! | `nodes.rs`, `queue.rs` | what it remembers of nodes, and which comes next |
//! | `tree.rs`, `ground.rs` | how costs follow from each other along edges, and which edges changed |
//! | `guide.rs` | a repair on any world, with the estimate that fits |
//! | `method.rs` | what a search does when something moves |
//! | `lpa_star.rs`, `d_star_lite.rs`, ... | one search each: what differs |
//! | `planner.rs`, `errands.rs`, `state.rs` | a search that is told of moves and pulls changes; what it has done, what it tells |
//! | `way.rs` | the way found last, of which most stays as it is |
//! | `guard.rs`, `fresh.rs` | when a repair is given up for a fresh search, and that search |
//! | `solver.rs` | the same searches for a single question |
//! | `subscriptions/` | which paths an edit touches |

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
