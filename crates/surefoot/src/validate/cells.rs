//! Judges flights among solid cells, by the exact distance between a ball and the cubes.

use super::flight::{ALLOWED, looks, signed_length};
use crate::space::{Frame, Point, Voxel};

/// A ball and a solid cell that have come into contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellContact {
    /// The solid cell nearest to the ball.
    pub cell: Voxel,
    /// The centre of the ball when the contact was noticed.
    pub at: Point,
    /// The distance between the centre of the ball and the cell then.
    pub distance: f64,
}

/// Follows the flight of a ball through a voxel world and notices when it touches solid cells.
///
/// Like [`FlightJudge`](super::FlightJudge) it looks [`LOOKS_PER_TICK`](super::LOOKS_PER_TICK) times. Solid cells count as one shape: a
/// contact ends when the ball is off all of them.
///
/// ```
/// use surefoot::space::{Frame, Point, Voxel};
/// use surefoot::validate::CellJudge;
///
/// let mut judge = CellJudge::new(Frame::default(), [9, 9, 9], 0.5);
/// let is_solid = |cell: Voxel| cell.x == 4;
/// let at = |x| Point::new(x, 2.5, 2.5);
/// assert!(judge.watch([at(1.0), at(3.5)], is_solid).is_empty());
/// assert_eq!(judge.watch([at(3.5), at(3.6)], is_solid)[0].cell.x, 4);
/// assert!(judge.watch([at(3.6), at(3.9)], is_solid).is_empty(), "the same contact");
/// ```
#[derive(Clone, Debug)]
pub struct CellJudge {
    frame: Frame,
    size: [u32; 3],
    radius: f64,
    touches: bool,
    contacts: Vec<CellContact>,
}

impl CellJudge {
    /// Creates a judge of the flight of a ball that has not touched anything yet. The radius is in world units; there are no cells
    /// outside `size`.
    pub fn new(frame: Frame, size: [u32; 3], radius: f64) -> CellJudge {
        CellJudge { frame, size, radius, touches: false, contacts: Vec::new() }
    }

    /// Watches a flight along a straight line during which no cell changes. Returns the contacts that began on the way.
    pub fn watch(&mut self, line: [Point; 2], is_solid: impl Fn(Voxel) -> bool) -> &[CellContact] {
        self.contacts.clear();
        for share in looks() {
            let at = line[0].toward(line[1], share);
            let found = self.nearest(at, &is_solid);
            if let Some((cell, distance)) = found.filter(|_| !self.touches) {
                self.contacts.push(CellContact { cell, at, distance });
            }
            self.touches = found.is_some();
        }
        &self.contacts
    }

    /// The nearest solid cell that a ball at a point touches.
    fn nearest(&self, at: Point, is_solid: &impl Fn(Voxel) -> bool) -> Option<(Voxel, f64)> {
        let centre = self.frame.in_cells(at);
        let mut needed = self.radius / self.frame.cell_size() - ALLOWED;
        let around = |axis: usize, reach: f64| {
            let last = f64::from(self.size[axis]) - 1.0;
            let [from, to] = [centre[axis] - reach, centre[axis] + reach].map(f64::floor);
            from.max(0.0) as i32..=to.min(last) as i32
        };
        let beyond = |axis: usize, cell: i32| {
            let low = f64::from(cell);
            (low - centre[axis]).max(centre[axis] - low - 1.0)
        };
        let mut best = None;
        for z in around(2, needed.max(0.0)) {
            for y in around(1, needed.max(0.0)) {
                for x in around(0, needed.max(0.0)) {
                    let distance = signed_length([beyond(0, x), beyond(1, y), beyond(2, z)]);
                    let cell = Voxel::new(x, y, z);
                    if distance < needed && is_solid(cell) {
                        needed = distance;
                        best = Some((cell, distance.max(0.0) * self.frame.cell_size()));
                    }
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::distance_to;
    use super::*;
    use crate::obstacle::{Pose, Shape};

    proptest! {
        #![proptest_config(crate::random_cases::cases(256))]

        /// Cells are boxes: what a ball touches is what it touches of them, in any frame.
        #[test]
        fn cells_are_touched_like_boxes(
            solid in prop::collection::btree_set((0..7_i32, 0..6_i32, 0..5_i32), 0..40),
            at in [-1.0..8.0_f64, -1.0..7.0, -1.0..6.0], radius in 0.0..4.0_f64, size in 0.25..3.0_f64,
        ) {
            let frame = Frame::new(Point::new(-3.0, 5.0, 0.5), size).unwrap();
            let cube = Shape::cuboid(Point::new(size / 2.0, size / 2.0, size / 2.0)).unwrap();
            let point = frame.point_at(at);
            let distance = |cell: Voxel| distance_to(&cube, &Pose::at(frame.voxel_centre(cell)).unwrap(), point);
            let distances = solid.iter().map(|&(x, y, z)| distance(Voxel::new(x, y, z)));
            let nearest = distances.fold(f64::INFINITY, f64::min);
            prop_assume!((nearest - radius).abs() > 1e-4);
            let mut judge = CellJudge::new(frame, [7, 6, 5], radius);
            let found = judge.watch([point; 2], |Voxel { x, y, z }| solid.contains(&(x, y, z)));
            prop_assert_eq!(found.len(), usize::from(nearest < radius));
            for contact in found {
                prop_assert!((contact.distance - nearest).abs() < 1e-9 && contact.at == point);
                prop_assert!((distance(contact.cell) - nearest).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn contacts_count_once_until_the_ball_is_off() {
        let mut judge = CellJudge::new(Frame::default(), [20, 9, 9], 0.5);
        let at = |x, y| Point::new(x, y, 4.5);
        // A wall with a gap: along it there is one contact, and another one after the gap.
        let is_solid = |cell: Voxel| cell.y == 3 && !(8..12).contains(&cell.x);
        let mut count = |from, to| judge.watch([from, to], is_solid).len();
        assert_eq!(count(at(2.0, 5.0), at(2.0, 4.5)), 0, "a ball may lie on a cell");
        assert_eq!(count(at(2.0, 4.5), at(2.0, 4.4)), 1);
        assert_eq!(count(at(2.0, 4.4), at(7.0, 4.4)), 0);
        assert_eq!(count(at(7.0, 4.4), at(10.0, 4.4)), 0);
        assert_eq!(count(at(10.0, 4.4), at(13.0, 4.4)), 1);
        assert_eq!(count(at(13.0, 4.4), at(7.0, 4.4)), 1, "between two looks it may be off");
        let mut small = CellJudge::new(Frame::default(), [20, 9, 9], 0.0);
        let mut hits = |y| small.watch([at(2.5, y); 2], is_solid).len();
        assert_eq!(
            [4.5, 4.0, 3.99, 2.99, 3.5].map(&mut hits),
            [0, 0, 1, 0, 1],
            "a point touches what it is inside"
        );
    }
}
