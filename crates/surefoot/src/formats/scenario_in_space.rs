//! Queries of the public voxel benchmarks (`.3dscen`).
//!
//! `version 1`, the map's file name, then one query per line: start and goal as column, row and layer, the optimal cost
//! of 26 moves without corner cutting (0 with different endpoints: not known), and the ratio of that cost to the
//! straight line.
//!
//! ```
//! use surefoot::formats::scenario_in_space;
//! let scenario = scenario_in_space::read(b"version 1\nSimple.3dmap\n56 76 52 48 85 45 15.317 1.054\n").unwrap();
//! assert_eq!((scenario.map.as_str(), scenario.queries.len()), ("Simple.3dmap", 1));
//! ```

use crate::formats::scenario::MAX_QUERIES;
use crate::formats::text::{Lines, Words, as_text, read_queries, read_version};
use crate::formats::{FormatError, Problem, check_length};
use crate::space::Voxel;
use crate::world::voxels::Voxels;

/// One query.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceQuery {
    /// Where the path starts.
    pub start: Voxel,
    /// Where it ends.
    pub goal: Voxel,
    /// The cost of the best path, in cells.
    pub optimal: f64,
    /// Its line in the file.
    pub line: usize,
}

/// The queries of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceScenario {
    /// The file name of the map.
    pub map: String,
    /// The queries, in the order of the file.
    pub queries: Vec<SpaceQuery>,
}

/// Reads a scenario file.
///
/// ```
/// use surefoot::prelude::*;
/// let text = b"version 1\nSimple.3dmap\n56 76 52 48 85 45 15.317 1.054\n";
/// let scenario = surefoot::formats::scenario_in_space::read(text).unwrap();
/// assert_eq!(scenario.map, "Simple.3dmap");
/// assert_eq!((scenario.queries[0].goal, scenario.queries[0].optimal), (Voxel::new(48, 85, 45), 15.317));
/// ```
pub fn read(bytes: &[u8]) -> Result<SpaceScenario, FormatError> {
    check_length(bytes)?;
    let mut lines = Lines::new(as_text(bytes)?);
    read_version(&mut lines)?;
    let (line, map) = lines.require("the map's file name")?;
    let map = map.trim_ascii();
    if map.is_empty() {
        return Err(FormatError::text(line, 1, Problem::unexpected("an empty line", "the map's file name")));
    }
    let queries = read_queries(lines, MAX_QUERIES, query)?;
    Ok(SpaceScenario { map: map.to_owned(), queries })
}

fn query(line: usize, text: &str) -> Result<SpaceQuery, FormatError> {
    let mut words = Words::new(line, text);
    let mut cell = |x, y, z| -> Result<Voxel, FormatError> {
        let mut number = |what| words.number(what, (0, Voxels::MAX_SIDE - 1)).map(|number| number as i32);
        Ok(Voxel::new(number(x)?, number(y)?, number(z)?))
    };
    let start = cell("start column", "start row", "start layer")?;
    let goal = cell("goal column", "goal row", "goal layer")?;
    let mut cost = |what| words.cost(what);
    let optimal = cost("optimal cost")?;
    cost("ratio to the straight line")?;
    words.end("the end of the line after 8 fields")?;
    Ok(SpaceQuery { start, goal, optimal, line })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(message(""), "line 1: found the end of the file, expected `version 1`");
        assert_eq!(message("version 1"), "line 2: found the end of the file, expected the map's file name");
        assert_eq!(
            message("version 1\n \n"),
            "line 2, column 1: found an empty line, expected the map's file name"
        );
        let query = |text: &str| message(&format!("version 1\na.3dmap\n{text}\n"));
        assert_eq!(
            query("0 0 0 1 1"),
            "line 3, column 10: found the end of the line, expected the goal layer"
        );
        assert_eq!(
            query("0 0 4096 1 1 1 1 1"),
            "line 3, column 5: start layer `4096` is out of range, expected 0 to 4095"
        );
        assert_eq!(
            query("0 0 0 1 1 1 -2 1"),
            "line 3, column 13: found `-2`, expected the optimal cost as a number of at least 0"
        );
        assert_eq!(
            query("0 0 0 1 1 1 2 1 x"),
            "line 3, column 17: found `x`, expected the end of the line after 8 fields"
        );
    }
}
