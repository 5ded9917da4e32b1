//! Random voxel worlds for tests.

use proptest::prelude::*;

use crate::space::Voxel;
use crate::world::voxels::Voxels;

/// Worlds of a few hundred cells: long, flat or cubic, from empty to nearly full.
pub(crate) fn small() -> impl Strategy<Value = Voxels> {
    let sizes = prop_oneof![
        (1..7_u32, 1..7_u32, 1..7_u32),
        (55..70_u32, 1..4_u32, 1..4_u32),
        (1..4_u32, 55..70_u32, 1..3_u32),
        (1..3_u32, 1..4_u32, 55..70_u32),
        (110..140_u32, 1..3_u32, 1..3_u32),
    ];
    (sizes, 0..8_u32, any::<u64>()).prop_map(|((x, y, z), share, seed)| {
        let mut state = seed | 1;
        let cells = Voxels::new(x, y, z).unwrap().cells();
        let solid = cells.filter(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 60) < u64::from(share)
        });
        Voxels::from_solid([x, y, z], solid.collect::<Vec<_>>()).unwrap()
    })
}

/// A cell by any number.
pub(crate) fn pick(voxels: &Voxels, number: u32) -> Voxel {
    let [x, y, z] = voxels.size();
    let number = number % (x * y * z);
    Voxel::new((number % x) as i32, (number / x % y) as i32, (number / x / y) as i32)
}
