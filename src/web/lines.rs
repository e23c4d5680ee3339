//! Passes lines between a socket and its session by two channels.
//!
//! The socket runs in asynchronous code, and the session blocks a thread of its own. The session sees its channels as a
//! [`BufRead`] for input and a [`Write`] for output.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use tokio::sync::mpsc;

/// Maximum number of queued lines in each direction. If the client sends more lines, the socket is closed. If the
/// session writes more lines, it waits until the socket has sent some of them.
const MAX_QUEUED_LINES: usize = 1000;

/// Maximum total size, in bytes, of the lines that are queued for a session.
const MAX_UNREAD_BYTES: usize = 4 << 20;

/// The socket's end of the channels.
pub(crate) struct SocketEnd {
    to_session: SyncSender<String>,
    /// The total size of the lines that are queued for the session, in bytes.
    unread_bytes: Arc<AtomicUsize>,
    /// The output lines of the session. This channel closes when the session ends.
    pub answers: mpsc::Receiver<String>,
    /// Carries no message. Dropping it ends the wait of [`SessionEnd::is_closed`].
    _dropped_with_socket: SyncSender<()>,
}

impl SocketEnd {
    /// Queues a line for the session. Returns `false` if too many lines or bytes are queued. If the session has ended,
    /// the line is discarded.
    pub(super) fn send(&self, line: String) -> bool {
        let before = self.unread_bytes.fetch_add(line.len(), Ordering::Relaxed);
        before + line.len() <= MAX_UNREAD_BYTES
            && !matches!(self.to_session.try_send(line), Err(TrySendError::Full(_)))
    }
}

/// The session's end of the channels.
pub(crate) struct SessionEnd {
    /// The input of the session.
    pub input: Input,
    /// The output of the session.
    pub output: Output,
    /// Blocks until the socket is closed, then returns `true`.
    pub is_closed: Box<dyn FnOnce() -> bool + Send>,
}

/// Creates the two ends of a new pair of channels.
pub(super) fn pair() -> (SocketEnd, SessionEnd) {
    let (to_session, from_socket) = sync_channel(MAX_QUEUED_LINES);
    let (to_socket, answers) = mpsc::channel(MAX_QUEUED_LINES);
    let (dropped_with_socket, socket_closed) = sync_channel::<()>(0);
    let unread_bytes = Arc::new(AtomicUsize::new(0));
    let session_end = SessionEnd {
        input: Input {
            from_socket,
            unread_bytes: Arc::clone(&unread_bytes),
            line: Vec::new(),
            consumed: 0,
        },
        output: Output {
            to_socket,
            partial_line: Vec::new(),
        },
        // The channel carries no message, so `recv` fails when the socket's end is dropped.
        is_closed: Box::new(move || socket_closed.recv().is_err()),
    };
    let socket_end = SocketEnd {
        to_session,
        unread_bytes,
        answers,
        _dropped_with_socket: dropped_with_socket,
    };
    (socket_end, session_end)
}

/// The input of a session. Each message of the socket is one line. The input ends when the socket is closed.
pub(super) struct Input {
    from_socket: Receiver<String>,
    unread_bytes: Arc<AtomicUsize>,
    /// The current line, with its line feed.
    line: Vec<u8>,
    /// The number of bytes of `line` already read.
    consumed: usize,
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.consumed == self.line.len() {
            self.line.clear();
            self.consumed = 0;
            if let Ok(message) = self.from_socket.recv() {
                self.unread_bytes
                    .fetch_sub(message.len(), Ordering::Relaxed);
                self.line.extend(message.bytes());
                self.line.push(b'\n');
            }
        }
        Ok(&self.line[self.consumed..])
    }

    fn consume(&mut self, bytes: usize) {
        self.consumed += bytes;
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// The output of a session. Each written line becomes one message of the socket.
pub(super) struct Output {
    to_socket: mpsc::Sender<String>,
    /// The bytes written since the last line feed.
    partial_line: Vec<u8>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.partial_line.extend_from_slice(piece);
            if self.partial_line.pop_if(|last| *last == b'\n').is_some() {
                let line = String::from_utf8_lossy(&self.partial_line).into_owned();
                self.partial_line.clear();
                let sent = self.to_socket.blocking_send(line);
                sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_become_lines_and_lines_messages() {
        let (mut socket_end, mut session_end) = pair();
        assert!(socket_end.send("uci".into()) && socket_end.send("d".into()));
        drop(socket_end.to_session);
        let mut text = String::new();
        session_end.input.read_to_string(&mut text).unwrap();
        assert_eq!(text, "uci\nd\n");
        session_end.output.write_all(b"one\ntwo\nthr").unwrap();
        session_end.output.write_all(b"ee\n").unwrap();
        let messages: Vec<_> = (0..3)
            .filter_map(|_| socket_end.answers.try_recv().ok())
            .collect();
        assert_eq!(messages, ["one", "two", "three"]);
    }

    #[test]
    fn queued_lines_are_limited_in_number_and_bytes() {
        for (line, max_lines) in [
            ("d".to_string(), MAX_QUEUED_LINES),
            ("x".repeat(64 << 10), 64),
        ] {
            let (socket_end, _session_end) = pair();
            let sent = (0..2 * MAX_QUEUED_LINES).take_while(|_| socket_end.send(line.clone()));
            assert_eq!(sent.count(), max_lines);
        }
    }

    #[test]
    fn reading_lines_makes_room_in_the_queue() {
        let (socket_end, mut session_end) = pair();
        for _ in 0..10 {
            for _ in 0..64 {
                assert!(socket_end.send("x".repeat(64 << 10)));
            }
            for _ in 0..64 {
                session_end.input.read_line(&mut String::new()).unwrap();
            }
        }
    }

    #[test]
    fn session_notices_a_closed_socket() {
        let (socket_end, session_end) = pair();
        drop(socket_end);
        assert!((session_end.is_closed)());
        let mut output = session_end.output;
        assert_eq!(
            output.write_all(b"line\n").unwrap_err().kind(),
            io::ErrorKind::BrokenPipe
        );
    }
}
