//! What sliding tiles are solved with beyond the general searches, and what is kept for the next one.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::anytime::AnytimeBeams;
use super::automaton::Automaton;
use super::beam::BeamHeuristic;
use super::database_search::lines::Lines;
use super::databases::Databases;
use super::heuristics::LinearConflict;
use super::manhattan::ManhattanSearch;
use super::{Direction, Tiles, anytime, database_search, manhattan, partition};
use crate::control::{Control, Stopped};
use crate::games::tiles::pattern::{Pattern, PatternTable, file};
use crate::pathfinding::{Heuristic, Progress, PuzzleSolver, SolveContext, SolveOutcome, idastar};
use crate::settings::{Algorithm, HeuristicName, Settings};
use crate::try_alloc::BuildError;

/// Boards of at most so many cells are solved sooner than a database is made.
const NEEDS_NO_DATABASE: usize = 9;
/// The longest sequences that are learnt as forbidden.
const LEARNT: usize = 12;
/// The same on boards of more than sixteen cells.
const LEARNT_ON_LARGE: usize = 10;
/// Only moves that undo the last are left out, as the textbooks have it.
const TEXTBOOK: usize = 2;
/// Searches that end within so many nodes, some milliseconds, need no databases.
const NODES_WITHOUT_DATABASES: u64 = 50_000;

/// The machines and the tables made so far.
#[derive(Default)]
pub struct TilesSolver {
    automaton: Option<(Tiles, usize, Arc<Automaton>)>,
    databases: Option<CachedDatabases>,
    guide: Option<Arc<BeamHeuristic>>,
    lines: Option<(Tiles, Arc<Lines>)>,
}

/// Databases, and what they were made for.
struct CachedDatabases {
    tiles: Tiles,
    /// Where files were looked for.
    path: String,
    /// Partitions that could have been put to use.
    offered: usize,
    databases: Arc<Databases>,
}

impl TilesSolver {
    /// The machine for this board; the goal does not matter to it.
    fn automaton(
        &mut self,
        tiles: &Tiles,
        longest: usize,
        control: &mut Control,
    ) -> Result<Arc<Automaton>, Stopped> {
        let board = Tiles::new(tiles.width, tiles.height);
        if let Some((known, length, automaton)) = &self.automaton
            && *known == board
            && *length == longest
        {
            return Ok(Arc::clone(automaton));
        }
        let automaton = Automaton::learn(&board, longest, &mut || control.poll())?;
        let automaton = Arc::new(automaton);
        self.automaton = Some((board, longest, Arc::clone(&automaton)));
        Ok(automaton)
    }

    /// The databases for this board and goal: those of `TablebasePath` if there are any, else made now.
    fn databases(
        &mut self,
        tiles: &Tiles,
        settings: &Settings,
        control: &mut Control,
        report: &mut dyn FnMut(Progress<Direction>, &Control),
    ) -> Result<Arc<Databases>, BuildError> {
        // The textbooks know one partition.
        let most = if settings.algorithm == Algorithm::Auto {
            partition::MAX_PARTITIONS
        } else {
            1
        };
        if let Some(kept) = &self.databases
            && kept.tiles == *tiles
            && kept.path == settings.tablebase_path
            && kept.databases.partitions == kept.offered.min(most)
        {
            return Ok(Arc::clone(&kept.databases));
        }
        let loaded = Self::load(tiles, &settings.tablebase_path, most, control, report)?;
        let (databases, offered) = if let Some(loaded) = loaded {
            loaded
        } else {
            let threads = settings.threads as usize;
            let partitions = [partition::default_partition(tiles)];
            let made = Databases::build(tiles, &partitions, threads, &watch(control))?;
            (made, 1)
        };
        let databases = Arc::new(databases);
        let (tiles, path) = (*tiles, settings.tablebase_path.clone());
        self.databases = Some(CachedDatabases {
            tiles,
            path,
            offered,
            databases: Arc::clone(&databases),
        });
        Ok(databases)
    }

