//! Straight lines from anywhere in space: whether an agent can fly along them.
//!
//! The library's `Sight` answers that for lines from the centre of a cell to the centre of another, in whole numbers. A flying agent is
//! somewhere between.

use surefoot::prelude::*;

/// A place in cells: the middle of cell `x, y, z` is `x + 0.5, y + 0.5, z + 0.5`.
pub type At = [f64; 3];

/// What rounding may do to a coordinate or to a share of a line.
const ROUNDING: f64 = 1e-9;

/// The middle of a cell.
pub fn middle(Voxel { x, y, z }: Voxel) -> At {
    [x, y, z].map(|part| f64::from(part) + 0.5)
}

/// The cell around a place.
pub fn cell_of(at: At) -> Voxel {
    let [x, y, z] = at.map(|part| part.floor() as i32);
    Voxel::new(x, y, z)
}

pub fn distance(from: At, to: At) -> f64 {
    (0..3).map(|axis| (to[axis] - from[axis]).powi(2)).sum::<f64>().sqrt()
}

/// The place so far along a line.
pub fn along(from: At, to: At, share: f64) -> At {
    [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * share)
}

/// Whether the agent of a view can fly along a line.
///
/// A round agent (radius above 0) needs all corners open of each unit box of cell centres that the line passes, so that it never comes closer
/// to a solid cell than its radius; see `Sight`. For an agent without a radius, all cells that the line passes have to be open, and where it
/// leaves a cell through an edge or a corner, all cells there.
pub fn is_clear(view: &VoxelView<'_>, from: At, to: At) -> bool {
    if view.is_round() {
        // Boxes of centres are cells that are moved by half a cell.
        let [from, to] = [from, to].map(|at| at.map(|part| part - 0.5));
        let has_open_corners = |at: At| box_is_open(view, corner(at, f64::floor), corner(at, f64::ceil));
        return parts(from, to).map(|part| along(from, to, part)).all(has_open_corners);
    }
    let mut last = cell_of(from);
    for cell in parts(from, to).map(|part| cell_of(along(from, to, part))) {
        if !box_is_open(view, last, cell) {
            return false;
        }
        last = cell;
    }
    box_is_open(view, last, cell_of(to))
}

/// A corner of the box of centres around a place. A coordinate that is whole but for rounding is on the side of a box.
fn corner(at: At, round: impl Fn(f64) -> f64) -> Voxel {
    let [x, y, z] = at.map(|part| {
        let whole = part.round();
        let part = if (part - whole).abs() < ROUNDING { whole } else { round(part) };
        part as i32
    });
    Voxel::new(x, y, z)
}

/// The middles of the parts into which a line is cut where a coordinate is a whole number, as shares of the line. Cuts that are one but
/// for rounding are where it passes an edge or a corner.
fn parts(from: At, to: At) -> impl Iterator<Item = f64> {
    let mut cuts = vec![0.0, 1.0];
    for axis in 0..3 {
        let length = to[axis] - from[axis];
        let (least, most) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
        let borders = least.floor() as i64 + 1..=most.ceil() as i64 - 1;
        cuts.extend(borders.map(|border| (border as f64 - from[axis]) / length));
    }
    cuts.sort_unstable_by(f64::total_cmp);
    let pairs: Vec<[f64; 2]> = cuts.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    pairs.into_iter().filter(|[begin, end]| end - begin > ROUNDING).map(|[begin, end]| begin.midpoint(end))
}

/// Whether all cells between two corners are open.
fn box_is_open(view: &VoxelView<'_>, a: Voxel, b: Voxel) -> bool {
    let range = |a: i32, b: i32| a.min(b)..=a.max(b);
    range(a.z, b.z)
        .all(|z| range(a.y, b.y).all(|y| range(a.x, b.x).all(|x| view.is_open(Voxel::new(x, y, z)))))
}

#[cfg(test)]
mod tests {
    use surefoot::graph::Sight;

    use super::*;

