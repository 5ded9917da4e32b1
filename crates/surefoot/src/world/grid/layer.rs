//! What a grid looks like to agents of one size: open cells, neighbours, components.

use std::sync::{Arc, OnceLock};

use crate::agent::Moves;
use crate::space::Cell;
use crate::world::clearance;
use crate::world::components::Components;
use crate::world::grid::bits::BitPlane;
use crate::world::grid::direction::{Direction, offsets};
use crate::world::grid::shape::Shape;

/// The cells on which agents that need a certain clearance can stand.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    needed: u32,
    open: BitPlane,
    /// By node number: which neighbours are open, as a byte (bit = number of the direction).
    neighbours: Vec<u8>,
    /// Components under straight steps, and under free diagonal ones. Diagonals that need an open side join nothing
    /// that straight steps do not.
    components: [OnceLock<Components>; 2],
}

impl Layer {
    /// Every open cell: the layer of small agents.
    pub fn base(shape: &Shape, open: BitPlane) -> Layer {
        Layer { needed: 1, neighbours: neighbour_bytes(shape, &open), open, components: Default::default() }
    }

    /// The layer of agents that need more clearance.
    fn narrowed(shape: &Shape, base: &Layer, needed: u32) -> Layer {
        let open = clearance::plane(&base.open, needed);
        Layer { needed, ..Layer::base(shape, open) }
    }

    /// The cells of this layer.
    pub fn open(&self) -> &BitPlane {
        &self.open
    }

    /// By node number: which neighbours are open.
    #[inline]
    pub fn neighbours(&self) -> &[u8] {
        &self.neighbours
    }

    /// The components under a movement rule, computed on first use.
    pub fn components(&self, shape: &Shape, moves: Moves) -> &Components {
        let diagonal = moves == Moves::EightFree;
        self.components[usize::from(diagonal)].get_or_init(|| Components::label(shape, &self.open, diagonal))
    }

    /// Follows a cell of the base plane that opened or closed.
    fn follow(&mut self, shape: &Shape, base: &BitPlane, cell: Cell) {
        for cell in clearance::changed_around(base, &self.open, cell, self.needed) {
            self.flip(shape, cell);
        }
    }

    /// Opens a closed cell or closes an open one.
    fn flip(&mut self, shape: &Shape, cell: Cell) {
        let opened = !self.open.contains(cell);
        self.open.set(cell, opened);
        let node = shape.node(cell);
        for (direction, offset) in Direction::ALL.into_iter().zip(offsets(shape)) {
            let neighbour = &mut self.neighbours[node.index().wrapping_add_signed(offset as isize)];
            *neighbour ^= direction.opposite().bit();
        }
        for components in self.components.iter_mut().filter_map(OnceLock::get_mut) {
            if opened {
                components.opened(shape, &self.open, cell);
            } else {
                components.closed(shape, &self.open, cell);
            }
        }
    }

    /// Drops what is dear to keep in step and cheap to compute again; for edits of many cells at once.
    fn forget_components(&mut self) {
        self.components = Default::default();
    }

    fn bytes(&self) -> usize {
        let components = self.components.iter().filter_map(OnceLock::get).map(Components::bytes);
        self.open.bytes() + self.neighbours.len() + components.sum::<usize>()
    }
}

/// For each node, which neighbours are open, from whole words of three rows at a time.
fn neighbour_bytes(shape: &Shape, open: &BitPlane) -> Vec<u8> {
    let mut bytes = vec![0; shape.node_bound()];
    let bit =
        |row: &[u64], x: i32| -> u8 { if x < 0 { 0 } else { (row[x as usize / 64] >> (x % 64) & 1) as u8 } };
    for y in 0..shape.height() as i32 {
        let first = shape.node(Cell { x: 0, y }).index();
        let (above, here, below) = (open.row(y - 1), open.row(y), open.row(y + 1));
        // The columns left of, at and right of a cell, each as three bits: above, here, below.
        let column = |x: i32| bit(above, x) | bit(here, x) << 1 | bit(below, x) << 2;
        let (mut left, mut middle) = (0, column(0));
        for x in 0..shape.width() as i32 {
            let right = column(x + 1);
            bytes[first + x as usize] = COLUMN_BYTES[0][left as usize]
                | COLUMN_BYTES[1][middle as usize]
                | COLUMN_BYTES[2][right as usize];
            (left, middle) = (middle, right);
        }
    }
    bytes
}

/// The neighbour bits that a column left of, at, or right of a cell contributes.
const COLUMN_BYTES: [[u8; 8]; 3] = {
    let mut table = [[0; 8]; 3];
    let mut direction = 0;
    while direction < 8 {
        let (dx, dy) = Direction::ALL[direction].delta();
        let mut column = 0;
        while column < 8 {
            if column >> (dy + 1) & 1 == 1 {
                table[(dx + 1) as usize][column] |= 1 << direction;
            }
            column += 1;
        }
        direction += 1;
    }
    table
};

/// The layers of a grid, most open first: a list that only grows, so that a shared grid can hand out references while
/// another thread asks for a size that nobody has asked for before.
#[derive(Clone, Debug)]
pub(crate) struct Layers {
    layer: Layer,
    next: OnceLock<Arc<Layers>>,
}

impl Layers {
    pub fn new(base: Layer) -> Layers {
        Layers { layer: base, next: OnceLock::new() }
    }

    pub fn base(&self) -> &Layer {
        &self.layer
    }

    /// The layer for a clearance, made on first use.
    pub fn needing(&self, shape: &Shape, needed: u32) -> &Layer {
        let mut list = self;
        while list.layer.needed != needed {
            list =
                list.next.get_or_init(|| Arc::new(Layers::new(Layer::narrowed(shape, self.base(), needed))));
        }
        &list.layer
    }

    /// Flips cells of the base layer and lets the others follow.
    pub fn flip(&mut self, shape: &Shape, cells: &[Cell], keep_components: bool) {
        if !keep_components {
            self.layer.forget_components();
        }
        for &cell in cells {
            self.layer.flip(shape, cell);
        }
        let (base, mut next) = (&self.layer.open, &mut self.next);
        while let Some(list) = next.get_mut() {
            let list = Arc::make_mut(list);
            if !keep_components {
                list.layer.forget_components();
            }
            for &cell in cells {
                list.layer.follow(shape, base, cell);
            }
            next = &mut list.next;
        }
    }

    pub fn bytes(&self) -> usize {
        self.layer.bytes() + self.next.get().map_or(0, |next| next.bytes())
    }
}
