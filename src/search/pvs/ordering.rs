//! Move ordering of the tuned search.
//!
//! Moves are scored only if the hash move causes no cutoff. The best remaining move is selected when it is needed, so a
//! node with an early cutoff does not sort all of its moves.

use crate::control::MAX_DEPTH;
use crate::value::Side;

/// Cutoff statistics. A move that caused a cutoff in one node is searched early in other nodes.
#[derive(Clone, Debug)]
pub(crate) struct MoveHistory {
    /// The last two moves that caused a cutoff at each ply (Akl and Newborn 1977).
    killers: Vec<[u16; 2]>,
    /// For each side, the history score of each move. Each cutoff increases it, more at greater depth
    /// (Schaeffer 1983).
    history: [Vec<i32>; 2],
    /// For each side and each move of the opponent, the last reply that caused a cutoff (Uiterwijk 1992).
    counters: [Vec<u16>; 2],
}

/// Number of history scores and counter moves per side. Moves that are equal modulo this number share them.
const SLOTS: usize = 1 << 12;
/// Maximum magnitude of a history score.
const MAX_HISTORY: i32 = 1 << 14;
/// A value that no game uses as a move.
const NO_MOVE: u16 = u16::MAX;
/// Score of a killer move.
const KILLER: i32 = 125;
/// Score of a counter move.
const COUNTER: i32 = 30;
/// Binary logarithm of the divisor of history scores, when they are added to the scores of killers and counter
/// moves.
const HISTORY_SHIFT: u32 = 4;
/// History bonus of a cutoff at depth 1. It is multiplied by the square of the depth (NOTES.md, history bonus).
const BONUS: u32 = 64;
/// History penalty of a move that was searched before the move that caused the cutoff, in quarters of the bonus.
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

    /// Returns the score of the move `m` by the statistics. The caller adds the game's own score of the move.
    #[inline]
    pub(crate) fn score(&self, side: Side, ply: u32, last_move: u16, m: u16) -> i32 {
        let killer = i32::from(self.killers[ply as usize].contains(&m)) * KILLER;
        let counter =
            i32::from(self.counters[side as usize][last_move as usize % SLOTS] == m) * COUNTER;
        killer + counter + (self.history[side as usize][m as usize % SLOTS] >> HISTORY_SHIFT)
    }

    /// Records that `m` caused a cutoff in reply to `last_move`.
    #[inline]
    pub(super) fn cut_off(&mut self, side: Side, ply: u32, depth: u32, last_move: u16, m: u16) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != m {
            killers[1] = killers[0];
            killers[0] = m;
        }
        self.counters[side as usize][last_move as usize % SLOTS] = m;
        self.add_bonus(side, m, bonus(depth));
    }

    /// Records that `m` caused no cutoff, but a later move did.
    #[inline]
    pub(super) fn failed(&mut self, side: Side, depth: u32, m: u16) {
        self.add_bonus(side, m, -bonus(depth) * MALUS / 4);
    }

    /// Adds `bonus` to the history score of a move, scaled down as the score approaches its limit.
    #[inline]
    fn add_bonus(&mut self, side: Side, m: u16, bonus: i32) {
        let history = &mut self.history[side as usize][m as usize % SLOTS];
        *history += bonus - *history * bonus.abs() / MAX_HISTORY;
    }
}

/// Returns the history bonus of a cutoff at `depth`.
#[inline]
fn bonus(depth: u32) -> i32 {
    (BONUS * depth * depth).min(MAX_HISTORY as u32) as i32
}

/// Swaps the move with the highest score in `moves[next..]` to index `next`, together with its score. Among
/// equal scores, takes the first move.
#[inline(always)]
pub(super) fn pick<M: Copy>(moves: &mut [M], scores: &mut [i32], next: usize) {
    let mut max = i32::MIN;
    for &score in &scores[next..] {
        max = max.max(score);
    }
    let best = scores[next..].iter().position(|&score| score == max);
    let best = next + best.unwrap_or(0);
    moves.swap(next, best);
    scores.swap(next, best);
}
