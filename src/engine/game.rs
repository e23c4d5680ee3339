//! The engine for two-player games.

use std::sync::Arc;
use std::time::Duration;

use super::backward;
use super::evaluators::{self, DefaultEvaluatorFn, Evaluators};
use super::info_reporter::{self, InfoReporter};
use super::memory_solver::{Roots, SolveLimits};
use super::state::State;
use super::states;
use super::swindle::SwindleSearch;
use super::tablebases::{OpenTables, Tablebases};
use super::trace::{self, Extent, Subject, Trace};
use super::{BestMove, Child, Engine, GameStatus, LocatedText, Report, Setup};
use super::{board_text, moves, perft_report};
use crate::control::{Control, Limits};
use crate::error::EngineError;
use crate::oracle::{Oracle, OracleHandle};
use crate::path::Path;
use crate::rules::{Game, Notation};
use crate::scene::SceneProvider;
use crate::search::algorithms::{self, ALGORITHMS, BuildResult};
use crate::search::deepening::DeepeningOptions;
use crate::search::{Evaluator, Feature, PvLine, Root, Search, SearchResult, Tactics};
use crate::settings::{Algorithm, Settings};
use crate::solve::explicit::in_memory::InMemoryForecast;
use crate::solve::explicit::solution::InMemoryPlan;
use crate::trace::{EventSink, TraceRequest};
use crate::units;
use crate::value::{Bound, Score};

/// Maximum length of a game, in plies, for which a search to the end is quick.
const SHORT_GAME: u32 = 16;

/// Maximum size, in MiB, of the additional transposition table of `auto` for `go mate`.
const MAX_FOR_MATES: u64 = 64;

/// A clear advantage by the reference evaluation, in hundredths of a point: the value of a captured
/// goat.
const CLEAR: f64 = 400.0;

/// A two-player game with a position and its searches.
pub(crate) struct GameEngine<G: Game + Notation, T: Tactics<G>> {
    /// The variant's configuration, without the changes of a FEN.
    home: G,
    /// The configuration of the current position.
    game: G,
    path: Path<G>,
    settings: Settings,
    evaluators: Evaluators<G, T>,
    search: BuildResult<'static, G>,
    /// The root of the last search, with its result.
    last: Option<Root<G>>,
    tablebases: Tablebases<G>,
    /// The opponent model for choosing among drawing moves. It is created at the first use of tables.
    swindle: Option<SwindleSearch<G>>,
}

impl<G: Game + Notation, T: Tactics<G>> GameEngine<G, T> {
    /// Creates an engine at the start position. `reference_evaluator` is the evaluator of the textbook searches.
    /// `create_evaluator` creates the evaluator of `auto`.
    pub(crate) fn new(
        game: G,
        reference_evaluator: T,
        create_evaluator: Option<DefaultEvaluatorFn<G, T>>,
        settings: &Settings,
    ) -> Result<Self, EngineError> {
        let path = Path::new(game.start());
        let evaluators = Evaluators::new(&game, reference_evaluator, create_evaluator, settings)?;
        let search = build(&game, settings, evaluators.of(settings))?;
        let mut tablebases = Tablebases::default();
        tablebases.open_folder(&game, &settings.tablebase_path);
        Ok(Self {
            home: game.clone(),
            game,
            path,
            settings: settings.clone(),
            evaluators,
            search,
            last: None,
            tablebases,
            swindle: None,
        })
    }

    /// Adds tablebases. `open` opens them in the folder of the settings.
    #[must_use]
    pub(crate) fn with_tables(mut self, open: OpenTables<G>) -> Self {
        self.tablebases = Tablebases::new(open);
        self.tablebases
            .open_folder(&self.home, &self.settings.tablebase_path);
        self
    }

    /// Returns the root with the moves to search.
    fn root(
        &self,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Result<Root<G>, EngineError> {
        let mut root = Root::new(&self.game, self.path.clone(), self.settings.seed);
        if algorithms::is_textbook(self.settings.algorithm) {
            root.order = self.settings.ordering;
        }
        moves::restrict(&self.game, self.path.position(), &mut root, limits, report)?;
        Ok(root)
    }

    /// Returns the search of `auto` for `go mate`: a full-width search, because a selective search may miss a win.
    fn search_for_mates(
        &self,
        limits: &Limits,
    ) -> Result<Option<BuildResult<'static, G>>, EngineError> {
        if limits.mate.is_none() || !self.runs_tuned_search() {
            return Ok(None);
        }
        let settings = Settings {
            algorithm: Algorithm::Pvs,
            hash: self.settings.hash.min(MAX_FOR_MATES),
            ..self.settings.clone()
        };
        let tactics = self.evaluators.of(&self.settings);
        algorithms::build(&settings, tactics.clone()).map(Some)
    }

