//! How far from the nearest wall.
//!
//! The clearance of a cell is the distance from its middle to the nearest wall's square (outside the map is wall). It is
//! kept as the square of twice that distance, which is an integer: a wall `dx` columns and `dy` rows away is
//! `(2|dx| - 1)+^2 + (2|dy| - 1)+^2`.

use crate::space::Cell;
use crate::world::grid::BitPlane;

/// The square of twice the clearance of a cell; 0 for walls.
pub(crate) fn doubled_square(open: &BitPlane, cell: Cell) -> u32 {
    let mut best = u32::MAX;
    let reach = open.width().max(open.height()) as i32;
    for ring in 0..=reach {
        let nearest = (2 * ring - 1).max(0) as u32;
        if nearest * nearest >= best {
            break;
        }
        for dy in -ring..=ring {
            for dx in -ring..=ring {
                if dx.abs().max(dy.abs()) == ring && !open.contains(cell.offset(dx, dy)) {
                    let part = |d: i32| ((2 * d.abs() - 1).max(0) as u32).pow(2);
                    best = best.min(part(dx) + part(dy));
                }
            }
        }
    }
    best
}

/// The square of twice the clearance of every cell, row by row.
pub(crate) fn field(open: &BitPlane) -> Vec<u32> {
    let (width, height) = (open.width() as i32, open.height() as i32);
    (0..height).flat_map(|y| (0..width).map(move |x| doubled_square(open, Cell { x, y }))).collect()
}

/// The cells whose doubled squared clearance is at least `needed`.
pub(crate) fn plane(open: &BitPlane, needed: u32) -> BitPlane {
    let mut plane = BitPlane::new(open.width(), open.height());
    for y in 0..open.height() as i32 {
        for x in 0..open.width() as i32 {
            plane.set(Cell { x, y }, doubled_square(open, Cell { x, y }) >= needed);
        }
    }
    plane
}

/// The cells of a plane made by [`plane`] that are out of date after one cell of `open` changed.
pub(crate) fn changed_around(open: &BitPlane, plane: &BitPlane, cell: Cell, needed: u32) -> Vec<Cell> {
    let reach = needed.isqrt() as i32 / 2 + 2;
    let mut changed = Vec::new();
    for dy in -reach..=reach {
        for dx in -reach..=reach {
            let near = cell.offset(dx, dy);
            let inside = (near.x as u32) < open.width() && (near.y as u32) < open.height();
            if inside && plane.contains(near) != (doubled_square(open, near) >= needed) {
                changed.push(near);
            }
        }
    }
    changed
}
