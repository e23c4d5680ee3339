//! The variants by name, and the engine for each: the one place that knows both games and engines.

use std::path::Path;
use std::sync::Arc;

use crate::engine::dice::DiceEngine;
use crate::engine::game::GameEngine;
use crate::engine::puzzle::PuzzleEngine;
use crate::engine::two_sizes::TwoSizes;
use crate::engine::{Build, Engine};
use crate::error::Refusal;
use crate::games::hunt::{Board, Evaluation, Hunt, board};
use crate::games::missionaries::River;
use crate::games::mnk;
use crate::games::tiles::Tiles;
use crate::games::tree::{self, Tree};
use crate::games::twenty48::Twenty48;
use crate::games::twenty48::network::Network;
use crate::pathfinding::Solitaire;
use crate::scene::Depict;
use crate::settings::Settings;
use crate::solved::probe::Tables;

const VARIANTS: &[(&str, Build)] = &[
    ("aadu-puli", |settings| hunt(&board::AADU_PULI, settings)),
    ("bagh-chal", |settings| hunt(&board::BAGH_CHAL, settings)),
    ("tic-tac-toe", tic_tac_toe),
    ("2048", |settings| {
        Ok(Box::new(DiceEngine::new(twenty48, settings)?))
    }),
    ("tree", |settings| {
        let engine = GameEngine::new(Tree::default(), tree::Unknown, None, settings)?;
        Ok(Box::new(engine))
    }),
    ("8-puzzle", |settings| {
        Ok(puzzle(Tiles::new(3, 3), settings))
    }),
    ("15-puzzle", |settings| {
        Ok(puzzle(Tiles::new(4, 4), settings))
    }),
    ("24-puzzle", |settings| {
        Ok(puzzle(Tiles::new(5, 5), settings))
    }),
    ("missionaries", |settings| {
        Ok(puzzle(River::default(), settings))
    }),
];

fn puzzle<P: Solitaire + Depict>(puzzle: P, settings: &Settings) -> Box<dyn Engine> {
    Box::new(PuzzleEngine::new(puzzle, settings))
}

/// A hunt game, with its solved tables where there are any.
fn hunt(board: &'static Board, settings: &Settings) -> Result<Box<dyn Engine>, Refusal> {
    let champion = Evaluation::champion(board);
    let engine = GameEngine::new(Hunt::new(board), Evaluation::Tutorial, champion, settings)?;
    Ok(Box::new(engine.with_tables(|game, folder| {
        let (tables, complaints) = Tables::open(folder, game.board)?;
        Ok((Arc::new(tables), complaints))
    })))
}

/// Tic-tac-toe at the start, and any m,n,k game by FEN.
fn tic_tac_toe(settings: &Settings) -> Result<Box<dyn Engine>, Refusal> {
    let large = mnk::Large::new(3, 3, 3);
    let engine = TwoSizes::new(mnk::Small::default(), large, mnk::Nilsson, settings)?;
    Ok(Box::new(engine))
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
    VARIANTS.iter().map(|&(name, _)| name)
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
    let variant = VARIANTS.iter().find(|(name, _)| *name == settings.variant);
    let (_, build) = variant
        .ok_or_else(|| Refusal::new(format!("there is no variant '{}'", settings.variant)))?;
    build(settings)
}
