//! Where moving obstacles will be in half a second, if they continue as they do.

use std::fmt;

use crate::obstacle::coverage::Run;
use crate::obstacle::{Pose, Rotation, Voxeliser};
use crate::scene::{Mover, Scene, TICKS_PER_SECOND};
use crate::space::{Frame, Voxel};
use crate::world::dynamic::{DynamicWorld, ObstacleId};

/// How far ahead forecasts look, in units of time. If time is measured in seconds, this is half a second.
pub const HORIZON: f64 = 0.5;

/// The moments of a forecast, evenly spaced up to the horizon.
pub(super) const MOMENTS: usize = 5;

/// How much earlier than it happens the appearance of an obstacle is taken into account, in ticks. An agent that would be inside
/// has to have left by then, and half a second does not suffice for the way out of a large obstacle.
const LEAD: u64 = TICKS_PER_SECOND as u64 / 2;

/// How long after now a moment is.
pub(super) fn time_of(moment: usize) -> f64 {
    HORIZON * (moment + 1) as f64 / MOMENTS as f64
}

/// Predicts the cells that moving obstacles will cover at a few moments of the next half second, from their last two
/// poses, or from the description of their motion.
///
/// One forecast serves all agents in a world. Call [`observe`](Forecast::observe) after each
/// [update](DynamicWorld::update) of the world. When an obstacle changes direction, its prediction is wrong until two
/// poses after the change have been observed. In the world of a scene, call [`foresee`](Forecast::foresee) instead: it
/// knows when obstacles turn, and when they appear.
///
/// ```
/// use surefoot::flight::Forecast;
/// use surefoot::obstacle::{Pose, Shape};
/// use surefoot::prelude::*;
/// use surefoot::world::dynamic::DynamicWorld;
///
/// let mut world = DynamicWorld::new(Voxels::new(12, 3, 3).unwrap());
/// let block = Shape::cuboid(Point::new(0.5, 0.5, 0.5)).unwrap();
/// let at = |x: f64| Pose::at(Point::new(x, 1.5, 1.5)).unwrap();
/// let block = world.add(block, at(1.5)).unwrap();
/// let mut forecast = Forecast::new();
/// world.update();
/// forecast.observe(&world, 0.1);
/// world.set_pose(block, at(2.0)).unwrap(); // five cells in a unit of time
/// world.update();
/// forecast.observe(&world, 0.1);
/// let will_close = |x| forecast.will_cover(Voxel::new(x, 1, 1));
/// assert!(will_close(3) && will_close(4) && !will_close(6));
/// ```
#[derive(Default)]
pub struct Forecast {
    tracks: Vec<Track>,
    /// The cells for which the tracks were made.
    cells: Option<(Frame, [u32; 3])>,
}

/// One obstacle.
struct Track {
    voxeliser: Voxeliser,
    /// Its last observed pose; `None` if it was inactive.
    pose: Option<Pose>,
    /// By moment: the cells that it will cover. Empty unless it moves.
    covered: [Covered; MOMENTS],
}

/// Cells as runs in order of layer and row, at most one in each row, and the box around them.
#[derive(Clone, Default)]
struct Covered {
    runs: Vec<Run>,
    bounds: [[u32; 2]; 3],
}

impl fmt::Debug for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forecast").field("obstacles", &self.tracks.len()).finish_non_exhaustive()
    }
}

impl Forecast {
    /// Creates a forecast that has not observed anything yet.
    pub fn new() -> Forecast {
        Forecast::default()
    }

    /// Observes where obstacles are now. `time` is the time since the last observation.
    pub fn observe(&mut self, world: &DynamicWorld, time: f64) {
        self.for_each_track(world, |_, track, now| track.observe(now, time));
    }

    /// Looks up where obstacles will be in the description of their motion, instead of predicting it. `world` is the
    /// [world](Scene::world) of the scene at a tick. A unit of time is a second.
    ///
    /// Obstacles that will appear within the next second are known as well. They are assumed to appear on time, even if they
    /// [wait](Scene::show_around) for an agent to leave.
    ///
    /// ```
    /// use surefoot::flight::Forecast;
    /// use surefoot::obstacle::{Pose, Shape};
    /// use surefoot::scene::{Mover, Scene, Switch};
    /// use surefoot::space::{Point, Voxel};
    ///
    /// let mut scene = Scene::new([9, 3, 3]);
    /// let door = Shape::cuboid(Point::new(0.5, 0.5, 0.5)).unwrap();
    /// let door = Mover::at_rest("door", door, Pose::at(Point::new(4.5, 1.5, 1.5)).unwrap());
    /// scene.obstacles.push(Mover { switch: Some(Switch::new(120, false).unwrap()), ..door });
    /// let (world, mut forecast) = (scene.world().unwrap(), Forecast::new());
    /// let mut will_close = |tick| {
    ///     forecast.foresee(&world, &scene, tick);
    ///     forecast.will_cover(Voxel::new(4, 1, 1))
    /// };
    /// assert!(!will_close(30) && will_close(100));
    /// ```
    pub fn foresee(&mut self, world: &DynamicWorld, scene: &Scene, tick: u64) {
        self.for_each_track(world, |number, track, now| match scene.obstacles.get(number) {
            Some(mover) => track.foresee(mover, now, tick),
            None => track.observe(now, 0.0),
        });
    }

