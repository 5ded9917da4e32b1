//! Following a path through the world.
//!
//! A [`Follower`] moves along the points of a [path](crate::path::Path::points) by a distance per frame and passes through links at once.
//!
//! ```
//! use surefoot::prelude::*;
//! let grid = Grid::new(8, 8).unwrap();
//! let view = grid.view(&Agent::default());
//! let mut finder = Pathfinder::default();
//! let path = finder.find(view, Cell::new(0, 0), Cell::new(7, 0)).unwrap();
//! let mut unit = Follower::new(path.points(view));
//! assert_eq!(unit.advance(2.5), Point::flat(3.0, 0.5)); // it began in the middle of the first cell
//! assert_eq!(unit.remaining(), 4.5);
//! ```

use crate::path::Path;
use crate::space::Point;
use crate::world::any::View;

/// Moves along a list of points.
///
/// There are two ways to use it. A unit on rails calls [`advance`](Follower::advance) to get its position after a given distance.
/// A unit that is moved by the game's own physics steers for [`next_waypoint`](Follower::next_waypoint) and reports its position
/// to [`pop_within`](Follower::pop_within).
///
/// A leg can be a jump: a tunnel or teleport, which is crossed as soon as its entrance is reached and takes no distance. A leg
/// between two equal points is also a jump. Distances that are negative or not a number count as 0.
///
/// ```
/// use surefoot::follow::Follower;
/// use surefoot::space::Point;
/// let corner = [Point::flat(0.0, 0.0), Point::flat(3.0, 0.0), Point::flat(3.0, 2.0)];
/// let mut unit = Follower::new(corner);
/// assert_eq!(unit.advance(4.0), Point::flat(3.0, 1.0));
/// assert_eq!(unit.remaining(), 1.0);
/// assert_eq!(unit.advance(9.0), Point::flat(3.0, 2.0));
/// assert!(unit.is_done());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Follower {
    waypoints: Vec<Waypoint>,
    /// The waypoint that the present leg leads to.
    next: usize,
    /// Where the present leg began.
    from: Point,
    /// How far along the present leg. Positions are computed from this, so that rounding does not push them sideways.
    along: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Waypoint {
    point: Point,
    /// Whether the leg that ends here is a jump.
    jump: bool,
    /// The distance from here to the end.
    ahead: f64,
}

impl Follower {
    /// Creates a follower that starts at the first point and heads for the last. Without points, it is done and stays at the
    /// origin.
    pub fn new(points: impl IntoIterator<Item = Point>) -> Follower {
        Follower::with_jumps(points, &[])
    }

    /// Like [`Follower::new`], but the leg from point `i` to point `i + 1` is a jump for each `i` in `jumps`. Indices that do not
    /// belong to a leg are ignored.
    ///
    /// ```
    /// use surefoot::follow::Follower;
    /// use surefoot::space::Point;
    /// let points = [0.0, 2.0, 50.0, 53.0].map(|x| Point::flat(x, 0.0));
    /// let mut unit = Follower::with_jumps(points, &[1]);
    /// assert_eq!(unit.remaining(), 5.0);
    /// assert_eq!(unit.advance(3.0), Point::flat(51.0, 0.0));
    /// ```
    pub fn with_jumps(points: impl IntoIterator<Item = Point>, jumps: &[usize]) -> Follower {
        let mut follower = Follower::default();
        follower.reset_with_jumps(points, jumps);
        follower
    }

