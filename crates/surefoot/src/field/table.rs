//! The costs of all nodes, and the search that computes them.
//!
//! Costs are labels that only fall while nodes are taken from a bucket queue (Dial 1969; Denardo and Fox 1979). Every cost below the bucket
//! in hand is final. A search that stops there has the same costs below that bound as one that goes on.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::core::open::{Buckets, Entry, OpenList};
use crate::field::ways::Ways;
use crate::field::word::Word;
use crate::id::NodeId;

/// A cost did not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overflow;

/// The bound of a search that has reached everything.
pub(super) const NO_BOUND: u64 = u64::MAX;

/// How many buckets of goals are queued ahead.
const GOALS_AHEAD: u64 = 64;

#[derive(Clone, Debug)]
pub(super) struct Table<W> {
    /// By node.
    pub costs: Vec<W>,
    /// Goals and their starting values, by node.
    starts: Vec<(NodeId, W)>,
    /// The same by starting value, for as long as they have not been queued.
    waiting: Vec<(W, NodeId)>,
    queued: usize,
    open: Buckets,
    /// Every cost below is final. Higher ones are those of some path.
    pub bound: u64,
    /// The nodes whose cost changed or became final since the last [`begin_log`](Table::begin_log), if anything is logged.
    pub log: Vec<NodeId>,
    is_logging: bool,
    /// Nodes to which a path leads whose cost does not fit. That is no harm where a cheaper one does.
    far: Vec<NodeId>,
    candidates: BinaryHeap<Reverse<(W, NodeId)>>,
    /// Nodes whose costs are asked for.
    pub asked: Vec<NodeId>,
}

impl<W: Word> Default for Table<W> {
    fn default() -> Table<W> {
        Table {
            costs: Vec::new(),
            starts: Vec::new(),
            waiting: Vec::new(),
            queued: 0,
            open: Buckets::default(),
            bound: 0,
            log: Vec::new(),
            is_logging: false,
            far: Vec::new(),
            candidates: BinaryHeap::new(),
            asked: Vec::new(),
        }
    }
}

impl<W: Word> Table<W> {
    /// The cost of a node, if it is known to be final.
    #[inline]
    pub fn cost(&self, node: NodeId) -> Option<W> {
        let cost = *self.costs.get(node.index())?;
        (cost.is_cost() && cost.units() < self.bound).then_some(cost)
    }

    /// Whether the agent cannot be at a node.
    pub fn is_wall(&self, node: NodeId) -> bool {
        self.costs.get(node.index()).is_none_or(|&cost| cost == W::WALL)
    }

    /// The starting value of a node, if it is a goal.
    pub fn start(&self, node: NodeId) -> Option<W> {
        let place = self.starts.binary_search_by_key(&node, |start| start.0).ok()?;
        Some(self.starts[place].1)
    }

    /// Forgets everything that was logged, and logs from now on or not.
    pub fn begin_log(&mut self, on: bool) {
        self.log.clear();
        self.is_logging = on;
    }

    /// Sets the goals: nodes where the agent can be, with their starting values in units of the table.
    pub fn set_starts(&mut self, starts: impl Iterator<Item = (NodeId, u64)>) -> Result<(), Overflow> {
        self.starts.clear();
        for (node, cost) in starts {
            self.starts.push((node, W::of(cost).ok_or(Overflow)?));
        }
        self.starts.sort_unstable();
        self.starts.dedup_by_key(|start| start.0);
        Ok(())
    }

    /// Forgets all costs and begins again from the goals. Nothing is final yet.
    pub fn begin<Y: Ways<Word = W>>(&mut self, ways: &Y, open: impl Fn(&mut [W])) {
        self.costs.clear();
        self.costs.resize(ways.bound(), W::WALL);
        open(&mut self.costs);
        self.open.begin(ways.spread());
        self.far.clear();
        self.bound = 0;
        self.queued = 0;
        self.waiting.clear();
        self.waiting.extend(self.starts.iter().map(|&(node, cost)| (cost, node)));
        self.waiting.sort_unstable();
        for &(node, cost) in &self.starts {
            self.costs[node.index()] = cost;
        }
    }

    #[inline]
    fn push(&mut self, node: NodeId, cost: W) {
        self.open.push(Entry { key: cost.units(), g: 0, node });
    }

    /// Queues the goals whose starting values are below a bound.
    fn queue_goals(&mut self, below: u64) {
        while let Some(&(cost, node)) = self.waiting.get(self.queued).filter(|(cost, _)| cost.units() < below)
        {
            self.push(node, cost);
            self.queued += 1;
        }
    }

    /// Takes the goals, by starting value, for a search that queues them itself.
    pub fn take_waiting(&mut self) -> Vec<(W, NodeId)> {
        std::mem::take(&mut self.waiting)
    }

    /// Gives back the memory of the goals after that search.
    pub fn give_back(&mut self, goals: Vec<(W, NodeId)>) {
        self.waiting = goals;
        self.queued = self.waiting.len();
    }

    /// All goals and their starting values, by node.
    pub fn starts(&self) -> &[(NodeId, W)] {
        &self.starts
    }

    /// Queues all goals.
    pub fn queue_all_goals(&mut self) {
        self.queue_goals(u64::MAX);
    }

