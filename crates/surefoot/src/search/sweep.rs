//! Dijkstra's algorithm without a goal: everything within range.

use crate::cost::Cost;
use crate::id::NodeId;
use crate::path::Path;
use crate::search::admit::stand;
use crate::search::best_first::BestFirst;
use crate::search::dijkstra;
use crate::search::observe::{Action, Event, Observer};
use crate::search::open::Queue;
use crate::search::outcome::{Stats, Why};
use crate::search::solver::{Solver, Task};
use crate::world::view::{Spot, View};

/// What can be reached from a place, and at what cost: movement ranges, influence, distances to everything.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::search::Sweep;
/// let grid: Grid = "
///     ..#.
///     ....".parse().unwrap();
/// let view = grid.view(&Agent::default()).unwrap();
/// let mut sweep = Sweep::default();
/// sweep.run(&view, Cell::new(0, 0), Cost::from_cells(2.0)).unwrap();
/// let reached: Vec<Cell> = sweep.reached().iter().map(|&node| grid.cell(node)).collect();
/// assert_eq!(reached, [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| Cell::new(x, y)));
/// assert_eq!(sweep.cost(grid.node(Cell::new(1, 1)).unwrap()).unwrap(), Cost::DIAGONAL);
/// ```
pub struct Sweep {
    solver: BestFirst,
    reached: Vec<NodeId>,
    path: Path,
}

impl Default for Sweep {
    fn default() -> Sweep {
        // A heap, so that nodes are settled in order of cost.
        Sweep {
            solver: BestFirst::new(dijkstra::recipe(Queue::Heap)),
            reached: Vec::new(),
            path: Path::default(),
        }
    }
}

/// Writes down nodes as they are settled.
struct Settled<'a>(&'a mut Vec<NodeId>);

impl Observer for Settled<'_> {
    fn on(&mut self, event: &Event) {
        if event.action == Action::Close {
            self.0.push(event.node);
        }
    }
}

impl Sweep {
    /// Finds everything that costs at most `within` to reach, or everything that can be reached at all.
    pub fn run<'a>(
        &mut self,
        view: impl Into<View<'a>>,
        from: impl Spot,
        within: Option<Cost>,
    ) -> Result<(), Why> {
        let view = view.into();
        self.reached.clear();
        let start = from.node_in(&view).ok_or(Why::StartOutside)?;
        stand(&view, start, Why::StartBlocked)?;
        let task = Task { start, goals: &[] };
        self.solver.set_max_cost(within);
        self.solver.begin(&view, &task);
        self.solver.run(&view, &task, u64::MAX, Some(&mut Settled(&mut self.reached)));
        Ok(())
    }

    /// The nodes in reach, cheapest first; equally cheap ones by number.
    pub fn reached(&self) -> &[NodeId] {
        &self.reached
    }

    /// What it costs to reach a node, if it is in reach.
    pub fn cost(&self, node: NodeId) -> Option<Cost> {
        self.solver.visit(node).filter(|visit| visit.closed).map(|visit| visit.g)
    }

    /// The path to a node in reach.
    pub fn path_to<'a>(&mut self, view: impl Into<View<'a>>, node: NodeId) -> Option<&Path> {
        self.cost(node)?;
        let view = view.into();
        self.path.rewrite(&view, |nodes| self.solver.trace_back(&view, node, nodes));
        Some(&self.path)
    }

    /// What the last sweep did.
    pub fn stats(&self) -> Stats {
        self.solver.stats()
    }
}
