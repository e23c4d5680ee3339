//! The variants by name, and the engine for each: the one place that knows both games and engines.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::durable::Source;
use crate::engine::Engine;
use crate::engine::game::{DefaultEvaluatorFn, GameEngine};
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
use crate::solve::tables::drop_phase::DropPhaseTables;

/// Takes in a variant as what it is: for generic code that wants the types which an [`Engine`] hides.
pub trait Visitor {
    /// What comes of a visit.
    type Made;

    /// A game for two, what the textbook and, as the options say, the champion judge it by, and how its solved tables are
    /// opened.
    fn game<G: Game + SceneProvider, T: Tactics<G>>(
        self,
        game: G,
        textbook: T,
        champion: Option<DefaultEvaluatorFn<G, T>>,
        tables: Option<OpenTables<G>>,
    ) -> Self::Made;

    /// A game for two whose rules are written for two sizes.
    fn two_sizes<S, L, T>(self, small: S, large: L, tactics: T) -> Self::Made
    where
        S: Game + SceneProvider,
        L: Game + SceneProvider,
        T: Tactics<S> + Tactics<L>;

    /// A game of chance, as the options make it.
    fn dice<S: Stochastic + SceneProvider>(
        self,
        make: fn(&Settings) -> Result<S, EngineError>,
    ) -> Self::Made;

    /// A puzzle.
    fn puzzle<P: EnginePuzzle + SceneProvider>(self, puzzle: P) -> Self::Made;
}

macro_rules! variants {
    (
        $($name:literal => |$visitor:ident| $visit:expr;)*
        aliases
        $($alias:literal => |$guest:ident| $show:expr;)*
    ) => {
        const NAMES: &[&str] = &[$($name),*];
        const ALIASES: &[&str] = &[$($alias),*];

        /// Shows a visitor the variant of this name.
        ///
        /// # Errors
        /// When there is no such variant.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Result<V::Made, EngineError> {
            match named(name)? {
                $($name => {
                    let $visitor = visitor;
                    Ok($visit)
                })*
                $($alias => {
                    let $guest = visitor;
                    Ok($show)
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
    "tic-tac-toe" => |visitor| visitor.two_sizes(Small::default(), Large::new(3, 3, 3), Nilsson);
    "2048" => |visitor| visitor.dice(twenty48);
    "tree" => |visitor| visitor.game(Tree::default(), NoEvaluation, None, None);
    "8-puzzle" => |visitor| visitor.puzzle(Tiles::new(3, 3));
    "15-puzzle" => |visitor| visitor.puzzle(Tiles::new(4, 4));
    "24-puzzle" => |visitor| visitor.puzzle(Tiles::new(5, 5));
    "missionaries" => |visitor| visitor.puzzle(River::default());
    // The names that GUIs for chess have for games which have others here; their positions and moves are theirs too.
    aliases
    "tictactoe" => |visitor| visitor.game(Small::default().in_words_of_chess(), Nilsson, None, None);
    "gomokufreestyle" => |visitor| visitor.game(Large::new(15, 15, 5).in_words_of_chess(), Nilsson, None, None);
}

/// A hunt game, with its solved tables where there are any.
fn hunt<V: Visitor>(board: &'static Board, visitor: V) -> V::Made {
    let open: OpenTables<Hunt> = |game, folder| {
        let (tables, complaints) = DropPhaseTables::open(game, folder)?;
        Ok((Arc::new(tables), complaints))
    };
    let tables = board.has_tables().then_some(open);
    visitor.game(
        Hunt::new(board),
        Evaluation::Tutorial,
        Some(default_evaluator),
        tables,
    )
}

/// The evaluation of `auto` for a hunt game: by the network that `EvalFile` names, unless that is one for 2048.
fn default_evaluator(game: &Hunt, settings: &Settings) -> Result<Option<Evaluation>, EngineError> {
    let path = Path::new(&settings.eval_file);
    if settings.eval_file.is_empty() || is_of_2048(path) {
        return Ok(Evaluation::default_evaluator(game.board));
    }
    let network = networks::load(game.board, path).map_err(|why| of_eval_file(&why))?;
    Ok(Some(Evaluation::Network(network)))
}

/// The bytes that tell which kind of network a file holds.
const MAGIC_BYTES: usize = 8;

fn magic_of(path: &Path) -> io::Result<Vec<u8>> {
    let source = Source::open(path)?;
    let length = source.length().min(MAGIC_BYTES as u64) as usize;
    source.read(0, length).map_err(io::Error::other)
}

fn is_of_2048(path: &Path) -> bool {
    magic_of(path).is_ok_and(|magic| magic == FileKind::Network.magic())
}

/// Names the option whose file cannot be used.
fn of_eval_file(why: &EngineError) -> EngineError {
    EngineError::new(format!("EvalFile: {why}"))
}

/// Checks that a file holds a sound network of 2048 or of any hunt game.
///
/// # Errors
/// If the file is missing, unreadable, damaged or something else. The error names `EvalFile` and the file.
pub fn check_network(path: &Path) -> Result<(), EngineError> {
    let refuse = |why: String| {
        of_eval_file(&EngineError::new(format!(
            "cannot use {}: {why}",
            path_name(path)
        )))
    };
    let magic = magic_of(path).map_err(|error| refuse(error.to_string()))?;
    if magic == FileKind::Network.magic() {
        let bytes =
            network_file::read(path, FileKind::Network).map_err(|why| of_eval_file(&why))?;
        return network_file::open(&bytes, FileKind::Network)
            .map(drop)
            .map_err(refuse);
    }
    if networks::begins(&magic) {
        return networks::check(path).map_err(|why| refuse(why.to_string()));
    }
    Err(refuse("it is not a network file of Puli".into()))
}

/// 2048 on its full board, with the network that `EvalFile` names.
pub fn twenty48(settings: &Settings) -> Result<Twenty48, EngineError> {
    let network = match settings.eval_file.as_str() {
        "" => Network::shipped()?,
        path => Arc::new(Network::load(Path::new(path)).map_err(|why| of_eval_file(&why))?),
    };
    Ok(Twenty48::new(4, 4, Some(network)))
}

/// The names of the variants that stand first in every list, and that every suite walks.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied()
}

/// The names that some GUIs have for variants which have others here.
pub fn aliases() -> impl Iterator<Item = &'static str> {
    ALIASES.iter().copied()
}

/// The hunt games of the atlas beside those: a board file each.
fn boards() -> impl Iterator<Item = &'static str> {
    board::names().filter(|name| !NAMES.contains(name))
}

/// The names of all variants that are built in.
pub fn all() -> impl Iterator<Item = &'static str> {
    names().chain(boards())
}

