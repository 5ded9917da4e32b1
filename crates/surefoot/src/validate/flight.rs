//! Judges flights: whether a ball touches a shape of a scene, by the exact distance between the two.
//!
//! Distances are computed from the geometry of the shapes. Cells, which pilots avoid, play no part.

use std::borrow::Borrow;

use crate::obstacle::{Kind, Polyhedron, Pose, Shape};
use crate::scene::Scene;
use crate::space::Point;

/// How often a flight is judged per tick.
pub const LOOKS_PER_TICK: u32 = 4;

/// By how many cells a ball may reach into a shape: shapes reach that far into cells that count as open, see
/// [`TOUCH`](crate::obstacle::TOUCH), along each of three axes.
pub(super) const ALLOWED: f64 = 4e-6;

/// A shape of a scene, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Solid {
    /// One of the [fixtures](Scene::fixtures).
    Fixture(usize),
    /// One of the [obstacles](Scene::obstacles).
    Obstacle(usize),
}

/// The kinds of things that can be hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hit {
    /// A shape that never moves.
    Static,
    /// An obstacle that moves and is always present.
    Moving,
    /// An obstacle that appears and disappears.
    Appeared,
}

/// A ball and a shape that have come into contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The tick at the end of the interval in which the contact began.
    pub tick: u64,
    /// The shape.
    pub solid: Solid,
    /// What kind of shape it is.
    pub hit: Hit,
    /// The centre of the ball when the contact was noticed.
    pub at: Point,
    /// The distance between the centre of the ball and the shape when the contact was noticed.
    pub distance: f64,
}

/// Follows the flight of a ball through a scene and notices what it touches. `S` is a reference to a scene, or anything else that
/// holds one, such as an [`Arc`](std::sync::Arc). Solid cells that are not part of the scene are the subject of
/// [`CellJudge`](super::CellJudge).
///
/// ```
/// use surefoot::obstacle::{Pose, Shape};
/// use surefoot::scene::{Mover, Scene};
/// use surefoot::space::Point;
/// use surefoot::validate::{FlightJudge, Hit};
///
/// let mut scene = Scene::new([9, 9, 9]);
/// let pose = Pose::at(Point::new(4.0, 0.0, 0.0)).unwrap();
/// scene.obstacles.push(Mover::at_rest("ball", Shape::sphere(1.0).unwrap(), pose));
///
/// let mut judge = FlightJudge::new(&scene, 0.5);
/// let at = |x| Point::new(x, 0.0, 0.0);
/// assert!(judge.watch(1, [at(1.0), at(2.4)], |_| true).is_empty());
/// let contacts = judge.watch(2, [at(2.4), at(2.6)], |_| true);
/// assert_eq!((contacts.len(), contacts[0].hit), (1, Hit::Moving));
/// assert!(judge.watch(3, [at(2.6), at(2.7)], |_| true).is_empty(), "the same contact");
/// ```
#[derive(Clone, Debug)]
pub struct FlightJudge<S> {
    scene: S,
    radius: f64,
    /// By fixture and then by obstacle: how far the shape reaches from its origin, and whether the ball touches it.
    solids: Vec<(f64, bool)>,
    /// By obstacle: whether it was present at the last tick.
    active: Vec<bool>,
    contacts: Vec<Contact>,
}

impl<S: Borrow<Scene>> FlightJudge<S> {
    /// Creates a judge of the flight of a ball that has not touched anything yet.
    pub fn new(scene: S, radius: f64) -> FlightJudge<S> {
        let Scene { fixtures, obstacles, .. } = scene.borrow();
        let shapes = fixtures.iter().map(|fixture| &fixture.shape);
        let shapes = shapes.chain(obstacles.iter().map(|mover| &mover.shape));
        let solids = shapes.map(|shape| (reach(shape), false)).collect();
        let active = vec![false; obstacles.len()];
        FlightJudge { scene, radius, solids, active, contacts: Vec::new() }
    }

