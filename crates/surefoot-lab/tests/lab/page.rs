//! The page, and who may see it.

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
        assert!(reply.error().starts_with("there is no `"), "{path}");
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
