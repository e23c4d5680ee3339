//! State shared by the threads of a session. It allows each thread to print its answers at once.
//!
//! On a busy system, a woken thread waits for a processor. An answer that passed through two threads would wait
//! twice. So the search thread prints its reports and its `bestmove` itself, and the reader thread answers `stop` and
//! `isready`. A thread holds the lock while it prints. The reader must not wait for slow output, so it uses
//! `try_lock`.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Event;
use super::printer::Printer;
use super::running::{ActiveJob, Answer, print_fallback};
use crate::clock::Instant;
use crate::engine::Report;
use crate::protocol::Command;
use crate::protocol::reply::{self, Wording};

/// Time for a stopped search to answer by itself before the fallback answer is sent. A running search polls its signals
/// far more often, but a search that waits for a processor takes longer. The wait is a busy loop, because a sleeping
/// thread may not be woken in time (NOTES.md, fallback answer).
const STOP_GRACE: Duration = Duration::from_micros(500);

/// The printer and the active job, behind one lock.
pub(crate) struct Arbiter {
    inner: Mutex<Inner>,
    /// Number of lines sent by the reader and not yet received by the session.
    queued_lines: AtomicUsize,
    events: Sender<Event>,
}

struct Inner {
    printer: Printer,
    running: Option<ActiveJob>,
    failure: Option<io::Error>,
    has_failed: bool,
}

impl Arbiter {
    /// Creates an arbiter that wakes the session through `events`.
    pub(super) fn new(printer: Printer, events: Sender<Event>) -> Self {
        Self {
            inner: Mutex::new(Inner {
                printer,
                running: None,
                failure: None,
                has_failed: false,
            }),
            queued_lines: AtomicUsize::new(0),
            events,
        }
    }

    /// Prints. Does nothing after the output has failed.
    pub(super) fn print(&self, say: impl FnOnce(&mut Printer) -> io::Result<()>) {
        self.attempt(&mut self.lock(), say);
    }

    /// Returns the number of printed error lines.
    pub(super) fn errors(&self) -> u64 {
        self.lock().printer.errors
    }

    /// Returns the error of the output once, if it has failed.
    pub(super) fn failure(&self) -> Option<io::Error> {
        self.lock().failure.take()
    }

    /// Closes the output. Running threads can no longer print.
    pub(super) fn close(&self) {
        let mut inner = self.lock();
        inner.has_failed = true;
        inner.printer.close();
    }

    /// Counts a line sent to the session.
    pub(super) fn sent(&self) {
        self.queued_lines.fetch_add(1, Ordering::AcqRel);
    }

    /// Counts a line received by the session.
    pub(super) fn taken(&self) {
        self.queued_lines.fetch_sub(1, Ordering::AcqRel);
    }

    /// Sets the active job, and the wording of its answers.
    pub(super) fn begin(&self, running: ActiveJob, wording: Wording) {
        let mut inner = self.lock();
        inner.printer.wording = wording;
        inner.running = Some(running);
    }

    /// Returns `true` if a job is active. A job is also active while its answer is held back.
    pub(crate) fn is_busy(&self) -> bool {
        self.lock().running.is_some()
    }

    /// Returns `true` if commands can overtake the active job: the job is no task, and its last line is not
    /// printed yet.
    pub(crate) fn is_searching(&self) -> bool {
        let inner = self.lock();
        let running = inner.running.as_ref();
        running.is_some_and(|running| !running.is_task() && !running.is_answered())
    }

    /// Returns the time since when no command can overtake the active job. Returns `None` without
    /// such a job.
    pub(crate) fn unstoppable_since(&self) -> Option<Instant> {
        self.lock().running.as_ref()?.unstoppable_since
    }

    /// Returns `true` if `quit` can end the session at once. A job that must still send `bestmove`
    /// delays it.
    pub(crate) fn may_quit(&self) -> bool {
        let inner = self.lock();
        !inner
            .running
            .as_ref()
            .is_some_and(ActiveJob::owes_best_move)
    }

    /// Handles the end of input: a bounded job continues, any other job is stopped, and `why` is reported.
    pub(crate) fn on_input_end(&self, why: &'static str) {
        let mut inner = self.lock();
        if let Some(running) = &mut inner.running {
            running.on_input_end(why);
            self.settle(&mut inner);
        }
    }

    /// Stops the active job.
    pub(crate) fn stop_all(&self) {
        if let Some(running) = &mut self.lock().running {
            running.stop();
        }
    }

    /// Carries out a command that overtakes the active job. Returns `false` if the command does not overtake this job.
    pub(crate) fn overtake(&self, command: &Command) -> bool {
        let inner = self.lock();
        self.dispatch(inner, command)
    }

