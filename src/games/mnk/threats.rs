//! Move scores by the stones on each line, and forced moves by threats.
//!
//! A threat is a line on which a side lacks only one cell, which is empty.

use super::cells::{Cells, PerCell};
use super::rules::{Mnk, Move, Position};
use crate::rules::Rules;
use crate::search::tactics::StaticPruning;
use crate::value::{Value, Window};

/// Factor of a line's score for each stone on the line.
const LINE_GROWTH: i32 = 4;
/// Maximum number of stones that increase a line's score.
const MAX_COUNTED_STONES: u32 = 6;

impl<const WORDS: usize> Mnk<WORDS> {
    /// Returns the cells of `empty` that complete a line of `stones`.
    #[inline]
    pub(crate) fn winning_cells(&self, stones: Cells<WORDS>, empty: Cells<WORDS>) -> Cells<WORDS> {
        let mut winning_cells = Cells::NONE;
        for axis in &self.axes {
            // Find the lines that lack only the cell at index `missing`.
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

    /// Appends the score of each move: the sum of the scores of the lines through its cell.
    ///
    /// A line with stones of both sides scores 0. The score of any other line grows with the number of its stones, and
    /// is higher for lines of the side to move.
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
                let line_score = match (count_of(&own), count_of(&opponent)) {
                    (own, 0) => 3 * LINE_GROWTH.pow(own.min(MAX_COUNTED_STONES)),
                    (0, opponent) => 2 * LINE_GROWTH.pow(opponent.min(MAX_COUNTED_STONES)),
                    _ => continue,
                };
                for cell in cells() {
                    scores[cell] += line_score;
                }
            }
        }
        out.extend(moves.iter().map(|m| scores[m.0.into()]));
    }

    /// Appends the moves to search to `moves`, or decides the position without a search.
    ///
    /// - If the side to move has a threat, only the move that completes the line is searched.
    /// - Otherwise, if the opponent has a threat, only the move that blocks it is searched. With several threats
    ///   of the opponent, the position is lost.
    /// - If no line is open to either side, the position is a draw.
    /// - If lines are open to one side only and `window` contains no win of this side, the draw is a sufficient bound.
    /// - Otherwise all moves are searched.
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
                cutoff_value: is_lost.then(|| Value::win(side.other(), ply + 2)),
                ..StaticPruning::NONE
            };
        }
        let [first, second] = position.stones;
        let can_win = [second, first].map(|opponent| self.has_line(self.all & !opponent));
        // If only one side can win, the value is a draw or a win of this side. Unless the window contains such a
        // win, the draw is a sufficient bound.
        let is_settled = match can_win {
            [false, false] => true,
            [false, true] => window.alpha >= Value::ZERO,
            [true, false] => window.beta <= Value::ZERO,
            [true, true] => false,
        };
        if is_settled {
            return StaticPruning {
                cutoff_value: Some(Value::ZERO),
                ..StaticPruning::NONE
            };
        }
        self.moves(position, moves);
        StaticPruning::NONE
    }
}
