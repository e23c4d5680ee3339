//! Where everybody stands in a hunt game, and how a move is kept.

use super::board::{Board, Points};
use crate::bits::iter_ones;

/// Where everybody stands, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The tigers' points.
    pub tigers: Points,
    /// The goats' points.
    pub goats: Points,
    /// Goats not placed yet.
    pub hand: u8,
    /// Tigers not placed yet.
    pub tigers_hand: u8,
    /// Whether the tigers are to move.
    pub tigers_to_move: bool,
}

/// A placement, a step or jump: six bits for the target, six for the origin; equal ones are a placement. With the highest
/// bit, several pieces placed at once, by the number of their set; and the pass is the last but one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u16);

/// The bit that tells sets of pieces from single ones.
const MULTI_DROP_BIT: u16 = 1 << 15;

impl Move {
    /// Stays where one is. (Searches take the number above for no move at all.)
    pub const PASS: Self = Self(u16::MAX - 1);

    /// Puts a piece on the point.
    #[inline]
    pub fn place(point: usize) -> Self {
        Self((point << 6 | point) as u16)
    }

    /// Goes from one point to another, by a step or a jump.
    #[inline]
    pub fn go(from: usize, to: usize) -> Self {
        Self((from << 6 | to) as u16)
    }

    /// Puts pieces on the points of the set of this number, see [`Board::placed_set`].
    #[inline]
    pub fn place_set(number: u32) -> Self {
        Self(MULTI_DROP_BIT | number as u16)
    }

    /// The number of the set of points that pieces are put on, where there are several.
    #[inline]
    pub fn set_placed(self) -> Option<u32> {
        (self.0 & MULTI_DROP_BIT != 0 && self != Self::PASS)
            .then_some(u32::from(self.0 & !MULTI_DROP_BIT))
    }

    /// Whether it is neither a single placement nor a step nor a jump.
    #[inline]
    pub fn is_special(self) -> bool {
        self.0 & MULTI_DROP_BIT != 0
    }

    /// Where the move begins; for a placement, where it ends.
    #[inline]
    pub fn from(self) -> usize {
        (self.0 >> 6 & 63) as usize
    }

    /// Where the move ends.
    #[inline]
    pub fn to(self) -> usize {
        (self.0 & 63) as usize
    }
}

impl From<u16> for Move {
    fn from(bits: u16) -> Self {
        Self(bits)
    }
}

impl From<Move> for u16 {
    fn from(m: Move) -> Self {
        m.0
    }
}

/// The points of a set, lowest first.
#[inline(always)]
pub fn points_of(set: Points) -> impl Iterator<Item = usize> {
    iter_ones(set)
}

impl Position {
    /// Points that nobody stands on.
    #[inline(always)]
    pub fn empty(&self, board: &Board) -> Points {
        board.all() & !(self.tigers | self.goats)
    }
}

/// How many goats are in hand and on the board.
#[inline(always)]
pub fn goats_left(position: &Position) -> u32 {
    u32::from(position.hand) + position.goats.count_ones()
}
