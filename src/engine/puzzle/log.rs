//! Reports the progress and the result of a puzzle search.

use super::SolveStats;
use crate::control::{Control, Stopped};
use crate::engine::{Count, Info, Report};
use crate::pathfinding::{EnginePuzzle, Progress, SolveOutcome};
use crate::settings::Settings;
use crate::value::{Bound, Score, Side};

/// Receives the progress of a search, reports it, and keeps its best solution.
pub(super) struct SolveLog<'a, P: EnginePuzzle> {
    puzzle: &'a P,
    /// Lower bound of the solution length before the search.
    lower_bound: u32,
    /// The legal move to the position with the lowest estimated distance.
    nearest: Option<P::Move>,
    /// `true` if the bounds of the search are proved and its last solution is shortest.
    pub(super) has_proved_bounds: bool,
    /// `true` if the heuristic may overestimate the distance to the goal.
    pub(super) may_overestimate: bool,
    /// Number of visited nodes when the last solution was reported.
    reported_at_nodes: Option<u64>,
    pub(super) solved: SolveStats<P::Move>,
    report: &'a mut dyn FnMut(Report),
}

impl<'a, P: EnginePuzzle> SolveLog<'a, P> {
    /// Creates a log. Every solution has at least `lower_bound` moves.
    pub(super) fn new(
        puzzle: &'a P,
        lower_bound: u32,
        nearest: Option<P::Move>,
        report: &'a mut dyn FnMut(Report),
    ) -> Self {
        Self {
            puzzle,
            lower_bound,
            nearest,
            has_proved_bounds: false,
            may_overestimate: false,
            reported_at_nodes: None,
            solved: SolveStats::nothing(),
            report,
        }
    }

    pub(super) fn record(&mut self, progress: Progress<P::Move>, control: &Control) {
        match progress {
            Progress::Bound(bound) if self.has_proved_bounds && bound > self.solved.bound => {
                self.solved.bound = bound;
                self.check_optimal();
                if self.solved.moves.is_none() {
                    self.report_line(bound, Bound::Lower, control);
                } else {
                    (self.report)(Report::Count(Count::Bound, bound.into()));
                }
            }
            Progress::Bound(_) => {}
            Progress::Solution(moves) => {
                self.solved.moves = Some(moves.to_vec());
                self.solved.bound = self.solved.bound.max(self.lower_bound);
                self.check_optimal();
                self.report_solution(control);
            }
            Progress::Warning(trouble) => (self.report)(Report::Error(trouble.into())),
        }
    }

    /// Marks the solution as proved if its length equals the lower bound.
    fn check_optimal(&mut self) {
        let length = self.solved.moves.as_ref().map(Vec::len);
        self.solved.is_proved = length == Some(self.solved.bound as usize);
    }

    pub(super) fn report_end(
        &mut self,
        end: Result<SolveOutcome<P::Move>, Stopped>,
        settings: &Settings,
    ) {
        match end {
            Ok(SolveOutcome::Solved(moves)) => {
                let length = moves.len() as u32;
                self.solved.bound = if self.has_proved_bounds {
                    length
                } else {
                    self.solved.bound.max(self.lower_bound)
                };
                self.solved.moves = Some(moves);
                self.check_optimal();
                self.reported_at_nodes = None;
            }
            Ok(SolveOutcome::Unsolvable) => {
                (self.report)(Report::Text("there is no solution".into()));
            }
            Ok(SolveOutcome::DepthLimit) if self.solved.moves.is_none() => {
                let found = if self.may_overestimate {
                    "no solution was found within the limit on its length, which is no proof: the heuristic may overestimate"
                } else {
                    "there is no solution within the limit on its length"
                };
                (self.report)(Report::Text(found.into()));
            }
            Ok(SolveOutcome::MemoryLimit) => (self.report)(Report::Error(format!(
                "the limit of {} MiB for stored nodes was reached (option MemoryLimit)",
                settings.memory_limit
            ))),
            Ok(SolveOutcome::OutOfMemory(out_of_memory)) => {
                (self.report)(Report::Error(out_of_memory.to_string()));
            }
            Err(Stopped) if self.solved.moves.is_none() => {
                self.solved.nearest = self.nearest;
            }
            Ok(SolveOutcome::DepthLimit | SolveOutcome::BestEffort) | Err(Stopped) => {}
        }
    }

    /// Reports the final lines before the best move, and returns the statistics.
    pub(super) fn close(mut self, control: &Control) -> SolveStats<P::Move> {
        if self.solved.moves.is_none() {
            self.report_line(
                self.solved.bound.max(self.lower_bound),
                Bound::Lower,
                control,
            );
        } else if self.reported_at_nodes != Some(control.nodes()) {
            self.report_solution(control);
        }
        if self.solved.peak_memory > 0 {
            (self.report)(Report::Count(Count::Stored, self.solved.peak_memory));
        }
        (self.report)(Report::Count(Count::Examined, self.solved.examined));
        self.solved
    }

    fn report_solution(&mut self, control: &Control) {
        let length = self.solved.moves.as_ref().map_or(0, Vec::len) as u32;
        self.report_line(length, Bound::Exact, control);
        if !self.solved.is_proved {
            (self.report)(Report::Count(Count::Bound, self.solved.bound.into()));
        }
        self.reported_at_nodes = Some(control.nodes());
    }

    fn report_line(&mut self, length: u32, bound: Bound, control: &Control) {
        let moves = self.solved.moves.iter().flatten();
        let line = moves.map(|&m| self.puzzle.show_move(m)).collect();
        (self.report)(Report::Info(Info {
            depth: length,
            seldepth: control.deepest.max(length),
            multipv: None,
            score: Score::Win(Side::P1, length),
            bound,
            nodes: control.nodes(),
            leaves: None,
            hashfull: 0,
            table_hits: None,
            time: control.elapsed(),
            line,
            fallback: None,
        }));
    }
}
