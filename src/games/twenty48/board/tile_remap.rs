//! The replacement of large tiles by smaller tiles, so that a network can evaluate boards with tiles that it
//! has not learned.

use super::{Board, MAX_POWER};

/// A map from each power to its replacement. On the board of its creation, equal tiles stay equal, and larger
/// tiles stay larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileRemap([u8; MAX_POWER as usize + 1]);

impl TileRemap {
    /// Returns the map that downgrades `board` until no power exceeds `max` (Guei, Chen and Wu, 2021).
    ///
    /// A tile is *missing* if the board contains a larger tile but not this tile. One step halves all tiles larger
    /// than the largest missing tile. For example, 16384 8192 4096 1024 becomes 8192 4096 2048 1024, because 2048 is
    /// missing. Steps are repeated while a power exceeds `max` and a tile is missing. If no tile is missing, which is
    /// rare, larger powers remain.
    pub(crate) fn downgrading(board: Board, max: u8) -> Self {
        let powers = board.powers();
        let mut remap = std::array::from_fn(|power| power as u8);
        loop {
            let mapped = powers.map(|power| remap[usize::from(power)]);
            let largest = mapped.into_iter().fold(0, u8::max);
            match (1..largest).rev().find(|missing| !mapped.contains(missing)) {
                Some(missing) if largest > max => {
                    for power in remap.iter_mut().filter(|power| **power > missing) {
                        *power -= 1;
                    }
                }
                _ => return Self(remap),
            }
        }
    }

    /// Returns the board with all tiles replaced.
    pub fn apply(&self, board: Board) -> Board {
        Board::of(board.powers().map(|power| self.0[usize::from(power)]))
    }

    /// Returns a salt for position keys that depends on the map, so that searches with different maps have different
    /// keys.
    pub(crate) fn key_salt(&self) -> u64 {
        let powers = self.0.iter();
        powers.fold(0, |salt: u64, &power| {
            (salt ^ u64::from(power))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(23)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile_remap(powers: &[u8]) -> TileRemap {
        let mut cells = [0; 16];
        cells[..powers.len()].copy_from_slice(powers);
        TileRemap::downgrading(Board::of(cells), 13)
    }

    #[test]
    fn remaps_tiles_that_appear_later() {
        // The tile 2048, power 11, is missing.
        let remap = tile_remap(&[14, 13, 12, 10, 3]);
        let later = Board::of([15, 14, 13, 12, 11, 10, 9, 3, 2, 1, 0, 0, 0, 0, 0, 0]);
        let expected = [14, 13, 12, 11, 11, 10, 9, 3, 2, 1, 0, 0, 0, 0, 0, 0];
        assert_eq!(remap.apply(later).powers(), expected);
    }

    #[test]
    fn key_salts_differ() {
        let remaps = (1..13).map(|gap| {
            let powers: Vec<u8> = (1..=14).filter(|&power| power != gap).collect();
            tile_remap(&powers).key_salt()
        });
        let salts: std::collections::HashSet<u64> = remaps.collect();
        assert_eq!(salts.len(), 12);
    }
}
