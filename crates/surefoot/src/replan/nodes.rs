//! What a repair stores per node.

use crate::id::NodeId;
use crate::replan::queue::Places;

/// More than the cost of any path, and small enough to add to.
pub(super) const INFINITE: u64 = u64::MAX / 4;

/// A node. It is consistent when `g` and `rhs` are equal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The cost of a path to it when it was last expanded.
    pub g: u64,
    /// The cost of a path to it according to its predecessors.
    pub rhs: u64,
    /// The predecessor that determines `rhs`.
    pub parent: NodeId,
    /// The tree it belongs to; the data of other trees is invalid.
    epoch: u32,
    /// The last repair that changed it.
    repair: u32,
}

impl Node {
    const UNKNOWN: Node = Node { g: INFINITE, rhs: INFINITE, parent: NodeId::NONE, epoch: 0, repair: 0 };
}

/// All nodes, in an array; those of former trees are unknown.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    list: Vec<Node>,
    /// By node: its position in the queue, 0 if it is not queued. Stored separately because every move in the queue
    /// updates a position, and these fit a cache.
    places: Vec<u32>,
    epoch: u32,
    repair: u32,
    /// The nodes that the current repair has changed, if logging is on.
    changed: Option<Vec<NodeId>>,
}

impl Nodes {
    /// Forgets everything and makes room for nodes below `bound`. The queue has to be empty.
    pub fn begin(&mut self, bound: usize) {
        if self.list.len() < bound || self.epoch == u32::MAX {
            self.list = vec![Node::UNKNOWN; bound];
            self.places = vec![0; bound];
            self.epoch = 0;
        }
        self.epoch += 1;
    }

    /// Begins a repair.
    pub fn begin_repair(&mut self) {
        self.repair = self.repair.wrapping_add(1);
        if let Some(changed) = &mut self.changed {
            changed.clear();
        }
    }

    /// Sets whether to record which nodes repairs change.
    pub fn set_logging(&mut self, on: bool) {
        self.changed = on.then(|| self.changed.take().unwrap_or_default());
    }

    /// Returns the nodes that the last repair has changed, if logging is on.
    pub fn changed(&self) -> &[NodeId] {
        self.changed.as_deref().unwrap_or_default()
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<Node>()
            + self.places.capacity() * size_of::<u32>()
            + self.changed.as_ref().map_or(0, |changed| changed.capacity() * size_of::<NodeId>())
    }

    /// Returns what is known about a node.
    #[inline]
    pub fn of(&self, node: NodeId) -> Option<&Node> {
        self.list.get(node.index()).filter(|known| known.epoch == self.epoch)
    }

    /// Returns the position of a node in the queue; 0 if it is not queued.
    #[inline]
    pub fn place_of(&self, node: NodeId) -> u32 {
        self.places.get(node.index()).copied().unwrap_or(0)
    }

    /// Returns the `g` of a node; [`INFINITE`] if nothing is known about it.
    #[inline]
    pub fn g(&self, node: NodeId) -> u64 {
        let known = &self.list[node.index()];
        if known.epoch == self.epoch { known.g } else { INFINITE }
    }

    /// Returns the `rhs` of a node; [`INFINITE`] if nothing is known about it.
    #[inline]
    pub fn rhs(&self, node: NodeId) -> u64 {
        let known = &self.list[node.index()];
        if known.epoch == self.epoch { known.rhs } else { INFINITE }
    }

    /// Returns a node for modification.
    #[inline]
    pub fn reach(&mut self, node: NodeId) -> &mut Node {
        let known = &mut self.list[node.index()];
        if known.epoch != self.epoch {
            *known = Node { epoch: self.epoch, ..Node::UNKNOWN };
        }
        if let Some(changed) = &mut self.changed
            && known.repair != self.repair
        {
            known.repair = self.repair;
            changed.push(node);
        }
        known
    }
}

impl Places for Nodes {
    #[inline]
    fn place(&mut self, node: NodeId) -> &mut u32 {
        &mut self.places[node.index()]
    }
}
