//! Temporal-coherence learning: weights that several threads improve at once, each at a rate of its own.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::tuples::{LOOKUPS, Shape};
use crate::error::Refusal;
use crate::games::twenty48::board::Board;
use crate::value::Value;

/// A network that learns.
///
/// Temporal-difference learning of afterstates (Szubert and Jaśkowski, 2014) in which every weight's rate is the
/// coherence of the errors it has seen, |sum| / sum of magnitudes: all in one direction, it still has far to go; in
/// both, it is noise (Beal and Smith, 1999; for 2048 Jaśkowski, 2018).
///
/// Threads share it without a lock. Each weight is read and written whole, but what another thread added in between is
/// lost: with millions of weights that is rare, and learning averages over far greater noise (Recht et al., 2011).
#[derive(Debug)]
pub struct Learner<S> {
    /// The weights, in points.
    weights: Box<[AtomicU32]>,
    /// Below the sum of a weight's errors, above that of their magnitudes, as two `f32`.
    errors: Box<[AtomicU64]>,
    shape: std::marker::PhantomData<S>,
}

/// What a weight and its errors take in a file.
const BYTES_OF_WEIGHT: usize = size_of::<u32>() + size_of::<u64>();

/// The weights of one board, so that they need not be looked for twice.
pub type Active = [u32; LOOKUPS];

impl<S: Shape> Learner<S> {
    /// A network that knows nothing: every board is worth nothing more.
    pub fn new() -> Result<Self, Refusal> {
        let count = S::NAME.weights();
        let refuse = |()| Refusal::new(format!("no memory for {count} weights"));
        Ok(Self {
            weights: bytemuck::allocation::try_zeroed_slice_box(count).map_err(refuse)?,
            errors: bytemuck::allocation::try_zeroed_slice_box(count).map_err(refuse)?,
            shape: std::marker::PhantomData,
        })
    }

    /// A network that goes on where another stopped: the weights, and the errors seen by each. The error says what is
    /// wrong with them.
    pub fn resumed(body: &[u8]) -> Result<Self, Refusal> {
        let count = S::NAME.weights();
        if body.len() != count * BYTES_OF_WEIGHT {
            return Err(Refusal::new(format!(
                "a training of {count} weights has {} bytes",
                count * BYTES_OF_WEIGHT
            )));
        }
        let (weights, errors) = body.split_at(count * size_of::<u32>());
        let learner = Self::new()?;
        let most = Value::MOST_POINTS as f32;
        for (weight, bytes) in learner.weights.iter().zip(weights.as_chunks().0) {
            let bits = u32::from_le_bytes(*bytes);
            if !(-most..=most).contains(&f32::from_bits(bits)) {
                return Err(Refusal::new("it has weights that are no points"));
            }
            weight.store(bits, Ordering::Relaxed);
        }
        for (error, bytes) in learner.errors.iter().zip(errors.as_chunks().0) {
            let bits = u64::from_le_bytes(*bytes);
            let (sum, magnitudes) = halves(bits);
            // What was rounded in a long sum may exceed what was rounded in another, so they are not compared.
            if !sum.is_finite() || !magnitudes.is_finite() || magnitudes < 0.0 {
                return Err(Refusal::new("it has errors that are no points"));
            }
            error.store(bits, Ordering::Relaxed);
        }
        Ok(learner)
    }

    /// The bytes that [`Learner::write`] writes.
    pub fn length() -> u64 {
        (S::NAME.weights() * BYTES_OF_WEIGHT) as u64
    }

    /// Writes weights and errors as [`Learner::resumed`] reads them.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        const AT_ONCE: usize = 1 << 16;
        let mut bytes = Vec::with_capacity(AT_ONCE * size_of::<u64>());
        for weights in self.weights.chunks(AT_ONCE) {
            bytes.clear();
            bytes.extend(
                weights
                    .iter()
                    .flat_map(|weight| weight.load(Ordering::Relaxed).to_le_bytes()),
            );
            out.write_all(&bytes)?;
        }
        for errors in self.errors.chunks(AT_ONCE) {
            bytes.clear();
            bytes.extend(
                errors
                    .iter()
                    .flat_map(|errors| errors.load(Ordering::Relaxed).to_le_bytes()),
            );
            out.write_all(&bytes)?;
        }
        Ok(())
    }

    /// The weights as they are.
    pub fn weights(&self) -> impl Iterator<Item = f32> {
        (0..self.weights.len()).map(|index| self.weight(index))
    }

    /// The points expected from an afterstate on.
    #[inline]
    pub fn value(&self, board: Board) -> f32 {
        let mut sum = 0.0;
        S::for_each_weight(board, |index| sum += self.weight(index));
        sum
    }

    /// The weights that make up a board's value.
    #[inline]
    pub fn active(board: Board) -> Active {
        let mut active = [0; LOOKUPS];
        let mut slots = active.iter_mut();
        S::for_each_weight(board, |index| {
            if let Some(slot) = slots.next() {
                *slot = index as u32;
            }
        });
        active
    }

    /// The value that these weights make up.
    #[inline]
    pub fn value_of(&self, active: &Active) -> f32 {
        active
            .iter()
            .map(|&index| self.weight(index as usize))
            .sum()
    }

    /// Moves the value of a board towards what was found to be better by `error` points.
    #[inline]
    pub fn learn(&self, active: &Active, error: f32) {
        let share = error / LOOKUPS as f32;
        for &index in active {
            let index = index as usize;
            let errors = self.errors[index].load(Ordering::Relaxed);
            let (sum, magnitudes) = halves(errors);
            let rate = if magnitudes == 0.0 {
                1.0
            } else {
                sum.abs() / magnitudes
            };
            let weight = self.weight(index) + rate * share;
            self.weights[index].store(weight.to_bits(), Ordering::Relaxed);
            let errors = u64::from((sum + error).to_bits())
                | u64::from((magnitudes + error.abs()).to_bits()) << 32;
            self.errors[index].store(errors, Ordering::Relaxed);
        }
    }

    #[inline]
    fn weight(&self, index: usize) -> f32 {
        f32::from_bits(self.weights[index].load(Ordering::Relaxed))
    }
}

/// The sum of a weight's errors, and that of their magnitudes.
#[inline]
fn halves(errors: u64) -> (f32, f32) {
    (
        f32::from_bits(errors as u32),
        f32::from_bits((errors >> 32) as u32),
    )
}
