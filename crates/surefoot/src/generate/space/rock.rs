//! A voxel world that is being made.

use std::ops::Range;

use crate::world::voxels::{VoxelError, Voxels};

/// A world that is being made: which cells are solid, along rows, row by row, layer by layer.
pub(super) struct Rock {
    pub size: [u32; 3],
    pub solid: Vec<bool>,
}

impl Rock {
    pub fn open(size: [u32; 3]) -> Rock {
        Rock { size, solid: vec![false; size.iter().map(|&side| side as usize).product()] }
    }

    fn index(&self, [x, y, z]: [u32; 3]) -> usize {
        let [width, height, _] = self.size.map(|side| side as usize);
        (z as usize * height + y as usize) * width + x as usize
    }

    /// Fills or opens a box, as far as it is inside.
    pub fn set(&mut self, [xs, ys, zs]: [Range<u32>; 3], solid: bool) {
        let [width, height, depth] = self.size;
        for z in zs.start..zs.end.min(depth) {
            for y in ys.start..ys.end.min(height) {
                let row = self.index([xs.start.min(width), y, z])..self.index([xs.end.min(width), y, z]);
                if row.start < row.end {
                    self.solid[row].fill(solid);
                }
            }
        }
    }

    /// Makes each cell solid or open by a rule.
    pub fn shape(&mut self, is_solid: impl Fn([i32; 3]) -> bool) {
        let [width, height, depth] = self.size.map(|side| side as i32);
        let rows = (0..depth).flat_map(|z| (0..height).map(move |y| (y, z)));
        let cells = rows.flat_map(|(y, z)| (0..width).map(move |x| [x, y, z]));
        for (solid, cell) in self.solid.iter_mut().zip(cells) {
            *solid = is_solid(cell);
        }
    }

    pub fn voxels(&self) -> Result<Voxels, VoxelError> {
        let [x, y, z] = self.size;
        let cells = Voxels::new(x, y, z)?.cells();
        Voxels::from_solid(
            self.size,
            cells.zip(&self.solid).filter(|(_, solid)| **solid).map(|(cell, _)| cell),
        )
    }
}
