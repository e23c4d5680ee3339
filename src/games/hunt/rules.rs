//! The rules of the hunt games on bitboards.

use super::board::{Board, Points};
use super::outlook::{Mobility, Outlook};
use super::position::{Move, Position, points_of};
use crate::games::key::scattered;
use crate::rules::{Game, Outcome, Rules};
use crate::value::Side;

/// A hunt game on one of the boards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hunt {
    /// The board.
    pub board: &'static Board,
}

impl Hunt {
    /// The game on this board.
    pub fn new(board: &'static Board) -> Self {
        Self { board }
    }

    /// How many goats have been captured.
    #[inline]
    pub fn captured(&self, position: &Position) -> u32 {
        self.board.goats - u32::from(position.hand) - position.goats.count_ones()
    }

    /// What the tigers can do, whoever is to move.
    #[inline]
    pub fn mobility(&self, position: &Position) -> Mobility {
        Outlook::new(self.board, position).mobility()
    }

    fn tigers_can_move(&self, position: &Position) -> bool {
        let empty = position.empty(self.board);
        points_of(position.tigers).any(|from| self.board.steps[from] & empty != 0)
            || Outlook::new(self.board, position).captures() != 0
    }

    fn goats_can_move(&self, position: &Position) -> bool {
        let empty = position.empty(self.board);
        position.hand > 0
            || points_of(position.goats).any(|from| self.board.steps[from] & empty != 0)
    }

    /// Whether a tiger's move leaves goats that cannot move.
    #[inline]
    pub(super) fn leaves_goats_stuck(&self, position: &Position, m: Move) -> bool {
        position.hand == 0 && !self.goats_can_move(&self.play(position, m))
    }
}

impl Rules for Hunt {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position {
            tigers: self.board.tigers,
            goats: 0,
            hand: self.board.goats as u8,
            tigers_to_move: false,
        }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if self.captured(position) >= self.board.captures_to_win {
            return;
        }
        let empty = position.empty(self.board);
        if position.tigers_to_move {
            let outlook = Outlook::new(self.board, position);
            for from in points_of(position.tigers) {
                let targets = self.board.steps[from] & empty | outlook.landings(from);
                out.extend(points_of(targets).map(|to| Move::go(from, to)));
            }
        } else if position.hand > 0 {
            out.extend(points_of(empty).map(Move::place));
        } else {
            for from in points_of(position.goats) {
                out.extend(points_of(self.board.steps[from] & empty).map(|to| Move::go(from, to)));
            }
        }
    }

    #[inline]
    fn play(&self, position: &Position, m: Move) -> Position {
        let (from, to) = (m.from(), m.to());
        let mut next = Position {
            tigers_to_move: !position.tigers_to_move,
            ..*position
        };
        if position.tigers_to_move {
            next.tigers ^= 1 << from | 1 << to;
            next.goats &= !self.board.between[from][to];
        } else if from == to {
            next.goats |= 1 << to;
            next.hand -= 1;
        } else {
            next.goats ^= 1 << from | 1 << to;
        }
        next
    }

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        key(position, position.tigers, position.goats)
    }

    fn count_moves(&self, position: &Position, _scratch: &mut Vec<Move>) -> u64 {
        if self.captured(position) >= self.board.captures_to_win {
            return 0;
        }
        let empty = position.empty(self.board);
        let count = if position.tigers_to_move {
            let Mobility { steps, captures } = self.mobility(position);
            steps + captures
        } else if position.hand > 0 {
            empty.count_ones()
        } else {
            points_of(position.goats)
                .map(|from| (self.board.steps[from] & empty).count_ones())
                .sum()
        };
        u64::from(count)
    }
}

/// The key of a position with these tigers and goats instead of its own.
#[inline]
pub(super) fn key(position: &Position, tigers: Points, goats: Points) -> u64 {
    let points = u64::from(tigers) | u64::from(goats) << 32;
    let rest = u64::from(position.hand) << 1 | u64::from(position.tigers_to_move);
    scattered(points | rest << 57)
}

impl Game for Hunt {
    const REPETITION: bool = true;

    #[inline]
    fn side(&self, position: &Position) -> Side {
        if position.tigers_to_move {
            Side::P2
        } else {
            Side::P1
        }
    }

    #[inline]
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if self.captured(position) >= self.board.captures_to_win {
            Some(Outcome::Won(Side::P2))
        } else if position.tigers_to_move {
            (!self.tigers_can_move(position)).then_some(Outcome::Won(Side::P1))
        } else {
            (!self.goats_can_move(position)).then_some(Outcome::Won(Side::P2))
        }
    }

    #[inline]
    fn irreversible(&self, before: &Position, after: &Position) -> bool {
        before.hand != after.hand || before.goats.count_ones() != after.goats.count_ones()
    }
}
