//! The search thread: the engine moves in with a job, and comes back when the job is done.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

use super::arbiter::Arbiter;
use super::running::Answer;
use crate::bench;
use crate::control::{Control, Limits};
use crate::engine::{Build, Engine};
use crate::error::EngineError;

/// Room for the deepest recursion of any search: memory is only taken where it is used.
const STACK: usize = 256 << 20;

/// A command that may take long, and its lines.
pub type BackgroundTask =
    Box<dyn FnOnce(&mut Box<dyn Engine>) -> Result<Vec<String>, EngineError> + Send>;

/// What the search thread is for.
pub enum Job {
    /// `go`
    Go(Limits),
    /// `go perft`
    Perft(u32),
    /// `bench`, with what makes its engines.
    Bench(Build),
    /// Whatever else may take long: files are read, large tables cleared, a million moves played.
    BackgroundTask(BackgroundTask),
}

/// What comes back from the search thread: no engine where it broke off.
pub struct JobResult {
    /// The engine.
    pub engine: Option<Box<dyn Engine>>,
    /// Whether the job was done: nothing was refused.
    pub is_done: bool,
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

    /// Begins a job. The desk hears what it says and how it ends; `give_back` takes the engine.
    pub fn begin(
        &self,
        engine: Box<dyn Engine>,
        job: Job,
        control: Control,
        arbiter: Arc<Arbiter>,
        give_back: impl FnOnce(JobResult) + Send + 'static,
    ) {
        // Nobody receives only where the thread is gone, and then the session is.
        drop(self.work.send(Box::new(move || {
            run(engine, job, control, &arbiter, give_back);
        })));
    }
}

/// Does a job to its end in the present thread.
pub fn run(
    mut engine: Box<dyn Engine>,
    job: Job,
    mut control: Control,
    arbiter: &Arbiter,
    give_back: impl FnOnce(JobResult),
) {
    let mut report = |report| arbiter.report(report);
    let work = move || {
        let answer = match job {
            Job::Go(limits) => engine
                .go(&limits, &mut control, &mut report)
                .map_or_else(Answer::Refused, Answer::Best),
            Job::Perft(depth) => {
                engine.perft(depth, &mut control, &mut report);
                Answer::Lines(Vec::new())
            }
            Job::Bench(build) => bench::run(build, control.signals(), &mut report)
                .map_or_else(Answer::Refused, |()| Answer::Lines(Vec::new())),
            Job::BackgroundTask(errand) => {
                errand(&mut engine).map_or_else(Answer::Refused, Answer::Lines)
            }
        };
        (engine, answer)
    };
    // Whatever was half done is dropped with the engine, and nobody sees it.
    let (engine, answer) = match catch_unwind(AssertUnwindSafe(work)) {
        Ok((engine, answer)) => (Some(engine), answer),
        Err(panic) => (None, Answer::Broken(message(panic.as_ref()))),
    };
    let is_done = matches!(answer, Answer::Best(_) | Answer::Lines(_));
    arbiter.finish(answer);
    give_back(JobResult { engine, is_done });
}

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> String {
    let literal = panic.downcast_ref::<&str>().map(ToString::to_string);
    literal
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".into())
}
