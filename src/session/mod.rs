//! The session: one thread reads lines, one thread executes them, and one thread searches. All of them print through
//! the `arbiter`.
//!
//! Either the session or the search thread owns the engine, so the engine needs no lock. While the search thread owns
//! it, `isready`, `stop`, `ponderhit` and `quit` are executed at once: they *overtake* the search. All other lines
//! wait, so a script from a file has the same effect as a dialog.

mod arbiter;
mod dispatch;
pub(crate) mod input;
pub mod local;
mod printer;
mod running;
mod search;
pub mod stdout_watch;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use crate::clock::Instant;
use crate::engine::{Build, Engine, LocatedText, Setup};
use crate::lex::Tokenizer;
use crate::protocol::options::Bounds;
use crate::protocol::{Command, Dialect, parse, reply};
use crate::settings::Settings;

use arbiter::Arbiter;
use input::{Line, ReadAhead};
use printer::Printer;
use search::{JobResult, SearchThread};

/// Maximum wait of `isready` for a background task. Other commands wait for the task to end.
const READY_WITHIN: Duration = Duration::from_secs(1);

/// A session before it starts.
pub struct Session<I, O> {
    /// Source of the lines.
    pub input: I,
    /// Destination of the answers.
    pub output: O,
    /// Blocks until the other end of the output is closed and then returns `true`. Returns `false` if this
    /// cannot be detected without writing.
    pub is_closed: Option<Box<dyn FnOnce() -> bool + Send>>,
    /// The initial options.
    pub settings: Settings,
    /// Upper bounds of options.
    pub bounds: Bounds,
    /// The engine, built for `settings`.
    pub engine: Box<dyn Engine>,
    /// Builds engines.
    pub build: Build,
}

/// Executes the lines of `input` until it ends, until `quit`, or until the other end of `output` is closed. Returns
/// the number of printed error lines.
///
/// # Errors
/// If `output` fails for another reason than being closed, if no engine can be built, or if no thread can be started.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    build: Build,
) -> io::Result<u64> {
    let settings = Settings::default();
    let session = Session {
        input,
        output,
        is_closed: None,
        engine: build(&settings).map_err(io::Error::other)?,
        settings,
        bounds: Bounds::NONE,
        build,
    };
    session.run()
}

impl<I: BufRead + Send + 'static, O: Write + Send + 'static> Session<I, O> {
    /// Runs the session to its end; see [`run`].
    pub fn run(self) -> io::Result<u64> {
        let (sender, events) = mpsc::channel();
        let mut dispatcher = Dispatcher::new(
            (self.engine, self.build),
            (self.settings, self.bounds),
            SearchThread::start()?,
            self.output,
            sender.clone(),
        );
        let arbiter = Arc::clone(&dispatcher.arbiter);
        let read_ahead = Arc::clone(&dispatcher.read_ahead);
        let (reader, reader_arbiter, lines) =
            (thread_named("reader"), Arc::clone(&arbiter), sender.clone());
        reader.spawn(move || read(self.input, &lines, &reader_arbiter, &read_ahead))?;
        if let Some(is_closed) = self.is_closed {
            thread_named("listener").spawn(move || {
                if is_closed() {
                    drop(sender.send(Event::Closed));
                }
            })?;
        }
        let end = dispatcher.serve(&events);
        arbiter.close();
        match end {
            Err(error) if !stdout_watch::is_broken_pipe(&error) => Err(error),
            _ => Ok(arbiter.errors()),
        }
    }
}

fn thread_named(name: &str) -> thread::Builder {
    thread::Builder::new().name(name.into())
}

/// An event that the session waits for.
pub(crate) enum Event {
    /// A line was read.
    Line(Line),
    /// The reader waits because too many lines are waiting.
    Full,
    /// The input has ended.
    End,
    /// The other end of the output is closed.
    Closed,
    /// The arbiter's state has changed.
    Woken,
    /// The engine has returned.
    JobResult(JobResult),
}

/// The reader thread. It ends when the session has dropped the receiver of its channel.
fn read(
    mut input: impl BufRead,
    events: &Sender<Event>,
    arbiter: &Arbiter,
    read_ahead: &ReadAhead,
) {
    let mut is_first = true;
    loop {
        match input::read_line(&mut input) {
            Ok(Some(mut line)) => {
                if std::mem::take(&mut is_first) {
                    input::skip_mark(&mut line);
                }
                let command = overtaking(&line);
                if let Some(command) = command
                    && arbiter.try_overtake(&command)
                    && command != Command::Quit
                {
                    continue;
                }
                read_ahead.admit(&line, || drop(events.send(Event::Full)));
                arbiter.sent();
                if events.send(Event::Line(line)).is_err() {
                    return;
                }
            }
            Ok(None) => break,
            Err(error) => {
                log::error!("the input cannot be read: {error}");
                break;
            }
        }
    }
    drop(events.send(Event::End));
}

