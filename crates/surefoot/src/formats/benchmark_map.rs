//! Grids of the public benchmarks (N. Sturtevant, *Benchmarks for Grid-Based Pathfinding*, 2012).
//!
//! A header (`type octile`, `height`, `width`, `map`), then rows: `.`, `G`, `S` are floor, `@`, `O`, `T`, `W` are walls.
//!
//! ```
//! use surefoot::formats::benchmark_map;
//! let text = b"type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n";
//! let grid = benchmark_map::read(text).unwrap();
//! assert_eq!(grid.open_cells(), 5);
//! assert_eq!(benchmark_map::write(&grid).unwrap(), text);
//! ```

use crate::formats::error::quote;
use crate::formats::text::{Alphabet, Lines, as_text, side};
use crate::formats::{Format, FormatError, Problem, check_length, check_no_links, write_rows};
use crate::world::grid::Grid;

const CELLS: Alphabet = Alphabet::new(
    &[(b'.', 1), (b'G', 1), (b'S', 1), (b'@', 0), (b'O', 0), (b'T', 0), (b'W', 0)],
    "`.`, `G` or `S` (open), or `@`, `O`, `T` or `W` (blocked)",
);

/// Reads a map.
///
/// ```
/// use surefoot::prelude::*;
/// let grid = surefoot::formats::benchmark_map::read(b"type octile\nheight 1\nwidth 2\nmap\n.@\n").unwrap();
/// assert!(grid.is_open(Cell::new(0, 0)) && !grid.is_open(Cell::new(1, 0)));
/// ```
pub fn read(bytes: &[u8]) -> Result<Grid, FormatError> {
    check_length(bytes)?;
    let mut lines = Lines::new(as_text(bytes)?);
    let (width, height) = header(&mut lines)?;
    let terrain = CELLS.read_rows(&mut lines, width as usize, height as usize)?;
    Grid::from_terrain(width, height, &terrain).map_err(FormatError::whole)
}

/// The lines up to `map`, in any order: the width and the height.
fn header(lines: &mut Lines<'_>) -> Result<(u32, u32), FormatError> {
    const EXPECTED: &str = "`type octile`, `height N`, `width N` or `map`";
    let (mut octile, mut width, mut height) = (None, None, None);
    loop {
        let (line, text) = lines.require(EXPECTED)?;
        let unexpected = |expected| FormatError::text(line, 1, Problem::unexpected(quote(text), expected));
        let mut words = text.split_ascii_whitespace();
        let repeated = match (words.next(), words.next(), words.next()) {
            (Some("type"), Some("octile"), None) => octile.replace(()).map(|()| "type"),
            (Some("height"), Some(value), None) => {
                height.replace(side(value, "height", (line, column(text, value)))?).map(|_| "height")
            }
            (Some("width"), Some(value), None) => {
                width.replace(side(value, "width", (line, column(text, value)))?).map(|_| "width")
            }
            (Some("map"), None, None) => {
                return match (octile, width, height) {
                    (None, _, _) => Err(unexpected("`type octile` before it")),
                    (_, None, _) => Err(unexpected("`width N` before it")),
                    (_, _, None) => Err(unexpected("`height N` before it")),
                    (Some(()), Some(width), Some(height)) => Ok((width, height)),
                };
            }
            (Some("type"), _, _) => return Err(unexpected("`type octile`")),
            _ => return Err(unexpected(EXPECTED)),
        };
        if let Some(key) = repeated {
            return Err(FormatError::text(line, 1, Problem::Repeated { key }));
        }
    }
}

/// The column at which the last word of a line starts.
fn column(line: &str, last_word: &str) -> usize {
    line.trim_ascii_end().chars().count() - last_word.chars().count() + 1
}

