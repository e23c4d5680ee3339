//! `puli compare`: a table that compares search algorithms on one position of a game, or on positions of a puzzle. Each
//! row appears as soon as its search has finished.

mod averages;
mod games;
mod instances;
mod puzzle_row;
mod puzzles;

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;

use super::own_files::OwnFiles;
use super::plot::{self, Kind};
use super::table_writer::{self, Column, Format};
use super::{Failure, unsupported_algorithm};
use crate::error::EngineError;
use crate::settings::{Algorithm, DEFAULT_VARIANT, HASH, HeuristicName, MoveOrder, Settings};

/// The arguments of `puli compare`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_long_help = COLUMNS_HELP)]
pub struct Args {
    /// Search the game <GAME> or the game of the board file <FILE>
    #[arg(long, value_name = "GAME|FILE", default_value = DEFAULT_VARIANT, value_parser = super::Games, hide_possible_values = true)]
    variant: String,
    /// Search the position <FEN>, as in `position fen` [default: the start position; in 2048 a board with six empty
    /// cells; for puzzles that start solved, 16 random moves from the goal]
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Games: search to a depth of <PLIES> plies [default: 6, or no limit with --movetime]. Puzzles: find solutions
    /// of at most <PLIES> moves [default: no limit]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=255))]
    pub depth: Option<u32>,
    /// Stop each search after <MS> milliseconds, not counting the setup of databases [default: no limit for games,
    /// 10000 for puzzles]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(i64).range(0..))]
    pub movetime: Option<i64>,
    /// Games: let the textbook searches try the moves of a node in this order [default: full]
    #[arg(long, value_enum)]
    ordering: Option<MoveOrder>,
    /// Games: use a transposition table of <MIB> MiB per search
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(HASH))]
    hash: u64,
    /// Puzzles: search each position of <FILE>. A line is a position as in --fen, or a name, a tab and the tiles of a
    /// square board row by row, separated by spaces. '#' starts a comment
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    pub suite: Option<PathBuf>,
    /// Puzzles: search the random position with seed <SEED>
    #[arg(long, value_name = "SEED", conflicts_with_all = ["fen", "suite"])]
    pub seed: Option<u64>,
    /// Puzzles: search <N> random positions, and print averages. Their seeds are --seed (default 1) and the next ones
    #[arg(long, value_name = "N", conflicts_with_all = ["fen", "suite"], value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub random: Option<u64>,
    /// With --random: make each position by <MOVES> random moves from the goal [default: any solvable position]
    #[arg(long, value_name = "MOVES", requires = "random", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub moves: Option<u32>,
    /// Games: show in a table the nodes and leaves of the last iteration, of all iterations, or both
    #[arg(long, value_enum)]
    counts: Option<CountedIterations>,
    /// Run only <ALGORITHM>; may be repeated [default: all; with --suite auto]
    #[arg(long = "algorithm", value_name = "ALGORITHM", value_enum)]
    pub algorithms: Vec<Algorithm>,
    /// Puzzles: use only the heuristic <HEURISTIC>; may be repeated [default: all but zero and auto]
    #[arg(long = "heuristic", value_name = "HEURISTIC", value_enum)]
    pub heuristics: Vec<HeuristicName>,
    #[command(flatten)]
    own_files: OwnFiles,
    /// Games: print a row for each depth, not only for the last
    #[arg(long)]
    pub(crate) each_depth: bool,
    /// Write the result in this format. A terminal table is at most 80 characters wide and omits columns that do not
    /// fit; the other formats have every column
    #[arg(
        long = "format",
        value_name = "FORMAT",
        value_enum,
        default_value = "table"
    )]
    format: OutputFormat,
    /// Show all columns of a terminal table, however wide
    #[arg(long)]
    pub wide: bool,
}

/// The meaning of the columns, for `--help`.
pub(crate) const COLUMNS_HELP: &str = "\
Columns for games:
  nodes         positions visited in all iterations
  nodes_last    positions visited in the last finished iteration
  leaves        positions evaluated or game over, in the last finished iteration
  leaves_total  positions evaluated or game over, in all finished iterations
  time_ms       time of all iterations
  score         for the side to move (in 2048: points still to come)
  unit          the unit of score
