//! What the units of a network are worth to positions of one kind: each by itself, and together by a second layer of units.

use std::array::from_fn;

use super::{HIDDEN, ONE, Row};

/// Units of the second layer.
pub const SECOND: usize = 8;
/// The number that stands for one in what the layers add to the value.
pub const OUT: i32 = 64;
/// The number that stands for one in what a unit adds to one of the second layer.
pub const FINE: i32 = 512;
/// The square of a unit that holds one.
const SQUARE: i32 = ONE as i32 * ONE as i32;
/// A unit of the second layer has this much finer numbers than are squared.
const SHIFT: u32 = 13;
/// The number that stands for one in what is squared.
const COARSE: i32 = SQUARE * FINE >> SHIFT;
/// How many times finer the numbers of the second layer come out than those of the units.
const FINER: i64 = (COARSE * COARSE / SQUARE) as i64;

/// What the units are worth to one kind. The units' numbers are clipped to 0 and 1 and squared, those of the second layer too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// What each unit counts by itself.
    pub outs: Row,
    /// What the units add to those of the second layer.
    pub seconds: [Row; SECOND],
    /// What those begin with.
    pub thresholds: [i16; SECOND],
    /// What those count.
    pub tops: [i16; SECOND],
    /// What is added in the end, in hundredths.
    pub bias: i16,
}

impl Head {
    /// How many numbers it has.
    pub const NUMBERS: usize = HIDDEN + SECOND * (HIDDEN + 2) + 1;

    /// The value to the goats, in hundredths.
    #[inline(always)]
    pub fn judge(&self, units: &Row) -> i32 {
        let squares = units.map(|unit| {
            let clipped = unit.clamp(0, ONE);
            clipped * clipped
        });
        let mut sum = i64::from(product(&squares, &self.outs)) * FINER;
        for unit in 0..SECOND {
            let held =
                product(&squares, &self.seconds[unit]) + i32::from(self.thresholds[unit]) * SQUARE;
            let clipped = held.clamp(0, SQUARE * FINE) >> SHIFT;
            sum += i64::from(clipped * clipped) * i64::from(self.tops[unit]);
        }
        let one = i64::from(SQUARE * OUT) * FINER;
        (sum * 100 / one) as i32 + i32::from(self.bias)
    }

    /// Its numbers, in the order of a file.
    pub fn numbers(&self) -> impl Iterator<Item = &i16> {
        let rows = self.outs.iter().chain(self.seconds.iter().flatten());
        let rest = self.thresholds.iter().chain(&self.tops);
        rows.chain(rest).chain([&self.bias])
    }

    /// Reads the numbers that [`Head::numbers`] gives.
    pub fn read(mut number: impl FnMut() -> i16) -> Self {
        Self {
            outs: from_fn(|_| number()),
            seconds: from_fn(|_| from_fn(|_| number())),
            thresholds: from_fn(|_| number()),
            tops: from_fn(|_| number()),
            bias: number(),
        }
    }
}

/// The inner product of two rows.
#[inline(always)]
fn product(one: &Row, other: &Row) -> i32 {
    let pairs = one.iter().zip(other);
    pairs
        .map(|(&one, &other)| i32::from(one) * i32::from(other))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::network::MOST;
    use crate::random::Random;
    use std::ops::RangeInclusive;

    /// The same in numbers that have no end.
    fn plainly(head: &Head, units: &Row) -> i32 {
        let squared = |unit: usize| i128::from(units[unit].clamp(0, ONE)).pow(2);
        let sum = |row: &Row| -> i128 {
            let counted = |unit| squared(unit) * i128::from(row[unit]);
            (0..HIDDEN).map(counted).sum()
        };
        let (square, fine) = (i128::from(SQUARE), i128::from(FINE));
        let mut value = sum(&head.outs) * i128::from(FINER);
        for unit in 0..SECOND {
            let reached = sum(&head.seconds[unit]) + i128::from(head.thresholds[unit]) * square;
            let clipped = reached.clamp(0, square * fine) >> SHIFT;
            value += clipped * clipped * i128::from(head.tops[unit]);
        }
        let one = square * i128::from(OUT) * i128::from(FINER);
        (value * 100 / one) as i32 + i32::from(head.bias)
    }

    fn drawn(random: &mut Random, range: RangeInclusive<i16>) -> i16 {
        let count = (range.end() - range.start()) as u32 + 1;
        range.start() + random.u32(..count) as i16
    }

    #[test]
    fn no_sum_of_allowed_numbers_leaves_its_type() {
        let mut random = Random::new(1);
        let mut seen = Vec::new();
        for round in 0..2000 {
            // Large numbers, and all of one sign, come often.
            let most = [MOST, 300, 20][round % 3];
            let least = if round % 2 == 0 { -most } else { most };
            let head = Head::read(|| drawn(&mut random, least..=most));
            assert!(head.numbers().all(|number| (-MOST..=MOST).contains(number)));
            let units = from_fn(|_| drawn(&mut random, -20..=2 * ONE));
            let value = head.judge(&units);
            assert_eq!(value, plainly(&head, &units));
            seen.push(value);
        }
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.len() > 900, "{} values", seen.len());
    }
}
