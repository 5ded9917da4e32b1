//! Derived data of a voxel world for agents of one size.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::space::Voxel;
use crate::world::clearance::doubled_part;
use crate::world::layers::{self, Layers};
use crate::world::voxels::bits::BitVolume;
use crate::world::voxels::components::Components;
use crate::world::voxels::line_map::LineMap;
use crate::world::voxels::shape::Shape;

/// Worlds with at most this many rows of cells relabel their components from scratch on the first query after an edit, which takes a
/// fraction of a millisecond. Larger ones do so only as long as they have not been edited.
const FEW_ROWS: u32 = 1 << 14;

/// The cells in which agents that need a certain clearance can be.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    needed: u32,
    open: BitVolume,
    quads: OnceLock<BitVolume>,
    lines: OnceLock<LineMap>,
    components: OnceLock<Components>,
    edited: bool,
    scratch: Scratch,
}

/// Memory for edits, of which copies have none.
#[derive(Debug, Default)]
struct Scratch {
    eroder: Option<Eroder>,
    rows: Vec<(i32, i32)>,
    old: Vec<u64>,
    changes: Vec<(Voxel, bool)>,
    flipped: Vec<Voxel>,
    /// Components that are out of date.
    components: Mutex<Components>,
}

impl Clone for Scratch {
    fn clone(&self) -> Scratch {
        Scratch::default()
    }
}

impl Layer {
    /// Every open cell: the layer of small agents.
    pub fn base(open: BitVolume) -> Layer {
        let (quads, lines, components) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Layer { needed: 1, open, quads, lines, components, edited: false, scratch: Scratch::default() }
    }

    /// The cells of this layer.
    #[inline]
    pub fn open(&self) -> &BitVolume {
        &self.open
    }

    /// Returns the cells that are open together with the next ones along y, along z, and along both. A line passes between four rows, which are
    /// far apart in memory: here they are one. Computed on first use.
    #[inline]
    pub fn quads(&self, shape: &Shape) -> &BitVolume {
        self.quads.get_or_init(|| quads_of(shape, &self.open))
    }

    /// Returns its straight lines, computed on first use.
    pub fn lines(&self, shape: &Shape) -> &LineMap {
        self.lines.get_or_init(|| LineMap::new(shape, &self.open))
    }

    /// Returns the connected components, if they are known or quick to compute.
    pub fn components(&self, shape: &Shape) -> Option<&Components> {
        let [_, y, z] = shape.size();
        if self.edited && y.saturating_mul(z) > FEW_ROWS {
            return self.components.get();
        }
        Some(self.components_at_any_price(shape))
    }

    /// Returns whether the connected components are known, or need to be computed only once because nothing is edited.
    pub fn has_components(&self) -> bool {
        !self.edited || self.components.get().is_some()
    }

    /// Returns the connected components, even if that takes as long as visiting every cell.
    pub fn components_at_any_price(&self, shape: &Shape) -> &Components {
        self.components.get_or_init(|| {
            let mut memory = self.scratch.components.lock().unwrap_or_else(PoisonError::into_inner);
            Components::label(std::mem::take(&mut memory), shape, &self.open)
        })
    }

    /// Opens or closes a cell. What lines make of it follows when all cells are as they should be.
    fn set(&mut self, shape: &Shape, voxel: Voxel, open: bool) {
        self.open.set(shape.node(voxel), open);
        if let Some(quads) = self.quads.get_mut() {
            for (dy, dz) in QUAD {
                let lowest = voxel.offset(0, -dy, -dz);
                if shape.contains(lowest) {
                    let is_open = |(dy, dz)| self.open.contains(shape, lowest.offset(0, dy, dz));
                    quads.set(shape.node(lowest), QUAD.into_iter().all(is_open));
                }
            }
        }
        if let Some(lines) = self.lines.get_mut() {
            lines.set(voxel, open);
        }
    }

    /// Lets lines follow cells that were opened or closed.
    fn settle(&mut self, flipped: &[Voxel]) {
        if let Some(lines) = self.lines.get_mut() {
            lines.follow(flipped);
        }
    }

    /// Drops what is recomputed rather than kept up to date.
    fn forget_derived(&mut self) {
        if let Some(components) = self.components.take() {
            self.scratch.components = Mutex::new(components);
        }
        self.edited = true;
    }

