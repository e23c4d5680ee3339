//! Rows of weights that learn, each by steps of its own.

use crate::games::hunt::network::{HIDDEN, MOST};
use crate::random::Random;

/// Rows of so many weights, and for each of them the sum of the squares of its gradients.
#[derive(Clone, Debug)]
pub struct Layer<const WIDTH: usize = HIDDEN> {
    pub rows: Vec<[f32; WIDTH]>,
    squares: Vec<[f32; WIDTH]>,
}

impl<const WIDTH: usize> Layer<WIDTH> {
    /// Weights by lot around 0, no two farther apart than `spread`.
    pub fn new(count: usize, spread: f32, random: &mut Random) -> Self {
        let mut row = || std::array::from_fn(|_| (random.f32() - 0.5) * spread);
        Self::of((0..count).map(|_| row()).collect())
    }

    /// These weights.
    pub fn of(rows: Vec<[f32; WIDTH]>) -> Self {
        let squares = vec![[1e-6; WIDTH]; rows.len()];
        Self { rows, squares }
    }

    /// The weights that were rounded to these whole numbers, so many to one.
    pub fn of_whole<T: Copy + Into<f32>>(rows: &[[T; WIDTH]], one: f32) -> Self {
        let weights = |row: &[T; WIDTH]| row.map(|number| number.into() / one);
        Self::of(rows.iter().map(weights).collect())
    }

    /// The weights in whole numbers, so many to one.
    pub fn rounded(&self, one: f32) -> Vec<[i16; WIDTH]> {
        let most = f32::from(MOST);
        let whole = |weight: f32| (weight * one).round().clamp(-most, most) as i16;
        self.rows.iter().map(|row| row.map(whole)).collect()
    }

    #[inline(always)]
    pub fn add_to(&self, row: usize, units: &mut [f32; WIDTH]) {
        for (unit, weight) in units.iter_mut().zip(&self.rows[row]) {
            *unit += weight;
        }
    }

    /// Goes a step down the gradient of a row.
    #[inline(always)]
    pub fn learn(&mut self, row: usize, gradient: &[f32; WIDTH], rate: f32) {
        let rows = self.rows[row].iter_mut().zip(&mut self.squares[row]);
        for ((weight, square), gradient) in rows.zip(gradient) {
            *square += gradient * gradient;
            *weight -= rate * gradient / square.sqrt();
        }
    }
}
