//! What runs in the search thread, what may end it, and how its answer is told.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::printer::Printer;
use crate::control::Signals;
use crate::engine::{BestMove, FallbackAnswer};
use crate::error::EngineError;
use crate::protocol::Dialect;
use crate::protocol::reply::{self, WinUnit};

/// How something ended that ran.
#[derive(Debug)]
pub enum Answer {
    /// With a `bestmove` to print.
    Best(BestMove),
    /// With these lines, or with nothing more to say.
    Lines(Vec<String>),
    /// It was not done.
    Refused(EngineError),
    /// It broke off, for this reason.
    Broken(String),
}

/// Something that has begun and whose answer has not been told.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each asked for by its name"
)]
pub struct ActiveJob {
    /// What ends it, shared with its thread.
    pub signals: Arc<Signals>,
    /// When it began.
    pub start: Instant,
    /// In what its scores are worded.
    pub unit: WinUnit,
    /// In which dialect its answer is worded.
    pub dialect: Dialect,
    /// Option `Ponder`.
    pub ponders: bool,
    /// Whether it searches or counts, so that `stop` means it: what else takes long, nobody has asked to stop.
    pub is_search: bool,
    /// Whether it is `go`, which ends with a `bestmove` whatever happens.
    pub must_send_bestmove: bool,
    /// Whether it ends by itself: at the end of input it is waited for.
    pub is_bounded: bool,
    /// Whether the answer is held back until `ponderhit`.
    pub is_pondering: bool,
    /// Whether the answer is held back until `stop`.
    pub holds_answer: bool,
    /// Why it was stopped where nobody was left to do so.
    pub cut_short: Option<&'static str>,
    /// What to say for it, should it be stopped and not come.
    pub standby: Option<FallbackAnswer>,
    /// The same once the next line is told.
    pub next_standby: Option<FallbackAnswer>,
    /// How it ended, once it has.
    pub answer: Option<Answer>,
    /// Whether its `bestmove` has been told, or was never owed.
    pub answered: Arc<AtomicBool>,
    /// When it was answered for, if it did not come in time.
    pub stood_in: Option<Instant>,
}

impl ActiveJob {
    /// Whether it is no search, but a command that may take long.
    pub fn is_errand(&self) -> bool {
        !self.is_search
    }

    /// Whether its `bestmove` has been told.
    pub fn is_answered(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }

    /// Whether it was told to stop.
    pub fn was_stopped(&self) -> bool {
        self.signals.is_stopped()
    }

    /// Ends it now.
    pub fn stop(&mut self) {
        self.signals.stop();
        self.is_pondering = false;
        self.holds_answer = false;
    }

    /// The pondered move was played.
    pub fn ponderhit(&mut self) {
        if self.is_pondering {
            self.signals.ponderhit();
            self.is_pondering = false;
        }
    }

    /// Nobody is left to say `stop` or `ponderhit`: a bounded search goes on to its end, any other stops for this reason.
    pub fn on_input_end(&mut self, why: &'static str) {
        if self.is_bounded {
            self.ponderhit();
            self.holds_answer = false;
        } else if !self.was_stopped() {
            self.cut_short = Some(why);
            self.stop();
        }
    }

    /// Whether it has ended, and the time has come to tell how.
    pub fn can_report(&self) -> bool {
        match self.answer {
            None => false,
            Some(Answer::Best(_)) => !(self.is_pondering || self.holds_answer),
            Some(_) => true,
        }
    }

    /// Tells how it ended, or what of that has not been told in its place.
    pub fn tell(&self, printer: &mut Printer) -> io::Result<()> {
        match &self.answer {
            None => Ok(()),
            Some(Answer::Lines(lines)) => printer.lines(lines),
            Some(Answer::Best(best_move)) => {
                if let Some(why) = self.cut_short.filter(|_| self.signals.stop_was_seen()) {
                    printer.line(&reply::text(why))?;
                }
                self.tell_best_move(best_move, printer)
            }
            Some(Answer::Refused(refusal)) => {
                printer.error(&refusal.0)?;
                self.tell_best_move(&BestMove::default(), printer)
            }
            Some(Answer::Broken(reason)) => {
                let what = if self.is_search { "search" } else { "command" };
                printer.error(&format!("the {what} broke off: {reason}"))?;
                self.tell_best_move(&BestMove::default(), printer)
            }
        }
    }

    /// Its `bestmove`, worded.
    pub fn best_move(&self, best_move: &BestMove) -> String {
        reply::best_move(best_move, self.dialect, self.ponders)
    }

    fn tell_best_move(&self, best_move: &BestMove, printer: &mut Printer) -> io::Result<()> {
        if self.must_send_bestmove && !self.is_answered() {
            printer.line(&self.best_move(best_move))?;
        }
        Ok(())
    }
}
