//! Motions as functions of time.
//!
//! Time is counted in ticks of 1/60 second, and every position is computed from the tick alone. Nothing accumulates, so nothing
//! drifts, and the position at any tick can be computed directly.

use thiserror::Error;

use crate::obstacle::{Pose, Rotation};
use crate::space::Point;

/// The number of ticks per second.
pub const TICKS_PER_SECOND: u32 = 60;

/// The last tick that a keyframe or a switch may use: more than two years.
pub const LAST_TICK: u64 = 1 << 32;

/// The maximum speed, in world units or degrees per second.
pub const FASTEST: f64 = 1e6;

/// The maximum number of points of a patrol, and of keyframes.
pub const MAX_STOPS: usize = 1 << 16;

/// The reason why a motion is invalid.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MotionError {
    /// There are no points or keyframes, or too many of them.
    #[error("{found} {what}, expected {least} to {MAX_STOPS}")]
    Stops {
        /// Whether these are points or keyframes.
        what: &'static str,
        /// The number found.
        found: usize,
        /// The minimum number.
        least: usize,
    },
    /// A position is not finite or is too far out.
    #[error("{what} {index} is not finite or has a coordinate beyond {:e}", Pose::FARTHEST)]
    Place {
        /// Whether this is a point or a keyframe.
        what: &'static str,
        /// The index of the point or keyframe.
        index: usize,
    },
    /// A speed is out of range.
    #[error("{what} is {found:?}, expected a number from {least} to {FASTEST:e}")]
    Speed {
        /// The name of the speed.
        what: &'static str,
        /// The value found.
        found: f64,
        /// The smallest allowed value.
        least: f64,
    },
    /// Keyframes are out of order, two have the same tick, or one is after [`LAST_TICK`].
    #[error(
        "keyframe {0} is out of order: expected a time after the previous keyframe and up to tick {LAST_TICK}"
    )]
    Order(usize),
    /// An axis has no direction.
    #[error("the axis {}, {}, {} has no direction", .0.x, .0.y, .0.z)]
    Axis(Point),
    /// The time between switches is 0 or longer than [`LAST_TICK`].
    #[error("a switch interval of {0} ticks, expected 1 to {LAST_TICK}")]
    Switch(u64),
    /// The box in which an agent keeps an object from appearing has an invalid size.
    #[error(
        "the box in which an object waits has half a size of {found:?}, expected a number from 0 to {:e}",
        Pose::FARTHEST
    )]
    Room {
        /// The value found.
        found: f64,
    },
}

/// Returns the tick nearest to a time in seconds; `None` if the time is negative, after [`LAST_TICK`], or not a number.
pub fn ticks(seconds: f64) -> Option<u64> {
    let ticks = (seconds * f64::from(TICKS_PER_SECOND)).round();
    (0.0..=LAST_TICK as f64).contains(&ticks).then_some(ticks as u64)
}

/// Converts a tick to seconds.
pub fn seconds(tick: u64) -> f64 {
    tick as f64 / f64::from(TICKS_PER_SECOND)
}

/// How an object moves from place to place.
#[derive(Clone, Debug, PartialEq)]
pub enum Travel {
    /// Between points, at constant speed.
    Patrol(Patrol),
    /// Through given poses at given times.
    Keyframes(Keyframes),
}

impl Travel {
    /// Returns the pose at a tick, for an object whose initial pose is `home`.
    pub fn pose_at(&self, home: Pose, tick: u64) -> Pose {
        self.pose_after(home, tick, 0.0)
    }

    /// Returns the pose a share of a tick after a tick.
    pub(super) fn pose_after(&self, home: Pose, tick: u64, share: f64) -> Pose {
        match self {
            Travel::Patrol(patrol) => {
                Pose::new(patrol.position_after(home.position(), tick, share), home.rotation())
                    .unwrap_or(home)
            }
            Travel::Keyframes(keyframes) => keyframes.pose_after(home, tick, share),
        }
    }
}

