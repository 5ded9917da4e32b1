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
use crate::world::voxels::bits::{BitVolume, WINDOW};
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

/// Four rows around a line (rows may occur twice), with the bits of some columns loaded.
struct FourRows<'a> {
    open: &'a BitVolume,
    /// What to add to a number for the next row and the next layer.
    beside: [u32; 2],
    /// The number of the first column of the first row.
    corner: u32,
    /// The first column whose bits are loaded, [`WINDOW`] of each row.
    first: u32,
    /// By row and layer.
    windows: [[u64; 2]; 2],
}

impl FourRows<'_> {
    #[inline]
    fn window(&self, y: u32, z: u32) -> u64 {
        let [row, layer] = self.beside;
        let at = self.corner.wrapping_add(y.wrapping_mul(row)).wrapping_add(z.wrapping_mul(layer));
        self.open.window(i64::from(at + self.first))
    }

    #[inline]
    fn load(&mut self) {
        self.windows = [0, 1].map(|y| [0, 1].map(|z| self.window(y, z)));
    }

    /// Advances by one row.
    #[inline]
    fn next_row(&mut self) {
        self.corner = self.corner.wrapping_add(self.beside[0]);
        self.windows = [self.windows[1], [0, 1].map(|z| self.window(1, z))];
    }

    /// Advances by one layer.
    #[inline]
    fn next_layer(&mut self) {
        self.corner = self.corner.wrapping_add(self.beside[1]);
        let [[_, near], [_, far]] = self.windows;
        self.windows = [[near, self.window(0, 1)], [far, self.window(1, 1)]];
    }

    /// Returns whether all four are open from one column to another. Columns have to be queried in order.
    #[inline]
    fn are_open(&mut self, from: u32, to: u32) -> bool {
        if to - self.first >= WINDOW {
            if to - from >= WINDOW {
                return self.are_open_far(from, to);
            }
            self.first = from;
            self.load();
        }
        !(self.all() >> (from - self.first)) << (63 - (to - from)) == 0
    }

    /// The same for more columns than are ever loaded.
    fn are_open_far(&mut self, from: u32, to: u32) -> bool {
        let [row, layer] = self.beside;
        let is_open = |at: u32| self.open.has_run(at + from, at + to);
        let next = self.corner.wrapping_add(row);
        let open = [self.corner, next].into_iter().all(|at| is_open(at) && is_open(at.wrapping_add(layer)));
        // The line may be a column behind the last one that it needs.
        self.first = to - 1;
        self.load();
        open
    }

    /// The columns that are open in all of them.
    #[inline]
    fn all(&self) -> u64 {
        let [[a, b], [c, d]] = self.windows;
        a & b & c & d
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
    /// Seen along the rows, the line passes unit squares of rows, four rows at a time (in a plane, two of them twice). While it is in
    /// one square, these rows have to be open from the column where it enters to the one where it leaves, both in whole cells. Times are in parts of
    /// `dx dy dz` of the line (a side that is zero counts as one): then the line passes all centres' planes at whole times.
    ///
    /// From one square to the next, two of the rows stay the same, so two are loaded.
    #[inline]
    fn is_free_round(&self, open: &BitVolume) -> bool {
        let [dx, dy, dz] = self.sides;
        if dy == 0 && dz == 0 {
            return open.has_run(self.from, self.to);
        }
        let [nx, ny, nz] = self.sides.map(|side| side.max(1));
        let [per_column, per_row, per_layer] = [ny * nz, nx * nz, nx * ny];
        let end = nx * ny * nz;
        let [row, layer] = self.strides;
        let mut rows = FourRows {
            open,
            beside: [if dy > 0 { row } else { 0 }, if dz > 0 { layer } else { 0 }],
            corner: self.from,
            first: 0,
            windows: [[0; 2]; 2],
        };
        rows.load();
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
            if !rows.are_open(entered, column + u32::from(between_columns)) {
                return false;
            }
            if now >= end {
                return true;
            }
            if at_y == now {
                rows.next_row();
                at_y += per_row;
            }
            if at_z == now {
                rows.next_layer();
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
