//! Dijkstra's algorithm without a goal: everything within range.

use std::fmt;

use crate::core::observe::{Action, Event, Observer};
use crate::core::open::Queue;
use crate::core::outcome::{Stats, Why};
use crate::cost::Cost;
use crate::id::NodeId;
use crate::path::Path;
use crate::search::admit::{AT_START, stand};
use crate::search::best_first::BestFirst;
use crate::search::dijkstra;
use crate::search::solver::{Slice, Solver, Task};
use crate::world::any::{Locate, Numbering, Vantage, View, locate, on_world};
use crate::world::space::SearchSpace;

/// How far a [`DistanceField`] reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Everything that can be reached.
    Everything,
    /// Everything that costs at most this many cells to reach. Must be finite and not negative.
    ///
    /// Searches count whole units of the world's [`Scale`](crate::cost::Scale), in which a step costs slightly more than its
    /// length. The range compensates for that, so a range equal to the [cost of a path](Path::cost) in steps reaches the end of
    /// that path.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let grid = Grid::new(700, 700).unwrap();
    /// let view = grid.view(&Agent::default());
    /// let ends = [0, 699].map(|at| grid.node(Cell::new(at, at)).unwrap());
    /// let mut finder = Pathfinder::default();
    /// let path = finder.find(&view, ends[0], ends[1]).unwrap();
    /// let mut field = DistanceField::default();
    /// field.run(&view, ends[0], Range::Within(path.cost())).unwrap();
    /// assert_eq!(field.cost(ends[1]), Some(path.units()));
    /// ```
    Within(f64),
}

impl Range {
    /// The largest cost within range, if there is one.
    ///
    /// A path of `cells` counts at most `most` units for each cell, because none of its steps counts more. So the units of all paths in
    /// range, which are whole, are at most the product, rounded down. The cost of a path in cells, `most` and the product are
    /// floats that are rounded ten times between them, by at most half of `EPSILON` each; what is added outweighs all of it.
    fn limit(self, view: &View<'_>) -> Result<Option<Cost>, DistanceFieldError> {
        match self {
            Range::Everything => Ok(None),
            Range::Within(cells) if cells >= 0.0 && cells.is_finite() => {
                let most = on_world!(view, space => space.most_units_a_cell());
                let units = cells * most * (1.0 + 8.0 * f64::EPSILON);
                Ok((units < u64::MAX as f64).then(|| Cost::from_units(units as u64)))
            }
            Range::Within(cells) => Err(DistanceFieldError::BadRange(cells)),
        }
    }
}

/// Why a [`DistanceField`] has no result.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DistanceFieldError {
    /// The range is negative, infinite or not a number.
    #[error("range {0} is invalid: expected a finite number of cells of at least 0")]
    BadRange(f64),
    /// The agent cannot stand at the start.
    #[error(transparent)]
    Start(#[from] Why),
    /// The world has been edited since the field was computed, or it is another world. Run it again.
    #[error("the distance field was computed for another world, or the world has been edited since")]
    WorldChanged,
    /// The view belongs to another agent than the field. Run it again.
    #[error("the distance field was computed for another agent")]
    AgentChanged,
    /// The node is not within range, or not in the world.
    #[error("the node is outside the range of the distance field")]
    NotReached,
}

/// The places that can be reached from a start, and their costs: movement ranges, influence, distances to everything.
///
/// ```
/// use surefoot::prelude::*;
/// let mut grid: Grid = "
///     ..#.
///     ....".parse().unwrap();
/// let view = grid.view(&Agent::default());
/// let mut field = DistanceField::default();
/// field.run(&view, Cell::new(0, 0), Range::Within(2.0)).unwrap();
/// let reached: Vec<Cell> = field.reached().iter().map(|&node| grid.cell(node)).collect();
/// assert_eq!(reached, [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| Cell::new(x, y)));
///
/// let corner = grid.node(Cell::new(1, 1)).unwrap();
/// assert_eq!(field.cost(corner), Some(Cost::DIAGONAL));
/// assert_eq!(field.path_to(&view, Cell::new(1, 1)).unwrap().steps(), 1);
///
/// // After an edit the field is stale, and does not return a path that no longer exists.
/// grid.set(Cell::new(1, 0), Terrain::WALL).unwrap();
/// let view = grid.view(&Agent::default());
/// assert_eq!(field.path_to(&view, corner).unwrap_err(), DistanceFieldError::WorldChanged);
/// ```
pub struct DistanceField {
    solver: BestFirst,
    reached: Vec<NodeId>,
    /// The world, agent and node numbers of the last run, if it began.
    swept: Option<(Vantage, Numbering)>,
    path: Path,
}

impl Default for DistanceField {
    fn default() -> DistanceField {
        // A heap, so that nodes are settled in order of cost.
        DistanceField {
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

impl fmt::Debug for DistanceField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DistanceField").field("reached", &self.reached.len()).finish_non_exhaustive()
    }
}

impl DistanceField {
    /// Finds everything within range of a place. After an error, nothing counts as reached.
    pub fn run<'a>(
        &mut self,
        view: impl Into<View<'a>>,
        from: impl Locate,
        range: Range,
    ) -> Result<(), DistanceFieldError> {
        let view = view.into();
        self.reached.clear();
        self.swept = None;
        let limit = range.limit(&view)?;
        let start = locate(from, &view, Why::StartOutside)?;
        stand(&view, start, AT_START)?;
        let task = Task { start, goals: &[] };
        self.solver.set_max_cost(limit);
        self.solver.begin(&view, &task);
        let mut settled = Settled(&mut self.reached);
        self.solver.run(&view, &task, Slice { budget: u64::MAX, watcher: Some(&mut settled) });
        self.swept = Some((view.vantage(), view.numbering()));
        Ok(())
    }

    /// Returns the nodes within range, cheapest first, equally cheap ones by number.
    pub fn reached(&self) -> &[NodeId] {
        &self.reached
    }

    /// Returns the cost of reaching a node in the world as it was then. Returns `None` if the node is not within range.
    pub fn cost(&self, node: NodeId) -> Option<Cost> {
        let (_, numbering) = self.swept?;
        let visit = numbering.contains(node).then(|| self.solver.visit(node))??;
        visit.closed.then_some(visit.g)
    }

    /// Returns the path to a place within range. The view must show the world and the agent of the last run, without any edit since.
    pub fn path_to<'a>(
        &mut self,
        view: impl Into<View<'a>>,
        to: impl Locate,
    ) -> Result<&Path, DistanceFieldError> {
        let (view, (swept, _)) = (view.into(), self.swept.ok_or(DistanceFieldError::NotReached)?);
        let vantage = view.vantage();
        if vantage.revision() != swept.revision() {
            return Err(DistanceFieldError::WorldChanged);
        }
        if !vantage.has_same_agent(&swept) {
            return Err(DistanceFieldError::AgentChanged);
        }
        let node = to.node_in(&view).ok_or(DistanceFieldError::NotReached)?;
        self.cost(node).ok_or(DistanceFieldError::NotReached)?;
        self.path.rewrite(&view, |nodes| self.solver.trace_back(&view, node, nodes));
        Ok(&self.path)
    }

    /// Returns the statistics of the last field.
    pub fn stats(&self) -> Stats {
        self.solver.stats()
    }
}
