//! Voxel worlds: one bit per cell.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::document::Document;
use super::{absent, frame, required, write_frame};
use crate::formats::json::put;
use crate::formats::{FormatError, Problem};
use crate::world::voxels::Voxels;

pub(super) fn read(document: Document) -> Result<Voxels, FormatError> {
    const KIND: &str = "voxel world";
    absent(document.width.as_ref(), "width", KIND)?;
    absent(document.height.as_ref(), "height", KIND)?;
    absent(document.rows.as_ref(), "rows", KIND)?;
    absent(document.links.as_ref(), "links", KIND)?;
    absent(document.nodes.as_ref(), "nodes", KIND)?;
    absent(document.edges.as_ref(), "edges", KIND)?;
    let size = required(document.size, "size", KIND)?;
    let [x, y, z] = size;
    // The size is checked before there is memory for it.
    let empty = Voxels::new(x, y, z).map_err(FormatError::whole)?;
    let text = required(document.solid, "solid", KIND)?;
    let solid = STANDARD.decode(&text).map_err(|error| {
        FormatError::whole(Problem::unexpected(format!("`solid` with {error}"), "bits in base64"))
    })?;
    let cells = size.iter().map(|&side| side as usize).product::<usize>();
    if solid.len() != cells.div_ceil(8) {
        let found = format!("{} bytes in `solid`", solid.len());
        let expected = format!("{} for {x} x {y} x {z} cells", cells.div_ceil(8));
        return Err(FormatError::whole(Problem::unexpected(found, expected)));
    }
    let numbered = empty.cells().enumerate();
    let is_solid = numbered.filter(|(index, _)| solid[index / 8] >> (index % 8) & 1 == 1);
    let mut voxels =
        Voxels::from_solid(size, is_solid.map(|(_, voxel)| voxel)).map_err(FormatError::whole)?;
    voxels.set_frame(frame(document.origin, document.cell_size)?);
    Ok(voxels)
}

pub(super) fn write(voxels: &Voxels, out: &mut String) {
    let [x, y, z] = voxels.size();
    put(out, format_args!("  \"kind\": \"voxel\",\n  \"size\": [{x}, {y}, {z}],\n"));
    write_frame(voxels.frame(), out);
    let cells = [x, y, z].iter().map(|&side| side as usize).product::<usize>();
    let mut solid = vec![0_u8; cells.div_ceil(8)];
    for (index, _) in voxels.cells().enumerate().filter(|&(_, voxel)| !voxels.is_open(voxel)) {
        solid[index / 8] |= 1 << (index % 8);
    }
    put(out, format_args!("  \"solid\": \"{}\"", STANDARD.encode(solid)));
}
