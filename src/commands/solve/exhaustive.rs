//! `puli solve` without tables: all reachable positions, in memory.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use super::{Args, Counted, Format, ending, with_advice};
use crate::commands::progress::Progress;
use crate::commands::{Failure, in_memory};
use crate::error::EngineError;
use crate::games::hunt::{Board, Hunt};
use crate::rules::{Game, Notation};
use crate::solve::explicit::in_memory::{Forecast, Precision, SolvedGame, told, wins};
use crate::units;
use crate::value::Side;

/// A game to solve.
pub struct Task<G: Game> {
    /// The displayed name.
    pub name: String,
    /// The game.
    pub game: G,
    /// The first position.
    pub start: G::Position,
    /// The board to solve with `--out` if memory is too small, or `None` if the game cannot have tables.
    pub tables: Option<&'static Board>,
}

/// A side, with its names for people and for programs.
pub struct Party {
    /// The side.
    pub side: Side,
    /// The text for a win: `goats win`.
    pub wins: String,
    /// The JSON key: `prey`.
    pub key: &'static str,
}

/// Solves a hunt and reports the winner.
pub fn run_hunt(
    board: &'static Board,
    task: &Task<Hunt>,
    args: &Args,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let party = |are_prey, key| Party {
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
        &[party(true, "prey"), party(false, "hunters")],
        args,
        out,
    )
}

/// Solves a two-player game and reports the winner.
pub fn run<G: Game + Notation>(
    task: &Task<G>,
    parties: &[Party; 2],
    args: &Args,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let whole = solve(task, args, out)?;
    Ok(if args.format == Format::Json {
        writeln!(out, "{}", as_json(&whole, parties))
    } else {
        tell(task, &whole, parties, args, out)
    }?)
}

/// Reports the forecast, then solves the game if it fits.
pub fn solve<G: Game + Notation>(
    task: &Task<G>,
    args: &Args,
    out: &mut dyn Write,
) -> Result<SolvedGame<G>, Failure> {
    let forecast = Forecast::of(&task.game, task.start)?;
    tell_forecast(&task.name, &forecast, args.format == Format::Json, out)?;
    let whole = in_memory::solve(&task.name, &task.game, task.start, &forecast, args.memory);
    let whole = whole.map_err(|refusal| match task.tables {
        Some(tables) => with_advice(&refusal, tables, args),
        None => refusal,
    })?;
    if args.verify {
        verify(task, &whole)?;
    }
    Ok(whole)
}

/// Verifies that every value follows from its successors' values.
fn verify<G: Game + Notation>(task: &Task<G>, whole: &SolvedGame<G>) -> Result<(), EngineError> {
    let progress = Progress::new(whole.count().positions(), "positions verified");
    let mistake = whole.find_mistake(&mut |number| progress.set(number));
    mistake.map_or(Ok(()), |position| {
        Err(EngineError::failed(format!(
            "the value of {} does not follow from its successors' values",
            task.game.show_position(position)
        )))
    })
}

fn tell_forecast(
    name: &str,
    forecast: &Forecast,
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
        let told = json!({"forecast": {
            "game": name,
            "positions": u64::try_from(forecast.positions).unwrap_or(u64::MAX),
            "precision": precision,
            "seconds": forecast.seconds.ceil(),
            "memory_mib": u64::try_from(mib).unwrap_or(u64::MAX),
        }});
        writeln!(out, "{told}")?;
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
pub fn as_json<G: Game>(whole: &SolvedGame<G>, parties: &[Party]) -> Json {
    let (count, start) = (whole.count(), whole.start());
    let winner = start.winner.and_then(|winner| {
        let won = parties.iter().find(|party| party.side == winner);
        won.map(|party| party.key)
    });
    let wins = parties.iter();
    let wins: Vec<_> = wins
        .map(|party| (party.key, count.wins[party.side as usize]))
        .collect();
    let start = json!({"winner": winner, "plies": start.plies});
    let counted = if whole.is_folded() {
        Counted::ReachableUpToSymmetry
    } else {
        Counted::Reachable
    };
    ending(&start, counted, &wins, count.draws)
}

fn tell<G: Game + Notation>(
    task: &Task<G>,
    whole: &SolvedGame<G>,
    parties: &[Party; 2],
    args: &Args,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (count, start) = (whole.count(), whole.start());
    let won = parties.each_ref().map(|party| {
        let (wins, side) = (&party.wins, party.side as usize);
        format!(
            "{wins} {} (longest {})",
            count.wins[side], count.longest[side]
        )
    });
    writeln!(
        out,
        "{} reachable positions{}: {}, {}, neither {}",
        count.positions(),
        if whole.is_folded() {
            " up to symmetry"
        } else {
            ""
        },
        won[0],
        won[1],
        count.draws
    )?;
    tell_work(task, whole, args, out)?;
    let wins = |side| {
        let party = parties.iter().find(|party| party.side == side);
        party.map_or(String::new(), |party| party.wins.clone())
    };
    writeln!(out, "start: {}", told(start, wins))
}

/// Reports the time, the verification, and the best moves.
pub fn tell_work<G: Game + Notation>(
    task: &Task<G>,
    whole: &SolvedGame<G>,
    args: &Args,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "solved in {:.1} s", whole.time.as_secs_f64())?;
    if args.verify {
        writeln!(out, "verified: every value follows from its successors' values")?;
    }
    let best = whole.best_moves().into_iter();
    let best: Vec<String> = best.map(|m| task.game.show_move(m)).collect();
    if !best.is_empty() {
        writeln!(out, "best: {}", best.join(" "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::games::hunt::board::named;
    use crate::rules::Rules;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn advice_to_write_tables_is_given_for_lack_of_memory_only() {
        let board = named("aadu-puli").unwrap();
        let game = Hunt::new(board);
        let mut task = Task {
            name: board.name.clone(),
            game,
            start: game.start(),
            tables: Some(board),
        };
        let args = CommandLine::parse_from(["solve", "aadu-puli"]).args;
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
        let mut whole = solve(&task, &args, &mut io::sink()).unwrap();
        assert_eq!(verify(&task, &whole), Ok(()));
        whole.damage();
        let error = verify(&task, &whole).unwrap_err();
        assert!(error.0.ends_with("does not follow from its successors' values"));
    }
}