/// A motion from the home position to the first point and then from point to point: to the last one and back again, or from the last
/// one to the first.
///
/// ```
/// use surefoot::scene::Patrol;
/// use surefoot::space::Point;
/// let patrol = Patrol::new(vec![Point::flat(0.0, 0.0), Point::flat(6.0, 0.0)], 2.0, false).unwrap();
/// let home = Point::flat(4.0, 0.0);
/// let seconds = [0, 1, 2, 5, 6].map(|second| patrol.position_at(home, second * 60).x);
/// assert_eq!(seconds, [4.0, 2.0, 0.0, 6.0, 4.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Patrol {
    points: Vec<Point>,
    speed: f64,
    circle: bool,
    /// The distance of each point from the first one along the path; with `circle`, followed by the length of the whole circuit.
    along: Vec<f64>,
}

impl Patrol {
    /// Creates a patrol with a speed in world units per second.
    pub fn new(points: Vec<Point>, speed: f64, circle: bool) -> Result<Patrol, MotionError> {
        check_stops("points", points.len())?;
        if let Some(index) = points.iter().position(|&point| Pose::at(point).is_none()) {
            return Err(MotionError::Place { what: "point", index });
        }
        check_speed("speed", speed, 0.0)?;
        let mut along = vec![0.0];
        let back = circle.then(|| points[0]);
        for (from, to) in points.iter().zip(points[1..].iter().chain(&back)) {
            along.push(along[along.len() - 1] + from.distance(*to));
        }
        Ok(Patrol { points, speed, circle, along })
    }

    /// Returns the points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Returns the speed in world units per second.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Returns whether the patrol continues from the last point to the first, instead of going back the way it came.
    pub fn circle(&self) -> bool {
        self.circle
    }

    /// Returns the position at a tick, for an object that started at `home`.
    pub fn position_at(&self, home: Point, tick: u64) -> Point {
        self.position_after(home, tick, 0.0)
    }

    fn position_after(&self, home: Point, tick: u64, share: f64) -> Point {
        let gone = self.speed * (tick as f64 + share) / f64::from(TICKS_PER_SECOND);
        let first = home.distance(self.points[0]);
        if gone < first {
            return home.toward(self.points[0], gone / first);
        }
        let length = self.along[self.along.len() - 1];
        if length <= 0.0 {
            return self.points[0];
        }
        let gone = if self.circle {
            (gone - first) % length
        } else {
            let gone = (gone - first) % (2.0 * length);
            if gone > length { 2.0 * length - gone } else { gone }
        };
        // The first leg that ends beyond.
        let leg = self.along[1..].partition_point(|&end| end < gone).min(self.along.len() - 2);
        let (start, end) = (self.along[leg], self.along[leg + 1]);
        let (from, to) = (self.points[leg], self.points[(leg + 1) % self.points.len()]);
        if end > start { from.toward(to, (gone - start) / (end - start)) } else { from }
    }
}

/// A pose at a point in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// The tick of the pose.
    pub tick: u64,
    /// The position.
    pub position: Point,
    /// The rotation; `None` keeps the rotation of the home pose.
    pub rotation: Option<Rotation>,
}

/// Poses at given times, with straight lines between positions and the shortest turn between rotations.
///
/// ```
/// use surefoot::obstacle::Pose;
/// use surefoot::scene::{Keyframe, Keyframes};
/// use surefoot::space::Point;
/// let frame = |tick, x| Keyframe { tick, position: Point::flat(x, 0.0), rotation: None };
/// let ramp = Keyframes::new(vec![frame(0, 0.0), frame(60, 3.0)], true).unwrap();
/// assert_eq!(ramp.pose_at(Pose::default(), 60 + 20).position().x, 1.0); // a second time
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframes {
    frames: Vec<Keyframe>,
    repeat: bool,
}

