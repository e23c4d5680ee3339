//! Selects and runs the specialized algorithms for sliding tiles, and caches their tables between
//! searches.
//!
//! [`plan`] selects an algorithm by the settings and the size of the board: IDA* with Manhattan distance
//! (`manhattan.rs`), IDA* with pattern databases (`database_search`), or beams with a proof (`anytime.rs`). The IDA*
//! searches prune duplicate positions with an automaton (`automaton.rs`), which knows the duplicate move sequences up
//! to a maximum length, the *sequence length*.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::anytime::AnytimeBeams;
use super::automaton::Automaton;
use super::beam::BeamHeuristic;
use super::database_search::line_heuristic::LineHeuristic;
use super::databases::Databases;
use super::heuristics::LinearConflict;
use super::manhattan::ManhattanSearch;
use super::{Direction, Tiles, anytime, database_search, manhattan, partition};
use crate::control::{Control, Stopped};
use crate::games::tiles::pattern::{Pattern, PatternTable, file};
use crate::pathfinding::{Heuristic, Progress, PuzzleSolver, SolveContext, SolveOutcome, idastar};
use crate::settings::{Algorithm, HeuristicName, Settings};
use crate::try_alloc::BuildError;

/// Maximum size of a board, in cells, that `auto` solves without pattern databases, because a search takes less
/// time than building them.
const MAX_CELLS_WITHOUT_DATABASES: usize = 9;
/// Sequence length, in moves, on boards of at most 16 cells.
const SEQUENCE_LENGTH: usize = 12;
/// Sequence length, in moves, on boards of more than 16 cells.
const SEQUENCE_LENGTH_LARGE: usize = 10;
/// Sequence length for pruning only inverses of the last move, as in published node counts.
const INVERSES_ONLY: usize = 2;
/// Maximum number of nodes in [`try_without_databases`], which take some milliseconds.
const MAX_TRIAL_NODES: u64 = 50_000;

/// The automata, databases and heuristics of the last searches.
#[derive(Default)]
pub struct TilesSolver {
    /// The board, the sequence length and the automaton.
    automaton: Option<(Tiles, usize, Arc<Automaton>)>,
    databases: Option<CachedDatabases>,
    beam_heuristic: Option<Arc<BeamHeuristic>>,
    line_heuristic: Option<(Tiles, Arc<LineHeuristic>)>,
}

/// Pattern databases with their board, goal and settings.
struct CachedDatabases {
    tiles: Tiles,
    /// The value of the option `TablebasePath`.
    path: String,
    /// Number of partitions with available tables. `databases` may have fewer partitions, because `load` limits their
    /// number.
    available: usize,
    databases: Arc<Databases>,
}

impl TilesSolver {
    /// Returns the automaton for this board and sequence length, which does not depend on the goal.
    fn automaton(
        &mut self,
        tiles: &Tiles,
        sequence_length: usize,
        control: &mut Control,
    ) -> Result<Arc<Automaton>, Stopped> {
        let board = Tiles::new(tiles.width, tiles.height);
        if let Some((cached_board, length, automaton)) = &self.automaton
            && *cached_board == board
            && *length == sequence_length
        {
            return Ok(Arc::clone(automaton));
        }
        let automaton = Automaton::learn(&board, sequence_length, &mut || control.poll())?;
        let automaton = Arc::new(automaton);
        self.automaton = Some((board, sequence_length, Arc::clone(&automaton)));
        Ok(automaton)
    }

