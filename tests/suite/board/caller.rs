//! A page as the server sees it: its requests, and its socket.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use super::{PATIENCE, Server};

/// Sends these bytes and reads until the server closes the connection.
pub fn exchange(server: &Server, request: &str) -> String {
    let mut stream = connect(server);
    stream.write_all(request.as_bytes()).expect("sent");
    read_all(&mut stream)
}

pub fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    // As browsers do: a line does not wait until the one before has arrived.
    stream.set_nodelay(true).expect("a connection");
    stream
}

pub fn read_all(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // A server that has heard enough may reset the connection once it has answered.
    drop(stream.read_to_end(&mut answer));
    String::from_utf8_lossy(&answer).into_owned()
}

/// A request with these headers, each on its line, after which the connection is closed.
pub fn get(server: &Server, path: &str, headers: &str) -> String {
    exchange(
        server,
        &format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"),
    )
}

/// The status of an answer.
pub fn status(answer: &str) -> u16 {
    let word = answer.split_ascii_whitespace().nth(1);
    word.and_then(|word| word.parse().ok())
        .unwrap_or_else(|| panic!("no status in '{answer}'"))
}

/// The head of a request for a socket, with these headers for host and origin.
pub fn upgrade(headers: &str) -> String {
    format!(
        "GET /ws HTTP/1.1\r\n{headers}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
}

/// The headers of the server's own page.
pub fn own(server: &Server) -> String {
    let port = server.port;
    format!("Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n")
}

/// A socket that is open, with nothing said yet.
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

/// What comes next: a text, or `close` with its code and reason.
pub fn next(socket: &mut WebSocket<TcpStream>) -> String {
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

/// A page that has shown its token and been welcomed.
pub fn welcomed(server: &Server) -> WebSocket<TcpStream> {
    let mut socket = open(server);
    say(&mut socket, &server.token);
    assert_eq!(next(&mut socket), "info string welcome");
    socket
}

pub fn say(socket: &mut WebSocket<TcpStream>, line: &str) {
    socket.send(Message::text(line)).expect("sent");
}

/// Says a line and `isready`, and returns the lines that come before the answer to that.
pub fn answers(socket: &mut WebSocket<TcpStream>, line: &str) -> Vec<String> {
    say(socket, line);
    say(socket, "isready");
    let mut lines = Vec::new();
    loop {
        let line = next(socket);
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

/// A socket with a thread that waits for what comes, as transcripts want it.
pub fn channels(server: &Server) -> (Sender<String>, Receiver<String>) {
    let mut socket = welcomed(server);
    let brief = Some(std::time::Duration::from_millis(5));
    socket.get_ref().set_read_timeout(brief).expect("a timeout");
    let (say, said) = mpsc::channel::<String>();
    let (heard, hear) = mpsc::channel();
    thread::spawn(move || {
        loop {
            match socket.read() {
                Ok(Message::Text(text)) => drop(heard.send(text.to_string())),
                Err(tungstenite::Error::Io(error))
                    if matches!(
                        error.kind(),
                        std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                    ) => {}
                Ok(_) => {}
                Err(_) => return,
            }
            loop {
                match said.try_recv() {
                    Ok(line) => socket.send(Message::text(line)).expect("sent"),
                    Err(mpsc::TryRecvError::Empty) => break,
                    Err(mpsc::TryRecvError::Disconnected) => return,
                }
            }
        }
    });
    (say, hear)
}
