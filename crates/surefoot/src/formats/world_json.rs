//! The library's own world files (`.world.json`): grids with terrain, links and a frame, waypoint graphs, and voxel
//! worlds.
//!
//! `docs/formats.md` describes every field. Costs are written in cells and rounded to the nearest [`Cost`](crate::cost::Cost) unit, so a
//! cost that was written reads back as the same units.
//!
//! ```
//! use surefoot::formats::{World, world_json};
//! let grid: surefoot::prelude::Grid = ".#4".parse().unwrap();
//! let text = world_json::write(&World::from(grid)).unwrap();
//! let World::Grid(read) = world_json::read(text.as_bytes()).unwrap() else { unreachable!() };
//! assert_eq!(read.to_terrain(), [1, 0, 4]);
//! ```

use std::io;

use serde::Serialize;
use serde_json::ser::Formatter;

use crate::formats::json::{bad_version, put, syntax_or_kind, write_list};
use crate::formats::text::as_text;
use crate::formats::world_document::{Document, Head};
use crate::formats::{FormatError, Problem, World, check_length};

pub use crate::formats::world_document::VERSION;

/// Reads a world.
///
/// ```
/// use surefoot::formats::{World, world_json};
/// let text = br##"{"surefoot": "world", "version": 1, "kind": "grid", "width": 4, "height": 2,
///     "rows": [".#..", ".4(10)."], "links": [{"from": [0, 0], "to": [3, 1], "cost": 0.5, "two_way": true}]}"##;
/// let World::Grid(grid) = world_json::read(text).unwrap() else { unreachable!() };
/// assert_eq!((grid.to_terrain()[6], grid.links().len()), (10, 2));
/// ```
pub fn read(bytes: &[u8]) -> Result<World, FormatError> {
    check_length(bytes)?;
    let text = as_text(bytes)?;
    let document = serde_json::from_str::<Document>(text).map_err(|error| {
        // A newer version may have fields that this one does not know: the error reports the version instead.
        match serde_json::from_str::<Head>(text) {
            Ok(head) if head.version != VERSION => bad_version(head.version, VERSION),
            _ => syntax_or_kind(&error, bytes, "world"),
        }
    })?;
    document.world()
}

/// Writes a world, one row, link, node or edge per line.
///
/// ```
/// use surefoot::formats::world_json;
/// let grid: surefoot::prelude::Grid = ".#".parse().unwrap();
/// assert!(world_json::write(&grid.into()).unwrap().contains(r##""rows": ["##));
/// ```
pub fn write(world: &World) -> Result<String, FormatError> {
    let document = Document::of(world);
    let mut out = String::from("{");
    field(&mut out, "surefoot", Some(&document.surefoot))?;
    field(&mut out, "version", Some(&document.version))?;
    field(&mut out, "kind", Some(&document.kind))?;
    field(&mut out, "width", document.width.as_ref())?;
    field(&mut out, "height", document.height.as_ref())?;
    field(&mut out, "size", document.size.as_ref())?;
    field(&mut out, "origin", document.origin.as_ref().map(|place| <[f64; 3]>::from(place.0)).as_ref())?;
    field(&mut out, "cell_size", document.cell_size.as_ref())?;
    list(&mut out, "rows", document.rows.as_deref())?;
    list(&mut out, "links", document.links.as_deref())?;
    list(&mut out, "nodes", document.nodes.as_deref())?;
    list(&mut out, "edges", document.edges.as_deref())?;
    field(&mut out, "solid", document.solid.as_ref())?;
    out.push_str("\n}\n");
    Ok(out)
}

/// Writes a field that the world has, on a line of its own.
fn field(out: &mut String, name: &str, value: Option<&impl Serialize>) -> Result<(), FormatError> {
    if let Some(value) = value {
        next_line(out);
        put(out, format_args!("  \"{name}\": {}", spaced(value)?));
    }
    Ok(())
}

/// Writes a list that the world has, one element per line.
fn list<T: Serialize>(out: &mut String, name: &str, values: Option<&[T]>) -> Result<(), FormatError> {
    if let Some(values) = values {
        let elements = values.iter().map(spaced).collect::<Result<Vec<String>, FormatError>>()?;
        next_line(out);
        write_list(out, name, elements, |element, out| out.push_str(&element));
    }
    Ok(())
}

/// Goes to the line of the next field.
fn next_line(out: &mut String) {
    out.push_str(if out.ends_with('{') { "\n" } else { ",\n" });
}

/// Returns a value as JSON on one line, with a space after commas and colons.
fn spaced(value: &impl Serialize) -> Result<String, FormatError> {
    struct Spaced;

    impl Formatter for Spaced {
        /// As files have always had them: large and small numbers with an exponent.
        fn write_f64<W: io::Write + ?Sized>(&mut self, out: &mut W, number: f64) -> io::Result<()> {
            write!(out, "{number:?}")
        }

        fn begin_array_value<W: io::Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
            out.write_all(if first { b"" } else { b", " })
        }

        fn begin_object_key<W: io::Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
            out.write_all(if first { b"" } else { b", " })
        }

        fn begin_object_value<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
            out.write_all(b": ")
        }
    }

    let mut text = Vec::new();
    let written = value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Spaced));
    let text = written.ok().and_then(|()| String::from_utf8(text).ok());
    text.ok_or_else(|| FormatError::whole(Problem::Json("a number is not finite".to_owned())))
}

#[cfg(test)]
mod tests;