    /// Creates a follower for a path: from its first node to its last, with its links as jumps.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let mut grid = Grid::new(9, 1).unwrap();
    /// grid.add_link(Cell::new(1, 0), Cell::new(7, 0), Cost::ONE).unwrap(); // a tunnel
    /// let view = grid.view(&Agent::default());
    /// let mut finder = Pathfinder::default();
    /// let mut unit = Follower::along(finder.find(view, Cell::new(0, 0), Cell::new(8, 0))?, view);
    /// assert_eq!(unit.remaining(), 2.0);
    /// assert_eq!(unit.advance(1.5), Point::flat(8.0, 0.5));
    /// # Ok::<(), Why>(())
    /// ```
    pub fn along<'a>(path: &Path, view: impl Into<View<'a>>) -> Follower {
        Follower::with_jumps(path.points(view), path.jumps())
    }

    /// Starts over with other points and reuses the memory. Without points, the follower is done and stays where it is.
    pub fn reset(&mut self, points: impl IntoIterator<Item = Point>) {
        self.reset_with_jumps(points, &[]);
    }

    /// Like [`Follower::reset`], with jumps as in [`Follower::with_jumps`].
    pub fn reset_with_jumps(&mut self, points: impl IntoIterator<Item = Point>, jumps: &[usize]) {
        let here = self.position();
        self.waypoints.clear();
        self.waypoints.extend(points.into_iter().map(|point| Waypoint { point, jump: false, ahead: 0.0 }));
        for jump in jumps {
            if let Some(exit) = jump.checked_add(1).and_then(|exit| self.waypoints.get_mut(exit)) {
                exit.jump = true;
            }
        }
        for at in (1..self.waypoints.len()).rev() {
            let [before, after] = [self.waypoints[at - 1], self.waypoints[at]];
            self.waypoints[at - 1].ahead = after.ahead + leg_length(before.point, after);
        }
        self.from = self.waypoints.first().map_or(here, |first| first.point);
        self.next = 0;
        self.along = 0.0;
        self.advance(0.0);
    }

    /// Returns the current position.
    pub fn position(&self) -> Point {
        match self.waypoints.get(self.next) {
            Some(next) if self.along > 0.0 => {
                self.from.toward(next.point, self.along / leg_length(self.from, *next))
            }
            _ => self.from,
        }
    }

    /// Moves along the points by a distance in world units, at most to the end, and returns the new position.
    pub fn advance(&mut self, distance: f64) -> Point {
        // `max` turns what is not a number into 0.
        self.along += distance.max(0.0);
        while let Some(&next) = self.waypoints.get(self.next) {
            let length = leg_length(self.from, next);
            if self.along < length {
                return self.position();
            }
            self.along -= length;
            self.from = next.point;
            self.next += 1;
        }
        self.along = 0.0;
        self.from
    }

    /// Returns the distance to the end. Jumps take no distance.
    pub fn remaining(&self) -> f64 {
        let next = self.waypoints.get(self.next);
        next.map_or(0.0, |next| leg_length(self.from, *next) - self.along + next.ahead)
    }

    /// Returns whether the end has been reached.
    pub fn is_done(&self) -> bool {
        self.next >= self.waypoints.len()
    }

    /// Returns the next point to go to, or `None` at the end.
    pub fn next_waypoint(&self) -> Option<Point> {
        self.waypoints.get(self.next).map(|next| next.point)
    }

    /// Updates the position of a unit that is moved by other code, then drops the waypoints ahead that are within `reach` of it,
    /// in order, up to the first that is not. Returns how many were dropped.
    ///
    /// If one of them is the entrance of a jump, the jump is crossed: [`position`](Follower::position) is then its far end, where
    /// the game has to put the unit. A position that is not finite changes nothing.
    ///
    /// ```
    /// use surefoot::follow::Follower;
    /// use surefoot::space::Point;
    /// let mut path = Follower::new([0.0, 1.0, 2.0].map(|x| Point::flat(x, 0.0)));
    /// assert_eq!(path.pop_within(Point::flat(0.5, 0.1), 0.2), 0);
    /// assert_eq!(path.pop_within(Point::flat(0.9, 0.1), 0.2), 1);
    /// assert_eq!(path.next_waypoint(), Some(Point::flat(2.0, 0.0)));
    /// ```
    pub fn pop_within(&mut self, position: Point, reach: f64) -> usize {
        if !position.is_finite() {
            return 0;
        }
        let before = self.next;
        (self.from, self.along) = (position, 0.0);
        while let Some(next) = self.waypoints.get(self.next)
            && (next.jump || self.from.distance(next.point) <= reach.max(0.0))
        {
            if next.jump {
                self.from = next.point;
            }
            self.next += 1;
        }
        self.next - before
    }
}

