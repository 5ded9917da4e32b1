//! Velocities that avoid collisions (J. van den Berg, S. J. Guy, M. Lin, D. Manocha, *Reciprocal n-Body Collision Avoidance*, ISRR 2011).
//!
//! Each neighbour forbids a half-plane of velocities: those that lead to a collision soon, of which the unit takes its share of the change that is needed. The velocity
//! nearest to the wanted one is found by a linear program in two dimensions. If no velocity satisfies all neighbours, the one that violates the worst least is taken; walls are
//! never violated.

use super::vector::Vec2;

/// Lines closer to parallel than this do not cross.
const PARALLEL: f64 = 1e-9;

/// A half-plane of allowed velocities: those with `velocity . normal >= offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct HalfPlane {
    pub normal: Vec2,
    pub offset: f64,
}

impl HalfPlane {
    /// How far a velocity is from being allowed; negative if it is.
    #[inline]
    fn violation(&self, velocity: Vec2) -> f64 {
        self.offset - velocity.dot(self.normal)
    }
}

/// A neighbour, as seen by a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encounter {
    /// Where it is from the unit.
    pub to: Vec2,
    /// Its velocity.
    pub velocity: Vec2,
    /// The sum of both radii.
    pub radii: f64,
    /// Which share of the change of velocity the unit makes.
    pub share: f64,
}

/// Returns which velocities of a unit avoid a neighbour for some time. `step` is how long two that overlap may take to separate.
pub(super) fn avoid(velocity: Vec2, other: &Encounter, time: f64, step: f64) -> Option<HalfPlane> {
    let Encounter { to, radii, share, .. } = *other;
    let relative = velocity - other.velocity;
    let (apart, radii_square) = (to.square(), radii * radii);
    let (normal, change) = if apart > radii_square {
        let from_centre = relative - to * (1.0 / time);
        let along = from_centre.dot(to);
        if along < 0.0 && along * along > radii_square * from_centre.square() {
            // The nearest allowed velocity is on the circle that cuts off the cone.
            let normal = from_centre.direction()?;
            (normal, radii / time - from_centre.length())
        } else {
            // It is on one of the two sides of the cone.
            let leg = (apart - radii_square).sqrt();
            let side = if to.cross(from_centre) > 0.0 {
                Vec2::new(to.x * leg - to.y * radii, to.x * radii + to.y * leg)
            } else {
                -Vec2::new(to.x * leg + to.y * radii, to.y * leg - to.x * radii)
            };
            let normal = (side * (1.0 / apart)).turned();
            (normal, -relative.dot(normal))
        }
    } else {
        let from_centre = relative - to * (1.0 / step);
        let normal = from_centre.direction()?;
        (normal, radii / step - from_centre.length())
    };
    Some(HalfPlane { normal, offset: velocity.dot(normal) + share * change })
}

/// Returns the velocity nearest to the wanted one that all half-planes allow and that is not above the speed. The first `walls` of them are obeyed in any case: they must allow
/// standing still. `buffer` is for intermediate results.
pub(super) fn choose(
    planes: &[HalfPlane],
    walls: usize,
    wanted: Vec2,
    speed: f64,
    buffer: &mut Vec<HalfPlane>,
) -> Vec2 {
    let (velocity, failed) = nearest(planes, Target::Near(wanted.at_most(speed)), speed);
    match failed {
        None => velocity,
        Some(failed) => least_violation(planes, walls, failed, speed, velocity, buffer),
    }
}

/// Which velocity is the best.
#[derive(Clone, Copy)]
enum Target {
    /// The one nearest to this.
    Near(Vec2),
    /// The one that goes furthest in this direction.
    Along(Vec2),
}

/// Solves the program as far as possible. Returns the first half-plane that contradicts those before it.
fn nearest(planes: &[HalfPlane], target: Target, speed: f64) -> (Vec2, Option<usize>) {
    let mut velocity = match target {
        Target::Near(wanted) => wanted,
        Target::Along(direction) => direction * speed,
    };
    for (index, plane) in planes.iter().enumerate() {
        if plane.violation(velocity) > 0.0 {
            match on_border(&planes[..index], plane, target, speed) {
                Some(better) => velocity = better,
                None => return (velocity, Some(index)),
            }
        }
    }
    (velocity, None)
}

/// The best velocity on the border of a half-plane.
fn on_border(before: &[HalfPlane], plane: &HalfPlane, target: Target, speed: f64) -> Option<Vec2> {
    let HalfPlane { normal, offset } = *plane;
    let room = speed * speed - offset * offset;
    if room < 0.0 {
        return None;
    }
    let along = normal.turned();
    let (mut least, mut most) = (-room.sqrt(), room.sqrt());
    for other in before {
        let slope = along.dot(other.normal);
        let missing = other.offset - offset * normal.dot(other.normal);
        if slope.abs() <= PARALLEL {
            if missing > 0.0 {
                return None;
            }
            continue;
        }
        let cut = missing / slope;
        if slope > 0.0 {
            least = least.max(cut);
        } else {
            most = most.min(cut);
        }
        if least > most {
            return None;
        }
    }
    let at = match target {
        Target::Near(wanted) => wanted.dot(along).max(least).min(most),
        Target::Along(direction) if direction.dot(along) > 0.0 => most,
        Target::Along(_) => least,
    };
    Some(normal * offset + along * at)
}

