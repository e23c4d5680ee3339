//! Tests HTTP requests: the files of the page, and unusual requests.

use std::io::{Read, Write};

use serde_json::Value;

use super::Server;
use super::client::{ask, connect, get, open_session, own_headers, status};
use super::start_server;

#[test]
fn page_has_content_types_and_security_headers() {
    let server = start_server();
    let host = format!("127.0.0.1:{}", server.port);
    for (path, kind) in [
        ("/", "text/html; charset=utf-8"),
        ("/index.html", "text/html; charset=utf-8"),
        ("/main.js", "text/javascript; charset=utf-8"),
        ("/icon.svg", "image/svg+xml"),
        ("/variants.json", "application/json"),
    ] {
        let answer = get(&server, path, &format!("Host: {host}\r\n"));
        assert_eq!(status(&answer), 200, "{path}: {answer}");
        let head = answer
            .split("\r\n\r\n")
            .next()
            .expect("a head")
            .to_lowercase();
        for header in [
            &format!("content-type: {kind}"),
            "x-content-type-options: nosniff",
            "x-frame-options: deny",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
            "cross-origin-resource-policy: same-origin",
            &format!(
                "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: \
                 blob:; connect-src 'self' ws://{host}; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                 frame-ancestors 'none'"
            ),
        ] {
            let line = head.lines().find(|line| *line == header);
            assert!(line.is_some(), "{path} without '{header}':\n{head}");
        }
    }
}

#[test]
fn serves_only_files_of_page() {
    let server = start_server();
    let host = format!("Host: localhost:{}\r\n", server.port);
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/main.js/",
        "/.gitignore",
        "/main.rs",
        "/nothing.js",
    ] {
        assert_eq!(status(&get(&server, path, &host)), 404, "{path}");
    }
}

#[test]
fn variant_list_equals_state_of_sessions() {
    let server = start_server();
    let host = format!("Host: [::1]:{}\r\n", server.port);
    let answer = get(&server, "/variants.json", &host);
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    let listed: Value = serde_json::from_str(body).expect("JSON");
    let listed = listed["variants"].as_array().expect("a list");
    assert_eq!(listed.len(), puli::catalog::all().count());
    let mut socket = open_session(&server);
    for (variant, listed) in puli::catalog::all().zip(listed) {
        let change = format!("setoption name UCI_Variant value {variant}");
        assert!(ask(&mut socket, &change).is_empty());
        let lines = ask(&mut socket, "state");
        let [line] = &lines[..] else {
            panic!("{lines:?}")
        };
        let state = line.strip_prefix("state ").expect("a state");
        let mut state = serde_json::from_str::<Value>(state).expect("JSON");
        // The list of games contains no moves, because some starts have thousands.
        state["moves"] = Value::Array(Vec::new());
        assert_eq!(&state, listed);
    }
}

/// A request that no browser sends: its name, its bytes, and the allowed status codes.
type Strange = (&'static str, String, &'static [u16]);

const CLOSE: &str = "Connection: close\r\n";

/// Returns a request with the headers of the server's own page, and `headers`.
fn request(server: &Server, line: &str, headers: &str) -> String {
    format!("{line}\r\n{}{headers}\r\n", own_headers(server))
}

/// Returns requests with unusual methods and targets.
fn strange_targets(server: &Server) -> Vec<Strange> {
    let host = format!("127.0.0.1:{}", server.port);
    let get = |path: &str| request(server, &format!("GET {path} HTTP/1.1"), CLOSE);
    vec![
        ("HEAD", request(server, "HEAD / HTTP/1.1", CLOSE), &[200]),
        (
            "HEAD of a missing file",
            request(server, "HEAD /nothing HTTP/1.1", CLOSE),
            &[404],
        ),
        (
            "HEAD of a socket",
            request(server, "HEAD /ws HTTP/1.1", CLOSE),
            &[405],
        ),
        (
            "OPTIONS",
            request(server, "OPTIONS * HTTP/1.1", CLOSE),
            &[405],
        ),
        (
            "CONNECT",
            request(server, &format!("CONNECT {host} HTTP/1.1"), CLOSE),
            &[405],
        ),
        (
            "CONNECT elsewhere",
            request(server, "CONNECT evil.example:80 HTTP/1.1", CLOSE),
            &[421],
        ),
        ("absolute form", get(&format!("http://{host}/")), &[200]),
        (
            "absolute form without a path",
            get(&format!("http://{host}")),
            &[200],
        ),
        (
            "absolute form with a user",
            get(&format!("http://me@{host}/")),
            &[421],
        ),
        (
            "absolute form elsewhere",
            get("http://evil.example/"),
            &[421],
        ),
        (
            "absolute form by another name",
            get(&format!("http://localhost:{}/", server.port)),
            &[421],
        ),
        (
            "no host",
            format!("GET http://{host}/ HTTP/1.1\r\n\r\n"),
            &[421],
        ),
    ]
}

