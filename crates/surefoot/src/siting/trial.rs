//! A grid as it would be with some cells closed, without closing them.

use crate::agent::Moves;
use crate::core::expand::{Arrival, ArrivalSteps, Expander, STEP_ARRIVALS};
use crate::core::observe::Side;
use crate::cost::Cost;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::clearance;
use crate::world::components::Components;
use crate::world::grid::{BitPlane, Direction, GridView, UniformGrid, offsets};

/// Where an agent could stand if the building were there.
#[derive(Debug)]
pub(super) struct Trial {
    open: BitPlane,
    /// By node number: the neighbours that the building makes unusable for the agent, as a byte.
    taken: Vec<u8>,
    /// The cells that it makes unusable.
    cells: Vec<Cell>,
}

impl Default for Trial {
    fn default() -> Trial {
        Trial { open: BitPlane::new(1, 1), taken: Vec::new(), cells: Vec::new() }
    }
}

impl Trial {
    /// Starts from scratch with a grid as it is now.
    pub fn renew(&mut self, view: &GridView<'_>) {
        self.open.copy_from(view.open_cells());
        self.cells.clear();
        self.taken.clear();
        self.taken.resize(view.neighbours().len(), 0);
    }

    /// Places a building on some cells. Walls and cells outside make no difference.
    pub fn place(&mut self, view: &GridView<'_>, footprint: &[Cell]) {
        for &cell in footprint.iter().filter(|&&cell| view.grid().is_open(cell)) {
            for cell in clearance::closed_around(&self.open, cell, view.needed_clearance()) {
                self.open.set(cell, false);
                self.cells.push(cell);
                self.mark_around(view, cell);
            }
        }
    }

    /// Removes the building again.
    pub fn lift(&mut self, view: &GridView<'_>) {
        while let Some(cell) = self.cells.pop() {
            self.open.set(cell, true);
            self.mark_around(view, cell);
        }
    }

    /// Updates the neighbours of a cell that is taken, or no longer taken.
    fn mark_around(&mut self, view: &GridView<'_>, cell: Cell) {
        let node = view.shape().node(cell).index();
        for (direction, offset) in Direction::ALL.into_iter().zip(offsets(view.shape())) {
            self.taken[node.wrapping_add_signed(offset as isize)] ^= direction.opposite().bit();
        }
    }

    /// Returns the cells that the building makes unusable for the agent, each once.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns whether the agent could still stand on a node.
    pub fn is_open(&self, view: &GridView<'_>, node: NodeId) -> bool {
        self.open.contains(view.grid().cell(node))
    }

    /// Returns the connected components as they would be.
    pub fn components(&self, view: &GridView<'_>) -> Components {
        Components::label(view.shape(), &self.open, view.moves() == Moves::EightFree)
    }

    /// Returns whether a path that is legal now would still be legal.
    pub fn leaves(&self, view: &GridView<'_>, path: &[NodeId]) -> bool {
        let is_linked = !view.grid().links().is_empty();
        path.windows(2).all(|pair| {
            let (from, to) = (pair[0], pair[1]);
            if self.taken[from.index()] == 0 && !is_linked {
                return true;
            }
            let delta = to.0.wrapping_sub(from.0) as i32;
            match view.offsets().iter().position(|&offset| offset == delta) {
                Some(direction) => self.legal_steps(view, from) >> direction & 1 == 1,
                None => self.is_open(view, to),
            }
        })
    }

    /// Returns the bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.open.bytes() + self.taken.capacity() + self.cells.capacity() * size_of::<Cell>()
    }

    fn neighbours(&self, view: &GridView<'_>, node: NodeId) -> u8 {
        view.neighbours().get(node.index()) & !self.taken[node.index()]
    }

    fn legal_steps(&self, view: &GridView<'_>, node: NodeId) -> u8 {
        view.rule().legal(self.neighbours(view, node))
    }
}

/// A grid with a building on trial, as a search walks on it.
pub(super) struct TrialView<'a> {
    view: GridView<'a>,
    trial: &'a Trial,
    /// Whether all cells cost the same, so that redundant steps can be left out.
    is_uniform: bool,
    has_links: bool,
    /// Whether steps are taken from the start on, or from the goal back.
    side: Side,
}

impl<'a> TrialView<'a> {
    pub fn new(view: &GridView<'a>, trial: &'a Trial, side: Side) -> TrialView<'a> {
        let is_uniform = UniformGrid::of(*view).is_some();
        TrialView { view: *view, trial, is_uniform, has_links: !view.grid().links().is_empty(), side }
    }

    /// What is behind a node: the steps and links that lead to it.
    fn expand_back(&self, node: NodeId, steps: u8, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        // A step is legal exactly when the step back is: every rule is symmetric.
        self.view.for_each_cost_into(steps, node, |direction, from, cost| {
            emit(from, cost, Arrival(direction as u8));
        });
        if self.has_links {
            let usable =
                self.view.links_entering(node).filter(|link| self.trial.is_open(&self.view, link.from));
            usable.for_each(|link| emit(link.from, link.cost, Arrival(0)));
        }
    }
}

impl Expander for TrialView<'_> {
    fn node_bound(&self) -> usize {
        self.trial.taken.len()
    }

    fn arrival_steps(&self) -> Option<ArrivalSteps> {
        let mut steps = [0; STEP_ARRIVALS];
        steps[..8].copy_from_slice(self.view.offsets());
        (!self.has_links).then_some(steps)
    }

    #[inline]
    fn expand(&self, node: NodeId, arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        let neighbours = self.trial.neighbours(&self.view, node);
        let rule = self.view.rule();
        let steps =
            if self.is_uniform { rule.canonical(arrival, neighbours) } else { rule.legal(neighbours) };
        if self.side == Side::Backward && !self.is_uniform {
            return self.expand_back(node, steps, emit);
        }
        self.view.for_each_cost_of(steps, node, |direction, to, cost| {
            emit(to, cost, Arrival(direction as u8));
        });
        if self.has_links {
            let usable = self.view.links_leaving(node).filter(|link| self.trial.is_open(&self.view, link.to));
            usable.for_each(|link| emit(link.to, link.cost, Arrival(0)));
        }
    }

    fn straight_before(&self, _at: NodeId, _next: NodeId) -> Option<(NodeId, Cost)> {
        None
    }
}
