//! Worlds of cubic cells, for flying, swimming and digging.
//!
//! [`Voxels`] holds one bit per cell: solid or free. A [`VoxelView`] is the world as an agent sees it, with 6, 18 or 26 moves and a radius. For
//! obstacles that move, see [`DynamicWorld`](crate::world::dynamic::DynamicWorld).
//!
//! ```
//! use surefoot::prelude::*;
//! let wall = (0..8).flat_map(|x| (0..7).map(move |z| Voxel::new(x, 4, z)));
//! let voxels = Voxels::from_solid([8, 8, 8], wall).unwrap();
//! let view = voxels.view(&Agent::default());
//! let mut finder = Pathfinder::default();
//! let path = finder.find(view, Voxel::new(4, 0, 0), Voxel::new(4, 7, 0)).unwrap();
//! assert!(path.voxels(&voxels).any(|voxel| voxel.z == 7), "over the wall");
//! ```

mod bits;
mod components;
mod estimate;
mod jump;
mod layer;
mod line_map;
mod lines;
#[cfg(test)]
pub(crate) mod random_worlds;
mod rules;
mod shape;
mod sight;
mod space;
mod step;
mod uniform;
mod view;

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use bits::BitVolume;
pub(crate) use components::Components;
pub(crate) use estimate::VoxelBox;
pub(crate) use jump::{JumpVoxels, for_each_cell_of_jump};
use layer::Layer;
#[cfg(test)]
pub(crate) use rules::Rule;
pub(crate) use rules::StepCache;
pub(crate) use shape::Shape;
pub(crate) use step::Step;
pub(crate) use step::cost_along;
pub(crate) use uniform::UniformVoxels;
pub(crate) use view::Policy;
pub use view::VoxelView;

use crate::agent::Agent;
use crate::digest::Digest;
use crate::id::NodeId;
use crate::space::{Frame, Voxel};
use crate::world::clearance::doubled_part;
use crate::world::journal::{Journal, Revision};
use crate::world::layers::Layers;

/// A single change to a voxel world: a cell became solid or open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoxelChange {
    /// The cell.
    pub node: NodeId,
    /// Whether the cell is solid now.
    pub solid: bool,
}

/// A world of solid and open cells, stored as one bit per cell.
///
/// A clone shares everything with the original and takes almost no time, so a planner on another thread can work on a snapshot. The
/// first edit of either one copies the cells, one bit each, and everything derived from them.
///
/// ```
/// use surefoot::prelude::*;
/// let mut cave = Voxels::new(8, 8, 4).unwrap();
/// cave.set(Voxel::new(3, 3, 0), true).unwrap();
/// assert!(!cave.is_open(Voxel::new(3, 3, 0)) && cave.is_open(Voxel::new(3, 3, 1)));
/// let path = Pathfinder::default()
///     .find(cave.view(&Agent::default()), Voxel::new(0, 0, 0), Voxel::new(3, 3, 3))
///     .map(|path| path.cost());
/// assert_eq!(path, Ok(3.0 * 3.0_f64.sqrt()));
/// ```
#[derive(Clone)]
pub struct Voxels {
    shape: Shape,
    frame: Frame,
    layers: Arc<Layers<Layer>>,
    journal: Journal<VoxelChange>,
    /// Whether obstacles move through it.
    restless: bool,
    /// Memory for edits.
    flipped: Vec<Voxel>,
}

/// The reason why a voxel world could not be created or edited.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VoxelError {
    /// The size is out of range.
    #[error(
        "size {x} x {y} x {z} is out of range: a world has 1 to {side} cells along each axis and at most {cells} in all",
        side = Voxels::MAX_SIDE,
        cells = Voxels::MAX_CELLS
    )]
    Size {
        /// The requested number of columns.
        x: u64,
        /// The requested number of rows.
        y: u64,
        /// The requested number of layers.
        z: u64,
    },
    /// The cell does not exist.
    #[error("cell {},{},{} is outside the world of {} x {} x {}", voxel.x, voxel.y, voxel.z, size[0], size[1], size[2])]
    Outside {
        /// The cell.
        voxel: Voxel,
        /// The size of the world.
        size: [u32; 3],
    },
}

impl Voxels {
    /// The maximum number of cells along an axis.
    pub const MAX_SIDE: u32 = 4096;
    /// The maximum number of cells.
    pub const MAX_CELLS: u64 = 1 << 28;
    /// The number of changes that the journal remembers.
    pub const JOURNAL_CAPACITY: usize = 1 << 16;

    /// Creates a world of open cells.
    pub fn new(x: u32, y: u32, z: u32) -> Result<Voxels, VoxelError> {
        let shape = checked_shape([x, y, z])?;
        Ok(Voxels::of(shape, BitVolume::full(&shape)))
    }

    /// Creates a world of open cells, except for the given solid ones.
    pub fn from_solid(
        [x, y, z]: [u32; 3],
        solid: impl IntoIterator<Item = Voxel>,
    ) -> Result<Voxels, VoxelError> {
        let shape = checked_shape([x, y, z])?;
        let mut open = BitVolume::full(&shape);
        for voxel in solid {
            if !shape.contains(voxel) {
                return Err(VoxelError::Outside { voxel, size: [x, y, z] });
            }
            open.set(shape.node(voxel), false);
        }
        Ok(Voxels::of(shape, open))
    }