    /// Returns the result without a search, for a finished game or if there was no time for one ply.
    fn static_line(&self, line: Vec<G::Move>) -> PvLine<G::Move> {
        let evaluator = self.evaluators.of(&self.settings);
        let value = self.path.outcome(&self.game).map_or_else(
            || evaluator.evaluate(&self.game, self.path.position()),
            |outcome| outcome.value(0),
        );
        PvLine {
            depth: 0,
            rank: 1,
            found: SearchResult {
                score: value.into(),
                bound: Bound::Exact,
                line,
                leaves: 0,
            },
        }
    }
}

impl<G: Game + Notation, T: Tactics<G>> GameEngine<G, T> {
    /// Returns `true` if `auto` runs the tuned search. In a game with chance nodes it runs expectimax.
    fn runs_tuned_search(&self) -> bool {
        algorithms::uses_default_evaluator(self.settings.algorithm) && !self.game.has_chance()
    }

    /// Returns the limits for solving the game in memory. Returns `None` if it should not be solved.
    fn solve_limits(&self) -> Option<SolveLimits> {
        let is_known = self.tablebases.hold_all_after(self.path.position());
        SolveLimits::of(&self.settings).filter(|_| !is_known && !self.game.has_chance())
    }

    /// Returns the position before the moves of the last `position` command.
    fn first_position(&self) -> &G::Position {
        let mut positions = self.path.positions();
        positions.next().unwrap_or(self.path.position())
    }

    /// Returns the positions from which the game may be solved.
    fn roots(&self) -> Roots<G::Position> {
        Roots {
            first: *self.first_position(),
            present: *self.path.position(),
        }
    }

    /// Returns the best move by the tablebases, if they contain the position after every move.
    ///
    /// # Errors
    /// If a table is damaged.
    fn tablebase_move(
        &mut self,
        oracle: &Arc<dyn Oracle<G>>,
        root: &Root<G>,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<Option<BestMove>, EngineError> {
        let searched = self.settings.multi_pv;
        let swindle_search = match &mut self.swindle {
            Some(swindle_search) => swindle_search,
            none => none.insert(swindle(&self.evaluators.reference)?),
        };
        // The model's constants fit a network's log-odds, and otherwise points: many curves are too flat for them.
        let network = self
            .evaluators
            .default
            .as_ref()
            .filter(|evaluator| evaluator.margin().is_some());
        let judge = |position: &G::Position| match network {
            Some(evaluator) => f64::from(evaluator.evaluate(&self.game, position).0) / 100.0,
            None => f64::from(self.evaluators.reference.evaluate(&self.game, position).0) / CLEAR,
        };
        let hits = Tablebases::hits(Some(Arc::clone(oracle)));
        let oracle = oracle.as_ref();
        let lines = Tablebases::lines(
            oracle,
            &self.game,
            root,
            searched,
            swindle_search,
            &judge,
            control,
        )?;
        let lines = lines.unwrap_or_default();
        let position = *self.path.position();
        let side = self.game.side(&position);
        let mut reporter =
            InfoReporter::new(&self.game, position, side, &self.settings, &hits, report);
        reporter.report_solved(&self.game, &lines, control);
        Ok(lines.first().map(|best| reporter.best_move(best)))
    }
}

/// Creates the opponent model, which searches a few plies with the reference evaluator.
fn swindle<G: Game, T: Tactics<G>>(reference: &T) -> Result<SwindleSearch<G>, EngineError> {
    let settings = Settings {
        algorithm: Algorithm::Pvs,
        hash: 1,
        ..Settings::default()
    };
    algorithms::build(&settings, reference.clone())?.map(SwindleSearch::new)
}

/// Builds the search of a game. `auto` is expectimax if there are chance nodes.
fn build<G: Game, T: Tactics<G>>(
    game: &G,
    settings: &Settings,
    tactics: &T,
) -> Result<BuildResult<'static, G>, EngineError> {
    let is_auto = algorithms::uses_default_evaluator(settings.algorithm);
    if is_auto && game.has_chance() {
        let settings = Settings {
            algorithm: Algorithm::Expectimax,
            ..settings.clone()
        };
        return algorithms::build(&settings, tactics.clone());
    }
    algorithms::build(settings, tactics.clone())
}

