//! Runs of cells against one test for each cell, and against parry3d.

use std::collections::BTreeSet;

use parry3d_f64::math::{Pose as ParryPose, Rotation as ParryRotation, Vector as ParryVector};
use parry3d_f64::query;
use parry3d_f64::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, SharedShape};
use parry3d_f64::transformation::try_convex_hull;
use proptest::prelude::*;

use super::vector::{Vector, cross, dot};
use super::*;
use crate::space::Point;

const SIZE: [u32; 3] = [13, 11, 9];

/// Cells closer than this to the border between overlapping and not are not compared with the test for each cell.
const ROUNDING: f64 = 1e-9;

fn cells_of(voxeliser: &mut Voxeliser, pose: &Pose) -> BTreeSet<[u32; 3]> {
    let mut cells = BTreeSet::new();
    let mut last = None;
    voxeliser.for_each_run(pose, &mut |y, z, xs| {
        assert!(last < Some((z, y)) && !xs.is_empty(), "rows are in order and not empty");
        last = Some((z, y));
        cells.extend(xs.map(|x| [x, y, z]));
    });
    assert!(cells.iter().all(|cell| (0..3).all(|axis| cell[axis] < SIZE[axis])));
    cells
}

fn all_cells() -> impl Iterator<Item = [u32; 3]> {
    let [x, y, z] = SIZE;
    (0..x * y * z).map(move |n| [n % x, n / x % y, n / (x * y)])
}

fn point(v: Vector) -> Point {
    Point::new(v[0], v[1], v[2])
}

/// A box, a ball, a capsule, the hull of a few points.
fn shape() -> impl Strategy<Value = Shape> {
    // Halves are common in games, and where rounding could matter.
    let extent = prop_oneof![0.0..4.0, (0..8).prop_map(|n| f64::from(n) * 0.5)];
    let place = [-3.0..3.0, -3.0..3.0, -3.0..3.0];
    prop_oneof![
        3 => prop::array::uniform3(extent.clone()).prop_map(|half| Shape::cuboid(point(half)).unwrap()),
        1 => (0.01..4.0).prop_map(|radius| Shape::sphere(radius).unwrap()),
        3 => (place.clone(), place.clone(), 0.01..2.5)
            .prop_map(|(from, to, radius)| Shape::capsule(point(from), point(to), radius).unwrap()),
        1 => (extent, 0.01..2.5)
            .prop_map(|(x, radius)| Shape::capsule(Point::default(), Point::flat(x, 0.0), radius).unwrap()),
        3 => prop::collection::vec(place, 4..14).prop_filter_map("flat", |points| hull(&points)),
    ]
}

fn hull(points: &[Vector]) -> Option<Shape> {
    let cloud: Vec<_> = points.iter().map(|&[x, y, z]| ParryVector::new(x, y, z)).collect();
    let (points, faces) = try_convex_hull(&cloud).ok()?;
    let points: Vec<Point> = points.iter().map(|p| Point::new(p.x, p.y, p.z)).collect();
    // Of points close to a plane, parry3d makes a hull that leaves some of them out.
    Shape::polyhedron(&points, &faces).ok()
}

fn rotation() -> impl Strategy<Value = Rotation> {
    let quarters = (0..3_usize, 0..4).prop_map(|(axis, quarter)| {
        let mut direction = [0.0; 3];
        direction[axis] = 1.0;
        Rotation::about(point(direction), f64::from(quarter) * 90.0).unwrap()
    });
    let upright =
        (-180.0..180.0).prop_map(|angle| Rotation::about(Point::new(0.0, 0.0, 1.0), angle).unwrap());
    let any = prop::array::uniform4(-1.0..1.0)
        .prop_filter_map("no rotation", |[x, y, z, w]| Rotation::new(x, y, z, w));
    prop_oneof![1 => Just(Rotation::NONE), 1 => quarters, 1 => upright, 4 => any]
}

fn pose() -> impl Strategy<Value = Pose> {
    let place = prop_oneof![-3.0..16.0, (-6..30).prop_map(|n| f64::from(n) * 0.5)];
    (prop::array::uniform3(place), rotation())
        .prop_map(|(at, rotation)| Pose::new(point(at), rotation).unwrap())
}

fn turn(rotation: Rotation, v: Vector) -> Vector {
    vector(rotation.turn(point(v)))
}

