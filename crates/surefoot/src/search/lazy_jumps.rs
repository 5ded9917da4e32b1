//! `Lazy Theta*` over the jumps of a voxel world.
//!
//! A cell in space has 26 neighbours, and `Theta*` looks at all of them. This search only looks at the steps and jumps of jump
//! point search: several times fewer nodes, and the places where a path has to turn are among them. The guarantees of `Theta*` do
//! not hold here: which steps are left out depends on how a node was reached by steps, while its cost depends on lines.

use crate::core::expand::{Arrival, Expander, START, Way};
use crate::core::record::{Memory, Record};
use crate::cost::Cost;
use crate::graph::{Graph, Sight};
use crate::id::NodeId;
use crate::search::any_angle::{NEAR, skip_parents};
use crate::world::voxels::{JumpVoxels, StepCache, VoxelView, cost_along};

/// Added to the number of the step by which a node was reached: the line from its parent has been looked at.
const SEEN: u8 = 32;

/// The jumps of a voxel world, shortened to lines.
pub(super) struct LazyJumps<'a> {
    view: VoxelView<'a>,
    jumps: JumpVoxels<'a>,
}

fn is_seen(arrival: Arrival) -> bool {
    arrival.0 & SEEN != 0
}

impl<'a> LazyJumps<'a> {
    /// With a cache that is ready for the agent's movement rule.
    pub fn new(view: VoxelView<'a>, cache: &'a StepCache, goals: &'a [NodeId]) -> LazyJumps<'a> {
        LazyJumps { view, jumps: JumpVoxels::new(view, cache, goals) }
    }
}

impl Expander for LazyJumps<'_> {
    const LOOKS_BACK: bool = true;

    fn node_bound(&self) -> usize {
        Graph::node_bound(&self.view)
    }

    #[inline]
    fn expand(&self, node: NodeId, arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        let step = if arrival == START { START } else { Arrival(arrival.0 & !SEEN) };
        self.jumps.expand(node, step, |to, cost, step| emit(to, cost, Arrival(step.0 | SEEN)));
    }

    #[inline]
    fn shorten(
        &self,
        next: NodeId,
        step: Way,
        behind: Option<(NodeId, u64)>,
        known: Option<(Record, NodeId)>,
    ) -> Way {
        let Some((parent, g)) = behind else { return step };
        let line = Way { g: g + self.view.line(parent, next).units(), parent, arrival: step.arrival };
        match known {
            Some((known, _)) if known.g <= line.g => line,
            Some((known, _)) if known.closed || is_seen(known.arrival) => {
                if self.view.sees(parent, next) {
                    line
                } else {
                    step
                }
            }
            _ => Way { arrival: Arrival(step.arrival.0 & !SEEN), ..line },
        }
    }

    #[inline]
    fn settle(&self, node: NodeId, way: Way, records: &impl Memory) -> Option<Way> {
        if is_seen(way.arrival) || self.view.sees(way.parent, node) {
            return skip_parents(&self.view, NEAR * cost_along(1).units(), node, way, records);
        }
        // The node from which this one was reached is behind it on a straight line of open cells; others on that line will do.
        let offset = self.view.offsets()[usize::from(way.arrival.0)];
        let mut parent = node;
        loop {
            parent = NodeId(parent.0.wrapping_add_signed(-offset));
            let known = records.of(parent).filter(|known| known.closed || is_seen(known.arrival));
            if let Some(known) = known {
                let g = known.g + self.view.line(parent, node).units();
                return Some(Way { g, parent, arrival: Arrival(way.arrival.0 | SEEN) });
            }
            if !self.view.is_open_node(parent) {
                return None;
            }
        }
    }

    fn straight_before(&self, _at: NodeId, _next: NodeId) -> Option<(NodeId, Cost)> {
        None
    }
}
