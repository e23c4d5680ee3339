//! The rules of the hunt games on bitboards, and the tutorial's evaluation.

use super::board::{Board, Points};
use super::fitted::{self, Fitted};
use super::outlook::{Mobility, Outlook};
use super::position::{Move, Position, goats_left, points_of};
use crate::games::key::scattered;
use crate::rules::{Folded, Foresight, Game, Horizon, Outcome, Rules};
use crate::value::{Side, Value, Window};

/// A hunt game on one of the boards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hunt {
    /// The board.
    pub board: &'static Board,
    /// The champion's evaluation, where it takes the place of the tutorial's.
    pub fitted: Option<&'static Fitted>,
}

impl Hunt {
    /// The game on this board, with the tutorial's evaluation.
    pub fn new(board: &'static Board) -> Self {
        Self {
            board,
            fitted: None,
        }
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

#[inline]
fn key(position: &Position, tigers: Points, goats: Points) -> u64 {
    let points = u64::from(tigers) | u64::from(goats) << 32;
    let rest = u64::from(position.hand) << 1 | u64::from(position.tigers_to_move);
    scattered(points | rest << 57)
}

#[inline]
pub fn tutorial_value(goats: u32, mobility: Mobility) -> Value {
    let Mobility { steps, captures } = mobility;
    Value::points(4 * goats as i32 - steps as i32 - 2 * captures as i32)
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

    /// The tutorial's: from the tigers' view −4 for every goat in hand or on the board, +1 for every step and +2 for
    /// every capture that the tigers have, whoever is to move. The champion's is [`Fitted`].
    #[inline]
    fn evaluate(&self, position: &Position) -> Value {
        match self.fitted {
            None => tutorial_value(goats_left(position), self.mobility(position)),
            Some(fitted) => fitted.value(position),
        }
    }

    fn champion(&self) -> Self {
        Self {
            fitted: fitted::of(self.board),
            ..*self
        }
    }

    fn terms(&self, position: &Position) -> Vec<(&'static str, f64)> {
        if let Some(fitted) = self.fitted {
            return fitted.terms(position);
        }
        let goats = f64::from(goats_left(position));
        let Mobility { steps, captures } = self.mobility(position);
        vec![
            ("goats", 4.0 * goats),
            ("tiger steps", 0.0 - f64::from(steps)),
            ("tiger captures", 0.0 - 2.0 * f64::from(captures)),
        ]
    }

    #[inline]
    fn irreversible(&self, before: &Position, after: &Position) -> bool {
        before.hand != after.hand || before.goats.count_ones() != after.goats.count_ones()
    }

    #[inline]
    fn promise(&self, position: &Position, m: Move) -> i32 {
        i32::from(position.tigers_to_move && self.board.between[m.from()][m.to()] != 0)
    }

    /// What the evaluation will say of each move. A goat that can be captured counts as good as lost.
    #[inline]
    fn rate(&self, position: &Position, moves: &[Move], ratings: &mut Vec<i32>) {
        let outlook = Outlook::new(self.board, position);
        if position.tigers_to_move {
            ratings.extend(moves.iter().map(|&m| {
                let Mobility { steps, captures } = outlook.after(m);
                let captured = u32::from(self.board.between[m.from()][m.to()] != 0);
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
    fn folded(&self, position: &Position) -> Folded {
        let identity = (position.tigers, position.goats, 0);
        let mut least = identity;
        for (number, symmetry) in self.board.symmetries.iter().enumerate().skip(1) {
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
    fn turned(&self, m: Move, symmetry: usize) -> Move {
        let images = &self.board.symmetries[symmetry].images;
        Move::go(images[m.from()] as usize, images[m.to()] as usize)
    }

    #[inline]
    fn turned_back(&self, m: Move, symmetry: usize) -> Move {
        let origins = &self.board.symmetries[symmetry].origins;
        Move::go(origins[m.from()] as usize, origins[m.to()] as usize)
    }

    #[inline]
    fn horizon(
        &self,
        position: &Position,
        ply: u32,
        window: Window,
        scratch: &mut Vec<Move>,
    ) -> Horizon<Move> {
        let Some(fitted) = self.fitted else {
            let goats = goats_left(position);
            return self.best_leaf(position, ply, window, scratch, |m, mobility| {
                let captured = self.board.between[m.from()][m.to()].count_ones();
                tutorial_value(goats - captured, mobility)
            });
        };
        let prospect = fitted.prospect(position);
        self.best_leaf(position, ply, window, scratch, |m, _| prospect.after(m))
    }

    fn foresee(
        &self,
        position: &Position,
        depth: u32,
        _ply: u32,
        window: Window,
        moves: &mut Vec<Move>,
    ) -> Foresight {
        if self.fitted.is_none() {
            return self.moves_in_doubt(position, depth, window, moves);
        }
        self.moves(position, moves);
        Foresight::NONE
    }
}
