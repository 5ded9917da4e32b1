//! The abstract graph: nodes on both sides of each transition, and the costs between them within a cluster.

use std::ops::Range;

use crate::cost::Cost;
use crate::hierarchy::layout::Layout;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::{Direction, GridView};

/// A path from one node of a cluster to another of its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hop {
    /// The index of the other node among the cluster's nodes.
    pub to: u32,
    /// The cost, shifted right by the level's shift and rounded up.
    pub cost: u32,
}

/// The paths between the nodes of a cluster that are not made of others.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Part {
    /// Where the hops of each node begin, and where those of the last one end.
    pub starts: Box<[u32]>,
    pub hops: Box<[Hop]>,
}

impl Part {
    #[inline]
    fn hops_of(&self, place: usize) -> &[Hop] {
        let ends = self.starts.get(place).zip(self.starts.get(place + 1));
        ends.map_or(&[], |(&start, &end)| &self.hops[start as usize..end as usize])
    }

    fn bytes(&self) -> usize {
        size_of::<Part>() + size_of_val(&*self.starts) + size_of_val(&*self.hops)
    }
}

/// The nodes of a level, cluster by cluster, in each cluster by their cells: all nodes on the lowest level, on higher
/// ones those from which something leads out of the cluster or into it.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Level {
    /// By cluster: the number of its first node; and the number of all nodes.
    pub first: Vec<u32>,
    /// By node: its cell.
    pub cells: Vec<NodeId>,
    /// By node: the directions in which it has a transition.
    pub sides: Vec<u8>,
    /// By cluster.
    pub parts: Vec<Part>,
}

/// A cluster with its nodes, as it is built.
#[derive(Default)]
pub(super) struct Made {
    pub cells: Vec<NodeId>,
    pub sides: Vec<u8>,
    pub part: Part,
}

impl Made {
    /// Returns the bytes that it will take in a level, or a little less.
    pub fn bytes(&self) -> usize {
        self.part.bytes() + size_of_val(&*self.cells) + self.sides.len()
    }
}

impl Level {
    /// Returns the nodes of a cluster.
    #[inline]
    pub fn nodes_of(&self, part: usize) -> Range<u32> {
        self.first[part]..self.first[part + 1]
    }

    /// Appends the next cluster.
    pub fn push(&mut self, made: Made) {
        if self.first.is_empty() {
            self.first.push(0);
        }
        self.cells.extend(made.cells);
        self.sides.extend(made.sides);
        self.first.push(self.cells.len() as u32);
        self.parts.push(made.part);
    }

    /// Replaces a cluster.
    pub fn put(&mut self, part: usize, made: Made) {
        let old = self.nodes_of(part);
        let range = old.start as usize..old.end as usize;
        let (before, now) = (range.len() as u32, made.cells.len() as u32);
        self.cells.splice(range.clone(), made.cells);
        self.sides.splice(range, made.sides);
        if before != now {
            for first in &mut self.first[part + 1..] {
                *first = *first - before + now;
            }
        }
        self.parts[part] = made.part;
    }

    fn bytes(&self) -> usize {
        self.parts.iter().map(Part::bytes).sum::<usize>()
            + self.first.capacity() * size_of::<u32>()
            + self.cells.capacity() * size_of::<NodeId>()
            + self.sides.capacity()
    }
}

/// The end of a link between two clusters of the lowest level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Joint {
    pub part: u32,
    pub cell: NodeId,
    pub other: NodeId,
}

/// A map as a hierarchy of abstract graphs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    pub(super) layout: Layout,
    /// By level: by how many bits costs are shifted.
    pub(super) shifts: Vec<u32>,
    /// Both ends of all links between clusters, sorted.
    pub(super) joints: Vec<Joint>,
    /// The lowest first.
    pub(super) levels: Vec<Level>,
}

impl Table {
    /// The cell of a node, as the grid numbers it.
    #[inline]
    pub(super) fn cell(&self, level: usize, node: u32) -> NodeId {
        self.levels[level].cells[node as usize]
    }

    /// Where a cell is.
    #[inline]
    pub(super) fn place(&self, cell: NodeId) -> Cell {
        self.layout.shape().cell(cell)
    }

    /// Returns the cluster of a level that a cell belongs to.
    #[inline]
    pub(super) fn part_of(&self, level: usize, cell: NodeId) -> usize {
        self.layout.part_of(level, self.place(cell))
    }

