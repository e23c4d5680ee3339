//! A session at the other end of channels: its lines come one by one from a socket, and go there one by one.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use tokio::sync::mpsc;

/// So many lines may lie between a socket and its session, either way, before the one waits for the other.
const ROOM: usize = 1000;

/// Maximum length in bytes of the lines that a session has not read yet.
const MAX_UNREAD_BYTES: usize = 4 << 20;

/// The socket's end of a session.
pub struct SocketEnd {
    say: SyncSender<String>,
    unread: Arc<AtomicUsize>,
    /// What the session answers; nothing more once it is over.
    pub hear: mpsc::Receiver<String>,
    /// Dropping it tells the session that nobody listens any more.
    _listens: SyncSender<()>,
}

impl SocketEnd {
    /// Sends a line to the session. Returns `false` if the session has too many unread lines. A session that is over
    /// ignores it.
    pub fn say(&self, line: String) -> bool {
        let unread = self.unread.fetch_add(line.len(), Ordering::Relaxed) + line.len();
        unread <= MAX_UNREAD_BYTES && !matches!(self.say.try_send(line), Err(TrySendError::Full(_)))
    }
}

/// The session's end.
pub struct SessionEnd {
    /// Where its lines come from.
    pub input: Input,
    /// Where its answers go.
    pub output: Output,
    /// Waits until nobody listens any more.
    pub is_closed: Box<dyn FnOnce() -> bool + Send>,
}

/// The two ends of a new line.
pub fn pair() -> (SocketEnd, SessionEnd) {
    let (say, said) = sync_channel(ROOM);
    let (answer, hear) = mpsc::channel(ROOM);
    let (listens, gone) = sync_channel(0);
    let unread = Arc::new(AtomicUsize::new(0));
    let far = SessionEnd {
        input: Input {
            said,
            unread: Arc::clone(&unread),
            line: Vec::new(),
            read: 0,
        },
        output: Output {
            answer,
            begun: Vec::new(),
        },
        // Nothing is ever sent, so that this ends when the other end is dropped.
        is_closed: Box::new(move || gone.recv().is_err()),
    };
    let near = SocketEnd {
        say,
        unread,
        hear,
        _listens: listens,
    };
    (near, far)
}

/// Reads what is said, each message a line.
pub struct Input {
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

/// Sends each line that is written as a message.
pub struct Output {
    answer: mpsc::Sender<String>,
    begun: Vec<u8>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.begun.extend_from_slice(piece);
            if self.begun.pop_if(|last| *last == b'\n').is_some() {
                let line = String::from_utf8_lossy(&self.begun).into_owned();
                self.begun.clear();
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
        let (mut near, mut far) = pair();
        assert!(near.say("uci".into()) && near.say("d".into()));
        drop(near.say);
        let mut text = String::new();
        far.input.read_to_string(&mut text).unwrap();
        assert_eq!(text, "uci\nd\n");
        far.output.write_all(b"one\ntwo\nthr").unwrap();
        far.output.write_all(b"ee\n").unwrap();
        let heard: Vec<_> = (0..3).filter_map(|_| near.hear.try_recv().ok()).collect();
        assert_eq!(heard, ["one", "two", "three"]);
    }

    #[test]
    fn unread_lines_are_bounded_in_number_and_in_bytes() {
        for (line, room) in [("d".to_string(), ROOM), ("x".repeat(64 << 10), 64)] {
            let (near, _far) = pair();
            let said = (0..2 * ROOM).take_while(|_| near.say(line.clone()));
            assert_eq!(said.count(), room);
        }
    }

    #[test]
    fn lines_that_were_read_make_room_for_others() {
        let (near, mut far) = pair();
        for _ in 0..10 {
            for _ in 0..64 {
                assert!(near.say("x".repeat(64 << 10)));
            }
            for _ in 0..64 {
                far.input.read_line(&mut String::new()).unwrap();
            }
        }
    }

    #[test]
    fn whoever_hangs_up_is_heard_hanging_up() {
        let (near, far) = pair();
        drop(near);
        assert!((far.is_closed)());
        let mut output = far.output;
        assert_eq!(
            output.write_all(b"line\n").unwrap_err().kind(),
            io::ErrorKind::BrokenPipe
        );
    }
}
