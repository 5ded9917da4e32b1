//! What can be reached in a directed graph, with each strongly connected component shrunk to one node (Tarjan,
//! *Depth-First Search and Linear Graph Algorithms*, 1972).

use crate::graph::Graph;
use crate::id::NodeId;
use crate::world::disjoint_sets;
use crate::world::nearest::Reach;

/// The strongly connected components of a graph and the connections between them.
#[derive(Clone, Debug)]
pub(crate) struct Condensation {
    /// By node. Edges between components lead from larger to smaller numbers.
    components: Vec<u32>,
    /// By component: where its part of `targets` begins; one more at the end.
    first: Vec<u32>,
    /// The components that edges lead to, for each component sorted.
    targets: Vec<u32>,
    /// By component: the smallest one connected with it if directions are ignored.
    weak: Vec<u32>,
}

impl Condensation {
    /// Finds the components of a graph.
    pub fn of(graph: &impl Graph) -> Condensation {
        let edges = Successors::of(graph);
        let components = strong_components(&edges);
        let count = components.iter().max().map_or(0, |&last| last as usize + 1);
        let mut pairs = Vec::new();
        for node in 0..components.len() {
            let from = components[node];
            let others = edges.from(node as u32).iter().map(|&to| components[to as usize]);
            pairs.extend(others.filter(|&to| to != from).map(|to| (from, to)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut weak: Vec<u32> = (0..count as u32).collect();
        for &(from, to) in &pairs {
            disjoint_sets::join(&mut weak, from, to);
        }
        for component in 0..count as u32 {
            weak[component as usize] = disjoint_sets::first(&mut weak, component);
        }
        let first_of =
            |component: usize| pairs.partition_point(|&(from, _)| (from as usize) < component) as u32;
        Condensation {
            components,
            first: (0..=count).map(first_of).collect(),
            targets: pairs.iter().map(|&(_, to)| to).collect(),
            weak,
        }
    }

    /// The component of a node. In the same component: reachable both ways.
    pub fn component(&self, node: NodeId) -> u32 {
        self.components[node.index()]
    }

    /// Whether one node can be reached from another.
    pub fn reach(&self, from: NodeId, to: NodeId) -> Reach {
        let (from, to) = (self.component(from), self.component(to));
        if self.weak[from as usize] != self.weak[to as usize] {
            Reach::Disconnected
        } else if to <= from && self.reached(from, to)[0] {
            Reach::Connected
        } else {
            Reach::OneWay
        }
    }

    /// Whether each component from number `least` to the one of `from` can be reached from it.
    fn reached(&self, from: u32, least: u32) -> Vec<bool> {
        let mut reached = vec![false; (from - least) as usize + 1];
        reached[(from - least) as usize] = true;
        for component in (least..=from).rev() {
            if reached[(component - least) as usize] {
                let targets =
                    self.first[component as usize] as usize..self.first[component as usize + 1] as usize;
                for &to in self.targets[targets].iter().filter(|&&to| to >= least) {
                    reached[(to - least) as usize] = true;
                }
            }
        }
        reached
    }

    /// A test for whether nodes can be reached from one.
    pub fn reachable_from(&self, from: NodeId) -> impl Fn(NodeId) -> bool + '_ {
        let reached = self.reached(self.component(from), 0);
        move |node| reached.get(self.component(node) as usize).copied().unwrap_or(false)
    }
}

/// The edges of a graph as one flat list of targets.
struct Successors {
    first: Vec<u32>,
    targets: Vec<u32>,
}

impl Successors {
    fn of(graph: &impl Graph) -> Successors {
        let mut first = vec![0];
        let mut targets = Vec::new();
        for node in 0..graph.node_bound() as u32 {
            graph.for_each_edge(NodeId(node), |to, _| targets.push(to.0));
            first.push(targets.len() as u32);
        }
        Successors { first, targets }
    }

    fn from(&self, node: u32) -> &[u32] {
        &self.targets[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }
}

/// A number that is not known yet.
const UNKNOWN: u32 = u32::MAX;

/// A node on the path of the depth-first walk.
struct Step {
    node: u32,
    /// How many of its edges have been followed.
    followed: usize,
    /// How many nodes were discovered before it.
    discovery: u32,
}

/// By node: the number of its strongly connected component. Edges between components lead to smaller numbers.
fn strong_components(edges: &Successors) -> Vec<u32> {
    let nodes = edges.first.len() - 1;
    let mut components = vec![UNKNOWN; nodes];
    // By node: the first discovery known to be reachable from it that has no component yet.
    let mut earliest = vec![UNKNOWN; nodes];
    let (mut discovered, mut count) = (0, 0);
    let mut path: Vec<Step> = Vec::new();
    let mut without_component = Vec::new();
    for root in 0..nodes as u32 {
        let mut next = (earliest[root as usize] == UNKNOWN).then_some(root);
        loop {
            if let Some(node) = next.take() {
                earliest[node as usize] = discovered;
                path.push(Step { node, followed: 0, discovery: discovered });
                without_component.push(node);
                discovered += 1;
            }
            let Some(step) = path.last_mut() else { break };
            let node = step.node as usize;
            if let Some(&to) = edges.from(step.node).get(step.followed) {
                step.followed += 1;
                if earliest[to as usize] == UNKNOWN {
                    next = Some(to);
                } else if components[to as usize] == UNKNOWN {
                    earliest[node] = earliest[node].min(earliest[to as usize]);
                }
                continue;
            }
            if earliest[node] == step.discovery {
                let first = without_component.iter().rposition(|&other| other as usize == node);
                for member in without_component.drain(first.unwrap_or(0)..) {
                    components[member as usize] = count;
                }
                count += 1;
            }
            path.pop();
            if let Some(before) = path.last() {
                let before = before.node as usize;
                earliest[before] = earliest[before].min(earliest[node]);
            }
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cost::Cost;

    #[derive(Debug)]
    struct Arrows(Vec<Vec<u32>>);

    impl Graph for Arrows {
        fn node_bound(&self) -> usize {
            self.0.len()
        }

        fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
            self.0[from.index()].iter().for_each(|&to| visit(NodeId(to), Cost::ONE));
        }
    }

    fn arrows() -> impl Strategy<Value = Arrows> {
        let edges = |nodes| prop::collection::vec((0..nodes, 0..nodes), 0..2 * nodes as usize);
        (1..24_u32).prop_flat_map(move |nodes| (Just(nodes), edges(nodes))).prop_map(|(nodes, edges)| {
            let mut arrows = vec![Vec::new(); nodes as usize];
            for (from, to) in edges {
                arrows[from as usize].push(to);
            }
            Arrows(arrows)
        })
    }

    /// By pairs of nodes: whether there is a path (Warshall).
    fn closure(nodes: usize, edge: impl Fn(usize, usize) -> bool) -> Vec<Vec<bool>> {
        let mut paths: Vec<Vec<bool>> =
            (0..nodes).map(|from| (0..nodes).map(|to| from == to || edge(from, to)).collect()).collect();
        for (middle, from, to) in
            (0..nodes).flat_map(|m| (0..nodes).flat_map(move |f| (0..nodes).map(move |t| (m, f, t))))
        {
            paths[from][to] |= paths[from][middle] && paths[middle][to];
        }
        paths
    }

    proptest! {
        #[test]
        fn reach_matches_the_closure_of_all_edges(graph in arrows()) {
            let condensation = Condensation::of(&graph);
            let nodes = graph.0.len();
            let edge = |from: usize, to: usize| graph.0[from].contains(&(to as u32));
            let directed = closure(nodes, edge);
            let both_ways = closure(nodes, |a, b| edge(a, b) || edge(b, a));
            for from in 0..nodes {
                let reachable = condensation.reachable_from(NodeId(from as u32));
                for to in 0..nodes {
                    let node = [from, to].map(|node| NodeId(node as u32));
                    let expected = match (directed[from][to], both_ways[from][to]) {
                        (true, _) => Reach::Connected,
                        (false, true) => Reach::OneWay,
                        (false, false) => Reach::Disconnected,
                    };
                    prop_assert_eq!(condensation.reach(node[0], node[1]), expected);
                    prop_assert_eq!(reachable(node[1]), directed[from][to]);
                    let same = condensation.component(node[0]) == condensation.component(node[1]);
                    prop_assert_eq!(same, directed[from][to] && directed[to][from]);
                }
            }
        }
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let last = 200_000;
        let graph =
            Arrows((0..=last).map(|node| if node == last { vec![] } else { vec![node + 1] }).collect());
        let condensation = Condensation::of(&graph);
        assert_eq!(condensation.reach(NodeId(0), NodeId(last)), Reach::Connected);
        assert_eq!(condensation.reach(NodeId(last), NodeId(0)), Reach::OneWay);
    }
}