/// The velocity whose worst violation is least.
fn least_violation(
    planes: &[HalfPlane],
    walls: usize,
    failed: usize,
    speed: f64,
    mut velocity: Vec2,
    buffer: &mut Vec<HalfPlane>,
) -> Vec2 {
    let mut worst = 0.0;
    for index in failed..planes.len() {
        let plane = planes[index];
        if plane.violation(velocity) <= worst {
            continue;
        }
        buffer.clear();
        buffer.extend_from_slice(&planes[..walls.min(index)]);
        for other in &planes[walls.min(index)..index] {
            // Where the other is violated as much as this one.
            let between = other.normal - plane.normal;
            let length = between.length();
            if length > PARALLEL {
                let offset = (other.offset - plane.offset) / length;
                buffer.push(HalfPlane { normal: between * (1.0 / length), offset });
            }
        }
        // Rounding may leave nothing; what there is then is the best that is known.
        if let (better, None) = nearest(buffer, Target::Along(plane.normal), speed) {
            velocity = better;
        }
        worst = plane.violation(velocity);
    }
    velocity
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(x: f64, y: f64, offset: f64) -> HalfPlane {
        HalfPlane { normal: Vec2::new(x, y).direction().unwrap(), offset }
    }

    /// All velocities of a raster, instead of a linear program.
    fn best_of_raster(planes: &[HalfPlane], wanted: Vec2, speed: f64) -> Option<f64> {
        let at = |step: i32| f64::from(step) / 200.0 * speed;
        let raster = (-200..=200).flat_map(|x| (-200..=200).map(move |y| Vec2::new(at(x), at(y))));
        let allowed =
            raster.filter(|v| v.length() <= speed && planes.iter().all(|plane| plane.violation(*v) <= 0.0));
        allowed.map(|v| (v - wanted).length()).min_by(f64::total_cmp)
    }

    #[test]
    fn the_program_finds_the_nearest_allowed_velocity() {
        let mut state = 7_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let mut solved = 0;
        for _ in 0..300 {
            let planes: Vec<HalfPlane> = (0..5).map(|_| plane(draw(), draw() + 1e-6, draw() * 0.5)).collect();
            let wanted = Vec2::new(draw(), draw()).at_most(1.0);
            let (velocity, failed) = nearest(&planes, Target::Near(wanted), 1.0);
            let expected = best_of_raster(&planes, wanted, 1.0);
            if let Some(expected) = expected {
                assert_eq!(failed, None);
                solved += 1;
                assert!((velocity - wanted).length() <= expected + 1e-9);
                assert!(planes.iter().all(|plane| plane.violation(velocity) <= 1e-9));
            }
        }
        assert!(solved > 50);
    }

    #[test]
    fn walls_are_obeyed_where_neighbours_cannot_be() {
        // A wall on the right; neighbours press from the left and from both other sides.
        let planes =
            [plane(-1.0, 0.0, 0.0), plane(1.0, 0.2, 0.7), plane(0.1, 1.0, 0.6), plane(0.1, -1.0, 0.6)];
        let velocity = choose(&planes, 1, Vec2::new(1.0, 0.0), 1.0, &mut Vec::new());
        assert!(planes[0].violation(velocity) <= 1e-9, "{velocity:?}");
    }

    #[test]
    fn two_units_that_meet_pass_each_other() {
        let meet = |velocity: Vec2, to: Vec2, other: Vec2| {
            let other = Encounter { to, velocity: other, radii: 0.8, share: 0.5 };
            let plane = avoid(velocity, &other, 1.0, 0.1).unwrap();
            choose(&[plane], 0, velocity, 1.0, &mut Vec::new())
        };
        let (mut left, mut right) = (Vec2::new(0.0, 0.0), Vec2::new(4.0, 0.001));
        let (mut v, mut w) = (Vec2::new(1.0, 0.0), Vec2::new(-1.0, 0.0));
        for _ in 0..300 {
            (v, w) = (meet(v, right - left, w), meet(w, left - right, v));
            left += v * 0.02;
            right += w * 0.02;
            assert!((right - left).length() > 0.78);
            v = v + (Vec2::new(1.0, 0.0) - v) * 0.3;
            w = w + (Vec2::new(-1.0, 0.0) - w) * 0.3;
        }
        assert!(left.x > right.x + 0.5, "{left:?} {right:?}");
    }
}
