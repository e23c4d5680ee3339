//! Tiger moves for one goat set at a time. For words with few sets this is faster than
//! [`cube_permutation`](super::cube_permutation), against which it is tested.

use super::bit_set::for_each_bit;
use super::tiger_moves::TigerStep;
use super::word512::{DIMENSIONS, Word512};

/// Sets of a word.
const SETS: usize = 1 << DIMENSIONS;
/// Digits per table lookup: a word's digits take two lookups.
const LOOKUP_DIGITS: u32 = 5;

/// A tiger's move for single goat sets.
#[derive(Clone, Debug)]
pub(crate) struct ScalarMove {
    /// Digit permutations: from after the move to before it, and vice versa.
    back: Digits,
    forth: Digits,
    /// Digits before the move: of the entered point, and of the captured goat.
    entered: u32,
    captured: u32,
    /// `reachable`: sets of a word after the move that it can produce. `legal`: sets of a word before the move in
    /// which it is legal. Both consider only digits inside the word.
    reachable: Word512,
    legal: Word512,
}

/// A permutation of digits.
#[derive(Clone, Debug)]
struct Digits {
    /// By the lower digits of a word, and by its upper ones.
    low: [u32; 1 << LOOKUP_DIGITS],
    high: [u32; 1 << (DIMENSIONS - LOOKUP_DIGITS)],
    /// By the digits outside a word, [`LOOKUP_DIGITS`] at a time.
    outside: Vec<[u32; 1 << LOOKUP_DIGITS]>,
}

impl ScalarMove {
    /// Returns the approximate size of a move in bytes, for cubes of `dimensions` dimensions.
    pub(crate) fn memory(dimensions: u32) -> u64 {
        let outside = (dimensions - DIMENSIONS).div_ceil(LOOKUP_DIGITS) as usize;
        (size_of::<Self>() + 2 * outside * size_of::<[u32; 1 << LOOKUP_DIGITS]>()) as u64
    }
}

impl Digits {
    /// Creates the permutation that moves digit `d` to `to[d]`.
    fn new(to: &[u32]) -> Self {
        let place = |from: u32, digits: u32| {
            let is_set = |&digit: &u32| digits >> digit & 1 == 1;
            let places = (0..to.len() as u32 - from).filter(is_set);
            places.fold(0, |number, digit| number | 1 << to[(from + digit) as usize])
        };
        let outside = (DIMENSIONS..to.len() as u32).step_by(LOOKUP_DIGITS as usize);
        Self {
            low: std::array::from_fn(|digits| place(0, digits as u32)),
            high: std::array::from_fn(|digits| place(LOOKUP_DIGITS, digits as u32)),
            outside: outside
                .map(|from| std::array::from_fn(|digits| place(from, digits as u32)))
                .collect(),
        }
    }

    /// Returns the image of the digits outside a word.
    #[inline(always)]
    fn of_outer(&self, outer: u32) -> u32 {
        let (mut number, mut without_captured) = (0, outer as usize);
        for digits in &self.outside {
            number |= digits[without_captured % (1 << LOOKUP_DIGITS)];
            without_captured >>= LOOKUP_DIGITS;
        }
        number
    }

    /// Returns the image of the digits inside a word.
    #[inline(always)]
    fn of_inner(&self, set: u32) -> u32 {
        let set = set as usize % SETS;
        self.low[set % (1 << LOOKUP_DIGITS)] | self.high[set >> LOOKUP_DIGITS]
    }
}

impl ScalarMove {
    /// Creates the move for cubes of single bits.
    pub(crate) fn new(step: &TigerStep) -> Self {
        let mut back = vec![0; step.digits.len()];
        for (before, &after) in (0..).zip(&step.digits) {
            back[after as usize] = before;
        }
        let (back, forth) = (Digits::new(&back), Digits::new(&step.digits));
        let (entered, captured) = (step.entered, step.captured);
        let inner = captured % SETS as u32;
        let reachable = Word512::of_sets(|set| back.of_inner(set) & (entered | captured) == 0);
        let legal = Word512::of_sets(|set| set & (entered | captured) % SETS as u32 == inner);
        Self {
            back,
            forth,
            entered,
            captured,
            reachable,
            legal,
        }
    }

