//! The search thread: the engine moves in with a job, and comes back with the answer.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

use crate::bench;
use crate::control::{Control, Limits, Signals};
use crate::engine::{Build, Choice, Engine, Report};
use crate::error::Refusal;
use crate::protocol::reply::WinUnit;

/// Room for the deepest recursion of any search: memory is only taken where it is used.
const STACK: usize = 256 << 20;

/// What a search thread is for.
#[derive(Debug)]
pub enum Job {
    /// `go`
    Go(Limits),
    /// `go perft`
    Perft(u32),
    /// `bench`, with what makes its engines.
    Bench(Build),
}

/// How a search ended.
#[derive(Debug)]
pub enum Answer {
    /// With a `bestmove` to print.
    Best(Choice),
    /// With nothing more to say.
    Done,
    /// It did not begin.
    Refused(Refusal),
}

/// What comes back from a search thread.
pub enum Returned {
    /// The engine and the answer.
    Engine(Box<dyn Engine>, Answer),
    /// The search broke off, for this reason, and its engine is lost.
    Broken(String),
}

/// A search that has begun and whose answer has not been printed.
#[expect(
    clippy::struct_excessive_bools,
    reason = "five independent facts, each asked for by its name"
)]
pub struct Running {
    /// What ends it, shared with its thread.
    pub signals: Arc<Signals>,
    /// In what its scores are worded.
    pub unit: WinUnit,
    /// Whether it is `go`, which ends with a `bestmove` whatever happens.
    pub owes_best_move: bool,
    /// Whether it ends by itself: at the end of input it is waited for.
    pub is_bounded: bool,
    /// Whether the answer is held back until `ponderhit`.
    pub is_pondering: bool,
    /// Whether the answer is held back until `stop`.
    pub holds_answer: bool,
    /// Whether it was stopped because nobody is left to do so.
    pub was_let_end: bool,
    /// What came back, once it has.
    pub returned: Option<Returned>,
}

impl Running {
    /// Ends the search now.
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

    /// Nobody is left to say `stop` or `ponderhit`: a bounded search goes on to its end, any other stops.
    pub fn let_end(&mut self) {
        if self.is_bounded {
            self.ponderhit();
            self.holds_answer = false;
        } else if !self.signals.is_stopped() {
            self.was_let_end = true;
            self.stop();
        }
    }

    /// Whether that is what ended it.
    pub fn was_cut_short(&self) -> bool {
        self.was_let_end && self.signals.were_heeded()
    }

    /// What came back, if the time has come to tell.
    pub fn take_returned(&mut self) -> Option<Returned> {
        let is_best_move = matches!(self.returned, Some(Returned::Engine(_, Answer::Best(_))));
        if is_best_move && (self.is_pondering || self.holds_answer) {
            return None;
        }
        self.returned.take()
    }
}

/// The thread in which all searches of a session run, one after the other.
///
/// It is started once: under a busy scheduler a new thread waits for its first turn much longer than one that wakes up,
/// which lost games played with ten milliseconds on the clock.
pub struct SearchThread {
    work: Sender<Box<dyn FnOnce() + Send>>,
}

impl SearchThread {
    /// Starts the thread, which waits for work until this is dropped.
    pub fn start() -> io::Result<Self> {
        let (work, waiting) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
        let thread = thread::Builder::new()
            .name("search".into())
            .stack_size(STACK);
        thread.spawn(move || waiting.iter().for_each(|work| work()))?;
        Ok(Self { work })
    }

    /// Begins a search. `report` hears what it says, `end` takes what comes back.
    pub fn begin(
        &self,
        engine: Box<dyn Engine>,
        job: Job,
        control: Control,
        report: impl FnMut(Report) + Send + 'static,
        end: impl FnOnce(Returned) + Send + 'static,
    ) {
        // Nobody receives only where the thread is gone, and then the session is.
        drop(self.work.send(Box::new(move || {
            run(engine, job, control, report, end);
        })));
    }
}

/// Runs a search to its end in the present thread.
pub fn run(
    mut engine: Box<dyn Engine>,
    job: Job,
    mut control: Control,
    mut report: impl FnMut(Report),
    end: impl FnOnce(Returned),
) {
    let search = move || {
        let answer = match job {
            Job::Go(limits) => engine
                .go(&limits, &mut control, &mut report)
                .map_or_else(Answer::Refused, Answer::Best),
            Job::Perft(depth) => {
                engine.perft(depth, &mut control, &mut report);
                Answer::Done
            }
            Job::Bench(build) => bench::run(build, control.signals(), &mut report)
                .map_or_else(Answer::Refused, |()| Answer::Done),
        };
        (engine, answer)
    };
    // Whatever was half done is dropped with the engine, and nobody sees it.
    end(match catch_unwind(AssertUnwindSafe(search)) {
        Ok((engine, answer)) => Returned::Engine(engine, answer),
        Err(panic) => Returned::Broken(message(panic.as_ref())),
    });
}

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> String {
    let literal = panic.downcast_ref::<&str>().map(ToString::to_string);
    literal
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".into())
}
