//! Who walks: movement rule, size, and what a step costs it.

use thiserror::Error;

use crate::core::heuristic::Heuristic;
use crate::core::named::named;
use crate::cost::Cost;

/// Which of the eight steps a grid allows.
///
/// ```
/// use surefoot::agent::Moves;
/// assert_eq!("8-one".parse(), Ok(Moves::EightOne));
/// assert_eq!(Moves::default().to_string(), "8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Moves {
    /// `4`: straight steps only.
    Four,
    /// `8`: a diagonal step needs both straight neighbours open. The default, and what the benchmarks use.
    #[default]
    Eight,
    /// `8-one`: a diagonal step needs at least one of its straight neighbours open. An agent with a radius above 0 follows
    /// [`Moves::Eight`] instead: a body with an extent cannot pass a corner at distance 0.
    EightOne,
    /// `8-free`: diagonal steps are always allowed, between two walls too. An agent with a radius above 0 follows
    /// [`Moves::Eight`] instead.
    EightFree,
}

named! {
    Moves, UnknownMoves, "movement rule":
    Four => "4", "straight steps only";
    Eight => "8", "diagonal steps too, if both straight neighbours are open";
    EightOne => "8-one", "diagonal steps too, if one straight neighbour is open";
    EightFree => "8-free", "diagonal steps always, between two walls too";
}

impl Moves {
    /// The rule that an agent follows which was given this one: round agents do not cut corners.
    pub(crate) const fn for_body(self, is_round: bool) -> Moves {
        match self {
            Moves::EightOne | Moves::EightFree if is_round => Moves::Eight,
            rule => rule,
        }
    }

    /// Whether diagonal steps exist at all.
    pub const fn has_diagonals(self) -> bool {
        !matches!(self, Moves::Four)
    }
}

/// Which of the 26 steps a voxel world allows. A diagonal step needs every cell of the box that it spans open.
///
/// ```
/// use surefoot::agent::Moves3;
/// assert_eq!("18".parse(), Ok(Moves3::Eighteen));
/// assert_eq!(Moves3::default().to_string(), "26");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Moves3 {
    /// `6`: straight steps only.
    Six,
    /// `18`: steps along the diagonals of a square too.
    Eighteen,
    /// `26`: steps along the diagonals of a cube too. The default, and what the benchmarks use.
    #[default]
    TwentySix,
}

named! {
    Moves3, UnknownMoves3, "movement rule":
    Six => "6", "straight steps only";
    Eighteen => "18", "diagonals of squares too, if all four cells are open";
    TwentySix => "26", "diagonals of squares and cubes too, if all their cells are open";
}

/// What a step over plain floor costs: straight and diagonal.
///
/// ```
/// use surefoot::agent::Metric;
/// let tiles = Metric::new(10.0, 14.0).unwrap();
/// assert_eq!(tiles.diagonal_cells(), 14.0);
/// assert!(Metric::new(0.0, 1.0).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric {
    straight: f64,
    diagonal: f64,
}

impl Metric {
    /// The largest straight or diagonal cost: with terrain 255 it still fits an edge.
    pub const MAX: f64 = 500.0;
    /// The smallest: one hundredth of a cell.
    pub const MIN: f64 = 0.01;

    /// 1 and `sqrt 2`: lengths on paper, and the benchmarks' metric.
    pub const EUCLIDEAN: Metric = Metric { straight: 1.0, diagonal: std::f64::consts::SQRT_2 };

    /// A metric, unless one of the two costs is outside [`Metric::MIN`] to [`Metric::MAX`] or the diagonal is below the
    /// straight.
    pub fn new(straight: f64, diagonal: f64) -> Option<Metric> {
        let fits = |cost: f64| (Metric::MIN..=Metric::MAX).contains(&cost);
        (fits(straight) && fits(diagonal) && diagonal >= straight).then_some(Metric { straight, diagonal })
    }

    /// The straight step's cost as given.
    pub fn straight_cells(&self) -> f64 {
        self.straight
    }

    /// The diagonal step's cost as given.
    pub fn diagonal_cells(&self) -> f64 {
        self.diagonal
    }

    /// The straight step in units: always even.
    pub fn straight(&self) -> Cost {
        even_units(self.straight)
    }

