//! Scenes: a world of cells made of shapes, moving obstacles, and an agent with a goal.
//!
//! A scene is a description, not a state. [`Scene::world`] creates a [`DynamicWorld`] from it, and [`Scene::show`] moves the
//! obstacles of that world to where they are at a tick. [`formats::scene_json`](crate::formats::scene_json) reads and writes scenes.
//!
//! ```
//! use surefoot::obstacle::{Pose, Shape};
//! use surefoot::scene::{Mover, Patrol, Scene, Travel};
//! use surefoot::space::{Point, Voxel};
//!
//! let mut scene = Scene::new([10, 5, 3]);
//! let bus = Shape::cuboid(Point::new(1.0, 0.5, 0.5)).unwrap();
//! let stops = vec![Point::new(1.0, 2.5, 0.5), Point::new(9.0, 2.5, 0.5)];
//! let pose = Pose::at(stops[0]).unwrap();
//! let travel = Travel::Patrol(Patrol::new(stops, 2.0, false).unwrap());
//! scene.obstacles.push(Mover { travel: Some(travel), ..Mover::at_rest("bus", bus, pose) });
//!
//! let mut world = scene.world().unwrap();
//! assert!(!world.voxels().is_open(Voxel::new(1, 2, 0)));
//! scene.show(&mut world, 60).unwrap(); // a second later
//! assert!(world.voxels().is_open(Voxel::new(1, 2, 0)) && !world.voxels().is_open(Voxel::new(3, 2, 0)));
//! ```

mod motion;

pub use motion::{
    FASTEST, Keyframe, Keyframes, LAST_TICK, MAX_STOPS, MotionError, Patrol, Switch, TICKS_PER_SECOND,
    Travel, Turn, seconds, ticks,
};

use crate::obstacle::{Pose, Rotation, Shape, Voxeliser};
use crate::space::{Frame, Point, Voxel};
use crate::world::dynamic::{DynamicError, DynamicWorld, ObstacleId};
use crate::world::voxels::Voxels;

/// A world of cells made of shapes, with obstacles, an agent and a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The number of cells along x, y and z.
    pub size: [u32; 3],
    /// The frame that places the cells in the world.
    pub frame: Frame,
    /// The shapes that never move.
    pub fixtures: Vec<Fixture>,
    /// The shapes that move, turn, or appear and disappear.
    pub obstacles: Vec<Mover>,
    /// The agent.
    pub walker: Walker,
    /// The start of the agent.
    pub start: Point,
    /// The goal of the agent.
    pub goal: Goal,
}

/// A shape that never moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixture {
    /// The name, any text.
    pub name: String,
    /// The shape.
    pub shape: Shape,
    /// The pose.
    pub pose: Pose,
}

/// A shape that moves. It can travel, turn while travelling, and appear and disappear, all at the same time.
#[derive(Clone, Debug, PartialEq)]
pub struct Mover {
    /// The name, any text.
    pub name: String,
    /// The shape.
    pub shape: Shape,
    /// The pose at tick 0, unless keyframes specify another one.
    pub pose: Pose,
    /// How the shape moves.
    pub travel: Option<Travel>,
    /// How the shape turns about its own position.
    pub turn: Option<Turn>,
    /// When the shape is present.
    pub switch: Option<Switch>,
}

/// The agent of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    /// The radius, in world units.
    pub radius: f64,
    /// The speed, in world units per second.
    pub speed: f64,
}

/// The goal of the agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The position at tick 0, unless keyframes specify another one.
    pub position: Point,
    /// How the goal moves.
    pub travel: Option<Travel>,
}

impl Mover {
    /// Creates an obstacle without motion.
    pub fn at_rest(name: impl Into<String>, shape: Shape, pose: Pose) -> Mover {
        Mover { name: name.into(), shape, pose, travel: None, turn: None, switch: None }
    }

    /// Returns the pose at a tick.
    pub fn pose_at(&self, tick: u64) -> Pose {
        self.pose_after(tick, 0.0)
    }

    /// Returns the pose between two ticks: a share of a tick (0 to 1) after a tick. Shares such as quarters, which are exact, give
    /// the same pose on every machine.
    ///
    /// ```
    /// use surefoot::obstacle::{Pose, Shape};
    /// use surefoot::scene::{Mover, Patrol, Travel};
    /// use surefoot::space::Point;
    /// let stops = vec![Point::flat(0.0, 0.0), Point::flat(9.0, 0.0)];
    /// let travel = Some(Travel::Patrol(Patrol::new(stops, 60.0, false).unwrap()));
    /// let bus = Mover { travel, ..Mover::at_rest("bus", Shape::sphere(0.5).unwrap(), Pose::default()) };
    /// assert_eq!(bus.pose_after(7, 0.75).position().x, 7.75);
    /// ```
    pub fn pose_after(&self, tick: u64, share: f64) -> Pose {
        let pose = self.travel.as_ref().map_or(self.pose, |travel| travel.pose_after(self.pose, tick, share));
        let Some(turn) = &self.turn else { return pose };
        Pose::new(pose.position(), pose.rotation().then(turn.rotation_after(tick, share))).unwrap_or(pose)
    }

    /// Returns whether the obstacle is present at a tick.
    pub fn is_active_at(&self, tick: u64) -> bool {
        self.switch.is_none_or(|switch| switch.is_on(tick))
    }

