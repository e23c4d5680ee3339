//! Goat steps for a whole cube of goat sets: finds the positions from which a step leads to given positions.
//!
//! A goat's step leaves the tiger set unchanged, so it stays in one cube. It changes two digits of the goat set's
//! index: the vacated point's digit from 1 to 0, and the entered point's digit from 0 to 1. In some games, goats
//! without a legal step pass, which changes nothing.

use super::rank::Ranking;
use super::word512::{DIMENSIONS, Word512};
use crate::games::hunt::points_of;

/// The goat steps for one tiger set, between points free of tigers.
///
/// The first three lists contain pairs of points. Goats step between the two points in both directions.
#[derive(Clone, Debug)]
pub(crate) struct GoatSteps {
    /// Pairs of two inner digits. Both are numbers.
    inside: Vec<(u32, u32)>,
    /// Pairs of an inner digit, as a number, and an outer digit, as a mask.
    across: Vec<(u32, u32)>,
    /// Pairs of two outer digits, as a mask of both.
    outside: Vec<u32>,
    one_way: OneWay,
    /// `true` if goats that have no legal step pass.
    stuck_pass: bool,
}

/// The steps in one direction only. Inner digits are numbers, outer digits are masks.
#[derive(Clone, Debug, Default)]
struct OneWay {
    /// From an inner digit to an inner digit.
    inside: Vec<(u32, u32)>,
    /// From an inner digit to an outer digit.
    leaving: Vec<(u32, u32)>,
    /// From an outer digit to an inner digit. The inner digit comes first.
    entering: Vec<(u32, u32)>,
    /// From an outer digit to an outer digit.
    outside: Vec<(u32, u32)>,
}

impl GoatSteps {
    /// Creates the steps for the tiger set with index `set`, for cubes with one bit per goat set.
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

    /// Adds a pair of points between which goats step in both directions, by the numbers of their digits.
    fn add(&mut self, low: u32, high: u32) {
        if high < DIMENSIONS {
            self.inside.push((low, high));
        } else if low < DIMENSIONS {
            self.across.push((low, outer_digit(high)));
        } else {
            self.outside.push(outer_digit(low) | outer_digit(high));
        }
    }

    /// Returns the goat sets of block `outer` from which a step or a pass leads to a target. `fetch(outer)` returns
    /// the target goat sets in block `outer`.
    #[inline(always)]
    pub(crate) fn predecessors(&self, outer: u32, fetch: impl Fn(u32) -> Word512) -> Word512 {
        let found = self.predecessors_by_step(outer, &fetch);
        if self.stuck_pass {
            return found | fetch(outer) & self.stuck(outer);
        }
        found
    }

    /// Like [`Self::predecessors`], but ignores passes.
    #[inline(always)]
    fn predecessors_by_step(&self, outer: u32, fetch: impl Fn(u32) -> Word512) -> Word512 {
        let mut found = Word512::NONE;
        for &pair in &self.outside {
            // Exactly one of the two points has a goat.
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

    /// Returns the goat sets among `sets`, in block `outer`, from which neither a step nor a pass leads to a target.
    /// `fetch(outer)` returns the targets in block `outer`. Stops early when no goat set is left.
    #[inline(always)]
    pub(crate) fn without_step_to(
        &self,
        outer: u32,
        sets: Word512,
        fetch: impl Fn(u32) -> Word512,
    ) -> Word512 {
        let own_block = fetch(outer);
        let mut remaining = sets & !self.predecessors_inside(own_block);
        for &(d, digit) in &self.across {
            if remaining.is_none() {
                return remaining;
            }
            let moved = fetch(outer ^ digit).flip(d);
            let zero = Word512::zero_digit(d);
            remaining = remaining & !(moved & if outer & digit == 0 { !zero } else { zero });
        }
        for &pair in &self.outside {
            if (outer & pair).is_power_of_two() {
                if remaining.is_none() {
                    return remaining;
                }
                remaining = remaining & !fetch(outer ^ pair);
            }
        }
        if remaining.is_none() || !self.has_other_moves() {
            return remaining;
        }
        // `predecessors` repeats the steps of the loops above, but few games need it.
        remaining & !self.predecessors(outer, fetch)
    }

    /// Returns `true` if there are moves other than steps in both directions: one-way steps, or passes.
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

    /// Returns the goat sets of block `outer` from which no step is legal.
    #[inline(always)]
    fn stuck(&self, outer: u32) -> Word512 {
        !self.predecessors_by_step(
            outer,
            #[inline(always)]
            |_| Word512::ALL,
        )
    }

    /// Finds the goat sets from which a step or a pass leads to one of `sets` in block `outer`. Calls `found` with a
    /// block's number and goat sets of this block, possibly several times for a block.
    ///
    /// Unlike [`Self::predecessors`], starts from the targets, which is faster if few blocks contain targets.
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

    /// Returns the goat sets from which a step between two inner digits leads to one of `sets` in the same block.
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
    /// Adds a step, by the numbers of the digits.
    fn add(&mut self, from: u32, to: u32) {
        match (from < DIMENSIONS, to < DIMENSIONS) {
            (true, true) => self.inside.push((from, to)),
            (true, false) => self.leaving.push((from, outer_digit(to))),
            (false, true) => self.entering.push((to, outer_digit(from))),
            (false, false) => self.outside.push((outer_digit(from), outer_digit(to))),
        }
    }
}

/// Returns the digit with number `dimension` as a mask of outer digits.
fn outer_digit(dimension: u32) -> u32 {
    1 << (dimension - DIMENSIONS)
}
