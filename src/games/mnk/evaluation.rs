//! Nilsson's evaluation of the m,n,k games, with move ordering, symmetries and pruning for searches.

use super::cells::Cells;
use super::rules::{Mnk, Move, Position};
use crate::control::{Control, Stopped};
use crate::search::tactics::{CanonicalKey, StaticPruning};
use crate::search::{Evaluator, Feature, FrontierEval, MoveScorer, Pruner, Symmetry};
use crate::value::{Value, Window};

/// The evaluation by open lines: one point for each line open to the first player, minus one point for each line open
/// to the second player.
///
/// A line is k cells in a row. It is open to a player if it contains no stone of the opponent.
///
/// Source: Nilsson, Problem-Solving Methods in Artificial Intelligence, 1971, for tic-tac-toe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nilsson {
    /// The usual weights: 1 and −1.
    #[default]
    Reference,
    /// Other weights of the lines open to the first and to the second player, in hundredths of a point.
    Weighted([i32; 2]),
}

impl<const WORDS: usize> Mnk<WORDS> {
    /// Returns the number of lines that are open to each side: first player, second player.
    pub(crate) fn open_lines(&self, position: &Position<WORDS>) -> [u32; 2] {
        let [first, second] = position.stones;
        [second, first].map(|opponent| self.count_lines(self.all & !opponent))
    }
}

impl<const WORDS: usize> Evaluator<Mnk<WORDS>> for Nilsson {
    fn evaluate(&self, game: &Mnk<WORDS>, position: &Position<WORDS>) -> Value {
        let [first, second] = game.open_lines(position);
        let (first, second) = (first as i32, second as i32);
        match self {
            Self::Reference => Value::points(first - second),
            Self::Weighted(weights) => Value(weights[0] * first + weights[1] * second),
        }
    }

    fn features(&self, game: &Mnk<WORDS>, position: &Position<WORDS>) -> Vec<Feature> {
        let weights = match self {
            Self::Reference => [100, -100],
            Self::Weighted(weights) => *weights,
        };
        let numbers = game.open_lines(position).into_iter().zip(weights);
        let names = ["lines open to x", "lines open to o"].into_iter();
        names
            .zip(numbers)
            .map(|(name, (number, weight))| Feature {
                name,
                weight,
                number: Some(number),
            })
            .collect()
    }

    fn with_weights(&self, weights: &[i32]) -> Option<Self> {
        Some(Self::Weighted(weights.try_into().ok()?))
    }

    /// Returns one point plus one point for each empty cell, so that a quick win scores more.
    fn terminal_payoff(&self, game: &Mnk<WORDS>, position: &Position<WORDS>) -> f64 {
        f64::from(1 + game.empty_count(position))
    }
}

/// The score of a move that completes a line.
const WINNING_SCORE: i32 = 20_000;
/// The score of a move that blocks a line of the opponent with one missing cell.
const BLOCKING_SCORE: i32 = 10_000;

impl<const WORDS: usize> MoveScorer<Mnk<WORDS>> for Nilsson {
    /// Scores winning moves highest, then moves that block a win of the opponent. Other moves score more if they leave
    /// fewer lines open to the opponent.
    fn score_move(&self, game: &Mnk<WORDS>, position: &Position<WORDS>, m: Move) -> i32 {
        let side = position.side();
        let cell = Cells::only(m.0 as usize);
        let own = position.stones[side as usize] | cell;
        if game.has_line(own) {
            WINNING_SCORE
        } else if game.has_line(position.stones[side.other() as usize] | cell) {
            BLOCKING_SCORE
        } else {
            -(game.count_lines(game.all & !own) as i32)
        }
    }

    #[inline]
    fn score_moves(
        &self,
        game: &Mnk<WORDS>,
        position: &Position<WORDS>,
        moves: &[Move],
        scores: &mut Vec<i32>,
    ) {
        game.score_moves_by_lines(position, moves, scores);
    }
}

impl<const WORDS: usize> Symmetry<Mnk<WORDS>> for Nilsson {
    #[inline]
    fn canonical_key(&self, game: &Mnk<WORDS>, position: &Position<WORDS>) -> CanonicalKey {
        game.canonical_key_of(position)
    }

    #[inline]
    fn move_image(&self, game: &Mnk<WORDS>, m: Move, symmetry: usize) -> Move {
        Move(game.image(m.0 as usize, symmetry) as u16)
    }

    #[inline]
    fn inverse_image(&self, game: &Mnk<WORDS>, m: Move, symmetry: usize) -> Move {
        Move(game.inverse_image(m.0 as usize, symmetry) as u16)
    }
}

impl<const WORDS: usize> FrontierEval<Mnk<WORDS>> for Nilsson {}

impl<const WORDS: usize> Pruner<Mnk<WORDS>> for Nilsson {
    fn prune_moves(
        &self,
        game: &Mnk<WORDS>,
        position: &Position<WORDS>,
        _depth: u32,
        ply: u32,
        window: Window,
        moves: &mut Vec<Move>,
    ) -> StaticPruning {
        game.forced_moves(position, ply, window, moves)
    }

    fn drawing_move(
        &self,
        game: &Mnk<WORDS>,
        position: &Position<WORDS>,
        moves: &[Move],
        control: &mut Control,
    ) -> Result<Option<Move>, Stopped> {
        game.drawing_move(position, moves, control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::mnk::Small;
    use crate::rules::Rules;

    #[test]
    fn tic_tac_toe_starts_even_with_eight_lines() {
        let game = Small::default();
        assert_eq!(
            Nilsson::Reference.evaluate(&game, &game.start()),
            Value::ZERO
        );
        assert_eq!(game.open_lines(&game.start()), [8, 8]);
        assert!(
            (Nilsson::Reference.terminal_payoff(&game, &game.start()) - 10.0).abs() < f64::EPSILON
        );
        let center = game.play(&game.start(), Move(4));
        assert_eq!(
            Nilsson::Reference.evaluate(&game, &center),
            Value::points(4)
        );
    }
}
