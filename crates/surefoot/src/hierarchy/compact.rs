//! A small graph with numbers of its own, flooded many times while a part is made.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// With more different costs than this a heap is quicker than a lane for each.
const MANY_COSTS: usize = 16;

/// So many bits of an entry of the heap are the node: no part has as many nodes below it as they can number.
const NODE_BITS: u32 = 16;

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    /// The place of the cost among all different costs.
    lane: u32,
    cost: u64,
}

/// A node to be looked at, with the cost of coming there.
type Entry = (u64, u32);

/// Entries that were added in order, the next one at `head`.
#[derive(Clone, Debug, Default)]
struct Lane {
    entries: Vec<Entry>,
    head: usize,
}

/// The graph, and what the last flood found.
///
/// Where few different costs occur, the open nodes wait in one lane for each cost. Nodes are taken in order of what they
/// cost, so what is added to a lane is in order too, and the next node is at the head of one of the lanes.
#[derive(Clone, Debug, Default)]
pub(super) struct Compact {
    /// Where the edges of each node begin.
    starts: Vec<u32>,
    edges: Vec<Edge>,
    /// Whether a node is one of the part's own.
    marks: Vec<bool>,
    /// All different costs, as long as they are few.
    costs: Vec<u64>,
    lanes: Vec<Lane>,
    /// Costs and nodes in one number each.
    heap: BinaryHeap<Reverse<u64>>,
    /// By node: what it costs to come there, and whether that is possible through one of the part's own nodes.
    reached: Vec<(u64, bool)>,
}

/// An entry of the heap. Of costs that do not fit, the order is lost, which only means looking at a node again.
fn pack(cost: u64, node: u32) -> u64 {
    cost.min(u64::MAX >> NODE_BITS) << NODE_BITS | u64::from(node)
}

/// The cost of a node that has not been reached.
const NEVER: u64 = u64::MAX;

impl Compact {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.edges.clear();
        self.marks.clear();
        self.costs.clear();
    }

    /// Adds a node; its edges follow.
    pub fn node(&mut self, mark: bool) {
        self.starts.push(self.edges.len() as u32);
        self.marks.push(mark);
    }

    /// Adds an edge from the last node.
    pub fn edge(&mut self, to: u32, cost: u64) {
        let known = self.costs.iter().position(|&other| other == cost);
        let lane = known.unwrap_or_else(|| {
            if self.costs.len() <= MANY_COSTS {
                self.costs.push(cost);
            }
            self.costs.len() - 1
        });
        self.edges.push(Edge { to, lane: lane as u32, cost });
    }

    /// Finds the cheapest ways from a node to all others.
    pub fn flood(&mut self, source: u32) {
        self.reached.clear();
        self.reached.resize(self.marks.len(), (NEVER, false));
        self.lanes.resize_with(self.lanes.len().max(self.costs.len()), Lane::default);
        self.reached[source as usize].0 = 0;
        self.look_from(0, source, source);
        if self.costs.len() > MANY_COSTS {
            while let Some(Reverse(packed)) = self.heap.pop() {
                let node = packed as u32 & ((1 << NODE_BITS) - 1);
                let cost = self.reached[node as usize].0;
                // What has been reached more cheaply since has been looked at already.
                if pack(cost, node) == packed {
                    self.look_from(cost, node, source);
                }
            }
            return;
        }
        while let Some((cost, node)) = self.take() {
            self.look_from(cost, node, source);
        }
        for lane in &mut self.lanes {
            lane.entries.clear();
            lane.head = 0;
        }
    }

    /// Takes the cheapest entry from the lanes.
    fn take(&mut self) -> Option<Entry> {
        let mut best: Option<(u64, u32, usize)> = None;
        for (index, lane) in self.lanes[..self.costs.len()].iter().enumerate() {
            if let Some(&(cost, node)) = lane.entries.get(lane.head)
                && best.is_none_or(|(least, ..)| cost < least)
            {
                best = Some((cost, node, index));
            }
        }
        let (cost, node, index) = best?;
        self.lanes[index].head += 1;
        Some((cost, node))
    }

    /// Follows the edges of a node, unless it has been reached more cheaply since.
    fn look_from(&mut self, cost: u64, node: u32, source: u32) {
        let (least, through) = self.reached[node as usize];
        if least != cost {
            return;
        }
        let through = through || (self.marks[node as usize] && node != source);
        let heap = self.costs.len() > MANY_COSTS;
        let first = self.starts[node as usize] as usize;
        let end = self.starts.get(node as usize + 1).map_or(self.edges.len(), |&end| end as usize);
        for edge in &self.edges[first..end] {
            let known = &mut self.reached[edge.to as usize];
            let cost = cost + edge.cost;
            if cost < known.0 {
                *known = (cost, through);
                if heap {
                    self.heap.push(Reverse(pack(cost, edge.to)));
                } else {
                    self.lanes[edge.lane as usize].entries.push((cost, edge.to));
                }
            } else if cost == known.0 {
                known.1 |= through;
            }
        }
    }

    /// What it costs to come to a node from the last source, if no equally cheap way leads through another of the part's own
    /// nodes.
    pub fn direct(&self, node: u32) -> Option<u64> {
        let (cost, through) = self.reached[node as usize];
        (cost != NEVER && cost != 0 && !through).then_some(cost)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn floods_find_the_cheapest_ways_with_few_costs_and_with_many(
            edges in vec((0..12_usize, 0..12_u32, 1..40_u64), 0..80), few: bool, marks in vec(any::<bool>(), 12),
        ) {
            let price = |cost: u64| if few { 3 + cost % 2 } else { cost };
            let mut compact = Compact::default();
            for (node, &mark) in marks.iter().enumerate() {
                compact.node(mark);
                for &(_, to, cost) in edges.iter().filter(|(from, ..)| *from == node) {
                    compact.edge(to, price(cost));
                }
            }
            let mut all = vec![[NEVER / 4; 12]; 12];
            for &(from, to, cost) in &edges {
                all[from][to as usize] = all[from][to as usize].min(price(cost));
            }
            for node in 0..12 {
                all[node][node] = 0;
            }
            for middle in 0..12 {
                for (from, to) in (0..12).flat_map(|from| (0..12).map(move |to| (from, to))) {
                    all[from][to] = all[from][to].min(all[from][middle] + all[middle][to]);
                }
            }
            for (source, to) in (0..12).flat_map(|from| (0..12).map(move |to| (from, to))) {
                compact.flood(source as u32);
                let cost = all[source][to];
                let between = |middle: &usize| {
                    let splits = all[source][*middle] + all[*middle][to] == cost;
                    marks[*middle] && splits && *middle != source && *middle != to
                };
                let expected = (cost < NEVER / 4 && cost > 0 && !(0..12).any(|middle| between(&middle))).then_some(cost);
                prop_assert_eq!(compact.direct(to as u32), expected);
            }
        }
    }
}
