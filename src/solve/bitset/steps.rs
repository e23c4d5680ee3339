//! Goat steps backwards for a whole cube of goat sets. Unlike tiger moves, they stay inside the cube.

use super::rank::Ranking;
use super::word512::{DIMENSIONS, Word512};
use crate::games::hunt::points_of;

/// The goat steps for one tiger set: the pairs of adjacent points free of tigers.
#[derive(Clone, Debug)]
pub(crate) struct GoatSteps {
    /// Steps with both digits inside a word; with one inside and one outside; with both outside.
    inside: Vec<(u32, u32)>,
    across: Vec<(u32, u32)>,
    outside: Vec<u32>,
    one_way: OneWay,
    /// `true` if goats that cannot step pass.
    stuck_pass: bool,
}

/// Steps without a reverse step.
#[derive(Clone, Debug, Default)]
struct OneWay {
    /// From a digit inside a word to another.
    inside: Vec<(u32, u32)>,
    /// From a digit inside to one outside, and vice versa. The inner dimension comes first.
    leaving: Vec<(u32, u32)>,
    entering: Vec<(u32, u32)>,
    /// From a digit outside to another.
    outside: Vec<(u32, u32)>,
}

impl GoatSteps {
    /// Creates the steps for cubes of single bits in blocks of 512 sets.
    pub(crate) fn new(ranking: &Ranking, set: usize) -> Self {
        let (board, set) = (ranking.board, &ranking.sets[set]);
        let mut steps = Self {
            inside: Vec::new(),
            across: Vec::new(),
            outside: Vec::new(),
            one_way: OneWay::default(),
            stuck_pass: board.stuck_goats_pass,
        };
        for point in 0..board.points {
            for neighbor in points_of(board.goat_steps[point]) {
                let (Some(from), Some(to)) = (set.dimension(point), set.dimension(neighbor)) else {
                    continue;
                };
                let is_two_way = board.goat_steps[neighbor] >> point & 1 == 1;
                if !is_two_way {
                    steps.one_way.add(from, to);
                } else if from < to {
                    steps.add(from, to);
                }
            }
        }
        steps
    }

    fn add(&mut self, low: u32, high: u32) {
        if high < DIMENSIONS {
            self.inside.push((low, high));
        } else if low < DIMENSIONS {
            self.across.push((low, outer_digit(high)));
        } else {
            self.outside.push(outer_digit(low) | outer_digit(high));
        }
    }

    /// Returns the sets of block `outer` from which a step leads to a set in `fetch`, which returns blocks by outer
    /// digits.
    #[inline(always)]
    pub(crate) fn predecessors(&self, outer: u32, fetch: impl Fn(u32) -> Word512) -> Word512 {
        let found = self.predecessors_by_step(outer, &fetch);
        if self.stuck_pass {
            return found | fetch(outer) & self.stuck(outer);
        }
        found
    }

    #[inline(always)]
    fn predecessors_by_step(&self, outer: u32, fetch: impl Fn(u32) -> Word512) -> Word512 {
        let mut found = Word512::NONE;
        for &pair in &self.outside {
            if (outer & pair).is_power_of_two() {
                found = found | fetch(outer ^ pair);
            }
        }
        for &(d, digit) in &self.across {
            let moved = fetch(outer ^ digit).flip(d);
            let zero = Word512::zero_digit(d);
            found = found | (moved & if outer & digit == 0 { !zero } else { zero });
        }
        let one_way = &self.one_way;
        for &(from, to) in &one_way.outside {
            if outer & (from | to) == from {
                found = found | fetch(outer ^ (from | to));
            }
        }
        for &(d, digit) in &one_way.leaving {
            if outer & digit == 0 {
                found = found | (fetch(outer | digit).flip(d) & !Word512::zero_digit(d));
            }
        }
        for &(d, digit) in &one_way.entering {
            if outer & digit != 0 {
                found = found | (fetch(outer ^ digit).flip(d) & Word512::zero_digit(d));
            }
        }
        found | self.predecessors_inside(fetch(outer))
    }