    /// Returns the databases for this board and goal. Loads them if the folder of the option `TablebasePath`
    /// contains all tables of a partition, otherwise builds them in memory.
    fn databases(
        &mut self,
        tiles: &Tiles,
        settings: &Settings,
        control: &mut Control,
        report: &mut dyn FnMut(Progress<Direction>, &Control),
    ) -> Result<Arc<Databases>, BuildError> {
        // Algorithms other than `auto` reproduce published results, which use one partition.
        let max_partitions = if settings.algorithm == Algorithm::Auto {
            partition::MAX_PARTITIONS
        } else {
            1
        };
        if let Some(cached) = &self.databases
            && cached.tiles == *tiles
            && cached.path == settings.tablebase_path
            && cached.databases.partitions == cached.available.min(max_partitions)
        {
            return Ok(Arc::clone(&cached.databases));
        }
        let loaded = Self::load(
            tiles,
            &settings.tablebase_path,
            max_partitions,
            control,
            report,
        )?;
        let (databases, available) = if let Some(loaded) = loaded {
            loaded
        } else {
            let threads = settings.threads as usize;
            let partitions = [partition::default_partition(tiles)];
            let built = Databases::build(tiles, &partitions, threads, &poll_callback(control))?;
            (built, 1)
        };
        let databases = Arc::new(databases);
        let (tiles, path) = (*tiles, settings.tablebase_path.clone());
        self.databases = Some(CachedDatabases {
            tiles,
            path,
            available,
            databases: Arc::clone(&databases),
        });
        Ok(databases)
    }

