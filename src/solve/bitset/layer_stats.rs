//! Statistics of a layer: the numbers of wins and draws for each number of goats on the board. Symmetric
//! positions count once.

use std::fmt;

use rayon::prelude::*;

use super::blocks::{Blocks, choose, subset_sums};
use super::layer::{BLOCK_BYTES, BLOCK_DIGITS, Layer, LayerSource};
use super::rank::Ranking;
use super::verdict::VerdictEncoding;
use super::word512::Word512;
use crate::bits::iter_ones;
use crate::processor;
use crate::value::Side;

/// Maximum of a count that [`LayerStats::read`] accepts, so that sums of counts do not overflow. Every layer has fewer
/// positions.
const MAX_POSITIONS: u64 = 1 << 56;

/// The numbers of wins and draws among the positions with one number of goats on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerStats {
    /// Goats on the board.
    pub on_board: u32,
    /// Number of wins of the tigers, and of the goats.
    pub wins: [u64; 2],
    /// Number of draws.
    pub draws: u64,
    /// Number of plies of the longest win of the tigers, and of the goats; 0 if the side has no wins.
    pub longest: [u32; 2],
}

impl LayerStats {
    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.draws
    }

    /// Returns the sums of the counts of `self` and `other`, and the longest wins of the two.
    #[must_use]
    pub fn merged(mut self, other: &Self) -> Self {
        for winner in 0..2 {
            self.wins[winner] += other.wins[winner];
            self.longest[winner] = self.longest[winner].max(other.longest[winner]);
        }
        self.draws += other.draws;
        self
    }

    /// Returns the statistics of a layer in memory, one element for each number of goats on the board.
    pub fn of(ranking: &Ranking, layer: &Layer, tigers_to_move: bool) -> Vec<Self> {
        let zero = || ValueCounts::zero(ranking);
        let sets = (0..ranking.sets.len()).into_par_iter();
        let counts = sets.fold(zero, |mut counts, set| {
            counts.add(ValueCounts::of(
                ranking,
                &layer.blocks,
                set,
                layer.cube(set),
            ));
            counts
        });
        let add = |mut counts: ValueCounts, other| {
            counts.add(other);
            counts
        };
        counts.reduce(zero, add).stats(layer, tigers_to_move)
    }

    /// Returns the statistics for one number of goats. `counts` is the number of positions with each byte.
    fn of_counts(
        on_board: u32,
        counts: &[u64],
        encoding: VerdictEncoding,
        tigers_to_move: bool,
    ) -> Self {
        let mut layer_stats = Self {
            on_board,
            ..Self::default()
        };
        for (code, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            match encoding.verdict(code as u8, tigers_to_move).win() {
                None => layer_stats.draws += count,
                Some((winner, plies)) => {
                    let index = usize::from(winner == Side::P1);
                    layer_stats.wins[index] += count;
                    layer_stats.longest[index] = layer_stats.longest[index].max(plies);
                }
            }
        }
        layer_stats
    }

    /// Parses the text that the `Display` implementation writes. Returns `None` if it is invalid.
    pub fn read(text: &str) -> Option<Self> {
        let numbers: Vec<u64> = text
            .split(' ')
            .map(|word| word.parse().ok())
            .collect::<Option<_>>()?;
        let [
            on_board,
            tigers,
            goats,
            draws,
            longest_tigers,
            longest_goats,
        ] = <[u64; 6]>::try_from(numbers).ok()?;
        let counts = [tigers, goats, draws];
        if counts.iter().any(|&count| count > MAX_POSITIONS) {
            return None;
        }
        let plies = |plies: u64| u32::try_from(plies).ok();
        Some(Self {
            on_board: on_board.try_into().ok()?,
            wins: [tigers, goats],
            draws,
            longest: [plies(longest_tigers)?, plies(longest_goats)?],
        })
    }
}

impl fmt::Display for LayerStats {
    /// Writes six numbers: goats on the board, wins of the tigers, wins of the goats, draws, plies of the tigers'
    /// longest win, plies of the goats' longest win.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [tigers, goats] = self.wins;
        let [longest_tigers, longest_goats] = self.longest;
        write!(
            f,
            "{} {tigers} {goats} {} {longest_tigers} {longest_goats}",
            self.on_board, self.draws
        )
    }
}

/// The number of positions with each number of goats on the board and each byte: `goats * 256 + byte` is the index.
pub(crate) struct ValueCounts(Vec<u64>);

/// Number of values of a byte.
const BYTE_VALUES: usize = 256;
/// The inner digits of a goat set with goats on half of its inner points. Its value is probably frequent in its block.
const TYPICAL_GOAT_SET: usize = 0b10_1010;
/// Element `g` is a mask of the goat sets with `g` inner digits equal to 1. A block has 64 goat sets of one byte
/// each.
const MASKS_BY_GOATS: [u64; BLOCK_DIGITS as usize + 1] = {
    let mut masks = [0; BLOCK_DIGITS as usize + 1];
    let mut inner = 0;
    while inner < BLOCK_BYTES {
        masks[inner.count_ones() as usize] |= 1 << inner;
        inner += 1;
    }
    masks
};

impl ValueCounts {
    /// Returns counts that are all zero.
    pub(crate) fn zero(ranking: &Ranking) -> Self {
        Self(vec![0; BYTE_VALUES * (ranking.dimensions as usize + 1)])
    }

    /// Adds the counts of `other`.
    pub(crate) fn add(&mut self, other: Self) {
        let sums = self.0.iter_mut().zip(other.0);
        sums.for_each(|(sum, other)| *sum += other);
    }

