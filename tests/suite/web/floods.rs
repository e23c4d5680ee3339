//! Tests that many clients with open connections do not block other clients.
//!
//! The server has a maximum number of connections. At the maximum, it closes an idle connection for a new one. These
//! tests use small maxima and long timeouts, so no connection is freed by a timeout. `web_process` tests the default
//! maxima.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use puli::catalog;
use puli::settings::Settings;
use puli::web::ServerConfig;
use tungstenite::{Message, WebSocket};

use super::client::{
    ask, connect, get, open, open_session, receive, same_origin_headers, send, status, upgrade,
};
use super::{Server, TIMEOUT, start_server_with};

const MAX_CONNECTIONS: usize = 24;
const MAX_SOCKETS: usize = 4;
const HOUR: Duration = Duration::from_secs(3600);

/// Returns a configuration with small maximum numbers of clients and long timeouts.
fn small_limits() -> ServerConfig {
    ServerConfig {
        request_timeout: HOUR,
        write_timeout: HOUR,
        max_connections: MAX_CONNECTIONS,
        max_sockets: MAX_SOCKETS,
        ..ServerConfig::new(Settings::default(), catalog::build)
    }
}

/// Sends `bytes` at most `times` times, until the server accepts no more.
fn fill(stream: &mut TcpStream, bytes: &[u8], times: usize) {
    stream.set_nonblocking(true).expect("a connection");
    for _ in 0..times {
        // The server may already have closed this connection.
        if stream.write_all(bytes).is_err() {
            break;
        }
    }
    stream.set_nonblocking(false).expect("a connection");
}

/// Returns what a client without the token can send before it becomes silent: a name, the bytes, and how often they are
/// repeated.
fn silent_requests(server: &Server) -> Vec<(&'static str, String, usize)> {
    let same_origin_headers = same_origin_headers(server);
    let open = upgrade(&same_origin_headers);
    vec![
        ("nothing", String::new(), 0),
        (
            "requests",
            format!("GET /variants.json HTTP/1.1\r\n{same_origin_headers}\r\n"),
            300,
        ),
        ("half a head", "GET / HTTP/1.1\r\nX: ".into(), 1),
        ("half an upgrade", open[..60].into(), 1),
        ("an upgrade without a token", open, 1),
        (
            "a request with half a body",
            format!("GET / HTTP/1.1\r\n{same_origin_headers}Content-Length: 9\r\n\r\nhalf"),
            1,
        ),
        (
            "half of another method",
            format!("POST / HTTP/1.1\r\n{same_origin_headers}Content-Length: 9\r\n\r\nhalf"),
            1,
        ),
        ("bytes of a head", "x".into(), 1),
    ]
}

#[test]
fn silent_clients_do_not_block_others() {
    let server = start_server_with(small_limits());
    let mut active_session = open_session(&server);
    for (description, bytes, times) in silent_requests(&server) {
        let mut clients = Vec::new();
        for _ in 0..2 * MAX_CONNECTIONS {
            let mut stream = connect(&server);
            fill(&mut stream, bytes.as_bytes(), times);
            clients.push(stream);
        }
        for _ in 0..3 {
            let page = get(&server, "/", &same_origin_headers(&server));
            assert_eq!(status(&page), 200, "{description}");
            // A client that sends a single byte from time to time does not count as active.
            for stream in &mut clients {
                drop(stream.write(b"x"));
            }
            assert_eq!(
                ask(&mut open_session(&server), "query p1turn"),
                ["response true"]
            );
        }
        // The server has not closed the session that was opened first, because it is active.
        assert_eq!(
            ask(&mut active_session, "query p1turn"),
            ["response true"],
            "{description}"
        );
    }
}

/// Sends a HEAD request for the page. Returns `true` if the response arrives completely.
fn is_answered(stream: &mut TcpStream, server: &Server) -> bool {
    let request = format!("HEAD / HTTP/1.1\r\n{}\r\n", same_origin_headers(server));
    let mut head = Vec::new();
    if stream.write_all(request.as_bytes()).is_ok() {
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") && matches!(stream.read(&mut byte), Ok(1)) {
            head.push(byte[0]);
        }
    }
    head.starts_with(b"HTTP/1.1 200 ") && head.ends_with(b"\r\n\r\n")
}

#[test]
fn full_server_closes_connections_that_are_idle_longest() {
    /// Number of connections that are opened when the server is full.
    const LATE: usize = 4;
    let server = start_server_with(small_limits());
    let mut clients: Vec<_> = (0..MAX_CONNECTIONS).map(|_| connect(&server)).collect();
    // Each connection is answered, because a busy machine may serve an accepted connection late. Then the first one is used
    // again, so it has been idle for less time than all others.
    for stream in &mut clients {
        assert!(is_answered(stream, &server));
    }
    assert!(is_answered(&mut clients[0], &server));
    let mut late_clients: Vec<_> = (0..LATE).map(|_| connect(&server)).collect();
    for stream in &mut late_clients {
        assert!(is_answered(stream, &server));
    }
    let open: Vec<_> = clients
        .iter_mut()
        .map(|stream| is_answered(stream, &server))
        .collect();
    let expected: Vec<_> = (0..MAX_CONNECTIONS).map(|i| i == 0 || i > LATE).collect();
    assert_eq!(open, expected);
}

/// Sends the messages of a client with the token, which then becomes silent.
type SendMessages = fn(&mut WebSocket<TcpStream>);

