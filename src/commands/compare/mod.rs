//! `puli compare`: the table of algorithms for one position, or for many puzzles, a line as each search finishes.

mod games;
mod instances;
mod puzzles;

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;

use super::plot::{self, Kind};
use super::table_writer::{self, Column, Format};
use super::{Failure, unsupported_algorithm};
use crate::catalog;
use crate::error::EngineError;
use crate::settings::{Algorithm, DEFAULT_VARIANT, HASH, HeuristicName, Settings};

/// What `puli compare` takes.
#[derive(Clone, Debug, clap::Args)]
#[command(after_long_help = COLUMNS_HELP)]
pub struct Args {
    /// Game, puzzle or board file
    #[arg(long, value_name = "GAME|FILE", default_value = DEFAULT_VARIANT, value_parser = super::Games, hide_possible_values = true)]
    variant: String,
    /// Position, as `position fen` reads it [default: the start position; in 2048 a board with six empty cells; for puzzles
    /// that start solved, 16 random moves from the goal]
    #[arg(long)]
    pub fen: Option<String>,
    /// Games: plies of the last iteration [default: 6, or no limit with --movetime]. Puzzles: the longest solution to
    /// look for [default: no limit]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=255))]
    pub depth: Option<u32>,
    /// Milliseconds for every search; what is made once for all searches, as databases, does not count [default: no limit for
    /// games, 10000 for puzzles]
    #[arg(long, value_parser = clap::value_parser!(i64).range(0..))]
    pub movetime: Option<i64>,
    /// MiB for every transposition table of a game's search
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(HASH))]
    hash: u64,
    /// Puzzles: compare on every position of this file. A line is a position as --fen reads it, named by its line number; or a
    /// name, a tab, and the tiles of a square board row by row with spaces between them. '#' begins a comment
    #[arg(long, conflicts_with = "fen")]
    pub suite: Option<PathBuf>,
    /// Puzzles: compare on the random position of this seed
    #[arg(long, conflicts_with_all = ["fen", "suite"])]
    pub seed: Option<u64>,
    /// Only this algorithm; may be repeated [default: all; with --suite auto]
    #[arg(long = "algorithm", value_enum)]
    pub algorithms: Vec<Algorithm>,
    /// Puzzles: only this estimate; may be repeated [default: all but zero and auto]
    #[arg(long = "heuristic", value_enum)]
    pub heuristics: Vec<HeuristicName>,
    /// Games: a row for every depth, not only for the last
    #[arg(long)]
    pub each_depth: bool,
    /// How to write the table. A table for a terminal is at most 80 characters wide and omits columns that do not fit;
    /// the other formats have every column
    #[arg(long = "format", value_enum, default_value = "table")]
    form: Form,
    /// Show all columns of the table, however wide it is
    #[arg(long)]
    pub wide: bool,
}

/// What the columns mean, below the options of `--help`.
pub const COLUMNS_HELP: &str = "\
Columns for games:
  nodes         positions visited in all iterations together
  nodes_last    positions visited in the last finished iteration
  leaves        positions evaluated or found decided in the last finished iteration
  leaves_total  the same in all finished iterations together
  time_ms       time of all iterations
  score         for the side to move (in 2048 points still to be made); unit says what it counts
Only textbook searches count leaves. nodes and time_ms include an iteration that the time ended.

Columns for puzzles:
  optimal       yes: proved to be shortest; no: an earlier row has a shorter solution;
                not proved: neither (JSON: true, false, null)
  examined      positions whose successors were made
  generated     positions made
  specialized   yes: a search made for this puzzle alone, so do not compare its time with that
                of a general search (the table marks the time with *)";

/// Hides columns of a table in the order of `droppable` until it fits.
fn fit(columns: &mut [Column], droppable: &[&str]) {
    for name in droppable {
        if table_writer::width(columns) <= table_writer::MAX_WIDTH {
            return;
        }
        for column in columns.iter_mut().filter(|column| column.name == *name) {
            column.is_shown = false;
        }
    }
}

/// How a comparison is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Columns for a terminal
    Table,
    /// Markdown
    Markdown,
    /// Comma-separated values with a header line (RFC 4180)
    Csv,
    /// An array of objects
    Json,
    /// A picture of the nodes, as `puli plot` draws it
    Svg,
}

/// Compares what the variant has: algorithms, and for puzzles estimates too. Progress goes to `progress`.
pub fn run(args: &Args, out: &mut dyn Write, progress: &mut dyn Write) -> Result<(), Failure> {
    let mut settings = Settings::default();
    settings.choose_game(&args.variant)?;
    let is_puzzle = catalog::build(&settings)?.is_puzzle();
    let write = if is_puzzle { puzzles::run } else { games::run };
    let format = match args.form {
        Form::Table => Format::Table,
        Form::Markdown => Format::Markdown,
        Form::Csv => Format::Csv,
        Form::Json => Format::Json,
        Form::Svg => return draw(args, &settings, is_puzzle, out, progress),
    };
    write(args, &settings, format, out, progress)
}

/// The picture that `puli plot` makes of all that the table would say.
fn draw(
    args: &Args,
    settings: &Settings,
    is_puzzle: bool,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> Result<(), Failure> {
    let mut rows = Vec::new();
    if is_puzzle {
        puzzles::run(args, settings, Format::Json, &mut rows, progress)?;
    } else {
        let args = Args {
            each_depth: true,
            ..args.clone()
        };
        games::run(&args, settings, Format::Json, &mut rows, progress)?;
    }
    let (kind, what) = if is_puzzle {
        (Kind::Heuristics, "nodes by algorithm and heuristic")
    } else {
        (Kind::Nodes, "nodes to each depth")
    };
    let title = format!("{}: {what}", settings.variant);
    let picture = plot::drawn(kind, &String::from_utf8_lossy(&rows), &title)?;
    Ok(out.write_all(picture.as_bytes())?)
}

/// Of those that there are, the algorithms asked for, or all.
fn algorithms(
    args: &Args,
    variant: &str,
    known: &'static [Algorithm],
) -> Result<Vec<Algorithm>, EngineError> {
    if args.algorithms.is_empty() {
        return Ok(known.to_vec());
    }
    let stranger = args
        .algorithms
        .iter()
        .find(|searched| !known.contains(searched));
    match stranger {
        Some(&stranger) => Err(unsupported_algorithm(stranger, variant, known)),
        None => Ok(args.algorithms.clone()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_algorithm_finds_the_value_of_the_tutorials_start() {
        let args = Args {
            variant: "aadu-puli".into(),
            fen: None,
            depth: Some(4),
            movetime: None,
            hash: 1,
            suite: None,
            seed: None,
            algorithms: Vec::new(),
            heuristics: Vec::new(),
            each_depth: false,
            form: Form::Json,
            wide: false,
        };
        let mut out = Vec::new();
        run(&args, &mut out, &mut std::io::sink()).unwrap();
        let rows: Vec<Value> = serde_json::from_slice(&out).unwrap();
        let exact: Vec<&Value> = rows
            .iter()
            .filter(|row| !["expectimax", "auto"].contains(&row["algorithm"].as_str().unwrap()))
            .collect();
        assert_eq!(exact.len(), 8);
        for row in exact {
            assert_eq!(row["score"], 49, "{row}");
        }
    }
}