    /// Returns the members of `sets` in block `outer` from which no step leads to a set in `fetch`. Stops early if
    /// none remains.
    #[inline(always)]
    pub(crate) fn without_step_to(
        &self,
        outer: u32,
        sets: Word512,
        fetch: impl Fn(u32) -> Word512,
    ) -> Word512 {
        let own_block = fetch(outer);
        let mut left = sets & !self.predecessors_inside(own_block);
        for &(d, digit) in &self.across {
            if left.is_none() {
                return left;
            }
            let moved = fetch(outer ^ digit).flip(d);
            let zero = Word512::zero_digit(d);
            left = left & !(moved & if outer & digit == 0 { !zero } else { zero });
        }
        for &pair in &self.outside {
            if (outer & pair).is_power_of_two() {
                if left.is_none() {
                    return left;
                }
                left = left & !fetch(outer ^ pair);
            }
        }
        if left.is_none() || !self.has_other_moves() {
            return left;
        }
        left & !self.predecessors(outer, fetch)
    }

    /// Returns `true` if there are moves other than reversible steps.
    fn has_other_moves(&self) -> bool {
        let OneWay {
            inside,
            leaving,
            entering,
            outside,
        } = &self.one_way;
        let has_no_one_way =
            inside.is_empty() && leaving.is_empty() && entering.is_empty() && outside.is_empty();
        self.stuck_pass || !has_no_one_way
    }

    /// Returns the sets of a block from which no step is possible.
    #[inline(always)]
    fn stuck(&self, outer: u32) -> Word512 {
        !self.predecessors_by_step(
            outer,
            #[inline(always)]
            |_| Word512::ALL,
        )
    }

    /// Calls `found` with every block that a step from `sets` in block `outer` leads back to. The inverse view of
    /// [`Self::predecessors`].
    #[inline(always)]
    pub(crate) fn for_each_predecessor(
        &self,
        outer: u32,
        sets: Word512,
        mut found: impl FnMut(u32, Word512),
    ) {
        for &pair in &self.outside {
            if (outer & pair).is_power_of_two() {
                found(outer ^ pair, sets);
            }
        }
        for &(d, digit) in &self.across {
            let zero = Word512::zero_digit(d);
            let movable = sets & if outer & digit == 0 { !zero } else { zero };
            found(outer ^ digit, movable.flip(d));
        }
        let one_way = &self.one_way;
        for &(from, to) in &one_way.outside {
            if outer & (from | to) == to {
                found(outer ^ (from | to), sets);
            }
        }
        for &(d, digit) in &one_way.leaving {
            if outer & digit != 0 {
                found(outer ^ digit, (sets & Word512::zero_digit(d)).flip(d));
            }
        }
        for &(d, digit) in &one_way.entering {
            if outer & digit == 0 {
                found(outer | digit, (sets & !Word512::zero_digit(d)).flip(d));
            }
        }
        let mut own_block = self.predecessors_inside(sets);
        if self.stuck_pass {
            own_block = own_block | sets & self.stuck(outer);
        }
        found(outer, own_block);
    }

    #[inline(always)]
    fn predecessors_inside(&self, sets: Word512) -> Word512 {
        let mut found = Word512::NONE;
        for &(d, e) in &self.inside {
            let unequal = Word512::zero_digit(d) ^ Word512::zero_digit(e);
            found = found | (sets.flip(d).flip(e) & unequal);
        }
        for &(from, to) in &self.one_way.inside {
            let movable = !Word512::zero_digit(from) & Word512::zero_digit(to);
            found = found | (sets.flip(from).flip(to) & movable);
        }
        found
    }
}

impl OneWay {
    fn add(&mut self, from: u32, to: u32) {
        match (from < DIMENSIONS, to < DIMENSIONS) {
            (true, true) => self.inside.push((from, to)),
            (true, false) => self.leaving.push((from, outer_digit(to))),
            (false, true) => self.entering.push((to, outer_digit(from))),
            (false, false) => self.outside.push((outer_digit(from), outer_digit(to))),
        }
    }
}

/// Returns the digit of a dimension outside a word, among the outer digits.
fn outer_digit(dimension: u32) -> u32 {
    1 << (dimension - DIMENSIONS)
}
