//! The order of the values of a chunk in a file.
//!
//! Impossible positions have no value in the file. The values are sorted by number of goats: positions with equal
//! numbers of goats have similar values, so this order compresses to two thirds of the size that block order has.

use std::ops::RangeInclusive;

use crate::processor;
use crate::solve::bitset::layer::{BLOCK_BYTES, BLOCK_DIMENSIONS};
use crate::solve::bitset::word512::Word512;

/// Number of bits of a goat set that vary inside a block.
const BLOCK_DIGITS: usize = BLOCK_DIMENSIONS as usize;
/// Exclusive upper bound of the number of bits of a goat set outside its block.
const MAX_OUTER_DIGITS: usize = 32;
/// Exclusive upper bound of the number of goats in a layer.
const MAX_GOATS: usize = MAX_OUTER_DIGITS + BLOCK_DIGITS;
/// Maximum number of sets inside a block that have equal numbers of goats: the largest binomial coefficient.
const MAX_SETS_PER_COUNT: usize = 20;
/// Bytes per copy: at least [`MAX_SETS_PER_COUNT`], and constant, so that copies compile to fixed instructions.
const COPY_BYTES: usize = 32;

/// The sets of a block, ordered by number of goats, then by digits.
const SETS: [u8; BLOCK_BYTES] = sets();
/// Indexed by number of goats: the index in [`SETS`] where the sets with this number start. The last entry is the
/// length.
const OFFSETS: [usize; BLOCK_DIGITS + 2] = offsets();
/// Indexed by the bits of a set inside a block: its rank among the sets with the same number of goats.
const RANKS: [u8; BLOCK_BYTES] = ranks();

const fn sets() -> [u8; BLOCK_BYTES] {
    let mut sets = [0; BLOCK_BYTES];
    let mut next = offsets();
    let mut set = 0;
    while set < BLOCK_BYTES {
        let goats = set.count_ones() as usize;
        sets[next[goats]] = set as u8;
        next[goats] += 1;
        set += 1;
    }
    sets
}

const fn offsets() -> [usize; BLOCK_DIGITS + 2] {
    let mut offsets = [0; BLOCK_DIGITS + 2];
    let mut goats = 0;
    while goats <= BLOCK_DIGITS {
        let mut set = 0;
        let mut count = 0;
        while set < BLOCK_BYTES {
            count += (set.count_ones() as usize == goats) as usize;
            set += 1;
        }
        offsets[goats + 1] = offsets[goats] + count;
        goats += 1;
    }
    offsets
}

const fn ranks() -> [u8; BLOCK_BYTES] {
    let mut ranks = [0; BLOCK_BYTES];
    let sets = sets();
    let offsets = offsets();
    let mut place = 0;
    while place < BLOCK_BYTES {
        let set = sets[place] as usize;
        ranks[set] = (place - offsets[set.count_ones() as usize]) as u8;
        place += 1;
    }
    ranks
}

/// Counts of the possible sets of a block, indexed by the number of goats outside the block.
type CellCounts = [u32; MAX_OUTER_DIGITS];

/// The order of values in chunks with certain numbers of goats.
#[derive(Clone, Debug)]
pub(crate) struct ValueLayout {
    goats: RangeInclusive<u32>,
    /// Indexed by number of goats minus the minimum: the number of possible sets with fewer goats. The last entry
    /// counts all sets.
    preceding: Vec<CellCounts>,
}

impl ValueLayout {
    /// Creates the order for chunks with these numbers of goats.
    pub(crate) fn new(goats: RangeInclusive<u32>) -> Self {
        let mut preceding: Vec<CellCounts> = vec![[0; MAX_OUTER_DIGITS]];
        for goats in goats.clone() {
            let mut sum = preceding[preceding.len() - 1];
            for (outside, sum) in sum.iter_mut().enumerate() {
                let inside = (goats as usize).checked_sub(outside);
                if let Some(inside) = inside.filter(|&inside| inside <= BLOCK_DIGITS) {
                    *sum += (OFFSETS[inside + 1] - OFFSETS[inside]) as u32;
                }
            }
            preceding.push(sum);
        }
        Self { goats, preceding }
    }

    /// Returns the number of values of a chunk whose blocks have these outer digits.
    pub(crate) fn len(&self, outers: &[u32]) -> usize {
        sum(&self.preceding[self.preceding.len() - 1], outers)
    }

    /// Returns the index of the value of goat set `number`, which must be possible, among the values of its chunk.
    /// `block` is the index of the set's block.
    pub(crate) fn find(&self, outers: &[u32], block: usize, number: u32) -> usize {
        let goats = (number.count_ones() - self.goats.start()) as usize;
        let rank = RANKS[number as usize % BLOCK_BYTES];
        processor::run(
            #[inline(always)]
            || {
                // Add the sets of earlier blocks that have the same number of goats.
                let (former, latter) = outers.split_at(block);
                sum(&self.preceding[goats + 1], former)
                    + sum(&self.preceding[goats], latter)
                    + usize::from(rank)
            },
        )
    }

