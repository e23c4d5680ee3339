//! The stored blocks of a cube.

use std::ops::RangeInclusive;

use super::word512::Word512;
use crate::random::Random;

/// The stored blocks of a cube. A block is stored if it contains a goat set whose number of goats occurs in the
/// layer.
///
/// For example, a layer with at most 5 goats on the board stores no block whose outer digits alone contain 6 ones.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// Number of inner digits: a block has `2^inside` goat sets.
    pub inside: u32,
    /// Number of outer digits: a cube has `2^outside` blocks, stored or not.
    pub outside: u32,
    /// The numbers of goats on the board that occur in the layer.
    pub goats: RangeInclusive<u32>,
    /// The numbers (outer digits) of the stored blocks, ascending.
    pub stored: Vec<u32>,
    /// Indexed by a block's number: its index in `stored`, or `stored.len()` if the block is not stored.
    place: Vec<u32>,
    /// Indexed by the number of goats among the outer digits: a mask of the block's goat sets whose number of goats
    /// occurs in the layer.
    reachable_masks: Vec<Word512>,
}

impl Blocks {
    /// Creates the blocks for cubes with `dimensions` digits, the lowest `inside` of them inner digits. A block is
    /// stored if it contains a goat set whose number of goats is in `goats`, or below the minimum of `goats` by at most
    /// `margin`.
    pub fn new(dimensions: u32, inside: u32, goats: RangeInclusive<u32>, margin: u32) -> Self {
        let outside = dimensions - inside;
        let is_stored = |block: &u32| {
            let max_goats = block.count_ones() + inside;
            block.count_ones() <= *goats.end() && max_goats + margin >= *goats.start()
        };
        let stored: Vec<u32> = (0..1 << outside).filter(is_stored).collect();
        let mut place = vec![stored.len() as u32; 1 << outside];
        for (index, &block) in stored.iter().enumerate() {
            place[block as usize] = index as u32;
        }
        let reachable_masks = (0..=outside)
            .map(|outer| word_where(inside, |inner| goats.contains(&(outer + inner))))
            .collect();
        Self {
            inside,
            outside,
            goats,
            stored,
            place,
            reachable_masks,
        }
    }

    /// Returns a mask of the goat sets of block `outer` whose number of goats occurs in the layer. The mask has 1 or 8
    /// equal bits per goat set, like a value.
    #[inline(always)]
    pub(crate) fn reachable_mask(&self, outer: u32) -> &Word512 {
        &self.reachable_masks[outer.count_ones() as usize]
    }

    /// Returns the number of stored blocks of a cube.
    pub fn len(&self) -> usize {
        self.stored.len()
    }

    /// Returns the stored blocks of a cube with `used_digits` digits in use. In the other stored blocks, an
    /// unused digit is 1, so they contain no positions.
    #[inline(always)]
    pub(crate) fn used(&self, used_digits: u32) -> &[u32] {
        let end = 1_u64 << (used_digits - self.inside);
        let count = self.stored.partition_point(|&outer| u64::from(outer) < end);
        &self.stored[..count]
    }

    /// Returns `true` if no block is stored.
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty()
    }

    /// Returns the index of block `outer` among the stored blocks, or `None` if it is not stored.
    #[inline(always)]
    pub fn find(&self, outer: u32) -> Option<usize> {
        let place = self.place[outer as usize] as usize;
        (place < self.stored.len()).then_some(place)
    }

    /// Returns the index of block `outer` among the stored blocks, or [`Blocks::len`] if it is not stored.
    #[inline(always)]
    pub fn place(&self, outer: u32) -> u32 {
        self.place[outer as usize]
    }
}

/// Returns the binomial coefficient: the number of subsets of size `k` of `n` elements.
pub fn choose(n: u32, k: u32) -> u64 {
    (0..u64::from(k)).fold(1, |ways, i| ways * u64::from(n).saturating_sub(i) / (i + 1))
}

/// Returns the sums of all subsets of `digits`. The index is a mask: bit `i` is 1 if the subset contains `digits[i]`.
/// If the digits are powers of two, a lookup moves every bit `i` of the index to the bit `digits[i]`.
pub(crate) fn subset_sums(digits: &[u32]) -> Vec<u32> {
    let mut sums = vec![0];
    for digit in digits {
        sums.extend_from_within(..);
        let half = sums.len() / 2;
        sums[half..].iter_mut().for_each(|sum| *sum += digit);
    }
    sums
}

/// Returns the index of a uniformly random goat set of `dimensions` digits whose number of goats is in `on_board`. The
/// minimum of `on_board` must be at most `dimensions`.
///
/// Draws the number of goats, weighted by the number of goat sets, and then a goat set (selection sampling, Knuth,
/// "The Art of Computer Programming", volume 2, algorithm 3.4.2 S).
pub(crate) fn random_goats(
    dimensions: u32,
    on_board: RangeInclusive<u32>,
    random: &mut Random,
) -> u32 {
    let all: u64 = on_board
        .clone()
        .map(|goats| choose(dimensions, goats))
        .sum();
    let mut drawn = random.u64(..all);
    let mut goats_left = 0;
    for goats in on_board {
        goats_left = goats;
        let sets = choose(dimensions, goats);
        if drawn < sets {
            break;
        }
        drawn -= sets;
    }
    let mut number = 0;
    for dimension in 0..dimensions {
        if random.u32(..dimensions - dimension) < goats_left {
            number |= 1 << dimension;
            goats_left -= 1;
        }
    }
    number
}

/// Returns a mask of the goat sets whose number of goats satisfies `fits`, for a block of `2^inside` goat sets. Each
/// goat set has `512 / 2^inside` equal bits in the mask.
fn word_where(inside: u32, fits: impl Fn(u32) -> bool) -> Word512 {
    let bits_per_value = 512 >> inside;
    Word512::of_sets(|bit| fits((bit / bits_per_value).count_ones()))
}
