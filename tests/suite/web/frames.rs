//! Tests the WebSocket protocol (RFC 6455) on the level of frames: how the server answers valid and invalid frames.

use std::io::{Read, Write};
use std::net::TcpStream;

use puli::web::MAX_MESSAGE_BYTES;

use super::client::{connect, same_origin_headers, upgrade};
use super::{Server, start_server};

// Opcodes of frames.
const CONTINUATION: u8 = 0x0;
const TEXT: u8 = 0x1;
const BINARY: u8 = 0x2;
const CLOSE: u8 = 0x8;
const PING: u8 = 0x9;
const PONG: u8 = 0xa;
/// The bit that marks the last frame of a message.
const FIN: u8 = 0x80;

/// Returns a masked frame. Its first byte is `first`: the opcode and flags.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mask = [0x12, 0x34, 0x56, 0x78];
    let mut bytes = vec![first];
    match payload.len() {
        length @ 0..126 => bytes.push(0x80 | length as u8),
        length @ 126..0x1_0000 => {
            bytes.push(0xfe);
            bytes.extend((length as u16).to_be_bytes());
        }
        length => {
            bytes.push(0xff);
            bytes.extend((length as u64).to_be_bytes());
        }
    }
    bytes.extend(mask);
    let masks = mask.iter().cycle();
    bytes.extend(payload.iter().zip(masks).map(|(byte, mask)| byte ^ mask));
    bytes
}

/// Returns a text frame.
fn text(line: &str) -> Vec<u8> {
    frame(FIN | TEXT, line.as_bytes())
}

/// Returns a close frame.
fn close(code: u16, reason: &[u8]) -> Vec<u8> {
    frame(FIN | CLOSE, &[&code.to_be_bytes(), reason].concat())
}

/// A client that writes and reads frames.
struct Client(TcpStream);

impl Client {
    /// Opens a socket. The bytes `early` are sent together with the request, before the response arrives.
    fn open(server: &Server, early: &[u8]) -> Self {
        let mut stream = connect(server);
        let request = [upgrade(&same_origin_headers(server)).as_bytes(), early].concat();
        stream.write_all(&request).expect("sent");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("a head");
            head.push(byte[0]);
        }
        assert!(head.starts_with(b"HTTP/1.1 101 "));
        Self(stream)
    }

    /// Opens a socket, sends the token and reads the welcome message.
    fn open_session(server: &Server) -> Self {
        let mut client = Self::open(server, &text(&server.token));
        client.expect_text("info string welcome");
        client
    }

    /// Opens a socket, and sends the token if `has_token`.
    fn open_with_token_if(server: &Server, has_token: bool) -> Self {
        if has_token {
            Self::open_session(server)
        } else {
            Self::open(server, b"")
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).expect("sent");
    }

    /// Returns the first byte and the payload of the next frame that is not a ping.
    fn next(&mut self) -> (u8, Vec<u8>) {
        loop {
            let (first, payload) = self.next_frame();
            if first != FIN | PING {
                return (first, payload);
            }
        }
    }

    /// Returns the first byte and the payload of the next frame.
    fn next_frame(&mut self) -> (u8, Vec<u8>) {
        let mut head = [0; 2];
        self.0.read_exact(&mut head).expect("a frame");
        let length = match head[1] {
            126 => {
                let mut length = [0; 2];
                self.0.read_exact(&mut length).expect("a length");
                u16::from_be_bytes(length).into()
            }
            length => {
                assert!(length < 126, "a masked or a huge frame");
                length.into()
            }
        };
        let mut payload = vec![0; length];
        self.0.read_exact(&mut payload).expect("a payload");
        (head[0], payload)
    }

    fn expect_text(&mut self, line: &str) {
        assert_eq!(self.next(), (FIN | TEXT, line.as_bytes().to_vec()));
    }

    /// Expects a close frame with `code`, followed by the end of the connection.
    fn expect_close(&mut self, code: u16, description: &str) {
        let (first, payload) = self.next();
        assert_eq!(first, FIN | CLOSE, "{description}");
        let actual = payload.first_chunk().map(|code| u16::from_be_bytes(*code));
        assert_eq!(actual, Some(code), "{description}");
        self.expect_end(description);
    }

    /// Expects that the server has closed the connection.
    fn expect_end(&mut self, description: &str) {
        let result = self.0.read(&mut [0]);
        assert!(matches!(result, Ok(0)), "{description}: {result:?}");
    }
}

