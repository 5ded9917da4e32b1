//! Reads files, with a size limit and errors that name the file.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use surefoot::formats::{self, FileError, MAX_BYTES, World};
use thiserror::Error;

/// Why a file could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system reported an error.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The file is too large.
    #[error("{} is too large: expected at most {limit} bytes", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The maximum length in bytes.
        limit: usize,
    },
    /// The content is invalid.
    #[error(transparent)]
    Content(#[from] FileError),
}

/// Reads a file of at most [`MAX_BYTES`].
pub fn read(path: &Path) -> Result<Vec<u8>, ReadError> {
    read_at_most(path, MAX_BYTES)
}

/// Reads a map of any format.
pub fn read_world(path: &Path) -> Result<World, ReadError> {
    Ok(formats::read(&read(path)?).map_err(|error| error.in_file(path.display()))?)
}

/// Reads a file of at most `limit` bytes.
pub fn read_at_most(path: &Path, limit: usize) -> Result<Vec<u8>, ReadError> {
    let failed = |error| ReadError::Io { path: path.to_owned(), error };
    let mut bytes = Vec::new();
    // Devices and pipes do not know their length, so the limit is on what is read.
    let file = File::open(path).map_err(failed)?;
    file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > limit {
        return Err(ReadError::TooLong { path: path.to_owned(), limit });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_refused() {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let length = std::fs::metadata(&manifest).unwrap().len() as usize;
        assert_eq!(read_at_most(&manifest, length).unwrap().len(), length);
        let error = read_at_most(&manifest, length - 1).unwrap_err();
        assert!(matches!(error, ReadError::TooLong { .. }));
    }

    #[test]
    fn errors_name_the_file() {
        let error = read_world(Path::new("no/such.map")).unwrap_err().to_string();
        assert!(error.starts_with("cannot read no/such.map: "), "{error}");
    }
}
