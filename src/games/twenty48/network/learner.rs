//! The weights of a network in training, and their updates.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use super::tuples::{MAX_LOOKUPS, TupleIndexer, TupleShape, WeightIndices};
use crate::error::EngineError;
use crate::games::twenty48::board::Board;
use crate::processor;
use crate::try_alloc;
use crate::value::Value;

/// A network in training.
///
/// The network learns the values of afterstates, the boards after a slide, by temporal differences (Szubert and
/// Jaśkowski, 2014). An error is the difference between the target of an update and the value of the board.
///
/// Each weight has its own learning rate: the magnitude of the sum of its errors, divided by the sum of their
/// magnitudes. The rate is 1 as long as all errors have the same sign, and near 0 if the signs alternate (temporal
/// coherence: Beal and Smith, 1999; for 2048 Jaśkowski, 2018).
///
/// Threads share the weights without locks, with atomic reads and writes of each weight. If two threads update the
/// same weight at the same time, an update can be lost. With millions of weights this is rare, and its effect is small
/// compared with the noise of learning (Recht et al., 2011).
#[derive(Debug)]
pub struct Learner<S> {
    /// All weights, tuple by tuple.
    weights: Vec<Weight>,
    indexer: TupleIndexer<S>,
}

/// A weight and its errors in one 64-bit word. The lower half is the value in points, an `f32`. The upper half is the
/// [`Errors`].
///
/// Both are in one word, because every update needs both, and memory access limits the speed of learning.
#[derive(Debug, bytemuck::Zeroable)]
struct Weight(AtomicU64);

impl Weight {
    #[inline(always)]
    fn load(&self) -> (f32, Errors) {
        let bits = self.0.load(Ordering::Relaxed);
        (f32::from_bits(bits as u32), Errors((bits >> 32) as u32))
    }

    #[inline(always)]
    fn store(&self, value: f32, errors: Errors) {
        let bits = u64::from(value.to_bits()) | u64::from(errors.0) << 32;
        self.0.store(bits, Ordering::Relaxed);
    }
}

/// The accumulated errors of a weight in 32 bits: the sum of the errors, and the sum of their magnitudes.
///
/// Each sum is the upper part of an `f32`. The sum of the errors has [`SUM_BITS`](Self::SUM_BITS) bits. The sum of the
/// magnitudes has the other bits and no sign bit.
///
/// A new error can be far smaller than the precision of the sums, and would be lost by rounding to the nearest value.
/// So the sums are rounded up or down at random, with probabilities that preserve the expected value. As a result,
/// the sum of the magnitudes has a relative error of about 1/8. Errors that cancel out sum to about 1/2000 of their
/// magnitude instead of 0. Neither changes the learning rates noticeably.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Errors(u32);

impl Errors {
    /// The number of bits of the sum of the errors.
    const SUM_BITS: u32 = 19;
    /// The bits of the sum of the errors.
    const SUM_MASK: u32 = !0 << (32 - Self::SUM_BITS);
    /// The number of low bits dropped from the sum of the magnitudes, an `f32`.
    const DROPPED_BITS: u32 = Self::SUM_BITS - 1;

    #[inline(always)]
    fn sum(self) -> f32 {
        f32::from_bits(self.0 & Self::SUM_MASK)
    }

    #[inline(always)]
    fn magnitudes(self) -> f32 {
        f32::from_bits((self.0 & !Self::SUM_MASK) << Self::DROPPED_BITS)
    }

    /// Returns the errors with these two sums, rounded at random. `magnitudes` must not be negative. `random` must be a
    /// uniformly distributed random number.
    #[inline(always)]
    fn round_randomly(sum: f32, magnitudes: f32, random: u32) -> Self {
        let sum = sum.to_bits().wrapping_add(random & !Self::SUM_MASK);
        let magnitudes = magnitudes.to_bits() + (random >> (32 - Self::DROPPED_BITS));
        Self(sum & Self::SUM_MASK | magnitudes >> Self::DROPPED_BITS)
    }

    /// Returns the errors nearest to these two sums, which must be finite.
    fn round_to_nearest(sum: f32, magnitudes: f32) -> Self {
        // Instead of a random number, adds one half of the last bit kept of each sum.
        const HALVES: u32 = 1 << 31 | 1 << (31 - Errors::SUM_BITS);
        Self::round_randomly(sum, magnitudes.abs(), HALVES)
    }
}

/// The size of a weight and its errors in a file, in bytes: three `f32`.
const WEIGHT_BYTES: usize = 3 * size_of::<f32>();

