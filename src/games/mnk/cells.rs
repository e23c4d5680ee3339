//! Sets of cells, in as many words as the board needs, and what is known of each cell.

use std::ops::{BitAnd, BitOr, Index, IndexMut, Not};

/// A set of cells: bit `i % 64` of word `i / 64` is cell `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cells<const WORDS: usize>(pub [u64; WORDS]);

impl<const WORDS: usize> Cells<WORDS> {
    /// How many cells a set can tell apart.
    pub const ROOM: usize = 64 * WORDS;

    /// No cell.
    pub const NONE: Self = Self([0; WORDS]);

    /// The set of this cell alone.
    #[inline]
    pub fn only(cell: usize) -> Self {
        let mut set = Self::NONE;
        set.insert(cell);
        set
    }

    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Whether the set holds the cell.
    #[inline]
    pub fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Whether the set holds nothing.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// How many cells the set holds.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|&word| word.count_ones()).sum()
    }

    /// The cells whose number, raised by `by`, is in the set; `by` is less than [`Cells::ROOM`].
    #[inline]
    #[must_use]
    pub fn lowered(&self, by: usize) -> Self {
        if WORDS == 1 {
            return Self(self.0.map(|word| word >> by));
        }
        let (words, bits) = (by / 64, by % 64);
        let word = |index: usize| self.0.get(index).copied().unwrap_or(0);
        Self(std::array::from_fn(|index| {
            // Twice, since a shift by all 64 bits is none.
            let carried = word(index + words + 1) << 1 << (63 - bits);
            word(index + words) >> bits | carried
        }))
    }

    /// The cells whose number, lowered by `by`, is in the set; `by` is less than [`Cells::ROOM`].
    #[inline]
    #[must_use]
    pub fn raised(&self, by: usize) -> Self {
        if WORDS == 1 {
            return Self(self.0.map(|word| word << by));
        }
        let (words, bits) = (by / 64, by % 64);
        let word = |index: Option<usize>| index.map_or(0, |index| self.0[index]);
        Self(std::array::from_fn(|index| {
            // Twice, since a shift by all 64 bits is none.
            let carried = word(index.checked_sub(words + 1)) >> 1 >> (63 - bits);
            word(index.checked_sub(words)) << bits | carried
        }))
    }

    /// The cells, lowest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0
            .into_iter()
            .enumerate()
            .flat_map(|(index, mut word)| {
                std::iter::from_fn(move || {
                    let bit = word.trailing_zeros() as usize;
                    (word != 0).then(|| {
                        word &= word - 1;
                        64 * index + bit
                    })
                })
            })
    }
}

impl<const WORDS: usize> FromIterator<usize> for Cells<WORDS> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut set = Self::NONE;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

impl<const WORDS: usize> BitAnd for Cells<WORDS> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] & other.0[index]))
    }
}

impl<const WORDS: usize> BitOr for Cells<WORDS> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] | other.0[index]))
    }
}

impl<const WORDS: usize> Not for Cells<WORDS> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

/// Something of every cell that a set of so many words has room for.
#[derive(Clone, Copy, Debug)]
pub struct PerCell<T, const WORDS: usize>([[T; 64]; WORDS]);

impl<T: Copy, const WORDS: usize> PerCell<T, WORDS> {
    /// The same of every cell.
    #[inline]
    pub fn new(of_each: T) -> Self {
        Self([[of_each; 64]; WORDS])
    }
}

impl<T, const WORDS: usize> Index<usize> for PerCell<T, WORDS> {
    type Output = T;

    #[inline]
    fn index(&self, cell: usize) -> &T {
        &self.0[cell / 64][cell % 64]
    }
}

impl<T, const WORDS: usize> IndexMut<usize> for PerCell<T, WORDS> {
    #[inline]
    fn index_mut(&mut self, cell: usize) -> &mut T {
        &mut self.0[cell / 64][cell % 64]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_its_cells_and_moves_them_across_words() {
        let cells = [0, 1, 63, 64, 65, 127, 128, 360, 383];
        let set: Cells<6> = cells.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert_eq!(set.count() as usize, cells.len());
        for by in [0, 1, 19, 63, 64, 65, 200, 383] {
            let raised = cells
                .iter()
                .map(|cell| cell + by)
                .filter(|&cell| cell < 384);
            assert_eq!(
                set.raised(by).iter().collect::<Vec<_>>(),
                raised.collect::<Vec<_>>()
            );
            let expected = cells.iter().filter_map(|cell| cell.checked_sub(by));
            let lowered = set.lowered(by);
            assert_eq!(
                lowered.iter().collect::<Vec<_>>(),
                expected.collect::<Vec<_>>()
            );
        }
    }
}
