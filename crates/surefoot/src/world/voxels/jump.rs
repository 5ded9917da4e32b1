//! A voxel world crossed in jumps.
//!
//! Straight lines run on until they have to stop (see [`lines`](super::lines)), 56 cells at a time; those that lead to nothing are
//! known beforehand. Diagonals go a step at a time: each
//! of their cells starts lines of its own, and a search that is led well takes few of them. To run along diagonals as well, as jump
//! point search does on grids, looks at whole volumes that a good estimate never leads to; even where the estimate leads along one,
//! it was slower, since ways that meet on a diagonal are not noticed.
//!
//! In large worlds each line is a piece of memory that has to be fetched. There a line is run along only if the estimate leads along it;
//! else its first cell is left to the search, which may never come to it.

use crate::cost::Cost;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::search::estimate::{Blind, Estimate};
use crate::search::expand::{Arrival, Expander};
use crate::space::Voxel;
use crate::world::voxels::lines::Lines;
use crate::world::voxels::rules::StepCache;
use crate::world::voxels::step::{STEP_COSTS, STEPS, Step, cost_along};
use crate::world::voxels::view::VoxelView;

/// Worlds with more numbers than this are large: their bits do not fit the nearer caches.
const LARGE: usize = 1 << 23;

/// A [`VoxelView`] crossed in jumps, with the goals of a query and the estimate that leads it.
#[derive(Clone, Copy)]
pub(crate) struct JumpVoxels<'a, H> {
    view: VoxelView<'a>,
    cache: &'a StepCache,
    goals: &'a [NodeId],
    estimate: &'a H,
    is_large: bool,
    lines: &'a [Lines; 3],
    single: u32,
}

impl<'a> JumpVoxels<'a, Blind> {
    /// Without an estimate: every line is run along.
    pub fn eager(view: VoxelView<'a>, cache: &'a StepCache, goals: &'a [NodeId]) -> JumpVoxels<'a, Blind> {
        JumpVoxels { is_large: false, ..JumpVoxels::new(view, cache, goals, &Blind) }
    }
}

impl<'a, H: Estimate> JumpVoxels<'a, H> {
    /// With a cache that is ready for the agent's movement rule.
    pub fn new(
        view: VoxelView<'a>,
        cache: &'a StepCache,
        goals: &'a [NodeId],
        estimate: &'a H,
    ) -> JumpVoxels<'a, H> {
        let lines = view.layer().lines(view.shape());
        let is_large = view.shape().node_bound() > LARGE;
        JumpVoxels { view, cache, goals, estimate, is_large, lines, single: view.rule().single() }
    }

    /// Of some lines from a node, those that are worth running along at once.
    #[inline]
    fn promising(&self, node: NodeId, lines: u32) -> u32 {
        if !self.is_large || lines == 0 {
            return lines;
        }
        let whole = self.estimate.of(node);
        let mut promising = 0;
        self.view.for_each_of(lines, node, |step, next| {
            if self.estimate.of(next) + STEP_COSTS[step].units() <= whole {
                promising |= 1 << step;
            }
        });
        promising
    }

    /// How far a line has to run from a cell, if there is anything on it: a place to turn, or a goal.
    #[inline]
    fn jump(&self, voxel: Voxel, step: Step) -> Option<u32> {
        let delta = step.delta();
        let axis = delta.iter().position(|&delta| delta != 0)?;
        let ahead = delta[axis];
        let lines = &self.lines[axis];
        let start = lines.node(voxel);
        let stop = lines.stop(start, ahead);
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

impl<H: Estimate> Expander for JumpVoxels<'_, H> {
    fn node_bound(&self) -> usize {
        Graph::node_bound(&self.view)
    }

    #[inline]
    fn expand(&self, node: NodeId, arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        let steps = self.cache.canonical(self.view.rule(), arrival, self.view.around(node));
        let runs = self.promising(node, steps & self.single);
        self.view.for_each_of(steps & !runs, node, |step, to| {
            emit(to, STEP_COSTS[step], Arrival(step as u8));
        });
        let voxel = self.view.shape().voxel(node);
        let mut lines = runs;
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

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::agent::{Agent, Moves3};
    use crate::search::expand::START;
    use crate::world::voxels::{Voxels, random_worlds};

    /// As far as it is along the longest axis.
    struct Toward<'a>(&'a Voxels, Voxel);

    impl Estimate for Toward<'_> {
        fn of(&self, node: NodeId) -> u64 {
            let (Toward(_, goal), at) = (self, self.0.voxel(node));
            let apart = [at.x.abs_diff(goal.x), at.y.abs_diff(goal.y), at.z.abs_diff(goal.z)];
            u64::from(apart.into_iter().fold(0, u32::max)) * cost_along(1).units()
        }
    }

    /// What the cheapest way costs.
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
        fn jumps_lose_nothing_and_neither_do_lines_that_are_left_to_the_search(
            voxels in random_worlds::small(),
            moves3 in prop::sample::select(Moves3::ALL.to_vec()),
            ends: [u32; 2],
        ) {
            let view = voxels.view(&Agent { moves3, ..Agent::default() }).unwrap();
            let [start, goal] = ends.map(|number| random_worlds::pick(&voxels, number));
            prop_assume!(view.is_open(start) && view.is_open(goal));
            let (estimate, mut cache) = (Toward(&voxels, goal), StepCache::default());
            cache.begin(moves3);
            let [start, goal] = [start, goal].map(|voxel| voxels.node(voxel).unwrap());
            let goals = [goal];
            let eager = JumpVoxels::eager(view, &cache, &goals);
            let wary = JumpVoxels { is_large: true, ..JumpVoxels::new(view, &cache, &goals, &estimate) };
            let expected = cost(&view, start, goal);
            prop_assert_eq!([cost(&eager, start, goal), cost(&wary, start, goal)], [expected; 2]);
        }
    }
}
