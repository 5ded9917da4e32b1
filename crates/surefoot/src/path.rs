//! Paths: their nodes in order, their cost and their length.
//!
//! A search fills in a [`Path`]: the nodes from the start to the goal, and what they add up to. The nodes become cells, or points for a
//! [`Follower`](crate::follow::Follower).
//!
//! ```
//! use surefoot::prelude::*;
//! let grid: Grid = "
//!     .#.
//!     ...".parse().unwrap();
//! let view = grid.view(&Agent::default());
//! let mut finder = Pathfinder::default();
//! let path = finder.find(view, Cell::new(0, 0), Cell::new(2, 0)).unwrap();
//! assert_eq!((path.steps(), path.cost(), path.length()), (4, 4.0, 4.0));
//! assert_eq!(path.cells(&grid).nth(1), Some(Cell::new(0, 1)));
//! assert_eq!(path.corners(view).len(), 4, "both ends, and two turns");
//! ```

use crate::cost::Cost;
use crate::graph::Located;
use crate::id::NodeId;
use crate::space::{Cell, Point, Voxel};
use crate::world::any::{View, on_world};
use crate::world::grid::Grid;
use crate::world::space::{Measure, SearchSpace};
#[cfg(feature = "voxels")]
use crate::world::voxels::Voxels;

/// A path through a world, from the start to the end, both included.
///
/// ```
/// use surefoot::prelude::*;
/// let grid: Grid = "
///     ...
///     .#.".parse().unwrap();
/// let view = grid.view(&Agent::default());
/// let mut finder = Pathfinder::default();
/// let path = finder.find(&view, Cell::new(0, 1), Cell::new(2, 1)).unwrap();
/// let cells: Vec<Cell> = path.cells(&grid).collect();
/// assert_eq!(cells, [(0, 1), (0, 0), (1, 0), (2, 0), (2, 1)].map(|(x, y)| Cell::new(x, y)));
/// assert_eq!((path.steps(), path.cost()), (4, 4.0));
/// assert_eq!(path.corners(&view).len(), 4);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(try_from = "PathForm"))]
pub struct Path {
    nodes: Vec<NodeId>,
    units: Cost,
    cost: f64,
    length: f64,
    jumps: Vec<usize>,
    any_angle: bool,
}

impl Path {
    /// Returns the nodes in order.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// Returns the cost in fixed-point units, which is what searches compare.
    pub fn units(&self) -> Cost {
        self.units
    }

    /// Returns the cost in cells, computed from the steps without rounding: straight and diagonal steps are counted, then
    /// multiplied once by the agent's metric. A line at any angle costs its length times the cost of a straight step.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// Returns the length: 1 per straight step and `sqrt 2` per diagonal step (on graphs, the length of the roads). Links add
    /// nothing.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Returns the indices of the steps that go through links: step `i` leads from node `i` to node `i + 1`. A
    /// [`Follower`](crate::follow::Follower) takes them as jumps.
    pub fn jumps(&self) -> &[usize] {
        &self.jumps
    }

    /// Returns whether the steps are straight lines at any angle, from one turn to the next, across any cells in between. If not,
    /// each step leads to a neighbour or through a link.
    pub fn is_any_angle(&self) -> bool {
        self.any_angle
    }

    /// Returns the number of steps.
    pub fn steps(&self) -> usize {
        self.nodes.len().saturating_sub(1)
    }

