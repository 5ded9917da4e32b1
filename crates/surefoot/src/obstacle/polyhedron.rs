//! Convex polyhedra, and the directions that decide whether two solids are apart.

use crate::obstacle::shape::ShapeError;
use crate::obstacle::vector::{Vector, cross, dot, minus, parallel, unit, vector};
use crate::space::Point;

/// The maximum number of corners of a polyhedron. Each row of cells costs a few operations per face and per edge.
pub const MAX_POINTS: usize = 1024;

/// How far a corner may lie outside of a face, as a share of the polyhedron's size: hulls are not exact.
const OUTSIDE: f64 = 1e-6;

/// A convex polyhedron, created by [`Shape::polyhedron`](super::Shape::polyhedron).
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    points: Vec<Point>,
    faces: Vec<Vec<u32>>,
    solid: Solid,
}

/// Corners, and the directions that separating axes are made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solid {
    /// The corners.
    pub corners: Vec<Vector>,
    /// The directions of faces, of parallel ones one.
    pub normals: Vec<Vector>,
    /// The directions of edges, of parallel ones one.
    pub edges: Vec<Vector>,
}

impl Polyhedron {
    /// A polyhedron from finite points.
    pub(super) fn new<F: AsRef<[u32]>>(points: &[Point], faces: &[F]) -> Result<Polyhedron, ShapeError> {
        if !(3..=MAX_POINTS).contains(&points.len()) {
            return Err(ShapeError::PointCount { found: points.len(), least: 3, most: MAX_POINTS });
        }
        if faces.is_empty() {
            return Err(ShapeError::Face(0));
        }
        let corners: Vec<Vector> = points.iter().copied().map(vector).collect();
        let size = size_of(&corners);
        let mut directions = Vec::new();
        let mut sides = Vec::new();
        for (index, face) in faces.iter().enumerate() {
            let face = face.as_ref();
            if !is_face(face, points.len()) {
                return Err(ShapeError::Face(index));
            }
            let area = area(&corners, face);
            let direction = unit(area, size * size * f64::EPSILON).ok_or(ShapeError::Thin(index))?;
            let reach =
                face.iter().map(|&point| dot(direction, corners[point as usize])).fold(f64::MAX, f64::min);
            let outside = |&corner: &Vector| dot(direction, corner) > reach + size * OUTSIDE;
            if let Some(point) = corners.iter().position(outside) {
                return Err(ShapeError::NotConvex { point, face: index });
            }
            directions.push(direction);
            let ends = face.iter().zip(face.iter().cycle().skip(1));
            sides.extend(ends.map(|(&from, &to)| Side { from, to, face: index }));
        }
        let solid =
            Solid { edges: edges(&corners, &directions, sides)?, normals: lines(directions), corners };
        let faces = faces.iter().map(|face| face.as_ref().to_vec()).collect();
        Ok(Polyhedron { points: points.to_vec(), faces, solid })
    }

    /// Returns the corners.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Returns the faces as lists of corner numbers, counter-clockwise as seen from outside.
    pub fn faces(&self) -> &[Vec<u32>] {
        &self.faces
    }

    pub(super) fn solid(&self) -> &Solid {
        &self.solid
    }
}

impl Solid {
    /// A box by half its size.
    pub fn cuboid(half: Point) -> Solid {
        let sign = |bit: u32, part: f64| if bit == 0 { -part } else { part };
        let corner = |n: u32| [sign(n & 1, half.x), sign(n & 2, half.y), sign(n & 4, half.z)];
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        Solid { corners: (0..8).map(corner).collect(), normals: axes.to_vec(), edges: axes.to_vec() }
    }
}

/// One side of an edge, as a face lists it.
struct Side {
    from: u32,
    to: u32,
    face: usize,
}

/// The longest side of the box around some points.
fn size_of(corners: &[Vector]) -> f64 {
    let extent = |axis: usize| {
        let (least, most) = corners.iter().fold((f64::MAX, f64::MIN), |(least, most), corner| {
            (least.min(corner[axis]), most.max(corner[axis]))
        });
        most - least
    };
    extent(0).max(extent(1)).max(extent(2))
}

fn is_face(face: &[u32], points: usize) -> bool {
    let mut sorted = face.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    face.len() >= 3
        && sorted.len() == face.len()
        && sorted.last().is_some_and(|&last| (last as usize) < points)
}

/// A vector as long as twice a face's area, at right angles to it.
fn area(corners: &[Vector], face: &[u32]) -> Vector {
    let at = |index: usize| minus(corners[face[index] as usize], corners[face[0] as usize]);
    (2..face.len()).fold([0.0; 3], |sum, index| {
        let part = cross(at(index - 1), at(index));
        [sum[0] + part[0], sum[1] + part[1], sum[2] + part[2]]
    })
}

/// The directions of the edges between faces that are not in one plane. Each edge must have a face on either side.
fn edges(corners: &[Vector], faces: &[Vector], mut sides: Vec<Side>) -> Result<Vec<Vector>, ShapeError> {
    let ends = |side: &Side| (side.from.min(side.to), side.from.max(side.to));
    sides.sort_unstable_by_key(|side| (ends(side), side.from));
    let mut directions = Vec::new();
    for both in sides.chunk_by(|one, other| ends(one) == ends(other)) {
        let [one, other] = both else { return Err(ShapeError::Edge { from: both[0].from, to: both[0].to }) };
        if one.from == other.from {
            return Err(ShapeError::Edge { from: one.from, to: one.to });
        }
        let along = minus(corners[one.to as usize], corners[one.from as usize]);
        let (one, other) = (faces[one.face], faces[other.face]);
        if !(parallel(one, other) && dot(one, other) > 0.0) {
            directions.extend(unit(along, 0.0));
        }
    }
    Ok(lines(directions))
}

/// Directions without those that are parallel to another.
fn lines(directions: Vec<Vector>) -> Vec<Vector> {
    let mut lines: Vec<Vector> = Vec::new();
    for direction in directions {
        if !lines.iter().any(|&line| parallel(line, direction)) {
            lines.push(direction);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_of_triangles_has_three_directions_of_each() {
        let points: Vec<Point> = Solid::cuboid(Point::new(1.0, 2.0, 3.0))
            .corners
            .iter()
            .map(|&[x, y, z]| Point { x, y, z })
            .collect();
        let quads: [[u32; 4]; 6] =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<[u32; 3]> =
            quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        for solid in
            [Polyhedron::new(&points, &quads).unwrap(), Polyhedron::new(&points, &triangles).unwrap()]
        {
            assert_eq!((solid.solid().normals.len(), solid.solid().edges.len()), (3, 3));
        }
    }

    #[test]
    fn a_sheet_has_the_edges_of_its_rim() {
        let points =
            [(0., 0., 0.), (4., 0., 0.), (4., 4., 0.), (0., 4., 0.)].map(|(x, y, z)| Point::new(x, y, z));
        let sheet = Polyhedron::new(&points, &[[0, 1, 2, 3], [0, 3, 2, 1]]).unwrap();
        assert_eq!((sheet.solid().normals.len(), sheet.solid().edges.len()), (1, 2));
    }
}
