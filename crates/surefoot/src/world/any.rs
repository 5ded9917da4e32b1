//! Worlds of any kind.
//!
//! A [`World`] owns its data, a [`View`] is a world as seen by an agent, and a [`Place`] is a location in it. Searches take anything that
//! can be turned into a [`View`], and anything that [has a place](Locate).
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::world::any::World;
//! let world = World::from(Grid::new(8, 8).unwrap());
//! let view = world.view(&Agent::default());
//! let mut finder = Pathfinder::default();
//! let path = finder.find(view, Place::Point(Point::flat(0.5, 0.5)), Place::Cell(Cell::new(7, 7))).unwrap();
//! assert_eq!(view.place_of(path.nodes()[0]), Place::Cell(Cell::new(0, 0)));
//! ```

use std::fmt;

use crate::agent::Agent;
use crate::core::estimate::AnchorBuffer;
use crate::core::outcome::Why;
use crate::cost::Scale;
use crate::graph::{Graph, Located};
use crate::id::NodeId;
use crate::space::{Cell, Point, Voxel};
use crate::world::changes::Changes;
use crate::world::grid::{self, CellBox, Grid, GridView};
use crate::world::journal::Revision;
#[cfg(feature = "graphs")]
use crate::world::own::OwnView;
use crate::world::space::SearchSpace;
#[cfg(feature = "voxels")]
use crate::world::voxels::{self, StepCache, VoxelBox, VoxelView, Voxels};
#[cfg(feature = "graphs")]
use crate::world::waypoints::{PointBox, Waypoints};

/// Runs code on the world behind a view, whatever its kind: `on_world!(view, space => space.scale())`. The code is compiled once for
/// each kind of world.
macro_rules! on_world {
    ($view:expr, $space:ident => $body:expr) => {
        match $view {
            $crate::world::any::View::Grid($space) => $body,
            #[cfg(feature = "graphs")]
            $crate::world::any::View::Graph($space) => {
                let $space: &$crate::world::waypoints::Waypoints = $space;
                $body
            }
            #[cfg(feature = "voxels")]
            $crate::world::any::View::Voxels($space) => $body,
            #[cfg(feature = "graphs")]
            $crate::world::any::View::Own($space) => $body,
        }
    };
}
pub(crate) use on_world;

/// The kinds of world. More may follow, so a `match` on them needs an arm for the others:
///
/// ```compile_fail,E0004
/// use surefoot::world::any::WorldKind;
/// fn is_flat(kind: WorldKind) -> bool {
///     match kind {
///         WorldKind::Grid => true,
///         WorldKind::Graph | WorldKind::Voxel | WorldKind::Own => false,
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum WorldKind {
    /// A 2D grid.
    Grid,
    /// A waypoint graph.
    Graph,
    /// A voxel world.
    Voxel,
    /// A user-defined graph: see [`OwnGraph`](crate::world::own::OwnGraph).
    Own,
}

impl WorldKind {
    /// The kinds that files can hold. Algorithms accept these unless they name others.
    pub(crate) const IN_FILES: &[WorldKind] = &[WorldKind::Grid, WorldKind::Graph, WorldKind::Voxel];

    /// Returns the name as used in commands.
    pub const fn name(self) -> &'static str {
        match self {
            WorldKind::Grid => "grid",
            WorldKind::Graph => "graph",
            WorldKind::Voxel => "voxel",
            WorldKind::Own => "own",
        }
    }

    /// Returns what a world of this kind is called in a sentence.
    ///
    /// ```
    /// use surefoot::world::any::WorldKind;
    /// assert_eq!(WorldKind::Graph.noun(), "waypoint graph");
    /// ```
    pub const fn noun(self) -> &'static str {
        match self {
            WorldKind::Grid => "grid",
            WorldKind::Graph => "waypoint graph",
            WorldKind::Voxel => "voxel world",
            WorldKind::Own => "user-defined graph",
        }
    }

    /// Returns the message for an algorithm that does not support this kind of world.
    pub(crate) const fn refusal(self) -> &'static str {
        match self {
            WorldKind::Grid => "it does not support grids",
            WorldKind::Graph => "it does not support waypoint graphs",
            WorldKind::Voxel => "it does not support voxel worlds",
            WorldKind::Own => "it does not support user-defined graphs",
        }
    }
}

