//! The engine for games with chance.

use std::sync::Arc;
use std::time::Duration;

use super::backward;
use super::expectation::{self, ExpectedValues};
use super::info_reporter::{self, InfoReporter};
use super::memory_solver::{Roots, SolveLimits};
use super::state::{ExpectedInfo, State};
use super::states::{self, CHANCE_ALGORITHMS as ALGORITHMS};
use super::trace::{self, Extent, Subject, Trace};
use super::{BestMove, Child, Engine, GameStatus, LocatedText, Report, Setup};
use super::{board_text, moves, perft_report};
use crate::control::{Control, Limits};
use crate::error::EngineError;
use crate::path::Path;
use crate::random::Random;
use crate::rules::{Notation, Stochastic, Turn};
use crate::scene::SceneProvider;
use crate::search::algorithms::{self, BuildResult};
use crate::search::deepening::DeepeningOptions;
use crate::search::memory::{DirectMappedTable, NoTable};
use crate::search::observer::{NoObserver, SearchObserver};
use crate::search::stochastic::{ChancePruning, StochasticExpectimax};
use crate::search::worst_case::{RemainingScore, ScoredPosition, WorstCase};
use crate::search::{EvaluatorOnly, PvLine, Root, SearchResult};
use crate::settings::{Algorithm, Settings};
use crate::solve::explicit::expected_points::{Expectations, ExpectedPoints};
use crate::solve::explicit::solution::InMemoryPlan;
use crate::trace::{EventSink, TraceRequest};
use crate::value::{Bound, Score, Side};

/// A game with chance, with a position and its searches.
pub(crate) struct StochasticEngine<S: Stochastic + Notation> {
    /// Creates the game for some settings.
    make: fn(&Settings) -> Result<S, EngineError>,
    /// The variant's configuration, without the changes of a FEN.
    home: S,
    /// The configuration of the current position.
    game: S,
    /// The position before the moves of the last `position` command.
    first: S::Position,
    position: S::Position,
    /// Number of moves after `first`.
    ply: usize,
    settings: Settings,
    search: BuildResult<'static, WorstCase<S>>,
    /// The generator for chance outcomes requested by `go`.
    random: Random,
    /// The known exact values.
    exact: ExpectedValues<S>,
}

impl<S: Stochastic + Notation> StochasticEngine<S> {
    /// Creates an engine at the start position.
    pub(crate) fn new(
        make: fn(&Settings) -> Result<S, EngineError>,
        settings: &Settings,
    ) -> Result<Self, EngineError> {
        let home = make(settings)?;
        let (game, position) = (home.clone(), home.start());
        let search = search(settings)?;
        let random = Random::new(settings.seed);
        let exact = ExpectedValues::open(&game, &settings.tablebase_path);
        Ok(Self {
            make,
            home,
            game,
            first: position,
            position,
            ply: 0,
            settings: settings.clone(),
            search,
            random,
            exact,
        })
    }

    /// Returns `true` if a textbook search runs. Returns `false` if `auto` runs, also in place of
    /// an unsupported algorithm.
    fn is_textbook(&self) -> bool {
        let algorithm = self.settings.algorithm;
        algorithm != Algorithm::Auto && ALGORITHMS.contains(&algorithm)
    }