/// Returns the terms of the evaluation from the view of the side to move, followed by their sum, labeled `name`.
fn explained<G: Game>(
    evaluator: &impl Evaluator<G>,
    game: &G,
    position: &G::Position,
    name: &str,
) -> Vec<String> {
    let side = game.side(position);
    let terms = evaluator.terms(game, position).into_iter();
    let mut lines: Vec<String> = terms
        .map(|(term, points)| format!("{term}: {}", Score::Points(points).seen_by(side)))
        .collect();
    let total = Score::from(evaluator.evaluate(game, position)).seen_by(side);
    lines.push(format!("{name}: {total}"));
    lines
}

impl<G: Game + SceneProvider, T: Tactics<G>> GameEngine<G, T> {
    /// Calls `record` with the search that the options select.
    fn with_trace<R>(
        &self,
        record: impl FnOnce(&Subject<'_, G, T>) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        trace::check_traceable(self.settings.algorithm, ALGORITHMS)?;
        let chooser = self.game.side(self.path.position());
        // Without chance nodes, the opponent of the root's side to move plays every legal move with equal probability.
        let game = &self.game;
        let drawn = |position: &G::Position| {
            if game.has_chance() {
                return game.chances(position);
            }
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            let probability = 1.0 / moves.len() as f64;
            let chances = moves.into_iter().map(|m| (m, probability));
            (game.side(position) != chooser).then(|| chances.collect())
        };
        let has_chance = self.settings.algorithm == Algorithm::Expectimax;
        record(&Subject {
            game: &self.game,
            evaluator: self.evaluators.textbook(),
            path: &self.path,
            players: self.game.about().players,
            settings: &self.settings,
            chances: if has_chance { Some(&drawn) } else { None },
            build: &|recorder| {
                let tactics = self.evaluators.textbook().clone();
                algorithms::build_observed(&self.settings, tactics, recorder)
            },
        })
    }
}

impl<G: Game + SceneProvider, T: Tactics<G>> Engine for GameEngine<G, T> {
    fn set(&mut self, setup: &Setup, moves: &[LocatedText]) -> Result<(), EngineError> {
        let (game, start) = moves::start(&self.home, setup)?;
        let mut path = Path::new(start);
        moves::play_all(moves, |text| path.read_and_push(&game, text))?;
        if game != self.game {
            self.clear();
            self.swindle = None;
            self.tablebases.in_memory.cancel();
        }
        if game.has_chance() != self.game.has_chance() {
            let tactics = self.evaluators.of(&self.settings);
            self.search = build(&game, &self.settings, tactics)?;
        }
        if game.identity() != self.game.identity() {
            self.tablebases
                .open_folder(&game, &self.settings.tablebase_path);
        }
        self.game = game;
        self.path = path;
        Ok(())
    }

    fn configure(&mut self, settings: &Settings) -> Result<(), EngineError> {
        let same_evaluator = evaluators::has_same_files(settings, &self.settings);
        let changed = if same_evaluator {
            None
        } else {
            Some(self.evaluators.with_options(&self.home, settings)?)
        };
        if !same_evaluator || !algorithms::same_search(settings, &self.settings) {
            let evaluators = changed.as_ref().unwrap_or(&self.evaluators);
            self.search = build(&self.game, settings, evaluators.of(settings))?;
            self.last = None;
        }
        if let Some(changed) = changed {
            self.evaluators = changed;
        }
        let has_same_tables = settings.tablebase_path == self.settings.tablebase_path;
        if !has_same_tables {
            self.tablebases
                .open_folder(&self.game, &settings.tablebase_path);
        }
        if !same_evaluator || !has_same_tables {
            // The cache of the model depends on the previous evaluator and tables.
            self.swindle = None;
        }
        self.settings = settings.clone();
        Ok(())
    }

