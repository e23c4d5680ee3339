//! Carries out lines while no job is active.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::input::Line;
use super::running::ActiveJob;
use super::search::{self, Job};
use super::{Dispatcher, Event, PendingChange};
use crate::clock::Instant;
use crate::control::{Budget, Control, Limits, Signals};
use crate::engine::trace::{Extent, MAX_REPORTED};
use crate::engine::{BestMove, Engine, LocatedText, Setup};
use crate::error::EngineError;
use crate::lex::Tokenizer;
use crate::protocol::options::Effect;
use crate::protocol::reply::{self, WinUnit};
use crate::protocol::{Command, Dialect, parse, state, trace};
use crate::settings::Settings;

/// Maximum time of a search that runs on the session's own thread.
const SHORT_SEARCH: Duration = Duration::from_millis(1);

/// Maximum time that `state` and `d` wait until a small game is solved. It is short, because people wait for the board.
const MAX_STATE_WAIT: Duration = Duration::from_millis(50);

/// Maximum time that `eval` waits until a small game is solved.
const MAX_EVAL_WAIT: Duration = Duration::from_secs(2);

/// Maximum number of moves of a `position` command that is carried out on the session's own thread.
const SHORT_GAME: usize = 1000;

impl Dispatcher {
    /// Carries out a line while no job is active.
    pub(super) fn dispatch(&mut self, line: Line) {
        let text = match &line {
            Ok(line) => line,
            Err(bad_line) => &bad_line.beginning,
        };
        let needs_best_move = begins_search(text);
        let command = match line.map_err(|bad_line| bad_line.error).and_then(|line| {
            log::debug!("< {line}");
            parse(&line)
        }) {
            Ok(Some(command)) => command,
            Ok(None) => return,
            Err(error) => {
                self.print_error(&error.to_string());
                if needs_best_move {
                    let nothing = reply::best_move(&BestMove::default(), self.dialect, false);
                    self.arbiter.print(|printer| printer.line(&nothing));
                }
                return;
            }
        };
        let Some(engine) = &mut self.engine else {
            return;
        };
        match command {
            Command::Introduce(dialect) => {
                self.dialect = dialect;
                self.print_lines(&reply::introduction(dialect, &self.settings, &self.bounds));
            }
            Command::IsReady => self.arbiter.print(|printer| printer.line(&reply::ready())),
            Command::Debug(on) => self.arbiter.print(|printer| {
                printer.is_verbose = on;
                Ok(())
            }),
            Command::SetOption { name, value } => {
                if let Err(error) = self.set_option(&name, value.as_ref()) {
                    self.print_error(&error.0);
                }
            }
            Command::NewGame => self.run_in_background(|engine| {
                engine.clear();
                Ok(Vec::new())
            }),
            Command::Position { setup, moves } => self.place(setup, moves),
            Command::Go(limits) => self.go(limits),
            Command::Perft(depth) => self.start(Job::Perft(depth), Budget::default(), true),
            Command::Solve { max_positions } => {
                self.start(Job::Solve(max_positions), Budget::default(), true);
            }
            Command::SolveForecast => self.run_in_background(|engine| {
                let forecast = engine.solve_forecast()?;
                Ok(vec![reply::text(&forecast)])
            }),
            Command::Bench => self.start(Job::Bench(self.build), Budget::default(), true),
            Command::Query(query) => {
                let response = reply::response(query, engine.status());
                self.arbiter.print(|printer| printer.line(&response));
            }
            Command::State => {
                let variant = self.settings.variant;
                self.run_in_background(move |engine| {
                    engine.solve_if_small(MAX_STATE_WAIT);
                    Ok(vec![state::answer(variant, &engine.state())])
                });
            }
            Command::Trace(depth) => {
                let settings = self.settings.clone();
                let extent = Extent {
                    depth,
                    max_nodes: MAX_REPORTED,
                };
                self.run_in_background(move |engine| {
                    let trace = engine.trace(extent)?;
                    Ok(vec![trace::answer(&settings, depth, &trace)])
                });
            }
            Command::Draw => self.run_in_background(|engine| {
                engine.solve_if_small(MAX_STATE_WAIT);
                Ok(engine.draw())
            }),
            Command::Evaluate => self.run_in_background(|engine| {
                engine.solve_if_small(MAX_EVAL_WAIT);
                Ok(engine.explain_evaluation())
            }),
            Command::Help => self.print_lines(&reply::help()),
            Command::Stop | Command::PonderHit => {}
            Command::Quit => self.has_quit = true,
        }
    }

    fn print_lines(&self, lines: &[String]) {
        self.arbiter.print(|printer| printer.lines(lines));
    }

