//! Line of sight between arbitrary points, and clear points, in 2D and 3D.
//!
//! Lines of sight (`grid/sight.rs`, `voxels/sight.rs`) lead from centre to centre and are decided in whole numbers. A flying agent
//! can be anywhere, so here the same rules are applied to points with fractions. A line is cut where it passes a plane of cell
//! centres (for an agent with a radius) or a plane between cells (for one without), and each part is compared with the cells around it.
//!
//! # Rounding
//! Coordinates and cuts are rounded, so whatever is closer together than [`TOUCH`] cells counts as one. Between the centres of two
//! cells that changes nothing: such a line goes at most 2^14 cells along an axis, so two cuts, or a cut and a plane, are at one place or
//! at least 2^-15 cells apart, and rounding moves them by less than 2^-30 (with a frame whose origin is not millions of cells away).
//! Elsewhere it may let a line come closer to a solid cell by a few times [`TOUCH`].

/// What counts as one place, in cells: 2^-24.
const TOUCH: f64 = 1.0 / (1 << 24) as f64;

/// A box of cells: the first and the last along each axis.
pub(crate) type Span<const N: usize> = [[i32; 2]; N];

/// What an agent without a radius needs where it goes exactly through the corner of four cells of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corners {
    /// All cells at the corner are open.
    All,
    /// One of the two cells beside the line is open.
    One,
    /// Nothing.
    Free,
}

/// Whether a line is free for an agent with a radius: every unit box of cell centres that it passes has only open corners.
///
/// Coordinates are those in which the centre of cell `k` is `k`, and the line must not leave a world of ordinary size.
pub(crate) fn is_clear_round<const N: usize>(
    from: [f64; N],
    to: [f64; N],
    is_open: impl Fn([i32; N]) -> bool,
) -> bool {
    Parts::new(from, to).all(|share| all_open(corners(along(from, to, share)), &is_open))
}

/// Whether a line is free for an agent without a radius: every cell that it touches is open.
///
/// Coordinates are those in which cell `k` lies from `k` to `k + 1`, and the line must not leave a world of ordinary size.
pub(crate) fn is_clear_thin<const N: usize>(
    from: [f64; N],
    to: [f64; N],
    at_corners: Corners,
    is_open: impl Fn([i32; N]) -> bool,
) -> bool {
    let mut last = touched(from);
    let parts = Parts::new(from, to).map(|share| touched(along(from, to, share)));
    parts.chain([touched(to)]).all(|next| {
        let free = if at_corners != Corners::All && is_diagonal(&last, &next) {
            passes_corner(&last, &next, at_corners, &is_open)
        } else {
            all_open(hull(last, next), &is_open)
        };
        last = next;
        free
    })
}

/// Returns the point nearest to `to` in a box of neighbouring cell centres (a cube, a square, an edge or a single centre) whose corners
/// are all open. A box holds no point that is closer to a solid cell than its corners.
///
/// Coordinates are those in which the centre of cell `k` is `k`; `to` is finite.
pub(crate) fn nearest_in_boxes<const N: usize>(
    to: [f64; N],
    size: [u32; N],
    is_open: impl Fn([i32; N]) -> bool,
) -> Option<[f64; N]> {
    let last = size.map(|side| side.saturating_sub(2) as i32);
    let inside: [f64; N] = std::array::from_fn(|axis| to[axis].clamp(0.0, f64::from(size[axis] - 1)));
    let pivot: [i32; N] = std::array::from_fn(|axis| (inside[axis].floor() as i32).min(last[axis]));
    let outside = squared_distance(to, inside);
    let mut best: Option<(f64, [f64; N])> = None;
    for reach in 0..=*last.iter().max()? {
        // No box that is `reach` away from the first is nearer than this: the world is convex, so the two parts add up.
        let least = outside + f64::from((reach - 1).max(0)).powi(2);
        if best.is_some_and(|(nearest, _)| nearest <= least) {
            break;
        }
        for_each_at(reach, pivot, last, |base| {
            let open = open_corners(base, &is_open);
            for face in 0..3_usize.pow(N as u32) {
                if let Some(point) = nearest_of_face(face, open, base, to) {
                    let distance = squared_distance(to, point);
                    if best.is_none_or(|(nearest, _)| distance < nearest) {
                        best = Some((distance, point));
                    }
                }
            }
        });
    }
    best.map(|(_, point)| point)
}

/// The middles of the parts into which a line is cut where a coordinate is whole, as shares of the line. Parts shorter than [`TOUCH`]
/// are left out; a line that is no longer has one part.
struct Parts<const N: usize> {
    from: [f64; N],
    sides: [f64; N],
    /// The plane that is passed next, and at which share of the line.
    planes: [f64; N],
    passed: [f64; N],
    /// [`TOUCH`] as a share of the line.
    touch: f64,
    /// Where the part begins that comes next; beyond 1 when there is none.
    begin: f64,
}

impl<const N: usize> Parts<N> {
    fn new(from: [f64; N], to: [f64; N]) -> Parts<N> {
        let sides: [f64; N] = std::array::from_fn(|axis| to[axis] - from[axis]);
        let longest = sides.iter().fold(0.0, |longest: f64, side| longest.max(side.abs()));
        let touch = if longest > TOUCH { TOUCH / longest } else { 0.0 };
        let planes = std::array::from_fn(|axis| {
            if sides[axis] > 0.0 { from[axis].floor() + 1.0 } else { from[axis].ceil() - 1.0 }
        });
        let mut parts = Parts { from, sides, planes, passed: [f64::INFINITY; N], touch, begin: 0.0 };
        if longest > TOUCH {
            (0..N).for_each(|axis| parts.aim(axis));
        }
        parts
    }

