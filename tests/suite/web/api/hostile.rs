//! Tests every kind of error, and requests that no client should send.

use std::io::Write;
use std::net::{IpAddr, TcpListener, TcpStream};

use puli::web::api::ApiConfig;

use super::client::Client;
use super::{config, connected, start};
use crate::web::Server;
use crate::web::client::{connect, exchange, read_all, status};

/// Wrong requests: the path, the status of the response, the place that it names, and the beginning of its text.
const WRONG_REQUESTS: [(&str, u16, &str, &str); 29] = [
    (
        "/",
        404,
        "path",
        "there is no such path: /v1/openapi.json lists",
    ),
    ("/v1", 404, "path", "there is no such path"),
    ("/v1/kaooa/positions/", 404, "path", "there is no such path"),
    ("/v2/games", 404, "path", "there is no such path"),
    ("/../Cargo.toml", 404, "path", "there is no such path"),
    (
        "/v1/games/kaoa",
        404,
        "path parameter 'game'",
        "there is no game 'kaoa' (did you mean kaooa?), only aadu-puli",
    ),
    (
        "/v1/games/..%2f..%2fetc",
        404,
        "path parameter 'game'",
        "there is no game '../../etc'",
    ),
    (
        "/v1/kaoa/positions/start",
        404,
        "path parameter 'game'",
        "there is no game 'kaoa'",
    ),
    (
        "/v1/kaooa/positions/startpos",
        400,
        "path parameter 'fen'",
        "column 1: expected",
    ),
    (
        "/v1/tic-tac-toe/positions/3%203%203%203%2F3%2F3",
        400,
        "path parameter 'fen'",
        "column 12: expected the side to move",
    ),
    (
        "/v1/kaooa/positions/%00",
        400,
        "path parameter 'fen'",
        "column 1: expected",
    ),
    ("/v1/kaooa/positions/%ff", 400, "path", "Invalid U"),
    (
        "/v1/kaooa/positions/a%zzb",
        400,
        "path",
        "column 22: expected two hexadecimal digits after '%'",
    ),
    (
        "/v1/kaooa/positions/a%4",
        400,
        "path",
        "column 22: expected two hexadecimal digits",
    ),
    (
        "/v1/games?x=%g0",
        400,
        "query",
        "column 3: expected two hexadecimal digits",
    ),
    (
        "/v1/games?x=1",
        400,
        "query",
        "there is no parameter 'x', this path has none",
    ),
    (
        "/v1/kaooa/positions/start?depth=3",
        400,
        "query",
        "there is no parameter 'depth', only 'nodes'",
    ),
    (
        "/v1/kaooa/positions/start?nodes=1&nodes=2",
        400,
        "query",
        "parameter 'nodes' is given twice",
    ),
    (
        "/v1/kaooa/positions/start?nodes=",
        400,
        "query parameter 'nodes'",
        "expected a number from 1 to 1000000, not ''",
    ),
    (
        "/v1/kaooa/positions/start?nodes=0",
        400,
        "query parameter 'nodes'",
        "expected a number from 1 to 1000000, not '0'",
    ),
    (
        "/v1/kaooa/positions/start?nodes=1000001",
        400,
        "query parameter 'nodes'",
        "expected a number",
    ),
    (
        "/v1/kaooa/positions/start?nodes=-5",
        400,
        "query parameter 'nodes'",
        "expected a number",
    ),
    (
        "/v1/kaooa/positions/start?nodes=99999999999999999999",
        400,
        "query parameter 'nodes'",
        "expected a number",
    ),
    (
        "/gamesman/kaoa/",
        404,
        "path parameter 'game'",
        "there is no game 'kaoa'",
    ),
    (
        "/gamesman/2048/",
        404,
        "path parameter 'game'",
        "'2048' is a game of chance",
    ),
    (
        "/gamesman/kaooa/misere/",
        404,
        "path parameter 'variant'",
        "there is no variant 'misere', only 'regular'",
    ),
    (
        "/gamesman/kaooa/regular/positions/",
        400,
        "query parameter 'p'",
        "expected a position",
    ),
    (
        "/gamesman/kaooa/regular/positions/?p=x",
        400,
        "query parameter 'p'",
        "column 1: expected",
    ),
    (
        "/gamesman/kaooa/regular/positions/?q=x",
        400,
        "query",
        "there is no parameter 'q', only 'p'",
    ),
];