    /// Visits all obstacles of a world with their poses; `None` for those that are not active.
    fn for_each_track(
        &mut self,
        world: &DynamicWorld,
        mut visit: impl FnMut(usize, &mut Track, Option<Pose>),
    ) {
        let cells = (*world.voxels().frame(), world.voxels().size());
        if self.cells != Some(cells) || self.tracks.len() > world.obstacle_count() {
            self.tracks.clear();
            self.cells = Some(cells);
        }
        for number in 0..world.obstacle_count() {
            let id = ObstacleId(number as u32);
            let (Ok(shape), Ok(pose), Ok(active)) = (world.shape(id), world.pose(id), world.is_active(id))
            else {
                continue;
            };
            if number == self.tracks.len() {
                let Ok(voxeliser) = Voxeliser::new(shape, cells.0, cells.1, world.inflation()) else {
                    return;
                };
                self.tracks.push(Track { voxeliser, pose: None, covered: Default::default() });
            }
            visit(number, &mut self.tracks[number], active.then_some(pose));
        }
    }

    /// Returns whether a moving obstacle will cover a cell at one of the predicted moments of the next half second.
    pub fn will_cover(&self, cell: Voxel) -> bool {
        self.tracks.iter().any(|track| track.covered.iter().any(|covered| covered.contains(cell)))
    }

    /// Returns the cells that moving obstacles will cover after a time, at the nearest of five predicted moments, which are evenly
    /// spaced up to [`HORIZON`]. Cells where obstacles are at rest are not among them. A cell that several obstacles will cover is
    /// returned several times.
    ///
    /// ```
    /// use surefoot::flight::Forecast;
    /// use surefoot::obstacle::{Pose, Shape};
    /// use surefoot::scene::{Mover, Patrol, Scene, Travel};
    /// use surefoot::space::Point;
    ///
    /// let mut scene = Scene::new([12, 1, 1]);
    /// let stops = vec![Point::new(1.5, 0.5, 0.5), Point::new(10.5, 0.5, 0.5)];
    /// let travel = Some(Travel::Patrol(Patrol::new(stops, 10.0, false).unwrap()));
    /// let block = Shape::cuboid(Point::new(0.5, 0.5, 0.5)).unwrap();
    /// let pose = Pose::at(Point::new(1.5, 0.5, 0.5)).unwrap();
    /// scene.obstacles.push(Mover { travel, ..Mover::at_rest("block", block, pose) });
    /// let mut forecast = Forecast::new();
    /// forecast.foresee(&scene.world().unwrap(), &scene, 0);
    /// let columns = |time| forecast.covered_after(time).map(|cell| cell.x).collect::<Vec<i32>>();
    /// assert_eq!((columns(0.2), columns(0.5)), (vec![3], vec![6]));
    /// ```
    pub fn covered_after(&self, time: f64) -> impl Iterator<Item = Voxel> {
        let moment = ((time / HORIZON * MOMENTS as f64).round() as usize).clamp(1, MOMENTS) - 1;
        self.tracks.iter().flat_map(move |track| track.covered[moment].cells())
    }

    /// Whether one of some obstacles, by their numbers, will cover a cell at a moment.
    pub(super) fn covers(&self, among: &[u32], moment: usize, cell: Voxel) -> bool {
        among.iter().any(|&number| self.tracks[number as usize].covered[moment].contains(cell))
    }

    /// Writes down the numbers of the moving obstacles that could come within `reach` cells of a cell.
    pub(super) fn near_into(&self, cell: Voxel, reach: i32, near: &mut Vec<u32>) {
        let comes_near = |track: &Track| track.covered.iter().any(|covered| covered.comes_near(cell, reach));
        near.clear();
        near.extend((0..).zip(&self.tracks).filter(|(_, track)| comes_near(track)).map(|(number, _)| number));
    }
}

impl Track {
    fn observe(&mut self, now: Option<Pose>, time: f64) {
        let before = std::mem::replace(&mut self.pose, now);
        for covered in &mut self.covered {
            covered.runs.clear();
        }
        let (Some(before), Some(now)) = (before, now) else { return };
        if before == now || !(time > 0.0 && time.is_finite()) {
            return;
        }
        for (moment, covered) in self.covered.iter_mut().enumerate() {
            if let Some(pose) = carried_on(before, now, time_of(moment) / time) {
                covered.fill(&mut self.voxeliser, &pose);
            }
        }
    }
}

