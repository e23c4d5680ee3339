//! The variants by name, and the engine for each: the one place that knows both games and engines.

use super::hunt::{Hunt, board};
use crate::engine::game::GameEngine;
use crate::engine::{Engine, Settings};
use crate::error::Refusal;
use crate::rules::{Game, Notation};

/// The variant at the start.
pub const DEFAULT: &str = "aadu-puli";

/// Makes an engine.
type Build = fn(&Settings) -> Result<Box<dyn Engine>, Refusal>;

const VARIANTS: &[(&str, Build)] = &[
    ("aadu-puli", |settings| {
        game(
            Hunt {
                board: &board::AADU_PULI,
            },
            settings,
        )
    }),
    ("bagh-chal", |settings| {
        game(
            Hunt {
                board: &board::BAGH_CHAL,
            },
            settings,
        )
    }),
];

fn game<G: Game + Notation>(game: G, settings: &Settings) -> Result<Box<dyn Engine>, Refusal> {
    Ok(Box::new(GameEngine::new(game, settings)?))
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
