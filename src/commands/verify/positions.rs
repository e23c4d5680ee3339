//! `puli verify` of position tables: games in one file of `puli solve --out`.

use super::{Args, unknown_game};
use crate::catalog::{self, Visitor};
use crate::commands::progress::Progress;
use crate::durable::Source;
use crate::engine::evaluators::DefaultEvaluatorFn;
use crate::engine::tablebases::OpenTables;
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::Hunt;
use crate::pathfinding::EnginePuzzle;
use crate::rules::{Game, Notation, Stochastic};
use crate::scene::SceneProvider;
use crate::search::Tactics;
use crate::settings::Settings;
use crate::solve::explicit::expected_table::ExpectedTable;
use crate::solve::explicit::position_table::{self, Header, PositionTable};
use crate::solve::explicit::puzzle_distances::PuzzleGame;

/// Checks the table in `source`. Returns the number of checked positions.
///
/// The header names the game and its start. The board of a hunt game is the board of `--game` if it has this name,
/// otherwise a built-in board.
///
/// # Errors
/// If the game is unknown, or the file is damaged or inconsistent.
pub(super) fn check(source: Source, args: &Args, progress: &Progress) -> Result<u64, EngineError> {
    let header = Header::read(&source)?;
    let name = header.variant.clone();
    let board = args.board_named(&name)?;
    let check = TableCheck {
        source,
        header,
        args,
        progress,
    };
    if let Some(board) = board {
        return check.run(&Hunt::new(board));
    }
    if catalog::find(&name).is_none() {
        return Err(unknown_game("table", check.source.path(), &name));
    }
    catalog::visit(&name, check)?
}

/// A table to check for a known game.
struct TableCheck<'a> {
    source: Source,
    header: Header,
    args: &'a Args,
    progress: &'a Progress,
}

impl TableCheck<'_> {
    fn run<G: Game + Notation>(self, game: &G) -> Result<u64, EngineError> {
        self.expect_path(game)?;
        let table = PositionTable::open(self.source, game)?;
        let name = &self.header.variant;
        let mut watch = |checked| self.progress.note(format!("{name}: {checked} values"));
        table.check(self.args.positions, self.args.seed, &mut watch)
    }

    /// Returns an error if the engine does not expect the game's table under the name of this file.
    fn expect_path<N: Notation>(&self, game: &N) -> Result<(), EngineError> {
        let path = self.source.path();
        let expected = position_table::path(&self.args.folder, game);
        let Some(expected) = expected.filter(|expected| expected != path) else {
            return Ok(());
        };
        Err(EngineError::new(format!(
            "table {} must have the name of its game: {}",
            path_name(path),
            path_name(&expected)
        )))
    }

    /// Returns the game of the start in the notation of `home`.
    fn game_of<N: Notation>(&self, home: &N) -> Result<N, EngineError> {
        let read = home.read_position(&self.header.start);
        let (game, _) = read.map_err(|error| {
            let path = path_name(self.source.path());
            EngineError::new(format!("table {path} has an invalid start: {error}"))
        })?;
        Ok(game)
    }

    /// Checks the table of the game of the start in the notation of `home`.
    fn run_from<G: Game + Notation>(self, home: &G) -> Result<u64, EngineError> {
        let game = self.game_of(home)?;
        self.run(&game)
    }
}

impl Visitor for TableCheck<'_> {
    type Output = Result<u64, EngineError>;

    fn game<G: Game + SceneProvider, T: Tactics<G>>(
        self,
        game: G,
        _reference: T,
        _default_evaluator: Option<DefaultEvaluatorFn<G, T>>,
        _tables: Option<OpenTables<G>>,
    ) -> Self::Output {
        self.run_from(&game)
    }

    fn two_sizes<S, L, T>(self, small: S, large: L, _tactics: T) -> Self::Output
    where
        S: Game + SceneProvider,
        L: Game + SceneProvider,
        T: Tactics<S> + Tactics<L>,
    {
        if small.read_position(&self.header.start).is_ok() {
            return self.run_from(&small);
        }
        self.run_from(&large)
    }

    fn stochastic<S: Stochastic + SceneProvider>(
        self,
        rules: S,
        _make: fn(&Settings) -> Result<S, EngineError>,
    ) -> Self::Output {
        let game = self.game_of(&rules)?;
        self.expect_path(&game)?;
        let table = ExpectedTable::open(self.source, &game)?;
        let name = &self.header.variant;
        let mut watch = |checked| self.progress.note(format!("{name}: {checked} values"));
        table.check(self.args.positions, self.args.seed, &mut watch)
    }

    fn puzzle<P: EnginePuzzle + SceneProvider>(self, puzzle: P) -> Self::Output {
        self.run_from(&PuzzleGame(puzzle))
    }
}
