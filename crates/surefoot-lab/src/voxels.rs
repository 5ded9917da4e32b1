//! Edits of voxel worlds.

use surefoot::prelude::*;

use crate::limits::{self, LIMITS};
use crate::protocol::Edit;

/// Edits a world. Returns an error and leaves the world unchanged if an edit is invalid.
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
