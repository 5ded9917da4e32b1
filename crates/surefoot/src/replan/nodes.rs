//! What a repair stores per node.

use crate::id::NodeId;
use crate::replan::queue::Places;

/// More than the cost of any path, and small enough to add to.
pub(super) const INFINITE: u64 = u64::MAX / 4;

/// The two costs of a node. It is consistent when they are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Costs {
    /// The cost of a path to it when it was last expanded.
    pub g: u64,
    /// The cost of a path to it according to its predecessors.
    pub rhs: u64,
}

impl Costs {
    #[inline]
    pub fn are_consistent(self) -> bool {
        self.g == self.rhs
    }
}

/// A node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub costs: Costs,
    /// The predecessor that determines `rhs`.
    pub parent: NodeId,
}

/// All nodes, in arrays: a repair looks at one of the costs of all neighbours of a node, but at little else of most of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    g: Vec<u64>,
    rhs: Vec<u64>,
    parents: Vec<NodeId>,
    /// By node: its position in the queue, 0 if it is not queued.
    places: Vec<u32>,
    /// By node: the last repair that changed it, 0 if nothing is known about it.
    stamps: Vec<u32>,
    /// The nodes about which something is known.
    reached: Vec<NodeId>,
    /// The number of the current repair, at least 1 once a tree has begun.
    repair: u32,
    /// The nodes that the current repair has changed, if logging is on.
    changed: Option<Vec<NodeId>>,
}

impl Nodes {
    /// Forgets everything and makes room for nodes below `bound`. The queue has to be empty.
    pub fn begin(&mut self, bound: usize) {
        if self.len() < bound {
            *self = Nodes {
                g: vec![INFINITE; bound],
                rhs: vec![INFINITE; bound],
                parents: vec![NodeId::NONE; bound],
                places: vec![0; bound],
                stamps: vec![0; bound],
                reached: std::mem::take(&mut self.reached),
                repair: self.repair,
                changed: self.changed.take(),
            };
            self.reached.clear();
        }
        self.repair = self.repair.max(1);
        for node in self.reached.drain(..) {
            let at = node.index();
            (self.g[at], self.rhs[at]) = (INFINITE, INFINITE);
            (self.parents[at], self.stamps[at]) = (NodeId::NONE, 0);
        }
    }

    /// Begins a repair.
    pub fn begin_repair(&mut self) {
        self.repair = self.repair.wrapping_add(1).max(1);
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
        self.parents.len()
    }

    pub fn bytes(&self) -> usize {
        (self.g.capacity() + self.rhs.capacity()) * size_of::<u64>()
            + (self.parents.capacity() + self.reached.capacity()) * size_of::<NodeId>()
            + (self.places.capacity() + self.stamps.capacity()) * size_of::<u32>()
            + self.changed.as_ref().map_or(0, |changed| changed.capacity() * size_of::<NodeId>())
    }

    /// Returns what is known about a node.
    pub fn of(&self, node: NodeId) -> Option<Node> {
        let at = node.index();
        let is_known = self.stamps.get(at).is_some_and(|stamp| *stamp != 0);
        is_known.then(|| Node { costs: self.costs(node), parent: self.parents[at] })
    }

    /// Returns the position of a node in the queue; 0 if it is not queued.
    #[inline]
    pub fn place_of(&self, node: NodeId) -> u32 {
        self.places.get(node.index()).copied().unwrap_or(0)
    }

    /// Returns the costs of a node, [`INFINITE`] if nothing is known about it.
    #[inline]
    pub fn costs(&self, node: NodeId) -> Costs {
        Costs { g: self.g(node), rhs: self.rhs(node) }
    }

    /// Returns the `g` of a node, [`INFINITE`] if nothing is known about it.
    #[inline]
    pub fn g(&self, node: NodeId) -> u64 {
        self.g[node.index()]
    }

    /// Returns the `rhs` of a node, [`INFINITE`] if nothing is known about it.
    #[inline]
    pub fn rhs(&self, node: NodeId) -> u64 {
        self.rhs[node.index()]
    }

    /// Returns the predecessor that determines the `rhs` of a node.
    #[inline]
    pub fn parent(&self, node: NodeId) -> NodeId {
        self.parents[node.index()]
    }

    /// Changes the `g` of a node. Returns its costs.
    #[inline]
    pub fn set_g(&mut self, node: NodeId, g: u64) -> Costs {
        self.note(node);
        self.g[node.index()] = g;
        Costs { g, rhs: self.rhs(node) }
    }

    /// Changes the `rhs` of a node and the predecessor that determines it. Returns its costs.
    #[inline]
    pub fn set_rhs(&mut self, node: NodeId, rhs: u64, parent: NodeId) -> Costs {
        self.note(node);
        self.parents[node.index()] = parent;
        self.rhs[node.index()] = rhs;
        Costs { g: self.g(node), rhs }
    }

    /// Records that a node is about to change.
    #[inline]
    fn note(&mut self, node: NodeId) {
        let stamp = &mut self.stamps[node.index()];
        if *stamp != self.repair {
            if *stamp == 0 {
                self.reached.push(node);
            }
            *stamp = self.repair;
            if let Some(changed) = &mut self.changed {
                changed.push(node);
            }
        }
    }
}

impl Places for Nodes {
    #[inline]
    fn place(&mut self, node: NodeId) -> &mut u32 {
        &mut self.places[node.index()]
    }
}
