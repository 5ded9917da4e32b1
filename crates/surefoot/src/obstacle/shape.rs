//! Shapes of obstacles: convex solids in local coordinates.

use thiserror::Error;

use crate::obstacle::polyhedron::Polyhedron;
use crate::space::Point;

/// The largest size of a shape, and the largest coordinate of its corners.
pub const LARGEST: f64 = 1e9;

/// The reason why a shape is invalid.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A size is out of range.
    #[error("{what} is {found:?}, expected a number from {least} to {LARGEST:e}")]
    Size {
        /// The name of the size.
        what: &'static str,
        /// The value found.
        found: f64,
        /// The smallest allowed value.
        least: f64,
    },
    /// A corner is not finite or is too far out.
    #[error("point {0} is not finite or has a coordinate beyond {LARGEST:e}")]
    Point(usize),
    /// There are too few or too many corners.
    #[error("{found} points, expected {least} to {most}")]
    PointCount {
        /// The number of corners found.
        found: usize,
        /// The minimum number of corners.
        least: usize,
        /// The maximum number of corners.
        most: usize,
    },
    /// A face is not a list of at least three different points of the polyhedron.
    #[error("face {0} is invalid: expected at least three different points, by number from 0")]
    Face(usize),
    /// All points of a face lie on a line.
    #[error("face {0} has no area")]
    Thin(usize),
    /// The faces leave a gap, more than two of them meet at an edge, or not all are listed counter-clockwise as seen from outside.
    #[error(
        "the edge from point {from} to point {to} is not shared by exactly two faces listed counter-clockwise from outside"
    )]
    Edge {
        /// One endpoint of the edge.
        from: u32,
        /// The other endpoint.
        to: u32,
    },
    /// A point lies outside a face.
    #[error("point {point} lies outside face {face}, expected a convex polyhedron")]
    NotConvex {
        /// The point.
        point: usize,
        /// The face.
        face: usize,
    },
    /// The points lie in a plane, or so close to one that no hull could be built.
    #[error("the points have no convex hull: {0}")]
    NoHull(String),
}

impl ShapeError {
    /// Checks by how much a shape is to be inflated.
    pub(crate) fn check_inflation(radius: f64) -> Result<(), ShapeError> {
        check("inflation", radius, 0.0)
    }
}

/// A convex solid in local coordinates. A [`Pose`](super::Pose) places it in the world.
///
/// ```
/// use surefoot::obstacle::{Kind, Shape};
/// use surefoot::space::Point;
/// let crate_of_oranges = Shape::cuboid(Point::new(0.5, 0.5, 0.4)).unwrap();
/// assert!(matches!(crate_of_oranges.kind(), Kind::Cuboid { .. }));
/// assert!(Shape::sphere(-1.0).is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    kind: Kind,
}

/// The kinds of shape.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// A box centred on the origin.
    Cuboid {
        /// Half the size along each axis.
        half: Point,
    },
    /// A ball centred on the origin.
    Sphere {
        /// The radius.
        radius: f64,
    },
    /// All points within a radius of a line segment.
    Capsule {
        /// One endpoint of the segment.
        from: Point,
        /// The other endpoint.
        to: Point,
        /// The distance from the segment to the surface.
        radius: f64,
    },
    /// A convex polyhedron.
    Polyhedron(Polyhedron),
}

impl Shape {
    /// Creates a box from half its size along each axis. A size may be 0: a plate covers the cells that it cuts.
    pub fn cuboid(half: Point) -> Result<Shape, ShapeError> {
        for (what, found) in [("half extent x", half.x), ("half extent y", half.y), ("half extent z", half.z)]
        {
            check(what, found, 0.0)?;
        }
        Ok(Shape { kind: Kind::Cuboid { half } })
    }

    /// Creates a ball.
    pub fn sphere(radius: f64) -> Result<Shape, ShapeError> {
        check("radius", radius, LEAST_RADIUS)?;
        Ok(Shape { kind: Kind::Sphere { radius } })
    }

    /// Creates a capsule: all points within `radius` of the line segment between two points.
    pub fn capsule(from: Point, to: Point, radius: f64) -> Result<Shape, ShapeError> {
        check("radius", radius, LEAST_RADIUS)?;
        check_points(&[from, to])?;
        Ok(Shape { kind: Kind::Capsule { from, to, radius } })
    }