impl Track {
    fn foresee(&mut self, mover: &Mover, now: Option<Pose>, tick: u64) {
        self.pose = now;
        for (moment, covered) in self.covered.iter_mut().enumerate() {
            covered.runs.clear();
            let then = tick + (time_of(moment) * f64::from(TICKS_PER_SECOND)).round() as u64;
            // The cells of what is present and stays are closed already.
            let pose = match (now, &mover.switch) {
                (Some(now), _) => {
                    Some(mover.pose_at(then)).filter(|&pose| pose != now && mover.is_active_at(then))
                }
                (None, Some(switch)) => Some(switch.next_on(then))
                    .filter(|&appears| appears <= then + LEAD)
                    .map(|appears| mover.pose_at(appears)),
                (None, None) => None,
            };
            if let Some(pose) = pose {
                covered.fill(&mut self.voxeliser, &pose);
            }
        }
    }
}

impl Covered {
    fn fill(&mut self, voxeliser: &mut Voxeliser, pose: &Pose) {
        let Covered { runs, bounds } = self;
        *bounds = [[u32::MAX, 0]; 3];
        voxeliser.for_each_run(pose, &mut |y, z, xs| {
            runs.push(Run { z, y, start: xs.start, end: xs.end });
            for (bound, [first, end]) in bounds.iter_mut().zip([[xs.start, xs.end], [y, y + 1], [z, z + 1]]) {
                *bound = [bound[0].min(first), bound[1].max(end)];
            }
        });
    }

    fn cells(&self) -> impl Iterator<Item = Voxel> {
        self.runs
            .iter()
            .flat_map(|run| (run.start..run.end).map(|x| Voxel::new(x as i32, run.y as i32, run.z as i32)))
    }

    fn contains(&self, Voxel { x, y, z }: Voxel) -> bool {
        let cell = [x, y, z].map(|part| part as u32);
        if self.runs.is_empty()
            || (0..3).any(|axis| !(self.bounds[axis][0]..self.bounds[axis][1]).contains(&cell[axis]))
        {
            return false;
        }
        let [x, y, z] = cell;
        let found = self.runs.binary_search_by_key(&(z, y), |run| (run.z, run.y));
        found.is_ok_and(|at| (self.runs[at].start..self.runs[at].end).contains(&x))
    }

    fn comes_near(&self, Voxel { x, y, z }: Voxel, reach: i32) -> bool {
        !self.runs.is_empty()
            && [x, y, z].into_iter().zip(self.bounds).all(|(at, [first, end])| {
                let at = i64::from(at);
                at + i64::from(reach) >= i64::from(first) && at - i64::from(reach) < i64::from(end)
            })
    }
}