/// A world of any kind that files can hold.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::world::any::World;
/// let world = World::from(Grid::new(8, 8).unwrap());
/// let view = world.view(&Agent::default());
/// let path = Pathfinder::default().find(view, Cell::new(0, 0), Cell::new(7, 7)).unwrap().clone();
/// assert_eq!(path.steps(), 7);
/// ```
#[derive(Clone, Debug)]
// A program holds a few worlds, not arrays of them: a box would have no benefit.
#[allow(clippy::large_enum_variant)]
#[non_exhaustive]
pub enum World {
    /// A 2D grid.
    Grid(Grid),
    /// A waypoint graph.
    #[cfg(feature = "graphs")]
    Graph(Waypoints),
    /// A voxel world.
    #[cfg(feature = "voxels")]
    Voxels(Voxels),
}

impl World {
    /// Returns the kind of world.
    pub fn kind(&self) -> WorldKind {
        match self {
            World::Grid(_) => WorldKind::Grid,
            #[cfg(feature = "graphs")]
            World::Graph(_) => WorldKind::Graph,
            #[cfg(feature = "voxels")]
            World::Voxels(_) => WorldKind::Voxel,
        }
    }

    /// Returns how large the world is, in words.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::world::any::World;
    /// assert_eq!(World::from(Grid::new(8, 6).unwrap()).extent(), "8 x 6 cells");
    /// ```
    pub fn extent(&self) -> String {
        match self {
            World::Grid(grid) => format!("{} x {} cells", grid.width(), grid.height()),
            #[cfg(feature = "graphs")]
            World::Graph(graph) => format!("{} nodes, {} edges", graph.node_count(), graph.edges().len()),
            #[cfg(feature = "voxels")]
            World::Voxels(voxels) => {
                let [x, y, z] = voxels.size();
                format!("{x} x {y} x {z} cells")
            }
        }
    }

    /// Returns how many nodes the world has: its cells, or the nodes of a graph.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::world::any::World;
    /// assert_eq!(World::from(Grid::new(8, 6).unwrap()).node_count(), 48);
    /// ```
    pub fn node_count(&self) -> usize {
        match self {
            World::Grid(grid) => grid.width() as usize * grid.height() as usize,
            #[cfg(feature = "graphs")]
            World::Graph(graph) => graph.node_count(),
            #[cfg(feature = "voxels")]
            World::Voxels(voxels) => voxels.size().iter().map(|&side| side as usize).product(),
        }
    }

    /// Returns a hash of the contents of the world: see [`Grid::digest`], [`Waypoints::digest`] and [`Voxels::digest`].
    pub fn digest(&self) -> u64 {
        match self {
            World::Grid(grid) => grid.digest(),
            #[cfg(feature = "graphs")]
            World::Graph(graph) => graph.digest(),
            #[cfg(feature = "voxels")]
            World::Voxels(voxels) => voxels.digest(),
        }
    }

    /// Returns the world as seen by an agent. On waypoint graphs, all agents are treated alike.
    pub fn view(&self, agent: &Agent) -> View<'_> {
        match self {
            World::Grid(grid) => View::Grid(grid.view(agent)),
            #[cfg(feature = "graphs")]
            World::Graph(graph) => View::Graph(graph),
            #[cfg(feature = "voxels")]
            World::Voxels(voxels) => View::Voxels(voxels.view(agent)),
        }
    }

    /// Makes the changes that were made to another copy of the world. Changes that make no sense here are left out.
    pub(crate) fn replay(&mut self, changes: &Changes) {
        match self {
            World::Grid(grid) => grid.replay(changes),
            #[cfg(feature = "graphs")]
            World::Graph(graph) => {
                for change in changes.edges() {
                    let _ = graph.set_edge(change.edge, change.new);
                }
            }
            #[cfg(feature = "voxels")]
            World::Voxels(voxels) => {
                let edits: Vec<(Voxel, bool)> = changes
                    .cells()
                    .iter()
                    .map(|change| (voxels.voxel(change.node), change.new.is_wall()))
                    .collect();
                let _ = voxels.set_many(edits);
            }
        }
    }
}

impl From<Grid> for World {
    fn from(grid: Grid) -> World {
        World::Grid(grid)
    }
}

#[cfg(feature = "voxels")]
impl From<Voxels> for World {
    fn from(voxels: Voxels) -> World {
        World::Voxels(voxels)
    }
}