#[test]
fn errors_name_the_place() {
    let mut client = connected();
    for (path, expected, place, detail) in WRONG_REQUESTS {
        let response = client.get(path);
        assert_eq!(response.status, expected, "{path}: {response:?}");
        assert_eq!(
            response.header("content-type"),
            Some("application/problem+json"),
            "{path}"
        );
        assert_eq!(response.header("cache-control"), Some("no-store"), "{path}");
        let problem = response.json();
        assert_eq!(problem["status"], expected, "{path}");
        assert_eq!(problem["place"], place, "{path}: {problem}");
        let text = problem["detail"].as_str().expect("a detail");
        assert!(text.starts_with(detail), "{path}: {text}");
    }
}

#[test]
fn only_reading_methods_are_allowed() {
    let mut client = connected();
    for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"] {
        let response = client.request(method, "/v1/games", "Content-Length: 0\r\n");
        assert_eq!(response.status, 405, "{method}");
        assert_eq!(
            response.header("allow"),
            Some("GET, HEAD, OPTIONS"),
            "{method}"
        );
        assert_eq!(response.json()["place"], "method", "{method}");
    }
    let get = client.get("/v1/games");
    let head = client.request("HEAD", "/v1/games", "");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), get.header("content-length"));
    assert_eq!(head.header("etag"), get.header("etag"));
}

#[test]
fn pages_of_other_sites_may_read() {
    let mut client = connected();
    let origin = "Origin: https://example.org\r\n";
    for path in ["/v1/games", "/v1/kaooa/positions/x", "/nothing"] {
        let response = client.request("GET", path, origin);
        assert_eq!(
            response.header("access-control-allow-origin"),
            Some("*"),
            "{path}"
        );
        assert_eq!(
            response.header("cross-origin-resource-policy"),
            Some("cross-origin")
        );
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    }
    let preflight = client.request(
        "OPTIONS",
        "/v1/kaooa/positions/start",
        "Origin: https://example.org\r\nAccess-Control-Request-Method: GET\r\n",
    );
    assert_eq!(preflight.status, 204);
    assert_eq!(
        preflight.header("access-control-allow-methods"),
        Some("GET, HEAD")
    );
    assert_eq!(
        preflight.header("access-control-allow-headers"),
        Some("If-None-Match")
    );
}

#[test]
fn facts_are_cached_by_their_tag() {
    let mut client = connected();
    for path in [
        "/v1/games",
        "/v1/games/kaooa",
        "/v1/openapi.json",
        "/v1/tic-tac-toe/positions/start",
        "/gamesman/",
    ] {
        let first = client.get_settled(path);
        assert_eq!(
            first.header("cache-control"),
            Some("public, max-age=86400"),
            "{path}"
        );
        let tag = first.header("etag").expect("a tag").to_string();
        let again = client.get(path);
        assert_eq!(
            (again.header("etag"), &again.body),
            (Some(tag.as_str()), &first.body)
        );
        let known = client.request("GET", path, &format!("If-None-Match: {tag}\r\n"));
        assert_eq!((known.status, known.body.as_str()), (304, ""), "{path}");
        assert_eq!(known.header("etag"), Some(tag.as_str()), "{path}");
        let other = client.request("GET", path, "If-None-Match: \"0\"\r\n");
        assert_eq!(other.status, 200, "{path}");
    }
}

