//! The guide: one page per problem of a game, with a short, complete program that solves it.
//!
//! | your problem | page |
//! |---|---|
//! | I have a level, and a unit should walk where the player clicks | [`walking`] |
//! | My map is so large that a search takes too long | [`large_maps`] |
//! | Walls come and go while units are moving | [`changing_maps`] |
//! | Hundreds of units need paths at once | [`many_units`] |
//! | My units fly, swim or dig | [`three_dimensions`] |
//! | My world is not a grid | [`own_graphs`] |
//! | The game has to be saved, loaded and replayed | [`saving`] |
//!
//! Start with [`walking`]: the other pages build on it. Every program here is compiled and run by the tests.

#[doc = include_str!("walking.md")]
pub mod walking {}

#[doc = include_str!("large_maps.md")]
pub mod large_maps {}

#[doc = include_str!("changing_maps.md")]
pub mod changing_maps {}

#[doc = include_str!("many_units.md")]
pub mod many_units {}

#[doc = include_str!("three_dimensions.md")]
pub mod three_dimensions {}

#[doc = include_str!("own_graphs.md")]
pub mod own_graphs {}

#[doc = include_str!("saving.md")]
pub mod saving {}