    /// Loads the tables of the best partitions whose files are all present and valid, at most `max_partitions`. Also
    /// returns the number of usable partitions without this limit.
    ///
    /// Returns `None` if no partition is usable.
    fn load(
        tiles: &Tiles,
        folder: &str,
        max_partitions: usize,
        control: &mut Control,
        report: &mut dyn FnMut(Progress<Direction>, &Control),
    ) -> Result<Option<(Databases, usize)>, Stopped> {
        if folder.is_empty() {
            return Ok(None);
        }
        let folder = Path::new(folder);
        let mut available_patterns = file::patterns(folder, &partition::pattern(tiles, Vec::new()));
        let mut tables: Vec<Arc<PatternTable>> = Vec::new();
        // If a file is invalid, select the partitions again without it.
        'retry: loop {
            let mut partitions = partition::best_partitions(tiles, &available_patterns);
            let Some(best) = partitions.first() else {
                return Ok(None);
            };
            partitions.truncate(database_search::max_partitions(tiles, best.len()));
            let available = partitions.len();
            partitions.truncate(max_partitions);
            let required = partition::required_patterns(tiles, &partitions, &available_patterns);
            tables.retain(|table| required.contains(&table.pattern.home_cells));
            for home_cells in required {
                if tables
                    .iter()
                    .any(|table| table.pattern.home_cells == home_cells)
                {
                    continue;
                }
                let pattern = partition::pattern(tiles, home_cells);
                let Some(table) = Self::load_table(folder, &pattern, control, report)? else {
                    available_patterns.retain(|home_cells| *home_cells != pattern.home_cells);
                    continue 'retry;
                };
                tables.push(Arc::new(table));
            }
            let databases = Databases::with_tables(tiles, &partitions, &tables);
            return Ok(Some((databases, available)));
        }
    }

    /// Loads the table of `pattern`. Returns `None` if the file is missing or invalid. Reports an invalid file as a
    /// warning.
    fn load_table(
        folder: &Path,
        pattern: &Pattern,
        control: &mut Control,
        report: &mut dyn FnMut(Progress<Direction>, &Control),
    ) -> Result<Option<PatternTable>, Stopped> {
        match file::load(folder, pattern, &mut || control.poll().is_ok()) {
            Ok(None) => control.poll().map(|()| None),
            Ok(table) => Ok(table),
            Err(error) => {
                report(Progress::Warning(&error.to_string()), control);
                Ok(None)
            }
        }
    }

    /// Returns the heuristic of the beams for this board and goal.
    fn beam_heuristic(&mut self, tiles: &Tiles) -> Arc<BeamHeuristic> {
        if let Some(beam_heuristic) = self
            .beam_heuristic
            .as_ref()
            .filter(|beam_heuristic| beam_heuristic.tiles() == tiles)
        {
            return Arc::clone(beam_heuristic);
        }
        let beam_heuristic = Arc::new(BeamHeuristic::new(tiles));
        self.beam_heuristic = Some(Arc::clone(&beam_heuristic));
        beam_heuristic
    }

    /// Returns the admissible heuristic of the proof, for boards too large for pattern databases.
    fn line_heuristic(
        &mut self,
        tiles: &Tiles,
        control: &mut Control,
    ) -> Result<Arc<LineHeuristic>, BuildError> {
        if let Some((cached_board, line_heuristic)) = &self.line_heuristic
            && cached_board == tiles
        {
            return Ok(Arc::clone(line_heuristic));
        }
        let line_heuristic = Arc::new(LineHeuristic::new(tiles, &poll_callback(control))?);
        self.line_heuristic = Some((*tiles, Arc::clone(&line_heuristic)));
        Ok(line_heuristic)
    }

    /// Runs beams of growing width, and the IDA* proof that no solution is shorter than the best solution. The proof
    /// uses the automaton with `sequence_length`.
    fn solve_anytime(
        &mut self,
        context: &mut SolveContext<Tiles>,
        settings: &Settings,
        sequence_length: usize,
    ) -> Result<SolveOutcome<Direction>, Stopped> {
        context.heuristic = &LinearConflict;
        let beam_heuristic = self.beam_heuristic(context.puzzle);
        let first_solution = anytime::report_first_solution(context, &beam_heuristic)?;
        let mut beams = AnytimeBeams::new(
            first_solution,
            context,
            &beam_heuristic,
            settings.threads as usize,
        );
        if let Some(outcome) = beams.run_narrow_beams(context)? {
            return Ok(outcome);
        }
        let automaton = self.automaton(context.puzzle, sequence_length, context.control)?;
        match self.line_heuristic(context.puzzle, context.control) {
            Ok(line_heuristic) => {
                let search =
                    database_search::with_line_heuristic(context, &automaton, &line_heuristic);
                beams.run(context, search)
            }
            Err(BuildError::Stopped) => Err(Stopped),
            Err(BuildError::OutOfMemory(out_of_memory)) => {
                Ok(SolveOutcome::OutOfMemory(out_of_memory))
            }
        }
    }

    /// Reports a first solution from a beam, then searches for a shorter solution with IDA*.
    ///
    /// IDA* first runs without pattern databases, with a small node budget, and then with pattern databases. If it
    /// finds no shorter solution, the first solution is shortest.
    fn solve_after_beam(
        &mut self,
        context: &mut SolveContext<Tiles>,
        settings: &Settings,
        sequence_length: usize,
    ) -> Result<SolveOutcome<Direction>, Stopped> {
        let first_solution =
            anytime::report_first_solution(context, &self.beam_heuristic(context.puzzle))?;
        if let Some(first_solution) = &first_solution {
            context.max_depth = (first_solution.len() as u32).saturating_sub(1);
        }
        let outcome = match try_without_databases(context)? {
            Some(outcome) => outcome,
            None => self.solve_with_databases(context, settings, sequence_length)?,
        };
        Ok(match (outcome, first_solution) {
            (SolveOutcome::DepthLimit, Some(first_solution)) => {
                SolveOutcome::Solved(first_solution)
            }
            (outcome, _) => outcome,
        })
    }

    /// Runs IDA* with pattern databases. If the memory does not suffice for them and the algorithm is `auto`,
    /// searches without databases.
    fn solve_with_databases(
        &mut self,
        context: &mut SolveContext<Tiles>,
        settings: &Settings,
        sequence_length: usize,
    ) -> Result<SolveOutcome<Direction>, Stopped> {
        let databases = self.databases(context.puzzle, settings, context.control, context.progress);
        let out_of_memory = match databases {
            Ok(databases) => {
                let automaton = self.automaton(context.puzzle, sequence_length, context.control)?;
                let threads = settings.threads as usize;
                return database_search::solve(context, &automaton, &databases, threads);
            }
            Err(BuildError::Stopped) => return Err(Stopped),
            Err(BuildError::OutOfMemory(out_of_memory)) => out_of_memory,
        };
        if settings.algorithm != Algorithm::Auto {
            return Ok(SolveOutcome::OutOfMemory(out_of_memory));
        }
        let warning = format!("{out_of_memory}; searching without pattern databases");
        (context.progress)(Progress::Warning(&warning), context.control);
        if fits_in_word(context.puzzle) {
            return self.solve_with_manhattan(context, sequence_length);
        }
        context.heuristic = &LinearConflict;
        idastar::solve(context)
    }

    /// Runs IDA* with Manhattan distance.
    fn solve_with_manhattan(
        &mut self,
        context: &mut SolveContext<Tiles>,
        sequence_length: usize,
    ) -> Result<SolveOutcome<Direction>, Stopped> {
        let automaton = self.automaton(context.puzzle, sequence_length, context.control)?;
        ManhattanSearch::new(context.puzzle, &automaton).solve(context)
    }
}

