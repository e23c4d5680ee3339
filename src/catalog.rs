//! The variants by name, and the engine for each: the one place that knows both games and engines.

use std::path::Path;
use std::sync::Arc;

use crate::engine::Engine;
use crate::engine::dice::DiceEngine;
use crate::engine::game::GameEngine;
use crate::engine::known::OpenTables;
use crate::engine::puzzle::PuzzleEngine;
use crate::engine::two_sizes::TwoSizes;
use crate::error::Refusal;
use crate::games::hunt::{Board, Evaluation, Hunt, board};
use crate::games::missionaries::River;
use crate::games::mnk::{Large, Nilsson, Small};
use crate::games::tiles::Tiles;
use crate::games::tree::{Tree, Unknown};
use crate::games::twenty48::Twenty48;
use crate::games::twenty48::network::Network;
use crate::pathfinding::Solitaire;
use crate::rules::{Game, Stochastic};
use crate::scene::Depict;
use crate::search::Tactics;
use crate::settings::Settings;
use crate::solved::probe::Tables;

/// Takes in a variant as what it is: for generic code that wants the types which an [`Engine`] hides.
pub trait Visitor {
    /// What comes of a visit.
    type Made;

    /// A game for two, what the textbook and the champion judge it by, and how its solved tables are opened.
    fn game<G: Game + Depict, T: Tactics<G>>(
        self,
        game: G,
        textbook: T,
        champion: Option<T>,
        tables: Option<OpenTables<G>>,
    ) -> Self::Made;

    /// A game for two whose rules are written for two sizes.
    fn two_sizes<S, L, T>(self, small: S, large: L, tactics: T) -> Self::Made
    where
        S: Game + Depict,
        L: Game + Depict,
        T: Tactics<S> + Tactics<L>;

    /// A game of chance, as the options make it.
    fn dice<S: Stochastic + Depict>(self, make: fn(&Settings) -> Result<S, Refusal>) -> Self::Made;

    /// A puzzle.
    fn puzzle<P: Solitaire + Depict>(self, puzzle: P) -> Self::Made;
}

macro_rules! variants {
    ($($name:literal => |$visitor:ident| $visit:expr;)*) => {
        const NAMES: &[&str] = &[$($name),*];

        /// Shows a visitor the variant of this name.
        ///
        /// # Errors
        /// When there is no such variant.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Result<V::Made, Refusal> {
            match named(name)? {
                $($name => {
                    let $visitor = visitor;
                    Ok($visit)
                })*
                _ => Err(Refusal::new(format!("there is no variant '{name}'"))),
            }
        }
    };
}

variants! {
    "aadu-puli" => |visitor| hunt(&board::AADU_PULI, visitor);
    "bagh-chal" => |visitor| hunt(&board::BAGH_CHAL, visitor);
    "tic-tac-toe" => |visitor| visitor.two_sizes(Small::default(), Large::new(3, 3, 3), Nilsson);
    "2048" => |visitor| visitor.dice(twenty48);
    "tree" => |visitor| visitor.game(Tree::default(), Unknown, None, None);
    "8-puzzle" => |visitor| visitor.puzzle(Tiles::new(3, 3));
    "15-puzzle" => |visitor| visitor.puzzle(Tiles::new(4, 4));
    "24-puzzle" => |visitor| visitor.puzzle(Tiles::new(5, 5));
    "missionaries" => |visitor| visitor.puzzle(River::default());
}

/// A hunt game, with its solved tables where there are any.
fn hunt<V: Visitor>(board: &'static Board, visitor: V) -> V::Made {
    let (textbook, champion) = (Evaluation::Tutorial, Evaluation::champion(board));
    let open: OpenTables<Hunt> = |game, folder| {
        let (tables, complaints) = Tables::open(folder, game.board)?;
        Ok((Arc::new(tables), complaints))
    };
    visitor.game(Hunt::new(board), textbook, champion, Some(open))
}

/// 2048 on its full board, with the network that `EvalFile` names.
pub fn twenty48(settings: &Settings) -> Result<Twenty48, Refusal> {
    let network = match settings.eval_file.as_str() {
        "" => Network::shipped()?,
        path => Arc::new(Network::load(Path::new(path))?),
    };
    Ok(Twenty48::new(4, 4, Some(network)))
}

/// The names of all variants.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied()
}

/// The variant of this name, in any case.
pub fn find(name: &str) -> Option<&'static str> {
    names().find(|known| known.eq_ignore_ascii_case(name))
}

/// The variant of this name, or the error that lists those there are.
pub fn named(name: &str) -> Result<&'static str, Refusal> {
    find(name).ok_or_else(|| {
        let known: Vec<&str> = names().collect();
        Refusal::new(format!(
            "there is no variant '{name}', only {}",
            known.join(", ")
        ))
    })
}

/// The engine for `settings.variant`, at its start position.
pub fn build(settings: &Settings) -> Result<Box<dyn Engine>, Refusal> {
    visit(settings.variant, Builder(settings))?
}

/// Makes the engine of a variant.
struct Builder<'a>(&'a Settings);

impl Visitor for Builder<'_> {
    type Made = Result<Box<dyn Engine>, Refusal>;

    fn game<G: Game + Depict, T: Tactics<G>>(
        self,
        game: G,
        textbook: T,
        champion: Option<T>,
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
        S: Game + Depict,
        L: Game + Depict,
        T: Tactics<S> + Tactics<L>,
    {
        Ok(Box::new(TwoSizes::new(small, large, tactics, self.0)?))
    }

    fn dice<S: Stochastic + Depict>(self, make: fn(&Settings) -> Result<S, Refusal>) -> Self::Made {
        Ok(Box::new(DiceEngine::new(make, self.0)?))
    }

    fn puzzle<P: Solitaire + Depict>(self, puzzle: P) -> Self::Made {
        Ok(Box::new(PuzzleEngine::new(puzzle, self.0)))
    }
}
