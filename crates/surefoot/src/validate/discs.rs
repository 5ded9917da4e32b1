//! Circles in the plane: how deep they are in walls and in each other, from the distances of points.

use crate::space::Cell;
use crate::world::grid::Grid;

/// A circle. Lengths are in cells; the middle of cell (0, 0) is at (0.5, 0.5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// The centre.
    pub centre: [f64; 2],
    /// The radius.
    pub radius: f64,
}

/// Two circles that overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscOverlap {
    /// The positions of both in the list.
    pub discs: [usize; 2],
    /// How deep, in cells: the sum of the radii less the distance of the centres.
    pub depth: f64,
    /// The depth as a share of the smaller radius.
    pub share: f64,
}

/// Returns how deep a circle is in a wall: its radius less the distance between its centre and the nearest wall; at most 0 if it touches none. Everything outside the grid is
/// wall.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::validate::{Disc, depth_in_wall};
/// let grid: Grid = ".#".parse().unwrap();
/// assert_eq!(depth_in_wall(&grid, &Disc { centre: [0.5, 0.5], radius: 0.375 }), -0.125);
/// assert_eq!(depth_in_wall(&grid, &Disc { centre: [0.75, 0.5], radius: 0.375 }), 0.125);
/// assert_eq!(depth_in_wall(&grid, &Disc { centre: [1.5, 0.5], radius: 0.375 }), 0.375); // the centre is in a wall
/// ```
pub fn depth_in_wall(grid: &Grid, disc: &Disc) -> f64 {
    let [x, y] = disc.centre;
    if !(x.is_finite() && y.is_finite()) {
        return f64::INFINITY;
    }
    // No wall is further away than the border of the grid, and only those that are nearer than a radius and a cell matter.
    let reach = disc.radius + 1.0;
    let columns = (x - reach).floor() as i64..=(x + reach).floor() as i64;
    let rows = (y - reach).floor() as i64..=(y + reach).floor() as i64;
    let mut nearest = f64::INFINITY;
    for (column, row) in columns.flat_map(|column| rows.clone().map(move |row| (column, row))) {
        let cell = i32::try_from(column).ok().zip(i32::try_from(row).ok());
        let terrain = cell.and_then(|(x, y)| grid.terrain(Cell::new(x, y)));
        if terrain.is_some_and(|terrain| !terrain.is_wall()) {
            continue;
        }
        let gap = |at: f64, from: i64| (from as f64 - at).max(at - (from + 1) as f64).max(0.0);
        let (dx, dy) = (gap(x, column), gap(y, row));
        nearest = nearest.min((dx * dx + dy * dy).sqrt());
    }
    if nearest.is_finite() { disc.radius - nearest } else { -1.0 }
}

/// Returns the two circles of a list that overlap by the largest share of a radius, if any two overlap.
///
/// ```
/// use surefoot::validate::{Disc, worst_overlap};
/// let disc = |x: f64| Disc { centre: [x, 0.0], radius: 0.5 };
/// assert_eq!(worst_overlap(&[disc(0.0), disc(1.0), disc(3.0)]), None);
/// let worst = worst_overlap(&[disc(0.0), disc(0.75), disc(3.0)]).unwrap();
/// assert_eq!((worst.discs, worst.depth, worst.share), ([0, 1], 0.25, 0.5));
/// ```
pub fn worst_overlap(discs: &[Disc]) -> Option<DiscOverlap> {
    // From left to right: only circles whose left ends are left of another's right end can overlap it.
    let mut order: Vec<usize> = (0..discs.len()).collect();
    let left = |disc: usize| discs[disc].centre[0] - discs[disc].radius;
    order.sort_by(|&a, &b| left(a).total_cmp(&left(b)));
    let mut worst: Option<DiscOverlap> = None;
    for (position, &one) in order.iter().enumerate() {
        let right = discs[one].centre[0] + discs[one].radius;
        for &other in order[position + 1..].iter().take_while(|&&other| left(other) < right) {
            let (a, b) = (&discs[one], &discs[other]);
            let (dx, dy) = (a.centre[0] - b.centre[0], a.centre[1] - b.centre[1]);
            let depth = a.radius + b.radius - (dx * dx + dy * dy).sqrt();
            let share = depth / a.radius.min(b.radius);
            if depth > 0.0 && worst.is_none_or(|worst| share > worst.share) {
                worst = Some(DiscOverlap { discs: [one.min(other), one.max(other)], depth, share });
            }
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_pair_is_that_of_all_pairs() {
        let mut state = 5_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 24)
        };
        for count in [0_usize, 1, 2, 7, 60] {
            let discs: Vec<Disc> = (0..count)
                .map(|_| Disc { centre: [draw() * 9.0, draw() * 9.0], radius: 0.1 + draw() })
                .collect();
            let pairs = (0..count).flat_map(|a| (0..a).map(move |b| (a, b)));
            let share = |(a, b): (usize, usize)| {
                let (a, b) = (discs[a], discs[b]);
                let apart = (a.centre[0] - b.centre[0]).hypot(a.centre[1] - b.centre[1]);
                (a.radius + b.radius - apart) / a.radius.min(b.radius)
            };
            let expected = pairs.map(share).filter(|share| *share > 0.0).max_by(f64::total_cmp);
            match (worst_overlap(&discs), expected) {
                (Some(found), Some(expected)) => assert!((found.share - expected).abs() < 1e-12),
                (found, expected) => assert_eq!(found.map(|found| found.share), expected),
            }
        }
    }

    #[test]
    fn walls_are_seen_from_corners_and_from_outside() {
        let grid: Grid = "..\n.#".parse().unwrap();
        let depth = |x: f64, y: f64, radius: f64| depth_in_wall(&grid, &Disc { centre: [x, y], radius });
        assert!((depth(0.7, 0.6, 0.5) - 0.0).abs() < 1e-12, "a corner at 1,1: 3-4-5");
        assert!(depth(0.5, 0.5, 0.5).abs() < 1e-12);
        assert!((depth(-3.0, 0.5, 0.25) - 0.25).abs() < 1e-12);
        assert!(depth(f64::NAN, 0.5, 0.25).is_infinite());
    }
}
