//! The cells that agents may use, as a compact graph.

use crate::id::NodeId;
use crate::world::grid::{Direction, GridView};

/// No cell.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Cells are numbered by tiles of so many columns and rows. The distances of a tile fill one cache line.
const TILE: (i32, i32) = (8, 4);

/// A step from a cell to a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// The neighbour.
    pub to: u32,
    /// The two cells that a diagonal step passes.
    pub corners: Option<[u32; 2]>,
}

/// The cells that agents may use, numbered from 0, with the steps between them. Every step can be taken in both directions.
#[derive(Debug, Default)]
pub(super) struct Floor {
    /// The node of each cell.
    nodes: Vec<NodeId>,
    /// The cell of each node of the grid, or [`NOWHERE`].
    cells: Vec<u32>,
    /// Where the neighbours of each cell begin in the lists below.
    first: Vec<u32>,
    /// The neighbours of all cells.
    neighbours: Vec<u32>,
    /// What steps pass on the way; [`NOWHERE`] for straight ones. Empty if no step is diagonal.
    corners: Vec<[u32; 2]>,
}

impl Floor {
    /// Returns the cells of a view on which its agent can stand; if `within` is given, only those.
    pub fn new(view: &GridView<'_>, within: Option<&[NodeId]>) -> Floor {
        let grid = view.grid();
        let is_open = |node: NodeId| view.is_open_node(node);
        let mut nodes: Vec<NodeId> = match within {
            None => grid.cells().filter_map(|cell| grid.node(cell)).filter(|&node| is_open(node)).collect(),
            Some(list) => list.iter().copied().filter(|&node| is_open(node)).collect(),
        };
        nodes.sort_unstable_by_key(|&node| {
            let cell = grid.cell(node);
            (cell.y / TILE.1, cell.x / TILE.0, cell.y, cell.x)
        });
        nodes.dedup();
        let mut cells = vec![NOWHERE; view.shape().node_bound()];
        for (cell, &node) in (0..).zip(&nodes) {
            cells[node.index()] = cell;
        }
        let mut floor = Floor { nodes, cells, ..Floor::default() };
        floor.connect(view);
        floor
    }

    fn connect(&mut self, view: &GridView<'_>) {
        let offsets = view.offsets();
        let beside = |node: NodeId, direction: Direction| {
            self.cells[node.0.wrapping_add_signed(offsets[direction as usize]) as usize]
        };
        let (mut first, mut neighbours, mut corners) = (vec![0], Vec::new(), Vec::new());
        let mut any_diagonal = false;
        for &node in &self.nodes {
            let legal = view.legal_steps(node);
            for direction in Direction::ALL {
                let to = beside(node, direction);
                if legal & direction.bit() == 0 || to == NOWHERE {
                    continue;
                }
                let mut passed = [NOWHERE; 2];
                if direction.is_diagonal() {
                    let (dx, dy) = direction.delta();
                    let straight = [(dx, 0), (0, dy)].map(|(dx, dy)| Direction::of(dx, dy));
                    passed = straight.map(|side| side.map_or(NOWHERE, |side| beside(node, side)));
                    if passed.contains(&NOWHERE) {
                        continue;
                    }
                    any_diagonal = true;
                }
                neighbours.push(to);
                corners.push(passed);
            }
            first.push(neighbours.len() as u32);
        }
        if !any_diagonal {
            corners = Vec::new();
        }
        (self.first, self.neighbours, self.corners) = (first, neighbours, corners);
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the cell of a node of the grid, if agents may use it.
    pub fn cell(&self, node: NodeId) -> Option<u32> {
        self.cells.get(node.index()).copied().filter(|&cell| cell != NOWHERE)
    }

    /// Returns the node of a cell.
    pub fn node(&self, cell: u32) -> NodeId {
        self.nodes[cell as usize]
    }

    /// Returns whether any step is diagonal.
    pub fn has_diagonals(&self) -> bool {
        !self.corners.is_empty()
    }

    /// Returns the number of the step to the first neighbour of a cell. All steps are numbered, those of a cell one after the other.
    pub fn first_step(&self, cell: u32) -> u32 {
        self.first[cell as usize]
    }

    /// Returns the neighbours of a cell, straight ones first.
    #[inline]
    pub fn neighbours(&self, cell: u32) -> &[u32] {
        let [begin, end] = [cell, cell + 1].map(|at| self.first[at as usize] as usize);
        &self.neighbours[begin..end]
    }

    /// Returns what the steps to [the neighbours](Floor::neighbours) pass, in the same order. If the list is shorter, the other
    /// steps are straight.
    #[inline]
    pub fn corners(&self, cell: u32) -> &[[u32; 2]] {
        if self.corners.is_empty() {
            return &[];
        }
        let [begin, end] = [cell, cell + 1].map(|at| self.first[at as usize] as usize);
        &self.corners[begin..end]
    }

    /// Returns the steps from a cell, straight ones first.
    pub fn ways(&self, cell: u32) -> impl Iterator<Item = Way> {
        let corners = self.corners(cell);
        self.neighbours(cell).iter().enumerate().map(|(index, &to)| {
            let passed = corners.get(index).copied().filter(|passed| passed[0] != NOWHERE);
            Way { to, corners: passed }
        })
    }

    /// Returns what the step between two neighbours passes, if it is diagonal.
    pub fn corners_between(&self, from: u32, to: u32) -> Option<[u32; 2]> {
        if self.corners.is_empty() {
            return None;
        }
        self.ways(from).find(|way| way.to == to).and_then(|way| way.corners)
    }
}
