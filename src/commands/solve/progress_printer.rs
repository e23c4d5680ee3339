//! Output of `puli solve` while it runs: a line per layer, and a progress display on terminals.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Counted, result_line};
use crate::commands::progress::Progress;
use crate::games::hunt::Board;
use crate::oracle::Verdict;
use crate::solve::bitset::layer_id::LayerId;
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::movement::Stage;
use crate::solve::explicit::in_memory::wins;
use crate::solve::tables::forecast::SolveForecast;
use crate::solve::tables::solver::{Origin, Solver, SolverEvent};
use crate::units;
use crate::value::Side;

/// Prints the solver's progress.
pub(crate) struct ProgressPrinter<'a> {
    out: &'a mut dyn Write,
    is_json: bool,
    solver: &'a Solver,
    forecast: &'a SolveForecast,
    /// The current layer, its number of parts, and its start time.
    layer: Option<(LayerId, Option<u64>, Instant)>,
    progress: Option<Progress>,
    /// The sum of each layer's statistics, by goats in hand and side to move.
    layers: BTreeMap<(u32, bool), LayerStats>,
}

impl<'a> ProgressPrinter<'a> {
    pub(super) fn new(
        out: &'a mut dyn Write,
        is_json: bool,
        solver: &'a Solver,
        forecast: &'a SolveForecast,
    ) -> Self {
        Self {
            out,
            is_json,
            solver,
            forecast,
            layer: None,
            progress: None,
            layers: BTreeMap::new(),
        }
    }

    /// Prints the forecast.
    pub(super) fn forecast(&mut self, threads: usize) -> io::Result<()> {
        let (table_game, forecast) = (self.solver.table_game(), self.forecast);
        if self.is_json {
            let (memory, disk) = (
                forecast.memory.div_ceil(1 << 20),
                forecast.disk.div_ceil(1 << 20),
            );
            let line = json!({"forecast": {
                "game": table_game.board.name,
                "goats": table_game.goats,
                "positions": forecast.positions,
                "up_to_symmetry": forecast.values,
                "seconds": forecast.seconds.ceil(),
                "threads": threads,
                "memory_mib": memory,
                "disk_mib": disk,
            }});
            return writeln!(self.out, "{line}");
        }
        writeln!(
            self.out,
            "{} with {} goats: {} positions, about {} up to symmetry; expected: {} on {threads} thread{}, {} of memory, {} on disk",
            table_game.board.name,
            table_game.goats,
            forecast.positions,
            forecast.values,
            units::duration(forecast.seconds),
            if threads == 1 { "" } else { "s" },
            units::memory(forecast.memory.into()),
            units::memory(forecast.disk.into()),
        )
    }

    pub(crate) fn handle(&mut self, event: SolverEvent) -> io::Result<()> {
        match event {
            SolverEvent::Begins(layer_id, parts) => {
                log::info!("{} begins", name(&layer_id));
                self.layer = Some((layer_id, parts, Instant::now()));
                // The number of plies is unknown, but the time is forecast.
                let movement = Duration::from_secs_f64(self.forecast.movement_seconds);
                let progress = match parts {
                    Some(parts) => Progress::new(parts, "cubes"),
                    None => Progress::expected(movement),
                };
                progress.note(name(&layer_id));
                self.progress = Some(progress);
                Ok(())
            }
            SolverEvent::Ply(winner, plies, count) => {
                let text = format!(
                    "{} in {plies} plies: {count}",
                    winner_name(self.solver.table_game().board, winner)
                );
                log::debug!("{text}");
                if let Some(progress) = &self.progress {
                    progress.note(format!("{text} positions"));
                }
                Ok(())
            }
            SolverEvent::Resumed(stage) => {
                let text = describe_resumption(self.solver.table_game().board, stage);
                self.print_note(&text)
            }
            SolverEvent::Unusable(error) => {
                self.print_note(&format!("not usable, solving again: {error}"))
            }
            SolverEvent::Layer(layer_id, stats, origin) => {
                self.count(layer_id, &stats);
                let is_json = self.is_json;
                self.print_above(|out| print_layer(out, is_json, &layer_id, &stats, &origin))
            }
        }
    }

    fn print_note(&mut self, text: &str) -> io::Result<()> {
        let is_json = self.is_json;
        self.print_above(|out| note(out, is_json, text))
    }

    /// Writes lines above the progress display.
    fn print_above(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let out = &mut *self.out;
        let write = || write(out).and_then(|()| out.flush());
        match &self.progress {
            Some(progress) => progress.above(write),
            None => write(),
        }
    }

    /// Stores the statistics of a layer.
    pub(super) fn count(&mut self, layer_id: LayerId, stats: &[LayerStats]) {
        let sum = stats.iter().fold(LayerStats::default(), LayerStats::merged);
        self.layers
            .insert((layer_id.hand, layer_id.tigers_to_move), sum);
    }

    /// Returns the counted layers by goats in hand and side to move.
    pub(super) fn counted(&self) -> BTreeSet<(u32, bool)> {
        self.layers.keys().copied().collect()
    }

    /// Returns the sum of all layers' statistics.
    pub(super) fn found(self) -> LayerStats {
        self.layers
            .values()
            .fold(LayerStats::default(), LayerStats::merged)
    }

    /// Updates the progress display of the current layer.
    pub(crate) fn redraw(&mut self) {
        let (Some((_, parts, start)), Some(progress)) = (self.layer, &self.progress) else {
            return;
        };
        if parts.is_some() {
            progress.set(self.solver.done.load(Ordering::Relaxed));
        } else {
            progress.set_elapsed(start.elapsed());
        }
    }
}

