//! Output of `puli solve` while it runs: a line per layer, and a progress display on terminals.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Counted, ending};
use crate::commands::progress::Progress;
use crate::games::hunt::Board;
use crate::oracle::Verdict;
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::movement::Stage;
use crate::solve::explicit::in_memory::wins;
use crate::solve::tables::file::LayerId;
use crate::solve::tables::forecast::SolveForecast;
use crate::solve::tables::solver::{Solver, SolverEvent};
use crate::units;
use crate::value::Side;

/// A message from the solver's thread to the printing thread.
pub enum Line {
    Begins(LayerId, Option<u64>),
    Ply(Side, u32, u64),
    Resumed(Stage),
    Words(String),
    Layer(LayerId, Vec<LayerStats>, Origin),
}

/// The origin of a layer.
pub enum Origin {
    /// It was already in its file.
    Kept,
    /// It was solved in this time, and its file has this length in bytes.
    Made(Duration, u64),
    /// It has no file: its positions were counted as they were found.
    Counted,
}

impl From<SolverEvent<'_>> for Line {
    fn from(news: SolverEvent) -> Self {
        match news {
            SolverEvent::Begins(label, parts) => Self::Begins(label, parts),
            SolverEvent::Ply(winner, plies, count) => Self::Ply(winner, plies, count),
            SolverEvent::Unusable(refusal) => Self::Words(format!("not usable, solving again: {refusal}")),
            SolverEvent::Resumed(stage) => Self::Resumed(stage),
            SolverEvent::Reused(file) => {
                Self::Layer(file.label, file.tallies.clone(), Origin::Kept)
            }
            SolverEvent::Finished(label, tallies, time, bytes) => {
                Self::Layer(label, tallies.to_vec(), Origin::Made(time, bytes))
            }
        }
    }
}

/// Prints the solver's progress.
pub struct ProgressPrinter<'a> {
    out: &'a mut dyn Write,
    is_json: bool,
    solver: &'a Solver,
    forecast: &'a SolveForecast,
    /// The current layer, its number of parts, and its start time.
    layer: Option<(LayerId, Option<u64>, Instant)>,
    progress: Option<Progress>,
    /// By goats in hand and side to move: the sum of a layer's statistics.
    layers: BTreeMap<(u32, bool), LayerStats>,
}