#[cfg(feature = "graphs")]
impl From<Waypoints> for World {
    fn from(graph: Waypoints) -> World {
        World::Graph(graph)
    }
}

/// A world to search in: a grid or a voxel world as seen by an agent, a waypoint graph, or a graph of your own.
///
/// Algorithms are chosen by name at run time, so they take an enum. Inside a search everything is concrete.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum View<'a> {
    /// A grid as seen by an agent.
    Grid(GridView<'a>),
    /// A waypoint graph.
    #[cfg(feature = "graphs")]
    Graph(&'a Waypoints),
    /// A voxel world as seen by an agent.
    #[cfg(feature = "voxels")]
    Voxels(VoxelView<'a>),
    /// A graph of your own.
    #[cfg(feature = "graphs")]
    Own(OwnView<'a>),
}

impl<'a> View<'a> {
    /// Returns the kind of this world.
    pub fn kind(&self) -> WorldKind {
        match self {
            View::Grid(_) => WorldKind::Grid,
            #[cfg(feature = "graphs")]
            View::Graph(_) => WorldKind::Graph,
            #[cfg(feature = "voxels")]
            View::Voxels(_) => WorldKind::Voxel,
            #[cfg(feature = "graphs")]
            View::Own(_) => WorldKind::Own,
        }
    }

    /// Returns the grid view, if this is a grid.
    pub fn as_grid(&self) -> Option<&GridView<'a>> {
        if let View::Grid(view) = self { Some(view) } else { None }
    }

    /// Returns the voxel view, if this is a voxel world.
    #[cfg(feature = "voxels")]
    pub fn as_voxels(&self) -> Option<&VoxelView<'a>> {
        if let View::Voxels(view) = self { Some(view) } else { None }
    }

    /// Returns a copy of the world, which shares its memory; `None` for a user-defined graph, which belongs to the program.
    pub(crate) fn to_world(self) -> Option<World> {
        match self {
            View::Grid(view) => Some(World::Grid(view.grid().clone())),
            #[cfg(feature = "graphs")]
            View::Graph(graph) => Some(World::Graph(graph.clone())),
            #[cfg(feature = "voxels")]
            View::Voxels(view) => Some(World::Voxels(view.voxels().clone())),
            #[cfg(feature = "graphs")]
            View::Own(_) => None,
        }
    }

    /// Returns the view of another agent of the same kind.
    pub(crate) fn seen_by(&self, agent: &AgentKey) -> View<'a> {
        match (self, agent) {
            (View::Grid(view), AgentKey::OnGrid(agent)) => View::Grid(agent.view(view.grid())),
            #[cfg(feature = "voxels")]
            (View::Voxels(view), AgentKey::InSpace(agent)) => View::Voxels(agent.view(view.voxels())),
            _ => *self,
        }
    }

    /// Returns the revision and the agent, for comparisons.
    pub(crate) fn vantage(&self) -> Vantage {
        Vantage { revision: self.revision(), agent: self.agent_key() }
    }

    /// Returns the current revision of the world.
    pub fn revision(&self) -> Revision {
        on_world!(self, space => SearchSpace::revision(space))
    }

    /// Returns the scale of costs in this world.
    pub fn scale(&self) -> Scale {
        on_world!(self, space => SearchSpace::scale(space))
    }

    /// Returns the place of a node.
    pub fn place_of(&self, node: NodeId) -> Place {
        match self {
            View::Grid(view) => Place::Cell(view.grid().cell(node)),
            #[cfg(feature = "voxels")]
            View::Voxels(view) => Place::Voxel(view.voxels().voxel(node)),
            #[cfg(feature = "graphs")]
            View::Graph(_) | View::Own(_) => Place::Node(node),
        }
    }

    /// One more than the largest node number.
    pub(crate) fn node_bound(&self) -> usize {
        on_world!(self, space => Graph::node_bound(space))
    }

    /// Returns which node numbers exist.
    pub(crate) fn numbering(&self) -> Numbering {
        on_world!(self, space => space.numbering())
    }

    /// Returns the properties of the agent that decide about its paths.
    pub(crate) fn agent_key(&self) -> AgentKey {
        on_world!(self, space => space.agent_key())
    }
}

