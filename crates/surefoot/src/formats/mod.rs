//! Reads validated worlds from bytes, and writes them.
//!
//! Nothing here touches files: functions take bytes and return values. `docs/formats.md` shows every format. A format
//! keeps as much of a grid's [frame](crate::space::Frame) as it can express. Terrain and links that it cannot express
//! are errors.
//!
//! ```
//! use surefoot::formats::{self, Format, World};
//! let map = b"type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n";
//! let World::Grid(grid) = formats::read(map).unwrap() else { unreachable!() };
//! assert_eq!(formats::write(&grid.into(), Format::TextGrid).unwrap(), b"1\n3\n2\n.x.\n...\n");
//! ```

pub mod benchmark_map;
#[cfg(feature = "json")]
pub mod box_scene;
mod error;
#[cfg(feature = "png")]
pub mod image;
#[cfg(feature = "json")]
mod json;
pub mod scenario;
#[cfg(feature = "voxels")]
pub mod scenario_in_space;
#[cfg(feature = "json")]
pub mod scene_json;
mod text;
pub mod text_grid;
#[cfg(feature = "voxels")]
pub mod voxel_map;
#[cfg(feature = "serde")]
mod world_document;
#[cfg(feature = "json")]
pub mod world_json;

use std::fmt;

pub use error::{FileError, FormatError, Location, Problem};

#[cfg(feature = "json")]
use crate::scene::Scene;
pub use crate::world::any::World;
use crate::world::grid::Grid;

/// The maximum length of a file in bytes.
pub const MAX_BYTES: usize = 512 << 20;

/// The formats of worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// `type octile` maps of the public grid benchmarks: see [`benchmark_map`].
    BenchmarkMap,
    /// Text grids: cell size, width, height and rows of `x` and `.`. See [`text_grid`].
    TextGrid,
    /// One pixel per cell.
    Png,
    /// `voxel` maps of the public voxel benchmarks: see [`voxel_map`].
    VoxelMap,
    /// The library's own JSON: grids with all their features, waypoint graphs, voxel worlds.
    WorldJson,
}

impl Format {
    /// Returns the format for the extension of a file name, given without its dot.
    ///
    /// ```
    /// use surefoot::formats::Format;
    /// assert_eq!(Format::of_extension("PNG"), Some(Format::Png));
    /// assert_eq!(Format::of_extension("doc"), None);
    /// ```
    pub fn of_extension(extension: &str) -> Option<Format> {
        match extension.to_ascii_lowercase().as_str() {
            "map" => Some(Format::BenchmarkMap),
            "3dmap" => Some(Format::VoxelMap),
            "txt" | "grid" => Some(Format::TextGrid),
            "png" => Some(Format::Png),
            "json" | "world.json" => Some(Format::WorldJson),
            _ => None,
        }
    }

    /// Returns the format that the first bytes of a file indicate.
    ///
    /// ```
    /// use surefoot::formats::Format;
    /// assert_eq!(Format::sniff(b"type octile\n"), Some(Format::BenchmarkMap));
    /// assert_eq!(Format::sniff(b"20 // cell size\n"), Some(Format::TextGrid));
    /// assert_eq!(Format::sniff(b"nonsense"), None);
    /// ```
    pub fn sniff(bytes: &[u8]) -> Option<Format> {
        if bytes.starts_with(b"\x89PNG") {
            return Some(Format::Png);
        }
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        let word = text.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        match word {
            b"voxel" => Some(Format::VoxelMap),
            b"type" | b"height" | b"width" => Some(Format::BenchmarkMap),
            [b'{', ..] => Some(Format::WorldJson),
            [b'0'..=b'9' | b'+' | b'-' | b'.', ..] | [b'/', b'/', ..] => Some(Format::TextGrid),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::BenchmarkMap => "a benchmark map",
            Format::TextGrid => "a text grid",
            Format::VoxelMap => "a voxel map",
            Format::Png => "a PNG",
            Format::WorldJson => "a JSON world",
        })
    }
}

/// Reads a world and detects its format; images with the [default palette](image::Palette).
pub fn read(bytes: &[u8]) -> Result<World, FormatError> {
    check_length(bytes)?;
    match Format::sniff(bytes).ok_or_else(|| FormatError::whole(Problem::UnknownFormat))? {
        Format::BenchmarkMap => benchmark_map::read(bytes).map(World::Grid),
        Format::TextGrid => text_grid::read(bytes).map(World::Grid),
        #[cfg(feature = "voxels")]
        Format::VoxelMap => voxel_map::read(bytes).map(World::Voxels),
        #[cfg(feature = "png")]
        Format::Png => image::read(bytes, &image::Palette::default()).map(World::Grid),
        #[cfg(feature = "json")]
        Format::WorldJson => world_json::read(bytes),
        #[cfg(not(all(feature = "png", feature = "json")))]
        absent => Err(FormatError::whole(Problem::NotBuilt(absent))),
    }
}