    fn clear(&mut self) {
        if let Ok(search) = &mut self.search {
            search.clear();
        }
        self.last = None;
        if let Some(swindle_search) = &mut self.swindle {
            swindle_search.clear();
        }
    }

    fn status(&self) -> GameStatus {
        GameStatus {
            turn: self.game.side(self.path.position()),
            outcome: self.path.outcome(&self.game),
        }
    }

    fn children(&self) -> Vec<Child> {
        let (game, mut path) = (&self.game, self.path.clone());
        let legal = path.moves(game);
        moves::children(game, self.path.position(), legal, |child| {
            path.push(game, *child);
            let outcome = path.outcome(game);
            path.pop();
            let turn = game.side(child);
            GameStatus { turn, outcome }
        })
    }

    fn go(
        &mut self,
        limits: &Limits,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<BestMove, EngineError> {
        let mut root = self.root(limits, report)?;
        info_reporter::begin(&self.settings, ALGORITHMS, root.moves.len(), report);
        self.tablebases.report_errors(report);
        let mut oracle = None;
        if self.runs_tuned_search() {
            let roots = self.roots();
            if let Some(limits) = self.solve_limits() {
                let solver = &mut self.tablebases.in_memory;
                solver.solve_within(&self.game, roots, limits, control);
            }
            oracle = self
                .tablebases
                .search_oracle(self.path.position(), &self.settings);
            if let Some(solved) = self.tablebases.in_memory.solved(self.path.position()) {
                report(Report::Debug(format!(
                    "{} positions are solved, in {} of memory",
                    solved.len(),
                    units::memory(solved.memory() as u128)
                )));
            }
        }
        if let Some(oracle) = &oracle {
            match self.tablebase_move(oracle, &root, control, report) {
                Ok(Some(best_move)) => return Ok(best_move),
                Ok(None) => root.oracle = Some(Arc::new(OracleHandle::new(Arc::clone(oracle)))),
                Err(error) => report(Report::Error(error.to_string())),
            }
        }
        let fallback_line = self.static_line(
            root.moves
                .iter()
                .min_by_key(|first| first.rank)
                .map(|first| first.m)
                .into_iter()
                .collect(),
        );
        let mut mate_search = self.search_for_mates(limits)?;
        let is_whole = mate_search.is_some();
        let search: &mut dyn Search<G> = match mate_search.as_mut().unwrap_or(&mut self.search) {
            Ok(search) => search.as_mut(),
            Err(error) => return Err(error.clone()),
        };
        if let Some(warning) = search.take_thread_warning() {
            report(Report::Text(warning));
        }
        if let Some(last) = self.last.take()
            && !is_whole
        {
            root.resume_from(last);
        }
        let plan = DeepeningOptions::new(limits, self.settings.multi_pv);
        let hits = Tablebases::hits(oracle);
        let position = *self.path.position();
        let side = self.game.side(&position);
        let mut reporter =
            InfoReporter::new(&self.game, position, side, &self.settings, &hits, report);
        let lines = reporter.deepen(&self.game, &mut root, search, &plan, control, fallback_line);
        let best_move = reporter.best_move(&lines[0]);
        let damage = root.oracle.as_ref().and_then(|oracle| oracle.damage());
        if let Some(error) = damage {
            report(Report::Error(error.to_string()));
        }
        if let Some(warning) = search.take_thread_warning() {
            report(Report::Text(warning));
        }
        self.last = (!search.is_reference() && !is_whole).then_some(root);
        Ok(best_move)
    }

    fn can_solve(&self) -> bool {
        let solver = &self.tablebases.in_memory;
        let can_solve = |limits| solver.can_solve(&self.game, self.roots(), limits);
        self.solve_limits().is_some_and(can_solve)
    }

    fn solve_if_small(&mut self, wait: Duration) {
        if let Some(limits) = self.solve_limits() {
            let roots = self.roots();
            let solver = &mut self.tablebases.in_memory;
            solver.solve_in(&self.game, roots, limits, wait);
        }
    }

    fn is_solving(&self) -> bool {
        self.tablebases.in_memory.is_running()
    }

    fn solve_forecast(&self) -> Result<String, EngineError> {
        let forecast = InMemoryForecast::of(&self.game, *self.first_position())?;
        let mut text = forecast.describe();
        let allowed = u128::from(self.settings.memory_limit) << 20;
        if forecast.memory > allowed && self.tablebases.can_open_layers() {
            let file = self.settings.board_file().map(|_| "FILE");
            let game = file.unwrap_or(self.settings.variant);
            text += &format!(
                ", more than the {} of MemoryLimit; 'puli solve {game} --out DIR' writes tables on disk instead",
                units::memory(allowed)
            );
        }
        Ok(text)
    }

    fn solve_game(
        &mut self,
        max_positions: Option<u64>,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<(), EngineError> {
        let (root, memory) = (*self.first_position(), self.settings.memory_limit);
        let plan = InMemoryPlan::new(&self.game, root, memory)?;
        let in_memory = &mut self.tablebases.in_memory;
        let solved = in_memory.solve(&plan, max_positions, control, report)?;
        self.swindle = None;
        let about = self.game.about();
        let value = solved.start().describe(|winner| about.wins(winner));
        report(Report::Solved(solved.len() as u64, value));
        Ok(())
    }

    fn perft(&mut self, depth: u32, control: &mut Control, report: &mut dyn FnMut(Report)) {
        let position = self.path.position();
        // A repetition ends the game, but `Rules::moves` ignores the history and still returns
        // moves.
        if depth > 0 && self.path.is_repetition() {
            return report(Report::AllLeaves(0));
        }
        let longest = self.game.max_plies_left(position);
        perft_report::report(&self.game, position, depth, longest, control, report);
    }

    fn unit(&self) -> &'static str {
        // The default evaluator is a network that estimates the probability of a win instead of material.
        if self.evaluators.default.is_some()
            && algorithms::uses_default_evaluator(self.settings.algorithm)
        {
            "log odds"
        } else {
            "points"
        }
    }

    fn terminates_soon(&self) -> bool {
        let longest = self.game.max_plies_left(self.path.position());
        longest.is_some_and(|plies| plies <= SHORT_GAME)
    }

    fn positions_at_most(&self) -> Option<u128> {
        self.game.positions_at_most_from(self.path.position())
    }

    fn state(&self) -> State {
        let oracle = self.tablebases.oracle(self.path.position());
        State {
            has_tables: self.tablebases.is_open(),
            ..states::of_game(&self.game, &self.path, oracle.as_deref())
        }
    }

    fn draw(&self) -> Vec<String> {
        let position = self.path.position();
        let about = self.game.about();
        let side = match self.game.chances(position) {
            Some(_) => "chance",
            None => about.player(self.game.side(position)),
        };
        let mut lines = board_text::lines(&self.game, position, side, &self.path.moves(&self.game));
        lines.extend(self.tablebases.describe(&self.game, &self.path, &about));
        lines
    }

    fn explain_evaluation(&self) -> Vec<String> {
        let position = self.path.position();
        if let Some(outcome) = self.path.outcome(&self.game) {
            let score = Score::from(outcome.value(0)).seen_by(self.game.side(position));
            return vec![format!("Evaluation: the game is over, {score}")];
        }
        let textbook = self.evaluators.textbook();
        let mut lines = explained(textbook, &self.game, position, "Evaluation");
        if let Some(evaluator) = &self.evaluators.default
            && algorithms::uses_default_evaluator(self.settings.algorithm)
        {
            let name = "Evaluation of auto";
            lines.extend(explained(evaluator, &self.game, position, name));
        }
        let about = self.game.about();
        lines.extend(self.tablebases.describe(&self.game, &self.path, &about));
        lines
    }

    fn features(&self) -> Vec<Feature> {
        let position = self.path.position();
        self.evaluators.textbook().features(&self.game, position)
    }

    fn trace(&self, extent: Extent) -> Result<Trace, EngineError> {
        self.with_trace(|subject| subject.tree(extent))
    }

    fn trace_events(
        &mut self,
        request: TraceRequest,
        control: &mut Control,
        sink: EventSink,
    ) -> Result<(), EngineError> {
        if request.is_backward {
            return backward::settle(
                &self.game,
                &self.path,
                &self.settings,
                request,
                control,
                sink,
            );
        }
        self.with_trace(|subject| subject.events(request, control, sink).map(|_| ()))
    }

    fn fen(&self) -> String {
        self.game.show_position(self.path.position())
    }
}
