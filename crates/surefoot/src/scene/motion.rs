//! How things move, as a function of time.
//!
//! Time is counted in ticks, whole sixtieths of a second, and every position is computed from the tick alone: nothing is added up, so
//! nothing drifts, and any moment can be asked for.

use thiserror::Error;

use crate::obstacle::{Pose, Rotation};
use crate::space::Point;

/// Ticks in a second.
pub const TICKS_PER_SECOND: u32 = 60;

/// The last tick that a keyframe or a switch may name: after a year and a half.
pub const LAST_TICK: u64 = 1 << 32;

/// The greatest speed, in world units or degrees a second.
pub const FASTEST: f64 = 1e6;

/// The most points of a patrol, and the most keyframes.
pub const MAX_STOPS: usize = 1 << 16;

/// Why something is not a motion.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MotionError {
    /// Nowhere to go, or too many places.
    #[error("{found} {what}, expected {least} to {MAX_STOPS}")]
    Stops {
        /// Points or keyframes.
        what: &'static str,
        /// How many.
        found: usize,
        /// The fewest.
        least: usize,
    },
    /// A place that is not finite or too far out.
    #[error("{what} {index} is not finite or has a coordinate beyond {:e}", Pose::FARTHEST)]
    Place {
        /// Point or keyframe.
        what: &'static str,
        /// Which.
        index: usize,
    },
    /// A speed out of range.
    #[error("{what} is {found:?}, expected a number from {least} to {FASTEST:e}")]
    Speed {
        /// Which speed.
        what: &'static str,
        /// The number.
        found: f64,
        /// The least allowed.
        least: f64,
    },
    /// Keyframes that are not in order, two at one time, or one after [`LAST_TICK`].
    #[error("keyframe {0} is not later than the one before it, or later than tick {LAST_TICK}")]
    Order(usize),
    /// An axis without a direction.
    #[error("the axis {}, {}, {} has no direction", .0.x, .0.y, .0.z)]
    Axis(Point),
    /// A time between switches that is no time, or longer than [`LAST_TICK`].
    #[error("a switch every {0} ticks, expected 1 to {LAST_TICK}")]
    Switch(u64),
}

/// The nearest tick to a time in seconds; `None` if it is negative, after [`LAST_TICK`], or no number.
pub fn ticks(seconds: f64) -> Option<u64> {
    let ticks = (seconds * f64::from(TICKS_PER_SECOND)).round();
    (0.0..=LAST_TICK as f64).contains(&ticks).then_some(ticks as u64)
}

/// A tick in seconds.
pub fn seconds(tick: u64) -> f64 {
    tick as f64 / f64::from(TICKS_PER_SECOND)
}

/// How something gets from place to place.
#[derive(Clone, Debug, PartialEq)]
pub enum Travel {
    /// Between points, at one speed.
    Patrol(Patrol),
    /// Given places at given times.
    Keyframes(Keyframes),
}

impl Travel {
    /// Position and rotation at a tick, for something that starts in a pose.
    pub fn pose_at(&self, home: Pose, tick: u64) -> Pose {
        match self {
            Travel::Patrol(patrol) => {
                Pose::new(patrol.position_at(home.position(), tick), home.rotation()).unwrap_or(home)
            }
            Travel::Keyframes(keyframes) => keyframes.pose_at(home, tick),
        }
    }
}

/// From home to the first point, and then from point to point: to the last and back again, or to the first after the last.
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
    /// How far each point is from the first one along the way; with `circle`, then the whole way round.
    along: Vec<f64>,
}

impl Patrol {
    /// A patrol with a speed in world units a second.
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

    /// Where it leads.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// World units a second.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Whether it goes from the last point to the first, instead of back the way it came.
    pub fn circle(&self) -> bool {
        self.circle
    }

    /// Where someone is who started at `home`.
    pub fn position_at(&self, home: Point, tick: u64) -> Point {
        let gone = self.speed * tick as f64 / f64::from(TICKS_PER_SECOND);
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

/// A pose at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// When.
    pub tick: u64,
    /// Where.
    pub position: Point,
    /// How turned; as at home if `None`.
    pub rotation: Option<Rotation>,
}

/// Poses at times: straight lines between positions, and the short way between rotations.
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
    /// Keyframes in order of time. Before the first and after the last one it stays there, or with `repeat` begins anew at tick 0.
    pub fn new(frames: Vec<Keyframe>, repeat: bool) -> Result<Keyframes, MotionError> {
        check_stops("keyframes", frames.len())?;
        if let Some(index) = frames.iter().position(|frame| Pose::at(frame.position).is_none()) {
            return Err(MotionError::Place { what: "keyframe", index });
        }
        let late = (1..frames.len()).find(|&index| frames[index].tick <= frames[index - 1].tick);
        let late = late.or((frames[frames.len() - 1].tick > LAST_TICK).then_some(frames.len() - 1));
        late.map_or(Ok(Keyframes { frames, repeat }), |index| Err(MotionError::Order(index)))
    }