    /// Like [`Self::overtake`], for the reader thread. Also returns `false` if an earlier line is still queued or the
    /// lock is taken.
    pub(crate) fn try_overtake(&self, command: &Command) -> bool {
        if self.queued_lines.load(Ordering::Acquire) > 0 {
            return false;
        }
        let inner = self.inner.try_lock();
        inner.is_ok_and(|inner| self.dispatch(inner, command))
    }

    /// Handles a report of the search. After the fallback answer, only errors are printed.
    pub(super) fn report(&self, report: Report) {
        let mut inner = self.lock();
        let Some(running) = &inner.running else {
            return;
        };
        if running.is_answered() && !matches!(report, Report::Error(_)) {
            return;
        }
        // For the client, these lines end the job, so the next command may run.
        if matches!(
            report,
            Report::AllLeaves(_) | Report::AllBenched(..) | Report::Solved(..)
        ) {
            running.answered.store(true, Ordering::Release);
        }
        self.attempt(&mut inner, |printer| printer.report(&report));
        if let (Report::Info(info), Some(running)) = (report, &mut inner.running) {
            running.keep_fallback(info);
        }
    }

    /// Handles the end of the active job. Prints its answer as soon as it is due.
    pub(super) fn finish(&self, answer: Answer) {
        let mut inner = self.lock();
        if let Some(running) = &mut inner.running {
            running.answer = Some(answer);
        }
        self.settle(&mut inner);
    }

    fn dispatch(&self, mut inner: MutexGuard<'_, Inner>, command: &Command) -> bool {
        let Some(running) = inner.running.as_mut().filter(|running| !running.is_task()) else {
            return false;
        };
        match command {
            // For the client, a search with a fallback answer is over. So these commands refer to the next search and
            // run in order.
            Command::IsReady | Command::PonderHit | Command::Stop if running.is_answered() => {
                return false;
            }
            Command::IsReady => self.attempt(&mut inner, |printer| printer.line(&reply::ready())),
            Command::PonderHit => {
                running.ponderhit();
                self.settle(&mut inner);
            }
            Command::Stop | Command::Quit => {
                running.stop();
                let answered = Arc::clone(&running.answered);
                let has_fallback = running.has_fallback();
                self.settle(&mut inner);
                if has_fallback && inner.running.is_some() {
                    drop(inner);
                    let patience = Instant::now();
                    while patience.elapsed() < STOP_GRACE && !answered.load(Ordering::Acquire) {
                        std::hint::spin_loop();
                    }
                    self.send_fallback();
                }
            }
            _ => return false,
        }
        true
    }

    /// Sends the fallback answer of a stopped search that has not answered.
    fn send_fallback(&self) {
        let mut inner = self.lock();
        let running = inner.running.as_mut();
        if let Some(line) = running.and_then(ActiveJob::take_fallback) {
            self.attempt(&mut inner, |printer| print_fallback(&line, printer));
        }
    }

    /// Prints the answer and clears the active job, if the answer exists and is due.
    fn settle(&self, inner: &mut Inner) {
        let has_come = inner.running.as_ref().is_some_and(ActiveJob::can_report);
        let Some(running) = inner.running.take_if(|_| has_come) else {
            return;
        };
        self.attempt(inner, |printer| running.print_answer(printer));
        running.answered.store(true, Ordering::Release);
        drop(self.events.send(Event::Woken));
    }

    fn attempt(&self, inner: &mut Inner, say: impl FnOnce(&mut Printer) -> io::Result<()>) {
        if inner.has_failed {
            return;
        }
        if let Err(error) = say(&mut inner.printer) {
            inner.has_failed = true;
            inner.failure = Some(error);
            if let Some(running) = &mut inner.running {
                running.stop();
            }
            drop(self.events.send(Event::Woken));
        }
    }

    /// Locks the state. Ignores lock poisoning, because a panic during printing leaves the state
    /// valid.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::protocol::Dialect;
    use crate::session::running::Kind;

    #[test]
    fn commands_after_perft_keep_their_order() {
        let last = [
            Report::AllLeaves(11),
            Report::AllBenched(11, Duration::from_secs(1)),
        ];
        for last in last {
            let (events, _heard) = mpsc::channel();
            let arbiter = Arbiter::new(Printer::new(io::sink()), events);
            let wording = Wording::of(Dialect::Uci, false, false);
            arbiter.begin(ActiveJob::new(Kind::Count, Arc::default()), wording);
            assert!(arbiter.try_overtake(&Command::IsReady));
            assert!(arbiter.overtake(&Command::IsReady));
            // The thread of the job has reported the sum but has not returned yet.
            arbiter.report(last);
            assert!(!arbiter.try_overtake(&Command::IsReady));
            assert!(!arbiter.overtake(&Command::IsReady));
            assert!(arbiter.is_busy());
            arbiter.finish(Answer::Lines(Vec::new()));
            assert!(!arbiter.is_busy());
        }
    }
}
