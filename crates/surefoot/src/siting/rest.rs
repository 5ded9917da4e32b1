//! Lower bounds on the cost from every cell to a goal, and on the cost from a start.
//!
//! A table of the exact costs to a goal is the best heuristic that A* can have. A table of the costs from a start is
//! the best one for a search that runs back from the goal. It stays a consistent heuristic when cells close or become
//! more expensive: costs only rise, and no value falls faster than a step costs if none did before. Where a step
//! appears or becomes cheaper, values are lowered until that is true again. This touches only cells that are now closer
//! to the goal (as they would be if the edits had been there from the beginning, or further below). So the table
//! follows every edit, and searches with it stay exact. Only the quality of its guidance declines as cells close.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::core::estimate::{Blind, Estimate};
use crate::core::expand::Expander;
use crate::core::kernel::{End, Job};
use crate::core::observe::Side;
use crate::core::open::{Buckets, OpenList};
use crate::core::state::State;
use crate::graph::{Graph, ReverseGraph, Reversed};
use crate::id::NodeId;
use crate::search::astar;
use crate::world::grid::{GridView, UniformGrid};

/// There is no path to the goal.
const NEVER: u64 = u64::MAX / 2;

/// A lower bound for the cost from every node to one goal; or, for searches back from a goal, to every node from one start.
#[derive(Debug)]
pub(super) struct Rest {
    /// The node where the searches that use it end.
    pub end: NodeId,
    /// The side where the searches begin.
    side: Side,
    /// By node number, in units.
    units: Vec<u64>,
    /// Whether something closed or became more expensive since all of them were exact.
    is_loose: bool,
    /// The number of nodes that searches have expanded since then.
    spent: u64,
}

impl Estimate for Rest {
    #[inline]
    fn of(&self, node: NodeId) -> u64 {
        self.units[node.index()]
    }
}

/// The memory of searches.
#[derive(Debug, Default)]
pub(super) struct Search {
    state: State,
    open: Box<Buckets>,
}

impl Search {
    /// Starts over on a grid, or on something with its nodes.
    pub fn begin(&mut self, view: &GridView<'_>, expander: &impl Expander) {
        self.state.begin(expander.node_bound(), expander.arrival_steps());
        self.open.begin(2 * view.max_step_cost().units());
    }

    /// Continues a search from a start to a goal; both must stay the same until the search ends.
    pub fn run(
        &mut self,
        expander: &impl Expander,
        estimate: &impl Estimate,
        [start, goal]: [NodeId; 2],
        budget: u64,
    ) -> End {
        let strategy = astar::STRATEGY;
        let job = Job { expander, estimate, strategy, goals: &[goal], max_key: NEVER };
        self.state.run(&mut *self.open, &job, start, budget, None)
    }

    /// Returns the cost of reaching a node, if it is known.
    pub fn units(&self, node: NodeId) -> Option<u64> {
        self.state.records().of(node).map(|record| record.g)
    }

    pub fn expanded(&self) -> u64 {
        self.state.stats(0).expanded
    }

    /// Writes the path to a node that was reached.
    pub fn trace_back(&self, to: NodeId, nodes: &mut Vec<NodeId>) {
        nodes.clear();
        let mut at = to;
        while at != NodeId::NONE {
            nodes.push(at);
            at = self.state.records().parent(at);
        }
        nodes.reverse();
    }

    pub fn bytes(&self) -> usize {
        self.state.stats(self.open.bytes()).scratch_bytes as usize
    }
}

impl Rest {
    /// Returns the bytes that a table for a grid takes.
    pub fn bytes_for(view: &GridView<'_>) -> usize {
        Graph::node_bound(view) * size_of::<u64>()
    }

    /// Computes the exact costs for searches from a side that end at a node on which the agent can stand.
    pub fn to(end: NodeId, side: Side, view: &GridView<'_>, search: &mut Search) -> Rest {
        let units = vec![NEVER; Graph::node_bound(view)];
        let mut rest = Rest { end, side, units, is_loose: false, spent: 0 };
        rest.work_out(view, search);
        rest
    }

    fn work_out(&mut self, view: &GridView<'_>, search: &mut Search) {
        match (UniformGrid::of(*view), self.side) {
            // Where all cells cost the same, a path costs the same in both directions.
            (Some(uniform), _) => self.sweep(view, &uniform, search),
            (None, Side::Forward) => self.sweep(view, &Reversed(view), search),
            (None, Side::Backward) => self.sweep(view, view, search),
        }
        (self.is_loose, self.spent) = (false, 0);
    }

    fn sweep(&mut self, view: &GridView<'_>, backwards: &impl Expander, search: &mut Search) {
        search.begin(view, backwards);
        search.run(backwards, &Blind, [self.end, NodeId::NONE], u64::MAX);
        for (node, units) in (0..).map(NodeId).zip(&mut self.units) {
            *units = search.units(node).unwrap_or(NEVER);
        }
    }

    /// Returns the bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.units.len() * size_of::<u64>()
    }

    /// Follows edits, given the nodes at which steps may have appeared or become cheaper.
    pub fn follow(&mut self, view: &GridView<'_>, eased: &[NodeId]) {
        self.is_loose = true;
        let eased = eased.iter().copied().filter(|&node| view.is_open_node(node));
        match self.side {
            Side::Forward => self.lower_from(view, eased),
            Side::Backward => self.lower_from(&Reversed(view), eased),
        }
    }

    /// Lowers the values that some nodes can make cheaper, in a graph whose paths lead to the end.
    fn lower_from(&mut self, graph: &impl ReverseGraph, eased: impl Iterator<Item = NodeId>) {
        let mut lowered = BinaryHeap::new();
        for node in eased {
            let mut least = self.units[node.index()];
            graph.for_each_edge(node, |to, cost| {
                least = least.min(self.units[to.index()] + cost.units());
            });
            self.lower(node, least, &mut lowered);
        }
        while let Some(Reverse((units, node))) = lowered.pop() {
            if units == self.units[node.index()] {
                graph.for_each_edge_into(node, |from, cost| {
                    self.lower(from, units + cost.units(), &mut lowered);
                });
            }
        }
    }

    fn lower(&mut self, node: NodeId, units: u64, lowered: &mut BinaryHeap<Reverse<(u64, NodeId)>>) {
        if units < self.units[node.index()] {
            self.units[node.index()] = units;
            lowered.push(Reverse((units, node)));
        }
    }

    /// Counts the effort of a search with this table. Once the total exceeds the effort of recomputing the table,
    /// recomputes it.
    pub fn count(&mut self, view: &GridView<'_>, search: &mut Search) {
        self.spent += if self.is_loose { search.expanded() } else { 0 };
        if self.spent > view.grid().open_cells() as u64 {
            self.work_out(view, search);
        }
    }
}
