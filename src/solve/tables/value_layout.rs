//! The order in which a table file stores the values of a chunk.
//!
//! A goat set is a binary number with one digit per point without a tiger: 1 for a goat, 0 for an empty point. Its
//! lowest six digits are its *inner* digits, the others its *outer* digits. A goat is *inside* if its digit is an
//! inner digit, otherwise *outside*. A block contains the 64 values of the sets with equal outer digits, and a chunk
//! contains consecutive blocks.
//!
//! In memory, a chunk is stored block by block. In a file, its values are sorted by number of goats, then by block,
//! then by inner digits. Positions with equal numbers of goats have similar values, so files in this order are a third
//! smaller than in block order. The file has no values for sets whose number of goats does not occur in the layer.

use std::ops::RangeInclusive;

use crate::processor;
use crate::solve::bitset::layer::{BLOCK_BYTES, BLOCK_DIGITS};
use crate::solve::bitset::word512::Word512;

/// Number of inner digits of a goat set.
const INNER_DIGITS: usize = BLOCK_DIGITS as usize;
/// Exclusive upper bound of the number of outer digits of a goat set. A goat set has at most 32 digits in total.
const MAX_OUTER_DIGITS: usize = 32;
/// Exclusive upper bound of the number of goats in a layer.
const MAX_GOATS: usize = MAX_OUTER_DIGITS + INNER_DIGITS;
/// Maximum number of sets of a block that have equal numbers of goats: C(6, 3) = 20 sets with three goats.
const MAX_GROUP_LENGTH: usize = 20;
/// Bytes per copy. A copy needs at most [`MAX_GROUP_LENGTH`] bytes, but a constant length compiles to vector
/// instructions instead of a call of `memcpy`.
const COPY_BYTES: usize = 32;

/// All values of the inner digits, grouped by number of goats (binary ones), ascending in each group.
const INNER_BY_GOATS: [u8; BLOCK_BYTES] = inner_by_goats();
/// The start of each group in [`INNER_BY_GOATS`], indexed by the number of goats inside. The last entry is the
/// length of [`INNER_BY_GOATS`].
const GROUP_STARTS: [usize; INNER_DIGITS + 2] = group_starts();
/// The index of inner digits in their group of [`INNER_BY_GOATS`].
const RANK_IN_GROUP: [u8; BLOCK_BYTES] = rank_in_group();

const fn inner_by_goats() -> [u8; BLOCK_BYTES] {
    let mut sorted = [0; BLOCK_BYTES];
    let mut group_ends = group_starts();
    let mut inner = 0;
    while inner < BLOCK_BYTES {
        let goats = inner.count_ones() as usize;
        sorted[group_ends[goats]] = inner as u8;
        group_ends[goats] += 1;
        inner += 1;
    }
    sorted
}

const fn group_starts() -> [usize; INNER_DIGITS + 2] {
    let mut starts = [0; INNER_DIGITS + 2];
    let mut goats = 0;
    while goats <= INNER_DIGITS {
        let mut inner = 0;
        let mut count = 0;
        while inner < BLOCK_BYTES {
            count += (inner.count_ones() as usize == goats) as usize;
            inner += 1;
        }
        starts[goats + 1] = starts[goats] + count;
        goats += 1;
    }
    starts
}

const fn rank_in_group() -> [u8; BLOCK_BYTES] {
    let mut ranks = [0; BLOCK_BYTES];
    let sorted = inner_by_goats();
    let starts = group_starts();
    let mut index = 0;
    while index < BLOCK_BYTES {
        let inner = sorted[index] as usize;
        ranks[inner] = (index - starts[inner.count_ones() as usize]) as u8;
        index += 1;
    }
    ranks
}

/// Numbers of sets of one block, indexed by the number of goats outside.
type SetCounts = [u32; MAX_OUTER_DIGITS];

/// The order of values in the chunks of a layer.
#[derive(Clone, Debug)]
pub(crate) struct ValueLayout {
    goats: RangeInclusive<u32>,
    /// `fewer_goats[i]` is the number of sets of a block that have fewer than `goats.start() + i` goats and occur in
    /// the layer. The last entry counts all sets that occur.
    fewer_goats: Vec<SetCounts>,
}

