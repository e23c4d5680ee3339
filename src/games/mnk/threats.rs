//! Move scores and forced moves that follow from nearly complete lines.

use super::cells::{Cells, PerCell};
use super::rules::{Mnk, Move, Position};
use crate::rules::Rules;
use crate::search::tactics::StaticPruning;
use crate::value::{Value, Window};

/// Factor by which the score of a line grows with each stone on it, up to [`MAX_COUNTED_STONES`] stones.
const LINE_GROWTH: i32 = 4;
const MAX_COUNTED_STONES: u32 = 6;

impl<const WORDS: usize> Mnk<WORDS> {
    /// Returns the empty cells that complete a line of `stones`.
    #[inline]
    pub(crate) fn winning_cells(&self, stones: Cells<WORDS>, empty: Cells<WORDS>) -> Cells<WORDS> {
        let mut winning_cells = Cells::NONE;
        for axis in &self.axes {
            for missing in 0..self.length {
                let mut lines = axis.starts & empty.shifted_down(axis.step * missing);
                for other in (0..self.length).filter(|&other| other != missing) {
                    lines = lines & stones.shifted_down(axis.step * other);
                }
                winning_cells = winning_cells | lines.shifted_up(axis.step * missing);
            }
        }
        winning_cells
    }

    /// Scores moves by the lines through their cells that contain stones of at most one side. A line scores more
    /// for each stone on it.
    pub(super) fn score_moves_by_lines(
        &self,
        position: &Position<WORDS>,
        moves: &[Move],
        out: &mut Vec<i32>,
    ) {
        let side = position.side();
        let (own, opponent) = (
            position.stones[side as usize],
            position.stones[side.other() as usize],
        );
        let mut scores = PerCell::<_, WORDS>::new(0);
        for axis in &self.axes {
            for start in axis.starts.iter() {
                let cells = || axis.line(start, self.length);
                let count_of = |stones: &Cells<WORDS>| {
                    cells().filter(|&cell| stones.contains(cell)).count() as u32
                };
                let gain = match (count_of(&own), count_of(&opponent)) {
                    (own, 0) => 3 * LINE_GROWTH.pow(own.min(MAX_COUNTED_STONES)),
                    (0, opponent) => 2 * LINE_GROWTH.pow(opponent.min(MAX_COUNTED_STONES)),
                    _ => continue,
                };
                for cell in cells() {
                    scores[cell] += gain;
                }
            }
        }
        out.extend(moves.iter().map(|m| scores[m.0.into()]));
    }

    /// Reduces the moves by threats. A line that can be completed is completed, and a single threat of the opponent
    /// is blocked.
    ///
    /// Two threats of the opponent lose. If neither side has an open line, the game is a draw.
    pub(super) fn forced_moves(
        &self,
        position: &Position<WORDS>,
        ply: u32,
        window: Window,
        moves: &mut Vec<Move>,
    ) -> StaticPruning {
        let side = position.side();
        let empty = self.empty(position);
        let own_wins = self.winning_cells(position.stones[side as usize], empty);
        if let Some(cell) = own_wins.iter().next() {
            moves.push(Move(cell as u16));
            return StaticPruning::NONE;
        }
        let opponent_wins = self.winning_cells(position.stones[side.other() as usize], empty);
        if let Some(cell) = opponent_wins.iter().next() {
            moves.push(Move(cell as u16));
            let is_lost = opponent_wins.count() > 1;
            return StaticPruning {
                settled: is_lost.then(|| Value::win(side.other(), ply + 2)),
                ..StaticPruning::NONE
            };
        }
        let [first, second] = position.stones;
        let can_win = [second, first].map(|opponent| self.has_line(self.all & !opponent));
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
