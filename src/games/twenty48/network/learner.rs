//! Temporal-coherence learning: weights that several threads improve at once, each at a rate of its own.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use super::tuples::{Active, MAX_LOOKUPS, TupleIndexer, TupleShape};
use crate::error::EngineError;
use crate::games::twenty48::board::Board;
use crate::processor;
use crate::try_alloc;
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
    weights: Vec<Weight>,
    finder: TupleIndexer<S>,
}

/// A weight with all that it learns by in one place, for whoever reads it changes it soon, and in as little of it as will do,
/// for learning is bound by memory: below the bits of its value, points as an `f32`, above its [`Errors`].
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

/// The errors that a weight has seen: the upper [`SUM_BITS`](Self::SUM_BITS) bits of the `f32` that is their sum, and the upper ones but for
/// the sign of that of their magnitudes.
///
/// What is added may be far smaller than what the bits that are kept can tell, so it is rounded up or down by chance, in
/// proportion: then it counts in the long run. A weight whose errors cancel out comes to look as if one in 2,000 did not, and the
/// sum of magnitudes is off by an eighth or so, which hurts no rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Errors(u32);

impl Errors {
    const SUM_BITS: u32 = 19;
    const SUM: u32 = !0 << (32 - Self::SUM_BITS);
    /// How many bits of the magnitudes' `f32` are left out below.
    const LEFT_OUT: u32 = Self::SUM_BITS - 1;

    #[inline(always)]
    fn sum(self) -> f32 {
        f32::from_bits(self.0 & Self::SUM)
    }

    #[inline(always)]
    fn magnitudes(self) -> f32 {
        f32::from_bits((self.0 & !Self::SUM) << Self::LEFT_OUT)
    }

    /// The errors with this sum, and this one of their magnitudes, which is not negative, rounded by `chance`: any number is as
    /// likely.
    #[inline(always)]
    fn rounded(sum: f32, magnitudes: f32, chance: u32) -> Self {
        let sum = sum.to_bits().wrapping_add(chance & !Self::SUM);
        let magnitudes = magnitudes.to_bits() + (chance >> (32 - Self::LEFT_OUT));
        Self(sum & Self::SUM | magnitudes >> Self::LEFT_OUT)
    }

    /// The errors that are nearest to these, if these are finite.
    fn nearest(sum: f32, magnitudes: f32) -> Self {
        const HALVES: u32 = 1 << 31 | 1 << (31 - Errors::SUM_BITS);
        Self::rounded(sum, magnitudes.abs(), HALVES)
    }
}

/// What a weight and its errors take in a file: three `f32`.
const BYTES_OF_WEIGHT: usize = 3 * size_of::<f32>();

impl<S: TupleShape> Learner<S> {
    /// A network that knows nothing: every board is worth nothing more.
    pub fn new() -> Result<Self, EngineError> {
        let count = S::WEIGHTS;
        let refuse = |_| EngineError::failed(format!("no memory for {count} weights"));
        Ok(Self {
            weights: try_alloc::zeroed_in_huge_pages(count).map_err(refuse)?,
            finder: TupleIndexer::default(),
        })
    }

    /// A network that expects so many points from every board that it has not seen (optimistic initialization: Guei, Chen
    /// and Wu, 2021).
    pub fn expecting(points: f32) -> Result<Self, EngineError> {
        let learner = Self::new()?;
        if points != 0.0 {
            let value = points / S::LOOKUPS as f32;
            let weights = learner.weights.iter();
            weights.for_each(|weight| weight.store(value, Errors::default()));
        }
        Ok(learner)
    }

