//! What obstacles look like: convex solids around a place of their own.

use thiserror::Error;

use crate::obstacle::polyhedron::Polyhedron;
use crate::space::Point;

/// The largest size of a shape, and the largest coordinate of its corners.
pub const LARGEST: f64 = 1e9;

/// Why something is not a shape.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A size that no solid has.
    #[error("{what} is {found:?}, expected a number from {least} to {LARGEST:e}")]
    Size {
        /// Which number.
        what: &'static str,
        /// The number.
        found: f64,
        /// The least allowed.
        least: f64,
    },
    /// A corner that is not finite or too far out.
    #[error("point {0} is not finite or has a coordinate beyond {LARGEST:e}")]
    Point(usize),
    /// Too few or too many corners.
    #[error("{found} points, expected {least} to {most}")]
    PointCount {
        /// How many there are.
        found: usize,
        /// The fewest allowed.
        least: usize,
        /// The most allowed.
        most: usize,
    },
    /// A face that is not a list of at least three different points of the polyhedron.
    #[error("face {0} is not a list of at least three different points, by their number from 0")]
    Face(usize),
    /// A face whose points lie on a line.
    #[error("face {0} has no area")]
    Thin(usize),
    /// The faces leave a gap, or meet three at an edge, or are not all seen counter-clockwise from outside.
    #[error(
        "the edge from point {from} to point {to} does not lie between two faces that agree on which side is out"
    )]
    Edge {
        /// One end.
        from: u32,
        /// The other.
        to: u32,
    },
    /// A point outside a face.
    #[error("point {point} lies outside face {face}, expected a convex polyhedron")]
    NotConvex {
        /// The point.
        point: usize,
        /// The face.
        face: usize,
    },
    /// Points that lie in a plane, or so close to one that no hull could be made.
    #[error("no hull around these points: {0}")]
    NoHull(String),
}

impl ShapeError {
    /// Checks by how much a shape is to be inflated.
    pub(crate) fn check_inflation(radius: f64) -> Result<(), ShapeError> {
        check("inflation", radius, 0.0)
    }
}

/// A convex solid, in coordinates of its own that a [`Pose`](super::Pose) carries into the world.
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

/// The kinds of shapes.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A box, its middle at the origin.
    Cuboid {
        /// Half its size along each axis.
        half: Point,
    },
    /// A ball, its middle at the origin.
    Sphere {
        /// From the middle to the surface.
        radius: f64,
    },
    /// All that is within a radius of a line.
    Capsule {
        /// One end of the line.
        from: Point,
        /// The other end.
        to: Point,
        /// From the line to the surface.
        radius: f64,
    },
    /// Flat faces.
    Polyhedron(Polyhedron),
}

impl Shape {
    /// A box by half its size along each axis. A size may be 0: a plate covers the cells that it cuts.
    pub fn cuboid(half: Point) -> Result<Shape, ShapeError> {
        for (what, found) in [("half extent x", half.x), ("half extent y", half.y), ("half extent z", half.z)]
        {
            check(what, found, 0.0)?;
        }
        Ok(Shape { kind: Kind::Cuboid { half } })
    }

    /// A ball.
    pub fn sphere(radius: f64) -> Result<Shape, ShapeError> {
        check("radius", radius, LEAST_RADIUS)?;
        Ok(Shape { kind: Kind::Sphere { radius } })
    }

    /// All that is within `radius` of the line between two points.
    pub fn capsule(from: Point, to: Point, radius: f64) -> Result<Shape, ShapeError> {
        check("radius", radius, LEAST_RADIUS)?;
        check_points(&[from, to])?;
        Ok(Shape { kind: Kind::Capsule { from, to, radius } })
    }

    /// A convex polyhedron by its corners and faces. A face lists its corners by number, counter-clockwise for whoever looks at
    /// it from outside (in a world where x, y and z are thumb, index and middle finger of the right hand).
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

    /// What it is.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }
}

/// Balls smaller than this are mistakes.
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
        assert!(of(&points[..3], &faces).starts_with("face 1 is not a list"));
        assert!(of(&points, &[&[0, 2, 0]]).starts_with("face 0 is not a list"));
        assert_eq!(of(&[points[0], points[1], points[1]], &[&[0, 1, 2]]), "face 0 has no area");
        assert!(
            of(&points, &[faces[0], faces[1], faces[2]]).starts_with("the edge from point 2 to point 1 does")
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
