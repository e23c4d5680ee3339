//! Tiger moves for a whole cube of goat sets: computes the values before a move from the values after it.
//!
//! A move leaves the goats on their points but changes the digits of these points. So the value of a goat set before
//! the move is in the cube after the move, at an index with permuted digits. The cost of permuting a digit depends
//! on its place before and after the move:
//!
//! - An inner digit that stays an inner digit is moved within each word by [`Word512::swap`].
//! - An outer digit that stays an outer digit only determines which word is read.
//! - A *crossing* is an inner digit that becomes an outer digit, together with an outer digit that becomes an inner
//!   digit. It exchanges bits between two words, by [`Word512::exchange`].
//!
//! With `n` crossings, `2^n` words are permuted together. They form a *group*.

use rayon::prelude::*;

use super::blocks::{Blocks, subset_sums};
use super::rank::Ranking;
use super::tiger_moves::TigerStep;
use super::word512::{DIMENSIONS, Word512};
use crate::bits::submasks;

/// A move of one tiger, for all goat sets.
///
/// A group is identified by the outer digits that are equal in all of its words before the move.
#[derive(Clone, Debug)]
pub(crate) struct BulkTigerMove {
    /// Index of the representative of the tiger set after the move.
    pub set_after: usize,
    /// Exchanges of two inner digits.
    swaps: Vec<(u32, u32)>,
    /// The inner digit of each crossing.
    crossings: Vec<u32>,
    /// The outer digits of all crossings in a word, before and after the move, indexed by the word's index in its
    /// group. Bit `i` of the index is the digit of crossing `i`.
    crossing_digits_before: Vec<u32>,
    crossing_digits_after: Vec<u32>,
    /// Tables that map the outer digits, except crossings, from their places before the move to their places after
    /// it. The first table is indexed by the lower 8 outer digits, the second by the upper ones.
    lower_to_after: Vec<u32>,
    upper_to_after: Vec<u32>,
    /// Tables for the opposite direction.
    lower_to_before: Vec<u32>,
    upper_to_before: Vec<u32>,
    /// Mask of the outer digits of all crossings, after the move.
    all_crossing_digits_after: u32,
    /// Mask of the outer digits before the move that do not identify a group. The digits of crossings differ within
    /// a group. The digits of the entered point and of the captured goat are constant if the move is legal, and
    /// unused digits are always 0.
    non_group_digits: u32,
    /// Mask of the outer digits that are 0 before the move: the digit of the entered point, and unused digits.
    empty: u32,
    /// Mask of the captured goat's outer digit before the move; zero without a capture, or if this goat has an inner
    /// digit.
    captured: u32,
    /// The dimension, in a word, of the captured goat's digit before the move, if it is an inner digit.
    captured_inside: Option<u32>,
    /// Mask of the goat sets that the move can produce, by their inner digits: the points of the captured goat and of
    /// the moved tiger are empty after the move. The mask applies to words in the digit order before the move. In
    /// this order, the vacated point has the digit of the entered point.
    legal: Word512,
}

/// A buffer for the words of one group.
#[derive(Clone, Debug)]
pub(crate) struct GroupBuffer(Box<[Word512]>);

impl Default for GroupBuffer {
    /// Allocates the buffer for the largest possible group, in which every inner digit crosses.
    fn default() -> Self {
        Self(vec![Word512::NONE; 1 << DIMENSIONS].into())
    }
}

/// Number of outer digits that index the first of two tables. A single table for all outer digits would be too large.
const LOWER_DIGITS: u32 = 8;

impl BulkTigerMove {
    /// Returns all moves of every tiger set, for cubes with `inside` inner digits.
    pub(crate) fn by_tiger_set(ranking: &Ranking, inside: u32) -> Vec<Vec<Self>> {
        let all = |set| {
            let steps = TigerStep::all(ranking, set);
            steps.iter().map(|step| Self::new(step, inside)).collect()
        };
        (0..ranking.sets.len()).into_par_iter().map(all).collect()
    }

    /// Returns the approximate size of a move in bytes, for cubes of `dimensions` digits. `inside` of them are inner
    /// digits.
    pub(crate) fn memory(dimensions: u32, inside: u32) -> u64 {
        let outer = dimensions - inside;
        let table_entries =
            (1 << outer.min(LOWER_DIGITS)) + (1 << outer.saturating_sub(LOWER_DIGITS));
        (size_of::<Self>() + 2 * table_entries * size_of::<u32>()) as u64
    }

