//! A voxel world crossed in jumps.
//!
//! Straight lines run on until they have to stop (see [`lines`](super::lines)), 56 cells at a time; those that lead to nothing are
//! known beforehand. Diagonals advance one step at a time: each of their cells starts lines of its own, and a search with a good
//! heuristic expands few of them. Running along diagonals as well, as jump point search does on grids, visits whole volumes that a
//! good heuristic never leads to. Even where the heuristic leads along a diagonal it was slower, because paths that meet on a
//! diagonal are not detected.

use crate::core::expand::{Arrival, Expander};
use crate::cost::Cost;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::space::Voxel;
use crate::world::voxels::line_map::LineMap;
use crate::world::voxels::rules::StepCache;
use crate::world::voxels::step::{STEP_COSTS, STEPS, Step, cost_along};
use crate::world::voxels::view::VoxelView;

/// A [`VoxelView`] crossed in jumps, with the goals of a query.
#[derive(Clone, Copy)]
pub(crate) struct JumpVoxels<'a> {
    view: VoxelView<'a>,
    cache: &'a StepCache,
    goals: &'a [NodeId],
    lines: &'a LineMap,
    single: u32,
}

impl<'a> JumpVoxels<'a> {
    /// With a cache that is ready for the agent's movement rule.
    pub fn new(view: VoxelView<'a>, cache: &'a StepCache, goals: &'a [NodeId]) -> JumpVoxels<'a> {
        JumpVoxels {
            view,
            cache,
            goals,
            lines: view.layer().lines(view.shape()),
            single: view.rule().single(),
        }
    }

    /// The steps from a cell, as bits, that lead straight to a goal if nothing is in the way.
    #[inline]
    fn goals_ahead(&self, [x, y, z]: [i32; 3]) -> u32 {
        let step = |&goal: &NodeId| {
            let goal = self.view.shape().voxel(goal);
            let apart = [goal.x - x, goal.y - y, goal.z - z];
            let mut axes = (0..3).filter(|&axis| apart[axis] != 0);
            match (axes.next(), axes.next()) {
                (Some(axis), None) => Step::along(axis, apart[axis] < 0).bit(),
                _ => 0,
            }
        };
        self.goals.iter().map(step).fold(0, |all, step| all | step)
    }

    /// How far a line has to run from a cell: to a place to turn if it leads to one, or to a goal if one may be ahead.
    #[inline]
    fn jump(&self, voxel: Voxel, step: Step, leads: bool, goal: bool) -> Option<u32> {
        let delta = step.delta();
        let axis = delta.iter().position(|&delta| delta != 0)?;
        let ahead = delta[axis];
        let lines = self.lines.along(axis);
        let start = lines.node(voxel);
        let stop = leads.then(|| lines.stop(start, ahead));
        if !goal {
            return stop;
        }
        match self.goal_ahead(voxel, axis, ahead) {
            Some(goal) if stop.is_none_or(|stop| goal < stop) && lines.is_open(start, ahead, goal) => {
                Some(goal)
            }
            _ => stop,
        }
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
}

/// Calls `visit` for every cell of a jump, from the one after `from` to `to`.
pub(crate) fn for_each_cell_of_jump(
    view: &VoxelView<'_>,
    from: NodeId,
    to: NodeId,
    mut visit: impl FnMut(NodeId),
) {
    let (a, b) = (view.shape().voxel(from), view.shape().voxel(to));
    let delta = [b.x - a.x, b.y - a.y, b.z - a.z].map(i32::signum);
    let offset = view.shape().offset(delta);
    let mut at = from;
    while at != to {
        at = NodeId(at.0.wrapping_add_signed(offset));
        visit(at);
    }
}

impl Expander for JumpVoxels<'_> {
    fn node_bound(&self) -> usize {
        Graph::node_bound(&self.view)
    }

    #[inline]
    fn expand(&self, node: NodeId, arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        let steps = self.cache.canonical(self.view.rule(), arrival, self.view.around(node));
        let (leading, voxel) = (self.lines.leading(node), self.view.shape().voxel(node));
        let goals = self.goals_ahead([voxel.x, voxel.y, voxel.z]);
        self.view.for_each_of(steps & !self.single, node, |step, to| {
            emit(to, STEP_COSTS[step], Arrival(step as u8));
        });
        let mut lines = steps & self.single & (leading | goals);
        while lines != 0 {
            let step = Step::of_number(lines.trailing_zeros() as u8);
            lines &= lines - 1;
            let [leads, goal] = [leading, goals].map(|steps| steps & step.bit() != 0);
            if let Some(cells) = self.jump(voxel, step, leads, goal) {
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

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::agent::{Agent, VoxelMoves};
    use crate::core::expand::START;
    use crate::world::voxels::random_worlds;

    /// Returns the cost of the cheapest path.
    fn cost(expander: &impl Expander, start: NodeId, goal: NodeId) -> Option<Cost> {
        let (mut best, mut open) =
            (BTreeMap::from([(start, Cost::ZERO)]), BTreeSet::from([(Cost::ZERO, start, START.0)]));
        while let Some((g, node, arrival)) = open.pop_first() {
            if node == goal {
                return Some(g);
            }
            expander.expand(node, Arrival(arrival), |to, step, arrival| {
                if best.get(&to).is_none_or(|known| g + step < *known) {
                    best.insert(to, g + step);
                    open.insert((g + step, to, arrival.0));
                }
            });
        }
        None
    }

    proptest! {
        #[test]
        fn jumps_lose_nothing(
            voxels in random_worlds::small(),
            moves3 in prop::sample::select(VoxelMoves::ALL.to_vec()),
            ends: [u32; 2],
        ) {
            let view = voxels.view(&Agent::new().with_voxel_moves(moves3));
            let [start, goal] = ends.map(|number| random_worlds::pick(&voxels, number));
            prop_assume!(view.is_open(start) && view.is_open(goal));
            let mut cache = StepCache::default();
            cache.begin(moves3);
            let [start, goal] = [start, goal].map(|voxel| voxels.node(voxel).unwrap());
            let goals = [goal];
            let jumps = JumpVoxels::new(view, &cache, &goals);
            prop_assert_eq!(cost(&jumps, start, goal), cost(&view, start, goal));
        }
    }
}
