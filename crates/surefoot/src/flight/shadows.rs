//! Which cells moving obstacles keep an agent out of, tick by tick.
//!
//! # What is covered, and why that is enough
//! Between two ticks an obstacle goes straight from one pose to the next and turns the short way round. It can be there at any moment between two ticks if it
//! is present at one of them. Let `h` be half the distance between the two positions, plus the distance `2 sin(a/4)` that the turn by an angle `a` moves
//! a point from the nearer of its ends, times the distance of the shape's farthest point from its position. At every moment between
//! the ticks, every point of the obstacle is then within `h` of where it is at one of the two ticks. (If `h` is more than a quarter of a cell, so many poses between are
//! looked at that the same holds with a quarter of a cell.)
//!
//! At a tick, the cells are covered that are closer than `radius + h` to the obstacle, with the larger `h` of the times before and after the tick. An agent whose
//! centre is in a cell that is covered at neither end of a tick therefore stays at least `radius` away from every obstacle throughout. It does not matter where in the cell it is,
//! the faces and corners of the cell included. A line between the centres of two neighbouring cells
//! lies in these two cells, even if it is a diagonal: it passes the edge or corner that they share. So it is enough that these two are not covered.
//!
//! Rounding takes less than `2e-6` cells from these distances (see [`TOUCH`](crate::obstacle::TOUCH)).

use crate::flight::forecast::carried_on;
use crate::obstacle::coverage::{Coverage, MAX_SOLIDS, Run};
use crate::obstacle::{Kind, Pose, Shape, Voxeliser};
use crate::scene::Mover;
use crate::space::{Frame, Point, Voxel};
use crate::world::dynamic::DynamicError;

/// By how much a pose may stand for those around it, in cells.
const WIDEST: f64 = 0.25;

/// The most poses between two ticks. What is faster is inflated by more.
const MOST_POSES: usize = 64;

/// Margins are rounded up to this fraction of a cell, so that they do not change with every tick.
const GRAIN: f64 = 64.0;

/// How an obstacle moves.
#[derive(Clone, Debug)]
pub(super) enum Motion {
    /// As a scene says.
    Known(Mover),
    /// On as between two ticks, for some time; unknown and not there afterwards.
    Straight {
        shape: Shape,
        /// The pose a tick before.
        before: Pose,
        now: Pose,
        tick: u64,
        /// The last tick.
        until: u64,
    },
}

impl Motion {
    fn shape(&self) -> &Shape {
        match self {
            Motion::Known(mover) => &mover.shape,
            Motion::Straight { shape, .. } => shape,
        }
    }

    /// Where it is at a tick, and whether it is there at all.
    pub fn at(&self, tick: u64) -> (Pose, bool) {
        match self {
            Motion::Known(mover) => (mover.pose_at(tick), mover.is_active_at(tick)),
            Motion::Straight { before, now, tick: seen, until, .. } => {
                let times = tick as f64 - *seen as f64;
                let pose = if times < 0.0 { Some(*before) } else { carried_on(*before, *now, times) };
                (pose.unwrap_or(*now), pose.is_some() && tick <= *until)
            }
        }
    }
}

/// The cells that obstacles cover at a tick.
#[derive(Clone, Debug)]
pub(super) struct Shadows {
    frame: Frame,
    size: [u32; 3],
    /// In world units.
    radius: f64,
    tracks: Vec<Track>,
    coverage: Coverage,
}

/// One obstacle.
#[derive(Clone, Debug)]
struct Track {
    motion: Motion,
    /// The greatest distance of a point of the shape from its position that turning moves, in world units.
    reach: f64,
    /// The margin of the voxeliser, as a multiple of the grain.
    margin: u64,
    voxeliser: Voxeliser,
    /// The ticks before, at and after the one that is shown.
    ticks: Option<(u64, [(Pose, bool); 3])>,
    /// The covered cells, and memory for those of the next tick: the first are of the pose at the tick, others of poses before.
    covered: Vec<Vec<Run>>,
    next: Vec<Vec<Run>>,
}

impl Shadows {
    /// No obstacles, for agents of a radius in world units.
    pub fn new(frame: Frame, size: [u32; 3], radius: f64) -> Shadows {
        Shadows { frame, size, radius, tracks: Vec::new(), coverage: Coverage::new(size) }
    }

    /// Adds an obstacle, which shows up with the next tick.
    pub fn add(&mut self, motion: Motion) -> Result<(), DynamicError> {
        if self.tracks.len() == MAX_SOLIDS {
            return Err(DynamicError::TooMany);
        }
        let voxeliser = Voxeliser::new(motion.shape(), self.frame, self.size, self.radius)?;
        let reach = reach(motion.shape());
        let (covered, next) = (Vec::new(), Vec::new());
        self.tracks.push(Track { motion, reach, margin: 0, voxeliser, ticks: None, covered, next });
        Ok(())
    }

