//! Tiger moves for one goat set at a time, by lookup tables.
//!
//! For words with few one bits, this is faster than [`cube_permutation`](super::cube_permutation), which moves all goat
//! sets of a word together. The tests compare both results.

use super::bit_set::for_each_bit;
use super::tiger_moves::TigerStep;
use super::word512::{DIMENSIONS, Word512};

/// Number of goat sets of a word.
const SETS: usize = 1 << DIMENSIONS;
/// Number of digits that index a lookup table. Two lookups suffice for the 9 inner digits.
const LOOKUP_DIGITS: u32 = 5;

/// A tiger's move for single goat sets.
#[derive(Clone, Debug)]
pub(crate) struct ScalarMove {
    /// Maps the digits after the move to the digits before the move.
    to_before: DigitPermutation,
    /// Maps the digits before the move to the digits after the move.
    to_after: DigitPermutation,
    /// Mask of the digits that are 0 before the move: the digit of the entered point, and unused digits.
    empty: u32,
    /// Mask of the captured goat's digit before the move; zero without a capture.
    captured: u32,
    /// Mask of a word after the move: the goat sets that the move can produce, by their inner digits.
    reachable: Word512,
    /// Mask of a word before the move: the goat sets in which the move is legal, by their inner digits.
    legal: Word512,
}

/// A permutation of digits, as several lookup tables. Each table maps some of the digits, and the results are combined
/// by OR.
#[derive(Clone, Debug)]
struct DigitPermutation {
    /// Indexed by the [`LOOKUP_DIGITS`] lowest inner digits.
    low: [u32; 1 << LOOKUP_DIGITS],
    /// Indexed by the other inner digits.
    high: [u32; 1 << (DIMENSIONS - LOOKUP_DIGITS)],
    /// Indexed by [`LOOKUP_DIGITS`] outer digits each.
    outside: Vec<[u32; 1 << LOOKUP_DIGITS]>,
}

impl ScalarMove {
    /// Returns the approximate size of a move in bytes, for goat sets with `dimensions` digits.
    pub(crate) fn memory(dimensions: u32) -> u64 {
        let outside = (dimensions - DIMENSIONS).div_ceil(LOOKUP_DIGITS) as usize;
        (size_of::<Self>() + 2 * outside * size_of::<[u32; 1 << LOOKUP_DIGITS]>()) as u64
    }
}

impl DigitPermutation {
    /// Creates the permutation that moves digit `d` to the place of digit `to[d]`.
    fn new(to: &[u32]) -> Self {
        // The image of `digits`, whose lowest digit is digit `first` of the goat set's index.
        let image = |first: u32, digits: u32| {
            let is_one = |&d: &u32| digits >> d & 1 == 1;
            let ones = (0..to.len() as u32 - first).filter(is_one);
            ones.fold(0, |number, d| number | 1 << to[(first + d) as usize])
        };
        let outside = (DIMENSIONS..to.len() as u32).step_by(LOOKUP_DIGITS as usize);
        Self {
            low: std::array::from_fn(|digits| image(0, digits as u32)),
            high: std::array::from_fn(|digits| image(LOOKUP_DIGITS, digits as u32)),
            outside: outside
                .map(|first| std::array::from_fn(|digits| image(first, digits as u32)))
                .collect(),
        }
    }

    /// Returns the image of the outer digits.
    #[inline(always)]
    fn of_outer(&self, outer: u32) -> u32 {
        let (mut number, mut remaining) = (0, outer as usize);
        for table in &self.outside {
            number |= table[remaining % (1 << LOOKUP_DIGITS)];
            remaining >>= LOOKUP_DIGITS;
        }
        number
    }

    /// Returns the image of the inner digits.
    #[inline(always)]
    fn of_inner(&self, set: u32) -> u32 {
        let set = set as usize % SETS;
        self.low[set % (1 << LOOKUP_DIGITS)] | self.high[set >> LOOKUP_DIGITS]
    }
}

impl ScalarMove {
    /// Creates the move for cubes with one bit per goat set.
    pub(crate) fn new(step: &TigerStep) -> Self {
        let mut digits_before = vec![0; step.digits.len()];
        for (before, &after) in (0..).zip(&step.digits) {
            digits_before[after as usize] = before;
        }
        let to_before = DigitPermutation::new(&digits_before);
        let to_after = DigitPermutation::new(&step.digits);
        let (empty, captured) = (step.empty, step.captured);
        let captured_inner = captured % SETS as u32;
        let reachable = Word512::of_sets(|set| to_before.of_inner(set) & (empty | captured) == 0);
        let legal =
            Word512::of_sets(|set| set & (empty | captured) % SETS as u32 == captured_inner);
        Self {
            to_before,
            to_after,
            empty,
            captured,
            reachable,
            legal,
        }
    }

    /// Returns `true` if the move captures a goat.
    #[inline(always)]
    pub(crate) fn is_leap(&self) -> bool {
        self.captured != 0
    }

