//! `puli solve`: finds the value of every position of a game and reports the winner.

mod chance;
mod exhaustive;
mod others;
mod progress_printer;
mod survey;
mod tables;

use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use serde_json::{Value as Json, json};

use super::Failure;
use super::rule_overrides::RuleOverrides;
use crate::catalog;
use crate::error::EngineError;
use crate::games::hunt::{Board, Hunt, board};
use crate::rules::{Notation, Rules};
use crate::solve::bitset::position_list::ListStorage;
use crate::solve::plan::{self, Plan, Request};
use crate::solve::tables::drop_phase;
use crate::units;
use exhaustive::Task;
use others::SolveVisitor;
pub(super) use progress_printer::describe;

/// Arguments of `puli solve`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Game from `puli boards`, board file, or another small game: tic-tac-toe, tree, 8-puzzle, missionaries, 2048 with --fen
    #[arg(value_name = "GAME|FILE", value_parser = super::Games, hide_possible_values = true)]
    game: String,
    /// Start from position <FEN>, which may include the board's size, as in `4 4 4 4/4/4/4 x` [default: the game's
    /// start]
    #[arg(long)]
    fen: Option<String>,
    /// Verify at the end that every value follows from its successors' values
    #[arg(long, conflicts_with = "out")]
    verify: bool,
    /// Write tables to folder <DIR> and resume from existing tables [default: solve in memory, without
    /// tables]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    rule_overrides: RuleOverrides,
    /// Save the progress and the result to <FILE>, and resume from it; games with one table per layer need only --out
    /// to resume
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Solve this phase into tables
    #[arg(long, value_enum, default_value = "all", requires = "out")]
    phase: Phase,
    /// Solve with <GOATS> goats instead of the game's number; the whole game can use these tables too
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=63), conflicts_with = "prey")]
    goats: Option<u32>,
    /// Solve into tables with <THREADS> threads, 1 to 256 [default: number of processors]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=256), requires = "out")]
    threads: Option<u32>,
    /// Use at most <MEMORY> MiB of memory
    #[arg(long, default_value_t = 8192)]
    memory: u64,
    /// Keep the positions of the last plies in temporary files in folder <DIR>, which needs less memory [default: in
    /// memory]
    #[arg(long, value_name = "DIR")]
    disk: Option<PathBuf>,
    /// Save the progress of the movement phase, or to the file of --keep, every <CHECKPOINT> seconds, at most
    #[arg(long, default_value_t = 120)]
    checkpoint: u64,
    /// Solve all reachable positions one by one, regardless of their number
    #[arg(long, conflicts_with = "out")]
    reachable: bool,
    /// In a survey, check <N> random won positions of each side by the rules of the game
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1_000_000,
        conflicts_with = "out"
    )]
    checks: u64,
    /// Output format; positions are counted up to symmetry
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The part of a game to solve into tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Phase {
    /// Positions without goats in hand
    Movement,
    /// The whole game
    All,
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON object per line: the forecast, every layer, and finally the verdict on the start
    Json,
}

/// Solves a game into tables or in memory.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let other = catalog::find(&args.game).filter(|name| board::named(name).is_none());
    if let Some(name) = other {
        return solve_other(name, args, out);
    }
    let board = args.rule_overrides.board(&args.game)?;
    let goats = args.goats.unwrap_or(board.goats);
    if goats < board.goats {
        require_tables(board)?;
    }
    if args.out.is_some() && args.fen.is_some() && plan::has_layers(board) {
        return Err(EngineError::new(format!(
            "--fen: the tables of {} hold the whole game",
            board.name
        ))
        .into());
    }
    if args.out.is_some() && args.keep.is_some() && plan::has_layers(board) {
        return Err(EngineError::new(format!(
            "--keep: {} is solved into a table per layer, and resumes from the folder of --out",
            board.name
        ))
        .into());
    }
    let plan = plan::plan(&Request {
        board,
        goats,
        folder: args.out.clone(),
        is_movement_only: args.phase == Phase::Movement,
        is_explicit: args.reachable || args.verify || args.fen.is_some(),
        memory: args.memory,
        threads: threads(args),
        storage: args
            .disk
            .clone()
            .map_or(ListStorage::Memory, ListStorage::Disk),
        checkpoint: Duration::from_secs(args.checkpoint),
    })?;
    match plan {
        Plan::Tables(game, solver) => tables::run(args, &game, &solver, out),
        Plan::MovementSurvey(survey) => survey::run(&survey, args, out),
        Plan::Explicit(_) if args.disk.is_some() => Err(solved_in_memory(&board.name).into()),
        Plan::Explicit(game) => solve_hunt(args, game, out),
    }
}