    /// Follows cells of the base layer that opened or closed.
    fn follow(&mut self, shape: &Shape, base: &BitVolume, flipped: &[Voxel]) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let Scratch { eroder, rows: touched, old, changes, flipped: moved, .. } = &mut scratch;
        let eroder = eroder.get_or_insert_with(|| Eroder::new(shape, self.needed));
        let reach = eroder.reach;
        let [_, height, depth] = shape.size().map(|side| side as i32);
        let rows = |row: &[Voxel]| {
            let near = |at: i32, end: i32| (at - reach).max(0)..(at + reach + 1).min(end);
            let (ys, zs) = (near(row[0].y, height), near(row[0].z, depth));
            zs.flat_map(move |z| ys.clone().map(move |y| (z, y)))
        };
        let same_row = |one: &Voxel, next: &Voxel| (one.y, one.z) == (next.y, next.z);
        touched.clear();
        touched.extend(flipped.chunk_by(same_row).flat_map(rows));
        touched.sort_unstable();
        touched.dedup();
        changes.clear();
        old.resize(shape.size()[0].div_ceil(64) as usize, 0);
        for &(z, y) in touched.iter() {
            self.open.read_row(shape, y, z, old);
            let new = eroder.row(shape, base, y, z);
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                let mut changed = old ^ new;
                while changed != 0 {
                    let bit = changed.trailing_zeros();
                    changed &= changed - 1;
                    let x = (index * 64) as i32 + bit as i32;
                    changes.push((Voxel { x, y, z }, new >> bit & 1 == 1));
                }
            }
        }
        for &(voxel, open) in changes.iter() {
            self.set(shape, voxel, open);
        }
        moved.clear();
        moved.extend(changes.iter().map(|(voxel, _)| *voxel));
        self.settle(moved);
        self.scratch = scratch;
    }
}

/// Computes where agents that need a clearance can be, a row at a time.
#[derive(Debug)]
struct Eroder {
    /// How far a wall matters, in cells along each axis.
    reach: i32,
    /// The rows around a row in which walls matter, and how many columns to each side.
    near: Vec<(i32, i32, u32)>,
    words: Vec<u64>,
    row: Vec<u64>,
}

impl Eroder {
    fn new(shape: &Shape, needed: u32) -> Eroder {
        // The square of twice what a wall `n` cells away leaves, `n - 1/2` cells, has to be below what is needed.
        let reach = (needed.saturating_sub(1).isqrt() as i32 + 1) / 2;
        let part = |distance: i32| u64::from(doubled_part(distance.unsigned_abs()));
        let mut near = Vec::new();
        for (dz, dy) in (-reach..=reach).flat_map(|dz| (-reach..=reach).map(move |dy| (dz, dy))) {
            if let Some(left) = u64::from(needed).checked_sub(part(dy) + part(dz) + 1) {
                near.push((dy, dz, left.isqrt().div_ceil(2) as u32));
            }
        }
        let words = shape.size()[0].div_ceil(64) as usize;
        Eroder { reach, near, words: vec![0; words], row: vec![0; words] }
    }

    /// The cells of a row in which the agent can be.
    fn row(&mut self, shape: &Shape, base: &BitVolume, y: i32, z: i32) -> &[u64] {
        self.row.fill(u64::MAX);
        for &(dy, dz, half_width) in &self.near {
            base.read_row(shape, y + dy, z + dz, &mut self.words);
            for _ in 0..half_width {
                narrow(&mut self.words);
            }
            // A row of no cells settles it.
            let mut any = 0;
            for (open, near) in self.row.iter_mut().zip(&self.words) {
                *open &= near;
                any |= *open;
            }
            if any == 0 {
                break;
            }
        }
        &self.row
    }
}

/// Takes away every cell with a neighbour in its row that is not there; beside the row nothing is.
fn narrow(words: &mut [u64]) {
    let mut before = 0;
    for index in 0..words.len() {
        let here = words[index];
        let after = words.get(index + 1).copied().unwrap_or(0);
        words[index] = here & (here << 1 | before >> 63) & (here >> 1 | after << 63);
        before = here;
    }
}

/// The cells of a quad: how far they are from the lowest one along y and z.
const QUAD: [(i32, i32); 4] = [(0, 0), (1, 0), (0, 1), (1, 1)];

fn quads_of(shape: &Shape, open: &BitVolume) -> BitVolume {
    let mut quads = BitVolume::new(shape);
    let words = shape.size()[0].div_ceil(64) as usize;
    let (mut all, mut row) = (vec![0; words], vec![0; words]);
    for (y, z) in shape.rows() {
        all.fill(u64::MAX);
        for (dy, dz) in QUAD {
            open.read_row(shape, y + dy, z + dz, &mut row);
            for (all, row) in all.iter_mut().zip(&row) {
                *all &= row;
            }
        }
        quads.write_row(shape, y, z, &all);
    }
    quads
}

impl layers::Layer for Layer {
    type Shape = Shape;

    fn needed_clearance(&self) -> u32 {
        self.needed
    }

    fn narrowed(shape: &Shape, base: &Layer, needed: u32) -> Layer {
        let mut layer = Layer { needed, ..Layer::base(BitVolume::new(shape)) };
        let mut eroder = Eroder::new(shape, needed);
        for (y, z) in shape.rows() {
            layer.open.write_row(shape, y, z, eroder.row(shape, &base.open, y, z));
        }
        layer
    }

    fn bytes(&self) -> usize {
        self.open.bytes()
            + self.quads.get().map_or(0, BitVolume::bytes)
            + self.lines.get().map_or(0, LineMap::bytes)
            + self.components.get().map_or(0, Components::bytes)
    }
}

