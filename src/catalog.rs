//! The list of all variants by name, and the construction of their engines. Only this module depends on both
//! games and engines.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::durable::Source;
use crate::engine::Engine;
use crate::engine::evaluators::DefaultEvaluatorFn;
use crate::engine::game::GameEngine;
use crate::engine::puzzle::PuzzleEngine;
use crate::engine::size_dispatch::SizeDispatch;
use crate::engine::stochastic::StochasticEngine;
use crate::engine::tablebases::OpenTables;
use crate::error::EngineError;
use crate::escape::path_name;
use crate::games::hunt::network::file as networks;
use crate::games::hunt::spec::BoardSpec;
use crate::games::hunt::{Board, Evaluation, Hunt, board};
use crate::games::missionaries::River;
use crate::games::mnk::{Large, Nilsson, Small};
use crate::games::tiles::Tiles;
use crate::games::tree::{NoEvaluation, Tree};
use crate::games::twenty48::Twenty48;
use crate::games::twenty48::network::Network;
use crate::games::twenty48::network::file::{self as network_file, FileKind};
use crate::pathfinding::EnginePuzzle;
use crate::rules::{Game, Stochastic};
use crate::scene::SceneProvider;
use crate::search::Tactics;
use crate::settings::{BoardFile, Settings};
use crate::solve::plan;
use crate::solve::tables::drop_phase::HuntTables;

/// Generic code for the concrete types of a variant, which an [`Engine`] hides.
pub trait Visitor {
    /// The result of a visit.
    type Output;

    /// Visits a two-player game with its evaluators. `tables` opens its tablebases; `None` if the game does not
    /// support them.
    fn game<G: Game + SceneProvider, T: Tactics<G>>(
        self,
        game: G,
        reference: T,
        default_evaluator: Option<DefaultEvaluatorFn<G, T>>,
        tables: Option<OpenTables<G>>,
    ) -> Self::Output;

    /// Visits a two-player game that has one implementation for small boards and one for large boards.
    fn two_sizes<S, L, T>(self, small: S, large: L, tactics: T) -> Self::Output
    where
        S: Game + SceneProvider,
        L: Game + SceneProvider,
        T: Tactics<S> + Tactics<L>;

    /// Visits a game with chance. `rules` has the rules without a network, and `make` loads the network of the settings.
    fn stochastic<S: Stochastic + SceneProvider>(
        self,
        rules: S,
        make: fn(&Settings) -> Result<S, EngineError>,
    ) -> Self::Output;

    /// Visits a puzzle.
    fn puzzle<P: EnginePuzzle + SceneProvider>(self, puzzle: P) -> Self::Output;
}

macro_rules! variants {
    (
        $($name:literal => |$visitor:ident| $visit:expr;)*
        aliases
        $($alias:literal => |$alias_visitor:ident| $alias_visit:expr;)*
    ) => {
        const NAMES: &[&str] = &[$($name),*];
        const ALIASES: &[&str] = &[$($alias),*];

        /// Calls the method of `visitor` for the kind of the variant `name`: `game`, `two_sizes`, `stochastic` or
        /// `puzzle`.
        ///
        /// # Errors
        /// Fails if there is no such variant.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, EngineError> {
            match named(name)? {
                $($name => {
                    let $visitor = visitor;
                    Ok($visit)
                })*
                $($alias => {
                    let $alias_visitor = visitor;
                    Ok($alias_visit)
                })*
                name => {
                    let board = board::named(name).ok_or_else(|| unknown(name))?;
                    Ok(hunt(board, visitor))
                }
            }
        }
    };
}

variants! {
    "aadu-puli" => |visitor| hunt(&board::AADU_PULI, visitor);
    "bagh-chal" => |visitor| hunt(&board::BAGH_CHAL, visitor);
    "tic-tac-toe" => |visitor| visitor.two_sizes(Small::default(), Large::new(3, 3, 3), Nilsson::Reference);
    "2048" => |visitor| visitor.stochastic(Twenty48::new(4, 4, None), twenty48);
    "tree" => |visitor| visitor.game(Tree::default(), NoEvaluation, None, None);
    "8-puzzle" => |visitor| visitor.puzzle(Tiles::new(3, 3));
    "15-puzzle" => |visitor| visitor.puzzle(Tiles::new(4, 4));
    "24-puzzle" => |visitor| visitor.puzzle(Tiles::new(5, 5));
    "missionaries" => |visitor| visitor.puzzle(River::default());
    // Aliases: the names of these variants in chess GUIs. Positions and moves use the notation of these GUIs.
    aliases
    "tictactoe" => |visitor| visitor.game(Small::default().with_chess_notation(), Nilsson::Reference, None, None);
    "gomokufreestyle" => |visitor| visitor.game(Large::new(15, 15, 5).with_chess_notation(), Nilsson::Reference, None, None);
}

