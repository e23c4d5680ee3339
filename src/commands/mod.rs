//! The subcommands of `puli`. Each subcommand has a module with its arguments, `Args`, and a function `run`, which
//! writes to given writers. The other modules are shared.

#![expect(
    rustdoc::invalid_html_tags,
    reason = "clap shows these docs as help, with names of values such as `<FILE>`"
)]

pub mod atlas;
#[cfg(feature = "board")]
pub mod board;
pub mod boards;
pub mod compare;
pub mod exercise;
pub mod features;
pub mod fit;
pub mod gather;
mod in_memory;
mod interrupt;
mod own_files;
pub mod play;
pub mod plot;
mod progress;
mod rule_overrides;
#[cfg(feature = "board")]
pub mod serve;
pub mod solve;
pub(crate) mod table_writer;
pub mod tables;
pub mod trace;
pub mod train;
pub mod verify;
pub mod version;

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::Path;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};

use crate::catalog;
use crate::engine::{LocatedText, Setup};
use crate::error::EngineError;
use crate::escape::{escaped, path_name};
use crate::settings::{Algorithm, name_of};

/// Returns the arguments of a subcommand, for tests.
#[cfg(test)]
fn parse_arguments<A: clap::Args>(arguments: &[&str]) -> A {
    let command = A::augment_args(Command::new("puli").no_binary_name(true));
    A::from_arg_matches(&command.get_matches_from(arguments)).unwrap()
}

/// The error that ends a subcommand.
#[derive(Debug)]
pub enum Failure {
    /// The request is invalid or cannot be completed.
    Engine(EngineError),
    /// Reading or writing failed.
    Io(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(error) => error.fmt(f),
            Self::Io(error) => f.write_str(&escaped(&error.to_string())),
        }
    }
}

impl std::error::Error for Failure {}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A clap parser for the name of a game or the path of a board file. Shells complete the names of games.
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

/// Returns the error for an algorithm that `game` does not support. The error lists the `supported` algorithms.
fn unsupported_algorithm(algorithm: Algorithm, game: &str, supported: &[Algorithm]) -> EngineError {
    let supported: Vec<String> = supported.iter().map(name_of).collect();
    let (algorithm, supported) = (name_of(&algorithm), supported.join(", "));
    EngineError::new(format!(
        "{game} has no algorithm '{algorithm}': expected {supported}"
    ))
}

/// Checks that `folder` is a folder.
fn require_folder(folder: &Path) -> Result<(), EngineError> {
    if folder.is_dir() {
        return Ok(());
    }
    let name = path_name(folder);
    Err(EngineError::new(format!("no such folder: '{name}'")))
}

/// Returns the position of `--fen`, or the start position.
fn setup(fen: Option<&String>) -> Setup {
    fen.map_or(Setup::Start, |fen| {
        Setup::Fen(LocatedText {
            offset: 0,
            text: fen.clone(),
        })
    })
}

/// Returns the position of `--fen`, or the default position of `compare` and `trace`: the start position or, in
/// 2048, whose start position is random, [`EXAMPLE_2048`].
fn example_setup(variant: &str, fen: Option<&String>) -> Setup {
    let default = (variant == "2048").then(|| EXAMPLE_2048.to_string());
    setup(fen.or(default.as_ref()))
}

/// A board of 2048 with six empty cells and the player to move.
const EXAMPLE_2048: &str = "0,0,2,0/2,4,0,0/8,16,4,0/128,64,32,2 p 1204";

/// Prefixes an error of the position in `--fen` with the name of the option.
fn fen_error(error: &EngineError) -> EngineError {
    EngineError::new(format!("--fen: {error}"))
}
