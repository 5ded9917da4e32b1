//! Where straight lines through a voxel world have to stop.
//!
//! A step that is followed by none but itself in the open (see [`Rule::single`](super::rules::Rule::single)) runs on in a line until
//! something forces a turn: beside the line, a cell that is open and reached by a legal step, where the cell before it is solid. If
//! there is none, whatever lies beside the line is reached as well from the cell before: directly, or by the same
//! diagonal one cell earlier and a straight step, which is of lower rank.

use crate::id::NodeId;
use crate::space::Voxel;
use crate::world::voxels::bits::{BitVolume, WINDOW};
use crate::world::voxels::shape::Shape;

/// How many cells of a line are looked at together, the first left out.
const AHEAD: u32 = WINDOW - 1;

/// How many bits of stops are worked out together.
const BATCH: usize = 48;

/// The cells of a layer with rows along one axis, and where lines along it have to stop.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lines {
    /// Which axis runs along rows, which across, and which from layer to layer.
    axes: [usize; 3],
    shape: Shape,
    open: BitVolume,
    /// For lines that run up through the numbers, and down.
    stops: [BitVolume; 2],
}

impl Lines {
    /// The lines along one axis.
    pub fn new(shape: &Shape, axis: usize, open: &BitVolume) -> Lines {
        let axes = [axis, (axis + 1) % 3, (axis + 2) % 3];
        let turned = Shape::new(axes.map(|axis| shape.size()[axis]));
        let stops = [BitVolume::new(&turned), BitVolume::new(&turned)];
        let mut lines = Lines { axes, shape: turned, open: BitVolume::full(&turned), stops };
        let mut words = vec![0; shape.size()[0].div_ceil(64) as usize];
        for (y, z) in shape.rows() {
            open.read_row(shape, y, z, &mut words);
            for (word, first) in words.iter().zip((0..shape.size()[0] as i32).step_by(64)) {
                let mut solid = !word;
                while solid != 0 {
                    let x = first + solid.trailing_zeros() as i32;
                    solid &= solid - 1;
                    let voxel = Voxel { x, y, z };
                    if shape.contains(voxel) {
                        lines.open.set(lines.node(voxel), false);
                    }
                }
            }
        }
        for (y, z) in turned.rows() {
            let first = turned.node(Voxel { x: 0, y, z }).0;
            for x in (0..turned.size()[0]).step_by(BATCH) {
                let bits = BATCH.min((turned.size()[0] - x) as usize);
                lines.update(first + x, bits);
            }
        }
        lines
    }

    /// The number of a cell here.
    #[inline]
    pub fn node(&self, voxel: Voxel) -> NodeId {
        let place = [voxel.x, voxel.y, voxel.z];
        let [x, y, z] = self.axes.map(|axis| place[axis]);
        self.shape.node(Voxel { x, y, z })
    }

    /// Follows a cell that opened or closed. Where lines stop has to follow, too, once all cells have.
    pub fn set(&mut self, voxel: Voxel, open: bool) {
        self.open.set(self.node(voxel), open);
    }

    /// Works out anew where lines stop near cells that opened or closed. Cells that lie together are looked at together.
    pub fn follow(&mut self, flipped: &[Voxel]) {
        let mut cells: Vec<NodeId> = flipped.iter().map(|&voxel| self.node(voxel)).collect();
        cells.sort_unstable();
        let [width, height, depth] = self.shape.size().map(|side| side as i32);
        let runs: Vec<(Voxel, i32)> = cells
            .chunk_by(|one, next| next.0 - one.0 <= 1)
            .map(|run| {
                let first = self.shape.voxel(run[0]);
                let after = first.x + (run[run.len() - 1].0 - run[0].0) as i32 + 1;
                (first, after)
            })
            .collect();
        let mut stretches: Vec<(u32, u32)> = Vec::with_capacity(9 * runs.len());
        for (dz, dy) in (-1..=1).flat_map(|dz| (-1..=1).map(move |dy| (dz, dy))) {
            for (first, after) in &runs {
                let (x, y, z) = ((first.x - 1).max(0), first.y + dy, first.z + dz);
                if (0..height).contains(&y) && (0..depth).contains(&z) {
                    let start = self.shape.node(Voxel { x, y, z }).0;
                    stretches.push((start, start + ((after + 1).min(width) - x) as u32));
                }
            }
        }
        // Nine lists in order: next to nothing to sort.
        stretches.sort_by_key(|&(start, _)| start);
        // The number between two rows belongs to neither, so what touches is of one row.
        let mut joined = stretches.into_iter().peekable();
        while let Some((mut at, mut end)) = joined.next() {
            while let Some((_, further)) = joined.next_if(|(start, _)| *start <= end) {
                end = end.max(further);
            }
            while at < end {
                let count = (end - at).min(BATCH as u32);
                self.update(at, count as usize);
                at += count;
            }
        }
    }