/// Visits a hunt game. If the board supports tablebases, also passes the function that opens them.
fn hunt<V: Visitor>(board: &'static Board, visitor: V) -> V::Output {
    let open: OpenTables<Hunt> = |game, folder| {
        let (tables, errors) = HuntTables::open(game, folder)?;
        Ok((Arc::new(tables), errors))
    };
    let tables = plan::has_layers(board).then_some(open);
    visitor.game(
        Hunt::new(board),
        Evaluation::Reference,
        Some(default_evaluator),
        tables,
    )
}

/// Returns the default evaluator of a hunt game: the network in the file of option `EvalFile`. If the option is empty
/// or names a network of 2048, returns the built-in network of the game, or its curve if it has none.
fn default_evaluator(game: &Hunt, settings: &Settings) -> Result<Option<Evaluation>, EngineError> {
    let path = Path::new(&settings.eval_file);
    if settings.eval_file.is_empty() || is_2048_network(path) {
        return Ok(Some(Evaluation::default_evaluator(game.board)));
    }
    let network = networks::load(game.board, path).map_err(|error| eval_file_error(&error))?;
    Ok(Some(Evaluation::Network(network)))
}

/// Length of the magic number at the start of a network file.
const MAGIC_BYTES: usize = 8;

fn magic_of(path: &Path) -> io::Result<Vec<u8>> {
    let source = Source::open(path)?;
    let length = source.length().min(MAGIC_BYTES as u64) as usize;
    source.read(0, length).map_err(io::Error::other)
}

fn is_2048_network(path: &Path) -> bool {
    magic_of(path).is_ok_and(|magic| magic == FileKind::Network.magic())
}

/// Prefixes an error with the name of the option `EvalFile`.
fn eval_file_error(error: &EngineError) -> EngineError {
    EngineError::new(format!("EvalFile: {error}"))
}

/// Checks that a file holds a valid network of 2048 or of a hunt game.
///
/// # Errors
/// Fails if the file is missing, unreadable, damaged or of another kind. The error names `EvalFile` and the file.
pub fn check_network(path: &Path) -> Result<(), EngineError> {
    let rejected = |reason: String| {
        eval_file_error(&EngineError::new(format!(
            "cannot use {}: {reason}",
            path_name(path)
        )))
    };
    let magic = magic_of(path).map_err(|error| rejected(error.to_string()))?;
    if magic == FileKind::Network.magic() {
        let bytes =
            network_file::read(path, FileKind::Network).map_err(|error| eval_file_error(&error))?;
        return network_file::open(&bytes, FileKind::Network)
            .map(drop)
            .map_err(rejected);
    }
    if networks::has_magic(&magic) {
        return networks::check(path).map_err(|error| rejected(error.to_string()));
    }
    Err(rejected("not a network file of Puli".into()))
}

/// Returns 2048 on the 4×4 board with the network in `EvalFile` or the built-in network.
pub fn twenty48(settings: &Settings) -> Result<Twenty48, EngineError> {
    let network = match settings.eval_file.as_str() {
        "" => Network::shipped()?,
        path => Arc::new(Network::load(Path::new(path)).map_err(|error| eval_file_error(&error))?),
    };
    Ok(Twenty48::new(4, 4, Some(network)))
}

/// Returns the names of the main variants, which come first in lists and are all covered by the test
/// suites.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied()
}

/// Returns the names in chess GUIs of variants with another name in Puli.
pub(crate) fn aliases() -> impl Iterator<Item = &'static str> {
    ALIASES.iter().copied()
}

/// Returns the names of the hunt games defined only by board files.
fn boards() -> impl Iterator<Item = &'static str> {
    board::names().filter(|name| !NAMES.contains(name))
}

/// Returns the names of all built-in variants.
pub fn all() -> impl Iterator<Item = &'static str> {
    names().chain(boards())
}

/// Returns the names of all built-in variants, and of the variants that `settings` loads from board
/// files.
pub(crate) fn names_with(settings: &Settings) -> impl Iterator<Item = &'static str> {
    let is_new = |name: &&'static str| find(name).is_none();
    let loaded = settings.loaded_boards().map(|file| file.game);
    all().chain(loaded.filter(is_new))
}

/// Returns the built-in variant with this name, ignoring case.
pub fn find(name: &str) -> Option<&'static str> {
    let mut known = all().chain(aliases());
    known.find(|known| known.eq_ignore_ascii_case(name))
}

/// Returns the variant with this name, ignoring case, built in or loaded by `settings`.
pub(crate) fn find_with(settings: &Settings, name: &str) -> Option<&'static str> {
    let mut known = names_with(settings).chain(aliases());
    known.find(|known| known.eq_ignore_ascii_case(name))
}

/// Returns the built-in variant with this name, or an error that lists all variants.
pub fn named(name: &str) -> Result<&'static str, EngineError> {
    find(name).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> EngineError {
    EngineError::unknown("variant", name, all())
}

/// Calls the method of `visitor` for the kind of `settings.variant`, which is built in or defined by a board file.
///
/// # Errors
/// Fails if there is no such variant.
pub fn visit_selected<V: Visitor>(
    settings: &Settings,
    visitor: V,
) -> Result<V::Output, EngineError> {
    match settings.board_file() {
        Some(file) => Ok(hunt(read_board(&file.text)?, visitor)),
        None => visit(settings.variant, visitor),
    }
}

