//! What the threads of a session share, so that whoever hears of something answers it there and then.
//!
//! On a busy machine a thread that wakes up waits for its turn, and what passes through two of them waits twice. So the
//! search thread prints what it finds and its `bestmove` itself, and the thread that reads `stop` and `isready` answers
//! them. Whoever prints holds the lock; the reader, who must not wait for a slow listener, only tries it.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Event;
use super::printer::Printer;
use super::running::{ActiveJob, Answer};
use crate::engine::Report;
use crate::protocol::{Command, reply};

/// How long a search that was stopped may take to speak for itself. One that has a processor looks at its signals far
/// more often; one that waits for a processor is answered for. This is waited for without sleep: who sleeps may not be
/// woken for a whole turn of somebody else.
const STOP_GRACE: Duration = Duration::from_micros(500);

/// The printer, and what runs at present, behind one lock.
pub struct Arbiter {
    inner: Mutex<Inner>,
    /// Lines that the reader has sent and the session has not taken yet.
    underway: AtomicUsize,
    events: Sender<Event>,
}

struct Inner {
    printer: Printer,
    running: Option<ActiveJob>,
    failure: Option<io::Error>,
    has_failed: bool,
}

impl Arbiter {
    /// A desk whose session is woken through `events`.
    pub fn new(printer: Printer, events: Sender<Event>) -> Self {
        Self {
            inner: Mutex::new(Inner {
                printer,
                running: None,
                failure: None,
                has_failed: false,
            }),
            underway: AtomicUsize::new(0),
            events,
        }
    }

    /// Prints; does nothing once the output has failed.
    pub fn print(&self, say: impl FnOnce(&mut Printer) -> io::Result<()>) {
        self.attempt(&mut self.lock(), say);
    }

    /// How many error lines were printed.
    pub fn errors(&self) -> u64 {
        self.lock().printer.errors
    }

    /// Why nothing can be printed any more, if that is so and was not asked before.
    pub fn failure(&self) -> Option<io::Error> {
        self.lock().failure.take()
    }

    /// Closes the output. Threads that still wait for input, or run, may not speak any more.
    pub fn close(&self) {
        let mut inner = self.lock();
        inner.has_failed = true;
        inner.printer.close();
    }

    /// A line is on its way to the session.
    pub fn sent(&self) {
        self.underway.fetch_add(1, Ordering::AcqRel);
    }

    /// The session has taken a line.
    pub fn taken(&self) {
        self.underway.fetch_sub(1, Ordering::AcqRel);
    }

    /// Something begins to run.
    pub fn begin(&self, running: ActiveJob) {
        self.lock().running = Some(running);
    }

    /// Whether something runs, or has run and holds its answer back.
    pub fn is_busy(&self) -> bool {
        self.lock().running.is_some()
    }

    /// Whether a search runs that still owes its answer.
    pub fn is_searching(&self) -> bool {
        let inner = self.lock();
        let running = inner.running.as_ref();
        running.is_some_and(|running| running.is_search && !running.is_answered())
    }

    /// Since when something runs that nobody can overtake: a command that only takes long, or a search that was answered
    /// for and has not come back.
    pub fn errand_since(&self) -> Option<Instant> {
        let inner = self.lock();
        let running = inner.running.as_ref()?;
        running
            .stood_in
            .or_else(|| running.is_errand().then_some(running.start))
    }

    /// Whether whoever was told to quit need not wait: nothing runs, or nothing that still owes a `bestmove`.
    pub fn may_quit(&self) -> bool {
        let inner = self.lock();
        let running = inner.running.as_ref();
        running.is_none_or(|running| !running.must_send_bestmove || running.is_answered())
    }

    /// Nobody is left to say `stop` or `ponderhit`, for this reason.
    pub fn on_input_end(&self, why: &'static str) {
        let mut inner = self.lock();
        if let Some(running) = &mut inner.running {
            running.on_input_end(why);
            self.settle(&mut inner);
        }
    }

    /// Ends whatever runs; nobody is left who would hear of it.
    pub fn stop_all(&self) {
        if let Some(running) = &mut self.lock().running {
            running.stop();
        }
    }

    /// Obeys a command that overtakes what runs, if there is something that it overtakes.
    pub fn overtake(&self, command: &Command) -> bool {
        let inner = self.lock();
        self.dispatch(inner, command)
    }