/// The distance from a point to the waypoint after it. A leg that has no finite length is crossed like a jump.
fn leg_length(from: Point, to: Waypoint) -> f64 {
    let distance = from.distance(to.point);
    if to.jump || !distance.is_finite() { 0.0 } else { distance }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row(xs: &[f64]) -> Vec<Point> {
        xs.iter().map(|&x| Point::flat(x, 0.0)).collect()
    }

    #[test]
    fn nothing_to_follow_is_done_at_once() {
        let mut unit = Follower::new([]);
        assert!(unit.is_done());
        assert_eq!((unit.remaining(), unit.next_waypoint()), (0.0, None));
        assert_eq!(unit.advance(5.0), Point::default());
        let here = Point::flat(3.0, 4.0);
        let mut unit = Follower::new([here]);
        assert!(unit.is_done());
        assert_eq!(unit.advance(5.0), here);
        unit.reset([]);
        assert_eq!(unit.position(), here);
    }

    #[test]
    fn equal_points_do_not_stop_the_follower() {
        let mut unit = Follower::new(row(&[0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0]));
        assert_eq!(unit.next_waypoint(), Some(Point::flat(1.0, 0.0)));
        unit.advance(1.0);
        assert_eq!(unit.next_waypoint(), Some(Point::flat(2.0, 0.0)));
        unit.advance(1.0);
        assert!(unit.is_done());
    }

    #[test]
    fn senseless_distances_do_not_move() {
        let mut unit = Follower::new(row(&[0.0, 4.0]));
        unit.advance(1.0);
        for distance in [f64::NAN, -3.0, f64::NEG_INFINITY, 0.0] {
            assert_eq!(unit.advance(distance), Point::flat(1.0, 0.0));
        }
        assert_eq!(unit.pop_within(Point::flat(f64::NAN, 0.0), 9.0), 0);
        assert_eq!(unit.position(), Point::flat(1.0, 0.0));
        for reach in [f64::NAN, -3.0] {
            assert_eq!(unit.pop_within(Point::flat(3.0, 0.0), reach), 0);
        }
        assert_eq!(unit.advance(f64::INFINITY), Point::flat(4.0, 0.0));
        let mut broken = Follower::new(row(&[0.0, f64::NAN, f64::INFINITY, 1.0, 3.0]));
        assert_eq!((broken.position(), broken.remaining()), (Point::flat(1.0, 0.0), 2.0));
        assert_eq!(broken.advance(1.0), Point::flat(2.0, 0.0));
    }

    #[test]
    fn jumps_take_no_distance_wherever_they_are() {
        let points = row(&[0.0, 10.0, 11.0, 20.0, 30.0, 31.0, 40.0]);
        let mut unit = Follower::with_jumps(points.clone(), &[0, 2, 3, 5, 6, usize::MAX]);
        let expected =
            [(0.0, 10.0, 2.0), (0.5, 10.5, 1.5), (0.5, 30.0, 1.0), (0.25, 30.25, 0.75), (0.75, 40.0, 0.0)];
        for (distance, x, remaining) in expected {
            assert_eq!((unit.advance(distance), unit.remaining()), (Point::flat(x, 0.0), remaining));
        }
        assert!(unit.is_done());
        unit.reset(points);
        assert_eq!((unit.position(), unit.remaining()), (Point::default(), 40.0));
    }

    #[test]
    fn waypoints_are_popped_in_order_only() {
        let mut path = Follower::new(row(&[0.0, 1.0, 2.0, 1.1, 9.0]));
        let beside = Point::flat(1.0, 0.2);
        assert_eq!(path.pop_within(beside, 0.3), 1);
        assert_eq!(path.pop_within(beside, 0.3), 0);
        assert_eq!(path.next_waypoint(), Some(Point::flat(2.0, 0.0)));
        assert_eq!(path.pop_within(Point::flat(1.5, 0.0), 0.5), 2);
        assert_eq!((path.position(), path.remaining()), (Point::flat(1.5, 0.0), 7.5));
        assert_eq!(path.pop_within(Point::flat(9.0, 0.0), 0.0), 1);
        assert!(path.is_done());
    }

    #[test]
    fn popping_the_entrance_of_a_jump_crosses_it() {
        let mut path = Follower::with_jumps(row(&[0.0, 1.0, 50.0, 50.1, 60.0]), &[1]);
        assert_eq!(path.pop_within(Point::flat(0.9, 0.0), 0.2), 3);
        assert_eq!(path.position(), Point::flat(50.0, 0.0));
        assert_eq!(path.next_waypoint(), Some(Point::flat(60.0, 0.0)));
    }

    /// The distance of a point from a leg.
    fn off(point: Point, [a, b]: [Point; 2]) -> f64 {
        let along = (point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y);
        let t = along / a.distance(b).powi(2).max(f64::MIN_POSITIVE);
        point.distance(a.toward(b, t.clamp(0.0, 1.0)))
    }

    fn polyline() -> impl Strategy<Value = Vec<Point>> {
        // Few different coordinates, so that points repeat.
        let point = (0..6_u8, 0..6_u8).prop_map(|(x, y)| Point::flat(f64::from(x) * 0.7, f64::from(y)));
        prop::collection::vec(point, 1..12)
    }

    proptest! {
        #[test]
        fn many_small_advances_are_one_large(points in polyline(), total in 0.0..40.0, parts in 1..200_u32) {
            let mut small = Follower::new(points.clone());
            let mut large = small.clone();
            for _ in 0..parts {
                small.advance(total / f64::from(parts));
            }
            prop_assert!(small.position().distance(large.advance(total)) < 1e-9);
            prop_assert!((small.remaining() - large.remaining()).abs() < 1e-9);
        }

        #[test]
        fn the_way_is_the_polyline_and_as_long(
            points in polyline(),
            jumps in prop::collection::vec(0..12_usize, 0..4),
            step in 0.01..2.0,
        ) {
            let legs: Vec<[Point; 2]> = points.windows(2).map(|leg| [leg[0], leg[1]]).collect();
            let walked = (0..).zip(&legs).filter(|(leg, _)| !jumps.contains(leg));
            let length: f64 = walked.map(|(_, [a, b])| a.distance(*b)).sum();
            let mut unit = Follower::with_jumps(points.clone(), &jumps);
            let mut travelled = 0.0;
            while !unit.is_done() {
                prop_assert!((unit.remaining() + travelled - length).abs() < 1e-9);
                let position = unit.advance(step);
                travelled += step;
                let on_a_leg = legs.iter().any(|leg| off(position, *leg) < 1e-9);
                prop_assert!(on_a_leg, "{position:?} is on no leg");
            }
            prop_assert_eq!(unit.position(), points[points.len() - 1]);
            prop_assert!(travelled >= length - 1e-9 && travelled < length + step + 1e-9);
        }
    }
}
