//! The byte that encodes a verdict on a position of a hunt game.

use std::cmp::Ordering;

use super::word512::Word512;
use crate::oracle::Verdict;
use crate::value::Side;

/// A scale of bytes: the byte of a draw, which separates the tigers' wins from the goats'.
///
/// Smaller bytes are better for the tigers, larger ones for the goats. With goats to move, a win of the tigers in `2k`
/// plies is `k`; a win of the goats in `2k + 1` plies is `254 − k`. With tigers to move, their win in `2k + 1` plies
/// is `k + 1`; a win of the goats in `2k` plies is `255 − k`. The side to move and the winner determine the parity, so
/// half the distance suffices. The value before a move is the best byte after it, with wins of the side that moved one
/// step closer to the draw.
///
/// The draw is in the middle unless one side's wins are so long that they need part of the other's range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictScale(u8);

/// Minimum bytes between a draw and any win on a scale that is not [`VerdictScale::EVEN`].
const MIN_FREE_BYTES: u32 = 3;

/// Maximum `k` on any scale.
pub(crate) const MAX_HALF_PLIES: u32 = 250;

/// Returns the byte for a win with `half` = `k`.
#[inline]
pub(crate) fn encode(winner: Side, tigers_to_move: bool, half: u32) -> u8 {
    let half = half.min(MAX_HALF_PLIES + 1) as u8;
    match (winner, tigers_to_move) {
        (Side::P2, false) => half,
        (Side::P2, true) => half + 1,
        (Side::P1, false) => 254 - half,
        (Side::P1, true) => 255 - half,
    }
}

impl VerdictScale {
    /// The scale with equal ranges for both sides.
    pub(crate) const EVEN: Self = Self(128);

    /// Returns the scale with this byte for a draw, or `None` if a side has no range.
    pub fn new(draw: u8) -> Option<Self> {
        (3..=253).contains(&draw).then_some(Self(draw))
    }

    /// Returns a scale for tigers' wins up to the first byte and goats' wins down to the second.
    ///
    /// Returns [`VerdictScale::EVEN`] if it suffices. Otherwise the free bytes between them are split evenly, because
    /// goats in hand make wins longer. Returns `None` if fewer than six are free.
    pub(crate) fn fitting([tigers, goats]: [u8; 2]) -> Option<Self> {
        let even = Self::EVEN;
        let fits_even = tigers < even.0 - 1 && goats > even.0 + 1;
        let between = || {
            let has_room = u32::from(goats) >= u32::from(tigers) + 2 * MIN_FREE_BYTES;
            Self::new(tigers.midpoint(goats)).filter(|_| has_room)
        };
        if fits_even { Some(even) } else { between() }
    }

    /// Returns the byte for a draw.
    #[inline]
    pub fn draw(self) -> u8 {
        self.0
    }

    /// Returns a word of draws.
    pub(crate) fn all_draws(self) -> Word512 {
        Word512::of_bytes(self.0)
    }

    /// Returns the verdict that a byte encodes for a position with this side to move.
    #[inline]
    pub fn verdict(self, code: u8, tigers_to_move: bool) -> Verdict {
        let to_move = u32::from(tigers_to_move);
        let value = u32::from(code);
        Verdict(match code.cmp(&self.0) {
            Ordering::Less => Some((Side::P2, 2 * value.saturating_sub(to_move) + to_move)),
            Ordering::Equal => None,
            Ordering::Greater => Some((
                Side::P1,
                2 * (254 + to_move).saturating_sub(value) + 1 - to_move,
            )),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitting_scale_leaves_room_for_one_more_ply() {
        for (tigers, goats) in [(3, 130), (126, 253)] {
            let scale = VerdictScale::fitting([tigers, goats]).unwrap();
            assert_eq!(scale, VerdictScale::EVEN);
            assert!(tigers + 1 < scale.draw() && scale.draw() < goats - 1);
        }
        for (tigers, goats) in [(3, 129), (127, 253)] {
            assert_ne!(
                VerdictScale::fitting([tigers, goats]),
                Some(VerdictScale::EVEN)
            );
        }
    }

    #[test]
    fn every_verdict_has_its_own_byte_on_every_scale() {
        for draw in 3..=253 {
            let scale = VerdictScale::new(draw).unwrap();
            for tigers_to_move in [false, true] {
                let mut seen = std::collections::HashSet::from([draw]);
                assert_eq!(scale.verdict(draw, tigers_to_move), Verdict::DRAW);
                for winner in [Side::P1, Side::P2] {
                    let longest = match winner {
                        Side::P2 => draw - 3,
                        Side::P1 => 253 - draw,
                    };
                    for half in 0..=u32::from(longest) {
                        let byte = encode(winner, tigers_to_move, half);
                        let winner_moves = (winner == Side::P2) == tigers_to_move;
                        let verdict = Verdict(Some((winner, 2 * half + u32::from(winner_moves))));
                        assert_eq!(scale.verdict(byte, tigers_to_move), verdict);
                        assert!(seen.insert(byte));
                    }
                }
            }
        }
    }
}