    fn of(shape: Shape, open: BitVolume) -> Voxels {
        Voxels {
            shape,
            frame: Frame::default(),
            layers: Arc::new(Layers::new(Layer::base(open))),
            journal: Journal::with_capacity(Voxels::JOURNAL_CAPACITY),
            restless: false,
            flipped: Vec::new(),
        }
    }

    /// Returns the same world without a history, which costs less to edit.
    pub(crate) fn without_history(self) -> Voxels {
        Voxels { journal: Journal::with_capacity(1), ..self }
    }

    /// Returns the same world, prepared for obstacles that move through it. Searches then avoid computing derived data that would
    /// have to follow every move of the obstacles.
    pub(crate) fn restless(self) -> Voxels {
        Voxels { restless: true, ..self }
    }

    pub(crate) fn is_restless(&self) -> bool {
        self.restless
    }

    /// Returns the number of columns, rows and layers.
    pub fn size(&self) -> [u32; 3] {
        self.shape.size()
    }

    /// Returns the frame that places the cells in space.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Sets the frame that places the cells in space. Paths are not affected, but their points are.
    pub fn set_frame(&mut self, frame: Frame) {
        self.frame = frame;
    }

    /// Returns whether a cell exists.
    pub fn contains(&self, voxel: Voxel) -> bool {
        self.shape.contains(voxel)
    }

    /// Returns whether a cell exists and is not solid.
    pub fn is_open(&self, voxel: Voxel) -> bool {
        self.layers.base().open().contains(&self.shape, voxel)
    }

    /// Returns the number of open cells.
    pub fn open_cells(&self) -> usize {
        self.layers.base().open().count()
    }

    /// Returns every cell: along rows, row by row, layer by layer.
    pub fn cells(&self) -> impl Iterator<Item = Voxel> + use<> {
        self.shape.cells()
    }

    /// Returns the node of a cell; `None` if the cell is outside the world.
    pub fn node(&self, voxel: Voxel) -> Option<NodeId> {
        self.shape.contains(voxel).then(|| self.shape.node(voxel))
    }

    /// Returns the cell of a node that came from [`Voxels::node`] or from a path.
    pub fn voxel(&self, node: NodeId) -> Voxel {
        self.shape.voxel(node)
    }

    /// Makes a cell solid or open.
    pub fn set(&mut self, voxel: Voxel, solid: bool) -> Result<(), VoxelError> {
        self.set_many([(voxel, solid)])
    }

    /// Makes many cells solid or open, which is cheaper than setting them one by one. If any of them is outside the world, nothing
    /// changes.
    pub fn set_many(&mut self, edits: impl IntoIterator<Item = (Voxel, bool)>) -> Result<(), VoxelError> {
        let mut edits: Vec<(Voxel, bool)> = edits.into_iter().collect();
        if let Some(&(voxel, _)) = edits.iter().find(|(voxel, _)| !self.contains(*voxel)) {
            return Err(VoxelError::Outside { voxel, size: self.size() });
        }
        // Sorting leaves equals in their order.
        edits.sort_by_key(|(voxel, _)| self.shape.node(*voxel));
        // Of several edits of a cell the last one counts.
        edits.dedup_by(|later, kept| {
            let is_same = later.0 == kept.0;
            kept.1 = if is_same { later.1 } else { kept.1 };
            is_same
        });
        edits.retain(|&(voxel, solid)| self.is_open(voxel) == solid);
        self.follow(&edits);
        Ok(())
    }

    /// Makes cells solid or open that are not: each of them once, in the order of their numbers. Allocates nothing once it has the memory
    /// that it needs.
    pub(crate) fn follow(&mut self, changes: &[(Voxel, bool)]) {
        if changes.is_empty() {
            return;
        }
        for &(voxel, solid) in changes {
            debug_assert_eq!(self.is_open(voxel), solid, "{voxel:?} is no change");
            self.journal.record(VoxelChange { node: self.shape.node(voxel), solid });
        }
        self.flipped.extend(changes.iter().map(|(voxel, _)| *voxel));
        Arc::make_mut(&mut self.layers).flip(&self.shape, &self.flipped);
        self.flipped.clear();
    }

    /// Returns the current revision of the world.
    pub fn revision(&self) -> Revision {
        self.journal.now()
    }

    /// Returns the journal of changes.
    pub fn journal(&self) -> &Journal<VoxelChange> {
        &self.journal
    }

    /// Returns the distance in cells from the centre of a cell to the nearest solid cell. The distance is measured to the cube of
    /// the solid cell, not to its centre, and everything outside the world counts as solid. Solid cells and cells outside the world
    /// have a clearance of 0.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let hall = Voxels::new(5, 5, 9).unwrap();
    /// assert_eq!(hall.clearance(Voxel::new(2, 2, 4)), 2.5);
    /// ```
    pub fn clearance(&self, voxel: Voxel) -> f64 {
        if !self.is_open(voxel) {
            return 0.0;
        }
        let mut least = u32::MAX;
        for ring in 1.. {
            if doubled_part(ring as u32) >= least {
                break;
            }
            least = least.min(self.least_in_ring(voxel, ring));
        }
        f64::from(least).sqrt() / 2.0
    }

