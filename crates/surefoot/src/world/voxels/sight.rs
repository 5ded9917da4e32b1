//! Lines of sight in a voxel world, from the centre of a cell to the centre of another.
//!
//! For an agent with a radius above 0, a line is free if every unit box of cell centres that it passes has only open corners: a box
//! has eight neighbouring centres as its corners, or four or two for a line in a plane or along an axis. Then every point of the line is
//! at least the radius away from every solid cell; the proof for grids (`world/grid/sight.rs`) holds along three axes as well.
//!
//! An agent without a radius may graze solid cells. Its line is free if every cell that it touches is open: those whose inside it passes,
//! and where it goes exactly through an edge or a corner, all cells that meet there.
//!
//! So a line along legal steps is always free. All of it is in whole numbers. A line needs a few runs of cells in each row, which are
//! compared with many bits at a time.

use crate::cost::{Cost, line_above};
use crate::graph::Sight;
use crate::id::NodeId;
use crate::space::{Point, Voxel};
use crate::world::clear::{Corners, Span, corners, is_clear_round, is_clear_thin, nearest_in_boxes, touched};
use crate::world::voxels::VoxelView;
use crate::world::voxels::bits::BitVolume;
use crate::world::voxels::shape::Shape;
use crate::world::voxels::step::cost_along;

impl Sight for VoxelView<'_> {
    #[inline]
    fn sees(&self, a: NodeId, b: NodeId) -> bool {
        let line = Line::between(self.shape(), a, b);
        if self.is_round() {
            line.is_free_round(self.layer().open())
        } else {
            line.is_free_thin(self.layer().open())
        }
    }

    #[inline]
    fn line(&self, a: NodeId, b: NodeId) -> Cost {
        let (p, q) = (self.shape().voxel(a), self.shape().voxel(b));
        let sides = [p.x.abs_diff(q.x), p.y.abs_diff(q.y), p.z.abs_diff(q.z)].map(u64::from);
        Cost::from_units(line_above(cost_along(1).units(), sides.iter().map(|side| side * side).sum()))
    }

    fn straight_step(&self) -> Cost {
        cost_along(1)
    }
}

impl VoxelView<'_> {
    /// Whether the agent can fly along the straight line between two points in world coordinates, centres of cells or not.
    ///
    /// The rule is that of [`sees`](Sight::sees), which gives the same answer between centres: for an agent with a radius, every unit
    /// box of cell centres that the line passes has only open corners, so no point of the line is closer to a solid cell than the radius.
    /// For one without, every cell that the line touches is open. Lines that leave the world are not clear.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let voxels = Voxels::from_solid([9, 3, 3], [Voxel::new(4, 0, 1)]).unwrap();
    /// let view = voxels.view(&Agent { radius: 0.4, ..Agent::default() }).unwrap();
    /// let (from, to) = (Point::new(0.7, 1.5, 1.5), Point::new(8.2, 1.5, 1.5));
    /// assert!(view.is_clear(from, to));
    /// assert!(!view.is_clear(from, Point { y: 1.2, ..to }), "too close to the solid cell");
    /// ```
    pub fn is_clear(&self, a: Point, b: Point) -> bool {
        self.is_clear_where(a, b, |cell| self.is_open(cell))
    }

    /// The same where other cells are open to the agent than those of the view.
    pub(crate) fn is_clear_where(&self, a: Point, b: Point, is_open: impl Fn(Voxel) -> bool) -> bool {
        let [a, b] = [a, b].map(|point| self.voxels().frame().in_cells(point));
        let size = self.voxels().size();
        let is_inside =
            |at: [f64; 3]| at.iter().zip(size).all(|(at, side)| (0.0..=f64::from(side)).contains(at));
        if !is_inside(a) || !is_inside(b) {
            return false;
        }
        let is_open = |[x, y, z]: [i32; 3]| is_open(Voxel { x, y, z });
        if self.is_round() {
            let [a, b] = [a, b].map(|point| point.map(|part| part - 0.5));
            return is_clear_round(a, b, is_open);
        }
        is_clear_thin(a, b, Corners::All, is_open)
    }

    /// The cells that have to be open for the agent to be at a point.
    pub(crate) fn cells_around(&self, at: Point) -> Span<3> {
        let at = self.voxels().frame().in_cells(at);
        if self.is_round() { corners(at.map(|part| part - 0.5)) } else { touched(at) }
    }

    /// Returns the point itself if the agent can be there, and otherwise the nearest point between neighbouring open cells: in a
    /// cube of eight cell centres, in a square of four, on the line between two, or at one. `None` if no cell is open, or the
    /// point is not finite.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let voxels = Voxels::from_solid([9, 3, 3], [Voxel::new(4, 1, 1)]).unwrap();
    /// let view = voxels.view(&Agent { radius: 0.4, ..Agent::default() }).unwrap();
    /// let inside = Point::new(4.5, 1.5, 1.75);
    /// assert_eq!(view.nearest_clear_point(inside), Some(Point::new(4.5, 1.5, 2.5)));
    /// ```
    pub fn nearest_clear_point(&self, to: Point) -> Option<Point> {
        if self.is_clear(to, to) {
            return Some(to);
        }
        let frame = self.voxels().frame();
        let at = frame.in_cells(to).map(|part| part - 0.5);
        at.iter().all(|part| part.is_finite()).then_some(())?;
        let is_open = |[x, y, z]: [i32; 3]| self.is_open(Voxel { x, y, z });
        let point = nearest_in_boxes(at, self.voxels().size(), is_open)?;
        Some(frame.point_at(point.map(|part| part + 0.5)))
    }
}