/// Returns frames that violate the protocol: a name, the frames, and the code of the close frame that must answer them.
fn violations() -> Vec<(String, Vec<u8>, u16)> {
    let mut violations = Vec::new();
    let mut add = |description: &str, frames: &[Vec<u8>], code| {
        violations.push((description.to_string(), frames.concat(), code));
    };
    for bit in [0x10, 0x20, 0x40] {
        add(
            &format!("reserved bit {bit:#x}"),
            &[frame(FIN | bit | TEXT, b"uci")],
            1002,
        );
    }
    for opcode in (0x3..=0x7).chain(0xb..=0xf) {
        add(
            &format!("reserved opcode {opcode:#x}"),
            &[frame(FIN | opcode, b"")],
            1002,
        );
    }
    add("unmasked frame", &[b"\x81\x03uci".to_vec()], 1002);
    add(
        "continuation of nothing",
        &[frame(FIN | CONTINUATION, b"uci")],
        1002,
    );
    add(
        "message inside a message",
        &[frame(TEXT, b"u"), frame(FIN | TEXT, b"ci")],
        1002,
    );
    for opcode in [CLOSE, PING, PONG] {
        for length in [126, 200, MAX_MESSAGE_BYTES] {
            let description = format!("control frame {opcode:#x} of {length} bytes");
            add(
                &description,
                &[frame(FIN | opcode, &vec![b'x'; length])],
                1002,
            );
        }
        add(
            &format!("fragmented control frame {opcode:#x}"),
            &[frame(opcode, b"")],
            1002,
        );
    }
    add(
        "close with half a code",
        &[frame(FIN | CLOSE, b"\x03")],
        1002,
    );
    for code in [
        0, 1, 999, 1004, 1005, 1006, 1015, 1016, 2000, 2999, 5000, 65535,
    ] {
        add(
            &format!("close with code {code}"),
            &[close(code, b"bye")],
            1002,
        );
    }
    add(
        "close with a reason that is not UTF-8",
        &[close(1000, b"\xff")],
        1007,
    );
    for (description, bytes) in [
        ("lone byte", &b"uci\xff"[..]),
        ("overlong form", b"\xc0\xaf"),
        ("surrogate", b"\xed\xa0\x80"),
        ("half a character", b"uci\xe2\x82"),
        ("beyond the last character", b"\xf4\x90\x80\x80"),
    ] {
        add(
            &format!("text with {description}"),
            &[frame(FIN | TEXT, bytes)],
            1007,
        );
        let fragments = [frame(TEXT, b"u"), frame(FIN | CONTINUATION, bytes)];
        add(&format!("fragments with {description}"), &fragments, 1007);
    }
    let max_message = vec![b'x'; MAX_MESSAGE_BYTES];
    for opcode in [TEXT, BINARY] {
        let too_long = [&max_message[..], b"x"].concat();
        add(
            "message that is too long",
            &[frame(FIN | opcode, &too_long)],
            1009,
        );
        let fragments = [frame(opcode, &max_message), frame(FIN | CONTINUATION, b"x")];
        add("fragments that are too long together", &fragments, 1009);
    }
    let mut huge_frame = frame(FIN | TEXT, &max_message);
    huge_frame[1] = 0xff;
    huge_frame.splice(2..4, [0x7f; 8]);
    add("message of half the address space", &[huge_frame], 1009);
    violations
}

#[test]
fn answers_every_violation_with_its_close_code() {
    let server = start_server();
    for (description, frames, code) in violations() {
        for has_token in [false, true] {
            let mut client = Client::open_with_token_if(&server, has_token);
            client.send(&frames);
            client.expect_close(code, &description);
        }
    }
}

#[test]
fn answers_close_frame_with_same_code() {
    let server = start_server();
    for has_token in [false, true] {
        let open = || Client::open_with_token_if(&server, has_token);
        for code in [1000, 1001, 1002, 1003, 1007, 1011, 3000, 4999] {
            let mut client = open();
            client.send(&close(code, "Grüße".as_bytes()));
            client.expect_close(code, "close");
        }
        let mut client = open();
        client.send(&frame(FIN | CLOSE, b""));
        assert_eq!(client.next(), (FIN | CLOSE, Vec::new()));
        client.expect_end("close without a code");
    }
}

#[test]
fn answers_close_frame_during_search() {
    let server = start_server();
    let mut client = Client::open_session(&server);
    client.send(&text("go infinite"));
    client.next();
    client.send(&close(1000, b""));
    loop {
        let (first, payload) = client.next();
        if first == FIN | CLOSE {
            assert_eq!(payload, 1000_u16.to_be_bytes());
            break;
        }
    }
    client.expect_end("close");
}

#[test]
fn answers_pings_before_and_after_token() {
    let server = start_server();
    let mut client = Client::open(&server, b"");
    let ping = |client: &mut Client| {
        for payload in [&b""[..], b"x", &[0xff; 125]] {
            client.send(&frame(FIN | PING, payload));
            assert_eq!(client.next(), (FIN | PONG, payload.to_vec()));
        }
        client.send(&frame(FIN | PONG, b"unasked"));
    };
    ping(&mut client);
    client.send(&text(&server.token));
    client.expect_text("info string welcome");
    ping(&mut client);
    client.send(&text("isready"));
    client.expect_text("readyok");
}

#[test]
fn joins_fragments_around_pings() {
    let server = start_server();
    let (start, end) = server.token.as_bytes().split_at(7);
    let mut client = Client::open(&server, &frame(TEXT, start));
    client.send(&frame(FIN | PING, b"between"));
    client.send(&frame(CONTINUATION, b""));
    client.send(&frame(FIN | CONTINUATION, end));
    assert_eq!(client.next(), (FIN | PONG, b"between".to_vec()));
    client.expect_text("info string welcome");
    // A fragment may end inside a character of several bytes.
    let line = "query päron".as_bytes();
    for cut in 0..=line.len() {
        client.send(&frame(TEXT, &line[..cut]));
        client.send(&frame(FIN | CONTINUATION, &line[cut..]));
        let (first, payload) = client.next();
        assert_eq!(first, FIN | TEXT);
        assert!(payload.starts_with(b"info string error: "));
    }
}

#[test]
fn reads_frames_byte_by_byte() {
    let server = start_server();
    let mut client = Client::open(&server, b"");
    for byte in text(&server.token) {
        client.send(&[byte]);
    }
    client.expect_text("info string welcome");
}

#[test]
fn rejects_token_of_any_length_with_close_frame() {
    let server = start_server();
    for length in [0, 31, 33, 125, 126, MAX_MESSAGE_BYTES] {
        let mut client = Client::open(&server, &text(&"0".repeat(length)));
        client.expect_close(1008, "a wrong token");
    }
    let mut client = Client::open(&server, &frame(FIN | BINARY, server.token.as_bytes()));
    client.expect_close(1008, "a binary token");
}
