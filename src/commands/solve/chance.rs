//! `puli solve` of games with chance: the expected points of every position, in memory.

use std::io::Write;
use std::time::Instant;

use serde_json::json;

use super::exhaustive::{self, Table};
use super::{Args, Format};
use crate::commands::progress::Progress;
use crate::commands::{Failure, in_memory};
use crate::engine::expectation;
use crate::error::EngineError;
use crate::rules::{Notation, Stochastic};
use crate::solve::explicit::expected_points::ExpectedPoints;
use crate::solve::explicit::expected_table;
use crate::solve::explicit::solution::InMemoryPlan;

/// Solves a game from `start` if it fits into memory, and reports the expected points.
pub(super) fn run<S: Stochastic + Notation>(
    name: &str,
    game: &S,
    start: S::Position,
    args: &Args,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if args.keep.is_some() {
        let why = "games of chance that fit in memory are solved in seconds, without a checkpoint";
        return Err(EngineError::new(format!("--keep: {why}")).into());
    }
    let is_json = args.format == Format::Json;
    let table = Table::requested(args, name, game, start)?;
    let plan: InMemoryPlan<ExpectedPoints<S>> = InMemoryPlan::new(game, start, args.memory)?;
    exhaustive::print_forecast(name, &plan.forecast, is_json, out)?;
    plan.fits().map_err(|error| {
        EngineError::new(format!("{error}. --fen sets a smaller board")).caused_by(error.cause())
    })?;
    let started = Instant::now();
    let solved = in_memory::solve(name, &plan, None)?;
    let time = started.elapsed();
    if args.verify {
        let progress = Progress::new(solved.len() as u64, "positions verified");
        let mismatch = solved.find_mismatch(&mut |number| progress.set(number));
        exhaustive::expect_consistent(game, mismatch)?;
    }
    if let Some(table) = table {
        let written = expected_table::write(&table.path, name, &solved)?;
        table.report(written, is_json, out)?;
    }
    if is_json {
        let start = json!({"points": solved.start()});
        let line = json!({"start": start, "positions": solved.len(), "counted": "reachable"});
        writeln!(out, "{line}")?;
        return Ok(());
    }
    writeln!(out, "{} reachable positions", solved.len())?;
    let best = solved.best_moves().into_iter();
    let best: Vec<String> = best.map(|m| game.show_move(m)).collect();
    exhaustive::print_end(time, &best, args, out)?;
    Ok(writeln!(
        out,
        "start: {}",
        expectation::words(solved.start())
    )?)
}
