//! Where a field leads to.

use crate::cost::Cost;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::Grid;

/// A goal of a [`FlowField`](super::FlowField), and what it costs to end there: 0, unless some goals are better than others.
///
/// ```
/// use surefoot::field::{FlowField, Goal};
/// use surefoot::prelude::*;
/// let grid: Grid = ".....".parse().unwrap();
/// let [left, middle, right] = [0, 2, 4].map(|x| grid.node(Cell::new(x, 0)).unwrap());
/// let goals = [Goal::from(left), Goal { node: right, cost: Cost::ONE * 3 }]; // the right one is taken only from nearby
/// let field = FlowField::of(grid.view(&Agent::default()), &goals).unwrap();
/// assert_eq!(field.cost(right), Some(Cost::ONE * 3));
/// assert!(field.next(middle) < Some(middle));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The node.
    pub node: NodeId,
    /// The starting value: what is added to the cost of every path that ends here. At most [`Goal::MAX_COST`].
    pub cost: Cost,
}

impl Goal {
    /// The largest starting value.
    pub const MAX_COST: Cost = Cost::from_units(1 << 62);

    /// Creates a goal at a cell of a grid; `None` if the cell is outside.
    pub fn at(grid: &Grid, cell: Cell) -> Option<Goal> {
        grid.node(cell).map(Goal::from)
    }
}

impl From<NodeId> for Goal {
    fn from(node: NodeId) -> Goal {
        Goal { node, cost: Cost::ZERO }
    }
}

/// A goal, and where it was placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedGoal {
    /// The goal as it was given.
    pub goal: Goal,
    /// The node that the field leads to instead: the goal itself, or the nearest place where the agent can stand. `None` if there is no
    /// such place.
    pub at: Option<NodeId>,
}

impl PlacedGoal {
    /// Returns whether the agent cannot stand at the goal itself.
    pub fn is_moved(&self) -> bool {
        self.at != Some(self.goal.node)
    }
}
