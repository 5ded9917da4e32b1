//! The files of the page: embedded in the binary, or from a folder for development.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use rust_embed::Embed;

use crate::answer::Problem;
use crate::shared::{Shared, blocking};

#[derive(Embed)]
#[folder = "page/"]
struct Files;

/// Where the page comes from.
pub enum Source {
    /// The binary.
    Embedded,
    /// A folder, by its canonical path.
    Folder(PathBuf),
}

impl Source {
    /// A folder that exists.
    pub fn folder(path: &Path) -> io::Result<Source> {
        let path = path.canonicalize()?;
        if path.is_dir() { Ok(Source::Folder(path)) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    fn read(&self, name: &str) -> Option<File> {
        match self {
            Source::Embedded => Files::get(name)
                .map(|file| File { bytes: file.data, tag: Some(tag(&file.metadata.sha256_hash())) }),
            Source::Folder(root) => {
                // Links are followed first, so that nothing outside the folder is ever read.
                let path = root.join(name).canonicalize().ok()?;
                let inside = path.starts_with(root) && path.is_file();
                let bytes = std::fs::read(path).ok().filter(|_| inside)?;
                Some(File { bytes: bytes.into(), tag: None })
            }
        }
    }
}

struct File {
    bytes: Cow<'static, [u8]>,
    /// What tells this content from any other.
    tag: Option<String>,
}

fn tag(hash: &[u8; 32]) -> String {
    let half = hash.first_chunk().map_or(0, |half| u128::from_be_bytes(*half));
    format!("\"{half:032x}\"")
}

/// Answers with a file of the page.
pub async fn serve(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Problem(StatusCode::METHOD_NOT_ALLOWED, "expected GET".to_owned()).into_response();
    }
    let name = match request.uri().path() {
        "/" => "index.html".to_owned(),
        path => path.trim_start_matches('/').to_owned(),
    };
    if !is_plain(&name) {
        return missing(&name);
    }
    // No turn to compute: the page must come even when all of them are taken.
    let file = match &shared.page {
        Source::Embedded => shared.page.read(&name),
        Source::Folder(_) => {
            let wanted = name.clone();
            blocking(move || shared.page.read(&wanted)).await
        }
    };
    match file {
        Some(file) => file.into_response(&name, request.headers()),
        None => missing(&name),
    }
}

/// Returns whether a name contains only plain segments: no `..`, no escapes, no hidden files.
fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    name.split('/').all(|word| !word.is_empty() && !word.starts_with('.') && word.bytes().all(plain))
}

fn missing(name: &str) -> Response {
    Problem(StatusCode::NOT_FOUND, format!("`{name}` not found")).into_response()
}

impl File {
    fn into_response(self, name: &str, asked: &HeaderMap) -> Response {
        let mut headers = HeaderMap::new();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
        if let Some(tag) = self.tag.and_then(|tag| HeaderValue::from_str(&tag).ok()) {
            let known = asked.get_all(header::IF_NONE_MATCH).iter().any(|known| known == tag);
            headers.insert(header::ETAG, tag);
            if known {
                return (StatusCode::NOT_MODIFIED, headers).into_response();
            }
        }
        let bytes = match self.bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => bytes.into(),
        };
        (headers, Body::from(bytes)).into_response()
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" => "application/json",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_surprises_are_not_plain() {
        for name in ["index.html", "js/board/draw.js", "a_b-c.css"] {
            assert!(is_plain(name), "{name}");
        }
        for name in
            ["", "../Cargo.toml", "js/../../x", "%2e%2e/x", "js//a.js", ".git/config", "a\\b", "C:/x", "js/"]
        {
            assert!(!is_plain(name), "{name}");
        }
    }
}
