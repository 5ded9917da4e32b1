//! Straight lines from anywhere in space: does one who flies along them stay in open cells?
//!
//! The library's `Sight` answers that for lines from the middle of a cell to the middle of another, in whole numbers. Those who fly are
//! somewhere between.

use surefoot::prelude::*;

/// A place in cells: the middle of cell `x, y, z` is `x + 0.5, y + 0.5, z + 0.5`.
pub type At = [f64; 3];

/// Shorter parts of a line are none.
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

/// Whether all cells that a line passes are open to the agent of a view. Where it leaves a cell through an edge or a corner, all
/// cells there have to be.
pub fn is_clear(view: &VoxelView<'_>, from: At, to: At) -> bool {
    // The line is cut wherever it passes from cell to cell along an axis.
    let mut cuts = vec![0.0, 1.0];
    for axis in 0..3 {
        let length = to[axis] - from[axis];
        let (least, most) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
        let borders = least.floor() as i64 + 1..=most.ceil() as i64 - 1;
        cuts.extend(borders.map(|border| (border as f64 - from[axis]) / length));
    }
    cuts.sort_unstable_by(f64::total_cmp);
    // Cuts that are one but for rounding are where it passes an edge or a corner.
    let parts = cuts.windows(2).filter(|part| part[1] - part[0] > ROUNDING);
    let cells = parts.map(|part| cell_of(along(from, to, part[0].midpoint(part[1]))));
    let mut last = cell_of(from);
    for cell in cells {
        if !box_is_open(view, last, cell) {
            return false;
        }
        last = cell;
    }
    box_is_open(view, last, cell_of(to))
}

/// Whether all cells between two corners are open.
fn box_is_open(view: &VoxelView<'_>, a: Voxel, b: Voxel) -> bool {
    let range = |a: i32, b: i32| a.min(b)..=a.max(b);
    range(a.z, b.z)
        .all(|z| range(a.y, b.y).all(|y| range(a.x, b.x).all(|x| view.is_open(Voxel::new(x, y, z)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clear(solid: &[[i32; 3]], from: At, to: At) -> bool {
        let solid = solid.iter().map(|&[x, y, z]| Voxel::new(x, y, z));
        let voxels = Voxels::from_solid([6, 6, 3], solid).unwrap();
        let view = voxels.view(&Agent::default()).unwrap();
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
            let view = voxels.view(&Agent::default()).unwrap();
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
    fn a_line_without_length_is_its_cell() {
        assert!(clear(&[[1, 1, 1]], [2.2, 2.9, 0.1], [2.2, 2.9, 0.1]));
        assert!(!clear(&[[2, 2, 0]], [2.2, 2.9, 0.1], [2.2, 2.9, 0.1]));
    }
}
