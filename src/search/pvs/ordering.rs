//! Move ordering of the tuned search: moves are scored only after the hash move has failed, and picked best first,
//! so that a node with an early cutoff never sorts the rest.

use crate::control::MAX_DEPTH;
use crate::value::Side;

/// Statistics of cutoffs, used to order the moves of other nodes.
#[derive(Clone, Debug)]
pub(crate) struct MoveHistory {
    /// The last two moves that caused a cutoff at each ply (Akl and Newborn 1977).
    killers: Vec<[u16; 2]>,
    /// History score by move for each side: cutoffs weighted by depth (Schaeffer 1983).
    history: [Vec<i32>; 2],
    /// The last move that caused a cutoff in reply to a move (Uiterwijk 1992), for each side.
    counters: [Vec<u16>; 2],
}

/// Moves with equal low bits share their statistics.
const SLOTS: usize = 1 << 12;
const MAX_HISTORY: i32 = 1 << 14;
/// A value that no game uses as a move.
const NO_MOVE: u16 = u16::MAX;
const KILLER: i32 = 125;
const COUNTER: i32 = 30;
const HISTORY_SHIFT: u32 = 4;
/// History bonus of a cutoff per square of its depth (NOTES.md, history bonus).
const BONUS: u32 = 64;
/// History penalty of a move that failed before the cutoff, in quarters of the bonus.
const MALUS: i32 = 3;

impl MoveHistory {
    /// Creates empty statistics.
    pub(super) fn new() -> Self {
        Self {
            killers: vec![[NO_MOVE; 2]; MAX_DEPTH as usize + 2],
            history: [vec![0; SLOTS], vec![0; SLOTS]],
            counters: [vec![NO_MOVE; SLOTS], vec![NO_MOVE; SLOTS]],
        }
    }

    /// Returns the score that the statistics add to the game's own score of the move.
    #[inline]
    pub(crate) fn rating(&self, side: Side, ply: u32, before: u16, m: u16) -> i32 {
        let killer = i32::from(self.killers[ply as usize].contains(&m)) * KILLER;
        let counter =
            i32::from(self.counters[side as usize][before as usize % SLOTS] == m) * COUNTER;
        killer + counter + (self.history[side as usize][m as usize % SLOTS] >> HISTORY_SHIFT)
    }

    /// Records that `m` caused a cutoff in reply to `before`.
    #[inline]
    pub(super) fn cut_off(&mut self, side: Side, ply: u32, depth: u32, before: u16, m: u16) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != m {
            killers[1] = killers[0];
            killers[0] = m;
        }
        self.counters[side as usize][before as usize % SLOTS] = m;
        self.reward(side, m, bonus(depth));
    }

    /// Records that `m` failed before another move caused a cutoff.
    #[inline]
    pub(super) fn failed(&mut self, side: Side, depth: u32, m: u16) {
        self.reward(side, m, -bonus(depth) * MALUS / 4);
    }

    /// Adds `bonus` to the history score of a move, scaled down near the limits of the score.
    #[inline]
    fn reward(&mut self, side: Side, m: u16, bonus: i32) {
        let history = &mut self.history[side as usize][m as usize % SLOTS];
        *history += bonus - *history * bonus.abs() / MAX_HISTORY;
    }
}

/// Returns the history bonus of a cutoff at this depth.
#[inline]
fn bonus(depth: u32) -> i32 {
    (BONUS * depth * depth).min(MAX_HISTORY as u32) as i32
}

/// Moves the best scored of `moves[next..]` to `next`; among equals, the first.
#[inline(always)]
pub(super) fn pick<M: Copy>(moves: &mut [M], ratings: &mut [i32], next: usize) {
    let mut most = i32::MIN;
    for &rating in &ratings[next..] {
        most = most.max(rating);
    }
    let best = ratings[next..].iter().position(|&rating| rating == most);
    let best = next + best.unwrap_or(0);
    moves.swap(next, best);
    ratings.swap(next, best);
}
