//! Estimates of what is left to go, and what they promise.
//!
//! On a grid nearly every estimate in use is of one shape: with `dx`, `dy` the distances in columns and rows,
//! `straight * (max - min) + diagonal * min`. Manhattan is (1, 2), Chebyshev (1, 1), octile (1, `sqrt 2`), "diagonal"
//! (1, 1.4), custom whatever one likes; only Euclidean differs. All are scaled by the cheapest straight step of the map, so
//! that terrain and metric never turn a good estimate into a lie.
//!
//! What a heuristic becomes for one query, links and several goals included, is in `estimate.rs`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::agent::Metric;
use crate::search::estimate::{Flight, cheapest_steps};
use crate::search::estimate_in_space::SpaceFlight;
use crate::world::grid::GridView;
use crate::world::voxels::VoxelView;

/// A way to estimate the cost that is left.
///
/// ```
/// use surefoot::prelude::*;
/// assert_eq!("manhattan".parse(), Ok(Heuristic::Manhattan));
/// let grid = Grid::new(8, 8).unwrap();
/// let walker = grid.view(&Agent::default()).unwrap();
/// assert!(Heuristic::Octile.is_admissible(&walker));
/// assert!(!Heuristic::Manhattan.is_admissible(&walker), "it overestimates diagonal moves");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Heuristic {
    /// The tightest estimate that the agent's own steps allow: always consistent.
    #[default]
    Best,
    /// Columns plus rows.
    Manhattan,
    /// As the crow flies.
    Euclidean,
    /// The larger of columns and rows.
    Chebyshev,
    /// Diagonals at `sqrt 2`.
    Octile,
    /// Diagonals at 1.4.
    Diagonal,
    /// Straight and diagonal weights of one's own, in straight steps, each from 0 to 100.
    Custom {
        /// What a straight step is estimated at.
        straight: f64,
        /// What a diagonal step is estimated at.
        diagonal: f64,
    },
    /// None: knows nothing.
    Zero,
}

/// The text is not a heuristic.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "unknown heuristic `{0}`: expected best, manhattan, euclidean, chebyshev, octile, diagonal, zero or \
     custom:STRAIGHT,DIAGONAL with weights from 0 to 100"
)]
pub struct UnknownHeuristic(pub String);

impl Heuristic {
    /// All heuristics without weights of their own, in a fixed order.
    pub const ALL: [Heuristic; 7] = [
        Heuristic::Best,
        Heuristic::Manhattan,
        Heuristic::Euclidean,
        Heuristic::Chebyshev,
        Heuristic::Octile,
        Heuristic::Diagonal,
        Heuristic::Zero,
    ];

    /// The largest custom weight.
    pub const MAX_WEIGHT: f64 = 100.0;

    /// The name as commands write it; custom weights follow a colon there.
    pub const fn name(self) -> &'static str {
        match self {
            Heuristic::Best => "best",
            Heuristic::Manhattan => "manhattan",
            Heuristic::Euclidean => "euclidean",
            Heuristic::Chebyshev => "chebyshev",
            Heuristic::Octile => "octile",
            Heuristic::Diagonal => "diagonal",
            Heuristic::Custom { .. } => "custom",
            Heuristic::Zero => "zero",
        }
    }

    /// What it estimates, in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            Heuristic::Best => "the tightest estimate that the agent's own steps allow; never too high",
            Heuristic::Manhattan => "columns plus rows; too high where diagonal steps are allowed",
            Heuristic::Euclidean => "as the crow flies",
            Heuristic::Chebyshev => "the larger of columns and rows",
            Heuristic::Octile => "straight steps at 1, diagonal ones at the square root of 2",
            Heuristic::Diagonal => "straight steps at 1, diagonal ones at 1.4",
            Heuristic::Custom { .. } => "straight and diagonal weights of one's own",
            Heuristic::Zero => "none: knows nothing",
        }
    }

    /// The step metric whose steps cost what this heuristic estimates them at, as the first of the project's sources
    /// uses it; `None` for zero and for custom weights that are no metric.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// assert_eq!(Heuristic::Chebyshev.as_metric(), Metric::new(1.0, 1.0));
    /// ```
    pub fn as_metric(self) -> Option<Metric> {
        match self {
            Heuristic::Best | Heuristic::Euclidean | Heuristic::Octile => Some(Metric::EUCLIDEAN),
            Heuristic::Manhattan => Metric::new(1.0, 2.0),
            Heuristic::Chebyshev => Metric::new(1.0, 1.0),
            Heuristic::Diagonal => Metric::new(1.0, 1.4),
            Heuristic::Custom { straight, diagonal } => Metric::new(straight, diagonal),
            Heuristic::Zero => None,
        }
    }

    /// Whether the estimate never exceeds the true cost for this agent on this grid. Then A* finds an optimal path.
    ///
    /// Estimates of ways through links lean on steps changing the estimate by no more than they cost, so there an estimate
    /// has to be consistent, too.
    pub fn is_admissible(self, view: &GridView<'_>) -> bool {
        !self.exceeds_steps(view) && (view.grid().links().is_empty() || self.is_consistent(view))
    }

    /// Whether the estimate may exceed the cost of a way without links.
    fn exceeds_steps(self, view: &GridView<'_>) -> bool {
        let [straight, diagonal] = cheapest_steps(view);
        // With walls and terrain away, the cheapest way: diagonals where they help, straight for the rest.
        let by_diagonal =
            if view.moves().has_diagonals() { diagonal.min(2 * straight) } else { 2 * straight };
        match Flight::new(self, view) {
            Flight::Steps { straight: s, diagonal: d } => s > straight || d > by_diagonal,
            Flight::Line { unit } => unit > straight || 2 * unit * unit > by_diagonal * by_diagonal,
        }
    }

    /// Whether the estimate falls by no more than a step costs, on every step. Then A* expands no node twice (with a list
    /// or a heap) and two-sided search is exact.
    pub fn is_consistent(self, view: &GridView<'_>) -> bool {
        let [straight, diagonal] = cheapest_steps(view);
        let diagonal = if view.moves().has_diagonals() { diagonal } else { u64::MAX };
        match Flight::new(self, view) {
            // By how much a straight step can change the estimate, and a diagonal one.
            Flight::Steps { straight: s, diagonal: d } => {
                s.max(d.abs_diff(s)) <= straight && d.max((2 * s).abs_diff(d)) <= diagonal
            }
            Flight::Line { unit } => {
                unit <= straight && u128::from(unit).pow(2) * 2 <= u128::from(diagonal).pow(2)
            }
        }
    }

    /// The same for voxel worlds.
    pub(crate) fn fault_in_space(self, view: &VoxelView<'_>) -> Option<String> {
        let consistent = SpaceFlight::new(self, view.moves()).is_consistent(view.moves());
        (!consistent).then(|| format!("{} may overestimate moves", self.name()))
    }

    /// In plain words why A* with this heuristic may miss the best path, or `None` if it never does.
    pub fn fault(self, view: &GridView<'_>) -> Option<String> {
        if self.is_admissible(view) {
            return None;
        }
        let what = match view.moves().has_diagonals() {
            _ if !self.exceeds_steps(view) => "ways through links",
            true => "diagonal moves",
            false => "moves",
        };
        Some(format!("{} overestimates {what}", self.name()))
    }
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Heuristic::Custom { straight, diagonal } => write!(f, "custom:{straight},{diagonal}"),
            _ => f.write_str(self.name()),
        }
    }
}

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
