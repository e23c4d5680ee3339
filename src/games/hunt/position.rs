//! Positions and moves of hunt games.

use super::board::{Board, MAX_STACKS, Points};
use crate::bits::iter_ones;

/// The pieces on the board and in hand, and the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// Points occupied by tigers.
    pub tigers: Points,
    /// Points occupied by goats.
    pub goats: Points,
    /// Number of goats not yet placed.
    pub hand: u8,
    /// Number of tigers not yet placed. After the only tiger has come back to the goal on which it started, this is 1 if
    /// the position is otherwise the start.
    pub tigers_hand: u8,
    /// `true` if the tigers are to move.
    pub tigers_to_move: bool,
    /// For each point of `Board::stacks`, the number of goats under the top one.
    pub stacked: [u8; MAX_STACKS],
    /// `true` if the goats step against the direction of the board file. Only in games with `prey-turn`.
    pub goats_turned: bool,
}

/// A move in 16 bits.
///
/// Bits 0 to 5 are the target and bits 6 to 11 the origin of a step or jump. The drop of one piece has equal origin and
/// target. Bit 15 is set in the pass (`u16::MAX - 1`), in multi-drops, which drop several pieces in one turn, and in
/// chains, which capture several goats in one turn. The lower 15 bits of a multi-drop are the number of its point set
/// (`Board::multi_drop_points`). The lower 15 bits of a chain are its number among the chains of the position. Chains and
/// multi-drops of tigers do not occur in the same position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u16);

/// The bit that is set in multi-drops and in the pass.
const MULTI_DROP_BIT: u16 = 1 << 15;

impl Move {
    /// The pass, which moves no piece. It is not `u16::MAX`, because searches use that value for "no move".
    pub(crate) const PASS: Self = Self(u16::MAX - 1);

    /// Creates the drop of a piece on `point`.
    #[inline]
    pub fn place(point: usize) -> Self {
        Self((point << 6 | point) as u16)
    }

    /// Creates the step or jump between two points.
    #[inline]
    pub fn go(from: usize, to: usize) -> Self {
        Self((from << 6 | to) as u16)
    }

    /// Creates the multi-drop on the points of [`Board::multi_drop_points`]`(number)`, or the chain of leaps with this
    /// number in its position.
    #[inline]
    pub(crate) fn numbered(number: u32) -> Self {
        Self(MULTI_DROP_BIT | number as u16)
    }

    /// Returns the number of the multi-drop, or `None` for a pass, a drop, a step and a leap. The move must not be a chain.
    #[inline]
    pub(crate) fn multi_drop_number(self) -> Option<u32> {
        (self.0 & MULTI_DROP_BIT != 0 && self != Self::PASS)
            .then_some(u32::from(self.0 & !MULTI_DROP_BIT))
    }

    /// Returns `true` for a multi-drop, a chain or a pass.
    #[inline]
    pub(crate) fn is_special(self) -> bool {
        self.0 & MULTI_DROP_BIT != 0
    }

    /// Returns the origin of a step or jump. For the drop of one piece, it equals the target.
    #[inline]
    pub fn from(self) -> usize {
        (self.0 >> 6 & 63) as usize
    }

    /// Returns the target.
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

/// Returns the points of `set` in ascending order.
#[inline(always)]
pub fn points_of(set: Points) -> impl Iterator<Item = usize> {
    iter_ones(set)
}

impl Position {
    /// Returns the empty points.
    #[inline(always)]
    pub fn empty(&self, board: &Board) -> Points {
        board.all() & !(self.tigers | self.goats)
    }

    /// Returns `true` if no tiger is left.
    #[inline(always)]
    pub(super) fn has_no_tigers(&self) -> bool {
        self.tigers == 0 && self.tigers_hand == 0
    }

    /// Returns the position after one piece is dropped on each of `points`.
    pub(super) fn after_multi_drop(&self, points: Points) -> Self {
        let mut next = Self {
            tigers_to_move: !self.tigers_to_move,
            ..*self
        };
        if self.tigers_to_move {
            next.tigers |= points;
            next.tigers_hand -= points.count_ones() as u8;
        } else {
            next.goats |= points;
            next.hand -= points.count_ones() as u8;
        }
        next
    }

    /// Returns the number of goats on the board.
    #[inline(always)]
    pub(crate) fn goats_on_board(&self) -> u32 {
        // The multiplication sums the bytes into the most significant one.
        let under = u32::from_le_bytes(self.stacked).wrapping_mul(0x0101_0101) >> 24;
        self.goats.count_ones() + under
    }

    /// Returns the number of goats on a point.
    pub fn goats_at(&self, board: &Board, point: usize) -> u32 {
        let under = board
            .stack_number(point)
            .map_or(0, |number| self.stacked[number]);
        u32::from(under) + (self.goats >> point & 1) as u32
    }

    /// Returns the points with several goats.
    #[inline]
    pub(super) fn stacks(&self, board: &Board) -> Points {
        if !board.has_stacks {
            return 0;
        }
        points_of(board.stacks)
            .zip(self.stacked)
            .filter(|&(_, under)| under > 0)
            .fold(0, |set, (point, _)| set | 1 << point)
    }

    /// Removes a goat from a point.
    pub(super) fn take_goat(&mut self, board: &Board, point: usize) {
        match board.stack_number(point) {
            Some(number) if self.stacked[number] > 0 => self.stacked[number] -= 1,
            _ => self.goats &= !(1 << point),
        }
    }

    /// Adds a goat to a point, which must be empty or a point where goats may join.
    pub(super) fn add_goat(&mut self, board: &Board, point: usize) {
        match board.stack_number(point) {
            Some(number) if self.goats >> point & 1 == 1 => self.stacked[number] += 1,
            _ => self.goats |= 1 << point,
        }
    }
}

/// Returns the number of goats in hand and on the board.
#[inline(always)]
pub(crate) fn goats_left(position: &Position) -> u32 {
    u32::from(position.hand) + position.goats_on_board()
}
