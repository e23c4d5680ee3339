//! The long-running process: lines and reports come in through one channel, and one thread answers and prints.
//!
//! The engine is either here or in the search thread, so no lock is needed. While it is away only `isready`, `stop`,
//! `ponderhit` and `quit` are obeyed; every other line waits, so a script piped from a file behaves like a dialogue.

mod input;
mod obey;
mod printer;
mod search;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use crate::engine::{Build, Choice, Engine, Report, Setup, Spanned};
use crate::protocol::reply;
use crate::protocol::{Command, Dialect, parse};
use crate::settings::Settings;

use input::{Line, ReadAhead};
use printer::Printer;
use search::{Answer, Returned, Running, SearchThread};

/// Obeys the lines of `input` until it ends or says `quit`, or until nobody reads `output` any more. Returns the number
/// of error lines printed.
///
/// # Errors
/// When `output` fails in another way than by being closed, or when no engine or no thread can be had.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    build: Build,
) -> io::Result<u64> {
    let (sender, events) = mpsc::channel();
    let settings = Settings::default();
    let engine = build(&settings).map_err(io::Error::other)?;
    let mut session = Session {
        state: State::Idle(engine),
        search_thread: SearchThread::start()?,
        build,
        settings,
        position: (Setup::Start, Vec::new()),
        dialect: Dialect::default(),
        waiting: VecDeque::new(),
        read_ahead: Arc::default(),
        has_ended: false,
        has_quit: false,
        sender: sender.clone(),
        printer: Printer::new(output),
    };
    let read_ahead = Arc::clone(&session.read_ahead);
    let reader = thread::Builder::new().name("reader".into());
    reader.spawn(move || read(input, &sender, &read_ahead))?;
    match session.serve(&events) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(session.printer.errors),
    }
}

/// What the session waits for.
enum Event {
    /// A line was read.
    Line(Line),
    /// The reader waits until lines are obeyed.
    Full,
    /// No more lines will come.
    End,
    /// The search has something to say.
    Report(Report),
    /// The search has ended.
    Returned(Returned),
}

