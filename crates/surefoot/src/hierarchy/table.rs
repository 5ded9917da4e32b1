//! The abstract graph: nodes on both sides of each transition, and what it costs to go from one to another within a part.

use crate::cost::Cost;
use crate::hierarchy::layout::Layout;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::{Direction, GridView};

/// A way from one node of a part to another of its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hop {
    /// The place of the other node among the part's nodes.
    pub to: u32,
    /// What it costs, shifted right by the level's shift and rounded up.
    pub cost: u32,
}

/// A part of a level: its nodes, and the ways between them that are not made of others.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Part {
    /// The keys of its nodes, in ascending order. The lowest level has none: there all nodes of the part count.
    pub keys: Box<[u32]>,
    /// Where the hops of each node begin, and where the last one's end.
    pub starts: Box<[u32]>,
    pub hops: Box<[Hop]>,
}

impl Part {
    fn hops_of(&self, place: usize) -> &[Hop] {
        let ends = self.starts.get(place).zip(self.starts.get(place + 1));
        ends.map_or(&[], |(&start, &end)| &self.hops[start as usize..end as usize])
    }

    pub fn bytes(&self) -> usize {
        size_of::<Part>() + size_of_val(&*self.keys) + size_of_val(&*self.starts) + size_of_val(&*self.hops)
    }
}

/// The end of a link between two parts of the lowest level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Joint {
    pub part: u32,
    pub cell: NodeId,
    pub other: NodeId,
}

/// A map as a hierarchy of abstract graphs.
///
/// Nodes are numbered part by part, in each part by their cells. A *key* also names a node, by its part and its place there:
/// keys stay what they are when other parts change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    pub(super) layout: Layout,
    /// By level.
    pub(super) shifts: Vec<u32>,
    /// By part of the lowest level: the number of its first node; and the number of all.
    pub(super) first: Vec<u32>,
    /// By node: its cell.
    pub(super) cells: Vec<NodeId>,
    /// By node: the directions in which it has a transition.
    pub(super) sides: Vec<u8>,
    /// Both ends of all links between parts, sorted.
    pub(super) joints: Vec<Joint>,
    /// By level and part.
    pub(super) levels: Vec<Vec<Part>>,
}

/// How many bits of a key are the place in the part: no part of the lowest level has more than 256 cells.
const PLACE_BITS: u32 = 8;

