//! Cells near a goal from which a straight line to it is free.

use crate::cost::Cost;
use crate::field::goal::PlacedGoal;
use crate::graph::Sight;
use crate::id::NodeId;
use crate::world::grid::{GridView, UniformGrid};

/// How many columns and rows from a goal straight lines begin.
const REACH: i32 = 16;

/// With more goals than this, there are no straight lines.
const MOST_GOALS: usize = 16;

/// By cell, the goal in sight.
#[derive(Clone, Debug, Default)]
pub(super) struct Sights {
    /// One more than the place of the goal in the list, 0 if none is in sight.
    goals: Vec<u8>,
    /// The cells that have one.
    marked: Vec<NodeId>,
}

impl Sights {
    /// Forgets everything.
    pub fn clear(&mut self) {
        for node in self.marked.drain(..) {
            self.goals[node.index()] = 0;
        }
    }

    /// The place in the list of the goal to which a free line leads.
    #[inline]
    pub fn goal(&self, node: NodeId) -> Option<usize> {
        self.goals.get(node.index()).and_then(|&goal| usize::from(goal).checked_sub(1))
    }

    /// Whether a change of the cost of a node concerns lines.
    pub fn are_near(view: &GridView<'_>, goals: &[PlacedGoal], node: NodeId) -> bool {
        let cell = view.shape().cell(node);
        goals.len() <= MOST_GOALS
            && goals.iter().filter_map(|goal| goal.at).any(|at| {
                let goal = view.shape().cell(at);
                let reach = REACH + 1 + view.reach();
                (cell.x - goal.x).abs() <= reach && (cell.y - goal.y).abs() <= reach
            })
    }

    /// Finds all lines. They exist where all ground costs the same, and only where steps lead to the goal as cheaply as if there
    /// were nothing else on the map: where a link or another goal is better, they do not.
    pub fn find(&mut self, view: &GridView<'_>, goals: &[PlacedGoal], cost: impl Fn(NodeId) -> Option<Cost>) {
        self.clear();
        let (shape, grid) = (view.shape(), view.grid());
        let Some(terrain) = grid.uniform_terrain().filter(|_| goals.len() <= MOST_GOALS) else { return };
        if UniformGrid::fault(view).is_some() && grid.links().is_empty() {
            return;
        }
        self.goals.resize(shape.node_bound(), 0);
        let [straight, diagonal] = view.level_steps(terrain);
        let diagonal = if view.moves().has_diagonals() { diagonal } else { straight * 2 };
        for (place, goal) in goals.iter().enumerate() {
            let Some(at) = goal.at.filter(|&at| cost(at) == Some(goal.goal.cost)) else { continue };
            let middle = shape.cell(at);
            for (dx, dy) in (-REACH..=REACH).flat_map(|dy| (-REACH..=REACH).map(move |dx| (dx, dy))) {
                let cell = middle.offset(dx, dy);
                if !shape.contains(cell) {
                    continue;
                }
                let node = shape.node(cell);
                let (one, other) = (u64::from(dx.unsigned_abs()), u64::from(dy.unsigned_abs()));
                let units = goal.goal.cost + straight * one.abs_diff(other) + diagonal * one.min(other);
                if cost(node) == Some(units) && self.goals[node.index()] == 0 && view.sees(node, at) {
                    self.goals[node.index()] = place as u8 + 1;
                    self.marked.push(node);
                }
            }
        }
    }

    pub fn bytes(&self) -> usize {
        self.goals.capacity() + self.marked.capacity() * size_of::<NodeId>()
    }
}
