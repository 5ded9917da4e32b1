//! All straight lines through a voxel world: along each axis, and from each cell.
//!
//! For every cell it expands, a search needs to know which of the six lines from there have to stop somewhere. That is one byte per
//! cell, so lines that lead nowhere cost nothing but this byte.

use crate::id::NodeId;
use crate::space::Voxel;
use crate::world::voxels::bits::BitVolume;
use crate::world::voxels::lines::{Lines, Memory};
use crate::world::voxels::shape::Shape;
use crate::world::voxels::step::Step;

/// The lines of a layer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LineMap {
    along: [Lines; 3],
    leading: Leading,
    /// How many cells are open.
    open: u64,
    memory: Memory,
}

impl LineMap {
    pub fn new(shape: &Shape, open: &BitVolume) -> LineMap {
        let mut leading = Leading::none(shape);
        let along = [0, 1, 2].map(|axis| Lines::new(shape, axis, open, &mut leading));
        LineMap { along, leading, open: open.count() as u64, memory: Memory::default() }
    }

    /// Returns the percentage of open cells at which a line stops, averaged over the six directions.
    pub fn stops(&self) -> f64 {
        let stops: u64 = self.along.iter().map(Lines::count).sum();
        stops as f64 * 100.0 / 6.0 / self.open.max(1) as f64
    }

    /// The lines along an axis.
    #[inline]
    pub fn along(&self, axis: usize) -> &Lines {
        &self.along[axis]
    }

    /// The steps from a cell, as bits, along which a line has to stop somewhere.
    #[inline]
    pub fn leading(&self, node: NodeId) -> u32 {
        self.leading.steps(node)
    }

    /// Follows a cell that opened or closed. Where lines stop has to follow, too, once all cells have.
    pub fn set(&mut self, voxel: Voxel, open: bool) {
        self.open = if open { self.open + 1 } else { self.open - 1 };
        for lines in &mut self.along {
            lines.set(voxel, open);
        }
    }

    /// Recomputes where lines stop near cells that opened or closed.
    pub fn follow(&mut self, flipped: &[Voxel]) {
        for lines in &mut self.along {
            lines.follow(flipped, &mut self.leading, &mut self.memory);
        }
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.along.iter().map(Lines::bytes).sum::<usize>() + self.leading.ways.len()
    }
}

/// By cell: along which axes lines have to stop somewhere, up and down.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leading {
    shape: Shape,
    /// By number: a bit for each axis and way.
    ways: Vec<u8>,
}

/// By bits of [`Leading`]: the steps that they stand for.
const STEPS_OF_WAYS: [u32; 64] = {
    let mut steps = [0; 64];
    let mut ways = 0;
    while ways < 64 {
        let mut way = 0;
        while way < 6 {
            if ways >> way & 1 == 1 {
                steps[ways] |= Step::along(way / 2, way % 2 == 1).bit();
            }
            way += 1;
        }
        ways += 1;
    }
    steps
};

impl Leading {
    fn none(shape: &Shape) -> Leading {
        Leading { shape: *shape, ways: vec![0; shape.node_bound()] }
    }

    #[inline]
    fn steps(&self, node: NodeId) -> u32 {
        STEPS_OF_WAYS[usize::from(self.ways[node.index()] & 63)]
    }

    /// Follows cells of a line, from `first` on along `axis`, whose bits changed from `old` to `new`.
    pub fn change(&mut self, first: Voxel, axis: usize, down: bool, old: &[u64], new: &[u64]) {
        let (first, stride) = (self.shape.node(first).index(), self.shape.strides()[axis] as usize);
        let way = 1 << (2 * axis + usize::from(down));
        for (index, (old, new)) in old.iter().zip(new).enumerate() {
            let mut changed = old ^ new;
            while changed != 0 {
                let cell = index * 64 + changed.trailing_zeros() as usize;
                changed &= changed - 1;
                self.ways[first + cell * stride] ^= way;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::voxels::random_worlds;

    /// Whether a line has to stop: it is open up to a cell beside which something opens that did not before.
    fn has_to_stop(lines: &LineMap, shape: &Shape, open: &BitVolume, voxel: Voxel, step: Step) -> bool {
        let [dx, dy, dz] = step.delta();
        let axis = [dx, dy, dz].iter().position(|&delta| delta != 0).unwrap();
        let mut cells = 1;
        loop {
            let at = voxel.offset(dx * cells, dy * cells, dz * cells);
            if !open.contains(shape, at) {
                return false;
            }
            let before = at.offset(-dx, -dy, -dz);
            let is_stop = Step::ALL.iter().any(|aside| {
                let [x, y, z] = aside.delta();
                let is_aside = aside.axes() > 0 && [x, y, z][axis] == 0;
                let legal =
                    |corner: [i32; 3]| open.contains(shape, at.offset(corner[0], corner[1], corner[2]));
                is_aside
                    && [[x, 0, 0], [0, y, 0], [0, 0, z], [x, y, z]].into_iter().all(legal)
                    && !open.contains(shape, before.offset(x, y, z))
            });
            if is_stop {
                let along = lines.along(axis);
                assert_eq!(along.stop(along.node(voxel), dx + dy + dz), cells as u32);
                return true;
            }
            cells += 1;
        }
    }

    proptest! {
        #[test]
        fn lines_lead_to_stops_and_follow_edits_as_if_made_afresh(
            voxels in random_worlds::small(),
            batches in prop::collection::vec(prop::collection::vec(any::<u32>(), 1..5), 1..5),
        ) {
            let shape = *voxels.shape();
            let mut open = voxels.base().open().clone();
            let mut lines = LineMap::new(&shape, &open);
            for batch in &batches {
                let cells: Vec<Voxel> = batch.iter().map(|&pick| random_worlds::pick(&voxels, pick)).collect();
                for &voxel in &cells {
                    let opened = !open.has(shape.node(voxel));
                    open.set(shape.node(voxel), opened);
                    lines.set(voxel, opened);
                }
                lines.follow(&cells);
                prop_assert_eq!(&lines, &LineMap::new(&shape, &open));
            }
            for voxel in shape.cells().filter(|&voxel| open.contains(&shape, voxel)) {
                for step in Step::ALL.into_iter().filter(|step| step.axes() == 1) {
                    let leads = lines.leading(shape.node(voxel)) & step.bit() != 0;
                    prop_assert_eq!(leads, has_to_stop(&lines, &shape, &open, voxel, step), "{:?} {:?}", voxel, step);
                }
            }
        }
    }
}