#[test]
fn silent_clients_with_token_do_not_block_others() {
    let silent_requests: [(&str, SendMessages); 4] = [
        ("nothing", |_| {}),
        ("a search", |socket| send(socket, "go infinite")),
        ("pings", |socket| {
            let mut ping = vec![0x89, 0xfd, 0, 0, 0, 0];
            ping.extend([b'x'; 125]);
            fill(socket.get_mut(), &ping, 50_000);
        }),
        ("answers that wait", |socket| {
            let lines = [&b"\x81\x85\0\0\0\0state"[..]; 50].concat();
            fill(socket.get_mut(), &lines, 10);
        }),
    ];
    for (description, send_messages) in silent_requests {
        let server = start_server_with(small_limits());
        let clients: Vec<_> = (0..MAX_SOCKETS)
            .map(|_| {
                let mut socket = open_session(&server);
                send_messages(&mut socket);
                socket
            })
            .collect();
        for _ in 0..2 {
            let page = get(&server, "/", &same_origin_headers(&server));
            assert_eq!(status(&page), 200, "{description}");
            // On a busy machine, the server may free a place a little later, so try again.
            let mut socket = open_session_with_retries(&server, description);
            assert_eq!(
                ask(&mut socket, "query p1turn"),
                ["response true"],
                "{description}"
            );
        }
        drop(clients);
    }
}

/// Opens sessions until the server accepts one.
fn open_session_with_retries(server: &Server, description: &str) -> WebSocket<TcpStream> {
    let start = Instant::now();
    loop {
        let mut socket = open(server);
        send(&mut socket, &server.token);
        match receive(&mut socket).as_str() {
            "info string welcome" => return socket,
            "close 1013 too many sockets" => {}
            message => panic!("{description}: {message}"),
        }
        assert!(start.elapsed() < TIMEOUT, "{description}: no place");
    }
}

#[test]
fn active_sessions_are_not_closed_for_new_ones() {
    let server = start_server_with(ServerConfig {
        pong_timeout: Duration::from_secs(3),
        ..small_limits()
    });
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let sessions: Vec<_> = (0..MAX_SOCKETS)
            .map(|_| {
                let mut socket = open_session(&server);
                let is_over = &is_over;
                scope.spawn(move || {
                    let mut count = 0;
                    while !is_over.load(Ordering::Relaxed) {
                        assert_eq!(ask(&mut socket, "query p1turn"), ["response true"]);
                        count += 1;
                    }
                    count
                })
            })
            .collect();
        let mut surplus_client = open(&server);
        send(&mut surplus_client, &server.token);
        assert_eq!(receive(&mut surplus_client), "close 1013 too many sockets");
        is_over.store(true, Ordering::Relaxed);
        for session in sessions {
            assert!(session.join().expect("a session that is answered") > 0);
        }
    });
    // After the end of a session, the server accepts another one.
    open_session_with_retries(&server, "ended sessions");
}

/// Waits until the server has closed the connection of a client that does not read.
fn wait_for_reset(stream: &mut TcpStream, description: &str) {
    let start = Instant::now();
    stream.set_nonblocking(true).expect("a connection");
    loop {
        match stream.write(b"x") {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => return,
            Ok(_) => {}
        }
        assert!(start.elapsed() < TIMEOUT, "{description}: still open");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn closes_clients_that_do_not_read() {
    let server = start_server_with(ServerConfig {
        write_timeout: Duration::from_millis(300),
        ..small_limits()
    });
    let mut stream = connect(&server);
    let request = format!(
        "GET /variants.json HTTP/1.1\r\n{}\r\n",
        same_origin_headers(&server)
    );
    fill(&mut stream, request.as_bytes(), 300);
    wait_for_reset(&mut stream, "requests");
    let mut socket = open_session(&server);
    for _ in 0..300 {
        if socket.send(Message::text("state")).is_err() {
            break;
        }
    }
    wait_for_reset(socket.get_mut(), "states");
}

#[test]
fn unread_pongs_do_not_accumulate() {
    const MAX_BYTES: usize = 64 << 20;
    let server = start_server_with(small_limits());
    let mut socket = open_session(&server);
    let stream = socket.get_mut();
    stream.set_nonblocking(true).expect("a connection");
    let ping = [&[0x89, 0xfd, 0, 0, 0, 0][..], &[b'x'; 125]].concat();
    let pings = ping.repeat(1000);
    let (mut sent, mut last_progress) = (0, Instant::now());
    // While the server cannot send its pongs, it must stop reading pings.
    while last_progress.elapsed() < Duration::from_secs(2) {
        match stream.write(&pings[sent % ping.len()..]) {
            Ok(written) => {
                sent += written;
                last_progress = Instant::now();
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::WouldBlock);
                thread::sleep(Duration::from_millis(1));
            }
        }
        assert!(sent < MAX_BYTES, "the server reads all pings");
    }
}

#[test]
fn slow_reader_receives_all_lines() {
    let server = start_server_with(small_limits());
    let mut stream = connect(&server);
    let request = format!(
        "GET /variants.json HTTP/1.1\r\n{}",
        same_origin_headers(&server)
    );
    let requests = format!("{request}\r\n").repeat(3) + &request + "Connection: close\r\n\r\n";
    stream.write_all(requests.as_bytes()).expect("sent");
    let mut response = Vec::new();
    let mut buffer = [0; 16 << 10];
    loop {
        thread::sleep(Duration::from_millis(1));
        match stream.read(&mut buffer).expect("an answer") {
            0 => break,
            read => response.extend_from_slice(&buffer[..read]),
        }
    }
    let response = String::from_utf8(response).expect("text");
    assert_eq!(response.matches("HTTP/1.1 200 OK").count(), 4);
    assert!(response.ends_with('}'));
}
