//! State that the threads of a session share, so that each thread can print its answers at once.
//!
//! On a busy system, a thread that is woken has to wait for a processor. If an answer passed through two threads, the
//! wait would be twice as long. So the search thread prints its reports and its `bestmove` itself, and the reader
//! thread answers `stop` and `isready`. A thread holds the lock while it prints. The reader must not wait for slow
//! output, so it only tries to take the lock.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Event;
use super::printer::Printer;
use super::running::{ActiveJob, Answer};
use crate::clock::Instant;
use crate::engine::Report;
use crate::protocol::{Command, reply};

/// Time for a stopped search to answer by itself. After this time, the fallback answer is sent. A running search polls
/// its signals far more often, but a search that waits for a processor takes longer. The wait is a busy loop, because a
/// sleeping thread may not be woken in time.
const STOP_GRACE: Duration = Duration::from_micros(500);

/// The printer and the active job, behind one lock.
pub(crate) struct Arbiter {
    inner: Mutex<Inner>,
    /// Number of lines that the reader has sent and the session has not received yet.
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

    /// Sets the active job.
    pub(super) fn begin(&self, running: ActiveJob) {
        self.lock().running = Some(running);
    }

    /// Returns `true` if a job is active. A job is also active while its answer is held back.
    pub(crate) fn is_busy(&self) -> bool {
        self.lock().running.is_some()
    }

    /// Returns `true` if a search is active and its answer is not held back.
    pub(crate) fn is_searching(&self) -> bool {
        let inner = self.lock();
        let running = inner.running.as_ref();
        running.is_some_and(|running| running.is_search && !running.is_answered())
    }

    /// Returns the start time of an active job that no command can overtake. Such a job is a background task, or a
    /// search whose fallback answer was sent.
    pub(crate) fn unstoppable_since(&self) -> Option<Instant> {
        let inner = self.lock();
        let running = inner.running.as_ref()?;
        running
            .fallback_sent
            .or_else(|| running.is_background_task().then_some(running.start))
    }

    /// Returns `true` if `quit` need not wait. It waits only for a job that must still send `bestmove`.
    pub(crate) fn may_quit(&self) -> bool {
        let inner = self.lock();
        let running = inner.running.as_ref();
        running.is_none_or(|running| !running.must_send_bestmove || running.is_answered())
    }

    /// Handles the end of input, after which no `stop` or `ponderhit` can follow. If this stops a search, `why` is
    /// reported.
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

    /// Like [`Self::overtake`], for the reader thread. Returns `false` also if an earlier line is still queued or the
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
        let Some(running) = &mut inner.running else {
            return;
        };
        if let Report::FallbackAnswer(fallback) = report {
            running.next_fallback = Some(fallback);
        } else if !running.is_answered() || matches!(report, Report::Error(_)) {
            let unit = running.unit;
            // A fallback answer becomes valid when its line is printed. Otherwise, a `stop` in between would be
            // answered by the move of another line.
            if matches!(report, Report::Info(_))
                && let Some(next) = running.next_fallback.take()
            {
                running.fallback = Some(next);
            }
            // For the client, these lines end the job, so the next command may be carried out.
            if matches!(
                report,
                Report::AllLeaves(_) | Report::AllBenched(..) | Report::Solved(..)
            ) {
                running.answered.store(true, Ordering::Release);
            }
            self.attempt(&mut inner, |printer| printer.report(&report, unit));
        }
    }

    /// Handles the end of the active job. Prints its answer, or holds it back if it is not due yet.
    pub(super) fn finish(&self, answer: Answer) {
        let mut inner = self.lock();
        if let Some(running) = &mut inner.running {
            running.answer = Some(answer);
        }
        self.settle(&mut inner);
    }

    fn dispatch(&self, mut inner: MutexGuard<'_, Inner>, command: &Command) -> bool {
        let Some(running) = inner
            .running
            .as_mut()
            .filter(|running| !running.is_background_task())
        else {
            return false;
        };
        match command {
            // For the client, a search with a fallback answer is over. So these commands refer to the next search and
            // are carried out in order.
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
                let answered = running.answered.clone();
                let may_stand_in = running.fallback.is_some();
                self.settle(&mut inner);
                if may_stand_in && inner.running.is_some() {
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
        let Some(running) =
            running.filter(|running| running.was_stopped() && !running.is_answered())
        else {
            return;
        };
        if let Some(fallback) = running.fallback.take() {
            let unit = running.unit;
            let best_move = running.best_move(&fallback.best_move);
            running.answered.store(true, Ordering::Release);
            running.fallback_sent = Some(Instant::now());
            self.attempt(&mut inner, |printer| {
                for report in &fallback.closing {
                    printer.report(report, unit)?;
                }
                printer.line(&best_move)
            });
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

    /// Ignores a panic during printing, because it leaves the state valid.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc;

    use super::*;
    use crate::control::Signals;
    use crate::engine::{BestMove, FallbackAnswer, Info};
    use crate::protocol::Dialect;
    use crate::protocol::reply::WinUnit;
    use crate::value::{Bound, Score};

    /// An active perft job.
    fn counting() -> ActiveJob {
        ActiveJob {
            signals: Arc::new(Signals::default()),
            start: Instant::now(),
            unit: WinUnit::of(Dialect::Uci, false),
            dialect: Dialect::Uci,
            ponders: false,
            is_search: true,
            must_send_bestmove: false,
            is_bounded: true,
            is_pondering: false,
            holds_answer: false,
            cut_short: None,
            fallback: None,
            next_fallback: None,
            answer: None,
            answered: Arc::new(AtomicBool::new(false)),
            fallback_sent: None,
        }
    }

    #[test]
    fn fallback_answer_is_that_of_the_last_line() {
        let (events, _heard) = mpsc::channel();
        let arbiter = Arbiter::new(Printer::new(io::sink()), events);
        arbiter.begin(counting());
        let best_move = |m: &str| BestMove {
            best: Some(m.into()),
            ponder: None,
        };
        let info = Info {
            depth: 1,
            seldepth: 1,
            multipv: None,
            score: Score::Points(0.0),
            bound: Bound::Exact,
            nodes: 1,
            leaves: None,
            hashfull: 0,
            table_hits: None,
            time: Duration::ZERO,
            line: Vec::new(),
        };
        let ends_with = || {
            let inner = arbiter.lock();
            let running = inner.running.as_ref().expect("it runs");
            running
                .fallback
                .clone()
                .and_then(|fallback| fallback.best_move.best)
        };
        for (m, before) in [("a1", None), ("b2", Some("a1"))] {
            arbiter.report(Report::FallbackAnswer(FallbackAnswer {
                best_move: best_move(m),
                closing: Vec::new(),
            }));
            assert_eq!(ends_with().as_deref(), before);
            arbiter.report(Report::Info(info.clone()));
            assert_eq!(ends_with().as_deref(), Some(m));
        }
    }

    #[test]
    fn commands_after_perft_keep_their_order() {
        let last = [
            Report::AllLeaves(11),
            Report::AllBenched(11, Duration::from_secs(1)),
        ];
        for last in last {
            let (events, _heard) = mpsc::channel();
            let arbiter = Arbiter::new(Printer::new(io::sink()), events);
            arbiter.begin(counting());
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