    /// The same for the reader: not while an earlier line is on its way, and not if that would mean to wait.
    pub fn try_overtake(&self, command: &Command) -> bool {
        if self.underway.load(Ordering::Acquire) > 0 {
            return false;
        }
        let inner = self.inner.try_lock();
        inner.is_ok_and(|inner| self.dispatch(inner, command))
    }

    /// What the search says. One that was answered for says no more, but for what went wrong.
    pub fn report(&self, report: Report) {
        let mut inner = self.lock();
        let Some(running) = &mut inner.running else {
            return;
        };
        if let Report::FallbackAnswer(standby) = report {
            running.next_standby = Some(standby);
        } else if !running.is_answered() || matches!(report, Report::Error(_)) {
            let unit = running.unit;
            // With the line that it goes with, or whoever says stop between the two hears a move that is not that line's.
            if matches!(report, Report::Info(_))
                && let Some(next) = running.next_standby.take()
            {
                running.standby = Some(next);
            }
            // For whoever hears these it is over: what is said next keeps its place.
            if matches!(report, Report::AllLeaves(_) | Report::AllBenched(..)) {
                running.answered.store(true, Ordering::Release);
            }
            self.attempt(&mut inner, |printer| printer.report(&report, unit));
        }
    }

    /// What runs has ended. Its answer is told now, unless it has to be held back.
    pub fn finish(&self, answer: Answer) {
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
            .filter(|running| !running.is_errand())
        else {
            return false;
        };
        match command {
            // For whoever speaks, a search that was answered for is over: these keep their place behind what was said since,
            // and mean the search that waits there, if one does.
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
                let may_stand_in = running.standby.is_some();
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

    /// Answers for a search that was stopped and does not come: with what it said last.
    fn send_fallback(&self) {
        let mut inner = self.lock();
        let running = inner.running.as_mut();
        let Some(running) =
            running.filter(|running| running.was_stopped() && !running.is_answered())
        else {
            return;
        };
        if let Some(standby) = running.standby.take() {
            let unit = running.unit;
            let best_move = running.best_move(&standby.best_move);
            running.answered.store(true, Ordering::Release);
            running.stood_in = Some(Instant::now());
            self.attempt(&mut inner, |printer| {
                for report in &standby.closing {
                    printer.report(report, unit)?;
                }
                printer.line(&best_move)
            });
        }
    }

    /// Tells the answer that has come, if its time has come too, and clears the desk for the next search.
    fn settle(&self, inner: &mut Inner) {
        let has_come = inner.running.as_ref().is_some_and(ActiveJob::can_report);
        let Some(running) = inner.running.take_if(|_| has_come) else {
            return;
        };
        self.attempt(inner, |printer| running.tell(printer));
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

    /// A panic while somebody printed leaves nothing half done that would matter to the next line.
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

    /// A count of leaves that has begun.
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
            standby: None,
            next_standby: None,
            answer: None,
            answered: Arc::new(AtomicBool::new(false)),
            stood_in: None,
        }
    }

    #[test]
    fn what_a_search_would_end_with_is_that_of_the_last_line_told() {
        let (events, _heard) = mpsc::channel();
        let desk = Arbiter::new(Printer::new(io::sink()), events);
        desk.begin(counting());
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
            let inner = desk.lock();
            let running = inner.running.as_ref().expect("it runs");
            running
                .standby
                .clone()
                .and_then(|standby| standby.best_move.best)
        };
        for (m, before) in [("a1", None), ("b2", Some("a1"))] {
            desk.report(Report::FallbackAnswer(FallbackAnswer {
                best_move: best_move(m),
                closing: Vec::new(),
            }));
            assert_eq!(ends_with().as_deref(), before);
            desk.report(Report::Info(info.clone()));
            assert_eq!(ends_with().as_deref(), Some(m));
        }
    }

    #[test]
    fn what_is_said_after_the_last_line_of_a_count_keeps_its_place() {
        let last = [
            Report::AllLeaves(11),
            Report::AllBenched(11, Duration::from_secs(1)),
        ];
        for last in last {
            let (events, _heard) = mpsc::channel();
            let desk = Arbiter::new(Printer::new(io::sink()), events);
            desk.begin(counting());
            assert!(desk.try_overtake(&Command::IsReady));
            assert!(desk.overtake(&Command::IsReady));
            // Its thread has told the sum, and not come back yet.
            desk.report(last);
            assert!(!desk.try_overtake(&Command::IsReady));
            assert!(!desk.overtake(&Command::IsReady));
            assert!(desk.is_busy());
            desk.finish(Answer::Lines(Vec::new()));
            assert!(!desk.is_busy());
        }
    }
}