impl Keyframes {
    /// Creates keyframes, which must be in order of time. Before the first keyframe the object stays at the first, and after the
    /// last it stays at the last, or starts over at tick 0 if `repeat` is set.
    pub fn new(frames: Vec<Keyframe>, repeat: bool) -> Result<Keyframes, MotionError> {
        check_stops("keyframes", frames.len())?;
        if let Some(index) = frames.iter().position(|frame| Pose::at(frame.position).is_none()) {
            return Err(MotionError::Place { what: "keyframe", index });
        }
        let late = (1..frames.len()).find(|&index| frames[index].tick <= frames[index - 1].tick);
        let late = late.or((frames[frames.len() - 1].tick > LAST_TICK).then_some(frames.len() - 1));
        late.map_or(Ok(Keyframes { frames, repeat }), |index| Err(MotionError::Order(index)))
    }

    /// Returns the keyframes.
    pub fn frames(&self) -> &[Keyframe] {
        &self.frames
    }

    /// Returns whether the motion starts over after the last keyframe.
    pub fn repeat(&self) -> bool {
        self.repeat
    }

    /// Returns the pose at a tick.
    pub fn pose_at(&self, home: Pose, tick: u64) -> Pose {
        self.pose_after(home, tick, 0.0)
    }

    fn pose_after(&self, home: Pose, tick: u64, share: f64) -> Pose {
        let last = self.frames[self.frames.len() - 1].tick;
        let tick = if self.repeat && last > 0 { tick % last } else { tick };
        let next = self.frames.partition_point(|frame| frame.tick <= tick);
        let rotation = |frame: &Keyframe| frame.rotation.unwrap_or(home.rotation());
        let before = &self.frames[next.saturating_sub(1)];
        let (position, turned) = match self.frames.get(next) {
            Some(after) if next > 0 => {
                let share = ((tick - before.tick) as f64 + share) / (after.tick - before.tick) as f64;
                (
                    before.position.toward(after.position, share),
                    rotation(before).toward(rotation(after), share),
                )
            }
            _ => (before.position, rotation(before)),
        };
        Pose::new(position, turned).unwrap_or(home)
    }
}

/// A constant rotation about an axis through the object's position, in world directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    axis: Point,
    degrees_per_second: f64,
}

impl Turn {
    /// Creates a rotation. About z, it turns from x towards y.
    pub fn new(axis: Point, degrees_per_second: f64) -> Result<Turn, MotionError> {
        check_speed("turning speed in degrees per second", degrees_per_second, -FASTEST)?;
        Rotation::about(axis, 0.0).ok_or(MotionError::Axis(axis))?;
        Ok(Turn { axis, degrees_per_second })
    }

    /// Returns the axis, of any length.
    pub fn axis(&self) -> Point {
        self.axis
    }

    /// Returns the angular speed.
    pub fn degrees_per_second(&self) -> f64 {
        self.degrees_per_second
    }

    /// Returns the rotation at a tick.
    pub fn rotation_at(&self, tick: u64) -> Rotation {
        self.rotation_after(tick, 0.0)
    }

    pub(super) fn rotation_after(&self, tick: u64, share: f64) -> Rotation {
        let degrees = self.degrees_per_second * (tick as f64 + share) / f64::from(TICKS_PER_SECOND);
        Rotation::about(self.axis, degrees).unwrap_or(Rotation::NONE)
    }
}

/// Makes an object appear and disappear.
///
/// An object can be made to [wait](Switch::with_room) for an agent: it then does not appear while the agent is in a box around it.
/// Only [`Scene::show_around`](super::Scene::show_around) takes this into account; the timetable itself does not change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Switch {
    every: u64,
    on: bool,
    room: Option<Point>,
}

