//! Numbers of won, lost and drawn positions of a layer by goats on the board. Symmetric positions count once.

use std::fmt;

use rayon::prelude::*;

use super::blocks::{Blocks, choose, subset_sums};
use super::layer::{BLOCK_BYTES, BLOCK_DIMENSIONS, Layer, LayerSource};
use super::rank::Ranking;
use super::verdict::VerdictScale;
use super::word512::Word512;
use crate::bits::iter_ones;
use crate::processor;
use crate::value::Side;

/// Maximum positions of any layer. Sums of such counts do not overflow.
const MAX_POSITIONS: u64 = 1 << 56;

/// The numbers of positions with one number of goats on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerStats {
    /// Goats on the board.
    pub on_board: u32,
    /// Wins of the tigers, and of the goats.
    pub wins: [u64; 2],
    /// Draws.
    pub draws: u64,
    /// Plies of the longest win of the tigers, and of the goats; 0 without wins.
    pub longest: [u32; 2],
}

impl LayerStats {
    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.draws
    }

    /// Returns the sum of both.
    #[must_use]
    pub fn merged(mut self, other: &Self) -> Self {
        for winner in 0..2 {
            self.wins[winner] += other.wins[winner];
            self.longest[winner] = self.longest[winner].max(other.longest[winner]);
        }
        self.draws += other.draws;
        self
    }

    /// Counts a layer in memory.
    pub fn of(ranking: &Ranking, layer: &Layer, tigers_to_move: bool) -> Vec<Self> {
        let none = || ValueCounts::zero(ranking);
        let sets = (0..ranking.sets.len()).into_par_iter();
        let counts = sets.fold(none, |mut counts, set| {
            counts.add(ValueCounts::of(
                ranking,
                &layer.blocks,
                set,
                layer.cube(set),
            ));
            counts
        });
        let add = |mut counts: ValueCounts, more| {
            counts.add(more);
            counts
        };
        counts.reduce(none, add).stats(layer, tigers_to_move)
    }

    fn of_counts(on_board: u32, counts: &[u64], scale: VerdictScale, tigers_to_move: bool) -> Self {
        let mut layer_stats = Self {
            on_board,
            ..Self::default()
        };
        for (code, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            match scale.verdict(code as u8, tigers_to_move).win() {
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

    /// Parses what the `Display` implementation writes.
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

/// Positions of one tiger set by goats on the board and byte.
pub(crate) struct ValueCounts(Vec<u64>);

/// Number of values of a byte.
const BYTE_VALUES: usize = 256;
/// A goat set with half of the block's digits set.
const MIDDLE_SET: usize = 0b10_1010;
/// By number of goats inside a block of bytes: the sets with this number, as bits.
const SETS_BY_GOATS: [u64; BLOCK_DIMENSIONS as usize + 1] = {
    let mut with = [0; BLOCK_DIMENSIONS as usize + 1];
    let mut set = 0;
    while set < BLOCK_BYTES {
        with[set.count_ones() as usize] |= 1 << set;
        set += 1;
    }
    with
};

impl ValueCounts {
    /// Returns empty counts.
    pub(crate) fn zero(ranking: &Ranking) -> Self {
        Self(vec![0; BYTE_VALUES * (ranking.dimensions as usize + 1)])
    }

    /// Adds the counts of another cube.
    pub(crate) fn add(&mut self, more: Self) {
        let sums = self.0.iter_mut().zip(more.0);
        sums.for_each(|(sum, more)| *sum += more);
    }

    /// Counts a cube. If a symmetry maps the tiger set to itself, a goat set and its images are one position, counted
    /// at the lowest index.
    pub(crate) fn of(ranking: &Ranking, blocks: &Blocks, set: usize, cube: &[Word512]) -> Self {
        let images = StabilizerImages::of(ranking, set);
        let Self(mut counts) = Self::zero(ranking);
        processor::run(
            #[inline(always)]
            || {
                for (word, &outer) in cube.iter().zip(&blocks.stored) {
                    let mut left = u64::MAX;
                    let bytes = word.bytes();
                    if images.is_trivial() {
                        // Count all copies of the probably most common byte together. Counted one by one, each
                        // increment would wait for the previous one.
                        let common = bytes[MIDDLE_SET];
                        let places = word.places_of(common);
                        left = !places;
                        let goats = outer.count_ones() as usize;
                        for (goats, with) in (goats..).zip(SETS_BY_GOATS) {
                            counts[goats * BYTE_VALUES + usize::from(common)] +=
                                u64::from((places & with).count_ones());
                        }
                    }
                    for inner in iter_ones(left) {
                        let number = outer << BLOCK_DIMENSIONS | inner as u32;
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

    /// Returns the statistics of a layer from the counts of all its cubes.
    pub(crate) fn stats(&self, layer: &dyn LayerSource, tigers_to_move: bool) -> Vec<LayerStats> {
        let Self(counts) = self;
        let on_board = &layer.blocks().goats;
        let min_goats = u32::from(tigers_to_move).max(*on_board.start());
        (min_goats..=*on_board.end())
            .map(|on_board| {
                let counts = &counts[on_board as usize * BYTE_VALUES..][..BYTE_VALUES];
                LayerStats::of_counts(on_board, counts, layer.scale(), tigers_to_move)
            })
            .collect()
    }
}

/// Adds two rows of counts.
pub(crate) fn add_counts(mut counts: Vec<u64>, more: Vec<u64>) -> Vec<u64> {
    counts
        .iter_mut()
        .zip(more)
        .for_each(|(sum, more)| *sum += more);
    counts
}

/// Returns the number of goat sets with these tigers by number of goats. Symmetric sets count once: by Burnside's
/// lemma, their number is the mean number of sets that a symmetry maps to themselves.
pub(crate) fn sets_by_goats(ranking: &Ranking, set: usize) -> Vec<u64> {
    let tigers = &ranking.sets[set];
    let symmetries = &ranking.board.symmetries;
    let stabilizers = tigers.stabilizers.iter().map(|&s| &symmetries[s].images);
    let numbers = ranking.dimensions as usize + 1;
    let mut sums: Vec<u64> = (0..=ranking.dimensions)
        .map(|goats| choose(ranking.dimensions, goats))
        .collect();
    for images in stabilizers {
        // A set maps to itself if it contains all points of a cycle or none.
        let mut ways = vec![0_u64; numbers];
        ways[0] = 1;
        let mut seen = tigers.tigers;
        for dimension in 0..ranking.dimensions {
            let mut point = tigers.point(dimension);
            let mut length = 0;
            while seen >> point & 1 == 0 {
                seen |= 1 << point;
                point = usize::from(images[point]);
                length += 1;
            }
            if length > 0 {
                for goats in (length..numbers).rev() {
                    ways[goats] += ways[goats - length];
                }
            }
        }
        sums = add_counts(sums, ways);
    }
    let order = 1 + tigers.stabilizers.len() as u64;
    sums.iter().map(|sum| sum / order).collect()
}

/// The images of goat sets under the symmetries that keep the tiger set, looked up by lower and upper digits.
pub(crate) struct StabilizerImages(Vec<(Vec<u32>, Vec<u32>)>);

/// Digits that the lower table covers.
const LOWER_DIGITS: usize = 10;

impl StabilizerImages {
    /// Prepares the symmetries that keep the tiger set with index `set`.
    pub(crate) fn of(ranking: &Ranking, set: usize) -> Self {
        let tigers = &ranking.sets[set];
        let image = |symmetry: &usize| {
            let images = &ranking.board.symmetries[*symmetry].images;
            let digits: Vec<u32> = (0..ranking.dimensions)
                .map(|d| tigers.digit(images[tigers.point(d)] as usize))
                .collect();
            let (lower, upper) = digits.split_at(LOWER_DIGITS.min(digits.len()));
            (subset_sums(lower), subset_sums(upper))
        };
        Self(tigers.stabilizers.iter().map(image).collect())
    }

    /// Returns `true` if only the identity keeps the tiger set.
    #[inline(always)]
    fn is_trivial(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if no image of this goat set has a lower index: the set represents its images.
    #[inline(always)]
    pub(crate) fn is_canonical(&self, number: u32) -> bool {
        self.0.iter().all(|(lower, upper)| {
            let image = lower[(number & ((1 << LOWER_DIGITS) - 1)) as usize]
                | upper[(number >> LOWER_DIGITS) as usize];
            image >= number
        })
    }
}
