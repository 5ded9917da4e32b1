//! The abstract graph as searches see it.
//!
//! A search over several levels takes, at each node, the highest level on which the node's cluster contains neither the
//! start nor a goal: the clusters in between are crossed in one hop each (Delling, Goldberg, Pajor, Werneck,
//! *Customizable Route Planning*, 2011, do the same on roads). So a node takes part on one level only, and the target
//! of a hop is known without looking it up.

use crate::core::estimate::Estimate;
use crate::core::expand::{Arrival, Expander};
use crate::cost::Cost;
use crate::hierarchy::table::Table;
use crate::id::NodeId;
use crate::world::grid::GridView;

/// The start and the goals of a query, and how its nodes are numbered: those of the lowest level, those of the next and so
/// on, the start, the goals.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    /// By level: the number of its first node; and the number of the start.
    first: Vec<u32>,
    /// By level and cluster, sorted: the clusters that contain the start or a goal.
    busy: Vec<(u32, u32)>,
    /// The costs from the start to nodes and goals within its cluster.
    pub from_start: Vec<(NodeId, u64)>,
    /// Sorted: a node, a goal in its cluster, and the cost between them.
    pub to_goals: Vec<(NodeId, NodeId, u64)>,
    /// The cells of the start and the goals.
    pub cells: Vec<NodeId>,
}

impl Ends {
    /// Forgets everything but the cells of the start and the goals.
    pub fn begin(&mut self, table: &Table, start: NodeId, goals: &[NodeId]) {
        self.from_start.clear();
        self.to_goals.clear();
        self.cells.clear();
        self.cells.push(start);
        self.cells.extend(goals);
        self.busy.clear();
        self.first.clear();
        let mut first = 0;
        for (number, level) in table.levels.iter().enumerate() {
            self.first.push(first);
            first += level.cells.len() as u32;
            self.busy
                .extend(self.cells.iter().map(|&cell| (number as u32, table.part_of(number, cell) as u32)));
        }
        self.first.push(first);
        self.busy.sort_unstable();
        self.busy.dedup();
    }

    /// Returns the number of the start.
    pub fn start(&self) -> NodeId {
        NodeId(self.first.last().copied().unwrap_or(0))
    }

    /// Returns the number of a goal.
    pub fn goal(&self, index: usize) -> NodeId {
        NodeId(self.start().0 + 1 + index as u32)
    }

    /// Returns the largest number plus one.
    pub fn bound(&self) -> usize {
        self.start().index() + self.cells.len()
    }

    /// The number of a node of a level.
    #[inline]
    fn number(&self, level: usize, node: u32) -> NodeId {
        NodeId(self.first[level] + node)
    }

    /// Returns the level of a number, and the index of its node; `None` for the start and the goals.
    #[inline]
    pub fn node(&self, number: NodeId) -> Option<(usize, u32)> {
        let level = self.first[1..].iter().position(|&end| number.0 < end)?;
        Some((level, number.0 - self.first[level]))
    }

    /// Returns the cell of a number.
    #[inline]
    pub fn cell(&self, table: &Table, number: NodeId) -> NodeId {
        match self.node(number) {
            Some((level, node)) => table.cell(level, node),
            None => self.cells[(number.0 - self.start().0) as usize],
        }
    }

    /// Returns the number of the node on a cell, if there is one.
    pub fn find(&self, table: &Table, cell: NodeId) -> Option<NodeId> {
        let (level, node) = self.find_node(table, cell)?;
        Some(self.number(level, node))
    }

    /// The level on which a cell takes part in the search, and its node there, if there is one.
    fn find_node(&self, table: &Table, cell: NodeId) -> Option<(usize, u32)> {
        let free = |level: &usize| {
            let part = (*level as u32, table.part_of(*level, cell) as u32);
            self.busy.binary_search(&part).is_err()
        };
        let level = (0..table.levels.len()).rev().find(free).unwrap_or(0);
        Some((level, table.find(level, cell)?))
    }

    pub fn bytes(&self) -> usize {
        self.busy.capacity() * size_of::<(u32, u32)>()
            + self.from_start.capacity() * size_of::<(NodeId, u64)>()
            + self.to_goals.capacity() * size_of::<(NodeId, NodeId, u64)>()
            + self.cells.capacity() * size_of::<NodeId>()
    }
}

/// The arrival by a path within a cluster.
const WITHIN: Arrival = Arrival(0);
/// The arrival by a transition or a link.
const ACROSS: Arrival = Arrival(1);

