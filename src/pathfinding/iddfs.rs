//! Iterative-deepening depth-first search: depth-first searches with the depth limits 1, 2, 3, …, without a
//! heuristic. Only the current path is stored.

use super::observer::PuzzleObserver;
use super::{SolveContext, SolveOutcome};
use crate::control::Stopped;
use crate::rules::Puzzle;

/// Finds a shortest solution. The goal is detected when it is generated.
///
/// # Errors
/// [`Stopped`] if the control stops the search.
pub(crate) fn solve<P: Puzzle>(
    context: &mut SolveContext<P>,
    observer: &mut impl PuzzleObserver<P>,
) -> Result<SolveOutcome<P::Move>, Stopped> {
    context.control.visit()?;
    let start = context.start;
    if context.puzzle.is_solved(&start) {
        return Ok(SolveOutcome::Solved(Vec::new()));
    }
    for depth in 1..=context.max_depth {
        context.report_bound(depth);
        observer.begin_iteration(depth);
        let mut iteration = DepthIteration {
            context,
            observer,
            moves: Vec::new(),
            path: Vec::new(),
            depth_limit_hit: false,
        };
        if iteration.search_below(&start, depth)? {
            return Ok(SolveOutcome::Solved(iteration.path));
        }
        if !iteration.depth_limit_hit {
            return Ok(SolveOutcome::Unsolvable);
        }
    }
    Ok(SolveOutcome::DepthLimit)
}

/// One depth-first iteration with a limit on the depth.
struct DepthIteration<'q, 'a, P: Puzzle, W> {
    context: &'q mut SolveContext<'a, P>,
    observer: &'q mut W,
    /// The untried moves of all nodes on the path, as one stack.
    moves: Vec<P::Move>,
    path: Vec<P::Move>,
    /// `true` if a node at the depth limit was not expanded, so that a deeper iteration may find a solution.
    depth_limit_hit: bool,
}

impl<P: Puzzle, W: PuzzleObserver<P>> DepthIteration<'_, '_, P, W> {
    /// Searches `depth` moves (at least 1) below `position`. Returns `true` if the goal was found; `path` then leads to
    /// it.
    fn search_below(&mut self, position: &P::Position, depth: u32) -> Result<bool, Stopped> {
        self.context.expanded += 1;
        let base = self.moves.len();
        self.context
            .successors(position, self.path.last().copied(), &mut self.moves);
        for index in base..self.moves.len() {
            let m = self.moves[index];
            self.context.control.visit()?;
            let child = self.context.puzzle.play(position, m);
            self.observer.make(m, &child);
            self.path.push(m);
            if self.context.puzzle.is_solved(&child) {
                return Ok(true);
            }
            if depth == 1 {
                // The child is at the depth limit.
                self.observer.beyond(self.path.len() as u32);
                self.depth_limit_hit = true;
            } else {
                self.observer.descend(0);
                if self.search_below(&child, depth - 1)? {
                    return Ok(true);
                }
                self.observer.ascend();
            }
            self.path.pop();
        }
        self.moves.truncate(base);
        Ok(false)
    }
}
