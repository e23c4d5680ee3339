//! By what the hunt games are judged: the tutorial's evaluation, or the champion's; and what either lets a search know.

use super::board::Board;
use super::fitted::{self, Fitted};
use super::outlook::{Mobility, Outlook};
use super::position::{Move, Position, goats_left};
use super::rules::{Hunt, key};
use crate::rules::Rules;
use crate::search::tactics::{Folded, Foresight, Horizon};
use crate::search::{Evaluator, Tactics};
use crate::value::{Value, Window};

/// An evaluation of positions of a hunt game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evaluation {
    /// The tutorial's: from the tigers' view −4 for every goat in hand or on the board, +1 for every step and +2 for
    /// every capture that the tigers have, whoever is to move.
    Tutorial,
    /// The champion's.
    Fitted(&'static Fitted),
}

impl Evaluation {
    /// The champion's on this board, where its numbers were fitted.
    pub fn champion(board: &Board) -> Option<Self> {
        fitted::of(board).map(Self::Fitted)
    }
}

#[inline]
fn tutorial_value(goats: u32, mobility: Mobility) -> Value {
    let Mobility { steps, captures } = mobility;
    Value::points(4 * goats as i32 - steps as i32 - 2 * captures as i32)
}

impl Evaluator<Hunt> for Evaluation {
    #[inline]
    fn evaluate(&self, game: &Hunt, position: &Position) -> Value {
        match self {
            Self::Tutorial => tutorial_value(goats_left(position), game.mobility(position)),
            Self::Fitted(fitted) => fitted.value(position),
        }
    }

    fn terms(&self, game: &Hunt, position: &Position) -> Vec<(&'static str, f64)> {
        if let Self::Fitted(fitted) = self {
            return fitted.terms(position);
        }
        let goats = f64::from(goats_left(position));
        let Mobility { steps, captures } = game.mobility(position);
        vec![
            ("goats", 4.0 * goats),
            ("tiger steps", 0.0 - f64::from(steps)),
            ("tiger captures", 0.0 - 2.0 * f64::from(captures)),
        ]
    }
}

impl Tactics<Hunt> for Evaluation {
    #[inline]
    fn promise(&self, game: &Hunt, position: &Position, m: Move) -> i32 {
        i32::from(position.tigers_to_move && game.board.between[m.from()][m.to()] != 0)
    }

    /// What the evaluation will say of each move. A goat that can be captured counts as good as lost.
    #[inline]
    fn rate(&self, game: &Hunt, position: &Position, moves: &[Move], ratings: &mut Vec<i32>) {
        let outlook = Outlook::new(game.board, position);
        if position.tigers_to_move {
            ratings.extend(moves.iter().map(|&m| {
                let Mobility { steps, captures } = outlook.after(m);
                let captured = u32::from(game.board.between[m.from()][m.to()] != 0);
                (steps + 2 * captures + 8 * captured) as i32
            }));
        } else {
            ratings.extend(moves.iter().map(|&m| {
                let Mobility { steps, captures } = outlook.after(m);
                -((steps + 6 * captures) as i32)
            }));
        }
    }

    #[inline]
    fn folded(&self, game: &Hunt, position: &Position) -> Folded {
        let identity = (position.tigers, position.goats, 0);
        let mut least = identity;
        for (number, symmetry) in game.board.symmetries.iter().enumerate().skip(1) {
            let tigers = symmetry.turned.of(position.tigers);
            if tigers <= least.0 {
                least = least.min((tigers, symmetry.turned.of(position.goats), number));
            }
        }
        let (tigers, goats, symmetry) = least;
        Folded {
            key: key(position, tigers, goats),
            symmetry,
        }
    }

    #[inline]
    fn turned(&self, game: &Hunt, m: Move, symmetry: usize) -> Move {
        let images = &game.board.symmetries[symmetry].images;
        Move::go(images[m.from()] as usize, images[m.to()] as usize)
    }

    #[inline]
    fn turned_back(&self, game: &Hunt, m: Move, symmetry: usize) -> Move {
        let origins = &game.board.symmetries[symmetry].origins;
        Move::go(origins[m.from()] as usize, origins[m.to()] as usize)
    }

    #[inline]
    fn horizon(
        &self,
        game: &Hunt,
        position: &Position,
        ply: u32,
        window: Window,
        scratch: &mut Vec<Move>,
    ) -> Horizon<Move> {
        let Self::Fitted(fitted) = self else {
            let goats = goats_left(position);
            return game.best_leaf(position, ply, window, scratch, |m, mobility| {
                let captured = game.board.between[m.from()][m.to()].count_ones();
                tutorial_value(goats - captured, mobility)
            });
        };
        let prospect = fitted.prospect(position);
        game.best_leaf(position, ply, window, scratch, |m, _| prospect.after(m))
    }

    fn foresee(
        &self,
        game: &Hunt,
        position: &Position,
        depth: u32,
        _ply: u32,
        window: Window,
        moves: &mut Vec<Move>,
    ) -> Foresight {
        if matches!(self, Self::Tutorial) {
            return game.moves_in_doubt(position, depth, window, moves);
        }
        game.moves(position, moves);
        Foresight::NONE
    }
}
