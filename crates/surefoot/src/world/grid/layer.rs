//! Derived data of a grid for agents of one size: open cells, neighbours, components.

use std::sync::OnceLock;

use crate::agent::Moves;
use crate::effort::unhindered;
use crate::space::Cell;
use crate::world::clearance;
use crate::world::components::Components;
use crate::world::grid::bits::BitPlane;
use crate::world::grid::direction::{Direction, offsets};
use crate::world::grid::jumps::{JumpPlanes, Stops};
use crate::world::grid::shape::Shape;
use crate::world::layers::{self, Layers};
use crate::world::pages::{Pages, Values};

/// The cells on which agents that need a certain clearance can stand.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    needed: u32,
    open: BitPlane,
    /// By node number: which neighbours are open, as a byte (bit = number of the direction).
    neighbours: Pages<u8>,
    /// Components under straight steps, and under free diagonal ones. Diagonals that need an open side join nothing
    /// that straight steps do not.
    components: [OnceLock<Components>; 2],
    /// By movement rule: where lines have to stop.
    jumps: [OnceLock<JumpPlanes>; 4],
    /// By neighbour byte: how many open cells have it.
    census: OnceLock<Box<[u32; 256]>>,
}

impl Layer {
    /// Every open cell: the layer of small agents.
    pub fn base(shape: &Shape, open: BitPlane) -> Layer {
        let neighbours = neighbour_bytes(shape, &open);
        Layer {
            needed: 1,
            neighbours,
            open,
            components: Default::default(),
            jumps: Default::default(),
            census: OnceLock::new(),
        }
    }

    /// The cells of this layer.
    pub fn open(&self) -> &BitPlane {
        &self.open
    }

    /// By node number: which neighbours are open.
    #[inline]
    pub fn neighbours(&self) -> Values<'_, u8> {
        self.neighbours.values()
    }

    /// The components under a movement rule, computed on first use.
    pub fn components(&self, shape: &Shape, moves: Moves) -> &Components {
        let diagonal = moves == Moves::EightFree;
        self.components[usize::from(diagonal)].get_or_init(|| Components::label(shape, &self.open, diagonal))
    }

    /// Computes the components under a movement rule now. See [`effort`](crate::effort) for `work`.
    pub fn make_components<E>(
        &self,
        shape: &Shape,
        moves: Moves,
        work: impl Fn(u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let diagonal = moves == Moves::EightFree;
        if !self.knows_components(moves) {
            let components = Components::try_label(shape, &self.open, diagonal, work)?;
            // If another thread was quicker, its components are the same.
            let _ = self.components[usize::from(diagonal)].set(components);
        }
        Ok(())
    }

    /// Whether the components under a movement rule have been computed.
    pub fn knows_components(&self, moves: Moves) -> bool {
        self.components[usize::from(moves == Moves::EightFree)].get().is_some()
    }

    /// Where lines have to stop under a movement rule, computed on first use.
    pub fn jumps(&self, shape: &Shape, moves: Moves) -> &JumpPlanes {
        self.jumps[moves as usize].get_or_init(|| {
            let rule = (moves, Stops::EachWay);
            let Ok(planes) = JumpPlanes::build(shape, rule, &self.open, self.neighbours(), unhindered);
            planes
        })
    }

    /// Computes now where lines have to stop. See [`effort`](crate::effort) for `work`.
    pub fn make_jumps<E>(
        &self,
        shape: &Shape,
        moves: Moves,
        work: impl Fn(u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let jumps = &self.jumps[moves as usize];
        if jumps.get().is_none() {
            let rule = (moves, Stops::EachWay);
            // If another thread was quicker, its planes are the same.
            let _ = jumps.set(JumpPlanes::build(shape, rule, &self.open, self.neighbours(), work)?);
        }
        Ok(())
    }

    /// How many open cells have each byte of neighbours, counted on first use.
    pub fn census(&self, shape: &Shape) -> &[u32; 256] {
        self.census.get_or_init(|| {
            let mut census = Box::new([0; 256]);
            for y in 0..shape.height() as i32 {
                let first = shape.node(Cell { x: 0, y }).index();
                for (word, &bits) in self.open.row(y).iter().enumerate() {
                    let mut bits = bits;
                    while bits != 0 {
                        let node = first + word * 64 + bits.trailing_zeros() as usize;
                        census[usize::from(self.neighbours.get(node))] += 1;
                        bits &= bits - 1;
                    }
                }
            }
            census
        })
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
        let mut census = self.census.get_mut();
        let mut count = |neighbours: u8, enters: bool| {
            if let Some(count) = census.as_mut().map(|census| &mut census[usize::from(neighbours)]) {
                *count = count.wrapping_add_signed(if enters { 1 } else { -1 });
            }
        };
        count(self.neighbours.get(node.index()), opened);
        for (direction, offset) in Direction::ALL.into_iter().zip(offsets(shape)) {
            let neighbour = node.index().wrapping_add_signed(offset as isize);
            let before = self.neighbours.get(neighbour);
            let after = before ^ direction.opposite().bit();
            self.neighbours.set(neighbour, after);
            let (dx, dy) = direction.delta();
            if self.open.contains(cell.offset(dx, dy)) {
                count(before, false);
                count(after, true);
            }
        }
        for jumps in &mut self.jumps {
            let Some(planes) = jumps.get_mut() else { continue };
            planes.follow(shape, &self.open, self.neighbours.values(), cell);
            if planes.is_worn() {
                jumps.take();
            }
        }
        for components in self.components.iter_mut().filter_map(OnceLock::get_mut) {
            if opened {
                components.opened(shape, cell);
            } else {
                components.closed(shape, cell);
            }
        }
    }

    /// Drops what is expensive to keep up to date and cheap to recompute; for edits of many cells at once.
    fn forget_derived(&mut self) {
        self.components = Default::default();
        self.jumps = Default::default();
        self.census = OnceLock::new();
    }
}

/// For each node, which neighbours are open, from whole words of three rows at a time.
fn neighbour_bytes(shape: &Shape, open: &BitPlane) -> Pages<u8> {
    let mut list = Pages::of(0, shape.node_bound(), 1);
    let bytes = list.all_mut();
    for y in 0..shape.height() as i32 {
        let first = shape.node(Cell { x: 0, y }).index();
        let row = &mut bytes[first..first + shape.width() as usize];
        for (word, chunk) in row.chunks_mut(64).enumerate() {
            // By direction: for each cell of the word, whether the neighbour there is open.
            let planes = Direction::ALL.map(|direction| {
                let (dx, dy) = direction.delta();
                let row = open.row(y + dy);
                match dx {
                    -1 => row[word] << 1 | if word == 0 { 0 } else { row[word - 1] >> 63 },
                    1 => row[word] >> 1 | row.get(word + 1).map_or(0, |after| after << 63),
                    _ => row[word],
                }
            });
            for (eight, cells) in chunk.chunks_mut(8).enumerate() {
                let mut spread = 0;
                for (direction, plane) in planes.iter().enumerate() {
                    spread |= SPREAD[usize::from((plane >> (8 * eight)) as u8)] << direction;
                }
                cells.copy_from_slice(&spread.to_le_bytes()[..cells.len()]);
            }
        }
    }
    list
}

/// By byte: eight bytes that are 1 where the byte has a bit, 0 elsewhere.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 * 8 {
        let (byte, bit) = (index / 8, index % 8);
        table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
        index += 1;
    }
    table
};

