//! Greedy best-first search: expands the node with the lowest estimate.

use super::astar::{self, Order};
use super::observer::PuzzleObserver;
use super::{SolveContext, SolveOutcome};
use crate::control::Stopped;
use crate::rules::Puzzle;
use crate::settings::TieBreak;

/// Finds a solution, rarely the shortest. Among nodes with equal estimates, the oldest is expanded first.
///
/// # Errors
/// [`Stopped`] if the control stops the search.
pub(crate) fn solve<P: Puzzle>(
    context: &mut SolveContext<P>,
    observer: &mut impl PuzzleObserver<P>,
) -> Result<SolveOutcome<P::Move>, Stopped> {
    let order = Order {
        g_weight: 0,
        h_weight: 1,
        tie_break: TieBreak::Fifo,
        closed_list: true,
    };
    astar::solve(context, order, observer)
}
