//! The little vector arithmetic that obstacles need.

use crate::space::Point;

/// Three numbers: a place or a direction.
pub(super) type Vector = [f64; 3];

pub(super) fn vector(Point { x, y, z }: Point) -> Vector {
    [x, y, z]
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The direction of a vector, unless it is hardly longer than `least`.
pub(super) fn unit(a: Vector, least: f64) -> Option<Vector> {
    let length = dot(a, a).sqrt();
    let scale = 1.0 / length;
    (length > least).then(|| a.map(|part| part * scale))
}

/// Directions that differ by less than this (in radians) are one: over a thousand cells that makes a ten millionth of a cell.
pub(super) const SAME_DIRECTION: f64 = 1e-10;

/// Whether two unit vectors lie on one line.
pub(super) fn parallel(a: Vector, b: Vector) -> bool {
    let across = cross(a, b);
    dot(across, across) < SAME_DIRECTION * SAME_DIRECTION
}