    /// Computes when the next plane is passed.
    fn aim(&mut self, axis: usize) {
        let side = self.sides[axis];
        self.passed[axis] =
            if side.abs() > TOUCH { (self.planes[axis] - self.from[axis]) / side } else { f64::INFINITY };
    }
}

impl<const N: usize> Iterator for Parts<N> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        while self.begin < 1.0 {
            let end = self.passed.iter().fold(1.0, |end: f64, &passed| end.min(passed));
            for axis in 0..N {
                if self.passed[axis] <= end {
                    self.planes[axis] += self.sides[axis].signum();
                    self.aim(axis);
                }
            }
            let begin = std::mem::replace(&mut self.begin, end);
            if end - begin > self.touch {
                return Some(begin.midpoint(end));
            }
        }
        None
    }
}

fn along<const N: usize>(from: [f64; N], to: [f64; N], share: f64) -> [f64; N] {
    std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * share)
}

fn squared_distance<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    (0..N).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum()
}

/// The cells whose centres are the corners of the box around a point; along an axis on which it is at a centre, only that one.
pub(crate) fn corners<const N: usize>(at: [f64; N]) -> Span<N> {
    at.map(|part| [(part + TOUCH).floor() as i32, (part - TOUCH).ceil() as i32])
}

/// The cells that a point touches.
pub(crate) fn touched<const N: usize>(at: [f64; N]) -> Span<N> {
    at.map(|part| [(part - TOUCH).floor() as i32, (part + TOUCH).floor() as i32])
}

fn hull<const N: usize>(a: Span<N>, b: Span<N>) -> Span<N> {
    std::array::from_fn(|axis| [a[axis][0].min(b[axis][0]), a[axis][1].max(b[axis][1])])
}

fn all_open<const N: usize>(span: Span<N>, is_open: &impl Fn([i32; N]) -> bool) -> bool {
    let mut cell = span.map(|[first, _]| first);
    loop {
        if !is_open(cell) {
            return false;
        }
        let Some(axis) = (0..N).find(|&axis| cell[axis] < span[axis][1]) else { return true };
        cell[axis] += 1;
        (0..axis).for_each(|before| cell[before] = span[before][0]);
    }
}

/// Whether two single cells differ along every axis.
fn is_diagonal<const N: usize>(a: &Span<N>, b: &Span<N>) -> bool {
    let is_single = |span: &Span<N>| span.iter().all(|[first, last]| first == last);
    is_single(a) && is_single(b) && (0..N).all(|axis| a[axis] != b[axis])
}

/// Whether a line may go from one cell to another through the corner at which they meet.
fn passes_corner<const N: usize>(
    last: &Span<N>,
    next: &Span<N>,
    at_corners: Corners,
    is_open: &impl Fn([i32; N]) -> bool,
) -> bool {
    let (last, next) = (last.map(|[cell, _]| cell), next.map(|[cell, _]| cell));
    let beside = |axis: usize| {
        let mut cell = last;
        cell[axis] = next[axis];
        is_open(cell)
    };
    is_open(last) && is_open(next) && (at_corners == Corners::Free || (0..N).any(beside))
}

/// Calls `visit` for each place that differs from `pivot` by `reach` along one axis and by no more along the others, from 0 to `last`.
fn for_each_at<const N: usize>(reach: i32, pivot: [i32; N], last: [i32; N], mut visit: impl FnMut([i32; N])) {
    let first: [i32; N] = std::array::from_fn(|axis| (pivot[axis] - reach).max(0));
    let end: [i32; N] = std::array::from_fn(|axis| (pivot[axis] + reach).min(last[axis]));
    let mut at = first;
    loop {
        // Along x the places between the two ends are left out, unless another axis is at its end.
        if (1..N).any(|axis| at[axis].abs_diff(pivot[axis]) == reach as u32) {
            (first[0]..=end[0]).for_each(|x| {
                at[0] = x;
                visit(at);
            });
        } else {
            let ends = [pivot[0] - reach, pivot[0] + reach];
            for x in ends.into_iter().take(1 + usize::from(reach > 0)).filter(|x| (0..=last[0]).contains(x)) {
                at[0] = x;
                visit(at);
            }
        }
        let Some(axis) = (1..N).find(|&axis| at[axis] < end[axis]) else { return };
        at[axis] += 1;
        (1..axis).for_each(|before| at[before] = first[before]);
    }
}

/// Which corners of the box of centres from `base` on are open: bit `i` of a corner's number is set if it is the far one along axis `i`.
fn open_corners<const N: usize>(base: [i32; N], is_open: &impl Fn([i32; N]) -> bool) -> u32 {
    (0..1_u32 << N).fold(0, |open, corner| {
        let cell = std::array::from_fn(|axis| base[axis] + (corner >> axis & 1) as i32);
        open | u32::from(is_open(cell)) << corner
    })
}

/// The nearest point of a face of a box, if all corners of the face are open. Digit `i` of a face's number to base 3 is whether it is
/// the near side along axis `i`, the far side, or reaches from one to the other.
fn nearest_of_face<const N: usize>(
    mut face: usize,
    open: u32,
    base: [i32; N],
    to: [f64; N],
) -> Option<[f64; N]> {
    let (mut point, mut corners) = (to, (1_u64 << (1 << N)) - 1);
    for axis in 0..N {
        let near = f64::from(base[axis]);
        // The corners whose bit of this axis is set.
        let far_corners = [0xaa, 0xcc, 0xf0][axis];
        match face % 3 {
            0 => (point[axis], corners) = (near, corners & !far_corners),
            1 => (point[axis], corners) = (near + 1.0, corners & far_corners),
            _ => point[axis] = to[axis].clamp(near, near + 1.0),
        }
        face /= 3;
    }
    (u64::from(open) & corners == corners).then_some(point)
}
