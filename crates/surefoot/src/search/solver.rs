//! What an algorithm has to provide.

use crate::cost::Cost;
use crate::id::NodeId;
use crate::search::kernel::End;
use crate::search::observe::Observer;
use crate::search::outcome::Stats;
use crate::search::prepare::{PrepareError, Prepared, Terms};
use crate::world::view::View;

/// A question that has been checked: the start and all goals are places where the agent can stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    pub start: NodeId,
    /// Sorted, at least one.
    pub goals: &'a [NodeId],
}

/// What a search knows of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The cost of the best way to it so far.
    pub g: Cost,
    /// The node before it on that way, [`NodeId::NONE`] for a start.
    pub parent: NodeId,
    /// Whether it has been expanded (and not been opened again).
    pub closed: bool,
}

/// An algorithm with its memory. One virtual call a query, none a node.
pub(crate) trait Solver: Send {
    /// Works out what it wants to know of the world as it is now. Called before every search, so it has to notice quickly
    /// that there is nothing to do.
    fn prepare(&mut self, _view: &View<'_>, _terms: &Terms<'_>) -> Result<(), PrepareError> {
        Ok(())
    }

    /// What it has prepared, to share.
    fn prepared(&self) -> Option<Prepared> {
        None
    }

    /// Takes over what another solver of its kind has prepared; `false` if that is of another kind.
    fn adopt(&mut self, _prepared: &Prepared) -> bool {
        false
    }

    /// Forgets the last search and prepares the next; `run` follows, with the same view and task until it ends.
    fn begin(&mut self, view: &View<'_>, task: &Task<'_>);

    /// Goes on until the search ends or `budget` nodes have been expanded. Without a watcher it costs nothing to be
    /// watched.
    fn run(
        &mut self,
        view: &View<'_>,
        task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End;

    /// Writes the nodes from the start to a node that has been reached.
    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>);

    /// The expanded node that seems closest to a goal.
    fn closest(&self) -> Option<NodeId>;

    /// What is known of a node.
    fn visit(&self, node: NodeId) -> Option<Visit>;

    /// What the search did so far.
    fn stats(&self) -> Stats;
}
