//! The engine for puzzles.

mod log;
mod own_estimates;
mod trace;

use std::path::Path as Folder;
use std::sync::Arc;
use std::time::Duration;

use super::memory_solver::{MemorySolver, Roots, SolveLimits};
use super::state::{SolvedMove, State, TablebaseInfo};
use super::states;
use super::{BestMove, Child, Engine, GameStatus, LocatedText, Report, Setup};
use super::{board_text, info_reporter, moves, perft_report};
use crate::clock::Instant;
use crate::control::{Control, Limits, Stopped, workers};
use crate::error::EngineError;
use crate::oracle::Verdict;
use crate::pathfinding::astar::Order;
use crate::pathfinding::observer::{NoObserver, PuzzleObserver};
use crate::pathfinding::{
    ALGORITHMS, EnginePuzzle, Heuristic, Progress, PuzzleSolver, SolveContext, SolveOutcome,
    ZeroHeuristic,
};
use crate::pathfinding::{astar, bfs, first_moves, greedy, idastar, iddfs};
use crate::random::Random;

use crate::scene::SceneProvider;
use crate::settings::{Algorithm, HeuristicName, NamedEnum as _, Settings, name_of};
use crate::solve::explicit::in_memory::{InMemoryForecast, SolvedGame};
use crate::solve::explicit::position_table::PositionTable;
use crate::solve::explicit::puzzle_distances::PuzzleGame;
use crate::solve::explicit::solution::InMemoryPlan;
use crate::trace::{EventSink, TraceRequest};
use crate::try_alloc::BuildError;
use crate::value::Side;
use log::SolveLog;
use own_estimates::OwnEstimates;

/// A puzzle with a position and its searches.
pub struct PuzzleEngine<P: EnginePuzzle> {
    /// The puzzle as defined by the variant.
    home: P,
    /// The current puzzle: `home`, or `home` with the changes of a FEN, such as another goal.
    puzzle: P,
    position: P::Position,
    /// Number of moves after the position of the last `position` command.
    ply: usize,
    settings: Settings,
    expert: P::Solver,
    /// The last heuristic built for the general searches. Specialized searches keep their own heuristics.
    heuristic: Option<(HeuristicName, Arc<dyn Heuristic<P>>)>,
    /// The estimates of option `EstimateFile`.
    own_estimates: Option<Arc<OwnEstimates<P>>>,
    /// The distances of all positions, if the puzzle is small.
    distances: MemorySolver<SolvedGame<PuzzleGame<P>>>,
    /// The distances of all positions in a file, if there is one.
    table: Option<PositionTable<PuzzleGame<P>>>,
    /// The error of an unusable file, until it is reported.
    table_error: Option<EngineError>,
    /// `true` once the folder of `TablebasePath` has been checked for tables of the puzzle.
    has_checked_tables: bool,
    /// `true` after the warning about more threads than processors has been reported.
    has_warned_of_threads: bool,
}

/// The cost and the result of a puzzle search: a row of the comparison table.
#[derive(Clone, Debug)]
pub struct SolveStats<M> {
    /// The solution, if one was found.
    pub moves: Option<Vec<M>>,
    /// The legal move to the position with the lowest estimated distance, if the search was stopped
    /// without a solution.
    pub(crate) nearest: Option<M>,
    /// `true` if the solution is proved shortest.
    pub is_proved: bool,
    /// The proved lower bound of the solution length.
    pub bound: u32,
    /// Number of expanded nodes.
    pub examined: u64,
    /// Peak memory of stored nodes, in bytes.
    pub(crate) peak_memory: u64,
}

impl<M> SolveStats<M> {
    fn nothing() -> Self {
        Self {
            moves: None,
            nearest: None,
            is_proved: false,
            bound: 0,
            examined: 0,
            peak_memory: 0,
        }
    }
}

