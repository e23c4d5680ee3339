//! The line at the foot of a terminal that tells how far a long command has come; nothing where nobody watches.

use std::io::{self, IsTerminal, Write};

/// A line that is drawn again and again.
pub struct StatusLine<'a> {
    out: &'a mut dyn Write,
    /// Whether standard error, which it goes to, is a terminal.
    pub is_watched: bool,
}

impl<'a> StatusLine<'a> {
    /// A line on `out`, if somebody watches.
    pub fn new(out: &'a mut dyn Write) -> Self {
        let is_watched = io::stderr().is_terminal();
        Self { out, is_watched }
    }

    /// Puts these words in place of those before.
    pub fn show(&mut self, words: &str) -> io::Result<()> {
        if self.is_watched {
            write!(self.out, "\r\x1b[K{words}")?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// Makes room for a line that stays.
    pub fn clear(&mut self) -> io::Result<()> {
        self.show("")
    }
}

/// A bar for a part of the whole, and the time left if it goes on as it did in the `elapsed` seconds.
pub fn bar(done: u64, whole: u64, elapsed: f64) -> String {
    let whole = whole.max(1);
    let left = elapsed * (whole as f64 / done.max(1) as f64 - 1.0);
    let filled = "#".repeat((done * 30 / whole) as usize);
    format!("[{filled:.<30}] {}% {left:.0} s left", done * 100 / whole)
}
