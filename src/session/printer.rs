//! The one place that prints: every line is written whole and flushed at once.

use std::io::{self, Write};

use crate::engine::Report;
use crate::error::Refusal;
use crate::protocol::reply::{self, WinUnit};

/// Writes answers, and counts those that are errors.
pub struct Printer<W> {
    output: W,
    /// Whether `debug on` was said last.
    pub is_verbose: bool,
    /// How many error lines were printed.
    pub errors: u64,
}

impl<W: Write> Printer<W> {
    /// Writes to `output`.
    pub fn new(output: W) -> Self {
        Self {
            output,
            is_verbose: false,
            errors: 0,
        }
    }

    /// Prints one line.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        log::debug!("> {line}");
        self.output.write_all(format!("{line}\n").as_bytes())?;
        self.output.flush()
    }

    /// Prints several lines.
    pub fn lines(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.line(line))
    }

    /// Prints an error line.
    pub fn error(&mut self, error: &str) -> io::Result<()> {
        self.errors += 1;
        self.line(&reply::error(error))
    }

    /// Prints the answer to what was done, or why it was not.
    pub fn answer(&mut self, result: Result<Vec<String>, Refusal>) -> io::Result<()> {
        match result {
            Ok(lines) => self.lines(&lines),
            Err(refusal) => self.error(&refusal.0),
        }
    }

    /// Prints what a search says.
    pub fn report(&mut self, report: &Report, unit: WinUnit) -> io::Result<()> {
        match report {
            Report::Error(text) => self.error(text),
            Report::Debug(_) if !self.is_verbose => Ok(()),
            _ => self.lines(&reply::report(report, unit)),
        }
    }
}