/// Returns requests with unusual heads.
fn strange_heads(server: &Server) -> Vec<Strange> {
    let get = |path: &str| request(server, &format!("GET {path} HTTP/1.1"), CLOSE);
    let with = |headers: &str| request(server, "GET / HTTP/1.1", headers);
    let long = "x".repeat(10 << 20);
    vec![
        ("version 1.0", request(server, "GET / HTTP/1.0", ""), &[200]),
        ("version 0.9", "GET /\r\n\r\n".into(), &[400]),
        (
            "another protocol",
            "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0".repeat(20),
            &[400],
        ),
        ("query", get("/?a=b&c"), &[200]),
        ("escaped zero", get("/main.js%00"), &[404]),
        ("control character in the path", get("/\u{1b}[2J"), &[400]),
        (
            "control character in a header",
            with("X: \u{1b}[2J\r\n"),
            &[400],
        ),
        ("folded header", with("X: a\r\n b\r\n"), &[400]),
        (
            "long path",
            get(&format!("/{}", "x".repeat(10_000))),
            &[404],
        ),
        ("longer path", get(&format!("/{long}")), &[414, 431]),
        ("long header", with(&format!("X: {long}\r\n")), &[431]),
        (
            "header without an end",
            format!("GET / HTTP/1.1\r\nX: {long}"),
            &[431],
        ),
        ("many headers", with(&"X: y\r\n".repeat(1000)), &[431]),
    ]
}

/// Returns requests with unusual bodies.
fn strange_bodies(server: &Server) -> Vec<Strange> {
    let with = |headers: &str| request(server, "GET / HTTP/1.1", headers);
    let long = "x".repeat(10 << 20);
    vec![
        (
            "body",
            with(&format!("{CLOSE}Content-Length: 4\r\n\r\nbody")),
            &[200],
        ),
        (
            "body that never arrives",
            with("Content-Length: 4000000\r\n\r\nbody"),
            &[200],
        ),
        (
            "long body",
            with(&format!("Content-Length: {}\r\n\r\n{long}", long.len())),
            &[200],
        ),
        (
            "body without an end",
            with("Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n"),
            &[200],
        ),
        (
            "length that is not a number",
            with("Content-Length: -1\r\n"),
            &[400],
        ),
        (
            "two lengths",
            with("Content-Length: 1\r\nContent-Length: 2\r\n\r\nx"),
            &[400],
        ),
        (
            "unknown coding",
            with("Transfer-Encoding: x\r\n\r\nx"),
            &[400],
        ),
        (
            "body after a confirmation",
            with(&format!(
                "{CLOSE}Expect: 100-continue\r\nContent-Length: 4\r\n"
            )),
            &[200],
        ),
        (
            "other method with a body that never arrives",
            request(
                server,
                "POST / HTTP/1.1",
                "Content-Length: 4000000\r\n\r\nbody",
            ),
            &[405],
        ),
        (
            "other method with a long body",
            request(
                server,
                "POST / HTTP/1.1",
                &format!("Content-Length: {}\r\n\r\n{long}", long.len()),
            ),
            &[405],
        ),
    ]
}

/// Returns unusual upgrade requests.
fn strange_upgrades(server: &Server) -> Vec<Strange> {
    let get = |path: &str| request(server, &format!("GET {path} HTTP/1.1"), CLOSE);
    let upgrade = |headers: &str| {
        let upgrade = "Connection: close, Upgrade\r\nUpgrade: websocket\r\n";
        request(server, "GET /ws HTTP/1.1", &format!("{upgrade}{headers}"))
    };
    vec![
        ("upgrade without its headers", get("/ws"), &[400]),
        (
            "socket of another version",
            upgrade("Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: x\r\n"),
            &[400],
        ),
        (
            "socket without a key",
            upgrade("Sec-WebSocket-Version: 13\r\n"),
            &[400],
        ),
    ]
}

#[test]
fn strange_requests_get_one_answer_and_clean_close() {
    let server = start_server();
    let kinds = [
        strange_targets,
        strange_heads,
        strange_bodies,
        strange_upgrades,
    ];
    for (what, request, statuses) in kinds.iter().flat_map(|kind| kind(&server)) {
        let mut stream = connect(&server);
        // The server may close the connection before it has read the whole request.
        drop(stream.write_all(request.as_bytes()));
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect(what);
        let answer = String::from_utf8_lossy(&answer);
        assert!(statuses.contains(&status(&answer)), "{what}: {answer}");
        assert_eq!(answer.matches("HTTP/1.").count(), 1, "{what}: {answer}");
    }
}

#[test]
fn answers_pipelined_requests_in_order() {
    let server = start_server();
    let own_headers = own_headers(&server);
    let paths = ["/icon.svg", "/nothing", "/main.js"];
    let mut requests = String::new();
    for path in ["/icon.svg", "/variants.json", "/icon.svg"].repeat(20) {
        requests += &format!("GET {path} HTTP/1.1\r\n{own_headers}\r\n");
    }
    // A refusal closes the connection, so later requests get no answer.
    for path in paths {
        requests += &format!("GET {path} HTTP/1.1\r\n{own_headers}\r\n");
    }
    let answer = super::client::exchange(&server, &requests);
    let kinds: Vec<_> = answer
        .lines()
        .filter_map(|line| line.strip_prefix("content-type: "))
        .collect();
    let mut expected = ["image/svg+xml", "application/json", "image/svg+xml"].repeat(20);
    expected.extend(["image/svg+xml", "text/plain; charset=utf-8"]);
    assert_eq!(kinds, expected);
}
