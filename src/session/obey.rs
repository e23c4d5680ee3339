//! Obeying the lines that come while no search runs.

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use super::input::Line;
use super::search::{self, Job, Running};
use super::{Event, Session, State};
use crate::control::{Budget, Control, Limits, Signals};
use crate::engine::{Engine, Setup, Spanned};
use crate::error::Refusal;
use crate::lex::Words;
use crate::protocol::options::Effect;
use crate::protocol::reply::{self, WinUnit};
use crate::protocol::{Command, Dialect, parse, state};
use crate::settings::Settings;

/// A search that takes no longer is run where its line was read, which nobody has to wait for.
const SHORT_SEARCH: Duration = Duration::from_millis(1);

impl<W: Write> Session<W> {
    /// Obeys a line while no search runs.
    pub(super) fn obey(&mut self, line: Line) -> io::Result<()> {
        let owes_best_move = line.as_ref().is_ok_and(|line| begins_search(line));
        let command = match line.and_then(|line| {
            log::debug!("< {line}");
            parse(&line)
        }) {
            Ok(Some(command)) => command,
            Ok(None) => return Ok(()),
            Err(misread) => {
                self.printer.error(&misread.to_string())?;
                return self.print_no_move(owes_best_move);
            }
        };
        let State::Idle(engine) = &mut self.state else {
            return Ok(());
        };
        match command {
            Command::Introduce(dialect) => {
                self.dialect = dialect;
                self.printer.lines(&reply::introduction(dialect))
            }
            Command::IsReady => self.printer.line(&reply::ready()),
            Command::Debug(on) => {
                self.printer.is_verbose = on;
                Ok(())
            }
            Command::SetOption { name, value } => {
                let result = self.set_option(&name, value.as_ref());
                self.printer.answer(result)
            }
            Command::NewGame => {
                engine.forget();
                Ok(())
            }
            Command::Position { setup, moves } => {
                let is_drawn = matches!(setup, Setup::Random { .. } | Setup::Scramble { .. });
                let result = engine.set(&setup, &moves).map(|()| {
                    let drawn = is_drawn.then(|| reply::drawn_position(&engine.fen()));
                    self.position = (repeatable(setup, engine.as_ref()), moves);
                    drawn.into_iter().collect()
                });
                self.printer.answer(result)
            }
            Command::Go(limits) => match engine.admit(&limits) {
                Ok(()) => {
                    self.go(limits);
                    Ok(())
                }
                Err(refusal) => {
                    self.printer.error(&refusal.0)?;
                    self.print_no_move(true)
                }
            },
            Command::Perft(depth) => {
                self.start(Job::Perft(depth), Budget::default(), true);
                Ok(())
            }
            Command::Bench => {
                self.start(Job::Bench(self.build), Budget::default(), true);
                Ok(())
            }
            Command::Query(query) => self
                .printer
                .line(&reply::response(query, engine.standing())),
            Command::State => self
                .printer
                .line(&state::answer(self.settings.variant, &engine.state())),
            Command::Draw => self.printer.lines(&engine.draw()),
            Command::Evaluate => self.printer.lines(&engine.explain_evaluation()),
            Command::Help => self.printer.lines(&reply::help()),
            Command::Stop | Command::PonderHit => Ok(()),
            Command::Quit => {
                self.quit();
                Ok(())
            }
        }
    }

    fn set_option(
        &mut self,
        name: &Spanned,
        value: Option<&Spanned>,
    ) -> Result<Vec<String>, Refusal> {
        let State::Idle(engine) = &mut self.state else {
            return Ok(Vec::new());
        };
        let mut settings = self.settings.clone();
        let place = value
            .filter(|_| Settings::knows(&name.text))
            .unwrap_or(name);
        let at_place = |why: Refusal| Refusal::new(format!("column {}: {why}", place.offset + 1));
        let text = value.map(|value| value.text.as_str());
        match settings.set(&name.text, text).map_err(at_place)? {
            Effect::ClearHash => engine.forget(),
            Effect::None if settings.variant != self.settings.variant => {
                *engine = (self.build)(&settings).map_err(at_place)?;
                self.position = (Setup::Start, Vec::new());
            }
            Effect::None => engine.configure(&settings).map_err(at_place)?,
        }
        self.settings = settings;
        Ok(Vec::new())
    }

    fn go(&mut self, mut limits: Limits) {
        let State::Idle(engine) = &self.state else {
            return;
        };
        let is_puzzle = engine.is_puzzle();
        let unit = WinUnit::of(self.dialect, is_puzzle);
        limits.mate = limits.mate.map(|distance| unit.plies(distance));
        let overhead = Duration::from_millis(self.settings.move_overhead);
        let budget = limits.budget(engine.standing().turn, overhead);
        let is_bounded = engine.ends_by_itself() || limits.are_bounded();
        self.start(Job::Go(limits), budget, is_bounded);
    }

    /// Sends the engine into a search thread. Its clock begins here, where the line is obeyed.
    fn start(&mut self, job: Job, budget: Budget, is_bounded: bool) {
        let State::Idle(engine) = &self.state else {
            return;
        };
        let signals = Arc::new(Signals::default());
        let limits = match &job {
            Job::Go(limits) => limits,
            Job::Perft(_) | Job::Bench(_) => &Limits::default(),
        };
        let running = State::Searching(Running {
            signals: Arc::clone(&signals),
            unit: WinUnit::of(self.dialect, engine.is_puzzle()),
            owes_best_move: matches!(job, Job::Go(_)),
            is_bounded,
            is_pondering: limits.ponder,
            holds_answer: limits.infinite && self.dialect == Dialect::Uci,
            was_let_end: false,
            returned: None,
        });
        log::info!("begins {job:?} within {budget:?}");
        let is_short = budget.hard.is_some_and(|hard| hard <= SHORT_SEARCH) && !limits.ponder;
        let control = Control::new(limits, budget, signals);
        let State::Idle(engine) = mem::replace(&mut self.state, running) else {
            return;
        };
        let (reports, end) = (self.sender.clone(), self.sender.clone());
        let report = move |report| drop(reports.send(Event::Report(report)));
        let come_back = move |returned| drop(end.send(Event::Returned(returned)));
        if is_short && !engine.is_puzzle() {
            // Another thread may take longer to wake up, on a busy machine, than the clock still shows.
            search::run(engine, job, control, report, come_back);
        } else {
            self.search_thread
                .begin(engine, job, control, report, come_back);
        }
    }
}

/// Whether a line asks for a search, well or badly: runners wait for a `bestmove` after every such line.
fn begins_search(line: &str) -> bool {
    let mut words = Words::new(line);
    words.next_word() == Some("go") && words.next_word() != Some("perft")
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
