//! A grid whose open cells all cost the same, walked without redundant steps.

use crate::core::expand::{Arrival, ArrivalSteps, Expander, STEP_ARRIVALS};
use crate::cost::Cost;
use crate::id::NodeId;
use crate::world::grid::direction::{Direction, Offsets};
use crate::world::grid::rules::Rule;
use crate::world::grid::view::GridView;
use crate::world::pages::Values;

/// The steps of a [`GridView`] without those that its parent makes redundant (see [`rules`](super::rules)).
#[derive(Clone, Copy)]
pub(crate) struct UniformGrid<'a> {
    neighbours: Values<'a, u8>,
    rule: &'static Rule,
    offsets: Offsets,
    step_costs: [Cost; 8],
    view: GridView<'a>,
}

impl<'a> UniformGrid<'a> {
    /// The uniform form of a view, if it has one: one terrain, no links, and straight < diagonal < 2 straight.
    pub fn of(view: GridView<'a>) -> Option<UniformGrid<'a>> {
        if UniformGrid::fault(&view).is_some() {
            return None;
        }
        let [straight, diagonal] = view.level_steps(view.grid().uniform_terrain()?);
        let mut step_costs = [straight; 8];
        step_costs[4..].fill(diagonal);
        Some(UniformGrid {
            neighbours: view.layer().neighbours(),
            rule: view.rule(),
            offsets: *view.offsets(),
            step_costs,
            view,
        })
    }

    /// Why a view has no uniform form, if it has none.
    pub fn fault(view: &GridView<'_>) -> Option<&'static str> {
        if let Some(fault) = view.grid().unevenness() {
            return Some(fault);
        }
        let [straight, diagonal] = view.level_steps(view.grid().uniform_terrain()?);
        let ordered = straight < diagonal && diagonal < straight + straight;
        (view.moves().has_diagonals() && !ordered)
            .then_some("it needs a diagonal step that costs more than one straight step and less than two")
    }

    /// What a step in a direction costs.
    pub fn step_cost(&self, direction: Direction) -> Cost {
        self.step_costs[direction as usize]
    }

    /// The steps worth trying from a node that was reached in a certain way, as a byte.
    #[inline]
    pub fn canonical(&self, node: NodeId, arrival: Arrival) -> u8 {
        self.rule.canonical(arrival, self.neighbours.get(node.index()))
    }

    /// Where the first of some steps leads, what it costs, and how one arrives.
    #[inline]
    fn first_of(&self, node: NodeId, steps: u8) -> (NodeId, Cost, Arrival) {
        let direction = steps.trailing_zeros() as usize % 8;
        let next = NodeId(node.0.wrapping_add_signed(self.offsets[direction]));
        (next, self.step_costs[direction], Arrival(direction as u8))
    }
}

impl Expander for UniformGrid<'_> {
    fn node_bound(&self) -> usize {
        self.neighbours.len()
    }

    fn arrival_steps(&self) -> Option<ArrivalSteps> {
        let mut steps = [0; STEP_ARRIVALS];
        steps[..self.offsets.len()].copy_from_slice(&self.offsets);
        Some(steps)
    }

    #[inline]
    fn expand(&self, node: NodeId, arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        let mut steps = self.canonical(node, arrival);
        while steps != 0 {
            let (next, cost, arrival) = self.first_of(node, steps);
            steps &= steps - 1;
            emit(next, cost, arrival);
        }
    }

    #[inline]
    fn only_way(&self, node: NodeId, arrival: Arrival) -> Option<(NodeId, Cost, Arrival)> {
        let steps = self.canonical(node, arrival);
        steps.is_power_of_two().then(|| self.first_of(node, steps))
    }

    #[inline]
    fn is_corridor(&self, node: NodeId) -> bool {
        self.rule.is_corridor(self.neighbours.get(node.index()))
    }

    fn straight_before(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        Expander::straight_before(&self.view, at, next)
    }
}
