//! The active job: the events that end it, and the printing of its answer.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::printer::Printer;
use crate::clock::Instant;
use crate::control::Signals;
use crate::engine::{BestMove, FallbackAnswer};
use crate::error::EngineError;
use crate::protocol::Dialect;
use crate::protocol::reply::{self, WinUnit};

/// The end of a job.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A search has ended with a best move.
    Best(BestMove),
    /// A task has ended with these lines.
    Lines(Vec<String>),
    /// The job was not carried out.
    Refused(EngineError),
    /// The job was aborted for this reason.
    Broken(String),
}

/// A job that has started and whose answer has not been printed.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each asked for by its name"
)]
pub(crate) struct ActiveJob {
    /// The signals shared with its thread.
    pub signals: Arc<Signals>,
    /// Start time.
    pub start: Instant,
    /// Unit of win distances.
    pub unit: WinUnit,
    /// Dialect of the answer.
    pub(crate) dialect: Dialect,
    /// Value of option `Ponder`.
    pub(crate) ponders: bool,
    /// `true` if `stop` applies to the job: it searches or counts.
    pub(crate) is_search: bool,
    /// `true` for `go`, which must end with `bestmove`.
    pub(crate) must_send_bestmove: bool,
    /// `true` if the job ends by itself. At the end of input, the session then waits for it.
    pub(crate) is_bounded: bool,
    /// `true` while the answer is held back until `ponderhit`.
    pub(crate) is_pondering: bool,
    /// `true` while the answer is held back until `stop`.
    pub(crate) holds_answer: bool,
    /// The reason why the session stopped the job, if it has done so.
    pub(crate) cut_short: Option<&'static str>,
    /// The answer to send if the job is stopped and does not answer in time.
    pub(crate) fallback: Option<FallbackAnswer>,
    /// The fallback answer that becomes valid with the next reported line.
    pub(crate) next_fallback: Option<FallbackAnswer>,
    /// The answer, once the job has ended.
    pub answer: Option<Answer>,
    /// `true` once `bestmove` was printed, or if the job has none.
    pub answered: Arc<AtomicBool>,
    /// Time at which the fallback answer was sent.
    pub(crate) fallback_sent: Option<Instant>,
}

impl ActiveJob {
    /// Returns `true` if the job is a background task, not a search.
    pub(crate) fn is_background_task(&self) -> bool {
        !self.is_search
    }

    /// Returns `true` if `bestmove` was printed.
    pub(super) fn is_answered(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }

    /// Returns `true` if the job was stopped.
    pub(crate) fn was_stopped(&self) -> bool {
        self.signals.is_stopped()
    }

    /// Stops the job.
    pub(super) fn stop(&mut self) {
        self.signals.stop();
        self.is_pondering = false;
        self.holds_answer = false;
    }

    /// Handles `ponderhit`.
    pub(super) fn ponderhit(&mut self) {
        if self.is_pondering {
            self.signals.ponderhit();
            self.is_pondering = false;
        }
    }

    /// Handles the end of input. A bounded search continues. Any other search is stopped for the reason `why`.
    pub(crate) fn on_input_end(&mut self, why: &'static str) {
        if self.is_bounded {
            self.ponderhit();
            self.holds_answer = false;
        } else if !self.was_stopped() {
            self.cut_short = Some(why);
            self.stop();
        }
    }

    /// Returns `true` if the job has ended and its answer is due.
    pub(crate) fn can_report(&self) -> bool {
        match self.answer {
            None => false,
            Some(Answer::Best(_)) => !(self.is_pondering || self.holds_answer),
            Some(_) => true,
        }
    }

    /// Prints the answer. If the fallback answer was printed, prints only the rest.
    pub(crate) fn print_answer(&self, printer: &mut Printer) -> io::Result<()> {
        match &self.answer {
            None => Ok(()),
            Some(Answer::Lines(lines)) => printer.lines(lines),
            Some(Answer::Best(best_move)) => {
                if let Some(why) = self.cut_short.filter(|_| self.signals.stop_was_seen()) {
                    printer.line(&reply::text(why))?;
                }
                self.print_best_move(best_move, printer)
            }
            Some(Answer::Refused(error)) => {
                printer.error(&error.0)?;
                self.print_best_move(&BestMove::default(), printer)
            }
            Some(Answer::Broken(reason)) => {
                let what = if self.is_search { "search" } else { "command" };
                printer.error(&format!("the {what} broke off: {reason}"))?;
                self.print_best_move(&BestMove::default(), printer)
            }
        }
    }

    /// Returns the `bestmove` line.
    pub(super) fn best_move(&self, best_move: &BestMove) -> String {
        reply::best_move(best_move, self.dialect, self.ponders)
    }

    fn print_best_move(&self, best_move: &BestMove, printer: &mut Printer) -> io::Result<()> {
        if self.must_send_bestmove && !self.is_answered() {
            printer.line(&self.best_move(best_move))?;
        }
        Ok(())
    }
}