    /// Creates one move, for cubes with `inside` inner digits.
    pub(crate) fn new(step: &TigerStep, inside: u32) -> Self {
        let &TigerStep {
            set_after,
            ref digits,
            empty,
            captured,
        } = step;
        let (mut crossings, mut becoming_inner) = (Vec::new(), Vec::new());
        // The outer digits of crossings, before and after the move.
        let (mut crossing_before, mut crossing_after) = (Vec::new(), Vec::new());
        // Indexed by inner digit before the move: the inner digit after it.
        let mut inner: Vec<u32> = Vec::new();
        // Indexed by outer digit before the move: the outer digit after it; and the reverse.
        let mut to_after = vec![0; digits.len() - inside as usize];
        let mut to_before = to_after.clone();
        for (dimension, &after) in digits.iter().enumerate() {
            let dimension = dimension as u32;
            match (dimension < inside, after < inside) {
                (true, true) => inner.push(after),
                (true, false) => {
                    inner.push(u32::MAX);
                    crossings.push(dimension);
                    crossing_after.push(1 << (after - inside));
                }
                (false, true) => {
                    becoming_inner.push(after);
                    crossing_before.push(1 << (dimension - inside));
                }
                (false, false) => {
                    to_after[(dimension - inside) as usize] = 1 << (after - inside);
                    to_before[(after - inside) as usize] = 1 << (dimension - inside);
                }
            }
        }
        // Digit `after` is an inner digit after the move and an outer digit before it. The swaps move it to
        // `dimension`, the place of the crossing's inner digit, and the exchange of words moves it to the outer digits.
        for (&dimension, &after) in crossings.iter().zip(&becoming_inner) {
            inner[dimension as usize] = after;
        }
        // With byte values, the lowest three dimensions of a word number the bits of a byte. With bit values, there are
        // no such dimensions.
        let first_inner = DIMENSIONS - inside;
        let inner_dimension = |digit: u32| {
            let dimension = digit.trailing_zeros();
            (dimension < inside).then_some(first_inner + dimension)
        };
        // Unused digits are outer digits, so at most one digit of `empty` is an inner digit.
        let legal = [empty, captured]
            .into_iter()
            .filter_map(inner_dimension)
            .fold(Word512::ALL, |mask, d| mask & Word512::zero_digit(d));
        let (empty_outside, captured_outside) = (empty >> inside, captured >> inside);
        Self {
            set_after,
            swaps: swaps_for_order(&inner)
                .into_iter()
                .map(|(d, e)| (first_inner + d, first_inner + e))
                .collect(),
            crossings: crossings.iter().map(|d| first_inner + d).collect(),
            non_group_digits: crossing_before.iter().sum::<u32>()
                | empty_outside
                | captured_outside,
            crossing_digits_before: subset_sums(&crossing_before),
            crossing_digits_after: subset_sums(&crossing_after),
            lower_to_after: subset_sums(&to_after[..to_after.len().min(LOWER_DIGITS as usize)]),
            upper_to_after: subset_sums(&to_after[to_after.len().min(LOWER_DIGITS as usize)..]),
            lower_to_before: subset_sums(&to_before[..to_before.len().min(LOWER_DIGITS as usize)]),
            upper_to_before: subset_sums(&to_before[to_before.len().min(LOWER_DIGITS as usize)..]),
            all_crossing_digits_after: crossing_after.iter().sum(),
            empty: empty_outside,
            captured: captured_outside,
            captured_inside: inner_dimension(captured),
            legal,
        }
    }

    /// Returns all groups with a stored block before the move, and possibly groups without.
    #[inline(always)]
    pub(crate) fn groups(&self, blocks: &Blocks) -> impl Iterator<Item = u32> {
        // The maximum number of goats on points whose digits do not identify the group.
        let max_other_goats =
            self.captured.count_ones() + self.crossings.len() as u32 + blocks.inside;
        let (min_goats, max_goats) = (*blocks.goats.start(), *blocks.goats.end());
        let all = (1 << blocks.outside) - 1;
        // `submasks` visits only the numbers of groups. Testing every number up to `all` takes a fifth of the total
        // time.
        submasks(all & !self.non_group_digits).filter(
            #[inline(always)]
            move |group| {
                let goats = group.count_ones();
                goats <= max_goats && goats + max_other_goats >= min_goats
            },
        )
    }

