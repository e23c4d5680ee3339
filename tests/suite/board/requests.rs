//! What a browser asks for before it opens a socket.

use serde_json::Value;

use super::board;
use super::caller::{answers, get, status, welcomed};

#[test]
fn the_page_comes_with_its_types_and_with_what_it_may_do() {
    let server = board();
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
fn there_is_nothing_but_the_page() {
    let server = board();
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
fn the_variants_are_told_as_a_session_tells_them() {
    let server = board();
    let host = format!("Host: [::1]:{}\r\n", server.port);
    let answer = get(&server, "/variants.json", &host);
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    let told: Value = serde_json::from_str(body).expect("JSON");
    let told = told["variants"].as_array().expect("a list");
    assert_eq!(told.len(), puli::catalog::all().count());
    let mut socket = welcomed(&server);
    for (variant, told) in puli::catalog::all().zip(told) {
        let change = format!("setoption name UCI_Variant value {variant}");
        assert!(answers(&mut socket, &change).is_empty());
        let lines = answers(&mut socket, "state");
        let [line] = &lines[..] else {
            panic!("{lines:?}")
        };
        let state = line.strip_prefix("state ").expect("a state");
        let mut state = serde_json::from_str::<Value>(state).expect("JSON");
        // The list of games holds no moves: some starts have thousands.
        state["moves"] = Value::Array(Vec::new());
        assert_eq!(&state, told);
    }
}
