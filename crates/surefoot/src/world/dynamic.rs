//! A voxel world with moving obstacles.
//!
//! [`DynamicWorld::update`] recomputes which cells the obstacles that moved since the last update overlap, and edits only the cells
//! that became solid or free. Anything that follows the [journal](crate::world::voxels::Voxels::journal) of the world, such as a
//! replanner, therefore sees only a few cells per frame. Two bytes per cell count how many obstacles overlap it. The cells that an
//! obstacle overlaps are stored as runs, so the cost of a small move depends only on the difference between the old runs and the new
//! ones.
//!
//! ```
//! use surefoot::obstacle::{Pose, Shape};
//! use surefoot::prelude::*;
//! use surefoot::world::dynamic::DynamicWorld;
//! let mut world = DynamicWorld::new(Voxels::new(16, 16, 16).unwrap());
//! let crate_ = Shape::cuboid(Point::new(1.0, 1.0, 1.0)).unwrap();
//! let id = world.add(crate_, Pose::at(Point::new(4.0, 4.0, 4.0)).unwrap()).unwrap();
//! assert_eq!(world.update().len(), 8);
//! world.set_pose(id, Pose::at(Point::new(5.0, 4.0, 4.0)).unwrap()).unwrap();
//! assert_eq!(world.update().len(), 8, "four cells became solid, four free");
//! ```

use std::fmt;

use thiserror::Error;

use crate::obstacle::coverage::{Coverage, MAX_SOLIDS, Run};
use crate::obstacle::{Pose, Shape, ShapeError, Voxeliser};
use crate::parallel;
use crate::space::Voxel;
use crate::world::voxels::{VoxelError, Voxels};

/// From this many obstacles on, a second thread pays off.
const WORTH_A_THREAD: usize = 64;

/// The number of an obstacle. Obstacles are numbered from 0 in the order in which they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(pub u32);

/// The reason why an obstacle could not be added or changed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DynamicError {
    /// The obstacle does not exist.
    #[error("obstacle {} does not exist: there are {count}, numbered from 0", id.0)]
    Unknown {
        /// The requested obstacle.
        id: ObstacleId,
        /// The number of obstacles.
        count: usize,
    },
    /// The maximum number of obstacles has been reached.
    #[error("too many obstacles: expected at most {MAX_SOLIDS}")]
    TooMany,
    /// The radius by which obstacles are inflated is invalid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The cell does not exist.
    #[error(transparent)]
    Cell(#[from] VoxelError),
}

/// A voxel world with static cells and moving obstacles.
///
/// ```
/// use surefoot::obstacle::{Pose, Shape};
/// use surefoot::space::{Point, Voxel};
/// use surefoot::world::dynamic::DynamicWorld;
/// use surefoot::world::voxels::Voxels;
///
/// let mut world = DynamicWorld::new(Voxels::new(10, 4, 4).unwrap());
/// let lift = Shape::cuboid(Point::new(0.5, 0.5, 0.5)).unwrap();
/// let lift = world.add(lift, Pose::at(Point::new(3.5, 1.5, 0.5)).unwrap()).unwrap();
/// assert_eq!(world.update(), [(Voxel::new(3, 1, 0), true)]);
///
/// world.set_pose(lift, Pose::at(Point::new(3.5, 1.5, 1.0)).unwrap()).unwrap();
/// assert_eq!(world.update(), [(Voxel::new(3, 1, 1), true)], "now it is between two layers");
/// assert!(!world.voxels().is_open(Voxel::new(3, 1, 1)));
/// ```
#[derive(Clone)]
pub struct DynamicWorld {
    voxels: Voxels,
    coverage: Coverage,
    obstacles: Vec<Obstacle>,
    inflation: f64,
    changes: Vec<(Voxel, bool)>,
}