impl Layers<Layer> {
    /// Flips cells of the base layer and lets the others follow.
    pub fn flip(&mut self, shape: &Shape, cells: &[Voxel]) {
        let flip = |base: &mut Layer| {
            base.forget_derived();
            for &voxel in cells {
                let opened = !base.open.has(shape.node(voxel));
                base.set(shape, voxel, opened);
            }
            base.settle(cells);
        };
        self.change(flip, |layer, base| {
            layer.forget_derived();
            layer.follow(shape, &base.open, cells);
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agent::Agent;
    use crate::world::voxels::{Voxels, random_worlds};

    proptest! {
        #[test]
        fn layers_match_clearance_and_follow_edits(
            voxels in random_worlds::small(),
            radius in 0.0..3.0,
            batches in prop::collection::vec(prop::collection::vec(any::<u32>(), 1..5), 0..4),
        ) {
            let mut voxels = voxels;
            let agent = Agent::new().with_radius(radius).unwrap();
            voxels.view(&agent).layer().lines(voxels.shape());
            voxels.view(&agent).layer().quads(voxels.shape());
            for batch in batches {
                let edits: Vec<Voxel> = batch.iter().map(|&pick| random_worlds::pick(&voxels, pick)).collect();
                let flips: Vec<_> = edits.iter().map(|&voxel| (voxel, voxels.is_open(voxel))).collect();
                voxels.set_many(flips).unwrap();
            }
            let view = voxels.view(&agent);
            let fresh = LineMap::new(voxels.shape(), view.layer().open());
            prop_assert_eq!(view.layer().lines(voxels.shape()), &fresh);
            for voxel in voxels.shape().cells() {
                let quad = QUAD.into_iter().all(|(dy, dz)| view.is_open(voxel.offset(0, dy, dz)));
                let quads = view.layer().quads(voxels.shape());
                prop_assert_eq!(quads.contains(voxels.shape(), voxel), quad, "{:?}", voxel);
            }
            for voxel in voxels.shape().cells() {
                let fits = voxels.clearance(voxel) >= radius && voxels.is_open(voxel);
                prop_assert_eq!(view.is_open(voxel), fits, "{:?} {}", voxel, voxels.clearance(voxel));
            }
        }
    }

    /// The definition, over every solid cell in and just around the world.
    fn clearance(voxels: &Voxels, voxel: Voxel) -> u32 {
        let [x, y, z] = voxels.size().map(|side| side as i32);
        let places =
            (-1..=z).flat_map(|z| (-1..=y).flat_map(move |y| (-1..=x).map(move |x| Voxel { x, y, z })));
        let part = |a: i32, b: i32| (2 * (a - b).abs() - 1).max(0).pow(2) as u32;
        let apart = |other: Voxel| part(voxel.x, other.x) + part(voxel.y, other.y) + part(voxel.z, other.z);
        places.filter(|&place| !voxels.is_open(place)).map(apart).min().unwrap()
    }

    #[test]
    fn an_agent_is_wherever_it_just_fits() {
        for (size, solid) in [([9, 9, 9], [3, 4, 5]), ([70, 7, 7], [63, 3, 3]), ([70, 7, 7], [64, 3, 2])] {
            let [x, y, z] = solid;
            let solid = [Voxel { x, y, z: 0 }, Voxel { x, y, z }];
            let mut voxels = Voxels::from_solid(size, solid).unwrap();
            let squares: Vec<u32> = voxels.cells().map(|voxel| clearance(&voxels, voxel)).collect();
            let mut needed: Vec<u32> = squares.iter().copied().filter(|&square| square > 1).collect();
            needed.sort_unstable();
            needed.dedup();
            for needed in needed {
                let layer = voxels.layers.needing(voxels.shape(), needed);
                for (voxel, &square) in voxels.cells().zip(&squares) {
                    assert_eq!(
                        layer.open().contains(voxels.shape(), voxel),
                        square >= needed,
                        "{voxel:?} {needed}"
                    );
                    assert_eq!((voxels.clearance(voxel) * 2.0).powi(2).round() as u32, square);
                }
            }
            // The layers follow when the cells open.
            voxels.set_many(solid.map(|voxel| (voxel, false))).unwrap();
            let fresh = Voxels::new(size[0], size[1], size[2]).unwrap();
            for needed in squares {
                let layer = voxels.layers.needing(voxels.shape(), needed.max(1));
                assert_eq!(layer.open(), fresh.layers.needing(voxels.shape(), needed.max(1)).open());
            }
        }
    }

    #[test]
    fn what_hangs_together_follows_edits_for_wide_agents_too() {
        let mut shaft = Voxels::new(3, 3, 12).unwrap();
        for radius in [0.0, 1.4] {
            let agent = Agent::new().with_radius(radius).unwrap();
            for is_open in [true, false, true] {
                let middle = shaft.cells().filter(|voxel| voxel.z == 6).map(|voxel| (voxel, !is_open));
                shaft.set_many(middle).unwrap();
                let components = shaft.view(&agent).components().unwrap();
                let [below, above] = [1, 10].map(|z| components.of(Voxel::new(1, 1, z)));
                assert!(below.is_some() && (below == above) == is_open, "{radius} {is_open}");
            }
        }
    }
}
