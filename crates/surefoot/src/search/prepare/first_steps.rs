//! Temporary.
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::world::grid::GridView;

pub(crate) struct FirstSteps<'a> {
    view: &'a GridView<'a>,
    steps: Vec<u8>,
    cost: Vec<u64>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl<'a> FirstSteps<'a> {
    pub fn new(view: &'a GridView<'a>) -> FirstSteps<'a> {
        let bound = view.node_bound();
        FirstSteps { view, steps: vec![0; bound], cost: vec![u64::MAX; bound], heap: BinaryHeap::new() }
    }

    pub fn from(&mut self, source: NodeId) -> &[u8] {
        self.steps.fill(0);
        self.cost.fill(u64::MAX);
        self.cost[source.index()] = 0;
        self.heap.push(Reverse((0, source.0)));
        while let Some(Reverse((g, node))) = self.heap.pop() {
            if self.cost[node as usize] != g { continue; }
            let from = self.steps[node as usize];
            self.view.for_each_edge(NodeId(node), |to, cost| {
                let steps = if node == source.0 {
                    let delta = to.0.wrapping_sub(node) as i32;
                    1 << self.view.offsets().iter().position(|&offset| offset == delta).unwrap()
                } else { from };
                let next = g + cost.units();
                if next < self.cost[to.index()] {
                    self.cost[to.index()] = next;
                    self.steps[to.index()] = steps;
                    self.heap.push(Reverse((next, to.0)));
                } else if next == self.cost[to.index()] {
                    self.steps[to.index()] |= steps;
                }
            });
        }
        self.steps[source.index()] = 0;
        &self.steps
    }
}
