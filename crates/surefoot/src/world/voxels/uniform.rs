//! Expands voxel worlds without redundant steps.

use crate::core::expand::{Arrival, ArrivalSteps, Expander, STEP_ARRIVALS};
use crate::cost::Cost;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::world::voxels::rules::StepCache;
use crate::world::voxels::step::{STEP_COSTS, STEPS};
use crate::world::voxels::view::VoxelView;

/// The steps of a [`VoxelView`] without those that its parent makes redundant (see [`rules`](super::rules)).
#[derive(Clone, Copy)]
pub(crate) struct UniformVoxels<'a> {
    view: VoxelView<'a>,
    cache: &'a StepCache,
}

impl<'a> UniformVoxels<'a> {
    /// With a cache that is ready for the agent's movement rule.
    pub fn new(view: VoxelView<'a>, cache: &'a StepCache) -> UniformVoxels<'a> {
        UniformVoxels { view, cache }
    }

    /// By arrival, the number of a node less that of its parent.
    pub fn arrival_steps_of(view: &VoxelView<'_>) -> ArrivalSteps {
        let mut steps = [0; STEP_ARRIVALS];
        steps[..STEPS].copy_from_slice(view.offsets());
        steps
    }
}

impl Expander for UniformVoxels<'_> {
    fn node_bound(&self) -> usize {
        Graph::node_bound(&self.view)
    }

    #[inline]
    fn arrival_steps(&self) -> Option<ArrivalSteps> {
        Some(UniformVoxels::arrival_steps_of(&self.view))
    }

    #[inline]
    fn expand(&self, node: NodeId, arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        let steps = self.cache.canonical(self.view.rule(), arrival, self.view.around(node));
        self.view.for_each_of(steps, node, |step, to| emit(to, STEP_COSTS[step], Arrival(step as u8)));
    }

    fn straight_before(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        Graph::straight_before(&self.view, at, next)
    }
}
