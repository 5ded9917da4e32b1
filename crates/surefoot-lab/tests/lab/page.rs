//! The page, and which requests are answered.

use std::fs;
use std::path::Path;

use surefoot_lab::Settings;

use crate::client::Lab;

#[tokio::test]
async fn the_page_is_served_with_its_headers() {
    let lab = Lab::start().await;
    let page = lab.get("/").await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(page.text().contains("<title>"));
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    let policy = page.header("content-security-policy").unwrap();
    let sockets = format!("connect-src 'self' ws://127.0.0.1:{port} ws://localhost:{port};", port = lab.port);
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self';") && policy.contains(&sockets),
        "{policy}"
    );
    assert_eq!(lab.get("/index.html").await.body, page.body);

    let tag = page.header("etag").unwrap();
    let head = format!("GET / HTTP/1.1\r\nHost: localhost:{}\r\nIf-None-Match: {tag}\r\n", lab.port);
    let again = lab.ask(&head, b"").await;
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag)));
}

#[tokio::test]
async fn other_hosts_and_origins_are_turned_away() {
    let lab = Lab::start().await;
    let port = lab.port;
    for (lines, what) in [
        (format!("Host: example.com:{port}\r\n"), "wrong Host"),
        ("Host: 127.0.0.1\r\n".to_owned(), "wrong Host"),
        (String::new(), "wrong Host"),
        (format!("Host: 127.0.0.1:{port}\r\nOrigin: http://example.com\r\n"), "wrong Origin"),
        (format!("Host: 127.0.0.1:{port}\r\nOrigin: null\r\n"), "wrong Origin"),
    ] {
        for path in ["/", "/api/about", "/ws"] {
            let reply = lab.ask(&format!("GET {path} HTTP/1.1\r\n{lines}"), b"").await;
            assert_eq!(reply.status, 403, "{path} {lines}");
            assert!(reply.text().starts_with(what), "{path} {lines}: {}", reply.text());
            assert!(reply.header("content-security-policy").is_some());
        }
    }
    let own = format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n");
    assert_eq!(lab.ask(&own, b"").await.status, 200);
    for origin in ["http://example.com", "null"] {
        assert!(lab.connect_from(Some(origin)).await.is_err(), "{origin}");
    }
    assert!(lab.connect_from(Some(&format!("http://127.0.0.1:{port}"))).await.is_ok());
}

#[tokio::test]
async fn an_absolute_request_line_is_judged_by_its_host() {
    let lab = Lab::start().await;
    let port = lab.port;
    let ask = async |target: &str, host: &str| {
        lab.ask(&format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n"), b"").await.status
    };
    let own = format!("127.0.0.1:{port}");
    for target in ["http://evil/", "http://evil/api/about", "http://127.0.0.1/", "https://localhost/"] {
        assert_eq!(ask(target, &own).await, 403, "{target}");
    }
    for target in [format!("http://{own}/"), format!("http://localhost:{port}/api/about")] {
        assert_eq!(ask(&target, &own).await, 200, "{target}");
        // The header does not count then.
        assert_eq!(ask(&target, "evil").await, 200, "{target}");
    }
}

#[tokio::test]
async fn other_sites_cannot_make_the_lab_work() {
    let lab = Lab::start().await;
    let port = lab.port;
    let ask = async |call: &str, lines: &str| {
        let head = format!("{call} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{lines}");
        lab.ask(&head, b"").await
    };
    let generate = "/api/generate?kind=maze&width=31&height=31&seed=1";
    let work = [generate, "/api/gallery/maze", "/api/about", "/js/main.js", "/"];
    for site in ["cross-site", "same-site"] {
        for path in work {
            for mode in
                ["", "Sec-Fetch-Mode: no-cors\r\n", "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n"]
            {
                for method in ["GET", "HEAD"] {
                    let reply =
                        ask(&format!("{method} {path}"), &format!("Sec-Fetch-Site: {site}\r\n{mode}")).await;
                    assert_eq!(reply.status, 403, "{method} {path}, {site}, {mode}");
                }
            }
        }
        let visit = format!(
            "Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\nSec-Fetch-User: ?1\r\n"
        );
        // A link to the lab may be anywhere, but not to its calls.
        assert_eq!(ask("GET /", &visit).await.status, 200, "{site}");
        assert_eq!(ask(&format!("GET {generate}"), &visit).await.status, 403, "{site}");
        let reply = ask("POST /api/export?format=map", &format!("Sec-Fetch-Site: {site}\r\n")).await;
        assert_eq!(reply.status, 403, "{site}");
    }
    for lines in ["Sec-Fetch-Site: same-origin\r\n", "Sec-Fetch-Site: none\r\n", ""] {
        for path in work {
            assert_eq!(ask(&format!("GET {path}"), lines).await.status, 200, "{path}, {lines}");
        }
    }
}

const WAYS_OUT: [&str; 7] = [
    "/../Cargo.toml",
    "/js/../../Cargo.toml",
    "/%2e%2e/Cargo.toml",
    "/..%2fCargo.toml",
    "/..\\Cargo.toml",
    "//etc/passwd",
    "/.hidden",
];

#[tokio::test]
async fn what_is_not_of_the_page_is_not_there() {
    let lab = Lab::start().await;
    for path in ["/nothing.js", "/api/nothing", "/js", "/js/"].iter().chain(&WAYS_OUT) {
        let reply = lab.get(path).await;
        assert_eq!(reply.status, 404, "{path}");
        assert!(reply.error().ends_with("` not found"), "{path}");
    }
    let head = format!("DELETE / HTTP/1.1\r\nHost: localhost:{}\r\n", lab.port);
    assert_eq!(lab.ask(&head, b"").await.status, 405);
}

#[tokio::test]
async fn a_folder_is_served_and_nothing_around_it() {
    let around = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page-folder");
    let _ = fs::remove_dir_all(&around);
    let folder = around.join("page");
    fs::create_dir_all(folder.join("js")).unwrap();
    fs::write(around.join("Cargo.toml"), "secret").unwrap();
    fs::write(folder.join(".hidden"), "secret").unwrap();
    fs::write(folder.join("index.html"), "mine").unwrap();
    fs::write(folder.join("js/a.js"), "let a = 1;").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(around.join("Cargo.toml"), folder.join("link.txt")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("js/a.js", folder.join("inside.js")).unwrap();

    let lab = Lab::with(Settings { page: Some(folder), ..Settings::default() }).await;
    assert_eq!(lab.get("/").await.text(), "mine");
    let script = lab.get("/js/a.js").await;
    assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"));
    for path in ["/link.txt", "/js"].iter().chain(&WAYS_OUT) {
        assert_eq!(lab.get(path).await.status, 404, "{path}");
    }
    #[cfg(unix)]
    assert_eq!(lab.get("/inside.js").await.body, script.body);
}