impl Switch {
    /// Creates a switch that toggles every `every` ticks; `on` sets whether the object is present at first.
    pub fn new(every: u64, on: bool) -> Result<Switch, MotionError> {
        if (1..=LAST_TICK).contains(&every) {
            Ok(Switch { every, on, room: None })
        } else {
            Err(MotionError::Switch(every))
        }
    }

    /// Sets the box in which an agent keeps the object from appearing, by half its size along the axes of the object.
    pub fn with_room(self, half: Point) -> Result<Switch, MotionError> {
        for found in [half.x, half.y, half.z] {
            if !(0.0..=Pose::FARTHEST).contains(&found) {
                return Err(MotionError::Room { found });
            }
        }
        Ok(Switch { room: Some(half), ..self })
    }

    /// Returns half the size of the box in which an agent keeps the object from appearing, if there is one.
    pub fn room(&self) -> Option<Point> {
        self.room
    }

    /// Returns the number of ticks from one switch to the next.
    pub fn every(&self) -> u64 {
        self.every
    }

    /// Returns the first tick, from a tick on, at which the object is present.
    pub fn next_on(&self, tick: u64) -> u64 {
        if self.is_on(tick) { tick } else { (tick / self.every + 1).saturating_mul(self.every) }
    }

    /// Returns whether the object is present at a tick.
    pub fn is_on(&self, tick: u64) -> bool {
        self.on == (tick / self.every).is_multiple_of(2)
    }
}

fn check_stops(what: &'static str, found: usize) -> Result<(), MotionError> {
    if (1..=MAX_STOPS).contains(&found) { Ok(()) } else { Err(MotionError::Stops { what, found, least: 1 }) }
}

