//! The encoding of verdicts on hunt games as bytes.

use std::cmp::Ordering;

use super::word512::Word512;
use crate::oracle::Verdict;
use crate::value::Side;

/// An encoding of verdicts as bytes. The field is the byte of a draw: smaller bytes are wins of the tigers, larger
/// bytes wins of the goats.
///
/// A byte encodes `k`, half the number of plies to the win, rounded down. The parity needs no bit, because the number
/// of plies is odd exactly if the winner is to move.
///
/// | winner | goats to move | tigers to move |
/// | --- | --- | --- |
/// | tigers | `k` (`2k` plies) | `k + 1` (`2k + 1` plies) |
/// | goats | `254 − k` (`2k + 1` plies) | `255 − k` (`2k` plies) |
///
/// So the tigers prefer smaller bytes and the goats larger bytes. The byte before a move is the best byte after it.
/// Before the move, a win of the moving side takes one ply more, so its byte is nearer to the draw by 1.
///
/// The byte of a draw is usually 128, in the middle. It differs if the wins of one side need more bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictEncoding(u8);

/// Minimum difference between the byte of a draw and the bytes of wins, if [`VerdictEncoding::fitting`] does not choose
/// [`VerdictEncoding::EVEN`]. The bytes in between encode longer wins, which can occur in the placement phase.
const MIN_DRAW_DISTANCE: u32 = 3;

/// Maximum number of plies to a win in any encoding, divided by 2.
pub(crate) const MAX_HALF_PLIES: u32 = 250;

/// Returns the byte for a win in `2 * half_plies` or `2 * half_plies + 1` plies. Values above [`MAX_HALF_PLIES`] are
/// encoded as `MAX_HALF_PLIES + 1`, so that the byte does not overflow.
#[inline]
pub(crate) fn encode(winner: Side, tigers_to_move: bool, half_plies: u32) -> u8 {
    let k = half_plies.min(MAX_HALF_PLIES + 1) as u8;
    match (winner, tigers_to_move) {
        (Side::P2, false) => k,
        (Side::P2, true) => k + 1,
        (Side::P1, false) => 254 - k,
        (Side::P1, true) => 255 - k,
    }
}

impl VerdictEncoding {
    /// The encoding with almost equally many bytes for both sides.
    pub(crate) const EVEN: Self = Self(128);

    /// Returns the encoding with the byte `draw` for a draw. Returns `None` if `draw` is not in `3..=253`, so that each
    /// side has some bytes for wins.
    pub fn new(draw: u8) -> Option<Self> {
        (3..=253).contains(&draw).then_some(Self(draw))
    }

    /// Returns an encoding for wins of the tigers up to the byte `max_tigers`, and wins of the goats from the byte
    /// `min_goats` on.
    ///
    /// This is [`VerdictEncoding::EVEN`] if it can encode these wins. Otherwise the byte of a draw is halfway between
    /// `max_tigers` and `min_goats`, because the placement phase makes the wins of both sides longer. Returns `None`
    /// if `min_goats - max_tigers` is less than 6.
    pub(crate) fn fitting([max_tigers, min_goats]: [u8; 2]) -> Option<Self> {
        let even = Self::EVEN;
        let fits_even = max_tigers < even.0 - 1 && min_goats > even.0 + 1;
        let halfway = || {
            let has_room = u32::from(min_goats) >= u32::from(max_tigers) + 2 * MIN_DRAW_DISTANCE;
            Self::new(max_tigers.midpoint(min_goats)).filter(|_| has_room)
        };
        if fits_even { Some(even) } else { halfway() }
    }

    /// Returns the byte for a draw.
    #[inline]
    pub fn draw(self) -> u8 {
        self.0
    }

    /// Returns a word of 64 draws.
    pub(crate) fn all_draws(self) -> Word512 {
        Word512::of_bytes(self.0)
    }

    /// Decodes the byte `code` for a position with the given side to move.
    #[inline]
    pub fn verdict(self, code: u8, tigers_to_move: bool) -> Verdict {
        // The inverse of `encode`.
        let tigers_turn = u32::from(tigers_to_move);
        let value = u32::from(code);
        match code.cmp(&self.0) {
            Ordering::Less => Verdict::Win(
                Side::P2,
                2 * value.saturating_sub(tigers_turn) + tigers_turn,
            ),
            Ordering::Equal => Verdict::Draw,
            Ordering::Greater => Verdict::Win(
                Side::P1,
                2 * (254 + tigers_turn).saturating_sub(value) + 1 - tigers_turn,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitting_scale_leaves_room_for_one_more_ply() {
        for (tigers, goats) in [(3, 130), (126, 253)] {
            let encoding = VerdictEncoding::fitting([tigers, goats]).unwrap();
            assert_eq!(encoding, VerdictEncoding::EVEN);
            assert!(tigers + 1 < encoding.draw() && encoding.draw() < goats - 1);
        }
        for (tigers, goats) in [(3, 129), (127, 253)] {
            assert_ne!(
                VerdictEncoding::fitting([tigers, goats]),
                Some(VerdictEncoding::EVEN)
            );
        }
    }

    #[test]
    fn distinct_verdicts_have_distinct_bytes_on_every_scale() {
        for draw in 3..=253 {
            let encoding = VerdictEncoding::new(draw).unwrap();
            for tigers_to_move in [false, true] {
                let mut seen = std::collections::HashSet::from([draw]);
                assert_eq!(encoding.verdict(draw, tigers_to_move), Verdict::Draw);
                for winner in [Side::P1, Side::P2] {
                    let max_half_plies = match winner {
                        Side::P2 => draw - 3,
                        Side::P1 => 253 - draw,
                    };
                    for half_plies in 0..=u32::from(max_half_plies) {
                        let byte = encode(winner, tigers_to_move, half_plies);
                        let winner_moves = (winner == Side::P2) == tigers_to_move;
                        let verdict =
                            Verdict::Win(winner, 2 * half_plies + u32::from(winner_moves));
                        assert_eq!(encoding.verdict(byte, tigers_to_move), verdict);
                        assert!(seen.insert(byte));
                    }
                }
            }
        }
    }
}
