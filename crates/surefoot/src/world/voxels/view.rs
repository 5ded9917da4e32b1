//! A voxel world seen by an agent: a graph.

use std::fmt;

use crate::agent::{Agent, VoxelMoves};
use crate::cost::{Cost, Scale};
use crate::graph::{Graph, Located, ReverseGraph};
use crate::id::NodeId;
use crate::space::{Point, Voxel};
use crate::world::layers::Layer as _;
use crate::world::voxels::Voxels;
use crate::world::voxels::components::Components;
use crate::world::voxels::layer::Layer;
use crate::world::voxels::rules::Rule;
use crate::world::voxels::shape::Shape;
use crate::world::voxels::step::{STEP_COSTS, STEPS, Step};

/// The properties of an agent that decide which paths it can take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Policy {
    moves: VoxelMoves,
    needed_clearance: u32,
    /// Whether the radius is above 0: then lines keep away from solid cells.
    is_round: bool,
}

impl Policy {
    pub fn of(agent: &Agent) -> Policy {
        let (needed_clearance, is_round) = (agent.needed_clearance(), agent.is_round());
        Policy { moves: agent.voxel_moves(), needed_clearance, is_round }
    }

    /// Returns the world as an agent with these properties sees it.
    pub fn view(self, voxels: &Voxels) -> VoxelView<'_> {
        VoxelView::new(voxels, voxels.layers.needing(&voxels.shape, self.needed_clearance), self)
    }
}

/// A voxel world as a graph for one agent. It holds borrowed data and a policy and is cheap to copy.
///
/// ```
/// use surefoot::graph::Graph;
/// use surefoot::prelude::*;
/// let cube = Voxels::new(3, 3, 3).unwrap();
/// let view = cube.view(&Agent::default());
/// let mut steps = 0;
/// view.for_each_edge(cube.node(Voxel::new(1, 1, 1)).unwrap(), |_, _| steps += 1);
/// assert_eq!(steps, 26);
/// ```
#[derive(Clone, Copy)]
pub struct VoxelView<'a> {
    voxels: &'a Voxels,
    layer: &'a Layer,
    rule: &'static Rule,
    policy: Policy,
    /// By step: what to add to a number.
    offsets: [i32; STEPS],
}

impl fmt::Debug for VoxelView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VoxelView")
            .field("size", &self.voxels.size())
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