/// Writes a world; images with the [default palette](image::Palette). Terrain, links or graphs that the format cannot
/// express are errors.
pub fn write(world: &World, format: Format) -> Result<Vec<u8>, FormatError> {
    match (format, world) {
        (Format::BenchmarkMap, World::Grid(grid)) => benchmark_map::write(grid),
        (Format::TextGrid, World::Grid(grid)) => text_grid::write(grid),
        #[cfg(feature = "voxels")]
        (Format::VoxelMap, World::Voxels(voxels)) => Ok(voxel_map::write(voxels)),
        #[cfg(feature = "png")]
        (Format::Png, World::Grid(grid)) => image::write(grid, &image::Palette::default()),
        #[cfg(feature = "json")]
        (Format::WorldJson, world) => world_json::write(world).map(String::into_bytes),
        #[cfg(not(feature = "json"))]
        (Format::WorldJson, _) => Err(FormatError::whole(Problem::NotBuilt(Format::WorldJson))),
        #[cfg(not(feature = "png"))]
        (Format::Png, World::Grid(_)) => Err(FormatError::whole(Problem::NotBuilt(Format::Png))),
        (format, world) => {
            let what = format!("a {}", world.kind().noun());
            Err(FormatError::whole(Problem::inexpressible(what, format)))
        }
    }
}

/// Reads a scene and detects its format.
///
/// ```
/// use surefoot::formats;
/// let error = formats::read_scene(b"type octile\nheight 1\nwidth 1\nmap\n.\n").unwrap_err();
/// assert_eq!(error.to_string(), "found a benchmark map, expected a scene");
/// ```
#[cfg(feature = "json")]
pub fn read_scene(bytes: &[u8]) -> Result<Scene, FormatError> {
    if box_scene::is_one(bytes) {
        return box_scene::read(bytes);
    }
    match Format::sniff(bytes) {
        Some(Format::WorldJson) => scene_json::read(bytes),
        Some(map) => Err(FormatError::whole(Problem::unexpected(map.to_string(), "a scene"))),
        None => Err(FormatError::whole(Problem::unexpected("an unknown format", "a scene as JSON"))),
    }
}

fn check_length(bytes: &[u8]) -> Result<(), FormatError> {
    if bytes.len() > MAX_BYTES {
        return Err(FormatError::whole(Problem::TooLong { bytes: bytes.len() }));
    }
    Ok(())
}

/// Rejects links, for formats without them.
fn check_no_links(grid: &Grid, format: Format) -> Result<(), FormatError> {
    match grid.links().first() {
        None => Ok(()),
        Some(link) => Err(FormatError::new(
            Location::Cell(grid.cell(link.from)),
            Problem::inexpressible("a link", format),
        )),
    }
}

/// Writes rows of characters; `character` returns `None` for terrain that the format lacks.
fn write_rows(
    grid: &Grid,
    format: Format,
    out: &mut Vec<u8>,
    character: impl Fn(u8) -> Option<u8>,
) -> Result<(), FormatError> {
    let terrain = grid.to_terrain();
    for (y, row) in (0..).zip(terrain.chunks(grid.width() as usize)) {
        for (x, &cost) in (0..).zip(row) {
            out.push(character(cost).ok_or_else(|| no_such_terrain(x, y, cost, format))?);
        }
        out.push(b'\n');
    }
    Ok(())
}

fn no_such_terrain(x: i32, y: i32, cost: u8, format: Format) -> FormatError {
    FormatError::new(
        Location::Cell(crate::space::Cell::new(x, y)),
        Problem::inexpressible(format!("terrain of cost {cost}"), format),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Point;
    use crate::world::waypoints::Waypoints;

    #[test]
    fn formats_are_recognised_by_content() {
        assert_eq!(Format::sniff(b"\x89PNG\r\n\x1a\n"), Some(Format::Png));
        assert_eq!(Format::sniff(b"\xef\xbb\xbf {\"surefoot\""), Some(Format::WorldJson));
        assert_eq!(Format::sniff(b"height 3\r\n"), Some(Format::BenchmarkMap));
        assert_eq!(Format::sniff(b"// mine\n20\n"), Some(Format::TextGrid));
        assert_eq!(Format::sniff(b"typewriter"), None);
        assert_eq!(Format::sniff(b""), None);
        let expected = "unknown format, expected a benchmark map (`type octile` first), a voxel map (`voxel X Y Z` first), \
                        a text grid (its cell size first), a PNG or a JSON world";
        assert_eq!(read(b"\x00\x01\x02\xff").unwrap_err().to_string(), expected);
    }

    #[test]
    fn graphs_are_written_as_json_only() {
        let mut builder = Waypoints::builder();
        builder.node(Point::flat(0.0, 0.0));
        let world = World::from(builder.build().unwrap());
        for format in [Format::BenchmarkMap, Format::TextGrid, Format::Png, Format::VoxelMap] {
            let error = write(&world, format).unwrap_err().to_string();
            assert_eq!(error, format!("a waypoint graph cannot be written as {format}"));
        }
        assert!(write(&world, Format::WorldJson).is_ok());
    }

    #[test]
    fn files_that_are_too_long_are_refused() {
        let error = benchmark_map::read(&vec![b' '; MAX_BYTES + 1]).unwrap_err().to_string();
        assert_eq!(error, "the file has 536870913 bytes, expected at most 536870912");
    }
}