/// Runs IDA* with the heuristic [`LinearConflict`] and at most [`MAX_TRIAL_NODES`] nodes. Returns `None` if the nodes
/// do not suffice.
fn try_without_databases(
    context: &mut SolveContext<Tiles>,
) -> Result<Option<SolveOutcome<Direction>>, Stopped> {
    let (mut expanded, progress) = (0, &mut *context.progress);
    let outcome = context.control.within(MAX_TRIAL_NODES, |control| {
        let mut trial = SolveContext {
            max_depth: context.max_depth,
            ..SolveContext::new(
                context.puzzle,
                context.start,
                &LinearConflict,
                control,
                progress,
            )
        };
        let outcome = idastar::solve(&mut trial);
        expanded = trial.expanded;
        outcome
    })?;
    context.expanded += expanded;
    Ok(outcome)
}

/// Returns a thread-safe callback that polls `control` and returns `true` if the caller may continue.
fn poll_callback(control: &mut Control) -> impl Fn(usize, usize) -> bool + Sync {
    let control = Mutex::new(control);
    move |_, _| {
        let mut control = control.lock().unwrap_or_else(PoisonError::into_inner);
        control.poll().is_ok()
    }
}

/// The algorithm selected by the settings. The number in a variant is the sequence length of the automaton, in moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    /// The algorithm of [`crate::pathfinding`] named in the settings.
    General,
    /// [`ManhattanSearch`] with an automaton.
    Manhattan(usize),
    /// IDA* with pattern databases and an automaton.
    Databases(usize),
    /// Beams of growing width, and a proof by IDA* with an automaton.
    Anytime(usize),
    /// IDA* of [`crate::pathfinding`] with the selected heuristic, for which `auto` has no specialized algorithm.
    Idastar,
}

/// Returns `true` if the board fits into one 64-bit word, which [`ManhattanSearch`] requires.
fn fits_in_word(tiles: &Tiles) -> bool {
    tiles.cell_count() <= manhattan::MAX_CELLS
}

/// Returns `true` if the search for a shortest solution can take long on this board.
fn may_take_long(tiles: &Tiles, settings: &Settings) -> bool {
    settings.algorithm == Algorithm::Auto && !fits_in_word(tiles)
}

/// Returns `true` if `auto` reports a first solution before it searches for a shortest solution.
///
/// This is the case if the search for a shortest solution can take long, or if building the databases can exceed
/// the time limit.
fn reports_first_solution(context: &SolveContext<Tiles>, settings: &Settings) -> bool {
    let is_timed = settings.algorithm == Algorithm::Auto && context.control.is_timed();
    is_timed || may_take_long(context.puzzle, settings)
}