impl<'a> ProgressPrinter<'a> {
    pub fn new(
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
    pub fn forecast(&mut self, threads: usize) -> io::Result<()> {
        let (scope, forecast) = (self.solver.scope(), self.forecast);
        if self.is_json {
            let (memory, disk) = (
                forecast.memory.div_ceil(1 << 20),
                forecast.disk.div_ceil(1 << 20),
            );
            let told = json!({"forecast": {
                "game": scope.board.name,
                "goats": scope.goats,
                "positions": forecast.positions,
                "up_to_symmetry": forecast.values,
                "seconds": forecast.seconds.ceil(),
                "threads": threads,
                "memory_mib": memory,
                "disk_mib": disk,
            }});
            return writeln!(self.out, "{told}");
        }
        writeln!(
            self.out,
            "{} with {} goats: {} positions, about {} up to symmetry; expected: {} on {threads} thread{}, {} of memory, {} on disk",
            scope.board.name,
            scope.goats,
            forecast.positions,
            forecast.values,
            units::duration(forecast.seconds),
            if threads == 1 { "" } else { "s" },
            units::memory(forecast.memory.into()),
            units::memory(forecast.disk.into()),
        )
    }

    pub fn tell(&mut self, line: Line) -> io::Result<()> {
        match line {
            Line::Begins(label, parts) => {
                log::info!("{} begins", name(&label));
                self.layer = Some((label, parts, Instant::now()));
                // The number of plies is unknown, but the time is forecast.
                let movement = Duration::from_secs_f64(self.forecast.movement);
                let progress = match parts {
                    Some(parts) => Progress::new(parts, "cubes"),
                    None => Progress::expected(movement),
                };
                progress.note(name(&label));
                self.progress = Some(progress);
                Ok(())
            }
            Line::Ply(winner, plies, count) => {
                let words = format!(
                    "{} in {plies} plies: {count}",
                    winner_name(self.solver.scope().board, winner)
                );
                log::debug!("{words}");
                if let Some(progress) = &self.progress {
                    progress.note(format!("{words} positions"));
                }
                Ok(())
            }
            Line::Resumed(stage) => {
                let words = goes_on(self.solver.scope().board, stage);
                self.tell(Line::Words(words))
            }
            Line::Words(words) => {
                let is_json = self.is_json;
                self.say(|out| note(out, is_json, &words))
            }
            Line::Layer(label, tallies, origin) => {
                self.count(label, &tallies);
                let is_json = self.is_json;
                self.say(|out| tell_layer(out, is_json, &label, &tallies, &origin))
            }
        }
    }

    /// Writes lines above the progress display.
    fn say(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let out = &mut *self.out;
        let write = || write(out).and_then(|()| out.flush());
        match &self.progress {
            Some(progress) => progress.above(write),
            None => write(),
        }
    }

    /// Stores the statistics of a layer.
    pub fn count(&mut self, label: LayerId, tallies: &[LayerStats]) {
        let sum = tallies.iter().fold(LayerStats::default(), LayerStats::with);
        self.layers.insert((label.hand, label.tigers_to_move), sum);
    }

    /// Returns the counted layers by goats in hand and side to move.
    pub fn counted(&self) -> BTreeSet<(u32, bool)> {
        self.layers.keys().copied().collect()
    }

    /// Returns the sum of all layers' statistics.
    pub fn found(self) -> LayerStats {
        self.layers
            .values()
            .fold(LayerStats::default(), LayerStats::with)
    }

    /// Updates the progress display of the current layer.
    pub fn redraw(&mut self) {
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
pub fn note(out: &mut dyn Write, is_json: bool, words: &str) -> io::Result<()> {
    if is_json {
        return writeln!(out, "{}", json!({ "note": words }));
    }
    writeln!(out, "{words}")
}

/// Writes the statistics of a layer.
pub fn tell_layer(
    out: &mut dyn Write,
    is_json: bool,
    label: &LayerId,
    tallies: &[LayerStats],
    origin: &Origin,
) -> io::Result<()> {
    if is_json {
        return writeln!(out, "{}", layer_as_json(label, tallies, origin));
    }
    if label.hand == 0 {
        for layer_stats in tallies {
            let on_board = format!("  {} on board", layer_stats.on_board);
            writeln!(out, "{}", counts(label.scope.board, &on_board, layer_stats))?;
        }
    }
    let spent = match origin {
        Origin::Kept => "; reused".to_string(),
        Origin::Made(time, bytes) => format!("; {:.1} s, {bytes} bytes", time.as_secs_f64()),
        Origin::Counted => String::new(),
    };
    let sum = tallies.iter().fold(LayerStats::default(), LayerStats::with);
    writeln!(
        out,
        "{}{spent}",
        counts(label.scope.board, &name(label), &sum)
    )
}

fn layer_as_json(label: &LayerId, tallies: &[LayerStats], origin: &Origin) -> Value {
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
        Origin::Kept | Origin::Counted => (Value::Null, Value::Null),
        Origin::Made(time, bytes) => (json!(time.as_secs_f64()), json!(bytes)),
    };
    json!({
        "hand": label.hand,
        "to_move": if label.tigers_to_move { "hunters" } else { "prey" },
        "layers": tallies.iter().map(counts).collect::<Vec<_>>(),
        "seconds": seconds,
        "bytes": bytes,
    })
}

/// Describes a verdict: `draw`, `goats win in 21 plies`.
pub fn in_words(board: &Board, verdict: Option<Verdict>) -> String {
    match verdict {
        None => "not known".into(),
        Some(Verdict(None)) => "draw".into(),
        Some(Verdict(Some((winner, plies)))) => {
            let unit = if plies == 1 { "ply" } else { "plies" };
            format!("{} in {plies} {unit}", wins(board, winner == Side::P1))
        }
    }
}

/// Returns a verdict as JSON: winner and plies, or null if it is not known.
pub fn as_json(verdict: Option<Verdict>) -> Value {
    match verdict {
        None => Value::Null,
        Some(Verdict(None)) => json!({"winner": null, "plies": null}),
        Some(Verdict(Some((winner, plies)))) => {
            let winner = if winner == Side::P1 {
                "prey"
            } else {
                "hunters"
            };
            json!({"winner": winner, "plies": plies})
        }
    }
}

/// Returns the last line of JSON output: the value of the start, and the number of positions by winner.
pub fn verdict_as_json(start: &Value, all: &LayerStats) -> Value {
    let wins = [("prey", all.wins[1]), ("hunters", all.wins[0])];
    ending(start, Counted::AllUpToSymmetry, &wins, all.draws)
}

fn name(label: &LayerId) -> String {
    let [hunters, prey] = &label.scope.board.spec.names;
    let side = if label.tigers_to_move { hunters } else { prey };
    format!("{} in hand, {side} to move", label.hand)
}

/// Describes a winner.
pub fn winner_name(board: &Board, winner: Side) -> String {
    wins(board, winner == Side::P1)
}

/// Describes the stage at which a run resumes.
pub fn goes_on(board: &Board, stage: Stage) -> String {
    let who = winner_name(board, stage.winner);
    format!(
        "resumes: {who} in {} plies",
        2 * stage.half + 2
    )
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
    fn a_verdict_is_told_to_people_and_to_programs() {
        let won = |winner, plies| Some(Verdict(Some((winner, plies))));
        let told = |verdict| in_words(&AADU_PULI, verdict);
        assert_eq!(told(None), "not known");
        assert_eq!(told(Some(Verdict::DRAW)), "draw");
        assert_eq!(told(won(Side::P1, 21)), "goats win in 21 plies");
        assert_eq!(told(won(Side::P2, 1)), "tigers win in 1 ply");
        assert_eq!(as_json(None), Value::Null);
        let prey = json!({"winner": "prey", "plies": 21});
        assert_eq!(as_json(won(Side::P1, 21)), prey);
        let draw = json!({"winner": null, "plies": null});
        assert_eq!(as_json(Some(Verdict::DRAW)), draw);
    }
}
