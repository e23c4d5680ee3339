//! Tests HTTP requests: the files of the page, their headers, and requests that no browser sends.

use std::io::{Read, Write};

use serde_json::{Value, json};

use super::Server;
use super::client::{ask, connect, get, open_session, same_origin_headers, status};
use super::start_server;

#[test]
fn page_has_content_types_and_security_headers() {
    let server = start_server();
    let host = format!("127.0.0.1:{}", server.port);
    for (path, content_type) in [
        ("/", "text/html; charset=utf-8"),
        ("/index.html", "text/html; charset=utf-8"),
        ("/main.js", "text/javascript; charset=utf-8"),
        ("/icon.svg", "image/svg+xml"),
        ("/variants.json", "application/json"),
    ] {
        let response = get(&server, path, &format!("Host: {host}\r\n"));
        assert_eq!(status(&response), 200, "{path}: {response}");
        let head = response
            .split("\r\n\r\n")
            .next()
            .expect("a head")
            .to_lowercase();
        let of_all = [
            format!("content-type: {content_type}"),
            "x-content-type-options: nosniff".into(),
            "cache-control: no-store".into(),
            "cross-origin-resource-policy: same-origin".into(),
        ];
        let of_documents = [
            "x-frame-options: deny".into(),
            "referrer-policy: no-referrer".into(),
            "cross-origin-opener-policy: same-origin".into(),
            format!(
                "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: \
                 blob:; connect-src 'self' ws://{host}; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                 frame-ancestors 'none'"
            ),
        ];
        let is_document =
            content_type.starts_with("text/html") || content_type.starts_with("image/");
        for (header, is_wanted) in of_all
            .iter()
            .map(|header| (header, true))
            .chain(of_documents.iter().map(|header| (header, is_document)))
        {
            let has_header = head.lines().any(|line| line == header);
            assert_eq!(has_header, is_wanted, "{path}, '{header}':\n{head}");
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
fn variant_list_equals_states_of_sessions() {
    let server = start_server();
    let host = format!("Host: [::1]:{}\r\n", server.port);
    let response = get(&server, "/variants.json", &host);
    let (_, body) = response.split_once("\r\n\r\n").expect("a body");
    let mut variants: Value = serde_json::from_str(body).expect("JSON");
    let variants = variants["variants"].as_array_mut().expect("a list");
    assert_eq!(variants.len(), puli::catalog::all().count());
    let mut socket = open_session(&server);
    for (variant, listed_state) in puli::catalog::all().zip(variants) {
        let change = format!("setoption name UCI_Variant value {variant}");
        assert!(ask(&mut socket, &change).is_empty());
        // The list does not wait until small games are solved.
        let change = "setoption name SolveLimit value 0";
        assert!(ask(&mut socket, change).is_empty());
        let lines = ask(&mut socket, "state");
        let [line] = &lines[..] else {
            panic!("{lines:?}")
        };
        let state = line.strip_prefix("state ").expect("a state");
        let mut state = serde_json::from_str::<Value>(state).expect("JSON");
        // The list of variants omits the moves, because some starts have thousands of them.
        state["moves"] = Value::Array(Vec::new());
        // The list has facts that `state` does not have.
        let listed_state = listed_state.as_object_mut().expect("an object");
        let facts =
            ["origin", "year", "positions"].map(|key| listed_state.remove(key).expect("a fact"));
        if variant == "kaooa" {
            let texts = ["sources", "differences"]
                .map(|key| listed_state[key].as_array().expect("an array").len());
            assert_eq!(texts, [1, 1]);
        }
        let known = match variant {
            "kaooa" => Some(json!(["India", 1924, 40_752.0])),
            "wolf-and-sheep" => Some(json!([null, null, 2_013_760.0])),
            "8-puzzle" => Some(json!([null, null, 181_440.0])),
            _ => None,
        };
        assert!(
            known.is_none_or(|known| known == json!(facts)),
            "{variant}: {facts:?}"
        );
        assert_eq!(&state, &json!(listed_state));
    }
}

/// A request that no browser sends: its name, its bytes, and the allowed status codes of the response.
type UnusualRequest = (&'static str, String, &'static [u16]);

/// The header line with which a client asks the server to close the connection after the response.
const CLOSE: &str = "Connection: close\r\n";

/// Returns a request with the request line `line`, the headers that the server's own page sends, and `headers`.
fn request(server: &Server, line: &str, headers: &str) -> String {
    format!("{line}\r\n{}{headers}\r\n", same_origin_headers(server))
}

/// Returns requests with unusual methods and targets.
fn unusual_targets(server: &Server) -> Vec<UnusualRequest> {
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
fn unusual_heads(server: &Server) -> Vec<UnusualRequest> {
    let get = |path: &str| request(server, &format!("GET {path} HTTP/1.1"), CLOSE);
    let with = |headers: &str| request(server, "GET / HTTP/1.1", headers);
    let ten_mebibytes = "x".repeat(10 << 20);
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
        (
            "longer path",
            get(&format!("/{ten_mebibytes}")),
            &[414, 431],
        ),
        (
            "long header",
            with(&format!("X: {ten_mebibytes}\r\n")),
            &[431],
        ),
        (
            "header without an end",
            format!("GET / HTTP/1.1\r\nX: {ten_mebibytes}"),
            &[431],
        ),
        ("many headers", with(&"X: y\r\n".repeat(1000)), &[431]),
    ]
}

/// Returns requests with unusual bodies.
fn unusual_bodies(server: &Server) -> Vec<UnusualRequest> {
    let with = |headers: &str| request(server, "GET / HTTP/1.1", headers);
    let ten_mebibytes = "x".repeat(10 << 20);
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
            with(&format!(
                "Content-Length: {}\r\n\r\n{ten_mebibytes}",
                ten_mebibytes.len()
            )),
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
                &format!(
                    "Content-Length: {}\r\n\r\n{ten_mebibytes}",
                    ten_mebibytes.len()
                ),
            ),
            &[405],
        ),
    ]
}