impl<P: EnginePuzzle> PuzzleEngine<P> {
    /// Creates an engine at the start position.
    pub fn new(puzzle: P, settings: &Settings) -> Self {
        let position = puzzle.start();
        let settings = settings.clone();
        let mut engine = Self {
            home: puzzle.clone(),
            puzzle,
            position,
            ply: 0,
            settings,
            expert: P::Solver::default(),
            heuristic: None,
            own_estimates: None,
            distances: MemorySolver::default(),
            table: None,
            table_error: None,
            has_checked_tables: false,
            has_warned_of_threads: false,
        };
        engine.open_table();
        engine
    }

    /// Reads the file of option `EstimateFile`.
    ///
    /// # Errors
    /// If the file is unusable. The error names the line.
    pub(crate) fn with_own_estimates(mut self) -> Result<Self, EngineError> {
        self.own_estimates = OwnEstimates::read(&self.home, &self.settings.estimate_file)?;
        Ok(self)
    }

    /// Opens the file with all distances, if it is in the folder of `TablebasePath`.
    fn open_table(&mut self) {
        self.has_checked_tables = false;
        (self.table, self.table_error) = (None, None);
        let folder = &self.settings.tablebase_path;
        if !folder.is_empty() {
            let game = PuzzleGame(self.puzzle.clone());
            match PositionTable::find(Folder::new(folder), &game) {
                Ok(table) => self.table = table,
                Err(error) => self.table_error = Some(error),
            }
        }
    }

    /// Returns the distance of a position from the goal, if it is known.
    fn distance(&self, position: &P::Position) -> Option<Verdict> {
        let table = self.table.as_ref();
        // Positions of a damaged file are treated as unknown; `puli verify` reports the damage.
        let stored = table.and_then(|table| table.value(position).ok()?);
        stored.or_else(|| self.distances.solved(position)?.value(position))
    }

    fn placed(&self, setup: &Setup) -> Result<(P, P::Position), EngineError> {
        let generator = |seed: &Option<u64>| seed.map_or_else(Random::unseeded, Random::new);
        let puzzle = self.puzzle.clone();
        match setup {
            Setup::Start | Setup::Fen(_) => moves::start(&self.home, setup),
            Setup::Random { seed } => {
                let position = puzzle.random(&mut generator(seed));
                Ok((puzzle, position))
            }
            Setup::Scramble { moves, seed } => {
                let position = scrambled(&puzzle, *moves, &mut generator(seed));
                Ok((puzzle, position))
            }
        }
    }

    fn status_of(&self, position: &P::Position) -> GameStatus {
        GameStatus {
            turn: Side::P1,
            outcome: states::puzzle_outcome(&self.puzzle, position),
        }
    }

    /// Returns the limits for solving the puzzle in memory. Returns `None` if it should not be solved.
    fn solve_limits(&self) -> Option<SolveLimits> {
        let table = self.table.as_ref();
        let is_known = table.is_some_and(|table| table.holds(&self.position));
        SolveLimits::of(&self.settings).filter(|_| !is_known)
    }

    /// Returns the positions from which the puzzle may be solved.
    fn roots(&self) -> Roots<P::Position> {
        Roots {
            first: self.position,
            present: self.position,
        }
    }

    fn moves_here(&self) -> Vec<P::Move> {
        let mut moves = Vec::new();
        self.puzzle.moves(&self.position, &mut moves);
        moves
    }

    /// Returns the distances of the position and of its moves from the goal, the shortest first, if they are known.
    fn distances_here(&self) -> Option<TablebaseInfo> {
        let verdict = self.distance(&self.position)?;
        let rate = |m: P::Move| {
            let after = self.distance(&self.puzzle.play(&self.position, m))?;
            Some(SolvedMove {
                name: self.puzzle.show_move(m),
                verdict: after.one_ply_earlier(),
                traps: 0,
            })
        };
        let mut moves: Vec<SolvedMove> = self.moves_here().into_iter().filter_map(rate).collect();
        moves.sort_by_key(|rated| std::cmp::Reverse(rated.verdict.rank(Side::P1)));
        Some(TablebaseInfo { verdict, moves })
    }

