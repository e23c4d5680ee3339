//! How many positions of a layer are won, lost and drawn, by goats on the board, each counted once up to symmetry.

use std::fmt;

use rayon::prelude::*;

use super::blocks::{Blocks, choose, combinations};
use super::layer::{BLOCK, BYTES_INSIDE, Layer, LayerSource};
use super::rank::Ranking;
use super::verdict::VerdictScale;
use super::word512::Word512;
use crate::bits::iter_ones;
use crate::processor;
use crate::value::Side;

/// More positions than this no layer has.
const MAX_POSITIONS: u64 = 1 << 56;

/// The positions with so many goats on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerStats {
    /// Goats on the board.
    pub on_board: u32,
    /// Positions that the tigers win, positions that the goats win.
    pub wins: [u64; 2],
    /// Positions that nobody wins.
    pub draws: u64,
    /// Plies of the longest win of the tigers, and of the goats; 0 where there is none.
    pub longest: [u32; 2],
}

impl LayerStats {
    /// All positions.
    pub fn positions(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.draws
    }

    /// Both together.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        for winner in 0..2 {
            self.wins[winner] += other.wins[winner];
            self.longest[winner] = self.longest[winner].max(other.longest[winner]);
        }
        self.draws += other.draws;
        self
    }

    /// Counts a layer.
    pub fn of(ranking: &Ranking, layer: &Layer, tigers_to_move: bool) -> Vec<Self> {
        let none = || ValueCounts::none(ranking);
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
        counts.reduce(none, add).tallies(layer, tigers_to_move)
    }

    fn of_counts(on_board: u32, counts: &[u64], scale: VerdictScale, tigers_to_move: bool) -> Self {
        let mut layer_stats = Self {
            on_board,
            ..Self::default()
        };
        for (code, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            match scale.verdict(code as u8, tigers_to_move).0 {
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

    /// Reads what [`Tally`]'s `Display` writes.
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
        // More positions than this no table holds, and their sums are still numbers.
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

/// How many positions of a set of tigers have each value, by goats on the board.
pub struct ValueCounts(Vec<u64>);

/// Values of a byte.
const BYTES: usize = 256;
/// A set of a block with as many goats inside as not.
const IN_THE_MIDDLE: usize = 0b10_1010;
/// By the goats inside a block of bytes, which of its sets have so many, as bits.
const WITH: [u64; BYTES_INSIDE as usize + 1] = {
    let mut with = [0; BYTES_INSIDE as usize + 1];
    let mut set = 0;
    while set < BLOCK {
        with[set.count_ones() as usize] |= 1 << set;
        set += 1;
    }
    with
};

impl ValueCounts {
    /// Nothing counted yet.
    pub fn none(ranking: &Ranking) -> Self {
        Self(vec![0; BYTES * (ranking.dimensions as usize + 1)])
    }

    /// Adds those of another cube.
    pub fn add(&mut self, more: Self) {
        let sums = self.0.iter_mut().zip(more.0);
        sums.for_each(|(sum, more)| *sum += more);
    }

    /// Counts a cube. Where a symmetry leaves the tigers as they are, goats and their image are the same position, which counts
    /// where its number is lowest.
    pub fn of(ranking: &Ranking, blocks: &Blocks, set: usize, cube: &[Word512]) -> Self {
        let images = StabilizerImages::of(ranking, set);
        let Self(mut counts) = Self::none(ranking);
        processor::run(
            #[inline(always)]
            || {
                for (word, &outer) in cube.iter().zip(&blocks.kept) {
                    let mut left = u64::MAX;
                    let bytes = word.bytes();
                    if images.are_none() {
                        // The value that is likeliest to be the commonest is counted at once: one after the other, each would wait
                        // for the one before.
                        let common = bytes[IN_THE_MIDDLE];
                        let places = word.places_of(common);
                        left = !places;
                        let goats = outer.count_ones() as usize;
                        for (goats, with) in (goats..).zip(WITH) {
                            counts[goats * BYTES + usize::from(common)] +=
                                u64::from((places & with).count_ones());
                        }
                    }
                    for inner in iter_ones(left) {
                        let number = outer << BYTES_INSIDE | inner as u32;
                        if images.are_never_lower(number) {
                            let goats = number.count_ones() as usize;
                            counts[goats * BYTES + usize::from(bytes[inner % BLOCK])] += 1;
                        }
                    }
                }
            },
        );
        Self(counts)
    }

    /// What the sets of a layer hold together.
    pub fn tallies(&self, layer: &dyn LayerSource, tigers_to_move: bool) -> Vec<LayerStats> {
        let Self(counts) = self;
        let on_board = &layer.blocks().goats;
        let least = u32::from(tigers_to_move).max(*on_board.start());
        (least..=*on_board.end())
            .map(|on_board| {
                let counts = &counts[on_board as usize * BYTES..][..BYTES];
                LayerStats::of_counts(on_board, counts, layer.scale(), tigers_to_move)
            })
            .collect()
    }
}

/// Two rows of counts as one.
pub fn added(mut counts: Vec<u64>, more: Vec<u64>) -> Vec<u64> {
    counts
        .iter_mut()
        .zip(more)
        .for_each(|(sum, more)| *sum += more);
    counts
}

/// For every number of goats, how many sets of so many there are with these tigers, those that symmetries make of each other
/// counted once: by Burnside's lemma the mean of how many each symmetry leaves as they are.
pub fn sets_by_goats(ranking: &Ranking, set: usize) -> Vec<u64> {
    let tigers = &ranking.sets[set];
    let symmetries = &ranking.board.symmetries;
    let keeping = tigers.stabilizers.iter().map(|&s| &symmetries[s].images);
    let numbers = ranking.dimensions as usize + 1;
    let mut sums: Vec<u64> = (0..=ranking.dimensions)
        .map(|goats| choose(ranking.dimensions, goats))
        .collect();
    for images in keeping {
        // A set stays as it is if it holds all points of a cycle or none.
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
        sums = added(sums, ways);
    }
    let order = 1 + tigers.stabilizers.len() as u64;
    sums.iter().map(|sum| sum / order).collect()
}

/// The images of a set of goats under the symmetries that leave the tigers as they are: by lower and upper digits.
pub struct StabilizerImages(Vec<(Vec<u32>, Vec<u32>)>);

/// Digits that one table covers.
const HALF: usize = 10;

impl StabilizerImages {
    /// Under those symmetries that leave a set of tigers as it is.
    pub fn of(ranking: &Ranking, set: usize) -> Self {
        let tigers = &ranking.sets[set];
        let image = |symmetry: &usize| {
            let images = &ranking.board.symmetries[*symmetry].images;
            let digits: Vec<u32> = (0..ranking.dimensions)
                .map(|d| tigers.digit(images[tigers.point(d)] as usize))
                .collect();
            let (lower, upper) = digits.split_at(HALF.min(digits.len()));
            (combinations(lower), combinations(upper))
        };
        Self(tigers.stabilizers.iter().map(image).collect())
    }

    /// Whether no symmetry leaves the tigers as they are.
    #[inline(always)]
    fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether no image of this set has a lower number: it stands for all of them.
    #[inline(always)]
    pub fn are_never_lower(&self, number: u32) -> bool {
        self.0.iter().all(|(lower, upper)| {
            let image =
                lower[(number & ((1 << HALF) - 1)) as usize] | upper[(number >> HALF) as usize];
            image >= number
        })
    }
}
