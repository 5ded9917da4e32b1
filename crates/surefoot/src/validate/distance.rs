//! How close a straight line comes to solid cells: the physical distance, independent of what a search considers a line
//! of sight.
//!
//! Coordinates are those in which the centre of cell `k` is `k`, along two axes or three.

/// What rounding may take from a distance, in cells.
const ROUNDING: f64 = 1e-9;

/// Returns the solid cell nearest to a line between the centres of two cells, and its distance, if the distance is below `radius`.
///
/// Cells outside `0..size` are solid. Of these only the ones that touch the world are looked at, for none is nearer.
pub(super) fn too_close<const N: usize>(
    [from, to]: [[i32; N]; 2],
    radius: f64,
    size: [u32; N],
    is_solid: impl Fn([i32; N]) -> bool,
) -> Option<([i32; N], f64)> {
    let (start, end) = (from.map(f64::from), to.map(f64::from));
    // Cells whose centres are further from a point along any axis are too far away to matter.
    let reach = radius + 0.5;
    let axis = (0..N).max_by_key(|&axis| from[axis].abs_diff(to[axis])).unwrap_or(0);
    let mut nearest: Option<([i32; N], f64)> = None;
    for slice in span(start[axis].min(end[axis]), start[axis].max(end[axis]), reach, size[axis]) {
        // The part of the line that is near this slice of the world, and the box of cells around it.
        let along = end[axis] - start[axis];
        let share = |offset: f64| {
            if along == 0.0 {
                return if offset < 0.0 { 0.0 } else { 1.0 };
            }
            ((f64::from(slice) + offset * along.signum() - start[axis]) / along).clamp(0.0, 1.0)
        };
        let (first, last) = (share(-reach), share(reach));
        let mut cells = [const { Vec::new() }; N];
        for (other, cells) in cells.iter_mut().enumerate() {
            let [p, q] = [first, last].map(|share| start[other] + (end[other] - start[other]) * share);
            *cells = if other == axis {
                vec![slice]
            } else {
                span(p.min(q), p.max(q), reach, size[other]).collect()
            };
        }
        let count: usize = cells.iter().map(Vec::len).product();
        for mut index in 0..count {
            let mut cell = [0; N];
            for (at, cells) in cell.iter_mut().zip(&cells) {
                *at = cells[index % cells.len()];
                index /= cells.len();
            }
            if is_solid(cell) {
                let distance = line_to_cell(start, end, cell.map(f64::from));
                if distance < nearest.map_or(radius - ROUNDING, |(_, least)| least) {
                    nearest = Some((cell, distance));
                }
            }
        }
    }
    nearest
}

/// Returns the cells whose centres are within reach of an interval along an axis.
fn span(least: f64, most: f64, reach: f64, side: u32) -> std::ops::RangeInclusive<i32> {
    let first = (least - reach).floor().max(-1.0) as i32;
    let last = (most + reach).ceil().min(f64::from(side)) as i32;
    first..=last
}

/// Returns the distance between a line and the cube, or square, of a cell.
///
/// The square of the distance between a point of the line and the cell is convex and made of parabolas, one between any
/// two places where the line passes a plane through a side of the cell. Each has its minimum at its vertex or at an
/// endpoint.
fn line_to_cell<const N: usize>(start: [f64; N], end: [f64; N], cell: [f64; N]) -> f64 {
    let mut cuts = vec![0.0, 1.0];
    for axis in 0..N {
        let along = end[axis] - start[axis];
        for side in [cell[axis] - 0.5, cell[axis] + 0.5] {
            let share = (side - start[axis]) / along;
            if share > 0.0 && share < 1.0 {
                cuts.push(share);
            }
        }
    }
    cuts.sort_unstable_by(f64::total_cmp);
    let distance = |share: f64| {
        let gaps = (0..N).map(|axis| {
            let at = start[axis] + (end[axis] - start[axis]) * share;
            ((at - cell[axis]).abs() - 0.5).max(0.0).powi(2)
        });
        gaps.sum::<f64>().sqrt()
    };
    let mut least = f64::INFINITY;
    for part in cuts.windows(2) {
        let middle = part[0].midpoint(part[1]);
        // The derivative is `2 (slope share + offset)`, summed over the axes along which this part is beside the cell.
        let (mut slope, mut offset) = (0.0, 0.0);
        for axis in 0..N {
            let along = end[axis] - start[axis];
            let apart = start[axis] + along * middle - cell[axis];
            if apart.abs() > 0.5 {
                slope += along * along;
                offset += along * (start[axis] - cell[axis] - 0.5 * apart.signum());
            }
        }
        let vertex = if slope > 0.0 { (-offset / slope).clamp(part[0], part[1]) } else { middle };
        least = least.min(distance(vertex)).min(distance(part[0])).min(distance(part[1]));
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many points of a line, instead of the vertex of a parabola.
    fn sampled<const N: usize>(start: [f64; N], end: [f64; N], cell: [f64; N]) -> f64 {
        let at = |share: f64| {
            let gap = |axis: usize| {
                let place = start[axis] + (end[axis] - start[axis]) * share;
                place - place.clamp(cell[axis] - 0.5, cell[axis] + 0.5)
            };
            (0..N).map(|axis| gap(axis).powi(2)).sum::<f64>().sqrt()
        };
        (0..=20_000).map(|sample| at(f64::from(sample) / 20_000.0)).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn distances_are_those_of_the_nearest_points() {
        let ends = [[0.0, 0.0, 0.0], [7.0, 2.0, 1.0], [-3.0, 5.0, 0.0], [4.0, 0.0, 0.0], [2.0, 2.0, -2.0]];
        let cells = [[3.0, 0.0, 0.0], [3.0, 2.0, 1.0], [-1.0, 1.0, 0.0], [1.0, 2.0, -1.0], [6.0, -4.0, 3.0]];
        for cell in cells {
            for end in ends {
                let [exact, near] = [line_to_cell([0.0; 3], end, cell), sampled([0.0; 3], end, cell)];
                assert!(exact <= near + 1e-12 && near - exact < 1e-3, "{end:?} {cell:?}: {exact} {near}");
            }
        }
        // The published case: a line from 0,1 to 11,1.
        let distance = line_to_cell([0.0, 0.0, 1.0], [11.0, 1.0, 1.0], [7.0, 0.0, 1.0]);
        assert!(distance > 0.0 && distance < 0.1, "{distance}");
    }

    #[test]
    fn the_nearest_solid_cell_is_found_wherever_it_is() {
        let size = [40_u32, 30];
        for radius in [0.3, 0.5, 1.2, 2.5] {
            for (from, to) in [([5, 5], [33, 20]), ([20, 28], [20, 3]), ([6, 25], [7, 24]), ([9, 9], [9, 9])]
            {
                for solid in (0..40).flat_map(|x| (0..30).map(move |y| [x, y])) {
                    let expected = line_to_cell(from.map(f64::from), to.map(f64::from), solid.map(f64::from));
                    let inside = |[x, y]: [i32; 2]| (0..40).contains(&x) && (0..30).contains(&y);
                    let found = too_close([from, to], radius, size, |cell| inside(cell) && cell == solid);
                    let expected = (expected < radius - ROUNDING).then_some((solid, expected));
                    assert_eq!(found, expected, "{from:?} {to:?} {radius}");
                }
            }
        }
        let edge = too_close([[0, 3], [0, 9]], 0.7, size, |cell| cell[0] < 0);
        assert_eq!(edge.map(|(_, distance)| distance), Some(0.5));
    }
}