    /// Returns the root with the moves to search.
    fn root(
        &self,
        game: &WorstCase<S>,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Result<Root<WorstCase<S>>, EngineError> {
        let path = Path::new(ScoredPosition::new(self.position));
        let mut root = Root::new(game, path, self.settings.seed);
        if self.is_textbook() {
            root.order = self.settings.ordering;
        }
        moves::restrict(&self.game, &self.position, &mut root, limits, report)?;
        Ok(root)
    }

    /// Returns the result without a search: the best move by the static evaluation, or the worst outcome at a
    /// chance node.
    fn static_line(&self, root: &Root<WorstCase<S>>) -> PvLine<S::Move> {
        let sign = match self.side() {
            Side::P1 => 1.0,
            Side::P2 => -1.0,
        };
        let looks = |m| {
            sign * (self.game.gain(&self.position, m)
                + self.game.evaluate(&self.game.play(&self.position, m)))
        };
        let best = root
            .moves
            .iter()
            .map(|candidate| (looks(candidate.m), candidate));
        let best = best.min_by(|(one, first), (other, second)| {
            other.total_cmp(one).then(first.rank.cmp(&second.rank))
        });
        let score = Score::Points(self.game.evaluate(&self.position));
        let line = best.map(|(_, best)| best.m).into_iter().collect();
        PvLine {
            depth: 0,
            rank: 1,
            found: SearchResult {
                score,
                bound: Bound::Exact,
                line,
                leaves: 0,
            },
        }
    }

    fn side(&self) -> Side {
        self.game.turn(&self.position).side()
    }

    fn status_of(&self, position: &S::Position) -> GameStatus {
        GameStatus {
            turn: self.game.turn(position).side(),
            outcome: states::chance_outcome(&self.game, position),
        }
    }

    fn legal(&self) -> Vec<S::Move> {
        let mut moves = Vec::new();
        self.game.moves(&self.position, &mut moves);
        moves
    }

    /// Returns the positions from which the game may be solved.
    fn roots(&self) -> Roots<S::Position> {
        Roots {
            first: self.first,
            present: self.position,
        }
    }

    /// Returns the exact values for a search by `auto`, if there is a table or the game is small. Waits for the solver
    /// unless `draws` is `true` (`go` draws a tile).
    fn solved_for_search(
        &mut self,
        draws: bool,
        control: &mut Control,
    ) -> Option<Arc<dyn Expectations<S>>> {
        if self.is_textbook() {
            return None;
        }
        let solved = self.exact.with(&self.position);
        if solved.is_some() || draws {
            return solved;
        }
        let limits = SolveLimits::of(&self.settings)?;
        let roots = self.roots();
        let in_memory = &mut self.exact.in_memory;
        in_memory.solve_within(&self.game, roots, limits, control);
        self.exact.with(&self.position)
    }

    /// Answers from exact expectations. Returns `None` if there is no move.
    fn answer_exactly(
        &self,
        solved: &dyn Expectations<S>,
        root: &Root<WorstCase<S>>,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Option<BestMove> {
        let side = self.side();
        let rated = expectation::rate(solved, &self.game, &self.position, &root.moves, side)?;
        let is_whole = side == Side::P1 || self.settings.multi_pv == 1;
        // At a chance node, the score of a single line is the expectation over all outcomes.
        let is_average = side == Side::P2 && is_whole && rated.len() == self.legal().len();
        let average = solved.value(&self.position).filter(|_| is_average);
        let lines: Vec<PvLine<S::Move>> = (1..=self.settings.multi_pv)
            .zip(&rated)
            .map(|(rank, &(m, points))| PvLine {
                depth: 1,
                rank,
                found: SearchResult {
                    score: Score::Points(average.unwrap_or(points)),
                    bound: Bound::Exact,
                    line: vec![m],
                    leaves: 0,
                },
            })
            .collect();
        let best = lines.first()?;
        report(Report::Debug(solved.describe()));
        let hits = || Some(rated.len() as u64);
        let mut reporter = InfoReporter::new(
            &self.game,
            self.position,
            Side::P1,
            &self.settings,
            &hits,
            report,
        );
        reporter.expects_answer = false;
        reporter.report_solved(&WorstCase(self.game.clone()), &lines, control);
        let best_move = reporter.best_move(best);
        if let (Score::Points(points), true) = (best.found.score, is_whole) {
            report(Report::Expected(points));
        }
        Some(best_move)
    }

    /// Returns the exact values of the position and its moves, if they are known.
    fn expected(&self) -> Option<ExpectedInfo> {
        let solved = self.exact.with(&self.position)?;
        expectation::info(&self.game, solved.as_ref(), &self.position, self.side())
    }

    /// Samples a chance outcome with the probabilities of the rules.
    fn sample_tile(&mut self, root: &Root<WorstCase<S>>) -> Option<S::Move> {
        let mut chances = Vec::new();
        self.game.chances(&self.position, &mut chances);
        chances.retain(|(m, _)| root.moves.iter().any(|candidate| candidate.m == *m));
        self.random.weighted(&chances)
    }
}

/// Returns the search that the options select.
///
/// The outer error is a failed allocation of a table. The inner error is an unsupported combination of
/// options.
pub fn search<S: Stochastic>(
    settings: &Settings,
) -> Result<BuildResult<'static, WorstCase<S>>, EngineError> {
    build_observed(settings, NoObserver)
}

fn build_observed<'a, S: Stochastic, W: SearchObserver<S::Move> + 'a>(
    settings: &Settings,
    watch: W,
) -> Result<BuildResult<'a, WorstCase<S>>, EngineError> {
    let cut_off = match settings.algorithm {
        Algorithm::Minimax | Algorithm::AlphaBeta => {
            return algorithms::build_observed(settings, EvaluatorOnly(RemainingScore), watch);
        }
        Algorithm::Expectimax => ChancePruning::Exact,
        _ => ChancePruning::Unlikely,
    };
    if settings.algorithm == Algorithm::Expectimax && !settings.memory {
        return Ok(Ok(Box::new(StochasticExpectimax::new(
            NoTable, watch, cut_off,
        ))));
    }
    Ok(Ok(Box::new(StochasticExpectimax::new(
        DirectMappedTable::new(settings.hash)?,
        watch,
        cut_off,
    ))))
}

