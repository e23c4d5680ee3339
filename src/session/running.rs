//! The active job: the events that end it, and the printing of its answer.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::printer::Printer;
use crate::clock::Instant;
use crate::control::Signals;
use crate::engine::{BestMove, Count, Info, Report};
use crate::error::EngineError;
use crate::protocol::reply;

/// The end of a job.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A search has ended with a best move.
    Best(BestMove),
    /// A job has ended with these lines, after its reports.
    Lines(Vec<String>),
    /// The job was rejected.
    Refused(EngineError),
    /// The job was aborted for this reason.
    Broken(String),
}

/// The kind of a job. It determines the commands that overtake the job, and the answer.
pub(crate) enum Kind {
    /// `go`, which must end with `bestmove`.
    Search(SearchState),
    /// `perft`, `bench` and `solve`: `stop` ends the job, and there is no best move.
    Count,
    /// Any other command. No command overtakes the job.
    Task,
}

/// The state of a `go`.
#[derive(Default)]
pub(crate) struct SearchState {
    /// `true` if the search ends by itself. At the end of input, the session waits for such a
    /// search.
    pub(crate) is_bounded: bool,
    /// `true` while the answer is held back until `ponderhit`.
    pub(crate) is_pondering: bool,
    /// `true` while the answer is held back until `stop`.
    pub(crate) holds_answer: bool,
    /// The reason for which the session stopped the search, if any.
    pub(crate) cut_short: Option<&'static str>,
    /// The last printed line with a [fallback answer](Info::fallback).
    pub(crate) fallback: Option<Info>,
}

/// A job that has started, until its answer is printed.
pub(crate) struct ActiveJob {
    /// The signals shared with the job's thread.
    signals: Arc<Signals>,
    kind: Kind,
    /// The answer, once the job has ended.
    pub(super) answer: Option<Answer>,
    /// `true` once the last line of the job is printed.
    pub(super) answered: Arc<AtomicBool>,
    /// Time since when no command can overtake the job: the start of a task, or the fallback answer of a search.
    pub(super) unstoppable_since: Option<Instant>,
}

impl ActiveJob {
    /// Creates a job that starts now.
    pub(super) fn new(kind: Kind, signals: Arc<Signals>) -> Self {
        Self {
            unstoppable_since: matches!(kind, Kind::Task).then(Instant::now),
            signals,
            kind,
            answer: None,
            answered: Arc::default(),
        }
    }

    /// Returns `true` if the job is a task, which no command can overtake.
    pub(super) fn is_task(&self) -> bool {
        matches!(self.kind, Kind::Task)
    }

    /// Returns the state of a `go`.
    fn search(&mut self) -> Option<&mut SearchState> {
        match &mut self.kind {
            Kind::Search(search) => Some(search),
            Kind::Count | Kind::Task => None,
        }
    }

    /// Returns `true` if the last line of the job is printed.
    pub(super) fn is_answered(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }

    /// Returns `true` if the job must still print `bestmove`.
    pub(super) fn owes_best_move(&self) -> bool {
        matches!(self.kind, Kind::Search(_)) && !self.is_answered()
    }

    /// Stops the job.
    pub(super) fn stop(&mut self) {
        self.signals.stop();
        if let Some(search) = self.search() {
            search.is_pondering = false;
            search.holds_answer = false;
        }
    }

    /// Handles `ponderhit`.
    pub(super) fn ponderhit(&mut self) {
        if let Kind::Search(search) = &mut self.kind
            && search.is_pondering
        {
            search.is_pondering = false;
            self.signals.ponderhit();
        }
    }

    /// Handles the end of input. A bounded job continues. Any other job is stopped for the reason `why`.
    pub(super) fn on_input_end(&mut self, why: &'static str) {
        let is_stopped = self.signals.is_stopped();
        let Some(search) = self.search() else { return };
        if search.is_bounded {
            search.holds_answer = false;
            self.ponderhit();
        } else if !is_stopped {
            search.cut_short = Some(why);
            self.stop();
        }
    }

    /// Keeps a printed line if it has a fallback answer.
    pub(super) fn keep_fallback(&mut self, info: Info) {
        if info.fallback.is_some()
            && let Some(search) = self.search()
        {
            search.fallback = Some(info);
        }
    }

    /// Returns `true` if a fallback answer can be printed.
    pub(super) fn has_fallback(&mut self) -> bool {
        self.search()
            .is_some_and(|search| search.fallback.is_some())
    }

    /// Takes the line with the fallback answer, if the job was stopped and has not answered. The
    /// fallback answer then counts as the answer.
    pub(super) fn take_fallback(&mut self) -> Option<Info> {
        if self.is_answered() || !self.signals.is_stopped() {
            return None;
        }
        let line = self.search()?.fallback.take()?;
        self.answered.store(true, Ordering::Release);
        self.unstoppable_since = Some(Instant::now());
        Some(line)
    }

    /// Returns `true` if the job has ended and its answer is due.
    pub(super) fn can_report(&self) -> bool {
        match (&self.answer, &self.kind) {
            (None, _) => false,
            (Some(Answer::Best(_)), Kind::Search(search)) => {
                !(search.is_pondering || search.holds_answer)
            }
            (Some(_), _) => true,
        }
    }

    /// Prints the answer. After a fallback answer, prints only the remaining lines.
    pub(super) fn print_answer(&self, printer: &mut Printer) -> io::Result<()> {
        let no_move = BestMove::default();
        let best_move = match &self.answer {
            None => return Ok(()),
            Some(Answer::Lines(lines)) => return printer.lines(lines),
            Some(Answer::Best(best_move)) => {
                if let Kind::Search(search) = &self.kind
                    && let Some(why) = search.cut_short
                    && self.signals.stop_was_seen()
                {
                    printer.line(&reply::text(why))?;
                }
                best_move
            }
            Some(Answer::Refused(error)) => {
                printer.error(&error.0)?;
                &no_move
            }
            Some(Answer::Broken(reason)) => {
                let what = if self.is_task() { "command" } else { "search" };
                printer.error(&format!("the {what} broke off: {reason}"))?;
                &no_move
            }
        };
        if self.owes_best_move() {
            printer.best_move(best_move)?;
        }
        Ok(())
    }
}

/// Prints the fallback answer of `line`.
pub(super) fn print_fallback(line: &Info, printer: &mut Printer) -> io::Result<()> {
    if let Some(leaves) = line.leaves {
        printer.report(&Report::Count(Count::Leaves, leaves))?;
    }
    line.fallback
        .as_ref()
        .map_or(Ok(()), |best_move| printer.best_move(best_move))
}