/// A change to record if the running command succeeds.
enum PendingChange {
    /// The options were set. A new variant starts at its start position.
    Configured(Settings),
    /// The position was set.
    Placed(Setup, Vec<LocatedText>),
}

/// The state of the thread that executes the lines.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each asked for by its name"
)]
struct Dispatcher {
    /// The engine; `None` while a job is active.
    engine: Option<Box<dyn Engine>>,
    search_thread: SearchThread,
    build: Build,
    settings: Settings,
    bounds: Bounds,
    /// The last position set, to rebuild the engine after a panic.
    position: (Setup, Vec<LocatedText>),
    once_done: Option<PendingChange>,
    dialect: Dialect,
    waiting: VecDeque<Line>,
    /// `true` if a line that may overtake a search waits behind a task.
    holds_back: bool,
    /// `true` if an `isready` or `quit` is waiting, for at most [`READY_WITHIN`].
    awaits_ready: bool,
    read_ahead: Arc<ReadAhead>,
    has_ended: bool,
    has_quit: bool,
    sender: Sender<Event>,
    arbiter: Arc<Arbiter>,
}

impl Dispatcher {
    fn new(
        (engine, build): (Box<dyn Engine>, Build),
        (settings, bounds): (Settings, Bounds),
        search_thread: SearchThread,
        output: impl Write + Send + 'static,
        sender: Sender<Event>,
    ) -> Self {
        let arbiter = Arc::new(Arbiter::new(Printer::new(output), sender.clone()));
        Self {
            engine: Some(engine),
            search_thread,
            build,
            settings,
            bounds,
            position: (Setup::Start, Vec::new()),
            once_done: None,
            dialect: Dialect::default(),
            waiting: VecDeque::new(),
            holds_back: false,
            awaits_ready: false,
            read_ahead: Arc::default(),
            has_ended: false,
            has_quit: false,
            sender,
            arbiter,
        }
    }

    fn serve(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        loop {
            match self.next_event(events)? {
                Some(Event::Closed) => {
                    self.arbiter.stop_all();
                    return Ok(());
                }
                event => self.proceed(event)?,
            }
            if self.is_over() {
                return self.arbiter.failure().map_or(Ok(()), Err);
            }
        }
    }

    /// Handles an event. Without an event, answers an `isready` that has waited too long. Then executes the lines
    /// that no longer have to wait.
    ///
    /// # Errors
    /// If the output has failed, or if the engine was lost.
    fn proceed(&mut self, event: Option<Event>) -> io::Result<()> {
        let handled = self.handle(event);
        self.end_endless_job()?;
        handled?;
        while self.is_idle()
            && let Some(line) = self.next_waiting()
        {
            self.dispatch(line);
            self.end_endless_job()?;
        }
        self.let_commands_overtake();
        Ok(())
    }

    /// Returns `true` if the session has ended: after the last line, or after `quit`.
    fn is_over(&self) -> bool {
        self.has_ended && self.is_idle() || self.has_quit && self.arbiter.may_quit()
    }

    /// Returns the next event. Returns `None` if the maximum wait of an `isready` ends first.
    fn next_event(&self, events: &Receiver<Event>) -> io::Result<Option<Event>> {
        let since = self
            .arbiter
            .unstoppable_since()
            .filter(|_| self.awaits_ready);
        let Some(since) = since else {
            return events.recv().map(Some).map_err(io::Error::other);
        };
        let left = (since + READY_WITHIN).saturating_duration_since(Instant::now());
        match events.recv_timeout(left) {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(error @ RecvTimeoutError::Disconnected) => Err(io::Error::other(error)),
        }
    }

    fn handle(&mut self, event: Option<Event>) -> io::Result<()> {
        match event {
            None => self.stop_waiting(),
            Some(Event::Line(line)) => {
                self.arbiter.taken();
                let command = overtaking(&line);
                if command
                    .as_ref()
                    .is_some_and(|command| self.overtake(command))
                {
                    self.read_ahead.release(&line);
                } else {
                    self.holds_back |= command.is_some();
                    self.awaits_ready |= matches!(command, Some(Command::IsReady | Command::Quit));
                    self.waiting.push_back(line);
                }
            }
            Some(Event::JobResult(returned)) => return self.receive_engine(returned),
            Some(Event::End) => self.has_ended = true,
            // `end_endless_job` and the lines below handle the search and a waiting reader.
            Some(Event::Full | Event::Woken | Event::Closed) => {}
        }
        Ok(())
    }

    fn overtake(&mut self, command: &Command) -> bool {
        let has_overtaken = self.arbiter.overtake(command);
        self.has_quit |= has_overtaken && *command == Command::Quit;
        has_overtaken
    }

    /// Stops waiting for a background task: answers every `isready` behind it and executes `quit`.
    fn stop_waiting(&mut self) {
        self.remove_waiting(|dispatcher, command| match command {
            Command::IsReady => {
                dispatcher
                    .arbiter
                    .print(|printer| printer.line(&reply::ready()));
                true
            }
            Command::Quit => {
                dispatcher.has_quit = true;
                true
            }
            _ => false,
        });
        // A waiting `stop` remains, until its search runs.
        self.awaits_ready = false;
    }

