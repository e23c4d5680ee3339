//! How whoever knows small tiles better than large ones sees a board.

use super::{Board, LARGEST};

/// Which power every tile counts as. Equal tiles stay equal, and of two others that are on the board the larger one stays larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileRemap([u8; LARGEST as usize + 1]);

impl TileRemap {
    /// The frame in which the tiles of a board above a gap count half, the largest gap first and as often as it takes until
    /// none is above `most`: so what was learned of smaller tiles holds (tile-downgrading, Guei, Chen and Wu, 2021). A board without
    /// a gap, which few slides leave, is not lowered that far.
    pub fn lowering(board: Board, most: u8) -> Self {
        let powers = board.powers();
        let mut frame = std::array::from_fn(|power| power as u8);
        loop {
            let seen = powers.map(|power| frame[usize::from(power)]);
            let largest = seen.into_iter().fold(0, u8::max);
            match (1..largest).rev().find(|gap| !seen.contains(gap)) {
                Some(gap) if largest > most => {
                    for power in frame.iter_mut().filter(|power| **power > gap) {
                        *power -= 1;
                    }
                }
                _ => return Self(frame),
            }
        }
    }

    /// The board with what its tiles count as.
    pub fn see(&self, board: Board) -> Board {
        Board::of(board.powers().map(|power| self.0[usize::from(power)]))
    }

    /// A number that sets what is remembered in this frame apart from what is in others.
    pub fn fingerprint(&self) -> u64 {
        let powers = self.0.iter();
        powers.fold(0, |print: u64, &power| {
            (print ^ u64::from(power))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(23)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile_remap(powers: &[u8]) -> TileRemap {
        let mut all = [0; 16];
        all[..powers.len()].copy_from_slice(powers);
        TileRemap::lowering(Board::of(all), 13)
    }

    #[test]
    fn tiles_that_appear_later_are_seen_as_from_where_the_frame_was_made() {
        // Nothing is between 1024 and 4096.
        let frame = tile_remap(&[14, 13, 12, 10, 3]);
        let later = Board::of([15, 14, 13, 12, 11, 10, 9, 3, 2, 1, 0, 0, 0, 0, 0, 0]);
        let seen = [14, 13, 12, 11, 11, 10, 9, 3, 2, 1, 0, 0, 0, 0, 0, 0];
        assert_eq!(frame.see(later).powers(), seen);
    }

    #[test]
    fn frames_have_fingerprints_of_their_own() {
        let frames = (1..13).map(|gap| {
            let powers: Vec<u8> = (1..=14).filter(|&power| power != gap).collect();
            tile_remap(&powers).fingerprint()
        });
        let prints: std::collections::HashSet<u64> = frames.collect();
        assert_eq!(prints.len(), 12);
    }
}
