//! The last plies before the horizon, where a search spends its time: values of moves without playing them.

use super::mobility::{Mobility, MobilityState};
use super::position::{Move, Position, points_of};
use super::rules::Hunt;
use crate::rules::{Game, Rules};
use crate::search::tactics::{FrontierBest, StaticPruning};
use crate::value::{Side, Value, Window};

impl Hunt {
    /// The best value one ply below, move by move from the change of the tigers' mobility; `judge` tells the value of
    /// a move that does not end the game.
    #[inline(always)]
    pub(super) fn best_leaf(
        &self,
        position: &Position,
        ply: u32,
        window: Window,
        moves: &mut Vec<Move>,
        judge: impl Fn(Move, Mobility) -> Value,
    ) -> FrontierBest<Move> {
        let outlook = MobilityState::new(self.board, position);
        let mut horizon = FrontierBest::new(self.side(position), window);
        let board = self.board;
        if position.tigers_to_move {
            let last_capture = self.captured(position) + 1 >= board.captures_to_win;
            for m in outlook.tiger_moves() {
                let captures = board.between(m.from(), m.to()) != 0;
                let wins = captures && last_capture || self.leaves_goats_stuck(position, m);
                let value = if wins {
                    Value::win(Side::P2, ply + 1)
                } else {
                    judge(m, outlook.after_tiger_move(m.from(), m.to()))
                };
                if horizon.offer(m, value) {
                    break;
                }
            }
            return horizon;
        }
        let base = moves.len();
        self.moves(position, moves);
        for &m in &moves[base..] {
            let mobility = outlook.after(m);
            let value = if mobility == Mobility::NONE {
                Value::win(Side::P1, ply + 1)
            } else {
                judge(m, mobility)
            };
            if horizon.offer(m, value) {
                break;
            }
        }
        moves.truncate(base);
        horizon
    }

    /// Whether no goat to place here matters, if the best few answers show it.
    #[inline(always)]
    pub(super) fn glance_at_placements(
        &self,
        position: &Position,
        depth: u32,
        window: Window,
    ) -> StaticPruning {
        // Two plies before the horizon no table is asked, and foresight comes next anyway.
        if depth < 3 || !Self::foresees_placements(position, depth, window) {
            return StaticPruning::NONE;
        }
        let most = window.alpha.0.div_euclid(100);
        let doubt = self.placements_at_a_glance(position, depth, most);
        StaticPruning {
            settled: (doubt.placements == 0).then_some(window.alpha),
            pruned_bound: None,
            visited: doubt.visited,
        }
    }

    /// Whether something can be told of goats to place here: those to come have to be placed too, not to step, by which
    /// other goats might move away.
    #[inline(always)]
    fn foresees_placements(position: &Position, depth: u32, window: Window) -> bool {
        depth <= 4
            && !position.tigers_to_move
            && u32::from(position.hand) >= depth.div_ceil(2)
            && window.alpha.forced().is_none()
    }

    /// Appends the moves that are not known to fail near the horizon.
    #[inline(always)]
    pub(super) fn moves_in_doubt(
        &self,
        position: &Position,
        depth: u32,
        window: Window,
        moves: &mut Vec<Move>,
    ) -> StaticPruning {
        let most = window.alpha.0.div_euclid(100);
        let must_win = window.alpha.forced().is_some();
        if position.tigers_to_move && depth == 2 && !must_win {
            let (holds, visited) = self.tigers_refute(position, most);
            self.moves(position, moves);
            return StaticPruning {
                settled: holds.then_some(window.alpha),
                pruned_bound: None,
                visited,
            };
        }
        if Self::foresees_placements(position, depth, window) {
            let doubt = self.doubtful_placements(position, depth, most);
            moves.extend(points_of(doubt.placements).map(Move::place));
            let left_out = doubt.placements != position.empty(self.board);
            return StaticPruning {
                settled: (doubt.placements == 0).then_some(window.alpha),
                pruned_bound: left_out.then_some(window.alpha),
                visited: doubt.visited,
            };
        }
        self.moves(position, moves);
        StaticPruning::NONE
    }
}