impl<S: Stochastic + SceneProvider> Engine for StochasticEngine<S> {
    fn set(&mut self, setup: &Setup, moves: &[LocatedText]) -> Result<(), EngineError> {
        let (game, start) = moves::start(&self.home, setup)?;
        let position = moves::played(&game, start, moves)?;
        if game != self.game {
            self.game = game;
            self.forget_positions();
            self.exact.in_memory.cancel();
            let folder = &self.settings.tablebase_path;
            self.exact.open_table(&self.game, folder);
        }
        self.first = start;
        self.position = position;
        self.ply = moves.len();
        Ok(())
    }

    fn configure(&mut self, settings: &Settings) -> Result<(), EngineError> {
        let same_game = settings.eval_file == self.settings.eval_file;
        let home = if same_game {
            self.home.clone()
        } else {
            (self.make)(settings)?
        };
        let (game, _) = home.read_position(&self.fen())?;
        if !algorithms::same_search(settings, &self.settings) {
            self.search = search(settings)?;
        } else if !same_game {
            self.forget_positions();
        }
        let has_same_table =
            game == self.game && settings.tablebase_path == self.settings.tablebase_path;
        if game != self.game {
            self.exact.in_memory.cancel();
        }
        (self.home, self.game) = (home, game);
        if settings.seed != self.settings.seed {
            self.random = Random::new(settings.seed);
        }
        self.settings = settings.clone();
        if !has_same_table {
            let folder = &self.settings.tablebase_path;
            self.exact.open_table(&self.game, folder);
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.forget_positions();
        self.random = Random::new(self.settings.seed);
    }

    fn status(&self) -> GameStatus {
        self.status_of(&self.position)
    }

    fn children(&self) -> Vec<Child> {
        let status = |child: &S::Position| self.status_of(child);
        moves::children(&self.game, &self.position, self.legal(), status)
    }

    fn go(
        &mut self,
        limits: &Limits,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<BestMove, EngineError> {
        if let Some(error) = self.exact.table_error.take() {
            report(Report::Error(error.to_string()));
        }
        let game = WorstCase(self.game.clone());
        let mut root = self.root(&game, limits, report)?;
        let mut fallback_line = self.static_line(&root);
        let side = self.side();
        let draws = self.settings.seed > 0 && side == Side::P2;
        if draws {
            fallback_line.found.line = self.sample_tile(&root).into_iter().collect();
            root.moves.clear();
        }
        info_reporter::begin(&self.settings, ALGORITHMS, root.moves.len(), report);
        if let Some(solved) = self.solved_for_search(draws, control) {
            if let Some(points) = solved.value(&self.position) {
                fallback_line.found.score = Score::Points(points);
            }
            if let Some(best_move) = self.answer_exactly(solved.as_ref(), &root, control, report) {
                return Ok(best_move);
            }
        }
        let search = self.search.as_mut().map_err(|error| error.clone())?;
        let plan = DeepeningOptions::new(limits, self.settings.multi_pv);
        // Expected points are reported from the player's view, also at chance nodes.
        let mut reporter = InfoReporter::new(
            &self.game,
            self.position,
            Side::P1,
            &self.settings,
            &|| None,
            report,
        );
        reporter.expects_answer = false;
        let search = search.as_mut();
        let lines = reporter.deepen(&game, &mut root, search, &plan, control, fallback_line);
        let best_move = reporter.best_move(&lines[0]);
        let best = &lines[0].found;
        // The score of a line has two decimals. A search to the end of the game also reports the
        // precise expectation.
        let is_whole = root.lines == 1 || side == Side::P1;
        if let (Score::Points(points), true) = (best.score, is_whole && root.is_exhausted) {
            report(Report::Expected(points));
        }
        Ok(best_move)
    }

    fn can_solve(&self) -> bool {
        let solver = &self.exact.in_memory;
        let can_solve = |limits| solver.can_solve(&self.game, self.roots(), limits);
        let limits = SolveLimits::of(&self.settings);
        self.exact.with(&self.position).is_none() && limits.is_some_and(can_solve)
    }

    fn solve_if_small(&mut self, wait: Duration) {
        if let Some(limits) = SolveLimits::of(&self.settings)
            && self.exact.with(&self.position).is_none()
        {
            let (roots, solver) = (self.roots(), &mut self.exact.in_memory);
            solver.solve_in(&self.game, roots, limits, wait);
        }
    }

    fn is_solving(&self) -> bool {
        self.exact.in_memory.is_running()
    }

    fn solve_forecast(&self) -> Result<String, EngineError> {
        let forecast = ExpectedPoints::forecast(&self.game, self.first)?;
        Ok(forecast.describe())
    }

    fn solve_game(
        &mut self,
        max_positions: Option<u64>,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<(), EngineError> {
        let plan = InMemoryPlan::new(&self.game, self.first, self.settings.memory_limit)?;
        let in_memory = &mut self.exact.in_memory;
        let solved = in_memory.solve(&plan, max_positions, control, report)?;
        let value = expectation::words(solved.start());
        report(Report::Solved(solved.len() as u64, value));
        Ok(())
    }

    fn perft(&mut self, depth: u32, control: &mut Control, report: &mut dyn FnMut(Report)) {
        let longest = self.game.max_plies_left(&self.position);
        perft_report::report(&self.game, &self.position, depth, longest, control, report);
    }

    fn algorithms(&self) -> &'static [Algorithm] {
        ALGORITHMS
    }

    fn positions_at_most(&self) -> Option<u128> {
        self.game.positions_at_most_from(&self.position)
    }

    fn state(&self) -> State {
        let solved = self.exact.with(&self.position);
        states::of_stochastic(&self.game, &self.position, self.ply, solved.as_deref())
    }

    fn draw(&self) -> Vec<String> {
        let about = self.game.about();
        let side = about.player(self.side());
        let mut lines = board_text::lines(&self.game, &self.position, side, &self.legal());
        lines.extend(self.expected().iter().flat_map(expectation::describe));
        lines
    }

    fn explain_evaluation(&self) -> Vec<String> {
        if self.game.is_over(&self.position) {
            return vec!["Evaluation: the game is over, nothing more can be scored".into()];
        }
        let terms = self.game.terms(&self.position).into_iter();
        let mut lines: Vec<String> = terms
            .map(|(name, points)| format!("{name}: {}", Score::Points(points)))
            .collect();
        lines.push(format!(
            "Evaluation: {}",
            Score::Points(self.game.evaluate(&self.position))
        ));
        lines.extend(self.expected().iter().flat_map(expectation::describe));
        lines
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
        backward::check_absent(request)?;
        self.with_trace(|subject| subject.events(request, control, sink).map(|_| ()))
    }

    fn fen(&self) -> String {
        self.game.show_position(&self.position)
    }
}

impl<S: Stochastic + SceneProvider> StochasticEngine<S> {
    /// Calls `record` with the search that the options select.
    fn with_trace<R>(
        &self,
        record: impl FnOnce(&Subject<'_, WorstCase<S>, RemainingScore>) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        trace::check_traceable(self.settings.algorithm, self.algorithms())?;
        let game = &self.game;
        let drawn = |scored: &ScoredPosition<S::Position>| {
            let mut chances = Vec::new();
            (game.turn(&scored.position) == Turn::Chance).then(|| {
                game.chances(&scored.position, &mut chances);
                chances
            })
        };
        let has_chance = self.settings.algorithm == Algorithm::Expectimax;
        record(&Subject {
            game: &WorstCase(game.clone()),
            evaluator: &RemainingScore,
            path: &Path::new(ScoredPosition::new(self.position)),
            players: game.about().players,
            settings: &self.settings,
            chances: if has_chance { Some(&drawn) } else { None },
            build: &|recorder| build_observed(&self.settings, recorder),
        })
    }
}

impl<S: Stochastic + Notation> StochasticEngine<S> {
    fn forget_positions(&mut self) {
        if let Ok(search) = &mut self.search {
            search.clear();
        }
    }
}
