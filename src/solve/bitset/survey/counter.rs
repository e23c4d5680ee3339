//! Counts sets of positions. Symmetric positions count once.

use rayon::prelude::*;

use crate::processor;
use crate::solve::bitset::layer_stats::add_counts;
use crate::solve::bitset::ply_positions::SparsePositions;
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::wins::PlyWins;
use crate::solve::bitset::word512::{DIMENSIONS, Word512};

/// Counts positions by goats on the board.
pub(crate) struct Counter {
    dimensions: u32,
    /// For every tiger set, the symmetries except the identity that keep it.
    stabilizers: Vec<Vec<FixedSets>>,
}

/// Digits inside a lane of a word.
const LANE_DIGITS: usize = 6;
/// By number of goats: the sets of a lane with this number.
const LANE_SETS_BY_GOATS: [u64; LANE_DIGITS + 1] = lane_sets_by_goats();

const fn lane_sets_by_goats() -> [u64; LANE_DIGITS + 1] {
    let mut sets = [0; LANE_DIGITS + 1];
    let mut set = 0_u32;
    while set < u64::BITS {
        sets[set.count_ones() as usize] |= 1 << set;
        set += 1;
    }
    sets
}

/// The goat sets that a symmetry maps to themselves: both digits of every pair that it exchanges are equal.
struct FixedSets {
    /// The sets that satisfy this for pairs inside a word.
    inside: Word512,
    /// Pairs with one digit inside and one outside.
    across: Vec<(u32, u32)>,
    /// Pairs outside.
    outside: Vec<u32>,
}

impl Counter {
    /// Prepares the symmetries of every tiger set.
    pub(super) fn new(ranking: &Ranking) -> Self {
        let sets = 0..ranking.sets.len();
        let fixed = |set: usize| {
            let symmetries = ranking.sets[set].stabilizers.iter();
            symmetries
                .map(|&s| FixedSets::new(ranking, set, s))
                .collect()
        };
        Self {
            dimensions: ranking.dimensions,
            stabilizers: sets.map(fixed).collect(),
        }
    }

    /// Counts the positions of one ply. Symmetric positions are found together, so by Burnside's lemma their number is
    /// the mean number of positions that a symmetry maps to themselves.
    pub(super) fn count(&self, found: &PlyWins) -> Vec<u64> {
        let none = || vec![0_u64; self.dimensions as usize + 1];
        let sets = found.positions.par_iter().zip(&self.stabilizers);
        sets.fold(none, |counts, (positions, stabilizers)| {
            let mut sums = none();
            processor::run(
                #[inline(always)]
                || add(positions, stabilizers, &mut sums),
            );
            let order = 1 + stabilizers.len() as u64;
            for sum in &mut sums {
                *sum /= order;
            }
            add_counts(counts, sums)
        })
        .reduce(none, add_counts)
    }
}

/// Adds the number of positions, and the number that each symmetry maps to themselves.
#[inline(always)]
fn add(positions: &SparsePositions, stabilizers: &[FixedSets], sums: &mut [u64]) {
    for (outer, word) in positions.iter() {
        add_word(outer, word, sums);
        for fixed in stabilizers {
            let word = word & fixed.in_block(outer);
            if !word.is_none() {
                add_word(outer, word, sums);
            }
        }
    }
}

#[inline(always)]
fn add_word(outer: u32, word: Word512, sums: &mut [u64]) {
    for (lane, sets) in (0_u32..).zip(word.0) {
        // Most lanes are empty.
        if sets == 0 {
            continue;
        }
        let outside = outer.count_ones() + lane.count_ones();
        for (sum, mask) in sums[outside as usize..].iter_mut().zip(LANE_SETS_BY_GOATS) {
            *sum += u64::from((sets & mask).count_ones());
        }
    }
}

impl FixedSets {
    fn new(ranking: &Ranking, set: usize, symmetry: usize) -> Self {
        let tigers = &ranking.sets[set];
        let images = &ranking.board.symmetries[symmetry].images;
        let mut fixed = Self {
            inside: Word512::ALL,
            across: Vec::new(),
            outside: Vec::new(),
        };
        for from in 0..ranking.dimensions {
            let image = tigers.digit(images[tigers.point(from)] as usize);
            let to = image.trailing_zeros();
            let outer = |dimension: u32| 1 << (dimension - DIMENSIONS);
            match (from < DIMENSIONS, to < DIMENSIONS) {
                _ if from == to => {}
                (true, true) => {
                    let unequal = Word512::zero_digit(from) ^ Word512::zero_digit(to);
                    fixed.inside = fixed.inside & !unequal;
                }
                (true, false) => fixed.across.push((from, outer(to))),
                (false, true) => fixed.across.push((to, outer(from))),
                (false, false) => fixed.outside.push(outer(from) | outer(to)),
            }
        }
        fixed
    }

    /// Returns the sets of a block that the symmetry maps to themselves.
    #[inline(always)]
    fn in_block(&self, outer: u32) -> Word512 {
        let equal = |pair: &u32| !(outer & pair).is_power_of_two();
        if !self.outside.iter().all(equal) {
            return Word512::NONE;
        }
        let mut sets = self.inside;
        for &(inner, digit) in &self.across {
            let zero = Word512::zero_digit(inner);
            sets = sets & if outer & digit == 0 { zero } else { !zero };
        }
        sets
    }
}
