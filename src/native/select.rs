//! Finds a game by its name, by the path of a board file, or by the text of a board file.

use std::path::Path;

use puli::catalog::{self, Visitor};
use puli::engine::evaluators::DefaultEvaluatorFn;
use puli::engine::tablebases::OpenTables;
use puli::error::EngineError;
use puli::escape::path_name;
use puli::pathfinding::EnginePuzzle;
use puli::rules::{Game, Stochastic};
use puli::scene::SceneProvider;
use puli::search::Tactics;
use puli::settings::Settings;

use crate::erased::{AnyGame, Shared};
use crate::kinds::{Chance, Kind, OnePlayer, RulesOf, TwoPlayer};

/// The result of building a game.
pub(crate) type Built = Result<Box<dyn AnyGame>, EngineError>;

/// Returns the settings that select a game: a variant, the path of a board file, or the text of a board file if it has several
/// lines.
pub(crate) fn by_text(text: &str) -> Result<Settings, EngineError> {
    if text.contains('\n') {
        return by_board(text.into());
    }
    let path = Path::new(text);
    if catalog::find(text).is_none() && path.is_file() {
        return by_path(path);
    }
    Ok(Settings {
        variant: catalog::named(text)?,
        ..Settings::default()
    })
}

/// Returns the settings that select the game of a board file. Errors name the file.
pub(crate) fn by_path(path: &Path) -> Result<Settings, EngineError> {
    let read = by_board(catalog::read_text(path)?);
    read.map_err(|error| EngineError::new(format!("{}, {error}", path_name(path))))
}

fn by_board(text: String) -> Result<Settings, EngineError> {
    let file = catalog::read_board_text(text)?;
    Ok(Settings {
        variant: file.game,
        board_text: Some(file),
        ..Settings::default()
    })
}

/// Builds the game that `settings` select, which starts at `fen`.
pub(crate) fn build(settings: &Settings, fen: Option<&str>) -> Built {
    catalog::visit_selected(settings, Builder(fen))?
}

/// Builds the game of a variant, with this start position.
#[derive(Clone, Copy)]
struct Builder<'a>(Option<&'a str>);

impl Builder<'_> {
    fn build<K: Kind>(self, rules: &RulesOf<K>) -> Built {
        Ok(Box::new(Shared::<K>::read(rules, self.0)?))
    }
}

impl Visitor for Builder<'_> {
    type Output = Built;

    #[inline]
    fn game<G: Game + SceneProvider, T: Tactics<G>>(
        self,
        game: G,
        _reference: T,
        _default_evaluator: Option<DefaultEvaluatorFn<G, T>>,
        _tables: Option<OpenTables<G>>,
    ) -> Built {
        self.build::<TwoPlayer<G>>(&game)
    }

    fn two_sizes<S, L, T>(self, small: S, large: L, _tactics: T) -> Built
    where
        S: Game + SceneProvider,
        L: Game + SceneProvider,
        T: Tactics<S> + Tactics<L>,
    {
        let built = self.build::<TwoPlayer<S>>(&small);
        built.or_else(|_| self.build::<TwoPlayer<L>>(&large))
    }

    fn stochastic<S: Stochastic + SceneProvider>(
        self,
        rules: S,
        _make: fn(&Settings) -> Result<S, EngineError>,
    ) -> Built {
        self.build::<Chance<S>>(&rules)
    }

    fn puzzle<P: EnginePuzzle + SceneProvider>(self, puzzle: P) -> Built {
        self.build::<OnePlayer<P>>(&puzzle)
    }
}
