//! Exact values for a two-player engine, from tablebases or from the game solved in memory.

use std::path::Path as Folder;
use std::sync::Arc;

use super::Report;
use super::memory_solver::MemorySolver;
use super::swindle::{Judge, SwindleSearch};
use crate::control::Control;
use crate::error::EngineError;
use crate::oracle::{self, Oracle, OracleQuery, RatedMove, Verdict};
use crate::path::Path;
use crate::rules::{Game, Notation, Outcome};
use crate::scene::GameInfo;
use crate::search::{PvLine, Root, SearchResult};
use crate::settings::Settings;
use crate::solve::explicit::in_memory::SolvedGame;
use crate::solve::explicit::position_table::PositionTable;
use crate::value::{Bound, Side};

/// Open tables, and the errors of unusable files.
pub(crate) type Opened<G> = (Arc<dyn Oracle<G>>, Vec<EngineError>);

/// A function that opens the tables of a game in a folder.
pub type OpenTables<G> = fn(&G, &Folder) -> Result<Opened<G>, EngineError>;

/// The tables of an engine and its game solved in memory, if they exist.
pub(crate) struct Tablebases<G: Game> {
    open: Option<OpenTables<G>>,
    tables: Option<Arc<dyn Oracle<G>>>,
    /// The open tables, if they are a single file with all positions of the game.
    positions: Option<Arc<PositionTable<G>>>,
    /// Solves small games.
    pub in_memory: MemorySolver<SolvedGame<G>>,
    /// Errors of table files, reported once by the next search.
    errors: Vec<EngineError>,
}

impl<G: Game> Default for Tablebases<G> {
    fn default() -> Self {
        Self {
            open: None,
            tables: None,
            positions: None,
            in_memory: MemorySolver::default(),
            errors: Vec::new(),
        }
    }
}

impl<G: Game + Notation> Tablebases<G> {
    /// Creates the tables of an engine. `open` opens the files.
    pub(crate) fn new(open: OpenTables<G>) -> Self {
        Self {
            open: Some(open),
            ..Self::default()
        }
    }

    /// Opens the tables in `folder`. An empty `folder` closes them.
    pub(crate) fn open_folder(&mut self, game: &G, folder: &str) {
        self.tables = None;
        self.positions = None;
        self.errors.clear();
        if folder.is_empty() {
            return;
        }
        let folder = Folder::new(folder);
        let Some(open) = self.open else {
            match PositionTable::find(folder, game) {
                Ok(table) => self.positions = table.map(Arc::new),
                Err(error) => self.errors.push(error),
            }
            let table = self.positions.clone();
            self.tables = table.map(|table| table as Arc<dyn Oracle<G>>);
            return;
        };
        match open(game, folder) {
            Ok((oracle, errors)) => {
                self.tables = Some(oracle);
                self.errors = errors;
            }
            Err(error) => self.errors.push(error),
        }
    }

    /// Returns `true` if a file contains all positions reachable from `position`. Then solving the game is
    /// unnecessary.
    pub(crate) fn hold_all_after(&self, position: &G::Position) -> bool {
        let table = self.positions.as_ref();
        table.is_some_and(|table| table.holds(position))
    }

    /// Returns `true` if the game supports tables with one file per layer. Such tables can be larger than
    /// memory.
    pub(crate) fn can_open_layers(&self) -> bool {
        self.open.is_some()
    }

    /// Returns `true` if tables are open.
    pub(crate) fn is_open(&self) -> bool {
        self.tables.is_some()
    }

    /// Returns the source of exact values for `position`: the game solved in memory if it contains the
    /// position, otherwise the tables.
    pub(crate) fn oracle(&self, position: &G::Position) -> Option<Arc<dyn Oracle<G>>> {
        match self.in_memory.solved(position) {
            Some(solved) => Some(Arc::<SolvedGame<G>>::clone(solved)),
            None => self.tables.clone(),
        }
    }

    /// Reports the errors of table files. Each error is reported once.
    pub(crate) fn report_errors(&mut self, report: &mut dyn FnMut(Report)) {
        for error in self.errors.drain(..) {
            report(Report::Error(error.to_string()));
        }
    }

    /// Returns the source of exact values for a search of `position`. Without `SolveLimit`, searches use tables only.
    pub(crate) fn search_oracle(
        &self,
        position: &G::Position,
        settings: &Settings,
    ) -> Option<Arc<dyn Oracle<G>>> {
        if settings.solve_limit > 0 {
            self.oracle(position)
        } else {
            self.tables.clone()
        }
    }

    /// Returns a function that counts the positions found in `oracle` after this call.
    pub(crate) fn hits(oracle: Option<Arc<dyn Oracle<G>>>) -> impl Fn() -> Option<u64> {
        let answers = move || oracle.as_ref().map(|oracle| oracle.hits());
        let before = answers();
        move || answers().zip(before).map(|(now, before)| now - before)
    }

