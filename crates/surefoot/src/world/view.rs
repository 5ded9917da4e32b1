//! Any world as a search sees it.

use crate::cost::Scale;
use crate::graph::{Graph, Located};
use crate::id::NodeId;
use crate::space::{Cell, Point, Voxel};
use crate::world::grid::{self, GridView, Policy};
use crate::world::journal::Revision;
use crate::world::voxels::{self, VoxelView};
use crate::world::waypoints::Waypoints;

/// The kinds of world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum WorldKind {
    /// A 2D grid.
    Grid,
    /// A waypoint graph.
    Graph,
    /// A world of cells in space.
    Voxel,
}

impl WorldKind {
    /// The name as commands write it.
    pub const fn name(self) -> &'static str {
        match self {
            WorldKind::Grid => "grid",
            WorldKind::Graph => "graph",
            WorldKind::Voxel => "voxel",
        }
    }
}

/// A world to search in: a grid or a voxel world seen by an agent, or a waypoint graph.
///
/// Algorithms are chosen by name at run time, so what they are given is an enum; inside a search everything is concrete.
#[derive(Clone, Copy)]
pub enum View<'a> {
    /// A grid seen by an agent.
    Grid(GridView<'a>),
    /// A waypoint graph.
    Graph(&'a Waypoints),
    /// A voxel world seen by an agent.
    Voxels(VoxelView<'a>),
}

impl View<'_> {
    /// Which kind of world this is.
    pub fn kind(&self) -> WorldKind {
        match self {
            View::Grid(_) => WorldKind::Grid,
            View::Graph(_) => WorldKind::Graph,
            View::Voxels(_) => WorldKind::Voxel,
        }
    }

    /// The world, the moment and the agent, as something to compare.
    pub(crate) fn vantage(&self) -> Vantage {
        Vantage { revision: self.revision(), agent: self.agent_key() }
    }

    /// The present moment of the world's history.
    pub fn revision(&self) -> Revision {
        match self {
            View::Grid(view) => view.grid().revision(),
            View::Graph(graph) => graph.revision(),
            View::Voxels(view) => view.voxels().revision(),
        }
    }

    /// The scale of this world's costs.
    pub fn scale(&self) -> Scale {
        match self {
            View::Grid(view) => view.scale(),
            View::Graph(graph) => graph.scale(),
            View::Voxels(view) => view.scale(),
        }
    }

    /// One more than the largest node number.
    pub(crate) fn node_bound(&self) -> usize {
        match self {
            View::Grid(view) => Graph::node_bound(view),
            View::Graph(graph) => Graph::node_bound(*graph),
            View::Voxels(view) => Graph::node_bound(view),
        }
    }

    /// Which node numbers there are.
    pub(crate) fn numbering(&self) -> Numbering {
        match self {
            View::Grid(view) => Numbering::Grid(*view.shape()),
            View::Graph(graph) => Numbering::Graph(graph.node_count()),
            View::Voxels(view) => Numbering::Voxels(*view.shape()),
        }
    }

    /// What of the agent decides about its paths.
    pub(crate) fn agent_key(&self) -> AgentKey {
        match self {
            View::Grid(view) => AgentKey::OnGrid(view.policy()),
            View::Graph(_) => AgentKey::None,
            View::Voxels(view) => AgentKey::InSpace(view.policy()),
        }
    }
}

/// What of an agent decides about its paths, in whichever world.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) enum AgentKey {
    /// All agents are alike.
    #[default]
    None,
    OnGrid(Policy),
    InSpace(voxels::Policy),
}

/// Which node numbers a world has: what a search needs to know of it to tell foreign nodes after it has ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Numbering {
    Grid(grid::Shape),
    /// The number of nodes.
    Graph(usize),
    Voxels(voxels::Shape),
}

impl Numbering {
    /// Whether there is a node of this number.
    pub fn contains(&self, node: NodeId) -> bool {
        match self {
            // The border around a world has numbers and no cells.
            Numbering::Grid(shape) => {
                (1..shape.node_bound()).contains(&node.index()) && shape.contains(shape.cell(node))
            }
            Numbering::Graph(count) => node.index() < *count,
            Numbering::Voxels(shape) => {
                (1..shape.node_bound()).contains(&node.index()) && shape.contains(shape.voxel(node))
            }
        }
    }
}

/// From where a search looks at the world: a paused search must not go on from anywhere else.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Vantage {
    revision: Revision,
    agent: AgentKey,
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
            View::Voxels(view) => view.position(node),
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

impl<'a> From<VoxelView<'a>> for View<'a> {
    fn from(view: VoxelView<'a>) -> View<'a> {
        View::Voxels(view)
    }
}

impl<'a> From<&VoxelView<'a>> for View<'a> {
    fn from(view: &VoxelView<'a>) -> View<'a> {
        View::Voxels(*view)
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
        view.numbering().contains(self).then_some(self)
    }
}

impl Spot for Cell {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        match view {
            View::Grid(view) => view.grid().node(self),
            View::Graph(_) | View::Voxels(_) => None,
        }
    }
}

impl Spot for Voxel {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        match view {
            View::Voxels(view) => view.voxels().node(self),
            View::Grid(_) | View::Graph(_) => None,
        }
    }
}

impl Spot for Point {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        match view {
            View::Grid(view) => view.grid().node(view.grid().frame().cell_at(self)),
            View::Graph(graph) => graph.nearest(self),
            View::Voxels(view) => view.voxels().node(view.voxels().frame().voxel_at(self)),
        }
    }
}
