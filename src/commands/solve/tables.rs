//! `puli solve --out DIR`: solves layer after layer into a folder of tables.

use std::io::Write;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::progress_printer::{self, ProgressPrinter};
use super::{Args, Format};
use crate::commands::Failure;
use crate::error::EngineError;
use crate::games::hunt::Hunt;
use crate::solve::tables::solver::{Solver, SolverEvent};

/// Interval between updates of the progress display.
const REDRAW: Duration = Duration::from_millis(200);

/// Solves the missing layers, reports every layer, and finally the start.
pub(super) fn run(
    args: &Args,
    game: &Hunt,
    solver: &Solver,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let threads = super::threads(args);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| EngineError::failed(format!("cannot start threads: {error}")))?;
    let forecast = solver.forecast();
    let started = Instant::now();
    let mut printer = ProgressPrinter::new(out, args.format == Format::Json, solver, &forecast);
    printer.forecast(threads)?;
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let working = scope.spawn(|| {
            // If the printing thread has ended early, because its output is closed, events have no
            // receiver.
            let sender = sender;
            let on_event = |event: SolverEvent| drop(sender.send(event));
            pool.install(|| solver.run(&on_event))
        });
        let output_result = loop {
            let handled = match receiver.recv_timeout(REDRAW) {
                Ok(event) => printer.handle(event),
                Err(RecvTimeoutError::Timeout) => {
                    printer.redraw();
                    Ok(())
                }
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
            };
            if handled.is_err() {
                break handled;
            }
        };
        let ended = working
            .join()
            .unwrap_or_else(|_| Err(EngineError::failed("internal error: the solver panicked")));
        output_result?;
        ended?;
        Ok::<(), Failure>(())
    })?;
    // Layers without files have been counted only if they were solved in this run.
    if args.format == Format::Json {
        let counted = printer.counted();
        let unstored = pool.install(|| solver.count_unstored(&counted))?;
        for (layer_id, stats) in unstored {
            printer.count(layer_id, &stats);
        }
    }
    let verdict = solver.value_of_start(game)?;
    let found = printer.found();
    match args.format {
        Format::Text => {
            writeln!(out, "solved in {:.1} s", started.elapsed().as_secs_f64())?;
            writeln!(
                out,
                "start: {}",
                progress_printer::describe(solver.table_game().board, verdict)
            )?;
        }
        Format::Json => {
            let line =
                progress_printer::verdict_as_json(&progress_printer::as_json(verdict), &found);
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
