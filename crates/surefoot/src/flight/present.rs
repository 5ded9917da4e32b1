//! The cells that bodies fly through: a copy that follows the list of changed cells.

use crate::flight::body::Sky;
use crate::space::Voxel;
use crate::world::dynamic::DynamicWorld;
use crate::world::voxels::Voxels;

/// The present cells of a world that another thread keeps up to date.
#[derive(Debug)]
pub(super) struct PresentCells {
    voxels: Voxels,
    /// The cells that are solid even without obstacles.
    pub(super) walls: Voxels,
}

impl PresentCells {
    /// Copies the cells of a world. Nothing is derived from them but where agents can be, and they have no history.
    pub fn of(world: &DynamicWorld) -> PresentCells {
        PresentCells {
            voxels: world.voxels().clone().without_history(),
            walls: world.static_cells().without_history(),
        }
    }

    /// Follows the cells that changed in that world, and those that became permanently solid or open.
    pub fn follow(&mut self, changes: &[(Voxel, bool)], walls: &[(Voxel, bool)]) {
        self.voxels.follow(changes);
        for &(cell, solid) in walls {
            // It has been accepted by the world, so it is inside.
            let _ = self.walls.set(cell, solid);
        }
    }
}

impl Sky for PresentCells {
    fn voxels(&self) -> &Voxels {
        &self.voxels
    }

    fn is_static(&self, cell: Voxel) -> bool {
        self.walls.contains(cell) && !self.walls.is_open(cell)
    }
}