    /// Writes the values of a chunk's blocks to `values` in file order. `buffer` is scratch space; pass it again
    /// for the next chunk.
    pub(crate) fn write(
        &self,
        outers: &[u32],
        words: &[Word512],
        buffer: &mut Vec<u8>,
        values: &mut Vec<u8>,
    ) {
        // Every number of goats has a section. Each copy into a section has constant size; the next copy overwrites
        // the excess.
        let section = words.len() * MAX_SETS_PER_COUNT + COPY_BYTES;
        buffer.resize((self.preceding.len() - 1) * section, 0);
        let mut ends = [0; MAX_GOATS];
        processor::run(
            #[inline(always)]
            || {
                for (word, outer) in words.iter().zip(outers) {
                    let mut sorted = [0; BLOCK_BYTES + COPY_BYTES];
                    for (place, set) in sorted.iter_mut().zip(SETS) {
                        *place = word.bytes()[usize::from(set)];
                    }
                    for (index, inside) in self.sections(*outer) {
                        let end = &mut ends[index];
                        let piece = &sorted[OFFSETS[inside]..][..COPY_BYTES];
                        buffer[index * section + *end..][..COPY_BYTES].copy_from_slice(piece);
                        *end += OFFSETS[inside + 1] - OFFSETS[inside];
                    }
                }
            },
        );
        values.clear();
        for (section, end) in buffer.chunks_exact(section).zip(ends) {
            values.extend_from_slice(&section[..end]);
        }
    }

    /// Writes the values of a chunk back to its blocks, and `filler` for impossible sets. Extends `values` by
    /// padding.
    pub(crate) fn read(
        &self,
        outers: &[u32],
        values: &mut Vec<u8>,
        filler: u8,
        words: &mut [Word512],
    ) {
        values.resize(values.len() + COPY_BYTES, filler);
        let mut positions = [0; MAX_GOATS];
        for (begin, preceding) in positions.iter_mut().zip(&self.preceding) {
            *begin = sum(preceding, outers);
        }
        processor::run(
            #[inline(always)]
            || {
                for (word, outer) in words.iter_mut().zip(outers) {
                    let mut sorted = [filler; BLOCK_BYTES + COPY_BYTES];
                    let mut end = 0;
                    for (index, inside) in self.sections(*outer) {
                        let begin = &mut positions[index];
                        let piece = &values[*begin..][..COPY_BYTES];
                        sorted[OFFSETS[inside]..][..COPY_BYTES].copy_from_slice(piece);
                        end = OFFSETS[inside + 1];
                        *begin += end - OFFSETS[inside];
                    }
                    sorted[end..].fill(filler);
                    for (value, set) in sorted.into_iter().zip(SETS) {
                        word.bytes_mut()[usize::from(set)] = value;
                    }
                }
            },
        );
    }

    /// Returns, for every number of goats possible in a block, its index from the minimum and the goats inside.
    #[inline(always)]
    fn sections(&self, outer: u32) -> impl Iterator<Item = (usize, usize)> {
        let (outside, min_goats) = (outer.count_ones() as usize, *self.goats.start() as usize);
        let min_inside = min_goats.saturating_sub(outside);
        let max_inside = (*self.goats.end() as usize - outside).min(BLOCK_DIGITS);
        (min_inside..=max_inside).map(move |inside| (outside + inside - min_goats, inside))
    }
}

/// Returns the total number of sets in the blocks.
#[inline(always)]
fn sum(counts: &CellCounts, outers: &[u32]) -> usize {
    let of_each = outers
        .iter()
        .map(|outer| counts[outer.count_ones() as usize % MAX_OUTER_DIGITS] as usize);
    of_each.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn places_sets_in_sorted_order() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let min_goats = random.u32(..12);
            let goats = min_goats..=min_goats + random.u32(..9);
            let is_stored = |outer: &u32| {
                let outside = outer.count_ones();
                outside <= *goats.end() && outside + BLOCK_DIMENSIONS >= *goats.start()
            };
            let outers = (0..1 << 12).filter(is_stored);
            let outers: Vec<u32> = outers.filter(|_| random.u32(..50) == 0).collect();
            let mut sorted: Vec<(u32, usize, usize)> = Vec::new();
            for (block, outer) in outers.iter().enumerate() {
                for set in 0..BLOCK_BYTES {
                    let on_board = outer.count_ones() + set.count_ones();
                    if goats.contains(&on_board) {
                        sorted.push((on_board, block, set));
                    }
                }
            }
            sorted.sort_unstable();
            let layout = ValueLayout::new(goats);
            assert_eq!(layout.len(&outers), sorted.len());
            for (place, &(_, block, set)) in sorted.iter().enumerate() {
                let number = outers[block] << BLOCK_DIMENSIONS | set as u32;
                assert_eq!(layout.find(&outers, block, number), place);
            }
            let mut words = vec![Word512::NONE; outers.len()];
            for word in &mut words {
                word.bytes_mut().fill_with(|| random.u32(..256) as u8);
            }
            let (mut buffer, mut values) = (Vec::new(), Vec::new());
            layout.write(&outers, &words, &mut buffer, &mut values);
            let expected = sorted
                .iter()
                .map(|&(_, block, set)| words[block].bytes()[set]);
            assert_eq!(values, expected.collect::<Vec<u8>>());
            let mut back = vec![Word512::ALL; outers.len()];
            layout.read(&outers, &mut values, 77, &mut back);
            for (block, outer) in outers.iter().enumerate() {
                for set in 0..BLOCK_BYTES {
                    let is_possible = layout
                        .goats
                        .contains(&(outer.count_ones() + set.count_ones()));
                    let expected = if is_possible {
                        words[block].bytes()[set]
                    } else {
                        77
                    };
                    assert_eq!(back[block].bytes()[set], expected);
                }
            }
        }
    }
}
