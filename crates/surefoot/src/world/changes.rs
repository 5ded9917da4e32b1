//! What changed in a world between two revisions, as read from its journal.
//!
//! A world [writes its journal into](crate::world::space::SearchSpace::read_changes) a [`Changes`]. The effect on edges, legs of
//! paths and estimates is determined by the world, since it depends on the radius of the agent.

use crate::id::NodeId;
use crate::world::grid::Terrain;
use crate::world::links::Link;
#[cfg(feature = "graphs")]
use crate::world::waypoints::EdgeChange;

/// A cell with another terrain than before. In voxel worlds solid cells are walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellChange {
    pub node: NodeId,
    pub old: Terrain,
    pub new: Terrain,
    /// How many changes were written down before.
    order: u32,
}

impl CellChange {
    /// Whether a wall came or went: that reaches further than a change of terrain, because it decides where agents can stand.
    pub fn flips(&self) -> bool {
        self.old.is_wall() != self.new.is_wall()
    }

    /// Whether no edge can have appeared or become cheaper.
    pub fn is_worse(&self) -> bool {
        self.new.is_wall() || !self.old.is_wall() && self.new > self.old
    }
}

/// The nodes that a planner has to look at again, because edges of theirs changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    /// Nodes with edges that may have appeared or become cheaper. Sorted.
    pub better: Vec<NodeId>,
    /// Other nodes, with edges that may have vanished or become more expensive. Sorted.
    pub worse: Vec<NodeId>,
}

impl Touched {
    pub fn clear(&mut self) {
        self.better.clear();
        self.worse.clear();
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.better.len() + self.worse.len()
    }

    /// Adds the effects of a change near some nodes on a planner that has costs of some nodes. Every edge that the change concerns
    /// leads from one of the nodes to another. So if edges only became worse, those with a known cost are concerned; and
    /// if edges became better, all of them, unless none has a known cost that could be passed on.
    pub fn near(
        &mut self,
        is_worse: bool,
        knows: impl Fn(NodeId) -> bool,
        for_each_near: impl FnOnce(&mut dyn FnMut(NodeId)),
    ) {
        if is_worse {
            for_each_near(&mut |node| {
                if knows(node) {
                    self.worse.push(node);
                }
            });
            return;
        }
        let (first, mut is_known) = (self.better.len(), false);
        for_each_near(&mut |node| {
            is_known |= knows(node);
            self.better.push(node);
        });
        if !is_known {
            self.better.truncate(first);
        }
    }

    /// Sorts the nodes, and leaves each only once.
    pub fn settle(&mut self) {
        self.better.sort_unstable();
        self.better.dedup();
        self.worse.sort_unstable();
        self.worse.dedup();
        let better = &self.better;
        if !better.is_empty() {
            self.worse.retain(|node| better.binary_search(node).is_err());
        }
    }
}

/// What changed between two moments, in the order in which it did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    cells: Vec<CellChange>,
    /// Links, and by how many of them there are more.
    links: Vec<(Link, i32)>,
    /// With how many changes of edges were written down before.
    #[cfg(feature = "graphs")]
    edges: Vec<(u32, EdgeChange)>,
    /// Nodes of user-defined graphs of which some edge changed.
    nodes: Vec<NodeId>,
}

impl Changes {
    pub fn clear(&mut self) {
        self.cells.clear();
        self.links.clear();
        #[cfg(feature = "graphs")]
        self.edges.clear();
        self.nodes.clear();
    }

    pub fn cell(&mut self, node: NodeId, old: Terrain, new: Terrain) {
        self.cells.push(CellChange { node, old, new, order: self.cells.len() as u32 });
    }

    /// A link was added (`more` is 1) or removed (-1).
    pub fn link(&mut self, link: Link, more: i32) {
        self.links.push((link, more));
    }

    #[cfg(feature = "graphs")]
    pub fn edge(&mut self, change: EdgeChange) {
        self.edges.push((self.edges.len() as u32, change));
    }

    /// Returns the nodes of a user-defined graph, to be added to.
    pub fn nodes_mut(&mut self) -> &mut Vec<NodeId> {
        &mut self.nodes
    }

    pub fn cells(&self) -> &[CellChange] {
        &self.cells
    }

    pub fn links(&self) -> &[(Link, i32)] {
        &self.links
    }

    #[cfg(feature = "graphs")]
    pub fn edges(&self) -> impl Iterator<Item = &EdgeChange> {
        self.edges.iter().map(|(_, change)| change)
    }

    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// How many changes there are.
    pub fn len(&self) -> usize {
        let len = self.cells.len() + self.links.len() + self.nodes.len();
        #[cfg(feature = "graphs")]
        let len = len + self.edges.len();
        len
    }

    pub fn has_links(&self) -> bool {
        !self.links.is_empty()
    }

    /// Leaves one entry for each thing that is not what it was: changes that undo each other are none.
    pub fn settle(&mut self) {
        self.cells.sort_unstable_by_key(|change| (change.node, change.order));
        self.cells.dedup_by(|later, earlier| {
            let same = later.node == earlier.node;
            if same {
                earlier.new = later.new;
            }
            same
        });
        self.cells.retain(|change| change.old != change.new);
        self.links.sort_unstable();
        self.links.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 += later.1;
            }
            same
        });
        self.links.retain(|(_, more)| *more != 0);
        self.nodes.sort_unstable();
        self.nodes.dedup();
        #[cfg(feature = "graphs")]
        self.settle_edges();
    }

    #[cfg(feature = "graphs")]
    fn settle_edges(&mut self) {
        self.edges.sort_unstable_by_key(|(order, change)| (change.edge, *order));
        self.edges.dedup_by(|(_, later), (_, earlier)| {
            let same = later.edge == earlier.edge;
            if same {
                earlier.new = later.new;
            }
            same
        });
        self.edges.retain(|(_, change)| change.old != change.new);
    }

    /// Returns whether walls were removed and nothing else changed: then the costs of walkable paths have not changed.
    pub fn only_opens(&self) -> bool {
        let opened = |change: &CellChange| change.old.is_wall() && !change.new.is_wall();
        self.len() == self.cells.len() && self.cells.iter().all(opened)
    }

    pub fn bytes(&self) -> usize {
        let bytes = self.cells.capacity() * size_of::<CellChange>()
            + self.links.capacity() * size_of::<(Link, i32)>()
            + self.nodes.capacity() * size_of::<NodeId>();
        #[cfg(feature = "graphs")]
        let bytes = bytes + self.edges.capacity() * size_of::<(u32, EdgeChange)>();
        bytes
    }
}
