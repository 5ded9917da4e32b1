//! What a building would do.

use thiserror::Error;

use crate::cost::Cost;
use crate::siting::Siting;
use crate::space::Cell;

/// What a building would do to the way between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathImpact {
    /// Where the way begins.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// What the best way costs now; `None` if there is none.
    pub before: Option<Cost>,
    /// What it would cost; `None` if there would be none. Never less than before.
    pub after: Option<Cost>,
}

impl PathImpact {
    /// Whether there is a way now, and would be none. A building on one of the ends cuts them off.
    pub const fn is_cut_off(&self) -> bool {
        self.before.is_some() && self.after.is_none()
    }

    /// How much dearer the way would become; `None` if there is none now, or would be none.
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
    /// The effects on the pairs, in their order.
    pub fn impacts(&self) -> &[PathImpact] {
        &self.effects
    }

    /// Whether some pair would be cut off.
    pub fn blocks_any(&self) -> bool {
        self.effects.iter().any(PathImpact::is_cut_off)
    }
}

/// Why a building was not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SitingError {
    /// The building is too large.
    #[error("a footprint of {0} cells is too large: expected at most {max}", max = Siting::MAX_FOOTPRINT)]
    Footprint(usize),
    /// There are too many pairs.
    #[error("{0} pairs are too many: expected at most {max}", max = Siting::MAX_PAIRS)]
    Pairs(usize),
    /// The pairs have too many different goals: a table is kept for each, and tables of maps of this size are large.
    #[error("the pairs have {found} different goals: expected at most {most} on a map of this size")]
    Goals {
        /// How many they have.
        found: usize,
        /// How many they may have.
        most: usize,
    },
}
