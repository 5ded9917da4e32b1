//! The cells that balls and capsules overlap, row by row.
//!
//! A row of cells is a beam along x. What of a capsule lies in the beam is convex, so the cells it overlaps are those from its least
//! to its greatest x. A ball that slides along the capsule's line reaches in the beam as far as `x(t) + sqrt(r² - d(t)²)`, where `d` is
//! the distance of its middle from the beam. The beam's four sides cut the line into at most five pieces, on each of which `d²` is a
//! parabola, and the greatest value has a closed form.

use std::ops::Range;

use crate::obstacle::TOUCH;
use crate::obstacle::facets::between;
use crate::obstacle::pose::Rotation;
use crate::obstacle::vector::{Vector, dot, minus};

/// Lines that drift from the beam by less than this (in cells, squared) run along it.
const NO_DRIFT: f64 = 1e-14;

/// A ball or a capsule, in cells.
#[derive(Clone, Debug)]
pub(super) struct Round {
    ends: [Vector; 2],
    radius: f64,
}

impl Round {
    /// All within `radius` world units of a line, scaled to cells, inflated by a number of cells.
    pub fn new(ends: [Vector; 2], radius: f64, scale: f64, inflation: f64) -> Round {
        Round {
            ends: ends.map(|end| end.map(|part| part * scale)),
            radius: (radius * scale + inflation - TOUCH).max(0.0),
        }
    }

    /// Calls `visit` for each row with cells that it overlaps.
    pub fn for_each_run(
        &self,
        position: Vector,
        rotation: Rotation,
        size: [u32; 3],
        visit: &mut impl FnMut(u32, u32, Range<u32>),
    ) {
        let matrix = rotation.matrix();
        let [from, to] = self.ends.map(|end| {
            let turned = matrix.map(|row| dot(row, end));
            [turned[0] + position[0], turned[1] + position[1], turned[2] + position[2]]
        });
        let line = Line { from, along: minus(to, from), square: self.radius * self.radius };
        let cells = |low: f64, high: f64, axis: usize| {
            between((low - 1.0).max(-1.0), high.min(f64::from(size[axis])))
        };
        let [ys, zs] = [1, 2].map(|axis| {
            cells(from[axis].min(to[axis]) - self.radius, from[axis].max(to[axis]) + self.radius, axis)
        });
        for z in zs {
            for y in ys.clone() {
                if let Some((least, most)) = line.extent(f64::from(y), f64::from(z)) {
                    let run = cells(least, most, 0);
                    if !run.is_empty() {
                        visit(y, z, run);
                    }
                }
            }
        }
    }
}

/// The line in the middle of a capsule, and the square of its radius.
struct Line {
    from: Vector,
    along: Vector,
    square: f64,
}

impl Line {
    /// The least and the greatest x of the capsule in the beam of cells `y` and `z`.
    fn extent(&self, y: f64, z: f64) -> Option<(f64, f64)> {
        let mut cuts = [0.0, 1.0, 1.0, 1.0, 1.0, 1.0];
        for (axis, low, slot) in [(1, y, 1), (2, z, 3)] {
            for side in 0..2 {
                let cut = (low + side as f64 - self.from[axis]) / self.along[axis];
                if cut > 0.0 && cut < 1.0 {
                    cuts[slot + side] = cut;
                }
            }
        }
        cuts[1..5].sort_unstable_by(f64::total_cmp);
        let mut extent: Option<(f64, f64)> = None;
        for piece in cuts.windows(2) {
            if piece[0] < piece[1]
                && let Some((least, most)) = self.extent_of_piece(y, z, piece[0], piece[1])
            {
                extent = Some(extent.map_or((least, most), |(a, b)| (a.min(least), b.max(most))));
            }
        }
        extent
    }

    /// The same for the piece of the line from `start` to `end`, which lies on one side of each plane through a side of the beam.
    fn extent_of_piece(&self, y: f64, z: f64, start: f64, end: f64) -> Option<(f64, f64)> {
        let middle = start + (end - start) * 0.5;
        // The distance from the beam's sides is `offset + t * drift` in each direction.
        let part = |axis: usize, low: f64| {
            let (from, along) = (self.from[axis], self.along[axis]);
            let place = from + along * middle;
            if place < low {
                (low - from, -along)
            } else if place > low + 1.0 {
                (from - low - 1.0, along)
            } else {
                (0.0, 0.0)
            }
        };
        let ((offset_y, drift_y), (offset_z, drift_z)) = (part(1, y), part(2, z));
        let (from, along) = (self.from[0], self.along[0]);
        let drift = drift_y * drift_y + drift_z * drift_z;
        if drift < NO_DRIFT {
            let offset = (offset_y + drift_y * middle, offset_z + drift_z * middle);
            let rest = self.square - offset.0 * offset.0 - offset.1 * offset.1;
            let (x, last, reach) = (from + along * start, from + along * end, rest.sqrt());
            return (rest > 0.0).then(|| (x.min(last) - reach, x.max(last) + reach));
        }
        let mixed = offset_y * drift_y + offset_z * drift_z;
        // Where the line comes closest to the beam, if it went on for ever, and what is left of the radius there, squared.
        let closest = -mixed / drift;
        let nearest = offset_y * offset_y + offset_z * offset_z - mixed * mixed / drift;
        let rest = self.square - nearest.max(0.0);
        if rest <= 0.0 {
            return None;
        }
        let width = (rest / drift).sqrt();
        let (start, end) = (start.max(closest - width), end.min(closest + width));
        if start > end {
            return None;
        }
        // Where the slope of the line and that of the circle cancel out.
        let turn = along * (rest / (drift * (drift + along * along))).sqrt();
        let reach = |t: f64| (rest - drift * (t - closest) * (t - closest)).max(0.0).sqrt();
        let (lowest, highest) = ((closest - turn).clamp(start, end), (closest + turn).clamp(start, end));
        Some((from + along * lowest - reach(lowest), from + along * highest + reach(highest)))
    }
}
