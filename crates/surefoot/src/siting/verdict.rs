//! What a building would do.

use thiserror::Error;

use crate::cost::Cost;
use crate::siting::Siting;
use crate::space::Cell;

/// What a building would do to the path between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathImpact {
    /// Where the path begins.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// The cost of the best path now; `None` if there is no path.
    pub before: Option<Cost>,
    /// The cost of the best path with the building; `None` if there would be no path. Never less than before.
    pub after: Option<Cost>,
}

impl PathImpact {
    /// Returns whether there is a path now, but would be none with the building. A building on one of the endpoints
    /// cuts them off.
    pub const fn is_cut_off(&self) -> bool {
        self.before.is_some() && self.after.is_none()
    }

    /// Returns how much more expensive the path would become; `None` if there is no path now, or would be none.
    pub fn added(&self) -> Option<Cost> {
        Some(self.after? - self.before?)
    }
}

/// What a building would do to all pairs.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::siting::Siting;
/// let grid: Grid = "
///     .....
///     .###.
///     .....".parse().unwrap();
/// let ends = [(Cell::new(0, 0), Cell::new(4, 0)), (Cell::new(0, 2), Cell::new(4, 2))];
/// let view = grid.view(&Agent::default());
/// let verdict = Siting::default().would_block(&view, &[Cell::new(2, 0)], &ends).unwrap();
/// assert!(!verdict.blocks_any());
/// let added: Vec<Option<Cost>> = verdict.impacts().iter().map(|effect| effect.added()).collect();
/// assert_eq!(added, [view.scale().cost(4.0), Some(Cost::ZERO)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub(super) effects: Vec<PathImpact>,
}

impl Verdict {
    /// Returns the effects on the pairs, in their order.
    pub fn impacts(&self) -> &[PathImpact] {
        &self.effects
    }

    /// Returns whether any pair would be cut off.
    pub fn blocks_any(&self) -> bool {
        self.effects.iter().any(PathImpact::is_cut_off)
    }
}

/// Why a query about a building was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SitingError {
    /// The building is too large.
    #[error("a footprint of {0} cells is too large: expected at most {max}", max = Siting::MAX_FOOTPRINT)]
    Footprint(usize),
    /// There are too many pairs.
    #[error("{0} pairs are too many: expected at most {max}", max = Siting::MAX_PAIRS)]
    Pairs(usize),
    /// The pairs have too many different goals. One table is kept per goal, and tables of maps of this size are large.
    #[error("the pairs have {found} different goals: expected at most {most} on a map of this size")]
    Goals {
        /// The number of different goals.
        found: usize,
        /// The maximum number of different goals.
        most: usize,
    },
}
