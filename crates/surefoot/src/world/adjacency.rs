//! The edges at each node.

use crate::id::NodeId;
use crate::world::waypoints::{Edge, EdgeId};

/// For each node, the numbers of its edges, as one flat list.
#[derive(Clone, Debug)]
pub(crate) struct Adjacency {
    first: Vec<u32>,
    edges: Vec<EdgeId>,
}

impl Adjacency {
    /// Lists each edge at one of its ends.
    pub fn new(nodes: usize, edges: &[Edge], end: impl Fn(&Edge) -> NodeId) -> Adjacency {
        let mut first = vec![0; nodes + 1];
        for edge in edges {
            first[end(edge).index() + 1] += 1;
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut free = first.clone();
        let mut list = vec![EdgeId(0); edges.len()];
        for (id, edge) in (0..).zip(edges) {
            let slot = &mut free[end(edge).index()];
            list[*slot as usize] = EdgeId(id);
            *slot += 1;
        }
        Adjacency { first, edges: list }
    }

    /// The edges of a node, in the order of their numbers.
    #[inline]
    pub fn of(&self, node: NodeId) -> &[EdgeId] {
        &self.edges[self.first[node.index()] as usize..self.first[node.index() + 1] as usize]
    }
}