    fn set_option(
        &mut self,
        name: &LocatedText,
        value: Option<&LocatedText>,
    ) -> Result<(), EngineError> {
        let mut settings = self.settings.clone();
        let place = value
            .filter(|_| Settings::knows(&name.text))
            .unwrap_or(name)
            .offset;
        let at_place =
            move |why: EngineError| EngineError::new(format!("column {}: {why}", place + 1));
        let text = value.map(|value| value.text.as_str());
        let effect = settings
            .set_within(&self.bounds, &name.text, text)
            .map_err(at_place)?;
        let is_new_game = self.is_of_another_game(&settings);
        if effect == Effect::None {
            self.once_done = Some(PendingChange::Configured(settings.clone()));
        }
        let build = self.build;
        self.run_in_background(move |engine| {
            match effect {
                Effect::ClearHash => engine.clear(),
                Effect::None if is_new_game => *engine = build(&settings).map_err(at_place)?,
                Effect::None => engine.configure(&settings).map_err(at_place)?,
            }
            Ok(Vec::new())
        });
        Ok(())
    }

    fn place(&mut self, setup: Setup, moves: Vec<LocatedText>) {
        let Some(engine) = &mut self.engine else {
            return;
        };
        let is_short = !engine.is_puzzle() && moves.len() <= SHORT_GAME;
        if is_short {
            match engine.set(&setup, &moves) {
                Ok(()) => self.position = (setup, moves),
                Err(error) => self.print_error(&error.0),
            }
        } else {
            self.once_done = Some(PendingChange::Placed(setup.clone(), moves.clone()));
            self.run_in_background(move |engine| {
                let is_drawn = matches!(setup, Setup::Random { .. } | Setup::Scramble { .. });
                engine.set(&setup, &moves)?;
                let drawn = is_drawn.then(|| reply::drawn_position(&engine.fen()));
                Ok(drawn.into_iter().collect())
            });
        }
    }

    fn go(&mut self, mut limits: Limits) {
        let Some(engine) = &self.engine else {
            return;
        };
        let unit = WinUnit::of(self.dialect, engine.is_puzzle());
        limits.mate = limits.mate.map(|distance| unit.plies(distance));
        let overhead = Duration::from_millis(self.settings.move_overhead);
        let side = engine.status().turn;
        let budget = limits.budget(side, overhead);
        let is_bounded = engine.terminates_soon() || limits.are_bounded(side);
        self.start(Job::Go(limits), budget, is_bounded);
    }

    /// Runs a task on the search thread, because it may take long.
    fn run_in_background(
        &mut self,
        task: impl FnOnce(&mut Box<dyn Engine>) -> Result<Vec<String>, EngineError> + Send + 'static,
    ) {
        self.start(Job::BackgroundTask(Box::new(task)), Budget::default(), true);
    }

    /// Starts a job on the search thread. Its clock starts now.
    fn start(&mut self, job: Job, budget: Budget, is_bounded: bool) {
        let Some(engine) = self.engine.take() else {
            return;
        };
        let signals = Arc::new(Signals::default());
        let no_limits = Limits::default();
        let limits = match &job {
            Job::Go(limits) => limits,
            _ => &no_limits,
        };
        let is_go = matches!(job, Job::Go(_));
        self.arbiter.begin(ActiveJob {
            signals: Arc::clone(&signals),
            start: Instant::now(),
            unit: WinUnit::of(self.dialect, engine.is_puzzle()),
            dialect: self.dialect,
            ponders: self.settings.ponder,
            is_search: !matches!(job, Job::BackgroundTask(_)),
            must_send_bestmove: is_go,
            is_bounded,
            is_pondering: limits.ponder,
            holds_answer: limits.infinite && self.dialect == Dialect::Uci,
            cut_short: None,
            fallback: None,
            next_fallback: None,
            answer: None,
            answered: Arc::new(AtomicBool::new(false)),
            fallback_sent: None,
        });
        if is_go {
            log::info!("begins to search with {limits:?} within {budget:?}");
        }
        let is_short = budget.hard.is_some_and(|hard| hard <= SHORT_SEARCH) && !limits.ponder;
        let control = Control::new(limits, budget, signals);
        let sender = self.sender.clone();
        let give_back = move |returned| drop(sender.send(Event::JobResult(returned)));
        if is_short && !engine.is_puzzle() {
            // Waking another thread may take longer than the clock allows, so the search runs on this thread.
            search::run(engine, job, control, &self.arbiter, give_back);
        } else {
            let arbiter = Arc::clone(&self.arbiter);
            self.search_thread
                .begin(engine, job, control, arbiter, give_back);
        }
    }
}

/// Returns `true` if a line asks for a search, even if its syntax is wrong. Clients wait for a `bestmove` after every
/// such line.
fn begins_search(line: &str) -> bool {
    let mut words = Tokenizer::new(line);
    words.next_word() == Some("go") && words.next_word() != Some("perft")
}
