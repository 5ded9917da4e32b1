//! Helpers shared by the JSON formats.

use std::fmt::{Arguments, Write as _};

use crate::formats::{FormatError, Problem, box_scene};

/// The maximum number of characters of a message of the JSON reader that are shown.
const LONGEST: usize = 300;

/// Converts an error of the JSON reader to one of ours. `what` was to be read.
pub(super) fn syntax(error: &serde_json::Error, what: &str) -> FormatError {
    let message = error.to_string();
    let (problem, _) = message.rsplit_once(" at line ").unwrap_or((&message, ""));
    // It may quote the file.
    let problem: String = problem.chars().take(LONGEST).collect();
    let problem = if error.is_eof() {
        Problem::unexpected("the end of the file", format!("the rest of the {what} ({problem})"))
    } else {
        Problem::Json(problem)
    };
    FormatError::text(error.line(), error.column(), problem)
}

/// What a JSON file of ours holds: a world or a scene.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    #[derive(serde::Deserialize)]
    struct Head {
        surefoot: String,
    }
    if box_scene::is_one(bytes) {
        return Some("scene");
    }
    match serde_json::from_slice::<Head>(bytes).ok()?.surefoot.as_str() {
        "world" => Some("world"),
        "scene" => Some("scene"),
        _ => None,
    }
}

/// Converts an error of the JSON reader to one of ours, unless the file is complete but of another kind. `expected` was
/// to be read.
pub(super) fn syntax_or_kind(error: &serde_json::Error, bytes: &[u8], expected: &str) -> FormatError {
    match kind_of(bytes) {
        Some(found) if found != expected => {
            FormatError::whole(Problem::unexpected(format!("a {found}"), format!("a {expected}")))
        }
        _ => syntax(error, expected),
    }
}

/// Creates an error for a version that is not supported.
pub(super) fn bad_version(found: u32, known: u32) -> FormatError {
    FormatError::whole(Problem::unexpected(format!("version {found}"), format!("version {known}")))
}

/// Writes a named list, one element per line.
pub(super) fn write_list<T>(
    out: &mut String,
    name: &str,
    elements: impl IntoIterator<Item = T>,
    write: impl Fn(T, &mut String),
) {
    put(out, format_args!("  \"{name}\": ["));
    for (index, element) in elements.into_iter().enumerate() {
        out.push_str(if index == 0 { "\n    " } else { ",\n    " });
        write(element, out);
    }
    out.push_str("\n  ]");
}

pub(super) fn put(out: &mut String, text: Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string does not fail");
}
