//! `puli solve` without tables: all reachable positions, in memory.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::{Args, Counted, Format, result_line, with_advice};
use crate::commands::progress::Progress;
use crate::commands::{Failure, in_memory};
use crate::durable::{self, PathLock};
use crate::error::{Cause, EngineError};
use crate::escape::path_name;
use crate::games::hunt::{Board, Hunt};
use crate::protocol::values;
use crate::rules::{Game, Notation};
use crate::solve::explicit::in_memory::{InMemoryForecast, Precision, Saver, SolvedGame, wins};
use crate::solve::explicit::position_table;
use crate::solve::explicit::solution::InMemoryPlan;
use crate::units;
use crate::value::Side;

/// A game to solve.
pub(super) struct Task<G: Game> {
    /// The displayed name.
    pub name: String,
    /// The game.
    pub game: G,
    /// The first position.
    pub start: G::Position,
    /// The board to suggest for `--out` if memory is too small, or `None` if the game does not support
    /// tables.
    pub tables: Option<&'static Board>,
}

/// A side, with its text and JSON names.
pub(crate) struct SideNames {
    /// The side.
    pub side: Side,
    /// The text for a win: `goats win`.
    pub wins: String,
    /// The JSON key: `prey`.
    pub key: &'static str,
}

/// Solves a hunt and reports the winner.
pub(crate) fn run_hunt(
    board: &'static Board,
    task: &Task<Hunt>,
    args: &Args,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let names = |are_prey, key| SideNames {
        side: if are_prey {
            board.goats_side
        } else {
            board.tigers_side()
        },
        wins: wins(board, are_prey),
        key,
    };
    run(
        task,
        &[names(true, "prey"), names(false, "hunters")],
        args,
        out,
    )
}

/// Solves a two-player game and reports the winner.
pub(super) fn run<G: Game + Notation>(
    task: &Task<G>,
    sides: &[SideNames; 2],
    args: &Args,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let solved_game = solve(task, args, out)?;
    Ok(if args.format == Format::Json {
        writeln!(out, "{}", as_json(&solved_game, sides))
    } else {
        print_result(task, &solved_game, sides, args, out)
    }?)
}

/// Reports the forecast, then solves the game if it fits into memory.
pub(super) fn solve<G: Game + Notation>(
    task: &Task<G>,
    args: &Args,
    out: &mut dyn Write,
) -> Result<SolvedGame<G>, Failure> {
    let table = Table::requested(args, &task.name, &task.game, task.start)?;
    let plan = InMemoryPlan::new(&task.game, task.start, args.memory)?;
    print_forecast(&task.name, &plan.forecast, args.format == Format::Json, out)?;
    let _lock = args.keep.as_deref().map(PathLock::on_file).transpose()?;
    let mut saver = args.keep.as_deref().map(|path| saver(path, task, args));
    let solved_game = in_memory::solve(&task.name, &plan, saver.as_mut());
    let solved_game: SolvedGame<G> = solved_game.map_err(|error| match task.tables {
        _ if error.cause() != Cause::Work && saver.is_some() => EngineError::new(format!(
            "{error}; the file is unchanged: move it away to solve the game from the start"
        )),
        Some(tables) => with_advice(&error, tables, args),
        None => error,
    })?;
    if args.verify {
        verify(task, &solved_game)?;
    }
    if let Some(table) = table {
        let written = position_table::write(&table.path, &task.name, &solved_game)?;
        table.report(written, args.format == Format::Json, out)?;
    }
    Ok(solved_game)
}

/// Returns the saver to the file of `--keep`.
fn saver<G: Game + Notation>(path: &Path, task: &Task<G>, args: &Args) -> Saver {
    let identity = format!(
        "{}\nfrom {}",
        task.game.identity().unwrap_or_else(|| task.name.clone()),
        task.game.show_position(&task.start)
    );
    Saver::new(path, Duration::from_secs(args.checkpoint), &identity)
}

/// The file for the values of a game. Its folder is locked.
pub(super) struct Table {
    pub path: PathBuf,
    _lock: PathLock,
}

impl Table {
    /// Checks that the file of `--out` can be written. Returns `None` without `--out`.
    pub(super) fn requested<N: Notation>(
        args: &Args,
        name: &str,
        game: &N,
        start: N::Position,
    ) -> Result<Option<Self>, EngineError> {
        let Some(folder) = args.out.as_deref() else {
            return Ok(None);
        };
        let path = position_table::path(folder, game)
            .ok_or_else(|| EngineError::new(format!("--out: {name} has no tables")))?;
        let home = game.start();
        if start != home {
            return Err(EngineError::new(format!(
                "--out: a table holds a whole game, so --fen must set its start, '{}'",
                game.show_position(&home)
            )));
        }
        let lock = durable::prepare_folder(folder, &position_table::FILE_KINDS)?;
        durable::check_writable(&path)?;
        Ok(Some(Self { path, _lock: lock }))
    }

    /// Reports the number of positions and the size of the written file in bytes.
    pub(super) fn report(
        &self,
        (positions, bytes): (u64, u64),
        is_json: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let name = path_name(&self.path);
        if is_json {
            let line = json!({"table": {"file": name, "positions": positions, "bytes": bytes}});
            return writeln!(out, "{line}");
        }
        writeln!(out, "{name} written: {positions} positions, {bytes} bytes")
    }
}

/// Verifies that every value follows from its successors' values.
fn verify<G: Game + Notation>(
    task: &Task<G>,
    solved_game: &SolvedGame<G>,
) -> Result<(), EngineError> {
    let progress = Progress::new(solved_game.len() as u64, "positions verified");
    let mistake = solved_game.find_mismatch(&mut |number| progress.set(number));
    expect_consistent(&task.game, mistake)
}

