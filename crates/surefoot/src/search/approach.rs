//! A path to a goal, or as close to it as possible.

use crate::core::outcome::Why;
use crate::path::Path;

/// The result of [`Pathfinder::find_closest`](crate::search::Pathfinder::find_closest): a path, and whether it reaches the goal.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Approach<'a> {
    /// The path reaches the goal.
    Whole(&'a Path),
    /// The goal cannot be reached, for the given reason. The path ends at the closest place that can.
    Partial(&'a Path, Why),
}

impl<'a> Approach<'a> {
    /// Returns the path, wherever it ends.
    pub fn path(self) -> &'a Path {
        match self {
            Approach::Whole(path) | Approach::Partial(path, _) => path,
        }
    }
}
