//! Tiger moves backwards for a whole cube of goat sets: a tiger's move permutes one cube into another.

use rayon::prelude::*;

use super::blocks::{Blocks, combinations};
use super::rank::Ranking;
use super::tiger_moves::TigerStep;
use super::word512::{DIMENSIONS, Word512};
use crate::bits::submasks;

/// A move of one tiger, seen from before the move: maps every goat set to a value of the cube after the move.
///
/// The digits of the two cubes stand for the same points in different orders. Digits that stay inside the word, or
/// outside it, are cheap to reorder. Each digit that crosses the word boundary takes an exchange of words.
#[derive(Clone, Debug)]
pub(crate) struct CubeMove {
    /// Index of the representative of the tiger set after the move.
    pub source: usize,
    /// Exchanges of dimensions inside a word.
    swaps: Vec<(u32, u32)>,
    /// The dimension inside a word of each crossing.
    crossings: Vec<u32>,
    /// The outer digits of each word of a group, by the crossing digits: before the move, and after it.
    targets: Vec<u32>,
    sources: Vec<u32>,
    /// The other outer digits after the move, by the lower and upper half of those before it.
    lower: Vec<u32>,
    upper: Vec<u32>,
    /// The reverse tables, and the crossing outer digits after the move.
    lower_back: Vec<u32>,
    upper_back: Vec<u32>,
    crossing_sources: u32,
    /// Outer digits that groups do not enumerate: crossing digits, the entered point, and the captured goat.
    skipped: u32,
    entered: u32,
    captured: u32,
    captured_inside: Option<u32>,
    /// The sets of a word in which the entered point is empty and the captured goat is gone.
    legal: Word512,
}

/// A buffer for the words of a group.
#[derive(Clone, Debug)]
pub(crate) struct GroupBuffer(Box<[Word512]>);

impl Default for GroupBuffer {
    /// Allocates the largest group, in which every dimension inside a word crosses.
    fn default() -> Self {
        Self(vec![Word512::NONE; 1 << DIMENSIONS].into())
    }
}

/// Outer digits that the lower table covers.
const LOWER_DIGITS: u32 = 8;

impl CubeMove {
    /// Returns all moves of every tiger set, for cubes in blocks of `2^inside` sets.
    pub(crate) fn of_every_set(ranking: &Ranking, inside: u32) -> Vec<Vec<Self>> {
        let all = |set| {
            let steps = TigerStep::all(ranking, set);
            steps.iter().map(|step| Self::new(step, inside)).collect()
        };
        (0..ranking.sets.len()).into_par_iter().map(all).collect()
    }

    /// Returns the approximate size of a move in bytes, for cubes of `dimensions` dimensions in blocks of `2^inside`
    /// sets.
    pub(crate) fn memory(dimensions: u32, inside: u32) -> u64 {
        let outer = dimensions - inside;
        let table_entries =
            (1 << outer.min(LOWER_DIGITS)) + (1 << outer.saturating_sub(LOWER_DIGITS));
        (size_of::<Self>() + 2 * table_entries * size_of::<u32>()) as u64
    }

    /// Creates one move, for cubes in blocks of `2^inside` sets.
    pub(crate) fn new(step: &TigerStep, inside: u32) -> Self {
        let &TigerStep {
            source,
            ref digits,
            entered,
            captured,
        } = step;
        let (mut crossings, mut entering) = (Vec::new(), Vec::new());
        let (mut crossing_targets, mut crossing_sources) = (Vec::new(), Vec::new());
        let mut inner: Vec<u32> = Vec::new();
        let mut outer = vec![0; digits.len() - inside as usize];
        let mut back = outer.clone();
        for (dimension, &after) in digits.iter().enumerate() {
            let dimension = dimension as u32;
            match (dimension < inside, after < inside) {
                (true, true) => inner.push(after),
                (true, false) => {
                    inner.push(u32::MAX);
                    crossings.push(dimension);
                    crossing_sources.push(1 << (after - inside));
                }
                (false, true) => {
                    entering.push(after);
                    crossing_targets.push(1 << (dimension - inside));
                }
                (false, false) => {
                    outer[(dimension - inside) as usize] = 1 << (after - inside);
                    back[(after - inside) as usize] = 1 << (dimension - inside);
                }
            }
        }
        for (&dimension, &after) in crossings.iter().zip(&entering) {
            inner[dimension as usize] = after;
        }
        let base = DIMENSIONS - inside;
        let inside_of = |digit: u32| {
            let dimension = digit.trailing_zeros();
            (dimension < inside).then_some(base + dimension)
        };
        let legal = [entered, captured]
            .into_iter()
            .filter_map(inside_of)
            .fold(Word512::ALL, |sets, d| sets & Word512::zero_digit(d));
        let (entered_outside, captured_outside) = (entered >> inside, captured >> inside);
        Self {
            source,
            swaps: exchanges_for(&inner)
                .into_iter()
                .map(|(d, e)| (base + d, base + e))
                .collect(),
            crossings: crossings.iter().map(|d| base + d).collect(),
            skipped: crossing_targets.iter().sum::<u32>() | entered_outside | captured_outside,
            targets: combinations(&crossing_targets),
            sources: combinations(&crossing_sources),
            lower: combinations(&outer[..outer.len().min(LOWER_DIGITS as usize)]),
            upper: combinations(&outer[outer.len().min(LOWER_DIGITS as usize)..]),
            lower_back: combinations(&back[..back.len().min(LOWER_DIGITS as usize)]),
            upper_back: combinations(&back[back.len().min(LOWER_DIGITS as usize)..]),
            crossing_sources: crossing_sources.iter().sum(),
            entered: entered_outside,
            captured: captured_outside,
            captured_inside: inside_of(captured),
            legal,
        }
    }