/// Something that moves.
#[derive(Clone)]
struct Obstacle {
    shape: Shape,
    pose: Pose,
    active: bool,
    /// Whether pose or activity differ from what `runs` show.
    stale: bool,
    voxeliser: Voxeliser,
    /// The cells that are counted.
    runs: Vec<Run>,
    /// The cells that should be.
    next: Vec<Run>,
}

impl fmt::Debug for DynamicWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicWorld")
            .field("size", &self.voxels.size())
            .field("obstacles", &self.obstacles.len())
            .finish_non_exhaustive()
    }
}

impl DynamicWorld {
    /// Creates a world without obstacles. Cells that are solid now remain solid.
    pub fn new(voxels: Voxels) -> DynamicWorld {
        let mut coverage = Coverage::new(voxels.size());
        for cell in voxels.cells().filter(|&cell| !voxels.is_open(cell)) {
            coverage.fix(cell, true);
        }
        coverage.changes().for_each(drop);
        let voxels = voxels.restless();
        DynamicWorld { voxels, coverage, obstacles: Vec::new(), inflation: 0.0, changes: Vec::new() }
    }

    /// Creates a world whose obstacles are inflated by `radius` world units. This is [less exact](crate::obstacle) than using the
    /// [view](Voxels::view) of an agent with that radius, but costs next to nothing.
    pub fn inflated(voxels: Voxels, radius: f64) -> Result<DynamicWorld, DynamicError> {
        ShapeError::check_inflation(radius)?;
        Ok(DynamicWorld { inflation: radius, ..DynamicWorld::new(voxels) })
    }

    /// Adds an obstacle. It takes effect with the next [`update`](DynamicWorld::update).
    pub fn add(&mut self, shape: Shape, pose: Pose) -> Result<ObstacleId, DynamicError> {
        if self.obstacles.len() == MAX_SOLIDS {
            return Err(DynamicError::TooMany);
        }
        let voxeliser = Voxeliser::new(&shape, *self.voxels.frame(), self.voxels.size(), self.inflation)?;
        let id = ObstacleId(self.obstacles.len() as u32);
        let (runs, next) = (Vec::new(), Vec::new());
        self.obstacles.push(Obstacle { shape, pose, active: true, stale: true, voxeliser, runs, next });
        Ok(id)
    }

    /// By how many world units obstacles reach farther than they are.
    pub(crate) fn inflation(&self) -> f64 {
        self.inflation
    }

    /// Returns the number of obstacles.
    pub fn obstacle_count(&self) -> usize {
        self.obstacles.len()
    }

    /// Returns the shape of an obstacle.
    pub fn shape(&self, id: ObstacleId) -> Result<&Shape, DynamicError> {
        Ok(&self.obstacle(id)?.shape)
    }

    /// Returns the pose of an obstacle.
    pub fn pose(&self, id: ObstacleId) -> Result<Pose, DynamicError> {
        Ok(self.obstacle(id)?.pose)
    }

    /// Returns whether an obstacle is active, i.e. present in the world.
    pub fn is_active(&self, id: ObstacleId) -> Result<bool, DynamicError> {
        Ok(self.obstacle(id)?.active)
    }

    /// Moves an obstacle. The cells change with the next [`update`](DynamicWorld::update).
    pub fn set_pose(&mut self, id: ObstacleId, pose: Pose) -> Result<(), DynamicError> {
        let obstacle = self.obstacle_mut(id)?;
        // An inactive obstacle need not be followed.
        obstacle.stale |= obstacle.pose != pose && obstacle.active;
        obstacle.pose = pose;
        Ok(())
    }

    /// Removes an obstacle from the world or puts it back. The cells change with the next [`update`](DynamicWorld::update).
    pub fn set_active(&mut self, id: ObstacleId, active: bool) -> Result<(), DynamicError> {
        let obstacle = self.obstacle_mut(id)?;
        obstacle.stale |= obstacle.active != active;
        obstacle.active = active;
        Ok(())
    }

