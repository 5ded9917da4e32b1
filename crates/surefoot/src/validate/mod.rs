//! Validates paths: checks whether a path is legal and costs what it claims. Validates plans for many agents. Judges flights: what a ball in flight touches. Judges crowds: how deep
//! circles are in walls and in each other.
//!
//! Movement rules, corners, clearances and step costs are computed from their definitions. No code is shared with the
//! searches and the data that they prepare, so a mistake there cannot hide itself here.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::validate::{self, Claim};
//! let grid: Grid = "..#.\n....".parse().unwrap();
//! let agent = Agent::default();
//! let [start, goal] = [(0, 0), (3, 0)].map(|(x, y)| grid.node(Cell::new(x, y)).unwrap());
//! let mut finder = Pathfinder::default();
//! let path = finder.find(grid.view(&agent), start, goal).unwrap();
//! let goals = [goal];
//! let claim = Claim::of(path, start, &goals);
//! assert_eq!(validate::grid_path(&grid, &agent, &claim), Ok(()));
//! assert!(validate::grid_path(&grid, &agent, &Claim { cost: 1.0, ..claim }).is_err());
//! ```

#[cfg(feature = "voxels")]
mod cells;
#[cfg(feature = "crowds")]
mod discs;
mod distance;
#[cfg(feature = "voxels")]
mod flight;
#[cfg(feature = "graphs")]
mod graph;
mod grid;
#[cfg(feature = "crowds")]
mod joint;
#[cfg(feature = "graphs")]
mod own;
#[cfg(feature = "voxels")]
mod voxels;

use thiserror::Error;

#[cfg(feature = "voxels")]
pub use cells::{CellContact, CellJudge};
#[cfg(feature = "crowds")]
pub use discs::{Disc, DiscOverlap, depth_in_wall, worst_overlap};
#[cfg(feature = "voxels")]
pub use flight::{Contact, FlightJudge, Hit, LOOKS_PER_TICK, Solid, distance_to};
#[cfg(feature = "graphs")]
pub use graph::graph_path;
pub use grid::grid_path;
#[cfg(feature = "crowds")]
pub use joint::{JointClaim, JointViolation, joint_plan};
#[cfg(feature = "graphs")]
pub use own::own_path;
#[cfg(feature = "voxels")]
pub use voxels::voxel_path;

use crate::agent::{Agent, VoxelMoves};
use crate::cost::Cost;
use crate::id::NodeId;
use crate::path::Path;
use crate::space::{Cell, Voxel};
pub use crate::world::any::Place;
use crate::world::any::View;

/// What a search claims to have found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim<'a> {
    /// The requested start of the path.
    pub start: NodeId,
    /// The requested goals: the path has to end at any of these.
    pub goals: &'a [NodeId],
    /// The path, including both endpoints.
    pub nodes: &'a [NodeId],
    /// Its cost in fixed-point units.
    pub units: Cost,
    /// Its exact cost in cells: from the metric as given, not as rounded to units.
    pub cost: f64,
    /// Its geometric length: on grids in cells, on waypoint graphs in world units. Links have no length.
    pub length: f64,
    /// Whether its steps are straight lines at any angle.
    pub any_angle: bool,
}

impl<'a> Claim<'a> {
    /// Creates the claim of a path, for a query from `start` to any of `goals`.
    pub fn of(path: &'a Path, start: NodeId, goals: &'a [NodeId]) -> Claim<'a> {
        let (units, cost, length) = (path.units(), path.cost(), path.length());
        let any_angle = path.is_any_angle();
        Claim { start, goals, nodes: path.nodes(), units, cost, length, any_angle }
    }
}

