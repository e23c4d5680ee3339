//! Counting positions found as sets, each once up to symmetry.

use rayon::prelude::*;

use crate::processor;
use crate::solved::blocks::sets_where;
use crate::solved::gathering::Gathered;
use crate::solved::rank::Ranking;
use crate::solved::tally::added;
use crate::solved::wins::Found;
use crate::solved::word::{DIMENSIONS, Word};

/// Counts by goats on the board.
pub struct Counter {
    dimensions: u32,
    /// For every set of tigers the symmetries that leave it as it is, but the one that leaves everything.
    keeping: Vec<Vec<Kept>>,
    /// By goats: the sets of so many in a word.
    inner: Vec<Word>,
}

/// A symmetry that leaves the tigers as they are: it moves a set of goats, unless both digits of every pair that it leads
/// to each other are equal.
struct Kept {
    /// Both inside a word: the sets of which this is true.
    inside: Word,
    /// One inside, one outside.
    across: Vec<(u32, u32)>,
    /// Both outside.
    outside: Vec<u32>,
}

impl Counter {
    /// Prepares every set of tigers.
    pub fn new(ranking: &Ranking) -> Self {
        let sets = 0..ranking.sets.len();
        let kept = |set: usize| {
            let symmetries = ranking.sets[set].stabilizers.iter();
            symmetries.map(|&s| Kept::new(ranking, set, s)).collect()
        };
        Self {
            dimensions: ranking.dimensions,
            keeping: sets.map(kept).collect(),
            inner: (0..=DIMENSIONS)
                .map(|goats| sets_where(DIMENSIONS, |there| there == goats))
                .collect(),
        }
    }

    /// Counts what was found in a ply. Positions that symmetries make of each other were found together, so that by Burnside's
    /// lemma they are as many as the mean of how many each symmetry leaves as they are.
    pub fn count(&self, found: &Found) -> Vec<u64> {
        let none = || vec![0_u64; self.dimensions as usize + 1];
        let sets = found.positions.par_iter().zip(&self.keeping);
        sets.fold(none, |counts, (positions, keeping)| {
            let mut sums = none();
            processor::run(
                #[inline(always)]
                || self.add(positions, keeping, &mut sums),
            );
            let order = 1 + keeping.len() as u64;
            for sum in &mut sums {
                *sum /= order;
            }
            added(counts, sums)
        })
        .reduce(none, added)
    }

    #[inline(always)]
    fn add(&self, positions: &Gathered, keeping: &[Kept], sums: &mut [u64]) {
        let mut add = |outer: u32, word: Word| {
            for (goats, mask) in (outer.count_ones() as usize..).zip(&self.inner) {
                let count = (word & *mask).count();
                if count > 0 {
                    sums[goats] += u64::from(count);
                }
            }
        };
        for (outer, word) in positions.iter() {
            add(outer, word);
            for kept in keeping {
                let word = word & kept.among(outer);
                if !word.is_none() {
                    add(outer, word);
                }
            }
        }
    }
}

impl Kept {
    fn new(ranking: &Ranking, set: usize, symmetry: usize) -> Self {
        let tigers = &ranking.sets[set];
        let images = &ranking.board.symmetries[symmetry].images;
        let mut kept = Self {
            inside: Word::ALL,
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
                    let unequal = Word::zero_digit(from) ^ Word::zero_digit(to);
                    kept.inside = kept.inside & !unequal;
                }
                (true, false) => kept.across.push((from, outer(to))),
                (false, true) => kept.across.push((to, outer(from))),
                (false, false) => kept.outside.push(outer(from) | outer(to)),
            }
        }
        kept
    }

    /// The sets of a block that stay as they are.
    #[inline(always)]
    fn among(&self, outer: u32) -> Word {
        let equal = |pair: &u32| !(outer & pair).is_power_of_two();
        if !self.outside.iter().all(equal) {
            return Word::NONE;
        }
        let mut sets = self.inside;
        for &(inner, digit) in &self.across {
            let zero = Word::zero_digit(inner);
            sets = sets & if outer & digit == 0 { zero } else { !zero };
        }
        sets
    }
}
