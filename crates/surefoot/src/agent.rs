//! Agents: movement rules, size and step costs.
//!
//! An [`Agent`] defines which steps are allowed ([`Moves`], [`VoxelMoves`]), how wide the agent is, what steps cost ([`Metric`]), and what
//! terrain costs ([`TerrainRule`]). A world seen by an agent is a [view](crate::world::grid::Grid::view): the same map serves agents of every
//! size.
//!
//! ```
//! use surefoot::prelude::*;
//! let grid: Grid = "
//!     .......
//!     ...#...
//!     .......".parse().unwrap();
//! let ogre = Agent::new().with_moves(Moves::Four).with_radius(1.0).unwrap();
//! let (from, to) = (Cell::new(1, 1), Cell::new(5, 1));
//! let mut finder = Pathfinder::default();
//! assert!(finder.find(grid.view(&Agent::default()), from, to).is_ok());
//! assert_eq!(finder.find(grid.view(&ogre), from, to), Err(Why::TooNarrow));
//! ```

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
    /// [`Moves::Eight`] instead, because a body with an extent cannot pass a corner at distance 0.
    EightOne,
    /// `8-free`: diagonal steps are always allowed, even between two walls. An agent with a radius above 0 follows
    /// [`Moves::Eight`] instead.
    EightFree,
}

named! {
    Moves, UnknownMoves, "movement rule":
    Four => "4", "4-way: straight steps only";
    Eight => "8", "8-way, no corner cutting: a diagonal step needs both straight neighbours open";
    EightOne => "8-one", "8-way, may cut corners: a diagonal step needs one straight neighbour open";
    EightFree => "8-free", "8-way, may pass between two corners: diagonal steps are always allowed";
}

impl Moves {
    /// The rule that an agent with this rule follows: round agents do not cut corners.
    pub(crate) const fn for_body(self, is_round: bool) -> Moves {
        match self {
            Moves::EightOne | Moves::EightFree if is_round => Moves::Eight,
            rule => rule,
        }
    }

    /// Returns whether the rule allows diagonal steps at all.
    pub const fn has_diagonals(self) -> bool {
        !matches!(self, Moves::Four)
    }
}

/// Which of the 26 steps a voxel world allows. A diagonal step needs every cell of the box that it spans to be open.
///
/// ```
/// use surefoot::agent::VoxelMoves;
/// assert_eq!("18".parse(), Ok(VoxelMoves::Eighteen));
/// assert_eq!(VoxelMoves::default().to_string(), "26");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum VoxelMoves {
    /// `6`: straight steps only.
    Six,
    /// `18`: also steps along the diagonals of a square.
    Eighteen,
    /// `26`: also steps along the diagonals of a cube. The default, and what the benchmarks use.
    #[default]
    TwentySix,
}

named! {
    VoxelMoves, UnknownVoxelMoves, "movement rule":
    Six => "6", "6-way: straight steps only";
    Eighteen => "18", "18-way, no corner cutting: adds the diagonals of squares whose four cells are open";
    TwentySix => "26", "26-way, no corner cutting: adds the diagonals of squares and cubes whose cells are all open";
}

/// The costs of a straight and of a diagonal step over plain floor.
///
/// ```
/// use surefoot::agent::Metric;
/// let tiles = Metric::new(10.0, 14.0).unwrap();
/// assert_eq!(tiles.diagonal_cells(), 14.0);
/// assert!(Metric::new(0.0, 1.0).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(try_from = "MetricForm"))]
pub struct Metric {
    straight: f64,
    diagonal: f64,
}

impl Metric {
    /// The largest straight or diagonal cost. Multiplied by terrain 255, it still fits an edge.
    pub const MAX: f64 = 500.0;
    /// The smallest straight or diagonal cost: one hundredth of a cell.
    pub const MIN: f64 = 0.01;

    /// The costs 1 and `sqrt 2`: geometric lengths, and the metric of the benchmarks.
    pub const EUCLIDEAN: Metric = Metric { straight: 1.0, diagonal: std::f64::consts::SQRT_2 };

