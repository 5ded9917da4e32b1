//! Dijkstra's algorithm without a goal: everything within range.

use crate::core::observe::{Action, Event, Observer};
use crate::core::open::Queue;
use crate::core::outcome::{Stats, Why};
use crate::cost::{Cost, Scale};
use crate::id::NodeId;
use crate::path::Path;
use crate::search::admit::stand;
use crate::search::best_first::BestFirst;
use crate::search::dijkstra;
use crate::search::solver::{Slice, Solver, Task};
use crate::world::any::{Numbering, Spot, Vantage, View};

/// How far a [`Sweep`] reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Everything that can be reached at all.
    Everything,
    /// Everything that costs at most this many cells to reach. Must be finite and not negative.
    ///
    /// Costs are compared in whole units of the world's [`Scale`], and the range is rounded to the nearest unit.
    Within(f64),
}

impl Range {
    /// The largest cost within range, if there is one.
    fn limit(self, scale: Scale) -> Result<Option<Cost>, SweepError> {
        match self {
            Range::Everything => Ok(None),
            Range::Within(cells) if cells >= 0.0 && cells.is_finite() => Ok(scale.cost(cells)),
            Range::Within(cells) => Err(SweepError::BadRange(cells)),
        }
    }
}

/// Why a [`Sweep`] has no answer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SweepError {
    /// The range is negative, infinite or not a number.
    #[error("a range is a finite number of cells that is not negative, not {0}")]
    BadRange(f64),
    /// The agent cannot stand at the start.
    #[error(transparent)]
    Start(#[from] Why),
    /// The world has been edited since the sweep, or it is another world; run the sweep again.
    #[error("the world is not the one that was swept, or has been edited since")]
    WorldChanged,
    /// The view is that of another agent than the sweep's; run the sweep again.
    #[error("the sweep was made for another agent")]
    AgentChanged,
    /// The node is not within range, or not in the world.
    #[error("the sweep did not reach this node")]
    NotReached,
}

/// What can be reached from a place, and at what cost: movement ranges, influence, distances to everything.
///
/// ```
/// use surefoot::prelude::*;
/// let mut grid: Grid = "
///     ..#.
///     ....".parse().unwrap();
/// let view = grid.view(&Agent::default()).unwrap();
/// let mut sweep = Sweep::default();
/// sweep.run(&view, Cell::new(0, 0), Range::Within(2.0)).unwrap();
/// let reached: Vec<Cell> = sweep.reached().iter().map(|&node| grid.cell(node)).collect();
/// assert_eq!(reached, [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| Cell::new(x, y)));
///
/// let corner = grid.node(Cell::new(1, 1)).unwrap();
/// assert_eq!(sweep.cost(corner), Some(Cost::DIAGONAL));
/// assert_eq!(sweep.path_to(&view, corner).unwrap().steps(), 1);
///
/// // After an edit the sweep says so instead of giving a path that no longer exists.
/// grid.set(Cell::new(1, 0), Terrain::WALL).unwrap();
/// let view = grid.view(&Agent::default()).unwrap();
/// assert_eq!(sweep.path_to(&view, corner).unwrap_err(), SweepError::WorldChanged);
/// ```
pub struct Sweep {
    solver: BestFirst,
    reached: Vec<NodeId>,
    /// The world, agent and node numbers of the last sweep, if it began.
    swept: Option<(Vantage, Numbering)>,
    path: Path,
}

impl Default for Sweep {
    fn default() -> Sweep {
        // A heap, so that nodes are settled in order of cost.
        Sweep {
            solver: BestFirst::new(dijkstra::recipe(Queue::Heap)),
            reached: Vec::new(),
            swept: None,
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
    /// Finds everything within range of a place. After an error nothing counts as reached.
    pub fn run<'a>(
        &mut self,
        view: impl Into<View<'a>>,
        from: impl Spot,
        range: Range,
    ) -> Result<(), SweepError> {
        let view = view.into();
        self.reached.clear();
        self.swept = None;
        let limit = range.limit(view.scale())?;
        let start = from.node_in(&view).ok_or(Why::StartOutside)?;
        stand(&view, start, Why::StartBlocked)?;
        let task = Task { start, goals: &[] };
        self.solver.set_max_cost(limit);
        self.solver.begin(&view, &task);
        let mut settled = Settled(&mut self.reached);
        self.solver.run(&view, &task, Slice { budget: u64::MAX, watcher: Some(&mut settled) });
        self.swept = Some((view.vantage(), view.numbering()));
        Ok(())
    }

    /// The nodes in reach, cheapest first; equally cheap ones by number.
    pub fn reached(&self) -> &[NodeId] {
        &self.reached
    }

    /// Returns what it cost to reach a node in the world as it was swept; `None` if the node is not in reach.
    pub fn cost(&self, node: NodeId) -> Option<Cost> {
        let (_, numbering) = self.swept?;
        let visit = numbering.contains(node).then(|| self.solver.visit(node))??;
        visit.closed.then_some(visit.g)
    }

    /// Returns the path to a node in reach. The view must show the world and the agent of the sweep, without any edit since.
    pub fn path_to<'a>(&mut self, view: impl Into<View<'a>>, node: NodeId) -> Result<&Path, SweepError> {
        let (view, (swept, _)) = (view.into(), self.swept.ok_or(SweepError::NotReached)?);
        let vantage = view.vantage();
        if vantage.revision() != swept.revision() {
            return Err(SweepError::WorldChanged);
        }
        if !vantage.has_same_agent(&swept) {
            return Err(SweepError::AgentChanged);
        }
        self.cost(node).ok_or(SweepError::NotReached)?;
        self.path.rewrite(&view, |nodes| self.solver.trace_back(&view, node, nodes));
        Ok(&self.path)
    }

    /// What the last sweep did.
    pub fn stats(&self) -> Stats {
        self.solver.stats()
    }
}
