//! Connects a socket and a session by channels of lines.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use tokio::sync::mpsc;

/// Maximum number of lines between a socket and its session, in either direction, before the sender waits.
const MAX_QUEUED_LINES: usize = 1000;

/// Maximum size, in bytes, of the lines that a session has not read.
const MAX_UNREAD_BYTES: usize = 4 << 20;

/// The socket's end.
pub(crate) struct SocketEnd {
    send: SyncSender<String>,
    unread: Arc<AtomicUsize>,
    /// The answers of the session. Closed when the session is over.
    pub answers: mpsc::Receiver<String>,
    /// Dropping it signals that the socket is gone.
    _listens: SyncSender<()>,
}

impl SocketEnd {
    /// Sends a line to the session. Returns `false` if the session has too many unread lines. A session that is
    /// over ignores the line.
    pub(super) fn send(&self, line: String) -> bool {
        let unread = self.unread.fetch_add(line.len(), Ordering::Relaxed) + line.len();
        unread <= MAX_UNREAD_BYTES
            && !matches!(self.send.try_send(line), Err(TrySendError::Full(_)))
    }
}

/// The session's end.
pub(crate) struct SessionEnd {
    /// The input of the session.
    pub input: Input,
    /// The output of the session.
    pub output: Output,
    /// Blocks until the socket is gone.
    pub is_closed: Box<dyn FnOnce() -> bool + Send>,
}

/// Creates a connected pair of ends.
pub(super) fn pair() -> (SocketEnd, SessionEnd) {
    let (send, said) = sync_channel(MAX_QUEUED_LINES);
    let (answer, answers) = mpsc::channel(MAX_QUEUED_LINES);
    let (listens, gone) = sync_channel(0);
    let unread = Arc::new(AtomicUsize::new(0));
    let session_end = SessionEnd {
        input: Input {
            said,
            unread: Arc::clone(&unread),
            line: Vec::new(),
            read: 0,
        },
        output: Output {
            answer,
            partial: Vec::new(),
        },
        // Nothing is ever sent, so `recv` returns when the other end is dropped.
        is_closed: Box::new(move || gone.recv().is_err()),
    };
    let socket_end = SocketEnd {
        send,
        unread,
        answers,
        _listens: listens,
    };
    (socket_end, session_end)
}

/// Reads messages as lines.
pub(super) struct Input {
    said: Receiver<String>,
    unread: Arc<AtomicUsize>,
    line: Vec<u8>,
    read: usize,
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.line.len() {
            self.line.clear();
            self.read = 0;
            if let Ok(message) = self.said.recv() {
                self.unread.fetch_sub(message.len(), Ordering::Relaxed);
                self.line.extend(message.bytes());
                self.line.push(b'\n');
            }
        }
        Ok(&self.line[self.read..])
    }

    fn consume(&mut self, read: usize) {
        self.read += read;
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// Sends every written line as a message.
pub(super) struct Output {
    answer: mpsc::Sender<String>,
    partial: Vec<u8>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.partial.extend_from_slice(piece);
            if self.partial.pop_if(|last| *last == b'\n').is_some() {
                let line = String::from_utf8_lossy(&self.partial).into_owned();
                self.partial.clear();
                let sent = self.answer.blocking_send(line);
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
    fn a_message_is_a_line_and_a_line_a_message() {
        let (mut socket_end, mut session_end) = pair();
        assert!(socket_end.send("uci".into()) && socket_end.send("d".into()));
        drop(socket_end.send);
        let mut text = String::new();
        session_end.input.read_to_string(&mut text).unwrap();
        assert_eq!(text, "uci\nd\n");
        session_end.output.write_all(b"one\ntwo\nthr").unwrap();
        session_end.output.write_all(b"ee\n").unwrap();
        let heard: Vec<_> = (0..3)
            .filter_map(|_| socket_end.answers.try_recv().ok())
            .collect();
        assert_eq!(heard, ["one", "two", "three"]);
    }

    #[test]
    fn unread_lines_are_bounded_in_number_and_in_bytes() {
        for (line, room) in [
            ("d".to_string(), MAX_QUEUED_LINES),
            ("x".repeat(64 << 10), 64),
        ] {
            let (socket_end, _far) = pair();
            let said = (0..2 * MAX_QUEUED_LINES).take_while(|_| socket_end.send(line.clone()));
            assert_eq!(said.count(), room);
        }
    }

    #[test]
    fn read_lines_free_the_queue() {
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