    /// Returns whether there is no path.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the cells in order, for a path on a grid.
    pub fn cells<'a>(
        &'a self,
        grid: &'a Grid,
    ) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator + 'a {
        self.nodes.iter().map(|&node| grid.cell(node))
    }

    /// Returns the cells in order, for a path in a voxel world.
    #[cfg(feature = "voxels")]
    pub fn voxels<'a>(
        &'a self,
        voxels: &'a Voxels,
    ) -> impl DoubleEndedIterator<Item = Voxel> + ExactSizeIterator + 'a {
        self.nodes.iter().map(|&node| voxels.voxel(node))
    }

    /// Returns the start, the nodes where the path turns, both endpoints of every link that it takes, and the end. Between two
    /// consecutive corners, the path is a straight line or a link.
    pub fn corners<'a>(&self, view: impl Into<View<'a>>) -> Vec<NodeId> {
        let view = view.into();
        let is_jump = |step: usize| self.jumps.binary_search(&step).is_ok();
        let goes_straight =
            |nodes: [NodeId; 3]| on_world!(&view, space => SearchSpace::goes_straight(space, nodes));
        let kept = |index: usize| {
            let around = index.checked_sub(1).zip(self.nodes.get(index + 1));
            around.is_none_or(|(before, &after)| {
                is_jump(before)
                    || is_jump(index)
                    || !goes_straight([self.nodes[before], self.nodes[index], after])
            })
        };
        (0..self.nodes.len()).filter(|&index| kept(index)).map(|index| self.nodes[index]).collect()
    }

    /// Returns the positions of the nodes in world coordinates.
    pub fn points<'a>(&self, view: impl Into<View<'a>>) -> Vec<Point> {
        let view = view.into();
        self.nodes.iter().map(|&node| view.position(node)).collect()
    }

    /// Forgets the path, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.jumps.clear();
        (self.units, self.cost, self.length) = (Cost::ZERO, 0.0, 0.0);
        self.any_angle = false;
    }

    /// Becomes a copy of another path, in the memory that it has.
    pub(crate) fn copy_from(&mut self, other: &Path) {
        self.nodes.clone_from(&other.nodes);
        self.jumps.clone_from(&other.jumps);
        (self.units, self.cost, self.length) = (other.units, other.cost, other.length);
        self.any_angle = other.any_angle;
    }

    /// Lets `write` fill in the nodes, then measures them.
    pub(crate) fn rewrite(&mut self, view: &View<'_>, write: impl FnOnce(&mut Vec<NodeId>)) {
        self.clear();
        write(&mut self.nodes);
        self.measure(view);
    }

    /// The same for nodes with straight lines between them.
    pub(crate) fn rewrite_lines(&mut self, view: &View<'_>, write: impl FnOnce(&mut Vec<NodeId>)) {
        self.clear();
        self.any_angle = true;
        write(&mut self.nodes);
        self.measure(view);
    }

    /// Leaves out the nodes before one, by its place.
    pub(crate) fn cut_before(&mut self, view: &View<'_>, first: usize) {
        self.nodes.drain(..first);
        self.measure(view);
    }

    /// Measures the same nodes in a world that has changed.
    pub(crate) fn measure_again(&mut self, view: &View<'_>) {
        self.measure(view);
    }

    fn measure(&mut self, view: &View<'_>) {
        self.jumps.clear();
        let sum = on_world!(view, space => space.measure(&self.nodes, self.any_angle, &mut self.jumps));
        Measure { units: self.units, cost: self.cost, length: self.length } = sum;
    }
}

/// A path as it is read, before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "Path", deny_unknown_fields)]
struct PathForm {
    nodes: Vec<NodeId>,
    units: Cost,
    cost: f64,
    length: f64,
    jumps: Vec<usize>,
    any_angle: bool,
}

/// Checks everything that does not need the world.
#[cfg(feature = "serde")]
impl TryFrom<PathForm> for Path {
    type Error = String;

    fn try_from(form: PathForm) -> Result<Path, String> {
        let PathForm { nodes, units, cost, length, jumps, any_angle } = form;
        if let Some(index) = nodes.iter().position(|&node| node == NodeId::NONE) {
            return Err(format!("nodes[{index}]: found no node, expected one"));
        }
        for (name, number) in [("cost", cost), ("length", length)] {
            if !number.is_finite() || number.is_sign_negative() {
                return Err(format!("`{name}`: found {number:?}, expected a finite number from 0"));
            }
        }
        let path = Path { nodes, units, cost, length, jumps, any_angle };
        if path.steps() == 0 && (units != Cost::ZERO || cost > 0.0 || length > 0.0) {
            return Err(format!(
                "found a cost of {cost:?} and a length of {length:?} without a step, expected 0"
            ));
        }
        let in_order = path.jumps.is_sorted_by(|a, b| a < b);
        if !in_order || path.jumps.last().is_some_and(|&last| last >= path.steps()) {
            return Err(format!(
                "found the jumps {:?}, expected rising numbers below {}",
                path.jumps,
                path.steps()
            ));
        }
        Ok(path)
    }
}
