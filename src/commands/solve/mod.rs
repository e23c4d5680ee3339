//! `puli solve`: finds the value of every position of a game, and says who wins it.

mod exhaustive;
mod others;
mod progress_printer;
mod survey;
mod tables;

use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::{Value as Json, json};

use super::Failure;
use super::rule_overrides::RuleOverrides;
use crate::catalog;
use crate::error::EngineError;
use crate::games::hunt::{Board, Hunt, board};
use crate::rules::{Notation, Rules};
use crate::solve::bitset::layer::Scope;
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::survey::Survey;
use crate::solve::explicit::in_memory::positions;
use crate::solve::tables::drop_phase;
use crate::solve::tables::forecast::SolveForecast;
use crate::units;
use exhaustive::Task;
use others::Solving;

/// What `puli solve` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A game that `puli boards` lists, a board file, or another small game: tic-tac-toe, 8-puzzle, missionaries
    #[arg(value_name = "GAME|FILE", value_parser = super::Games, hide_possible_values = true)]
    game: String,
    /// The position to begin with, instead of the start: it may carry another size of the board, as `4 4 4 4/4/4/4 x`
    #[arg(long, conflicts_with = "out")]
    fen: Option<String>,
    /// Hold every value against those one move on, one by one, once all are found
    #[arg(long, conflicts_with = "out")]
    verify: bool,
    /// The folder of the tables; a run that was cut short goes on there. Without it the game is solved in memory alone
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    rule_overrides: RuleOverrides,
    /// A file in which a survey, as large games are solved without --out, keeps how far it has come, and in the end what it
    /// found; a run that was cut short goes on there
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "verify", "reachable", "fen"])]
    keep: Option<PathBuf>,
    /// How much of the game the tables are to hold
    #[arg(long, value_enum, default_value = "all", requires = "out")]
    phase: Phase,
    /// Solve the game with fewer goats than it has: their tables serve the whole game, too
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=63), conflicts_with = "prey")]
    goats: Option<u32>,
    /// Threads of a run that writes tables [default: as many as there are processors]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=256), requires = "out")]
    threads: Option<u32>,
    /// MiB of memory that may be used
    #[arg(long, default_value_t = 8192)]
    memory: u64,
    /// Seconds after which the movement phase or a survey is kept as far as it has come, for a run that is cut short in it
    #[arg(long, default_value_t = 120)]
    checkpoint: u64,
    /// Only positions that can arise, one by one, however many there are
    #[arg(long, conflicts_with = "out")]
    reachable: bool,
    /// Positions that are looked at once more by the rules of the game, of each side's wins, where it is solved in memory
    /// by sets of positions
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1_000_000,
        conflicts_with = "out"
    )]
    checks: u64,
    /// How to write what was found; positions are counted up to symmetry
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Games with more positions are surveyed, where they can be.
const MAX_EXPLICIT_POSITIONS: u128 = 10_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Phase {
    /// No goat in hand
    Movement,
    /// The whole game
    All,
}

/// How what was found is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// A JSON object a line: the forecast, every layer, and the verdict on the start last
    Json,
}

/// Solves a game, into tables or in memory.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let other = catalog::find(&args.game).filter(|name| board::named(name).is_none());
    if let Some(name) = other {
        return solve_other(name, args, out);
    }
    let board = args.rule_overrides.board(&args.game)?;
    let goats = args.goats.unwrap_or(board.goats);
    if goats > board.goats {
        let most = board.goats;
        return Err(
            EngineError::new(format!("{} has {most} goats, not {goats}", board.name)).into(),
        );
    }
    let placed = board.goats_placed.count_ones();
    if goats < placed {
        return Err(
            EngineError::new(format!("{placed} prey begin on the board, not {goats}")).into(),
        );
    }
    let as_many = if goats == board.goats {
        board
    } else {
        of_tables(board)?;
        board.with_goats(goats)
    };
    let Some(folder) = &args.out else {
        return in_memory(args, as_many, out);
    };
    let board = of_tables(board)?;
    tables::run(
        args,
        Scope { board, goats },
        &Hunt::new(as_many),
        folder,
        out,
    )
}

