//! Positions and rotations of obstacles.

use crate::obstacle::angle::sin_cos;
use crate::obstacle::vector::{Vector, dot, vector};
use crate::space::Point;

/// A rotation, as a unit quaternion.
///
/// ```
/// use surefoot::obstacle::Rotation;
/// use surefoot::space::Point;
/// let quarter = Rotation::about(Point::new(0.0, 0.0, 1.0), 90.0).unwrap();
/// let turned = quarter.turn(Point::new(2.0, 0.0, 5.0));
/// assert!(turned.distance(Point::new(0.0, 2.0, 5.0)) < 1e-15); // from x towards y
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    x: f64,
    y: f64,
    z: f64,
    w: f64,
}

impl Rotation {
    /// The identity rotation.
    pub const NONE: Rotation = Rotation { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };

    /// Creates a rotation from the components of a quaternion, which is normalised (`w` is the cosine of half the angle). `None` if
    /// the components are all zero, not finite, or so far from 1 that their length cannot be computed.
    pub fn new(x: f64, y: f64, z: f64, w: f64) -> Option<Rotation> {
        let square = x * x + y * y + z * z + w * w;
        if !(1e-12..=1e12).contains(&square) {
            return None;
        }
        // Numbers that were written by us are left as they are.
        let length = if (square - 1.0).abs() < 4.0 * f64::EPSILON { 1.0 } else { square.sqrt() };
        Some(Rotation { x: x / length, y: y / length, z: z / length, w: w / length })
    }

    /// Creates a rotation about an axis. About z, it turns from x towards y. `None` if the axis has no length or a number is not
    /// finite.
    pub fn about(axis: Point, degrees: f64) -> Option<Rotation> {
        let length = axis.distance(Point::default());
        if !degrees.is_finite() || !(1e-6..=1e6).contains(&length) {
            return None;
        }
        let (sine, cosine) = sin_cos(degrees / 2.0);
        let scale = sine / length;
        Rotation::new(axis.x * scale, axis.y * scale, axis.z * scale, cosine)
    }

    /// Returns the components of the quaternion: x, y, z, w.
    pub fn numbers(self) -> [f64; 4] {
        [self.x, self.y, self.z, self.w]
    }

    /// Returns the rotation that applies this one first and then `next`.
    #[must_use]
    pub fn then(self, next: Rotation) -> Rotation {
        let (a, b) = (next, self);
        let product = Rotation {
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        };
        Rotation::new(product.x, product.y, product.z, product.w).unwrap_or(Rotation::NONE)
    }

    /// Interpolates towards another rotation by the fraction `t`, along the shorter arc. The angular speed is not quite constant,
    /// because the quaternions are interpolated linearly.
    #[must_use]
    pub fn toward(self, other: Rotation, t: f64) -> Rotation {
        let cosine = self.x * other.x + self.y * other.y + self.z * other.z + self.w * other.w;
        let (here, there) = (1.0 - t, if cosine < 0.0 { -t } else { t });
        let mix = |a: f64, b: f64| a * here + b * there;
        Rotation::new(mix(self.x, other.x), mix(self.y, other.y), mix(self.z, other.z), mix(self.w, other.w))
            .unwrap_or(self)
    }

    /// Rotates a point about the origin.
    #[must_use]
    pub fn turn(self, point: Point) -> Point {
        let [x, y, z] = self.matrix().map(|row| dot(row, vector(point)));
        Point { x, y, z }
    }

    /// The rows of the matrix.
    pub(super) fn matrix(self) -> [Vector; 3] {
        let Rotation { x, y, z, w } = self;
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
            [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
            [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
        ]
    }
}

impl Default for Rotation {
    fn default() -> Rotation {
        Rotation::NONE
    }
}

/// The position of an object and its rotation about that position.
///
/// ```
/// use surefoot::obstacle::{Pose, Rotation};
/// use surefoot::space::Point;
/// assert_eq!(Pose::at(Point::new(1.0, 2.0, 3.0)), Pose::new(Point::new(1.0, 2.0, 3.0), Rotation::NONE));
/// assert_eq!(Pose::at(Point::new(f64::NAN, 0.0, 0.0)), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Pose {
    position: Point,
    rotation: Rotation,
}

impl Pose {
    /// The largest coordinate of a position.
    pub const FARTHEST: f64 = 1e9;

    /// Creates a pose. `None` if the position is not finite or is farther out than [`FARTHEST`](Pose::FARTHEST).
    pub fn new(position: Point, rotation: Rotation) -> Option<Pose> {
        let near = |coordinate: f64| coordinate.abs() <= Pose::FARTHEST;
        (near(position.x) && near(position.y) && near(position.z)).then_some(Pose { position, rotation })
    }

    /// Creates a pose without rotation.
    pub fn at(position: Point) -> Option<Pose> {
        Pose::new(position, Rotation::NONE)
    }

    /// Returns the position, which is the origin of the local coordinates of a shape.
    pub fn position(&self) -> Point {
        self.position
    }

    /// Returns the rotation about the position.
    pub fn rotation(&self) -> Rotation {
        self.rotation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_add_up() {
        let (x, z) = (Point::new(1.0, 0.0, 0.0), Point::new(0.0, 0.0, 1.0));
        let (first, next) = (Rotation::about(z, 90.0).unwrap(), Rotation::about(x, 90.0).unwrap());
        // x goes to y, and y to z.
        let turned = first.then(next).turn(x);
        assert!(turned.distance(z) < 1e-15, "{turned:?}");
        let third = Rotation::about(z, 30.0).unwrap();
        let all = third.then(third).then(third);
        assert!(all.turn(x).distance(first.turn(x)) < 1e-15);
    }

    #[test]
    fn halfway_is_half_the_angle_the_short_way() {
        let z = Point::new(0.0, 0.0, 2.0);
        let there = Rotation::about(z, 300.0).unwrap();
        let half = Rotation::NONE.toward(there, 0.5).turn(Point::new(1.0, 0.0, 0.0));
        let expected = Rotation::about(z, -30.0).unwrap().turn(Point::new(1.0, 0.0, 0.0));
        assert!(half.distance(expected) < 1e-15, "{half:?}");
    }

    #[test]
    fn what_is_no_rotation_is_refused() {
        assert_eq!(Rotation::new(0.0, 0.0, 0.0, 0.0), None);
        assert_eq!(Rotation::new(f64::NAN, 0.0, 0.0, 1.0), None);
        assert_eq!(Rotation::about(Point::default(), 10.0), None);
        assert_eq!(Rotation::about(Point::flat(1.0, 0.0), f64::INFINITY), None);
        assert_eq!(Pose::at(Point::new(0.0, 2e9, 0.0)), None);
    }
}
