//! The subcommands of the program, one file each: their arguments and what they do. They print to what they are given.

pub mod atlas;
#[cfg(feature = "board")]
pub mod board;
pub mod boards;
pub mod compare;
pub mod fit;
pub mod gather;
mod in_memory;
mod interrupt;
pub mod play;
pub mod plot;
mod progress;
mod rule_overrides;
pub mod solve;
pub mod table_writer;
pub mod tables;
pub mod trace;
pub mod train;
pub mod verify;

use std::ffi::OsStr;
use std::fmt;
use std::io;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};

use crate::catalog;
use crate::engine::{Setup, Spanned};
use crate::error::EngineError;
use crate::escape::escaped;
use crate::settings::{Algorithm, name_of};

/// Why a subcommand could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// It was asked for something that cannot be done.
    Refused(EngineError),
    /// Its output, or a file, failed.
    Output(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Output(error) => f.write_str(&escaped(&error.to_string())),
        }
    }
}

impl std::error::Error for Failure {}

impl From<EngineError> for Failure {
    fn from(refusal: EngineError) -> Self {
        Self::Refused(refusal)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Reads the name of a game, or of a board file. The shells complete the names of the games.
#[derive(Clone, Copy, Debug)]
pub struct Games;

impl TypedValueParser for Games {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(catalog::all().map(PossibleValue::new)))
    }
}

/// The refusal of an algorithm by a game that has others.
fn is_not_for(algorithm: Algorithm, game: &str, known: &[Algorithm]) -> EngineError {
    let known: Vec<String> = known.iter().map(name_of).collect();
    let (algorithm, known) = (name_of(&algorithm), known.join(", "));
    EngineError::new(format!("{algorithm} is not for {game}, which has {known}"))
}

/// The position that `--fen` gives, or where the game begins.
fn setup(fen: Option<&String>) -> Setup {
    fen.map_or(Setup::Start, |fen| {
        Setup::Fen(Spanned {
            offset: 0,
            text: fen.clone(),
        })
    })
}

/// Returns the position of a lesson without `--fen`: the start position, except in 2048, whose empty start has no choice.
fn lesson(variant: &str, fen: Option<&String>) -> Setup {
    let board = (variant == "2048").then(|| LESSON_2048.to_string());
    setup(fen.or(board.as_ref()))
}

/// A board of 2048 with six empty cells, on which the player moves.
const LESSON_2048: &str = "0,0,2,0/2,4,0,0/8,16,4,0/128,64,32,2 p 1204";

/// A refusal of a position as somebody reads it who gave it with `--fen`.
fn of_fen(refusal: &EngineError) -> EngineError {
    EngineError::new(format!("--fen: {refusal}"))
}