/// The distance between a turned box and a cell: from a point of the one to the nearest of the other, and back, until that
/// is as near as they come (Cheney and Goldstein, *Proximity Maps for Convex Sets*, 1959). For boxes turned about one axis, the
/// distance that parry3d finds is too large now and then.
fn box_distance(half: Vector, pose: &Pose, cell: [u32; 3]) -> f64 {
    let at = vector(pose.position());
    let [x, y, z, w] = pose.rotation().numbers();
    let back = Rotation::new(-x, -y, -z, w).unwrap();
    let corner = cell.map(f64::from);
    let mut inside = corner;
    let mut distance = f64::INFINITY;
    for _ in 0..10_000 {
        let local = turn(back, minus(inside, at));
        let near = turn(pose.rotation(), [0, 1, 2].map(|axis| local[axis].clamp(-half[axis], half[axis])));
        let near = [0, 1, 2].map(|axis| near[axis] + at[axis]);
        inside = [0, 1, 2].map(|axis| near[axis].clamp(corner[axis], corner[axis] + 1.0));
        let apart = minus(near, inside);
        distance = dot(apart, apart).sqrt();
    }
    distance
}

/// How far a shape with an inflation reaches into a cell: less than nothing if they are apart.
fn depth(shape: &Shape, pose: &Pose, inflation: f64, cell: [u32; 3]) -> f64 {
    let at = vector(pose.position());
    let world = |v: Vector| {
        let turned = turn(pose.rotation(), v);
        [0, 1, 2].map(|axis| turned[axis] + at[axis])
    };
    match shape.kind() {
        Kind::Sphere { radius } => radius + inflation - gap([at, at], cell),
        Kind::Capsule { from, to, radius } => {
            radius + inflation - gap([world(vector(*from)), world(vector(*to))], cell)
        }
        Kind::Cuboid { half } => {
            let corners = (0..8_u32).map(|n| {
                let sign = |axis: u32, part: f64| if n >> axis & 1 == 0 { part } else { -part };
                world([sign(0, half.x), sign(1, half.y), sign(2, half.z)])
            });
            let axes = [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(|axis| turn(pose.rotation(), axis));
            inflation + flat_depth(&corners.collect::<Vec<_>>(), &axes, &axes, cell)
        }
        Kind::Polyhedron(polyhedron) => {
            let corners: Vec<Vector> = polyhedron.points().iter().map(|&p| world(vector(p))).collect();
            let along = |a: u32, b: u32| minus(corners[b as usize], corners[a as usize]);
            let (mut faces, mut edges) = (Vec::new(), Vec::new());
            for face in polyhedron.faces() {
                faces.push(cross(along(face[0], face[1]), along(face[0], face[2])));
                edges.extend(face.iter().zip(face.iter().cycle().skip(1)).map(|(&a, &b)| along(a, b)));
            }
            inflation + flat_depth(&corners, &faces, &edges, cell)
        }
    }
}

/// The separating axis theorem, all axes one by one.
fn flat_depth(corners: &[Vector], faces: &[Vector], edges: &[Vector], cell: [u32; 3]) -> f64 {
    let cell_axes = [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
    let crossings = edges.iter().flat_map(|&edge| cell_axes.map(|axis| cross(axis, edge)));
    let mut least = f64::INFINITY;
    for axis in cell_axes.into_iter().chain(faces.iter().copied()).chain(crossings) {
        let length = dot(axis, axis).sqrt();
        if length < 1e-9 {
            continue;
        }
        let shadow = |points: &mut dyn Iterator<Item = Vector>| {
            points
                .map(|p| dot(p, axis) / length)
                .fold((f64::MAX, f64::MIN), |(low, high), along| (low.min(along), high.max(along)))
        };
        let (low, high) = shadow(&mut corners.iter().copied());
        let cell_corners = (0..8_u32).map(|n| [0, 1, 2].map(|axis| f64::from(cell[axis] + (n >> axis & 1))));
        let (cell_low, cell_high) = shadow(&mut { cell_corners });
        least = least.min(high - cell_low).min(cell_high - low);
    }
    least
}

/// The distance between a line and a cell. It falls and then rises along the line.
fn gap([from, to]: [Vector; 2], cell: [u32; 3]) -> f64 {
    let at = |t: f64| {
        let gaps = [0, 1, 2].map(|axis| {
            let place = from[axis] + (to[axis] - from[axis]) * t;
            let low = f64::from(cell[axis]);
            (low - place).max(place - low - 1.0).max(0.0)
        });
        dot(gaps, gaps).sqrt()
    };
    let (mut start, mut end) = (0.0, 1.0);
    for _ in 0..200 {
        let (a, b) = (start + (end - start) / 3.0, end - (end - start) / 3.0);
        if at(a) < at(b) { end = b } else { start = a }
    }
    at(start).min(at(0.0)).min(at(1.0))
}

fn parry(shape: &Shape) -> SharedShape {
    let place = |p: Point| ParryVector::new(p.x, p.y, p.z);
    match shape.kind() {
        Kind::Cuboid { half } => SharedShape::new(Cuboid::new(place(*half))),
        Kind::Sphere { radius } => SharedShape::new(Ball::new(*radius)),
        Kind::Capsule { from, to, radius } => {
            SharedShape::new(Capsule::new(place(*from), place(*to), *radius))
        }
        Kind::Polyhedron(polyhedron) => {
            let points: Vec<_> = polyhedron.points().iter().copied().map(place).collect();
            SharedShape::new(ConvexPolyhedron::from_convex_hull(&points).unwrap())
        }
    }
}

fn parry_pose(pose: &Pose) -> ParryPose {
    let ([x, y, z, w], Point { x: px, y: py, z: pz }) = (pose.rotation().numbers(), pose.position());
    ParryPose { rotation: ParryRotation::from_xyzw(x, y, z, w), translation: ParryVector::new(px, py, pz) }
}

/// A cell that is so much larger on every side.
fn parry_cell(cell: [u32; 3], more: f64) -> (ParryPose, Cuboid) {
    let [x, y, z] = cell.map(|part| f64::from(part) + 0.5);
    (ParryPose::translation(x, y, z), Cuboid::new(ParryVector::splat(0.5 + more)))
}

proptest! {
    #![proptest_config(crate::random_cases::cases(200))]

    #[test]
    fn runs_equal_one_test_for_each_cell(
        shape in shape(),
        poses in prop::collection::vec(pose(), 1..4),
        inflation in prop_oneof![Just(0.0), 0.0..2.0],
    ) {
        let mut voxeliser = Voxeliser::new(&shape, Frame::default(), SIZE, inflation).unwrap();
        for pose in &poses {
            let cells = cells_of(&mut voxeliser, pose);
            for cell in all_cells() {
                let depth = depth(&shape, pose, inflation, cell);
                prop_assert!(
                    cells.contains(&cell) == (depth > TOUCH) || (depth - TOUCH).abs() < ROUNDING,
                    "cell {:?} at {:?} reaches in by {}", cell, pose, depth
                );
            }
        }
    }

    #[test]
    fn parry_agrees(shape in shape(), pose in pose()) {
        let cells = cells_of(&mut Voxeliser::new(&shape, Frame::default(), SIZE, 0.0).unwrap(), &pose);
        let (solid, at) = (parry(&shape), parry_pose(&pose));
        for cell in all_cells() {
            let overlaps = |more: f64| {
                let (place, cube) = parry_cell(cell, more);
                query::intersection_test(&place, &cube, &at, &*solid).unwrap().intersecting
            };
            if cells.contains(&cell) {
                prop_assert!(overlaps(0.0), "cell {:?} is not overlapped", cell);
            } else {
                prop_assert!(!overlaps(-2.0 * TOUCH), "cell {:?} is overlapped", cell);
            }
        }
    }

    #[test]
    fn inflated_shapes_overlap_what_is_close(shape in shape(), pose in pose(), inflation in 0.01..2.5) {
        // The distances that parry3d finds to plates without thickness are wrong.
        if let Kind::Cuboid { half } = shape.kind() {
            prop_assume!(half.x.min(half.y).min(half.z) > 0.01);
        }
        let cells = cells_of(&mut Voxeliser::new(&shape, Frame::default(), SIZE, inflation).unwrap(), &pose);
        let (solid, at) = (parry(&shape), parry_pose(&pose));
        let is_round = matches!(shape.kind(), Kind::Sphere { .. } | Kind::Capsule { .. });
        let farthest = if is_round { inflation } else { inflation * 3.0_f64.sqrt() };
        for cell in all_cells() {
            let (place, cube) = parry_cell(cell, 0.0);
            let mut distance = query::distance(&place, &cube, &at, &*solid).unwrap().distance;
            if cells.contains(&cell) {
                if distance >= farthest + TOUCH && let Kind::Cuboid { half } = shape.kind() {
                    distance = box_distance(vector(*half), &pose, cell);
                }
                prop_assert!(distance < farthest + 10.0 * TOUCH, "cell {:?} at a distance of {}", cell, distance);
            } else {
                prop_assert!(distance > inflation - 2.0 * TOUCH, "cell {:?} at a distance of {}", cell, distance);
            }
        }
    }

    #[test]
    fn cells_can_have_any_size_and_lie_anywhere(
        shape in shape(),
        pose in pose(),
        origin in prop::array::uniform3(-100.0..100.0),
        cell_size in 0.1..10.0,
    ) {
        let Kind::Cuboid { half } = shape.kind() else { return Ok(()) };
        let plain = cells_of(&mut Voxeliser::new(&shape, Frame::default(), SIZE, 0.5).unwrap(), &pose);
        let grown = [half.x, half.y, half.z].map(|part| part * cell_size);
        let place = vector(pose.position());
        let moved = [0, 1, 2].map(|axis| place[axis] * cell_size + origin[axis]);
        let frame = Frame::new(point(origin), cell_size).unwrap();
        let shape = Shape::cuboid(point(grown)).unwrap();
        let pose = Pose::new(point(moved), pose.rotation()).unwrap();
        let cells = cells_of(&mut Voxeliser::new(&shape, frame, SIZE, 0.5 * cell_size).unwrap(), &pose);
        prop_assert_eq!(cells, plain);
    }
}

#[test]
fn boxes_on_the_grid_overlap_exactly_their_cells() {
    for (origin, cell_size) in [(0.0, 1.0), (-7.3, 0.1), (1e5 + 0.1, 0.3), (0.7, 1.0 / 3.0)] {
        let frame = Frame::new(Point::new(origin, origin, origin), cell_size).unwrap();
        for (axis, quarter) in [(2, 0), (0, 1), (1, 2), (2, 3), (2, 1)] {
            let direction = [0, 1, 2].map(|part| f64::from(u8::from(part == axis)));
            let rotation = Rotation::about(point(direction), f64::from(quarter) * 90.0).unwrap();
            let half = [1.5, 2.0, 1.0].map(|part| part * cell_size);
            let shape = Shape::cuboid(point(half)).unwrap();
            let middle = [4.5, 5.0, 4.0];
            let turned = turn(rotation, [1.5, 2.0, 1.0]).map(f64::abs);
            // A quarter turn may leave the middle on a half cell too many.
            let middle = [0, 1, 2].map(|axis| (middle[axis] - turned[axis]).round() + turned[axis]);
            let place = middle.map(|part| origin + part * cell_size);
            let pose = Pose::new(point(place), rotation).unwrap();
            let cells = cells_of(&mut Voxeliser::new(&shape, frame, SIZE, 0.0).unwrap(), &pose);
            let inside = |cell: &[u32; 3]| {
                (0..3).all(|axis| (f64::from(cell[axis]) + 0.5 - middle[axis]).abs() < turned[axis])
            };
            assert_eq!(
                cells,
                all_cells().filter(inside).collect(),
                "axis {axis}, quarter {quarter}, {cell_size}"
            );
            assert_eq!(cells.len(), 3 * 4 * 2);
        }
    }
}

#[test]
fn plates_overlap_what_they_cut() {
    let plate = Shape::cuboid(Point::new(1.0, 1.0, 0.0)).unwrap();
    let mut voxeliser = Voxeliser::new(&plate, Frame::default(), SIZE, 0.0).unwrap();
    let count =
        |voxeliser: &mut Voxeliser, z| cells_of(voxeliser, &Pose::at(Point::new(5.0, 5.0, z)).unwrap()).len();
    assert_eq!(count(&mut voxeliser, 3.5), 4);
    assert_eq!(count(&mut voxeliser, 3.0), 0);
}

#[test]
fn what_is_far_away_or_huge_is_no_trouble() {
    let far = Pose::at(Point::new(-1e9, 1e9, 1e9)).unwrap();
    let middle = Pose::new(Point::default(), Rotation::about(Point::flat(1.0, 2.0), 33.0).unwrap()).unwrap();
    let tiny = Frame::new(Point::default(), 1e-300).unwrap();
    let shapes =
        [Shape::cuboid(Point::new(LARGEST, LARGEST, LARGEST)).unwrap(), Shape::sphere(LARGEST).unwrap()];
    for shape in shapes {
        let mut voxeliser = Voxeliser::new(&shape, Frame::default(), SIZE, 0.0).unwrap();
        assert_eq!(cells_of(&mut voxeliser, &middle).len(), all_cells().count());
        let small = Shape::sphere(1.0).unwrap();
        assert!(cells_of(&mut Voxeliser::new(&small, Frame::default(), SIZE, 0.0).unwrap(), &far).is_empty());
        // The result is meaningless here, but it has to come in reasonable time.
        cells_of(&mut Voxeliser::new(&shape, tiny, SIZE, 0.0).unwrap(), &middle);
    }
    let bad = Voxeliser::new(&Shape::sphere(1.0).unwrap(), Frame::default(), SIZE, f64::NAN).unwrap_err();
    assert_eq!(bad.to_string(), "inflation is NaN, expected a number from 0 to 1e9");
}
