//! A matrix of weights in training. Adagrad gives each weight its own step size: the learning rate divided by the
//! root of the sum of the weight's squared gradients so far.

use crate::games::hunt::network::weights::MAX_WEIGHT;
use crate::random::Random;

/// Rows of `WIDTH` weights, and for each weight the sum of its squared gradients.
#[derive(Clone, Debug)]
pub(crate) struct Layer<const WIDTH: usize> {
    pub(crate) rows: Vec<[f32; WIDTH]>,
    squared_gradients: Vec<[f32; WIDTH]>,
}

impl<const WIDTH: usize> Layer<WIDTH> {
    /// Creates `count` rows of random weights, uniform in an interval of width `spread` around 0.
    pub(crate) fn new(count: usize, spread: f32, random: &mut Random) -> Self {
        let mut row = || std::array::from_fn(|_| (random.f32() - 0.5) * spread);
        Self::with_weights((0..count).map(|_| row()).collect())
    }

    /// Creates a layer with the given weights.
    pub(crate) fn with_weights(rows: Vec<[f32; WIDTH]>) -> Self {
        let squared_gradients = vec![[1e-6; WIDTH]; rows.len()];
        Self {
            rows,
            squared_gradients,
        }
    }

    /// Creates a layer from fixed-point weights, in which the number `one` represents 1.
    pub(crate) fn from_rounded<T: Copy + Into<f32>>(rows: &[[T; WIDTH]], one: f32) -> Self {
        let weights = |row: &[T; WIDTH]| row.map(|number| number.into() / one);
        Self::with_weights(rows.iter().map(weights).collect())
    }

    /// Returns the weights in fixed point, in which the number `one` represents 1.
    pub(crate) fn rounded(&self, one: f32) -> Vec<[i16; WIDTH]> {
        let max = f32::from(MAX_WEIGHT);
        let round = |weight: f32| (weight * one).round().clamp(-max, max) as i16;
        self.rows.iter().map(|row| row.map(round)).collect()
    }

    /// Adds a row of weights to `units`.
    #[inline(always)]
    pub(crate) fn add_to(&self, row: usize, units: &mut [f32; WIDTH]) {
        for (unit, weight) in units.iter_mut().zip(&self.rows[row]) {
            *unit += weight;
        }
    }

    /// Subtracts a row of weights from `units`.
    #[inline(always)]
    pub(crate) fn subtract_from(&self, row: usize, units: &mut [f32; WIDTH]) {
        for (unit, weight) in units.iter_mut().zip(&self.rows[row]) {
            *unit -= weight;
        }
    }

    /// Takes a gradient step for the weights of one row, with the learning rate `rate`.
    #[inline(always)]
    pub(crate) fn train(&mut self, row: usize, gradient: &[f32; WIDTH], rate: f32) {
        let rows = self.rows[row]
            .iter_mut()
            .zip(&mut self.squared_gradients[row]);
        for ((weight, squared_gradient), gradient) in rows.zip(gradient) {
            *squared_gradient += gradient * gradient;
            *weight -= rate * gradient / squared_gradient.sqrt();
        }
    }

    /// Takes a gradient step as [`Self::train`], for a loss with an added penalty: `sparsity` times the sum of the absolute
    /// values of the row. The step is proximal, so weights that the loss hardly needs become exactly 0 (Duchi, Hazan and
    /// Singer, Adaptive subgradient methods, 2011, section 5).
    #[inline(always)]
    pub(crate) fn train_sparse(
        &mut self,
        row: usize,
        gradient: &[f32; WIDTH],
        rate: f32,
        sparsity: f32,
    ) {
        let rows = self.rows[row]
            .iter_mut()
            .zip(&mut self.squared_gradients[row]);
        for ((weight, squared_gradient), gradient) in rows.zip(gradient) {
            *squared_gradient += gradient * gradient;
            let step = rate / squared_gradient.sqrt();
            let next = *weight - step * gradient;
            *weight = next - next.clamp(-step * sparsity, step * sparsity);
        }
    }
}