/// What is wrong with a path. Nodes count from 0; step `i` leads from node `i` of the path to node `i + 1`.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Violation {
    /// The path has no nodes, not even a start.
    #[error("the path is empty")]
    Empty,
    /// The path starts elsewhere.
    #[error("the path starts at {found}, not at {expected}")]
    WrongStart {
        /// Its first node.
        found: Place,
        /// The requested start.
        expected: Place,
    },
    /// The path does not end at any of the goals.
    #[error("the path ends at {found}, which is not a goal")]
    WrongEnd {
        /// Its last node.
        found: Place,
    },
    /// A number of the path is not a node of the world.
    #[error("node {index} of the path is outside the world: there is no node {}", node.0)]
    Outside {
        /// The index of the node in the path.
        index: usize,
        /// The node number.
        node: NodeId,
    },
    /// The path leads over a wall or into a solid cell.
    #[error("node {index} of the path is on the wall at {place}")]
    OnWall {
        /// The index of the node in the path.
        index: usize,
        /// Its cell.
        place: Place,
    },
    /// The agent is too wide for a cell.
    #[error("node {index} of the path, {place}, is {clearance} from a wall: the agent needs {needed}")]
    TooClose {
        /// The index of the node in the path.
        index: usize,
        /// Its cell.
        place: Place,
        /// The distance from the centre of the cell to the nearest wall.
        clearance: f64,
        /// The agent's radius.
        needed: f64,
    },
    /// A step leads to a cell that is not a neighbour, or stays where it is, and is not a link.
    #[error("step {step} from {},{} to {},{} leads neither to a neighbour nor along a link", from.x, from.y, to.x, to.y)]
    StepTooLong {
        /// The index of the step.
        step: usize,
        /// The cell it leaves.
        from: Cell,
        /// The cell it enters.
        to: Cell,
    },
    /// A diagonal step of an agent that may not move diagonally.
    #[error("step {step} from {},{} to {},{} is diagonal, expected straight steps only", from.x, from.y, to.x, to.y)]
    DiagonalNotAllowed {
        /// The index of the step.
        step: usize,
        /// The cell it leaves.
        from: Cell,
        /// The cell it enters.
        to: Cell,
    },
    /// A line over a cell where the agent cannot be.
    #[error("step {step} from {from} to {to} crosses {place}, where the agent cannot stand")]
    LineBlocked {
        /// The index of the step.
        step: usize,
        /// The cell it leaves.
        from: Place,
        /// The cell it enters.
        to: Place,
        /// The cell that is not open.
        place: Place,
    },
    /// A step or a line that comes closer to a solid cell than the agent's radius.
    #[error(
        "step {step} from {from} to {to} comes within {distance} of solid {solid}: the agent needs {needed}"
    )]
    LineTooClose {
        /// The index of the step.
        step: usize,
        /// The cell it leaves.
        from: Place,
        /// The cell it enters.
        to: Place,
        /// The solid cell that is nearest to it.
        solid: Place,
        /// The distance to that cell.
        distance: f64,
        /// The agent's radius.
        needed: f64,
    },
    /// A line over terrain with different costs: the cost of such a line is not defined.
    #[error("step {step} from {},{} to {},{} crosses terrain of another cost at {},{}", from.x, from.y, to.x, to.y, cell.x, cell.y)]
    LineUneven {
        /// The index of the step.
        step: usize,
        /// The cell it leaves.
        from: Cell,
        /// The cell it enters.
        to: Cell,
        /// The cell with another terrain.
        cell: Cell,
    },
    /// A diagonal step, or a line exactly through a corner, past a cell where the agent cannot be.
    #[error("step {step} from {from} to {to} cuts the corner at {corner}")]
    CornerCut {
        /// The index of the step.
        step: usize,
        /// The cell it leaves.
        from: Place,
        /// The cell it enters.
        to: Place,
        /// The cell that is not open.
        corner: Place,
    },
    /// A step in space that the agent's movement rule does not allow.
    #[error(
        "step {step} from {},{},{} to {},{},{} is not allowed by the movement rule {rule}",
        from.x, from.y, from.z, to.x, to.y, to.z
    )]
    NoSuchStep {
        /// The index of the step.
        step: usize,
        /// The cell it leaves.
        from: Voxel,
        /// The cell it enters.
        to: Voxel,
        /// The movement rule of the agent.
        rule: VoxelMoves,
    },
    /// No open edge connects these nodes in this direction.
    #[error("step {step}: no open edge leads from node {} to node {}", from.0, to.0)]
    NoSuchEdge {
        /// The index of the step.
        step: usize,
        /// The node it leaves.
        from: NodeId,
        /// The node it enters.
        to: NodeId,
    },
    /// The cost in units is wrong.
    #[error("the path costs {} units, not {}", found.units(), claimed.units())]
    WrongUnits {
        /// The claimed value.
        claimed: Cost,
        /// The total of the steps.
        found: Cost,
    },
    /// The cost in cells is wrong.
    #[error("the path costs {found} cells, not {claimed}")]
    WrongCost {
        /// The claimed value.
        claimed: f64,
        /// The total of the steps.
        found: f64,
    },
    /// The length is wrong.
    #[error("the path is {found} long, not {claimed}")]
    WrongLength {
        /// The claimed value.
        claimed: f64,
        /// The total of the steps.
        found: f64,
    },
}