    /// Returns whether an agent at a point keeps the obstacle from appearing at a tick (see [`Switch::with_room`]).
    pub fn waits_for(&self, agent: Point, tick: u64) -> bool {
        let Some(room) = self.switch.and_then(|switch| switch.room()) else { return false };
        let pose = self.pose_at(tick);
        let [x, y, z, w] = pose.rotation().numbers();
        let Some(back) = Rotation::new(-x, -y, -z, w) else { return false };
        let home = pose.position();
        let local = back.turn(Point::new(agent.x - home.x, agent.y - home.y, agent.z - home.z));
        local.x.abs() <= room.x && local.y.abs() <= room.y && local.z.abs() <= room.z
    }
}

impl Goal {
    /// Returns the position at a tick.
    pub fn position_at(&self, tick: u64) -> Point {
        match (&self.travel, Pose::at(self.position)) {
            (Some(travel), Some(home)) => travel.pose_at(home, tick).position(),
            _ => self.position,
        }
    }
}

impl Scene {
    /// Creates a scene of empty cells of size 1, with an agent of radius 0 and speed 1 that travels from the first cell to the last.
    pub fn new(size: [u32; 3]) -> Scene {
        let frame = Frame::default();
        let [x, y, z] = size.map(|cells| cells.saturating_sub(1) as i32);
        let goal = Goal { position: frame.voxel_centre(Voxel::new(x, y, z)), travel: None };
        Scene {
            size,
            frame,
            fixtures: Vec::new(),
            obstacles: Vec::new(),
            walker: Walker { radius: 0.0, speed: 1.0 },
            start: frame.voxel_centre(Voxel::new(0, 0, 0)),
            goal,
        }
    }

    /// Returns the cells of the shapes that never move.
    pub fn fixed_cells(&self) -> Result<Voxels, DynamicError> {
        // Checks the size before memory is allocated.
        let [x, y, z] = self.size;
        let empty = Voxels::new(x, y, z)?;
        let mut solid = vec![false; x as usize * y as usize * z as usize];
        for fixture in &self.fixtures {
            let mut voxeliser = Voxeliser::new(&fixture.shape, self.frame, self.size, 0.0)?;
            voxeliser.for_each_run(&fixture.pose, &mut |row, layer, xs| {
                let start = (layer as usize * y as usize + row as usize) * x as usize;
                solid[start + xs.start as usize..start + xs.end as usize].fill(true);
            });
        }
        let solid = empty.cells().zip(solid).filter_map(|(cell, solid)| solid.then_some(cell));
        let mut voxels = Voxels::from_solid(self.size, solid)?;
        voxels.set_frame(self.frame);
        Ok(voxels)
    }

    /// Creates the world at tick 0. Its obstacles have the same numbers as in [`obstacles`](Scene::obstacles).
    pub fn world(&self) -> Result<DynamicWorld, DynamicError> {
        let mut world = DynamicWorld::new(self.fixed_cells()?);
        for mover in &self.obstacles {
            world.add(mover.shape.clone(), mover.pose)?;
        }
        self.show(&mut world, 0)?;
        Ok(world)
    }

    /// Moves the obstacles of a world created by [`Scene::world`] to where they are at a tick, and updates its cells.
    pub fn show(&self, world: &mut DynamicWorld, tick: u64) -> Result<(), DynamicError> {
        self.show_if(world, tick, |_, _| true)
    }

    /// Like [`show`](Scene::show), but an obstacle with [room](Switch::with_room) does not appear around an agent: it stays absent until
    /// the agent has left the box around it, and then follows its timetable, which does not change.
    ///
    /// ```
    /// use surefoot::obstacle::{Pose, Shape};
    /// use surefoot::scene::{Mover, Scene, Switch};
    /// use surefoot::space::{Point, Voxel};
    ///
    /// let mut scene = Scene::new([9, 1, 1]);
    /// let (at, half) = (Point::new(4.5, 0.5, 0.5), Point::new(0.5, 0.5, 0.5));
    /// let switch = Switch::new(60, false).unwrap().with_room(Point::new(1.5, 1.0, 1.0)).unwrap();
    /// let door = Mover::at_rest("door", Shape::cuboid(half).unwrap(), Pose::at(at).unwrap());
    /// scene.obstacles.push(Mover { switch: Some(switch), ..door });
    ///
    /// let mut world = scene.world().unwrap();
    /// let mut is_open = |tick, x| {
    ///     scene.show_around(&mut world, tick, Point::new(x, 0.5, 0.5)).unwrap();
    ///     world.voxels().is_open(Voxel::new(4, 0, 0))
    /// };
    /// assert!(is_open(60, 5.0), "the agent is in the door");
    /// assert!(is_open(70, 5.9) && !is_open(71, 6.1), "it closes behind the agent");
    /// assert!(!is_open(80, 5.5) && is_open(120, 5.5), "and opens when it always does");
    /// ```
    pub fn show_around(&self, world: &mut DynamicWorld, tick: u64, agent: Point) -> Result<(), DynamicError> {
        self.show_if(world, tick, |mover, was_active| was_active || !mover.waits_for(agent, tick))
    }

    /// Shows the obstacles that are present at a tick and pass `may_be`, which gets whether they were present before.
    fn show_if(
        &self,
        world: &mut DynamicWorld,
        tick: u64,
        may_be: impl Fn(&Mover, bool) -> bool,
    ) -> Result<(), DynamicError> {
        for (id, mover) in (0..).map(ObstacleId).zip(&self.obstacles) {
            let active = mover.is_active_at(tick) && may_be(mover, world.is_active(id)?);
            world.set_active(id, active)?;
            if active {
                world.set_pose(id, mover.pose_at(tick))?;
            }
        }
        world.update();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