    /// A network that goes on where another stopped: the weights, and the errors seen by each. The error says what is
    /// wrong with them.
    pub fn resumed(body: &[u8]) -> Result<Self, EngineError> {
        let count = S::WEIGHTS;
        if body.len() != count * BYTES_OF_WEIGHT {
            return Err(EngineError::new(format!(
                "a training of {count} weights has {} bytes",
                count * BYTES_OF_WEIGHT
            )));
        }
        let (values, errors) = body.split_at(count * size_of::<f32>());
        let learner = Self::new()?;
        let most = Value::MAX_POINTS as f32;
        let numbers = values.as_chunks().0.iter().zip(errors.as_chunks().0);
        for (weight, (value, errors)) in learner.weights.iter().zip(numbers) {
            let value = f32::from_le_bytes(*value);
            let errors: [[u8; 4]; 2] = bytemuck::cast::<[u8; 8], _>(*errors);
            let [sum, magnitudes] = errors.map(f32::from_le_bytes);
            if !(-most..=most).contains(&value) {
                return Err(EngineError::new("it has weights that are no points"));
            }
            let errors = Errors::nearest(sum, magnitudes);
            // What was rounded in a long sum may exceed what was rounded in another, so they are not compared.
            // Rounding may have made an infinity of what hardly was none.
            let numbers = [sum, magnitudes, errors.sum(), errors.magnitudes()];
            if !numbers.into_iter().all(f32::is_finite) || magnitudes < 0.0 {
                return Err(EngineError::new("it has errors that are no points"));
            }
            // Memory that holds nothing but zeros need not be touched.
            if value != 0.0 || errors != Errors::default() {
                weight.store(value, errors);
            }
        }
        Ok(learner)
    }

    /// The bytes that [`Learner::write`] writes.
    pub fn length() -> u64 {
        (S::WEIGHTS * BYTES_OF_WEIGHT) as u64
    }

    /// Writes weights and errors as [`Learner::resumed`] reads them.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_each(out, |weight| weight.load().0.to_le_bytes())?;
        self.write_each(out, |weight| {
            let (_, errors) = weight.load();
            let errors = [errors.sum(), errors.magnitudes()].map(f32::to_le_bytes);
            bytemuck::cast::<_, [u8; 8]>(errors)
        })
    }

    fn write_each<const N: usize>(
        &self,
        out: &mut dyn Write,
        bytes_of: impl Fn(&Weight) -> [u8; N],
    ) -> io::Result<()> {
        const AT_ONCE: usize = 1 << 16;
        let mut bytes = Vec::with_capacity(AT_ONCE * N);
        for weights in self.weights.chunks(AT_ONCE) {
            bytes.clear();
            bytes.extend(weights.iter().flat_map(&bytes_of));
            out.write_all(&bytes)?;
        }
        Ok(())
    }

    /// The weights that have seen errors of at least so many points in all; the others, which hardly any board has, as 0.
    pub fn weights(&self, least: f32) -> impl Iterator<Item = f32> + Clone {
        self.weights.iter().map(move |weight| {
            let (value, errors) = weight.load();
            if errors.magnitudes() >= least {
                value
            } else {
                0.0
            }
        })
    }

    /// The points expected from each of four afterstates on, whose weights are best asked for before: then nothing but memory
    /// is waited for, and for many of them at a time.
    #[inline(always)]
    pub fn values(&self, active: &[Active; 4]) -> [f32; 4] {
        let mut sums = [0.0; 4];
        for lookup in 0..S::LOOKUPS {
            for (sum, active) in sums.iter_mut().zip(active) {
                *sum += self.weight(active[lookup]);
            }
        }
        sums
    }

    /// Finds the weights of a board, and asks for them ahead.
    #[inline(always)]
    pub fn find(&self, board: Board, active: &mut Active) {
        self.finder.find(board, active);
        for &index in &active[..S::LOOKUPS] {
            processor::fetch_at(&self.weights, index as usize);
        }
    }

    /// Moves the value of a board towards `target`, each weight by its share of the error at its own rate, and gives what it has
    /// become: the sum of what its lookups have changed, in which a weight that the board looks up twice, such as that of no
    /// tiles at all, counts as if these were two. It learns as often as it is looked up (learning once, a training is 2% behind).
    /// Rates are those from before the move.
    #[inline(always)]
    pub fn learn(&self, active: &Active, target: f32) -> f32 {
        let active = &active[..S::LOOKUPS];
        let mut values = [0.0; MAX_LOOKUPS];
        let mut errors = [Errors::default(); MAX_LOOKUPS];
        for (lookup, &index) in active.iter().enumerate() {
            (values[lookup], errors[lookup]) = self.weights[index as usize].load();
        }
        let value = sum(&values[..S::LOOKUPS]);
        let error = target - value;
        let share = error / S::LOOKUPS as f32;
        let times = times::<S>(active);
        let mut changes = [0.0; MAX_LOOKUPS];
        for lookup in 0..S::LOOKUPS {
            let seen = errors[lookup];
            let (sum, magnitudes) = (seen.sum(), seen.magnitudes());
            let coherence = sum.abs() / magnitudes;
            let change = share * if magnitudes == 0.0 { 1.0 } else { coherence };
            let times = times[lookup] as f32;
            values[lookup] += times * change;
            changes[lookup] = change;
            let rounding = scattered(error.to_bits() ^ active[lookup]);
            let (sum, magnitudes) = (sum + times * error, magnitudes + times * error.abs());
            errors[lookup] = Errors::rounded(sum, magnitudes, rounding);
        }
        for (lookup, &index) in active.iter().enumerate() {
            self.weights[index as usize].store(values[lookup], errors[lookup]);
        }
        value + sum(&changes[..S::LOOKUPS])
    }

    #[inline(always)]
    fn weight(&self, index: u32) -> f32 {
        self.weights[index as usize].load().0
    }
}