    /// Calls `found` with every goat set from which the move leads to a set of `word`.
    #[inline(always)]
    pub(crate) fn find_before(&self, outer: u32, word: Word512, mut found: impl FnMut(u32)) {
        let others = self.back.of_outer(outer);
        if others & (self.entered | self.captured) != 0 {
            return;
        }
        let others = others | self.captured;
        for_each(
            word & self.reachable,
            #[inline(always)]
            |set| found(others | self.back.of_inner(set)),
        );
    }

    /// Calls `found` with every set of `word` in which the move is legal, by its digits inside the word, and the set
    /// after the move.
    #[inline(always)]
    pub(crate) fn find_after(&self, outer: u32, word: Word512, mut found: impl FnMut(u32, u32)) {
        let fixed = (self.entered | self.captured) >> DIMENSIONS;
        if outer & fixed != self.captured >> DIMENSIONS {
            return;
        }
        let others = self.forth.of_outer(outer & !(self.captured >> DIMENSIONS));
        let without_captured = !self.captured;
        for_each(
            word & self.legal,
            #[inline(always)]
            |set| found(set, others | self.forth.of_inner(set & without_captured)),
        );
    }
}

/// Calls `visit` with every set of a word.
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
    use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};
    use crate::random::Random;
    use crate::solve::bitset::cube_permutation::{CubeMove, GroupBuffer};
    use crate::solve::bitset::rank::Ranking;

    fn sets(outer: u32, word: Word512) -> impl Iterator<Item = u32> {
        let all = (0..SETS as u32).filter(move |&set| word.contains(set));
        all.map(move |set| outer << DIMENSIONS | set)
    }

    /// Returns the sets, found by transforming whole words, from which the move leads to a set of `word`.
    fn before(tiger_move: &CubeMove, outer: u32, word: Word512) -> Vec<u32> {
        let mut found = Vec::new();
        let Some(group) = tiger_move.group_after(outer) else {
            return found;
        };
        let fetch = |is_set| if is_set == outer { word } else { Word512::NONE };
        let buffer = &mut GroupBuffer::default();
        tiger_move.transform_group(group, Word512::NONE, fetch, buffer, |outer, word| {
            found.extend(sets(outer, word));
        });
        found.sort_unstable();
        found
    }

    #[test]
    fn single_sets_move_like_whole_words() {
        let mut random = Random::new(1);
        for board in [&*AADU_PULI, &*BAGH_CHAL] {
            let ranking = Ranking::new(board);
            for set in (0..ranking.sets.len()).step_by(29) {
                for step in TigerStep::all(&ranking, set) {
                    let (whole, scalar_moves) =
                        (CubeMove::new(&step, DIMENSIONS), ScalarMove::new(&step));
                    let outer = random.u32(..1 << (ranking.dimensions - DIMENSIONS));
                    let word = Word512(std::array::from_fn(|_| random.u64(..)));
                    let mut found = Vec::new();
                    scalar_moves.find_before(outer, word, |number| found.push(number));
                    found.sort_unstable();
                    assert_eq!(found, before(&whole, outer, word));
                    // Moving back returns the same set, and only sets with a legal move are reported.
                    let mut moved = Word512::NONE;
                    scalar_moves.find_after(outer, word, |set, after| {
                        let only = Word512::of_sets(|one| one == after % SETS as u32);
                        let back = before(&whole, after >> DIMENSIONS, only);
                        assert_eq!(back, [outer << DIMENSIONS | set]);
                        moved.add(set);
                    });
                    let mut legal = Word512::NONE;
                    if let Some(group) = whole.group_before(outer) {
                        let buffer = &mut GroupBuffer::default();
                        whole.transform_group(
                            group,
                            Word512::NONE,
                            |_| Word512::ALL,
                            buffer,
                            |is_set, able| {
                                if is_set == outer {
                                    legal = able;
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
