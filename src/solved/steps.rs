//! The goats' steps backwards, for a whole cube of goat sets at once: unlike a tiger's move they stay inside the cube.

use super::rank::Ranking;
use super::word::{DIMENSIONS, Word};
use crate::games::hunt::points_of;

/// The steps of the goats for one set of tigers: the pairs of neighbouring points free of tigers.
#[derive(Clone, Debug)]
pub struct GoatSteps {
    /// Both digits inside a word, one inside and one outside, both outside.
    inside: Vec<(u32, u32)>,
    across: Vec<(u32, u32)>,
    outside: Vec<u32>,
}

impl GoatSteps {
    /// The steps for cubes of single bits, in blocks of 512 sets.
    pub fn new(ranking: &Ranking, set: usize) -> Self {
        let set = &ranking.sets[set];
        let mut steps = Self {
            inside: Vec::new(),
            across: Vec::new(),
            outside: Vec::new(),
        };
        for point in 0..ranking.board.points {
            for neighbour in points_of(ranking.board.steps[point]).filter(|&n| n > point) {
                let (Some(d), Some(e)) = (set.dimension(point), set.dimension(neighbour)) else {
                    continue;
                };
                let (d, e) = (d.min(e), d.max(e));
                if e < DIMENSIONS {
                    steps.inside.push((d, e));
                } else if d < DIMENSIONS {
                    steps.across.push((d, 1 << (e - DIMENSIONS)));
                } else {
                    steps
                        .outside
                        .push(1 << (d - DIMENSIONS) | 1 << (e - DIMENSIONS));
                }
            }
        }
        steps
    }

    /// The sets of the block `outer` from which a step leads to one of those that `fetch` gives by outer digits.
    #[inline(always)]
    pub fn before(&self, outer: u32, fetch: impl Fn(u32) -> Word) -> Word {
        let mut found = Word::NONE;
        for &pair in &self.outside {
            if (outer & pair).is_power_of_two() {
                found = found | fetch(outer ^ pair);
            }
        }
        for &(d, digit) in &self.across {
            let moved = fetch(outer ^ digit).flip(d);
            let zero = Word::zero_digit(d);
            found = found | (moved & if outer & digit == 0 { !zero } else { zero });
        }
        found | self.before_inside(fetch(outer))
    }

    /// The same, handed to `found` for every block that a step of the block's own sets leads back to.
    #[inline(always)]
    pub fn spread(&self, outer: u32, sets: Word, mut found: impl FnMut(u32, Word)) {
        for &pair in &self.outside {
            if (outer & pair).is_power_of_two() {
                found(outer ^ pair, sets);
            }
        }
        for &(d, digit) in &self.across {
            let zero = Word::zero_digit(d);
            let able = sets & if outer & digit == 0 { !zero } else { zero };
            found(outer ^ digit, able.flip(d));
        }
        found(outer, self.before_inside(sets));
    }

    #[inline(always)]
    fn before_inside(&self, sets: Word) -> Word {
        let mut found = Word::NONE;
        for &(d, e) in &self.inside {
            let unequal = Word::zero_digit(d) ^ Word::zero_digit(e);
            found = found | (sets.flip(d).flip(e) & unequal);
        }
        found
    }
}