impl Table {
    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.cells.len()
    }

    /// The cell of a node, as the grid numbers it.
    #[inline]
    pub fn cell(&self, node: NodeId) -> NodeId {
        self.cells[node.index()]
    }

    /// Where a node is.
    #[inline]
    pub(super) fn place(&self, node: NodeId) -> Cell {
        self.layout.shape().cell(self.cells[node.index()])
    }

    /// The nodes of a part of the lowest level.
    pub(super) fn nodes_of(&self, part: usize) -> std::ops::Range<u32> {
        self.first[part]..self.first[part + 1]
    }

    /// The node on a cell, if there is one.
    pub fn find(&self, cell: NodeId) -> Option<NodeId> {
        let nodes = self.nodes_of(self.layout.part_of(0, self.layout.shape().cell(cell)));
        let cells = &self.cells[nodes.start as usize..nodes.end as usize];
        cells.binary_search(&cell).ok().map(|place| NodeId(nodes.start + place as u32))
    }

    pub(super) fn key(&self, node: NodeId) -> u32 {
        let part = self.layout.part_of(0, self.place(node));
        (part as u32) << PLACE_BITS | (node.0 - self.first[part])
    }

    #[inline]
    pub(super) fn of_key(&self, key: u32) -> NodeId {
        NodeId(self.first[(key >> PLACE_BITS) as usize] + (key & ((1 << PLACE_BITS) - 1)))
    }

    /// Whether a key names a node.
    pub(super) fn has_key(&self, key: u32) -> bool {
        let part = (key >> PLACE_BITS) as usize;
        part + 1 < self.first.len() && self.nodes_of(part).len() as u32 > key & ((1 << PLACE_BITS) - 1)
    }

    /// The nodes of a part of any level.
    pub(super) fn nodes_in(&self, level: usize, part: usize) -> impl Iterator<Item = NodeId> + '_ {
        let range = if level == 0 { self.nodes_of(part) } else { 0..0 };
        let keys = self.levels[level][part].keys.iter();
        range.map(NodeId).chain(keys.map(|&key| self.of_key(key)))
    }

    /// Calls `visit` with each node that a hop leads to within the part of a level, and what it costs.
    #[inline]
    pub(super) fn for_each_hop(&self, level: usize, node: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let part = self.layout.part_of(level, self.place(node));
        let shift = self.shifts[level];
        let cost = |hop: &Hop| Cost::from_units(u64::from(hop.cost) << shift);
        let held = &self.levels[level][part];
        if level == 0 {
            let first = self.first[part];
            for hop in held.hops_of((node.0 - first) as usize) {
                visit(NodeId(first + hop.to), cost(hop));
            }
        } else if let Ok(place) = held.keys.binary_search(&self.key(node)) {
            for hop in held.hops_of(place) {
                visit(self.of_key(held.keys[hop.to as usize]), cost(hop));
            }
        }
    }

    /// Calls `visit` with each node beyond a transition or a link of a node, and what it costs.
    #[inline]
    pub(super) fn for_each_crossing(
        &self,
        view: &GridView<'_>,
        node: NodeId,
        mut visit: impl FnMut(NodeId, Cost),
    ) {
        let (cell, place) = (self.cell(node), self.place(node));
        let mut sides = self.sides[node.index()];
        while sides != 0 {
            let direction = Direction::ALL[sides.trailing_zeros() as usize];
            sides &= sides - 1;
            let (dx, dy) = direction.delta();
            let Some(beyond) = view.grid().node(place.offset(dx, dy)) else { continue };
            if let Some(to) = self.find(beyond)
                && let Some(cost) = view.step_units(cell, beyond, direction)
            {
                visit(to, cost);
            }
        }
        if !self.joints.is_empty() {
            let links = view.grid().links();
            let first = links.partition_point(|link| link.from < cell);
            for link in links[first..].iter().take_while(|link| link.from == cell) {
                if view.is_open_node(link.to)
                    && let Some(to) = self.find(link.to)
                {
                    visit(to, link.cost);
                }
            }
        }
    }

    /// Whether something leads from a node out of its part on a level, or into the part to it.
    pub(super) fn leaves(&self, level: usize, node: NodeId) -> bool {
        let place = self.place(node);
        let part = self.layout.part_of(level, place);
        let sides = self.sides[node.index()];
        let steps = Direction::ALL.into_iter().filter(|direction| sides & direction.bit() != 0);
        let mut beyond = steps.map(|direction| {
            let (dx, dy) = direction.delta();
            place.offset(dx, dy)
        });
        beyond.any(|cell| self.layout.part_of(level, cell) != part)
            || self.joints_at(self.layout.part_of(0, place)).iter().any(|joint| {
                let other = self.layout.shape().cell(joint.other);
                joint.cell == self.cell(node) && self.layout.part_of(level, other) != part
            })
    }

    /// The ends of links in a part of the lowest level.
    pub(super) fn joints_at(&self, part: usize) -> &[Joint] {
        if self.joints.is_empty() {
            return &[];
        }
        let first = self.joints.partition_point(|joint| (joint.part as usize) < part);
        let count = self.joints[first..].iter().take_while(|joint| joint.part as usize == part).count();
        &self.joints[first..first + count]
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        let parts: usize = self.levels.iter().flatten().map(Part::bytes).sum();
        parts
            + self.first.capacity() * size_of::<u32>()
            + self.cells.capacity() * size_of::<NodeId>()
            + self.sides.capacity()
            + self.joints.capacity() * size_of::<Joint>()
    }
}