/// The reader thread. A channel that nobody receives from means that the session is over.
fn read(mut input: impl BufRead, events: &Sender<Event>, read_ahead: &ReadAhead) {
    loop {
        match input::read_line(&mut input) {
            Ok(Some(line)) => {
                read_ahead.admit(&line, || drop(events.send(Event::Full)));
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

/// Where the engine is.
enum State {
    /// Here.
    Idle(Box<dyn Engine>),
    /// In the search thread, or back from it while the answer is held back.
    Searching(Running),
}

struct Session<W> {
    state: State,
    search_thread: SearchThread,
    build: Build,
    settings: Settings,
    /// What the engine was set to last, for when it has to be made anew.
    position: (Setup, Vec<Spanned>),
    dialect: Dialect,
    waiting: VecDeque<Line>,
    read_ahead: Arc<ReadAhead>,
    has_ended: bool,
    has_quit: bool,
    sender: Sender<Event>,
    printer: Printer<W>,
}

impl<W: Write> Session<W> {
    fn serve(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        loop {
            let event = events.recv().map_err(io::Error::other)?;
            self.hear(event)?;
            self.settle()?;
            while matches!(self.state, State::Idle(_))
                && let Some(line) = self.next_waiting()
            {
                self.obey(line)?;
                self.settle()?;
            }
            if matches!(self.state, State::Idle(_)) && (self.has_ended || self.has_quit) {
                return Ok(());
            }
        }
    }

    fn hear(&mut self, event: Event) -> io::Result<()> {
        match (event, &mut self.state) {
            (Event::Line(line), State::Searching(running)) => {
                let Some(command) = overtaking(&line) else {
                    self.waiting.push_back(line);
                    return Ok(());
                };
                self.read_ahead.release(&line);
                match command {
                    Command::IsReady => self.printer.line(&reply::ready())?,
                    Command::PonderHit => running.ponderhit(),
                    Command::Quit => self.quit(),
                    _ => running.stop(),
                }
            }
            (Event::Line(line), State::Idle(_)) => self.waiting.push_back(line),
            (Event::Report(report), State::Searching(running)) => {
                self.printer.report(&report, running.unit)?;
            }
            (Event::Returned(returned), State::Searching(running)) => {
                running.returned = Some(returned);
            }
            (Event::End, _) => self.has_ended = true,
            // That the reader waits is seen when the search is looked after; nothing else comes without a search.
            (Event::Full | Event::Report(_) | Event::Returned(_), _) => {}
        }
        Ok(())
    }

    fn next_waiting(&mut self) -> Option<Line> {
        let line = self.waiting.pop_front().filter(|_| !self.has_quit)?;
        self.read_ahead.release(&line);
        Some(line)
    }

    /// Looks after the search: lets it end where nobody else can end it, and takes over what came back.
    fn settle(&mut self) -> io::Result<()> {
        let State::Searching(running) = &mut self.state else {
            return Ok(());
        };
        if self.has_ended || self.read_ahead.is_full() {
            running.let_end();
        }
        let owes_best_move = running.owes_best_move;
        let was_cut_short = running.was_cut_short();
        let returned = running.take_returned();
        if returned.is_some() && was_cut_short {
            let why = if self.has_ended {
                "the input has ended, and nothing else would end this search: give it a depth, nodes or a time"
            } else {
                "too many lines wait for this search to end, and nothing else would end it: give it a depth, nodes or a time"
            };
            self.printer.line(&reply::text(why))?;
        }
        match returned {
            None => Ok(()),
            Some(Returned::Engine(engine, answer)) => {
                self.state = State::Idle(engine);
                match answer {
                    Answer::Best(choice) => self.print_best_move(&choice),
                    Answer::Done => Ok(()),
                    Answer::Refused(refusal) => {
                        self.printer.error(&refusal.0)?;
                        self.print_no_move(owes_best_move)
                    }
                }
            }
            Some(Returned::Broken(reason)) => {
                self.printer
                    .error(&format!("the search broke off: {reason}"))?;
                self.renew_engine()?;
                self.print_no_move(owes_best_move)
            }
        }
    }

    fn print_best_move(&mut self, choice: &Choice) -> io::Result<()> {
        let line = reply::best_move(choice, self.dialect, self.settings.ponder);
        self.printer.line(&line)
    }

    /// Answers a search that did not take place, where it was one that is answered.
    fn print_no_move(&mut self, owes_best_move: bool) -> io::Result<()> {
        if owes_best_move {
            self.print_best_move(&Choice::default())?;
        }
        Ok(())
    }

    /// Makes the engine anew, with the settings and the position of the one that is lost.
    fn renew_engine(&mut self) -> io::Result<()> {
        let mut engine = match (self.build)(&self.settings) {
            Ok(engine) => engine,
            Err(refusal) => {
                // A file that the settings name may be gone by now. What is inside the program is still there.
                self.printer
                    .error(&format!("EvalFile is forgotten: {refusal}"))?;
                self.settings.eval_file.clear();
                (self.build)(&self.settings).map_err(io::Error::other)?
            }
        };
        let (setup, moves) = &self.position;
        if let Err(refusal) = engine.set(setup, moves) {
            self.printer
                .error(&format!("back to the start position: {refusal}"))?;
            self.position = (Setup::Start, Vec::new());
        }
        self.state = State::Idle(engine);
        Ok(())
    }

    fn quit(&mut self) {
        self.has_quit = true;
        if let State::Searching(running) = &mut self.state {
            running.stop();
        }
    }
}

/// The command on a line, if it is one that overtakes a search.
fn overtaking(line: &Line) -> Option<Command> {
    let line = line.as_ref().ok()?;
    let command = parse(line).ok()??;
    command.overtakes().then_some(command)
}
