//! A row of `puli compare` for puzzles: the result and the cost of one search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::commands::Failure;
use crate::commands::table_writer::{Format, compact};
use crate::control::{Control, Limits};
use crate::engine::{Count, Engine, Report};
use crate::settings::{Algorithm, HeuristicName, name_of};
use crate::value::Bound;

/// Width of the column `time_ms`, in characters: a time and two marks.
pub(super) const TIME_WIDTH: usize = 9;
/// Width of a time without marks, in characters.
const BARE_TIME_WIDTH: usize = TIME_WIDTH - 2;

/// Default of `--movetime` for puzzles, in milliseconds.
pub(super) const DEFAULT_TIME_MS: i64 = 10_000;

/// A pair of algorithm and heuristic, with one row per instance.
pub(super) type Configuration = (Algorithm, HeuristicName);

/// The result and the cost of one search.
#[derive(Default)]
pub(super) struct Row {
    /// The number of moves of the solution, if one was found.
    pub(super) steps: Option<usize>,
    /// `true` if the search has proved that no solution is shorter.
    pub(super) is_optimal: bool,
    /// `true` if an earlier row has a shorter solution.
    pub(super) is_longer: bool,
    /// `true` if the solver is specialized for this puzzle.
    pub(super) is_specialized: bool,
    /// Nodes expanded.
    pub(super) examined: u64,
    /// Nodes generated.
    pub(super) generated: u64,
    /// Peak memory in bytes.
    pub(super) stored: u64,
    /// The time of the search.
    pub(super) seconds: f64,
    /// The reason why the search did not finish.
    pub(super) unfinished: Option<String>,
}

impl Row {
    /// Searches the engine's position.
    pub(super) fn of(engine: &mut dyn Engine, limits: &Limits) -> Result<Self, Failure> {
        let budget = limits.budget(engine.status().turn, Duration::ZERO);
        let mut control = Control::new(limits, budget, Arc::default());
        let mut row = Self {
            is_specialized: engine.is_specialized(),
            ..Self::default()
        };
        let start = Instant::now();
        engine.go(limits, &mut control, &mut |report| match report {
            Report::Info(info) => {
                row.generated = info.nodes;
                // A report has a solution or a lower bound on its length. The number of moves does not distinguish
                // them, because the solution of a solved position is empty.
                let is_solution = info.bound == Bound::Exact;
                row.steps = is_solution.then_some(info.line.len());
                row.is_optimal = is_solution;
            }
            Report::Count(Count::Bound, bound) => {
                row.is_optimal = row.steps == Some(bound as usize);
            }
            Report::Count(Count::Examined, examined) => row.examined = examined,
            Report::Count(Count::Stored, bytes) => row.stored = bytes,
            Report::Error(reason) | Report::Text(reason) => row.unfinished = Some(reason),
            _ => {}
        })?;
        row.seconds = start.elapsed().as_secs_f64();
        if !row.is_optimal && row.unfinished.is_none() && control.poll().is_err() {
            let seconds = limits.movetime.unwrap_or(DEFAULT_TIME_MS) as f64 / 1000.0;
            row.unfinished = Some(format!("time limit of {seconds} s (--movetime)"));
        }
        Ok(row)
    }

    /// Returns the cells of the row, one for each column.
    pub(super) fn cells(
        &self,
        name: &str,
        (algorithm, heuristic): Configuration,
        marks: &mut Marks,
    ) -> Vec<Value> {
        let optimal = match self {
            Self {
                is_optimal: true, ..
            } => json!(true),
            Self {
                is_longer: true, ..
            } => json!(false),
            Self { steps: Some(_), .. } if marks.format != Format::Json => json!("not proved"),
            _ => Value::Null,
        };
        vec![
            json!(name),
            json!(name_of(&algorithm)),
            json!(name_of(&heuristic)),
            json!(self.steps),
            optimal,
            json!(self.examined),
            json!(self.generated),
            json!(rounded(self.stored as f64 / f64::from(1 << 20))),
            marks.time(
                self.seconds,
                self.is_specialized,
                self.unfinished.as_deref(),
            ),
            json!(self.unfinished),
            json!(self.is_specialized),
            json!(self.branching_factor().map(rounded)),
        ]
    }

    /// Returns the effective branching factor of the search, if it has found a solution.
    pub(super) fn branching_factor(&self) -> Option<f64> {
        effective_branching_factor(self.generated, self.steps?)
    }
}

/// The marks after times, with their meaning.
pub(super) struct Marks {
    pub(super) format: Format,
    /// `true` if a letter after the time replaces the column `unfinished`.
    pub(super) has_letters: bool,
    /// `true` if a time so far is marked with `*`.
    pub(super) is_any_specialized: bool,
    /// The reasons for unfinished searches so far, with the letters `a`, `b`, ….
    pub(super) reasons: Vec<String>,
}

impl Marks {
    /// Returns the cell of a time in ms: a text with marks in terminal and Markdown tables, otherwise a
    /// number.
    pub(super) fn time(
        &mut self,
        seconds: f64,
        is_specialized: bool,
        unfinished: Option<&str>,
    ) -> Value {
        let time = rounded(seconds * 1000.0);
        if matches!(self.format, Format::Csv | Format::Json) {
            return json!(time);
        }
        self.is_any_specialized |= is_specialized;
        let star = if is_specialized { '*' } else { ' ' };
        let letter = unfinished
            .filter(|_| self.has_letters)
            .map_or(' ', |reason| {
                let known = self.reasons.iter().position(|known| known == reason);
                let index = known.unwrap_or_else(|| {
                    self.reasons.push(reason.into());
                    self.reasons.len() - 1
                });
                (b'a'..=b'z').nth(index).map_or('?', char::from)
            });
        let text = format!("{}{star}{letter}", compact(time, BARE_TIME_WIDTH));
        match self.format {
            Format::Markdown => json!(text.trim_end()),
            _ => json!(text),
        }
    }

    /// Returns the explanations of the marks, one paragraph each.
    pub(super) fn notes(&self) -> Vec<String> {
        let star = self.is_any_specialized.then(|| {
            "*: a solver for this puzzle only; its time is not comparable with that of a general search."
                .to_string()
        });
        let letters = ('a'..='z').zip(&self.reasons);
        let letters = letters.map(|(letter, reason)| format!("{letter}: unfinished, {reason}."));
        star.into_iter().chain(letters).collect()
    }
}

/// Returns the effective branching factor b of a search that made `nodes` nodes for a solution of `moves` moves: the
/// number of children in a uniform tree of this depth and size, so that nodes = 1 + b + … + b^moves (Nilsson 1971). Returns
/// `None` without moves.
fn effective_branching_factor(nodes: u64, moves: usize) -> Option<f64> {
    if moves == 0 || nodes == 0 {
        return None;
    }
    let size = |b: f64| (0..moves).fold(1.0, |sum, _| 1.0 + b * sum);
    let (mut low, mut high) = (0.0, nodes as f64);
    while high - low > 1e-6 {
        let middle = f64::midpoint(low, high);
        if size(middle) < nodes as f64 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(f64::midpoint(low, high))
}

/// Rounds to two decimals.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branching_factors_are_those_of_uniform_trees() {
        for (nodes, moves, b) in [
            (7, 2, 2.0),
            (13, 2, 3.0),
            (1 + 4 + 16 + 64, 3, 4.0),
            (6, 5, 1.0),
        ] {
            let found = effective_branching_factor(nodes, moves).unwrap();
            assert!((found - b).abs() < 1e-5, "{nodes} {moves}: {found}");
        }
        assert_eq!(effective_branching_factor(1, 0), None);
    }
}