    /// The diagonal step in units: always even.
    pub fn diagonal(&self) -> Cost {
        even_units(self.diagonal)
    }
}

/// The nearest even number of units, so that halves of it are exact.
fn even_units(cells: f64) -> Cost {
    let half_units = (cells * (Cost::ONE.units() / 2) as f64).round();
    Cost::from_units(2 * half_units as u64)
}

impl Default for Metric {
    fn default() -> Metric {
        Metric::EUCLIDEAN
    }
}

/// How terrain changes the cost of a step.
///
/// ```
/// use surefoot::agent::TerrainRule;
/// assert_eq!("enter".parse(), Ok(TerrainRule::Enter));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum TerrainRule {
    /// The step's length times the mean of the two cells' costs: the same in both directions.
    #[default]
    Mean,
    /// The step's length times the cost of the cell entered.
    Enter,
    /// The step's length plus a constant: one straight step for each unit that the entered cell costs above 1.
    Add,
}

named! {
    TerrainRule, UnknownTerrainRule, "terrain rule":
    Mean => "mean", "length times the mean of the two cells";
    Enter => "enter", "length times the cell entered";
    Add => "add", "length plus a constant for the cell entered";
}

/// Someone who walks: the same map gives every agent its own graph.
///
/// ```
/// use surefoot::agent::{Agent, Moves};
/// let ogre = Agent { moves: Moves::Four, radius: 1.2, ..Agent::default() };
/// assert!(ogre.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Agent {
    /// Which steps are allowed on grids.
    pub moves: Moves,
    /// Which steps are allowed in voxel worlds.
    pub moves3: Moves3,
    /// Half the agent's width in cells. It stands only where the nearest wall is at least this far from the centre of
    /// the cell; up to 0.5 that is every open cell. Between cells it keeps the same distance: with a radius above 0, no step and
    /// no straight line comes closer to a wall than the radius, and diagonal steps never cut corners.
    pub radius: f64,
    /// What steps cost on grids. In voxel worlds they cost their length.
    pub metric: Metric,
    /// What terrain does to that.
    pub terrain: TerrainRule,
}

impl Agent {
    /// The widest agent, in cells.
    pub const MAX_RADIUS: f64 = 1024.0;

    /// Says no to a radius that is not a number, negative, or above [`Agent::MAX_RADIUS`].
    pub fn check(&self) -> Result<(), BadRadius> {
        if (0.0..=Agent::MAX_RADIUS).contains(&self.radius) { Ok(()) } else { Err(BadRadius(self.radius)) }
    }

    /// Whether the agent has an extent at all: a radius above 0.
    pub(crate) fn is_round(&self) -> bool {
        self.radius > 0.0
    }

    /// The smallest clearance at which the agent can stand, as the square of twice the distance: an integer, because
    /// distances from a cell's middle to a wall's square are sums of squared half cells.
    pub(crate) fn needed_clearance(&self) -> u32 {
        let radius = self.radius.clamp(0.0, Agent::MAX_RADIUS);
        let mut doubled_square = ((4.0 * radius * radius) as u32).saturating_sub(1).max(1);
        // Decided by the very comparison that users make: distance >= radius.
        while f64::from(doubled_square).sqrt() / 2.0 < radius {
            doubled_square += 1;
        }
        doubled_square
    }
}

/// The agent's radius makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("radius {0} is not between 0 and {max} cells", max = Agent::MAX_RADIUS)]
pub struct BadRadius(pub f64);

impl Heuristic {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_metric_is_the_rounded_up_convergent() {
        assert_eq!(Metric::EUCLIDEAN.straight(), Cost::ONE);
        assert_eq!(Metric::EUCLIDEAN.diagonal(), Cost::DIAGONAL);
    }

    #[test]
    fn small_agents_stand_on_every_open_cell() {
        for radius in [0.0, 0.3, 0.5] {
            assert_eq!(Agent { radius, ..Agent::default() }.needed_clearance(), 1);
        }
        assert_eq!(Agent { radius: 0.51, ..Agent::default() }.needed_clearance(), 2);
        let diagonal_gap = std::f64::consts::FRAC_1_SQRT_2;
        assert_eq!(Agent { radius: diagonal_gap, ..Agent::default() }.needed_clearance(), 2);
    }
}