impl ValueLayout {
    /// Creates the order for a layer in which the numbers of goats are `goats`.
    pub(crate) fn new(goats: RangeInclusive<u32>) -> Self {
        let mut fewer_goats: Vec<SetCounts> = vec![[0; MAX_OUTER_DIGITS]];
        for goats in goats.clone() {
            let mut sum = fewer_goats[fewer_goats.len() - 1];
            for (outside, sum) in sum.iter_mut().enumerate() {
                let inside = (goats as usize).checked_sub(outside);
                if let Some(inside) = inside.filter(|&inside| inside <= INNER_DIGITS) {
                    *sum += (GROUP_STARTS[inside + 1] - GROUP_STARTS[inside]) as u32;
                }
            }
            fewer_goats.push(sum);
        }
        Self { goats, fewer_goats }
    }

    /// Returns the number of values of a chunk. `outers` holds the outer digits of each of its blocks.
    pub(crate) fn len(&self, outers: &[u32]) -> usize {
        total(&self.fewer_goats[self.fewer_goats.len() - 1], outers)
    }

    /// Returns the index of the value of `goat_set` among the values of its chunk. `outers` has the outer digits of the
    /// chunk's blocks, and `block` is the index of the set's block in the chunk. The set's number of goats must occur
    /// in the layer.
    pub(crate) fn find(&self, outers: &[u32], block: usize, goat_set: u32) -> usize {
        let goats = (goat_set.count_ones() - self.goats.start()) as usize;
        let rank = RANK_IN_GROUP[goat_set as usize % BLOCK_BYTES];
        processor::run(
            #[inline(always)]
            || {
                // Three kinds of sets precede `goat_set`: in earlier blocks, sets with at most its number of goats; in
                // its own and later blocks, sets with fewer goats; in its own group, the first `rank` sets.
                let (earlier, others) = outers.split_at(block);
                total(&self.fewer_goats[goats + 1], earlier)
                    + total(&self.fewer_goats[goats], others)
                    + usize::from(rank)
            },
        )
    }

    /// Overwrites `values` with the values of a chunk in file order. `words[i]` is the block with outer digits
    /// `outers[i]`. `buffer` is scratch space; pass it again for the next chunk to avoid an allocation.
    pub(crate) fn write(
        &self,
        outers: &[u32],
        words: &[Word512],
        buffer: &mut Vec<u8>,
        values: &mut Vec<u8>,
    ) {
        // The buffer has a section for every number of goats, and each copy appends the values of one block to a
        // section. A copy always writes `COPY_BYTES` bytes; the next copy overwrites the surplus.
        let section_bytes = words.len() * MAX_GROUP_LENGTH + COPY_BYTES;
        buffer.resize((self.fewer_goats.len() - 1) * section_bytes, 0);
        let mut ends = [0; MAX_GOATS];
        processor::run(
            #[inline(always)]
            || {
                for (word, outer) in words.iter().zip(outers) {
                    let mut sorted = [0; BLOCK_BYTES + COPY_BYTES];
                    for (value, inner) in sorted.iter_mut().zip(INNER_BY_GOATS) {
                        *value = word.bytes()[usize::from(inner)];
                    }
                    for (section, inside) in self.sections(*outer) {
                        let end = &mut ends[section];
                        let piece = &sorted[GROUP_STARTS[inside]..][..COPY_BYTES];
                        let target = section * section_bytes + *end;
                        buffer[target..][..COPY_BYTES].copy_from_slice(piece);
                        *end += GROUP_STARTS[inside + 1] - GROUP_STARTS[inside];
                    }
                }
            },
        );
        values.clear();
        for (section, end) in buffer.chunks_exact(section_bytes).zip(ends) {
            values.extend_from_slice(&section[..end]);
        }
    }

