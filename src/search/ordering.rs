//! Move ordering of the textbook searches: the hash move first, then by the game's own score, killer moves and history.

use std::cmp::Reverse;

use super::Tactics;
use super::observer::OrderReason;
use crate::control::MAX_DEPTH;
use crate::rules::Game;
use crate::settings::MoveOrder;
use crate::value::Side;

/// Cutoff statistics. A move that caused a cutoff in one node is searched early in other nodes.
#[derive(Debug)]
pub(crate) struct MoveOrdering {
    /// The criteria of [`MoveOrdering::sort`].
    order: MoveOrder,
    /// The last two moves that caused a cutoff at each ply (Akl and Newborn 1977).
    killers: Vec<[Option<u16>; 2]>,
    /// For each side, the history count of each move. A cutoff by a move adds the depth squared (Schaeffer 1983).
    history: [Vec<i32>; 2],
}

/// Number of history slots per side. Moves that are equal modulo this number share a slot.
const HISTORY_SLOTS: usize = 1 << 12;
/// History count at which all counts of the side are halved.
const MAX_HISTORY: i32 = 1 << 20;

impl MoveOrdering {
    /// Creates empty statistics.
    #[must_use]
    pub(crate) fn new(order: MoveOrder) -> Self {
        let history = || vec![0; HISTORY_SLOTS];
        Self {
            order,
            killers: vec![[None; 2]; MAX_DEPTH as usize + 2],
            history: [history(), history()],
        }
    }

    /// Sorts the moves of a node, which are in notation order. [`MoveOrder::Full`]: the hash move first, then by the
    /// game's score, killers and history; equal moves keep notation order. [`MoveOrder::Table`]: only the hash move
    /// moves to the front. [`MoveOrder::None`]: no change.
    ///
    /// `hash_move` is the best move in the transposition table for this position.
    pub(crate) fn sort<G: Game, T: Tactics<G>>(
        &self,
        game: &G,
        tactics: &T,
        position: &G::Position,
        ply: u32,
        hash_move: Option<u16>,
        moves: &mut [G::Move],
    ) {
        if self.order == MoveOrder::None {
            return;
        }
        if T::MOVES_TRANSFER && self.order == MoveOrder::Full {
            let side = game.side(position);
            moves.sort_by_cached_key(|&m| {
                Reverse(self.score(side, ply, m.into(), tactics.score_move(game, position, m)))
            });
        }
        if let Some(index) = hash_move.and_then(|best| moves.iter().position(|&m| m.into() == best))
        {
            moves[..=index].rotate_right(1);
        }
    }

    /// Returns the score of a move: the game's score, with killers and history as tie-breaks.
    #[inline]
    fn score(&self, side: Side, ply: u32, m: u16, game_score: i32) -> i64 {
        let killer = self.killers[ply as usize]
            .iter()
            .position(|&killer| killer == Some(m));
        let killer = killer.map_or(0, |rank| 2 * MAX_HISTORY - rank as i32);
        let statistics = killer + self.history[side as usize][m as usize % HISTORY_SLOTS];
        i64::from(game_score) * i64::from(4 * MAX_HISTORY) + i64::from(statistics)
    }

    /// Returns the reason for a move's place after [`MoveOrdering::sort`].
    pub(crate) fn reason<G: Game, T: Tactics<G>>(
        &self,
        game: &G,
        tactics: &T,
        position: &G::Position,
        ply: u32,
        hash_move: Option<u16>,
        m: G::Move,
    ) -> OrderReason {
        let number: u16 = m.into();
        if self.order != MoveOrder::None && hash_move == Some(number) {
            return OrderReason::Table;
        }
        if !T::MOVES_TRANSFER || self.order != MoveOrder::Full {
            return OrderReason::Notation;
        }
        if tactics.score_move(game, position, m) > 0 {
            return OrderReason::Capture;
        }
        if self.killers[ply as usize].contains(&Some(number)) {
            return OrderReason::Killer;
        }
        let side = game.side(position);
        match self.history[side as usize][number as usize % HISTORY_SLOTS] {
            0 => OrderReason::Notation,
            _ => OrderReason::History,
        }
    }

    /// Records that `m` caused a cutoff.
    #[inline]
    pub(crate) fn cut_off(&mut self, side: Side, ply: u32, depth: u32, m: u16) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(m) {
            killers[1] = killers[0];
            killers[0] = Some(m);
        }
        let history = &mut self.history[side as usize];
        history[m as usize % HISTORY_SLOTS] += (depth * depth) as i32;
        if history[m as usize % HISTORY_SLOTS] >= MAX_HISTORY {
            for count in history {
                *count /= 2;
            }
        }
    }
}