impl Located for View<'_> {
    fn position(&self, node: NodeId) -> Point {
        on_world!(self, space => space.position(node))
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

#[cfg(feature = "graphs")]
impl<'a> From<&'a Waypoints> for View<'a> {
    fn from(graph: &'a Waypoints) -> View<'a> {
        View::Graph(graph)
    }
}

#[cfg(feature = "voxels")]
impl<'a> From<VoxelView<'a>> for View<'a> {
    fn from(view: VoxelView<'a>) -> View<'a> {
        View::Voxels(view)
    }
}

#[cfg(feature = "voxels")]
impl<'a> From<&VoxelView<'a>> for View<'a> {
    fn from(view: &VoxelView<'a>) -> View<'a> {
        View::Voxels(*view)
    }
}

#[cfg(feature = "graphs")]
impl<'a> From<OwnView<'a>> for View<'a> {
    fn from(view: OwnView<'a>) -> View<'a> {
        View::Own(view)
    }
}

impl<'a> From<&View<'a>> for View<'a> {
    fn from(view: &View<'a>) -> View<'a> {
        *view
    }
}

/// Memory of heuristics and expanders of all kinds of world, kept between searches. The memory of a kind stays empty until such a
/// world is searched.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub cells: [AnchorBuffer<CellBox>; 2],
    #[cfg(feature = "graphs")]
    pub points: [AnchorBuffer<PointBox>; 2],
    #[cfg(feature = "voxels")]
    pub voxels: [AnchorBuffer<VoxelBox>; 2],
    #[cfg(feature = "voxels")]
    pub steps: StepCache,
}

impl Scratch {
    pub fn bytes(&self) -> usize {
        let bytes = self.cells.iter().map(AnchorBuffer::bytes).sum::<usize>();
        #[cfg(feature = "graphs")]
        let bytes = bytes + self.points.iter().map(AnchorBuffer::bytes).sum::<usize>();
        #[cfg(feature = "voxels")]
        let bytes = bytes + self.voxels.iter().map(AnchorBuffer::bytes).sum::<usize>() + self.steps.bytes();
        bytes
    }
}

/// The properties of an agent that decide about its paths, for each kind of world.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) enum AgentKey {
    /// All agents are equal.
    #[default]
    None,
    OnGrid(grid::Policy),
    #[cfg(feature = "voxels")]
    InSpace(voxels::Policy),
    /// A user-defined graph, by its address if it has no history.
    OnOwn {
        address: usize,
        nodes: usize,
        two_way: bool,
    },
}

/// The node numbers of a world, by which a search recognises foreign nodes after it has ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Numbering {
    Grid(grid::Shape),
    /// The number of nodes.
    Graph(usize),
    #[cfg(feature = "voxels")]
    Voxels(voxels::Shape),
}

impl Numbering {
    /// Returns whether another world has the same numbers for nodes in the same places, as far as numbers tell.
    pub fn is_same(&self, other: &Numbering) -> bool {
        match (self, other) {
            (Numbering::Grid(one), Numbering::Grid(other)) => one == other,
            (Numbering::Graph(one), Numbering::Graph(other)) => one == other,
            #[cfg(feature = "voxels")]
            (Numbering::Voxels(one), Numbering::Voxels(other)) => one == other,
            _ => false,
        }
    }

    /// Returns whether there is a node with this number.
    pub fn contains(&self, node: NodeId) -> bool {
        match self {
            // The border around a world has numbers and no cells.
            Numbering::Grid(shape) => {
                (1..shape.node_bound()).contains(&node.index()) && shape.contains(shape.cell(node))
            }
            Numbering::Graph(count) => node.index() < *count,
            #[cfg(feature = "voxels")]
            Numbering::Voxels(shape) => {
                (1..shape.node_bound()).contains(&node.index()) && shape.contains(shape.voxel(node))
            }
        }
    }
}

/// The revision and the agent of a search: a paused search must not continue with others.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Vantage {
    revision: Revision,
    agent: AgentKey,
}

impl Vantage {
    /// Returns the revision.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns whether the agent is the same as in another vantage.
    pub fn has_same_agent(&self, other: &Vantage) -> bool {
        self.agent == other.agent
    }
}

