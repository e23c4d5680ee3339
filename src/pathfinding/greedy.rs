//! Greedy best-first search: always on from the position that looks nearest to the goal.

use super::astar::{self, Order};
use super::{SolveContext, SolveOutcome};
use crate::control::Stopped;
use crate::rules::Puzzle;
use crate::settings::TieBreak;

/// Finds a way, seldom a shortest one; of positions that look equally near the oldest is examined first.
pub fn solve<P: Puzzle>(quest: &mut SolveContext<P>) -> Result<SolveOutcome<P::Move>, Stopped> {
    let order = Order {
        made_weight: 0,
        estimate_weight: 1,
        tie_break: TieBreak::Fifo,
        closed_list: true,
    };
    astar::solve(quest, order)
}
