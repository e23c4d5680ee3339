//! `puli solve` without tables: every position that can arise, in memory.

use std::io::{self, Write};

use serde_json::json;

use super::teller;
use crate::commands::Failure;
use crate::commands::progress::Progress;
use crate::games::hunt::{Board, Hunt};
use crate::solved::tally::Tally;
use crate::solved::whole::{Forecast, Whole, wins};
use crate::value::Side;

/// Solves the game and tells who wins it.
pub fn run(
    game: Hunt,
    forecast: &Forecast,
    memory: u64,
    is_json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let board = game.board;
    tell_forecast(board, forecast, is_json, out)?;
    forecast.fits(memory)?;
    let most = u64::try_from(forecast.positions).unwrap_or(u64::MAX);
    let progress = Progress::new(most, "positions");
    let whole = Whole::solve(game, memory, &mut |extent| {
        progress.set(extent.examined);
    })?;
    drop(progress);
    Ok(tell(board, &whole, is_json, out)?)
}

fn tell_forecast(
    board: &Board,
    forecast: &Forecast,
    is_json: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mib = forecast.memory.div_ceil(1 << 20);
    if is_json {
        let told = json!({"forecast": {
            "game": board.name,
            "positions": u64::try_from(forecast.positions).unwrap_or(u64::MAX),
            "seconds": forecast.seconds.ceil(),
            "memory_mib": u64::try_from(mib).unwrap_or(u64::MAX),
        }});
        writeln!(out, "{told}")?;
    } else {
        writeln!(
            out,
            "{}: up to about {} positions, {:.0} s and {mib} MiB of memory",
            board.name,
            forecast.positions,
            forecast.seconds.ceil()
        )?;
    }
    out.flush()
}

fn tell(board: &Board, whole: &Whole, is_json: bool, out: &mut dyn Write) -> io::Result<()> {
    let (count, start) = (whole.count(), whole.start());
    let of = |side: Side| usize::from(side == Side::P2);
    let (prey, hunters) = (of(board.goats_side), of(board.tigers_side()));
    if is_json {
        let winner = start.winner.map(|winner| {
            if winner == board.goats_side {
                "prey"
            } else {
                "hunters"
            }
        });
        let start = json!({"winner": winner, "plies": start.plies});
        let all = Tally {
            wins: [count.wins[hunters], count.wins[prey]],
            draws: count.draws,
            ..Tally::default()
        };
        let told = teller::verdict_as_json(&start, &all);
        return writeln!(out, "{told}");
    }
    let up_to_symmetry = if whole.is_folded() {
        " up to symmetry"
    } else {
        ""
    };
    writeln!(
        out,
        "{} positions can arise{up_to_symmetry}: {} {} (longest {}), {} {} (longest {}), neither {}",
        count.positions(),
        wins(board, true),
        count.wins[prey],
        count.longest[prey],
        wins(board, false),
        count.wins[hunters],
        count.longest[hunters],
        count.draws
    )?;
    writeln!(out, "solved in {:.1} s", whole.time.as_secs_f64())?;
    let best = whole.best_moves();
    if !best.is_empty() {
        writeln!(out, "best: {}", best.join(" "))?;
    }
    writeln!(out, "start: {}", whole.in_words(start))
}