    /// Of the best databases whose files are all there and sound, those of so many partitions, and how many could be put to use.
    fn load(
        tiles: &Tiles,
        folder: &str,
        most: usize,
        control: &mut Control,
        report: &mut dyn FnMut(Progress<Direction>, &Control),
    ) -> Result<Option<(Databases, usize)>, Stopped> {
        if folder.is_empty() {
            return Ok(None);
        }
        let folder = Path::new(folder);
        let mut there = file::patterns(folder, &partition::pattern(tiles, Vec::new()));
        let mut tables: Vec<Arc<PatternTable>> = Vec::new();
        // Without a file that is not sound others may be needed.
        'with_what_is_sound: loop {
            let mut partitions = partition::best_of(tiles, &there);
            let Some(first) = partitions.first() else {
                return Ok(None);
            };
            partitions.truncate(database_search::most_partitions(tiles, first.len()));
            let offered = partitions.len();
            partitions.truncate(most);
            let needed = partition::needed(tiles, &partitions, &there);
            tables.retain(|table| needed.contains(&table.pattern.homes));
            for homes in needed {
                if tables.iter().any(|table| table.pattern.homes == homes) {
                    continue;
                }
                let pattern = partition::pattern(tiles, homes);
                let Some(table) = Self::load_one(folder, &pattern, control, report)? else {
                    there.retain(|homes| *homes != pattern.homes);
                    continue 'with_what_is_sound;
                };
                tables.push(Arc::new(table));
            }
            let databases = Databases::with_tables(tiles, &partitions, &tables);
            return Ok(Some((databases, offered)));
        }
    }

    /// The table of a pattern, where its file is there and sound; what is wrong with it is told.
    fn load_one(
        folder: &Path,
        pattern: &Pattern,
        control: &mut Control,
        report: &mut dyn FnMut(Progress<Direction>, &Control),
    ) -> Result<Option<PatternTable>, Stopped> {
        match file::load(folder, pattern, &mut || control.poll().is_ok()) {
            Ok(None) => control.poll().map(|()| None),
            Ok(table) => Ok(table),
            Err(refusal) => {
                report(Progress::Warning(&refusal.to_string()), control);
                Ok(None)
            }
        }
    }

    /// What leads the beams on this board to this goal.
    fn guide(&mut self, tiles: &Tiles) -> Arc<BeamHeuristic> {
        if let Some(guide) = self.guide.as_ref().filter(|guide| guide.tiles() == tiles) {
            return Arc::clone(guide);
        }
        let guide = Arc::new(BeamHeuristic::new(tiles));
        self.guide = Some(Arc::clone(&guide));
        guide
    }

    /// What proves that solutions on this board to this goal are short.
    fn lines(&mut self, tiles: &Tiles, control: &mut Control) -> Result<Arc<Lines>, BuildError> {
        if let Some((known, lines)) = &self.lines
            && known == tiles
        {
            return Ok(Arc::clone(lines));
        }
        let lines = Arc::new(Lines::new(tiles, &watch(control))?);
        self.lines = Some((*tiles, Arc::clone(&lines)));
        Ok(lines)
    }

    /// Better and better solutions, and sequences of so many moves learnt for the proof that none is shorter.
    fn improve(
        &mut self,
        quest: &mut SolveContext<Tiles>,
        settings: &Settings,
        longest: usize,
    ) -> Result<SolveOutcome<Direction>, Stopped> {
        quest.heuristic = &LinearConflict;
        let guide = self.guide(quest.puzzle);
        let first = anytime::tell_first(quest, &guide)?;
        let mut improvement = AnytimeBeams::of(first, quest, &guide, settings.threads as usize);
        if let Some(end) = improvement.begin(quest)? {
            return Ok(end);
        }
        let automaton = self.automaton(quest.puzzle, longest, quest.control)?;
        match self.lines(quest.puzzle, quest.control) {
            Ok(lines) => {
                let contours = database_search::by_lines(quest, &automaton, &lines);
                improvement.finish(quest, contours)
            }
            Err(BuildError::Stopped) => Err(Stopped),
            Err(BuildError::OutOfMemory(out_of_memory)) => {
                Ok(SolveOutcome::OutOfMemory(out_of_memory))
            }
        }
    }

    /// Some solution at once, and IDA* for a shorter one, with databases if it is not soon over without: where there is none,
    /// the first was the shortest.
    fn shorten(
        &mut self,
        quest: &mut SolveContext<Tiles>,
        settings: &Settings,
        longest: usize,
    ) -> Result<SolveOutcome<Direction>, Stopped> {
        let first = anytime::tell_first(quest, &self.guide(quest.puzzle))?;
        if let Some(first) = &first {
            quest.deepest = (first.len() as u32).saturating_sub(1);
        }
        let end = match without_databases(quest)? {
            Some(end) => end,
            None => self.with_databases(quest, settings, longest)?,
        };
        Ok(match (end, first) {
            (SolveOutcome::DepthLimit, Some(first)) => SolveOutcome::Solved(first),
            (end, _) => end,
        })
    }

    /// IDA* with databases, on boards that fit it; `auto` does without them where there is no memory for them.
    fn with_databases(
        &mut self,
        quest: &mut SolveContext<Tiles>,
        settings: &Settings,
        longest: usize,
    ) -> Result<SolveOutcome<Direction>, Stopped> {
        let databases = self.databases(quest.puzzle, settings, quest.control, quest.progress);
        let out_of_memory = match databases {
            Ok(databases) => {
                let automaton = self.automaton(quest.puzzle, longest, quest.control)?;
                let threads = settings.threads as usize;
                return database_search::solve(quest, &automaton, &databases, threads);
            }
            Err(BuildError::Stopped) => return Err(Stopped),
            Err(BuildError::OutOfMemory(out_of_memory)) => out_of_memory,
        };
        if settings.algorithm != Algorithm::Auto {
            return Ok(SolveOutcome::OutOfMemory(out_of_memory));
        }
        let trouble =
            format!("{out_of_memory}, for the pattern databases: the search does without them");
        (quest.progress)(Progress::Warning(&trouble), quest.control);
        if fits_a_word(quest.puzzle) {
            return self.with_manhattan(quest, longest);
        }
        quest.heuristic = &LinearConflict;
        idastar::solve(quest)
    }

    fn with_manhattan(
        &mut self,
        quest: &mut SolveContext<Tiles>,
        longest: usize,
    ) -> Result<SolveOutcome<Direction>, Stopped> {
        let automaton = self.automaton(quest.puzzle, longest, quest.control)?;
        ManhattanSearch::new(quest.puzzle, &automaton).solve(quest)
    }
}