Only reference searches count leaves. nodes and time_ms include the iteration
that the time limit stopped.

Columns for puzzles:
  optimal       yes: proved shortest; no: an earlier row has a shorter solution;
                not proved: neither (JSON: true, false, null)
  examined      nodes expanded
  generated     nodes generated
  specialized   yes: a solver for this puzzle only, whose time is not comparable
                with that of a general search (* marks the time in a table)
  b_star        effective branching factor b: a search that generates
                1 + b + ... + b^d nodes for a solution of d moves has factor b

Columns with --random; all but puzzles and solved are of the solved puzzles:
  puzzles, solved  numbers of puzzles
  optimal          puzzles whose solution is proved shortest
  steps            mean length of the solutions
  generated        mean number of nodes generated
  plus_minus       half the width of the 95% interval of that mean
  median           median number of nodes generated
  b_star           mean effective branching factor
  time_ms          mean time";

/// Hides the columns named in `droppable`, in this order, until the table fits into 80 characters.
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

/// The iterations whose nodes and leaves are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CountedIterations {
    /// The last iteration
    Last,
    /// The sum of all iterations
    All,
    /// Both
    Both,
}

impl CountedIterations {
    /// Returns `true` if the column `name` of a game is shown.
    fn shows(self, name: &str) -> bool {
        match name {
            "nodes" | "leaves_total" => self != Self::Last,
            "nodes_last" | "leaves" => self != Self::All,
            _ => true,
        }
    }
}

/// The format of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// Aligned columns for a terminal
    Table,
    /// Markdown
    Markdown,
    /// Comma-separated values with a header line (RFC 4180)
    Csv,
    /// A JSON array of objects
    Json,
    /// A chart of the nodes, as `puli plot` draws it
    Svg,
}

/// Compares the algorithms of the variant and, for a puzzle, its heuristics. Writes the table to `out` and progress to
/// `progress`.
pub fn run(args: &Args, out: &mut dyn Write, progress: &mut dyn Write) -> Result<(), Failure> {
    let mut settings = Settings::default();
    settings.choose_game(&args.variant)?;
    let is_puzzle = args.own_files.build(&mut settings)?.is_puzzle();
    let write = if is_puzzle { puzzles::run } else { games::run };
    let format = match args.format {
        OutputFormat::Table => Format::Table,
        OutputFormat::Markdown => Format::Markdown,
        OutputFormat::Csv => Format::Csv,
        OutputFormat::Json => Format::Json,
        OutputFormat::Svg => return draw(args, &settings, is_puzzle, out, progress),
    };
    write(args, &settings, format, out, progress)
}

/// Compares the algorithms and draws the chart of `puli plot` for the table.
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
    let (kind, subject) = if is_puzzle {
        (Kind::Heuristics, "nodes by algorithm and heuristic")
    } else {
        (Kind::Nodes, "nodes to each depth")
    };
    let title = format!("{}: {subject}", settings.variant);
    let picture = plot::draw_text(kind, &String::from_utf8_lossy(&rows), &title)?;
    Ok(out.write_all(picture.as_bytes())?)
}

/// Returns the algorithms of `--algorithm`, or all `supported` algorithms without this option.
///
/// # Errors
/// If `variant` does not support a given algorithm.
fn algorithms(
    args: &Args,
    variant: &str,
    supported: &'static [Algorithm],
) -> Result<Vec<Algorithm>, EngineError> {
    if args.algorithms.is_empty() {
        return Ok(supported.to_vec());
    }
    let is_unsupported = |algorithm: &&Algorithm| !supported.contains(algorithm);
    match args.algorithms.iter().find(is_unsupported) {
        Some(&algorithm) => Err(unsupported_algorithm(algorithm, variant, supported)),
        None => Ok(args.algorithms.clone()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn agrees_on_value_of_start_position() {
        let args = Args {
            variant: "aadu-puli".into(),
            fen: None,
            depth: Some(4),
            movetime: None,
            ordering: None,
            hash: 1,
            suite: None,
            seed: None,
            random: None,
            moves: None,
            counts: None,
            algorithms: Vec::new(),
            heuristics: Vec::new(),
            own_files: OwnFiles::default(),
            each_depth: false,
            format: OutputFormat::Json,
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