/// How often a board looks up each of its weights: only symmetries of one tuple can find the same.
#[inline(always)]
fn times<S: TupleShape>(active: &[u32]) -> [u32; MAX_LOOKUPS] {
    let mut around = [0; 2 * MAX_LOOKUPS];
    around[..S::LOOKUPS].copy_from_slice(active);
    around[S::LOOKUPS..2 * S::LOOKUPS].copy_from_slice(active);
    let mut times = [1; MAX_LOOKUPS];
    for turn in (S::SEEN.len()..S::LOOKUPS).step_by(S::SEEN.len()) {
        for lookup in 0..S::LOOKUPS {
            times[lookup] += u32::from(around[lookup] == around[lookup + turn]);
        }
    }
    times
}

/// The sum of a multiple of eight numbers, in eight parts that need not wait for each other.
#[inline(always)]
fn sum(numbers: &[f32]) -> f32 {
    let mut parts = [0.0; 8];
    for eight in numbers.as_chunks::<8>().0 {
        for (part, number) in parts.iter_mut().zip(eight) {
            *part += number;
        }
    }
    let pair = |first| parts[first] + parts[first + 4];
    pair(0) + pair(1) + (pair(2) + pair(3))
}

/// A number whose bits all depend on those of this one, as if by chance (after the finalizer of Appleby's hash, 2011): of 32 bits,
/// not of 64 as those of keys, since a vector multiplies twice as many of these, and sooner.
#[inline(always)]
fn scattered(number: u32) -> u32 {
    let number = number.wrapping_mul(0x9e37_79b1);
    let number = (number ^ number >> 15).wrapping_mul(0x85eb_ca6b);
    number ^ number >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors of a tenth of a point, up to a hundred times as small as what the bits that are kept can tell.
    #[test]
    fn small_errors_count_in_the_long_run() {
        const TIMES: u32 = 100_000;
        let begun = Errors::nearest(20_000.0, 30_000.0);
        let seen = (0..TIMES).fold(begun, |seen, number| {
            let (sum, magnitudes) = (seen.sum() + 0.1, seen.magnitudes() + 0.1);
            Errors::rounded(sum, magnitudes, scattered(number))
        });
        assert!((29_000.0..31_000.0).contains(&seen.sum()), "{seen:?}");
        assert!(
            (36_000.0..44_000.0).contains(&seen.magnitudes()),
            "{seen:?}"
        );
    }

    #[test]
    fn errors_are_kept_as_they_are_read() {
        for number in 0..1000 {
            let chance = scattered(number);
            let (sum, magnitudes) = (f32::from(chance as i16), f32::from(chance as u16));
            let errors = Errors::rounded(sum, magnitudes, scattered(chance));
            assert_eq!(Errors::nearest(errors.sum(), errors.magnitudes()), errors);
            assert!((errors.sum() - sum).abs() <= sum.abs() / 1024.0);
            assert!((errors.magnitudes() - magnitudes).abs() <= magnitudes / 32.0);
        }
    }
}
