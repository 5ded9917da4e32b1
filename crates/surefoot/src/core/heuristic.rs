//! Heuristics: estimates of the remaining cost, and what they guarantee.
//!
//! On a grid, nearly every common heuristic has the same form: with `dx`, `dy` the distances in columns and rows, `straight *
//! (max - min) + diagonal * min`. Manhattan is (1, 2), Chebyshev (1, 1), octile (1, `sqrt 2`), "diagonal" (1, 1.4), and custom
//! anything; only Euclidean differs. All are scaled by the cheapest straight step of the map, so that terrain and metric never
//! make a good heuristic overestimate.
//!
//! What a heuristic becomes for one query, with links and several goals, is in `estimate.rs`. What it guarantees in a world is
//! described in `world/grid/estimate.rs`.
//!
//! ```
//! use surefoot::algorithms::ASTAR;
//! use surefoot::prelude::*;
//! use surefoot::search::Promise;
//! let grid = Grid::new(9, 9).unwrap();
//! let view = grid.view(&Agent::default());
//! let promise = |heuristic| ASTAR.promise(&Options { heuristic: Some(heuristic), ..Options::default() }, view);
//! assert_eq!(promise(Heuristic::Euclidean), Promise::Optimal);
//! assert!(matches!(promise(Heuristic::Manhattan), Promise::Nothing(_)), "it overestimates diagonal steps");
//! ```

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::core::named::{as_text, names};

/// A method of estimating the remaining cost.
///
/// ```
/// use surefoot::prelude::*;
/// assert_eq!("manhattan".parse(), Ok(Heuristic::Manhattan));
/// let grid = Grid::new(8, 8).unwrap();
/// let walker = grid.view(&Agent::default());
/// assert!(Heuristic::Octile.is_admissible(&walker));
/// assert!(!Heuristic::Manhattan.is_admissible(&walker), "it overestimates diagonal moves");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[non_exhaustive]
pub enum Heuristic {
    /// The tightest heuristic that the agent's own steps allow. It is always consistent.
    #[default]
    Best,
    /// Columns plus rows.
    Manhattan,
    /// The straight-line distance.
    Euclidean,
    /// The larger of columns and rows.
    Chebyshev,
    /// Diagonals at `sqrt 2`.
    Octile,
    /// Diagonals at 1.4.
    Diagonal,
    /// Custom straight and diagonal weights, in straight steps, each from 0 to 100.
    Custom {
        /// The estimated cost of a straight step.
        straight: f64,
        /// The estimated cost of a diagonal step.
        diagonal: f64,
    },
    /// No heuristic: always 0.
    Zero,
}

/// The error for a text that is not a heuristic.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "unknown heuristic `{0}`: expected best, manhattan, euclidean, chebyshev, octile, diagonal, zero or \
     custom:STRAIGHT,DIAGONAL with weights from 0 to 100"
)]
pub struct UnknownHeuristic(pub String);

names! {
    Heuristic:
    Best => "best", "the tightest estimate for the agent's steps; never overestimates";
    Manhattan => "manhattan", "columns plus rows; overestimates where diagonal steps are allowed";
    Euclidean => "euclidean", "straight-line distance";
    Chebyshev => "chebyshev", "the larger of columns and rows";
    Octile => "octile", "straight steps at 1, diagonal steps at the square root of 2";
    Diagonal => "diagonal", "straight steps at 1, diagonal steps at 1.4";
    Zero => "zero", "always 0";
    + Custom => "custom", "custom weights for straight and diagonal steps";
}

impl Heuristic {
    /// The largest custom weight.
    pub const MAX_WEIGHT: f64 = 100.0;
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Heuristic::Custom { straight, diagonal } => write!(f, "custom:{straight},{diagonal}"),
            _ => f.write_str(self.name()),
        }
    }
}

as_text!(Heuristic);

impl FromStr for Heuristic {
    type Err = UnknownHeuristic;

    fn from_str(text: &str) -> Result<Heuristic, UnknownHeuristic> {
        let unknown = || UnknownHeuristic(text.to_owned());
        if let Some(weights) = text.strip_prefix("custom:") {
            let (straight, diagonal) = weights.split_once(',').ok_or_else(unknown)?;
            let weight = |text: &str| {
                let weight = text.trim().parse::<f64>().ok()?;
                (0.0..=Heuristic::MAX_WEIGHT).contains(&weight).then_some(weight)
            };
            let (straight, diagonal) = (weight(straight), weight(diagonal));
            return match (straight, diagonal) {
                (Some(straight), Some(diagonal)) => Ok(Heuristic::Custom { straight, diagonal }),
                _ => Err(unknown()),
            };
        }
        Heuristic::ALL.into_iter().find(|heuristic| heuristic.name() == text).ok_or_else(unknown)
    }
}
