//! Search for a solution whose first move is one of the moves of `go searchmoves`.
//!
//! Only the first move is restricted; later moves may even return to the start position. So a shortest solution is a
//! first move followed by a shortest solution of the next position.

use std::iter;

use super::{EnginePuzzle, Progress, SolveContext, SolveOutcome};
use crate::control::{Control, Stopped};

/// A first move to search.
struct FirstMove<P: EnginePuzzle> {
    m: P::Move,
    /// The position after the move.
    start: P::Position,
    /// Lower bound on the length of a solution that starts with the move, in moves.
    lower_bound: u32,
}

/// Finds a solution that starts with one of `first_moves`.
///
/// Runs `search` on the position after each first move, in ascending order of their lower bounds. Reports a lower bound
/// only if it is valid for all first moves.
///
/// # Errors
/// [`Stopped`] if the control stops the search.
pub(crate) fn solve<P: EnginePuzzle>(
    context: &mut SolveContext<P>,
    first_moves: &[P::Move],
    mut search: impl FnMut(&mut SolveContext<P>) -> Result<SolveOutcome<P::Move>, Stopped>,
) -> Result<SolveOutcome<P::Move>, Stopped> {
    context.control.visit()?;
    let candidate = |&m: &P::Move| {
        let start = context.puzzle.play(&context.start, m);
        let lower_bound = 1 + context.puzzle.lower_bound(&start);
        FirstMove::<P> {
            m,
            start,
            lower_bound,
        }
    };
    let mut candidates: Vec<_> = first_moves.iter().map(candidate).collect();
    candidates.sort_by_key(|candidate| candidate.lower_bound);
    let mut best = Best(None);
    let (mut is_proved, mut depth_limit_hit) = (true, false);
    for index in 0..candidates.len() {
        let FirstMove {
            m,
            start,
            lower_bound,
        } = candidates[index];
        let max_depth = context.max_depth.min(best.max_improving_length());
        if lower_bound > max_depth {
            depth_limit_hit = true;
            continue;
        }
        let others = candidates.iter().enumerate();
        let others = others.filter(|(other, _)| *other != index);
        let bound_of_others = others.map(|(_, other)| other.lower_bound).min();
        let mut proved_bound = lower_bound;
        let progress = &mut *context.progress;
        let mut on_progress = |event: Progress<P::Move>, control: &Control| match event {
            Progress::Bound(bound) => {
                proved_bound = proved_bound.max(bound + 1);
                let common_bound = proved_bound.min(bound_of_others.unwrap_or(proved_bound));
                progress(Progress::Bound(common_bound), control);
            }
            Progress::Solution(path) => {
                if let Some(improved) = best.improve(m, path) {
                    progress(Progress::Solution(improved), control);
                }
            }
            Progress::Warning(warning) => progress(Progress::Warning(warning), control),
        };
        let mut subproblem = SolveContext {
            max_depth: max_depth - 1,
            memory_limit: context.memory_limit,
            ..SolveContext::new(
                context.puzzle,
                start,
                context.heuristic,
                context.control,
                &mut on_progress,
            )
        };
        let outcome = if subproblem.puzzle.is_solved(&start) {
            Ok(SolveOutcome::Solved(Vec::new()))
        } else {
            search(&mut subproblem)
        };
        let (expanded, peak_memory) = (subproblem.expanded, subproblem.peak_memory);
        context.expanded += expanded;
        context.peak_memory = context.peak_memory.max(peak_memory);
        candidates[index].lower_bound = match outcome? {
            SolveOutcome::Solved(path) => {
                // Report this solution now, because the search of the other first moves may be stopped.
                if let Some(improved) = best.improve(m, &path)
                    && index + 1 < candidates.len()
                {
                    (context.progress)(Progress::Solution(improved), context.control);
                }
                path.len() as u32 + 1
            }
            SolveOutcome::Unsolvable => u32::MAX,
            SolveOutcome::DepthLimit => {
                depth_limit_hit = true;
                max_depth + 1
            }
            SolveOutcome::BestEffort => {
                is_proved = false;
                proved_bound
            }
            outcome @ (SolveOutcome::MemoryLimit | SolveOutcome::OutOfMemory(_)) => {
                return Ok(outcome);
            }
        };
    }
    Ok(match best.0 {
        Some(best) if is_proved => SolveOutcome::Solved(best),
        Some(_) => SolveOutcome::BestEffort,
        None if depth_limit_hit => SolveOutcome::DepthLimit,
        None => SolveOutcome::Unsolvable,
    })
}

/// The shortest solution found so far.
struct Best<M>(Option<Vec<M>>);

impl<M: Copy> Best<M> {
    /// Returns the maximum length of a shorter solution, in moves.
    fn max_improving_length(&self) -> u32 {
        let length = self.0.as_ref().map(|best| best.len() as u32);
        length.map_or(u32::MAX, |length| length - 1)
    }

    /// If `m` followed by `path` is shorter than the stored solution, stores and returns it.
    fn improve(&mut self, m: M, path: &[M]) -> Option<&[M]> {
        if path.len() as u32 >= self.max_improving_length() {
            return None;
        }
        let full_path = iter::once(m).chain(path.iter().copied()).collect();
        Some(self.0.insert(full_path))
    }
}