    /// Makes a cell permanently solid, or permanently open. A cell that an obstacle overlaps stays solid until the obstacle has
    /// left. The cells change with the next [`update`](DynamicWorld::update).
    pub fn set_static(&mut self, cell: Voxel, solid: bool) -> Result<(), DynamicError> {
        if !self.voxels.contains(cell) {
            return Err(VoxelError::Outside { voxel: cell, size: self.voxels.size() }.into());
        }
        self.coverage.fix(cell, solid);
        Ok(())
    }

    /// Returns whether a cell is solid even without obstacles.
    pub fn is_static(&self, cell: Voxel) -> bool {
        self.coverage.is_fixed(cell)
    }

    /// Returns the cells that are solid even without obstacles.
    pub(crate) fn static_cells(&self) -> Voxels {
        let mut cells = self.voxels.clone();
        let covered = cells.cells().filter(|&cell| !cells.is_open(cell) && !self.is_static(cell));
        let covered: Vec<(Voxel, bool)> = covered.map(|cell| (cell, false)).collect();
        cells.follow(&covered);
        cells
    }

    /// Updates the cells to match the obstacles. Returns the cells that became solid (`true`) or free.
    pub fn update(&mut self) -> &[(Voxel, bool)] {
        let moved = self.obstacles.iter().filter(|obstacle| obstacle.stale).count();
        if moved < 2 * WORTH_A_THREAD {
            self.obstacles.iter_mut().for_each(Obstacle::voxelise);
        } else {
            let obstacles = &mut self.obstacles[..];
            parallel::enter(|| voxelise_all(obstacles));
        }
        // One after the other, in their order: the journal is the same on any number of threads.
        for obstacle in self.obstacles.iter_mut().filter(|obstacle| obstacle.stale) {
            self.coverage.replace(&obstacle.runs, &obstacle.next);
            std::mem::swap(&mut obstacle.runs, &mut obstacle.next);
            obstacle.stale = false;
        }
        self.changes.clear();
        self.changes.extend(self.coverage.changes());
        // Runs do not leave the world, and every change is one.
        self.voxels.follow(&self.changes);
        &self.changes
    }

    /// Returns the cells that the last [`update`](DynamicWorld::update) changed.
    pub fn changes(&self) -> &[(Voxel, bool)] {
        &self.changes
    }

    /// Returns the cells as of the last [`update`](DynamicWorld::update).
    pub fn voxels(&self) -> &Voxels {
        &self.voxels
    }

    fn obstacle(&self, id: ObstacleId) -> Result<&Obstacle, DynamicError> {
        let unknown = DynamicError::Unknown { id, count: self.obstacles.len() };
        self.obstacles.get(id.0 as usize).ok_or(unknown)
    }

    fn obstacle_mut(&mut self, id: ObstacleId) -> Result<&mut Obstacle, DynamicError> {
        let unknown = DynamicError::Unknown { id, count: self.obstacles.len() };
        self.obstacles.get_mut(id.0 as usize).ok_or(unknown)
    }
}

impl Obstacle {
    /// Recomputes its cells if its pose or activity has changed.
    fn voxelise(&mut self) {
        if !self.stale {
            return;
        }
        self.next.clear();
        if self.active {
            let next = &mut self.next;
            self.voxeliser.for_each_run(&self.pose, &mut |y, z, xs| {
                next.push(Run { z, y, start: xs.start, end: xs.end });
            });
        }
    }
}

/// Halves the work until another thread would not pay off.
fn voxelise_all(obstacles: &mut [Obstacle]) {
    if obstacles.len() <= WORTH_A_THREAD {
        obstacles.iter_mut().for_each(Obstacle::voxelise);
    } else {
        let (left, right) = obstacles.split_at_mut(obstacles.len() / 2);
        parallel::join(|| voxelise_all(left), || voxelise_all(right));
    }
}

#[cfg(test)]
mod tests;