/// IDA* without databases, where that takes only a moment.
fn without_databases(
    quest: &mut SolveContext<Tiles>,
) -> Result<Option<SolveOutcome<Direction>>, Stopped> {
    let (mut examined, progress) = (0, &mut *quest.progress);
    let end = quest.control.within(NODES_WITHOUT_DATABASES, |control| {
        let mut brief = SolveContext {
            deepest: quest.deepest,
            ..SolveContext::new(
                quest.puzzle,
                quest.start,
                &LinearConflict,
                control,
                progress,
            )
        };
        let end = idastar::solve(&mut brief);
        examined = brief.examined;
        end
    })?;
    quest.examined += examined;
    Ok(end)
}

/// Whether to go on with work that several threads share.
fn watch(control: &mut Control) -> impl Fn(usize, usize) -> bool + Sync {
    let control = Mutex::new(control);
    move |_, _| {
        let mut control = control.lock().unwrap_or_else(PoisonError::into_inner);
        control.poll().is_ok()
    }
}

/// A way to solve a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    /// One of the general searches.
    General,
    /// The tight IDA* with Manhattan distance, and sequences of so many moves learnt.
    Manhattan(usize),
    /// IDA* with pattern databases, likewise.
    Databases(usize),
    /// Better and better solutions, and for the proof that none is shorter sequences of so many moves learnt.
    Anytime(usize),
    /// The general IDA*.
    Idastar,
}

