//! Bit sets of cells, and arrays indexed by cell.

use std::ops::{BitAnd, BitOr, Index, IndexMut, Not};

/// A set of cells: bit `i % 64` of word `i / 64` is cell `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cells<const WORDS: usize>(pub [u64; WORDS]);

impl<const WORDS: usize> Cells<WORDS> {
    /// The number of cells that a set can contain, with the indices 0 to `CAPACITY` - 1.
    pub(crate) const CAPACITY: usize = 64 * WORDS;

    /// The empty set.
    pub const NONE: Self = Self([0; WORDS]);

    /// Returns the set that contains only `cell`.
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

    /// Returns `true` if the set contains the cell.
    #[inline]
    pub fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Returns `true` if the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// Returns the number of cells in the set.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|&word| word.count_ones()).sum()
    }

    /// Subtracts `by`, less than [`Cells::CAPACITY`], from every cell index. Cells below `by` are dropped.
    #[inline]
    #[must_use]
    pub(crate) fn shifted_down(&self, by: usize) -> Self {
        if WORDS == 1 {
            return Self(self.0.map(|word| word >> by));
        }
        let (words, bits) = (by / 64, by % 64);
        let word = |index: usize| self.0.get(index).copied().unwrap_or(0);
        Self(std::array::from_fn(|index| {
            // Two shifts, by 64 - bits in total. For `bits` = 0, a single shift by 64 would overflow.
            let carried = word(index + words + 1) << 1 << (63 - bits);
            word(index + words) >> bits | carried
        }))
    }

    /// Adds `by`, less than [`Cells::CAPACITY`], to every cell index. Cells that would reach [`Cells::CAPACITY`]
    /// are dropped.
    #[inline]
    #[must_use]
    pub(crate) fn shifted_up(&self, by: usize) -> Self {
        if WORDS == 1 {
            return Self(self.0.map(|word| word << by));
        }
        let (words, bits) = (by / 64, by % 64);
        let word = |index: Option<usize>| index.map_or(0, |index| self.0[index]);
        Self(std::array::from_fn(|index| {
            // Two shifts, by 64 - bits in total. For `bits` = 0, a single shift by 64 would overflow.
            let carried = word(index.checked_sub(words + 1)) >> 1 >> (63 - bits);
            word(index.checked_sub(words)) << bits | carried
        }))
    }

    /// Returns the cells in ascending order.
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

/// An array with one value for each cell of a set of `WORDS` words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerCell<T, const WORDS: usize>([[T; 64]; WORDS]);

impl<T: Copy, const WORDS: usize> PerCell<T, WORDS> {
    /// Creates an array that contains `value` for every cell.
    #[inline]
    pub(super) fn new(value: T) -> Self {
        Self([[value; 64]; WORDS])
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
    fn shifts_cells_across_words() {
        let cells = [0, 1, 63, 64, 65, 127, 128, 360, 383];
        let set: Cells<6> = cells.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert_eq!(set.count() as usize, cells.len());
        for by in [0, 1, 19, 63, 64, 65, 200, 383] {
            let shifted_up = cells
                .iter()
                .map(|cell| cell + by)
                .filter(|&cell| cell < 384);
            assert_eq!(
                set.shifted_up(by).iter().collect::<Vec<_>>(),
                shifted_up.collect::<Vec<_>>()
            );
            let expected = cells.iter().filter_map(|cell| cell.checked_sub(by));
            let shifted_down = set.shifted_down(by);
            assert_eq!(
                shifted_down.iter().collect::<Vec<_>>(),
                expected.collect::<Vec<_>>()
            );
        }
    }
}
