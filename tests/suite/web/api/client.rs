//! A client that sends several requests over one connection, and the parts of a response.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::web::TIMEOUT;
use crate::web::client::connect_to;

/// A response.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    /// The header lines, in lower case up to the colon.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Response {
    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A connection to a server.
pub struct Client {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Client {
    /// Connects to a port of this machine.
    pub fn new(port: u16) -> Self {
        Self {
            stream: BufReader::new(connect_to(port)),
            host: format!("127.0.0.1:{port}"),
        }
    }

    /// Sends a GET request and returns the response.
    pub fn get(&mut self, path: &str) -> Response {
        self.request("GET", path, "")
    }

    /// Repeats a GET request until its answer is not pending.
    pub fn get_settled(&mut self, path: &str) -> Response {
        let start = Instant::now();
        loop {
            let response = self.get(path);
            if response.status != 202 {
                return response;
            }
            assert!(start.elapsed() < TIMEOUT, "pending: {path}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Sends a request with these header lines and returns the response.
    pub fn request(&mut self, method: &str, path: &str, headers: &str) -> Response {
        let host = &self.host;
        let request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n");
        self.stream
            .get_mut()
            .write_all(request.as_bytes())
            .expect("sent");
        let mut line = self.line();
        let status = line.split(' ').nth(1).expect("a status");
        let status: u16 = status.parse().expect("a number");
        let mut headers = Vec::new();
        loop {
            line = self.line();
            let Some((name, value)) = line.split_once(": ") else {
                break;
            };
            headers.push((name.to_lowercase(), value.to_string()));
        }
        let mut response = Response {
            status,
            headers,
            body: String::new(),
        };
        let length = response.header("content-length").unwrap_or("0");
        let length: usize = length.parse().expect("a number");
        if method != "HEAD" && status != 304 {
            let mut body = vec![0; length];
            self.stream.read_exact(&mut body).expect("a body");
            response.body = String::from_utf8(body).expect("text");
        }
        response
    }

    /// Returns the next line of a response.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("a line");
        line.trim_end().into()
    }
}

/// Returns `text` with all bytes percent-encoded that are not letters or digits.
pub fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// Returns the path of a position.
pub fn path(game: &str, fen: &str) -> String {
    format!("/v1/{game}/positions/{}", encoded(fen))
}
