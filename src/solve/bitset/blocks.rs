//! Which parts of a cube of goat sets are kept: a layer only needs the sets of as many goats as can be on the board.

use std::ops::RangeInclusive;

use super::word512::Word512;

/// Which blocks of a cube are kept: those that hold a set of a number of goats that can arise.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// Dimensions inside a block.
    pub inside: u32,
    /// Dimensions outside, which number the blocks.
    pub outside: u32,
    /// The numbers of goats kept.
    pub goats: RangeInclusive<u32>,
    /// The outer digits of each block kept, ascending.
    pub kept: Vec<u32>,
    /// By outer digits: the block's place among those kept, or `kept.len()`.
    place: Vec<u32>,
    /// By the number of goats among the outer digits: the sets of a block that hold a number of goats kept.
    reachable_goats: Vec<Word512>,
}

impl Blocks {
    /// The blocks of `2^inside` sets each that hold a set of `goats` goats, or of as many as `spare` fewer.
    pub fn new(dimensions: u32, inside: u32, goats: RangeInclusive<u32>, spare: u32) -> Self {
        let outside = dimensions - inside;
        let is_kept = |block: &u32| {
            let most = block.count_ones() + inside;
            block.count_ones() <= *goats.end() && most + spare >= *goats.start()
        };
        let kept: Vec<u32> = (0..1 << outside).filter(is_kept).collect();
        let mut place = vec![kept.len() as u32; 1 << outside];
        for (index, &block) in kept.iter().enumerate() {
            place[block as usize] = index as u32;
        }
        let arising = (0..=outside)
            .map(|outer| sets_where(inside, |inner| goats.contains(&(outer + inner))))
            .collect();
        Self {
            inside,
            outside,
            goats,
            kept,
            place,
            reachable_goats: arising,
        }
    }

    /// The sets of this block that hold a number of goats kept, all bits of each set's value.
    #[inline(always)]
    pub fn reachable_goats(&self, outer: u32) -> &Word512 {
        &self.reachable_goats[outer.count_ones() as usize]
    }

    /// Blocks kept per set of tigers.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The place of a block, if it is kept.
    #[inline(always)]
    pub fn find(&self, outer: u32) -> Option<usize> {
        let place = self.place[outer as usize] as usize;
        (place < self.kept.len()).then_some(place)
    }

    /// The place of a block, or one beyond all places where it is not kept.
    #[inline(always)]
    pub fn place(&self, outer: u32) -> u32 {
        self.place[outer as usize]
    }
}

/// The number of sets of `taken` of `from` things.
pub fn choose(from: u32, taken: u32) -> u64 {
    (0..u64::from(taken)).fold(1, |ways, k| ways * (u64::from(from) - k) / (k + 1))
}

/// The sums of all subsets of `digits`, the first digit being the lowest of the index.
pub fn combinations(digits: &[u32]) -> Vec<u32> {
    let mut sums = vec![0];
    for digit in digits {
        sums.extend_from_within(..);
        let half = sums.len() / 2;
        sums[half..].iter_mut().for_each(|sum| *sum += digit);
    }
    sums
}

/// A word whose values, of `2^inside` sets, are all ones where the number of goats in the set fits.
fn sets_where(inside: u32, fits: impl Fn(u32) -> bool) -> Word512 {
    let bits_each = 512 >> inside;
    Word512::of_sets(|bit| fits((bit / bits_each).count_ones()))
}
