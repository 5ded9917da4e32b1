//! Cells, voxels and points from and to the vectors of `glam`.
//!
//! Coordinates keep their order, so x is right, y down and z up on both sides: a game whose y points up swaps or negates them itself.
//! A vector without z becomes a point of a flat world. A point loses its z in a flat vector and is rounded to the nearest `f32` in a
//! vector of those.

use glam::{DVec2, DVec3, IVec2, IVec3, Vec2, Vec3};

use crate::core::space::{Cell, Point, Voxel};

impl From<IVec2> for Cell {
    fn from(IVec2 { x, y }: IVec2) -> Cell {
        Cell { x, y }
    }
}

impl From<Cell> for IVec2 {
    fn from(Cell { x, y }: Cell) -> IVec2 {
        IVec2 { x, y }
    }
}

impl From<IVec3> for Voxel {
    fn from(IVec3 { x, y, z }: IVec3) -> Voxel {
        Voxel { x, y, z }
    }
}

impl From<Voxel> for IVec3 {
    fn from(Voxel { x, y, z }: Voxel) -> IVec3 {
        IVec3 { x, y, z }
    }
}

impl From<Vec2> for Point {
    fn from(at: Vec2) -> Point {
        Point::flat(at.x.into(), at.y.into())
    }
}

impl From<Vec3> for Point {
    fn from(at: Vec3) -> Point {
        Point::new(at.x.into(), at.y.into(), at.z.into())
    }
}

impl From<DVec2> for Point {
    fn from(at: DVec2) -> Point {
        Point::flat(at.x, at.y)
    }
}

impl From<DVec3> for Point {
    fn from(at: DVec3) -> Point {
        Point::new(at.x, at.y, at.z)
    }
}

/// Drops z and rounds to the nearest `f32`.
impl From<Point> for Vec2 {
    fn from(Point { x, y, .. }: Point) -> Vec2 {
        Vec2::new(x as f32, y as f32)
    }
}

/// Rounds to the nearest `f32`.
impl From<Point> for Vec3 {
    fn from(Point { x, y, z }: Point) -> Vec3 {
        Vec3::new(x as f32, y as f32, z as f32)
    }
}

/// Drops z.
impl From<Point> for DVec2 {
    fn from(Point { x, y, .. }: Point) -> DVec2 {
        DVec2::new(x, y)
    }
}

impl From<Point> for DVec3 {
    fn from(Point { x, y, z }: Point) -> DVec3 {
        DVec3::new(x, y, z)
    }
}
