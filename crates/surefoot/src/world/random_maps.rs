//! Random maps for property tests: awkward widths, every density of walls.

use proptest::prelude::*;

use crate::space::Cell;
use crate::world::grid::BitPlane;

/// A random set of open cells.
pub(crate) fn plane() -> impl Strategy<Value = BitPlane> {
    let width = prop_oneof![1..12_u32, prop::sample::select(vec![1, 2, 62, 63, 64, 65, 127, 128, 129, 200])];
    let height = prop_oneof![3 => 1..14_u32, 1 => 14..32_u32];
    (width, height, prop_oneof![0.0..1.0, 0.95..1.0]).prop_flat_map(|(width, height, openness)| {
        let cells = prop::collection::vec(prop::bool::weighted(openness), (width * height) as usize);
        cells.prop_map(move |cells| {
            let mut plane = BitPlane::new(width, height);
            for (index, open) in (0..).zip(cells) {
                plane.set(Cell::new((index % width) as i32, (index / width) as i32), open);
            }
            plane
        })
    })
}

/// Some cell of a map, by any number.
pub(crate) fn pick(plane: &BitPlane, number: u32) -> Cell {
    let index = number % (plane.width() * plane.height());
    Cell::new((index % plane.width()) as i32, (index / plane.width()) as i32)
}