/// Whether the tight IDA* takes this board.
fn fits_a_word(tiles: &Tiles) -> bool {
    tiles.cell_count() <= manhattan::MAX_CELLS
}

/// Whether a search may take so long that some solution is told first.
fn is_long(tiles: &Tiles, settings: &Settings) -> bool {
    settings.algorithm == Algorithm::Auto && !fits_a_word(tiles)
}

/// Returns `true` if some solution is told before a shortest one is looked for. With a clock that is so on all boards with
/// databases: to make these takes longer than a short move has.
fn is_told_first(quest: &SolveContext<Tiles>, settings: &Settings) -> bool {
    let is_timed = settings.algorithm == Algorithm::Auto && quest.control.is_timed();
    is_timed || is_long(quest.puzzle, settings)
}

/// What the settings ask for.
fn plan(tiles: &Tiles, settings: &Settings) -> Plan {
    let cells = tiles.cell_count();
    let is_tight = fits_a_word(tiles);
    let has_databases = cells <= database_search::MAX_CELLS;
    let longest = if is_tight { LEARNT } else { LEARNT_ON_LARGE };
    match (settings.algorithm, settings.heuristic) {
        (Algorithm::Idastar, HeuristicName::Manhattan) if is_tight => Plan::Manhattan(TEXTBOOK),
        (Algorithm::Idastar, HeuristicName::PatternDatabase) if has_databases => {
            Plan::Databases(TEXTBOOK)
        }
        (Algorithm::Auto, HeuristicName::Manhattan) if is_tight => Plan::Manhattan(longest),
        (Algorithm::Auto, HeuristicName::Auto) if cells <= NEEDS_NO_DATABASE && is_tight => {
            Plan::Manhattan(longest)
        }
        (Algorithm::Auto, HeuristicName::Auto | HeuristicName::PatternDatabase)
            if has_databases =>
        {
            Plan::Databases(longest)
        }
        (Algorithm::Auto, HeuristicName::Auto) => Plan::Anytime(longest),
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
        // Those plans look the databases up themselves.
        let is_asked_for = settings.heuristic == HeuristicName::PatternDatabase
            && !matches!(plan(tiles, settings), Plan::Databases(_));
        if !is_asked_for {
            return Ok(None);
        }
        let databases = self.databases(tiles, settings, control, report)?;
        Ok(Some(databases))
    }

    fn has_tables_in(&self, tiles: &Tiles, folder: &str) -> bool {
        let there = file::patterns(Path::new(folder), &partition::pattern(tiles, Vec::new()));
        !partition::best_of(tiles, &there).is_empty()
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
            Plan::Databases(longest) => {
                if is_long(tiles, settings) {
                    self.guide(tiles);
                }
                self.databases(tiles, settings, control, report)?;
                self.automaton(tiles, longest, control)?;
            }
            Plan::Manhattan(longest) => drop(self.automaton(tiles, longest, control)?),
            Plan::Anytime(longest) => {
                self.guide(tiles);
                self.automaton(tiles, longest, control)?;
                self.lines(tiles, control)?;
            }
            Plan::General | Plan::Idastar => {}
        }
        Ok(())
    }

    fn solve(
        &mut self,
        quest: &mut SolveContext<Tiles>,
        settings: &Settings,
    ) -> Option<Result<SolveOutcome<Direction>, Stopped>> {
        Some(match plan(quest.puzzle, settings) {
            Plan::General => return None,
            Plan::Manhattan(longest) => self.with_manhattan(quest, longest),
            Plan::Databases(longest) if is_told_first(quest, settings) => {
                self.shorten(quest, settings, longest)
            }
            Plan::Databases(longest) => self.with_databases(quest, settings, longest),
            Plan::Anytime(longest) => self.improve(quest, settings, longest),
            Plan::Idastar => idastar::solve(quest),
        })
    }
}
