//! What an algorithm has to provide.

use std::fmt;

use crate::core::kernel::End;
use crate::core::observe::Observer;
use crate::core::outcome::{Stats, Visit};
use crate::id::NodeId;
use crate::search::prepare::{PrepareError, PrepareOptions, Prepared};
#[cfg(feature = "searches")]
use crate::world::any::Scratch;
use crate::world::any::View;

/// A query that has been checked: the agent can stand at the start and at all goals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    pub start: NodeId,
    /// Sorted, at least one.
    pub goals: &'a [NodeId],
}

/// One call of a search: how far it may go, and what watches it.
pub(crate) struct Slice<'w> {
    /// How many nodes may be expanded.
    pub budget: u64,
    pub watcher: Option<&'w mut dyn Observer>,
}

impl Slice<'_> {
    /// Creates a call that nothing watches.
    pub const fn unwatched(budget: u64) -> Self {
        Slice { budget, watcher: None }
    }
}

/// Everything a run of a search needs except the traversal and the heuristic.
#[cfg(feature = "searches")]
pub(crate) struct Run<'a, 'w, S> {
    pub search: &'a mut S,
    pub task: &'a Task<'a>,
    pub slice: Slice<'w>,
}

#[cfg(feature = "searches")]
impl<'w, S> Run<'_, 'w, S> {
    /// Continues with memory that the search keeps between runs.
    pub fn with_scratch(
        self,
        of: impl Fn(&mut S) -> &mut Scratch,
        then: impl FnOnce(Run<'_, 'w, S>, &mut Scratch) -> End,
    ) -> End {
        let Run { search, task, slice } = self;
        let mut scratch = std::mem::take(of(search));
        let end = then(Run { search, task, slice }, &mut scratch);
        *of(search) = scratch;
        end
    }
}

/// The algorithm that was chosen, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The name of the algorithm.
    pub algorithm: &'static str,
    /// The reason for the choice.
    pub reason: Reason,
}

/// Why an algorithm was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// The options apply to one of the algorithms.
    Options,
    /// Jump point search does not support this world or does not pay off there, for the given reason.
    OnlyOne(&'static str),
    /// The percentage of the open cells, and of those beside walls, at which a jump has to stop.
    Stops {
        /// The percentage of the open cells.
        of_open: f64,
        /// The percentage of the open cells beside a wall.
        of_walls: f64,
    },
    /// The map is large and the endpoints are close together: computing the data for jumps would take longer than the search.
    Short {
        /// The number of columns or rows between the start and the nearest goal.
        distance: u32,
    },
    /// The map is large and the endpoints are far apart: A* goes first, until it has expanded a given number of nodes.
    Tried {
        /// The most nodes that A* may expand before the data for jumps is computed.
        most: u64,
    },
    /// In the mean of some sample queries, this many subgoals are in sight of the endpoints, and jump point search examines fewer
    /// jumps.
    InSight {
        /// The number of subgoals in sight of both endpoints.
        subgoals: f64,
        /// The number of jumps that jump point search examines.
        jumps: f64,
    },
    /// Obstacles move through the world, and the data for jumps would have to follow them.
    Restless,
    /// The percentage of the open cells of a voxel world at which a line has to stop.
    StopsInSpace {
        /// The percentage of the open cells, in the mean of the six directions.
        of_open: f64,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Options => f.write_str("open lists and weights apply to A* only"),
            Reason::OnlyOne(reason) => write!(f, "jump point search was ruled out: {reason}"),
            Reason::Stops { of_open, of_walls } => {
                write!(
                    f,
                    "{of_open:.1}% of the open cells are jump points, {of_walls:.0}% of those beside walls"
                )
            }
            Reason::Short { distance } => {
                write!(
                    f,
                    "start and goal are {distance} cells apart: too close to precompute jumps for a map of this size"
                )
            }
            Reason::Tried { most } => {
                write!(f, "the map is large: jumps are precomputed once A* has expanded {most} nodes")
            }
            Reason::InSight { subgoals, jumps } => {
                write!(
                    f,
                    "{subgoals:.0} subgoals are in sight of start and goal, while jump point search examines {jumps:.0} jumps"
                )
            }
            Reason::Restless => f.write_str("jumps would have to be recomputed wherever obstacles move"),
            Reason::StopsInSpace { of_open } => {
                write!(f, "{of_open:.1}% of the open cells are jump points")
            }
        }
    }
}

/// An algorithm with its memory. One virtual call per query, none per node.
pub(crate) trait Solver: Send + Sync {
    /// Computes the data it needs about the current world. Called before every search, so it has to notice quickly
    /// that there is nothing to do.
    fn prepare(&mut self, _view: &View<'_>, _terms: &PrepareOptions<'_>) -> Result<(), PrepareError> {
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

    /// Which algorithm it chose for the last search and why, if it chooses.
    fn choice(&self) -> Option<Choice> {
        None
    }

    /// Forgets the last search and prepares the next; `run` follows, with the same view and task until it ends.
    fn begin(&mut self, view: &View<'_>, task: &Task<'_>);

    /// Continues until the search ends or the slice is used up. Without a watcher it costs nothing to be watched.
    fn run(&mut self, view: &View<'_>, task: &Task<'_>, slice: Slice<'_>) -> End;

    /// Writes the nodes from the start to a node that has been reached.
    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>);

    /// The expanded node that seems closest to a goal.
    fn closest(&self) -> Option<NodeId>;

    /// What is known of a node.
    fn visit(&self, node: NodeId) -> Option<Visit>;

    /// What the search did so far.
    fn stats(&self) -> Stats;
}
