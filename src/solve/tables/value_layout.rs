//! The order of a chunk's values in a file: by number of goats, and only possible values. Positions with equal numbers
//! of goats have similar
//! values, so they compress to two thirds of the size in block order.

use std::ops::RangeInclusive;

use crate::processor;
use crate::solve::bitset::layer::{BLOCK, BYTES_INSIDE};
use crate::solve::bitset::word512::Word512;

/// Dimensions inside a block.
const INSIDE: usize = BYTES_INSIDE as usize;
/// Upper bound of the dimensions outside a block.
const MAX_OUTSIDE: usize = 32;
/// Upper bound of the numbers of goats in a layer.
const MAX_GOATS: usize = MAX_OUTSIDE + INSIDE;
/// Maximum sets of a block with equal numbers of goats.
const MAX_IDENTICAL: usize = 20;
/// Bytes per copy: at least [`MAX_IDENTICAL`], and constant, so that copies compile to fixed instructions.
const PIECE: usize = 32;

/// The sets of a block, ordered by number of goats, then by digits.
const SETS: [u8; BLOCK] = sets();
/// By number of goats: the start of its sets in [`SETS`], and the end of the last.
const BEGINNINGS: [usize; INSIDE + 2] = beginnings();
/// By digits: the rank of the set among those with equal numbers of goats.
const RANKS: [u8; BLOCK] = ranks();

const fn sets() -> [u8; BLOCK] {
    let mut sets = [0; BLOCK];
    let mut next = beginnings();
    let mut set = 0;
    while set < BLOCK {
        let goats = set.count_ones() as usize;
        sets[next[goats]] = set as u8;
        next[goats] += 1;
        set += 1;
    }
    sets
}

const fn beginnings() -> [usize; INSIDE + 2] {
    let mut beginnings = [0; INSIDE + 2];
    let mut goats = 0;
    while goats <= INSIDE {
        let mut set = 0;
        let mut count = 0;
        while set < BLOCK {
            count += (set.count_ones() as usize == goats) as usize;
            set += 1;
        }
        beginnings[goats + 1] = beginnings[goats] + count;
        goats += 1;
    }
    beginnings
}

const fn ranks() -> [u8; BLOCK] {
    let mut ranks = [0; BLOCK];
    let sets = sets();
    let beginnings = beginnings();
    let mut place = 0;
    while place < BLOCK {
        let set = sets[place] as usize;
        ranks[set] = (place - beginnings[set.count_ones() as usize]) as u8;
        place += 1;
    }
    ranks
}

/// Numbers of sets of a block, by goats outside the block.
type CellCounts = [u32; MAX_OUTSIDE];

/// The order of values in chunks with certain numbers of goats.
#[derive(Clone, Debug)]
pub struct ValueLayout {
    goats: RangeInclusive<u32>,
    /// By number of goats, from the minimum on: the number of possible sets with fewer goats. The last entry counts
    /// all.
    before: Vec<CellCounts>,
}

impl ValueLayout {
    /// Creates the order for chunks with these numbers of goats.
    pub fn new(goats: RangeInclusive<u32>) -> Self {
        let mut before: Vec<CellCounts> = vec![[0; MAX_OUTSIDE]];
        for goats in goats.clone() {
            let mut sum = before[before.len() - 1];
            for (outside, sum) in sum.iter_mut().enumerate() {
                let inside = (goats as usize).checked_sub(outside);
                if let Some(inside) = inside.filter(|&inside| inside <= INSIDE) {
                    *sum += (BEGINNINGS[inside + 1] - BEGINNINGS[inside]) as u32;
                }
            }
            before.push(sum);
        }
        Self { goats, before }
    }

    /// Returns the number of values of a chunk whose blocks have these outer digits.
    pub fn len(&self, outers: &[u32]) -> usize {
        sum(&self.before[self.before.len() - 1], outers)
    }

    /// Returns the place of a possible goat set's value, given its block within the chunk.
    pub fn find(&self, outers: &[u32], block: usize, number: u32) -> usize {
        let goats = (number.count_ones() - self.goats.start()) as usize;
        let rank = RANKS[number as usize % BLOCK];
        processor::run(
            #[inline(always)]
            || {
                // Sets with equal numbers of goats in earlier blocks come first.
                let (former, latter) = outers.split_at(block);
                sum(&self.before[goats + 1], former)
                    + sum(&self.before[goats], latter)
                    + usize::from(rank)
            },
        )
    }