    /// Watches a flight along a straight line that ends at a tick and began a tick earlier. Returns the contacts that began on the
    /// way. It looks [`LOOKS_PER_TICK`] times, the last time at the end. `is_active` tells which obstacles are present at the tick;
    /// before that, those are present that were present at the tick before. A contact with a shape ends when the ball is off it.
    pub fn watch(&mut self, tick: u64, line: [Point; 2], is_active: impl Fn(usize) -> bool) -> &[Contact] {
        let FlightJudge { scene, radius, solids, active, contacts } = self;
        let scene: &Scene = (*scene).borrow();
        contacts.clear();
        let needed = *radius - ALLOWED * scene.frame.cell_size();
        // Compares the ball with a shape, if it is present.
        let mut look = |solid: Solid, present: Option<(&Shape, Pose)>, at: Point| {
            let (reach, touched) = match solid {
                Solid::Fixture(index) => &mut solids[index],
                Solid::Obstacle(index) => &mut solids[scene.fixtures.len() + index],
            };
            let near = present.filter(|(_, pose)| pose.position().distance(at) < *reach + *radius);
            let distance = near.map_or(f64::INFINITY, |(shape, pose)| signed_distance(shape, &pose, at));
            let was_touched = std::mem::replace(touched, distance < needed);
            if *touched && !was_touched {
                let distance = distance.max(0.0);
                contacts.push(Contact { tick, solid, hit: kind_of(scene, solid), at, distance });
            }
        };
        for share in looks() {
            let at = line[0].toward(line[1], share);
            for (index, fixture) in scene.fixtures.iter().enumerate() {
                look(Solid::Fixture(index), Some((&fixture.shape, fixture.pose)), at);
            }
            for (index, mover) in scene.obstacles.iter().enumerate() {
                let pose = if share < 1.0 {
                    active[index].then(|| mover.pose_after(tick.saturating_sub(1), share))
                } else {
                    active[index] = is_active(index);
                    active[index].then(|| mover.pose_at(tick))
                };
                look(Solid::Obstacle(index), pose.map(|pose| (&mover.shape, pose)), at);
            }
        }
        &self.contacts
    }
}

/// How much of a tick has passed at each look.
pub(super) fn looks() -> impl Iterator<Item = f64> {
    (1..=LOOKS_PER_TICK).map(|look| f64::from(look) / f64::from(LOOKS_PER_TICK))
}

fn kind_of(scene: &Scene, solid: Solid) -> Hit {
    match solid {
        Solid::Fixture(_) => Hit::Static,
        Solid::Obstacle(index) if scene.obstacles[index].switch.is_some() => Hit::Appeared,
        Solid::Obstacle(_) => Hit::Moving,
    }
}

type Vector = [f64; 3];

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn vector(Point { x, y, z }: Point) -> Vector {
    [x, y, z]
}

fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// Returns the distance between a point and a shape at a pose; 0 inside the shape.
///
/// ```
/// use surefoot::obstacle::{Pose, Shape};
/// use surefoot::space::Point;
/// use surefoot::validate::distance_to;
/// let slab = Shape::cuboid(Point::new(4.0, 4.0, 0.5)).unwrap();
/// assert_eq!(distance_to(&slab, &Pose::default(), Point::new(1.0, 2.0, 3.5)), 3.0);
/// ```
pub fn distance_to(shape: &Shape, pose: &Pose, at: Point) -> f64 {
    signed_distance(shape, pose, at).max(0.0)
}

/// Like [`distance_to`], but inside the shape minus the distance from its surface: a ball of radius 0 touches what it is inside.
fn signed_distance(shape: &Shape, pose: &Pose, at: Point) -> f64 {
    let at = to_local(pose, at);
    match shape.kind() {
        Kind::Cuboid { half } => {
            let half = vector(*half);
            signed_length([0, 1, 2].map(|axis| at[axis].abs() - half[axis]))
        }
        Kind::Sphere { radius } => length(at) - radius,
        Kind::Capsule { from, to, radius } => to_segment(at, [vector(*from), vector(*to)]) - radius,
        Kind::Polyhedron(polyhedron) => to_polyhedron(at, polyhedron),
    }
}

