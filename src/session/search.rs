//! The search thread. A job owns the engine while it runs and then returns it.

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
use crate::engine::{Build, Engine, Report};
use crate::error::EngineError;
use crate::trace::sentences::Explainer;
use crate::trace::{Event, TraceRequest};

/// Stack size for the deepest recursion of any search, in bytes. Unused pages take no memory.
const STACK: usize = 256 << 20;

/// A command that may take long. It returns the lines to print.
pub(crate) type Task =
    Box<dyn FnOnce(&mut Box<dyn Engine>) -> Result<Vec<String>, EngineError> + Send>;

/// A job of the search thread.
pub(crate) enum Job {
    /// `go`
    Search(Limits),
    /// `go perft`
    Perft(u32),
    /// `solve`, with the maximum number of positions.
    Solve(Option<u64>),
    /// `trace … events`. The events are explained if the second field is `true`.
    Trace(TraceRequest, bool),
    /// `bench`, with the function that builds its engines.
    Bench(Build),
    /// Any other command that may take long, such as reading files, clearing large tables or playing a
    /// million moves.
    Task(Task),
}

/// The result of a job.
pub(crate) struct JobResult {
    /// The engine, or `None` after a panic.
    pub engine: Option<Box<dyn Engine>>,
    /// `true` if the command succeeded.
    pub(crate) is_done: bool,
}

/// The thread that runs the jobs of a session, one at a time.
///
/// It is started once per session: on a busy system, a new thread waits much longer for a processor than a woken
/// thread. With one thread per search, games at 10 ms per move were lost on time.
pub(crate) struct SearchThread {
    /// The jobs for the thread, or `None` if they run on the session's own thread.
    work: Option<Sender<Box<dyn FnOnce() + Send>>>,
}

impl SearchThread {
    /// Starts the thread. It ends when this value is dropped.
    pub(super) fn start() -> io::Result<Self> {
        let (work, waiting) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
        let thread = thread::Builder::new()
            .name("search".into())
            .stack_size(STACK);
        thread.spawn(move || waiting.iter().for_each(|work| work()))?;
        Ok(Self { work: Some(work) })
    }

    /// Runs the jobs on the session's own thread.
    pub(super) fn none() -> Self {
        Self { work: None }
    }

    /// Starts a job. The arbiter receives its reports and its answer, and `give_back` receives the engine.
    pub(super) fn begin(
        &self,
        engine: Box<dyn Engine>,
        job: Job,
        control: Control,
        arbiter: Arc<Arbiter>,
        give_back: impl FnOnce(JobResult) + Send + 'static,
    ) {
        let work = move || run(engine, job, control, &arbiter, give_back);
        match &self.work {
            // Sending fails only if the thread has ended. Then the session ends, too.
            Some(thread) => drop(thread.send(Box::new(work))),
            None => work(),
        }
    }
}

/// Runs a job on the current thread.
fn run(
    mut engine: Box<dyn Engine>,
    job: Job,
    mut control: Control,
    arbiter: &Arbiter,
    give_back: impl FnOnce(JobResult),
) {
    let mut report = |report| arbiter.report(report);
    let done = |()| Answer::Lines(Vec::new());
    let work = move || {
        let answer = match job {
            Job::Search(limits) => engine
                .go(&limits, &mut control, &mut report)
                .map(Answer::Best),
            Job::Perft(depth) => {
                engine.perft(depth, &mut control, &mut report);
                Ok(done(()))
            }
            Job::Solve(max_positions) => engine
                .solve_game(max_positions, &mut control, &mut report)
                .map(done),
            Job::Trace(request, explains) => {
                let mut explainer = explains.then(Explainer::default);
                let mut sink = |index, event: &Event| {
                    let sentence = explainer.as_mut().map(|explainer| explainer.explain(event));
                    arbiter.report(Report::Traced(index, Box::new(event.clone()), sentence));
                };
                engine
                    .trace_events(request, &mut control, &mut sink)
                    .map(done)
            }
            Job::Bench(build) => bench::run(build, control.signals(), &mut report).map(done),
            Job::Task(task) => task(&mut engine).map(Answer::Lines),
        };
        (engine, answer.unwrap_or_else(Answer::Refused))
    };
    // After a panic, the engine is dropped, because its state may be inconsistent.
    let (engine, answer) = match catch_unwind(AssertUnwindSafe(work)) {
        Ok((engine, answer)) => (Some(engine), answer),
        Err(panic) => (None, Answer::Broken(message(panic.as_ref()))),
    };
    let is_done = matches!(answer, Answer::Best(_) | Answer::Lines(_));
    arbiter.finish(answer);
    give_back(JobResult { engine, is_done });
}

/// Returns the message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let literal = panic.downcast_ref::<&str>().map(ToString::to_string);
    literal
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".into())
}
