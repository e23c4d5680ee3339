//! Tests that the server rejects attacks by the web pages of other sites, which run in the same browser.

use std::io::Write;
use std::time::Duration;

use puli::catalog;
use puli::settings::Settings;
use puli::web::{MAX_MESSAGE_BYTES, ServerConfig};
use tungstenite::Message;

use super::client::{
    ask, connect, exchange, get, open, open_session, read_all, receive, same_origin_headers, send,
    status, upgrade,
};
use super::{start_server, start_server_with};

#[test]
fn rejects_foreign_host_for_every_path() {
    let server = start_server();
    let port = server.port;
    for host in [
        format!("evil.example:{port}"),
        "127.0.0.1".into(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("127.0.0.1:{port}.evil.example"),
        format!("localhost.evil.example:{port}"),
        format!("127.0.0.2:{port}"),
        format!("[::1%25lo]:{port}"),
        format!("127.0.0.1:{port}, evil.example"),
        String::new(),
    ] {
        for path in ["/", "/variants.json", "/ws"] {
            let answer = get(&server, path, &format!("Host: {host}\r\n"));
            assert!(
                matches!(status(&answer), 400 | 421),
                "{host} {path}: {answer}"
            );
        }
    }
}

#[test]
fn rejects_missing_double_and_conflicting_hosts() {
    let server = start_server();
    let host = format!("Host: 127.0.0.1:{}\r\n", server.port);
    for headers in [
        String::new(),
        format!("{host}Host: evil.example\r\n"),
        format!("Host: evil.example\r\n{host}"),
    ] {
        let answer = get(&server, "/", &headers);
        assert!(matches!(status(&answer), 400 | 421), "{headers}: {answer}");
    }
    let foreign = get(&server, "http://evil.example/", &host);
    assert_eq!(status(&foreign), 421);
}

#[test]
fn rejects_socket_for_foreign_or_missing_origin() {
    let server = start_server();
    let port = server.port;
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    for origin in [
        "https://evil.example".to_string(),
        "null".into(),
        String::new(),
        format!("http://localhost:{port}"),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{}", port ^ 1),
        "http://127.0.0.1".into(),
        format!("http://127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port}.evil.example"),
        format!("HTTP://127.0.0.1:{port}"),
    ] {
        let answer = exchange(&server, &upgrade(&format!("{host}Origin: {origin}\r\n")));
        assert_eq!(status(&answer), 403, "{origin}: {answer}");
    }
    let same_origin_headers = same_origin_headers(&server);
    let statuses = [
        upgrade(&host),
        upgrade(&format!(
            "{same_origin_headers}Origin: https://evil.example\r\n"
        )),
        upgrade(&format!(
            "Origin: https://evil.example\r\n{same_origin_headers}"
        )),
    ]
    .map(|request| status(&exchange(&server, &request)));
    assert_eq!(statuses, [403; 3]);
}

#[test]
fn serves_no_foreign_page_and_no_other_method() {
    let server = start_server();
    let foreign = format!(
        "Host: 127.0.0.1:{}\r\nOrigin: https://evil.example\r\n",
        server.port
    );
    for path in ["/", "/main.js", "/variants.json"] {
        let answer = get(&server, path, &foreign);
        assert_eq!(status(&answer), 403, "{path}");
        assert!(
            !answer.to_lowercase().contains("access-control-allow"),
            "{answer}"
        );
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
        let same_origin_headers = same_origin_headers(&server);
        let request = format!(
            "{method} / HTTP/1.1\r\n{same_origin_headers}Content-Length: 0\r\nConnection: close\r\n\r\n"
        );
        assert_eq!(status(&exchange(&server, &request)), 405, "{method}");
    }
}

#[test]
fn closes_socket_with_reason_after_wrong_token() {
    let server = start_server();
    let right = &server.token;
    for wrong in [
        "",
        "uci",
        &"0".repeat(32),
        &right.to_uppercase().replace(char::is_numeric, "A"),
        &right[1..],
        &format!("{right} "),
        &format!("{right}\nuci"),
    ] {
        let mut socket = open(&server);
        send(&mut socket, wrong);
        assert_eq!(receive(&mut socket), "close 1008 token", "{wrong}");
    }
    let mut socket = open(&server);
    socket
        .send(Message::binary(right.as_bytes().to_vec()))
        .expect("sent");
    assert_eq!(receive(&mut socket), "close 1008 token");
    // The token is not accepted as a path either.
    assert_eq!(
        status(&get(
            &server,
            &format!("/{right}"),
            &same_origin_headers(&server)
        )),
        404
    );
}

#[test]
fn closes_clients_without_token_and_slow_requests() {
    let server = start_server_with(ServerConfig {
        request_timeout: Duration::from_millis(300),
        ..ServerConfig::new(Settings::default(), catalog::build)
    });
    let mut without_token = open(&server);
    assert_eq!(receive(&mut without_token), "close 1008 token");
    let mut slow = connect(&server);
    slow.write_all(b"GET / HTTP/1.1\r\nHost: 127")
        .expect("sent");
    let answer = read_all(&mut slow);
    assert!(answer.is_empty() || status(&answer) == 408, "{answer}");
    // There is no time limit for a client that has sent the token.
    let mut socket = open_session(&server);
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(ask(&mut socket, "query p1turn"), ["response true"]);
}

#[test]
fn closes_socket_after_large_binary_or_two_line_message() {
    let server = start_server();
    let mut socket = open_session(&server);
    send(&mut socket, &"x".repeat(MAX_MESSAGE_BYTES));
    assert!(receive(&mut socket).starts_with("info string error: column 1"));
    for (message, expected) in [
        (
            Message::text("x".repeat(MAX_MESSAGE_BYTES + 1)),
            "close 1009 too long",
        ),
        (
            Message::binary(b"uci".to_vec()),
            "close 1003 send text only",
        ),
        (
            Message::text("uci\nquit"),
            "close 1008 send one line per message",
        ),
        (
            Message::text("uci\rquit"),
            "close 1008 send one line per message",
        ),
    ] {
        let mut socket = open_session(&server);
        socket.send(message).expect("sent");
        assert_eq!(receive(&mut socket), expected);
    }
    // The server continues to serve other clients.
    assert_eq!(
        ask(&mut open_session(&server), "query p1turn"),
        ["response true"]
    );
}

#[test]
fn path_options_cannot_be_set_in_any_spelling() {
    let server = start_server();
    let mut socket = open_session(&server);
    let options = ask(&mut socket, "uci");
    assert!(
        options
            .iter()
            .any(|line| line.starts_with("option name Hash "))
    );
    let names_path =
        |line: &&String| line.contains("type string") && !line.contains(" VariantText ");
    assert_eq!(options.iter().find(names_path), None);
    let path_options: Vec<String> = Settings::default()
        .describe(&puli::protocol::options::Bounds::NONE)
        .iter()
        .filter(names_path)
        .map(|line| {
            line.split(" type ")
                .next()
                .expect("a name")
                .replace("option name ", "")
        })
        .collect();
    assert!(
        path_options.len() >= 2 && path_options.contains(&"TablebasePath".to_string()),
        "{path_options:?}"
    );
    for option in path_options {
        for line in [
            format!("setoption name {option} value /etc"),
            format!("setoption name {} value /etc", option.to_uppercase()),
            format!("setoption name {} value /etc", option.to_lowercase()),
            format!("  setoption\tname \t{option}  value   /etc  "),
            format!("setoption name {option} value"),
            format!("setoption name {option}"),
            format!("setoption name {option} value <empty>"),
            format!("setoption name {option} value ../../../../etc/passwd"),
        ] {
            let received = ask(&mut socket, &line);
            let is_rejected = received.len() == 1
                && received[0].starts_with("info string error: ")
                && received[0]
                    .ends_with("cannot be changed in this session: set it when starting Puli");
            assert!(is_rejected, "{line}: {received:?}");
        }
        for line in [
            format!("setoption name Hash value 1 name {option} value /etc"),
            format!("setoption name\u{a0}{option} value /etc"),
            format!("setoption name \"{option}\" value /etc"),
            format!("uci setoption name {option} value /etc"),
            format!("SETOPTION NAME {option} VALUE /etc"),
        ] {
            let received = ask(&mut socket, &line);
            let is_rejected = received.len() == 1 && received[0].starts_with("info string error: ");
            assert!(is_rejected, "{line}: {received:?}");
        }
    }
}

#[test]
fn memory_and_threads_are_limited() {
    let server = start_server();
    let mut socket = open_session(&server);
    let options = ask(&mut socket, "ugi");
    for option in ["Hash", "MemoryLimit", "Threads"] {
        let start = format!("option name {option} type spin default ");
        let line = options.iter().find_map(|line| line.strip_prefix(&start));
        let words: Vec<&str> = line.expect("listed").split(' ').collect();
        let [default, "min", "1", "max", max_value] = words[..] else {
            panic!("{words:?}")
        };
        let [default, max_value]: [u64; 2] =
            [default, max_value].map(|word| word.parse().expect("a number"));
        assert!(
            default <= max_value && max_value <= 1024,
            "{option}: {default} of {max_value}"
        );
        let set = |n: u64| format!("setoption name {option} value {n}");
        assert!(ask(&mut socket, &set(1)).is_empty());
        for n in [max_value + 1, 1 << 20, u64::MAX] {
            let received = ask(&mut socket, &set(n));
            let expected =
                format!("option {option} takes a number from 1 to {max_value}, not '{n}'");
            assert!(
                received.len() == 1 && received[0].ends_with(&expected),
                "{received:?}"
            );
        }
    }
}