/// The names of all variants, those of board files included that the settings name.
pub fn names_with(settings: &Settings) -> impl Iterator<Item = &'static str> {
    let is_new = |name: &&'static str| find(name).is_none();
    all().chain(settings.boards.iter().map(|file| file.game).filter(is_new))
}

/// The variant of this name, in any case, among those that are built in.
pub fn find(name: &str) -> Option<&'static str> {
    let mut known = all().chain(aliases());
    known.find(|known| known.eq_ignore_ascii_case(name))
}

/// The same with those of board files that the settings name.
pub fn find_with(settings: &Settings, name: &str) -> Option<&'static str> {
    let mut known = names_with(settings).chain(aliases());
    known.find(|known| known.eq_ignore_ascii_case(name))
}

/// The variant of this name, or the error that lists those there are.
pub fn named(name: &str) -> Result<&'static str, EngineError> {
    find(name).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> EngineError {
    EngineError::unknown("variant", name, all())
}

/// The engine for `settings.variant`, at its start position.
pub fn build(settings: &Settings) -> Result<Box<dyn Engine>, EngineError> {
    if let Some(file) = settings.board_file() {
        return hunt(read_board(&file.text)?, Builder(settings));
    }
    visit(settings.variant, Builder(settings))?
}

/// Makes the engine of a variant.
struct Builder<'a>(&'a Settings);

impl Visitor for Builder<'_> {
    type Made = Result<Box<dyn Engine>, EngineError>;

    fn game<G: Game + SceneProvider, T: Tactics<G>>(
        self,
        game: G,
        textbook: T,
        champion: Option<DefaultEvaluatorFn<G, T>>,
        tables: Option<OpenTables<G>>,
    ) -> Self::Made {
        let engine = GameEngine::new(game, textbook, champion, self.0)?;
        Ok(match tables {
            Some(open) => Box::new(engine.with_tables(open)),
            None => Box::new(engine),
        })
    }

    fn two_sizes<S, L, T>(self, small: S, large: L, tactics: T) -> Self::Made
    where
        S: Game + SceneProvider,
        L: Game + SceneProvider,
        T: Tactics<S> + Tactics<L>,
    {
        Ok(Box::new(SizeDispatch::new(small, large, tactics, self.0)?))
    }

    fn dice<S: Stochastic + SceneProvider>(
        self,
        make: fn(&Settings) -> Result<S, EngineError>,
    ) -> Self::Made {
        Ok(Box::new(StochasticEngine::new(make, self.0)?))
    }

    fn puzzle<P: EnginePuzzle + SceneProvider>(self, puzzle: P) -> Self::Made {
        Ok(Box::new(PuzzleEngine::new(puzzle, self.0)))
    }
}

/// The board that the text of a file describes.
pub fn read_board(text: &str) -> Result<&'static Board, EngineError> {
    let sketch = BoardSpec::read(text).map_err(|faults| EngineError::new(faults.to_string()))?;
    // One that is built in comes first: a file that has it again leads to the board that is there.
    board::named(&sketch.name);
    Board::of(sketch)
}

/// No board file has more bytes.
const MAX_BOARD_FILE_BYTES: u64 = 1 << 20;

/// A board file, or every `.txt` file of a folder in the order of their names.
pub fn board_files(path: &Path) -> Result<Vec<PathBuf>, EngineError> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let cannot = |error| EngineError::new(format!("{} cannot be read: {error}", path_name(path)));
    let entries = std::fs::read_dir(path).map_err(cannot)?;
    let files: Result<Vec<PathBuf>, _> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut files = files.map_err(cannot)?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "txt"));
    files.sort();
    if files.is_empty() {
        return Err(EngineError::new(format!(
            "there are no board files (*.txt) in {}",
            path_name(path)
        )));
    }
    Ok(files)
}

/// Reads a board file, or every one of a folder. The error names the file, and where mistakes stand their lines and columns.
pub fn read_boards(path: &Path) -> Result<Vec<BoardFile>, EngineError> {
    let mut boards: Vec<BoardFile> = Vec::new();
    for file in board_files(path)? {
        let in_file =
            |why: &dyn std::fmt::Display| EngineError::new(format!("{}, {why}", path_name(&file)));
        let text = read_text(&file)?;
        let board = read_board(&text).map_err(|refusal| in_file(&refusal))?;
        if boards.iter().any(|other| other.game == board.name) {
            return Err(in_file(&format!(
                "a second file has the game '{}'",
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

/// Reads the text of a board file.
pub fn read_text(path: &Path) -> Result<String, EngineError> {
    Source::named(path)?.text(MAX_BOARD_FILE_BYTES)
}
