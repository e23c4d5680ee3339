//! Counts the positions in sparse lists. Symmetric positions count once. The outer digits of a goat set's index
//! select a word of 512 bits, and the inner digits (0 to 8) a bit of this word. A word has eight lanes of 64 bits.

use rayon::prelude::*;

use crate::error::EngineError;
use crate::processor;
use crate::solve::bitset::layer_stats::add_counts;
use crate::solve::bitset::ply_positions::SparsePositions;
use crate::solve::bitset::position_list::PositionList;
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::wins::{PlyWins, Wins};
use crate::solve::bitset::word512::{DIMENSIONS, Word512};

/// Counts positions for each number of goats on the board.
pub(crate) struct Counter {
    dimensions: u32,
    /// Indexed by tiger set. Each element has one entry for each symmetry, except the identity, that maps the tiger
    /// set to itself.
    fixed_sets: Vec<Vec<FixedSets>>,
}

/// Number of inner digits that select a bit of a lane.
const LANE_DIGITS: usize = 6;
/// Mask `g` selects the goat sets of a lane with `g` goats on the points of these digits: the bits whose index has `g`
/// ones.
const LANE_MASKS_BY_GOATS: [u64; LANE_DIGITS + 1] = lane_masks_by_goats();

const fn lane_masks_by_goats() -> [u64; LANE_DIGITS + 1] {
    let mut masks = [0; LANE_DIGITS + 1];
    let mut bit = 0_u32;
    while bit < u64::BITS {
        masks[bit.count_ones() as usize] |= 1 << bit;
        bit += 1;
    }
    masks
}

/// The goat sets that a symmetry maps to themselves.
///
/// A symmetry permutes the digits. It maps a goat set to itself if each digit equals its image.
struct FixedSets {
    /// Mask of the goat sets of a word whose digits are equal in every pair of two inner digits.
    inside: Word512,
    /// The pairs of an inner and an outer digit: the number of the inner digit, and a mask with only the bit of the
    /// outer digit.
    across: Vec<(u32, u32)>,
    /// The pairs of two outer digits, as a mask of both.
    outside: Vec<u32>,
}

impl Counter {
    /// Creates a counter for the tiger sets of `ranking`.
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
            fixed_sets: sets.map(fixed).collect(),
        }
    }

    /// Returns the number of positions in `found`, indexed by the number of goats on the board.
    ///
    /// `found` contains all images of a position or none. So by Burnside's lemma, the number of positions up to
    /// symmetry is the mean number of positions that a symmetry of the tiger set maps to themselves.
    pub(super) fn count(&self, found: &PlyWins) -> Result<Vec<u64>, EngineError> {
        let sets = found.positions.par_iter().enumerate();
        let counts = sets.map(|(set, positions)| self.count_set(set, positions));
        counts.try_reduce(|| self.zero(), |counts, more| Ok(add_counts(counts, more)))
    }

    /// Returns the number of wins with the given side to move, indexed by the number of goats on the board.
    pub(super) fn count_wins(
        &self,
        wins: &Wins,
        tigers_to_move: bool,
    ) -> Result<Vec<u64>, EngineError> {
        let blocks = &wins.blocks;
        let cubes = wins.positions[usize::from(tigers_to_move)].par_chunks_exact(blocks.len());
        let counts = cubes.enumerate().map(|(set, cube)| {
            let mut positions = SparsePositions::default();
            for (&outer, &word) in blocks.stored.iter().zip(cube) {
                positions.push(outer, word);
            }
            self.count_set(set, &PositionList::Sparse(positions))
        });
        counts.try_reduce(|| self.zero(), |counts, more| Ok(add_counts(counts, more)))
    }

    fn zero(&self) -> Vec<u64> {
        vec![0; self.dimensions as usize + 1]
    }

    /// Counts the positions of one tiger set.
    fn count_set(&self, set: usize, positions: &PositionList) -> Result<Vec<u64>, EngineError> {
        let fixed_sets = &self.fixed_sets[set];
        let mut sums = self.zero();
        processor::run(
            #[inline(always)]
            || positions.visit_parts(|part| add(part, fixed_sets, &mut sums)),
        )?;
        // The number of symmetries of the tiger set, including the identity.
        let order = 1 + fixed_sets.len() as u64;
        for sum in &mut sums {
            *sum /= order;
        }
        Ok(sums)
    }
}

/// Adds two kinds of counts to `sums`, for each number of goats: the number of all positions, which the
/// identity fixes, and the number of positions in each of `fixed_sets`.
#[inline(always)]
fn add(positions: &SparsePositions, fixed_sets: &[FixedSets], sums: &mut [u64]) {
    for (outer, word) in positions.iter() {
        add_word(outer, word, sums);
        for fixed in fixed_sets {
            let word = word & fixed.in_block(outer);
            if !word.is_none() {
                add_word(outer, word, sums);
            }
        }
    }
}

/// Adds to `sums` the number of positions in the word of block `outer`, for each number of goats.
#[inline(always)]
fn add_word(outer: u32, word: Word512, sums: &mut [u64]) {
    for (lane, sets) in (0_u32..).zip(word.0) {
        // Most lanes are empty.
        if sets == 0 {
            continue;
        }
        let goats_outside_lane = outer.count_ones() + lane.count_ones();
        for (sum, mask) in sums[goats_outside_lane as usize..]
            .iter_mut()
            .zip(LANE_MASKS_BY_GOATS)
        {
            *sum += u64::from((sets & mask).count_ones());
        }
    }
}

impl FixedSets {
    /// Returns the goat sets that the symmetry with index `symmetry` maps to themselves. The symmetry must map the
    /// tiger set with index `set` to itself.
    fn new(ranking: &Ranking, set: usize, symmetry: usize) -> Self {
        let tigers = &ranking.sets[set];
        let images = &ranking.board.symmetries[symmetry].images;
        let mut fixed = Self {
            inside: Word512::ALL,
            across: Vec::new(),
            outside: Vec::new(),
        };
        for from in 0..tigers.used_digits() {
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

    /// Returns a mask of the goat sets of block `outer` that the symmetry maps to themselves.
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
