//! Where everybody stands in a hunt game, and how a move is kept.

use super::board::{Board, Points};
use crate::ones::ones;

/// Where everybody stands, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The tigers' points.
    pub tigers: Points,
    /// The goats' points.
    pub goats: Points,
    /// Goats not placed yet.
    pub hand: u8,
    /// Whether the tigers are to move.
    pub tigers_to_move: bool,
}

/// A placement, or a step or jump: five bits for the target, five for the origin; equal ones are a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    /// Puts a goat on the point.
    #[inline]
    pub fn place(point: usize) -> Self {
        Self((point << 5 | point) as u16)
    }

    /// Goes from one point to another, by a step or a jump.
    #[inline]
    pub fn go(from: usize, to: usize) -> Self {
        Self((from << 5 | to) as u16)
    }

    /// Where the move begins; for a placement, where it ends.
    #[inline]
    pub fn from(self) -> usize {
        (self.0 >> 5 & 31) as usize
    }

    /// Where the move ends.
    #[inline]
    pub fn to(self) -> usize {
        (self.0 & 31) as usize
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
#[inline]
pub fn points_of(set: Points) -> impl Iterator<Item = usize> {
    ones(set.into())
}

impl Position {
    /// Points that nobody stands on.
    #[inline]
    pub fn empty(&self, board: &Board) -> Points {
        board.all() & !(self.tigers | self.goats)
    }
}

/// How many goats are in hand and on the board.
#[inline]
pub fn goats_left(position: &Position) -> u32 {
    u32::from(position.hand) + position.goats.count_ones()
}