/// Returns the error that option `--disk` does not apply to a game.
fn solved_in_memory(name: &str) -> EngineError {
    EngineError::new(format!(
        "--disk: {name} is solved position by position, in memory"
    ))
}

/// Returns the number of threads for tables.
fn threads(args: &Args) -> usize {
    args.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, NonZero::get),
        |threads| threads as usize,
    )
}

/// Solves a hunt game in memory, one position at a time.
fn solve_hunt(args: &Args, game: Hunt, out: &mut dyn Write) -> Result<(), Failure> {
    let board = game.board;
    let (game, start) = match &args.fen {
        Some(fen) => read(&game, fen)?,
        None => (game, game.start()),
    };
    let task = Task {
        name: board.name.clone(),
        game,
        start,
        tables: drop_phase::require_table_board(board)
            .ok()
            .filter(|_| args.fen.is_none()),
    };
    exhaustive::run_hunt(board, &task, args, out)
}

/// Appends to `error` the time, memory and disk space that `--out` would need.
fn with_advice(error: &EngineError, tables: &'static Board, args: &Args) -> EngineError {
    let forecast = plan::tables_forecast(tables, threads(args));
    EngineError::new(format!(
        "{error}. With --out DIR it is solved into tables: about {}, {} of memory and {} on disk",
        units::duration(forecast.seconds),
        units::memory(forecast.memory.into()),
        units::memory(forecast.peak_disk.into()),
    ))
    .caused_by(error.cause())
}

/// The positions counted by a solver.
#[derive(Clone, Copy, Debug)]
enum Counted {
    /// Positions reachable from the start.
    Reachable,
    /// Reachable positions up to symmetry.
    ReachableUpToSymmetry,
    /// All positions with possible numbers of pieces, up to symmetry, reachable or not.
    AllUpToSymmetry,
}

/// Returns the last line of JSON output: the value of the start, and the number of positions by winner.
fn result_line(start: &Json, counted: Counted, wins: &[(&str, u64)], neither: u64) -> Json {
    let won: u64 = wins.iter().map(|(_, positions)| positions).sum();
    let counted = match counted {
        Counted::Reachable => "reachable",
        Counted::ReachableUpToSymmetry => "reachable up to symmetry",
        Counted::AllUpToSymmetry => "all up to symmetry",
    };
    let mut line = json!({"start": start, "positions": won + neither, "counted": counted});
    for &(key, positions) in wins {
        line[key] = json!(positions);
    }
    line["neither"] = json!(neither);
    line
}

/// Parses the value of `--fen`.
fn read<N: Notation>(home: &N, fen: &str) -> Result<(N, N::Position), EngineError> {
    let read = home.read_position(fen);
    read.map_err(|misread| EngineError::new(format!("--fen: {misread}")))
}

/// Checks that this board's game supports tables.
fn require_tables(board: &'static Board) -> Result<(), EngineError> {
    drop_phase::require_table_board(board)
        .map(drop)
        .map_err(|error| {
            EngineError::new(format!(
                "{error}. Without --goats, the game is solved in memory"
            ))
        })
}

/// Solves a game other than a hunt. `--fen` is the only option that can change its rules.
fn solve_other(name: &'static str, args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    if args.goats.is_some() || !args.rule_overrides.is_empty() {
        return Err(EngineError::new(format!(
            "{name} is not a hunt game: only --fen can change its rules"
        ))
        .into());
    }
    if args.disk.is_some() {
        return Err(solved_in_memory(name).into());
    }
    catalog::visit(name, SolveVisitor { name, args, out })?
}