    /// Returns the best lines of a root if every move has a value. A line is a move with its continuation, which
    /// ends when the time is up.
    ///
    /// # Errors
    /// If a table is damaged.
    pub(crate) fn lines(
        oracle: &dyn Oracle<G>,
        game: &G,
        root: &Root<G>,
        searched: u32,
        swindle: &mut SwindleSearch<G>,
        judge: Judge<'_, G>,
        control: &mut Control,
    ) -> Result<Option<Vec<PvLine<G::Move>>>, EngineError> {
        let mut moves = root.moves.clone();
        moves.sort_by_key(|candidate| candidate.rank);
        let moves: Vec<G::Move> = moves.iter().map(|candidate| candidate.m).collect();
        let mut query = OracleQuery::new(game, oracle, control);
        let Some(mut rating) = query.rate_moves(&root.path, &moves, searched == 1)? else {
            return Ok(None);
        };
        let side = root.side(game);
        let mut bound = Bound::Exact;
        if !rating.is_complete {
            let best = rating.moves.first().and_then(|best| best.verdict.winner());
            let is_won = best == Some(side);
            if !is_won && !query.is_over() {
                return Ok(None);
            }
            bound = Bound::Lower.seen_by(side);
            if !is_won {
                let rated = oracle::rate_without_history(game, &root.path, &moves, oracle)?;
                let best = (1..=searched).zip(rated.unwrap_or_default());
                let lines = best.map(|(rank, rated)| at_least(game, rated, rank, side));
                return Ok(Some(lines.collect()).filter(|lines: &Vec<_>| !lines.is_empty()));
            }
        }
        let first_not_drawn = rating
            .moves
            .iter()
            .position(|rated| rated.verdict != Verdict::Draw);
        let draws = first_not_drawn.unwrap_or(rating.moves.len());
        swindle.order(
            game,
            oracle,
            judge,
            &root.path,
            &mut rating.moves[..draws],
            control,
        )?;
        let mut query = OracleQuery::new(game, oracle, control);
        let best = (1..=searched).zip(&rating.moves);
        best.map(|(rank, rated)| line(game, &root.path, rated, (rank, bound), &mut query))
            .collect::<Result<Vec<_>, _>>()
            .map(Some)
    }

    /// Returns the values of the position and of its moves as lines for `d` and `eval`.
    pub(crate) fn describe(&self, game: &G, path: &Path<G>, about: &GameInfo) -> Vec<String> {
        let Some(oracle) = self.oracle(path.position()) else {
            return Vec::new();
        };
        let oracle = oracle.as_ref();
        let rated = oracle::rate_moves(game, path, &path.moves(game), oracle);
        match (oracle::value_of(game, path, oracle), rated) {
            (Ok(Some(verdict)), Ok(Some(rated))) => {
                let mut lines = vec![format!("Tables: {}", verdict_text(verdict, about))];
                lines.extend(rated.iter().map(|rated| {
                    let name = game.show_move_at(path.position(), rated.m);
                    describe_move(&name, rated, about)
                }));
                lines
            }
            (Err(error), _) | (_, Err(error)) => vec![format!("Tables: {error}")],
            _ => vec!["Tables: not known".into()],
        }
    }
}

fn describe_move<M>(name: &str, rated: &RatedMove<M>, about: &GameInfo) -> String {
    let traps = match rated.traps {
        0 => String::new(),
        traps => format!(", {:.0}% of the answers lose", f64::from(traps) / 10_000.0),
    };
    let verdict = verdict_text(rated.verdict, about);
    format!("  {name}: {verdict}{traps}")
}

/// Returns a verdict in words: `draw`, `goats win in 12 plies`, `max wins 3 points`.
fn verdict_text(verdict: Verdict, about: &GameInfo) -> String {
    verdict.describe(|winner| about.wins(winner))
}

/// Returns the line of a move whose value ignores the history. Its score is a lower bound: the history can only
/// turn a win into a repetition, and cannot lower any other value.
fn at_least<G: Game>(
    game: &G,
    rated: RatedMove<G::Move>,
    rank: u32,
    side: Side,
) -> PvLine<G::Move> {
    let verdict = match (rated.verdict, game.repetition_outcome()) {
        (Verdict::Win(winner, plies), repetition) if plies > 1 && winner == side => {
            match repetition {
                Outcome::Won(side) => Verdict::Endless(side),
                Outcome::Draw | Outcome::Points(_) => Verdict::Draw,
            }
        }
        (verdict, _) => verdict,
    };
    PvLine {
        depth: 1,
        rank,
        found: SearchResult {
            score: verdict.score(),
            bound: Bound::Lower.seen_by(side),
            line: vec![rated.m],
            leaves: 0,
        },
    }
}

/// Returns the line that starts with a move. If the game is decided, the line continues to the end of the game or
/// until the time is up. Otherwise the line is the move alone.
fn line<G: Game>(
    game: &G,
    path: &Path<G>,
    rated: &RatedMove<G::Move>,
    (rank, bound): (u32, Bound),
    query: &mut OracleQuery<'_, G>,
) -> Result<PvLine<G::Move>, EngineError> {
    let mut moves = vec![rated.m];
    if rated.verdict != Verdict::Draw {
        let mut path = path.clone();
        let child = game.play(path.position(), rated.m);
        path.push(game, child);
        query.follow(&path, &mut moves)?;
    }
    Ok(PvLine {
        depth: moves.len() as u32,
        rank,
        found: SearchResult {
            score: rated.verdict.score(),
            bound,
            line: moves,
            leaves: 0,
        },
    })
}
