//! Solid obstacles, static or moving, in a world of cells: shapes, poses, and which cells a shape overlaps.
//!
//! A [`Voxeliser`] is created for one shape and one grid of cells. For any [`Pose`] it computes which cells the shape overlaps, as
//! runs along x. A [`DynamicWorld`](crate::world::dynamic::DynamicWorld) keeps a world of cells up to date with many moving shapes.
//!
//! ```
//! use surefoot::obstacle::{Pose, Shape, Voxeliser};
//! use surefoot::space::{Frame, Point};
//! let ball = Shape::sphere(1.5).unwrap();
//! let mut voxeliser = Voxeliser::new(&ball, Frame::default(), [8, 8, 8], 0.0).unwrap();
//! let mut cells = 0;
//! voxeliser.for_each_run(&Pose::at(Point::new(4.5, 4.5, 4.5)).unwrap(), &mut |_, _, xs| cells += xs.len());
//! assert_eq!(cells, 27);
//! ```
//!
//! # What overlapping means
//! A cell is overlapped if the shape and the cell penetrate each other by more than [`TOUCH`] cells, i.e. if separating them takes a
//! move of more than that distance in every direction. A box that ends where a cell begins therefore does not overlap it, regardless
//! of rounding. A plate without thickness overlaps the cells it cuts, unless it lies between them. A ball with a radius below
//! [`TOUCH`] overlaps nothing.
//!
//! # Inflation
//! A shape can be inflated by a distance `r`. Balls and capsules then overlap exactly the cells that are closer than `r` to them.
//! For solids with flat faces, the projection on each separating axis is extended by `r`: they overlap all cells that are closer
//! than `r`, and no cell farther than `r * sqrt 3`. (A point that is farther than `r` from *shape plus cell* but beyond none of its
//! faces by more than `r` lies at a corner. The normals of the faces that meet there lie in one octant, because the cell's own faces
//! are among them. The direction to the corner is therefore a sum of three of them with weights that add up to at most `sqrt 3`.)
//!
//! # Determinism
//! The computation uses only additions, multiplications, divisions and square roots, which every machine rounds alike. Angles are
//! converted to rotations by the library's own sine function.

mod angle;
pub(crate) mod coverage;
mod facets;
#[cfg(feature = "hulls")]
mod hull;
mod polyhedron;
mod pose;
mod round;
mod shape;
mod vector;

use std::ops::Range;

pub use polyhedron::{MAX_POINTS, Polyhedron};
pub use pose::{Pose, Rotation};
pub use shape::{Kind, LARGEST, Shape, ShapeError};

use crate::obstacle::facets::Facets;
use crate::obstacle::polyhedron::Solid;
use crate::obstacle::round::Round;
use crate::obstacle::vector::{minus, vector};
use crate::space::Frame;

/// The penetration depth above which a shape and a cell overlap, in cells.
pub const TOUCH: f64 = 1e-6;

/// Computes which cells a shape overlaps. Everything that does not depend on the position is kept from one call to the next, so
/// moving is cheaper than turning.
///
/// ```
/// use surefoot::obstacle::{Pose, Shape, Voxeliser};
/// use surefoot::space::{Frame, Point};
/// let shape = Shape::cuboid(Point::new(1.5, 1.0, 0.5)).unwrap();
/// let mut voxeliser = Voxeliser::new(&shape, Frame::default(), [8, 8, 8], 0.0).unwrap();
/// let pose = Pose::at(Point::new(2.5, 7.0, 4.5)).unwrap();
/// let mut runs = Vec::new();
/// voxeliser.for_each_run(&pose, &mut |y, z, xs| runs.push((y, z, xs)));
/// assert_eq!(runs, [(6, 4, 1..4), (7, 4, 1..4)]);
/// ```
#[derive(Clone, Debug)]
pub struct Voxeliser {
    body: Body,
    frame: Frame,
    size: [u32; 3],
}

#[derive(Clone, Debug)]
enum Body {
    Facets(Box<Facets>),
    Round(Round),
}

impl Voxeliser {
    /// Creates a voxeliser for a shape inflated by `inflation` world units, on `size` cells placed by `frame`.
    pub fn new(shape: &Shape, frame: Frame, size: [u32; 3], inflation: f64) -> Result<Voxeliser, ShapeError> {
        ShapeError::check_inflation(inflation)?;
        let scale = 1.0 / frame.cell_size();
        let inflation = inflation * scale;
        let facets = |solid: Solid| Body::Facets(Box::new(Facets::new(solid, scale, inflation)));
        let body = match shape.kind() {
            Kind::Cuboid { half } => facets(Solid::cuboid(*half)),
            Kind::Polyhedron(polyhedron) => facets(polyhedron.solid().clone()),
            Kind::Sphere { radius } => Body::Round(Round::new([[0.0; 3]; 2], *radius, scale, inflation)),
            Kind::Capsule { from, to, radius } => {
                Body::Round(Round::new([vector(*from), vector(*to)], *radius, scale, inflation))
            }
        };
        Ok(Voxeliser { body, frame, size })
    }

    /// Calls `visit` with y, z and a range of x for each row in which the shape overlaps cells. Layers are visited in order of z,
    /// and the rows of a layer in order of y.
    pub fn for_each_run(&mut self, pose: &Pose, visit: &mut impl FnMut(u32, u32, Range<u32>)) {
        let offset = minus(vector(pose.position()), vector(self.frame.origin()));
        let position = offset.map(|part| part / self.frame.cell_size());
        match &mut self.body {
            Body::Facets(facets) => facets.for_each_run(position, pose.rotation(), self.size, visit),
            Body::Round(round) => round.for_each_run(position, pose.rotation(), self.size, visit),
        }
    }
}

#[cfg(test)]
mod tests;
