//! Rows of terrain as text: `#` wall, `.` floor, `2` to `9` costs, `(37)` any cost, and `{n}` after a cell for `n`
//! repetitions.

use std::fmt::Write as _;

use crate::formats::error::quote;
use crate::formats::{FormatError, Location, Problem};

/// Rows up to this long are written cell by cell, so that a small map looks like one.
const PLAIN_WIDTH: usize = 64;

/// Runs shorter than this are not worth a count.
const SHORTEST_RUN: usize = 5;

/// Appends the terrain of a row.
pub(super) fn read(text: &str, index: usize, width: usize, terrain: &mut Vec<u8>) -> Result<(), FormatError> {
    let mut row = Row { text, rest: text, index };
    let end = terrain.len() + width;
    while !row.rest.is_empty() {
        let cost = row.cell()?;
        let count = row.count(width)?;
        if count > end - terrain.len() {
            let found = format!("more than {width} cells");
            return Err(row.error(row.rest, Problem::unexpected(found, format!("{width}"))));
        }
        terrain.resize(terrain.len() + count, cost);
    }
    if terrain.len() < end {
        let found = width - (end - terrain.len());
        return Err(row.error("", Problem::RowLength { row: index, found, expected: width }));
    }
    Ok(())
}

/// A row that is being read.
struct Row<'a> {
    text: &'a str,
    rest: &'a str,
    index: usize,
}

impl Row<'_> {
    /// An error at the place where `rest` starts.
    fn error(&self, rest: &str, problem: Problem) -> FormatError {
        let column = self.text[..self.text.len() - rest.len()].chars().count() + 1;
        FormatError::new(Location::Item { list: "rows", index: self.index, column: Some(column) }, problem)
    }

    fn cell(&mut self) -> Result<u8, FormatError> {
        let first = self.rest.as_bytes()[0];
        let cost = match first {
            b'#' => 0,
            b'.' => 1,
            b'1'..=b'9' => first - b'0',
            b'(' => return self.number('(', ')', 255, "a cost from 0 to 255 in brackets").map(|n| n as u8),
            _ => {
                let found: String = self.rest.chars().take(1).collect();
                let expected = "`#` (wall), `.` (floor), a cost 1-9 or a cost in brackets";
                return Err(self.error(self.rest, Problem::unexpected(quote(&found), expected)));
            }
        };
        self.rest = &self.rest[1..];
        Ok(cost)
    }

    /// The count in braces that may follow a cell.
    fn count(&mut self, width: usize) -> Result<usize, FormatError> {
        if self.rest.starts_with('{') {
            self.number('{', '}', width, "a count of cells in braces, at most the width")
        } else {
            Ok(1)
        }
    }

    fn number(&mut self, open: char, close: char, most: usize, expected: &str) -> Result<usize, FormatError> {
        let inner = self.rest.strip_prefix(open).and_then(|rest| rest.split_once(close));
        let number = inner.and_then(|(digits, rest)| {
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|number| plain && *number <= most).map(|number| (number, rest))
        });
        let (number, rest) =
            number.ok_or_else(|| self.error(self.rest, Problem::unexpected(quote(self.rest), expected)))?;
        self.rest = rest;
        Ok(number)
    }
}

/// Appends the text of a row.
pub(super) fn write(row: &[u8], out: &mut String) {
    for run in row.chunk_by(|a, b| a == b) {
        let start = out.len();
        match run[0] {
            0 => out.push('#'),
            1 => out.push('.'),
            cost @ 2..=9 => out.push((b'0' + cost) as char),
            cost => write!(out, "({cost})").expect("writing to a string does not fail"),
        }
        if row.len() > PLAIN_WIDTH && run.len() >= SHORTEST_RUN {
            write!(out, "{{{}}}", run.len()).expect("writing to a string does not fail");
        } else {
            let cell = out[start..].to_string();
            out.extend(std::iter::repeat_n(cell, run.len() - 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terrain(text: &str, width: usize) -> Result<Vec<u8>, String> {
        let mut terrain = Vec::new();
        read(text, 3, width, &mut terrain).map_err(|error| error.to_string())?;
        Ok(terrain)
    }

    #[test]
    fn every_cost_survives() {
        let costs: Vec<u8> = (0..=255).flat_map(|cost| vec![cost; cost as usize % 7 + 1]).collect();
        for row in [&costs[..], &costs[..64]] {
            let mut text = String::new();
            write(row, &mut text);
            assert_eq!(terrain(&text, row.len()).unwrap(), row);
        }
    }

    #[test]
    fn small_rows_are_plain_and_long_ones_short() {
        let mut text = String::new();
        write(&[0, 1, 1, 1, 1, 1, 1, 4, 10, 10], &mut text);
        assert_eq!(text, "#......4(10)(10)");
        text.clear();
        write(&[[1; 40], [10; 40]].concat(), &mut text);
        assert_eq!(text, ".{40}(10){40}");
    }

    #[test]
    fn wrong_rows_are_named() {
        let message = |text: &str| terrain(text, 4).unwrap_err();
        assert_eq!(message("..."), "rows[3], column 4: row 3 has 3 cells, expected 4");
        assert_eq!(message("....."), "rows[3], column 6: found more than 4 cells, expected 4");
        assert_eq!(message("#.{4}"), "rows[3], column 6: found more than 4 cells, expected 4");
        let cell = "expected `#` (wall), `.` (floor), a cost 1-9 or a cost in brackets";
        assert_eq!(message(".x.."), format!("rows[3], column 2: found `x`, {cell}"));
        assert_eq!(message("é..."), format!("rows[3], column 1: found `é`, {cell}"));
        let cost = "expected a cost from 0 to 255 in brackets";
        for text in ["(256)...", "(-1)...", "()...", "(3..."] {
            assert_eq!(message(text), format!("rows[3], column 1: found `{text}`, {cost}"));
        }
        let count = "expected a count of cells in braces, at most the width";
        for text in ["{5}", "{99999999999999999999}", "{}", "{", "{+1}"] {
            assert_eq!(message(&format!(".{text}")), format!("rows[3], column 2: found `{text}`, {count}"));
        }
    }
}