    /// Returns `true` if the general or the specialized searches support the heuristic `name`.
    fn has_heuristic(&self, name: HeuristicName) -> bool {
        match name {
            HeuristicName::Own => self.own_estimates.is_some(),
            _ => states::has_heuristic(&self.puzzle, name),
        }
    }

    /// Returns the settings of the next search. Reports an unusable table and differences from the requested settings.
    fn settings_of_search(&mut self, report: &mut dyn FnMut(Report)) -> Settings {
        let has_table = self.table.is_some() || self.table_error.is_some();
        if let Some(error) = self.table_error.take() {
            report(Report::Error(error.to_string()));
        }
        let mut settings = self.settings.clone();
        if !ALGORITHMS.contains(&settings.algorithm) {
            settings.algorithm = Algorithm::Auto;
        }
        if !self.has_heuristic(settings.heuristic) {
            report(Report::Text(format!(
                "heuristic {} is not available for this game, auto runs instead",
                name_of(&settings.heuristic)
            )));
            settings.heuristic = HeuristicName::Auto;
        }
        let folder = &settings.tablebase_path;
        let is_first = !std::mem::replace(&mut self.has_checked_tables, true);
        // Reported once per change of the options.
        if !folder.is_empty()
            && is_first
            && !has_table
            && !self.expert.has_tables_in(&self.puzzle, folder)
        {
            report(Report::Text(format!(
                "TablebasePath holds nothing for this puzzle and its goal: {folder}"
            )));
        }
        settings
    }

    /// Returns the heuristic of the settings. Builds it unless it was also the last heuristic built.
    fn estimate(
        &mut self,
        settings: &Settings,
        control: &mut Control,
        progress: &mut dyn FnMut(Progress<P::Move>, &Control),
    ) -> Result<Arc<dyn Heuristic<P>>, BuildError> {
        // Blind searches use no heuristic.
        if is_blind(settings.algorithm) {
            return Ok(Arc::new(ZeroHeuristic));
        }
        if settings.heuristic == HeuristicName::Own
            && let Some(own) = &self.own_estimates
        {
            return Ok(Arc::<OwnEstimates<P>>::clone(own));
        }
        let own = self
            .expert
            .heuristic(&self.puzzle, settings, control, progress)?;
        if let Some(own) = own {
            return Ok(own);
        }
        if let Some((name, kept)) = &self.heuristic
            && *name == settings.heuristic
        {
            return Ok(Arc::clone(kept));
        }
        let mut made = |name| self.puzzle.heuristic(name, &mut || control.poll());
        let heuristic = match made(settings.heuristic)? {
            Some(heuristic) => heuristic,
            None => made(HeuristicName::Auto)?.unwrap_or_else(|| Arc::new(ZeroHeuristic)),
        };
        self.heuristic = Some((settings.heuristic, Arc::clone(&heuristic)));
        Ok(heuristic)
    }