    /// Returns the group that contains block `outer` before the move, or `None` if the move is illegal in all goat sets
    /// of the block.
    #[inline(always)]
    pub(crate) fn group_before(&self, outer: u32) -> Option<u32> {
        (outer & (self.empty | self.captured) == self.captured)
            .then_some(outer & !self.non_group_digits)
    }

    /// Returns the group that contains block `outer` after the move, or `None` if the move leads to no goat set of the
    /// block.
    #[inline(always)]
    pub(crate) fn group_after(&self, outer: u32) -> Option<u32> {
        let others = outer & !self.all_crossing_digits_after;
        let group = self.lower_to_before
            [(others & ((1 << LOWER_DIGITS) - 1)) as usize % self.lower_to_before.len()]
            | self.upper_to_before[(others >> LOWER_DIGITS) as usize];
        (group & self.non_group_digits == 0).then_some(group)
    }

    /// Returns `true` if every group is a single word, because the move has no crossing.
    #[inline(always)]
    pub(crate) fn has_single_word_groups(&self) -> bool {
        self.crossings.is_empty()
    }

    /// Returns the block before the move, for a group that is a single word.
    #[inline(always)]
    pub(crate) fn block_before(&self, group: u32) -> u32 {
        group | self.captured
    }

    /// Returns the block after the move, for a group that is a single word.
    #[inline(always)]
    pub(crate) fn block_after(&self, group: u32) -> u32 {
        self.lower_to_after
            [(group & ((1 << LOWER_DIGITS) - 1)) as usize % self.lower_to_after.len()]
            | self.upper_to_after[(group >> LOWER_DIGITS) as usize]
    }

    /// Returns the blocks after the move, one for each word of the group.
    #[inline(always)]
    pub(crate) fn blocks_after(&self, group: u32) -> impl Iterator<Item = u32> {
        let outer = self.block_after(group);
        self.crossing_digits_after.iter().map(
            #[inline(always)]
            move |crossing_digits| outer | crossing_digits,
        )
    }

    /// Computes the word before the move from `word`, the word after the move, for a group that is a single word. The
    /// value of a goat set is zero if the move is illegal.
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

    /// Computes the words of one group before the move, and calls `visit` with each block and its word. `fetch(outer)`
    /// returns the word of block `outer` after the move. If the move is illegal in a goat set, its value is taken from
    /// `illegal`. Blocks without a legal move are skipped.
    #[inline(always)]
    pub(crate) fn transform_group(
        &self,
        group: u32,
        illegal: Word512,
        fetch: impl Fn(u32) -> Word512,
        buffer: &mut GroupBuffer,
        mut visit: impl FnMut(u32, Word512),
    ) {
        let words = &mut buffer.0[..self.crossing_digits_before.len()];
        for (word, outer) in words.iter_mut().zip(self.blocks_after(group)) {
            *word = fetch(outer);
        }
        self.permute(words);
        let determined = self.empty | self.captured;
        for (crossing_digits, word) in self.crossing_digits_before.iter().zip(words.iter()) {
            // The crossings may include digits that are always 0 after the move: unused digits, the digit of the
            // vacated point, and the captured goat's digit (1 before the move). Words in which such a digit is 1 are
            // skipped, because the move does not produce their goat sets.
            if crossing_digits & determined == 0 {
                let mut word = word.select(self.legal, illegal);
                if let Some(d) = self.captured_inside {
                    word = word.flip(d);
                }
                visit(group | crossing_digits | self.captured, word);
            }
        }
    }

    /// Permutes the digits of a group's words from their places after the move to their places before
    /// it.
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

/// Returns a sequence of exchanges of two digits that moves digit `order[d]` to place `d`, for every `d`.
fn swaps_for_order(order: &[u32]) -> Vec<(u32, u32)> {
    let mut current: Vec<u32> = (0..order.len() as u32).collect();
    let mut swaps = Vec::new();
    for (d, former) in order.iter().enumerate() {
        if let Some(e) = current
            .iter()
            .position(|digit| digit == former)
            .filter(|&e| e != d)
        {
            current.swap(d, e);
            swaps.push((d as u32, e as u32));
        }
    }
    swaps
}