/// Without tables: all positions that can arise, one by one; or where that would take long, and sets of positions are enough
/// to tell who wins, the sets.
fn in_memory(args: &Args, board: &'static Board, out: &mut dyn Write) -> Result<(), Failure> {
    let game = Hunt::new(board);
    let one_by_one = args.reachable || args.verify || args.fen.is_some();
    if !one_by_one
        && positions(&game)? > MAX_EXPLICIT_POSITIONS
        && let Ok(survey) = Survey::new(game)
    {
        return survey::run(&survey, args, out);
    }
    refuse_to_keep(args, &board.name)?;
    let (game, start) = match &args.fen {
        Some(fen) => read(&game, fen)?,
        None => (game, game.start()),
    };
    let task = Task {
        name: board.name.clone(),
        game,
        start,
        tables: drop_phase::can_have_tables(board)
            .ok()
            .filter(|_| args.fen.is_none()),
    };
    exhaustive::run_hunt(board, &task, args, out)
}

/// Returns `refusal` with the resources that solving `tables` with `--out` takes.
fn with_advice(refusal: &EngineError, tables: &'static Board, args: &Args) -> EngineError {
    let scope = Scope {
        board: tables,
        goats: tables.goats,
    };
    let threads = args.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, NonZero::get),
        |threads| threads as usize,
    );
    let forecast = SolveForecast::new(
        &Ranking::new(tables),
        &scope,
        tables::last_hand(&scope, Phase::All),
        threads,
    );
    EngineError::new(format!(
        "{refusal}. With --out DIR it is solved into tables: about {}, {} of memory and {} on disk",
        units::duration(forecast.seconds),
        units::memory(forecast.memory.into()),
        units::memory(forecast.disk_on_the_way.into()),
    ))
    .caused_by(refusal.cause())
}

/// What is solved one by one takes minutes at the most.
fn refuse_to_keep(args: &Args, name: &str) -> Result<(), EngineError> {
    if args.keep.is_none() {
        return Ok(());
    }
    Err(EngineError::new(format!(
        "--keep: {name} is solved position by position, of which nothing is kept; only surveys of larger games are"
    )))
}

/// The positions that a solver counts.
#[derive(Clone, Copy, Debug)]
enum Counted {
    /// Those that can arise from the start.
    Reachable,
    /// The same, symmetric ones once.
    ReachableUpToSymmetry,
    /// All that the numbers of pieces allow, symmetric ones once, reachable or not.
    AllUpToSymmetry,
}

/// Returns the last line of JSON output: the value of the start, and the number of positions by their winner.
fn ending(start: &Json, counted: Counted, wins: &[(&str, u64)], neither: u64) -> Json {
    let won: u64 = wins.iter().map(|(_, positions)| positions).sum();
    let counted = match counted {
        Counted::Reachable => "reachable",
        Counted::ReachableUpToSymmetry => "reachable up to symmetry",
        Counted::AllUpToSymmetry => "all up to symmetry",
    };
    let mut told = json!({"start": start, "positions": won + neither, "counted": counted});
    for &(party, positions) in wins {
        told[party] = json!(positions);
    }
    told["neither"] = json!(neither);
    told
}

/// What `--fen` says.
fn read<N: Notation>(home: &N, fen: &str) -> Result<(N, N::Position), EngineError> {
    let read = home.read_position(fen);
    read.map_err(|misread| EngineError::new(format!("--fen: {misread}")))
}

/// The board that tables are made of.
fn of_tables(board: &'static Board) -> Result<&'static Board, EngineError> {
    drop_phase::can_have_tables(board).map_err(|refusal| {
        EngineError::new(format!(
            "{refusal}. Without --out and --goats a game is solved in memory"
        ))
    })
}

/// A game that is no hunt: it has no tables, and its rules are its position's.
fn solve_other(name: &'static str, args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    refuse_to_keep(args, name)?;
    if args.out.is_some() || args.goats.is_some() || !args.rule_overrides.is_empty() {
        return Err(EngineError::new(format!(
            "{name} is no hunt: it is solved in memory alone, and has no rules to change but those that --fen carries"
        ))
        .into());
    }
    catalog::visit(name, Solving { name, args, out })?
}
