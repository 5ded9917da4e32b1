//! A voxel world crossed in jumps.
//!
//! A step that is followed by none but itself in the open (see [`Rule::single`](super::rules::Rule::single)) runs on in a line until something forces a turn:
//! a cell beside the line that is open where the one before it is solid. Whether there is one is asked of 56 cells at once,
//! for all rows around the line. Diagonals go a step at a time: each of their cells starts lines of its own, and a search that
//! is led well takes few of them.

use crate::cost::Cost;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::search::expand::{Arrival, Expander};
use crate::space::Voxel;
use crate::world::voxels::bits::{BitVolume, WINDOW};
use crate::world::voxels::rules::StepCache;
use crate::world::voxels::shape::Shape;
use crate::world::voxels::step::{STEP_COSTS, STEPS, Step, cost_along};
use crate::world::voxels::view::VoxelView;

/// How many cells of a line are looked at together, the first left out.
const AHEAD: u32 = WINDOW - 1;

/// A [`VoxelView`] crossed in jumps, with the goals of a query.
#[derive(Clone, Copy)]
pub(crate) struct JumpVoxels<'a> {
    view: VoxelView<'a>,
    cache: &'a StepCache,
    goals: &'a [NodeId],
    /// By axis: the cells with rows along it.
    lines: [Lines<'a>; 3],
    single: u32,
}

/// The cells with rows along one axis, and where the rows beside a row are.
#[derive(Clone, Copy)]
struct Lines<'a> {
    open: &'a BitVolume,
    beside: [i64; 8],
}

impl<'a> Lines<'a> {
    fn new(open: &'a BitVolume, shape: &Shape) -> Lines<'a> {
        let [_, row, layer] = shape.strides().map(i64::from);
        let beside = [-layer, layer, -row, row, -layer - row, -layer + row, layer - row, layer + row];
        Lines { open, beside }
    }

    /// How many cells ahead a line has to stop that runs up through the numbers; `None` if it ends at a wall. Nothing further than
    /// `limit` matters.
    #[inline]
    fn forward(&self, from: NodeId, limit: u32) -> Option<u32> {
        let (mut at, mut done) = (i64::from(from.0), 0);
        loop {
            let line = self.open.window(at);
            let mut turns = 0;
            for beside in self.beside {
                let row = self.open.window(at + beside);
                turns |= row & !(row << 1);
            }
            let events = (turns | !line) & (((1 << AHEAD) - 1) << 1);
            if events != 0 {
                let ahead = events.trailing_zeros();
                let open = line >> ahead & 1 == 1;
                return (open || done + ahead > limit).then_some(done + ahead);
            }
            (at, done) = (at + i64::from(AHEAD), done + AHEAD);
            if done >= limit {
                return Some(done);
            }
        }
    }

    /// The same for a line that runs down through the numbers.
    #[inline]
    fn backward(&self, from: NodeId, limit: u32) -> Option<u32> {
        let (mut at, mut done) = (i64::from(from.0) - i64::from(AHEAD), 0);
        loop {
            let line = self.open.window(at);
            let mut turns = 0;
            for beside in self.beside {
                let row = self.open.window(at + beside);
                turns |= row & !(row >> 1);
            }
            let events = (turns | !line) & ((1 << AHEAD) - 1);
            if events != 0 {
                let highest = 63 - events.leading_zeros();
                let ahead = AHEAD - highest;
                let open = line >> highest & 1 == 1;
                return (open || done + ahead > limit).then_some(done + ahead);
            }
            (at, done) = (at - i64::from(AHEAD), done + AHEAD);
            if done >= limit {
                return Some(done);
            }
        }
    }
}

impl<'a> JumpVoxels<'a> {
    /// With a cache that is ready for the agent's movement rule.
    pub fn new(view: VoxelView<'a>, cache: &'a StepCache, goals: &'a [NodeId]) -> JumpVoxels<'a> {
        let shape = view.shape();
        let [y, z] = view.layer().turned(shape);
        let lines = [
            Lines::new(view.open_cells(), shape),
            Lines::new(y.open(), y.shape()),
            Lines::new(z.open(), z.shape()),
        ];
        JumpVoxels { view, cache, goals, lines, single: view.rule().single() }
    }

    /// How far a line has to run from a cell, if there is anything on it: a place to turn, or a goal.
    #[inline]
    fn jump(&self, node: NodeId, voxel: Voxel, step: Step) -> Option<u32> {
        let delta = step.delta();
        let axis = delta.iter().position(|&delta| delta != 0)?;
        let ahead = delta[axis];
        let goal = self.goal_ahead(voxel, axis, ahead);
        let limit = goal.unwrap_or(u32::MAX);
        let start = match axis {
            0 => node,
            _ => self.view.layer().turned(self.view.shape())[axis - 1].node(voxel),
        };
        let lines = &self.lines[axis];
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
        let voxel = self.view.shape().voxel(node);
        self.view.for_each_of(steps & !self.single, node, |step, to| {
            emit(to, STEP_COSTS[step], Arrival(step as u8));
        });
        let mut lines = steps & self.single;
        while lines != 0 {
            let step = Step::of_number(lines.trailing_zeros() as u8);
            lines &= lines - 1;
            if let Some(cells) = self.jump(node, voxel, step) {
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
