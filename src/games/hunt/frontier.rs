//! Evaluation and exact pruning of hunt games in the last plies of a search.
//!
//! A frontier node is one ply above the leaves. [`Hunt::best_leaf`] evaluates its moves without playing them: it
//! updates the tigers' mobility incrementally. The other functions apply [`static_pruning`](super::static_pruning) two
//! to four plies above the leaves. A search spends most of its time here.

use super::mobility::{Mobility, MobilityState};
use super::position::{Move, Position, points_of};
use super::rules::Hunt;
use crate::rules::{Game, Rules};
use crate::search::tactics::{FrontierBest, StaticPruning};
use crate::value::{Side, Value, Window};

impl Hunt {
    /// Returns the best value among the children of the frontier node `position`, `ply` plies below the root.
    ///
    /// `evaluate` returns the value after a move that does not end the game, from the move and the tigers' mobility
    /// after it. `moves` is scratch space; its length is restored.
    #[inline(always)]
    pub(super) fn best_leaf(
        &self,
        position: &Position,
        ply: u32,
        window: Window,
        moves: &mut Vec<Move>,
        evaluate: impl Fn(Move, Mobility) -> Value,
    ) -> FrontierBest<Move> {
        let state = MobilityState::new(self.board, position);
        let mut best = FrontierBest::new(self.side(position), window);
        let board = self.board;
        if position.tigers_to_move {
            let next_capture_wins = self.captured(position) + 1 >= board.captures_to_win;
            for m in state.tiger_moves() {
                let is_capture = board.between(m.from(), m.to()) != 0;
                let wins = is_capture && next_capture_wins || self.leaves_goats_stuck(position, m);
                let value = if wins {
                    Value::win(Side::P2, ply + 1)
                } else {
                    evaluate(m, state.after_tiger_move(m.from(), m.to()))
                };
                if best.offer(m, value) {
                    break;
                }
            }
            return best;
        }
        let base = moves.len();
        self.moves(position, moves);
        for &m in &moves[base..] {
            let mobility = state.after(m);
            let value = if mobility == Mobility::NONE {
                Value::win(Side::P1, ply + 1)
            } else {
                evaluate(m, mobility)
            };
            if best.offer(m, value) {
                break;
            }
        }
        moves.truncate(base);
        best
    }

    /// Returns a fail-low cutoff if a few tiger replies refute every goat placement. Applies three or four plies above
    /// the leaves. A value is at most alpha if its points are at most `bound`.
    #[inline(always)]
    pub(super) fn placement_cutoff(
        &self,
        position: &Position,
        depth: u32,
        window: Window,
        bound: i32,
    ) -> StaticPruning {
        // At depth 2, the search skips the transposition table and calls `unproved_moves` next, so a cheaper test
        // before it would gain nothing.
        if depth < 3 || !Self::can_prune_placements(position, depth, window) {
            return StaticPruning::NONE;
        }
        let unproved = self.quick_unproved_placements(position, depth, bound);
        StaticPruning {
            cutoff_value: (unproved.placements == 0).then_some(window.alpha),
            pruned_bound: None,
            visited: unproved.visited,
        }
    }

    /// Returns `true` if static pruning can prove that goat placements fail low.
    ///
    /// All goat moves within `depth` plies must be placements, because the proof does not consider goat steps,
    /// which could save a threatened goat.
    #[inline(always)]
    fn can_prune_placements(position: &Position, depth: u32, window: Window) -> bool {
        depth <= 4
            && !position.tigers_to_move
            && u32::from(position.hand) >= depth.div_ceil(2)
            && window.alpha.forced().is_none()
    }

    /// Appends the moves of `position` that static pruning does not prove to fail low. A value is at most alpha if its
    /// points are at most `bound`.
    #[inline(always)]
    pub(super) fn unproved_moves(
        &self,
        position: &Position,
        depth: u32,
        window: Window,
        bound: i32,
        moves: &mut Vec<Move>,
    ) -> StaticPruning {
        let has_forced_alpha = window.alpha.forced().is_some();
        if position.tigers_to_move && depth == 2 && !has_forced_alpha {
            let (is_refuted, visited) = self.tigers_refute(position, bound);
            self.moves(position, moves);
            return StaticPruning {
                cutoff_value: is_refuted.then_some(window.alpha),
                pruned_bound: None,
                visited,
            };
        }
        if Self::can_prune_placements(position, depth, window) {
            let unproved = self.unproved_placements(position, depth, bound);
            moves.extend(points_of(unproved.placements).map(Move::place));
            let is_pruned = unproved.placements != position.empty(self.board);
            return StaticPruning {
                cutoff_value: (unproved.placements == 0).then_some(window.alpha),
                pruned_bound: is_pruned.then_some(window.alpha),
                visited: unproved.visited,
            };
        }
        self.moves(position, moves);
        StaticPruning::NONE
    }
}