    /// Returns the smallest squared doubled distance to a solid cell that is `ring` cells away along its farthest axis.
    fn least_in_ring(&self, voxel: Voxel, ring: i32) -> u32 {
        let mut least = u32::MAX;
        for (dz, dy) in (-ring..=ring).flat_map(|dz| (-ring..=ring).map(move |dy| (dz, dy))) {
            let on_shell = dz.abs() == ring || dy.abs() == ring;
            let stride = if on_shell { 1 } else { 2 * ring as usize };
            for dx in (-ring..=ring).step_by(stride) {
                if !self.is_open(voxel.offset(dx, dy, dz)) {
                    let parts = [dx, dy, dz].map(|d| doubled_part(d.unsigned_abs()));
                    least = least.min(parts.iter().sum());
                }
            }
        }
        least
    }

    /// Returns the world as a graph for an agent. The first view for a new agent size computes where agents of that size can be.
    pub fn view(&self, agent: &Agent) -> VoxelView<'_> {
        Policy::of(agent).view(self)
    }

    /// Returns a hash of the contents of the world: size, solid cells and frame. It is the same on every machine and does not depend
    /// on the order of edits, so lockstep games can compare it and caches can use it as a key. It does not protect against forgery.
    /// Takes time proportional to the number of cells.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let (mut here, there) = (Voxels::new(8, 8, 8).unwrap(), Voxels::new(8, 8, 8).unwrap());
    /// here.set(Voxel::new(1, 1, 7), true).unwrap();
    /// assert_ne!(here.digest(), there.digest());
    /// ```
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        let [width, depth, height] = self.size();
        for side in self.size() {
            digest.word(side.into());
        }
        digest.frame(&self.frame);
        let mut row = vec![0; width.div_ceil(64) as usize];
        for z in 0..height as i32 {
            for y in 0..depth as i32 {
                self.layers.base().open().read_row(&self.shape, y, z, &mut row);
                for &word in &row {
                    digest.word(word);
                }
            }
        }
        digest.finish()
    }

    /// Returns the memory held by the world in bytes, including everything derived from it so far.
    pub fn memory_bytes(&self) -> usize {
        self.layers.bytes()
    }

    #[cfg(test)]
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(crate) fn base(&self) -> &Layer {
        self.layers.base()
    }
}

/// Rejects sizes out of range.
fn checked_shape(size: [u32; 3]) -> Result<Shape, VoxelError> {
    check_size(size.map(u64::from))?;
    Ok(Shape::new(size))
}

/// Rejects sizes out of range.
pub(crate) fn check_size([x, y, z]: [u64; 3]) -> Result<(), VoxelError> {
    let fits = |side: u64| (1..=u64::from(Voxels::MAX_SIDE)).contains(&side);
    if fits(x) && fits(y) && fits(z) && x * y * z <= Voxels::MAX_CELLS {
        Ok(())
    } else {
        Err(VoxelError::Size { x, y, z })
    }
}

impl fmt::Debug for Voxels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.size();
        write!(f, "Voxels {x} x {y} x {z}, solid:")?;
        let solid = self.cells().filter(|&voxel| !self.is_open(voxel)).take(200);
        solid.into_iter().try_for_each(|voxel| write!(f, " {},{},{}", voxel.x, voxel.y, voxel.z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_checked_at_their_bounds() {
        let max = u64::from(Voxels::MAX_SIDE);
        for size in [[1, 1, 1], [max, max, 16], [1, max, max / 2]] {
            assert_eq!(check_size(size), Ok(()), "{size:?}");
        }
        for [x, y, z] in [[0, 1, 1], [1, 0, 1], [1, 1, 0], [max + 1, 1, 1], [1, 1, max + 1], [max, max, 17]] {
            assert_eq!(check_size([x, y, z]), Err(VoxelError::Size { x, y, z }));
        }
    }

    #[test]
    fn of_several_edits_of_a_cell_the_last_one_counts() {
        let (mut voxels, cell, other) =
            (Voxels::new(3, 3, 3).unwrap(), Voxel::new(1, 1, 1), Voxel::new(2, 1, 1));
        let before = voxels.revision();
        voxels.set_many([(cell, true), (other, true), (cell, false), (cell, true), (other, false)]).unwrap();
        assert!(!voxels.is_open(cell) && voxels.is_open(other));
        let news: Vec<VoxelChange> = voxels.journal().since(before).unwrap().collect();
        assert_eq!(news, [VoxelChange { node: voxels.node(cell).unwrap(), solid: true }]);
        assert!(voxels.set_many([(cell, false), (Voxel::new(0, 0, 3), true)]).is_err());
        assert!(!voxels.is_open(cell), "nothing changes if a cell is outside");
    }
}