    /// Calls `found` with the index of every goat set from which the move leads to a goat set in `word`, which
    /// belongs to block `outer`.
    #[inline(always)]
    pub(crate) fn find_before(&self, outer: u32, word: Word512, mut found: impl FnMut(u32)) {
        let others = self.to_before.of_outer(outer);
        if others & (self.empty | self.captured) != 0 {
            return;
        }
        let others = others | self.captured;
        for_each(
            word & self.reachable,
            #[inline(always)]
            |set| found(others | self.to_before.of_inner(set)),
        );
    }

    /// For every goat set in `word` in which the move is legal, calls `found` with the inner digits of this set and the
    /// index of the goat set after the move. `word` belongs to block `outer`.
    #[inline(always)]
    pub(crate) fn find_after(&self, outer: u32, word: Word512, mut found: impl FnMut(u32, u32)) {
        let determined = (self.empty | self.captured) >> DIMENSIONS;
        if outer & determined != self.captured >> DIMENSIONS {
            return;
        }
        let others = self
            .to_after
            .of_outer(outer & !(self.captured >> DIMENSIONS));
        let without_captured = !self.captured;
        for_each(
            word & self.legal,
            #[inline(always)]
            |set| found(set, others | self.to_after.of_inner(set & without_captured)),
        );
    }
}

/// Calls `visit` with the inner digits of every goat set in a word, in ascending order.
#[inline(always)]
fn for_each(word: Word512, mut visit: impl FnMut(u32)) {
    for (lane, sets) in (0_u32..).zip(word.0) {
        for_each_bit(
            sets,
            #[inline(always)]
            |bit| visit(lane * u64::BITS + bit),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL, with_rules};
    use crate::random::Random;
    use crate::solve::bitset::cube_permutation::{BulkTigerMove, GroupBuffer};
    use crate::solve::bitset::rank::Ranking;

    /// Returns the indices of the goat sets in `word`, which contains goat sets of block `outer`.
    fn goat_sets(outer: u32, word: Word512) -> impl Iterator<Item = u32> {
        let all = (0..SETS as u32).filter(move |&set| word.contains(set));
        all.map(move |set| outer << DIMENSIONS | set)
    }

    /// Returns the indices of the goat sets from which the move leads to a goat set in `word`, by moving whole words.
    fn predecessors(tiger_move: &BulkTigerMove, outer: u32, word: Word512) -> Vec<u32> {
        let mut found = Vec::new();
        let Some(group) = tiger_move.group_after(outer) else {
            return found;
        };
        let fetch = |fetched| {
            if fetched == outer {
                word
            } else {
                Word512::NONE
            }
        };
        let buffer = &mut GroupBuffer::default();
        tiger_move.transform_group(group, Word512::NONE, fetch, buffer, |outer, word| {
            found.extend(goat_sets(outer, word));
        });
        found.sort_unstable();
        found
    }

    #[test]
    fn single_goat_sets_move_like_whole_words() {
        let mut random = Random::new(1);
        let zone = "a1 a2 a3 b1 b2 b3 c1 c2 c3 d1 d2 d3 e1 e2 e3 b4 c4 d4 c5";
        let zoned = with_rules("bagh-chal", &[("prey", "15"), ("prey-zone", zone)]);
        for board in [*AADU_PULI, *BAGH_CHAL, zoned] {
            let ranking = Ranking::new(board);
            for set in (0..ranking.sets.len()).step_by(29) {
                for step in TigerStep::all(&ranking, set) {
                    let (bulk_move, scalar_move) = (
                        BulkTigerMove::new(&step, DIMENSIONS),
                        ScalarMove::new(&step),
                    );
                    let outer = random.u32(..1 << (ranking.dimensions - DIMENSIONS));
                    let word = Word512(std::array::from_fn(|_| random.u64(..)));
                    let mut found = Vec::new();
                    scalar_move.find_before(outer, word, |number| found.push(number));
                    found.sort_unstable();
                    assert_eq!(found, predecessors(&bulk_move, outer, word));
                    // Moving back from the goat set after the move finds the goat set before it.
                    let mut moved = Word512::NONE;
                    scalar_move.find_after(outer, word, |set, after| {
                        let only = Word512::of_sets(|one| one == after % SETS as u32);
                        let back = predecessors(&bulk_move, after >> DIMENSIONS, only);
                        assert_eq!(back, [outer << DIMENSIONS | set]);
                        moved.add(set);
                    });
                    // `find_after` finds exactly the goat sets in which the move is legal.
                    let mut legal = Word512::NONE;
                    if let Some(group) = bulk_move.group_before(outer) {
                        let buffer = &mut GroupBuffer::default();
                        bulk_move.transform_group(
                            group,
                            Word512::NONE,
                            |_| Word512::ALL,
                            buffer,
                            |visited, word| {
                                if visited == outer {
                                    legal = word;
                                }
                            },
                        );
                    }
                    assert_eq!(moved, word & legal);
                }
            }
        }
    }
}
