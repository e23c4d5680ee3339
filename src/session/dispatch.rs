//! Executes lines while no job is active.

use std::sync::Arc;
use std::time::Duration;

use super::input::Line;
use super::running::{ActiveJob, Kind, SearchState};
use super::search::{Job, SearchThread};
use super::{Dispatcher, Event, PendingChange};
use crate::control::{Control, Limits};
use crate::engine::trace::{Extent, MAX_REPORTED};
use crate::engine::{BestMove, Engine, LocatedText, Setup};
use crate::error::EngineError;
use crate::lex::Tokenizer;
use crate::protocol::command::TraceForm;
use crate::protocol::options::Effect;
use crate::protocol::reply::{self, WinUnit, Wording};
use crate::protocol::{Command, Dialect, parse, state, trace};
use crate::settings::Settings;

/// Maximum time of a search that runs on the session's own thread.
const SHORT_SEARCH: Duration = Duration::from_millis(1);

/// Maximum wait of `state` and `d` for the solution of a small game. It is short, because users wait for the board.
const MAX_STATE_WAIT: Duration = Duration::from_millis(50);

/// Maximum wait of `eval` for the solution of a small game.
const MAX_EVAL_WAIT: Duration = Duration::from_secs(2);

/// Maximum number of moves of a `position` command that runs on the session's own thread.
const SHORT_GAME: usize = 1000;

impl Dispatcher {
    /// Executes a line while no job is active.
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
                    self.arbiter
                        .print(|printer| printer.best_move(&BestMove::default()));
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
            Command::Perft(depth) => self.count(Job::Perft(depth)),
            Command::Solve { max_positions } => self.count(Job::Solve(max_positions)),
            Command::SolveForecast => self.run_in_background(|engine| {
                let forecast = engine.solve_forecast()?;
                Ok(vec![reply::text(&forecast)])
            }),
            Command::Bench => self.count(Job::Bench(self.build)),
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
            Command::Trace(request, TraceForm::Tree) => {
                let settings = self.settings.clone();
                let extent = Extent {
                    request,
                    max_nodes: MAX_REPORTED,
                };
                self.run_in_background(move |engine| {
                    let trace = engine.trace(extent)?;
                    Ok(vec![trace::answer(&settings, request.depth, &trace)])
                });
            }
            Command::Trace(request, form) => {
                self.count(Job::Trace(request, form == TraceForm::ExplainedEvents));
            }
            Command::Draw => self.run_in_background(|engine| {
                engine.solve_if_small(MAX_STATE_WAIT);
                Ok(engine.draw())
            }),
            Command::Evaluate => self.run_in_background(|engine| {
                engine.solve_if_small(MAX_EVAL_WAIT);
                Ok(engine.explain_evaluation())
            }),
            Command::Features => {
                self.run_in_background(|engine| Ok(vec![state::features(&engine.features())]));
            }
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
        log::info!("begins to search with {limits:?} within {budget:?}");
        let search = SearchState {
            is_bounded: engine.terminates_soon() || limits.are_bounded(side),
            is_pondering: limits.ponder,
            holds_answer: limits.infinite && self.dialect == Dialect::Uci,
            ..SearchState::default()
        };
        let is_short = budget.hard.is_some_and(|hard| hard <= SHORT_SEARCH);
        // Waking another thread may take longer than the clock allows.
        let runs_here = is_short && !limits.ponder && !engine.is_puzzle();
        let control = Control::new(&limits, budget, Arc::default());
        self.start(
            Job::Search(limits),
            Kind::Search(search),
            control,
            runs_here,
        );
    }

    /// Starts a job that `stop` can end and that has no best move.
    fn count(&mut self, job: Job) {
        self.start(job, Kind::Count, Control::unlimited(), false);
    }

    /// Runs a task on the search thread, because it may take long.
    fn run_in_background(
        &mut self,
        task: impl FnOnce(&mut Box<dyn Engine>) -> Result<Vec<String>, EngineError> + Send + 'static,
    ) {
        let job = Job::Task(Box::new(task));
        self.start(job, Kind::Task, Control::unlimited(), false);
    }

    /// Starts a job, on the session's own thread if `runs_here` is `true`.
    fn start(&mut self, job: Job, kind: Kind, control: Control, runs_here: bool) {
        let Some(engine) = self.engine.take() else {
            return;
        };
        let wording = Wording::of(self.dialect, engine.is_puzzle(), self.settings.ponder);
        let running = ActiveJob::new(kind, Arc::clone(control.signals()));
        self.arbiter.begin(running, wording);
        let sender = self.sender.clone();
        let give_back = move |returned| drop(sender.send(Event::JobResult(returned)));
        let thread = if runs_here {
            &SearchThread::none()
        } else {
            &self.search_thread
        };
        thread.begin(engine, job, control, Arc::clone(&self.arbiter), give_back);
    }
}

/// Returns `true` if a line asks for a search, even if its syntax is wrong. Clients wait for a `bestmove` after every
/// such line.
fn begins_search(line: &str) -> bool {
    let mut words = Tokenizer::new(line);
    words.next_word() == Some("go") && words.next_word() != Some("perft")
}
