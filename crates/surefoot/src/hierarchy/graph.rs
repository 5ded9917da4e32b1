//! The abstract graph as searches see it.
//!
//! A search over several levels takes, at each node, the highest level on which the node's part holds neither the start nor
//! a goal: the parts in between are crossed in one hop each (Delling, Goldberg, Pajor, Werneck, *Customizable Route
//! Planning*, 2011, do the same on roads).

use crate::cost::Cost;
use crate::hierarchy::table::Table;
use crate::id::NodeId;
use crate::search::estimate::Estimate;
use crate::search::expand::{Arrival, Expander};
use crate::space::Cell;
use crate::world::grid::GridView;

/// The start and the goals of a query, as nodes beside those of the table: the start comes after the last of them, the
/// goals after the start.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    /// By level and part, sorted: the parts that hold the start or a goal.
    busy: Vec<(u32, u32)>,
    /// What it costs to reach nodes and goals from the start, within its part.
    pub from_start: Vec<(NodeId, u64)>,
    /// Sorted: a node, a goal in its part, and what it costs to go there.
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
        for level in 0..table.layout.levels() {
            let places = self.cells.iter().map(|&cell| table.layout.shape().cell(cell));
            self.busy.extend(places.map(|cell| (level as u32, table.layout.part_of(level, cell) as u32)));
        }
        self.busy.sort_unstable();
        self.busy.dedup();
    }

    /// The number of the start.
    pub fn start(table: &Table) -> NodeId {
        NodeId(table.nodes() as u32)
    }

    /// The number of a goal.
    pub fn goal(table: &Table, index: usize) -> NodeId {
        NodeId((table.nodes() + 1 + index) as u32)
    }

    /// The cell of a node of the table, the start or a goal.
    #[inline]
    pub fn cell(&self, table: &Table, node: NodeId) -> NodeId {
        match node.index().checked_sub(table.nodes()) {
            None => table.cell(node),
            Some(end) => self.cells[end],
        }
    }

    /// The level on which to go on from a place; `None` in a part that holds the start or a goal.
    pub fn level(&self, table: &Table, place: Cell) -> Option<usize> {
        (0..table.layout.levels()).rev().find(|&level| {
            let part = (level as u32, table.layout.part_of(level, place) as u32);
            self.busy.binary_search(&part).is_err()
        })
    }

    pub fn bytes(&self) -> usize {
        self.busy.capacity() * size_of::<(u32, u32)>()
            + self.from_start.capacity() * size_of::<(NodeId, u64)>()
            + self.to_goals.capacity() * size_of::<(NodeId, NodeId, u64)>()
            + self.cells.capacity() * size_of::<NodeId>()
    }
}

/// The graph of a whole query.
pub(super) struct Whole<'a> {
    pub table: &'a Table,
    pub view: &'a GridView<'a>,
    pub ends: &'a Ends,
}

impl Expander for Whole<'_> {
    fn node_bound(&self) -> usize {
        self.table.nodes() + self.ends.cells.len()
    }

    #[inline]
    fn expand(&self, node: NodeId, _arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        let Whole { table, view, ends } = *self;
        if node == Ends::start(table) {
            for &(to, cost) in &ends.from_start {
                emit(to, Cost::from_units(cost), Arrival(0));
            }
        }
        if node.index() >= table.nodes() {
            return;
        }
        let place = table.place(node);
        let level = ends.level(table, place);
        if level.is_none() {
            let first = ends.to_goals.partition_point(|&(from, ..)| from < node);
            for &(_, goal, cost) in ends.to_goals[first..].iter().take_while(|&&(from, ..)| from == node) {
                emit(goal, Cost::from_units(cost), Arrival(0));
            }
        }
        let level = level.unwrap_or(0);
        table.for_each_hop(level, node, |to, cost| emit(to, cost, Arrival(0)));
        let part = table.layout.part_of(level, place);
        table.for_each_crossing(view, node, |to, cost| {
            if table.layout.part_of(level, table.place(to)) != part {
                emit(to, cost, Arrival(0));
            }
        });
    }

    fn straight_before(&self, _at: NodeId, _next: NodeId) -> Option<(NodeId, Cost)> {
        None
    }
}

/// The graph inside a part, one level below it.
pub(super) struct Inner<'a> {
    pub table: &'a Table,
    pub view: &'a GridView<'a>,
    /// The level of the part, at least 1.
    pub level: usize,
    pub part: usize,
}

impl Expander for Inner<'_> {
    fn node_bound(&self) -> usize {
        self.table.nodes()
    }

    #[inline]
    fn expand(&self, node: NodeId, _arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        let Inner { table, view, level, part } = *self;
        let below = level - 1;
        table.for_each_hop(below, node, |to, cost| emit(to, cost, Arrival(0)));
        let own = table.layout.part_of(below, table.place(node));
        table.for_each_crossing(view, node, |to, cost| {
            let place = table.place(to);
            if table.layout.part_of(below, place) != own && table.layout.part_of(level, place) == part {
                emit(to, cost, Arrival(0));
            }
        });
    }

    fn straight_before(&self, _at: NodeId, _next: NodeId) -> Option<(NodeId, Cost)> {
        None
    }
}

/// An estimate for cells, asked by nodes of the abstract graph.
pub(super) struct OverCells<'a, H> {
    pub table: &'a Table,
    pub ends: &'a Ends,
    pub estimate: &'a H,
}

impl<H: Estimate> Estimate for OverCells<'_, H> {
    #[inline]
    fn of(&self, node: NodeId) -> u64 {
        self.estimate.of(self.ends.cell(self.table, node))
    }
}