/// Returns a point in the coordinates of a shape: turned back about its position. With the quaternion `(u, w)`, `v` turns back into
/// `v - 2 w (u x v) + 2 u x (u x v)`.
fn to_local(pose: &Pose, at: Point) -> Vector {
    let [x, y, z, w] = pose.rotation().numbers();
    let (axis, from) = ([x, y, z], minus(vector(at), vector(pose.position())));
    let once = cross(axis, from);
    let twice = cross(axis, once);
    [0, 1, 2].map(|part| from[part] - 2.0 * w * once[part] + 2.0 * twice[part])
}

fn to_segment(at: Vector, [from, to]: [Vector; 2]) -> f64 {
    let along = minus(to, from);
    let square = dot(along, along);
    let share = if square > 0.0 { (dot(minus(at, from), along) / square).clamp(0.0, 1.0) } else { 0.0 };
    length(minus(minus(at, from), along.map(|part| part * share)))
}

/// A point that no face has in front of it is inside. For others, the nearest point is on a face.
fn to_polyhedron(at: Vector, polyhedron: &Polyhedron) -> f64 {
    let mut nearest = f64::INFINITY;
    let mut is_inside = true;
    for face in polyhedron.faces() {
        let corners: Vec<Vector> =
            face.iter().map(|&corner| vector(polyhedron.points()[corner as usize])).collect();
        let sides = || corners.iter().zip(corners.iter().cycle().skip(1)).map(|(&from, &to)| [from, to]);
        // As long as twice the area, and out of the solid.
        let normal = sides().fold([0.0; 3], |sum, [from, to]| {
            let part = cross(minus(from, corners[0]), minus(to, corners[0]));
            [sum[0] + part[0], sum[1] + part[1], sum[2] + part[2]]
        });
        let height = dot(minus(at, corners[0]), normal) / length(normal);
        is_inside &= height <= 0.0;
        let is_above = sides().all(|[from, to]| dot(cross(minus(to, from), minus(at, from)), normal) >= 0.0);
        let distance = if is_above {
            height.abs()
        } else {
            sides().map(|side| to_segment(at, side)).fold(f64::INFINITY, f64::min)
        };
        nearest = nearest.min(distance);
    }
    if is_inside { -nearest } else { nearest }
}

/// The distance from a box of a point that is so far outside along each axis; negative inside.
pub(super) fn signed_length(beyond: Vector) -> f64 {
    let deepest = beyond.into_iter().fold(f64::NEG_INFINITY, f64::max);
    if deepest < 0.0 { deepest } else { length(beyond.map(|part| part.max(0.0))) }
}

/// Returns how far a shape reaches from its origin.
fn reach(shape: &Shape) -> f64 {
    let origin = Point::default();
    match shape.kind() {
        Kind::Cuboid { half } => half.distance(origin),
        Kind::Sphere { radius } => *radius,
        Kind::Capsule { from, to, radius } => from.distance(origin).max(to.distance(origin)) + radius,
        Kind::Polyhedron(polyhedron) => {
            polyhedron.points().iter().map(|point| point.distance(origin)).fold(0.0, f64::max)
        }
    }
}

