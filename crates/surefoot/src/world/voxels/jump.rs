//! A voxel world crossed in jumps.
//!
//! Straight lines run on until they have to stop (see [`lines`](super::lines)), 56 cells at a time. Diagonals go a step at a time: each
//! of their cells starts lines of its own, and a search that is led well takes few of them. To run along diagonals as well, as jump
//! point search does on grids, looks at whole volumes that a good estimate never leads to; even where the estimate leads along one,
//! it was slower, since ways that meet on a diagonal are not noticed.

use crate::cost::Cost;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::search::expand::{Arrival, Expander};
use crate::space::Voxel;
use crate::world::voxels::lines::Lines;
use crate::world::voxels::rules::StepCache;
use crate::world::voxels::step::{STEP_COSTS, STEPS, Step, cost_along};
use crate::world::voxels::view::VoxelView;

/// A [`VoxelView`] crossed in jumps, with the goals of a query.
#[derive(Clone, Copy)]
pub(crate) struct JumpVoxels<'a> {
    view: VoxelView<'a>,
    cache: &'a StepCache,
    goals: &'a [NodeId],
    lines: &'a [Lines; 3],
    single: u32,
}

impl<'a> JumpVoxels<'a> {
    /// With a cache that is ready for the agent's movement rule.
    pub fn new(view: VoxelView<'a>, cache: &'a StepCache, goals: &'a [NodeId]) -> JumpVoxels<'a> {
        let lines = view.layer().lines(view.shape());
        JumpVoxels { view, cache, goals, lines, single: view.rule().single() }
    }

    /// How far a line has to run from a cell, if there is anything on it: a place to turn, or a goal.
    #[inline]
    fn jump(&self, voxel: Voxel, step: Step) -> Option<u32> {
        let delta = step.delta();
        let axis = delta.iter().position(|&delta| delta != 0)?;
        let ahead = delta[axis];
        let goal = self.goal_ahead(voxel, axis, ahead);
        let limit = goal.unwrap_or(u32::MAX);
        let lines = &self.lines[axis];
        let start = lines.node(voxel);
        let stop = if ahead > 0 { lines.forward(start, limit) } else { lines.backward(start, limit) };
        stop.map(|stop| stop.min(limit))
    }

    /// How far it is to the nearest goal on a line.
    #[inline]
    fn goal_ahead(&self, voxel: Voxel, axis: usize, ahead: i32) -> Option<u32> {
        let place = [voxel.x, voxel.y, voxel.z];
        let distance = |&goal: &NodeId| {
            let Voxel { x, y, z } = self.view.shape().voxel(goal);
            let goal = [x, y, z];
            let beside = (0..3).any(|other| other != axis && goal[other] != place[other]);
            let distance = (goal[axis] - place[axis]) * ahead;
            (!beside && distance > 0).then_some(distance as u32)
        };
        self.goals.iter().filter_map(distance).min()
    }

    /// Calls `visit` for every cell of a jump, from the one after `from` to `to`.
    pub fn for_each_cell(view: &VoxelView<'_>, from: NodeId, to: NodeId, mut visit: impl FnMut(NodeId)) {
        let (a, b) = (view.shape().voxel(from), view.shape().voxel(to));
        let delta = [b.x - a.x, b.y - a.y, b.z - a.z].map(i32::signum);
        let offset = view.shape().offset(delta);
        let mut at = from;
        while at != to {
            at = NodeId(at.0.wrapping_add_signed(offset));
            visit(at);
        }
    }
}

impl Expander for JumpVoxels<'_> {
    fn node_bound(&self) -> usize {
        Graph::node_bound(&self.view)
    }

    #[inline]
    fn expand(&self, node: NodeId, arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        let steps = self.cache.canonical(self.view.rule(), arrival, self.view.around(node));
        self.view.for_each_of(steps & !self.single, node, |step, to| {
            emit(to, STEP_COSTS[step], Arrival(step as u8));
        });
        let voxel = self.view.shape().voxel(node);
        let mut lines = steps & self.single;
        while lines != 0 {
            let step = Step::of_number(lines.trailing_zeros() as u8);
            lines &= lines - 1;
            if let Some(cells) = self.jump(voxel, step) {
                let offset = self.view.offsets()[usize::from(step.number()) % STEPS];
                let to = NodeId(node.0.wrapping_add_signed(offset * cells as i32));
                emit(to, cost_along(1) * u64::from(cells), Arrival(step.number()));
            }
        }
    }

    fn straight_before(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        Graph::straight_before(&self.view, at, next)
    }
}