impl<S: TupleShape> Learner<S> {
    /// Creates a network whose weights are all 0.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new() -> Result<Self, EngineError> {
        let count = S::WEIGHTS;
        let error =
            |_| EngineError::failed(format!("out of memory: cannot allocate {count} weights"));
        Ok(Self {
            weights: try_alloc::zeroed_in_huge_pages(count).map_err(error)?,
            indexer: TupleIndexer::default(),
        })
    }

    /// Creates a network with the value `points` for every board.
    ///
    /// A high initial value makes the network try slides that it has not learned yet (optimistic initialization: Guei,
    /// Chen and Wu, 2021).
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn with_initial_value(points: f32) -> Result<Self, EngineError> {
        let learner = Self::new()?;
        if points != 0.0 {
            let value = points / S::LOOKUPS as f32;
            let weights = learner.weights.iter();
            weights.for_each(|weight| weight.store(value, Errors::default()));
        }
        Ok(learner)
    }

    /// Creates a network from the output of [`Learner::write`].
    ///
    /// # Errors
    /// If `body` has a wrong length, if a number is out of range, or if there is not enough memory.
    pub fn from_bytes(body: &[u8]) -> Result<Self, EngineError> {
        let count = S::WEIGHTS;
        if body.len() != count * WEIGHT_BYTES {
            return Err(EngineError::new(format!(
                "expected {} bytes for {count} weights, found {}",
                count * WEIGHT_BYTES,
                body.len()
            )));
        }
        let (values, errors) = body.split_at(count * size_of::<f32>());
        let learner = Self::new()?;
        let max = Value::MAX_POINTS as f32;
        let numbers = values.as_chunks().0.iter().zip(errors.as_chunks().0);
        for (weight, (value, errors)) in learner.weights.iter().zip(numbers) {
            let value = f32::from_le_bytes(*value);
            let errors: [[u8; 4]; 2] = bytemuck::cast::<[u8; 8], _>(*errors);
            let [sum, magnitudes] = errors.map(f32::from_le_bytes);
            if !(-max..=max).contains(&value) {
                return Err(EngineError::new("it has weights out of range"));
            }
            let errors = Errors::round_to_nearest(sum, magnitudes);
            // The sums are not compared: rounded independently, the sum of the magnitudes can be smaller than the
            // magnitude of the sum. Rounding can turn the largest finite numbers into infinity.
            let numbers = [sum, magnitudes, errors.sum(), errors.magnitudes()];
            if !numbers.into_iter().all(f32::is_finite) || magnitudes < 0.0 {
                return Err(EngineError::new("it has errors out of range"));
            }
            // Zero weights are not stored, so their memory pages are never accessed and take no memory.
            if value != 0.0 || errors != Errors::default() {
                weight.store(value, errors);
            }
        }
        Ok(learner)
    }

    /// Returns the number of bytes that [`Learner::write`] writes.
    pub fn length() -> u64 {
        (S::WEIGHTS * WEIGHT_BYTES) as u64
    }

    /// Writes all weights and then all errors, in the format of [`Learner::from_bytes`].
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_each(out, |weight| weight.load().0.to_le_bytes())?;
        self.write_each(out, |weight| {
            let (_, errors) = weight.load();
            let errors = [errors.sum(), errors.magnitudes()].map(f32::to_le_bytes);
            bytemuck::cast::<_, [u8; 8]>(errors)
        })
    }

    /// Writes `bytes_of` of each weight.
    fn write_each<const N: usize>(
        &self,
        out: &mut dyn Write,
        bytes_of: impl Fn(&Weight) -> [u8; N],
    ) -> io::Result<()> {
        const CHUNK_WEIGHTS: usize = 1 << 16;
        let mut bytes = Vec::with_capacity(CHUNK_WEIGHTS * N);
        for weights in self.weights.chunks(CHUNK_WEIGHTS) {
            bytes.clear();
            bytes.extend(weights.iter().flat_map(&bytes_of));
            out.write_all(&bytes)?;
        }
        Ok(())
    }

    /// Returns all weights in points. Weights with a sum of magnitudes below `min_error` points, which few boards
    /// have used, are replaced by 0.
    pub fn weights(&self, min_error: f32) -> impl Iterator<Item = f32> + Clone {
        self.weights.iter().map(move |weight| {
            let (value, errors) = weight.load();
            if errors.magnitudes() >= min_error {
                value
            } else {
                0.0
            }
        })
    }

    /// Returns the values of four afterstates, in points, from their weight indices.
    ///
    /// For speed, first call [`Learner::prefetch`] for all four afterstates, so that their weights load at the same
    /// time.
    #[inline(always)]
    pub fn values(&self, indices: &[WeightIndices; 4]) -> [f32; 4] {
        let mut sums = [0.0; 4];
        for lookup in 0..S::LOOKUPS {
            for (sum, indices) in sums.iter_mut().zip(indices) {
                *sum += self.weight(indices[lookup]);
            }
        }
        sums
    }

    /// Computes the weight indices of a board, and prefetches the weights.
    #[inline(always)]
    pub fn prefetch(&self, board: Board, indices: &mut WeightIndices) {
        self.indexer.compute(board, indices);
        for &index in &indices[..S::LOOKUPS] {
            processor::prefetch_at(&self.weights, index as usize);
        }
    }

    /// Changes the weights of a board so that its value moves towards `target`, in points. Returns the new value.
    ///
    /// The error is divided equally among the weights. Each weight changes by its part of the error, multiplied by its
    /// learning rate before the update.
    ///
    /// If the board uses a weight twice, the weight changes twice, and the returned value is approximate: it is
    /// computed as for two different weights.
    #[inline(always)]
    pub fn learn(&self, indices: &WeightIndices, target: f32) -> f32 {
        let indices = &indices[..S::LOOKUPS];
        let mut values = [0.0; MAX_LOOKUPS];
        let mut errors = [Errors::default(); MAX_LOOKUPS];
        for (lookup, &index) in indices.iter().enumerate() {
            (values[lookup], errors[lookup]) = self.weights[index as usize].load();
        }
        let value = sum(&values[..S::LOOKUPS]);
        let error = target - value;
        let error_per_weight = error / S::LOOKUPS as f32;
        let lookup_counts = lookup_counts::<S>(indices);
        let mut changes = [0.0; MAX_LOOKUPS];
        for lookup in 0..S::LOOKUPS {
            let before = errors[lookup];
            let (sum, magnitudes) = (before.sum(), before.magnitudes());
            let coherence = sum.abs() / magnitudes;
            let change = error_per_weight * if magnitudes == 0.0 { 1.0 } else { coherence };
            let count = lookup_counts[lookup] as f32;
            values[lookup] += count * change;
            changes[lookup] = change;
            let random = mix32(error.to_bits() ^ indices[lookup]);
            let (sum, magnitudes) = (sum + count * error, magnitudes + count * error.abs());
            errors[lookup] = Errors::round_randomly(sum, magnitudes, random);
        }
        for (lookup, &index) in indices.iter().enumerate() {
            self.weights[index as usize].store(values[lookup], errors[lookup]);
        }
        value + sum(&changes[..S::LOOKUPS])
    }

    #[inline(always)]
    fn weight(&self, index: u32) -> f32 {
        self.weights[index as usize].load().0
    }
}

