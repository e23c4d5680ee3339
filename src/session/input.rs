//! Reads input lines ahead of the session, with limits on their length and total size.

use std::io::{self, BufRead, Read};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::durable::BYTE_ORDER_MARK;
use crate::error::ParseError;

/// Maximum length of a line, in bytes without the line break.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 20;

/// Maximum total size, in bytes, of the lines that wait for a search to end.
///
/// The reader must keep reading during a search, because a `stop` may follow. But a long script must not fill the
/// memory. At this limit (hundreds of thousands of commands), the reader waits. The session then acts as at the end of
/// input: it stops a search that does not end by itself.
pub(crate) const MAX_READ_AHEAD_BYTES: usize = 64 << 20;

/// Size of a waiting line without its text, in bytes.
const BYTES_A_LINE: usize = 64;

/// A line of input, or the error that made it unreadable.
pub(crate) type Line = Result<String, LineError>;

/// A line that could not be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LineError {
    /// The error.
    pub error: ParseError,
    /// The start of the line, long enough to recognize the command.
    pub beginning: String,
}

/// Number of bytes that suffice to recognize a command.
const PREFIX_BYTES: usize = 64;

impl LineError {
    fn new(bytes: &[u8], offset: usize, expected: impl Into<String>) -> Self {
        let beginning = &bytes[..offset.min(PREFIX_BYTES)];
        Self {
            error: ParseError::new(offset, expected),
            beginning: String::from_utf8_lossy(beginning).into_owned(),
        }
    }
}

/// Reads the next line. Returns `None` at the end of input.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let most = MAX_LINE_BYTES as u64 + 1;
    if input.by_ref().take(most).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() > MAX_LINE_BYTES {
        input.skip_until(b'\n')?;
        let expected = format!("the end of the line, which may have {MAX_LINE_BYTES} bytes");
        return Ok(Some(Err(LineError::new(&bytes, MAX_LINE_BYTES, expected))));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        LineError::new(error.as_bytes(), offset, "text in UTF-8")
    })))
}

/// Removes a byte order mark from the first line of input.
pub(crate) fn skip_mark(line: &mut Line) {
    let text = match line {
        Ok(line) => line,
        Err(bad_line) => &mut bad_line.beginning,
    };
    if text.starts_with(BYTE_ORDER_MARK) {
        text.remove(0);
    }
}

/// Counts the bytes of waiting lines. Makes the reader wait if they exceed the limit.
#[derive(Debug, Default)]
pub(crate) struct ReadAhead {
    ahead: Mutex<ReadAheadState>,
    room: Condvar,
}

#[derive(Debug, Default)]
struct ReadAheadState {
    bytes: usize,
    is_full: bool,
}

impl ReadAhead {
    /// Admits a line. If the limit is exceeded, calls `full` and waits.
    pub(crate) fn admit(&self, line: &Line, full: impl FnOnce()) {
        let size = size(line);
        let has_no_room = |ahead: &mut ReadAheadState| ahead.bytes + size > MAX_READ_AHEAD_BYTES;
        let mut ahead = self.lock();
        if has_no_room(&mut ahead) {
            ahead.is_full = true;
            full();
            let waited = self.room.wait_while(ahead, has_no_room);
            ahead = waited.unwrap_or_else(PoisonError::into_inner);
            ahead.is_full = false;
        }
        ahead.bytes += size;
    }

    /// Admits a line unless it exceeds the limit. Returns `true` if it was admitted.
    pub(crate) fn try_admit(&self, line: &Line) -> bool {
        let mut ahead = self.lock();
        let has_room = ahead.bytes + size(line) <= MAX_READ_AHEAD_BYTES;
        if has_room {
            ahead.bytes += size(line);
        }
        has_room
    }

    /// Releases the bytes of a line.
    pub(crate) fn release(&self, line: &Line) {
        self.lock().bytes -= size(line);
        self.room.notify_one();
    }

    /// Returns `true` if the reader waits.
    pub(crate) fn is_full(&self) -> bool {
        self.lock().is_full
    }

    fn lock(&self) -> MutexGuard<'_, ReadAheadState> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn size(line: &Line) -> usize {
    BYTES_A_LINE + line.as_ref().map_or(0, String::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<Line> {
        std::iter::from_fn(|| read_line(&mut input).expect("readable")).collect()
    }

    #[test]
    fn the_last_line_needs_no_end() {
        assert_eq!(
            lines(b"uci\n\nd"),
            [Ok("uci".into()), Ok(String::new()), Ok("d".into())]
        );
    }

    #[test]
    fn invalid_utf8_is_an_error_at_its_column() {
        let read = lines(b"ab\xff\nd\n");
        let bad_line = read[0].as_ref().expect_err("no text");
        assert_eq!((bad_line.error.offset, &*bad_line.beginning), (2, "ab"));
        assert_eq!(read[1], Ok("d".into()));
    }

    #[test]
    fn longer_line_than_the_maximum_is_rejected_whole() {
        let mut input = vec![b'x'; MAX_LINE_BYTES];
        input.extend(b"\nd\n");
        assert_eq!(
            lines(&input)[0].as_ref().map(String::len),
            Ok(MAX_LINE_BYTES)
        );
        input.splice(0..0, vec![b'y'; 3 * MAX_LINE_BYTES]);
        let read = lines(&input);
        assert!(read[0].is_err());
        assert_eq!(read[1..], [Ok("d".into())]);
    }
}