    /// Returns the groups of words that the move transforms together and that contain a stored block, by their common
    /// outer digits before the move.
    #[inline(always)]
    pub(crate) fn groups(&self, blocks: &Blocks) -> impl Iterator<Item = u32> {
        let others = self.captured.count_ones() + self.crossings.len() as u32 + blocks.inside;
        let (min_goats, max_goats) = (*blocks.goats.start(), *blocks.goats.end());
        let all = (1 << blocks.outside) - 1;
        // One after another: trying many groups at once took a fifth of the total time.
        submasks(all & !self.skipped).filter(
            #[inline(always)]
            move |group| {
                let goats = group.count_ones();
                goats <= max_goats && goats + others >= min_goats
            },
        )
    }

    /// Returns the group of block `outer` before the move, or `None` if the move is illegal in all its sets.
    #[inline(always)]
    pub(crate) fn group_before(&self, outer: u32) -> Option<u32> {
        (outer & (self.entered | self.captured) == self.captured).then_some(outer & !self.skipped)
    }

    /// Returns the group of block `outer` after the move, or `None` if the move cannot lead there.
    #[inline(always)]
    pub(crate) fn group_after(&self, outer: u32) -> Option<u32> {
        let others = outer & !self.crossing_sources;
        let group = self.lower_back
            [(others & ((1 << LOWER_DIGITS) - 1)) as usize % self.lower_back.len()]
            | self.upper_back[(others >> LOWER_DIGITS) as usize];
        (group & self.skipped == 0).then_some(group)
    }

    /// Returns `true` if every group is a single word: no digit crosses the word boundary.
    #[inline(always)]
    pub(crate) fn has_single_word_groups(&self) -> bool {
        self.crossings.is_empty()
    }

    /// Returns the number of points that must be empty or occupied, for comparison. Each one halves the sets with a
    /// legal move.
    pub(crate) fn conditions(&self) -> u32 {
        1 + u32::from(self.captured != 0 || self.captured_inside.is_some())
    }

    /// Returns the block before the move of a single-word group.
    #[inline(always)]
    pub(crate) fn only_target(&self, group: u32) -> u32 {
        group | self.captured
    }

    /// Returns the block after the move of a single-word group.
    #[inline(always)]
    pub(crate) fn only_source(&self, group: u32) -> u32 {
        self.lower[(group & ((1 << LOWER_DIGITS) - 1)) as usize % self.lower.len()]
            | self.upper[(group >> LOWER_DIGITS) as usize]
    }

    /// Returns the blocks after the move of a group.
    #[inline(always)]
    pub(crate) fn sources(&self, group: u32) -> impl Iterator<Item = u32> {
        let outer = self.only_source(group);
        self.sources.iter().map(
            #[inline(always)]
            move |source| outer | source,
        )
    }

    /// Returns the values before the move of a single-word group whose word after the move is `word`. Illegal moves
    /// give zero.
    #[inline(always)]
    pub(crate) fn permute_word(&self, mut word: Word512) -> Word512 {
        for &(d, e) in &self.swaps {
            word = word.swap(d, e);
        }
        word = word & self.legal;
        match self.captured_inside {
            Some(d) => word.flip(d),
            None => word,
        }
    }

    /// Calls `found` with the values before the move of one group, block by block. `fetch` returns words of the cube
    /// after the move by outer digits. Illegal moves give `nothing`.
    #[inline(always)]
    pub(crate) fn find(
        &self,
        group: u32,
        nothing: Word512,
        fetch: impl Fn(u32) -> Word512,
        buffer: &mut GroupBuffer,
        mut found: impl FnMut(u32, Word512),
    ) {
        let words = &mut buffer.0[..self.targets.len()];
        for (word, source) in words.iter_mut().zip(self.sources(group)) {
            *word = fetch(source);
        }
        self.permute(words);
        let fixed = self.entered | self.captured;
        for (target, word) in self.targets.iter().zip(words.iter()) {
            if target & fixed == 0 {
                let mut word = word.select(self.legal, nothing);
                if let Some(d) = self.captured_inside {
                    word = word.flip(d);
                }
                found(group | target | self.captured, word);
            }
        }
    }

    /// Reorders the digits of a group's words to the order before the move.
    #[inline(always)]
    fn permute(&self, words: &mut [Word512]) {
        for word in words.iter_mut() {
            for &(d, e) in &self.swaps {
                *word = word.swap(d, e);
            }
        }
        for (index, &d) in self.crossings.iter().enumerate() {
            let stride = 1 << index;
            for pairs in words.chunks_exact_mut(2 * stride) {
                let (low, high) = pairs.split_at_mut(stride);
                for (low, high) in low.iter_mut().zip(high) {
                    Word512::exchange(low, high, d);
                }
            }
        }
    }
}

/// Returns the exchanges after which dimension `d` is the former dimension `order[d]`.
fn exchanges_for(order: &[u32]) -> Vec<(u32, u32)> {
    let mut now: Vec<u32> = (0..order.len() as u32).collect();
    let mut swaps = Vec::new();
    for (d, former) in order.iter().enumerate() {
        if let Some(e) = now
            .iter()
            .position(|here| here == former)
            .filter(|&e| e != d)
        {
            now.swap(d, e);
            swaps.push((d as u32, e as u32));
        }
    }
    swaps
}
