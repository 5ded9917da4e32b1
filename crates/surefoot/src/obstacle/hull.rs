//! Convex hulls of points, computed by the crate parry3d.

use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;

use crate::obstacle::shape::{ShapeError, check_points};
use crate::obstacle::{MAX_POINTS, Shape};
use crate::space::Point;

/// The most points that a hull is made around.
const MAX_INSIDE: usize = 1 << 16;

impl Shape {
    /// Creates the convex hull of some points, such as a point cloud or the corners of a mesh. Requires the feature `hulls`.
    ///
    /// ```
    /// use surefoot::obstacle::{Kind, Shape};
    /// use surefoot::space::Point;
    /// let points = [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0), (0.0, 0.0, 4.0), (0.5, 0.5, 0.5)];
    /// let hull = Shape::hull(&points.map(|(x, y, z)| Point::new(x, y, z))).unwrap();
    /// let Kind::Polyhedron(polyhedron) = hull.kind() else { unreachable!() };
    /// assert_eq!((polyhedron.points().len(), polyhedron.faces().len()), (4, 4)); // the last one is inside
    /// ```
    pub fn hull(points: &[Point]) -> Result<Shape, ShapeError> {
        if !(4..=MAX_INSIDE).contains(&points.len()) {
            return Err(ShapeError::PointCount { found: points.len(), least: 4, most: MAX_INSIDE });
        }
        check_points(points)?;
        let cloud: Vec<Vector> = points.iter().map(|&Point { x, y, z }| Vector::new(x, y, z)).collect();
        let (corners, faces) =
            try_convex_hull(&cloud).map_err(|error| ShapeError::NoHull(error.to_string()))?;
        if corners.len() > MAX_POINTS {
            return Err(ShapeError::PointCount { found: corners.len(), least: 4, most: MAX_POINTS });
        }
        let corners: Vec<Point> =
            corners.iter().map(|corner| Point::new(corner.x, corner.y, corner.z)).collect();
        // Of points close to a plane it makes hulls that leave some of them out.
        Shape::polyhedron(&corners, &faces).map_err(|error| ShapeError::NoHull(error.to_string()))
    }
}
