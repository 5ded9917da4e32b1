//! Straight lines through a voxel world, from the middle of a cell to the middle of another.
//!
//! A line is free if every cell that it touches is open to the agent: those whose inside it passes, and where it goes exactly
//! through an edge or a corner, all cells that meet there. So a line along diagonal steps is free when the steps are legal, if the
//! agent makes such steps at all.
//!
//! All of it is in whole numbers. A line crosses each row in one run of cells, which is compared with many bits at a time.

use crate::cost::{Cost, line_above};
use crate::graph::Sight;
use crate::id::NodeId;
use crate::world::voxels::VoxelView;
use crate::world::voxels::step::cost_along;

impl Sight for VoxelView<'_> {
    /// Times are in parts of `2 dx dy dz` of the line (a side that is zero counts as one): then all crossings of planes between
    /// cells are whole numbers.
    #[inline]
    fn sees(&self, a: NodeId, b: NodeId) -> bool {
        let (p, q) = (self.shape().voxel(a), self.shape().voxel(b));
        // From left to right.
        let (from, to, p, q) = if p.x <= q.x { (a, b, p, q) } else { (b, a, q, p) };
        let [_, row, layer] = self.shape().strides();
        let row = if p.y <= q.y { row } else { row.wrapping_neg() };
        let layer = if p.z <= q.z { layer } else { layer.wrapping_neg() };
        let [dx, dy, dz] = [q.x.abs_diff(p.x), q.y.abs_diff(p.y), q.z.abs_diff(p.z)].map(u64::from);
        let [nx, ny, nz] = [dx.max(1), dy.max(1), dz.max(1)];
        let end = 2 * nx * ny * nz;
        // Half the time from plane to plane, and when the next is crossed: never, if the line runs along it.
        let halves = [ny * nz, nx * nz, nx * ny];
        let first_at = |axis: usize, side: u64| if side == 0 { u64::MAX } else { halves[axis] };
        let (mut at_x, mut at_y, mut at_z) = (first_at(0, dx), first_at(1, dy), first_at(2, dz));
        let open = self.layer().open();
        let (mut first, mut last) = (from.0, from.0);
        loop {
            let now = at_y.min(at_z);
            if now > end {
                return open.has_run(first, to.0);
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

    #[inline]
    fn line(&self, a: NodeId, b: NodeId) -> Cost {
        let (p, q) = (self.shape().voxel(a), self.shape().voxel(b));
        let sides = [p.x.abs_diff(q.x), p.y.abs_diff(q.y), p.z.abs_diff(q.z)].map(u64::from);
        Cost::from_units(line_above(cost_along(1).units(), sides.iter().map(|side| side * side).sum()))
    }
}
