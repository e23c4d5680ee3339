//! The long-running process: one thread obeys the lines, one searches, one reads, and all of them answer at one desk.
//!
//! The engine is either here or in the search thread, so no lock is needed for it. While it is away only `isready`,
//! `stop`, `ponderhit` and `quit` are obeyed; every other line waits, so a script piped from a file behaves like a dialogue.

mod arbiter;
mod dispatch;
pub(crate) mod input;
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
use std::time::{Duration, Instant};

use crate::engine::{Build, Engine, Setup, Spanned};
use crate::lex::Tokenizer;
use crate::protocol::options::Bounds;
use crate::protocol::{Command, Dialect, parse, reply};
use crate::settings::Settings;

use arbiter::Arbiter;
use input::{Line, ReadAhead};
use printer::Printer;
use search::{JobResult, SearchThread};

/// A command that is no search keeps its place in a dialogue: what comes after it is answered after it. But nobody who
/// asks `isready` waits longer than this for it.
const READY_WITHIN: Duration = Duration::from_secs(1);

/// Why a search ends that nobody is left to end.
const INPUT_ENDED: &str =
    "the input has ended, and nothing else would end this search: give it a depth, nodes or a time";
const TOO_MANY_LINES: &str = "too many lines wait for this search to end, and nothing else would end it: give it a depth, nodes or a time";

/// What a session is made of.
pub struct Session<I, O> {
    /// Where its lines come from.
    pub input: I,
    /// Where its answers go.
    pub output: O,
    /// Returns true once nobody reads the output any more, or false where that cannot be told without writing to it.
    pub is_closed: Option<Box<dyn FnOnce() -> bool + Send>>,
    /// The options at the start.
    pub settings: Settings,
    /// What may be asked for at most.
    pub bounds: Bounds,
    /// The engine that `build` has made for them.
    pub engine: Box<dyn Engine>,
    /// What makes its engines.
    pub build: Build,
}

/// Obeys the lines of `input` until it ends or says `quit`, or until nobody reads `output` any more. Returns the number
/// of error lines printed.
///
/// # Errors
/// When `output` fails in another way than by being closed, or when no engine or no thread can be had.
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
    /// Runs it to its end; see [`run`].
    pub fn run(self) -> io::Result<u64> {
        let (sender, events) = mpsc::channel();
        let desk = Arc::new(Arbiter::new(Printer::new(self.output), sender.clone()));
        let mut server = Dispatcher {
            engine: Some(self.engine),
            search_thread: SearchThread::start()?,
            build: self.build,
            settings: self.settings,
            bounds: self.bounds,
            position: (Setup::Start, Vec::new()),
            once_done: None,
            dialect: Dialect::default(),
            waiting: VecDeque::new(),
            holds_back: false,
            is_asked: false,
            read_ahead: Arc::default(),
            has_ended: false,
            has_quit: false,
            has_lost_engine: false,
            sender: sender.clone(),
            arbiter: Arc::clone(&desk),
        };
        let read_ahead = Arc::clone(&server.read_ahead);
        let (reader, their_desk, lines) =
            (thread_named("reader"), Arc::clone(&desk), sender.clone());
        reader.spawn(move || read(self.input, &lines, &their_desk, &read_ahead))?;
        if let Some(is_closed) = self.is_closed {
            thread_named("listener").spawn(move || {
                if is_closed() {
                    drop(sender.send(Event::Closed));
                }
            })?;
        }
        let end = server.serve(&events);
        desk.close();
        match end {
            Err(error) if !stdout_watch::is_broken_pipe(&error) => Err(error),
            _ => Ok(desk.errors()),
        }
    }
}

fn thread_named(name: &str) -> thread::Builder {
    thread::Builder::new().name(name.into())
}

/// What the session waits for.
pub enum Event {
    /// A line was read.
    Line(Line),
    /// The reader waits until lines are obeyed.
    Full,
    /// No more lines will come.
    End,
    /// Nobody reads the answers any more.
    Closed,
    /// Something was told, or could not be: look after it.
    Woken,
    /// The engine is back.
    JobResult(JobResult),
}

