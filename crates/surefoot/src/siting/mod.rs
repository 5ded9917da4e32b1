//! Ask before you build: would a building cut someone off, whose way becomes longer, and where are the map's choke points?
//!
//! | file | what it says |
//! |---|---|
//! | `would_block.rs` | what a building would do to the ways between pairs of cells |
//! | `verdict.rs` | the answer |
//! | `trial.rs` | a grid as it would be with the building |
//! | `rest.rs` | what is left to a goal from every cell, and what it costs from a start: the estimates that make the searches short |
//! | `choke.rs` | choke cells, and what they keep together |
//!
//! # How an answer is found
//! Closing cells can only make ways dearer. So, from cheap to dear: a way that the building does not touch costs what it did. If the
//! building takes a choke cell that separates the two ends, they are cut off. Otherwise A* looks for another way, with the
//! exact costs on the map without the building as its estimate, so that it leaves the old way only where it has to. It still looks at
//! all nearly best ways as far as the building; so another goes back from the goal, in turns, and the one whose end is closer to the building
//! answers. Should that take long, the map with the building is labelled once to see which ends are still connected. All answers are exact, with
//! every movement rule, radius, terrain and with links.

mod choke;
mod rest;
mod trial;
mod verdict;
mod would_block;

pub use choke::Chokes;
pub use verdict::{PathImpact, SitingError, Verdict};
pub use would_block::Siting;

#[cfg(test)]
mod tests;
