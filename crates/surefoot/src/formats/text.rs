//! Helpers shared by the text formats: lines with numbers, numbers in range, rows of cells.

use crate::formats::error::quote;
use crate::formats::{FormatError, Problem};
use crate::world::grid::Grid;

/// Bytes as text, without a byte order mark.
pub(super) fn as_text(bytes: &[u8]) -> Result<&str, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let valid = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let (before, byte) = (error.valid_up_to(), bytes[error.valid_up_to()]);
            let before = str::from_utf8(&bytes[..before]).unwrap_or_default();
            return Err(first_control(before).unwrap_or_else(|| at_end_of(before, Problem::NotUtf8(byte))));
        }
    };
    first_control(valid).map_or(Ok(valid), Err)
}

/// Returns the first control character other than tabs and line endings, as an error.
fn first_control(text: &str) -> Option<FormatError> {
    let is_control = |byte: u8| byte < 0x20 && byte != b'\t' && byte != b'\n' && byte != b'\r';
    // No early exit, no branches: this compiles to vector code.
    if !text.bytes().fold(false, |found, byte| found | is_control(byte)) {
        return None;
    }
    let offset = text.bytes().position(is_control)?;
    Some(at_end_of(&text[..offset], Problem::NotText(text.as_bytes()[offset])))
}

/// An error at the place that follows a text.
fn at_end_of(before: &str, problem: Problem) -> FormatError {
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    FormatError::text(line, column, problem)
}

/// The lines of a text, without their line endings (LF or CR LF).
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    rest: &'a str,
    /// The number of the last line handed out.
    number: usize,
    /// Whether `//` starts a comment.
    comments: bool,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Lines<'a> {
        Lines { rest: text, number: 0, comments: false }
    }

    /// Creates lines without their `//` comments and the blanks before them; a line with nothing but a comment is
    /// omitted.
    pub fn without_comments(text: &'a str) -> Lines<'a> {
        Lines { comments: true, ..Lines::new(text) }
    }

    /// Returns the number of the next line.
    pub fn next_number(&self) -> usize {
        self.number + 1
    }

    /// Returns the next line, or an error that states what was expected.
    pub fn require(&mut self, expected: &str) -> Result<(usize, &'a str), FormatError> {
        let end = self.next_number();
        self.next().ok_or_else(|| {
            FormatError::new(super::Location::Line(end), Problem::unexpected("the end of the file", expected))
        })
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        while !self.rest.is_empty() {
            let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
            self.rest = rest;
            self.number += 1;
            let line = line.strip_suffix('\r').unwrap_or(line);
            let Some((before, _)) = self.comments.then(|| line.split_once("//")).flatten() else {
                return Some((self.number, line));
            };
            let before = before.trim_ascii_end();
            if !before.is_empty() {
                return Some((self.number, before));
            }
        }
        None
    }
}

/// A number between `least` and `most`. The column is where the text starts.
pub(super) fn number_in(
    text: &str,
    what: &'static str,
    (least, most): (u32, u32),
    (line, column): (usize, usize),
) -> Result<u32, FormatError> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let expected = format!("the {what} as a whole number");
        return Err(FormatError::text(line, column, Problem::unexpected(quote(text), expected)));
    }
    match text.parse::<u32>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(FormatError::text(
            line,
            column,
            Problem::OutOfRange { what, found: quote(text), least, most },
        )),
    }
}

/// The words of a line, with their columns.
pub(super) struct Words<'a> {
    line: usize,
    text: &'a str,
    rest: &'a str,
    /// Whether only tabs separate words.
    tabs: bool,
}