    /// Works out where lines stop at up to [`BATCH`] cells of a row.
    fn update(&mut self, first: u32, count: usize) {
        let [_, row, layer] = self.shape.strides().map(i64::from);
        // From the cell before, which decides about the first.
        let at = i64::from(first) - 1;
        let window = |offset: i64| self.open.window(at + offset);
        let faces = [window(-row), window(row), window(-layer), window(layer)];
        let mut stops = [0, 0];
        let mut add = |cells: u64, legal: u64| {
            stops[0] |= cells & !(cells << 1) & legal;
            stops[1] |= cells & !(cells >> 1) & legal;
        };
        for face in faces {
            add(face, u64::MAX);
        }
        for (y, z) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
            let offset = [-row, row][y] + [-layer, layer][z - 2];
            // A step there needs both cells beside it.
            add(window(offset), faces[y] & faces[z]);
        }
        for (volume, stops) in self.stops.iter_mut().zip(stops) {
            volume.write_bits(NodeId(first), count, stops >> 1);
        }
    }

    /// How many cells ahead a line has to stop that runs up through the numbers; `None` if it ends at a wall. Nothing further than
    /// `limit` matters.
    #[inline]
    pub fn forward(&self, from: NodeId, limit: u32) -> Option<u32> {
        let (mut at, mut done) = (i64::from(from.0), 0);
        loop {
            let (open, stops) = (self.open.window(at), self.stops[0].window(at));
            let events = (stops | !open) & (((1 << AHEAD) - 1) << 1);
            if events != 0 {
                let ahead = events.trailing_zeros();
                let is_open = open >> ahead & 1 == 1;
                return (is_open || done + ahead > limit).then_some(done + ahead);
            }
            (at, done) = (at + i64::from(AHEAD), done + AHEAD);
            if done >= limit {
                return Some(done);
            }
        }
    }

    /// The same for a line that runs down through the numbers.
    #[inline]
    pub fn backward(&self, from: NodeId, limit: u32) -> Option<u32> {
        let (mut at, mut done) = (i64::from(from.0) - i64::from(AHEAD), 0);
        loop {
            let (open, stops) = (self.open.window(at), self.stops[1].window(at));
            let events = (stops | !open) & ((1 << AHEAD) - 1);
            if events != 0 {
                let highest = events.ilog2();
                let ahead = AHEAD - highest;
                let is_open = open >> highest & 1 == 1;
                return (is_open || done + ahead > limit).then_some(done + ahead);
            }
            (at, done) = (at - i64::from(AHEAD), done + AHEAD);
            if done >= limit {
                return Some(done);
            }
        }
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        3 * self.open.bytes()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::voxels::random_worlds;

    proptest! {
        #[test]
        fn lines_follow_edits_as_if_made_afresh(
            voxels in random_worlds::small(),
            batches in prop::collection::vec(prop::collection::vec(any::<u32>(), 1..5), 1..5),
        ) {
            let shape = *voxels.shape();
            let mut open = voxels.base().open().clone();
            for axis in 0..3 {
                let mut lines = Lines::new(&shape, axis, &open);
                for batch in &batches {
                    let cells: Vec<Voxel> = batch.iter().map(|&pick| random_worlds::pick(&voxels, pick)).collect();
                    for &voxel in &cells {
                        let opened = !open.has(shape.node(voxel));
                        open.set(shape.node(voxel), opened);
                        lines.set(voxel, opened);
                    }
                    lines.follow(&cells);
                    let fresh = Lines::new(&shape, axis, &open);
                    prop_assert_eq!(&lines.open, &fresh.open);
                    prop_assert_eq!(&lines.stops, &fresh.stops);
                    for voxel in shape.cells() {
                        prop_assert_eq!(lines.open.has(lines.node(voxel)), open.has(shape.node(voxel)));
                    }
                }
            }
        }
    }
}
