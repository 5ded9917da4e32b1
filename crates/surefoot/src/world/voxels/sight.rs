//! Lines of sight in a voxel world, from the centre of a cell to the centre of another.
//!
//! For an agent with a radius above 0, a line is free if every unit box of cell centres that it passes has only open corners: a box
//! has eight neighbouring centres as its corners, or four or two for a line in a plane or along an axis. Every point of the line is
//! then at least the radius away from every solid cell; the proof for grids (`world/grid/sight.rs`) also holds in three dimensions.
//!
//! An agent without a radius may graze solid cells. Its line is free if every cell that it touches is open: the cells whose interior
//! it passes and, where it passes exactly through an edge or a corner, all cells that meet there.
//!
//! A line along legal steps is therefore always free. All computations use integers. A line needs a few runs of cells in each row,
//! which are compared many bits at a time.

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
            line.is_free_round(self.layer().open(), || self.layer().quads(self.shape()))
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
    /// Returns whether the agent can fly along the straight line between two points in world coordinates, which need not be centres
    /// of cells.
    ///
    /// The rule is that of [`sees`](Sight::sees), and the results agree between centres. For an agent with a radius, every unit box
    /// of cell centres that the line passes must have only open corners, so no point of the line is closer to a solid cell than the
    /// radius. For an agent without a radius, every cell that the line touches must be open. Lines that leave the world are not
    /// clear.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let voxels = Voxels::from_solid([9, 3, 3], [Voxel::new(4, 0, 1)]).unwrap();
    /// let view = voxels.view(&Agent::new().with_radius(0.4).unwrap());
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
    /// cube of eight cell centres, in a square of four, on the line between two, or at a single one. `None` if no cell is open or
    /// the point is not finite.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let voxels = Voxels::from_solid([9, 3, 3], [Voxel::new(4, 1, 1)]).unwrap();
    /// let view = voxels.view(&Agent::new().with_radius(0.4).unwrap());
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

    /// Returns whether the line is free for a round agent, given the open cells and the [quads](Layer::quads) that are open.
    #[inline]
    fn is_free_round<'a>(&self, open: &BitVolume, quads: impl FnOnce() -> &'a BitVolume) -> bool {
        let ([_, dy, dz], [row, layer]) = (self.sides, self.strides);
        if dy > 0 && dz > 0 {
            // A quad has the number of its lowest cell.
            let is_backward = |stride: u32| stride > u32::MAX / 2;
            let to_lowest = |stride: u32| if is_backward(stride) { stride } else { 0 };
            let lowest = to_lowest(row).wrapping_add(to_lowest(layer));
            let quads = quads();
            return self
                .passes(|first, last| quads.has_run(first.wrapping_add(lowest), last.wrapping_add(lowest)));
        }
        if dy == 0 && dz == 0 {
            return open.has_run(self.from, self.to);
        }
        let beside = if dy > 0 { row } else { layer };
        self.passes(|first, last| {
            open.has_run(first, last) && open.has_run(first.wrapping_add(beside), last.wrapping_add(beside))
        })
    }

    /// Returns whether all boxes of cell centres that the line passes are open.
    ///
    /// Seen along the rows, the line passes unit squares of rows, or unit lines in a plane. While it is in one of them, its rows have to be open from the column
    /// where the line enters to the one where it leaves, both in whole cells. `are_open` gets the numbers of these cells in the row
    /// of the square that the line passes first. Times are in parts of
    /// `dx dy dz` of the line (a side that is zero counts as one): then the line passes all centres' planes at whole times.
    #[inline]
    fn passes(&self, are_open: impl Fn(u32, u32) -> bool) -> bool {
        let ([dx, _, _], [row, layer]) = (self.sides, self.strides);
        let [nx, ny, nz] = self.sides.map(|side| side.max(1));
        let [per_column, per_row, per_layer] = [ny * nz, nx * nz, nx * ny];
        let end = nx * ny * nz;
        let mut corner = self.from;
        // The first column that the line has not left, and when it does.
        let (mut column, mut at_x) = (0, if dx > 0 { per_column } else { u64::MAX });
        let (mut at_y, mut at_z) = (per_row, per_layer);
        loop {
            let now = at_y.min(at_z);
            let entered = column;
            while at_x <= now.min(end) {
                column += 1;
                at_x += per_column;
            }
            let between_columns = dx > 0 && at_x - per_column < now.min(end);
            let last = column + u32::from(between_columns);
            if !are_open(corner.wrapping_add(entered), corner.wrapping_add(last)) {
                return false;
            }
            if now >= end {
                return true;
            }
            if at_y == now {
                corner = corner.wrapping_add(row);
                at_y += per_row;
            }
            if at_z == now {
                corner = corner.wrapping_add(layer);
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
