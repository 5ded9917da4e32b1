//! Voxel worlds of the public benchmarks (D. Brewer and N. Sturtevant, *Benchmarks for Pathfinding in 3D Voxel Space*,
//! 2018).
//!
//! A header, `voxel X Y Z`, then one solid cell per line: its column, row and layer.
//!
//! ```
//! use surefoot::formats::voxel_map;
//! let voxels = voxel_map::read(b"voxel 3 2 2\n1 0 1\n").unwrap();
//! assert_eq!((voxels.open_cells(), voxel_map::write(&voxels)), (11, b"voxel 3 2 2\n1 0 1\n".to_vec()));
//! ```

use std::fmt::Write as _;

use crate::formats::error::quote;
use crate::formats::text::{Lines, Words, as_text};
use crate::formats::{FormatError, Location, Problem, check_length};
use crate::space::Voxel;
use crate::world::voxels::{Voxels, check_size};

/// Reads a map.
///
/// ```
/// use surefoot::prelude::*;
/// let voxels = surefoot::formats::voxel_map::read(b"voxel 3 2 2\n1 0 1\n").unwrap();
/// assert_eq!(voxels.size(), [3, 2, 2]);
/// assert!(!voxels.is_open(Voxel::new(1, 0, 1)) && voxels.is_open(Voxel::new(1, 0, 0)));
/// ```
pub fn read(bytes: &[u8]) -> Result<Voxels, FormatError> {
    const HEADER: &str = "`voxel X Y Z`";
    check_length(bytes)?;
    let mut lines = Lines::new(as_text(bytes)?);
    let (line, text) = lines.require(HEADER)?;
    let mut words = Words::new(line, text);
    if words.take().is_none_or(|(_, word)| word != "voxel") {
        return Err(FormatError::text(line, 1, Problem::unexpected(quote(text), HEADER)));
    }
    let mut side = |what| words.number(what, (1, Voxels::MAX_SIDE));
    let size = [side("columns")?, side("rows")?, side("layers")?];
    words.end("the end of the line after the layers")?;
    check_size(size.map(u64::from)).map_err(FormatError::whole)?;
    let mut solid = Vec::new();
    for (line, text) in lines {
        if text.trim_ascii().is_empty() {
            continue;
        }
        let mut words = Words::new(line, text);
        let mut number = |what| words.number(what, (0, i32::MAX as u32));
        let [x, y, z] = [number("column")?, number("row")?, number("layer")?];
        words.end("the end of the line after the layer")?;
        if x >= size[0] || y >= size[1] || z >= size[2] {
            let found = format!("cell {x},{y},{z}");
            let expected = format!("a cell of the {} x {} x {} world", size[0], size[1], size[2]);
            return Err(FormatError::new(Location::Line(line), Problem::unexpected(found, expected)));
        }
        solid.push(Voxel::new(x as i32, y as i32, z as i32));
    }
    Voxels::from_solid(size, solid).map_err(FormatError::whole)
}

/// Writes a map. The frame is omitted.
///
/// ```
/// use surefoot::prelude::*;
/// let voxels = Voxels::from_solid([3, 2, 2], [Voxel::new(1, 0, 1)]).unwrap();
/// assert_eq!(surefoot::formats::voxel_map::write(&voxels), b"voxel 3 2 2\n1 0 1\n");
/// ```
pub fn write(voxels: &Voxels) -> Vec<u8> {
    let [x, y, z] = voxels.size();
    let mut out = format!("voxel {x} {y} {z}\n");
    for Voxel { x, y, z } in voxels.cells().filter(|&voxel| !voxels.is_open(voxel)) {
        writeln!(out, "{x} {y} {z}").expect("writing to a string does not fail");
    }
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::voxels::random_worlds;

    fn message(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(message(""), "line 1: found the end of the file, expected `voxel X Y Z`");
        assert_eq!(message("voxels 1 2 3"), "line 1, column 1: found `voxels 1 2 3`, expected `voxel X Y Z`");
        assert_eq!(message("voxel 1 2"), "line 1, column 10: found the end of the line, expected the layers");
        assert_eq!(
            message("voxel 1 2 0"),
            "line 1, column 11: layers `0` is out of range, expected 1 to 4096"
        );
        assert_eq!(
            message("voxel 4096 4096 4096"),
            "size 4096 x 4096 x 4096 is out of range: a world has 1 to 4096 cells along each axis and at most 268435456 in all"
        );
        assert_eq!(
            message("voxel 2 2 2\n0 0 x"),
            "line 2, column 5: found `x`, expected the layer as a whole number"
        );
        assert_eq!(
            message("voxel 2 2 2\n\n0 2 0"),
            "line 3: found cell 0,2,0, expected a cell of the 2 x 2 x 2 world"
        );
        assert_eq!(
            message("voxel 2 2 2\n0 1 0 5"),
            "line 2, column 7: found `5`, expected the end of the line after the layer"
        );
        assert!(read(b"voxel 2 2 2\r\n0 1 0\r\n0 1 0\r\n\r\n").is_ok());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(voxels in random_worlds::small()) {
            let copy = read(&write(&voxels)).unwrap();
            prop_assert_eq!(copy.size(), voxels.size());
            for voxel in voxels.cells() {
                prop_assert_eq!(copy.is_open(voxel), voxels.is_open(voxel));
            }
        }
    }
}
