//! Output heads, which compute the value of a position from the sums of the first layer.
//!
//! Each first-layer sum is clipped to 0..1 and squared. The value has three terms: a weighted sum of these squares, a
//! weighted sum of the outputs of a second layer, and a bias. The second layer has 8 units. Each adds a bias to a
//! weighted sum of the squares, clips the result to 0..1 and squares it.
//!
//! All numbers are integers in fixed point. A constant `…_ONE` is the integer that represents 1 in one kind of number.

use std::array::from_fn;

use super::UNIT_ONE;
use crate::processor::inner_product;

/// Number of units of the second layer of a head.
pub(crate) const SECOND_LAYER_UNITS: usize = 8;
/// The integer that stands for 1 in the weights that lead to the value: `direct_weights` and `second_outputs`.
pub(crate) const OUT_ONE: i32 = 64;
/// The integer that stands for 1 in the weights and biases of the second layer.
pub(crate) const SECOND_ONE: i32 = 512;
/// The integer that stands for 1 in the square of a first-layer sum.
const SQUARED_ONE: i32 = UNIT_ONE as i32 * UNIT_ONE as i32;
/// Number of low bits dropped from a second-layer sum before squaring, so that the square fits in 32 bits.
const SECOND_SHIFT: u32 = 13;
/// The integer that stands for 1 in a second-layer sum after the shift by [`SECOND_SHIFT`].
const SHIFTED_ONE: i32 = SQUARED_ONE * SECOND_ONE >> SECOND_SHIFT;
/// Factor between the fixed-point scales of squared second-layer sums and squared first-layer sums.
const SECOND_SCALE: i64 = (SHIFTED_ONE * SHIFTED_ONE / SQUARED_ONE) as i64;

/// The output head of one output bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head<const UNITS: usize> {
    /// Weights from first-layer units to the value.
    pub(crate) direct_weights: [i16; UNITS],
    /// Weights from first-layer units to the second layer.
    pub(crate) second_weights: [[i16; UNITS]; SECOND_LAYER_UNITS],
    /// Biases of the second layer.
    pub(crate) second_biases: [i16; SECOND_LAYER_UNITS],
    /// Weights from the second layer to the value.
    pub(crate) second_outputs: [i16; SECOND_LAYER_UNITS],
    /// Bias of the value, in centipoints.
    pub(crate) bias: i16,
}

impl<const UNITS: usize> Head<UNITS> {
    /// Number of weights of a head.
    pub(crate) const WEIGHT_COUNT: usize = UNITS + SECOND_LAYER_UNITS * (UNITS + 2) + 1;

    /// Returns the value from the goats' view, in hundredths of log-odds, for the first-layer sums `units`.
    #[inline(always)]
    pub(crate) fn evaluate(&self, units: &[i16; UNITS]) -> i32 {
        let squares = units.map(|unit| {
            let clipped = unit.clamp(0, UNIT_ONE);
            clipped * clipped
        });
        let mut sum = i64::from(inner_product(&squares, &self.direct_weights)) * SECOND_SCALE;
        for unit in 0..SECOND_LAYER_UNITS {
            let unit_sum = inner_product(&squares, &self.second_weights[unit])
                + i32::from(self.second_biases[unit]) * SQUARED_ONE;
            let clipped = unit_sum.clamp(0, SQUARED_ONE * SECOND_ONE) >> SECOND_SHIFT;
            sum += i64::from(clipped * clipped) * i64::from(self.second_outputs[unit]);
        }
        let one = i64::from(SQUARED_ONE * OUT_ONE) * SECOND_SCALE;
        (sum * 100 / one) as i32 + i32::from(self.bias)
    }

    /// Returns all weights, in the order of the file.
    pub(crate) fn weights_in_order(&self) -> impl Iterator<Item = &i16> {
        let rows = self
            .direct_weights
            .iter()
            .chain(self.second_weights.iter().flatten());
        let second = self.second_biases.iter().chain(&self.second_outputs);
        rows.chain(second).chain([&self.bias])
    }

    /// Creates a head from the results of `next_weight`, in the order of [`Head::weights_in_order`].
    pub(crate) fn read(mut next_weight: impl FnMut() -> i16) -> Self {
        Self {
            direct_weights: from_fn(|_| next_weight()),
            second_weights: from_fn(|_| from_fn(|_| next_weight())),
            second_biases: from_fn(|_| next_weight()),
            second_outputs: from_fn(|_| next_weight()),
            bias: next_weight(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::network::weights::{MAX_UNITS, MAX_WEIGHT};
    use crate::random::Random;
    use std::ops::RangeInclusive;

    /// Computes [`Head::evaluate`] in 128-bit arithmetic, which cannot overflow with such weights.
    fn evaluate_exactly<const UNITS: usize>(head: &Head<UNITS>, units: &[i16; UNITS]) -> i32 {
        let squared = |unit: usize| i128::from(units[unit].clamp(0, UNIT_ONE)).pow(2);
        let sum = |row: &[i16; UNITS]| -> i128 {
            let counted = |unit| squared(unit) * i128::from(row[unit]);
            (0..UNITS).map(counted).sum()
        };
        let (square, second_one) = (i128::from(SQUARED_ONE), i128::from(SECOND_ONE));
        let mut value = sum(&head.direct_weights) * i128::from(SECOND_SCALE);
        for unit in 0..SECOND_LAYER_UNITS {
            let unit_sum =
                sum(&head.second_weights[unit]) + i128::from(head.second_biases[unit]) * square;
            let clipped = unit_sum.clamp(0, square * second_one) >> SECOND_SHIFT;
            value += clipped * clipped * i128::from(head.second_outputs[unit]);
        }
        let one = square * i128::from(OUT_ONE) * i128::from(SECOND_SCALE);
        (value * 100 / one) as i32 + i32::from(head.bias)
    }

    fn random_weight(random: &mut Random, range: RangeInclusive<i16>) -> i16 {
        let count = (range.end() - range.start()) as u32 + 1;
        range.start() + random.u32(..count) as i16
    }

    fn check_random_heads<const UNITS: usize>() {
        let mut random = Random::new(1);
        let mut values = Vec::new();
        for round in 0..2000 {
            // Overflow is most likely if all weights are large and equal, so in every other head all weights are equal.
            let max = [MAX_WEIGHT, 300, 20][round % 3];
            let min = if round % 2 == 0 { -max } else { max };
            let head = Head::read(|| random_weight(&mut random, min..=max));
            assert!(
                head.weights_in_order()
                    .all(|number| (-MAX_WEIGHT..=MAX_WEIGHT).contains(number))
            );
            // If all units are clipped, the sums are as large as possible.
            let lowest = if round % 4 == 1 { UNIT_ONE } else { -20 };
            let units: [i16; UNITS] =
                from_fn(|_| random_weight(&mut random, lowest..=2 * UNIT_ONE));
            let value = head.evaluate(&units);
            assert_eq!(value, evaluate_exactly(&head, &units));
            values.push(value);
        }
        values.sort_unstable();
        values.dedup();
        assert!(values.len() > 900, "{} values", values.len());
    }

    #[test]
    fn evaluation_of_bounded_weights_does_not_overflow() {
        check_random_heads::<32>();
        check_random_heads::<64>();
        check_random_heads::<MAX_UNITS>();
    }
}
