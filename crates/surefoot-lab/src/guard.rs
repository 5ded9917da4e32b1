//! Which requests are accepted, and what browsers may do with the answers.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::uri::Scheme;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::shared::Shared;

/// Where a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// The lab's own page: the browser says so.
    Page,
    /// Anything else on this machine: a program, an address typed by hand, a browser that does not say.
    Other,
}

/// Accepts requests from the lab's page and from programs on this machine, and adds security headers to every answer. Rejects
/// requests from other sites and for other host names.
pub async fn guard(State(shared): State<Arc<Shared>>, mut request: Request, next: Next) -> Response {
    let mut response = match judge(&request, shared.port) {
        Err(refusal) => (StatusCode::FORBIDDEN, refusal).into_response(),
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
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

/// Returns the origin of a request, or the reason for rejecting it.
fn judge<B>(request: &Request<B>, port: u16) -> Result<Caller, String> {
    let allowed = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
    let is_ours = |host: &str| {
        let with_port =
            if port == 80 && !host.contains(':') { format!("{host}:80") } else { host.to_owned() };
        allowed.iter().any(|ours| ours.eq_ignore_ascii_case(&with_port))
    };
    let expected = allowed.join(" or ");
    if !asked_host(request).is_some_and(is_ours) {
        return Err(format!("wrong Host, expected {expected}\n"));
    }
    let headers = request.headers();
    for origin in headers.get_all(header::ORIGIN) {
        let host = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
        if !host.is_some_and(is_ours) {
            return Err(format!("wrong Origin, expected http:// and {expected}\n"));
        }
    }
    if headers.contains_key(header::ORIGIN) {
        return Ok(Caller::Page);
    }
    // Browsers send no Origin with a plain GET, but they do send the requesting site.
    let mut caller = Caller::Other;
    for site in headers.get_all("sec-fetch-site") {
        match site.as_bytes() {
            b"same-origin" => caller = Caller::Page,
            b"none" => {}
            _ if is_visit(request) => {}
            _ => {
                return Err(
                    "found a request from another site (Sec-Fetch-Site), expected one from the page of the lab\n".to_owned()
                );
            }
        }
    }
    Ok(caller)
}

/// The host that a request is for, with its port. The request line goes before the header; of two headers neither counts.
fn asked_host<B>(request: &Request<B>) -> Option<&str> {
    if let Some(authority) = request.uri().authority() {
        return (request.uri().scheme() == Some(&Scheme::HTTP)).then_some(authority.as_str());
    }
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = hosts.next()?.to_str().ok()?;
    hosts.next().is_none().then_some(host)
}

/// Returns whether the request follows a link to the lab: allowed from any site, since it only loads the page.
fn is_visit<B>(request: &Request<B>) -> bool {
    let says = |name: &str, value: &str| request.headers().get(name).is_some_and(|found| found == value);
    request.method() == Method::GET
        && matches!(request.uri().path(), "/" | "/index.html")
        && says("sec-fetch-mode", "navigate")
        && says("sec-fetch-dest", "document")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of a request with these lines, in which `host` and so on are names of headers.
    fn judged(line: &str, headers: &[(&str, &str)], port: u16) -> Result<Caller, String> {
        let (method, uri) = line.split_once(' ').unwrap();
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        judge(&request.body(()).unwrap(), port)
    }

    fn is_let_in(hosts: &[&str], origin: Option<&str>, port: u16) -> bool {
        let hosts = hosts.iter().map(|host| ("host", *host));
        let headers: Vec<_> = hosts.chain(origin.map(|origin| ("origin", origin))).collect();
        judged("GET /", &headers, port).is_ok()
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

    #[test]
    fn the_request_line_goes_before_the_host() {
        for (target, expected) in [
            ("http://127.0.0.1:4747/", true),
            ("http://LocalHost:4747/api/about", true),
            ("http://example.com/", false),
            ("http://example.com:4747/", false),
            ("http://127.0.0.1:4747@example.com/", false),
            ("http://user@127.0.0.1:4747/", false),
            ("https://127.0.0.1:4747/", false),
            ("ftp://127.0.0.1:4747/", false),
        ] {
            for host in ["127.0.0.1:4747", "example.com"] {
                let found = judged(&format!("GET {target}"), &[("host", host)], 4747);
                assert_eq!(found.is_ok(), expected, "{target}, Host {host}: {found:?}");
            }
        }
    }

    #[test]
    fn other_sites_may_link_to_the_lab_and_no_more() {
        let judged = |line: &str, headers: &[(&str, &str)]| {
            let headers: Vec<_> = headers.iter().copied().chain([("host", "127.0.0.1:4747")]).collect();
            judged(line, &headers, 4747).ok()
        };
        let site = |site| [("sec-fetch-site", site)];
        let generate = "GET /api/generate?kind=maze&width=9&height=9&seed=1";
        assert_eq!(judged(generate, &site("same-origin")), Some(Caller::Page));
        assert_eq!(judged(generate, &site("none")), Some(Caller::Other));
        assert_eq!(judged(generate, &[]), Some(Caller::Other));
        let own = ("origin", "http://127.0.0.1:4747");
        assert_eq!(judged("POST /api/open?name=a", &[own]), Some(Caller::Page));
        for foreign in ["cross-site", "same-site", "cross-origin", ""] {
            for line in [generate, "HEAD /api/generate", "GET /", "GET /js/main.js", "POST /api/open?name=a"]
            {
                assert_eq!(judged(line, &site(foreign)), None, "{line} {foreign}");
            }
            let visit = |mode, dest| {
                [("sec-fetch-site", foreign), ("sec-fetch-mode", mode), ("sec-fetch-dest", dest)]
            };
            for line in ["GET /", "GET /index.html"] {
                assert_eq!(judged(line, &visit("navigate", "document")), Some(Caller::Other), "{foreign}");
            }
            assert_eq!(judged("GET /", &visit("navigate", "iframe")), None);
            assert_eq!(judged("GET /", &visit("no-cors", "image")), None);
            assert_eq!(judged(generate, &visit("navigate", "document")), None);
            assert_eq!(judged("POST /", &visit("navigate", "document")), None);
            // A page at localhost may speak to 127.0.0.1: both are this lab.
            assert_eq!(judged("GET /ws", &[site(foreign)[0], own]), Some(Caller::Page));
        }
    }
}
