//! Scenario files of the public grid benchmarks: a list of queries with their optimal costs.
//!
//! `version 1`, then one query per line: bucket, map, width, height, start, goal, optimal cost, separated by tabs (map
//! names may then contain blanks) or by blanks.
//!
//! ```
//! use surefoot::formats::scenario;
//! let queries = scenario::read(b"version 1\n0\ta.map\t8\t4\t1\t0\t7\t3\t7.24264\n").unwrap();
//! assert_eq!((queries.len(), queries[0].line), (1, 2));
//! ```

use std::fmt::Write as _;

use crate::formats::text::{Lines, Words, as_text, read_queries, read_version, side};
use crate::formats::{FormatError, Location, Problem, check_length};
use crate::space::Cell;

/// The maximum number of queries in a file.
pub const MAX_QUERIES: usize = 10_000_000;

/// One query.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The group that the file assigns it to, by length.
    pub bucket: u32,
    /// The name of the map as given in the file, often with folders in front.
    pub map: String,
    /// The number of columns of the map.
    pub width: u32,
    /// The number of rows of the map.
    pub height: u32,
    /// Where the path starts.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
    /// The cost of the best path in cells. Some files contain 0 when it is unknown.
    pub optimal: f64,
    /// Its line in the file, counted from 1.
    pub line: usize,
}

/// Reads a scenario file.
///
/// ```
/// use surefoot::space::Cell;
/// let text = b"version 1\n0\ta.map\t8\t4\t1\t0\t7\t3\t7.24264\n";
/// let queries = surefoot::formats::scenario::read(text).unwrap();
/// assert_eq!((queries[0].goal, queries[0].optimal), (Cell::new(7, 3), 7.24264));
/// ```
pub fn read(bytes: &[u8]) -> Result<Vec<Scenario>, FormatError> {
    check_length(bytes)?;
    let mut lines = Lines::new(as_text(bytes)?);
    read_version(&mut lines)?;
    read_queries(lines, MAX_QUERIES, query)
}

fn query(line: usize, text: &str) -> Result<Scenario, FormatError> {
    let mut fields = Words::by_tabs_or_blanks(line, text);
    let bucket = fields.number("bucket", (0, u32::MAX))?;
    let (_, map) = fields.require("map name")?;
    let (column, width) = fields.require("width")?;
    let width = side(width, "width", (line, column))?;
    let (column, height) = fields.require("height")?;
    let height = side(height, "height", (line, column))?;
    let any = (0, i32::MAX as u32);
    let mut cell = |x, y| -> Result<Cell, FormatError> {
        let cell = Cell::new(fields.number(x, any)? as i32, fields.number(y, any)? as i32);
        if cell.x as u32 >= width || cell.y as u32 >= height {
            let found = format!("cell {},{}", cell.x, cell.y);
            let expected = format!("a cell of the {width} x {height} map");
            return Err(FormatError::new(Location::Line(line), Problem::unexpected(found, expected)));
        }
        Ok(cell)
    };
    let start = cell("start column", "start row")?;
    let goal = cell("goal column", "goal row")?;
    let optimal = fields.cost("optimal cost")?;
    fields.end("the end of the line after 9 fields")?;
    Ok(Scenario { bucket, map: map.into(), width, height, start, goal, optimal, line })
}

/// Writes a scenario file, tab-separated. Map names must not contain tabs or line endings.
///
/// ```
/// use surefoot::formats::scenario;
/// let text = b"version 1\n0\ta b.map\t8\t4\t1\t0\t7\t3\t7.5\n";
/// assert_eq!(scenario::write(&scenario::read(text).unwrap()).as_bytes(), text);
/// ```
pub fn write(queries: &[Scenario]) -> String {
    let mut out = String::from("version 1\n");
    for query in queries {
        let Scenario { bucket, map, width, height, start, goal, optimal, line: _ } = query;
        let (start_x, start_y, goal_x, goal_y) = (start.x, start.y, goal.x, goal.y);
        writeln!(
            out,
            "{bucket}\t{map}\t{width}\t{height}\t{start_x}\t{start_y}\t{goal_x}\t{goal_y}\t{optimal}"
        )
        .expect("writing to a string does not fail");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(query: &str) -> String {
        read(format!("version 1\n{query}\n").as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn reads_tabs_and_blanks() {
        let text = "version 1.0\r\n42 maps/a.map 512 512 304 442 215 323 169.34\r\n\r\n\
                    3\tmy maps/b c.map\t8\t4\t1\t0\t7\t3\t5 \r\n";
        let queries = read(text.as_bytes()).unwrap();
        let first = Scenario {
            bucket: 42,
            map: "maps/a.map".into(),
            width: 512,
            height: 512,
            start: Cell::new(304, 442),
            goal: Cell::new(215, 323),
            optimal: 169.34,
            line: 2,
        };
        assert_eq!(queries[0], first);
        assert_eq!(
            (queries[1].map.as_str(), queries[1].line, queries[1].optimal),
            ("my maps/b c.map", 4, 5.0)
        );
        assert_eq!(queries.len(), 2);
    }

    #[test]
    fn a_wrong_header_is_named() {
        let message = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(message(""), "line 1: found the end of the file, expected `version 1`");
        assert_eq!(message("version 2\n"), "line 1, column 1: found `version 2`, expected `version 1`");
        assert_eq!(message("0 a.map\n"), "line 1, column 1: found `0 a.map`, expected `version 1`");
    }

    #[test]
    fn wrong_fields_are_named() {
        assert_eq!(
            message("x a.map 8 4 1 0 7 3 5"),
            "line 2, column 1: found `x`, expected the bucket as a whole number"
        );
        assert_eq!(
            message("0 a.map 8 4 1 0"),
            "line 2, column 16: found the end of the line, expected the goal column"
        );
        assert_eq!(
            message("0 a.map 8 4 99999999999 0 7 3 5"),
            "line 2, column 13: start column `99999999999` is out of range, expected 0 to 2147483647"
        );
        assert_eq!(
            message("0 a.map 8 4 1 -1 7 3 5"),
            "line 2, column 15: start row `-1` is out of range, expected 0 to 2147483647"
        );
        assert_eq!(
            message("0 a.map 0 4 1 0 7 3 5"),
            "line 2, column 9: width `0` is out of range, expected 1 to 16384"
        );
        assert_eq!(
            message("0 a.map 8 4 1 0 8 3 5"),
            "line 2: found cell 8,3, expected a cell of the 8 x 4 map"
        );
        for optimal in ["NaN", "inf", "-1", "five"] {
            assert_eq!(
                message(&format!("0 a.map 8 4 1 0 7 3 {optimal}")),
                format!(
                    "line 2, column 21: found `{optimal}`, expected the optimal cost as a number of at least 0"
                )
            );
        }
        assert_eq!(
            message("0 a.map 8 4 1 0 7 3 5 6"),
            "line 2, column 23: found `6`, expected the end of the line after 9 fields"
        );
    }
}