    /// Counts the positions of one cube. If symmetries map the tiger set to itself, a goat set and its images are
    /// one position, which counts at the image of lowest index.
    pub(crate) fn of(ranking: &Ranking, blocks: &Blocks, set: usize, cube: &[Word512]) -> Self {
        let images = GoatSetImages::of(ranking, set);
        let Self(mut counts) = Self::zero(ranking);
        let used_blocks = blocks.used(ranking.sets[set].used_digits());
        processor::run(
            #[inline(always)]
            || {
                for (word, &outer) in cube.iter().zip(used_blocks) {
                    // Mask of the goat sets of the block that are not counted yet.
                    let mut uncounted = u64::MAX;
                    let bytes = word.bytes();
                    if images.is_trivial() {
                        // All goat sets with the byte of `TYPICAL_GOAT_SET`, probably the most frequent byte, are
                        // counted together. Separate increments of the same count would wait for each other.
                        let frequent = bytes[TYPICAL_GOAT_SET];
                        let places = word.places_of(frequent);
                        uncounted = !places;
                        let outer_goats = outer.count_ones() as usize;
                        for (goats, mask) in (outer_goats..).zip(MASKS_BY_GOATS) {
                            counts[goats * BYTE_VALUES + usize::from(frequent)] +=
                                u64::from((places & mask).count_ones());
                        }
                    }
                    for inner in iter_ones(uncounted) {
                        let number = outer << BLOCK_DIGITS | inner as u32;
                        if images.is_canonical(number) {
                            let goats = number.count_ones() as usize;
                            counts
                                [goats * BYTE_VALUES + usize::from(bytes[inner % BLOCK_BYTES])] +=
                                1;
                        }
                    }
                }
            },
        );
        Self(counts)
    }

    /// Returns the statistics of a layer. `self` is the sum of the counts of all its cubes.
    pub(crate) fn stats(&self, layer: &dyn LayerSource, tigers_to_move: bool) -> Vec<LayerStats> {
        let Self(counts) = self;
        let on_board = &layer.blocks().goats;
        let min_goats = u32::from(tigers_to_move).max(*on_board.start());
        (min_goats..=*on_board.end())
            .map(|on_board| {
                let counts = &counts[on_board as usize * BYTE_VALUES..][..BYTE_VALUES];
                LayerStats::of_counts(on_board, counts, layer.encoding(), tigers_to_move)
            })
            .collect()
    }
}

/// Returns the sums of corresponding elements.
pub(crate) fn add_counts(mut counts: Vec<u64>, other: Vec<u64>) -> Vec<u64> {
    counts
        .iter_mut()
        .zip(other)
        .for_each(|(sum, other)| *sum += other);
    counts
}

/// Returns the number of goat sets of one tiger set up to symmetry, indexed by the number of goats.
///
/// By Burnside's lemma, this is the mean number of goat sets that a symmetry of the tiger set maps to themselves.
pub(crate) fn sets_by_goats(ranking: &Ranking, set: usize) -> Vec<u64> {
    let tigers = &ranking.sets[set];
    let symmetries = &ranking.board.symmetries;
    let stabilizers = tigers.stabilizers.iter().map(|&s| &symmetries[s].images);
    let goat_numbers = ranking.dimensions as usize + 1;
    let mut sums: Vec<u64> = (0..=ranking.dimensions)
        .map(|goats| choose(tigers.used_digits(), goats))
        .collect();
    for images in stabilizers {
        // A symmetry maps a goat set to itself if each cycle of the symmetry lies inside or outside the set. `ways[g]`
        // counts such goat sets with `g` goats on the cycles processed so far.
        let mut ways = vec![0_u64; goat_numbers];
        ways[0] = 1;
        let mut seen = tigers.tigers;
        for dimension in 0..tigers.used_digits() {
            let mut point = tigers.point(dimension);
            let mut length = 0;
            while seen >> point & 1 == 0 {
                seen |= 1 << point;
                point = usize::from(images[point]);
                length += 1;
            }
            if length > 0 {
                for goats in (length..goat_numbers).rev() {
                    ways[goats] += ways[goats - length];
                }
            }
        }
        sums = add_counts(sums, ways);
    }
    let order = 1 + tigers.stabilizers.len() as u64;
    sums.iter().map(|sum| sum / order).collect()
}

/// The symmetries that map a tiger set to itself, except the identity. Each is two tables of images, indexed by the
/// lower and the upper digits of a goat set's index.
pub(crate) struct GoatSetImages(Vec<(Vec<u32>, Vec<u32>)>);

/// Number of digits that index the table for the lower digits.
const LOWER_DIGITS: usize = 10;

impl GoatSetImages {
    /// Creates the tables for the tiger set with index `set`.
    pub(crate) fn of(ranking: &Ranking, set: usize) -> Self {
        let tigers = &ranking.sets[set];
        let image = |symmetry: &usize| {
            let images = &ranking.board.symmetries[*symmetry].images;
            let digits: Vec<u32> = (0..tigers.used_digits())
                .map(|d| tigers.digit(images[tigers.point(d)] as usize))
                .collect();
            let (lower, upper) = digits.split_at(LOWER_DIGITS.min(digits.len()));
            (subset_sums(lower), subset_sums(upper))
        };
        Self(tigers.stabilizers.iter().map(image).collect())
    }

    /// Returns `true` if only the identity maps the tiger set to itself.
    #[inline(always)]
    fn is_trivial(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if the goat set with index `number` has the lowest index among its images.
    #[inline(always)]
    pub(crate) fn is_canonical(&self, number: u32) -> bool {
        self.0.iter().all(|(lower, upper)| {
            let image = lower[(number & ((1 << LOWER_DIGITS) - 1)) as usize]
                | upper[(number >> LOWER_DIGITS) as usize];
            image >= number
        })
    }
}
