//! The cells whose closing disconnects a map.
//!
//! One depth-first traversal finds them (Hopcroft and Tarjan, *Algorithm 447: Efficient Algorithms for Graph
//! Manipulation*, CACM 1973). The numbers that it assigns tell which cells a choke cell connects.
//!
//! # Which cells are neighbours
//! Closing a cell also forbids diagonal steps past it, so the choke cells are not simply the articulation points of the
//! graph of legal steps. But with the rules `4`, `8` and `8-one`, open cells are connected exactly when straight steps
//! connect them: a diagonal step needs an open cell beside it, and two straight steps over that cell lead to the same
//! place. That also holds for the map with the cell closed. So a cell disconnects the map exactly when it is an
//! articulation point of the open cells under straight steps. With `8-free`, all eight steps connect cells, whatever
//! lies beside them, and the same holds for the graph of those steps.

use crate::agent::Moves;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::{BitPlane, Direction, GridView, Shape};
use crate::world::journal::Revision;

/// The choke cells of a grid for an agent: open cells that, once the agent cannot stand on them, disconnect open cells
/// that were connected. Links are ignored; they may lead around a choke cell.
///
/// For agents wider than a cell, these are the cells that the agent's centre has to pass. This is a snapshot: after an
/// edit, create another. That takes one traversal of the map, some milliseconds for 512 x 512 cells.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::siting::Chokes;
/// let grid: Grid = "
///     ..#..
///     .....
///     ..#..".parse().unwrap();
/// let chokes = Chokes::of(&grid.view(&Agent::default()));
/// let door = Cell::new(2, 1);
/// assert_eq!(chokes.cells().collect::<Vec<_>>(), [Cell::new(1, 1), door, Cell::new(3, 1)]);
/// assert!(chokes.separates(door, Cell::new(0, 0), Cell::new(4, 2)));
/// assert!(!chokes.separates(door, Cell::new(0, 0), Cell::new(0, 2)));
/// ```
#[derive(Clone, Debug)]
pub struct Chokes {
    shape: Shape,
    revision: Revision,
    /// The steps that connect cells: the directions as a byte.
    steps: u8,
    plane: BitPlane,
    /// By node number.
    visits: Vec<Visit>,
    /// When the walk entered the first cell of each component, in order.
    roots: Vec<u32>,
}

/// What the traversal knows about a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    /// When the traversal entered this cell, from 1; 0 for cells that are not open.
    entered: u32,
    /// The last time that it entered a cell before it left this one.
    last: u32,
    /// The direction back to where it came from; for the first cell of a component none.
    back: Option<Direction>,
    /// Whether this cell and all cells entered from here are connected to the rest only through the cell before.
    hangs: bool,
}

impl Visit {
    /// Returns whether the traversal entered the other cell between entering and leaving this one.
    fn encloses(&self, other: Visit) -> bool {
        (self.entered..=self.last).contains(&other.entered)
    }
}

impl Chokes {
    /// Finds the choke cells of a grid as an agent sees it.
    pub fn of(view: &GridView<'_>) -> Chokes {
        let shape = *view.shape();
        let mut chokes = Chokes {
            shape,
            revision: view.grid().revision(),
            steps: if view.moves() == Moves::EightFree { 0b1111_1111 } else { 0b0000_1111 },
            plane: BitPlane::new(shape.width(), shape.height()),
            visits: vec![Visit::default(); shape.node_bound()],
            roots: Vec::new(),
        };
        let mut walk = Walk::new(view, chokes.steps);
        for cell in shape.cells().filter(|&cell| view.is_open(cell)) {
            let root = shape.node(cell);
            if chokes.visits[root.index()].entered == 0 {
                chokes.roots.push(walk.clock + 1);
                walk.from(root, &mut chokes);
            }
        }
        chokes
    }