impl<'a> Words<'a> {
    pub fn new(line: usize, text: &'a str) -> Words<'a> {
        Words { line, text, rest: text, tabs: false }
    }

    /// Splits a line into words, by tabs if there are any, so that words may contain blanks, otherwise by blanks.
    pub fn by_tabs_or_blanks(line: usize, text: &'a str) -> Words<'a> {
        Words { tabs: text.contains('\t'), ..Words::new(line, text) }
    }

    /// Returns the next word and its column.
    pub fn take(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.rest.trim_ascii_start();
        let start = self.text.len() - rest.len();
        let parts = |c: char| c == '\t' || (!self.tabs && c.is_ascii_whitespace());
        let (word, rest) = rest.split_at(rest.find(parts).unwrap_or(rest.len()));
        self.rest = rest;
        let word = word.trim_ascii_end();
        (!word.is_empty()).then(|| (self.text[..start].chars().count() + 1, word))
    }

    /// Returns the next word and its column, or an error that states what was expected.
    pub fn require(&mut self, what: &str) -> Result<(usize, &'a str), FormatError> {
        let end = self.text.chars().count() + 1;
        self.take().ok_or_else(|| {
            let problem = Problem::unexpected("the end of the line", format!("the {what}"));
            FormatError::text(self.line, end, problem)
        })
    }

    /// Returns the next word as a number in a range.
    pub fn number(&mut self, what: &'static str, range: (u32, u32)) -> Result<u32, FormatError> {
        let (column, word) = self.require(what)?;
        number_in(word, what, range, (self.line, column))
    }

    /// Returns the next word as a number of at least 0.
    pub fn cost(&mut self, what: &str) -> Result<f64, FormatError> {
        let (column, word) = self.require(what)?;
        let cost = word.parse().ok().filter(|cost: &f64| cost.is_finite() && *cost >= 0.0);
        cost.ok_or_else(|| {
            let expected = format!("the {what} as a number of at least 0");
            FormatError::text(self.line, column, Problem::unexpected(quote(word), expected))
        })
    }

    /// Rejects any further word.
    pub fn end(&mut self, expected: &str) -> Result<(), FormatError> {
        match self.take() {
            None => Ok(()),
            Some((column, word)) => {
                Err(FormatError::text(self.line, column, Problem::unexpected(quote(word), expected)))
            }
        }
    }
}

/// Reads the first line of a list of queries, `version 1`.
pub(super) fn read_version(lines: &mut Lines<'_>) -> Result<(), FormatError> {
    const VERSION: &str = "`version 1`";
    let (line, text) = lines.require(VERSION)?;
    let words: Vec<&str> = text.split_ascii_whitespace().take(3).collect();
    if matches!(words[..], ["version", "1" | "1.0"]) {
        return Ok(());
    }
    Err(FormatError::text(line, 1, Problem::unexpected(quote(text), VERSION)))
}

/// Reads queries, one per line, up to a maximum number.
pub(super) fn read_queries<Q>(
    lines: Lines<'_>,
    most: usize,
    query: impl Fn(usize, &str) -> Result<Q, FormatError>,
) -> Result<Vec<Q>, FormatError> {
    let mut queries = Vec::new();
    for (line, text) in lines.filter(|(_, text)| !text.trim_ascii().is_empty()) {
        if queries.len() == most {
            let expected = format!("the end of the file after {most} queries");
            return Err(FormatError::text(line, 1, Problem::unexpected(quote(text), expected)));
        }
        queries.push(query(line, text)?);
    }
    Ok(queries)
}

/// A number of columns or rows of a grid.
pub(super) fn side(text: &str, what: &'static str, at: (usize, usize)) -> Result<u32, FormatError> {
    number_in(text, what, (1, Grid::MAX_SIDE), at)
}

/// Which terrain each byte stands for, and the legend that errors quote.
pub(super) struct Alphabet {
    terrain: [u8; 256],
    legend: &'static str,
}

/// The table entry of bytes that are not a cell; no alphabet has a terrain this expensive.
const NO_CELL: u8 = u8::MAX;

impl Alphabet {
    pub const fn new(cells: &[(u8, u8)], legend: &'static str) -> Alphabet {
        let mut terrain = [NO_CELL; 256];
        let mut index = 0;
        while index < cells.len() {
            terrain[cells[index].0 as usize] = cells[index].1;
            index += 1;
        }
        Alphabet { terrain, legend }
    }

    /// Reads rows of cells up to the end of the text. Memory grows with the text, not with the size in the header.
    pub fn read_rows(
        &self,
        lines: &mut Lines<'_>,
        width: usize,
        height: usize,
    ) -> Result<Vec<u8>, FormatError> {
        let mut terrain = Vec::with_capacity((width * height).min(lines.rest.len()));
        for row in 0..height {
            let Some((line, text)) = lines.next() else {
                let problem = Problem::MissingRows { found: row, expected: height };
                return Err(FormatError::new(super::Location::Line(lines.next_number()), problem));
            };
            let first = terrain.len();
            let cells = &text.as_bytes()[..width.min(text.len())];
            terrain.extend(cells.iter().map(|&byte| self.terrain[byte as usize]));
            if text.len() != width || terrain[first..].contains(&NO_CELL) {
                return Err(self.bad_row(text, line, row, width));
            }
        }
        for (line, text) in lines {
            if !text.trim_ascii().is_empty() {
                let expected = format!("the end of the file after {height} rows");
                return Err(FormatError::text(line, 1, Problem::unexpected(quote(text), expected)));
            }
        }
        Ok(terrain)
    }

    /// Returns what is wrong with a row: a character that is not a cell, or else its length.
    fn bad_row(&self, text: &str, line: usize, row: usize, width: usize) -> FormatError {
        let is_cell = |c: char| c.is_ascii() && self.terrain[c as usize] != NO_CELL;
        if let Some((column, found)) = (1..).zip(text.chars()).find(|&(_, c)| !is_cell(c)) {
            let found = quote(found.encode_utf8(&mut [0; 4]));
            return FormatError::text(line, column, Problem::unexpected(found, self.legend));
        }
        let found = text.len();
        FormatError::text(line, found.min(width) + 1, Problem::RowLength { row, found, expected: width })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> String {
        as_text(bytes).unwrap_err().to_string()
    }

    #[test]
    fn what_is_not_text_is_named_with_its_place() {
        assert_eq!(message(b"ab\nc\xff"), "line 2, column 2: found byte 0xff, expected UTF-8 text");
        assert_eq!(message(b"ab\n\0\xff"), "line 2, column 1: found byte 0x00, expected text");
        assert_eq!(message("äöü\u{7}".as_bytes()), "line 1, column 4: found byte 0x07, expected text");
        assert_eq!(as_text(b"\xef\xbb\xbf1\t2\r\n"), Ok("1\t2\r\n"));
    }

    #[test]
    fn lines_keep_their_numbers_when_comments_are_left_out() {
        let lines: Vec<_> = Lines::without_comments("a // b\r\n// c\n\nd//").collect();
        assert_eq!(lines, [(1, "a"), (3, ""), (4, "d")]);
        let lines: Vec<_> = Lines::new("a // b\r\nc").collect();
        assert_eq!(lines, [(1, "a // b"), (2, "c")]);
    }

    #[test]
    fn numbers_are_whole_and_in_range() {
        let read = |text| number_in(text, "height", (1, 9), (2, 8)).map_err(|error| error.to_string());
        assert_eq!(read("9"), Ok(9));
        let range =
            |found: &str| Err(format!("line 2, column 8: height `{found}` is out of range, expected 1 to 9"));
        assert_eq!(read("0"), range("0"));
        assert_eq!(read("-3"), range("-3"));
        assert_eq!(read("99999999999999999999999"), range("99999999999999999999999"));
        let number = |found: &str| {
            Err(format!("line 2, column 8: found `{found}`, expected the height as a whole number"))
        };
        assert_eq!(read("1.5"), number("1.5"));
        assert_eq!(read("-"), number("-"));
    }
}