impl layers::Layer for Layer {
    type Shape = Shape;

    fn needed_clearance(&self) -> u32 {
        self.needed
    }

    fn narrowed(shape: &Shape, base: &Layer, needed: u32) -> Layer {
        let open = clearance::plane(&base.open, needed);
        Layer { needed, ..Layer::base(shape, open) }
    }

    fn bytes(&self) -> usize {
        let components = self.components.iter().filter_map(OnceLock::get).map(Components::bytes);
        let jumps = self.jumps.iter().filter_map(OnceLock::get).map(JumpPlanes::bytes);
        self.open.bytes() + self.neighbours.bytes() + components.sum::<usize>() + jumps.sum::<usize>()
    }
}

impl Layers<Layer> {
    /// Flips cells of the base layer and lets the others follow.
    pub fn flip(&mut self, shape: &Shape, cells: &[Cell], keep_derived: bool) {
        let flip = |base: &mut Layer| {
            if !keep_derived {
                base.forget_derived();
            }
            for &cell in cells {
                base.flip(shape, cell);
            }
        };
        self.change(flip, |layer, base| {
            if !keep_derived {
                layer.forget_derived();
            }
            for &cell in cells {
                layer.follow(shape, &base.open, cell);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::random_maps;

    proptest! {
        #[test]
        fn the_census_follows_edits(open in random_maps::plane(), edits in prop::collection::vec((any::<u32>(), any::<u32>()), 1..8)) {
            let shape = Shape::new(open.width(), open.height());
            let mut layer = Layer::base(&shape, open);
            layer.census(&shape);
            for (x, y) in edits {
                layer.flip(&shape, Cell::new((x % shape.width()) as i32, (y % shape.height()) as i32));
            }
            let fresh = Layer::base(&shape, layer.open.clone());
            prop_assert_eq!(layer.census(&shape), fresh.census(&shape));
        }

        #[test]
        fn neighbour_bytes_say_which_neighbours_are_open(open in random_maps::plane()) {
            let shape = Shape::new(open.width(), open.height());
            let bytes = neighbour_bytes(&shape, &open);
            for cell in shape.cells() {
                let is_open = |direction: &Direction| {
                    let (dx, dy) = direction.delta();
                    open.contains(cell.offset(dx, dy))
                };
                let expected = Direction::ALL.iter().filter(|step| is_open(step)).fold(0, |all, step| all | step.bit());
                prop_assert_eq!(bytes.get(shape.node(cell).index()), expected, "{:?}", cell);
            }
        }
    }
}