/// Builds the engine of `settings.variant` at its start position.
pub fn build(settings: &Settings) -> Result<Box<dyn Engine>, EngineError> {
    visit_selected(settings, Builder(settings))?
}

/// Builds the engine of a variant.
struct Builder<'a>(&'a Settings);

impl Visitor for Builder<'_> {
    type Output = Result<Box<dyn Engine>, EngineError>;

    fn game<G: Game + SceneProvider, T: Tactics<G>>(
        self,
        game: G,
        reference: T,
        default_evaluator: Option<DefaultEvaluatorFn<G, T>>,
        tables: Option<OpenTables<G>>,
    ) -> Self::Output {
        let engine = GameEngine::new(game, reference, default_evaluator, self.0)?;
        Ok(match tables {
            Some(open) => Box::new(engine.with_tables(open)),
            None => Box::new(engine),
        })
    }

    fn two_sizes<S, L, T>(self, small: S, large: L, tactics: T) -> Self::Output
    where
        S: Game + SceneProvider,
        L: Game + SceneProvider,
        T: Tactics<S> + Tactics<L>,
    {
        Ok(Box::new(SizeDispatch::new(small, large, tactics, self.0)?))
    }

    fn stochastic<S: Stochastic + SceneProvider>(
        self,
        _rules: S,
        make: fn(&Settings) -> Result<S, EngineError>,
    ) -> Self::Output {
        Ok(Box::new(StochasticEngine::new(make, self.0)?))
    }

    fn puzzle<P: EnginePuzzle + SceneProvider>(self, puzzle: P) -> Self::Output {
        let engine = PuzzleEngine::new(puzzle, self.0);
        Ok(Box::new(engine.with_own_estimates()?))
    }
}

/// Returns the board of a board file.
pub fn read_board(text: &str) -> Result<&'static Board, EngineError> {
    let spec = BoardSpec::read(text).map_err(|errors| EngineError::new(errors.to_string()))?;
    // Register the built-in boards first, so that `Board::of` returns a built-in board if the text repeats it.
    board::named(&spec.name);
    Board::of(spec)
}

/// Returns the board of `settings.variant`, or `None` if the variant is no hunt game.
#[cfg(feature = "board")]
pub(crate) fn board_of(settings: &Settings) -> Option<&'static Board> {
    match settings.board_file() {
        Some(file) => read_board(&file.text).ok(),
        None => board::named(settings.variant),
    }
}

/// Maximum size of a board file.
const MAX_BOARD_FILE_BYTES: u64 = 1 << 20;

/// Returns `path` itself if it is a file, or all `.txt` files of a folder in alphabetical order.
pub(crate) fn board_files(path: &Path) -> Result<Vec<PathBuf>, EngineError> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let read_error = |error| EngineError::new(format!("cannot read {}: {error}", path_name(path)));
    let entries = std::fs::read_dir(path).map_err(read_error)?;
    let files: Result<Vec<PathBuf>, _> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut files = files.map_err(read_error)?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "txt"));
    files.sort();
    if files.is_empty() {
        return Err(EngineError::new(format!(
            "no board files (*.txt) in {}",
            path_name(path)
        )));
    }
    Ok(files)
}

/// Reads a board file, or all board files of a folder. Errors name the file and, for a syntax error, its line and
/// column.
pub(crate) fn read_boards(path: &Path) -> Result<Vec<BoardFile>, EngineError> {
    let mut boards: Vec<BoardFile> = Vec::new();
    for file in board_files(path)? {
        let in_file = |error: &dyn std::fmt::Display| {
            EngineError::new(format!("{}, {error}", path_name(&file)))
        };
        let text = read_text(&file)?;
        let board = read_board(&text).map_err(|error| in_file(&error))?;
        if boards.iter().any(|other| other.game == board.name) {
            return Err(in_file(&format!(
                "game '{}' is already defined by another file",
                board.name
            )));
        }
        boards.push(BoardFile {
            game: &board.name,
            text: text.into(),
        });
    }
    Ok(boards)
}

/// Maximum number of boards in a process. Further boards sent as text are rejected, because boards are never freed.
const MAX_BOARDS: usize = 2000;

/// Reads a board file that was sent as text.
///
/// # Errors
/// Fails if the text is invalid, or if this process has read 2000 boards.
pub fn read_board_text(text: String) -> Result<BoardFile, EngineError> {
    if Board::count() >= MAX_BOARDS {
        return Err(EngineError::new(format!(
            "this process has read {MAX_BOARDS} boards: start Puli again to read more"
        )));
    }
    Ok(BoardFile {
        game: &read_board(&text)?.name,
        text: text.into(),
    })
}

/// Reads the text of a board file.
///
/// # Errors
/// Fails if `path` is not a file of text, or if the text is longer than 1 MiB.
pub fn read_text(path: &Path) -> Result<String, EngineError> {
    Source::named(path)?.text(MAX_BOARD_FILE_BYTES)
}