    /// Executes waiting commands that could not overtake a task but can overtake the search that now runs.
    fn let_commands_overtake(&mut self) {
        if self.holds_back && self.arbiter.is_searching() {
            self.remove_waiting(Self::overtake);
            // After a fallback answer, waiting lines refer to the next search.
            self.holds_back = self.waiting.iter().any(|line| overtaking(line).is_some());
            self.awaits_ready = self.holds_back;
        }
    }

    /// Passes the waiting lines that can overtake a search to `carry_out`, and removes a line if it
    /// returns `true`.
    fn remove_waiting(&mut self, carry_out: impl Fn(&mut Self, &Command) -> bool) {
        for line in std::mem::take(&mut self.waiting) {
            match overtaking(&line) {
                Some(command) if carry_out(self, &command) => self.read_ahead.release(&line),
                _ => self.waiting.push_back(line),
            }
        }
    }

    fn is_idle(&self) -> bool {
        self.engine.is_some() && !self.arbiter.is_busy()
    }

    fn next_waiting(&mut self) -> Option<Line> {
        let line = self.waiting.pop_front().filter(|_| !self.has_quit)?;
        self.read_ahead.release(&line);
        self.holds_back &= !self.waiting.is_empty();
        self.awaits_ready &= self.holds_back;
        Some(line)
    }

    /// Ends the active job if no command can end it any more.
    ///
    /// # Errors
    /// If the output has failed.
    fn end_endless_job(&self) -> io::Result<()> {
        if self.has_ended {
            self.arbiter.on_input_end(reply::INPUT_ENDED);
        } else if self.read_ahead.is_full() {
            self.arbiter.on_input_end(reply::TOO_MANY_LINES);
        }
        self.arbiter.failure().map_or(Ok(()), Err)
    }

    /// Takes the engine back. If the command succeeded, also records its pending change.
    ///
    /// # Errors
    /// If the engine was lost and cannot be rebuilt.
    fn receive_engine(&mut self, returned: JobResult) -> io::Result<()> {
        let done = self.once_done.take().filter(|_| returned.is_done);
        self.engine = returned.engine.or_else(|| self.new_engine());
        if self.engine.is_none() {
            return Err(io::Error::other("no engine can be made again"));
        }
        match done {
            None => {}
            Some(PendingChange::Placed(setup, moves)) => {
                let engine = self.engine.as_deref();
                let setup = engine.map_or(Setup::Start, |engine| repeatable(setup, engine));
                self.position = (setup, moves);
            }
            Some(PendingChange::Configured(settings)) => {
                if self.is_of_another_game(&settings) {
                    self.position = (Setup::Start, Vec::new());
                }
                self.settings = settings;
            }
        }
        Ok(())
    }

    /// Returns `true` if `settings` select a different game or board file from the current settings.
    fn is_of_another_game(&self, settings: &Settings) -> bool {
        settings.variant != self.settings.variant
            || settings.board_file() != self.settings.board_file()
    }

    /// Rebuilds a lost engine with its settings and position as far as possible.
    fn new_engine(&mut self) -> Option<Box<dyn Engine>> {
        let mut engine = (self.build)(&self.settings);
        if let Err(error) = &engine
            && !self.settings.eval_file.is_empty()
        {
            // The network file may have been deleted. A built-in game does not need it.
            self.print_error(&format!("EvalFile is forgotten: {error}"));
            self.settings.eval_file.clear();
            engine = (self.build)(&self.settings);
        }
        let (setup, moves) = &self.position;
        if let Ok(engine) = &mut engine
            && let Err(error) = engine.set(setup, moves)
        {
            self.print_error(&format!("back to the start position: {error}"));
            self.position = (Setup::Start, Vec::new());
        }
        if let Err(error) = &engine {
            self.print_error(&format!("there is no engine any more: {error}"));
        }
        engine.ok()
    }

    fn print_error(&self, error: &str) {
        self.arbiter.print(|printer| printer.error(error));
    }
}

/// Returns a setup of the same position that does not depend on chance.
fn repeatable(setup: Setup, engine: &dyn Engine) -> Setup {
    match setup {
        Setup::Random { .. } | Setup::Scramble { .. } => Setup::Fen(LocatedText {
            offset: 0,
            text: engine.fen(),
        }),
        Setup::Start | Setup::Fen(_) => setup,
    }
}

/// Returns the command of a line if it overtakes a search.
fn overtaking(line: &Line) -> Option<Command> {
    let line = line.as_ref().ok()?;
    // Check the first word before parsing, because some lines are very long.
    let first = Tokenizer::new(line).next_word()?;
    if !["isready", "stop", "ponderhit", "quit"].contains(&first) {
        return None;
    }
    let command = parse(line).ok()??;
    command.overtakes().then_some(command)
}
