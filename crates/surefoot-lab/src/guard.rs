//! Who may ask, and what browsers may do with the answers.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::shared::Shared;

/// Lets requests from our own page through and marks every answer. Other sites, and names that only pretend to be this
/// machine, are turned away.
pub async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match refusal(request.headers(), shared.port) {
        Some(refusal) => (StatusCode::FORBIDDEN, refusal).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy(shared.port)) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

fn policy(port: u16) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self' ws://127.0.0.1:{port} ws://localhost:{port}; worker-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'"
    )
}

/// Why a request is turned away, if it is.
fn refusal(headers: &HeaderMap, port: u16) -> Option<String> {
    let allowed = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
    let is_ours = |host: &str| {
        let with_port =
            if port == 80 && !host.contains(':') { format!("{host}:80") } else { host.to_owned() };
        allowed.iter().any(|ours| ours.eq_ignore_ascii_case(&with_port))
    };
    let expected = allowed.join(" or ");
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next().and_then(|host| host.to_str().ok()), hosts.next()) {
        (Some(host), None) if is_ours(host) => {}
        _ => return Some(format!("wrong Host, expected {expected}\n")),
    }
    for origin in headers.get_all(header::ORIGIN) {
        let host = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
        if !host.is_some_and(is_ours) {
            return Some(format!("wrong Origin, expected http:// and {expected}\n"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_let_in(host: &[&str], origin: Option<&str>, port: u16) -> bool {
        let mut headers = HeaderMap::new();
        for host in host {
            headers.append(header::HOST, HeaderValue::from_str(host).unwrap());
        }
        if let Some(origin) = origin {
            headers.append(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        refusal(&headers, port).is_none()
    }

    #[test]
    fn only_this_machine_is_let_in() {
        assert!(is_let_in(&["127.0.0.1:4747"], None, 4747));
        assert!(is_let_in(&["LOCALHOST:4747"], Some("http://127.0.0.1:4747"), 4747));
        assert!(is_let_in(&["localhost"], Some("http://localhost"), 80));
        for host in [
            "",
            "localhost",
            "127.0.0.1:4748",
            "example.com:4747",
            "127.0.0.1:4747.example.com",
            "[::1]:4747",
        ] {
            assert!(!is_let_in(&[host], None, 4747), "{host}");
        }
        assert!(!is_let_in(&[], None, 4747));
        assert!(!is_let_in(&["127.0.0.1:4747", "127.0.0.1:4747"], None, 4747));
        for origin in [
            "null",
            "https://127.0.0.1:4747",
            "http://example.com",
            "http://127.0.0.1:4748",
            "127.0.0.1:4747",
        ] {
            assert!(!is_let_in(&["127.0.0.1:4747"], Some(origin), 4747), "{origin}");
        }
    }
}