    /// Returns the revision of the grid at which this snapshot was taken.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the choke cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.shape.cells().filter(|&cell| self.plane.contains(cell))
    }

    /// Returns whether a cell is a choke cell; `false` for cells outside the grid.
    pub fn is_choke(&self, cell: Cell) -> bool {
        self.plane.contains(cell)
    }

    /// Returns whether every path of steps between two cells leads over a given cell. A cell separates itself from all
    /// cells that are connected to it. Cells that are not connected in the first place are not separated by any cell.
    pub fn separates(&self, cell: Cell, from: Cell, to: Cell) -> bool {
        let visit = |cell| self.shape.contains(cell).then(|| self.visits[self.shape.node(cell).index()]);
        let (Some(from_visit), Some(to_visit)) = (visit(from), visit(to)) else { return false };
        if from_visit.entered == 0 || self.tree(from_visit) != self.tree(to_visit) {
            return false;
        }
        cell == from
            || cell == to
            || self.is_choke(cell) && self.side(cell, from_visit) != self.side(cell, to_visit)
    }

    /// Returns the bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        self.plane.bytes() + self.visits.len() * size_of::<Visit>() + self.roots.len() * size_of::<u32>()
    }

    /// Returns a number for each component.
    fn tree(&self, visit: Visit) -> usize {
        self.roots.partition_point(|&first| first <= visit.entered)
    }

    /// Returns on which side of a choke cell another cell lies: the neighbour entered from the choke cell through which
    /// it is connected, or `None` for the side from which the traversal came.
    fn side(&self, choke: Cell, visit: Visit) -> Option<Direction> {
        let node = self.shape.node(choke);
        let beyond = |direction: &Direction| {
            let (dx, dy) = direction.delta();
            let near = self.visits[offset(&self.shape, node, dx, dy).index()];
            near.back == Some(direction.opposite()) && near.hangs && near.encloses(visit)
        };
        let joined = Direction::ALL.into_iter().filter(|direction| self.steps & direction.bit() != 0);
        joined.into_iter().find(beyond)
    }
}

/// Returns the neighbour of a node `dx` columns and `dy` rows away.
fn offset(shape: &Shape, node: NodeId, dx: i32, dy: i32) -> NodeId {
    NodeId(node.0.wrapping_add_signed(dy * shape.stride() as i32 + dx))
}

/// A depth-first traversal that backtracks by what it recorded, so that it needs no stack.
struct Walk {
    clock: u32,
    offsets: [i32; 8],
    /// By node number: the neighbours that are still to be visited, as a byte.
    ahead: Vec<u8>,
    /// By node number: the earliest cell that can be reached from here or from a cell entered later, in one step that the
    /// walk did not take.
    low: Vec<u32>,
}

impl Walk {
    fn new(view: &GridView<'_>, steps: u8) -> Walk {
        let ahead = view.neighbours().iter().map(|neighbours| neighbours & steps).collect();
        Walk { clock: 0, offsets: *view.offsets(), ahead, low: vec![0; view.neighbours().len()] }
    }

    /// Walks through a component.
    fn from(&mut self, root: NodeId, chokes: &mut Chokes) {
        let mut hanging_on_root = 0;
        let mut at = root.index();
        self.enter(at, None, &mut chokes.visits);
        loop {
            let ahead = self.ahead[at];
            if ahead != 0 {
                self.ahead[at] &= ahead - 1;
                let direction = ahead.trailing_zeros() as usize;
                let next = self.beside(at, direction);
                match chokes.visits[next].entered {
                    0 => {
                        let back = Direction::ALL[direction].opposite();
                        self.enter(next, Some(back), &mut chokes.visits);
                        at = next;
                    }
                    entered => self.low[at] = self.low[at].min(entered),
                }
                continue;
            }
            chokes.visits[at].last = self.clock;
            let Some(back) = chokes.visits[at].back else { break };
            let before = self.beside(at, back as usize);
            let hangs = self.low[at] >= chokes.visits[before].entered;
            chokes.visits[at].hangs = hangs;
            self.low[before] = self.low[before].min(self.low[at]);
            if hangs && before == root.index() {
                hanging_on_root += 1;
            }
            if hangs && (before != root.index() || hanging_on_root > 1) {
                let cell = chokes.shape.cell(NodeId(before as u32));
                chokes.plane.set(cell, true);
            }
            at = before;
        }
    }

    fn enter(&mut self, at: usize, back: Option<Direction>, visits: &mut [Visit]) {
        self.clock += 1;
        self.low[at] = self.clock;
        self.ahead[at] &= !back.map_or(0, Direction::bit);
        visits[at] = Visit { entered: self.clock, last: self.clock, back, hangs: false };
    }

    fn beside(&self, at: usize, direction: usize) -> usize {
        at.wrapping_add_signed(self.offsets[direction] as isize)
    }
}