/// Extrapolates a motion between two poses by `times` times the time between them. Whole turns are made in between, so
/// that the result is the same on every machine.
pub(super) fn carried_on(before: Pose, now: Pose, times: f64) -> Option<Pose> {
    let position = before.position().toward(now.position(), 1.0 + times);
    let [x, y, z, w] = before.rotation().numbers();
    let back = Rotation::new(-x, -y, -z, w)?;
    let mut turn = back.then(now.rotation());
    let mut rotation = now.rotation();
    let mut left = times.round().clamp(0.0, 1e6) as u32;
    while left > 0 {
        if left & 1 == 1 {
            rotation = rotation.then(turn);
        }
        turn = turn.then(turn);
        left >>= 1;
    }
    Pose::new(position, rotation)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::obstacle::Shape;
    use crate::scene::{Patrol, Switch, Travel, Turn};
    use crate::space::Point;
    use crate::world::voxels::Voxels;

    #[test]
    fn what_moves_and_turns_evenly_will_be_where_it_is_then() {
        let mut world = DynamicWorld::new(Voxels::new(24, 24, 8).unwrap());
        let pose = |tick: u32| {
            let turned = Rotation::about(Point::new(0.0, 0.0, 1.0), f64::from(tick) * 3.0).unwrap();
            Pose::new(Point::new(6.0 + f64::from(tick) * 0.1, 12.0, 4.0), turned).unwrap()
        };
        let bar = world.add(Shape::cuboid(Point::new(5.0, 0.6, 1.0)).unwrap(), pose(0)).unwrap();
        let mut forecast = Forecast::new();
        for tick in 0..60 {
            world.set_pose(bar, pose(tick)).unwrap();
            world.update();
            forecast.observe(&world, 1.0 / 60.0);
            let is_known = tick > 0;
            for moment in 0..MOMENTS {
                let mut later = world.clone();
                later.set_pose(bar, pose(tick + 6 * (moment as u32 + 1))).unwrap();
                later.update();
                let voxels = later.voxels();
                let wrong = voxels
                    .cells()
                    .find(|&cell| forecast.covers(&[0], moment, cell) != (is_known && !voxels.is_open(cell)));
                assert_eq!(wrong, None, "tick {tick}, moment {moment}");
            }
        }
        for (time, moment) in [(f64::NAN, 0), (-1.0, 0), (0.0, 0), (0.14, 0), (0.16, 1), (0.5, 4), (9.0, 4)] {
            let expected = forecast.covered_after(time_of(moment));
            assert!(forecast.covered_after(time).eq(expected), "{time}");
        }
        forecast.observe(&world, 1.0 / 60.0);
        assert!(world.voxels().cells().all(|cell| !forecast.will_cover(cell)), "it has come to rest");
    }

    /// A bus that turns back and a bar that turns, whose cells at each moment are those of the scene then, and a block that comes and
    /// goes, which is expected half a second early.
    #[test]
    fn what_a_scene_describes_is_foreseen() {
        let block = |x, y, z| Shape::cuboid(Point::new(x, y, z)).unwrap();
        let at = |x, y| Pose::at(Point::new(x, y, 2.0)).unwrap();
        let mut scene = Scene::new([24, 24, 4]);
        let stops = vec![Point::new(3.0, 4.0, 2.0), Point::new(9.0, 4.0, 2.0)];
        let travel = Some(Travel::Patrol(Patrol::new(stops, 4.0, false).unwrap()));
        scene.obstacles.push(Mover { travel, ..Mover::at_rest("bus", block(1.0, 1.0, 1.0), at(3.0, 4.0)) });
        let turn = Some(Turn::new(Point::new(0.0, 0.0, 1.0), 45.0).unwrap());
        scene.obstacles.push(Mover { turn, ..Mover::at_rest("bar", block(3.0, 0.4, 1.0), at(18.0, 8.0)) });
        let switch = Some(Switch::new(50, true).unwrap());
        scene
            .obstacles
            .push(Mover { switch, ..Mover::at_rest("door", block(1.0, 1.0, 1.0), at(12.0, 18.0)) });
        let (mut world, mut later) = (scene.world().unwrap(), scene.world().unwrap());
        let mut forecast = Forecast::new();
        for tick in 0..300 {
            scene.show(&mut world, tick).unwrap();
            forecast.foresee(&world, &scene, tick);
            for moment in 0..MOMENTS {
                let then = tick + 6 * (moment as u64 + 1);
                scene.show(&mut later, then).unwrap();
                if tick % 20 == 0 {
                    let listed: BTreeSet<Voxel> = forecast.covered_after(time_of(moment)).collect();
                    let cells = later.voxels().cells();
                    let covered = cells.filter(|&cell| forecast.covers(&[0, 1, 2], moment, cell));
                    assert_eq!(listed, covered.collect());
                }
                for cell in later.voxels().cells() {
                    let is_expected =
                        forecast.covers(&[0, 1, 2], moment, cell) || !world.voxels().is_open(cell);
                    let is_closed = !later.voxels().is_open(cell);
                    assert!(is_expected || !is_closed, "{cell:?} at tick {then}, seen at {tick}");
                    // What is covered at that moment will be closed then, or appears soon after.
                    let appears = (then..=then + LEAD).any(|tick| scene.obstacles[2].is_active_at(tick));
                    let is_right = is_closed || (cell.y >= 17 && appears);
                    assert!(
                        !forecast.covers(&[0, 1, 2], moment, cell) || is_right,
                        "{cell:?} at tick {then}, seen at {tick}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_comes_and_goes_or_was_seen_once_has_no_future() {
        let mut world = DynamicWorld::new(Voxels::new(9, 9, 9).unwrap());
        let at = |x: f64| Pose::at(Point::new(x, 4.0, 4.0)).unwrap();
        let ball = world.add(Shape::sphere(1.0).unwrap(), at(2.0)).unwrap();
        let mut forecast = Forecast::new();
        let mut look = |world: &mut DynamicWorld, time: f64| {
            world.update();
            forecast.observe(world, time);
            world.voxels().cells().any(|cell| forecast.will_cover(cell))
        };
        assert!(!look(&mut world, 0.1));
        world.set_pose(ball, at(2.5)).unwrap();
        assert!(look(&mut world, 0.1));
        world.set_active(ball, false).unwrap();
        assert!(!look(&mut world, 0.1));
        world.set_active(ball, true).unwrap();
        world.set_pose(ball, at(4.0)).unwrap();
        assert!(!look(&mut world, 0.1));
        world.set_pose(ball, at(4.5)).unwrap();
        assert!(!look(&mut world, 0.0) && !look(&mut world, f64::NAN));
    }
}