/// Checks a path in a world of any kind: [`grid_path`], [`graph_path`], [`voxel_path`] or [`own_path`]. The view
/// determines the world; its prepared data is not used. On a waypoint graph the agent is ignored.
///
/// # Errors
/// Returns the first violation.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::validate::{self, Claim};
/// let (grid, agent) = (Grid::new(8, 8).unwrap(), Agent::default());
/// let view = grid.view(&agent);
/// let (start, goal) = (grid.node(Cell::new(0, 0)).unwrap(), grid.node(Cell::new(7, 5)).unwrap());
/// let mut finder = Pathfinder::default();
/// let path = finder.find(view, start, goal).unwrap();
/// assert_eq!(validate::world_path(view, &agent, &Claim::of(path, start, &[goal])), Ok(()));
/// ```
pub fn world_path<'a>(view: impl Into<View<'a>>, agent: &Agent, claim: &Claim) -> Result<(), Violation> {
    match view.into() {
        View::Grid(view) => grid_path(view.grid(), agent, claim),
        #[cfg(feature = "graphs")]
        View::Graph(graph) => graph_path(graph, claim),
        #[cfg(feature = "voxels")]
        View::Voxels(view) => voxel_path(view.voxels(), agent, claim),
        #[cfg(feature = "graphs")]
        View::Own(view) => own_path(&view, claim),
    }
}

/// The totals of the steps of a path.
struct Sums {
    units: Cost,
    cost: f64,
    length: f64,
}

impl Claim<'_> {
    /// Checks the two endpoints; `place` names a node for the report.
    fn check_ends(&self, place: impl Fn(NodeId) -> Place) -> Result<(), Violation> {
        let (Some(&first), Some(&last)) = (self.nodes.first(), self.nodes.last()) else {
            return Err(Violation::Empty);
        };
        if first != self.start {
            return Err(Violation::WrongStart { found: place(first), expected: place(self.start) });
        }
        if !self.goals.contains(&last) {
            return Err(Violation::WrongEnd { found: place(last) });
        }
        Ok(())
    }

    fn check_sums(&self, sums: &Sums) -> Result<(), Violation> {
        if self.units != sums.units {
            return Err(Violation::WrongUnits { claimed: self.units, found: sums.units });
        }
        if !agree(self.cost, sums.cost) {
            return Err(Violation::WrongCost { claimed: self.cost, found: sums.cost });
        }
        if !agree(self.length, sums.length) {
            return Err(Violation::WrongLength { claimed: self.length, found: sums.length });
        }
        Ok(())
    }
}

/// Returns the least integer that is not below `unit * sqrt(squares)`.
fn line_units(unit: u64, squares: u64) -> Cost {
    let area = u128::from(unit) * u128::from(unit) * u128::from(squares);
    Cost::from_units((area.isqrt() + u128::from(area.isqrt().pow(2) < area)) as u64)
}

#[cfg(test)]
impl Violation {
    /// Returns whether the steps themselves were found to be legal.
    fn is_about_sums(&self) -> bool {
        use Violation::{WrongCost, WrongLength, WrongUnits};
        matches!(self, WrongUnits { .. } | WrongCost { .. } | WrongLength { .. })
    }
}

/// Returns whether two sums of the same numbers are equal, up to the order of adding them.
fn agree(claimed: f64, found: f64) -> bool {
    (claimed - found).abs() <= 1e-9 * found
}