    /// The keyframes.
    pub fn frames(&self) -> &[Keyframe] {
        &self.frames
    }

    /// Whether they begin anew after the last one.
    pub fn repeat(&self) -> bool {
        self.repeat
    }

    /// The pose at a tick.
    pub fn pose_at(&self, home: Pose, tick: u64) -> Pose {
        let last = self.frames[self.frames.len() - 1].tick;
        let tick = if self.repeat && last > 0 { tick % last } else { tick };
        let next = self.frames.partition_point(|frame| frame.tick <= tick);
        let rotation = |frame: &Keyframe| frame.rotation.unwrap_or(home.rotation());
        let before = &self.frames[next.saturating_sub(1)];
        let (position, turned) = match self.frames.get(next) {
            Some(after) if next > 0 => {
                let share = (tick - before.tick) as f64 / (after.tick - before.tick) as f64;
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

/// Turns evenly about an axis through its position, in world directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    axis: Point,
    degrees_per_second: f64,
}

impl Turn {
    /// A turn; with z for an axis it goes from x towards y.
    pub fn new(axis: Point, degrees_per_second: f64) -> Result<Turn, MotionError> {
        check_speed("degrees a second", degrees_per_second, -FASTEST)?;
        Rotation::about(axis, 0.0).ok_or(MotionError::Axis(axis))?;
        Ok(Turn { axis, degrees_per_second })
    }

    /// The axis, of any length.
    pub fn axis(&self) -> Point {
        self.axis
    }

    /// How fast.
    pub fn degrees_per_second(&self) -> f64 {
        self.degrees_per_second
    }

    /// How far it has turned.
    pub fn rotation_at(&self, tick: u64) -> Rotation {
        let degrees = self.degrees_per_second * tick as f64 / f64::from(TICKS_PER_SECOND);
        Rotation::about(self.axis, degrees).unwrap_or(Rotation::NONE)
    }
}

/// Comes and goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    every: u64,
    on: bool,
}

impl Switch {
    /// Switches every so many ticks; `on` says whether it begins there.
    pub fn new(every: u64, on: bool) -> Result<Switch, MotionError> {
        if (1..=LAST_TICK).contains(&every) {
            Ok(Switch { every, on })
        } else {
            Err(MotionError::Switch(every))
        }
    }

    /// Ticks from one switch to the next.
    pub fn every(&self) -> u64 {
        self.every
    }

    /// Whether it is there at a tick.
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
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// In a tick nobody gets farther than the speed allows, and all points are reached.
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
    }

    #[test]
    fn times_are_whole_ticks() {
        assert_eq!([0.0, 0.1, 1.0, 2.5].map(ticks), [Some(0), Some(6), Some(60), Some(150)]);
        assert_eq!([-1.0, f64::NAN, 1e12].map(ticks), [None; 3]);
        assert!((0..100_000).all(|tick| ticks(seconds(tick)) == Some(tick)));
    }

    #[test]
    fn what_is_no_motion_says_why() {
        let text = |error: MotionError| error.to_string();
        assert_eq!(text(Patrol::new(vec![], 1.0, false).unwrap_err()), "0 points, expected 1 to 65536");
        let far = Patrol::new(vec![at(0., 0.), at(f64::NAN, 0.)], 1.0, false).unwrap_err();
        assert_eq!(text(far), "point 1 is not finite or has a coordinate beyond 1e9");
        let back = Patrol::new(vec![at(0., 0.)], -1.0, false).unwrap_err();
        assert_eq!(text(back), "speed is -1.0, expected a number from 0 to 1e6");
        let frame = Keyframe { tick: 5, position: at(0., 0.), rotation: None };
        let twice = Keyframes::new(vec![frame, frame], true).unwrap_err();
        assert!(text(twice).starts_with("keyframe 1 is not later than the one before it"));
        let latest = |tick| Keyframes::new(vec![frame, Keyframe { tick, ..frame }], false).map(drop);
        assert_eq!((latest(LAST_TICK), latest(LAST_TICK + 1)), (Ok(()), Err(MotionError::Order(1))));
        assert_eq!(Switch::new(LAST_TICK + 1, true), Err(MotionError::Switch(LAST_TICK + 1)));
        assert_eq!(text(Turn::new(at(0., 0.), 1.0).unwrap_err()), "the axis 0, 0, 0 has no direction");
        assert_eq!(
            text(Switch::new(0, true).unwrap_err()),
            "a switch every 0 ticks, expected 1 to 4294967296"
        );
    }
}
