//! IDA* (Korf, 1985): depth-first iterations with a growing limit on f = g + h. Only the current path is stored.

use super::observer::{NoObserver, PuzzleObserver};
use super::{SolveContext, SolveOutcome};
use crate::control::Stopped;
use crate::rules::Puzzle;

/// Finds a solution. It is shortest if the heuristic is admissible. The goal is detected when it is generated.
///
/// # Errors
/// [`Stopped`] if the control stops the search.
pub fn solve<P: Puzzle>(context: &mut SolveContext<P>) -> Result<SolveOutcome<P::Move>, Stopped> {
    solve_observed(context, &mut NoObserver)
}

/// Like [`solve`], with an observer.
pub(crate) fn solve_observed<P: Puzzle>(
    context: &mut SolveContext<P>,
    observer: &mut impl PuzzleObserver<P>,
) -> Result<SolveOutcome<P::Move>, Stopped> {
    context.control.visit()?;
    let start = context.start;
    if context.puzzle.is_solved(&start) {
        return Ok(SolveOutcome::Solved(Vec::new()));
    }
    let mut next_bound = Some(context.estimate(&start));
    while let Some(bound) = next_bound {
        if bound > context.max_depth {
            return Ok(SolveOutcome::DepthLimit);
        }
        context.report_bound(bound);
        observer.begin_iteration(bound);
        let mut iteration = FLimitIteration {
            context,
            observer,
            bound,
            next_bound: None,
            moves: Vec::new(),
            path: Vec::new(),
        };
        if iteration.search_below(&start, 0)? {
            return Ok(SolveOutcome::Solved(iteration.path));
        }
        next_bound = iteration.next_bound;
    }
    Ok(SolveOutcome::Unsolvable)
}

/// One depth-first iteration with a limit on f.
struct FLimitIteration<'q, 'a, P: Puzzle, W> {
    context: &'q mut SolveContext<'a, P>,
    observer: &'q mut W,
    /// The limit on f in this iteration.
    bound: u32,
    /// The lowest f above `bound` so far: the limit of the next iteration.
    next_bound: Option<u32>,
    /// The untried moves of all nodes on the path, as one stack.
    moves: Vec<P::Move>,
    path: Vec<P::Move>,
}

impl<P: Puzzle, W: PuzzleObserver<P>> FLimitIteration<'_, '_, P, W> {
    /// Searches below `position`, which is `g` moves from the start. Returns `true` if the goal was found; `path`
    /// then leads to it.
    fn search_below(&mut self, position: &P::Position, g: u32) -> Result<bool, Stopped> {
        self.context.expanded += 1;
        let base = self.moves.len();
        self.context
            .successors(position, self.path.last().copied(), &mut self.moves);
        for index in base..self.moves.len() {
            let m = self.moves[index];
            self.context.control.visit()?;
            let child = self.context.puzzle.play(position, m);
            let estimate = self.context.estimate(&child);
            let f = g + 1 + estimate;
            self.observer.make(m, &child);
            if f > self.bound {
                self.observer.beyond(f);
                self.next_bound = Some(self.next_bound.map_or(f, |next_bound| next_bound.min(f)));
                continue;
            }
            self.path.push(m);
            if self.context.puzzle.is_solved(&child) {
                return Ok(true);
            }
            self.observer.descend(estimate);
            if self.search_below(&child, g + 1)? {
                return Ok(true);
            }
            self.observer.ascend();
            self.path.pop();
        }
        self.moves.truncate(base);
        Ok(false)
    }
}