/// A line between two cells, from left to right.
struct Line {
    from: u32,
    to: u32,
    /// How many cells it goes along each axis.
    sides: [u64; 3],
    /// What to add to a number for the next row and the next layer, wrapping around where that is backwards.
    strides: [u32; 2],
}

impl Line {
    #[inline]
    fn between(shape: &Shape, a: NodeId, b: NodeId) -> Line {
        let (p, q) = (shape.voxel(a), shape.voxel(b));
        let (from, to, p, q) = if p.x <= q.x { (a, b, p, q) } else { (b, a, q, p) };
        let [_, row, layer] = shape.strides();
        let row = if p.y <= q.y { row } else { row.wrapping_neg() };
        let layer = if p.z <= q.z { layer } else { layer.wrapping_neg() };
        let sides = [q.x.abs_diff(p.x), q.y.abs_diff(p.y), q.z.abs_diff(p.z)].map(u64::from);
        Line { from: from.0, to: to.0, sides, strides: [row, layer] }
    }

    /// Whether the line is free for a round agent.
    ///
    /// Seen along the rows, the line passes unit squares of rows, up to four rows at a time. A row has to be open from where the line
    /// enters the first square that the row belongs to until it leaves the last, in whole cells. Times are in parts of `dx dy dz` of
    /// the line (a side that is zero counts as one): then the line passes all centres' planes at whole times.
    #[inline]
    fn is_free_round(&self, open: &BitVolume) -> bool {
        let [dx, dy, dz] = self.sides;
        let [nx, ny, nz] = self.sides.map(|side| side.max(1));
        let [per_column, per_row, per_layer] = [ny * nz, nx * nz, nx * ny];
        let end = nx * ny * nz;
        let [row, layer] = self.strides;
        // By whether it is the next row, and whether it is in the next layer: in which column the row was entered.
        let mut entered = [[0_u32; 2]; 2];
        let (rows, layers) = (1 + usize::from(dy > 0), 1 + usize::from(dz > 0));
        // The number of the first cell of the row in which the line is, and the first column that it has not left.
        let (mut base, mut column) = (self.from, 0_u32);
        let (mut at_x, mut at_y, mut at_z) = (per_column, per_row, per_layer);
        let is_open = |base: u32, y: usize, z: usize, first: u32, last: u32| {
            let at =
                base.wrapping_add(if y == 1 { row } else { 0 }).wrapping_add(if z == 1 { layer } else { 0 });
            open.has_run(at + first, at + last)
        };
        loop {
            let now = at_y.min(at_z);
            if now >= end {
                let all = (0..rows).flat_map(|y| (0..layers).map(move |z| (y, z)));
                return all.into_iter().all(|(y, z)| is_open(base, y, z, entered[y][z], dx as u32));
            }
            while dx > 0 && at_x <= now {
                column += 1;
                at_x += per_column;
            }
            let last = column + u32::from(dx > 0 && at_x - per_column < now);
            let (leaves_row, leaves_layer) = (at_y == now, at_z == now);
            let is_left = |y: usize, z: usize| leaves_row && y == 0 || leaves_layer && z == 0;
            for (y, entered) in entered.iter().enumerate().take(rows) {
                for (z, &first) in entered.iter().enumerate().take(layers) {
                    if is_left(y, z) && !is_open(base, y, z, first, last) {
                        return false;
                    }
                }
            }
            if leaves_row {
                entered = [entered[1], [column; 2]];
                base = base.wrapping_add(row);
                at_y += per_row;
            }
            if leaves_layer {
                entered = entered.map(|[_, next]| [next, column]);
                base = base.wrapping_add(layer);
                at_z += per_layer;
            }
        }
    }

    /// Whether the line is free for an agent without a radius.
    ///
    /// Times are in parts of `2 dx dy dz` of the line (a side that is zero counts as one): then all crossings of planes between
    /// cells are whole numbers.
    #[inline]
    fn is_free_thin(&self, open: &BitVolume) -> bool {
        let ([dx, dy, dz], [row, layer]) = (self.sides, self.strides);
        let [nx, ny, nz] = self.sides.map(|side| side.max(1));
        let end = 2 * nx * ny * nz;
        // Half the time from plane to plane, and when the next is crossed: never, if the line runs along it.
        let halves = [ny * nz, nx * nz, nx * ny];
        let first_at = |axis: usize, side: u64| if side == 0 { u64::MAX } else { halves[axis] };
        let (mut at_x, mut at_y, mut at_z) = (first_at(0, dx), first_at(1, dy), first_at(2, dz));
        let (mut first, mut last) = (self.from, self.from);
        loop {
            let now = at_y.min(at_z);
            if now > end {
                return open.has_run(first, self.to);
            }
            while at_x < now {
                last += 1;
                at_x += 2 * halves[0];
            }
            // The cell after this one, if the line goes over to it at the same time.
            let beside = u32::from(at_x == now);
            if !open.has_run(first, last + beside) {
                return false;
            }
            let (crosses_row, crosses_layer) = (at_y == now, at_z == now);
            let mut next = last;
            if crosses_row && crosses_layer {
                let (other_row, other_layer) = (last.wrapping_add(row), last.wrapping_add(layer));
                if !open.has_run(other_row, other_row + beside)
                    || !open.has_run(other_layer, other_layer + beside)
                {
                    return false;
                }
            }
            if crosses_row {
                next = next.wrapping_add(row);
                at_y += 2 * halves[1];
            }
            if crosses_layer {
                next = next.wrapping_add(layer);
                at_z += 2 * halves[2];
            }
            at_x += 2 * halves[0] * u64::from(beside);
            (first, last) = (next, next + beside);
        }
    }
}