    /// Goes to a tick. Returns the cells that are covered (`true`) or not covered any more since the last call.
    pub fn show(&mut self, tick: u64) -> impl Iterator<Item = (Voxel, bool)> + '_ {
        // A cell counts no more solids than that.
        let most_poses = MOST_POSES.min(MAX_SOLIDS / self.tracks.len().max(1)) as f64;
        for track in &mut self.tracks {
            if !track.cover(tick, self.frame, self.size, self.radius, most_poses) {
                continue;
            }
            let none = Vec::new();
            for number in 0..track.covered.len().max(track.next.len()) {
                let [old, new] = [&track.covered, &track.next].map(|runs| runs.get(number).unwrap_or(&none));
                self.coverage.replace(old, new);
            }
            std::mem::swap(&mut track.covered, &mut track.next);
        }
        self.coverage.changes()
    }
}

impl Track {
    /// Writes down which cells it covers at a tick; `false` if they are the same as before, because it rests.
    fn cover(&mut self, tick: u64, frame: Frame, size: [u32; 3], radius: f64, most_poses: f64) -> bool {
        let last = self.ticks;
        let [before, now, after] = match last {
            Some((shown, [_, before, now])) if shown + 1 == tick => [before, now, self.motion.at(tick + 1)],
            _ => [tick.saturating_sub(1), tick, tick + 1].map(|tick| self.motion.at(tick)),
        };
        self.ticks = Some((tick, [before, now, after]));
        if last.is_some_and(|(_, places)| places == [now; 3]) && [before, after] == [now; 2] {
            return false;
        }
        // Half of what it moves before and after the tick, in cells, and how many poses that takes.
        let moves = |(from, was): (Pose, bool), (to, is): (Pose, bool)| {
            let half = if was || is { self.half_of_move(from, to) / frame.cell_size() } else { 0.0 };
            (half, (half / WIDEST).ceil().clamp(1.0, most_poses))
        };
        let (earlier, later) = (moves(before, now), moves(now, after));
        let margin = (GRAIN * (earlier.0 / earlier.1).max(later.0 / later.1) - 1e-6).ceil().max(0.0) as u64;
        let inflation = radius + margin as f64 / GRAIN * frame.cell_size();
        if margin != self.margin
            && let Ok(voxeliser) = Voxeliser::new(self.motion.shape(), frame, size, inflation)
        {
            (self.voxeliser, self.margin) = (voxeliser, margin);
        }
        let is_there = now.1 || before.1 && earlier.0 > 0.0 || after.1 && later.0 > 0.0;
        let poses = if earlier.0 > 0.0 { earlier.1 as u32 } else { 1 };
        let mut count = 0;
        for pose in 0..poses {
            // From the pose at the tick backwards, without that of the tick before.
            if pose == 0 && !is_there || pose > 0 && !(now.1 || before.1) {
                continue;
            }
            if count == self.next.len() {
                self.next.push(Vec::new());
            }
            let runs = &mut self.next[count];
            runs.clear();
            let share = f64::from(pose) / f64::from(poses);
            self.voxeliser.for_each_run(&between(now.0, before.0, share), &mut |y, z, xs| {
                runs.push(Run { z, y, start: xs.start, end: xs.end });
            });
            count += 1;
        }
        self.next[count..].iter_mut().for_each(Vec::clear);
        true
    }

    /// How far a point of it gets from the nearer of two poses at most, in world units.
    fn half_of_move(&self, from: Pose, to: Pose) -> f64 {
        let (a, b) = (from.rotation().numbers(), to.rotation().numbers());
        // A quaternion and its negative are the same rotation.
        let apart = |sign: f64| (0..4).map(|part| (a[part] - sign * b[part]).powi(2)).sum::<f64>();
        let turn = apart(1.0).min(apart(-1.0)).sqrt();
        from.position().distance(to.position()) / 2.0 + self.reach * turn
    }
}

/// A pose on the way from one to another.
fn between(from: Pose, to: Pose, share: f64) -> Pose {
    if share == 0.0 {
        return from;
    }
    let position = from.position().toward(to.position(), share);
    Pose::new(position, from.rotation().toward(to.rotation(), share)).unwrap_or(from)
}

/// How far from its position a shape has points that turning moves.
fn reach(shape: &Shape) -> f64 {
    let farthest =
        |points: &[Point]| points.iter().map(|point| point.distance(Point::default())).fold(0.0, f64::max);
    match shape.kind() {
        Kind::Cuboid { half } => farthest(&[*half]),
        Kind::Sphere { .. } => 0.0,
        Kind::Capsule { from, to, .. } => farthest(&[*from, *to]),
        Kind::Polyhedron(polyhedron) => farthest(polyhedron.points()),
    }
}