impl<'a> VoxelView<'a> {
    fn new(voxels: &'a Voxels, layer: &'a Layer, policy: Policy) -> VoxelView<'a> {
        let offsets = Step::ALL.map(|step| voxels.shape.offset(step.delta()));
        VoxelView { voxels, layer, rule: Rule::of(policy.moves), policy, offsets }
    }

    /// Returns the world behind the view.
    pub fn voxels(&self) -> &'a Voxels {
        self.voxels
    }

    /// Returns the agent's movement rule.
    pub fn moves(&self) -> VoxelMoves {
        self.policy.moves
    }

    /// Returns whether the agent's radius is above 0.
    pub fn is_round(&self) -> bool {
        self.policy.is_round
    }

    /// Returns whether the agent can be in a cell.
    pub fn is_open(&self, voxel: Voxel) -> bool {
        self.layer.open().contains(&self.voxels.shape, voxel)
    }

    /// Returns whether the agent can be in the cell of a node.
    #[inline]
    pub fn is_open_node(&self, node: NodeId) -> bool {
        self.layer.open().has(node)
    }

    /// Returns the scale of costs. Voxel worlds use finer units than grids.
    pub fn scale(&self) -> Scale {
        Scale::VOXELS
    }

    pub(crate) fn policy(&self) -> Policy {
        self.policy
    }

    /// The same view for an agent without a radius, which fits everywhere.
    pub(crate) fn of_smallest_agent(&self) -> VoxelView<'a> {
        let layer = self.voxels.base();
        let needed_clearance = layer.needed_clearance();
        VoxelView { layer, policy: Policy { needed_clearance, is_round: false, ..self.policy }, ..*self }
    }

    /// Returns the connected components, if they are known or quick to compute.
    pub(crate) fn components(&self) -> Option<&'a Components> {
        self.layer.components(&self.voxels.shape)
    }

    /// Returns the connected components, even if that takes as long as visiting every cell.
    pub(crate) fn components_at_any_price(&self) -> &'a Components {
        self.layer.components_at_any_price(&self.voxels.shape)
    }

    /// Whether the agent fits wherever any agent does.
    pub(crate) fn fits_everywhere(&self) -> bool {
        self.layer.needed_clearance() == self.voxels.base().needed_clearance()
    }

    pub(crate) fn shape(&self) -> &'a Shape {
        &self.voxels.shape
    }

    pub(crate) fn layer(&self) -> &'a Layer {
        self.layer
    }

    pub(crate) fn rule(&self) -> &'static Rule {
        self.rule
    }

    pub(crate) fn offsets(&self) -> &[i32; STEPS] {
        &self.offsets
    }

    /// Which cells around a cell are open to the agent.
    #[inline]
    pub(crate) fn around(&self, node: NodeId) -> u32 {
        self.layer.open().around(&self.voxels.shape, node)
    }

    /// The legal steps at a node.
    #[inline]
    pub(crate) fn legal_steps(&self, node: NodeId) -> u32 {
        self.rule.legal(self.around(node))
    }

    /// Some steps at a node as `(number of the step, neighbour)`.
    #[inline]
    pub(crate) fn for_each_of(&self, mut steps: u32, node: NodeId, mut visit: impl FnMut(usize, NodeId)) {
        while steps != 0 {
            let step = steps.trailing_zeros() as usize % STEPS;
            steps &= steps - 1;
            visit(step, NodeId(node.0.wrapping_add_signed(self.offsets[step])));
        }
    }

    /// How far from a cell that fills up or opens cells may open or close for the agent, along each axis.
    pub(crate) fn reach(&self) -> i32 {
        (self.layer.needed_clearance().saturating_sub(1).isqrt() as i32 + 1) / 2
    }

    /// Calls `visit` for every cell whose steps may change when a cell fills up or opens, in the order of their numbers.
    pub(crate) fn nodes_near(&self, node: NodeId, mut visit: impl FnMut(NodeId)) {
        // With where the agent can be, the steps from the cells beside change.
        let reach = self.reach() + 1;
        let Voxel { x, y, z } = self.voxels.voxel(node);
        let [width, height, depth] = self.voxels.size().map(|side| side as i32);
        let near = |at: i32, end: i32| (at - reach).max(0)..(at + reach + 1).min(end);
        for (z, y) in near(z, depth).flat_map(|z| near(y, height).map(move |y| (z, y))) {
            let first = self.voxels.shape.node(Voxel { x: 0, y, z }).0;
            near(x, width).for_each(|x| visit(NodeId(first + x as u32)));
        }
    }

    /// What the step from one node to another costs, if there is a legal one.
    pub(crate) fn step_between(&self, from: NodeId, to: NodeId) -> Option<Cost> {
        let place = |node| {
            let Voxel { x, y, z } = self.voxels.voxel(node);
            [x, y, z]
        };
        let step = Step::between(place(from), place(to))?;
        (self.is_open_node(from) && self.legal_steps(from) & step.bit() != 0).then(|| step.cost())
    }
}

impl Graph for VoxelView<'_> {
    fn node_bound(&self) -> usize {
        self.voxels.shape.node_bound()
    }

    #[inline]
    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if self.is_open_node(from) {
            self.for_each_of(self.legal_steps(from), from, |step, to| visit(to, STEP_COSTS[step]));
        }
    }

    fn straight_before(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        let delta = next.0.wrapping_sub(at.0) as i32;
        let step = Step::ALL[self.offsets.iter().position(|&offset| offset == delta)?];
        let before = NodeId(at.0.wrapping_sub(delta as u32));
        let legal = self.legal_steps(at) & step.opposite().bit() != 0;
        legal.then(|| (before, step.cost()))
    }
}

impl ReverseGraph for VoxelView<'_> {
    /// Visits the reversed edges: every step can be reversed at the same cost.
    #[inline]
    fn for_each_edge_into(&self, to: NodeId, visit: impl FnMut(NodeId, Cost)) {
        self.for_each_edge(to, visit);
    }
}

impl Located for VoxelView<'_> {
    fn position(&self, node: NodeId) -> Point {
        self.voxels.frame.voxel_centre(self.voxels.voxel(node))
    }
}
