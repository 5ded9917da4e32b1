//! What can be wrong with a file, and where.

use std::fmt;

use thiserror::Error;

use crate::formats::{Format, MAX_BYTES};
#[cfg(feature = "voxels")]
use crate::obstacle::ShapeError;
#[cfg(feature = "voxels")]
use crate::scene::MotionError;
use crate::space::Cell;
use crate::world::grid::GridError;
#[cfg(feature = "voxels")]
use crate::world::voxels::VoxelError;
#[cfg(feature = "graphs")]
use crate::world::waypoints::WaypointError;

/// Where in a file (or in the world to be written) the problem is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Location {
    /// The file as a whole.
    Whole,
    /// A line of text, counted from 1.
    Line(usize),
    /// A line and a column of text, both counted from 1; columns count characters.
    Text {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// A pixel of an image, counted from 0,0 at the top left.
    Pixel {
        /// The column.
        x: u32,
        /// The row.
        y: u32,
    },
    /// An element of a JSON list, counted from 0.
    Item {
        /// The name of the list.
        list: &'static str,
        /// The index of the element.
        index: usize,
        /// The column in the element's text, counted from 1.
        column: Option<usize>,
    },
    /// A cell of the grid that was to be written.
    Cell(Cell),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Whole => Ok(()),
            Location::Line(line) => write!(f, "line {line}: "),
            Location::Text { line, column } => write!(f, "line {line}, column {column}: "),
            Location::Pixel { x, y } => write!(f, "pixel {x},{y}: "),
            Location::Item { list, index, column: None } => write!(f, "{list}[{index}]: "),
            Location::Item { list, index, column: Some(column) } => {
                write!(f, "{list}[{index}], column {column}: ")
            }
            Location::Cell(cell) => write!(f, "cell {},{}: ", cell.x, cell.y),
        }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file does not begin like any known format.
    #[error(
        "unknown format, expected a benchmark map (`type octile` first), a voxel map (`voxel X Y Z` first), \
         a text grid (its cell size first), a PNG or a JSON world"
    )]
    UnknownFormat,
    /// The file is longer than [`MAX_BYTES`].
    #[error("the file has {bytes} bytes, expected at most {MAX_BYTES}")]
    TooLong {
        /// The length of the file in bytes.
        bytes: usize,
    },
    /// A byte that does not occur in text.
    #[error("found byte 0x{0:02x}, expected text")]
    NotText(u8),
    /// A byte that is not part of a UTF-8 character.
    #[error("found byte 0x{0:02x}, expected UTF-8 text")]
    NotUtf8(u8),
    /// Something other than what was expected.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A header line appears a second time.
    #[error("`{key}` is given twice")]
    Repeated {
        /// The first word of the line.
        key: &'static str,
    },
    /// A number is too small or too large.
    #[error("{what} {found} is out of range, expected {least} to {most}")]
    OutOfRange {
        /// What the number means.
        what: &'static str,
        /// The number as written.
        found: String,
        /// The smallest allowed value.
        least: u32,
        /// The largest allowed value.
        most: u32,
    },
    /// A row is too short or too long.
    #[error("row {row} has {found} cells, expected {expected}")]
    RowLength {
        /// The row, counted from 0.
        row: usize,
        /// The number of its cells.
        found: usize,
        /// The width of the map.
        expected: usize,
    },
    /// There are too few rows.
    #[error("the file ends after {found} rows, expected {expected}")]
    MissingRows {
        /// The number of rows.
        found: usize,
        /// The height of the map.
        expected: usize,
    },
    /// The world contains something that the format cannot express.
    #[error("{what} cannot be written as {format}")]
    Inexpressible {
        /// What cannot be expressed.
        what: String,
        /// The format.
        format: Format,
    },
    /// The PNG decoder or encoder failed.
    #[error("invalid PNG: {0}")]
    Png(String),
    /// The text is not JSON, or not a world.
    #[error("{0}")]
    Json(String),
    /// The library was built without this format.
    #[error("cannot read or write {0}: this build lacks the feature for it")]
    NotBuilt(Format),
    /// Not a valid grid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// Not a valid voxel world.
    #[error(transparent)]
    #[cfg(feature = "voxels")]
    Voxels(#[from] VoxelError),
    /// Not a valid shape.
    #[error(transparent)]
    #[cfg(feature = "voxels")]
    Shape(#[from] ShapeError),
    /// Not a valid motion.
    #[error(transparent)]
    #[cfg(feature = "voxels")]
    Motion(#[from] MotionError),
    /// Not a valid waypoint graph.
    #[error(transparent)]
    #[cfg(feature = "graphs")]
    Waypoints(#[from] WaypointError),
}

/// Why bytes could not be read as a world, or a world could not be written in a format. It does not contain the name of
/// the file; see [`FormatError::in_file`].
///
/// ```
/// let error = surefoot::formats::read(b"type octile\nheight 1\nwidth 3\nmap\n.x.\n").unwrap_err();
/// let shown = error.in_file("maps/a.map").to_string();
/// assert!(shown.starts_with("maps/a.map: line 5, column 2: found `x`, expected"));
/// ```
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{location}{problem}")]
pub struct FormatError {
    /// Where the problem is.
    pub location: Location,
    /// What the problem is.
    pub problem: Problem,
}

impl FormatError {
    pub(super) fn new(location: Location, problem: impl Into<Problem>) -> FormatError {
        FormatError { location, problem: problem.into() }
    }

    pub(super) fn whole(problem: impl Into<Problem>) -> FormatError {
        FormatError::new(Location::Whole, problem)
    }

    pub(super) fn text(line: usize, column: usize, problem: impl Into<Problem>) -> FormatError {
        FormatError::new(Location::Text { line, column }, problem)
    }

    /// Creates an error in an element of a list.
    #[cfg(feature = "serde")]
    pub(super) fn item(list: &'static str, index: usize, problem: impl Into<Problem>) -> FormatError {
        FormatError::new(Location::Item { list, index, column: None }, problem)
    }

    /// Returns the same error with the name of the file in front.
    #[must_use]
    pub fn in_file(self, name: impl fmt::Display) -> FileError {
        FileError { file: name.to_string(), error: self }
    }
}

/// A [`FormatError`] with the name of its file.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{file}: {error}")]
pub struct FileError {
    /// The name of the file, as it is to be shown.
    pub file: String,
    /// What is wrong with it.
    pub error: FormatError,
}

impl Problem {
    pub(super) fn unexpected(found: impl Into<String>, expected: impl Into<String>) -> Problem {
        Problem::Unexpected { found: found.into(), expected: expected.into() }
    }

    pub(super) fn inexpressible(what: impl Into<String>, format: Format) -> Problem {
        Problem::Inexpressible { what: what.into(), format }
    }
}

/// Formats text from a file for an error: quoted, escaped, and truncated if it is long.
pub(super) fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.is_empty() {
        return "an empty line".into();
    }
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push_str("...");
    }
    format!("`{shown}`")
}
