//! Vectors of the plane. Only operations that every machine rounds identically: + - * / and the square root.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A vector or a place, in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Vec2 {
    pub x: f64,
    pub y: f64,
}

impl Vec2 {
    pub const ZERO: Vec2 = Vec2 { x: 0.0, y: 0.0 };

    #[inline]
    pub const fn new(x: f64, y: f64) -> Vec2 {
        Vec2 { x, y }
    }

    #[inline]
    pub fn dot(self, other: Vec2) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Positive if `other` lies clockwise on a map, whose y points down.
    #[inline]
    pub fn cross(self, other: Vec2) -> f64 {
        self.x * other.y - self.y * other.x
    }

    #[inline]
    pub fn square(self) -> f64 {
        self.dot(self)
    }

    #[inline]
    pub fn length(self) -> f64 {
        self.square().sqrt()
    }

    /// The vector turned by a right angle.
    #[inline]
    pub fn turned(self) -> Vec2 {
        Vec2::new(-self.y, self.x)
    }

    /// The same direction with length 1; nothing for the shortest vectors.
    #[inline]
    pub fn direction(self) -> Option<Vec2> {
        let length = self.length();
        (length > 1e-12).then(|| self * (1.0 / length))
    }

    /// The vector, shortened to a length if it is longer.
    #[inline]
    pub fn at_most(self, length: f64) -> Vec2 {
        let square = self.square();
        if square <= length * length { self } else { self * (length / square.sqrt()) }
    }
}

impl Add for Vec2 {
    type Output = Vec2;

    #[inline]
    fn add(self, other: Vec2) -> Vec2 {
        Vec2::new(self.x + other.x, self.y + other.y)
    }
}

impl AddAssign for Vec2 {
    #[inline]
    fn add_assign(&mut self, other: Vec2) {
        *self = *self + other;
    }
}

impl Sub for Vec2 {
    type Output = Vec2;

    #[inline]
    fn sub(self, other: Vec2) -> Vec2 {
        Vec2::new(self.x - other.x, self.y - other.y)
    }
}

impl SubAssign for Vec2 {
    #[inline]
    fn sub_assign(&mut self, other: Vec2) {
        *self = *self - other;
    }
}

impl Mul<f64> for Vec2 {
    type Output = Vec2;

    #[inline]
    fn mul(self, factor: f64) -> Vec2 {
        Vec2::new(self.x * factor, self.y * factor)
    }
}

impl Neg for Vec2 {
    type Output = Vec2;

    #[inline]
    fn neg(self) -> Vec2 {
        Vec2::new(-self.x, -self.y)
    }
}