    /// The node of a level on a cell, if there is one.
    pub(super) fn find(&self, level: usize, cell: NodeId) -> Option<u32> {
        let nodes = self.levels[level].nodes_of(self.part_of(level, cell));
        let cells = &self.levels[level].cells[nodes.start as usize..nodes.end as usize];
        cells.binary_search(&cell).ok().map(|place| nodes.start + place as u32)
    }

    /// Calls `visit` with each node that a hop leads to within the cluster of a level, and its cost.
    #[inline]
    pub(super) fn for_each_hop(&self, level: usize, node: u32, mut visit: impl FnMut(u32, Cost)) {
        let part = self.part_of(level, self.cell(level, node));
        let shift = self.shifts[level];
        let first = self.levels[level].first[part];
        for hop in self.levels[level].parts[part].hops_of((node - first) as usize) {
            visit(first + hop.to, Cost::from_units(u64::from(hop.cost) << shift));
        }
    }

    /// Returns whether the only path across a border from a node that was entered by a transition is the path back.
    #[inline]
    pub(super) fn leads_back_only(&self, level: usize, node: u32) -> bool {
        self.levels[level].sides[node as usize].is_power_of_two() && self.joints.is_empty()
    }

    /// Returns whether no path continues from a node that was entered by a transition.
    #[inline]
    pub(super) fn is_dead_end(&self, level: usize, node: u32) -> bool {
        let part = self.part_of(level, self.cell(level, node));
        let nodes = &self.levels[level];
        self.leads_back_only(level, node)
            && nodes.parts[part].hops_of((node - nodes.first[part]) as usize).is_empty()
    }

    /// Calls `visit` with each cell beyond a transition or a link of a node, and the cost of going there.
    #[inline]
    pub(super) fn for_each_crossing(
        &self,
        view: &GridView<'_>,
        level: usize,
        node: u32,
        mut visit: impl FnMut(NodeId, Cost),
    ) {
        let cell = self.cell(level, node);
        let place = self.place(cell);
        let mut sides = self.levels[level].sides[node as usize];
        // Transitions are legal steps; where all cost the same, the map need not be read.
        let level_steps = view.grid().uniform_terrain().map(|terrain| view.level_steps(terrain));
        while sides != 0 {
            let direction = Direction::ALL[sides.trailing_zeros() as usize];
            sides &= sides - 1;
            let (dx, dy) = direction.delta();
            let beyond = self.layout.shape().node(place.offset(dx, dy));
            let cost = match level_steps {
                Some(steps) => Some(steps[usize::from(direction.is_diagonal())]),
                None => view.step_units(cell, beyond, direction),
            };
            if let Some(cost) = cost {
                visit(beyond, cost);
            }
        }
        if !self.joints.is_empty() {
            let links = view.grid().links();
            let first = links.partition_point(|link| link.from < cell);
            for link in links[first..].iter().take_while(|link| link.from == cell) {
                if view.is_open_node(link.to) {
                    visit(link.to, link.cost);
                }
            }
        }
    }

    /// Returns whether something leads from a cell with transitions in certain directions out of its cluster on a
    /// level, or into the cluster to it.
    pub(super) fn leaves(&self, level: usize, cell: NodeId, sides: u8) -> bool {
        let place = self.place(cell);
        let part = self.layout.part_of(level, place);
        let steps = Direction::ALL.into_iter().filter(|direction| sides & direction.bit() != 0);
        let mut beyond = steps.map(|direction| {
            let (dx, dy) = direction.delta();
            place.offset(dx, dy)
        });
        beyond.any(|cell| self.layout.part_of(level, cell) != part)
            || self
                .joints_at(self.layout.part_of(0, place))
                .iter()
                .any(|joint| joint.cell == cell && self.part_of(level, joint.other) != part)
    }

    /// Returns the ends of links in a cluster of the lowest level.
    pub(super) fn joints_at(&self, part: usize) -> &[Joint] {
        if self.joints.is_empty() {
            return &[];
        }
        let first = self.joints.partition_point(|joint| (joint.part as usize) < part);
        let count = self.joints[first..].iter().take_while(|joint| joint.part as usize == part).count();
        &self.joints[first..first + count]
    }

    /// Returns the bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(Level::bytes).sum::<usize>() + self.joints.capacity() * size_of::<Joint>()
    }
}
