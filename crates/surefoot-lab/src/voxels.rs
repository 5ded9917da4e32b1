//! Voxel worlds as the page sends and gets them: JSON with a bit a cell.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use surefoot::prelude::*;

use crate::limits::{self, LIMITS};
use crate::protocol::Edit;

/// The kind of such worlds.
pub const KIND: &str = "voxel";

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct VoxelWorld {
    surefoot: String,
    version: u32,
    kind: String,
    size: [u32; 3],
    /// A bit a cell, set if it is solid: along x, then y, then z, the lowest bit of a byte first. In base64.
    solid: String,
}

/// Reads a world.
pub fn read_json(text: &str) -> Result<Voxels, String> {
    let world: VoxelWorld = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if world.surefoot != "world" || world.version != 1 {
        let VoxelWorld { surefoot, version, .. } = world;
        return Err(format!("found `{surefoot}` of version {version}, expected `world` of version 1"));
    }
    limits::check_voxels(world.size)?;
    let solid = STANDARD.decode(&world.solid).map_err(|error| format!("solid: not base64: {error}"))?;
    let cells: usize = world.size.iter().map(|&side| side as usize).product();
    let expected = cells.div_ceil(8);
    if solid.len() != expected {
        let ([x, y, z], found) = (world.size, solid.len());
        return Err(format!("solid: found {found} bytes, expected {expected} for {x} x {y} x {z} cells"));
    }
    let is_solid = |index: usize| solid[index / 8] & 1 << (index % 8) != 0;
    from_bits(world.size, is_solid)
}

/// A world whose cells are told by their places in it: along x, then y, then z.
fn from_bits(size: [u32; 3], is_solid: impl Fn(usize) -> bool) -> Result<Voxels, String> {
    let cells = cells_of(size).enumerate();
    let solid = cells.filter(|(index, _)| is_solid(*index)).map(|(_, voxel)| voxel);
    Voxels::from_solid(size, solid).map_err(|error| error.to_string())
}

/// All cells: along x, then y, then z.
fn cells_of([x, y, z]: [u32; 3]) -> impl Iterator<Item = Voxel> {
    let [x, y, z] = [x, y, z].map(|side| side as i32);
    (0..z).flat_map(move |z| (0..y).flat_map(move |y| (0..x).map(move |x| Voxel::new(x, y, z))))
}

/// Writes a world.
pub fn to_json(voxels: &Voxels) -> String {
    let cells: usize = voxels.size().iter().map(|&side| side as usize).product();
    let mut solid = vec![0_u8; cells.div_ceil(8)];
    for (index, voxel) in voxels.cells().enumerate() {
        if !voxels.is_open(voxel) {
            solid[index / 8] |= 1 << (index % 8);
        }
    }
    let world = VoxelWorld {
        surefoot: "world".to_owned(),
        version: 1,
        kind: KIND.to_owned(),
        size: voxels.size(),
        solid: STANDARD.encode(solid),
    };
    serde_json::to_string(&world).expect("a world has no keys that are not texts")
}

/// Changes a world, or says why not and leaves it as it is.
pub fn edit(voxels: &mut Voxels, edit: &Edit) -> Result<(), String> {
    if !edit.runs.is_empty() || edit.links.is_some() {
        return Err("edit: found runs or links of a grid, expected voxels".to_owned());
    }
    let mut cells = 0;
    for &(x, y, z, n, open) in &edit.voxels {
        let last = i64::from(x) + i64::from(n) - 1;
        let [width, depth, height] = voxels.size();
        if !voxels.contains(Voxel::new(x, y, z)) || last >= i64::from(width) {
            return Err(format!(
                "edit: {n} cells from {x}, {y}, {z} are not all inside {width} x {depth} x {height}"
            ));
        }
        if open > 1 {
            return Err(format!("edit: found {open}, expected 0 for solid or 1 for open"));
        }
        cells += u64::from(n);
    }
    limits::check("edited cells", cells, LIMITS.voxels)?;
    let cells = edit
        .voxels
        .iter()
        .flat_map(|&(x, y, z, n, open)| (0..n as i32).map(move |dx| (Voxel::new(x + dx, y, z), open == 0)));
    voxels.set_many(cells).map_err(|error| error.to_string())
}

/// The same world without what was derived from it.
pub fn slimmed(old: &Voxels) -> Result<Voxels, String> {
    let solid = old.cells().filter(|&voxel| !old.is_open(voxel));
    let mut voxels = Voxels::from_solid(old.size(), solid).map_err(|error| error.to_string())?;
    voxels.set_frame(*old.frame());
    Ok(voxels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_survive_being_written_and_read() {
        for size in [[1, 1, 1], [3, 5, 7], [8, 2, 2], [17, 3, 4]] {
            let solid = cells_of(size).filter(|voxel| (voxel.x * 7 + voxel.y * 5 + voxel.z * 3) % 4 == 0);
            let voxels = Voxels::from_solid(size, solid).unwrap();
            let again = read_json(&to_json(&voxels)).unwrap();
            assert_eq!(again.size(), size);
            assert!(voxels.cells().all(|voxel| voxels.is_open(voxel) == again.is_open(voxel)));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let world = |size: &str, solid: &str| {
            let text = format!(
                r#"{{"surefoot":"world","version":1,"kind":"voxel","size":{size},"solid":"{solid}"}}"#
            );
            read_json(&text).map(|_| ()).unwrap_err()
        };
        assert_eq!(world("[2, 2, 2]", "AAA="), "solid: found 2 bytes, expected 1 for 2 x 2 x 2 cells");
        assert!(world("[2, 2, 2]", "?").starts_with("solid: not base64"));
        assert_eq!(
            world("[4096, 4096, 4096]", ""),
            "4096 x 4096 x 4096 cells are too many for the lab, expected at most 16777216 in all"
        );
        assert!(world("[0, 2, 2]", "").contains("out of range"));
        assert!(world("[2, 2]", "").contains("invalid length"));
    }
}