/// Returns unusual upgrade requests.
fn unusual_upgrades(server: &Server) -> Vec<UnusualRequest> {
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
fn unusual_requests_get_one_response_and_clean_close() {
    let server = start_server();
    let request_lists = [
        unusual_targets,
        unusual_heads,
        unusual_bodies,
        unusual_upgrades,
    ];
    for (name, request, statuses) in request_lists.iter().flat_map(|list| list(&server)) {
        let mut stream = connect(&server);
        // The server may close the connection before it has read the whole request.
        drop(stream.write_all(request.as_bytes()));
        let mut response = Vec::new();
        stream.read_to_end(&mut response).expect(name);
        let response = String::from_utf8_lossy(&response);
        assert!(statuses.contains(&status(&response)), "{name}: {response}");
        assert_eq!(response.matches("HTTP/1.").count(), 1, "{name}: {response}");
    }
}

#[test]
fn answers_pipelined_requests_in_order() {
    let server = start_server();
    let same_origin_headers = same_origin_headers(&server);
    let paths = ["/icon.svg", "/nothing", "/main.js"];
    let mut requests = String::new();
    for path in ["/icon.svg", "/variants.json", "/icon.svg"].repeat(20) {
        requests += &format!("GET {path} HTTP/1.1\r\n{same_origin_headers}\r\n");
    }
    // A response with an error closes the connection, so the request for `/main.js` gets no response.
    for path in paths {
        requests += &format!("GET {path} HTTP/1.1\r\n{same_origin_headers}\r\n");
    }
    let response = super::client::exchange(&server, &requests);
    let content_types: Vec<_> = response
        .lines()
        .filter_map(|line| line.strip_prefix("content-type: "))
        .collect();
    let mut expected = ["image/svg+xml", "application/json", "image/svg+xml"].repeat(20);
    expected.extend(["image/svg+xml", "text/plain; charset=utf-8"]);
    assert_eq!(content_types, expected);
}