    /// Writes the values of a chunk's blocks to `values` in order. `room` is a buffer, reused for the next chunk.
    pub fn put(&self, outers: &[u32], words: &[Word512], room: &mut Vec<u8>, values: &mut Vec<u8>) {
        // Every number of goats has a section. A block's sets are copied to it in one piece of constant size; the next
        // piece overwrites the excess.
        let section = words.len() * MAX_IDENTICAL + PIECE;
        room.resize((self.before.len() - 1) * section, 0);
        let mut ends = [0; MAX_GOATS];
        processor::run(
            #[inline(always)]
            || {
                for (word, outer) in words.iter().zip(outers) {
                    let mut sorted = [0; BLOCK + PIECE];
                    for (place, set) in sorted.iter_mut().zip(SETS) {
                        *place = word.bytes()[usize::from(set)];
                    }
                    for (index, inside) in self.sections(*outer) {
                        let end = &mut ends[index];
                        let piece = &sorted[BEGINNINGS[inside]..][..PIECE];
                        room[index * section + *end..][..PIECE].copy_from_slice(piece);
                        *end += BEGINNINGS[inside + 1] - BEGINNINGS[inside];
                    }
                }
            },
        );
        values.clear();
        for (section, end) in room.chunks_exact(section).zip(ends) {
            values.extend_from_slice(&section[..end]);
        }
    }

    /// Writes the values of a chunk back to its blocks, and `elsewhere` to impossible ones. Extends `values` by
    /// padding.
    pub fn take(&self, outers: &[u32], values: &mut Vec<u8>, elsewhere: u8, words: &mut [Word512]) {
        values.resize(values.len() + PIECE, elsewhere);
        let mut begins = [0; MAX_GOATS];
        for (begin, before) in begins.iter_mut().zip(&self.before) {
            *begin = sum(before, outers);
        }
        processor::run(
            #[inline(always)]
            || {
                for (word, outer) in words.iter_mut().zip(outers) {
                    let mut sorted = [elsewhere; BLOCK + PIECE];
                    let mut filled = 0;
                    for (index, inside) in self.sections(*outer) {
                        let begin = &mut begins[index];
                        let piece = &values[*begin..][..PIECE];
                        sorted[BEGINNINGS[inside]..][..PIECE].copy_from_slice(piece);
                        filled = BEGINNINGS[inside + 1];
                        *begin += filled - BEGINNINGS[inside];
                    }
                    sorted[filled..].fill(elsewhere);
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
        let (outside, least) = (outer.count_ones() as usize, *self.goats.start() as usize);
        let fewest = least.saturating_sub(outside);
        let most = (*self.goats.end() as usize - outside).min(INSIDE);
        (fewest..=most).map(move |inside| (outside + inside - least, inside))
    }
}

/// Returns the total number of sets in the blocks.
#[inline(always)]
fn sum(counts: &CellCounts, outers: &[u32]) -> usize {
    let of_each = outers
        .iter()
        .map(|outer| counts[outer.count_ones() as usize % MAX_OUTSIDE] as usize);
    of_each.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn every_set_has_the_place_that_sorting_gives_it() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let least = random.u32(..12);
            let goats = least..=least + random.u32(..9);
            let is_kept = |outer: &u32| {
                let outside = outer.count_ones();
                outside <= *goats.end() && outside + BYTES_INSIDE >= *goats.start()
            };
            let outers = (0..1 << 12).filter(is_kept);
            let outers: Vec<u32> = outers.filter(|_| random.u32(..50) == 0).collect();
            let mut sorted: Vec<(u32, usize, usize)> = Vec::new();
            for (block, outer) in outers.iter().enumerate() {
                for set in 0..BLOCK {
                    let on_board = outer.count_ones() + set.count_ones();
                    if goats.contains(&on_board) {
                        sorted.push((on_board, block, set));
                    }
                }
            }
            sorted.sort_unstable();
            let order = ValueLayout::new(goats);
            assert_eq!(order.len(&outers), sorted.len());
            for (place, &(_, block, set)) in sorted.iter().enumerate() {
                let number = outers[block] << BYTES_INSIDE | set as u32;
                assert_eq!(order.find(&outers, block, number), place);
            }
            let mut words = vec![Word512::NONE; outers.len()];
            for word in &mut words {
                word.bytes_mut().fill_with(|| random.u32(..256) as u8);
            }
            let (mut room, mut values) = (Vec::new(), Vec::new());
            order.put(&outers, &words, &mut room, &mut values);
            let wanted = sorted
                .iter()
                .map(|&(_, block, set)| words[block].bytes()[set]);
            assert_eq!(values, wanted.collect::<Vec<u8>>());
            let mut back = vec![Word512::ALL; outers.len()];
            order.take(&outers, &mut values, 77, &mut back);
            for (block, outer) in outers.iter().enumerate() {
                for set in 0..BLOCK {
                    let arises = order
                        .goats
                        .contains(&(outer.count_ones() + set.count_ones()));
                    let wanted = if arises {
                        words[block].bytes()[set]
                    } else {
                        77
                    };
                    assert_eq!(back[block].bytes()[set], wanted);
                }
            }
        }
    }
}