/// Returns an error if the value of a position does not follow from its successors' values.
pub(super) fn expect_consistent<N: Notation>(
    game: &N,
    mismatch: Option<&N::Position>,
) -> Result<(), EngineError> {
    mismatch.map_or(Ok(()), |position| {
        Err(EngineError::failed(format!(
            "the value of {} does not follow from its successors' values",
            game.show_position(position)
        )))
    })
}

/// Prints the forecast of positions, time and memory.
pub(super) fn print_forecast(
    name: &str,
    forecast: &InMemoryForecast,
    is_json: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    if is_json {
        let mib = forecast.memory.div_ceil(1 << 20);
        let precision = match forecast.precision {
            Precision::Exact => "exact",
            Precision::AtMost => "at most",
            Precision::About => "about",
        };
        let line = json!({"forecast": {
            "game": name,
            "positions": u64::try_from(forecast.positions).unwrap_or(u64::MAX),
            "precision": precision,
            "seconds": forecast.seconds.ceil(),
            "memory_mib": u64::try_from(mib).unwrap_or(u64::MAX),
        }});
        writeln!(out, "{line}")?;
    } else if forecast.exceeds_max_count() {
        writeln!(out, "{name}: {}", forecast.count())?;
    } else {
        writeln!(
            out,
            "{name}: {}, expected: {} and {} of memory",
            forecast.count(),
            units::duration(forecast.seconds),
            units::memory(forecast.memory)
        )?;
    }
    out.flush()
}

/// Returns the last line of JSON output: the value of the start, and the number of positions by winner.
pub(crate) fn as_json<G: Game>(solved_game: &SolvedGame<G>, sides: &[SideNames]) -> Json {
    let (count, start) = (solved_game.count(), solved_game.start());
    let winner = start.winner().and_then(|winner| {
        let won = sides.iter().find(|names| names.side == winner);
        won.map(|names| names.key)
    });
    let wins = sides.iter();
    let wins: Vec<_> = wins
        .map(|names| (names.key, count.wins[names.side as usize]))
        .collect();
    let points = start.points();
    let mut start = json!({"winner": winner, "plies": start.plies()});
    if let Some(points) = points {
        start["points"] = values::number(points);
    }
    let counted = if solved_game.is_folded() {
        Counted::ReachableUpToSymmetry
    } else {
        Counted::Reachable
    };
    result_line(&start, counted, &wins, count.draws)
}

fn print_result<G: Game + Notation>(
    task: &Task<G>,
    solved_game: &SolvedGame<G>,
    sides: &[SideNames; 2],
    args: &Args,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (count, start) = (solved_game.count(), solved_game.start());
    let won = sides.each_ref().map(|names| {
        let (wins, side) = (&names.wins, names.side as usize);
        if start.points().is_some() {
            return format!("{wins} {}", count.wins[side]);
        }
        format!(
            "{wins} {} (longest {})",
            count.wins[side], count.longest[side]
        )
    });
    writeln!(
        out,
        "{} reachable positions{}: {}, {}, neither {}",
        count.positions(),
        if solved_game.is_folded() {
            " up to symmetry"
        } else {
            ""
        },
        won[0],
        won[1],
        count.draws
    )?;
    print_summary(task, solved_game, args, out)?;
    let wins = |side| {
        let names = sides.iter().find(|names| names.side == side);
        names.map_or(String::new(), |names| names.wins.clone())
    };
    writeln!(out, "start: {}", start.describe(wins))
}

/// Reports the time, the verification, and the best moves.
pub(crate) fn print_summary<G: Game + Notation>(
    task: &Task<G>,
    solved_game: &SolvedGame<G>,
    args: &Args,
    out: &mut dyn Write,
) -> io::Result<()> {
    let best = solved_game.best_moves().into_iter();
    let best: Vec<String> = best
        .map(|m| task.game.show_move_at(&task.start, m))
        .collect();
    print_end(solved_game.time, &best, args, out)
}

/// Reports the time, the verification, and the best moves in notation.
pub(super) fn print_end(
    time: Duration,
    best: &[String],
    args: &Args,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "solved in {:.1} s", time.as_secs_f64())?;
    if args.verify {
        writeln!(
            out,
            "verified: every value follows from its successors' values"
        )?;
    }
    if !best.is_empty() {
        writeln!(out, "best: {}", best.join(" "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::parse_arguments;
    use crate::games::hunt::board::named;
    use crate::rules::Rules;

    #[test]
    fn advises_tables_only_for_lack_of_memory() {
        let board = named("aadu-puli").unwrap();
        let game = Hunt::new(board);
        let mut task = Task {
            name: board.name.clone(),
            game,
            start: game.start(),
            tables: Some(board),
        };
        let args: Args = parse_arguments(&["aadu-puli"]);
        let error = |task: &Task<Hunt>| match solve(task, &args, &mut io::sink()) {
            Ok(_) => panic!("solved in memory"),
            Err(failure) => failure.to_string(),
        };
        assert!(error(&task).contains("far too little. With --out DIR"));
        task.tables = None;
        assert!(error(&task).ends_with("far too little"));

        let board = named("kaooa").unwrap();
        let game = Hunt::new(board);
        let task = Task {
            name: board.name.clone(),
            game,
            start: game.start(),
            tables: Some(board),
        };
        let mut solved_game = solve(&task, &args, &mut io::sink()).unwrap();
        assert_eq!(verify(&task, &solved_game), Ok(()));
        solved_game.damage();
        let error = verify(&task, &solved_game).unwrap_err();
        assert!(
            error
                .0
                .ends_with("does not follow from its successors' values")
        );
    }
}
