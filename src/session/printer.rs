//! Prints all output. Every line is written whole and flushed at once.

use std::io::{self, Write};

use crate::engine::{BestMove, Report};
use crate::escape::escaped;
use crate::protocol::Dialect;
use crate::protocol::reply::{self, Wording};

/// Writes answers and counts errors.
pub(crate) struct Printer {
    output: Box<dyn Write + Send>,
    /// `true` after `debug on`.
    pub(crate) is_verbose: bool,
    /// The wording of the active job's answers.
    pub(super) wording: Wording,
    /// Number of printed error lines.
    pub errors: u64,
}

impl Printer {
    /// Creates a printer to `output`.
    pub(super) fn new(output: impl Write + Send + 'static) -> Self {
        Self {
            output: Box::new(output),
            is_verbose: false,
            wording: Wording::of(Dialect::default(), false, false),
            errors: 0,
        }
    }

    /// Releases the output.
    pub(super) fn close(&mut self) {
        self.output = Box::new(io::sink());
    }

    /// Prints one line.
    pub(super) fn line(&mut self, line: &str) -> io::Result<()> {
        let line = escaped(line);
        log::debug!("> {line}");
        self.output.write_all(format!("{line}\n").as_bytes())?;
        self.output.flush()
    }

    /// Prints several lines.
    pub(super) fn lines(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.line(line))
    }

    /// Prints an error line.
    pub(super) fn error(&mut self, error: &str) -> io::Result<()> {
        self.errors += 1;
        self.line(&reply::error(error))
    }

    /// Prints a `bestmove` line.
    pub(super) fn best_move(&mut self, best_move: &BestMove) -> io::Result<()> {
        self.line(&self.wording.best_move(best_move))
    }

    /// Prints a report of a search.
    pub(super) fn report(&mut self, report: &Report) -> io::Result<()> {
        match report {
            Report::Error(text) => self.error(text),
            Report::Debug(_) if !self.is_verbose => Ok(()),
            _ => self.lines(&self.wording.report(report)),
        }
    }
}