    /// Continues until `is_enough` holds for a bound below which every cost is final, or until nothing is left. Returns the bound.
    pub fn run<Y: Ways<Word = W>>(
        &mut self,
        ways: &Y,
        mut is_enough: impl FnMut(&[W], u64) -> bool,
    ) -> Result<u64, Overflow> {
        let width = (ways.spread() / 512).max(1);
        let mut floor = None;
        loop {
            let Some(entry) = self.open.pop(u64::MAX) else {
                let Some(&(next, _)) = self.waiting.get(self.queued) else {
                    let is_lost = |node: &NodeId| self.costs[node.index()] == W::UNREACHED;
                    return if self.far.iter().any(is_lost) { Err(Overflow) } else { Ok(NO_BOUND) };
                };
                self.queue_goals(next.units() + GOALS_AHEAD * width);
                continue;
            };
            let below = self.open.floor();
            if floor != Some(below) {
                floor = Some(below);
                if let Some(&(next, _)) = self.waiting.get(self.queued)
                    && next.units() <= below + GOALS_AHEAD / 2 * width
                {
                    // The present one goes back in case there is a lower one among them.
                    self.open.push(entry);
                    self.queue_goals(below + GOALS_AHEAD * width);
                    floor = None;
                    continue;
                }
                if is_enough(&self.costs, below) {
                    self.open.push(entry);
                    return Ok(below);
                }
            }
            let node = entry.node;
            let cost = self.costs[node.index()];
            if cost.units() != entry.key {
                continue;
            }
            if self.is_logging {
                self.log.push(node);
            }
            self.expand(ways, node, cost);
        }
    }

    #[inline]
    fn expand<Y: Ways<Word = W>>(&mut self, ways: &Y, node: NodeId, cost: W) {
        let (costs, open, far) = (&mut self.costs, &mut self.open, &mut self.far);
        ways.for_each_into(node, |from, step| {
            let known = &mut costs[from.index()];
            let Some(sum) = cost.plus(step) else {
                if !known.is_cost() {
                    far.push(from);
                }
                return;
            };
            if sum < *known {
                *known = sum;
                open.push(Entry { key: sum.units(), g: 0, node: from });
            }
        });
    }

    /// The cost of a node according to its edges and to whether it is a goal, and whether all of them fit.
    fn according_to_edges<Y: Ways<Word = W>>(&self, ways: &Y, node: NodeId) -> (W, bool) {
        let (mut least, mut fits) = (self.start(node).unwrap_or(W::UNREACHED), true);
        ways.for_each_from(node, |to, step| {
            let there = self.costs[to.index()];
            if there.is_cost() {
                match there.plus(step) {
                    Some(sum) => least = least.min(sum),
                    None => fits = false,
                }
            }
        });
        (least, fits)
    }

    /// Takes back all costs that rest on edges or goals that are no more, and queues the nodes from which costs have to be passed on
    /// again. `touched` are the nodes of which some edge may have changed, and those at which a goal came or went. Returns `false` if
    /// that concerns more than `most` nodes: then nothing is valid any more.
    ///
    /// Nodes are looked at in order of their costs. A cost stands if an edge leads to a node whose cost stands and accounts for it or for less. The
    /// other end of such an edge is cheaper, so it has been decided before.
    pub fn retract<Y: Ways<Word = W>>(
        &mut self,
        ways: &Y,
        touched: impl Iterator<Item = NodeId> + Clone,
        most: usize,
    ) -> bool {
        self.candidates.clear();
        let first = self.log.len();
        for node in touched.clone() {
            let cost = &mut self.costs[node.index()];
            if !ways.stands(node) {
                if *cost != W::WALL {
                    *cost = W::WALL;
                    self.log.push(node);
                }
            } else if *cost == W::WALL {
                *cost = W::UNREACHED;
                self.log.push(node);
            } else if cost.is_cost() {
                self.candidates.push(Reverse((*cost, node)));
            }
        }
        while let Some(Reverse((cost, node))) = self.candidates.pop() {
            if self.costs[node.index()] != cost || self.according_to_edges(ways, node).0 <= cost {
                continue;
            }
            self.costs[node.index()] = W::UNREACHED;
            self.log.push(node);
            if self.log.len() - first > most {
                return false;
            }
            let (costs, candidates) = (&self.costs, &mut self.candidates);
            ways.for_each_into(node, |from, step| {
                // Less than the cost, if the search has stopped before it passed this one on.
                let known = costs[from.index()];
                if known.is_cost() && cost.plus(step).is_some_and(|sum| sum <= known) {
                    candidates.push(Reverse((known, from)));
                }
            });
        }
        let last = self.log.len();
        for index in first..last {
            self.requeue(ways, self.log[index]);
        }
        touched.for_each(|node| self.requeue(ways, node));
        true
    }

    /// Lowers the cost of a node to what its edges say, and queues it if that is lower.
    fn requeue<Y: Ways<Word = W>>(&mut self, ways: &Y, node: NodeId) {
        if self.costs[node.index()] == W::WALL {
            return;
        }
        let (cost, fits) = self.according_to_edges(ways, node);
        if !fits {
            self.far.push(node);
        }
        if cost < self.costs[node.index()] {
            self.costs[node.index()] = cost;
            self.log.push(node);
            self.push(node, cost);
        }
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.costs.capacity() * size_of::<W>()
            + (self.starts.capacity() + self.waiting.capacity()) * size_of::<(NodeId, W)>()
            + self.candidates.capacity() * size_of::<(W, NodeId)>()
            + (self.log.capacity() + self.far.capacity() + self.asked.capacity()) * size_of::<NodeId>()
            + self.open.bytes()
    }
}