#[test]
fn only_own_hosts_are_served() {
    let mut with_name = config(0);
    with_name.hosts = vec!["puli.example".into()];
    let port = start(with_name);
    let server = Server {
        port,
        token: String::new(),
    };
    for (host, expected) in [
        (format!("Host: 127.0.0.1:{port}\r\n"), 200),
        (format!("Host: localhost:{port}\r\n"), 200),
        (format!("Host: [::1]:{port}\r\n"), 200),
        (format!("Host: puli.example:{port}\r\n"), 200),
        ("Host: puli.example\r\n".into(), 200),
        ("Host: evil.example\r\n".into(), 421),
        (format!("Host: evil.example:{port}\r\n"), 421),
        ("Host: 127.0.0.1\r\n".into(), 421),
        (format!("Host: 127.0.0.1:{}\r\n", port ^ 1), 421),
        (String::new(), 421),
        (
            format!("Host: localhost:{port}\r\nHost: localhost:{port}\r\n"),
            421,
        ),
    ] {
        let request = format!("GET /v1/openapi.json HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
        let response = exchange(&server, &request);
        assert_eq!(status(&response), expected, "{host}{response}");
        if expected == 421 {
            assert!(
                response.contains("\"place\":\"header 'Host'\""),
                "{response}"
            );
        }
    }
}

#[test]
fn addresses_of_the_machine_are_hosts() {
    // There, all addresses 127.x.y.z are of this machine, and a socket for all IPv6 addresses accepts IPv4, too.
    if !cfg!(target_os = "linux") {
        return;
    }
    let has_ipv6 = TcpListener::bind("[::]:0").is_ok();
    let addresses: [IpAddr; 2] = [[0; 4].into(), [0_u16; 8].into()];
    for address in addresses.into_iter().take(1 + usize::from(has_ipv6)) {
        let port = start(ApiConfig {
            address,
            ..config(0)
        });
        for (host, expected) in [("127.0.0.9", 200), ("127.0.0.8", 421)] {
            let mut stream = TcpStream::connect(("127.0.0.9", port)).expect("a connection");
            let request = format!(
                "GET /v1/openapi.json HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
            );
            stream.write_all(request.as_bytes()).expect("sent");
            let response = read_all(&mut stream);
            assert_eq!(status(&response), expected, "{address}: {response}");
        }
    }
}

#[test]
fn unusual_requests_are_rejected() {
    let port = start(config(20_000));
    let server = Server {
        port,
        token: String::new(),
    };
    let host = format!("Host: 127.0.0.1:{port}\r\nConnection: close\r\n");
    let long = "x".repeat(10 << 20);
    let head = |line: &str, headers: &str| format!("{line}\r\n{host}{headers}\r\n");
    for (name, request, statuses) in [
        (
            "long FEN",
            head(
                &format!("GET /v1/kaooa/positions/{} HTTP/1.1", "x".repeat(10_000)),
                "",
            ),
            &[400][..],
        ),
        (
            "deep tree",
            head(
                &format!(
                    "GET /v1/tree/positions/{}1{} HTTP/1.1",
                    "[".repeat(5000),
                    "]".repeat(5000)
                ),
                "",
            ),
            &[200, 400],
        ),
        (
            "wide tree",
            head(
                &format!("GET /v1/tree/positions/[{}1] HTTP/1.1", "1,".repeat(6000)),
                "",
            ),
            &[200, 400],
        ),
        (
            "long path",
            head(&format!("GET /{long} HTTP/1.1"), ""),
            &[414, 431],
        ),
        (
            "long header",
            head("GET /v1/games HTTP/1.1", &format!("X: {long}\r\n")),
            &[431],
        ),
        (
            "many headers",
            head("GET /v1/games HTTP/1.1", &"X: y\r\n".repeat(1000)),
            &[431],
        ),
        (
            "no HTTP",
            "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0".repeat(20),
            &[400],
        ),
        (
            "control character",
            head("GET /v1/\u{1b}games HTTP/1.1", ""),
            &[400],
        ),
        (
            "body",
            head("GET /v1/games HTTP/1.1", "Content-Length: 4\r\n\r\nbody"),
            &[200],
        ),
        (
            "endless body",
            head(
                "POST /v1/games HTTP/1.1",
                "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n",
            ),
            &[405],
        ),
        (
            "absolute form elsewhere",
            head("GET http://evil.example/v1/games HTTP/1.1", ""),
            &[421],
        ),
        (
            "CONNECT",
            head(&format!("CONNECT 127.0.0.1:{port} HTTP/1.1"), ""),
            &[405],
        ),
    ] {
        // The server may answer and close the connection before it has read all.
        let mut stream = connect(&server);
        drop(stream.write_all(request.as_bytes()));
        let response = read_all(&mut stream);
        assert!(statuses.contains(&status(&response)), "{name}: {response}");
    }
    assert_eq!(Client::new(port).get("/v1/games").status, 200);
}
