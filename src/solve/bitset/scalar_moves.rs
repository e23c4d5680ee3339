//! Tiger moves for one goat set at a time. For words with few sets this is faster than
//! [`cube_permutation`](super::cube_permutation),
//! against which it is tested.

use super::bit_set::for_each_bit;
use super::tiger_moves::TigerStep;
use super::word512::{DIMENSIONS, Word512};

/// Sets of a word.
const SETS: usize = 1 << DIMENSIONS;
/// Digits per table lookup: a word's digits take two lookups.
const LOW: u32 = 5;

/// A tiger's move for single goat sets.
#[derive(Clone, Debug)]
pub struct ScalarMove {
    /// Digit permutations: from after the move to before it, and vice versa.
    back: Digits,
    forth: Digits,
    /// Digits before the move: of the entered point, and of the captured goat.
    entered: u32,
    captured: u32,
    /// `reachable`: sets of a word after the move that it can produce. `legal`: sets of a word before the move in
    /// which it is legal. Both
    /// consider only digits inside the word.
    led_to: Word512,
    possible: Word512,
}

/// A permutation of digits.
#[derive(Clone, Debug)]
struct Digits {
    /// By the lower digits of a word, and by its upper ones.
    low: [u32; 1 << LOW],
    high: [u32; 1 << (DIMENSIONS - LOW)],
    /// By the digits outside a word, [`LOW`] at a time.
    outside: Vec<[u32; 1 << LOW]>,
}

impl ScalarMove {
    /// Returns the approximate size of a move in bytes, for cubes of `dimensions` dimensions.
    pub fn memory(dimensions: u32) -> u64 {
        let outside = (dimensions - DIMENSIONS).div_ceil(LOW) as usize;
        (size_of::<Self>() + 2 * outside * size_of::<[u32; 1 << LOW]>()) as u64
    }
}

impl Digits {
    /// Creates the permutation that moves digit `d` to `to[d]`.
    fn new(to: &[u32]) -> Self {
        let place = |from: u32, digits: u32| {
            let there = |&digit: &u32| digits >> digit & 1 == 1;
            let places = (0..to.len() as u32 - from).filter(there);
            places.fold(0, |number, digit| number | 1 << to[(from + digit) as usize])
        };
        let outside = (DIMENSIONS..to.len() as u32).step_by(LOW as usize);
        Self {
            low: std::array::from_fn(|digits| place(0, digits as u32)),
            high: std::array::from_fn(|digits| place(LOW, digits as u32)),
            outside: outside
                .map(|from| std::array::from_fn(|digits| place(from, digits as u32)))
                .collect(),
        }
    }

    /// Returns the image of the digits outside a word.
    #[inline(always)]
    fn of_outer(&self, outer: u32) -> u32 {
        let (mut number, mut left) = (0, outer as usize);
        for digits in &self.outside {
            number |= digits[left % (1 << LOW)];
            left >>= LOW;
        }
        number
    }

    /// Returns the image of the digits inside a word.
    #[inline(always)]
    fn of_inner(&self, set: u32) -> u32 {
        let set = set as usize % SETS;
        self.low[set % (1 << LOW)] | self.high[set >> LOW]
    }
}

impl ScalarMove {
    /// Creates the move for cubes of single bits.
    pub fn new(lead: &TigerStep) -> Self {
        let mut back = vec![0; lead.digits.len()];
        for (before, &after) in (0..).zip(&lead.digits) {
            back[after as usize] = before;
        }
        let (back, forth) = (Digits::new(&back), Digits::new(&lead.digits));
        let (entered, captured) = (lead.entered, lead.captured);
        let inner = captured % SETS as u32;
        let led_to = Word512::of_sets(|set| back.of_inner(set) & (entered | captured) == 0);
        let possible = Word512::of_sets(|set| set & (entered | captured) % SETS as u32 == inner);
        Self {
            back,
            forth,
            entered,
            captured,
            led_to,
            possible,
        }
    }

    /// Calls `found` with every goat set from which the move leads to a set of `word`.
    #[inline(always)]
    pub fn find_before(&self, outer: u32, word: Word512, mut found: impl FnMut(u32)) {
        let others = self.back.of_outer(outer);
        if others & (self.entered | self.captured) != 0 {
            return;
        }
        let others = others | self.captured;
        for_each(
            word & self.led_to,
            #[inline(always)]
            |set| found(others | self.back.of_inner(set)),
        );
    }

    /// Calls `found` with every set of `word` in which the move is legal, by its digits inside the word, and the set
    /// after the move.
    #[inline(always)]
    pub fn find_after(&self, outer: u32, word: Word512, mut found: impl FnMut(u32, u32)) {
        let fixed = (self.entered | self.captured) >> DIMENSIONS;
        if outer & fixed != self.captured >> DIMENSIONS {
            return;
        }
        let others = self.forth.of_outer(outer & !(self.captured >> DIMENSIONS));
        let left = !self.captured;
        for_each(
            word & self.possible,
            #[inline(always)]
            |set| found(set, others | self.forth.of_inner(set & left)),
        );
    }
}

/// Calls `visit` with every set of a word.
#[inline(always)]
fn for_each(word: Word512, mut tell: impl FnMut(u32)) {
    for (lane, sets) in (0_u32..).zip(word.0) {
        for_each_bit(
            sets,
            #[inline(always)]
            |bit| tell(lane * u64::BITS + bit),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};
    use crate::random::Random;
    use crate::solve::bitset::cube_permutation::{CubeMove, Turned};
    use crate::solve::bitset::rank::Ranking;

    fn sets(outer: u32, word: Word512) -> impl Iterator<Item = u32> {
        let all = (0..SETS as u32).filter(move |&set| word.holds(set));
        all.map(move |set| outer << DIMENSIONS | set)
    }

    /// Returns the sets, found by transforming whole words, from which the move leads to a set of `word`.
    fn before(tiger_move: &CubeMove, outer: u32, word: Word512) -> Vec<u32> {
        let mut found = Vec::new();
        let Some(group) = tiger_move.group_after(outer) else {
            return found;
        };
        let fetch = |there| if there == outer { word } else { Word512::NONE };
        let turned = &mut Turned::default();
        tiger_move.find(group, Word512::NONE, fetch, turned, |outer, word| {
            found.extend(sets(outer, word));
        });
        found.sort_unstable();
        found
    }

    #[test]
    fn single_sets_move_as_whole_words_do() {
        let mut random = Random::new(1);
        for board in [&*AADU_PULI, &*BAGH_CHAL] {
            let ranking = Ranking::new(board);
            for set in (0..ranking.sets.len()).step_by(29) {
                for lead in TigerStep::all(&ranking, set) {
                    let (whole, scalar_moves) =
                        (CubeMove::new(&lead, DIMENSIONS), ScalarMove::new(&lead));
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
                    let mut possible = Word512::NONE;
                    if let Some(group) = whole.group_before(outer) {
                        let turned = &mut Turned::default();
                        whole.find(
                            group,
                            Word512::NONE,
                            |_| Word512::ALL,
                            turned,
                            |there, able| {
                                if there == outer {
                                    possible = able;
                                }
                            },
                        );
                    }
                    assert_eq!(moved, word & possible);
                }
            }
        }
    }
}
