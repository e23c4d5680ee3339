//! A client of the server: HTTP requests and WebSocket connections.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use super::{Server, TIMEOUT};

/// Sends `request` and reads until the server closes the connection.
pub fn exchange(server: &Server, request: &str) -> String {
    let mut stream = connect(server);
    stream.write_all(request.as_bytes()).expect("sent");
    read_all(&mut stream)
}

pub fn connect(server: &Server) -> TcpStream {
    connect_to(server.port)
}

/// Connects to a port of this machine.
pub fn connect_to(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    stream.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
    // Browsers also disable Nagle's algorithm.
    stream.set_nodelay(true).expect("a connection");
    stream
}

pub fn read_all(stream: &mut TcpStream) -> String {
    let mut response = Vec::new();
    // The server may reset the connection after its response. This error is ignored.
    drop(stream.read_to_end(&mut response));
    String::from_utf8_lossy(&response).into_owned()
}

/// Sends a GET request with these header lines. The server then closes the connection.
pub fn get(server: &Server, path: &str, headers: &str) -> String {
    exchange(
        server,
        &format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"),
    )
}

/// Returns the status code of an answer.
pub fn status(response: &str) -> u16 {
    let word = response.split_ascii_whitespace().nth(1);
    word.and_then(|word| word.parse().ok())
        .unwrap_or_else(|| panic!("no status in '{response}'"))
}

/// Returns a request that opens a WebSocket. `headers` are the header lines for host and origin.
pub fn upgrade(headers: &str) -> String {
    format!(
        "GET /ws HTTP/1.1\r\n{headers}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
}

/// Returns the headers of requests by the server's own page, whose origin is the server.
pub fn same_origin_headers(server: &Server) -> String {
    let port = server.port;
    format!("Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n")
}

/// Opens a WebSocket and sends nothing.
pub fn open(server: &Server) -> WebSocket<TcpStream> {
    let address = format!("ws://127.0.0.1:{}/ws", server.port);
    let mut request = address.into_client_request().expect("a request");
    let origin = format!("http://127.0.0.1:{}", server.port);
    request
        .headers_mut()
        .insert("Origin", origin.parse().expect("a header"));
    let (socket, _) = tungstenite::client(request, connect(server)).expect("a socket");
    socket
}

/// Returns the next text message. Returns `close` with the code and the reason for a close frame, and `gone` with the
/// error if the connection fails.
pub fn receive(socket: &mut WebSocket<TcpStream>) -> String {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => return text.to_string(),
            Ok(Message::Close(Some(frame))) => {
                return format!("close {} {}", u16::from(frame.code), frame.reason);
            }
            Ok(Message::Close(None)) => return "close".into(),
            Ok(_) => {}
            Err(error) => return format!("gone: {error}"),
        }
    }
}

/// Opens a WebSocket, sends the token and reads the welcome message.
pub fn open_session(server: &Server) -> WebSocket<TcpStream> {
    let mut socket = open(server);
    send(&mut socket, &server.token);
    assert_eq!(receive(&mut socket), "info string welcome");
    socket
}

pub fn send(socket: &mut WebSocket<TcpStream>, line: &str) {
    socket.send(Message::text(line)).expect("sent");
}

/// Sends `line` and `isready`. Returns the lines before `readyok`.
pub fn ask(socket: &mut WebSocket<TcpStream>, line: &str) -> Vec<String> {
    send(socket, line);
    send(socket, "isready");
    let mut lines = Vec::new();
    loop {
        let line = receive(socket);
        if line == "readyok" {
            return lines;
        }
        assert!(
            !line.starts_with("close") && !line.starts_with("gone"),
            "{lines:?} {line}"
        );
        lines.push(line);
    }
}

/// Opens a session and starts a thread that reads and writes its WebSocket. Returns a channel for the input lines and
/// one for the output lines, as the player of transcripts needs them.
pub fn channels(server: &Server) -> (Sender<String>, Receiver<String>) {
    let mut socket = open_session(server);
    let short_timeout = Some(std::time::Duration::from_millis(5));
    socket
        .get_ref()
        .set_read_timeout(short_timeout)
        .expect("a timeout");
    let (send, requests) = mpsc::channel::<String>();
    let (answers, lines) = mpsc::channel();
    thread::spawn(move || {
        loop {
            match socket.read() {
                Ok(Message::Text(text)) => drop(answers.send(text.to_string())),
                Err(tungstenite::Error::Io(error))
                    if matches!(
                        error.kind(),
                        std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                    ) => {}
                Ok(_) => {}
                Err(_) => return,
            }
            loop {
                match requests.try_recv() {
                    Ok(line) => socket.send(Message::text(line)).expect("sent"),
                    Err(mpsc::TryRecvError::Empty) => break,
                    Err(mpsc::TryRecvError::Disconnected) => return,
                }
            }
        }
    });
    (send, lines)
}