    /// Copies the values of a chunk from file order to its blocks `words`, the reverse of [`Self::write`]. Sets whose
    /// number of goats does not occur in the layer get the value `filler`. Appends padding to `values`, because each
    /// copy reads [`COPY_BYTES`] bytes.
    pub(crate) fn read(
        &self,
        outers: &[u32],
        values: &mut Vec<u8>,
        filler: u8,
        words: &mut [Word512],
    ) {
        values.resize(values.len() + COPY_BYTES, filler);
        let mut begins = [0; MAX_GOATS];
        for (begin, fewer_goats) in begins.iter_mut().zip(&self.fewer_goats) {
            *begin = total(fewer_goats, outers);
        }
        processor::run(
            #[inline(always)]
            || {
                for (word, outer) in words.iter_mut().zip(outers) {
                    let mut sorted = [filler; BLOCK_BYTES + COPY_BYTES];
                    let mut end = 0;
                    for (section, inside) in self.sections(*outer) {
                        let begin = &mut begins[section];
                        let piece = &values[*begin..][..COPY_BYTES];
                        sorted[GROUP_STARTS[inside]..][..COPY_BYTES].copy_from_slice(piece);
                        end = GROUP_STARTS[inside + 1];
                        *begin += end - GROUP_STARTS[inside];
                    }
                    sorted[end..].fill(filler);
                    for (value, inner) in sorted.into_iter().zip(INNER_BY_GOATS) {
                        word.bytes_mut()[usize::from(inner)] = value;
                    }
                }
            },
        );
    }

    /// Returns the sections of the values of the block with outer digits `outer`: their indices and the numbers of
    /// goats inside. Section 0 has the layer's minimum number of goats, section 1 one goat more, and so on.
    #[inline(always)]
    fn sections(&self, outer: u32) -> impl Iterator<Item = (usize, usize)> {
        let (outside, min_goats) = (outer.count_ones() as usize, *self.goats.start() as usize);
        let min_inside = min_goats.saturating_sub(outside);
        let max_inside = (*self.goats.end() as usize - outside).min(INNER_DIGITS);
        (min_inside..=max_inside).map(move |inside| (outside + inside - min_goats, inside))
    }
}

/// Returns the sum of `counts` over the blocks with these outer digits.
#[inline(always)]
fn total(counts: &SetCounts, outers: &[u32]) -> usize {
    let counts_per_block = outers
        .iter()
        .map(|outer| counts[outer.count_ones() as usize % MAX_OUTER_DIGITS] as usize);
    counts_per_block.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn sorts_values_by_goats_then_block_then_inner_digits() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let min_goats = random.u32(..12);
            let goats = min_goats..=min_goats + random.u32(..9);
            let is_stored = |outer: &u32| {
                let outside = outer.count_ones();
                outside <= *goats.end() && outside + BLOCK_DIGITS >= *goats.start()
            };
            let outers = (0..1 << 12).filter(is_stored);
            let outers: Vec<u32> = outers.filter(|_| random.u32(..50) == 0).collect();
            let mut sorted: Vec<(u32, usize, usize)> = Vec::new();
            for (block, outer) in outers.iter().enumerate() {
                for inner in 0..BLOCK_BYTES {
                    let on_board = outer.count_ones() + inner.count_ones();
                    if goats.contains(&on_board) {
                        sorted.push((on_board, block, inner));
                    }
                }
            }
            sorted.sort_unstable();
            let layout = ValueLayout::new(goats);
            assert_eq!(layout.len(&outers), sorted.len());
            for (index, &(_, block, inner)) in sorted.iter().enumerate() {
                let goat_set = outers[block] << BLOCK_DIGITS | inner as u32;
                assert_eq!(layout.find(&outers, block, goat_set), index);
            }
            let mut words = vec![Word512::NONE; outers.len()];
            for word in &mut words {
                word.bytes_mut().fill_with(|| random.u32(..256) as u8);
            }
            let (mut buffer, mut values) = (Vec::new(), Vec::new());
            layout.write(&outers, &words, &mut buffer, &mut values);
            let expected = sorted
                .iter()
                .map(|&(_, block, inner)| words[block].bytes()[inner]);
            assert_eq!(values, expected.collect::<Vec<u8>>());
            let filler = 77;
            let mut read_back = vec![Word512::ALL; outers.len()];
            layout.read(&outers, &mut values, filler, &mut read_back);
            for (block, outer) in outers.iter().enumerate() {
                for inner in 0..BLOCK_BYTES {
                    let is_possible = layout
                        .goats
                        .contains(&(outer.count_ones() + inner.count_ones()));
                    let expected = if is_possible {
                        words[block].bytes()[inner]
                    } else {
                        filler
                    };
                    assert_eq!(read_back[block].bytes()[inner], expected);
                }
            }
        }
    }
}