/// The graph of a whole query.
pub(super) struct Whole<'a> {
    pub table: &'a Table,
    pub view: &'a GridView<'a>,
    pub ends: &'a Ends,
}

impl Expander for Whole<'_> {
    fn node_bound(&self) -> usize {
        self.ends.bound()
    }

    #[inline]
    fn expand(&self, number: NodeId, arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        let Whole { table, view, ends } = *self;
        let Some((level, node)) = ends.node(number) else {
            for &(to, cost) in ends.from_start.iter().filter(|_| number == ends.start()) {
                emit(to, Cost::from_units(cost), WITHIN);
            }
            return;
        };
        if level == 0 {
            let first = ends.to_goals.partition_point(|&(from, ..)| from < number);
            for &(_, goal, cost) in ends.to_goals[first..].iter().take_while(|&&(from, ..)| from == number) {
                emit(goal, Cost::from_units(cost), WITHIN);
            }
        }
        table.for_each_hop(level, node, |to, cost| emit(ends.number(level, to), cost, WITHIN));
        if arrival == ACROSS && table.leads_back_only(level, node) {
            return;
        }
        let part = table.part_of(level, table.cell(level, node));
        table.for_each_crossing(view, level, node, |beyond, cost| {
            if table.part_of(level, beyond) != part
                && let Some((level, to)) = ends.find_node(table, beyond)
                && (level == 0 || !table.is_dead_end(level, to))
            {
                emit(ends.number(level, to), cost, ACROSS);
            }
        });
    }

    fn straight_before(&self, _at: NodeId, _next: NodeId) -> Option<(NodeId, Cost)> {
        None
    }
}

/// The nodes of one level inside a cluster of the level above.
pub(super) struct Inner<'a> {
    pub table: &'a Table,
    pub view: &'a GridView<'a>,
    /// The level of the nodes.
    pub level: usize,
    /// The cluster of the level above.
    pub part: usize,
}

impl Inner<'_> {
    /// Calls `visit` with each node that an edge leads to, and the cost of the edge.
    #[inline]
    pub fn for_each_edge(&self, node: u32, mut visit: impl FnMut(u32, Cost)) {
        self.for_each_edge_after(node, WITHIN, |to, cost, _| visit(to, cost));
    }

    /// The same after an arrival, with the arrivals at the other ends.
    #[inline]
    fn for_each_edge_after(&self, node: u32, arrival: Arrival, mut visit: impl FnMut(u32, Cost, Arrival)) {
        let Inner { table, view, level, part } = *self;
        table.for_each_hop(level, node, |to, cost| visit(to, cost, WITHIN));
        if arrival == ACROSS && table.leads_back_only(level, node) {
            return;
        }
        let own = table.part_of(level, table.cell(level, node));
        table.for_each_crossing(view, level, node, |beyond, cost| {
            if table.part_of(level, beyond) != own
                && table.part_of(level + 1, beyond) == part
                && let Some(to) = table.find(level, beyond)
            {
                visit(to, cost, ACROSS);
            }
        });
    }
}

impl Expander for Inner<'_> {
    fn node_bound(&self) -> usize {
        self.table.levels[self.level].cells.len()
    }

    #[inline]
    fn expand(&self, node: NodeId, arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        self.for_each_edge_after(node.0, arrival, |to, cost, arrival| emit(NodeId(to), cost, arrival));
    }

    fn straight_before(&self, _at: NodeId, _next: NodeId) -> Option<(NodeId, Cost)> {
        None
    }
}

/// Which cell a node of a search stands for.
pub(super) trait Names {
    fn cell(&self, node: NodeId) -> NodeId;
}

impl Names for Whole<'_> {
    #[inline]
    fn cell(&self, node: NodeId) -> NodeId {
        self.ends.cell(self.table, node)
    }
}

impl Names for Inner<'_> {
    #[inline]
    fn cell(&self, node: NodeId) -> NodeId {
        self.table.cell(self.level, node.0)
    }
}

/// A heuristic for cells, evaluated for nodes of a search.
pub(super) struct OverCells<'a, N, H> {
    pub names: &'a N,
    pub estimate: &'a H,
}

impl<N: Names, H: Estimate> Estimate for OverCells<'_, N, H> {
    #[inline]
    fn of(&self, node: NodeId) -> u64 {
        self.estimate.of(self.names.cell(node))
    }
}
