//! The stored part of a cube of goat sets: a layer needs only the sets with possible numbers of goats.

use std::ops::RangeInclusive;

use super::word512::Word512;
use crate::random::Random;

/// The stored blocks of a cube: the blocks that contain a set with a possible number of goats.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// Dimensions inside a block.
    pub inside: u32,
    /// Dimensions outside, which number the blocks.
    pub outside: u32,
    /// The possible numbers of goats.
    pub goats: RangeInclusive<u32>,
    /// The outer digits of each stored block, ascending.
    pub stored: Vec<u32>,
    /// By outer digits: the place of the block among the stored ones, or `stored.len()`.
    place: Vec<u32>,
    /// By goats among the outer digits: the sets of a block with a possible number of goats.
    reachable_goats: Vec<Word512>,
}

impl Blocks {
    /// Creates the blocks of `2^inside` sets that contain a set of `goats` goats, or of up to `spare` fewer.
    pub fn new(dimensions: u32, inside: u32, goats: RangeInclusive<u32>, spare: u32) -> Self {
        let outside = dimensions - inside;
        let is_stored = |block: &u32| {
            let max_goats = block.count_ones() + inside;
            block.count_ones() <= *goats.end() && max_goats + spare >= *goats.start()
        };
        let stored: Vec<u32> = (0..1 << outside).filter(is_stored).collect();
        let mut place = vec![stored.len() as u32; 1 << outside];
        for (index, &block) in stored.iter().enumerate() {
            place[block as usize] = index as u32;
        }
        let reachable_goats = (0..=outside)
            .map(|outer| word_where(inside, |inner| goats.contains(&(outer + inner))))
            .collect();
        Self {
            inside,
            outside,
            goats,
            stored,
            place,
            reachable_goats,
        }
    }

    /// Returns the sets of block `outer` with a possible number of goats, with all bits of each set's value.
    #[inline(always)]
    pub(crate) fn reachable_goats(&self, outer: u32) -> &Word512 {
        &self.reachable_goats[outer.count_ones() as usize]
    }

    /// Returns the number of stored blocks per tiger set.
    pub fn len(&self) -> usize {
        self.stored.len()
    }

    /// Returns `true` if no block is stored.
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty()
    }

    /// Returns the place of a block, or `None` if it is not stored.
    #[inline(always)]
    pub fn find(&self, outer: u32) -> Option<usize> {
        let place = self.place[outer as usize] as usize;
        (place < self.stored.len()).then_some(place)
    }

    /// Returns the place of a block, or [`Blocks::len`] if it is not stored.
    #[inline(always)]
    pub fn place(&self, outer: u32) -> u32 {
        self.place[outer as usize]
    }
}

/// Returns the binomial coefficient: the number of subsets with `taken` of `from` elements.
pub fn choose(from: u32, taken: u32) -> u64 {
    (0..u64::from(taken)).fold(1, |ways, k| ways * (u64::from(from) - k) / (k + 1))
}

/// Returns the sums of all subsets of `digits`. Bit 0 of the index selects the first digit.
pub(crate) fn combinations(digits: &[u32]) -> Vec<u32> {
    let mut sums = vec![0];
    for digit in digits {
        sums.extend_from_within(..);
        let half = sums.len() / 2;
        sums[half..].iter_mut().for_each(|sum| *sum += digit);
    }
    sums
}

/// Draws a goat set uniformly from all sets with `on_board` goats: first the number of goats, weighted by the number
/// of sets, then a set (selection sampling, Knuth, volume 2, algorithm 3.4.2 S).
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

/// Returns a word whose values are all ones for the sets whose number of goats satisfies `fits`, in a block of
/// `2^inside` sets.
fn word_where(inside: u32, fits: impl Fn(u32) -> bool) -> Word512 {
    let bits_each = 512 >> inside;
    Word512::of_sets(|bit| fits((bit / bits_each).count_ones()))
}
