//! A graph of whichever type: edges are handed over many at a time, so that a search makes one virtual call a node and not one an edge.

use crate::cost::Cost;
use crate::graph::ReverseGraph;
use crate::id::NodeId;
use crate::space::Point;
use crate::world::journal::Revision;
use crate::world::own::OwnGraph;

/// Takes some edges: the node at the other end, and the cost.
pub(super) type Take<'t> = &'t mut dyn FnMut(&[(NodeId, Cost)]);

/// How many edges are handed over at once. Most nodes have fewer.
const BATCH: usize = 16;

/// Gathers edges.
struct Batch {
    edges: [(NodeId, Cost); BATCH],
    len: usize,
}

impl Batch {
    fn new() -> Batch {
        Batch { edges: [(NodeId::NONE, Cost::ZERO); BATCH], len: 0 }
    }

    #[inline]
    fn add(&mut self, node: NodeId, cost: Cost, take: Take<'_>) {
        if self.len == BATCH {
            take(&self.edges);
            self.len = 0;
        }
        self.edges[self.len] = (node, cost);
        self.len += 1;
    }
}

/// [`OwnGraph`] without types.
pub(super) trait Edges: Sync {
    fn edges(&self, from: NodeId, take: Take<'_>);
    fn straight(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)>;
    fn estimate_between(&self, from: NodeId, to: NodeId) -> Cost;
    fn stands_at(&self, node: NodeId) -> bool;
    fn position_of(&self, node: NodeId) -> Point;
    fn dearest(&self) -> Cost;
    fn moment(&self) -> Revision;
    fn changes(&self, since: Revision, nodes: &mut Vec<NodeId>) -> bool;
}

impl<G: OwnGraph> Edges for G {
    fn edges(&self, from: NodeId, take: Take<'_>) {
        let mut batch = Batch::new();
        self.for_each_edge(from, |to, cost| batch.add(to, cost, take));
        take(&batch.edges[..batch.len]);
    }

    fn straight(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        self.straight_before(at, next)
    }

    fn estimate_between(&self, from: NodeId, to: NodeId) -> Cost {
        self.estimate(from, to)
    }

    fn stands_at(&self, node: NodeId) -> bool {
        self.stands(node)
    }

    fn position_of(&self, node: NodeId) -> Point {
        self.position(node)
    }

    fn dearest(&self) -> Cost {
        self.long_edge()
    }

    fn moment(&self) -> Revision {
        self.revision()
    }

    fn changes(&self, since: Revision, nodes: &mut Vec<NodeId>) -> bool {
        self.changed_since(since, nodes)
    }
}

/// [`ReverseGraph`] without types.
pub(super) trait EdgesBack: Sync {
    fn edges_into(&self, to: NodeId, take: Take<'_>);
}

impl<G: ReverseGraph + Sync> EdgesBack for G {
    fn edges_into(&self, to: NodeId, take: Take<'_>) {
        let mut batch = Batch::new();
        self.for_each_edge_into(to, |from, cost| batch.add(from, cost, take));
        take(&batch.edges[..batch.len]);
    }
}
