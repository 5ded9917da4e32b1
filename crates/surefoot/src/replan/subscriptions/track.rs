//! A path as it was last measured, step by step.

use crate::id::NodeId;
use crate::world::any::{View, on_world};
use crate::world::paper::Blocks;
use crate::world::space::SearchSpace;

/// The cost of a leg that cannot be walked. No step has a cost of zero.
const BROKEN: u32 = 0;
/// The cost of the last leg, which only consists of standing on the last node: not [`BROKEN`].
const ARRIVED: u32 = 1;

/// A node of a path, and the cost of the leg from there.
#[derive(Clone, Copy, Debug)]
struct Leg {
    node: NodeId,
    cost: u32,
}

/// A path, the cost of each of its legs, and the progress of its unit.
///
/// Leg `i` is to stand on node `i` and to step from there to the next. It depends on nothing that is further than one
/// cell from node `i`: whether the agent can stand where a link ends belongs to the next leg.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    legs: Vec<Leg>,
    /// The first leg that is not behind.
    next: usize,
    /// The number of broken legs ahead.
    broken: u32,
    /// The sum of the legs ahead.
    sum: u64,
}

impl Track {
    /// Measures another path.
    pub fn set(&mut self, view: &View<'_>, nodes: &[NodeId]) {
        self.clear();
        self.legs.extend(nodes.iter().map(|&node| Leg { node, cost: BROKEN }));
        self.broken = nodes.len() as u32;
        self.measure_all(view);
    }

    pub fn clear(&mut self) {
        self.legs.clear();
        (self.next, self.broken, self.sum) = (0, 0, 0);
    }

    /// Returns the cost of the remaining path, in units; `u64::MAX` if it cannot be walked.
    pub fn cost(&self) -> u64 {
        if self.broken > 0 || self.legs.is_empty() { u64::MAX } else { self.sum - u64::from(ARRIVED) }
    }

    /// Returns the endpoints of the remaining path.
    pub fn ends(&self) -> Option<(NodeId, NodeId)> {
        Some((self.legs.get(self.next)?.node, self.legs.last()?.node))
    }

    /// Records that the unit has made `steps` steps; it never moves backwards.
    pub fn advance(&mut self, steps: usize) {
        let steps = steps.min(self.legs.len().saturating_sub(1));
        while self.next < steps {
            self.discount(self.legs[self.next].cost);
            self.next += 1;
        }
    }

    /// Returns the stretches of the path that stay in one block: the block, the first leg, and which nodes of the block
    /// they cover.
    pub fn runs<'a>(&'a self, ground: &'a Blocks) -> impl Iterator<Item = (u32, u32, u64)> + 'a {
        let block = |leg: &Leg| ground.spot(leg.node).map(|(block, _)| block);
        let mut after = 0;
        self.legs.chunk_by(move |a, b| block(a) == block(b)).filter_map(move |run| {
            let first = after;
            after += run.len() as u32;
            let spots = run.iter().filter_map(|leg| ground.spot(leg.node));
            Some((block(&run[0])?, first, spots.fold(0, |all, (_, bit)| all | 1 << bit)))
        })
    }

    /// Measures the legs ahead that begin at some nodes of a block, in the stretch that enters it with leg `first`.
    pub fn measure_run(&mut self, view: &View<'_>, ground: &Blocks, first: u32, block: u32, nodes: u64) {
        for index in first as usize..self.legs.len() {
            match ground.spot(self.legs[index].node) {
                Some((at, bit)) if at == block => {
                    if nodes >> bit & 1 == 1 {
                        self.measure_again(view, index);
                    }
                }
                _ => break,
            }
        }
    }

    /// Measures all legs ahead.
    pub fn measure_all(&mut self, view: &View<'_>) {
        for index in self.next..self.legs.len() {
            self.measure_again(view, index);
        }
    }

    pub fn bytes(&self) -> usize {
        self.legs.capacity() * size_of::<Leg>()
    }

    fn measure_again(&mut self, view: &View<'_>, index: usize) {
        if index < self.next {
            return;
        }
        let cost = self.measure(view, index);
        self.discount(self.legs[index].cost);
        self.legs[index].cost = cost;
        self.broken += u32::from(cost == BROKEN);
        self.sum += u64::from(cost);
    }

    fn measure(&self, view: &View<'_>, index: usize) -> u32 {
        let (at, next) = (self.legs[index].node, self.legs.get(index + 1).map(|leg| leg.node));
        on_world!(view, space => match next {
            // Edge costs fit 32 bits.
            Some(next) => space.edge_between(at, next).map_or(BROKEN, |cost| cost.units() as u32),
            None if space.numbering().contains(at) && space.stands(at) => ARRIVED,
            None => BROKEN,
        })
    }

    /// Removes a leg from the sum.
    fn discount(&mut self, cost: u32) {
        self.broken -= u32::from(cost == BROKEN);
        self.sum -= u64::from(cost);
    }
}
