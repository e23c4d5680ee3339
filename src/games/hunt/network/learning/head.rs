//! Training of an output head. See [`head::Head`] for the finished head and its computation.

use std::array::from_fn;

use super::layer::Layer;
use crate::games::hunt::network::head::{self, OUT_ONE, SECOND_LAYER_UNITS, SECOND_ONE};
use crate::random::Random;

/// Factor of all terms of the value except the bias. It scales the trained weights so that the same learning rate
/// suits all weights.
const OUTPUT_SCALE: f32 = 4.0;
/// The stored number for a trained weight of 1 in the last layer.
const LEARNED_OUT_ONE: f32 = OUTPUT_SCALE * OUT_ONE as f32;
/// The stored number for a trained bias of 1. Stored biases are hundredths.
const BIAS_ONE: f32 = 100.0;
/// Learning rate of the head's weights, relative to that of the first layer's weights.
const HEAD_RATE_FACTOR: f32 = 4.0;
/// Number of independent partial sums in an inner product, for vector instructions.
const LANES: usize = 16;

/// One number for each unit of the second layer.
type SecondLayerRow = [f32; SECOND_LAYER_UNITS];

/// The weights of a [`head::Head`] in training.
#[derive(Clone, Debug)]
pub(crate) struct Head<const UNITS: usize> {
    direct_weights: Layer<UNITS>,
    second_weights: Layer<UNITS>,
    second_biases: Layer<SECOND_LAYER_UNITS>,
    second_outputs: Layer<SECOND_LAYER_UNITS>,
    bias: Layer<1>,
}

/// The intermediate results of a head for one position, for its gradients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Activations<const UNITS: usize> {
    /// Sums of the first layer.
    units: [f32; UNITS],
    /// Sums of the first layer, clipped and squared.
    squares: [f32; UNITS],
    /// Sums of the second layer.
    second_units: SecondLayerRow,
    /// Log-odds of a win of the goats.
    value: f32,
}

impl<const UNITS: usize> Activations<UNITS> {
    /// Returns the predicted probability of a win of the goats.
    #[inline(always)]
    pub(crate) fn probability(&self) -> f32 {
        1.0 / (1.0 + (-self.value).exp())
    }
}

impl<const UNITS: usize> Head<UNITS> {
    /// Creates a head with random weights.
    pub(crate) fn new(random: &mut Random) -> Self {
        Self {
            direct_weights: Layer::new(1, 0.3, random),
            second_weights: Layer::new(SECOND_LAYER_UNITS, 0.3, random),
            second_biases: Layer::with_weights(vec![[0.5; SECOND_LAYER_UNITS]]),
            second_outputs: Layer::new(1, 0.6, random),
            bias: Layer::with_weights(vec![[0.0]]),
        }
    }

    /// Creates a head in training from a finished head.
    pub(crate) fn from_finished(head: &head::Head<UNITS>) -> Self {
        Self {
            direct_weights: Layer::from_rounded(&[head.direct_weights], LEARNED_OUT_ONE),
            second_weights: Layer::from_rounded(&head.second_weights, SECOND_ONE as f32),
            second_biases: Layer::from_rounded(&[head.second_biases], SECOND_ONE as f32),
            second_outputs: Layer::from_rounded(&[head.second_outputs], LEARNED_OUT_ONE),
            bias: Layer::from_rounded(&[[head.bias]], BIAS_ONE),
        }
    }

    /// Computes the activations for the first-layer sums `units`.
    #[inline(always)]
    pub(crate) fn forward(&self, units: &[f32; UNITS]) -> Activations<UNITS> {
        let squares = units.map(activation);
        let second = |unit: usize| {
            self.second_biases.rows[0][unit]
                + inner_product(&squares, &self.second_weights.rows[unit])
        };
        let second_units = from_fn(second);
        let mut sum = inner_product(&squares, &self.direct_weights.rows[0]);
        for (second, weight) in second_units.iter().zip(&self.second_outputs.rows[0]) {
            sum += activation(*second) * weight;
        }
        Activations {
            units: *units,
            squares,
            second_units,
            value: OUTPUT_SCALE * sum + self.bias.rows[0][0],
        }
    }

    /// Takes a gradient step. `rate` is the learning rate of the first layer, and `error` is the predicted minus the
    /// target probability. Returns the gradient of the loss with respect to the first-layer sums.
    #[inline(always)]
    pub(crate) fn train(
        &mut self,
        activations: &Activations<UNITS>,
        error: f32,
        rate: f32,
    ) -> [f32; UNITS] {
        let rate = HEAD_RATE_FACTOR * rate;
        let value_gradient = OUTPUT_SCALE * error;
        let second_gradients: SecondLayerRow = from_fn(|unit| {
            value_gradient
                * activation_slope(activations.second_units[unit])
                * self.second_outputs.rows[0][unit]
        });
        let mut square_gradients = self.direct_weights.rows[0].map(|out| value_gradient * out);
        for (unit, &second_gradient) in second_gradients.iter().enumerate() {
            // The gradient of a clipped unit is 0 and changes nothing.
            if second_gradient != 0.0 {
                for (square_gradient, weight) in square_gradients
                    .iter_mut()
                    .zip(&self.second_weights.rows[unit])
                {
                    *square_gradient += second_gradient * weight;
                }
                self.second_weights.train(
                    unit,
                    &activations.squares.map(|square| second_gradient * square),
                    rate,
                );
            }
        }
        self.direct_weights.train(
            0,
            &activations.squares.map(|square| value_gradient * square),
            rate,
        );
        self.second_outputs.train(
            0,
            &activations
                .second_units
                .map(|second| value_gradient * activation(second)),
            rate,
        );
        self.second_biases.train(0, &second_gradients, rate);
        self.bias.train(0, &[error], rate);
        from_fn(|unit| square_gradients[unit] * activation_slope(activations.units[unit]))
    }

    /// Returns the finished head, with all weights rounded to integers.
    pub(crate) fn rounded(&self) -> head::Head<UNITS> {
        let second_weights = self.second_weights.rounded(SECOND_ONE as f32);
        head::Head {
            direct_weights: self.direct_weights.rounded(LEARNED_OUT_ONE)[0],
            second_weights: from_fn(|unit| second_weights[unit]),
            second_biases: self.second_biases.rounded(SECOND_ONE as f32)[0],
            second_outputs: self.second_outputs.rounded(LEARNED_OUT_ONE)[0],
            bias: self.bias.rounded(BIAS_ONE)[0][0],
        }
    }
}

/// Returns `sum`, the sum of a unit, clipped to 0..1 and squared.
#[inline(always)]
fn activation(sum: f32) -> f32 {
    let clipped = sum.clamp(0.0, 1.0);
    clipped * clipped
}

/// Returns the derivative of [`activation`] at `sum`.
#[inline(always)]
fn activation_slope(sum: f32) -> f32 {
    if sum < 1.0 { 2.0 * sum.max(0.0) } else { 0.0 }
}

/// Returns the inner product of two rows.
#[inline(always)]
fn inner_product<const UNITS: usize>(one: &[f32; UNITS], other: &[f32; UNITS]) -> f32 {
    let mut sums = [0.0; LANES];
    for (one, other) in one.chunks_exact(LANES).zip(other.chunks_exact(LANES)) {
        for (sum, (one, other)) in sums.iter_mut().zip(one.iter().zip(other)) {
            *sum += one * other;
        }
    }
    sums.iter().sum()
}
