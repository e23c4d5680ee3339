//! What a page of somebody else could try, and what comes of it.

use std::io::Write;
use std::time::Duration;

use puli::catalog;
use puli::settings::Settings;
use puli::web::{MAX_MESSAGE_BYTES, ServerConfig};
use tungstenite::Message;

use super::caller::{
    answers, connect, exchange, get, next, open, own, read_all, say, status, upgrade, welcomed,
};
use super::{board, board_of};

#[test]
fn a_foreign_host_is_refused_whatever_is_asked_for() {
    let server = board();
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
fn no_host_two_hosts_and_a_host_beside_the_one_in_the_request_are_refused() {
    let server = board();
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
fn a_foreign_or_a_missing_origin_gets_no_socket() {
    let server = board();
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
    let own = own(&server);
    let answers = [
        upgrade(&host),
        upgrade(&format!("{own}Origin: https://evil.example\r\n")),
        upgrade(&format!("Origin: https://evil.example\r\n{own}")),
    ]
    .map(|request| status(&exchange(&server, &request)));
    assert_eq!(answers, [403; 3]);
}

#[test]
fn a_foreign_page_reads_nothing_and_no_other_method_does_anything() {
    let server = board();
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
        let own = own(&server);
        let request =
            format!("{method} / HTTP/1.1\r\n{own}Content-Length: 0\r\nConnection: close\r\n\r\n");
        assert_eq!(status(&exchange(&server, &request)), 405, "{method}");
    }
}

#[test]
fn a_wrong_token_ends_the_socket_and_says_so() {
    let server = board();
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
        say(&mut socket, wrong);
        assert_eq!(next(&mut socket), "close 1008 token", "{wrong}");
    }
    let mut socket = open(&server);
    socket
        .send(Message::binary(right.as_bytes().to_vec()))
        .expect("sent");
    assert_eq!(next(&mut socket), "close 1008 token");
    // The right one is no wish for the page itself either.
    assert_eq!(
        status(&get(&server, &format!("/{right}"), &own(&server))),
        404
    );
}

#[test]
fn who_shows_no_token_and_who_dawdles_over_a_request_is_cut_off() {
    let server = board_of(ServerConfig {
        patience: Duration::from_millis(300),
        ..ServerConfig::new(Settings::default(), catalog::build)
    });
    let mut silent = open(&server);
    assert_eq!(next(&mut silent), "close 1008 token");
    let mut slow = connect(&server);
    slow.write_all(b"GET / HTTP/1.1\r\nHost: 127")
        .expect("sent");
    let answer = read_all(&mut slow);
    assert!(answer.is_empty() || status(&answer) == 408, "{answer}");
    // One that asks again and again is none of them: it is served as long as it likes.
    let mut socket = welcomed(&server);
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(answers(&mut socket, "query p1turn"), ["response true"]);
}

#[test]
fn an_oversized_message_a_binary_one_and_two_lines_in_one_end_the_socket() {
    let server = board();
    let mut socket = welcomed(&server);
    say(&mut socket, &"x".repeat(MAX_MESSAGE_BYTES));
    assert!(next(&mut socket).starts_with("info string error: column 1"));
    for (message, end) in [
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
        let mut socket = welcomed(&server);
        socket.send(message).expect("sent");
        assert_eq!(next(&mut socket), end);
    }
    // The server is none the worse for it.
    assert_eq!(
        answers(&mut welcomed(&server), "query p1turn"),
        ["response true"]
    );
}

#[test]
fn no_option_that_names_a_path_can_be_set_in_any_spelling() {
    let server = board();
    let mut socket = welcomed(&server);
    let lists = answers(&mut socket, "uci");
    assert!(
        lists
            .iter()
            .any(|line| line.starts_with("option name Hash "))
    );
    assert!(
        !lists.iter().any(|line| line.contains("type string")),
        "{lists:#?}"
    );
    let texts: Vec<String> = Settings::default()
        .describe(&puli::protocol::options::Bounds::NONE)
        .iter()
        .filter(|line| line.contains("type string"))
        .map(|line| {
            line.split(" type ")
                .next()
                .expect("a name")
                .replace("option name ", "")
        })
        .collect();
    assert!(
        texts.len() >= 2 && texts.contains(&"TablebasePath".to_string()),
        "{texts:?}"
    );
    for option in texts {
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
            let heard = answers(&mut socket, &line);
            let refused = heard.len() == 1
                && heard[0].starts_with("info string error: ")
                && heard[0].ends_with("is set where Puli is started, not from here");
            assert!(refused, "{line}: {heard:?}");
        }
        for line in [
            format!("setoption name Hash value 1 name {option} value /etc"),
            format!("setoption name\u{a0}{option} value /etc"),
            format!("setoption name \"{option}\" value /etc"),
            format!("uci setoption name {option} value /etc"),
            format!("SETOPTION NAME {option} VALUE /etc"),
        ] {
            let heard = answers(&mut socket, &line);
            let refused = heard.len() == 1 && heard[0].starts_with("info string error: ");
            assert!(refused, "{line}: {heard:?}");
        }
    }
}

#[test]
fn memory_and_threads_are_given_up_to_their_bounds_and_no_further() {
    let server = board();
    let mut socket = welcomed(&server);
    let lists = answers(&mut socket, "ugi");
    for option in ["Hash", "MemoryLimit", "Threads"] {
        let start = format!("option name {option} type spin default ");
        let line = lists.iter().find_map(|line| line.strip_prefix(&start));
        let words: Vec<&str> = line.expect("listed").split(' ').collect();
        let [default, "min", "1", "max", most] = words[..] else {
            panic!("{words:?}")
        };
        let [default, most]: [u64; 2] = [default, most].map(|word| word.parse().expect("a number"));
        assert!(
            default <= most && most <= 1024,
            "{option}: {default} of {most}"
        );
        let set = |n: u64| format!("setoption name {option} value {n}");
        assert!(answers(&mut socket, &set(1)).is_empty());
        for n in [most + 1, 1 << 20, u64::MAX] {
            let heard = answers(&mut socket, &set(n));
            let expected = format!("option {option} takes a number from 1 to {most}, not '{n}'");
            assert!(
                heard.len() == 1 && heard[0].ends_with(&expected),
                "{heard:?}"
            );
        }
    }
}
