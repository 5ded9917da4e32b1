//! Running the command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What a run gave.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Runs the command with arguments separated by blanks.
pub fn surefoot(args: &str) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_surefoot")).args(args.split_whitespace()).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Run {
    /// The one JSON document on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }
}

/// Runs the command, which is to refuse: exit code 2, nothing on standard output. Returns the first line of standard
/// error.
pub fn refused(args: &str) -> String {
    let run = surefoot(args);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{args}: {}", run.err);
    run.err.lines().next().unwrap_or_default().to_owned()
}

/// A file of the test data.
pub fn data(name: &str) -> String {
    format!("tests/data/{name}")
}

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The names of the files in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
