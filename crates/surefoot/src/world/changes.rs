//! What changed in a world between two revisions, as read from its journal.
//!
//! A world [writes its journal into](crate::world::space::SearchSpace::read_changes) a [`Changes`]. The effect on edges, legs of
//! paths and estimates is determined by the world, since it depends on the radius of the agent.

use crate::id::NodeId;
use crate::world::grid::Terrain;
use crate::world::links::Link;
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
}

/// What changed between two moments, in the order in which it did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    cells: Vec<CellChange>,
    /// Links, and by how many of them there are more.
    links: Vec<(Link, i32)>,
    /// With how many changes of edges were written down before.
    edges: Vec<(u32, EdgeChange)>,
    /// Nodes of user-defined graphs of which some edge changed.
    nodes: Vec<NodeId>,
}

impl Changes {
    pub fn clear(&mut self) {
        self.cells.clear();
        self.links.clear();
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

    pub fn edges(&self) -> impl Iterator<Item = &EdgeChange> {
        self.edges.iter().map(|(_, change)| change)
    }

    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// How many changes there are.
    pub fn len(&self) -> usize {
        self.cells.len() + self.links.len() + self.edges.len() + self.nodes.len()
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
        self.edges.sort_unstable_by_key(|(order, change)| (change.edge, *order));
        self.edges.dedup_by(|(_, later), (_, earlier)| {
            let same = later.edge == earlier.edge;
            if same {
                earlier.new = later.new;
            }
            same
        });
        self.edges.retain(|(_, change)| change.old != change.new);
        self.nodes.sort_unstable();
        self.nodes.dedup();
    }

    /// Whether nothing happened but that walls went: then what can be walked costs what it did.
    pub fn only_opens(&self) -> bool {
        let opened = |change: &CellChange| change.old.is_wall() && !change.new.is_wall();
        self.links.is_empty()
            && self.edges.is_empty()
            && self.nodes.is_empty()
            && self.cells.iter().all(opened)
    }

    pub fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<CellChange>()
            + self.links.capacity() * size_of::<(Link, i32)>()
            + self.edges.capacity() * size_of::<(u32, EdgeChange)>()
            + self.nodes.capacity() * size_of::<NodeId>()
    }
}