/// Writes a map: `.` for floor of cost 1, `@` for walls. Other costs and links are errors; the frame is omitted.
///
/// ```
/// let grid: surefoot::prelude::Grid = ".#".parse().unwrap();
/// let map = surefoot::formats::benchmark_map::write(&grid).unwrap();
/// assert_eq!(map, b"type octile\nheight 1\nwidth 2\nmap\n.@\n");
/// ```
pub fn write(grid: &Grid) -> Result<Vec<u8>, FormatError> {
    check_no_links(grid, Format::BenchmarkMap)?;
    let mut out =
        format!("type octile\nheight {}\nwidth {}\nmap\n", grid.height(), grid.width()).into_bytes();
    write_rows(grid, Format::BenchmarkMap, &mut out, |cost| match cost {
        0 => Some(b'@'),
        1 => Some(b'.'),
        _ => None,
    })?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::space::Cell;
    use crate::world::grid::Terrain;

    fn message(bytes: &[u8]) -> String {
        read(bytes).unwrap_err().to_string()
    }

    #[test]
    fn reads_every_character_and_both_line_ends() {
        let expected = ".GS".bytes().map(|_| 1).chain("@OTW".bytes().map(|_| 0)).collect::<Vec<u8>>();
        for text in [
            "type octile\nheight 1\nwidth 7\nmap\n.GS@OTW",
            "width 7\r\nheight 1\r\ntype octile\r\nmap\r\n.GS@OTW\r\n\r\n",
        ] {
            let grid = read(text.as_bytes()).unwrap();
            assert_eq!((grid.width(), grid.height()), (7, 1));
            assert_eq!(grid.to_terrain(), expected);
        }
    }

    #[test]
    fn a_wrong_header_is_named() {
        let lines = "expected `type octile`, `height N`, `width N` or `map`";
        assert_eq!(message(b""), format!("line 1: found the end of the file, {lines}"));
        assert_eq!(message(b"tpye octile\n"), format!("line 1, column 1: found `tpye octile`, {lines}"));
        assert_eq!(
            message(b"type octile\n\nmap\n"),
            format!("line 2, column 1: found an empty line, {lines}")
        );
        assert_eq!(message(b"type tile\n"), "line 1, column 1: found `type tile`, expected `type octile`");
        assert_eq!(
            message(b"type octile\nheight 2\n"),
            format!("line 3: found the end of the file, {lines}")
        );
        assert_eq!(
            message(b"type octile\nheight 2\nmap\n..\n"),
            "line 3, column 1: found `map`, expected `width N` before it"
        );
        assert_eq!(
            message(b"type octile\nheight 2\nheight 2\n"),
            "line 3, column 1: `height` is given twice"
        );
        assert_eq!(
            message(b"type octile\nheight two\n"),
            "line 2, column 8: found `two`, expected the height as a whole number"
        );
    }

    #[test]
    fn absurd_sizes_are_refused_before_anything_is_allocated() {
        let with_height =
            |height: &str| message(format!("type octile\nheight {height}\nwidth 1\nmap\n").as_bytes());
        for height in ["0", "-1", "16385", "4294967297", "99999999999999999999999999"] {
            assert_eq!(
                with_height(height),
                format!("line 2, column 8: height `{height}` is out of range, expected 1 to 16384")
            );
        }
        assert_eq!(
            message(b"type octile\nheight 16384\nwidth 16384\nmap\n"),
            "line 5: the file ends after 0 rows, expected 16384"
        );
    }

    #[test]
    fn wrong_rows_are_named() {
        let rows = |rows: &str| message(format!("type octile\nheight 2\nwidth 3\nmap\n{rows}").as_bytes());
        assert_eq!(rows("...\n..\n"), "line 6, column 3: row 1 has 2 cells, expected 3");
        assert_eq!(rows("....\n...\n"), "line 5, column 4: row 0 has 4 cells, expected 3");
        assert_eq!(rows("...\n"), "line 6: the file ends after 1 rows, expected 2");
        assert_eq!(
            rows("...\n...\n...\n"),
            "line 7, column 1: found `...`, expected the end of the file after 2 rows"
        );
        let legend = "expected `.`, `G` or `S` (open), or `@`, `O`, `T` or `W` (blocked)";
        assert_eq!(rows("...\n.x.\n"), format!("line 6, column 2: found `x`, {legend}"));
        assert_eq!(rows("...\n.ü.\n"), format!("line 6, column 2: found `ü`, {legend}"));
        assert_eq!(rows("... \n...\n"), format!("line 5, column 4: found ` `, {legend}"));
    }

    #[test]
    fn what_is_not_text_is_named() {
        assert_eq!(message(b"\x89PNG\r\n"), "line 1, column 1: found byte 0x89, expected UTF-8 text");
        assert_eq!(message(b"type octile\n\x01"), "line 2, column 1: found byte 0x01, expected text");
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let mut grid: Grid = "...\n.4.".parse().unwrap();
        let error = write(&grid).unwrap_err().to_string();
        assert_eq!(error, "cell 1,1: terrain of cost 4 cannot be written as a benchmark map");
        grid.set(Cell::new(1, 1), Terrain::FLOOR).unwrap();
        grid.add_link(Cell::new(2, 0), Cell::new(0, 0), Cost::ONE).unwrap();
        let error = write(&grid).unwrap_err().to_string();
        assert_eq!(error, "cell 2,0: a link cannot be written as a benchmark map");
    }
}
