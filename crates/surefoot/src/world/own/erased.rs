//! A graph with its type erased. Edges are passed in batches, so that a search makes one virtual call per node instead of one per
//! edge. Edges that no search can use are filtered out here, where the type is known and the check costs next to nothing.

use crate::cost::Cost;
use crate::graph::ReverseGraph;
use crate::id::NodeId;
use crate::space::Point;
use crate::world::journal::Revision;
use crate::world::own::OwnGraph;

/// Takes some edges: the node at the other end, and the cost.
pub(super) type Take<'t> = &'t mut dyn FnMut(&[(NodeId, Cost)]);

/// How many edges are handed over at once. Most nodes have fewer.
const BATCH: usize = 8;

/// Collects the edges of a graph with `bound` nodes.
struct Batch<'g, G> {
    graph: &'g G,
    bound: usize,
    edges: [(NodeId, Cost); BATCH],
    len: usize,
}

impl<'g, G: OwnGraph> Batch<'g, G> {
    fn new(graph: &'g G, bound: usize) -> Batch<'g, G> {
        Batch { graph, bound, edges: [(NodeId::NONE, Cost::ZERO); BATCH], len: 0 }
    }

    #[inline]
    fn add(&mut self, node: NodeId, cost: Cost, take: Take<'_>) {
        if !is_sound(self.graph, self.bound, node, cost) {
            return;
        }
        if self.len == BATCH {
            take(&self.edges);
            self.len = 0;
        }
        self.edges[self.len] = (node, cost);
        self.len += 1;
    }
}

/// Whether an edge is one that searches can use.
#[inline]
fn is_sound<G: OwnGraph>(graph: &G, bound: usize, other_end: NodeId, cost: Cost) -> bool {
    other_end.index() < bound && cost > Cost::ZERO && cost <= Cost::MAX_EDGE && graph.stands(other_end)
}

/// [`OwnGraph`] without types.
pub(super) trait Edges: Sync {
    fn edges(&self, from: NodeId, bound: usize, take: Take<'_>);
    fn straight(&self, at: NodeId, next: NodeId, bound: usize) -> Option<(NodeId, Cost)>;
    fn estimate_between(&self, from: NodeId, to: NodeId) -> Cost;
    fn stands_at(&self, node: NodeId) -> bool;
    fn position_of(&self, node: NodeId) -> Point;
    fn max_edge_cost(&self) -> Cost;
    fn moment(&self) -> Revision;
    fn changes(&self, since: Revision, nodes: &mut Vec<NodeId>) -> bool;
}

impl<G: OwnGraph> Edges for G {
    fn edges(&self, from: NodeId, bound: usize, take: Take<'_>) {
        let mut batch = Batch::new(self, bound);
        self.for_each_edge(from, |to, cost| batch.add(to, cost, take));
        take(&batch.edges[..batch.len]);
    }

    fn straight(&self, at: NodeId, next: NodeId, bound: usize) -> Option<(NodeId, Cost)> {
        let (before, cost) =
            self.straight_before(at, next).filter(|&(before, cost)| is_sound(self, bound, before, cost))?;
        // Paths follow what this returns, so there must be such an edge.
        let mut is_edge = false;
        self.for_each_edge(before, |to, edge| is_edge |= to == at && edge == cost);
        is_edge.then_some((before, cost))
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

    fn max_edge_cost(&self) -> Cost {
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
    fn edges_into(&self, to: NodeId, bound: usize, take: Take<'_>);
}

impl<G: OwnGraph + ReverseGraph> EdgesBack for G {
    fn edges_into(&self, to: NodeId, bound: usize, take: Take<'_>) {
        let mut batch = Batch::new(self, bound);
        self.for_each_edge_into(to, |from, cost| batch.add(from, cost, take));
        take(&batch.edges[..batch.len]);
    }
}