/// Returns the number of occurrences of each of the `indices` of a board among them.
///
/// Tuples have separate weights, so each index is compared only with the indices of the same tuple in the other
/// symmetries.
#[inline(always)]
fn lookup_counts<S: TupleShape>(indices: &[u32]) -> [u32; MAX_LOOKUPS] {
    // The indices twice in a row, so that `lookup + offset` needs no wrap-around.
    let mut repeated = [0; 2 * MAX_LOOKUPS];
    repeated[..S::LOOKUPS].copy_from_slice(indices);
    repeated[S::LOOKUPS..2 * S::LOOKUPS].copy_from_slice(indices);
    let mut lookup_counts = [1; MAX_LOOKUPS];
    for offset in (S::TUPLES.len()..S::LOOKUPS).step_by(S::TUPLES.len()) {
        for lookup in 0..S::LOOKUPS {
            lookup_counts[lookup] += u32::from(repeated[lookup] == repeated[lookup + offset]);
        }
    }
    lookup_counts
}

/// Returns the sum of the numbers, whose count must be a multiple of eight, by eight partial sums in vector registers.
#[inline(always)]
fn sum(numbers: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    for eight in numbers.as_chunks::<8>().0 {
        for (sum, number) in sums.iter_mut().zip(eight) {
            *sum += number;
        }
    }
    let pair = |first| sums[first] + sums[first + 4];
    pair(0) + pair(1) + (pair(2) + pair(3))
}

/// Mixes the bits of a number, as a source of random numbers (after the finalizer of Appleby's `MurmurHash3`, 2011).
///
/// Unlike the mixing of position keys, it has 32 bits, because vector instructions multiply 32-bit numbers
/// faster.
#[inline(always)]
fn mix32(number: u32) -> u32 {
    let number = number.wrapping_mul(0x9e37_79b1);
    let number = (number ^ number >> 15).wrapping_mul(0x85eb_ca6b);
    number ^ number >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds errors of 0.1 points. The precision is 16 points for the sums, and at least 512 points for the magnitudes.
    #[test]
    fn small_errors_count_in_the_long_run() {
        const REPETITIONS: u32 = 100_000;
        let start = Errors::round_to_nearest(20_000.0, 30_000.0);
        let errors = (0..REPETITIONS).fold(start, |errors, number| {
            let (sum, magnitudes) = (errors.sum() + 0.1, errors.magnitudes() + 0.1);
            Errors::round_randomly(sum, magnitudes, mix32(number))
        });
        assert!((29_000.0..31_000.0).contains(&errors.sum()), "{errors:?}");
        assert!(
            (36_000.0..44_000.0).contains(&errors.magnitudes()),
            "{errors:?}"
        );
    }

    #[test]
    fn stored_errors_round_trip() {
        for number in 0..1000 {
            let random = mix32(number);
            let (sum, magnitudes) = (f32::from(random as i16), f32::from(random as u16));
            let errors = Errors::round_randomly(sum, magnitudes, mix32(random));
            assert_eq!(
                Errors::round_to_nearest(errors.sum(), errors.magnitudes()),
                errors
            );
            assert!((errors.sum() - sum).abs() <= sum.abs() / 1024.0);
            assert!((errors.magnitudes() - magnitudes).abs() <= magnitudes / 32.0);
        }
    }
}
