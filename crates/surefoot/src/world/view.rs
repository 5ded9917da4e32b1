//! Any world as a search sees it.

use crate::graph::Located;
use crate::id::NodeId;
use crate::space::{Cell, Point};
use crate::world::grid::{GridView, Policy};
use crate::world::journal::Revision;
use crate::world::waypoints::Waypoints;

/// The kinds of world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum WorldKind {
    /// A 2D grid.
    Grid,
    /// A waypoint graph.
    Graph,
}

impl WorldKind {
    /// The name as commands write it.
    pub const fn name(self) -> &'static str {
        match self {
            WorldKind::Grid => "grid",
            WorldKind::Graph => "graph",
        }
    }
}

/// A world to search in: a grid seen by an agent, or a waypoint graph.
///
/// Algorithms are chosen by name at run time, so what they are given is an enum; inside a search everything is concrete.
#[derive(Clone, Copy)]
pub enum View<'a> {
    /// A grid seen by an agent.
    Grid(GridView<'a>),
    /// A waypoint graph.
    Graph(&'a Waypoints),
}

impl View<'_> {
    /// Which kind of world this is.
    pub fn kind(&self) -> WorldKind {
        match self {
            View::Grid(_) => WorldKind::Grid,
            View::Graph(_) => WorldKind::Graph,
        }
    }

    /// The world, the moment and the agent, as something to compare.
    pub(crate) fn vantage(&self) -> Vantage {
        Vantage {
            revision: self.revision(),
            agent: match self {
                View::Grid(view) => Some(view.policy()),
                View::Graph(_) => None,
            },
        }
    }

    /// The present moment of the world's history.
    pub fn revision(&self) -> Revision {
        match self {
            View::Grid(view) => view.grid().revision(),
            View::Graph(graph) => graph.revision(),
        }
    }
}

/// From where a search looks at the world: a paused search must not go on from anywhere else.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Vantage {
    revision: Revision,
    agent: Option<Policy>,
}

impl Vantage {
    /// The moment.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Whether the agent is the same as from another vantage.
    pub fn has_same_agent(&self, other: &Vantage) -> bool {
        self.agent == other.agent
    }
}

impl Located for View<'_> {
    fn position(&self, node: NodeId) -> Point {
        match self {
            View::Grid(view) => view.position(node),
            View::Graph(graph) => graph.position(node),
        }
    }
}

impl<'a> From<GridView<'a>> for View<'a> {
    fn from(view: GridView<'a>) -> View<'a> {
        View::Grid(view)
    }
}

impl<'a> From<&GridView<'a>> for View<'a> {
    fn from(view: &GridView<'a>) -> View<'a> {
        View::Grid(*view)
    }
}

impl<'a> From<&'a Waypoints> for View<'a> {
    fn from(graph: &'a Waypoints) -> View<'a> {
        View::Graph(graph)
    }
}

impl<'a> From<&View<'a>> for View<'a> {
    fn from(view: &View<'a>) -> View<'a> {
        *view
    }
}

/// Something that names a node of a world: a node itself, a cell, or a point in world coordinates.
pub trait Spot: Copy {
    /// The node; `None` if it is not in this world. Cells mean nothing to waypoint graphs; a point there means the
    /// nearest node.
    fn node_in(self, view: &View<'_>) -> Option<NodeId>;
}

impl Spot for NodeId {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        let inside = match view {
            View::Grid(view) => {
                let numbers = 1..view.shape().node_bound();
                numbers.contains(&self.index()) && view.grid().contains(view.grid().cell(self))
            }
            View::Graph(graph) => graph.contains(self),
        };
        inside.then_some(self)
    }
}

impl Spot for Cell {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        match view {
            View::Grid(view) => view.grid().node(self),
            View::Graph(_) => None,
        }
    }
}

impl Spot for Point {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        match view {
            View::Grid(view) => view.grid().node(view.grid().frame().cell_at(self)),
            View::Graph(graph) => graph.nearest(self),
        }
    }
}