    /// Searches for a solution.
    pub fn solve(
        &mut self,
        limits: &Limits,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<SolveStats<P::Move>, EngineError> {
        let legal = self.moves_here();
        let named = moves::searched(&self.puzzle, &self.position, &legal, limits, report)?;
        let first_moves = if named.is_empty() { &legal } else { &named };
        info_reporter::begin(&self.settings, ALGORITHMS, first_moves.len(), report);
        let settings = self.settings_of_search(report);
        if !std::mem::replace(&mut self.has_warned_of_threads, true)
            && let Some(warning) = workers::oversubscription_warning(settings.threads)
        {
            report(Report::Text(warning));
        }
        let puzzle = self.puzzle.clone();
        let lower_bound = puzzle.lower_bound(&self.position);
        let distance = |m: &P::Move| puzzle.lower_bound(&puzzle.play(&self.position, *m));
        let is_open = !puzzle.is_solved(&self.position);
        let nearest = first_moves
            .iter()
            .copied()
            .filter(|_| is_open)
            .min_by_key(distance);
        let mut log = SolveLog::new(&puzzle, lower_bound, nearest, report);
        if puzzle.is_solved(&self.position) {
            // The empty solution of a solved position is shortest, without a search.
            log.has_proved_bounds = true;
            let end = control.visit().map(|()| SolveOutcome::Solved(Vec::new()));
            log.report_end(end, &settings);
            return Ok(log.close(control));
        }
        let mut progress =
            |progress: Progress<P::Move>, control: &Control| log.record(progress, control);
        let heuristic = match self.estimate(&settings, control, &mut progress) {
            Ok(heuristic) => heuristic,
            Err(unfinished) => {
                let end = match unfinished {
                    BuildError::Stopped => Err(Stopped),
                    BuildError::OutOfMemory(out_of_memory) => {
                        Ok(SolveOutcome::OutOfMemory(out_of_memory))
                    }
                };
                log.report_end(end, &settings);
                return Ok(log.close(control));
            }
        };
        log.may_overestimate = !is_blind(settings.algorithm) && !heuristic.is_admissible();
        log.has_proved_bounds = settings.algorithm != Algorithm::Greedy && !log.may_overestimate;
        let mut progress =
            |progress: Progress<P::Move>, control: &Control| log.record(progress, control);
        let heuristic = heuristic.as_ref();
        let mut context =
            SolveContext::new(&puzzle, self.position, heuristic, control, &mut progress);
        context.max_depth = [limits.depth, limits.mate]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(MAX_SOLUTION_MOVES);
        context.memory_limit = settings.memory_limit << 20;
        let mut search = |context: &mut SolveContext<P>| {
            let own = self.expert.solve(context, &settings);
            own.unwrap_or_else(|| run(context, &settings, &mut NoObserver))
        };
        let end = if first_moves.len() == legal.len() {
            search(&mut context)
        } else {
            first_moves::solve(&mut context, first_moves, search)
        };
        let (expanded, peak_memory) = (context.expanded, context.peak_memory);
        (log.solved.examined, log.solved.peak_memory) = (expanded, peak_memory);
        log.report_end(end, &settings);
        Ok(log.close(control))
    }
}

/// Returns `true` if the algorithm uses no heuristic.
fn is_blind(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::Bfs | Algorithm::Iddfs)
}

/// Maximum time that `eval` may take to build a heuristic.
const MAX_HEURISTIC_TIME: Duration = Duration::from_millis(100);
/// Maximum length of a solution, in moves. All solutions found are shorter on every board, even non-optimal
/// ones.
const MAX_SOLUTION_MOVES: u32 = 10_000;

/// Runs one of the general searches. For `auto`, this is A*.
fn run<P: EnginePuzzle>(
    context: &mut SolveContext<P>,
    settings: &Settings,
    observer: &mut impl PuzzleObserver<P>,
) -> Result<SolveOutcome<P::Move>, Stopped> {
    match settings.algorithm {
        Algorithm::Bfs => bfs::solve(context, observer),
        Algorithm::Iddfs => iddfs::solve(context, observer),
        Algorithm::Greedy => greedy::solve(context, observer),
        Algorithm::Idastar => idastar::solve_observed(context, observer),
        _ => {
            let order = Order {
                g_weight: 1,
                h_weight: 1,
                tie_break: settings.tie_break,
                closed_list: settings.closed_list,
            };
            astar::solve(context, order, observer)
        }
    }
}