    /// Creates a convex polyhedron from its corners and faces. A face lists the numbers of its corners, counter-clockwise as seen
    /// from outside in a right-handed coordinate system.
    ///
    /// ```
    /// use surefoot::obstacle::Shape;
    /// use surefoot::space::Point;
    /// let points = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.0)];
    /// let points = points.map(|(x, y, z)| Point::new(x, y, z));
    /// let faces: [&[u32]; 4] = [&[0, 2, 1], &[0, 1, 3], &[0, 3, 2], &[1, 2, 3]];
    /// assert!(Shape::polyhedron(&points, &faces).is_ok());
    /// assert!(Shape::polyhedron(&points, &faces[1..]).is_err(), "it has a hole");
    /// ```
    pub fn polyhedron<F: AsRef<[u32]>>(points: &[Point], faces: &[F]) -> Result<Shape, ShapeError> {
        check_points(points)?;
        Ok(Shape { kind: Kind::Polyhedron(Polyhedron::new(points, faces)?) })
    }

    /// Returns the kind of the shape.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }
}

/// Smaller radii are rejected as mistakes.
const LEAST_RADIUS: f64 = 1e-9;

fn check(what: &'static str, found: f64, least: f64) -> Result<(), ShapeError> {
    if (least..=LARGEST).contains(&found) { Ok(()) } else { Err(ShapeError::Size { what, found, least }) }
}

/// Checks that points are finite and not too far out.
pub(super) fn check_points(points: &[Point]) -> Result<(), ShapeError> {
    let near = |point: &Point| [point.x, point.y, point.z].iter().all(|part| part.abs() <= LARGEST);
    points.iter().position(|point| !near(point)).map_or(Ok(()), |index| Err(ShapeError::Point(index)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(shape: Result<Shape, ShapeError>) -> String {
        shape.unwrap_err().to_string()
    }

    #[test]
    fn sizes_are_checked() {
        let nothing = Point::default();
        assert!(Shape::cuboid(nothing).is_ok());
        assert_eq!(
            message(Shape::cuboid(Point::new(1.0, -2.0, 1.0))),
            "half extent y is -2.0, expected a number from 0 to 1e9"
        );
        assert!(message(Shape::sphere(0.0)).starts_with("radius is 0.0, expected a number from 0.000000001"));
        assert!(message(Shape::sphere(f64::NAN)).starts_with("radius is NaN"));
        assert!(
            message(Shape::capsule(nothing, Point::new(0.0, f64::INFINITY, 0.0), 1.0)).starts_with("point 1")
        );
    }

    #[test]
    fn polyhedra_are_checked() {
        let points = [(0., 0., 0.), (4., 0., 0.), (0., 4., 0.), (0., 0., 4.), (1., 1., 1.)];
        let points = points.map(|(x, y, z)| Point::new(x, y, z));
        let of = |points: &[Point], faces: &[&[u32]]| message(Shape::polyhedron(points, faces));
        let faces: [&[u32]; 4] = [&[0, 2, 1], &[0, 1, 3], &[0, 3, 2], &[1, 2, 3]];
        assert!(Shape::polyhedron(&points, &faces).is_ok(), "a point inside does no harm");
        assert_eq!(of(&points[..2], &faces), "2 points, expected 3 to 1024");
        assert!(of(&points[..3], &faces).starts_with("face 1 is invalid"));
        assert!(of(&points, &[&[0, 2, 0]]).starts_with("face 0 is invalid"));
        assert_eq!(of(&[points[0], points[1], points[1]], &[&[0, 1, 2]]), "face 0 has no area");
        assert!(
            of(&points, &[faces[0], faces[1], faces[2]])
                .starts_with("the edge from point 2 to point 1 is not shared")
        );
        let inside_out: Vec<Vec<u32>> =
            faces.iter().map(|face| face.iter().rev().copied().collect()).collect();
        assert!(message(Shape::polyhedron(&points, &inside_out)).contains("lies outside face 0"));
        let bent = [(0., 0., 0.), (4., 0., 0.), (4., 4., 1.), (0., 4., 0.)];
        let bent = bent.map(|(x, y, z)| Point::new(x, y, z));
        let sheet: [&[u32]; 2] = [&[0, 1, 2, 3], &[0, 3, 2, 1]];
        assert!(of(&bent, &sheet).contains("expected a convex polyhedron"), "a face is flat");
        assert!(
            of(&bent[..2].iter().chain(&bent[3..]).copied().collect::<Vec<_>>(), &[&[0, 1, 2], &[0, 1, 2]])
                .starts_with("the edge")
        );
        // The corner at 1,1,1 is pushed in, not out.
        let dented: [&[u32]; 6] = [&[0, 2, 1], &[0, 1, 3], &[0, 3, 2], &[1, 2, 4], &[2, 3, 4], &[3, 1, 4]];
        assert!(of(&points, &dented).contains("expected a convex polyhedron"));
    }
}
