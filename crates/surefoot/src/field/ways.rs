//! Worlds as a field walks through them: edges in both directions, with costs in the field's own units.

use std::marker::PhantomData;

use crate::cost::Cost;
use crate::field::word::Word;
use crate::id::NodeId;
use crate::world::grid::{Direction, GridView, StepCost, gcd};
use crate::world::space::SearchSpace;

/// The edges of a world.
pub(super) trait Ways {
    /// How costs are written.
    type Word: Word;

    /// One more than the largest node number.
    fn bound(&self) -> usize;

    /// The most expensive step, about: it decides how finely nodes are sorted.
    fn spread(&self) -> u64;

    /// Whether the agent can be at a node.
    fn stands(&self, node: NodeId) -> bool;

    /// Calls `visit(from, cost)` for every edge that ends in a node where the agent can be.
    fn for_each_into(&self, to: NodeId, visit: impl FnMut(NodeId, Self::Word));

    /// Calls `visit(to, cost)` for every edge that leaves a node where the agent can be.
    fn for_each_from(&self, from: NodeId, visit: impl FnMut(NodeId, Self::Word));
}

/// Any world.
pub(super) struct AnyWays<'a, S>(pub &'a S);

impl<S: SearchSpace> Ways for AnyWays<'_, S> {
    type Word = u64;

    fn bound(&self) -> usize {
        self.0.node_bound()
    }

    fn spread(&self) -> u64 {
        self.0.max_edge_cost().units()
    }

    #[inline]
    fn stands(&self, node: NodeId) -> bool {
        node.index() < self.bound() && self.0.stands(node)
    }

    #[inline]
    fn for_each_into(&self, to: NodeId, mut visit: impl FnMut(NodeId, u64)) {
        self.0.for_each_edge_into(to, |from, cost| {
            if self.stands(from) {
                visit(from, cost.units());
            }
        });
    }

    #[inline]
    fn for_each_from(&self, from: NodeId, mut visit: impl FnMut(NodeId, u64)) {
        self.0.for_each_edge(from, |to, cost| {
            if self.stands(to) {
                visit(to, cost.units());
            }
        });
    }
}

/// A grid, with costs in a unit of which every step and every link is a multiple.
#[derive(Clone, Copy)]
pub(super) struct GridWays<'a, W> {
    pub view: GridView<'a>,
    pub unit: u64,
    steps: [StepCost; 2],
    has_links: bool,
    word: PhantomData<W>,
}

impl<'a, W: Word> GridWays<'a, W> {
    /// A grid in the largest units that suit its steps, its links and some other costs.
    pub fn new(view: GridView<'a>, others: impl Iterator<Item = u64>) -> GridWays<'a, W> {
        let [straight, diagonal] = view.step_costs();
        let links = view.grid().links().iter().map(|link| link.cost.units());
        let unit = links.chain(others).fold(gcd(straight.unit(), diagonal.unit()), gcd);
        GridWays::in_units_of(view, unit)
    }

    /// A grid in given units.
    pub fn in_units_of(view: GridView<'a>, unit: u64) -> GridWays<'a, W> {
        let steps = view.step_costs().map(|step| step.in_units_of(unit));
        GridWays { view, unit, steps, has_links: !view.grid().links().is_empty(), word: PhantomData }
    }

    /// The step in a direction.
    #[inline]
    pub fn neighbour(&self, node: NodeId, direction: usize) -> NodeId {
        NodeId(node.0.wrapping_add_signed(self.view.offsets()[direction]))
    }

    /// What a step costs, whether or not it is legal.
    #[inline]
    pub fn step(&self, from: NodeId, to: NodeId, direction: usize) -> W {
        let terrain = self.view.terrain();
        W::of_edge(
            self.steps[usize::from(direction >= 4)].of(terrain[from.index()], terrain[to.index()]).units(),
        )
    }

    /// What straight and diagonal steps cost if all ground is the same.
    pub fn level(&self) -> Option<[W; 2]> {
        let terrain = self.view.grid().uniform_terrain()?.cost();
        Some(self.steps.map(|step| W::of_edge(step.of(terrain, terrain).units())))
    }

    fn link(&self, cost: Cost) -> W {
        W::of_edge(cost.units() / self.unit)
    }
}

impl<W: Word> Ways for GridWays<'_, W> {
    type Word = W;

    fn bound(&self) -> usize {
        self.view.shape().node_bound()
    }

    fn spread(&self) -> u64 {
        self.view.max_step_cost().units() / self.unit
    }

    #[inline]
    fn stands(&self, node: NodeId) -> bool {
        self.view.is_open_node(node)
    }

    #[inline]
    fn for_each_into(&self, to: NodeId, mut visit: impl FnMut(NodeId, W)) {
        for_each_bit(self.view.legal_steps(to), |direction| {
            let from = self.neighbour(to, direction);
            visit(from, self.step(from, to, direction));
        });
        if self.has_links {
            self.view.links_entering(to).for_each(|link| visit(link.from, self.link(link.cost)));
        }
    }

    #[inline]
    fn for_each_from(&self, from: NodeId, mut visit: impl FnMut(NodeId, W)) {
        for_each_bit(self.view.legal_steps(from), |direction| {
            let to = self.neighbour(from, direction);
            visit(to, self.step(from, to, direction));
        });
        if self.has_links {
            self.view.links_leaving(from).for_each(|link| visit(link.to, self.link(link.cost)));
        }
    }
}

/// Calls `visit` for the number of every bit that is set, lowest first.
#[inline]
pub(super) fn for_each_bit(mut bits: u8, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize % Direction::ALL.len());
        bits &= bits - 1;
    }
}
