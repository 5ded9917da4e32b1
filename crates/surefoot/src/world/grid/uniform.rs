//! A grid whose open cells all cost the same, walked without pointless steps.

use crate::cost::Cost;
use crate::id::NodeId;
use crate::search::expand::Expander;
use crate::world::grid::direction::{Direction, Offsets};
use crate::world::grid::rules::{NO_ARRIVAL, Rule};
use crate::world::grid::view::GridView;

/// The steps of a [`GridView`] without those that its parent makes pointless (see [`rules`](super::rules)).
#[derive(Clone, Copy)]
pub(crate) struct UniformGrid<'a> {
    neighbours: &'a [u8],
    rule: &'static Rule,
    offsets: Offsets,
    step_costs: [Cost; 8],
    view: GridView<'a>,
}

impl<'a> UniformGrid<'a> {
    /// The uniform form of a view, if it has one: one terrain, no links, and straight < diagonal < 2 straight.
    pub fn of(view: GridView<'a>) -> Option<UniformGrid<'a>> {
        let terrain = view.grid().uniform_terrain()?;
        let [straight, diagonal] = view.level_steps(terrain);
        let ordered = straight < diagonal && diagonal < straight + straight;
        if !view.grid().links().is_empty() || view.moves().has_diagonals() && !ordered {
            return None;
        }
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

    /// The number of the direction in which `node` was reached.
    #[inline]
    fn arrival(&self, node: NodeId, parent: NodeId) -> usize {
        if parent == NodeId::NONE {
            return NO_ARRIVAL;
        }
        let delta = node.0.wrapping_sub(parent.0) as i32;
        let half_row = self.offsets[Direction::South as usize] / 2;
        let dy = i32::from(delta > half_row) - i32::from(delta < -half_row);
        let dx = delta - dy * self.offsets[Direction::South as usize];
        ARRIVALS[((dy + 1) * 3 + dx + 1) as usize % ARRIVALS.len()] as usize
    }
}

/// The number of each direction by its row and column in a neighbourhood.
const ARRIVALS: [u8; 9] = {
    let mut arrivals = [NO_ARRIVAL as u8; 9];
    let mut direction = 0;
    while direction < 8 {
        let (dx, dy) = Direction::ALL[direction].delta();
        arrivals[((dy + 1) * 3 + dx + 1) as usize] = direction as u8;
        direction += 1;
    }
    arrivals
};

impl Expander for UniformGrid<'_> {
    fn node_bound(&self) -> usize {
        self.neighbours.len()
    }

    #[inline]
    fn expand(&self, node: NodeId, parent: NodeId, mut emit: impl FnMut(NodeId, Cost)) {
        let arrival = self.arrival(node, parent);
        let mut steps = self.rule.canonical(arrival, self.neighbours[node.index()]);
        while steps != 0 {
            let direction = steps.trailing_zeros() as usize;
            steps &= steps - 1;
            emit(NodeId(node.0.wrapping_add_signed(self.offsets[direction])), self.step_costs[direction]);
        }
    }

    #[inline]
    fn is_corridor(&self, node: NodeId) -> bool {
        self.rule.legal(self.neighbours[node.index()]).count_ones() == 2
    }

    fn straight_before(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        Expander::straight_before(&self.view, at, next)
    }
}
