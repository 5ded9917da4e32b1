//! Cells, voxels and points from and to the points and vectors of `mint`, which most mathematics crates understand.
//!
//! Coordinates keep their order. Something flat becomes a point with z = 0. A point loses its z in something flat and is rounded to
//! the nearest `f32` in something of those.

use mint::{IntoMint, Point2, Point3, Vector2, Vector3};

use crate::core::space::{Cell, Point, Voxel};

/// Converts between whole coordinates, both ways.
macro_rules! whole {
    ($place:ident, $mint:ident, $($axis:ident),+) => {
        impl From<$mint<i32>> for $place {
            fn from($mint { $($axis),+ }: $mint<i32>) -> $place {
                $place { $($axis),+ }
            }
        }

        impl From<$place> for $mint<i32> {
            fn from($place { $($axis),+ }: $place) -> $mint<i32> {
                $mint { $($axis),+ }
            }
        }
    };
}

whole!(Cell, Point2, x, y);
whole!(Cell, Vector2, x, y);
whole!(Voxel, Point3, x, y, z);
whole!(Voxel, Vector3, x, y, z);

/// Converts between coordinates of one type of number, both ways.
macro_rules! fractional {
    ($number:ty: $($flat:ident),+; $($solid:ident),+) => {
        $(
            impl From<$flat<$number>> for Point {
                fn from($flat { x, y }: $flat<$number>) -> Point {
                    Point::flat(x.into(), y.into())
                }
            }

            /// Drops z.
            impl From<Point> for $flat<$number> {
                fn from(Point { x, y, .. }: Point) -> $flat<$number> {
                    $flat { x: x as $number, y: y as $number }
                }
            }
        )+
        $(
            impl From<$solid<$number>> for Point {
                fn from($solid { x, y, z }: $solid<$number>) -> Point {
                    Point { x: x.into(), y: y.into(), z: z.into() }
                }
            }

            impl From<Point> for $solid<$number> {
                fn from(Point { x, y, z }: Point) -> $solid<$number> {
                    $solid { x: x as $number, y: y as $number, z: z as $number }
                }
            }
        )+
    };
}

fractional!(f32: Point2, Vector2; Point3, Vector3);
fractional!(f64: Point2, Vector2; Point3, Vector3);

impl IntoMint for Cell {
    type MintType = Point2<i32>;
}

impl IntoMint for Voxel {
    type MintType = Point3<i32>;
}

impl IntoMint for Point {
    type MintType = Point3<f64>;
}
