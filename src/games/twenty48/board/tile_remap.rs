//! Mapping of tiles to smaller ones, for networks that did not learn large tiles.

use super::{Board, MAX_POWER};

/// A map from each power to the power that replaces it. For the tiles of the board that defined the map, equality
/// and order are preserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileRemap([u8; MAX_POWER as usize + 1]);

impl TileRemap {
    /// Returns the map that halves all tiles above the largest missing tile of `board`, repeatedly, until no power
    /// exceeds `max` (tile-downgrading, Guei, Chen and Wu, 2021). Larger powers remain if no tile is missing, which
    /// is rare.
    pub(crate) fn downgrading(board: Board, max: u8) -> Self {
        let powers = board.powers();
        let mut remap = std::array::from_fn(|power| power as u8);
        loop {
            let seen = powers.map(|power| remap[usize::from(power)]);
            let largest = seen.into_iter().fold(0, u8::max);
            match (1..largest).rev().find(|gap| !seen.contains(gap)) {
                Some(gap) if largest > max => {
                    for power in remap.iter_mut().filter(|power| **power > gap) {
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

    /// Returns a key that distinguishes the search results under this map from those under other maps.
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
        let mut all = [0; 16];
        all[..powers.len()].copy_from_slice(powers);
        TileRemap::downgrading(Board::of(all), 13)
    }

    #[test]
    fn remaps_tiles_that_appear_later() {
        // The tile 2048 is missing.
        let remap = tile_remap(&[14, 13, 12, 10, 3]);
        let later = Board::of([15, 14, 13, 12, 11, 10, 9, 3, 2, 1, 0, 0, 0, 0, 0, 0]);
        let seen = [14, 13, 12, 11, 11, 10, 9, 3, 2, 1, 0, 0, 0, 0, 0, 0];
        assert_eq!(remap.apply(later).powers(), seen);
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