#[cfg(test)]
mod tests {
    use parry3d_f64::math::{Pose as ParryPose, Rotation as ParryRotation, Vector as ParryVector};
    use parry3d_f64::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, SharedShape};
    use parry3d_f64::transformation::try_convex_hull;
    use proptest::prelude::*;

    use super::*;
    use crate::obstacle::Rotation;
    use crate::scene::{Fixture, Mover, Patrol, Switch, Travel, Turn};

    fn point([x, y, z]: Vector) -> Point {
        Point::new(x, y, z)
    }

    fn parry_point([x, y, z]: Vector) -> ParryVector {
        ParryVector::new(x, y, z)
    }

    /// A shape of ours and the same of parry3d.
    fn shape() -> impl Strategy<Value = (Shape, SharedShape)> {
        let place = [-3.0..3.0, -3.0..3.0, -3.0..3.0];
        prop_oneof![
            [0.01..4.0, 0.01..4.0, 0.01..4.0].prop_map(|half| {
                (Shape::cuboid(point(half)).unwrap(), SharedShape::new(Cuboid::new(parry_point(half))))
            }),
            (0.01..4.0)
                .prop_map(|radius| { (Shape::sphere(radius).unwrap(), SharedShape::new(Ball::new(radius))) }),
            (place.clone(), place.clone(), 0.01..2.5).prop_map(|(from, to, radius)| {
                let capsule = Capsule::new(parry_point(from), parry_point(to), radius);
                (Shape::capsule(point(from), point(to), radius).unwrap(), SharedShape::new(capsule))
            }),
            prop::collection::vec(place, 4..14).prop_filter_map("flat", |points| {
                let cloud: Vec<ParryVector> = points.into_iter().map(parry_point).collect();
                let (points, faces) = try_convex_hull(&cloud).ok()?;
                let corners: Vec<Point> = points.iter().map(|p| Point::new(p.x, p.y, p.z)).collect();
                let ours = Shape::polyhedron(&corners, &faces).ok()?;
                Some((ours, SharedShape::new(ConvexPolyhedron::from_convex_mesh(points, &faces)?)))
            }),
        ]
    }

    fn pose() -> impl Strategy<Value = Pose> {
        let turned = prop::array::uniform4(-1.0..1.0)
            .prop_filter_map("no rotation", |[x, y, z, w]| Rotation::new(x, y, z, w));
        ([-3.0..3.0, -3.0..3.0, -3.0..3.0], turned)
            .prop_map(|(at, rotation)| Pose::new(point(at), rotation).unwrap())
    }

    proptest! {
        #![proptest_config(crate::random_cases::cases(512))]

        #[test]
        fn distances_are_those_of_parry3d(
            (ours, theirs) in shape(), pose in pose(), at in [-9.0..9.0, -9.0..9.0, -9.0..9.0],
        ) {
            let [x, y, z, w] = pose.rotation().numbers();
            let placed = ParryPose::from_parts(parry_point(vector(pose.position())), ParryRotation::from_xyzw(x, y, z, w));
            let expected = theirs.distance_to_point(&placed, parry_point(at), true);
            let found = distance_to(&ours, &pose, point(at));
            prop_assert!((found - expected).abs() < 1e-6, "{} instead of {}", found, expected);
            prop_assert!(pose.position().distance(point(at)) <= reach(&ours) + found + 1e-9, "a shape reaches farther");
        }

        /// Moving the point by a distance changes the distance by at most as much, and points of the surface are at distance 0: this
        /// holds for plates and needles as well, about which parry3d is not always right.
        #[test]
        fn thin_polyhedra_have_distances(points in prop::collection::vec([-3.0..3.0, -3.0..3.0], 3..4), at in [-5.0..5.0, -5.0..5.0, -5.0..5.0]) {
            let corners: Vec<Point> = points.iter().map(|&[x, y]| Point::flat(x, y)).collect();
            let area = (corners[1].x - corners[0].x) * (corners[2].y - corners[0].y)
                - (corners[1].y - corners[0].y) * (corners[2].x - corners[0].x);
            prop_assume!(area.abs() > 1e-3);
            let sheet = Shape::polyhedron(&corners, &[[0, 1, 2], [0, 2, 1]]).unwrap();
            let found = distance_to(&sheet, &Pose::default(), point(at));
            // By points of the triangle.
            let mut nearest = f64::INFINITY;
            for a in 0..=60 {
                for b in 0..=60 - a {
                    let [a, b] = [a, b].map(|part| f64::from(part) / 60.0);
                    let c = 1.0 - a - b;
                    let [p, q, r] = [corners[0], corners[1], corners[2]];
                    let inside = Point::flat(a * p.x + b * q.x + c * r.x, a * p.y + b * q.y + c * r.y);
                    nearest = nearest.min(inside.distance(point(at)));
                }
            }
            prop_assert!(found <= nearest + 1e-9 && nearest - found < 0.15, "{} {}", found, nearest);
        }
    }

    /// A wall, a sweeping bar, a block that comes and goes.
    fn scene() -> Scene {
        let mut scene = Scene::new([20, 20, 4]);
        let block = |half| Shape::cuboid(point(half)).unwrap();
        let at = |x, y| Pose::at(Point::new(x, y, 2.0)).unwrap();
        let wall = Fixture { name: "wall".into(), shape: block([0.5, 4.0, 2.0]), pose: at(10.0, 4.0) };
        scene.fixtures.push(wall);
        let travel =
            Patrol::new(vec![point([2.0, 15.0, 2.0]), point([18.0, 15.0, 2.0])], 60.0, false).unwrap();
        let bus = Mover::at_rest("bus", block([1.0, 1.0, 1.0]), at(2.0, 15.0));
        scene.obstacles.push(Mover { travel: Some(Travel::Patrol(travel)), ..bus });
        let door = Mover::at_rest("door", block([1.0, 1.0, 1.0]), at(15.0, 5.0));
        scene.obstacles.push(Mover { switch: Some(Switch::new(10, false).unwrap()), ..door });
        let bar = Mover::at_rest("bar", block([3.0, 0.1, 1.0]), at(4.0, 8.0));
        let turn = Turn::new(Point::new(0.0, 0.0, 1.0), 360.0 * 60.0).unwrap();
        scene.obstacles.push(Mover { turn: Some(turn), ..bar });
        scene
    }

    /// What a ball that stays at a point touches until a tick.
    fn touched(scene: &Scene, at: Point, ticks: u64) -> Vec<(u64, Hit)> {
        let mut judge = FlightJudge::new(scene, 0.5);
        let mut all = Vec::new();
        for tick in 1..=ticks {
            let contacts = judge.watch(tick, [at; 2], |index| scene.obstacles[index].is_active_at(tick));
            assert!(contacts.iter().all(|contact| contact.at == at));
            all.extend(contacts.iter().map(|contact| (contact.tick, contact.hit)));
        }
        all
    }

    #[test]
    fn contacts_are_distinguished_and_counted_once() {
        let scene = scene();
        let at = |x, y| Point::new(x, y, 2.0);
        assert_eq!(touched(&scene, at(10.9, 4.0), 30), [(1, Hit::Static)]);
        assert_eq!(touched(&scene, at(11.1, 4.0), 30), []);
        assert_eq!(touched(&scene, at(15.0, 5.0), 39), [(10, Hit::Appeared), (30, Hit::Appeared)]);
        // The bus moves a unit per tick, and its front is 1 ahead.
        assert_eq!(touched(&scene, at(9.0, 15.0), 16), [(6, Hit::Moving)]);
        // The bar makes a whole turn per tick: only between ticks is it elsewhere.
        assert_eq!(touched(&scene, at(4.0, 10.5), 2), [(2, Hit::Moving), (2, Hit::Moving)]);
        assert_eq!(touched(&scene, at(6.0, 10.0), 2), []);
    }

    #[test]
    fn a_point_touches_what_it_is_inside() {
        let at = |x: f64| Point::new(x, 0.0, 0.0);
        let cube = [1.0, -1.0].map(|x| [1.0, -1.0].map(|y| [1.0, -1.0].map(|z| Point::new(x, y, z))));
        let corners: Vec<Point> = cube.into_iter().flatten().flatten().collect();
        let faces = [
            [0, 2, 1],
            [1, 2, 3],
            [4, 5, 6],
            [5, 7, 6],
            [0, 1, 4],
            [1, 5, 4],
            [2, 6, 3],
            [3, 6, 7],
            [0, 4, 2],
            [2, 4, 6],
            [1, 3, 5],
            [3, 7, 5],
        ];
        for shape in [
            Shape::sphere(1.0),
            Shape::cuboid(Point::new(1.0, 1.0, 1.0)),
            Shape::capsule(at(-0.5), at(0.5), 0.5),
            Shape::polyhedron(&corners, &faces)
                .or_else(|_| Shape::polyhedron(&corners, &faces.map(|[a, b, c]| [a, c, b]))),
        ] {
            let mut scene = Scene::new([9, 9, 9]);
            scene.obstacles.push(Mover::at_rest("shape", shape.unwrap(), Pose::default()));
            let hits = |x| FlightJudge::new(&scene, 0.0).watch(1, [at(x); 2], |_| true).len();
            assert_eq!(
                [1.1, 1.0, 0.999, 0.3, 0.0].map(hits),
                [0, 0, 1, 1, 1],
                "{:?}",
                scene.obstacles[0].shape
            );
        }
    }
}
