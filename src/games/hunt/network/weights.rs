//! The weights of a network, for each number of first-layer units, and the buckets that select rows and heads.

use super::head::Head;
use crate::games::hunt::board::{Board, MAX_POINTS};
use crate::games::hunt::position::Position;

/// Maximum absolute value of every 16-bit weight. With this limit, no sum overflows. The weights of goats have 8 bits.
pub(crate) const MAX_WEIGHT: i16 = 4000;
/// Possible numbers of first-layer units, the lengths of rows of weights.
pub(crate) const UNIT_COUNTS: [usize; 3] = [32, 64, MAX_UNITS];
/// Maximum number of first-layer units of a network.
pub(crate) const MAX_UNITS: usize = 128;
/// Possible steps of the differences between rows of goats and of pairs. They are powers of two, so that wrapping
/// arithmetic is exact.
pub(crate) const STEPS: [i16; 4] = [1, 2, 4, 8];

/// Maximum number of capture buckets: 0, 1, …, 6 captured goats, and 7 or more.
const MAX_CAPTURE_BUCKETS: usize = 8;
/// Maximum number of hand buckets: 0 goats in hand, then 1 to 3, 4 to 6 and so on. The last bucket has no upper limit.
const MAX_HAND_BUCKETS: usize = 9;

/// The buckets of a game. They depend on the goats in hand at the start, and on the captures that leave the game open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Buckets {
    /// Number of rows of goats in hand: for 0 goats, 1 goat, and so on.
    pub(crate) hand_rows: usize,
    /// Number of capture buckets. The last one includes all larger numbers of captured goats.
    pub(crate) captures: usize,
}

/// The buckets of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PositionBuckets {
    /// Index of the row of goats in hand.
    pub(crate) hand_row: usize,
    /// Index of the row of captured goats.
    pub(crate) capture: usize,
    /// Index of the head.
    pub(crate) head: usize,
}

impl Buckets {
    /// Returns the buckets of a game.
    pub(crate) fn of(board: &Board) -> Self {
        let in_hand = board.goats - board.goats_at_start;
        let captured = board
            .spec
            .captures
            .map_or(0, |captures| captures.min(board.goats) - 1);
        Self {
            hand_rows: in_hand as usize + 1,
            captures: MAX_CAPTURE_BUCKETS.min(captured as usize + 1),
        }
    }

    /// Returns `true` if a game can have these buckets.
    pub(super) fn are_possible(self) -> bool {
        (1..=MAX_POINTS + 1).contains(&self.hand_rows)
            && (1..=MAX_CAPTURE_BUCKETS).contains(&self.captures)
    }

    /// Returns the hand bucket of a number of goats in hand.
    #[inline(always)]
    fn hand(hand: usize) -> usize {
        hand.div_ceil(3).min(MAX_HAND_BUCKETS - 1)
    }

    /// Returns the number of heads: one for each side to move, hand bucket and capture bucket.
    pub(super) fn heads(self) -> usize {
        2 * (Self::hand(self.hand_rows - 1) + 1) * self.captures
    }

    /// Returns the buckets of a position of `board`.
    #[inline(always)]
    pub(crate) fn of_position(self, board: &Board, position: &Position) -> PositionBuckets {
        let hand = usize::from(position.hand);
        let captured = board.goats as usize - hand - position.goats.count_ones() as usize;
        let (hand_row, capture) = (
            hand.min(self.hand_rows - 1),
            captured.min(self.captures - 1),
        );
        let side = usize::from(position.tigers_to_move);
        let hands = Self::hand(self.hand_rows - 1) + 1;
        PositionBuckets {
            hand_row,
            capture,
            head: (side * hands + Self::hand(hand_row)) * self.captures + capture,
        }
    }
}

/// The weights of a network with `UNITS` first-layer units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Weights<const UNITS: usize> {
    /// The integer by which the row of a goat may differ from the sum of its rows in `pairs`, or a multiple of it.
    pub(crate) step: i16,
    /// Row of a goat and one tiger, at index `tiger point * points + goat point`.
    pub(crate) pairs: Vec<[i8; UNITS]>,
    /// Row of a goat, at index `tiger configuration * points + goat point`.
    pub(crate) goats: Vec<[i8; UNITS]>,
    /// Row of each tiger configuration.
    pub(crate) tiger_configs: Vec<[i16; UNITS]>,
    /// Row of each number of goats in hand.
    pub(crate) hands: Vec<[i16; UNITS]>,
    /// Row of each capture bucket.
    pub(crate) captures: Vec<[i16; UNITS]>,
    /// Output head of each output bucket.
    pub(crate) heads: Vec<Head<UNITS>>,
}

impl<const UNITS: usize> Weights<UNITS> {
    /// Returns the number of first-layer units.
    #[expect(clippy::unused_self, reason = "the number is part of the type")]
    pub(super) fn units(&self) -> usize {
        UNITS
    }

    /// Returns all 16-bit weights, in the order of the file.
    pub(super) fn wide_weights(&self) -> impl Iterator<Item = &i16> {
        let rows = [&self.tiger_configs, &self.hands, &self.captures];
        let rows = rows.into_iter().flatten().flatten();
        rows.chain(self.heads.iter().flat_map(Head::weights_in_order))
    }

    /// Returns `true` if no 16-bit weight exceeds [`MAX_WEIGHT`] in absolute value.
    pub(super) fn are_in_bounds(&self) -> bool {
        self.wide_weights()
            .all(|number| (-MAX_WEIGHT..=MAX_WEIGHT).contains(number))
    }
}
