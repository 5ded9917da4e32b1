//! A small graph with its own node numbers, flooded many times while a cluster is built.

/// The number of buckets.
const RING: usize = 1024;

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    cost: u64,
}

/// The record of a node in a flood.
#[derive(Clone, Copy, Debug)]
struct Reached {
    cost: u64,
    /// Whether one of the cluster's own nodes is on the path.
    through: bool,
    /// Whether it waits in a bucket.
    waits: bool,
}

const NEVER: Reached = Reached { cost: u64::MAX, through: false, waits: false };

/// The graph, and what the last flood found.
///
/// Open nodes wait in buckets by their cost (Dial, *Shortest-Path Forest with Topological Ordering*, 1969). A bucket is
/// no wider than the cheapest edge, so what is in it is final when its turn comes. Only where edges differ too much for
/// the number of buckets they are wider, and a node may have to be expanded again.
#[derive(Clone, Debug, Default)]
pub(super) struct Compact {
    /// Where the edges of each node begin.
    starts: Vec<u32>,
    edges: Vec<Edge>,
    /// Whether a node is one of the cluster's own.
    marks: Vec<bool>,
    /// The costs of the cheapest and the most expensive edge.
    extremes: Option<(u64, u64)>,
    buckets: Vec<Vec<u32>>,
    reached: Vec<Reached>,
}

impl Compact {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.edges.clear();
        self.marks.clear();
        self.extremes = None;
    }

    /// Adds a node; its edges follow.
    pub fn node(&mut self, mark: bool) {
        self.starts.push(self.edges.len() as u32);
        self.marks.push(mark);
    }

    /// Adds an edge from the last node. Its cost is positive.
    pub fn edge(&mut self, to: u32, cost: u64) {
        self.edges.push(Edge { to, cost });
        let (least, most) = self.extremes.unwrap_or((cost, cost));
        self.extremes = Some((least.min(cost), most.max(cost)));
    }

    /// Returns the number of nodes and edges.
    pub fn size(&self) -> u64 {
        (self.marks.len() + self.edges.len()) as u64
    }

    /// Finds the cheapest paths from a node to all others.
    pub fn flood(&mut self, source: u32) {
        self.reached.clear();
        self.reached.resize(self.marks.len(), NEVER);
        self.buckets.resize_with(RING, Vec::new);
        let (least, most) = self.extremes.unwrap_or((1, 1));
        let mut shift = least.ilog2();
        while most >> shift >= RING as u64 - 1 {
            shift += 1;
        }
        self.reached[source as usize] = Reached { cost: 0, through: false, waits: true };
        self.buckets[0].push(source);
        let (mut waiting, mut bucket) = (1, 0);
        while waiting > 0 {
            while let Some(node) = self.buckets[bucket % RING].pop() {
                waiting -= 1;
                // What was met again more cheaply waits in an earlier bucket too, or did.
                if std::mem::take(&mut self.reached[node as usize].waits) {
                    waiting += self.look_from(node, source, shift);
                }
            }
            bucket += 1;
        }
    }

    /// Follows the edges of a node; returns how many nodes were queued.
    fn look_from(&mut self, node: u32, source: u32, shift: u32) -> usize {
        let Reached { cost, through, .. } = self.reached[node as usize];
        let through = through || (self.marks[node as usize] && node != source);
        let first = self.starts[node as usize] as usize;
        let end = self.starts.get(node as usize + 1).map_or(self.edges.len(), |&end| end as usize);
        let mut waiting = 0;
        for edge in &self.edges[first..end] {
            let known = &mut self.reached[edge.to as usize];
            let cost = cost + edge.cost;
            if cost < known.cost {
                *known = Reached { cost, through, waits: true };
                self.buckets[(cost >> shift) as usize % RING].push(edge.to);
                waiting += 1;
            } else if cost == known.cost {
                known.through |= through;
            }
        }
        waiting
    }

    /// Returns the cost from the last source to a node; `u64::MAX` if it cannot be reached.
    pub fn cost(&self, node: u32) -> u64 {
        self.reached[node as usize].cost
    }

    /// Returns the cost from the last source to a node, unless an equally cheap path leads through another of the
    /// cluster's own nodes. (Where a node had to be expanded again, such a path may go unnoticed.)
    pub fn direct(&self, node: u32) -> Option<u64> {
        let Reached { cost, through, .. } = self.reached[node as usize];
        (cost != NEVER.cost && cost != 0 && !through).then_some(cost)
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
            let mut all = vec![[u64::MAX / 4; 12]; 12];
            for &(from, to, cost) in &edges {
                all[from][to as usize] = all[from][to as usize].min(price(cost));
            }
            for (node, row) in all.iter_mut().enumerate() {
                row[node] = 0;
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
                let expected = (cost < u64::MAX / 4 && cost > 0 && !(0..12).any(|middle| between(&middle))).then_some(cost);
                prop_assert_eq!(compact.direct(to as u32), expected);
            }
        }
    }
}