/// Returns the position after `moves` random moves from the goal. A move undoes the previous move only if no other move
/// is legal.
fn scrambled<P: EnginePuzzle>(puzzle: &P, moves: u32, random: &mut Random) -> P::Position {
    let mut position = puzzle.goal();
    let mut back = None;
    let mut legal = Vec::new();
    for _ in 0..moves {
        legal.clear();
        puzzle.moves(&position, &mut legal);
        if legal.len() > 1 {
            legal.retain(|&m| Some(m) != back);
        }
        if legal.is_empty() {
            break;
        }
        let m = legal[random.index(legal.len())];
        position = puzzle.play(&position, m);
        back = puzzle.inverse(m);
    }
    position
}

impl<P: EnginePuzzle + SceneProvider> Engine for PuzzleEngine<P> {
    fn is_specialized(&self) -> bool {
        P::Solver::is_specialized(&self.puzzle, &self.settings)
    }

    fn is_puzzle(&self) -> bool {
        true
    }

    fn algorithms(&self) -> &'static [Algorithm] {
        ALGORITHMS
    }

    fn set(&mut self, setup: &Setup, moves: &[LocatedText]) -> Result<(), EngineError> {
        let (puzzle, start) = self.placed(setup)?;
        if let Some(why) = puzzle.unsolvable_reason(&start) {
            return Err(EngineError::new(why));
        }
        let position = moves::played(&puzzle, start, moves)?;
        if puzzle != self.puzzle {
            self.puzzle = puzzle;
            self.heuristic = None;
            self.distances.cancel();
            self.open_table();
        }
        self.position = position;
        self.ply = moves.len();
        Ok(())
    }

    fn configure(&mut self, settings: &Settings) -> Result<(), EngineError> {
        let has_same_tables = settings.tablebase_path == self.settings.tablebase_path;
        if settings.estimate_file != self.settings.estimate_file {
            self.own_estimates = OwnEstimates::read(&self.home, &settings.estimate_file)?;
        }
        self.has_warned_of_threads &= settings.threads == self.settings.threads;
        self.settings = settings.clone();
        if !has_same_tables {
            self.open_table();
        }
        Ok(())
    }

    /// Pattern databases belong to the board, not to the game, so they are kept.
    fn clear(&mut self) {}

    fn status(&self) -> GameStatus {
        self.status_of(&self.position)
    }

    fn children(&self) -> Vec<Child> {
        let status = |child: &P::Position| self.status_of(child);
        moves::children(&self.puzzle, &self.position, self.moves_here(), status)
    }

    fn go(
        &mut self,
        limits: &Limits,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<BestMove, EngineError> {
        let solved = self.solve(limits, control, report)?;
        let show = |m: &P::Move| self.puzzle.show_move(*m);
        let best = match solved.moves {
            Some(moves) => moves.first().map(show),
            None => solved.nearest.as_ref().map(show),
        };
        Ok(BestMove { best, ponder: None })
    }

    fn prepare(&mut self, control: &mut Control, report: &mut dyn FnMut(Report)) {
        let settings = self.settings_of_search(report);
        if self.puzzle.is_solved(&self.position) {
            return;
        }
        let mut progress = |progress: Progress<P::Move>, _: &Control| {
            if let Progress::Warning(trouble) = progress {
                report(Report::Error(trouble.into()));
            }
        };
        let made = self.estimate(&settings, control, &mut progress);
        let made = made.and_then(|_| {
            self.expert
                .prepare(&self.puzzle, &settings, control, &mut progress)
        });
        if let Err(BuildError::OutOfMemory(out_of_memory)) = made {
            report(Report::Error(out_of_memory.to_string()));
        }
    }

    fn can_solve(&self) -> bool {
        let can_solve = |limits| {
            let game = PuzzleGame(self.puzzle.clone());
            self.distances.can_solve(&game, self.roots(), limits)
        };
        self.solve_limits().is_some_and(can_solve)
    }

    fn solve_if_small(&mut self, wait: Duration) {
        if let Some(limits) = self.solve_limits() {
            let game = PuzzleGame(self.puzzle.clone());
            let roots = self.roots();
            self.distances.solve_in(&game, roots, limits, wait);
        }
    }

    fn is_solving(&self) -> bool {
        self.distances.is_running()
    }

    fn solve_forecast(&self) -> Result<String, EngineError> {
        let forecast = InMemoryForecast::of(&PuzzleGame(self.puzzle.clone()), self.position)?;
        Ok(forecast.describe())
    }

    fn solve_game(
        &mut self,
        max_positions: Option<u64>,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<(), EngineError> {
        let game = PuzzleGame(self.puzzle.clone());
        let plan = InMemoryPlan::new(&game, self.position, self.settings.memory_limit)?;
        let solved = self
            .distances
            .solve(&plan, max_positions, control, report)?;
        let value = match solved.start().plies() {
            None => "no solution".into(),
            Some(1) => "1 move to the goal".into(),
            Some(moves) => format!("{moves} moves to the goal"),
        };
        report(Report::Solved(solved.len() as u64, value));
        Ok(())
    }

    fn heuristics(&self) -> Vec<HeuristicName> {
        let all = HeuristicName::ALL.iter().map(|&(name, _)| name);
        all.filter(|&name| self.has_heuristic(name)).collect()
    }

    fn perft(&mut self, depth: u32, control: &mut Control, report: &mut dyn FnMut(Report)) {
        perft_report::report(&self.puzzle, &self.position, depth, None, control, report);
    }

    fn positions_at_most(&self) -> Option<u128> {
        self.puzzle.positions_at_most_from(&self.position)
    }

    /// Play can continue after the puzzle is solved.
    fn state(&self) -> State {
        let mut state = states::of_puzzle(&self.puzzle, &self.position, self.ply);
        state.heuristics = self.heuristics();
        state.has_tables = self.table.is_some();
        state.solved = self.distances_here();
        state
    }

    fn draw(&self) -> Vec<String> {
        let about = self.puzzle.about();
        let side = about.player(Side::P1);
        board_text::lines(&self.puzzle, &self.position, side, &self.moves_here())
    }

    fn explain_evaluation(&self) -> Vec<String> {
        let all = HeuristicName::ALL.iter().map(|(name, _)| name);
        let estimates =
            all.filter(|&&name| name != HeuristicName::Auto && self.puzzle.has_heuristic(name));
        let estimate = |name: &HeuristicName| {
            let begin = Instant::now();
            // `eval` cannot be stopped, so it builds only heuristics that take at most
            // `MAX_HEURISTIC_TIME`.
            let mut watch = || {
                let has_time = begin.elapsed() < MAX_HEURISTIC_TIME;
                has_time.then_some(()).ok_or(Stopped)
            };
            let kept = self.heuristic.as_ref().filter(|(kept, _)| kept == name);
            let made = match kept {
                Some((_, kept)) => Ok(Some(Arc::clone(kept))),
                None => self.puzzle.heuristic(*name, &mut watch),
            };
            let said = match made {
                Ok(heuristic) => heuristic?
                    .estimate(&self.puzzle, &self.position)
                    .to_string(),
                Err(_) => "its tables take long to build; a search with it builds them".into(),
            };
            Some(format!("{}: {said}", name_of(name)))
        };
        let mut lines: Vec<String> = estimates.filter_map(estimate).collect();
        if let Some(known) = self.distances_here() {
            let describe = |verdict: Verdict| {
                let moves = verdict.plies();
                moves.map_or_else(|| "no solution".into(), |moves| moves.to_string())
            };
            lines.push(format!("distance: {}", describe(known.verdict)));
            let rated = known.moves.iter();
            lines.extend(
                rated.map(|rated| format!("  {}: {}", rated.name, describe(rated.verdict))),
            );
        }
        lines
    }

    fn trace_events(
        &mut self,
        request: TraceRequest,
        control: &mut Control,
        sink: EventSink,
    ) -> Result<(), EngineError> {
        self.record(request, control, sink)
    }

    fn fen(&self) -> String {
        self.puzzle.show_position(&self.position)
    }
}
