//! The cells that a solid with flat faces overlaps, row by row.
//!
//! Two convex solids are apart if and only if their shadows on some axis are, and of all axes it is enough to look at the
//! directions of the faces of both and at right angles to an edge of each (the separating axis theorem; S. Gottschalk,
//! M. C. Lin, D. Manocha, `OBBTree`, SIGGRAPH 1996). One of the solids is a cell here, so its directions are x, y and z, and
//! the shadows of all cells are equally long. Whether a cell's shadow reaches into that of the solid is therefore a pair of linear
//! inequalities in the cell's coordinates, the same pair for all cells: each axis clips a row of cells to an interval.

use std::ops::Range;

use crate::obstacle::TOUCH;
use crate::obstacle::polyhedron::Solid;
use crate::obstacle::pose::Rotation;
use crate::obstacle::vector::{SAME_DIRECTION, Vector, cross, dot, parallel, unit};

/// The directions of a cell's faces and edges.
const CELL: [Vector; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// An edge this close to a cell's edge (in radians) makes no axis of its own: the faces already cover it.
const ALONG: f64 = 1e-9;

/// With more axes than this, looking for equal ones takes longer than it saves.
const FEW: usize = 32;

/// How many axes are looked at in one go.
const LANES: usize = 4;

/// A solid with flat faces, in cells.
#[derive(Clone, Debug)]
pub(super) struct Facets {
    solid: Solid,
    inflation: f64,
    /// For which rotation all else holds.
    rotation: Option<Rotation>,
    corners: Vec<Vector>,
    /// x, y and z, then all others.
    axes: Vec<Axis>,
    /// Axes that clip rows.
    rows: Vec<RowClip>,
    /// Axes at right angles to rows: they clip layers.
    layers: Vec<LayerClip>,
    /// Whether all layers are alike, because all axes are level or straight up.
    upright: bool,
    /// The rows of a layer.
    layer: Vec<(u32, Range<u32>)>,
}

/// A cell reaches into the solid's shadow on this axis if `direction * (cell - position)` is strictly between two numbers.
#[derive(Clone, Copy, Debug)]
struct Axis {
    direction: Vector,
    low: f64,
    high: f64,
}

impl Axis {
    /// The two numbers for a solid at a position.
    fn limits(&self, position: Vector) -> (f64, f64) {
        let shift = dot(self.direction, position);
        (self.low + shift, self.high + shift)
    }
}

/// Some axes solved for x: x is strictly between `low` and `high`, each plus `y * slope_y + z * slope_z`.
#[derive(Clone, Copy, Debug)]
struct RowClip {
    /// Which axes, and what to multiply their limits with.
    axis: [Option<(u32, f64)>; LANES],
    slope_y: [f64; LANES],
    slope_z: [f64; LANES],
    low: [f64; LANES],
    high: [f64; LANES],
    /// The same with the part of z added.
    layer_low: [f64; LANES],
    layer_high: [f64; LANES],
}

/// An axis without x solved for y: y is strictly between `low` and `high`, each plus `z * slope_z`.
#[derive(Clone, Copy, Debug)]
struct LayerClip {
    axis: u32,
    scale: f64,
    slope_z: f64,
    low: f64,
    high: f64,
}

impl Facets {
    /// A solid, scaled from world units to cells, inflated by a number of cells in all directions.
    pub fn new(mut solid: Solid, scale: f64, inflation: f64) -> Facets {
        for corner in &mut solid.corners {
            *corner = corner.map(|part| part * scale);
        }
        Facets {
            solid,
            inflation,
            rotation: None,
            corners: Vec::new(),
            axes: Vec::new(),
            rows: Vec::new(),
            layers: Vec::new(),
            upright: false,
            layer: Vec::new(),
        }
    }

    /// Calls `visit` for each row with cells that the solid overlaps.
    pub fn for_each_run(
        &mut self,
        position: Vector,
        rotation: Rotation,
        size: [u32; 3],
        visit: &mut impl FnMut(u32, u32, Range<u32>),
    ) {
        if self.rotation != Some(rotation) {
            self.turn(rotation);
        }
        let bounds: [Range<u32>; 3] = std::array::from_fn(|axis| {
            let (low, high) = self.axes[axis].limits(position);
            between(low.max(-1.0), high.min(f64::from(size[axis])))
        });
        let [xs, ys, zs] = bounds;
        if xs.is_empty() || ys.is_empty() {
            return;
        }
        self.place(position);
        for z in zs.clone() {
            if z == zs.start || !self.upright {
                self.clip_layer(&xs, &ys, f64::from(z));
            }
            for (y, run) in &self.layer {
                visit(*y, z, run.clone());
            }
        }
    }

    /// Makes the axes for a rotation.
    fn turn(&mut self, rotation: Rotation) {
        let matrix = rotation.matrix();
        let turned = |&v: &Vector| matrix.map(|row| dot(row, v));
        self.corners.clear();
        self.corners.extend(self.solid.corners.iter().map(turned));
        self.axes.clear();
        self.axes.extend(CELL.map(|direction| shadow(direction, &self.corners, self.inflation)));
        let clean = |v: &Vector| turned(v).map(cleaned);
        let normals = self.solid.normals.iter().map(clean);
        let edges = self.solid.edges.iter().map(clean);
        // Of a box at an odd angle, no two axes are equal; of one that stands upright, most are.
        let few = self.solid.normals.len() + 3 * self.solid.edges.len() <= FEW;
        let look_for_equals = few && normals.clone().chain(edges.clone()).any(|[x, y, z]| x * y * z == 0.0);
        let crossings =
            edges.flat_map(|edge| CELL.into_iter().filter_map(move |cell| unit(cross(cell, edge), ALONG)));
        for direction in normals.chain(crossings).map(|direction| direction.map(cleaned)) {
            let known = if look_for_equals { &self.axes[..] } else { &[] };
            if !is_along_cell(direction) && !known.iter().any(|axis| parallel(axis.direction, direction)) {
                self.axes.push(shadow(direction, &self.corners, self.inflation));
            }
        }
        self.solve();
        self.rotation = Some(rotation);
    }

    /// Solves each axis for x, or for y where it has no x.
    fn solve(&mut self) {
        self.rows.clear();
        self.layers.clear();
        let mut filled = LANES;
        self.upright = true;
        for (index, axis) in (0..).zip(&self.axes).skip(CELL.len()) {
            let [x, y, z] = axis.direction;
            self.upright &= z == 0.0;
            if x == 0.0 {
                let scale = 1.0 / y;
                self.layers.push(LayerClip { axis: index, scale, slope_z: -z * scale, low: 0.0, high: 0.0 });
                continue;
            }
            let scale = 1.0 / x;
            if filled == LANES {
                self.rows.push(RowClip::NOTHING);
                filled = 0;
            }
            if let Some(clip) = self.rows.last_mut() {
                clip.axis[filled] = Some((index, scale));
                clip.slope_y[filled] = -y * scale;
                clip.slope_z[filled] = -z * scale;
            }
            filled += 1;
        }
    }

    /// Moves the clips to a position.
    fn place(&mut self, position: Vector) {
        for clip in &mut self.rows {
            for lane in 0..LANES {
                if let Some((axis, scale)) = clip.axis[lane] {
                    (clip.low[lane], clip.high[lane]) =
                        scaled(self.axes[axis as usize].limits(position), scale);
                }
            }
        }
        for clip in &mut self.layers {
            (clip.low, clip.high) = scaled(self.axes[clip.axis as usize].limits(position), clip.scale);
        }
    }

    /// Finds the rows of a layer.
    fn clip_layer(&mut self, xs: &Range<u32>, ys: &Range<u32>, z: f64) {
        self.layer.clear();
        let mut limits = (f64::from(ys.start) - 1.0, f64::from(ys.end));
        for clip in &self.layers {
            let shift = z * clip.slope_z;
            limits = (limits.0.max(clip.low + shift), limits.1.min(clip.high + shift));
        }
        for clip in &mut self.rows {
            for lane in 0..LANES {
                let shift = z * clip.slope_z[lane];
                clip.layer_low[lane] = clip.low[lane] + shift;
                clip.layer_high[lane] = clip.high[lane] + shift;
            }
        }
        let (start, end) = (f64::from(xs.start) - 1.0, f64::from(xs.end));
        for y in between(limits.0, limits.1) {
            let (mut low, mut high) = ([start; LANES], [end; LANES]);
            for clip in &self.rows {
                for lane in 0..LANES {
                    let shift = f64::from(y) * clip.slope_y[lane];
                    low[lane] = greater(low[lane], clip.layer_low[lane] + shift);
                    high[lane] = less(high[lane], clip.layer_high[lane] + shift);
                }
            }
            let run = between(low.into_iter().fold(start, greater), high.into_iter().fold(end, less));
            if !run.is_empty() {
                self.layer.push((y, run));
            }
        }
    }
}

impl RowClip {
    /// Clips nothing.
    const NOTHING: RowClip = RowClip {
        axis: [None; LANES],
        slope_y: [0.0; LANES],
        slope_z: [0.0; LANES],
        low: [f64::NEG_INFINITY; LANES],
        high: [f64::INFINITY; LANES],
        layer_low: [f64::NEG_INFINITY; LANES],
        layer_high: [f64::INFINITY; LANES],
    };
}

/// An axis with the shadow of a solid around the origin.
fn shadow(direction: Vector, corners: &[Vector], inflation: f64) -> Axis {
    let (mut least, mut most) = (f64::MAX, f64::MIN);
    for &corner in corners {
        let along = dot(direction, corner);
        least = less(least, along);
        most = greater(most, along);
    }
    // A cell's shadow begins and ends so far from that of its lowest corner.
    let begin: f64 = direction.iter().map(|part| part.min(0.0)).sum();
    let end: f64 = direction.iter().map(|part| part.max(0.0)).sum();
    Axis { direction, low: least - inflation + TOUCH - end, high: most + inflation - TOUCH - begin }
}

/// Whether a direction is x, y or z: two of its parts are next to nothing.
fn is_along_cell(direction: Vector) -> bool {
    direction.iter().filter(|part| part.abs() < SAME_DIRECTION).count() == 2
}

/// A part of a direction, without what is left over from rounding and would be divided by.
fn cleaned(part: f64) -> f64 {
    if part.abs() < 1e-15 { 0.0 } else { part }
}

/// Limits multiplied with a number that may be negative.
fn scaled((low, high): (f64, f64), scale: f64) -> (f64, f64) {
    if scale < 0.0 { (high * scale, low * scale) } else { (low * scale, high * scale) }
}

/// The greater of two numbers; one instruction, unlike `f64::max`, which has to think of NaN.
fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The lesser of two numbers.
fn less(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The whole numbers strictly between two numbers, of which the first is at least -1.
pub(super) fn between(low: f64, high: f64) -> Range<u32> {
    let end = high as u32;
    (low + 1.0) as u32..end + u32::from(f64::from(end) < high)
}