/// Returns the algorithm for this board and these settings.
fn plan(tiles: &Tiles, settings: &Settings) -> Plan {
    let cells = tiles.cell_count();
    let fits_in_word = fits_in_word(tiles);
    let has_databases = cells <= database_search::MAX_CELLS;
    let sequence_length = if fits_in_word {
        SEQUENCE_LENGTH
    } else {
        SEQUENCE_LENGTH_LARGE
    };
    match (settings.algorithm, settings.heuristic) {
        (Algorithm::Idastar, HeuristicName::Manhattan) if fits_in_word => {
            Plan::Manhattan(INVERSES_ONLY)
        }
        (Algorithm::Idastar, HeuristicName::PatternDatabase) if has_databases => {
            Plan::Databases(INVERSES_ONLY)
        }
        (Algorithm::Auto, HeuristicName::Manhattan) if fits_in_word => {
            Plan::Manhattan(sequence_length)
        }
        (Algorithm::Auto, HeuristicName::Auto)
            if cells <= MAX_CELLS_WITHOUT_DATABASES && fits_in_word =>
        {
            Plan::Manhattan(sequence_length)
        }
        (Algorithm::Auto, HeuristicName::Auto | HeuristicName::PatternDatabase)
            if has_databases =>
        {
            Plan::Databases(sequence_length)
        }
        (Algorithm::Auto, HeuristicName::Auto) => Plan::Anytime(sequence_length),
        (Algorithm::Auto, _) => Plan::Idastar,
        _ => Plan::General,
    }
}

impl PuzzleSolver<Tiles> for TilesSolver {
    fn provides(name: HeuristicName) -> bool {
        name == HeuristicName::PatternDatabase
    }

    fn heuristic(
        &mut self,
        tiles: &Tiles,
        settings: &Settings,
        control: &mut Control,
        report: &mut dyn FnMut(Progress<Direction>, &Control),
    ) -> Result<Option<Arc<dyn Heuristic<Tiles>>>, BuildError> {
        // `Plan::Databases` loads the databases itself.
        let is_requested = settings.heuristic == HeuristicName::PatternDatabase
            && !matches!(plan(tiles, settings), Plan::Databases(_));
        if !is_requested {
            return Ok(None);
        }
        let databases = self.databases(tiles, settings, control, report)?;
        Ok(Some(databases))
    }

    fn has_tables_in(&self, tiles: &Tiles, folder: &str) -> bool {
        let available_patterns =
            file::patterns(Path::new(folder), &partition::pattern(tiles, Vec::new()));
        !partition::best_partitions(tiles, &available_patterns).is_empty()
    }

    fn is_specialized(tiles: &Tiles, settings: &Settings) -> bool {
        !matches!(plan(tiles, settings), Plan::General | Plan::Idastar)
    }

    fn prepare(
        &mut self,
        tiles: &Tiles,
        settings: &Settings,
        control: &mut Control,
        report: &mut dyn FnMut(Progress<Direction>, &Control),
    ) -> Result<(), BuildError> {
        match plan(tiles, settings) {
            Plan::Databases(sequence_length) => {
                if may_take_long(tiles, settings) {
                    self.beam_heuristic(tiles);
                }
                self.databases(tiles, settings, control, report)?;
                self.automaton(tiles, sequence_length, control)?;
            }
            Plan::Manhattan(sequence_length) => {
                drop(self.automaton(tiles, sequence_length, control)?);
            }
            Plan::Anytime(sequence_length) => {
                self.beam_heuristic(tiles);
                self.automaton(tiles, sequence_length, control)?;
                self.line_heuristic(tiles, control)?;
            }
            Plan::General | Plan::Idastar => {}
        }
        Ok(())
    }

    fn solve(
        &mut self,
        context: &mut SolveContext<Tiles>,
        settings: &Settings,
    ) -> Option<Result<SolveOutcome<Direction>, Stopped>> {
        Some(match plan(context.puzzle, settings) {
            Plan::General => return None,
            Plan::Manhattan(sequence_length) => self.solve_with_manhattan(context, sequence_length),
            Plan::Databases(sequence_length) if reports_first_solution(context, settings) => {
                self.solve_after_beam(context, settings, sequence_length)
            }
            Plan::Databases(sequence_length) => {
                self.solve_with_databases(context, settings, sequence_length)
            }
            Plan::Anytime(sequence_length) => {
                self.solve_anytime(context, settings, sequence_length)
            }
            Plan::Idastar => idastar::solve(context),
        })
    }
}