    fn clear(solid: &[[i32; 3]], from: At, to: At) -> bool {
        let solid = solid.iter().map(|&[x, y, z]| Voxel::new(x, y, z));
        let voxels = Voxels::from_solid([6, 6, 3], solid).unwrap();
        let view = voxels.view(&Agent::default());
        is_clear(&view, from, to)
    }

    #[test]
    fn lines_stop_at_solid_cells_only() {
        let (from, to) = ([0.5, 0.5, 0.5], [4.5, 2.5, 0.5]);
        assert!(clear(&[], from, to));
        assert!(clear(&[[4, 0, 0], [0, 2, 0], [2, 1, 1]], from, to));
        for cell in [[1, 0, 0], [2, 1, 0], [3, 2, 0], [4, 2, 0], [0, 0, 0]] {
            assert!(!clear(&[cell], from, to), "{cell:?}");
            assert!(!clear(&[cell], to, from), "{cell:?}");
        }
    }

    #[test]
    fn corners_are_not_cut() {
        let (from, to) = ([0.5, 0.5, 0.5], [2.5, 2.5, 2.5]);
        for cell in [[1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 1, 2], [1, 2, 1]] {
            assert!(!clear(&[cell], from, to), "{cell:?}");
        }
        assert!(clear(&[[2, 0, 0], [0, 0, 2]], from, to));
    }

    #[test]
    fn between_middles_of_cells_it_is_what_the_library_sees() {
        let mut seen = [0, 0];
        for seed in 1..60_u64 {
            let mut random = seed;
            let mut is_solid = || {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                (random >> 33) % 9 == 0
            };
            let empty = Voxels::new(6, 5, 3).unwrap();
            let voxels = Voxels::from_solid([6, 5, 3], empty.cells().filter(|_| is_solid())).unwrap();
            let radius = [0.0, 0.5][seed as usize % 2];
            let view = voxels.view(&Agent::new().with_radius(radius).unwrap());
            let open: Vec<Voxel> = voxels.cells().filter(|&cell| view.is_open(cell)).collect();
            for (&from, &to) in open.iter().flat_map(|from| open.iter().map(move |to| (from, to))) {
                let expected = view.sees(voxels.node(from).unwrap(), voxels.node(to).unwrap());
                assert_eq!(is_clear(&view, middle(from), middle(to)), expected, "{from:?} {to:?}");
                seen[usize::from(expected)] += 1;
            }
        }
        assert!(seen.iter().all(|&lines| lines > 10_000), "{seen:?}");
    }

    #[test]
    fn round_agents_keep_their_distance_wherever_they_come_from() {
        let voxels = Voxels::from_solid([8, 6, 5], [Voxel::new(4, 2, 2)]).unwrap();
        let view = voxels.view(&Agent::new().with_radius(0.5).unwrap());
        let mut seen = [0, 0];
        for step in 0..4_000_u32 {
            // Places all over the world, half a cell from its sides.
            let part = |stride: u32, side: f64| 0.5 + f64::from(step * stride % 997) / 997.0 * (side - 1.0);
            let from = [0.6, part(31, 6.0), part(57, 5.0)];
            let to = [7.3, part(83, 6.0), part(11, 5.0)];
            let nearest = (0..=400).map(|share| {
                let at = along(from, to, f64::from(share) / 400.0);
                let gap = |axis: usize, low: f64| at[axis] - at[axis].clamp(low, low + 1.0);
                (gap(0, 4.0).powi(2) + gap(1, 2.0).powi(2) + gap(2, 2.0).powi(2)).sqrt()
            });
            let free = is_clear(&view, from, to);
            let nearest = nearest.fold(f64::INFINITY, f64::min);
            assert!(!free || nearest > 0.5 - 1e-9, "{nearest} from {from:?} to {to:?}");
            seen[usize::from(free)] += 1;
        }
        assert!(seen.iter().all(|&lines| lines > 400), "{seen:?}");
    }

    #[test]
    fn a_line_without_length_is_its_cell() {
        assert!(clear(&[[1, 1, 1]], [2.2, 2.9, 0.1], [2.2, 2.9, 0.1]));
        assert!(!clear(&[[2, 2, 0]], [2.2, 2.9, 0.1], [2.2, 2.9, 0.1]));
    }
}
