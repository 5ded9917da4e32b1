//! Voxel worlds: one bit per cell.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::document::{Document, Kind};
use super::{absent, frame, required};
use crate::formats::{FormatError, Problem};
use crate::world::voxels::{Voxels, check_size};

pub(super) fn read(document: Document) -> Result<Voxels, FormatError> {
    const KIND: &str = "voxel world";
    absent(document.width.as_ref(), "width", KIND)?;
    absent(document.height.as_ref(), "height", KIND)?;
    absent(document.rows.as_ref(), "rows", KIND)?;
    absent(document.links.as_ref(), "links", KIND)?;
    absent(document.nodes.as_ref(), "nodes", KIND)?;
    absent(document.edges.as_ref(), "edges", KIND)?;
    let size = required(document.size, "size", KIND)?;
    // The size is checked before there is memory for it.
    check_size(size.map(u64::from)).map_err(FormatError::whole)?;
    let text = required(document.solid, "solid", KIND)?;
    let solid = STANDARD.decode(&text).map_err(|error| {
        FormatError::whole(Problem::unexpected(format!("`solid` with {error}"), "bits in base64"))
    })?;
    let mut voxels = of_bits(size, &solid)?;
    voxels.set_frame(frame(document.origin, document.cell_size)?);
    Ok(voxels)
}

pub(super) fn write(voxels: &Voxels) -> Document {
    let mut document = Document::empty(Kind::Voxel);
    document.size = Some(voxels.size());
    document.set_frame(voxels.frame());
    document.solid = Some(STANDARD.encode(bits(voxels)));
    document
}

/// Returns the world whose solid cells are the set bits. They count along rows, row by row, layer by layer, the lowest bit of a byte
/// first.
pub(super) fn of_bits(size: [u32; 3], solid: &[u8]) -> Result<Voxels, FormatError> {
    let [x, y, z] = size;
    // The size is checked before there is memory for it.
    check_size(size.map(u64::from)).map_err(FormatError::whole)?;
    let cells = cell_count(size);
    if solid.len() != cells.div_ceil(8) {
        let found = format!("{} bytes in `solid`", solid.len());
        let expected = format!("{} for {x} x {y} x {z} cells", cells.div_ceil(8));
        return Err(FormatError::whole(Problem::unexpected(found, expected)));
    }
    let empty = Voxels::new(x, y, z).map_err(FormatError::whole)?;
    let numbered = empty.cells().enumerate();
    let is_solid = numbered.filter(|(index, _)| solid[index / 8] >> (index % 8) & 1 == 1);
    Voxels::from_solid(size, is_solid.map(|(_, voxel)| voxel)).map_err(FormatError::whole)
}

/// Returns the solid cells as bits: the inverse of [`of_bits`].
pub(super) fn bits(voxels: &Voxels) -> Vec<u8> {
    let mut solid = vec![0_u8; cell_count(voxels.size()).div_ceil(8)];
    for (index, _) in voxels.cells().enumerate().filter(|&(_, voxel)| !voxels.is_open(voxel)) {
        solid[index / 8] |= 1 << (index % 8);
    }
    solid
}

fn cell_count(size: [u32; 3]) -> usize {
    size.iter().map(|&side| side as usize).product()
}