/// Writes a note.
pub(super) fn note(out: &mut dyn Write, is_json: bool, text: &str) -> io::Result<()> {
    if is_json {
        return writeln!(out, "{}", json!({ "note": text }));
    }
    writeln!(out, "{text}")
}

/// Writes the statistics of a layer.
pub(crate) fn print_layer(
    out: &mut dyn Write,
    is_json: bool,
    layer_id: &LayerId,
    stats: &[LayerStats],
    origin: &Origin,
) -> io::Result<()> {
    if is_json {
        return writeln!(out, "{}", layer_as_json(layer_id, stats, origin));
    }
    if layer_id.hand == 0 {
        for layer_stats in stats {
            let on_board = format!("  {} on board", layer_stats.on_board);
            writeln!(
                out,
                "{}",
                counts(layer_id.table_game.board, &on_board, layer_stats)
            )?;
        }
    }
    let spent = match origin {
        Origin::Reused => "; reused".to_string(),
        Origin::Solved(time, bytes) => format!("; {:.1} s, {bytes} bytes", time.as_secs_f64()),
        Origin::Counted => String::new(),
    };
    let sum = stats.iter().fold(LayerStats::default(), LayerStats::merged);
    writeln!(
        out,
        "{}{spent}",
        counts(layer_id.table_game.board, &name(layer_id), &sum)
    )
}

fn layer_as_json(layer_id: &LayerId, stats: &[LayerStats], origin: &Origin) -> Value {
    let counts = |layer_stats: &LayerStats| {
        json!({
            "on_board": layer_stats.on_board,
            "positions": layer_stats.positions(),
            "prey": layer_stats.wins[1],
            "hunters": layer_stats.wins[0],
            "neither": layer_stats.draws,
            "longest_prey": layer_stats.longest[1],
            "longest_hunters": layer_stats.longest[0],
        })
    };
    let (seconds, bytes) = match origin {
        Origin::Reused | Origin::Counted => (Value::Null, Value::Null),
        Origin::Solved(time, bytes) => (json!(time.as_secs_f64()), json!(bytes)),
    };
    json!({
        "hand": layer_id.hand,
        "to_move": if layer_id.tigers_to_move { "hunters" } else { "prey" },
        "layers": stats.iter().map(counts).collect::<Vec<_>>(),
        "seconds": seconds,
        "bytes": bytes,
    })
}

/// Describes a verdict: `draw`, `goats win in 21 plies`.
pub(crate) fn describe(board: &Board, verdict: Option<Verdict>) -> String {
    match verdict {
        None => "not known".into(),
        Some(verdict) => verdict.describe(|winner| winner_name(board, winner)),
    }
}

/// Returns a verdict as JSON: winner and plies, or null if it is unknown.
pub(crate) fn as_json(verdict: Option<Verdict>) -> Value {
    verdict.map_or(Value::Null, |verdict| {
        let name = |winner| {
            if winner == Side::P1 {
                "prey"
            } else {
                "hunters"
            }
        };
        json!({"winner": verdict.winner().map(name), "plies": verdict.plies()})
    })
}

/// Returns the last line of JSON output: the value of the start, and the number of positions by winner.
pub(crate) fn verdict_as_json(start: &Value, all: &LayerStats) -> Value {
    let wins = [("prey", all.wins[1]), ("hunters", all.wins[0])];
    result_line(start, Counted::AllUpToSymmetry, &wins, all.draws)
}

fn name(layer_id: &LayerId) -> String {
    let [hunters, prey] = &layer_id.table_game.board.spec.names;
    let side = if layer_id.tigers_to_move {
        hunters
    } else {
        prey
    };
    format!("{} in hand, {side} to move", layer_id.hand)
}

/// Describes a winner.
pub(crate) fn winner_name(board: &Board, winner: Side) -> String {
    wins(board, winner == Side::P1)
}

/// Describes the stage at which a run resumes.
pub(crate) fn describe_resumption(board: &Board, stage: Stage) -> String {
    let who = winner_name(board, stage.winner);
    format!("resumes: {who} in {} plies", 2 * stage.half + 2)
}

fn counts(board: &Board, what: &str, layer_stats: &LayerStats) -> String {
    let of = |winner| {
        let side = usize::from(winner == Side::P1);
        let (count, longest) = (layer_stats.wins[side], layer_stats.longest[side]);
        format!("{} {count} (longest {longest})", winner_name(board, winner))
    };
    format!(
        "{what}: {} positions, {}, {}, draws {}",
        layer_stats.positions(),
        of(Side::P2),
        of(Side::P1),
        layer_stats.draws
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::board::AADU_PULI;

    #[test]
    fn describes_verdicts_as_text_and_json() {
        let won = |winner, plies| Some(Verdict::Win(winner, plies));
        let line = |verdict| describe(&AADU_PULI, verdict);
        assert_eq!(line(None), "not known");
        assert_eq!(line(Some(Verdict::Draw)), "draw");
        assert_eq!(line(won(Side::P1, 21)), "goats win in 21 plies");
        assert_eq!(line(won(Side::P2, 1)), "tigers win in 1 ply");
        assert_eq!(as_json(None), Value::Null);
        let prey = json!({"winner": "prey", "plies": 21});
        assert_eq!(as_json(won(Side::P1, 21)), prey);
        let draw = json!({"winner": null, "plies": null});
        assert_eq!(as_json(Some(Verdict::Draw)), draw);
    }
}
