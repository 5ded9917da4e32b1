//! The text grid format: cell size, width and height, each on its own line, then rows of `x` (wall), `.` (floor) and `1` to `9` (floor
//! of that cost). `//` starts a comment; lines that contain only a comment are ignored. Grid literals, such as
//! `"..#".parse::<Grid>()`, have no header and write walls as `#`.
//!
//! ```
//! use surefoot::formats::text_grid;
//! let grid = text_grid::read(b"20 // units a cell\n4\n2\n.xx.\n..4.\n").unwrap();
//! assert_eq!(text_grid::write(&grid).unwrap(), b"20\n4\n2\n.xx.\n..4.\n");
//! ```

use crate::formats::error::quote;
use crate::formats::text::{Alphabet, Lines, as_text, side};
use crate::formats::{Format, FormatError, Problem, check_length, check_no_links, write_rows};
use crate::space::{Frame, Point};
use crate::world::grid::Grid;

const CELLS: Alphabet = Alphabet::new(
    &[
        (b'x', 0),
        (b'.', 1),
        (b'1', 1),
        (b'2', 2),
        (b'3', 3),
        (b'4', 4),
        (b'5', 5),
        (b'6', 6),
        (b'7', 7),
        (b'8', 8),
        (b'9', 9),
    ],
    "`x` (wall), `.` (floor) or a cost 1-9",
);

/// Reads a grid. The cell size is stored in its [frame](Grid::frame).
///
/// ```
/// let text = b"20 // units a cell\n4\n2\n.xx. // row 0\n..4.\n";
/// let grid = surefoot::formats::text_grid::read(text).unwrap();
/// assert_eq!((grid.width(), grid.height(), grid.frame().cell_size()), (4, 2, 20.0));
/// ```
pub fn read(bytes: &[u8]) -> Result<Grid, FormatError> {
    check_length(bytes)?;
    let mut lines = Lines::without_comments(as_text(bytes)?);
    let frame = cell_size(&mut lines)?;
    let width = size(&mut lines, "width")?;
    let height = size(&mut lines, "height")?;
    let terrain = CELLS.read_rows(&mut lines, width as usize, height as usize)?;
    let mut grid = Grid::from_terrain(width, height, &terrain).map_err(FormatError::whole)?;
    grid.set_frame(frame);
    Ok(grid)
}

fn cell_size(lines: &mut Lines<'_>) -> Result<Frame, FormatError> {
    const EXPECTED: &str = "the cell size of a text grid as a positive number";
    let (line, text) = lines.require(EXPECTED)?;
    let size = text.trim_ascii().parse().ok();
    size.and_then(|size| Frame::new(Point::flat(0.0, 0.0), size))
        .ok_or_else(|| FormatError::text(line, 1, Problem::unexpected(quote(text), EXPECTED)))
}

fn size(lines: &mut Lines<'_>, what: &'static str) -> Result<u32, FormatError> {
    let (line, text) = lines.require(&format!("the {what} as a whole number"))?;
    let indent = text.len() - text.trim_ascii_start().len();
    side(text.trim_ascii(), what, (line, indent + 1))
}

/// Writes a grid. Costs above 9 and links are errors; the origin of the frame is omitted.
///
/// ```
/// let grid: surefoot::prelude::Grid = ".#4".parse().unwrap();
/// assert_eq!(surefoot::formats::text_grid::write(&grid).unwrap(), b"1\n3\n1\n.x4\n");
/// ```
pub fn write(grid: &Grid) -> Result<Vec<u8>, FormatError> {
    check_no_links(grid, Format::TextGrid)?;
    let size = grid.frame().cell_size();
    let mut out = format!("{size}\n{}\n{}\n", grid.width(), grid.height()).into_bytes();
    write_rows(grid, Format::TextGrid, &mut out, |cost| match cost {
        0 => Some(b'x'),
        1 => Some(b'.'),
        2..=9 => Some(b'0' + cost),
        _ => None,
    })?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::space::Cell;

    fn message(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn reads_the_tutorials_file() {
        let text = "20 //how many units on each axis is each grid\r\n\
                    10 //how many grid nodes across\r\n\
                    4 //how many grid nodes down\r\n\
                    xxxxxxxxxx\r\n\
                    x....x...x //Can we find a path from here\r\n\
                    // a line between\r\n\
                    x.12345.9x\r\n\
                    xxxxxxxxxx//To here??\r\n\r\n";
        let grid = read(text.as_bytes()).unwrap();
        assert_eq!((grid.width(), grid.height(), grid.frame().cell_size()), (10, 4, 20.0));
        assert_eq!(grid.to_terrain()[20..30], [0, 1, 1, 2, 3, 4, 5, 1, 9, 0]);
    }

    #[test]
    fn a_wrong_header_is_named() {
        assert_eq!(
            message(""),
            "line 1: found the end of the file, expected the cell size of a text grid as a positive number"
        );
        for size in ["0", "-1", "nan", "inf", "big"] {
            assert_eq!(
                message(&format!("{size}\n1\n1\n.\n")),
                format!(
                    "line 1, column 1: found `{size}`, expected the cell size of a text grid as a positive number"
                )
            );
        }
        assert_eq!(message("1\n"), "line 2: found the end of the file, expected the width as a whole number");
        assert_eq!(message("1\n 0\n"), "line 2, column 2: width `0` is out of range, expected 1 to 16384");
        assert_eq!(
            message("1\n2 // w\n3 3 // h\n"),
            "line 3, column 1: found `3 3`, expected the height as a whole number"
        );
        assert_eq!(
            message("1\n2\n18446744073709551617\n"),
            "line 3, column 1: height `18446744073709551617` is out of range, expected 1 to 16384"
        );
    }

    #[test]
    fn wrong_rows_are_named() {
        let rows = |rows: &str| message(&format!("1\n3\n2\n{rows}"));
        assert_eq!(rows("...\n..\n"), "line 5, column 3: row 1 has 2 cells, expected 3");
        assert_eq!(rows("...\n\n...\n"), "line 5, column 1: row 1 has 0 cells, expected 3");
        assert_eq!(rows("x...\n...\n"), "line 4, column 4: row 0 has 4 cells, expected 3");
        assert_eq!(rows("x..\n"), "line 5: the file ends after 1 rows, expected 2");
        assert_eq!(
            rows("...\n...\nxxx //\n"),
            "line 6, column 1: found `xxx`, expected the end of the file after 2 rows"
        );
        assert_eq!(
            rows("...\n.0.\n"),
            "line 5, column 2: found `0`, expected `x` (wall), `.` (floor) or a cost 1-9"
        );
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let mut grid = Grid::from_terrain(2, 1, &[9, 10]).unwrap();
        let error = write(&grid).unwrap_err().to_string();
        assert_eq!(error, "cell 1,0: terrain of cost 10 cannot be written as a text grid");
        grid.add_link(Cell::new(0, 0), Cell::new(1, 0), Cost::ONE).unwrap();
        let error = write(&grid).unwrap_err().to_string();
        assert_eq!(error, "cell 0,0: a link cannot be written as a text grid");
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut grid: Grid = ".#9\n123".parse().unwrap();
        grid.set_frame(Frame::new(Point::flat(0.0, 0.0), 0.1).unwrap());
        let again = read(&write(&grid).unwrap()).unwrap();
        assert_eq!(again.to_terrain(), grid.to_terrain());
        assert_eq!(again.frame(), grid.frame());
    }
}