/// A value that identifies a node of a world: a node itself, a cell, or a point in world coordinates.
pub trait Locate: Copy {
    /// Returns the node; `None` if it is not in this world. Cells have no meaning in waypoint graphs; a point there means the
    /// nearest node.
    fn node_in(self, view: &View<'_>) -> Option<NodeId>;

    /// Returns whether values of this type can identify nodes in this kind of world. If not, a query reports
    /// [`Why::WrongPlace`] instead of a start or goal outside the map.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let voxels = Voxels::new(8, 8, 8).unwrap();
    /// let view = View::from(voxels.view(&Agent::default()));
    /// assert!(Voxel::new(99, 0, 0).suits(&view) && !Cell::new(0, 0).suits(&view));
    /// ```
    fn suits(self, _view: &View<'_>) -> bool {
        true
    }
}

/// Returns the node of a place, or the reason why it has none.
pub(crate) fn locate(place: impl Locate, view: &View<'_>, outside: Why) -> Result<NodeId, Why> {
    place.node_in(view).ok_or_else(|| if place.suits(view) { outside } else { Why::WrongPlace })
}

impl Locate for NodeId {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        view.numbering().contains(self).then_some(self)
    }
}

impl Locate for Cell {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        view.as_grid().and_then(|view| view.grid().node(self))
    }

    fn suits(self, view: &View<'_>) -> bool {
        view.kind() == WorldKind::Grid
    }
}

impl Locate for Voxel {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        match view {
            #[cfg(feature = "voxels")]
            View::Voxels(view) => view.voxels().node(self),
            _ => None,
        }
    }

    fn suits(self, view: &View<'_>) -> bool {
        view.kind() == WorldKind::Voxel
    }
}

impl Locate for Point {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        match view {
            View::Grid(view) => view.grid().node(view.grid().frame().cell_at(self)),
            #[cfg(feature = "graphs")]
            View::Graph(graph) => graph.nearest(self),
            #[cfg(feature = "voxels")]
            View::Voxels(view) => view.voxels().node(view.voxels().frame().voxel_at(self)),
            // Such a graph has no index of positions to look a point up in.
            #[cfg(feature = "graphs")]
            View::Own(_) => None,
        }
    }

    fn suits(self, view: &View<'_>) -> bool {
        view.kind() != WorldKind::Own
    }
}

/// A place in a world of any kind: a cell of a grid or voxel world, a node, or a point in world coordinates.
///
/// With the feature `serde`, places can be read and written: `[x, y]`, `[x, y, z]`, a number, and a point as `{"x": 1.5, "y": 2.0,
/// "z": 0.0}`.
///
/// ```
/// use surefoot::prelude::*;
/// assert_eq!(Place::from(Cell::new(3, 4)).to_string(), "cell 3,4");
/// let grid = Grid::new(8, 8).unwrap();
/// let view = View::from(grid.view(&Agent::default()));
/// assert_eq!(Place::from(Voxel::new(3, 4, 5)).node_in(&view), None, "a grid has no cells in space");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Place {
    /// A cell of a grid.
    Cell(Cell),
    /// A cell of a voxel world.
    Voxel(Voxel),
    /// A node.
    Node(NodeId),
    /// A point in world coordinates.
    Point(Point),
}

impl Locate for Place {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        match self {
            Place::Cell(cell) => cell.node_in(view),
            Place::Voxel(voxel) => voxel.node_in(view),
            Place::Node(node) => node.node_in(view),
            Place::Point(point) => point.node_in(view),
        }
    }

    fn suits(self, view: &View<'_>) -> bool {
        match self {
            Place::Cell(cell) => cell.suits(view),
            Place::Voxel(voxel) => voxel.suits(view),
            Place::Node(node) => node.suits(view),
            Place::Point(point) => point.suits(view),
        }
    }
}

impl From<Cell> for Place {
    fn from(cell: Cell) -> Place {
        Place::Cell(cell)
    }
}

impl From<Voxel> for Place {
    fn from(voxel: Voxel) -> Place {
        Place::Voxel(voxel)
    }
}

impl From<NodeId> for Place {
    fn from(node: NodeId) -> Place {
        Place::Node(node)
    }
}

impl From<Point> for Place {
    fn from(point: Point) -> Place {
        Place::Point(point)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Cell(cell) => write!(f, "cell {},{}", cell.x, cell.y),
            Place::Voxel(voxel) => write!(f, "cell {},{},{}", voxel.x, voxel.y, voxel.z),
            Place::Node(node) => write!(f, "node {}", node.0),
            Place::Point(Point { x, y, z }) => write!(f, "point {x},{y},{z}"),
        }
    }
}
