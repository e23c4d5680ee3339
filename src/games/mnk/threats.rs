//! What lines that are nearly complete say of the moves: which are promising, and which do not matter.

use super::cells::{Cells, PerCell};
use super::rules::{Mnk, Move, Position};
use crate::rules::Rules;
use crate::search::tactics::StaticPruning;
use crate::value::{Value, Window};

/// By how much a line counts more for every stone that it holds, up to so many.
const LINE_GROWTH: i32 = 4;
const MAX_HELD: u32 = 6;

impl<const WORDS: usize> Mnk<WORDS> {
    /// The empty cells where these stones lack only one of a line.
    #[inline]
    pub fn completing(&self, stones: Cells<WORDS>, empty: Cells<WORDS>) -> Cells<WORDS> {
        let mut completing = Cells::NONE;
        for axis in &self.axes {
            for lacking in 0..self.length {
                let mut lines = axis.starts & empty.lowered(axis.step * lacking);
                for held in (0..self.length).filter(|&held| held != lacking) {
                    lines = lines & stones.lowered(axis.step * held);
                }
                completing = completing | lines.raised(axis.step * lacking);
            }
        }
        completing
    }

    /// What a stone is worth to the lines through its cell that hold no stone of one side: the more of the other's
    /// they hold, the more it makes of them or keeps from them.
    pub(super) fn rate_by_lines(
        &self,
        position: &Position<WORDS>,
        moves: &[Move],
        ratings: &mut Vec<i32>,
    ) {
        let side = position.side();
        let (own, others) = (
            position.stones[side as usize],
            position.stones[side.other() as usize],
        );
        let mut worth = PerCell::<_, WORDS>::new(0);
        for axis in &self.axes {
            for start in axis.starts.iter() {
                let cells = || axis.line(start, self.length);
                let held = |stones: &Cells<WORDS>| {
                    cells().filter(|&cell| stones.contains(cell)).count() as u32
                };
                let gain = match (held(&own), held(&others)) {
                    (own, 0) => 3 * LINE_GROWTH.pow(own.min(MAX_HELD)),
                    (0, others) => 2 * LINE_GROWTH.pow(others.min(MAX_HELD)),
                    _ => continue,
                };
                for cell in cells() {
                    worth[cell] += gain;
                }
            }
        }
        ratings.extend(moves.iter().map(|m| worth[m.0.into()]));
    }

    /// A line that can be completed is completed; one that the opponent could complete is closed, and two of them
    /// cannot be. Where nobody has an open line the game is a draw, whoever plays what.
    pub(super) fn forced_moves(
        &self,
        position: &Position<WORDS>,
        ply: u32,
        window: Window,
        moves: &mut Vec<Move>,
    ) -> StaticPruning {
        let side = position.side();
        let empty = self.empty(position);
        let own = self.completing(position.stones[side as usize], empty);
        if let Some(cell) = own.iter().next() {
            moves.push(Move(cell as u16));
            return StaticPruning::NONE;
        }
        let others = self.completing(position.stones[side.other() as usize], empty);
        if let Some(cell) = others.iter().next() {
            moves.push(Move(cell as u16));
            let is_lost = others.count() > 1;
            return StaticPruning {
                settled: is_lost.then(|| Value::win(side.other(), ply + 2)),
                ..StaticPruning::NONE
            };
        }
        let [first, second] = position.stones;
        let can_win = [second, first].map(|others| self.has_line(self.all & !others));
        let is_settled = match can_win {
            [false, false] => true,
            [false, true] => window.alpha >= Value::ZERO,
            [true, false] => window.beta <= Value::ZERO,
            [true, true] => false,
        };
        if is_settled {
            return StaticPruning {
                settled: Some(Value::ZERO),
                ..StaticPruning::NONE
            };
        }
        self.moves(position, moves);
        StaticPruning::NONE
    }
}