fn check_speed(what: &'static str, found: f64, least: f64) -> Result<(), MotionError> {
    if (least..=FASTEST).contains(&found) { Ok(()) } else { Err(MotionError::Speed { what, found, least }) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(x: f64, y: f64) -> Point {
        Point::flat(x, y)
    }

    #[test]
    fn a_patrol_in_a_circle_closes_it() {
        let patrol = Patrol::new(vec![at(0., 0.), at(3., 0.), at(3., 4.)], 1.0, true).unwrap();
        assert_eq!(patrol.position_at(at(0., 0.), 7 * 60), at(3., 4.));
        assert!(patrol.position_at(at(0., 0.), 570).distance(at(1.5, 2.0)) < 1e-12, "half of the way back");
        assert_eq!(patrol.position_at(at(0., 0.), 12 * 60 + 60), at(1., 0.));
        let nowhere = Patrol::new(vec![at(1., 1.)], 1.0, true).unwrap();
        assert_eq!(nowhere.position_at(at(1., 1.), 99), at(1., 1.));
    }

    proptest! {
        #![proptest_config(crate::random_cases::cases(256))]

        /// An object never moves farther per tick than its speed allows, and all points are reached.
        #[test]
        fn patrols_neither_jump_nor_stop(
            points in prop::collection::vec((-9.0..9.0, -9.0..9.0), 1..5),
            home in (-9.0..9.0, -9.0..9.0),
            speed in 0.5..5.0,
            circle in any::<bool>(),
        ) {
            let points: Vec<Point> = points.into_iter().map(|(x, y)| at(x, y)).collect();
            let (home, step) = (at(home.0, home.1), speed / 60.0);
            let patrol = Patrol::new(points.clone(), speed, circle).unwrap();
            prop_assert_eq!(patrol.position_at(home, 0), home);
            let way: Vec<Point> = (0..20_000).map(|tick| patrol.position_at(home, tick)).collect();
            for (from, to) in way.iter().zip(&way[1..]) {
                prop_assert!(from.distance(*to) < step + 1e-9);
            }
            for point in points {
                prop_assert!(way.iter().any(|place| place.distance(point) <= step), "{:?} is left out", point);
            }
        }
    }

    #[test]
    fn keyframes_turn_and_wait() {
        let z = Point::new(0.0, 0.0, 1.0);
        let quarter = Rotation::about(z, 90.0).unwrap();
        let frame = |tick, x, rotation| Keyframe { tick, position: at(x, 0.0), rotation };
        let frames = vec![frame(10, 1.0, None), frame(20, 1.0, Some(quarter)), frame(40, 5.0, Some(quarter))];
        let once = Keyframes::new(frames.clone(), false).unwrap();
        let place = |keyframes: &Keyframes, tick| keyframes.pose_at(Pose::default(), tick).position();
        let expected = [1.0, 1.0, 1.0, 3.0, 5.0, 5.0].map(|x| at(x, 0.0));
        assert_eq!([0, 10, 20, 30, 40, 99].map(|tick| place(&once, tick)), expected);
        let half = once.pose_at(Pose::default(), 15).rotation().turn(at(1.0, 0.0));
        assert!(half.distance(Rotation::about(z, 45.0).unwrap().turn(at(1.0, 0.0))) < 1e-15);
        let again = Keyframes::new(frames, true).unwrap();
        assert_eq!([39, 40, 70].map(|tick| place(&again, tick)), [4.8, 1.0, 3.0].map(|x| at(x, 0.0)));
        let home = Pose::new(at(7.0, 7.0), quarter).unwrap();
        let still = Keyframes::new(vec![frame(0, 2.0, None)], true).unwrap();
        assert_eq!(still.pose_at(home, 99), Pose::new(at(2.0, 0.0), quarter).unwrap(), "turned as at home");
    }

    #[test]
    fn switches_switch() {
        let switch = Switch::new(3, false).unwrap();
        let states: Vec<bool> = (0..9).map(|tick| switch.is_on(tick)).collect();
        assert_eq!(states, [false, false, false, true, true, true, false, false, false]);
        assert_eq!([0, 2, 3, 5, 6, 8].map(|tick| switch.next_on(tick)), [3, 3, 3, 5, 9, 9]);
    }

    #[test]
    fn times_are_whole_ticks() {
        assert_eq!([0.0, 0.1, 1.0, 2.5].map(ticks), [Some(0), Some(6), Some(60), Some(150)]);
        assert_eq!([-1.0, f64::NAN, 1e12].map(ticks), [None; 3]);
        assert!((0..100_000).all(|tick| ticks(seconds(tick)) == Some(tick)));
    }

    #[test]
    fn invalid_motions_give_reasons() {
        let text = |error: MotionError| error.to_string();
        assert_eq!(text(Patrol::new(vec![], 1.0, false).unwrap_err()), "0 points, expected 1 to 65536");
        let far = Patrol::new(vec![at(0., 0.), at(f64::NAN, 0.)], 1.0, false).unwrap_err();
        assert_eq!(text(far), "point 1 is not finite or has a coordinate beyond 1e9");
        let back = Patrol::new(vec![at(0., 0.)], -1.0, false).unwrap_err();
        assert_eq!(text(back), "speed is -1.0, expected a number from 0 to 1e6");
        let frame = Keyframe { tick: 5, position: at(0., 0.), rotation: None };
        let twice = Keyframes::new(vec![frame, frame], true).unwrap_err();
        assert!(text(twice).starts_with("keyframe 1 is out of order"));
        let latest = |tick| Keyframes::new(vec![frame, Keyframe { tick, ..frame }], false).map(drop);
        assert_eq!((latest(LAST_TICK), latest(LAST_TICK + 1)), (Ok(()), Err(MotionError::Order(1))));
        assert_eq!(Switch::new(LAST_TICK + 1, true), Err(MotionError::Switch(LAST_TICK + 1)));
        assert_eq!(text(Turn::new(at(0., 0.), 1.0).unwrap_err()), "the axis 0, 0, 0 has no direction");
        assert_eq!(
            text(Switch::new(0, true).unwrap_err()),
            "a switch interval of 0 ticks, expected 1 to 4294967296"
        );
    }
}
