//! The byte that says a verdict on a position of a hunt game.

use crate::oracle::Verdict;
use crate::value::Side;

/// The byte for a draw. Smaller bytes are better for the tigers, larger ones for the goats.
///
/// Goats to move: the tigers win in `2k` plies: `k`; the goats in `2k + 1`: `254 − k`. Tigers to move: they win in
/// `2k + 1` plies: `k + 1`; the goats in `2k`: `255 − k`. Who wins in an even and who in an odd number of plies depends
/// on the side to move alone, so half the distance is enough; and the value before a move is the best byte after it,
/// with wins of the side that moved one step nearer to the draw.
pub const DRAW: u8 = 128;

/// The largest `k` that fits: no win may be longer than `2 * LONGEST + 1` plies.
pub const LONGEST: u32 = 125;

/// The byte for a win of the side that just moved or could not; `half` is `k`.
#[inline]
pub fn code(winner: Side, tigers_to_move: bool, half: u32) -> u8 {
    let half = half.min(LONGEST) as u8;
    match (winner, tigers_to_move) {
        (Side::P2, false) => half,
        (Side::P2, true) => half + 1,
        (Side::P1, false) => 254 - half,
        (Side::P1, true) => 255 - half,
    }
}

impl Verdict {
    /// What the byte says of a position with this side to move.
    #[inline]
    pub fn of(code: u8, tigers_to_move: bool) -> Self {
        let (code, to_move) = (u32::from(code), u32::from(tigers_to_move));
        Self(match code.cmp(&u32::from(DRAW)) {
            std::cmp::Ordering::Less => {
                Some((Side::P2, 2 * code.saturating_sub(to_move) + to_move))
            }
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some((
                Side::P1,
                2 * (254 + to_move).saturating_sub(code) + 1 - to_move,
            )),
        })
    }

    /// The byte that says this of a position with this side to move.
    pub fn code(self, tigers_to_move: bool) -> u8 {
        self.0.map_or(DRAW, |(winner, plies)| {
            code(winner, tigers_to_move, plies / 2)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_that_can_arise_has_its_own_byte() {
        for tigers_to_move in [false, true] {
            let mut seen = std::collections::HashSet::from([DRAW]);
            assert_eq!(Verdict::of(DRAW, tigers_to_move), Verdict::DRAW);
            for half in 0..=LONGEST {
                for winner in [Side::P1, Side::P2] {
                    let byte = code(winner, tigers_to_move, half);
                    let winner_moves = (winner == Side::P2) == tigers_to_move;
                    let verdict = Verdict(Some((winner, 2 * half + u32::from(winner_moves))));
                    assert_eq!(Verdict::of(byte, tigers_to_move), verdict);
                    assert_eq!(verdict.code(tigers_to_move), byte);
                    assert!(seen.insert(byte));
                }
            }
        }
    }
}