/// The reader thread. A channel that nobody receives from means that the session is over.
fn read(mut input: impl BufRead, events: &Sender<Event>, desk: &Arbiter, read_ahead: &ReadAhead) {
    let mut is_first = true;
    loop {
        match input::read_line(&mut input) {
            Ok(Some(mut line)) => {
                if std::mem::take(&mut is_first) {
                    input::skip_mark(&mut line);
                }
                let command = overtaking(&line);
                if let Some(command) = command
                    && desk.try_overtake(&command)
                    && command != Command::Quit
                {
                    continue;
                }
                read_ahead.admit(&line, || drop(events.send(Event::Full)));
                desk.sent();
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

/// What is remembered of a command that runs, for when it was not refused.
enum PendingChange {
    /// These options are set; with a new variant, at its start.
    Configured(Settings),
    /// The position was set so.
    Placed(Setup, Vec<Spanned>),
}

/// The thread that obeys.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each asked for by its name"
)]
struct Dispatcher {
    /// Away while something runs.
    engine: Option<Box<dyn Engine>>,
    search_thread: SearchThread,
    build: Build,
    settings: Settings,
    bounds: Bounds,
    /// What the engine was set to last, for when it has to be made anew.
    position: (Setup, Vec<Spanned>),
    once_done: Option<PendingChange>,
    dialect: Dialect,
    waiting: VecDeque<Line>,
    /// Whether commands are among the lines that wait which may overtake a search, but not any other command.
    holds_back: bool,
    /// Whether somebody waits among them who waits no longer than [`READY_WITHIN`].
    is_asked: bool,
    read_ahead: Arc<ReadAhead>,
    has_ended: bool,
    has_quit: bool,
    /// Whether the engine broke and no other could be made.
    has_lost_engine: bool,
    sender: Sender<Event>,
    arbiter: Arc<Arbiter>,
}

impl Dispatcher {
    fn serve(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        loop {
            match self.next_event(events)? {
                Some(Event::Closed) => {
                    self.arbiter.stop_all();
                    return Ok(());
                }
                Some(event) => self.hear(event),
                None => self.lose_patience(),
            }
            self.look_after()?;
            if self.has_lost_engine {
                return Err(io::Error::other("no engine can be made again"));
            }
            while self.is_idle()
                && let Some(line) = self.next_waiting()
            {
                self.dispatch(line);
                self.look_after()?;
            }
            self.let_overtake();
            let is_over = self.has_ended && self.is_idle();
            if is_over || self.has_quit && self.arbiter.may_quit() {
                return self.arbiter.failure().map_or(Ok(()), Err);
            }
        }
    }

    /// The next event, or nothing where an `isready` has waited long enough before one came.
    fn next_event(&self, events: &Receiver<Event>) -> io::Result<Option<Event>> {
        let since = self.arbiter.errand_since().filter(|_| self.is_asked);
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

    fn hear(&mut self, event: Event) {
        match event {
            Event::Line(line) => {
                self.arbiter.taken();
                let command = overtaking(&line);
                if command
                    .as_ref()
                    .is_some_and(|command| self.overtake(command))
                {
                    self.read_ahead.release(&line);
                } else {
                    self.holds_back |= command.is_some();
                    self.is_asked |= matches!(command, Some(Command::IsReady | Command::Quit));
                    self.waiting.push_back(line);
                }
            }
            Event::JobResult(returned) => self.take_back(returned),
            Event::End => self.has_ended = true,
            // That the reader waits is seen when the search is looked after.
            Event::Full | Event::Woken | Event::Closed => {}
        }
    }

    fn overtake(&mut self, command: &Command) -> bool {
        let has_overtaken = self.arbiter.overtake(command);
        self.has_quit |= has_overtaken && *command == Command::Quit;
        has_overtaken
    }

    /// A command that takes long is waited for no more: every `isready` behind it is answered, and `quit` obeyed.
    fn lose_patience(&mut self) {
        self.take_out(|server, command| match command {
            Command::IsReady => {
                server
                    .arbiter
                    .print(|printer| printer.line(&reply::ready()));
                true
            }
            Command::Quit => {
                server.has_quit = true;
                true
            }
            _ => false,
        });
        // A `stop` still waits for its search.
        self.is_asked = false;
    }

    /// What has waited for a command because it may not overtake it, and now stands behind a search, overtakes that.
    fn let_overtake(&mut self) {
        if self.holds_back && self.arbiter.is_searching() {
            self.take_out(Self::overtake);
            // What a search that was answered for meanwhile leaves waiting is for the next one.
            self.holds_back = self.waiting.iter().any(|line| overtaking(line).is_some());
            self.is_asked = self.holds_back;
        }
    }

    /// Takes those lines out of the waiting ones that overtake a search and that `obey` obeys.
    fn take_out(&mut self, obey: impl Fn(&mut Self, &Command) -> bool) {
        for line in std::mem::take(&mut self.waiting) {
            match overtaking(&line) {
                Some(command) if obey(self, &command) => self.read_ahead.release(&line),
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
        self.is_asked &= self.holds_back;
        Some(line)
    }

    /// Lets what runs end where nobody else can end it, and fails where nothing can be printed any more.
    fn look_after(&self) -> io::Result<()> {
        if self.has_ended {
            self.arbiter.on_input_end(INPUT_ENDED);
        } else if self.read_ahead.is_full() {
            self.arbiter.on_input_end(TOO_MANY_LINES);
        }
        self.arbiter.failure().map_or(Ok(()), Err)
    }

    /// Takes the engine back, and what it was told where it has obeyed.
    fn take_back(&mut self, returned: JobResult) {
        let done = self.once_done.take().filter(|_| returned.is_done);
        self.engine = returned.engine.or_else(|| self.new_engine());
        self.has_lost_engine = self.engine.is_none();
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
    }

    /// Whether these settings name another game than the one that is played: by another board file, too.
    fn is_of_another_game(&self, settings: &Settings) -> bool {
        settings.variant != self.settings.variant
            || settings.board_file() != self.settings.board_file()
    }

    /// An engine with the settings and the position of the one that is lost, as far as they can still be had.
    fn new_engine(&mut self) -> Option<Box<dyn Engine>> {
        let mut engine = (self.build)(&self.settings);
        if let Err(refusal) = &engine
            && !self.settings.eval_file.is_empty()
        {
            // A file that the settings name may be gone by now. What is inside the program is still there.
            self.complain(&format!("EvalFile is forgotten: {refusal}"));
            self.settings.eval_file.clear();
            engine = (self.build)(&self.settings);
        }
        let (setup, moves) = &self.position;
        if let Ok(engine) = &mut engine
            && let Err(refusal) = engine.set(setup, moves)
        {
            self.complain(&format!("back to the start position: {refusal}"));
            self.position = (Setup::Start, Vec::new());
        }
        if let Err(refusal) = &engine {
            self.complain(&format!("there is no engine any more: {refusal}"));
        }
        engine.ok()
    }

    fn complain(&self, error: &str) {
        self.arbiter.print(|printer| printer.error(error));
    }
}

/// The same position said in a way that does not depend on chance.
fn repeatable(setup: Setup, engine: &dyn Engine) -> Setup {
    match setup {
        Setup::Random { .. } | Setup::Scramble { .. } => Setup::Fen(Spanned {
            offset: 0,
            text: engine.fen(),
        }),
        Setup::Start | Setup::Fen(_) => setup,
    }
}

/// The command on a line, if it is one that overtakes a search.
fn overtaking(line: &Line) -> Option<Command> {
    let line = line.as_ref().ok()?;
    // Most lines are told by their first word, and some are very long.
    let first = Tokenizer::new(line).next_word()?;
    if !["isready", "stop", "ponderhit", "quit"].contains(&first) {
        return None;
    }
    let command = parse(line).ok()??;
    command.overtakes().then_some(command)
}