    /// Creates a metric. Returns `None` if one of the two costs is outside [`Metric::MIN`] to [`Metric::MAX`] or if the diagonal
    /// is cheaper than the straight step.
    pub fn new(straight: f64, diagonal: f64) -> Option<Metric> {
        let fits = |cost: f64| (Metric::MIN..=Metric::MAX).contains(&cost);
        (fits(straight) && fits(diagonal) && diagonal >= straight).then_some(Metric { straight, diagonal })
    }

    /// Returns the cost of a straight step as it was given.
    pub fn straight_cells(&self) -> f64 {
        self.straight
    }

    /// Returns the cost of a diagonal step as it was given.
    pub fn diagonal_cells(&self) -> f64 {
        self.diagonal
    }

    /// Returns the cost of a straight step in units. It is always even.
    pub fn straight(&self) -> Cost {
        even_units(self.straight)
    }

    /// Returns the cost of a diagonal step in units. It is always even.
    pub fn diagonal(&self) -> Cost {
        even_units(self.diagonal)
    }
}

/// A metric as it is read, before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "Metric", deny_unknown_fields)]
struct MetricForm {
    straight: f64,
    diagonal: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<MetricForm> for Metric {
    type Error = String;

    fn try_from(MetricForm { straight, diagonal }: MetricForm) -> Result<Metric, String> {
        Metric::new(straight, diagonal).ok_or_else(|| {
            format!(
                "found steps of {straight:?} and {diagonal:?}, expected {} to {}, the diagonal not below the straight step",
                Metric::MIN,
                Metric::MAX
            )
        })
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
#[non_exhaustive]
pub enum TerrainRule {
    /// The step's length times the mean of the two cells' costs. It is the same in both directions.
    #[default]
    Mean,
    /// The step's length times the cost of the entered cell.
    Enter,
    /// The step's length plus a constant: one straight step for each unit by which the cost of the entered cell exceeds 1.
    Add,
}

named! {
    TerrainRule, UnknownTerrainRule, "terrain rule":
    Mean => "mean", "step length times the mean cost of the two cells";
    Enter => "enter", "step length times the cost of the cell entered";
    Add => "add", "step length plus a constant for the cell entered";
}

/// How a unit moves: which steps it may take, how wide it is, and what steps cost.
///
/// Each agent has its own graph of the same map. An agent is valid by construction, so every agent can
/// [view](crate::world::grid::Grid::view) every world.
///
/// ```
/// use surefoot::agent::{Agent, Moves};
/// let ogre = Agent::new().with_moves(Moves::Four).with_radius(1.2)?;
/// assert_eq!((ogre.moves(), ogre.radius()), (Moves::Four, 1.2));
/// assert!(Agent::new().with_radius(f64::NAN).is_err());
/// # Ok::<(), surefoot::agent::InvalidRadius>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(try_from = "AgentForm"))]
pub struct Agent {
    moves: Moves,
    voxel_moves: VoxelMoves,
    radius: f64,
    metric: Metric,
    terrain_rule: TerrainRule,
}

impl Agent {
    /// The largest radius, in cells.
    pub const MAX_RADIUS: f64 = 1024.0;

    /// An agent without extent that moves in all eight directions (26 in voxel worlds) and never cuts corners. The default.
    pub const EIGHT_WAY: Agent = Agent::new();

    /// An agent without extent that moves in the four straight directions (six in voxel worlds).
    pub const FOUR_WAY: Agent = Agent::new().with_moves(Moves::Four).with_voxel_moves(VoxelMoves::Six);

    /// Creates the default agent: radius 0, 8-way and 26-way moves without corner cutting, and steps that cost their length.
    pub const fn new() -> Agent {
        Agent {
            moves: Moves::Eight,
            voxel_moves: VoxelMoves::TwentySix,
            radius: 0.0,
            metric: Metric::EUCLIDEAN,
            terrain_rule: TerrainRule::Mean,
        }
    }

    /// Sets which steps are allowed on grids.
    #[must_use]
    pub const fn with_moves(mut self, moves: Moves) -> Agent {
        self.moves = moves;
        self
    }

    /// Sets which steps are allowed in voxel worlds.
    #[must_use]
    pub const fn with_voxel_moves(mut self, moves: VoxelMoves) -> Agent {
        self.voxel_moves = moves;
        self
    }

    /// Sets half the agent's width, in cells. Rejects a radius that is negative, not a number or above [`Agent::MAX_RADIUS`].
    ///
    /// The agent can only stand where the nearest wall is at least this far from the centre of the cell. Up to 0.5, that is every
    /// open cell. The agent keeps the same distance between cells: with a radius above 0, no step and no straight line comes
    /// closer to a wall than the radius, and diagonal steps never cut corners.
    pub const fn with_radius(mut self, radius: f64) -> Result<Agent, InvalidRadius> {
        if radius >= 0.0 && radius <= Agent::MAX_RADIUS {
            self.radius = radius;
            Ok(self)
        } else {
            Err(InvalidRadius(radius))
        }
    }

    /// Sets what steps cost on grids. In voxel worlds, steps cost their length.
    #[must_use]
    pub const fn with_metric(mut self, metric: Metric) -> Agent {
        self.metric = metric;
        self
    }

    /// Sets how terrain changes the cost of a step.
    #[must_use]
    pub const fn with_terrain_rule(mut self, rule: TerrainRule) -> Agent {
        self.terrain_rule = rule;
        self
    }

    /// Returns which steps are allowed on grids.
    pub const fn moves(&self) -> Moves {
        self.moves
    }

    /// Returns which steps are allowed in voxel worlds.
    pub const fn voxel_moves(&self) -> VoxelMoves {
        self.voxel_moves
    }

    /// Returns half the agent's width, in cells: from 0 to [`Agent::MAX_RADIUS`].
    pub const fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns what steps cost on grids.
    pub const fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns how terrain changes the cost of a step.
    pub const fn terrain_rule(&self) -> TerrainRule {
        self.terrain_rule
    }

    /// Returns whether the agent has an extent: a radius above 0.
    pub(crate) fn is_round(&self) -> bool {
        self.radius > 0.0
    }

    /// The smallest clearance at which the agent can stand, as the square of twice the distance: an integer, because
    /// distances from a cell's middle to a wall's square are sums of squared half cells.
    pub(crate) fn needed_clearance(&self) -> u32 {
        let radius = self.radius;
        let mut doubled_square = ((4.0 * radius * radius) as u32).saturating_sub(1).max(1);
        // Decided by the very comparison that users make: distance >= radius.
        while f64::from(doubled_square).sqrt() / 2.0 < radius {
            doubled_square += 1;
        }
        doubled_square
    }
}

/// An agent as it is read, before it is checked. What is left out is as in the default agent.
#[cfg(feature = "serde")]
#[derive(Default, serde::Deserialize)]
#[serde(rename = "Agent", default, deny_unknown_fields)]
struct AgentForm {
    moves: Moves,
    voxel_moves: VoxelMoves,
    radius: f64,
    metric: Metric,
    terrain_rule: TerrainRule,
}

#[cfg(feature = "serde")]
impl TryFrom<AgentForm> for Agent {
    type Error = InvalidRadius;

    fn try_from(form: AgentForm) -> Result<Agent, InvalidRadius> {
        let AgentForm { moves, voxel_moves, radius, metric, terrain_rule } = form;
        Agent { moves, voxel_moves, radius: 0.0, metric, terrain_rule }.with_radius(radius)
    }
}

/// The error for a radius that is negative, not a number, or above [`Agent::MAX_RADIUS`].
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("radius {0} is not between 0 and {max} cells", max = Agent::MAX_RADIUS)]
pub struct InvalidRadius(pub f64);

impl Heuristic {
    /// Returns the metric whose steps cost what this heuristic estimates. Returns `None` for zero and for custom weights that are
    /// not a valid metric.
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
            assert_eq!(Agent::new().with_radius(radius).unwrap().needed_clearance(), 1);
        }
        assert_eq!(Agent::new().with_radius(0.51).unwrap().needed_clearance(), 2);
        let diagonal_gap = std::f64::consts::FRAC_1_SQRT_2;
        assert_eq!(Agent::new().with_radius(diagonal_gap).unwrap().needed_clearance(), 2);
    }
}
